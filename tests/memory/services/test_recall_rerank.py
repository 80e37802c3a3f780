"""The second look at the best of both kinds: word by word, with what stands around them."""

from dataclasses import replace
from uuid import uuid4

import pytest

from memory.config import RecallConfig
from memory.domain.selection import Candidate
from memory.domain.types import Kind, Plan, Reader, RecallRequest
from memory.services.recall_items import candidates_of, live_items
from memory.services.recall_plan import Asked, embed, prepare
from memory.services.recall_rerank import join_kinds
from memory.services.recall_search import search_kind
from tests.memory.recalling import LATER, Memory

pytestmark = pytest.mark.django_db


def asked(memory: Memory, question: str = "Which dog?", **settings) -> Asked:
    request = RecallRequest(question, Reader(memory.space.id, memory.user.id), LATER, "UTC")
    made = prepare(request, replace(RecallConfig.STANDARD, **settings), Plan(), [])
    return embed(made)[0]


def joined(memory: Memory, made: Asked, kinds: tuple[Kind, ...] = (Kind.RECORD, Kind.TURN)):
    ranked: dict[Kind, list[Candidate]] = {Kind.RECORD: [], Kind.TURN: []}
    items = {}
    for kind in kinds:
        (shortlist,) = search_kind([made], kind)
        live = live_items(made, shortlist)
        items.update(live)
        ranked[kind] = candidates_of(made, shortlist, live)
    return [(items[each.id], each) for each in join_kinds([made], [ranked], items)[0]]


class TestTheSecondLook:
    def test_is_taken_outside_fast_only(self, memory: Memory):
        memory.say(("Alice", "My dog barks."), ("Alice", "I drink tea."))
        assert all("window_interaction" in each.breakdown for _, each in joined(memory, asked(memory)))
        fast = joined(memory, asked(memory, is_reranking=False))
        assert all("window_interaction" not in each.breakdown for _, each in fast)

    def test_of_a_question_without_tokens_joins_by_ranks(self, memory: Memory):
        memory.say(("Alice", "Room 101 is locked."))
        ((_, only),) = joined(memory, asked(memory, "101?"))
        assert "window_interaction" not in only.breakdown

    def test_reads_a_turn_with_those_around_it_but_not_of_another_session(self, memory: Memory):
        near, dog = memory.say(("Alice", "I drink tea."), ("Alice", "My dog barks."))
        (far,) = memory.say(("Alice", "I drink tea."), session_id=uuid4())
        found = {item.id: each.breakdown for item, each in joined(memory, asked(memory), (Kind.TURN,))}
        assert found[near.id]["window_interaction"] == found[dog.id]["window_interaction"] == 1
        assert found[far.id]["window_interaction"] == 0
        assert found[near.id]["session_interaction"] == 1
        assert found[near.id]["late_interaction"] == 0

    def test_compares_records_by_their_own_words(self, memory: Memory):
        said = memory.say(("Alice", "My dog barks."), ("Alice", "I drink tea."))
        for turn in said:
            memory.learn(turn.text, turn)
        records = [(item, each) for item, each in joined(memory, asked(memory)) if item.kind is Kind.RECORD]
        assert [each.breakdown["late_interaction"] for _, each in records] == [1, 0]

    def test_of_records_alone_keeps_their_own_order_and_adds_it(self, memory: Memory):
        said = memory.say(("Alice", "My dog barks."), ("Alice", "I drink tea."))
        for turn in said:
            memory.learn(turn.text, turn)
        both = joined(memory, asked(memory, rerank_weight=0.0), (Kind.RECORD,))
        more = joined(memory, asked(memory, rerank_weight=0.5), (Kind.RECORD,))
        gained = [new.score - old.score for (_, new), (_, old) in zip(more, both, strict=True)]
        assert gained == pytest.approx([0.5, 0.0])
