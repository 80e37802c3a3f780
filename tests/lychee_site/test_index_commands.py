"""`rebuild_index` and `check_index` as a person types them."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from accounts.models import Space
from memory.domain.types import Kind, Turn
from memory.models import IndexedItem, IndexState
from memory.services.index import index_items, turn_item
from memory.services.reindex import drain_outbox
from tests.memory.indexing import make_space, make_turn
from tests.memory.services.conftest import Indexes, indexes, space

__all__ = ["indexes", "space"]


def run(*command: str) -> str:
    out = StringIO()
    call_command(*command, stdout=out, stderr=StringIO())
    return out.getvalue().strip()


@pytest.fixture
def turn(indexes: Indexes, space: Space) -> Turn:
    made = make_turn(space, "abc")
    indexes.shelf.put(made)
    index_items([turn_item(made)])
    drain_outbox(space.id)
    return made


def test_a_sound_index_is_said_to_be_so(turn: Turn):
    assert run("check_index") == "Checked 1 space(s): 0 item(s) differ."


def test_what_differs_fails_the_check_and_is_mended_when_asked(indexes: Indexes, space: Space, turn: Turn):
    indexes.vectors.delete(space.id, Kind.TURN, [IndexedItem.objects.get().id])
    with pytest.raises(CommandError, match=r"1 item\(s\) differ\. Run `manage\.py check_index --repair`"):
        run("check_index")
    lines = run("check_index", "--repair").splitlines()
    assert lines == [
        "space-a turn: 1 missing, 0 stale, 0 orphaned",
        "Checked 1 space(s): 1 item(s) differ and mended.",
    ]
    assert run("check_index") == "Checked 1 space(s): 0 item(s) differ."


def test_rebuilding_mends_vectors_of_another_embedder(turn: Turn):
    IndexState.objects.update(embedder="another")
    with pytest.raises(CommandError, match="rebuild_index"):
        run("check_index")
    assert run("rebuild_index") == "Rebuilt the index of 1 space(s): 1 items."
    assert run("check_index") == "Checked 1 space(s): 0 item(s) differ."


def test_one_space_may_be_named(turn: Turn):
    make_space("space-b")
    assert run("rebuild_index", "--space", "space-b") == "Rebuilt the index of 1 space(s): 0 items."
    assert run("check_index", "--space", "space-a") == "Checked 1 space(s): 0 item(s) differ."


@pytest.mark.parametrize("command", ["rebuild_index", "check_index"])
def test_an_unknown_space_is_named(command: str, space: Space):
    with pytest.raises(CommandError, match="no space 'nowhere'"):
        run(command, "--space", "nowhere")
