"""A later statement ends or corrects an earlier one only where it leaves nothing of it."""

from datetime import UTC, datetime, timedelta

import pytest

from memory.domain.fusion.endings import Told, leaves_nothing_of

MONDAY = datetime(2026, 5, 4, 9, tzinfo=UTC)
DAY = timedelta(days=1)


def told(text: str, *, later: bool = False, **fields) -> Told:
    return Told(text=text, subject="Alice", said_at=MONDAY + DAY * later, **fields)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Alice likes tea", "Alice doesn't like tea any more"),
        ("Alice loves tea.", "Alice no longer likes tea."),
        ("Alice has a car.", "Alice sold their car"),
        ("Alice owns a Skoda.", "Alice sold their Skoda to Zoe"),
        ("Alice owns a boat.", "Alice gave their boat to Tom on Friday."),
        ("Alice: We have a dog.", "Alice: We have no dog now."),
        ("Alice doesn't eat meat.", "Alice eats meat again."),
        ("Alice smokes.", "Alice quit smoking."),
        ("Alice: Ich mag Tee.", "Alice: Ich mag keinen Tee mehr."),
        ("Alice: Ich habe ein Auto.", "Alice: Ich habe mein Auto verkauft."),
    ],
)
def test_it_ends_what_it_denies(old, new):
    assert leaves_nothing_of(told(new, later=True), told(old))
    assert not leaves_nothing_of(told(old), told(new, later=True))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Alice likes tea", "Alice doesn't like tea with milk"),
        ("Alice likes green tea", "Alice doesn't like tea"),
        ("Alice loves running", "Alice doesn't love swimming"),
        ("Alice has two cars.", "Alice sold their bike."),
        ("Alice owns a boat.", "Alice sold their boat trailer."),
        ("Alice has a sister.", "Alice's sister doesn't eat meat."),
        ("Alice likes tea", "Alice likes tea and coffee"),
    ],
)
def test_what_it_does_not_speak_of_stays(old, new):
    assert not leaves_nothing_of(told(new, later=True), told(old))


def test_what_happened_happened():
    bought, sold = told("Alice sold their car", is_event=True), told("Alice has a car.", later=True)
    assert not leaves_nothing_of(sold, bought)
    worked = told("Alice worked.", day=MONDAY, is_event=True)
    assert not leaves_nothing_of(told("Alice didn't work.", later=True, day=MONDAY + DAY), worked)


OLD = "Alice: The launch is on 20 February 2027."
NEW = "Alice: The launch is on 27 February 2027."


@pytest.mark.parametrize(
    ("opening", "old", "new"),
    [
        ("Correction: ", OLD, NEW),
        ("Actually, ", OLD, NEW),
        ("", OLD, "Alice: The launch is now on 27 February 2027."),
        ("", OLD, "Alice: The launch was postponed to 27 February 2027."),
        ("My mistake, ", "Alice: The launch of the boat is on 20 February 2027.", NEW),
    ],
)
def test_it_puts_the_day_right(opening, old, new):
    corrected = told(new, later=True, opening=opening, day=MONDAY + 7 * DAY)
    assert leaves_nothing_of(corrected, told(old, day=MONDAY))
    assert not leaves_nothing_of(corrected, told(old, day=MONDAY + 7 * DAY))


@pytest.mark.parametrize(
    ("opening", "old", "new"),
    [
        ("", OLD, NEW),
        ("Sorry, ", "Alice has a meeting on 20 February 2027.", "Alice has a meeting on 27 February 2027."),
        ("Actually, ", "Alice: The launch of the boat is on 20 February 2027.", NEW),
        ("Correction: ", "Alice: The wedding is on 20 February 2027.", NEW),
    ],
)
def test_another_day_alone_corrects_nothing(opening, old, new):
    corrected = told(new, later=True, opening=opening, day=MONDAY + 7 * DAY)
    assert not leaves_nothing_of(corrected, told(old, day=MONDAY))


def test_it_puts_a_figure_right():
    old, new = told("Alice's locker code is 1234."), "Alice's locker code is 5678."
    assert leaves_nothing_of(told(new, later=True, opening="Correction: "), old)
    assert leaves_nothing_of(told(new, later=True, opening="Sorry, "), old)
    assert not leaves_nothing_of(told(new, later=True), old)
    assert not leaves_nothing_of(told("Alice's locker is new.", later=True, opening="Correction: "), old)
