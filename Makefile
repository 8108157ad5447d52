# Every target does its own set-up; nothing has to be installed by hand but Python 3.11 or newer.
#
#   make demo    a real plan, its SQL, its rows          make check   style, types, layers
#   make test    all tests                               make bench   speed, against hand-written SQL
#   make quick   tests without Spark, none of them slow  make conformance   the function cases of the specification
#   make fmt     format the code                         make dist    sdist and wheel into dist/
#   make test-oldest, make test-newest    the quick tests with the oldest and the newest packages that we allow
#   make test-spark35, make test-spark40   the dialects of older releases on a real Spark 3.5 and 4.0
#   make docs    the pages of docs/ as a site, in build/docs/
#   make environments   what our package can be installed beside, each in a fresh environment
#   make clean   remove everything make has made
#
# PYTHON=/path/to/python3 chooses the interpreter; PYTEST="-k name", CASES="own/" and BENCH="--only render" pass options on.

SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help demo test environments-of-tests quick test-spark35 test-spark40 environments test-oldest test-newest \
    conformance check bench fmt dist docs clean
MAKEFLAGS += --no-print-directory

VENV := .venv
BIN := $(VENV)/bin
RUN_READY := $(VENV)/.ready-run
DEV_READY := $(VENV)/.ready-dev
PRODUCERS_READY := .venv-producers/.ready
COMPILED_READY := .venv-compiled/.ready
LEAST_READY := .venv-least/.ready
OLDEST_READY := .venv-oldest/.ready
NEWEST_READY := .venv-newest/.ready
FAST := -m 'not spark and not slow'
DBT_READY := .venv-dbt/.ready
DOCS_READY := .venv-docs/.ready
CLASSES := .cache/spark_classes.jsa
# Tests start hundreds of Pythons: what is compiled is kept, whatever the caller's environment says, and in one place.
export PYTHONPYCACHEPREFIX := $(CURDIR)/.cache/bytecode
unexport PYTHONDONTWRITEBYTECODE

help:
	@sed -n 's/^#  *\(make .*\)/\1/p' Makefile

$(RUN_READY): pyproject.toml .ci/setup
	@.ci/setup $(VENV) -e '.[spark,jre]'
	@touch $@

$(DEV_READY): pyproject.toml .ci/setup
	@.ci/setup $(VENV) -e '.[dev]'
	@touch $(RUN_READY) $@

# Ibis and DuckDB 1.1 need an older sqlglot, substrait and duckdb than we do: they get an environment of their own.
$(PRODUCERS_READY): tests/support/producers.txt .ci/setup
	@.ci/setup .venv-producers -r tests/support/producers.txt
	@touch $@

# Sqlglot's compiled build: the texts must be the same with it.
$(COMPILED_READY): tests/support/compiled.txt .ci/setup
	@.ci/setup .venv-compiled -r tests/support/compiled.txt
	@touch $@

# The ends of what pyproject.toml allows. Nothing here is Spark's.
$(LEAST_READY): tests/support/least.txt .ci/setup
	@.ci/setup .venv-least -r tests/support/least.txt
	@touch $@

$(OLDEST_READY): pyproject.toml tests/support/oldest.txt tests/support/least.txt .ci/setup
	@.ci/setup .venv-oldest -r tests/support/oldest.txt
	@touch $@

$(NEWEST_READY): pyproject.toml tests/support/newest.txt .ci/setup
	@.ci/setup .venv-newest -r tests/support/newest.txt
	@touch $@

# dbt holds back click and protobuf, and brings a pyspark of its own choice.
$(DBT_READY): tests/support/dbt.txt .ci/setup
	@.ci/setup .venv-dbt -r tests/support/dbt.txt
	@touch $@

$(DOCS_READY): pyproject.toml tests/support/docs.txt .ci/setup
	@.ci/setup .venv-docs -r tests/support/docs.txt
	@touch $@

# Half of what a session takes to start; not what is tested.
$(CLASSES): $(DEV_READY)
	@$(BIN)/python -m tests.tools.class_archive || echo "Tests start Spark without an archive of its classes"

# A dialect on the release that it is for: golden plans, TPC-H, function cases. It takes about ten minutes.
.venv-spark%/.ready: tests/support/spark%.txt .ci/setup
	@.ci/setup .venv-spark$* -r tests/support/spark$*.txt
	@touch $@

demo: $(RUN_READY)
	@$(BIN)/substrait-sql demo

# Several at a time take little more than half as long on two cores.
test: $(DEV_READY)
	@$(MAKE) -j 4 environments-of-tests
	@$(BIN)/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder $(PYTEST)

environments-of-tests: $(PRODUCERS_READY) $(COMPILED_READY) $(LEAST_READY) $(DBT_READY) $(DOCS_READY) $(CLASSES)

quick: $(DEV_READY)
	@$(BIN)/python -m pytest -n auto $(FAST) $(PYTEST)

test-oldest: $(OLDEST_READY)
	@.venv-oldest/bin/python -m pytest $(FAST) $(PYTEST)

test-newest: $(NEWEST_READY)
	@.venv-newest/bin/python -m pytest $(FAST) $(PYTEST)

test-spark35 test-spark40: test-spark%: .venv-spark%/.ready
	@.venv-spark$*/bin/python -m tests.releases --dialect spark$* $(SUITES)

environments: $(DEV_READY)
	@$(BIN)/python -m tests.tools.environments --write

conformance: $(DEV_READY)
	@$(BIN)/python -m tests.conformance $(CASES)

check: $(DEV_READY)
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy --strict substrait_sql
	@$(BIN)/lint-imports
	@$(BIN)/python -m tests.tools.house

bench: $(DEV_READY)
	@$(BIN)/python bench/bench.py $(BENCH)

fmt: $(DEV_READY)
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

dist: $(DEV_READY)
	@$(BIN)/hatchling build -d dist

# Links into the pages and into the Python are checked; those that leave the site are not, as that needs a network.
docs: $(DOCS_READY)
	@.venv-docs/bin/python -m sphinx -qEW --keep-going --nitpicky -j auto docs build/docs
	@echo "build/docs/index.html"

clean:
	rm -rf $(VENV) .venv-* .cache build dist spark-warehouse artifacts metastore_db derby.log
	rm -rf .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
