"""What was said later stands before what it takes back, and nothing else moves."""

from datetime import UTC, datetime, timedelta
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.domain.denial import claims_of, is_denying, overrules, put_newest_first

START = datetime(2026, 5, 4, tzinfo=UTC)


class Said(NamedTuple):
    text: str
    day: int
    by: str = "Alice"


def ordered(*items: Said, asked: tuple[str, ...] = ()) -> list[str]:
    put = put_newest_first(
        items,
        about=lambda item: item.by,
        said=lambda item: claims_of(item.text, names=[item.by]),
        at=lambda item: START + timedelta(days=item.day),
        asked=asked,
    )
    return [item.text for item in put]


PAIRS = [
    ("I'm allergic to peanuts.", "I'm not allergic to peanuts anymore."),
    ("Alice is allergic to peanuts.", "I'm not allergic to peanuts anymore."),
    ("I joined the gym last month.", "I quit the gym."),
    ("I drink two cups of coffee every morning.", "I stopped drinking coffee."),
    ("I don't eat fish.", "I eat fish again."),
    ("My flight to Rome leaves on 12 April.", "My flight to Rome was cancelled."),
    ("The project meeting is on Monday.", "The project meeting has been moved to Thursday."),
    ("The grant deadline is 15 May.", "Correction, the grant deadline is 20 May."),
    ("Aunt Ruth comes on Wednesday.", "Aunt Ruth comes on Thursday, not Wednesday."),
    (
        "Aunt Ruth comes on Wednesday (2026-05-06).",
        "Aunt Ruth comes on Thursday (2026-05-07), not Wednesday.",
    ),
    ("My aunt Ruth is coming to see us on Wednesday.", "Sorry, aunt Ruth comes on Thursday, not Wednesday."),
    ("Clara comes on Wednesday (2026-05-06).", "Clara comes on Thursday (2026-05-07) instead."),
    (
        "Ruth visits on Wednesday 6 May 2026 at 3pm.",
        "Ruth visits on Thursday 7 May 2026 at 4pm, not Wednesday.",
    ),
    ("My favourite colour is green.", "My favourite colour is blue, not green."),
    ("Helga kommt am Freitag.", "Helga kommt am Samstag, nicht am Freitag."),
    ("La tía Ruth viene el miércoles.", "La tía Ruth viene el jueves, no el miércoles."),
    ("Tante Ruth vient mercredi.", "Tante Ruth vient jeudi, pas mercredi."),
    ("Рут приедет в среду.", "Рут приедет в четверг, а не в среду."),
    ("露丝周三来。", "露丝周四来，不是周三。"),
    ("Ich bin allergisch gegen Nüsse.", "Ich bin nicht mehr allergisch gegen Nüsse."),
    ("Soy alérgica a los cacahuetes.", "Ya no soy alérgica a los cacahuetes."),
    ("我对花生过敏。", "我不再对花生过敏了。"),
    ("私はピーナッツアレルギーです。", "もうピーナッツアレルギーではありません。"),
    ("У меня аллергия на орехи.", "У меня больше нет аллергия на орехи."),
]


@pytest.mark.parametrize(("old", "new"), PAIRS)
def test_the_later_word_comes_first(old, new):
    assert ordered(Said(old, 0), Said(new, 3)) == [new, old]
    assert ordered(Said(new, 3), Said(old, 0)) == [new, old]


@pytest.mark.parametrize(("old", "new"), PAIRS)
def test_an_earlier_denial_of_what_holds_now_stays_behind(old, new):
    assert ordered(Said(old, 3), Said(new, 0)) == [old, new]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("I love running.", "I don't love swimming."),
        ("I eat meat.", "I don't eat fish."),
        ("My favourite player is Messi.", "I also like Ronaldo."),
        ("I finished reading Dune.", "I'm reading Hyperion now."),
        ("I'm allergic to peanuts.", "Am I not allergic to peanuts?"),
        ("I live in Paris.", "I like Paris."),
        ("I like it.", "I don't like it."),
    ],
)
def test_what_takes_nothing_back_stays_where_it_is(one, other):
    assert ordered(Said(one, 0), Said(other, 3)) == [one, other]


def test_only_what_is_asked_about_moves():
    told = Said("I joined the gym last month.", 0), Said("I quit the gym.", 3)
    assert ordered(*told, asked=("gym",))[0] == "I quit the gym."
    assert ordered(*told, asked=("trainer",))[0] == "I joined the gym last month."


def test_a_long_story_takes_nothing_back():
    told = (
        Said("I joined the gym.", 0),
        Said("I never expected my neighbour's brother to paint a mural of whales inside the gym hall.", 3),
    )
    assert ordered(*told) == [each.text for each in told]


def test_nobody_takes_back_what_another_said():
    told = Said("I'm allergic to peanuts.", 0), Said("I'm not allergic to peanuts.", 3, "Bob")
    assert ordered(*told) == [each.text for each in told]


def test_what_stands_between_keeps_its_order():
    told = ["I joined the gym.", "I bought shoes.", "I like tea.", "I quit the gym."]
    assert ordered(*(Said(text, day) for day, text in enumerate(told))) == [told[3], *told[:3]]


@pytest.mark.parametrize(
    ("text", "denies"),
    [
        ("I can't swim.", True),
        ("I gave up the piano.", True),
        ("Ich esse kein Fleisch.", True),
        ("Я больше не курю.", True),
        ("我不喝咖啡", True),
        ("这家店不错", False),
        ("My knot came loose.", False),
        ("I take notes.", False),
    ],
)
def test_denials_are_heard(text, denies):
    assert is_denying(text) is denies


def test_names_are_no_content():
    assert claims_of("Alice Smith", names=["Alice Smith"]) == ()
    tall, bare = (claims_of(text, names=["Alice"]) for text in ("Alice is not tall.", "Alice."))
    assert not overrules(tall, bare, asked=())


@given(st.lists(st.tuples(st.sampled_from([text for pair in PAIRS for text in pair]), st.integers(0, 9))))
def test_nothing_is_lost_or_doubled(told):
    items = [Said(text, day) for text, day in told]
    assert sorted(ordered(*items)) == sorted(item.text for item in items)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Clara ate cake on Wednesday.", "Clara comes on Thursday instead."),
        ("I work on Monday.", "I do not work on Tuesday."),
        ("Aunt Ruth comes on Wednesday.", "Helga comes on Thursday, not Friday."),
    ],
)
def test_another_date_of_another_thing_moves_nothing(old, new):
    assert ordered(Said(old, 0), Said(new, 3)) == [old, new]
