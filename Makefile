# play      set up what is missing, then open the game
# test      set up what is missing, then every check and every test
# tests     the tests alone
# sanitize  the core's own test program, under the sanitizers
# docs      the documentation site into build/docs
# check     formatters, linters and types alone
# repeat    make test ten times in a row on clean clones beside two busy loops (RUNS=10 SIDE=1 LOOPS=2; hours)
# bench     measure: benchmarks/RESULTS.md (WTHOR=folder adds the game database), and a short accuracy, as below
# accuracy  how good moves are by depth and by time, a table and a figure: build/accuracy.md (an hour on two cores)
# mutants   put small faults in: do the tests notice? Writes benchmarks/MUTANTS.md (an hour or two)
# weights   make what ships again, as it was made (DATA=folder of games and suites; hours)
# wheels    sdist and wheel, tried in a clean environment, into dist (PYTHONS="python3.11 python3.12" for several)
# cross     compile the core for Windows, macOS and ARM, as far as that goes from here
# pictures  the documentation's pictures of the page, taken anew (needs Chromium)
# types     the page's types from the server's models: web/static/shell/types.d.ts
# map       draw the modules and what they import: docs/modules.svg
# clean     back to what a fresh clone has
.PHONY: help play test tests sanitize docs check repeat bench accuracy mutants weights wheels cross pictures types map clean FORCE
.DELETE_ON_ERROR:

ifneq ($(filter 3.7% 3.80,$(MAKE_VERSION)),)
$(error GNU make 3.81 or newer is needed and this is $(MAKE_VERSION): get it with 'apt install make' or 'brew install make')
endif

# PYTHON=python3.12 chooses a Python; else scripts/environment.sh takes the newest there is.
export PYTHON
# What Python has compiled is kept, also where the environment would not have it: the tests start hundreds of programs,
# each of which would compile the package anew.
unexport PYTHONDONTWRITEBYTECODE
# Matplotlib's list of fonts as well: that of the whole machine may name fonts of an environment that is gone.
export MPLCONFIGDIR := $(CURDIR)/build/matplotlib
BIN := .venv/bin
SPHINX := $(BIN)/python -m sphinx -q -W --keep-going -E -b html -c docs
PIP := $(BIN)/python -m pip --disable-pip-version-check
# An environment that does not run any more, or was never finished, is made anew.
BROKEN := $(if $(wildcard .venv),$(shell $(BIN)/python -c 'import pip' 2> /dev/null || echo FORCE))
COMPILER := $(shell command -v c++ || command -v g++ || command -v clang++)
CORE := $(wildcard core/*/*.h core/*/*.cpp)
PACKAGES := $(wildcard src/othellier/*/__init__.py src/othellier/*/*/__init__.py)
WTHOR ?= ../shared/data/wthor
DATA ?= ../shared/data
SUITE ?= $(wildcard ../shared/data/suites/hard-20.obf)
# Without PyTorch (scripts/pytorch.sh) what is built on it has no types.
UNTYPED := --ignore-missing-imports --allow-subclassing-any --allow-untyped-decorators --no-warn-return-any --no-warn-unused-ignores
# The page's types are checked where there is npm, and always in CI.
NPM := $(or $(shell command -v npm),$(CI))

help:
	@sed -n 's/^# /  make /p;/^\.PHONY/q' $(firstword $(MAKEFILE_LIST))

# Who develops plays in the environment that is there.
play: $(if $(wildcard .venv/core),.venv/core,.venv/game)
	@$(BIN)/othellier play

# The tests wait a good deal, for clocks and for a browser: the rest is done meanwhile, behind them, and tells at the end.
test: .venv/core build/browser $(if $(NPM),build/npm)
	@mkdir -p build; $(MAKE) --no-print-directory CALM='nice -n 3' check docs sanitize > build/checks.log 2>&1 & checks=$$!; \
		trap 'kill $$checks; exit 130' INT TERM; \
		$(MAKE) --no-print-directory tests; tested=$$?; \
		wait $$checks; checked=$$?; cat build/checks.log; exit $$((tested | checked))

