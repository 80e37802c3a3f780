"""What only repeats the question or what is remembered is no evidence."""

from uuid import uuid4

import pytest

from memory.domain.selection import ECHO
from memory.domain.types import Role
from memory.services.recall_echo import is_quoting
from tests.memory.recalling import Memory, reasons, texts
from tests.memory.talking import talk

pytestmark = pytest.mark.django_db

QUOTING = "- Alice has a dog called Rex. [1]\n- Alice (4 May 2026): “My dog Rex barks.” [2]"


@pytest.mark.parametrize(
    ("answer", "is_only_quoting"),
    [
        (QUOTING, True),
        ("Noted: “My dog Rex barks.”\nRelated: Alice has a dog called Rex. [1]", True),
        ("Ваша собака лает. [1]", True),
        ("I have nothing stored about that yet.", True),
        ("Terriers bark at strangers because they guard.", False),
        (f"{QUOTING}\nA trainer in Lyon helps with barking.", False),
    ],
)
def test_an_answer_is_told_from_a_quotation(answer, is_only_quoting):
    (turn,) = talk(("", answer))
    assert is_quoting(turn) is is_only_quoting


def test_a_person_who_quotes_is_no_assistant():
    (turn,) = talk(("Alice", QUOTING))
    assert turn.role is Role.USER
    assert not is_quoting(turn)


@pytest.mark.parametrize(
    "answer",
    [
        QUOTING,
        "Your dog is called Rex.",  # a model that cites nothing
        "Sure! You told me that your dog Rex barks at the postman.",
        "What is my dog called?",
    ],
)
def test_an_answer_that_repeats_what_is_remembered_is_left_out(memory: Memory, answer):
    told = memory.say(("Alice", "My dog is called Rex and barks at the postman."))
    memory.say(("Alice", "What is my dog called?"), ("", answer))
    recalled = memory.ask("What is my dog called?")
    assert texts(recalled)[0] == told[0].text
    assert answer not in texts(recalled)
    assert reasons(recalled)[answer] == ECHO


def test_a_question_that_asked_for_more_answers_nothing(memory: Memory):
    told = memory.say(("Alice", "I live in Berlin by the river."))
    asked = "Where do I live, and what does my dog drink?"
    memory.say(("Alice", asked), session_id=uuid4())
    recalled = memory.ask("Where do I live?")
    assert texts(recalled)[0] == told[0].text
    assert asked not in texts(recalled)
    assert reasons(recalled)[asked] == ECHO


def test_what_somebody_else_asked_or_a_statement_beside_the_question_stays(memory: Memory):
    memory.say(
        ("Ben", "Where do I live, and who moved my flat?"), ("Alice", "I live in Berlin. Where do you live?")
    )
    found = texts(memory.ask("Where do I live?"))
    assert any("I live in Berlin" in text for text in found)


def test_what_an_assistant_adds_is_still_found(memory: Memory):
    memory.say(("Alice", "My dog Rex barks."))
    memory.say(("", "Your dog Rex barks. A trainer in Lyon called Odile teaches every dog to be quiet."))
    assert any("Odile" in text for text in texts(memory.ask("Which dog trainer is there?")))


def test_what_an_assistant_said_is_found_when_that_is_asked(memory: Memory):
    memory.say(("Alice", "My dog Rex barks."), ("", "Your dog Rex barks out of fear, I believe."))
    found = texts(memory.ask("What did you say about my dog Rex?"))
    assert "Your dog Rex barks out of fear, I believe." in found


def test_the_same_question_asked_before_answers_nothing(memory: Memory):
    memory.say(("Alice", "My dog is called Rex."), ("Alice", "What is my dog called?"))
    recalled = memory.ask("What is my dog called?")
    assert reasons(recalled)["What is my dog called?"] == ECHO
    assert texts(recalled) == ["My dog is called Rex."]


@pytest.mark.parametrize("request_", ["Show me the picture of my dog, please.", "Tell me about my dog."])
def test_a_request_made_before_answers_nothing(memory: Memory, request_):
    memory.say(("Alice", "My dog is black and white."), ("Alice", request_))
    recalled = memory.ask("What does my dog look like?")
    assert texts(recalled) == ["My dog is black and white."]
    assert reasons(recalled)[request_] == ECHO


def test_a_question_that_tells_more_is_kept(memory: Memory):
    memory.say(("Alice", "Is my dog Rex too old for agility in Bremen?"))
    assert len(memory.ask("What is my dog called?").hits) == 1


def test_an_answer_that_quotes_is_not_shown_around_others(memory: Memory):
    memory.say(("Alice", "My dog is called Rex."), ("", QUOTING))
    recalled = memory.ask("What is my dog called?")
    assert texts(recalled) == ["My dog is called Rex."]
    assert "4 May 2026" not in recalled.context


def test_greetings_and_questions_of_something_else_are_not_recalled(memory: Memory):
    """All share the topic's direction, so the vector finds them."""
    memory.say(("Alice", "Hello my home!"), ("Alice", "Which flat costs less?"), ("Ben", "Is the city big?"))
    memory.say(("Alice", "I moved to Paris."), session_id=uuid4())
    recalled = memory.ask("Where do I live?")
    assert texts(recalled) == ["I moved to Paris."]


def test_greetings_and_own_questions_are_not_shown_around_others(memory: Memory):
    memory.say(
        ("Alice", "Which flat costs less?"), ("Alice", "I live in Paris."), ("Ben", "Hi Alice!"),
        ("Ben", "Is your home big?"), ("Alice", "I live there with a cat."),
    )  # fmt: skip
    shown = {turn.text for hit in memory.ask("Where do I live?").hits for turn in hit.evidence}
    assert shown == {"I live in Paris.", "Is your home big?", "I live there with a cat."}
