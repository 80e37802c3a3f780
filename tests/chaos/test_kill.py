"""The process is killed at random instants; on restart nothing said is missing or doubled.

`CHAOS_ROUNDS` (5) and `CHAOS_SEED` may be set; the seed is printed.
"""

import os
import random
import signal
import sqlite3
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from tests.chaos.clients import Client, Load
from tests.lychee_site.servers import running_server

ROUNDS = int(os.environ.get("CHAOS_ROUNDS", "5"))
SEED = int(os.environ.get("CHAOS_SEED", str(random.SystemRandom().randrange(10**6))))
SHORTEST, LONGEST = 0.0, 1.0  # seconds at work before the kill
SETTLE_SECONDS = 120

pytestmark = pytest.mark.chaos


def test_killed_at_random_instants_it_keeps_every_promise(tmp_path: Path) -> None:
    print(f"CHAOS_SEED={SEED} CHAOS_ROUNDS={ROUNDS}")  # noqa: T201
    with closing(Client()) as client:
        play(tmp_path, client)
    check_rows(tmp_path / "lychee.sqlite3")


def play(folder: Path, client: Client) -> None:
    rng = random.Random(SEED)
    load = Load(client, SEED)
    for number in range(ROUNDS):
        with killed_server(folder) as process:
            client.reach(process.address)
            check_promises(client, load)
            with load.running():
                if number % 2 == 0:  # else it may be killed before it has said a word
                    load.await_promises()
                threading.Event().wait(rng.uniform(SHORTEST, LONGEST))
                process.kill()
    assert load.log.acknowledged
    assert load.talk.acknowledged
    with running_server(folder) as server:
        client.reach(server.address)
        check_promises(client, load)
        settle(client)
        check_recall(client, load)


class Doomed:
    """A server process, until it is killed."""

    def __init__(self, address: str, process: "subprocess.Popen[bytes]") -> None:
        self.address = address
        self._process = process

    def kill(self) -> None:
        self._process.send_signal(signal.SIGKILL)
        self._process.wait(timeout=10)


@contextmanager
def killed_server(folder: Path) -> Iterator[Doomed]:
    with running_server(folder) as server:
        yield Doomed(server.address, server.process)


def check_promises(client: Client, load: Load) -> None:
    for ledger in (load.log, load.talk):
        ledger.check(client.transcript(ledger.session))


def settle(client: Client) -> None:
    """Wait until every job has ended and every vector is written."""
    deadline = time.monotonic() + SETTLE_SECONDS
    while time.monotonic() < deadline:
        status = client.get("/pipeline/status")
        if not (status["running_jobs"] or status["waiting_jobs"] or status["unindexed"]):
            assert status["failed_jobs"] == status["failed_segments"] == 0, status
            return
        threading.Event().wait(0.1)
    raise AssertionError(f"after {SETTLE_SECONDS} s work is still left: {status}")


def check_recall(client: Client, load: Load) -> None:
    """Every acknowledged turn is found by its code word."""
    for ledger in (load.log, load.talk):
        for sent in ledger.acknowledged:
            found = client.post(
                "/memory/search", query=f"What is {sent.word}?", effort="fast", top_k=3
            ).raise_for_status()
            assert sent.text in found.text, f"{sent.text} is not recalled"


def check_rows(database: Path) -> None:
    """The invariants that only rows show."""
    with closing(sqlite3.connect(database)) as connection:

        def rows(query: str) -> list[tuple[object, ...]]:
            return connection.execute(query).fetchall()

        assert rows("SELECT state FROM accounts_job WHERE state NOT IN ('done', 'failed')") == []
        assert rows("SELECT id FROM sessions_app_sessionturn WHERE state = 'pending'") == []
        overlapping = rows(
            "SELECT a.id FROM sessions_app_segment a JOIN sessions_app_segment b"
            " ON a.session_id = b.session_id AND a.id != b.id"
            " AND a.first_turn < b.end_turn AND b.first_turn < a.end_turn"
        )
        assert overlapping == [], "a turn lies in two segments"
        doubled = rows(
            "SELECT semantic_text FROM memory_memoryrecord WHERE expired_at IS NULL"
            " GROUP BY content_hash HAVING COUNT(*) > 1"
        )
        assert doubled == [], "a record is doubled"
