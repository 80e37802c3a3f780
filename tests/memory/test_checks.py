"""What `manage.py check` says of the indexes."""

from pathlib import Path

import pytest
from django.core.checks import CheckMessage
from django.core.management import call_command
from django.core.management.base import SystemCheckError
from django.db import DatabaseError

from memory import checks
from memory.config import LOCAL_EMBEDDER
from memory.domain.cosines import Calibration
from memory.domain.text import TERMS_VERSION
from memory.models import IndexScope, IndexState
from memory.stores import registry as stores
from tests.memory.indexing import NOON, make_space


def ids(messages: list[CheckMessage]) -> list[str | None]:
    return [message.id for message in messages]


@pytest.mark.django_db
def test_vectors_of_the_embedder_in_use_are_fine():
    IndexState.objects.create(
        space=make_space("a"), kind="turn", embedder=LOCAL_EMBEDDER.name, dimension=LOCAL_EMBEDDER.dimension
    )
    assert checks.check_stored_vectors(None) == []


@pytest.mark.django_db
@pytest.mark.parametrize(("name", "dimension"), [("another", 384), (LOCAL_EMBEDDER.name, 768)])
def test_vectors_of_another_embedder_or_length_name_the_command_that_mends_it(name: str, dimension: int):
    space = make_space("a")
    for kind in ("turn", "record"):
        IndexState.objects.create(space=space, kind=kind, embedder=name, dimension=dimension)
    (message,) = checks.check_stored_vectors(None)
    assert message.id == "memory.W001"
    assert f"1 space(s) were made by {name}" in message.msg
    assert "rebuild_index" in str(message.hint)


@pytest.mark.django_db
def test_of_an_embedder_that_is_not_set_up_right_no_vectors_are_compared(settings):
    IndexState.objects.create(space=make_space("a"), kind="turn", embedder="another", dimension=384)
    settings.EMBEDDING = {"model": "openai/e", "api_key": "k", "api_base": ""}
    assert checks.check_stored_vectors(None) == []
    settings.EMBEDDING_DIM = 64
    assert len(checks.check_stored_vectors(None)) == 1


def test_faults_of_model_settings_stop_the_start_and_idle_ones_warn(settings):
    settings.RERANKER = {"model": "bge", "api_key": "", "api_base": ""}
    settings.VLM = {"model": "", "api_key": "k", "api_base": ""}
    found = {message.id: message for message in checks.check_models(None)}
    assert found["memory.E002"].is_serious()
    assert "RERANKER_MODEL=bge names no provider" in found["memory.E002"].msg
    told = [message.msg for message in checks.check_models(None) if message.id == "memory.W003"]
    assert any("VLM_API_KEY is set, VLM_MODEL is not" in each for each in told)


def test_before_the_first_migration_nothing_is_said(monkeypatch: pytest.MonkeyPatch):
    class Tableless:
        def exclude(self, **conditions: object) -> "Tableless":
            return self

        filter = values = annotate = order_by = lambda self, *fields, **more: self

        def __iter__(self) -> None:
            raise DatabaseError("no such table")

    class State:
        objects = Tableless()

    monkeypatch.setattr(checks, "IndexState", State)
    assert checks.check_stored_vectors(None) == []


def test_a_processor_without_avx2_gets_the_exact_store_and_a_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings
):
    settings.VECTOR_STORE = "lancedb"
    cpu = tmp_path / "cpuinfo"
    monkeypatch.setattr(stores, "_CPU", cpu)
    monkeypatch.setattr(stores, "machine", lambda: "x86_64")
    cpu.write_text("flags : sse4_2 avx avx2 fma")
    assert checks.check_vector_store(None) == []
    cpu.write_text("flags : sse4_2 avx fma")
    assert ids(checks.check_vector_store(None)) == ["memory.W002"]
    settings.VECTOR_STORE = "exact"
    assert checks.check_vector_store(None) == []


