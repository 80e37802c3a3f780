"""The invariants that only rows show, read from the database of a server that is gone."""

import re
import sqlite3
from collections import defaultdict
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

_CODE_WORD = re.compile(r"\b(?:[a-z]{2}){3}q[bdfgklmnprstvxz]+\b")
Row = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Source:
    """A turn on which a record rests, as the evidence row and the turn's own row name it."""

    record_id: object
    record_text: str
    record_space: object
    named: Row  # session, index and space by the evidence row
    turn: Row | None  # the same by the turn's row
    said: str


def check_rows(database: Path) -> int:
    """Fail unless every invariant holds; returns how many records were looked at."""
    with closing(sqlite3.connect(database)) as connection:
        _check_work(connection)
        return check_provenance(connection)


def _check_work(connection: sqlite3.Connection) -> None:
    def rows(query: str) -> list[Row]:
        return connection.execute(query).fetchall()

    assert rows("SELECT state FROM accounts_job WHERE state NOT IN ('done', 'failed')") == []
    # Killed three times over one job: that it ends there is what is promised.
    failed = rows("SELECT error FROM accounts_job WHERE state = 'failed' AND error NOT LIKE '%was cut off%'")
    assert failed == [], "a job failed by itself"
    assert rows("SELECT id FROM sessions_app_sessionturn WHERE state = 'pending'") == []
    overlapping = rows(
        "SELECT a.id FROM sessions_app_segment a JOIN sessions_app_segment b"
        " ON a.session_id = b.session_id AND a.id != b.id"
        " AND a.first_turn < b.end_turn AND b.first_turn < a.end_turn"
    )
    assert overlapping == [], "a turn lies in two segments"
    unfiled = rows(
        "SELECT t.id FROM sessions_app_sessionturn t WHERE t.role = 'user' AND NOT EXISTS ("
        " SELECT 1 FROM sessions_app_segment s WHERE s.session_id = t.session_id"
        " AND s.state IN ('encoded', 'repaired', 'fallback', 'skipped')"
        ' AND t."index" >= s.first_turn AND t."index" < s.end_turn)'
    )
    assert unfiled == [], "a turn was never filed"
    doubled = rows(
        "SELECT semantic_text FROM memory_memoryrecord WHERE expired_at IS NULL"
        " GROUP BY space_id, private_to_id, content_hash HAVING COUNT(*) > 1"
    )
    assert doubled == [], "a record is doubled"


def check_provenance(connection: sqlite3.Connection) -> int:
    """Fail unless each record rests on turns that exist and say what it says."""
    bare = connection.execute(
        "SELECT semantic_text FROM memory_memoryrecord r WHERE expired_at IS NULL"
        " AND NOT EXISTS (SELECT 1 FROM memory_recordevidence e WHERE e.record_id = r.id)"
    ).fetchall()
    assert bare == [], "a record rests on nothing"
    by_record = defaultdict(list)
    for source in sources(connection):
        assert source.turn is not None, f"the evidence of {source.record_text!r} is gone"
        assert source.named == source.turn, f"{source.record_text!r} names the wrong turn"
        assert source.record_space == source.turn[-1], f"{source.record_text!r} rests on another space"
        by_record[source.record_id].append(source)
    for held in by_record.values():
        check_words(held[0].record_text, [source.said for source in held])
    return len(by_record)


def check_words(record: str, said: list[str]) -> None:
    """Fail unless each code word of the record was said in its evidence, and each turn gave one."""
    words = set(_CODE_WORD.findall(record))
    known = [set(_CODE_WORD.findall(text)) for text in said]
    assert words, f"{record!r} holds nothing that was told"
    assert words <= set().union(*known), f"{record!r} was not said in its evidence"
    assert all(words & each for each in known), f"{record!r} rests on a turn that does not say it"


def sources(connection: sqlite3.Connection) -> list[Source]:
    """Every evidence row of a live record, beside the turn that it names."""
    found = connection.execute(
        "SELECT r.id, r.semantic_text, r.space_id, e.session_id, e.turn_index, e.space_id,"
        ' t.session_id, t."index", t.space_id, t.content FROM memory_memoryrecord r'
        " JOIN memory_recordevidence e ON e.record_id = r.id"
        " LEFT JOIN sessions_app_sessionturn t ON t.id = e.turn_id WHERE r.expired_at IS NULL"
    ).fetchall()
    return [
        Source(row[0], row[1], row[2], tuple(row[3:6]), tuple(row[6:9]) if row[6] else None, row[9] or "")
        for row in found
    ]
