"""Groups depend on likeness and what is in common, not on order or on what lies far away."""

from uuid import UUID

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.config import FusionConfig
from memory.domain.fusion.clusters import Member, are_alike, centroid, cluster, is_related

CONFIG = FusionConfig()
PEOPLE = ("ann", "ben")


def member(number: int, *, subject: str = "ann", labels: tuple[str, ...] = ()) -> Member:
    return Member(UUID(int=number), frozenset({subject} if subject else ()), frozenset(labels))


def unit(rows) -> np.ndarray:
    rows = np.asarray(rows, np.float32)
    made: np.ndarray = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return made


def at_angles(*degrees: float) -> np.ndarray:
    turns = np.radians(degrees)
    return unit(np.stack([np.cos(turns), np.sin(turns)], axis=1))


def groups(members, vectors, config=CONFIG) -> list[list[int]]:
    return [[id_.int for id_ in group] for group in cluster(members, vectors, config)]


def test_the_alike_stand_together_and_the_lone_stand_nowhere():
    members = [member(n) for n in range(5)]
    assert groups(members, at_angles(0, 10, 90, 100, 200)) == [[0, 1], [2, 3]]


def test_an_edge_needs_something_in_common():
    alike = at_angles(0, 1)
    assert groups([member(0), member(1, subject="ben")], alike) == []
    assert groups([member(0), member(1, subject="ben", labels=("entity rex",))], alike) == []
    both = [member(0, labels=("topic tea",)), member(1, subject="ben", labels=("topic tea",))]
    assert groups(both, alike) == [[0, 1]]
    assert groups([member(0, subject=""), member(1, subject="")], alike) == []


def test_the_threshold_itself_is_no_edge():
    edge = np.degrees(np.arccos(CONFIG.edge_cosine))
    assert groups([member(0), member(1)], at_angles(0, edge)) == []
    assert groups([member(0), member(1)], at_angles(0, edge - 0.1)) == [[0, 1]]
    assert are_alike(np.array([0.75, 0.7501], np.float32), 0.75).tolist() == [False, True]


def test_a_chain_is_cut_at_its_weakest_edge():
    # Each link is strong, yet the ends point apart: mean cosine to the centroid is below 0.70.
    angles = [0, 20, 40, 60, 99, 119, 139, 159]
    assert groups([member(n) for n in range(8)], at_angles(*angles)) == [[0, 1, 2, 3], [4, 5, 6, 7]]


def test_a_large_group_is_cut_to_at_most_the_largest_size():
    random = np.random.default_rng(7)
    vectors = unit(np.array([1.0, 0, 0]) + random.normal(0, 0.1, (60, 3)))
    found = groups([member(n) for n in range(60)], vectors)
    assert max(map(len, found)) <= CONFIG.largest
    assert len(found) > 1


def test_only_the_nearest_propose_edges():
    config = FusionConfig(nearest=1)
    assert groups([member(n) for n in range(4)], at_angles(0, 1, 10, 11), config) == [[0, 1], [2, 3]]
    assert groups([member(n) for n in range(4)], at_angles(0, 1, 10, 11)) == [[0, 1, 2, 3]]


def test_a_centroid_is_the_unit_vector_in_the_middle():
    assert centroid(at_angles(0, 90)) == pytest.approx(np.sqrt([0.5, 0.5]))
    assert centroid(np.array([[1, 0], [-1, 0]], np.float32)) == pytest.approx([0, 0])


@st.composite
def scenes(draw):
    """Members about two people with labels, and vectors in few dimensions, some of them equal."""
    count = draw(st.integers(0, 40))
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    centres = random.normal(size=(4, 4))
    vectors = centres[random.integers(0, 4, count)] + random.normal(0, 0.4, (count, 4))
    members = [
        member(
            n,
            subject=PEOPLE[random.integers(0, 2)],
            labels=tuple(f"topic {t}" for t in random.integers(0, 9, random.integers(0, 2))),
        )
        for n in range(count)
    ]
    return members, unit(vectors)


@given(scenes(), st.randoms())
def test_the_order_of_members_makes_no_difference(scene, random):
    members, vectors = scene
    order = random.sample(range(len(members)), len(members))
    assert cluster([members[n] for n in order], vectors[order], CONFIG) == cluster(members, vectors, CONFIG)


@given(scenes())
def test_the_whole_is_the_sum_of_the_parts_that_no_likeness_joins(scene):
    """What lets a fusion touch only the part that a new record reaches."""
    members, vectors = scene
    alike = are_alike(vectors @ vectors.T, CONFIG.edge_cosine)
    parts, left = [], set(range(len(members)))
    while left:
        part = frontier = {left.pop()}
        while frontier:
            frontier = {
                other
                for one in frontier
                for other in left
                if alike[one, other] and is_related(members[one], members[other])
            }
            left -= frontier
            part |= frontier
        parts.append(sorted(part))
    apart = [group for part in parts for group in cluster([members[n] for n in part], vectors[part], CONFIG)]
    assert sorted(apart) == cluster(members, vectors, CONFIG)


@given(scenes())
def test_groups_are_disjoint_bounded_and_dense(scene):
    members, vectors = scene
    found = cluster(members, vectors, CONFIG)
    everyone = [id_ for group in found for id_ in group]
    assert len(everyone) == len(set(everyone))
    for group in found:
        rows = vectors[[id_.int for id_ in group]]
        assert 2 <= len(group) <= CONFIG.largest
        assert (rows @ centroid(rows)).mean() >= CONFIG.coherence - 1e-3
