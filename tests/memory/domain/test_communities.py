"""The graph of entities that are told of together."""

from uuid import UUID

from memory.domain.communities import cooccurrence

A, B, C, HUB = (UUID(int=n) for n in range(1, 5))


def test_each_record_adds_the_lesser_weight_of_two_entities():
    edges = cooccurrence([[A, B], [B, A]], {A: 1, B: 8}, hub=64)
    assert edges == {(A, B): 1.0}


def test_a_hub_joins_nobody():
    assert cooccurrence([[A, HUB], [HUB, B]], {A: 1, B: 1, HUB: 64}, hub=64) == {}


def test_an_entity_of_no_known_degree_joins_nobody():
    assert cooccurrence([[A, C]], {A: 1}, hub=64) == {}


def test_all_pairs_of_a_record_are_joined_however_they_are_ordered():
    one = cooccurrence([[A, B, C]], {A: 1, B: 1, C: 1}, hub=64)
    assert one == cooccurrence([[C, A, B, A]], {A: 1, B: 1, C: 1}, hub=64)
    assert set(one) == {(A, B), (A, C), (B, C)}


def test_a_record_of_many_names_stays_bounded():
    many = [UUID(int=n) for n in range(1, 101)]
    edges = cooccurrence([many], dict.fromkeys(many, 1), hub=64)
    assert len(edges) == 12 * 11 // 2
