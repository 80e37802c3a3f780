"""Warming up: told while it goes on, over whatever comes of it."""

import gc
import threading
from collections.abc import Iterator

import pytest

from memory.errors import ProviderUnavailable
from memory.services import warming
from memory.services.warming import begin_warming, is_warming


@pytest.fixture(autouse=True)
def cold() -> Iterator[None]:
    warming._begun.clear()
    yield
    warming._begun.clear()
    gc.unfreeze()


def test_a_process_that_nobody_warms_is_not_warming() -> None:
    assert not is_warming()


def test_it_is_warming_until_everything_is_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    may_go_on = threading.Event()
    monkeypatch.setattr(warming, "_load", lambda: may_go_on.wait(10))
    thread = begin_warming()
    assert thread.daemon, "it must hold up no exit"
    assert is_warming()
    may_go_on.set()
    thread.join(10)
    assert not is_warming()


@pytest.mark.parametrize("error", [ProviderUnavailable("Nobody is there."), RuntimeError("canary")])
def test_a_failure_ends_it_too(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    def fail() -> None:
        raise error

    monkeypatch.setattr(warming, "_load", fail)
    begin_warming().join(10)
    assert not is_warming()


def test_it_loads_the_embedder_and_leaves_nothing_stored(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    embedded: list[str] = []

    class Spy:
        def embed(self, texts: list[str], *, with_tokens: bool = False) -> tuple[()]:
            assert with_tokens, "late interaction is part of a first recall"
            embedded.extend(texts)
            return ()

    monkeypatch.setattr(warming, "embedder", Spy)
    warming._load()
    assert len(embedded) == 1


def test_what_was_loaded_is_looked_through_by_no_later_collection(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warming, "_load", lambda: None)
    gc.unfreeze()
    assert gc.get_freeze_count() == 0
    begin_warming().join(10)
    assert gc.get_freeze_count() > 50_000
    gc.collect()
    assert len(gc.get_objects()) < 50_000
