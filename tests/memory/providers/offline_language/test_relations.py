"""How people stand to each other, read by pattern."""

import pytest

from memory.domain.types import EncodedRelation
from memory.providers.offline_language.encoder import encode_segment
from memory.providers.offline_language.relations import find_relations, named_relatives
from memory.providers.offline_language.slots import find_slot
from tests.memory.talking import segment


def relations(text: str) -> list[tuple[str, str, str]]:
    found = find_relations(text, find_slot(text), speaker="Alice")
    return [(each.source, each.type, each.target) for each in found]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("My sister Anna came by.", [("Alice", "sister", "Anna")]),
        ("My older sister Anna came by.", [("Alice", "older_sister", "Anna")]),
        ("My dog is called Rex.", [("Alice", "dog", "Rex")]),
        ("My wife's name is Eva Lind.", [("Alice", "wife", "Eva Lind")]),
        ("My daughter Inês came by.", [("Alice", "daughter", "Inês")]),
        ("My son Élie Ávila came by.", [("Alice", "son", "Élie Ávila")]),
        ("My friend Øyvind's here.", [("Alice", "friend", "Øyvind")]),
        ("My sister élan came by.", []),
        ("I live in Paris.", [("Alice", "lives_in", "Paris")]),
        ("I work at Siemens.", [("Alice", "works_for", "Siemens")]),
        ("I'm originally from Porto.", [("Alice", "comes_from", "Porto")]),
        (
            "My brother Tom and my friend Lea cooked.",
            [("Alice", "brother", "Tom"), ("Alice", "friend", "Lea")],
        ),
        ("I don't live in Paris.", []),
        ("I am a vegetarian.", []),
        ("Nice weather today.", []),
    ],
)
def test_relations_of_a_speaker(text, expected):
    assert relations(text) == expected


def test_anothers_words_tell_nothing_of_the_speaker():
    assert list(named_relatives('He said: "My sister Anna is here."')) == []


def test_nobody_stands_to_themself():
    assert find_relations("My friend Alice", None, speaker="Alice") == ()


def test_a_record_carries_what_its_statement_tells():
    (record,) = encode_segment(segment(("Alice", "My sister Anna lives next door."))).records
    assert record.relations == (EncodedRelation("Alice", "sister", "Anna"),)


def test_what_an_assistant_says_tells_of_nobodys_relatives():
    told = encode_segment(segment(("Alice", "Tell me a story."), ("", "My sister Anna lives in Oslo.")))
    assert [record.relations for record in told.records if record.relations] == []
