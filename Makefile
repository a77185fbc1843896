# Two commands are all a newcomer needs: `make demo` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
DATA ?= ../shared/data
SOURCES := pyproject.toml CMakeLists.txt $(shell find src native -type f -not -name '*.pyc')

.PHONY: demo test test-all sanitize compilers fuzz lint bench bench-grammar bench-rules docs reproduce clean

demo: $(VENV)/.installed
	$(BIN)/wordorder demo --folder demo

test: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/pytest -n auto

test-all: $(VENV)/.test
	$(BIN)/pytest -n auto --slow

# Kernels that check every access to memory; and all compilers that there are.
sanitize: $(VENV)/.test
	$(BIN)/python -m pip install --quiet nanobind cmake ninja
	PATH="$(abspath $(BIN)):$$PATH" tools/sanitize.sh "$(abspath $(BIN))/python" address

compilers: $(VENV)/.test
	$(BIN)/python -m pip install --quiet nanobind
	tools/compilers.sh $(BIN)/python

# Damaged input for every reader, loader and kernel: CPU minutes for each, and one of them if TARGET is given.
MINUTES ?= 1
fuzz: $(VENV)/.test
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m tools.fuzz --minutes $(MINUTES) $(if $(TARGET),--target $(TARGET))

bench: $(VENV)/.bench
	$(BIN)/python benchmarks/run.py
	@if [ -d "$(DATA)/judgments" ]; then $(BIN)/python benchmarks/text.py "$(DATA)/judgments"; \
	else echo "no data for benchmarks/text.py: make bench DATA=FOLDER"; fi
	@if [ -d "$(DATA)/judgments" ]; then $(BIN)/python benchmarks/beer.py "$(DATA)/judgments"; \
	else echo "no data for benchmarks/beer.py: make bench DATA=FOLDER"; fi
	@if [ -d "$(DATA)/parallel" ]; then $(BIN)/python benchmarks/align.py --data "$(DATA)/parallel"; \
	else echo "no data for benchmarks/align.py: make bench DATA=FOLDER"; fi
	@if [ -d "$(DATA)/nbest" ]; then $(BIN)/python benchmarks/mbr.py "$(DATA)/nbest"; \
	else $(BIN)/python benchmarks/mbr.py; fi

bench-rules: $(VENV)/.installed
	$(BIN)/python benchmarks/rules.py

bench-grammar: $(VENV)/.installed
	$(BIN)/python benchmarks/grammar.py --data "$(DATA)/parallel"

docs: $(VENV)/.test
	$(BIN)/python -m tools.cards.build
	$(BIN)/python -m tools.pictures
	$(BIN)/python -m tools.text_scores
	$(BIN)/python -m experiments.tightness.page

reproduce: $(VENV)/.test
	@if [ -d "$(DATA)/judgments" ]; then $(BIN)/python -m experiments.reproduction.page "$(DATA)/judgments"; \
	else echo "no judgments: make reproduce DATA=FOLDER"; exit 1; fi
	@if [ -d "$(DATA)/nbest" ]; then $(BIN)/python -m experiments.tuning.page "$(DATA)"; \
	else echo "no n-best lists for experiments.tuning: make reproduce DATA=FOLDER"; fi

clean:
	rm -rf $(VENV) build demo .mypy_cache .pytest_cache .ruff_cache .hypothesis

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip

$(VENV)/.installed: $(BIN)/python $(SOURCES)
	$(BIN)/python -m pip install --quiet .
	touch $@

$(VENV)/.test: $(VENV)/.installed
	$(BIN)/python -m pip install --quiet '.[test]'
	touch $@

$(VENV)/.bench: $(VENV)/.installed
	$(BIN)/python -m pip install --quiet '.[bench]'
	touch $@
