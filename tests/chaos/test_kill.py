"""The process is killed at random instants; on restart nothing said is missing or doubled.

A life is a data folder and some kills of the server that works on it, in every other life
with a slow model, so that kills hit planning, encoding, answering and streaming.
`CHAOS_ROUNDS` (20) and `CHAOS_SEED` may be set; each round prints its seed.
"""

import os
import random
import sys
import threading
import time
from collections import Counter
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.chaos.clients import Client, Load
from tests.chaos.ledger import Sent
from tests.chaos.models import PHASES, SlowModel
from tests.chaos.rows import check_rows
from tests.chaos.servers import killable_server, running_server

KILLS = (15, 5)  # in a life, without a model and with one, whose import makes a start twice as long
ROUNDS = int(os.environ.get("CHAOS_ROUNDS", "20"))
SEED = int(os.environ.get("CHAOS_SEED", str(random.SystemRandom().randrange(10**6))))
SHORTEST, LONGEST = 0.0, 1.0  # seconds at work before the kill
PHASE_SECONDS = 90.0  # until the model must have been asked for what is aimed at
SETTLE_SECONDS = 120

pytestmark = pytest.mark.chaos


def lives(rounds: int) -> list[int]:
    """The kills of each life."""
    each: list[int] = []
    while (left := rounds - sum(each)) > 0:
        each.append(min(KILLS[len(each) % 2], left))
    return each


@pytest.mark.parametrize(("number", "kills"), list(enumerate(lives(ROUNDS))))
def test_killed_at_random_instants_it_keeps_every_promise(number: int, kills: int, tmp_path: Path) -> None:
    with ExitStack() as stack:
        model = stack.enter_context(SlowModel(SEED + number)) if number % 2 else None
        life = Life(number, tmp_path, stack.enter_context(Client()), model)
        for kill in range(kills):
            life.round(kill)
        life.end()


@dataclass
class Life:
    """One data folder, its people, and what they were promised."""

    number: int
    folder: Path
    client: Client
    model: SlowModel | None
    hit: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.load = Load(self.client, SEED + self.number)

    @property
    def environment(self) -> Mapping[str, str]:
        return {"LLM_MODEL": "openai/test-model", "LLM_API_BASE": self.model.url} if self.model else {}

    def round(self, kill: int) -> None:
        """Start the server on what the last one left, check, work, kill."""
        rng = random.Random(f"{SEED}/{self.number}/{kill}")
        aim = PHASES[kill % len(PHASES)] if self.model and kill else ""
        started = time.monotonic()
        with killable_server(self.folder, self.environment) as server:
            self.client.reach(server.address)
            checked = self.check_promises()
            with self.load.running():
                if kill % 2 == 0:  # else it may be killed before it has said a word
                    self.load.await_promises()
                threading.Event().wait(self.instant(aim, rng))
                found = self.model.phases() if self.model else []
                server.kill()
        self.hit.update(set(found))
        say(
            f"life {self.number} round {kill} seed {SEED}/{self.number}/{kill}: "
            f"{'slow model' if self.model else 'offline'}, aimed at {aim or 'any instant'}, "
            f"model at {'+'.join(found) or 'nothing'}; {checked} turns recalled after the last kill; "
            f"{time.monotonic() - started:.1f} s"
        )

    def instant(self, aim: str, rng: random.Random) -> float:
        """Seconds to wait before the kill."""
        if not (aim and self.model):
            return rng.uniform(SHORTEST, LONGEST)
        self.model.await_phase(aim, seconds=PHASE_SECONDS)
        return self.model.instant_in(aim, rng)

    def check_promises(self) -> int:
        """All that was acknowledged is there in order; what was since the last kill is recalled."""
        for ledger in self.load.ledgers:
            ledger.check(self.client.transcript(ledger.session))
        new = [sent for ledger in self.load.ledgers for sent in ledger.newly_acknowledged()]
        self.check_recall(new)
        return len(new)

    def check_recall(self, told: list[Sent]) -> None:
        """Every one is found by its code word."""
        for sent in told:
            found = self.client.post(
                "/memory/search", query=f"What is {sent.word}?", effort="fast", top_k=3
            ).raise_for_status()
            if sent.text not in found.text:  # say all that is needed to understand it
                again = self.client.post("/memory/search", query=f"What is {sent.word}?", top_k=10)
                raise AssertionError(f"{sent} is not recalled but {found.text}; asked again {again.text}")

    def end(self) -> None:
        """Let the work come to its end, then hold rows and memory to all that was promised."""
        if self.model:
            self.model.is_hurried = True
        with running_server(self.folder, self.environment) as server:
            self.client.reach(server.address)
            self.check_promises()
            for ledger in self.load.ledgers:
                assert ledger.acknowledged
            self.load.file_all()
            self.settle()
            self.check_recall([sent for ledger in self.load.ledgers for sent in ledger.acknowledged])
        records = check_rows(self.folder / "lychee.sqlite3")
        turns = sum(len(ledger.acknowledged) for ledger in self.load.ledgers)
        hit = ", ".join(f"{phase} {self.hit[phase]}" for phase in PHASES)
        assert records, "nothing was filed"
        say(f"life {self.number}: {turns} turns kept, {records} records with their sources; kills hit {hit}")

    def settle(self) -> None:
        """Wait until every job has ended and every vector is written."""
        deadline = time.monotonic() + SETTLE_SECONDS
        while time.monotonic() < deadline:
            status = self.client.get("/pipeline/status")
            if not (status["running_jobs"] or status["waiting_jobs"] or status["unindexed"]):
                assert status["failed_segments"] == 0, status
                return
            threading.Event().wait(0.1)
        raise AssertionError(f"after {SETTLE_SECONDS} s work is still left: {status}")


def say(line: str) -> None:
    """One line for whoever watches; pytest shows it with a failure, or with -s."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()
