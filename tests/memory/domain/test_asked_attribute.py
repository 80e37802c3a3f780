"""A question of one attribute is known by its slot; one that asks for more is not."""

import pytest

from memory.domain.asked_attribute import asked_slots


@pytest.mark.parametrize(
    ("question", "slot"),
    [
        ("What is my job?", "job"),
        ("What do I do for a living?", "job"),
        ("Was ist mein Beruf?", "job"),
        ("Кем я работаю?", "job"),
        ("我的职业是什么？", "job"),
        ("Where do I live now?", "residence"),
        ("Wo wohne ich?", "residence"),
        ("我住在哪里？", "residence"),
        ("Where do I work?", "employer"),
        ("How old am I?", "age"),
        ("What's my phone number?", "phone"),
        ("When is my birthday?", "birthday"),
        ("What is my favourite colour?", "favourite_colour"),
        ("Was ist meine Lieblingsfarbe?", "favourite_farbe"),
    ],
)
def test_the_slot_of_a_question(question, slot):
    assert asked_slots(question) == (slot,)


@pytest.mark.parametrize(
    "question",
    [
        "What is my sister's job?",
        "What does my job pay?",
        "Did my boss like my job?",
        "Which school did I visit in Rome?",
        "Where did I live before?",
        "What is my favourite colour for the kitchen?",
        "I live by the river.",
        "",
    ],
)
def test_a_question_of_something_else_has_none(question):
    assert asked_slots(question) == ()
