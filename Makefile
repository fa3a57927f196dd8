# Every target does its own set-up in .venv and is quick when nothing changed.
PYTHON ?= python3
VENV := .venv
# A module is compiled once, not by every process that imports it.
unexport PYTHONDONTWRITEBYTECODE
BIN := $(VENV)/bin
HOT := $(wildcard src/ludotheque/core/*.py src/ludotheque/bots/search/*.py src/ludotheque/games/*/board.py \
	src/ludotheque/games/*/deck.py src/ludotheque/games/*/rules.py src/ludotheque/games/*/endgame.py \
	src/ludotheque/games/*/appraisal.py src/ludotheque/games/*/gains.py \
	src/ludotheque/games/*/planes.py src/ludotheque/games/*/policy.py src/ludotheque/games/*/tabletop.py \
	src/ludotheque/games/pays_noir/observe.py src/ludotheque/_unpack.c \
	src/ludotheque/core/bits.h)
PYTEST := $(BIN)/python -m pytest -n 4 --dist worksteal
PURE := LUDOTHEQUE_PURE=1 $(PYTEST) -m both -p no:schemathesis
NODE_TEST := $(BIN)/node --test 'tests/web/scripts/*.test.js'

# The package is installed and compiled at the same time, and checked by several linters.
MAKEFLAGS += --jobs=2

.PHONY: play test test-all test-lowest repeat lint lint-python lint-scripts coverage bench docs dist rehearse \
	lint-workflows lock sbom audit shots setup dev clean

# `make play HOST=0.0.0.0` lets others on the same network join.
HOST ?= 127.0.0.1
play: setup
	$(BIN)/ludotheque serve --open --host $(HOST)

# One example of every kind.
test: lint build/collected.txt
	scripts/need_chromium
	scripts/need_postgres
	$(NODE_TEST)
	$(PYTEST)
	$(PURE)

# Every seed, language, size and game; and a few steps of training.
test-all: lint build/collected.txt $(VENV)/train
	scripts/need_chromium
	scripts/need_firefox
	scripts/need_webkit
	scripts/need_postgres
	scripts/need_nginx
	$(NODE_TEST)
	$(PYTEST) --all
	$(PURE) --all

# The oldest libraries that pyproject.toml allows; they may warn of what became outdated since.
test-lowest: setup build/lowest/ready
	build/lowest/bin/python -m pytest -n 2 -W ignore::DeprecationWarning tests/cli tests/core tests/study tests/table \
		tests/server/test_edge.py tests/server/test_events.py tests/server/test_play.py tests/server/test_requests.py

# Browser and server tests again and again in random orders: on one core, beside a busy neighbour, undisturbed.
TIMES ?= 10
repeat: dev
	scripts/need_chromium
	scripts/need_postgres
	$(BIN)/python -m scripts.repeat_tests --times $(TIMES)

lint: lint-python lint-scripts

lint-python: dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

lint-scripts: dev
	scripts/need_node
	$(BIN)/node node_modules/.bin/biome ci --error-on-warnings
	$(BIN)/node node_modules/.bin/tsc

# pytest rewrites each file of tests once, beside the linters; else all its processes would do so at the same time.
build/collected.txt: $(VENV)/dev $(VENV)/built $(shell find tests -name '*.py')
	mkdir -p build
	$(BIN)/python -m pytest --collect-only -qq >$@ || { cat $@; rm $@; exit 1; }

# Lines and branches. Compiled modules cannot be measured: the tests of the pure mode measure their sources.
coverage: dev
	scripts/need_chromium
	scripts/need_postgres
	rm -rf build/coverage
	$(subst python -m,coverage run -m,$(PYTEST))
	$(subst python -m,coverage run -m,$(PURE))
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report --skip-covered --sort=miss

bench: dev
	$(BIN)/python benchmarks/playouts.py
	$(BIN)/python benchmarks/python_loop.py
	$(BIN)/python benchmarks/batches.py
	$(BIN)/python benchmarks/observations.py
	$(BIN)/python benchmarks/engine.py
	$(BIN)/python -m benchmarks.server
	scripts/need_chromium
	$(BIN)/python -m benchmarks.pages