tests: .venv/core build/browser $(if $(NPM),build/npm)
	MAKEFLAGS= $(BIN)/python -m pytest -q -n 3 --dist worksteal

sanitize: build/sanitized/passed build/portable/passed build/threads/passed

# Once for each language, side by side; warnings are errors.
docs: .venv/core
	$(CALM) $(BIN)/python scripts/docs.py
	@echo "sphinx: English and French"
	@$(CALM) $(SPHINX) build/site/en build/docs & english=$$!; \
		$(CALM) $(SPHINX) -D language=fr build/site/fr build/docs/fr; french=$$?; wait $$english && exit $$french

check: .venv/core $(if $(NPM),build/npm)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(CALM) $(BIN)/mypy $(shell $(PIP) show -qq torch 2> /dev/null || echo $(UNTYPED))
	$(CALM) $(BIN)/mypy tests/web/browser/conftest.py
	$(BIN)/clang-format --dry-run -Werror $(CORE)
	$(if $(NPM),$(CALM) npm run --silent check)

repeat:
	bash scripts/repeat.sh $(or $(RUNS),10) $(or $(SIDE),1) $(or $(LOOPS),2)

bench: .venv/core
	@mkdir -p build
	$(BIN)/python -m benchmarks --wthor $(WTHOR) --out benchmarks/RESULTS.md
	$(BIN)/python -m benchmarks.accuracy --sample 60 --depths 4,8,12,16 --times 0.01,0.03,0.1,0.3,1 --out build/accuracy.md

accuracy: .venv/core
	@mkdir -p build
	$(BIN)/python -m benchmarks.accuracy $(addprefix --suite ,$(SUITE)) --sample 300 --out build/accuracy.md

mutants: .venv/core
	$(BIN)/python -m benchmarks.mutants

# Goes on where it was interrupted.
weights: .venv/core
	$(BIN)/othellier learn run src/othellier/data/training/config.yaml --data $(DATA) --out build/weights
	$(BIN)/othellier learn ship build/weights

wheels: .venv/tools
	sh scripts/wheels.sh $(or $(PYTHONS),$(BIN)/python)

cross: build/cross/passed

pictures: .venv/core
	$(BIN)/python scripts/screenshots.py

types: .venv/core
	$(BIN)/python -m othellier.page.wire.typescript

map:
	$(BIN)/python -m benchmarks.module_map

clean:
	rm -rf .venv build dist node_modules .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# What playing needs and nothing else. Without a compiler the plain Python rules take the core's place, and the next
# `make play` with one compiles it.
.venv/game: pyproject.toml CMakeLists.txt $(CORE) $(PACKAGES) $(BROKEN) $(if $(COMPILER),$(if $(wildcard .venv/plain),FORCE))
	@mkdir -p build
	@sh scripts/environment.sh
	@echo "Setting up, once: installing packages$(if $(COMPILER), and compiling the engine) takes a minute or two."
	$(if $(COMPILER),@rm -f .venv/plain,@touch .venv/plain; echo "No C++ compiler is here: the plain Python rules take\
	 the engine's place. For the engine: 'apt install g++' or 'xcode-select --install', then make play.")
	@$(PIP) install -qq -c requirements/constraints.txt -e . > build/game.log 2>&1 || \
		{ tail -n 1 build/game.log; echo "othellier: the packages could not be installed, build/game.log says why"; false; }
	@test -z "$(COMPILER)" || \
		$(BIN)/python -W ignore -c 'import sys; from othellier.rules import native; sys.exit(not native.available)' 2> build/core.log || \
		{ touch .venv/plain; echo "The engine could not be compiled: the plain Python rules take its place. Python's headers" \
		"('apt install python3-dev') or a newer compiler may be missing; build/game.log says more."; }
	@touch $@

# The tools, at the versions of the constraints. cmake and ninja come from the registry like the rest.
.venv/tools: pyproject.toml requirements/constraints.txt $(BROKEN)
	@sh scripts/environment.sh
	$(PIP) install -qq --upgrade -c requirements/constraints.txt pip
	$(PIP) install -qq -c requirements/constraints.txt --group dev
	@sh scripts/pytorch.sh
	touch $@

