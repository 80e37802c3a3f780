"""The newest value of an attribute comes although only an older one is like the question."""

from datetime import timedelta

import pytest

from accounts.models import User
from memory.domain.types import Kind
from memory.models import MemoryRecord
from memory.services.fuse import fuse_space
from tests.memory.indexing import make_user
from tests.memory.recalling import MONDAY, Memory, texts

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)
QUESTION = "Where is my home?"
PARIS = "Alice lives in Paris."  # of the question's topic, the others of none
PORTO = "Alice got keys for Porto."
OSLO = "Alice signed a lease, Oslo."


def learn(
    memory: Memory, text: str, day: int = 0, *, owner: User | None = None, **fields: object
) -> MemoryRecord:
    (turn,) = memory.say(("Alice", f"{text}!"), at=MONDAY + day * DAY)
    values = {"slot": "residence", "value": text.rsplit(maxsplit=1)[-1]} | fields
    return memory.learn(text, turn, owner=owner, **values)


def test_it_stands_first(memory: Memory):
    learn(memory, PARIS)
    learn(memory, PORTO, day=2)
    learn(memory, OSLO, day=4)
    found = texts(memory.ask(QUESTION))
    assert found[0] == OSLO
    assert PORTO not in found


def test_an_older_value_does_not_come_for_a_newer(memory: Memory):
    learn(memory, PORTO)
    learn(memory, PARIS, day=2)
    assert PORTO not in texts(memory.ask(QUESTION))


@pytest.mark.parametrize("fields", [{"slot": "origin"}, {"subject": "Bob"}, {"expired_at": MONDAY}])
def test_another_attribute_or_person_and_what_is_expired_do_not_come(memory: Memory, fields):
    learn(memory, PARIS)
    learn(memory, PORTO, day=2, **fields)
    assert PORTO not in texts(memory.ask(QUESTION))


def test_what_another_keeps_private_does_not_come(memory: Memory):
    learn(memory, PARIS)
    learn(memory, PORTO, day=2, owner=make_user("Bob"))
    assert PORTO not in texts(memory.ask(QUESTION))


def test_as_of_a_day_the_value_of_that_day_comes(memory: Memory):
    learn(memory, PARIS)
    learn(memory, PORTO, day=2)
    learn(memory, OSLO, day=4)
    assert texts(memory.ask(QUESTION, as_of=MONDAY + 3 * DAY))[0] == PORTO


def test_nothing_comes_for_what_was_not_found(memory: Memory):
    learn(memory, PARIS)
    learn(memory, PORTO, day=2)
    found = texts(memory.ask("Which tea does a dog drink?"))
    assert PARIS not in found
    assert PORTO not in found


def test_without_vectors_one_of_two_words_finds(memory: Memory):
    memory.say(("Alice", "Gate 12 at noon"))
    assert len(memory.ask("12 34?").hits) == 1
    assert memory.ask("12 34 56 78?").hits == ()


def test_a_superseded_value_brings_the_one_that_superseded_it_and_goes(memory: Memory):
    learn(memory, PARIS)
    learn(memory, PORTO, day=2)
    fuse_space(memory.space.id)
    found = memory.ask(QUESTION).hits
    assert [hit.text for hit in found if hit.kind is Kind.RECORD] == [PORTO]
    assert found[0].text == PORTO  # before the turn in which the older was said


def test_instants_before_bring_the_superseded_value_itself(memory: Memory):
    learn(memory, PARIS, learned_at=MONDAY)
    learn(memory, PORTO, day=2, learned_at=MONDAY + 2 * DAY)
    fuse_space(memory.space.id)
    then = MONDAY + DAY
    for recalled in (memory.ask(QUESTION, as_of=then), memory.ask(QUESTION, known_at=then)):
        assert [hit.text for hit in recalled.hits if hit.kind is Kind.RECORD] == [PARIS]
    assert texts(memory.ask(QUESTION, as_of=MONDAY + 2 * DAY))[0] == PORTO
