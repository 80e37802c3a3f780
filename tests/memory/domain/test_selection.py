"""What is kept of the ranked, and why the rest is not."""

from uuid import UUID, uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.config import Floor
from memory.domain.selection import (
    BEYOND,
    COVERED,
    WEAK,
    Candidate,
    above_floor,
    diversify,
    fuse_kinds,
    fuse_rankings,
    spread,
)
from memory.domain.types import Kind

QUESTION, ITEM = Floor(cosine=0.4, matched_share=0.5), Floor(cosine=0.2, matched_share=0.2)


def turn(
    *,
    cosine: float = 0.5,
    share: float = 0.0,
    score: float = 1.0,
    terms: str = "",
    turn_id: UUID | None = None,
) -> Candidate:
    turn_id = turn_id or uuid4()
    return Candidate(Kind.TURN, turn_id, cosine, share, score, (turn_id,), frozenset(terms.split()))


def record(*evidence: UUID, score: float = 1.0, terms: str = "") -> Candidate:
    return Candidate(Kind.RECORD, uuid4(), 0.5, 0.0, score, evidence, frozenset(terms.split()))


class TestFloor:
    def test_keeps_nothing_when_no_item_reaches_what_the_question_demands(self):
        kept, left = above_floor([turn(cosine=0.39, share=0.49)], question=QUESTION, item=ITEM)
        assert kept == []
        assert [reason for _, reason in left] == [WEAK]

    @pytest.mark.parametrize("known", [turn(cosine=0.4), turn(cosine=-0.1, share=0.5)])
    def test_is_passed_by_meaning_or_by_words_and_lets_weaker_items_follow(self, known):
        follower, weak = turn(cosine=0.2), turn(cosine=0.19, share=0.19)
        kept, left = above_floor([follower, known, weak], question=QUESTION, item=ITEM)
        assert kept == [follower, known]
        assert left == [(weak, WEAK)]

    def test_is_passed_by_both_measures_together_in_one_item(self):
        both = Floor(cosine=0.6, matched_share=0.75, together=0.9)
        assert both.passes(0.45, 0.45)
        assert not both.passes(0.45, 0.44)
        assert not Floor(cosine=0.6, matched_share=0.75).passes(0.59, 0.74), "unless a sum is named"
        apart = [turn(cosine=0.5), turn(cosine=0.0, share=0.5)]
        assert above_floor(apart, question=both, item=ITEM)[0] == [], "two items do not add up"

    def test_is_passed_by_what_is_as_good_as_known_and_by_what_is_evident(self):
        then, of_day, weak = turn(cosine=0.3), turn(cosine=0.0), turn(cosine=0.0)
        everything = [then, of_day, weak]
        assert above_floor(everything, question=QUESTION, item=ITEM, evident=[of_day.id])[0] == []
        kept, left = above_floor(
            everything, question=QUESTION, item=ITEM, telling=[then.id], evident=[of_day.id]
        )
        assert kept == [then, of_day]
        assert left == [(weak, WEAK)]

    def test_ignores_ranking_scores(self):
        loud = turn(cosine=0.1, score=99)
        assert above_floor([loud], question=QUESTION, item=ITEM)[0] == []

    def test_obeys_a_minimum_of_the_request(self):
        strong, weaker = turn(cosine=0.9), turn(cosine=0.5)
        kept, _ = above_floor([strong, weaker], question=QUESTION, item=ITEM, min_score=0.6)
        assert kept == [strong]

    @given(st.lists(st.tuples(st.floats(-1, 1), st.floats(0, 1)), max_size=12))
    def test_loses_nothing_and_is_idempotent(self, measures):
        everything = [turn(cosine=cosine, share=share) for cosine, share in measures]
        kept, left = above_floor(everything, question=QUESTION, item=ITEM)
        assert len(kept) + len(left) == len(everything)
        assert above_floor(kept, question=QUESTION, item=ITEM) == (kept, [])


def test_strength_is_the_better_of_meaning_and_words_in_the_unit_interval():
    assert turn(cosine=0.3, share=0.7).strength == 0.7
    assert turn(cosine=-0.3).strength == 0
    assert turn(cosine=1.0000001).strength == 1


class TestFusingRankings:
    def test_sums_reciprocal_ranks(self):
        first, second = uuid4(), uuid4()
        scores = fuse_rankings([[first, second], [second]], k=60)
        assert scores[first] == pytest.approx(1 / 61)
        assert scores[second] == pytest.approx(1 / 62 + 1 / 61)


class TestFusingKinds:
    def test_lets_a_record_and_its_turn_vote_for_each_other(self):
        alone, shared = turn(), turn()
        fact = record(shared.id)
        fused = fuse_kinds([fact], [alone, shared], k=60)
        assert [each.id for each in fused] == [fact.id, shared.id, alone.id]
        assert fused[0].score == pytest.approx(1 / 61 + 1 / 62)

    def test_puts_the_record_before_its_turn_when_they_tie(self):
        said = turn()
        fact = record(said.id)
        assert [each.kind for each in fuse_kinds([fact], [said], k=60)] == [Kind.RECORD, Kind.TURN]

    def test_lets_a_turn_that_is_not_filed_yet_vote_for_itself(self):
        new, old = turn(), turn()
        fact = record(old.id)
        assert fuse_kinds([fact], [new, old], k=60)[-1].id == new.id
        fused = fuse_kinds([fact], [new, old], k=60, unfiled={new.id})
        assert fused[0].id == new.id
        assert fused[0].score == pytest.approx(2 / 61)

    def test_gives_a_filed_turn_its_records_vote_alone(self):
        said = turn()
        fact = record(said.id)
        assert fuse_kinds([fact], [said], k=60, unfiled={said.id}) == fuse_kinds([fact], [said], k=60)

    def test_orders_a_records_evidence_by_relevance(self):
        far, near = turn(), turn()
        unseen = uuid4()
        (fact, *_) = fuse_kinds([record(unseen, far.id, near.id)], [near, far], k=60)
        assert fact.evidence == (near.id, far.id, unseen)

    def test_keeps_the_order_of_a_kind_that_is_alone(self):
        turns = [turn() for _ in range(5)]
        assert [each.id for each in fuse_kinds([], turns, k=60)] == [each.id for each in turns]
        records = [record() for _ in range(5)]
        assert [each.id for each in fuse_kinds(records, [], k=60)] == [each.id for each in records]


