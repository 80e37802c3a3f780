# Two commands: `make run` serves the application, `make test` runs its tests.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PORT ?= 8000
export PORT

.PHONY: run demo test check chaos bench format clean

run: $(VENV)/core.done
	@$(BIN)/python manage.py serve --port $(PORT)

demo: $(VENV)/core.done
	@$(BIN)/python manage.py demo --port $(PORT)

test: $(VENV)/dev.done
	$(BIN)/python -m pytest -q -n 2 --dist loadscope

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
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements/core.txt
	@touch $@

$(VENV)/dev.done: $(VENV)/core.done requirements/dev.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements/dev.txt
	@touch $@
