# Two commands: `make run` serves the application, `make test` runs its tests.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
# Modules are compiled when they are first imported; most never are.
PIP_INSTALL := $(BIN)/python -m pip install --disable-pip-version-check --no-compile
PORT ?= 8000
# Of the tests: one more than cores, which works while another waits for a browser.
WORKERS ?= $(shell expr $$(getconf _NPROCESSORS_ONLN) + 1)
export PORT
# What is compiled once is kept, whatever the shell says: servers and workers then start in less time.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: run demo dev test test-postgres check chaos bench format clean

run: $(VENV)/core.done
	@$(BIN)/python manage.py serve --port $(PORT)

demo: $(VENV)/core.done
	@$(BIN)/python manage.py demo --port $(PORT)

# The environment of the tests, as every one of the commands below makes it.
dev: $(VENV)/dev.done

test: $(VENV)/dev.done
	$(BIN)/python -m pytest -q -n $(WORKERS) --dist loadscope --no-loadscope-reorder

# What rests on the database: stores, transactions, claims and leases, tenancy, the whole way of a memory.
# How sessions change hands there, tests/tenancy tells.
ON_POSTGRES := tests/contracts/test_text_index.py tests/contracts/test_vector_index.py tests/tenancy \
	tests/memory/stores tests/memory/services tests/memory/test_tasks.py tests/memory/test_selectors.py \
	tests/skills/services tests/skills/stores tests/visual/services tests/visual/stores \
	tests/accounts/services tests/sessions_app/services tests/sessions_app/test_tasks.py \
	tests/sessions_app/test_main_job.py tests/sessions_app/test_selectors.py \
	--deselect tests/memory/services/test_fuse_orders.py \
	--deselect tests/sessions_app/services/test_session_audience.py

# The same on PostgreSQL; `.ci/with-services make test-postgres` starts one for it.
test-postgres: $(VENV)/dev.done
	@test -n "$$LYCHEE_TEST_POSTGRES_URL" || { echo "Set LYCHEE_TEST_POSTGRES_URL to a server that may be written to."; exit 1; }
	TEST_DATABASE_URL="$$LYCHEE_TEST_POSTGRES_URL" $(BIN)/python -m pytest -q -n $(WORKERS) --dist loadscope $(ON_POSTGRES)

check: $(VENV)/dev.done
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy .
	$(BIN)/lint-imports
	$(BIN)/djlint templates --check --lint --quiet
	$(BIN)/python manage.py makemigrations --check --dry-run --settings lychee_site.settings_test
	$(BIN)/python manage.py check --fail-level WARNING --settings lychee_site.settings_test

chaos: $(VENV)/dev.done
	CHAOS_ROUNDS=$${CHAOS_ROUNDS:-200} $(BIN)/python -m pytest -q -m chaos -n 0 -s

bench: $(VENV)/dev.done
	$(BIN)/python -m benchmarks

format: $(VENV)/dev.done
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/djlint templates --reformat --quiet

clean:
	rm -rf $(VENV)

$(VENV)/core.done: requirements/core.txt
	@echo "Installing about 1.3 GB of packages into $(VENV); this takes some minutes, once."
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(PIP_INSTALL) -r requirements/core.txt
	@touch $@

$(VENV)/dev.done: $(VENV)/core.done requirements/dev.txt
	$(PIP_INSTALL) --quiet -r requirements/dev.txt
	@touch $@
