# Two commands are all a newcomer needs: `make demo` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
DATA ?= ../shared/data
SOURCES := pyproject.toml CMakeLists.txt $(shell find src native -type f -not -name '*.pyc')
MODELS := $(shell find models -type f -not -name '*.pyc' 2> /dev/null) # the source archive has none

.PHONY: demo test test-all sanitize compilers fuzz bench docs release reproduce clean

demo: $(VENV)/.models
	$(BIN)/wordorder demo --folder demo

test: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/pytest -n auto

test-all: $(VENV)/.test
	$(BIN)/pytest -n auto --slow

# Kernels that check every access to memory (all tests), and what threads share (tests of threads).
sanitize: $(VENV)/.test
	$(BIN)/python -m pip install --quiet nanobind cmake ninja
	PATH="$(abspath $(BIN)):$$PATH" tools/sanitize.sh "$(abspath $(BIN))/python" address -n auto tests
	PATH="$(abspath $(BIN)):$$PATH" tools/sanitize.sh "$(abspath $(BIN))/python" thread

# All supported compilers that are installed, and zig for other systems.
compilers: $(VENV)/.test
	$(BIN)/python -m pip install --quiet nanobind ziglang
	tools/compilers.sh $(BIN)/python

# Damaged input for every reader, loader and kernel: CPU minutes for each, and one of them if TARGET is given.
MINUTES ?= 1
fuzz: $(VENV)/.test
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m tools.fuzz --minutes $(MINUTES) $(if $(TARGET),--target $(TARGET))

# Speed and memory beside other programs; fails if something got worse. NAMES=text,beer runs some benchmarks,
# KEEP='why it changed' keeps the results.
bench: $(VENV)/.bench
	$(BIN)/python -m benchmarks $(if $(wildcard $(DATA)),--data "$(DATA)") $(if $(NAMES),--only $(NAMES)) \
		$(if $(KEEP),--keep "$(KEEP)")

# Generated pages, outputs of notebooks, and the site: open build/site/index.html.
docs: $(VENV)/.docs
	$(BIN)/python -m tools.cards.build
	$(BIN)/python -m tools.model_catalogue
	$(BIN)/python -m tools.pictures
	$(BIN)/python -m tools.text_scores
	$(BIN)/python -m experiments.tightness.page
	$(BIN)/python -m benchmarks.page
	$(BIN)/python -m tools.site.notebooks
	$(BIN)/python -m mkdocs build --strict --quiet

# What a release would be, built from what is committed and tried in clean environments; TEST=1 also runs all checks.
release: $(VENV)/.test
	$(BIN)/python -m pip install --quiet '.[release]'
	$(BIN)/python -m tools.release $(if $(TEST),--test)

reproduce: $(VENV)/.test
	@if [ -d "$(DATA)/judgments" ]; then $(BIN)/python -m experiments.reproduction.page "$(DATA)/judgments"; \
	else echo "no judgments: make reproduce DATA=FOLDER"; exit 1; fi
	@if [ -d "$(DATA)/nbest" ]; then $(BIN)/python -m experiments.tuning.page "$(DATA)"; \
	else echo "no n-best lists for experiments.tuning: make reproduce DATA=FOLDER"; fi

clean:
	rm -rf $(VENV) build demo dist .mypy_cache .pytest_cache .ruff_cache .hypothesis

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip

$(VENV)/.installed: $(BIN)/python $(SOURCES)
	$(BIN)/python -m pip install --quiet .
	touch $@

$(VENV)/.models: $(VENV)/.installed $(MODELS)
	$(if $(MODELS),$(BIN)/python -m pip install --quiet ./models)
	touch $@

$(VENV)/.test: $(VENV)/.models
	$(BIN)/python -m pip install --quiet '.[test]'
	-command -v chromium > /dev/null || apt-get install -y -qq chromium > /dev/null 2>&1
	touch $@

$(VENV)/.docs: $(VENV)/.test
	$(BIN)/python -m pip install --quiet '.[docs]'
	touch $@

$(VENV)/.bench: $(VENV)/.models
	$(BIN)/python -m pip install --quiet '.[bench]'
	touch $@
