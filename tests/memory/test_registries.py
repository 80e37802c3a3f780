"""The turn source is whatever the app above left."""

import pytest

from memory import registries
from memory.domain.types import Kind
from memory.registries import (
    index_sources,
    set_index_source,
    set_turn_source,
    set_usage_sink,
    turn_source,
    usage_sinks,
)
from tests.memory.indexing import RowShelf, TurnShelf


@pytest.fixture(autouse=True)
def restored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registries, "_turns", [])
    monkeypatch.setattr(registries, "_usage", [])
    monkeypatch.setattr(registries, "_sources", {})


def test_without_a_source_the_missing_call_is_named():
    with pytest.raises(LookupError, match="set_turn_source"):
        turn_source()


def test_the_last_source_counts():
    first, second = TurnShelf(), TurnShelf()
    set_turn_source(first)
    set_turn_source(second)
    assert turn_source() is second


def test_each_kind_of_rows_has_the_last_source_that_was_named_for_it():
    first, second = RowShelf(Kind.SKILL), RowShelf(Kind.VISUAL)
    set_index_source(Kind.SKILL, second)
    set_index_source(Kind.SKILL, first)
    set_index_source(Kind.VISUAL, second)
    assert dict(index_sources()) == {Kind.SKILL: first, Kind.VISUAL: second}


def test_nobody_need_listen_to_what_embedding_takes():
    assert usage_sinks() == ()


def test_the_last_listener_counts_and_none_ends_it():
    def first(*_told: object) -> None: ...

    def second(*_told: object) -> None: ...

    set_usage_sink(first)
    set_usage_sink(second)
    assert usage_sinks() == (second,)
    set_usage_sink(None)
    assert usage_sinks() == ()
