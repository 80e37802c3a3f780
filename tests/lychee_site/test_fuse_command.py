"""`fuse` as a person types it."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from memory.models import CompositeRecord
from memory.services.composite_rows import CONFIG
from memory.services.lease import claim_fusion
from tests.memory.fusing import tree_of
from tests.memory.indexing import make_space
from tests.memory.recalling import Memory
from tests.memory.services.conftest import memory, space

__all__ = ["memory", "space"]


def run(*command: str) -> str:
    out = StringIO()
    call_command("fuse", *command, stdout=out, stderr=StringIO())
    return out.getvalue().strip()


def test_a_lost_tree_is_made_anew(memory: Memory):
    for text in ("Alice has a dog.", "The puppy is called Rex."):
        memory.learn(text)
    said = "Fused 1 space(s): 0 updates, 0 duplicates, 1 composites changed."
    assert run() == said
    before = tree_of(memory.space.id)
    CompositeRecord.objects.for_space(memory.space.id).delete()
    assert run("--space", memory.space.slug) == said
    assert tree_of(memory.space.id) == before != set()


def test_one_space_may_be_named(memory: Memory):
    memory.learn("Alice has a dog.")
    make_space("space-b")
    assert run("--space", "space-b").startswith("Fused 1 space(s)")
    with pytest.raises(CommandError, match="no space"):
        run("--space", "nowhere")


def test_a_space_that_is_being_fused_is_refused(memory: Memory):
    with (
        claim_fusion(memory.space.id, CONFIG),
        pytest.raises(CommandError, match="another worker"),
    ):
        run()
