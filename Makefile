# Every target does its own set-up in .venv and is quick when nothing changed.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
HOT := $(wildcard src/ludotheque/core/*.py src/ludotheque/bots/search.py src/ludotheque/games/*/board.py \
	src/ludotheque/games/*/deck.py src/ludotheque/games/*/rules.py src/ludotheque/games/*/endgame.py \
	src/ludotheque/games/*/policy.py)

.PHONY: play test lint bench dist shots setup clean

play: setup
	$(BIN)/ludotheque serve --open

test: lint
	scripts/need_chromium
	$(BIN)/python -m pytest -n 3 --dist worksteal
	LUDOTHEQUE_PURE=1 $(BIN)/python -m pytest -n 3 --dist worksteal -m both

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: setup
	$(BIN)/python benchmarks/playouts.py
	$(BIN)/python benchmarks/server.py
	scripts/need_chromium
	$(BIN)/python -m benchmarks.pages

# Screenshots of every page, game and theme, to look at.
shots: setup
	scripts/need_chromium
	$(BIN)/python -m scripts.shots build/shots

dist: setup
	rm -rf dist
	$(BIN)/python -m build
	PYTHON=$(PYTHON) scripts/check_wheel

setup: $(VENV)/built

# The package and all it needs, not yet compiled.
$(VENV)/ready: pyproject.toml setup.py scripts/make_venv
	PYTHON=$(PYTHON) scripts/make_venv $(VENV)
	touch $@

# The hot floors, compiled in place where a C compiler answers; setup.py says so where none does.
$(VENV)/built: $(VENV)/ready $(HOT)
	$(BIN)/python setup.py --quiet build_ext --inplace
	touch $@

clean:
	rm -rf $(VENV) build dist
	find src -name '*.so' -delete
