"""Replies about what was recalled: read leniently, kept inside their bounds, nonsense told apart."""

import json

import pytest

from memory.domain.deep_replies import (
    DOUBTFUL,
    read_adequacy,
    read_judgement,
    read_synthesis,
)
from memory.domain.replies import Fault, Unreadable
from memory.domain.types import Adequacy, Judgement, Synthesis

NONSENSE = [
    "",
    "   ",
    "Sure! I have looked at them all.",
    "I'm sorry, I can't help with that.",
    "[]",
    "null",
    "42",
    '{"answer": "yes"}',
    '{"',
    "<think>hm",
    "{}" * 3,
]


class TestJudgement:
    @pytest.mark.parametrize(
        ("text", "relevant", "abstract"),
        [
            ('{"relevant":[2,1],"abstract":[1]}', (1, 0), (0,)),
            ('```json\n{"relevant": [3]}\n```', (2,), ()),
            ('<think>1? no</think>{"relevant":["2", "item 3"]}', (1, 2), ()),
            ('{"relevant":[{"id":3},{"id":1}]}', (2, 0), ()),
            ('{"relevant":2}', (1,), ()),
            ('{"relevant":[1,1,9,-4,0],"abstract":null}', (0,), ()),
            ('{"relevant":[],"abstract":[2]}', (1,), (1,)),
            ('{"relevant":[],"abstract":[]}', (), ()),
            ('{"relevant":[1,],}', (0,), ()),
        ],
    )
    def test_is_read_in_its_order_by_places(self, text, relevant, abstract):
        assert read_judgement(text, count=3) == Judgement(relevant, abstract)

    @pytest.mark.parametrize("text", [*NONSENSE, '{"relevant":[7,8]}'])
    def test_of_nonsense_is_unreadable(self, text):
        assert isinstance(read_judgement(text, count=3), Unreadable)

    def test_that_was_cut_off_says_so(self):
        read = read_judgement('{"relevant":[1]}', count=3, is_cut=True)
        assert isinstance(read, Unreadable)
        assert read.fault is Fault.CUT


class TestAdequacy:
    @pytest.mark.parametrize(
        ("text", "queries"),
        [
            ('{"adequate":true,"queries":[]}', ()),
            ('{"adequate":false,"queries":["dog name"]}', ("dog name",)),
            ('{"adequate":"no","queries":"dog name"}', ("dog name",)),
            ('{"queries":["a dog","a cat"]}', ("a dog", "a cat")),
            ('{"adequate":true,"queries":["dog"]}', ()),
            ('{"adequate":false}', ()),
            ('{"adequate":false,"queries":[1,null,"x y","x y","z","w","v"]}', ("1", "x y", "z")),
        ],
    )
    def test_is_what_is_still_to_be_searched(self, text, queries):
        assert read_adequacy(text) == Adequacy(queries)

    def test_a_query_is_cut(self):
        read = read_adequacy(json.dumps({"adequate": False, "queries": ["word " * 500]}))
        assert isinstance(read, Adequacy)
        assert len(read.queries[0]) <= 301

    @pytest.mark.parametrize("text", NONSENSE)
    def test_of_nonsense_is_unreadable(self, text):
        assert isinstance(read_adequacy(text), Unreadable)


class TestSynthesis:
    @pytest.mark.parametrize(
        "scores",
        [
            [{"id": 1, "score": 0.9}, {"id": 2, "score": 0.1}],
            [{"id": "2", "score": "0.1"}, {"id": "[1]", "score": 0.9}],
            [0.9, 0.1],
            {"1": 0.9, "2": 0.1},
        ],
    )
    def test_scores_come_in_many_shapes(self, scores):
        text = json.dumps({"scores": scores, "background_context": "Ann sails [1]."})
        assert read_synthesis(text, count=2) == Synthesis((0.9, 0.1), "Ann sails [1].")

    def test_scores_are_clamped_and_what_was_not_judged_is_kept(self):
        text = json.dumps(
            {"scores": [{"id": 1, "score": 7}, {"id": 5, "score": 1}], "background_context": "x"}
        )
        read = read_synthesis(text, count=2)
        assert isinstance(read, Synthesis)
        assert read.scores == (1.0, DOUBTFUL)

    def test_nothing_useful_needs_no_context(self):
        assert read_synthesis('{"scores":[0.1, 0]}', count=2) == Synthesis((0.1, 0.0), "")

    @pytest.mark.parametrize(
        "text",
        [
            *NONSENSE,
            '{"scores":[{"id":1,"score":0.9}],"background_context":"x"}',
            '{"scores":[0.9,0.9,0.9,0.9],"background_context":""}',
            '{"scores":["good","bad",null,{}],"background_context":"x"}',
        ],
    )
    def test_of_nonsense_is_unreadable(self, text):
        assert isinstance(read_synthesis(text, count=4), Unreadable)
