# make play    watch the computer play in this terminal
# make web     open the page: play, watch, analyse
# make test    run the tests, the long ones left out
# make help    everything else
#
# Needs Python 3.11 or newer and nothing more: PYTHON=python3.12 picks another one than python3.
# Without make: python3 -m venv .venv; .venv/bin/pip install . ; .venv/bin/twofold play

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check -qq
UV_VERSION := 0.13.9

# Python keeps the modules that it compiles, whatever the environment says: tests start some hundred processes.
unexport PYTHONDONTWRITEBYTECODE

# $(call locked,NAME) installs requirements/NAME.txt: with uv in seconds, or, where that fails, with pip in a minute or two. uv does
# not read the settings of pip: a package index of your own, for one.
PINS := --require-hashes --no-deps -r
locked = $(BIN)/python -m uv pip install --quiet --no-cache --python $(BIN)/python $(PINS) requirements/$1.txt 2>/dev/null \
  || $(PIP) install $(PINS) requirements/$1.txt

.DEFAULT_GOAL := help
.PHONY: help play web test test-all check format docs bench report images lock wheel clean

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-8s %s\n", $$1, $$2 }' Makefile

# A stamp is a file that is as new as what it stands for, so that nothing is installed twice.
$(VENV)/made: Makefile
	@command -v "$(PYTHON)" >/dev/null || { \
	  echo "twofold needs Python 3.11 or newer, and '$(PYTHON)' is not there: install it, or name one with make PYTHON=..." >&2; exit 2; }
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "twofold needs Python 3.11 or newer, and $(PYTHON) is $$("$(PYTHON)" -V 2>&1): name another with make PYTHON=python3.11" >&2; exit 2; }
	@test -x $(BIN)/python && $(BIN)/python -m pip --version >/dev/null 2>&1 \
	  || "$(PYTHON)" -m venv --clear $(VENV) \
	  || { rm -rf $(VENV); echo "'$(PYTHON) -m venv' failed: on Debian and Ubuntu, apt install python3-venv" >&2; exit 2; }
	@touch $@

$(VENV)/base: $(VENV)/made pyproject.toml requirements/base.txt
	@echo "Installing twofold into $(VENV) (once, some seconds to two minutes) ..."
	@$(PIP) install $(PINS) requirements/uv.txt 2>/dev/null || true
	@$(call locked,base)
	@$(PIP) install --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/dev: $(VENV)/base requirements/dev.txt
	@echo "Installing the test tools into $(VENV) (once) ..."
	@$(call locked,dev)
	@touch $@

# What only some machines need, and not pinned by hash: which build of torch fits depends on the machine.
$(VENV)/heavy: $(VENV)/dev
	@echo "Installing torch and a compiler for GPUs into $(VENV) (once) ..."
	@$(PIP) install torch==2.13.0 "numba-cuda[cu13]==0.30.4"
	@touch $@

play: $(VENV)/base ## watch the computer play in this terminal
	@trap : INT; $(BIN)/twofold play || test $$? -eq 130 # Ctrl-C is no failure

$(VENV)/web: $(VENV)/base requirements/web.txt
	@echo "Installing what the page needs into $(VENV) (once) ..."
	@$(call locked,web)
	@touch $@

web: $(VENV)/web ## play, watch and analyse in a browser
	@trap : INT; $(BIN)/twofold web || test $$? -eq 130

# Two processes, each of which takes a file of tests at a time: most of a first run is compiling, for which one needs one core.
PYTEST := $(BIN)/python -m pytest --numprocesses 2 --dist loadfile

test: $(VENV)/dev ## run the tests: five minutes or so the first time
	$(PYTEST)

test-all: test ## run all tests: after those of make test the ones marked slow, and property tests on more examples
	$(PYTEST) -m "slow or hypothesis" --hypothesis-profile thorough

# What readers stumbled over once, and shall not meet again.
PHRASES := 'thousand million|nobody is named|is no record|only differences count|worth to the search'

check: $(VENV)/dev ## lint, format, types, import order, spelling and figures of documents, without changing anything
	$(BIN)/ruff check .
	$(BIN)/ruff format --check --quiet . || { echo "run make format" >&2; exit 1; }
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/codespell README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md docs src benchmarks examples
	$(BIN)/python -m pytest -q tests/test_figures.py # figures that occur more than once
	@git log -30 --format=%s 2>/dev/null | awk 'length > 72 { print "more than 72 characters: " $$0; bad = 1 } END { exit bad }' >&2
	@! grep -rniE $(PHRASES) --include='*.py' --include='*.js' --include='*.html' --include='*.md' --exclude-dir=log --exclude-dir=_build \
	  src docs README.md || { echo "these phrases are not plain English: write billion, the default player, not a …, value" >&2; exit 1; }

