"""What was just said is found like what was said before, whenever it is asked."""

from dataclasses import replace
from typing import NoReturn

import pytest

from memory.config import RecallConfig
from memory.domain.types import Kind
from memory.errors import ProviderUnavailable
from memory.services import recall_fresh
from memory.services.drain import drain_outbox
from memory.services.recall_fresh import MOST, MOST_CHARS, compare_fresh
from memory.services.recall_items import live_items
from memory.services.recall_plan import Asked
from memory.services.recall_search import search_kind
from tests.memory.recalling import Memory, TopicEmbedder, texts
from tests.memory.services.test_recall_items import asked

pytestmark = pytest.mark.django_db
SAID = "The puppy of my office is called Rex."


def fresh_cosines(made: Asked) -> dict[str, float]:
    shortlists = search_kind([made], Kind.TURN)
    live = live_items(made, *shortlists)
    (compared,) = compare_fresh([made], shortlists, live)
    return {
        live[entry.uid].text: round(float(cosine), 3)
        for entry, cosine in zip(compared.entries, compared.cosines, strict=True)
    }


def test_the_cosine_is_the_one_that_will_be_stored(memory: Memory) -> None:
    memory.say(("Alice", SAID), is_embedded=False)
    made = asked(memory, "What is the office puppy called yesterday?")
    before = fresh_cosines(made)
    assert before[SAID] > 0.5
    drain_outbox(memory.space.id)
    assert fresh_cosines(made) == before


def test_the_answer_is_the_same_before_the_vector_is_stored_and_after(memory: Memory) -> None:
    memory.say(("Alice", SAID), is_embedded=False)
    question = "Which puppy is at the office every other Tuesday afternoon?"
    assert texts(memory.ask(question)) == [SAID]
    drain_outbox(memory.space.id)
    assert texts(memory.ask(question)) == [SAID]


def test_what_means_something_else_stays_below_the_floor(memory: Memory) -> None:
    memory.say(("Alice", "My tea is called Rex."), is_embedded=False)
    assert memory.ask("Which city is called home?", config=RecallConfig.STANDARD).hits == ()


def test_only_a_few_short_texts_are_compared(memory: Memory) -> None:
    lines = [("Alice", f"{SAID} {number}") for number in range(MOST + 3)]
    memory.say(*lines, ("Alice", "puppy " * MOST_CHARS), is_embedded=False)
    found = fresh_cosines(asked(memory, "Which puppy is called Rex?"))
    assert sum(cosine > 0 for cosine in found.values()) == MOST
    assert found["puppy " * MOST_CHARS] == 0


def test_no_call_of_an_api_is_made_for_it(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    memory.say(("Alice", SAID), is_embedded=False)
    monkeypatch.setattr(TopicEmbedder, "makes_tokens", False)
    assert fresh_cosines(asked(memory, "Which puppy?"))[SAID] == 0


def test_an_embedder_that_fails_leaves_the_words(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    memory.say(("Alice", SAID), is_embedded=False)
    made = asked(memory, "Which puppy?")

    class Away(TopicEmbedder):
        def embed(self, *_texts: object, **_options: object) -> NoReturn:
            raise ProviderUnavailable("Away.")

    monkeypatch.setattr(recall_fresh, "embedder", Away)
    assert fresh_cosines(made)[SAID] == 0


def test_a_question_without_vectors_is_left_as_it_is(memory: Memory) -> None:
    memory.say(("Alice", SAID), is_embedded=False)
    assert fresh_cosines(replace(asked(memory, "Which puppy?"), embeddings=()))[SAID] == 0
