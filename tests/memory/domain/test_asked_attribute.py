"""A question of one attribute is known by its slot; one that asks for more is not."""

from datetime import UTC, datetime

import pytest

from memory.domain.asked_attribute import EarlierValue, asked_before, asked_slots, asked_then


@pytest.mark.parametrize(
    ("question", "slot"),
    [
        ("What is my job?", "job"),
        ("What do I do for a living?", "job"),
        ("What do I do?", "job"),
        ("Was ist mein Beruf?", "job"),
        ("Was mache ich beruflich?", "job"),
        ("Was bin ich von Beruf?", "job"),
        ("Als was arbeite ich?", "job"),
        ("Qu'est-ce que je fais dans la vie ?", "job"),
        ("Кем я работаю?", "job"),
        ("我的职业是什么？", "job"),
        ("Where do I live now?", "residence"),
        ("Where do we live?", "residence"),
        ("Which town do I live in?", "residence"),
        ("In which city do I live?", "residence"),
        ("Wo wohne ich?", "residence"),
        ("In welcher Stadt wohnen wir?", "residence"),
        ("Dans quelle ville est-ce que j'habite ?", "residence"),
        ("¿En qué ciudad vivo?", "residence"),
        ("В каком городе я живу?", "residence"),
        ("我住在哪个城市？", "residence"),
        ("我住在哪里？", "residence"),
        ("Where do I work?", "employer"),
        ("How old am I?", "age"),
        ("What's my phone number?", "phone"),
        ("When is my birthday?", "birthday"),
        ("What is my favourite colour?", "favourite_colour"),
        ("Which colour do I like best?", "favourite_colour"),
        ("Was ist meine Lieblingsfarbe?", "favourite_farbe"),
        ("Welche Farbe mag ich am liebsten?", "favourite_farbe"),
        ("¿Dónde vivo ahora?", "residence"),
        ("Wo wohne ich jetzt?", "residence"),
        ("Quel est mon métier ?", "job"),
        ("Où est-ce que je travaille ?", "employer"),
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
        "Was mache ich morgen?",
        "Which school did I visit in Rome?",
        "Where did I live before?",
        "What is my favourite colour for the kitchen?",
        "Which colour do I like best on a boat?",
        "I live by the river.",
        "",
    ],
)
def test_a_question_of_something_else_has_none(question):
    assert asked_slots(question) == ()


@pytest.mark.parametrize(
    ("question", "slot", "than"),
    [
        ("Where did I live before?", "residence", ""),
        ("Where did I live before Lübeck?", "residence", "Lübeck"),
        ("where did we live before that", "residence", ""),
        ("Wo habe ich früher gewohnt?", "residence", ""),
        ("我以前住在哪里？", "residence", ""),
        ("Where did I work before?", "employer", ""),
        ("What was my previous job?", "job", ""),
    ],
)
def test_the_value_before_the_present_one_may_be_asked_for(question, slot, than):
    assert asked_before(question) == EarlierValue(slot, than)


@pytest.mark.parametrize(
    "question",
    ["Where do I live?", "What was my job?", "Where did I live before I met Ann?", "Where did Ann live?"],
)
def test_other_questions_ask_for_no_earlier_value(question):
    assert asked_before(question) is None


NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("question", "slot", "year"),
    [
        ("Where did I live in 2012?", "residence", 2012),
        ("In 2012, where were we living?", "residence", 2012),
        ("What city did I live in in 2012?", "residence", 2012),
        ("Where did I work last year?", "employer", 2025),
        ("What was my job in 2012?", "job", 2012),
        ("Wo habe ich im Jahr 2012 gewohnt?", "residence", 2012),
        ("Wo wohnte ich im Jahr 2012?", "residence", 2012),
        ("Dónde vivía en 2012?", "residence", 2012),
        ("Где я жила в 2012 году?", "residence", 2012),
        ("我2012年住在哪里？", "residence", 2012),
        ("2012年我在哪里住？", "residence", 2012),
        ("我去年在哪里工作？", "employer", 2025),
    ],
)
def test_a_value_of_a_time_that_is_over_is_asked_for(question, slot, year):
    found = asked_then(question, now=NOW, time_zone="UTC")
    assert found is not None
    assert (found.slot, found.range.start, found.range.end) == (
        slot,
        datetime(year, 1, 1, tzinfo=UTC),
        datetime(year + 1, 1, 1, tzinfo=UTC),
    )


@pytest.mark.parametrize(
    "question",
    [
        "Where did I live?",
        "Where do I live?",
        "Where did I live in 2030?",
        "Where did my sister live in 2012?",
        "Where did I live between 2012 and 2014?",
        "Where did I live in 2012 and with whom?",
        "我住在哪里？",
        "我姐姐2012年住在哪里？",
    ],
)
def test_what_is_asked_of_now_or_of_others_is_of_no_time_that_is_over(question):
    assert asked_then(question, now=NOW, time_zone="UTC") is None
