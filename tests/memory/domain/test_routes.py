"""Rankings of several routes become one: agreement counts, and each route has its quota."""

from dataclasses import replace
from uuid import UUID, uuid4

from hypothesis import given
from hypothesis import strategies as st

from memory.config import RecallConfig
from memory.domain.routes import fuse_routes
from memory.domain.selection import Candidate
from memory.domain.types import Kind

CONFIG = RecallConfig(route_quota=1, route_depth=3)


def turn(*, cosine: float = 0.5, evidence: tuple[UUID, ...] | None = None, score: float = 1.0) -> Candidate:
    turn_id = uuid4()
    return Candidate(Kind.TURN, turn_id, cosine, 0.0, score, evidence or (turn_id,))


def ids(fused: list[Candidate]) -> list[UUID]:
    return [each.id for each in fused]


def test_one_route_keeps_its_ranking_and_its_scores():
    ranking = [turn(score=0.9), turn(score=0.1), turn(cosine=0.0, score=0.0)]
    assert fuse_routes([ranking], CONFIG) == ranking
    assert fuse_routes([], CONFIG) == []


def test_the_best_of_each_route_come_before_what_several_agree_on():
    first, second, both = turn(), turn(), turn()
    fused = fuse_routes([[first, both], [second, both]], CONFIG)
    assert ids(fused) == [first.id, second.id, both.id]
    assert [each.routes for each in fused] == [(0,), (1,), (0, 1)]
    assert fused[0].score == fused[1].score > 0.5 >= fused[2].score


def test_without_a_quota_agreement_decides():
    first, second, both = turn(), turn(), turn()
    fused = fuse_routes([[first, both], [second, both]], replace(CONFIG, route_quota=0))
    assert ids(fused)[0] == both.id


def test_things_that_rest_on_one_turn_take_one_place_of_the_quota():
    said = turn()
    record, other, shared = turn(evidence=(said.id,)), turn(), turn()
    fused = fuse_routes([[record, said, other, shared], [shared]], replace(CONFIG, route_quota=2))
    assert set(ids(fused)[:3]) == {record.id, other.id, shared.id}
    assert ids(fused)[-1] == said.id


def test_a_route_does_not_vote_for_what_is_below_the_floor_by_its_own_queries():
    weak, strong = turn(cosine=0.1), turn()
    fused = fuse_routes([[weak], [strong, replace(weak, cosine=0.12)]], CONFIG)
    assert ids(fused) == [strong.id, weak.id]
    assert fused[1].score == 0
    assert fused[1].routes == (0,), "where it ranks best"


def test_an_item_is_as_strong_as_in_its_strongest_route_and_found_by_those_that_rank_it_high():
    item = turn(cosine=0.3)
    others = [turn() for _ in range(3)]
    fused = fuse_routes([[item], [*others, replace(item, cosine=0.6, matched_share=0.2)]], CONFIG)
    (merged,) = [each for each in fused if each.id == item.id]
    assert (merged.cosine, merged.matched_share, merged.routes) == (0.6, 0.2, (0,))


@given(
    st.lists(st.lists(st.integers(0, 12), unique=True, max_size=8), min_size=2, max_size=6),
    st.integers(0, 4),
)
def test_every_item_comes_once_best_first_with_a_route(numbers, quota):
    known = [turn(cosine=0.5 if n % 3 else 0.1) for n in range(13)]
    rankings = [[known[n] for n in listed] for listed in numbers]
    fused = fuse_routes(rankings, replace(CONFIG, route_quota=quota))
    assert sorted(ids(fused)) == sorted({each.id for ranking in rankings for each in ranking})
    assert [each.score for each in fused] == sorted((each.score for each in fused), reverse=True)
    assert all(0 <= each.score <= 1 for each in fused)
    assert all(each.routes and set(each.routes) <= set(range(len(rankings))) for each in fused)
    for ranking in rankings:
        strong = [each.id for each in ranking if each.cosine >= 0.15]
        granted = [each.id for each in fused if each.score > 0.5 or quota == 0]
        assert set(strong[:quota]) <= set(granted)
