"""The turn source is whatever the app above left."""

import pytest

from memory import registries
from memory.registries import set_turn_source, turn_source
from tests.memory.indexing import TurnShelf


@pytest.fixture(autouse=True)
def restored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registries, "_turns", [])


def test_without_a_source_the_missing_call_is_named():
    with pytest.raises(LookupError, match="set_turn_source"):
        turn_source()


def test_the_last_source_counts():
    first, second = TurnShelf(), TurnShelf()
    set_turn_source(first)
    set_turn_source(second)
    assert turn_source() is second