# The package, editable, with its compiled core: an install without it is for users, not for us. It remembers which
# packages there were, so a new one installs it anew.
.venv/core: .venv/tools CMakeLists.txt $(CORE) $(PACKAGES)
	@test -n "$(COMPILER)" || \
		{ echo "othellier: no C++20 compiler: get one with 'apt install g++' or 'xcode-select --install'"; false; }
	OTHELLIER_NEED_CORE=1 PATH="$(CURDIR)/$(BIN):$$PATH" $(PIP) install -qq \
		-c requirements/constraints.txt --no-build-isolation -e .
	touch $@

# The page's checker of types and of accessibility: nothing of npm is shipped.
build/npm: package.json package-lock.json
	@mkdir -p build
	npm ci --silent
	touch $@

# The browser that tests the page: the system's own. Without it, and without the right to install it, those tests
# are left out; in CI they fail.
build/browser:
	@mkdir -p build
	command -v chromium || command -v chromium-browser || command -v google-chrome || { test "$$(id -u)" = 0 && \
		apt-get -q update && apt-get -q install -y --no-install-recommends chromium; } || test -z "$(CI)"
	touch $@

# The core's own test program: for this machine and for any under the sanitizers, and its engine under
# ThreadSanitizer. Beyond the tests, for a release: build/arm/passed runs it for ARM (needs g++-aarch64-linux-gnu
# and qemu-user), `make cross` compiles it for other systems, `make wheels` tries every x86-64 variant.
build/sanitized/passed: OPTIONS := -DOTHELLIER_ARCH=native -DOTHELLIER_SANITIZE=address,undefined
build/portable/passed: OPTIONS := -DOTHELLIER_ARCH=baseline -DOTHELLIER_SANITIZE=address,undefined
build/threads/passed: OPTIONS := -DOTHELLIER_ARCH=native -DOTHELLIER_SANITIZE=thread
build/threads/passed: PART := engine
build/arm/passed: OPTIONS := -DOTHELLIER_ARCH=baseline -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64 \
	-DCMAKE_CXX_COMPILER=aarch64-linux-gnu-g++ -DCMAKE_EXE_LINKER_FLAGS=-static
build/arm/passed: RUN := qemu-aarch64
# Several files are compiled as one, which takes three fifths of the work; two of a name in one batch do not compile.
build/%/passed: .venv/tools CMakeLists.txt $(CORE)
	@mkdir -p build
	$(BIN)/cmake -S . -B build/$* -G Ninja -DCMAKE_MAKE_PROGRAM=$(CURDIR)/$(BIN)/ninja -DOTHELLIER_SELFCHECK=ON \
		-DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=5 $(OPTIONS) > build/$*.log || { cat build/$*.log; false; }
	$(CALM) $(BIN)/cmake --build build/$* > build/$*.log || { cat build/$*.log; false; }
	$(CALM) $(RUN) build/$*/selfcheck $(PART)
	touch $@

# The core and its test program, compiled and linked by zig c++ for other systems. What is made for ARM Linux is run
# where there is qemu-user; what is made for Windows and macOS cannot be run here.
ZIG := $(CURDIR)/build/cross/zig/bin/python -m ziglang
CROSS := x86_64-windows-gnu x86_64-macos aarch64-macos aarch64-linux-musl
build/cross/passed: .venv/tools CMakeLists.txt $(CORE)
	mkdir -p build/cross
	test -x build/cross/zig/bin/python || $(BIN)/python -m venv build/cross/zig
	build/cross/zig/bin/python -m pip install -qq ziglang
	for target in $(CROSS); do \
		echo "zig c++ -target $$target"; \
		$(ZIG) c++ -target $$target -std=c++20 -O1 -ffp-contract=off -Icore \
			$(filter-out core/bindings/%,$(filter %.cpp,$(CORE))) -o build/cross/$$target || exit 1; \
	done
	if command -v qemu-aarch64; then qemu-aarch64 build/cross/aarch64-linux-musl; \
		else echo "compiled, not run: there is no qemu-aarch64 here"; fi
	touch $@
