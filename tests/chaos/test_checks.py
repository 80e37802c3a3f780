"""The checks of the chaos rounds fail when a promise is broken."""

import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing

import pytest

from tests.chaos.ledger import Ledger, Sent, code_word
from tests.chaos.models import pace
from tests.chaos.rows import check_provenance, check_words

WORD = code_word(random.Random(1), 7)
TOLD = f"Crate number 7 has the code name {WORD} and stands in the north hall."


def turn(index: int, text: str, role: str = "user") -> dict[str, object]:
    return {"index": index, "role": role, "content": text}


@pytest.fixture
def ledger() -> Ledger:
    made = Ledger("talk")
    made.attempt(Sent(WORD, TOLD), Sent("", "never heard of"))
    made.acknowledge(Sent(WORD, TOLD, 0))
    made.answered(1, "Noted.")
    return made


def test_a_kept_promise_passes(ledger: Ledger) -> None:
    ledger.check([turn(0, TOLD), turn(1, "Noted.", "assistant"), turn(2, "never heard of")])


@pytest.mark.parametrize(
    "transcript",
    [
        [turn(1, TOLD)],
        [turn(0, "never heard of"), turn(1, "Noted.", "assistant")],
        [turn(0, TOLD), turn(1, "Not", "assistant")],
        [turn(0, TOLD), turn(1, "Noted.", "assistant"), turn(2, TOLD)],
        [turn(0, TOLD), turn(1, "Noted.", "assistant"), turn(2, "nobody said this")],
    ],
    ids=["gap", "lost", "answer cut", "doubled", "made up"],
)
def test_a_broken_promise_fails(ledger: Ledger, transcript: list[dict[str, object]]) -> None:
    with pytest.raises(AssertionError):
        ledger.check(transcript)


def test_a_record_must_say_what_its_evidence_said() -> None:
    other = TOLD.replace(WORD, code_word(random.Random(2), 8))
    check_words(f"chaos: {TOLD}", [TOLD])
    for record, said in ((TOLD, [other]), (TOLD, [TOLD, other]), ("Crates exist.", [TOLD])):
        with pytest.raises(AssertionError):
            check_words(record, said)


@pytest.fixture
def rows() -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(
            "CREATE TABLE memory_memoryrecord (id, semantic_text, space_id, expired_at);"
            "CREATE TABLE memory_recordevidence (record_id, session_id, turn_index, space_id, turn_id);"
            'CREATE TABLE sessions_app_sessionturn (id, session_id, "index", space_id, content);'
            "INSERT INTO memory_memoryrecord VALUES ('r', '', 'a', NULL);"
            "INSERT INTO memory_recordevidence VALUES ('r', 's', 0, 'a', 't');"
            "INSERT INTO sessions_app_sessionturn VALUES ('t', 's', 0, 'a', '');"
        )
        connection.execute("UPDATE memory_memoryrecord SET semantic_text = ?", [TOLD])
        connection.execute("UPDATE sessions_app_sessionturn SET content = ?", [TOLD])
        yield connection


def test_right_provenance_passes(rows: sqlite3.Connection) -> None:
    assert check_provenance(rows) == 1


@pytest.mark.parametrize(
    "damage",
    [
        "DELETE FROM memory_recordevidence",
        "DELETE FROM sessions_app_sessionturn",
        "UPDATE sessions_app_sessionturn SET session_id = 'other'",
        'UPDATE sessions_app_sessionturn SET "index" = 5',
        "UPDATE memory_memoryrecord SET space_id = 'b'",
        "UPDATE sessions_app_sessionturn SET content = 'Something else.'",
    ],
)
def test_wrong_provenance_fails(rows: sqlite3.Connection, damage: str) -> None:
    rows.execute(damage)
    with pytest.raises(AssertionError):
        check_provenance(rows)


def test_seeds_give_the_same_paces_again() -> None:
    first, second, other = (pace(random.Random(seed), "encode") for seed in (5, 5, 6))
    assert first == second != other
    assert first.delay > 0
