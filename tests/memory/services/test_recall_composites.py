"""Composites near a question bring the records below them into the running."""

from dataclasses import replace

import pytest

from memory.config import RecallConfig
from memory.domain.types import Kind, Plan, Reader, RecallRequest
from memory.models import CompositeRecord, IndexState
from memory.services.fuse import fuse_space
from memory.services.recall_composites import led_records, near_composites
from memory.services.recall_plan import Asked, embed, prepare
from memory.services.recall_search import search_kind
from tests.memory.indexing import make_user
from tests.memory.recalling import LATER, Memory

pytestmark = pytest.mark.django_db

DOGS = ("Alice has a dog, Rex.", "The puppy of Alice likes balls.", "Her pet of many years is brown.")


def asked(memory: Memory, question: str = "Which dog?", **settings) -> Asked:
    request = RecallRequest(question, Reader(memory.space.id, memory.user.id), LATER, "UTC")
    return embed(prepare(request, replace(RecallConfig.STANDARD, **settings), Plan(), []))[0]


def learn(memory: Memory, *texts: str, owner=None) -> None:
    for text in texts:
        (said,) = memory.say(("Alice", f"So: {text}"), owner=owner)
        memory.learn(text, said, owner=owner)


@pytest.fixture
def tree(memory: Memory) -> Memory:
    """A composite of dogs, one of tea, and a fact that stands alone."""
    learn(memory, *DOGS, "Alice drinks tea.", "A cup of coffee is fine too.", "Alice likes zeppelins.")
    fuse_space(memory.space.id)
    assert CompositeRecord.everyone.count() == 2
    return memory


def test_the_nearest_come_first_with_all_records_below_them(tree: Memory):
    (near,) = near_composites([asked(tree)], most=5)
    assert len(near) == 1, "that of the tea is below the floor"
    assert near[0].cosine == pytest.approx(1, abs=0.05)
    assert len(near[0].records) == len(DOGS)


def test_each_route_has_its_own(tree: Memory):
    dogs, tea = near_composites([asked(tree), asked(tree, "Which tea?")], most=5)
    assert dogs[0].item != tea[0].item
    assert len(tea[0].records) == 2


def test_they_bring_records_that_others_crowd_out(tree: Memory):
    made = asked(tree, shortlist=1, hydrated=1, top_k=1)
    (led,) = led_records([made])
    assert len(led) == len(DOGS)
    (alone,) = search_kind([made], Kind.RECORD)
    (more,) = search_kind([made], Kind.RECORD, led=[led])
    assert len(alone.entries) == 2
    assert {entry.item for entry in more.entries} >= set(led)
    assert more.scored.total.tolist()[: len(alone.entries)] == alone.scored.total.tolist()


def test_they_bring_records_that_the_index_did_not_find(tree: Memory):
    made = asked(tree, candidates=1)
    (led,) = led_records([replace(made, config=RecallConfig.STANDARD)])
    (found,) = search_kind([made], Kind.RECORD, led=[led])
    assert {entry.item for entry in found.entries} >= set(led)


def test_others_private_ones_are_not_seen(memory: Memory):
    learn(memory, *DOGS, owner=make_user("Bob"))
    fuse_space(memory.space.id)
    assert CompositeRecord.everyone.count() == 1
    assert near_composites([asked(memory)], most=5) == [[]]


def test_fast_and_a_recall_of_turns_alone_ask_for_none(tree: Memory):
    assert led_records([replace(asked(tree), config=RecallConfig.FAST)]) == [[]]
    assert led_records([asked(tree, are_records_recalled=False)]) == [[]]


def test_without_vectors_there_are_none(tree: Memory):
    assert near_composites([asked(tree, "12?")], most=5) == [[]]
    IndexState.objects.update(embedder="another", dimension=7)
    assert near_composites([asked(tree)], most=5) == [[]]