class TestDiversifying:
    def test_leaves_out_what_rests_first_of_all_on_a_kept_turn(self):
        said = turn(score=0.9)
        fact = record(said.id, uuid4(), score=1.0)
        kept, left = diversify([fact, said], top_k=5, weight=0.75)
        assert kept == [fact]
        assert left == [(said, COVERED)]

    def test_a_turn_that_is_not_quoted_covers_nothing(self):
        said = turn()
        facts = [record(said.id, score=1.0), record(said.id, score=0.9, terms="corrected")]
        kept, left = diversify(facts, top_k=5, weight=0.75, unquoted={said.id})
        assert (kept, left) == (facts, [])

    def test_keeps_a_record_that_has_no_evidence_left(self):
        kept, _ = diversify([turn(), record()], top_k=5, weight=0.75)
        assert len(kept) == 2

    def test_prefers_the_new_to_the_like(self):
        best = turn(score=1.0, terms="tea green cup")
        like = turn(score=0.95, terms="tea green mug")
        other = turn(score=0.9, terms="bus ride")
        kept, left = diversify([best, like, other], top_k=2, weight=0.75)
        assert kept == [best, other]
        assert left == [(like, BEYOND)]

    @pytest.mark.parametrize("top_k", [1, 2, 3])
    def test_obeys_top_k_from_one_upwards(self, top_k):
        kept, left = diversify([turn() for _ in range(3)], top_k=top_k, weight=0.75)
        assert len(kept) == top_k
        assert len(left) == 3 - top_k

    def test_of_nothing_is_nothing(self):
        assert diversify([], top_k=3, weight=0.75) == ([], [])

    @given(
        st.lists(st.tuples(st.floats(0.001, 1), st.sets(st.sampled_from("abcdef"))), max_size=10),
        st.integers(1, 10),
    )
    def test_begins_with_the_best_loses_nothing_and_only_grows_with_top_k(self, given_items, top_k):
        items = [turn(score=score, terms=" ".join(terms)) for score, terms in given_items]
        kept, left = diversify(items, top_k=top_k, weight=0.75)
        assert {each.id for each in kept} | {each.id for each, _ in left} == {each.id for each in items}
        if items:
            assert kept[0].score == max(each.score for each in items)
        more, _ = diversify(items, top_k=top_k + 1, weight=0.75)
        assert more[: len(kept)] == kept

    @given(st.lists(st.floats(0.001, 1), max_size=10))
    def test_of_the_kept_changes_nothing(self, scores):
        items = [turn(score=score) for score in scores]
        kept, _ = diversify(items, top_k=10, weight=0.75)
        assert diversify(kept, top_k=10, weight=0.75) == (kept, [])

    @given(st.lists(st.lists(st.integers(0, 5), max_size=3), max_size=8))
    def test_never_keeps_two_items_that_rest_on_one_turn_first(self, evidence):
        ids = [UUID(int=number) for number in range(6)]
        items = [record(*(ids[n] for n in numbers)) for numbers in evidence]
        kept, _ = diversify(items, top_k=8, weight=0.75)
        first = [each.evidence[0] for each in kept if each.evidence]
        assert len(first) == len(set(first))


class TestSpread:
    def order(self, groups: str, places: int) -> str:
        """The groups, a letter each and "-" for none, in the order in which they come to stand."""
        items = [turn() for _ in groups]
        names = {item.id: name for item, name in zip(items, groups, strict=True)}
        moved = spread(items, group=lambda each: names[each.id].strip("-") or None, places=places)
        return "".join(names[each.id] for each in moved)

    @pytest.mark.parametrize(
        ("groups", "places", "expected"),
        [
            ("aab", 1, "aba"),
            ("aabc", 1, "abac"),
            ("aabc", 2, "abca"),
            ("aaaa", 2, "aaaa"),
            ("--b", 2, "--b"),
            ("aab", 0, "aab"),
            ("", 1, ""),
        ],
    )
    def test_what_another_group_has_best_passes_a_second_item(self, groups, places, expected):
        assert self.order(groups, places) == expected

    @given(st.text("abc-", max_size=30), st.integers(0, 5))
    def test_nothing_is_lost_and_each_group_keeps_its_order(self, groups, places):
        assert sorted(self.order(groups, places)) == sorted(groups)
        items = [turn() for _ in groups]
        names = {item.id: name for item, name in zip(items, groups, strict=True)}
        moved = spread(items, group=lambda each: names[each.id], places=places)
        for name in set(groups):
            assert [i for i in moved if names[i.id] == name] == [i for i in items if names[i.id] == name]
