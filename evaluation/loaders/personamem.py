"""PersonaMem (bowen-upenn/PersonaMem): a person's chats, and what an assistant should say next.

The path is a folder with `documents.json.gz` and `queries.json.gz`. A document is a
session; sessions bear no date, so that they are told a day apart. Every query names all of
its user's documents, which is no evidence: only answers can be judged here, by letter.
"""

import re
from collections import defaultdict
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from evaluation.loaders.files import BadData, items_of, read_json, reading, text_of
from evaluation.types import ASKER, DialogSession, DialogTurn, Dialogue, Probe
from memory.domain.types import Role

DOCUMENTS, QUERIES = "documents.json.gz", "queries.json.gz"
FIRST_DAY = datetime(2024, 1, 1, 9, tzinfo=UTC)
SESSION_APART = timedelta(days=1)
TURN_APART = timedelta(minutes=1)
_TURN = re.compile(r"^\[(SYSTEM|USER|ASSISTANT)\] ?", re.MULTILINE)
_PREFIX = re.compile(r"\A(?:User|Assistant|Patient|Therapist): *")
_NAME = re.compile(r"\bName: *([^\n]+)")
_ASKER = re.compile(r"\AUser: *[^\n]*\n\n")
_CHOICE = re.compile(r"^\(([a-d])\) ?", re.MULTILINE)
_ORDER = re.compile(r"(\d+)$")


def load(path: Path) -> list[Dialogue]:
    """A dialogue a user who is asked something, named by the persona's number. Raises BadData."""
    if not path.is_dir():
        raise BadData(f"{path}: a folder with {DOCUMENTS} and {QUERIES} is expected.")
    documents, queries = path / DOCUMENTS, path / QUERIES
    chats: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for number, document in enumerate(items_of(documents, read_json(documents)), start=1):
        with reading(documents, f"document {number}"):
            chats[document["user_id"]].append(document)
    asked: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for number, query in enumerate(items_of(queries, read_json(queries)), start=1):
        with reading(queries, f"query {number}"):
            asked[query["user_id"]].append(query)
    dialogues: list[Dialogue] = []
    for place, user in enumerate(asked, start=1):
        with reading(path, f"user {user}"):
            dialogues.append(_dialogue(f"user-{place}", chats[user], asked[user]))
    return dialogues


def _dialogue(name: str, documents: list[dict[str, Any]], queries: list[dict[str, Any]]) -> Dialogue:
    if not documents:
        raise ValueError("there is no document of this user")
    ordered = sorted(documents, key=lambda each: int(found[1]) if (found := _ORDER.search(each["id"])) else 0)
    sessions = tuple(
        _session(f"document_{place}", FIRST_DAY + place * SESSION_APART, document["content"])
        for place, document in enumerate(ordered)
    )
    named = _NAME.search(ordered[0]["content"])
    probes = tuple(_probe(query) for query in queries)
    return Dialogue(name, sessions, probes, asker=named[1].strip() if named else ASKER)


def _session(name: str, began: datetime, content: str) -> DialogSession:
    _, *parts = _TURN.split(content)
    said = zip(parts[::2], parts[1::2], strict=True)
    turns = tuple(
        DialogTurn(
            f"{name}:{place}",
            "",
            _PREFIX.sub("", text.strip()),
            began + place * TURN_APART,
            Role(role.lower()),
        )
        for place, (role, text) in enumerate(said)
        if text.strip()
    )
    if not turns:
        raise ValueError(f"{name} holds no turn")
    return DialogSession(name, turns)


def _probe(query: dict[str, Any]) -> Probe:
    letter = query["gold_answers"][-1]
    _, *parts = _CHOICE.split(query["query"])
    choices = {key: text.strip() for key, text in zip(parts[::2], parts[1::2], strict=True)}
    if letter not in choices:
        raise ValueError(f"the choices of query {query['id']} lack {letter!r}")
    spoken = _ASKER.sub("", query["meta"]["retrieval_query"])
    return Probe(
        text=text_of(_PREFIX.sub("", spoken), "query"),
        evidence=frozenset(),
        category=query["meta"]["question_type"],
        answer=letter,
        key=query["id"],
        choices=choices,
    )
