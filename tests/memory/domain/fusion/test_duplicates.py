"""Two records are one when their content words say so, in whatever order they are compared."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import combinations, permutations
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.domain.fusion.duplicates import Told, content_words, find_duplicates, is_contained

MONDAY = datetime(2026, 5, 4, 9, tzinfo=UTC)


def told(number: int, text: str, *, day: int = 0, **fields) -> Told:
    plain = Told(UUID(int=number), text, subject="Alice", frame="fact", said_at=MONDAY + timedelta(days=day))
    return replace(plain, **fields)


def find(*records: Told) -> dict[int, int]:
    pairs = combinations([record.id for record in records], 2)
    found = find_duplicates({record.id: record for record in records}, pairs)
    return {lost.int: kept.int for lost, kept in found.items()}


def says_all(longer: str, shorter: str) -> bool:
    return is_contained(content_words(shorter, subject="Alice"), content_words(longer, subject="Alice"))


@pytest.mark.parametrize(
    ("shorter", "longer"),
    [
        ("Alice likes tea.", "Alice really likes the tea!"),
        ("Alice has a dog.", "Alice has a dog named Rex."),
        ("Alice lives in Berlin.", "Alice lives in Berlin, near the zoo."),
        ("Alice works at Siemens.", "Alice works at Siemens as an engineer since 2019."),
        ("Alice wohnt in Bonn.", "Alice wohnt in Bonn mit Ben."),
        ("Алиса живёт в Москве.", "Алиса живёт в Москве с мамой."),
        ("爱丽丝住在柏林。", "爱丽丝 住在柏林"),
        ("爱丽丝住在柏林。", "爱丽丝住在柏林，和鲍勃一起。"),
    ],
)
def test_what_only_adds_says_all_that_the_shorter_says(shorter, longer):
    assert says_all(longer, shorter)
    assert says_all(shorter, longer) == (
        content_words(shorter, subject="Alice") == content_words(longer, subject="Alice")
    )


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Alice has a dog.", "Alice has no dog."),
        ("Alice has a dog.", "Alice has a dog allergy."),
        ("Alice has a dog.", "Alice has wanted a dog."),
        ("Alice has a dog.", "Alice wants a dog."),
        ("Alice lived in Rome.", "Alice lives in Rome."),
        ("Alice will move to Rome.", "Alice moved to Rome."),
        ("Alice flew to Rome.", "Alice flew from Rome."),
        ("Alice likes Ben more than Carl.", "Alice likes Carl more than Ben."),
        ("Alice has 2 cats.", "Alice has 3 cats."),
        ("Alice eats meat.", "Alice eats meat but only on Sundays."),
        ("Alice will come.", "Alice will come if it is dry."),
        ("Alice wohnt in Bonn.", "Alice wohnt nicht in Bonn."),
        ("Алиса живёт в Москве.", "Алиса не живёт в Москве."),
        ("爱丽丝住在柏林。", "爱丽丝不住在柏林。"),
        ("", "Alice likes tea."),
    ],
)
def test_what_says_another_thing_is_not_contained(one, other):
    assert not says_all(one, other)
    assert not says_all(other, one)


def test_content_words_keep_verbs_denials_and_clauses():
    found = content_words("Alice didn't move to a flat, she stayed.", subject="Alice")
    assert [word.form for word in found] == ["didn", "t", "move", "to", "flat", "she", "stay+ed"]
    assert [word.form for word in found if word.opens] == ["didn", "she"]


def test_the_fuller_is_kept():
    assert find(told(1, "Alice has a dog."), told(2, "Alice has a dog named Rex.")) == {1: 2}


def test_of_equals_the_earlier_said_is_kept_then_the_lower_id():
    assert find(told(1, "Alice likes tea.", day=3), told(2, "Alice likes the tea.")) == {1: 2}
    assert find(told(2, "Alice likes tea."), told(1, "Alice likes the tea.")) == {2: 1}


def test_what_a_person_fixed_stays_and_is_kept_among_equals():
    assert find(told(1, "Alice has a dog.", is_fixed=True), told(2, "Alice has a dog named Rex.")) == {}
    assert find(told(1, "Alice likes tea."), told(2, "Alice likes tea.", is_fixed=True, day=9)) == {1: 2}


def test_another_frame_is_another_thing():
    assert find(told(1, "Alice likes tea."), told(2, "Alice likes tea.", frame="event")) == {}


def test_what_goes_goes_to_the_one_that_is_kept_in_the_end():
    chain = ("Alice has a dog.", "Alice has a dog named Rex.", "Alice has a dog named Rex, in Bonn.")
    records = [told(number, text) for number, text in enumerate(chain)]
    assert find(*records) == {0: 2, 1: 2}


def test_only_proposed_pairs_are_compared_and_unknown_ids_ignored():
    records = {each.id: each for each in (told(1, "Alice likes tea."), told(2, "Alice likes tea."))}
    assert find_duplicates(records, []) == {}
    assert find_duplicates(records, [(UUID(int=1), UUID(int=9)), (UUID(int=1), UUID(int=1))]) == {}


PHRASES = ("has a dog", "has a dog named Rex", "has no dog", "likes tea", "likes tea, in the morning")


@given(st.lists(st.sampled_from(PHRASES), min_size=1, max_size=6), st.randoms())
def test_the_order_of_pairs_and_records_makes_no_difference(phrases, random):
    records = [told(n, f"Alice {phrase}.", day=n % 3) for n, phrase in enumerate(phrases)]
    pairs = list(permutations([record.id for record in records], 2))
    known = {record.id: record for record in records}
    expected = find_duplicates(known, pairs)
    random.shuffle(pairs)
    random.shuffle(records)
    assert find_duplicates({record.id: record for record in records}, pairs) == expected


@given(st.lists(st.sampled_from(PHRASES), min_size=1, max_size=8))
def test_what_is_kept_is_never_lost_and_nothing_said_is(phrases):
    records = {r.id: r for r in (told(n, f"Alice {phrase}.") for n, phrase in enumerate(phrases))}
    found = find_duplicates(records, combinations(records, 2))
    assert not set(found.values()) & found.keys()
    assert all(says_all(records[kept].text, records[lost].text) for lost, kept in found.items())