# The documentation as a site; to read it, open build/site/index.html. Broken links are errors.
docs: setup build/docs-tools/ready
	$(BIN)/python -m scripts.docs_site arrange
	build/docs-tools/bin/zensical build --clean --strict --config-file mkdocs.yml
	$(BIN)/python -m scripts.docs_site finish

build/docs-tools/ready: pyproject.toml scripts/make_venv
	PYTHON=$(PYTHON) scripts/make_venv build/docs-tools docs
	touch $@

# Screenshots of 12 moments of every game in two sizes and themes, and of lessons, puzzles and rules pages, to look at;
# and the moving picture of the README.
shots: dev
	scripts/need_chromium
	$(BIN)/python -m scripts.shots build/shots
	$(BIN)/python -m scripts.learning_shots build/shots/learning
	$(BIN)/python -m scripts.animation docs/images/table.webp

dist: dev
	rm -rf dist
	$(BIN)/python -m build
	PYTHON=$(PYTHON) scripts/check_wheel

# All steps of .github/workflows/release.yml that this machine can take; docs/releasing.md has the others.
# `make rehearse PYTHONS="python3.12 python3.13"` also compiles the source distribution for those, and plays with it.
rehearse: dist sbom lint-workflows
	for python in $(PYTHONS); do PYTHON=$$python scripts/check_wheel sdist || exit 1; done
	$(BIN)/python -m scripts.check_image

# Syntax of the workflows, and their permissions, secrets and pins.
lint-workflows: build/release/ready
	build/release/bin/check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml
	build/release/bin/zizmor --offline --no-progress --quiet --persona=pedantic .github

# For a release: the exact versions with the hashes of their files, a bill of materials, and known vulnerabilities.
lock: build/release/ready
	build/release/bin/pip-compile --quiet --no-header --generate-hashes --strip-extras --no-emit-index-url \
		--no-emit-trusted-host --no-emit-find-links --extra server --extra metrics --extra postgres \
		--extra push --extra passkeys --output-file requirements.lock pyproject.toml
	! grep --line-number '://' requirements.lock

sbom: build/release/ready
	build/release/bin/cyclonedx-py requirements --output-reproducible --pyproject pyproject.toml \
		--output-file build/ludotheque.cdx.json requirements.lock

audit: build/release/ready
	build/release/bin/pip-audit --strict --disable-pip --require-hashes --requirement requirements.lock

build/lowest/ready build/release/ready: pyproject.toml scripts/make_venv scripts/lowest.py
	PYTHON=$(PYTHON) scripts/make_venv $(@D) $(notdir $(@D))
	touch $@

# What running needs.
setup: $(VENV)/ready $(VENV)/built

# What developing needs as well.
dev: setup $(VENV)/dev

# The virtual environment, with what building needs.
$(VENV)/tools: pyproject.toml scripts/make_venv
	PYTHON=$(PYTHON) scripts/make_venv $(VENV) tools
	touch $@

# The package and all that it imports, not yet compiled.
$(VENV)/ready: $(VENV)/tools
	scripts/make_venv $(VENV) package
	touch $@

$(VENV)/dev: $(VENV)/ready
	scripts/make_venv $(VENV) dev
	touch $@

# What examples/train_ppo.py, train_network.py and train_guided.py need; large.
$(VENV)/train: $(VENV)/dev
	scripts/make_venv $(VENV) train
	touch $@

# The hot modules, compiled in place where there is a C compiler. Where there is none, setup.py says so each time, and
# compiles once there is one.
$(VENV)/built: $(VENV)/tools setup.py $(HOT)
	$(BIN)/python setup.py --quiet build_ext --inplace
	if ls src/ludotheque/core/game.*.so >/dev/null 2>&1; then touch $@; fi

clean:
	rm -rf $(VENV) node_modules build dist
	find src -name '*.so' -delete
