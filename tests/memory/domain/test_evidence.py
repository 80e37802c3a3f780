"""What a record hangs on, and how much a node says."""

from datetime import UTC, datetime
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.config import EvidenceConfig
from memory.domain.evidence import (
    Facts,
    Known,
    Node,
    best_by_record,
    is_bond,
    is_lasting,
    is_namesake,
    mean_cosine,
    name_key,
    names_of,
    node_weight,
    nodes_of,
    phrases,
    topic_key,
)
from memory.domain.types import MemoryType

CONFIG = EvidenceConfig()
SESSION = UUID(int=9)
ANN, REX = UUID(int=1), UUID(int=2)


def facts(**changes: object) -> Facts:
    values: dict[str, object] = {
        "subject": "Ann",
        "entities": ("Rex",),
        "topics": ("dogs",),
        "happened_at": datetime(2026, 5, 7, 23, 30, tzinfo=UTC),
        "session_id": SESSION,
        "position": 6,
    } | changes
    return Facts(**values)  # type: ignore[arg-type]


def nodes(**changes: object) -> tuple[Node, ...]:
    return nodes_of(facts(**changes), {"ann": ANN, "rex": REX}, CONFIG)


def keys(found: tuple[Node, ...], kind: str) -> list[str]:
    return [node.key for node in found if node.kind == kind]


class TestNodes:
    def test_a_record_hangs_on_a_node_of_each_kind(self):
        found = nodes()
        assert keys(found, "entity") == [str(ANN), str(REX)]
        assert keys(found, "topic") == ["dog"]
        assert keys(found, "entity_topic") == [f"{ANN}:dog", f"{REX}:dog"]
        assert keys(found, "day") == ["2026-05-07"]
        assert keys(found, "month") == ["2026-05"]
        assert keys(found, "event_frame") == [f"{SESSION}:1"]

    def test_records_within_four_turns_of_a_session_share_a_frame(self):
        frames = [keys(nodes(position=position), "event_frame")[0] for position in range(9)]
        assert [frame.rpartition(":")[2] for frame in frames] == list("000011112")

    def test_without_a_turn_there_is_no_frame(self):
        assert keys(nodes(position=None), "event_frame") == []

    @pytest.mark.parametrize("memory_type", list(MemoryType))
    def test_a_type_is_never_a_topic(self, memory_type):
        told = (memory_type.value, memory_type.value.replace("_", " ").title(), "dogs")
        assert keys(nodes(topics=told), "topic") == ["dog"]

    def test_topics_that_differ_in_form_only_are_one(self):
        assert keys(nodes(topics=("Dog walking", "dogs walking")), "topic") == ["dog walk"]
        assert topic_key("  ") == ""

    def test_a_subject_that_is_listed_too_is_one_entity(self):
        assert keys(nodes(entities=("ANN", "Rex")), "entity") == [str(ANN), str(REX)]

    def test_names_of_one_entity_make_one_node(self):
        found = nodes_of(facts(entities=("Annie",)), {"ann": ANN, "annie": ANN}, CONFIG)
        assert keys(found, "entity") == [str(ANN)]

    def test_a_name_without_an_entity_makes_no_node(self):
        assert keys(nodes(entities=("Nobody",)), "entity") == [str(ANN)]

    def test_no_record_hangs_on_more_than_it_may(self):
        many = tuple(f"Thing{n}" for n in range(40))
        ids = {name_key(name, CONFIG): UUID(int=n + 10) for n, name in enumerate(many)}
        found = nodes_of(facts(subject="", entities=many, topics=many), ids, CONFIG)
        assert len(keys(found, "entity")) == CONFIG.most_entities
        assert len(keys(found, "topic")) == CONFIG.most_topics
        assert len(keys(found, "entity_topic")) == CONFIG.most_pairs

    @given(st.lists(st.text(max_size=20), max_size=6), st.lists(st.text(max_size=20), max_size=6))
    def test_whatever_the_texts_each_node_comes_once_and_fits_its_column(self, entities, topics):
        told = facts(entities=tuple(entities), topics=tuple(topics))
        ids = {name_key(name, CONFIG): UUID(int=n + 1) for n, name in enumerate(names_of(told, CONFIG))}
        found = nodes_of(told, ids, CONFIG)
        assert len({node.known_by for node in found}) == len(found)
        assert all(0 < len(node.key) <= 255 for node in found)


class TestWeight:
    def test_it_falls_with_the_degree_to_nothing_at_a_hub(self):
        assert [node_weight(degree, hub=64) for degree in (1, 8, 64, 10_000)] == [1.0, 0.5, 0.0, 0.0]
        assert node_weight(0, hub=64) == 0.0

    @given(st.integers(1, 500), st.integers(1, 500))
    def test_more_records_never_make_a_node_say_more(self, one, other):
        low, high = sorted((one, other))
        assert node_weight(low, hub=64) >= node_weight(high, hub=64)


class TestNames:
    def test_names_are_compared_folded_and_without_signs(self):
        assert name_key("  Ann's  WIFE ", CONFIG) == "ann s wife"
        assert name_key("José", CONFIG) == "jose"

    def test_every_run_of_a_question_may_be_a_name_longest_first(self):
        assert phrases("Does Ann's wife", most_words=3) == (
            "does ann s", "ann s wife", "does ann", "ann s", "s wife", "does", "ann", "s", "wife",
        )  # fmt: skip

    def test_a_name_is_found_within_a_run_without_spaces(self):
        assert "小明" in phrases("小明住在哪里？", most_words=4)

    @pytest.mark.parametrize("alias", ["Alice's wife", "Annie", "Big Blue", "小明"])
    def test_who_is_named_for_good(self, alias):
        assert is_lasting(alias)

    @pytest.mark.parametrize(
        "alias", ["she", "She", "her brother", "the boss", "The boss", "Sie", "它们", "она", "you", "", "X"]
    )
    def test_who_is_another_one_each_time(self, alias):
        assert not is_lasting(alias)

    def test_another_role_means_a_namesake_unless_the_name_is_full(self):
        anna = Known(ANN, "anna", frozenset({"anna", "alice s wife"}))
        assert is_namesake("bob s sister", anna)
        assert not is_namesake("alice s wife", anna)
        assert not is_namesake(
            "bob s sister", Known(ANN, "anna lee", frozenset({"anna lee", "alice s wife"}))
        )
        assert not is_namesake("bob s sister", Known(ANN, "anna", frozenset({"anna"})))


class TestScores:
    def test_the_best_node_of_a_record_counts(self):
        assert best_by_record([(ANN, 0.2), (REX, 0.1), (ANN, 0.7), (ANN, 0.3)]) == {ANN: 0.7, REX: 0.1}

    def test_a_nodes_vector_is_the_mean_of_its_records(self):
        assert mean_cosine([0.8, 0.6], 2, weakest=0.1) == pytest.approx(0.7)

    def test_records_that_were_not_found_count_as_the_weakest(self):
        assert mean_cosine([0.8], 4, weakest=0.2) == pytest.approx((0.8 + 3 * 0.2) / 4)


@pytest.mark.parametrize(
    ("relation_type", "is_one"),
    [
        ("sister", True),
        ("older_sister", True),
        ("Wife", True),
        ("dog", True),
        ("lives_in", False),
        ("visited", False),
        ("sister_city_of", False),
    ],
)
def test_what_binds_people_for_years_is_a_bond(relation_type, is_one):
    assert is_bond(relation_type) is is_one
