"""A question of nothing but its asker brings the newest records about them."""

from datetime import timedelta
from uuid import uuid4

import pytest

from memory.domain.types import EncodedRelation, Kind, MemoryType, Question
from memory.ports import AnswerRequest
from memory.providers.offline_language.answerer import compose_answer
from memory.services.recall_asker import MOST, MOST_SAID
from tests.memory.hanging import hang
from tests.memory.indexing import make_user
from tests.memory.recalling import LATER, MONDAY, Memory, texts

pytestmark = pytest.mark.django_db


def learn(memory: Memory, text: str, day: int, **fields: object) -> None:
    (said,) = memory.say(("Alice", text), at=MONDAY + timedelta(days=day))
    memory.learn(text, said, owner=None, **fields)


@pytest.mark.parametrize(
    "question",
    ["What do you remember about me?", "What do you know about me?", "Who am I?", "Was weißt du über mich?"],
)
def test_the_newest_come_first_and_are_cited(memory: Memory, question):
    learn(memory, "Alice lives in Berlin.", 0)
    learn(memory, "Alice drinks tea.", 1)
    recalled = memory.ask(question)
    assert texts(recalled)[:2] == ["Alice drinks tea.", "Alice lives in Berlin."]
    asked = AnswerRequest(Question(question, LATER, "UTC"), recalled.hits, context="", window=())
    assert compose_answer(asked) == "- Alice drinks tea. [1]\n- Alice lives in Berlin. [2]"


def test_a_name_comes_before_them(memory: Memory):
    learn(memory, "Alice is called Alice Weiss.", 0, slot="name", value="Alice Weiss")
    for day in range(1, MOST + 2):
        learn(memory, f"Alice has dog number {day}.", day)
    assert texts(memory.ask("What is my name?")) == ["Alice is called Alice Weiss."]
    assert texts(memory.ask("Who am I?"))[0] == "Alice is called Alice Weiss."


def test_who_they_are_comes_before_trifles_and_what_is_left_out_is_counted(memory: Memory):
    learn(memory, "Alice lives in Berlin.", 0, slot="residence", value="Berlin")
    (said,) = memory.say(("Alice", "My sister Karin paints."), at=MONDAY)
    sister = memory.learn("Alice's sister Karin paints.", said)
    hang(sister, EncodedRelation("Alice", "sister", "Karin"))
    for day in range(1, MOST + 3):
        learn(memory, f"Alice has dog number {day}.", day)
    recalled = memory.ask("What do you remember about me?")
    assert set(texts(recalled)[:2]) == {"Alice lives in Berlin.", "Alice's sister Karin paints."}
    assert (len(recalled.hits), recalled.beyond) == (MOST, 4)
    question = Question("What do you remember about me?", LATER, "UTC")
    asked = AnswerRequest(question, recalled.hits, context="", window=(), beyond=recalled.beyond)
    lines = compose_answer(asked).splitlines()
    assert len(lines) == MOST + 1
    assert lines[-1] == "- The memory list shows all of them; left out here: 4"


def test_neither_others_nor_the_expired_nor_the_private_of_others(memory: Memory):
    learn(memory, "Alice drinks tea.", 0)
    learn(memory, "Ben has a zeppelin.", 1, subject="Ben")
    memory.learn("Alice has a secret.", owner=make_user("bob"))
    memory.expire(memory.learn("Alice had a boat."), LATER)
    assert texts(memory.ask("What do you know about me?")) == ["Alice drinks tea."]


def test_another_question_is_searched_as_ever(memory: Memory):
    learn(memory, "Alice drinks tea.", 0)
    assert memory.ask("What do you know about me and the volcano?").hits == ()


def test_filters_narrow_them_before_they_are_counted(memory: Memory):
    learn(memory, "Alice lives in Berlin.", 0, entities=["Berlin"])
    hidden = uuid4()
    for day in range(1, MOST + 2):
        (said,) = memory.say(("Alice", f"Dog {day}."), session_id=hidden, at=MONDAY + timedelta(days=day))
        memory.learn(f"Alice has dog number {day}.", said, memory_type=MemoryType.EVENT)
    for filters in (
        {"exclude": [hidden]},
        {"types": frozenset({MemoryType.FACT})},
        {"entities": ("Berlin",)},
    ):
        assert texts(memory.ask("What do you know about me?", **filters)) == ["Alice lives in Berlin."]


def test_what_was_expired_later_was_known_then(memory: Memory):
    learn(memory, "Alice drinks tea.", 3, learned_at=LATER)
    memory.expire(memory.learn("Alice had a boat.", learned_at=MONDAY), LATER)
    about_me = "What do you know about me?"
    assert texts(memory.ask(about_me, known_at=MONDAY + timedelta(days=1))) == ["Alice had a boat."]


def test_what_is_not_filed_yet_is_told_as_said(memory: Memory):
    learn(memory, "Alice lives in Berlin.", 0)
    memory.say(
        ("Alice", "I have a son."), ("", "Nice."), ("Alice", "Where do I live?"), ("Ben", "I own a ship.")
    )
    question = "What do you remember about me?"
    recalled = memory.ask(question)
    assert texts(recalled) == ["Alice lives in Berlin.", "I have a son."]
    asked = AnswerRequest(Question(question, LATER, "UTC"), recalled.hits, context="", window=())
    assert compose_answer(asked) == "- Alice lives in Berlin. [1]\n- Alice (4 May 2026): “I have a son.” [2]"


def test_what_is_filed_under_an_expired_or_a_like_record_is_not_told_again(memory: Memory):
    learn(memory, "Alice drinks tea.", 0)
    said = memory.say(("Alice", "I had a boat."), ("Alice", "Tea is what Alice drinks."))
    memory.expire(memory.learn("Alice had a boat.", said[0]), MONDAY)
    assert texts(memory.ask("What do you know about me?")) == ["Alice drinks tea."]


def test_records_keep_half_of_the_room_and_a_question_of_the_name_brings_names_alone(memory: Memory):
    for number in range(MOST):
        learn(memory, f"Alice has dog number {number}.", 0)
    names = ("Amber", "Birch", "Cedar", "Daisy", "Elder", "Fir", "Gorse")
    memory.say(*[("Alice", f"I own the ship {name}.") for name in names])
    memory.say(("Alice", "My name is Alice Weiss."))
    kinds = [hit.kind for hit in memory.ask("What do you know about me?").hits]
    assert kinds == [Kind.RECORD] * MOST_SAID + [Kind.TURN] * (MOST - MOST_SAID)
    assert texts(memory.ask("What is my name?")) == ["My name is Alice Weiss."]
