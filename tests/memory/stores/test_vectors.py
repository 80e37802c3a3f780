"""What is LanceDB's own: files without text, errors in our words, one connection a process."""

import os
from pathlib import Path
from typing import Any
from uuid import uuid4

import numpy as np
import pytest

from memory.config import EmbedderSpec, IndexConfig
from memory.domain.types import Kind, Reader
from memory.errors import ProviderError, ProviderUnavailable
from memory.stores import vectors
from memory.stores.vectors import LanceTable
from tests.memory.stores.test_matrix import rows

SPEC = EmbedderSpec("sentence-transformers/test model", 2)
SPACE = uuid4()


@pytest.fixture
def table(tmp_path: Path) -> LanceTable:
    return LanceTable(tmp_path / "lance", SPEC, IndexConfig(optimize_commits=3))


def test_a_name_with_odd_characters_becomes_a_table(table: LanceTable):
    table.write(SPACE, Kind.TURN, rows({1: 0.5}))
    assert table._names() == ["turn-sentence-transformers_test_model-2"]
    assert table.seqs(SPACE, Kind.TURN) == {1: 1}


def test_a_table_that_another_process_is_just_making_is_made_together(table: LanceTable, tmp_path: Path):
    (tmp_path / "lance" / "turn-sentence-transformers_test_model-2.lance").mkdir(parents=True)
    assert table._names() == ["turn-sentence-transformers_test_model-2"], "listed, and not to be opened yet"
    table.write(SPACE, Kind.TURN, rows({1: 0.5}))
    assert table.seqs(SPACE, Kind.TURN) == {1: 1}


def test_many_commits_are_put_together_when_it_is_time(table: LanceTable):
    table.write(SPACE, Kind.TURN, rows({1: 0.5}))
    made = table._table(Kind.TURN)
    before = made.version
    table.optimize()
    assert made.version == before
    for item in range(2, 8):
        table.write(SPACE, Kind.TURN, rows({item: 0.5}))
    table.optimize()
    assert len(table.seqs(SPACE, Kind.TURN)) == 7
    stats: Any = made.stats()
    assert stats["fragment_stats"]["num_fragments"] == 1
    assert set(table.seqs(SPACE, Kind.TURN)) == set(range(1, 8))


def test_nearest_states_its_filter_before_the_search(table: LanceTable):
    other = uuid4()
    table.write(other, Kind.TURN, rows(dict.fromkeys(range(100), 1.0)))
    table.write(SPACE, Kind.TURN, rows({500: -0.5}))
    found = table.nearest(Reader(SPACE, uuid4()), Kind.TURN, np.array([1, 0], np.float32), limit=3)
    assert found.items.tolist() == [500]


def test_a_connection_belongs_to_its_process(table: LanceTable, monkeypatch: pytest.MonkeyPatch):
    first = table._connection()
    assert table._connection() is first
    monkeypatch.setattr(os, "getpid", lambda: -1)
    assert table._connection() is not first


def test_a_commit_conflict_is_tried_again():
    attempts: list[int] = []

    def work() -> str:
        attempts.append(1)
        if len(attempts) < 3:
            raise RuntimeError("lance error: Retryable commit conflict for version 7")
        return "done"

    assert vectors._retried(work) == "done"
    assert len(attempts) == 3


def test_a_lasting_conflict_may_be_tried_later_and_another_failure_may_not():
    def fail(words: str) -> None:
        raise RuntimeError(words)

    with pytest.raises(ProviderUnavailable):
        vectors._retried(lambda: fail("commit conflict"))
    with pytest.raises(ProviderError) as raised:
        vectors._retried(lambda: fail("disk full"))
    assert not raised.value.is_retryable


def test_no_text_is_written_to_the_files(table: LanceTable, tmp_path: Path):
    table.write(SPACE, Kind.TURN, rows({1: 0.5}))
    columns = set(table._table(Kind.TURN).schema.names)
    assert columns == {"space_id", "item", "seq", "session", "position", "owner", "vector"}
