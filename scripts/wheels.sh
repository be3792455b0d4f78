#!/bin/sh
# wheels.sh PYTHON...: an sdist, from it a wheel for each of these Pythons, and each wheel tried in a clean
# environment. Everything lies in dist/ afterwards; build/wheels holds the rest. Needs a C++20 compiler.
set -eu
limit=15000000 # bytes of a wheel

OTHELLIER_REVISION=$(git rev-parse --short=10 HEAD 2> /dev/null || true)
export OTHELLIER_REVISION
rm -rf build/wheels dist
mkdir -p build/wheels dist
pip() {
    "$1" -m pip --disable-pip-version-check -qq "$2" ${3+"$3"} ${4+"$4"} ${5+"$5"} ${6+"$6"} ${7+"$7"}
}

"$1" -m venv build/wheels/tools
pip build/wheels/tools/bin/python install build
build/wheels/tools/bin/python -m build --sdist --outdir dist > build/wheels/sdist.log 2>&1 ||
    { cat build/wheels/sdist.log; exit 1; }
for python in "$@"; do
    home=build/wheels/$(basename "$python")
    "$python" -m venv "$home/build"
    "$python" -m venv "$home/clean"
    OTHELLIER_NEED_CORE=1 pip "$home/build/bin/python" wheel dist/othellier-*.tar.gz --no-deps -w "$home" ||
        { echo "othellier: the wheel for $python could not be built: is there a C++20 compiler?" >&2; exit 1; }
    wheel=$(echo "$home"/othellier-*.whl)
    bytes=$(wc -c < "$wheel")
    [ "$bytes" -le "$limit" ] || { echo "othellier: $wheel has $bytes bytes, $limit are allowed" >&2; exit 1; }
    pip "$home/clean/bin/python" install "$wheel"
    "$home/clean/bin/python" -I scripts/try_wheel.py
    cp "$wheel" dist
    rm -rf "$home"
done
ls -l dist
