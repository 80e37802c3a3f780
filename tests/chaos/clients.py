"""Clients that talk to a server which may vanish at any moment."""

import json
import random
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any, Self

import httpx

from tests.chaos.ledger import Ledger, Sent, code_word

PASSWORD = "a long walk by the sea"
_TIMEOUT = 60
_TOKEN_SECONDS = 600
_THINKING_SECONDS = 0.2  # at most, between two calls of one client


class Client:
    """A signed-in person's HTTP client; it finds the server again after a restart."""

    def __init__(self) -> None:
        self.http = httpx.Client(timeout=_TIMEOUT)
        self._token_until = 0.0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.http.close()

    def reach(self, address: str) -> None:
        """Use the server at this address from now on; a token outlives the server that gave it."""
        self.http.base_url = httpx.URL(address)
        if time.monotonic() < self._token_until:
            return
        person = {"username": "chaos", "password": PASSWORD}
        reply = self.http.post("/auth/login", json=person)
        if reply.status_code != 200:
            reply = self.http.post("/auth/register", json=person)
        reply.raise_for_status()
        self.http.headers["Authorization"] = f"Bearer {reply.json()['token']}"
        self._token_until = time.monotonic() + _TOKEN_SECONDS

    def post(self, path: str, **body: object) -> httpx.Response:
        return self.http.post(path, json=body)

    def stream(self, path: str, **body: object) -> Iterator[dict[str, Any]]:
        """The frames of a server-sent stream; none while the session answers somebody else."""
        with self.http.stream("POST", path, json=body) as reply:
            if reply.status_code != 200:
                reply.read()
                _accepted(reply)
                return
            for line in reply.iter_lines():
                if line.startswith("data: "):
                    yield json.loads(line.removeprefix("data: "))

    def get(self, path: str, **query: str | int) -> dict[str, object]:
        reply = self.http.get(path, params=query)
        reply.raise_for_status()
        return dict(reply.json())

    def transcript(self, session: str) -> list[dict[str, object]]:
        """Every turn of a session, page by page; none if there is no such session."""
        turns: list[dict[str, object]] = []
        cursor = ""
        while True:
            reply = self.http.get(f"/memory/session/{session}", params={"cursor": cursor, "limit": 100})
            if reply.status_code == 404:
                return []
            page = reply.raise_for_status().json()
            turns += page["turns"]
            cursor = page["next_cursor"]
            if not cursor:
                return turns


class Load:
    """Writers, talkers and filers that work side by side until the server is gone."""

    def __init__(self, client: Client, seed: int) -> None:
        self.client = client
        self.rng = random.Random(seed)
        self.numbers = count()
        self.log = Ledger("log")
        self.talk = Ledger("talk")
        self.surprises: list[BaseException] = []

    @property
    def ledgers(self) -> tuple[Ledger, Ledger]:
        return self.log, self.talk

    def await_promises(self) -> None:
        """Wait until both sessions have been promised something more."""
        known = [len(ledger.acknowledged) for ledger in self.ledgers]
        for ledger, before in zip(self.ledgers, known, strict=True):
            ledger.await_more_than(before, timeout=_TIMEOUT)

    @contextmanager
    def running(self) -> Iterator[None]:
        """Everybody at work while the block runs; the block is to end the server."""
        is_over = threading.Event()
        threads = [
            threading.Thread(target=self._until_gone, args=(work, is_over))
            for work in (self._append, self._append, self._chat, self._consolidate)
        ]
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            is_over.set()
        for thread in threads:
            thread.join(_TIMEOUT * 2)
            assert not thread.is_alive(), "a client hangs"
        assert not self.surprises, self.surprises

    def _until_gone(self, work: Callable[[], None], is_over: threading.Event) -> None:
        """Work, think, work again; being cut off is what a client must expect here."""
        try:
            while not is_over.is_set():
                work()
                is_over.wait(self.rng.uniform(0, _THINKING_SECONDS))
        except httpx.HTTPError:
            return
        except BaseException as error:
            self.surprises.append(error)

    def _sentence(self) -> Sent:
        n = next(self.numbers)
        word = code_word(self.rng, n)
        return Sent(word, f"Crate number {n} has the code name {word} and stands in the north hall.")

    def _append(self) -> None:
        sent = [self._sentence() for _ in range(self.rng.randint(1, 3))]
        self.log.attempt(*sent)
        turns = [{"role": "user", "content": one.text} for one in sent]
        reply = _accepted(self.client.post("/memory/append-turns", session_id="log", turns=turns))
        if reply.status_code == 200:
            indexes = reply.json()["turn_indexes"]
            self.log.acknowledge(
                *(Sent(one.word, one.text, index) for one, index in zip(sent, indexes, strict=True))
            )

    def _chat(self) -> None:
        """The first frame says that the message is stored, `done` that the answer is."""
        sent = self._sentence()
        self.talk.attempt(sent)
        answer = ""
        for frame in self.client.stream("/chat", session_id="talk", message=sent.text):
            match frame["type"]:
                case "step" if frame["step"] == "wm_manager":
                    index = frame["trace_fragment"]["turn_index"]
                    self.talk.acknowledge(Sent(sent.word, sent.text, index))
                case "answer":
                    answer = frame["content"]
                case "done":
                    self.talk.answered(frame["turn_index"], answer)
                case "error":
                    raise AssertionError(f"the answer failed: {frame}")

    def file_all(self) -> None:
        """Ask for everything to be filed, also what was cut off so often that it is left to a person."""
        for ledger in self.ledgers:
            reply = self.client.post("/memory/consolidate", session_id=ledger.session, force_ingest=True)
            reply.raise_for_status()

    def _consolidate(self) -> None:
        session = self.rng.choice(["log", "talk"])
        reply = self.client.post("/memory/consolidate", session_id=session)
        if reply.status_code != 404:  # nobody has spoken yet
            _accepted(reply)


def _accepted(reply: httpx.Response) -> httpx.Response:
    # 409: the session is answering; anything else unasked-for is a fault.
    assert reply.status_code < 400 or reply.status_code == 409, reply.text
    return reply
