"""A date lies where the verb beside it points: ahead, or back."""

from datetime import UTC, datetime

import pytest

from memory.domain.temporal import find_dates
from memory.domain.tenses import is_negated, is_planning, is_present, looks_ahead, says_since

MONDAY = datetime(2026, 11, 30, 9, tzinfo=UTC)
WEDNESDAY, THURSDAY, LAST_THURSDAY = "2026-12-02", "2026-12-03", "2026-11-26"


def days(text: str) -> list[str]:
    found = find_dates(text, said_at=MONDAY, time_zone="UTC")
    return [each.range.start.date().isoformat() for each in found]


@pytest.mark.parametrize(
    "text",
    [
        "Ruth visits on Thursday",
        "Clara comes on Thursday instead",
        "My parents arrive on Thursday",
        "We fly to Rome on Thursday",
        "Helga is coming on Thursday",
        "She's leaving Thursday",
        "The meeting is on Thursday",
        "The course starts on Thursday",
        "I want to visit her on Thursday",
        "I have to go on Thursday",
        "Ich möchte am Donnerstag fliegen",
        "La réunion est jeudi",
        "On Thursday Ruth comes",
        "Ruth, who was ill, comes on Thursday",
        "I have a dentist appointment on Thursday",
        "Dentist appointment on Thursday",
        "I got an appointment for Thursday",
        "What do I have on Thursday?",
        "Do we have anything on Thursday?",
        "What am I doing on Thursday?",
        "What's on Thursday?",
        "What is planned for Thursday?",
        "Was habe ich am Donnerstag vor?",
        "The dentist moved my appointment to Thursday",
        "They put the match off until Thursday",
        "The meeting was postponed to this Thursday",
        "We rescheduled the call for Thursday",
        "Der Termin wurde auf Donnerstag verschoben",
        "Sie haben die Sitzung auf den Donnerstag verlegt",
        "La reunión se aplazó al jueves",
        "La réunion a été reportée à jeudi",
        "Встречу перенесли на четверг",
        "Tante Ruth kommt am Donnerstag",
        "Am Donnerstag fliegen wir nach Rom",
        "La tía Ruth viene el jueves",
        "Tante Ruth arrive jeudi",
        "Rute chega na quinta-feira",
        "Рут приедет в четверг",
    ],
)
def test_the_present_tense_means_the_coming_day(text):
    assert days(text) == [THURSDAY]


@pytest.mark.parametrize(
    "text",
    [
        "Ruth came on Thursday",
        "The party was on Thursday",
        "I had a dentist appointment on Thursday",
        "My visit on Thursday was lovely",
        "I said on Thursday that she is coming",
        "Ruth is kind and came on Thursday",
        "I left my keys at the gym on Thursday",
        "We moved to Rome on Thursday",
        "What did I have on Thursday?",
        "Was habe ich am Donnerstag gegessen?",
        "She moved the sofa on Thursday",
        "I wanted her to stay on Thursday",
        "I'm starting to feel better since the fall on Thursday",
        "I'm staying here since Thursday",
        "I have to say the race on Thursday was hard",
        "I've been going to the gym on Thursday",
        "You should have come on Thursday",
        "Ruth kam am Donnerstag",
        "Ruth ist am Donnerstag gekommen",
        "Ruth vino el jueves",
        "Ruth est venue jeudi",
        "Rute chegou na quinta-feira",
        "Рут приехала в четверг",
    ],
)
def test_the_past_tense_means_the_day_gone_by(text):
    assert days(text) == [LAST_THURSDAY]


@pytest.mark.parametrize(
    "text",
    [
        "Remind me to call the plumber on Thursday.",
        "Remind me on Thursday to call the plumber.",
        "Remember to water Ada's plants on Thursday.",
        "Don't forget to put the bins out on Thursday.",
        "Please put the bins out on Thursday.",
        "Call Bob on Thursday.",
        "Pick the children up on Thursday",
        "Remind me to hit the gym on Thursday",
        "Erinnere mich daran, den Klempner am Donnerstag anzurufen.",
        "Vergiss nicht, am Donnerstag die Blumen zu gießen.",
        "Ruf den Klempner am Donnerstag an.",
        "Rappelle-moi d'appeler le plombier jeudi.",
        "Recuérdame llamar al fontanero el jueves.",
        "Напомни мне в четверг позвонить сантехнику.",
        "提醒我周四给水管工打电话",
    ],
)
def test_a_reminder_or_an_order_means_the_coming_day(text):
    assert days(text) == [THURSDAY]


