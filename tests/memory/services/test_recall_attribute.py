"""A question of an attribute finds its value, in whatever words it was told."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any

import pytest

from memory.domain.types import Question
from memory.models import MemoryRecord
from memory.ports import AnswerRequest
from memory.providers.offline_language.answerer import compose_answer
from memory.services.recall_attribute import put_first
from tests.memory.indexing import make_user
from tests.memory.recalling import LATER, MONDAY, Memory, texts
from tests.memory.talking import talk

pytestmark = pytest.mark.django_db

JOB = "What is my job?"
CARPENTER = "Alice works as a carpenter."


def learn(memory: Memory, text: str, value: str, day: int = 0, **fields: object) -> MemoryRecord:
    (said,) = memory.say(("Alice", text), at=MONDAY + timedelta(days=day))
    values: dict[str, Any] = {"slot": "job", "value": value, **fields}
    return memory.learn(text, said, **values)


def test_the_newest_value_comes_first_and_is_the_answer(memory: Memory):
    learn(
        memory, "Alice works as a nurse.", "nurse", superseded_at=MONDAY + timedelta(days=1), valid_to=MONDAY
    )
    learn(memory, CARPENTER, "carpenter", day=1)
    recalled = memory.ask(JOB)
    assert texts(recalled)[0] == CARPENTER
    assert recalled.hits[0].reason.startswith("It states what is asked for")
    asked = AnswerRequest(Question(JOB, LATER, "UTC"), recalled.hits, context="", window=())
    assert compose_answer(asked) == f"{CARPENTER} [1]"


def test_what_was_said_since_and_is_not_filed_yet_counts(memory: Memory):
    learn(memory, CARPENTER, "carpenter")
    recalled = memory.ask(JOB)
    window = talk(("Alice", "I work as a sailor."), at=LATER)
    asked = AnswerRequest(Question(JOB, LATER, "UTC"), recalled.hits, context="", window=tuple(window))
    assert "sailor" in compose_answer(asked)


def test_neither_anothers_nor_the_expired_nor_the_private_nor_the_hidden(memory: Memory):
    learn(memory, "Ben works as a smith.", "smith", subject="Ben")
    memory.expire(learn(memory, "Alice works as a nurse.", "nurse"), LATER - timedelta(days=1))
    memory.learn("Alice works as a spy.", owner=make_user("bob"), slot="job", value="spy")
    assert "Alice works as a spy." not in texts(memory.ask(JOB))
    assert all(hit.breakdown.get("attribute") is None for hit in memory.ask(JOB).hits)
    learn(memory, CARPENTER, "carpenter")
    assert texts(memory.ask(JOB, exclude=[memory.session_id])) == []


def test_of_types_and_entities_only_those_that_are_asked_for(memory: Memory):
    learn(memory, CARPENTER, "carpenter")
    assert texts(memory.ask(JOB, types=frozenset({"event"}))) == []


def test_they_stand_before_all_others_and_once(memory: Memory):
    learn(memory, CARPENTER, "carpenter")
    memory.say(("Alice", "My job is hard work at the office."))
    found = texts(memory.ask(JOB))
    assert found[0] == CARPENTER
    assert len(found) == len(set(found))
    assert put_first((), ()) == []


def test_an_earlier_name_of_the_asker_is_theirs_too(memory: Memory):
    learn(memory, CARPENTER, "carpenter")
    memory.user.former_names, memory.user.display_name = ["Alice"], "Dagmar"
    memory.user.save()
    assert texts(memory.ask(JOB))[0] == CARPENTER
    assert texts(memory.ask("What do you know about me?")) == [CARPENTER]
    assert replace(memory.ask(JOB).hits[0]).subject == "Alice"


def test_what_was_before_is_answered_by_the_value_that_was_superseded(memory: Memory):
    homes: list[MemoryRecord] = []
    for day, town in enumerate(("Bonn", "Kiel", "Ulm")):
        homes.append(learn(memory, f"Alice lives in {town}.", town, day=day, slot="residence"))
    for old, new in pairwise(homes):
        old.superseded_by, old.superseded_at, old.valid_to = new, new.said_at, new.said_at
        old.save()
    assert texts(memory.ask("Where did I live before?"))[0] == "Alice lives in Kiel."
    assert texts(memory.ask("Where did we live before?"))[0] == "Alice lives in Kiel."
    assert texts(memory.ask("Where did I live before Kiel?"))[0] == "Alice lives in Bonn."
    asked = Question("Where did I live before?", LATER, "UTC")
    hits = memory.ask(asked.text).hits
    assert compose_answer(AnswerRequest(asked, hits, context="", window=())) == "Alice lives in Kiel. [1]"


def test_where_nothing_was_superseded_nothing_was_before(memory: Memory):
    learn(memory, "Alice lives in Ulm.", "Ulm", slot="residence")
    assert not any(hit.breakdown.get("attribute") for hit in memory.ask("Where did I live before?").hits)


@pytest.mark.parametrize(
    ("question", "home"),
    [
        ("Where did I live in 2012?", ["Oslo"]),
        ("我2012年住在哪里？", ["Oslo"]),
        ("Where did I live in 2016?", ["Bergen"]),
        ("Where did I live in 2005?", []),
    ],
)
def test_the_value_that_held_then_is_the_answer(memory: Memory, question, home):
    starts = [datetime(year, 1, 1, tzinfo=UTC) for year in (2010, 2015, 2020)]
    for place, (city, begun) in enumerate(zip(("Oslo", "Bergen", "Rome"), starts, strict=True)):
        text = f"In {begun.year} Alice moved to {city}."
        end = starts[place + 1] if place < 2 else None
        ended: dict[str, Any] = {"superseded_at": LATER, "valid_to": end} if end else {}
        learn(memory, text, city, slot="residence", valid_from=begun, **ended)
    hits = memory.ask(question).hits
    stated = [hit.text for hit in hits if hit.breakdown.get("attribute")]
    assert [city for city in ("Oslo", "Bergen", "Rome") if any(city in text for text in stated)] == home
    if home:
        asked = AnswerRequest(Question(question, LATER, "UTC"), hits, context="", window=())
        assert home[0] in compose_answer(asked)
        assert "Rome" not in compose_answer(asked)
