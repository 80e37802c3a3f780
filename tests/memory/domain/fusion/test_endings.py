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
        ("Alice owns a boat.", "Alice gave their boat away to Tom on Friday."),
        ("Alice has a dog", "Alice got rid of their dog"),
        ("Alice has a dog.", "Alice has no dog now."),
        ("Alice eats meat.", "Alice: I no longer eat meat."),
        ("Alice is a vegetarian.", "Alice is not a vegetarian any more."),
        ("Alice doesn't eat meat.", "Alice eats meat again."),
        ("Alice smokes.", "Alice quit smoking."),
        ("Alice: Ich mag Tee.", "Alice: Ich mag keinen Tee mehr."),
        ("Alice: Ich habe ein Auto.", "Alice: Ich habe mein Auto verkauft."),
        ("Alice: Ich rauche.", "Alice: Ich rauche nicht mehr."),
        ("Alice: J'ai une voiture.", "Alice: J'ai vendu ma voiture."),
        ("Alice: J'aime le thé.", "Alice: Je n'aime plus le thé."),
        ("Alice: Tengo un coche.", "Alice: Vendí mi coche."),
        ("Alice: Bebo café.", "Alice: Ya no bebo café."),
        ("Alice: У меня есть машина.", "Alice: Я продала машину."),
        ("Alice: Я люблю чай.", "Alice: Я больше не люблю чай."),
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
        ("Alice likes tea", "Alice doesn't love tea"),
        ("Alice has cars.", "Alice sold their car."),
    ],
)
def test_what_it_does_not_speak_of_stays(old, new):
    assert not leaves_nothing_of(told(new, later=True), told(old))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Alice has a car.", "Alice has not sold their car."),
        ("Alice has a car.", "Alice never sold their car."),
        ("Alice has a car.", "Alice would have sold their car."),
        ("Alice has a car.", "Alice gave their car to the garage."),
        ("Alice has a car.", "Alice sold their car to Tom but only on paper."),
        ("Alice has a dog.", "Alice never got rid of their dog."),
        ("Alice: Ich habe einen Hund.", "Alice: Ich habe meinen Hund nicht verkauft."),
        ("Alice: Ich habe Kuchen gebacken.", "Alice: Ich habe keinen Kuchen gebacken."),
        ("Alice: У меня есть машина.", "Alice: Я не продала машину."),
        ("Alice: J'ai une voiture.", "Alice: Je n'ai pas vendu ma voiture."),
        ("Alice loves tea.", "Alice can't stop loving tea."),
        ("Alice loves tea.", "Alice never stopped loving tea."),
        ("Alice likes tea.", "Alice doesn't just like tea."),
        ("Alice eats meat.", "Alice doesn't only eat meat."),
        ("Alice trusts Bob.", "Alice: Never not trust Bob."),
        ("Alice trusts Bob.", "Why doesn't Alice trust Bob?"),
    ],
)
def test_what_is_not_so_or_has_no_end_ends_nothing(old, new):
    assert not leaves_nothing_of(told(new, later=True), told(old))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Alice has a car.", "Alice: He sold his car."),
        ("Alice has a car.", "Nobody sold Alice's car."),
        ("Alice likes tea.", "Alice: She doesn't like tea."),
        ("Alice loves tea.", "Alice: Nobody loves tea."),
        ("Alice swims.", "Alice: You can't swim."),
        ("Alice doesn't drink alcohol.", "Alice: We drink alcohol."),
        ("Alice trusts Anna.", "Anna doesn't trust Alice."),
        ("Alice: Ich mag Tee.", "Alice: Er mag keinen Tee mehr."),
    ],
)
def test_what_another_does_ends_nothing(old, new):
    assert not leaves_nothing_of(told(new, later=True), told(old))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Alice takes insulin.", "Alice didn't take insulin."),
        ("Alice called mum.", "Alice didn't call mum."),
        ("Alice called mum.", "Alice doesn't call mum."),
        ("Alice has called mum.", "Alice hasn't called mum."),
        ("Alice is eating meat.", "Alice isn't eating meat."),
        ("Alice works.", "Alice doesn't work today."),
        ("Alice: Ich kaufte Milch.", "Alice: Ich kaufte keine Milch."),
    ],
)
def test_once_not_is_no_end(old, new):
    assert not leaves_nothing_of(told(new, later=True), told(old))


@pytest.mark.parametrize(("days", "is_ended"), [(-300, False), (-1, False), (0, True), (3, True)])
def test_what_was_sold_before_is_not_what_they_have(days, is_ended):
    sold = told("Alice sold their car last year", later=True, is_event=True, day=MONDAY + days * DAY)
    assert leaves_nothing_of(sold, told("Alice has a car.")) is is_ended


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
        ("My mistake, ", "Alice: Launch is on Saturday, 20 February 2027.", NEW),
        ("", OLD, "Alice: The launch is on 27 February 2027, not 20 February."),
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
        ("My mistake, ", "Alice: The launch of the boat is on 20 February 2027.", NEW),
        ("Oops, ", "Alice has a meeting on 20 February 2027.", "Alice has a meeting on 27 February 2027."),
        ("Correction: ", "Alice: The talk with Bob is on Monday.", "Alice: The talk with Eva is on Tuesday."),
        ("Correction: ", "Alice: Room 3 is booked on Monday.", "Alice: Room 4 is booked on Tuesday."),
        ("Correction: ", "Alice: The 1st talk is on Monday.", "Alice: The 2nd talk is on Tuesday."),
        ("Correction: ", "Alice: She comes on Monday.", "Alice: She comes on Tuesday."),
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


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Alice: The launch is on the 20th.", "Alice: The launch is on the 27th."),
        ("Alice's mum's birthday is 3 March.", "Alice: Mum's birthday is 5 March."),
        ("Alice: The class is at 5 pm.", "Alice: The class is at 6 pm."),
    ],
)
def test_a_day_that_has_no_date_is_put_right_too(old, new):
    assert leaves_nothing_of(told(new, later=True, opening="Correction: "), told(old))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Alice has 5 cups.", "Alice broke 2 cups."),
        ("Alice's doctor is in room 12.", "Alice's dentist is in room 14."),
        ("Alice: The rent is 900 euros.", "Alice: The rent of the garage is 50 euros."),
        ("Alice's first son is 5.", "Alice's second son is 7."),
        ("Alice's son is 5.", "Alice's other son is 7."),
        ("Alice's son is 5.", "Alice: Their son is 7."),
        ("Bob owes Alice 5 euros.", "Alice owes Bob 7 euros."),
        ("Alice: Bob owes Eva 5 euros.", "Alice: Eva owes Bob 7 euros."),
    ],
)
@pytest.mark.parametrize("opening", ["Correction: ", "Sorry, "])
def test_the_figure_of_something_else_corrects_nothing(opening, old, new):
    assert not leaves_nothing_of(told(new, later=True, opening=opening), told(old))
