"""The channels of evidence nodes as columns of the records' ranking."""

from dataclasses import replace

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from memory.config import RecallConfig
from memory.domain.types import Effort
from memory.models import MemoryRecord
from memory.services.composite_rows import Audience
from memory.services.entity_rows import learn_aliases
from memory.services.recall_evidence import _CHANNELS
from tests.memory.hanging import hang
from tests.memory.recalling import Memory, texts

TABLES = ("memory_evidencelink", "memory_entityname", "memory_evidencenode", "memory_relation")
STANDARD = RecallConfig.STANDARD


def without() -> RecallConfig:
    none = dict.fromkeys(_CHANNELS, 0.0)
    return replace(
        STANDARD, records=replace(STANDARD.records, **none), evidence=replace(STANDARD.evidence, **none)
    )


def every() -> RecallConfig:
    all_of = dict.fromkeys(_CHANNELS, 0.5)
    return replace(
        STANDARD, records=replace(STANDARD.records, **all_of), evidence=replace(STANDARD.evidence, **all_of)
    )


@pytest.fixture
def flowers(memory: Memory) -> MemoryRecord:
    """Two people who drink; only an alias tells which one is asked about."""
    turns = memory.say(("Alice", "Anna drinks tea at home."), ("Alice", "Ben drinks tea at home."))
    anna = memory.learn("Anna drinks tea at home.", turns[0], entities=["Anna"])
    hang(anna)
    hang(memory.learn("Ben drinks tea at home.", turns[1], entities=["Ben"]))
    learn_aliases(Audience(memory.space.id, None), {"Alice's wife": "Anna"})
    return anna


def asked_tables(memory: Memory, question: str, **options: object) -> set[str]:
    with CaptureQueriesContext(connection) as queries:
        memory.ask(question, **options)  # type: ignore[arg-type]
    return {table for table in TABLES for query in queries if table in query["sql"]}


def test_an_alias_puts_the_one_who_is_meant_first(memory, flowers):
    found = memory.ask("Does my wife drink tea?", config=every())
    assert texts(memory.ask("Does my wife drink tea?", config=without()))[0] != flowers.semantic_text
    assert texts(found)[0] == flowers.semantic_text
    assert found.hits[0].breakdown["node_name"] == 1.0
    assert "node_vector" in found.hits[0].breakdown


def test_a_channel_that_weighs_nothing_is_neither_asked_nor_shown(memory, flowers):
    assert asked_tables(memory, "Does my wife drink tea?", config=without()) == set()
    shown = memory.ask("Does my wife drink tea?", config=without()).hits[0].breakdown
    assert not set(_CHANNELS) & set(shown)


def test_fast_pays_for_none(memory, flowers):
    assert asked_tables(memory, "Does my wife drink tea?", effort=Effort.FAST) == set()


def test_all_together_are_shown_and_find_the_same_items(memory, flowers):
    found = memory.ask("Does my wife drink tea?", config=every(), session_id=memory.session_id)
    assert set(_CHANNELS) <= set(found.hits[0].breakdown)
    assert all(
        0 <= hit.breakdown[name] <= 1 for hit in found.hits for name in _CHANNELS if hit.kind == "record"
    )
    assert texts(found)[0] == flowers.semantic_text


def test_they_bring_nothing_that_the_floor_would_not_let_pass(memory, flowers):
    assert texts(memory.ask("Does my wife own a volcano?", config=every())) == texts(
        memory.ask("Does my wife own a volcano?", config=without())
    )


def test_a_memory_without_evidence_is_recalled_as_before(memory):
    (turn,) = memory.say(("Alice", "My dog drinks tea."))
    memory.learn("Alice's dog drinks tea.", turn)
    assert texts(memory.ask("What does my dog drink?", config=every())) == texts(
        memory.ask("What does my dog drink?", config=without())
    )


def test_the_queries_of_a_recall_do_not_grow_with_the_records(memory):
    counts = []
    for size in (2, 12):
        for number in range(size):
            (turn,) = memory.say(("Alice", f"Kim{number} drinks tea."))
            hang(memory.learn(f"Kim{number} drinks tea.", turn, entities=[f"Kim{number}"], topics=["tea"]))
        with CaptureQueriesContext(connection) as queries:
            memory.ask("Does Kim1 drink tea?", config=every())
        counts.append(sum(any(table in query["sql"] for table in TABLES) for query in queries))
    assert counts[0] == counts[1] <= 12
