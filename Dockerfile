# docker build -t othellier . && docker run --rm -p 8080:8080 othellier
# The page at http://localhost:8080, with the token that is printed. `docker run … othellier othellier COMMAND` runs others.
FROM python:3.13-slim AS build
RUN apt-get update && apt-get install -y --no-install-recommends g++ && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY . .
RUN OTHELLIER_NEED_CORE=1 pip wheel --no-cache-dir --no-deps -w /wheels .

FROM python:3.13-slim
COPY --from=build /wheels /wheels
RUN pip install --no-cache-dir "$(echo /wheels/othellier-*.whl)[cluster,lab]" && rm -rf /wheels \
    && useradd --create-home othellier && install -d -o othellier /data
USER othellier
WORKDIR /data
VOLUME /data
EXPOSE 8080
CMD ["othellier", "play", "--no-browser", "--host", "0.0.0.0", "--host", "localhost", "--port", "8080", "--data", "/data/games"]