def test_other_processors_are_not_asked_for_avx2(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    cpu = tmp_path / "cpuinfo"
    cpu.write_text("Features : asimd")
    monkeypatch.setattr(stores, "_CPU", cpu)
    monkeypatch.setattr(stores, "machine", lambda: "aarch64")
    assert stores.why_no_lancedb() == ""


def test_a_missing_lancedb_is_a_warning(monkeypatch: pytest.MonkeyPatch, settings):
    settings.VECTOR_STORE = "lancedb"
    monkeypatch.setattr(stores, "find_spec", lambda name: None)
    (message,) = checks.check_vector_store(None)
    assert message.msg.startswith("LanceDB is not installed.")


def test_missing_weights_are_an_error_that_says_what_to_install(monkeypatch: pytest.MonkeyPatch):
    assert checks.check_embedder_packages(None) == []
    monkeypatch.setattr(checks, "PACKAGES", ("no_such_package",))
    (message,) = checks.check_embedder_packages(None)
    assert message.id == "memory.E001"
    assert "no_such_package" in message.msg
    assert "requirements" in str(message.hint)


def test_a_remote_embedder_needs_no_local_weights(monkeypatch: pytest.MonkeyPatch, settings):
    monkeypatch.setattr(checks, "PACKAGES", ("no_such_package",))
    settings.EMBEDDING = {"model": "openai/e", "api_key": "k", "api_base": ""}
    assert checks.check_embedder_packages(None) == []


def test_faulty_models_are_errors_one_a_sentence(settings):
    assert checks.check_models(None) == []
    settings.LLM = {**settings.LLM, "model": "openai/gpt-4o-mini", "temperature": 3.0}
    found = checks.check_models(None)
    assert ids(found) == ["memory.E002", "memory.E002"]
    assert "LLM_API_KEY" in found[0].msg
    assert "LLM_TEMPERATURE=3 is out of range" in found[1].msg


@pytest.mark.django_db
def test_the_check_command_shows_them():
    IndexState.objects.create(space=make_space("a"), kind="turn", embedder="another", dimension=1)
    with pytest.raises(SystemCheckError, match=r"memory\.W001"):
        call_command("check", fail_level="WARNING")


@pytest.mark.django_db
def test_words_indexed_by_an_earlier_version_name_the_command_that_mends_them():
    space = make_space("a")
    scope = IndexScope.objects.create(space=space, kind="turn", items=3, terms_version=TERMS_VERSION - 1)
    (message,) = checks.check_stored_terms(None)
    assert message.id == "memory.W004"
    assert "1 space(s)" in message.msg
    assert "rebuild_index" in str(message.hint)
    scope.terms_version = TERMS_VERSION
    scope.save()
    assert checks.check_stored_terms(None) == []


@pytest.mark.django_db
def test_an_empty_scope_of_an_earlier_version_needs_no_mending():
    IndexScope.objects.create(space=make_space("a"), kind="turn")
    assert checks.check_stored_terms(None) == []


def test_no_words_are_looked_for_before_the_migration(monkeypatch: pytest.MonkeyPatch):
    class Tableless:
        exclude = filter = values = distinct = lambda self, *fields, **conditions: self

        def count(self) -> int:
            raise DatabaseError("no such column")

    monkeypatch.setattr(IndexScope, "objects", Tableless())
    assert checks.check_stored_terms(None) == []


def test_an_embedder_that_was_never_calibrated_names_the_command(settings, tmp_path: Path):
    settings.INDEX_DIR = tmp_path
    assert checks.check_calibration(None) == [], "the local one comes with its numbers"
    settings.EMBEDDING = {"model": "openai/e", "api_key": "k", "api_base": ""}
    assert checks.check_calibration(None) == [], "not set up right: that is told first"
    settings.EMBEDDING_DIM = 64
    (message,) = checks.check_calibration(None)
    assert message.id == "memory.W005"
    assert "openai/e was never calibrated" in message.msg
    assert "calibrate_embedder" in str(message.hint)
    stores.calibrations().write(stores.embedder_spec(), Calibration(), measured_at=NOON)
    assert checks.check_calibration(None) == []
    settings.EMBEDDING_DIM = 128
    assert ids(checks.check_calibration(None)) == ["memory.W005"], "of another length it is another embedder"