format: $(VENV)/dev ## format the code
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

$(VENV)/docs: $(VENV)/base requirements/docs.txt
	@echo "Installing what the documentation site needs into $(VENV) (once) ..."
	@$(call locked,docs)
	@touch $@

docs: $(VENV)/docs ## build the documentation site, docs/_build/html/index.html
	@echo "Running the tutorials and writing the pages: some minutes the first time ..."
	@$(BIN)/python -m sphinx --fail-on-warning --keep-going --quiet -b html docs docs/_build/html
	@echo "docs/_build/html/index.html"

bench: $(VENV)/base ## measure and add a line to benchmarks/history.jsonl
	$(BIN)/python -m benchmarks.run --compare

# Pages of stored figures; bounds, growth and painting are measured anew, which takes a quarter of an hour.
REPORTS := report "studies.network --report" "studies.searching --report" "studies.strength --report" studies.frontier \
  "studies.ladder --stored" "envs --stored" "studies.plateau --report" "studies.neural_study --report" "coach --report" \
  studies.bounds "studies.growth --positions 60 --depth 4" "studies.painting --times 50 --many 4 --seconds 1.5"

# What plays every game of a page, however long that takes, and only then writes it. The games are kept here until make clean.
PLAYED := .benchmarks
TUNED := "chain-both:largest=1,monotonicity=100,empty=100,chain=1,shift=100,adjacent=1,length=100,values=1,locked=100" \
  --player chain:mode=difference --generations 1 --population 60 --games 16 --no-racing --test-games 0 --seed 13

report: $(VENV)/dev ## write all pages of docs/results again, and the table of README.md: an hour or two the first time
	@set -e; for page in $(REPORTS); do echo "benchmarks.$$page"; $(BIN)/python -m benchmarks.$$page >/dev/null; done
	@echo "Playing the tables of the five reports: an hour or so on two cores, then a minute; Ctrl-C, and make report goes on ..."
	@set -e; for table in s0 s1 s2 s3 s4; do echo "arena table $$table"; \
	  $(BIN)/twofold arena table $$table --store sqlite:///$(PLAYED)/tables.db --out docs/results >/dev/null; done
	@echo "tune chain-both"; $(BIN)/twofold tune $(TUNED) --out $(PLAYED)/s0-13 >/dev/null
	@cp $(PLAYED)/s0-13/correlations.md docs/results/s0-13.md

images: $(VENV)/base ## draw the pictures of README.md
	$(BIN)/python docs/make_images.py

COMPILE := .venv-lock/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-annotate \
  --no-emit-index-url --no-emit-find-links --custom-compile-command "make lock"

# All but two: torch is some gigabytes on most machines and numba-cuda needs a toolkit; tests of theirs skip without them.
EXTRAS := $(addprefix --extra ,cluster gym parquet plots postgres tune web)

lock: ## pin the newest versions that fit pyproject.toml, in requirements/
	@test -x .venv-lock/bin/uv || { "$(PYTHON)" -m venv .venv-lock && .venv-lock/bin/python -m pip install --quiet uv==$(UV_VERSION); }
	echo uv==$(UV_VERSION) | $(COMPILE) --output-file requirements/uv.txt -
	$(COMPILE) pyproject.toml --upgrade --group build --output-file requirements/base.txt
	$(COMPILE) pyproject.toml --upgrade --group docs --extra gym --extra plots --constraint requirements/base.txt --output-file requirements/docs.txt
	$(COMPILE) pyproject.toml --upgrade --extra web --constraint requirements/base.txt --constraint requirements/docs.txt --output-file requirements/web.txt
	$(COMPILE) pyproject.toml --upgrade --group dev $(EXTRAS) --constraint requirements/base.txt --constraint requirements/docs.txt --constraint requirements/web.txt --output-file requirements/dev.txt

wheel: $(VENV)/dev ## build dist/*.tar.gz, and from it dist/*.whl
	@rm -rf dist
	$(BIN)/python -m build --no-isolation --outdir dist .

clean: ## remove everything that make has made
	rm -rf $(VENV) .venv-lock dist build .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis .benchmarks
	find src tests benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +
