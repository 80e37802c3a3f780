"""A question of nothing but a time brings what was said, or was the case, then."""

from datetime import timedelta
from uuid import uuid4

import pytest

from memory.domain.types import Effort, MemoryType, Question, Role
from memory.ports import AnswerRequest
from memory.providers.offline_language.answerer import compose_answer
from tests.memory.indexing import make_user
from tests.memory.recalling import LATER, Memory, texts
from tests.memory.talking import talk

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)
YESTERDAY = LATER - DAY
TOLD = "What did I tell you yesterday?"


def tell(memory: Memory, text: str, at=YESTERDAY, **fields) -> None:
    (said,) = memory.say(("Alice", text), at=at)
    memory.learn(f"Of Alice: {text}", said, **fields)


def test_records_of_the_time_and_turns_without_any_come_in_order(memory: Memory):
    tell(memory, "I live in Berlin.", YESTERDAY - DAY)
    tell(memory, "I have a dog.", YESTERDAY)
    memory.say(("Alice", "Rex broke a vase."), ("", "Oh no!"), at=YESTERDAY + timedelta(hours=1))
    tell(memory, "I drink tea.", LATER)
    assert texts(memory.ask(TOLD)) == ["Of Alice: I have a dog.", "Rex broke a vase."]


@pytest.mark.parametrize("effort", list(Effort))
def test_every_effort_knows_them(memory: Memory, effort):
    tell(memory, "I have a dog.")
    assert texts(memory.ask(TOLD, effort=effort)) == ["Of Alice: I have a dog."]


def test_the_last_ones_are_kept_where_there_are_too_many(memory: Memory):
    for hour in range(5):
        tell(memory, f"I have dog number {hour}.", YESTERDAY + timedelta(hours=hour))
    assert texts(memory.ask(TOLD, top_k=2)) == [f"Of Alice: I have dog number {n}." for n in (3, 4)]


def test_neither_questions_nor_small_talk_nor_what_others_keep_private(memory: Memory):
    memory.say(("Alice", "What did I tell you yesterday?"), ("Alice", "Thanks a lot!"), at=YESTERDAY)
    memory.say(("Bob", "My secret is tea."), owner=make_user("bob"), at=YESTERDAY)
    memory.expire(memory.learn("Alice had a boat."), LATER)
    assert memory.ask(TOLD).hits == ()


def test_every_fact_of_one_message_is_told(memory: Memory):
    (said,) = memory.say(("Alice", "I live in Freiburg and I work as a carpenter."), at=YESTERDAY)
    for text in ("Alice lives in Freiburg.", "Alice works as a carpenter."):
        memory.learn(text, said)
    assert texts(memory.ask(TOLD)) == ["Alice lives in Freiburg.", "Alice works as a carpenter."]


def test_what_another_member_told_is_ours_and_not_mine(memory: Memory):
    tell(memory, "I have a dog.")
    (said,) = memory.say(("Ben", "I sail on Sundays."), at=YESTERDAY + timedelta(hours=1))
    memory.learn("Ben sails on Sundays.", said, subject="Ben")
    memory.say(("Ben", "The harbour is closed."), at=YESTERDAY + timedelta(hours=2))
    assert texts(memory.ask(TOLD)) == ["Of Alice: I have a dog."]
    ours = texts(memory.ask("What did we talk about yesterday?"))
    assert ours == ["Of Alice: I have a dog.", "Ben sails on Sundays.", "The harbour is closed."]


def test_a_question_that_was_asked_then_was_not_told(memory: Memory):
    memory.say(("Alice", "When does my aunt visit?"), ("Alice", "我住在哪里？"), at=YESTERDAY)
    assert memory.ask(TOLD).hits == ()


def test_what_happened_is_not_what_was_said(memory: Memory):
    tell(memory, "I moved to Paris.", LATER, valid_from=YESTERDAY)
    tell(memory, "I have a dog.", YESTERDAY)
    assert texts(memory.ask("What happened yesterday?")) == ["Of Alice: I moved to Paris."]


def test_what_the_assistant_said_is_asked_for_by_its_name(memory: Memory):
    memory.say(("Alice", "My dog barks."), ("", "Dogs bark because they guard."), at=YESTERDAY)
    assert texts(memory.ask("What did you say yesterday?")) == ["Dogs bark because they guard."]


def test_a_question_that_names_something_is_searched_as_ever(memory: Memory):
    tell(memory, "I have a dog called Rex.")
    tell(memory, "I drink tea.")
    assert texts(memory.ask("What did I tell you about my dog yesterday?"))[0].endswith("Rex.")


def test_the_answer_lists_them_with_what_was_said_in_this_conversation(memory: Memory):
    tell(memory, "I have a dog.")
    recalled = memory.ask(TOLD)
    window = talk(("Alice", "Rex broke a vase."), ("", "Oh no!"), ("Alice", "Is it Monday?"), at=YESTERDAY)
    assert window[0].role is Role.USER
    asked = AnswerRequest(Question(TOLD, LATER, "UTC"), recalled.hits, context="", window=tuple(window))
    assert compose_answer(asked) == "- Of Alice: I have a dog. [1]\n- “Rex broke a vase.”"


def test_of_a_time_without_memories_the_answer_says_that_there_is_nothing(memory: Memory):
    tell(memory, "I have a dog.", LATER)
    asked = AnswerRequest(Question(TOLD, LATER, "UTC"), memory.ask(TOLD).hits, context="", window=())
    assert compose_answer(asked) == "I have nothing stored about that yet."


def test_only_of_the_entities_that_are_asked_for(memory: Memory):
    tell(memory, "I have a dog called Rex.", entities=["Rex"])
    memory.say(("Alice", "Rex broke a vase."), ("Alice", "I drank tea."), at=YESTERDAY)
    tell(memory, "I moved to Paris.", entities=["Paris"])
    assert texts(memory.ask(TOLD, entities=("Rex",))) == [
        "Of Alice: I have a dog called Rex.",
        "Rex broke a vase.",
    ]
    assert memory.ask(TOLD, entities=("Zanzibar",)).hits == ()
    assert memory.ask(TOLD, types=frozenset({MemoryType.PROCEDURE})).hits == ()


def test_filters_do_not_use_up_the_places(memory: Memory):
    hidden = uuid4()
    tell(memory, "I have a dog.")
    for n in range(4):
        (said,) = memory.say(
            ("Alice", f"I drink tea {n}."), session_id=hidden, at=YESTERDAY + timedelta(hours=1)
        )
        memory.learn(f"Alice drinks tea {n}.", said, memory_type=MemoryType.PREFERENCE)
    for filters in ({"types": frozenset({MemoryType.FACT})}, {"exclude": frozenset({hidden})}):
        assert texts(memory.ask(TOLD, top_k=2, **filters)) == ["Of Alice: I have a dog."]


def test_what_was_expired_later_was_known_then(memory: Memory):
    memory.expire(memory.learn("Alice had a boat.", said_at=YESTERDAY, learned_at=YESTERDAY), LATER)
    assert memory.ask(TOLD).hits == ()
    assert texts(memory.ask(TOLD, known_at=LATER - timedelta(hours=1))) == ["Alice had a boat."]
