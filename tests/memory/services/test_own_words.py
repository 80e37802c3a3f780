"""What is told of somebody reads as what they would say themselves."""

import pytest

from memory.models import MemoryRecord
from memory.services.own_words import follow_attribute, own_words


@pytest.mark.parametrize(
    ("text", "subject", "said"),
    [
        ("Nora lives in Lübeck.", "Nora", "I live in Lübeck."),
        ("Nora Lindqvist now studies at Kiel.", "Nora", "I now study at Kiel."),
        ("Nora is a nurse and watches birds.", "Nora", "I am a nurse and watches birds."),
        ("Edith's cat Mauzi sleeps, their dog barks.", "Edith", "my cat Mauzi sleeps, my dog barks."),
        ("James’ favourite colour is blue.", "James", "my favourite colour is blue."),
        ("Nora: Ich wohne in Lübeck.", "Nora", "Ich wohne in Lübeck."),
        ("安娜现在住在北京。", "安娜", "我现在住在北京。"),
        ("Noras live in trees.", "Nora", "Noras live in trees."),
        ("It rains.", "", "It rains."),
    ],
)
def test_the_subject_speaks_for_themself(text, subject, said):
    assert own_words(text, subject) == said


@pytest.mark.parametrize(
    ("text", "slot", "value"),
    [
        ("Nora lives in Lübeck.", "residence", "Lübeck"),
        ("Nora moved to Lübeck last May.", "residence", "Lübeck"),
        ("Nora lives in the old town of Hamburg.", "residence", "Hamburg"),
        ("Nora works for Siemens.", "employer", "Siemens"),
        ("Nora does not live in Lübeck.", "", ""),
        ("Nora likes tea.", "", ""),
    ],
)
def test_an_attribute_is_read_anew(text, slot, value):
    row = MemoryRecord(subject="Nora", slot="residence", value="Hamburg", semantic_text=text)
    changed = follow_attribute(row, "Nora lives in Hamburg.")
    assert (row.slot, row.value) == (slot, value)
    assert set(changed) == {"slot", "value"} - ({"slot"} if slot == "residence" else set()) - (
        {"value"} if value == "Hamburg" else set()
    )


@pytest.mark.parametrize(
    ("text", "value"),
    [("Nora is allergic to soy.", "soy"), ("Nora is allergic to No one.", ""), ("Nora loves soy.", "")],
)
def test_what_only_a_model_could_name_is_looked_for_in_its_place(text, value):
    row = MemoryRecord(subject="Nora", slot="allergy", value="nuts", semantic_text=text)
    follow_attribute(row, "Nora is allergic to nuts.")
    assert (row.slot, row.value) == ("allergy" if value else "", value)


def test_a_statement_that_becomes_one_of_an_attribute_gains_it():
    row = MemoryRecord(subject="Nora", semantic_text="Nora lives in Lübeck.")
    assert set(follow_attribute(row, "Nora likes Lübeck.")) == {"slot", "value"}
    assert (row.slot, row.value) == ("residence", "Lübeck")