@pytest.mark.parametrize(
    "text",
    [
        "Remind me what I said on Thursday.",
        "Remind me to ask Ann whether she liked it on Thursday.",
        "Ich erinnere mich an das Fest am Donnerstag.",
        "I remember the party on Thursday.",
        "Book club met on Thursday.",
        "Call with Bob on Thursday",
        "Water was cut on Thursday.",
        "Write a summary of Thursday",
        "Please tell me about Thursday",
    ],
)
def test_what_only_looks_like_an_order_means_the_day_gone_by(text):
    assert days(text) == [LAST_THURSDAY]


def test_a_bare_chinese_weekday_to_come_is_that_of_the_next_week_once_this_one_is_past():
    friday = datetime(2026, 12, 4, 9, tzinfo=UTC)
    (found,) = find_dates("提醒我周一给水管工打电话", said_at=friday, time_zone="UTC")
    assert found.range.start.date().isoformat() == "2026-12-07"


@pytest.mark.parametrize(
    "text",
    [
        "aunt Ruth comes on Thursday, not Wednesday",
        "aunt Ruth comes not on Wednesday but on Thursday",
        "the meeting is on Thursday rather than Wednesday",
        "Ruth kommt am Donnerstag, nicht am Mittwoch",
        "Ruth viene el jueves, no el miércoles",
        "Ruth vient jeudi, pas mercredi",
        "Rute chega na quinta-feira, não na quarta-feira",
        "Рут приедет в четверг, а не в среду",
    ],
)
def test_a_day_that_is_not_meant_gives_no_date(text):
    assert days(text) == [THURSDAY]


def test_what_is_not_so_on_its_only_day_keeps_it():
    assert days("Ruth kommt nicht am Mittwoch") == [WEDNESDAY]
    assert days("I can't come before Thursday, not tomorrow") == [THURSDAY]
    assert days("She comes, but not on Wednesday") == []


def test_a_month_or_a_day_of_one_is_ahead_in_the_present_tense():
    assert days("Ruth comes in December") == ["2026-12-01"]
    assert days("Ruth visits on 3 December") == [THURSDAY]
    assert days("Ruth came on 3 December") == ["2025-12-03"]


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("el próximo martes", "2026-12-01"),
        ("el martes próximo", "2026-12-01"),
        ("el martes que viene", "2026-12-01"),
        ("el pasado martes", "2026-11-24"),
        ("este martes", "2026-12-01"),
        ("la próxima semana", "2026-12-07"),
        ("le mardi prochain", "2026-12-01"),
        ("mardi qui vient", "2026-12-01"),
        ("ce mardi", "2026-12-01"),
        ("mardi dernier", "2026-11-24"),
        ("na próxima terça-feira", "2026-12-01"),
        ("na próxima terça", "2026-12-01"),
        ("terça-feira que vem", "2026-12-01"),
        ("na terça passada", "2026-11-24"),
        ("na semana passada", "2026-11-23"),
        ("no mês que vem", "2026-12-01"),
        ("no próximo sábado", "2026-12-05"),
        ("no sábado que vem", "2026-12-05"),
        ("no ano passado", "2025-01-01"),
        ("amanhã", "2026-12-01"),
    ],
)
def test_romance_languages_name_the_next_and_the_last_day(text, day):
    assert days(text) == [day]


@pytest.mark.parametrize(
    "text", ["los martes nado", "le mardi je nage", "la segunda vez", "em quarta posição"]
)
def test_habits_and_ordinals_are_no_dates(text):
    assert days(text) == []


def test_each_question_of_tense_is_answered_by_itself():
    assert is_planning("I will see")
    assert not is_planning("I saw")
    assert is_present("The shop opens")
    assert not is_present("The shop opened")
    assert looks_ahead("she comes on Thursday", 10, 21)
    assert not looks_ahead("on Thursday", 0, 11)
    assert is_negated("today, not Thursday", 11, is_only=True)
    assert not is_negated("I am not Thursday", 9, is_only=True)


@pytest.mark.parametrize(
    "text",
    [
        "Since March Ann lives in Kiel",
        "Seit Oktober wohne ich in Ulm",
        "Desde marzo vivo en Vigo",
        "С марта я живу в Туле",
    ],
)
def test_since_when_something_is_so_is_told(text):
    assert says_since(text)


@pytest.mark.parametrize(
    "text", ["Ann lives in Kiel", "Ann left since she was tired", "Я живу с мамой в Туле"]
)
def test_a_reason_or_company_is_no_beginning(text):
    assert not says_since(text)
