"""How items fared before is a small, visible term of their score."""

from dataclasses import replace

import pytest

from memory.config import RecallConfig
from memory.domain.types import Kind
from memory.models import MemoryRecord, UsageCount
from tests.memory.recalling import Memory, texts

pytestmark = pytest.mark.django_db
OFF = replace(RecallConfig.STANDARD, usage_weight=0.0)


def fared(memory: Memory, record: MemoryRecord, *, success: int = 0, fail: int = 0) -> None:
    UsageCount.objects.for_space(memory.space.id).create(
        space_id=memory.space.id, item_id=record.id, kind=Kind.RECORD, success=success, fail=fail
    )


@pytest.fixture
def alike(memory: Memory) -> list[MemoryRecord]:
    """Two records that answer equally well."""
    return [memory.learn(text) for text in ("Alice has a dog.", "Bob has a dog.")]


def order(memory: Memory, config: RecallConfig = RecallConfig.STANDARD) -> list[str]:
    return texts(memory.ask("Who has a dog?", config=config))


@pytest.mark.parametrize("effort", ["STANDARD", "FAST"])
def test_of_equals_the_one_that_helped_comes_first(memory: Memory, alike, effort):
    config = getattr(RecallConfig, effort)
    before = order(memory, config)
    last = next(record for record in alike if record.semantic_text == before[-1])
    fared(memory, last, success=8)
    assert order(memory, config) == before[::-1]


def test_one_that_failed_falls_behind(memory: Memory, alike):
    before = order(memory)
    first = next(record for record in alike if record.semantic_text == before[0])
    fared(memory, first, fail=8)
    assert order(memory) == before[::-1]


def test_the_term_is_shown_and_bounded(memory: Memory, alike):
    fared(memory, alike[0], success=10**6)
    best = memory.ask("Who has a dog?", config=OFF).hits[0].rank_score
    hits = {hit.id: hit for hit in memory.ask("Who has a dog?").hits}
    assert 0.04 * best < hits[alike[0].id].breakdown["usage"] <= 0.05 * best
    assert "usage" not in hits[alike[1].id].breakdown


def test_it_can_be_switched_off(memory: Memory, alike):
    before = order(memory, OFF)
    last = next(record for record in alike if record.semantic_text == before[-1])
    fared(memory, last, success=8)
    assert order(memory, OFF) == before
    assert all("usage" not in hit.breakdown for hit in memory.ask("Who has a dog?", config=OFF).hits)


def test_nothing_is_recalled_for_its_usage_alone(memory: Memory, alike):
    fared(memory, memory.learn("Carol drinks tea."), success=10**6)
    assert "Carol drinks tea." not in order(memory)[:2]


def test_it_moves_no_absolute_score(memory: Memory, alike):
    before = {hit.id: hit.score for hit in memory.ask("Who has a dog?").hits}
    fared(memory, alike[0], success=8)
    assert {hit.id: hit.score for hit in memory.ask("Who has a dog?").hits} == before
