"""What a whole recall without a model call costs, beside the bare embedding of its query.

A space of 10,000 records and 10,000 turns with seeded words, unit vectors and token vectors, and
the same with 100 further spaces of 1,000 + 1,000. The question goes through the real
embedder; recall and the bare session run in alternation, so that drift hits both. So do the
single-route `fast` recall and the planned one of several routes, whose plan is given.
"""

import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import uuid4

import numpy as np
from django.db import transaction
from tqdm import tqdm

from accounts.principals import Principal, principal_for
from accounts.services.users import register_user
from benchmarks.figures import Figure
from memory.domain.types import (
    Effort,
    IndexItem,
    Kind,
    MemoryType,
    Plan,
    Question,
    Reader,
    RecallRequest,
    Role,
    Route,
)
from memory.models import IndexedItem, MemoryRecord, RecordEvidence
from memory.ports import OnUsage, TokenVectors, VectorEntry, Vectors
from memory.providers.local_embedder import LocalEmbedder
from memory.providers.offline_language import OfflineLanguage
from memory.services.recall import recall
from memory.stores.registry import text_index, token_store, vector_index
from sessions_app.models import Session, SessionTurn

ITEMS = 10_000  # of each kind
OTHER_SPACES = 100
OTHER_ITEMS = 1_000
TURNS_PER_SESSION = 50
BATCH = 1_000
ROUNDS = 60
WARM_UP = 20
TOP = 10
VOCABULARY = 20_000
WORDS_PER_TURN = 14
TOKENS_PER_TEXT = 20
ROUTES = 4
ZIPF_SHIFT = 2.7  # Mandelbrot's: the first words of English are less frequent than Zipf's law says
SPEAKERS = ("Ann", "Ben")
START = datetime(2026, 1, 1, tzinfo=UTC)
SYLLABLES = [c + v for c in "bdfgklmnprstvz" for v in ("a", "e", "i", "o", "u", "ai", "or", "en")]

_RANDOM = np.random.default_rng(20261130)


@dataclass(frozen=True, slots=True)
class _Filled:
    """A space with its memories, and the vectors of its turns by item."""

    principal: Principal
    items: list[int]
    vectors: Vectors


class _Planner(OfflineLanguage):
    """A model that has planned already: a route of one query for each need, and a draft."""

    def __init__(self, needs: Sequence[str]) -> None:
        queries = [need.removeprefix("When did ").removesuffix("?") for need in needs]
        routes = tuple(Route(goal=query, queries=(query,)) for query in queries)
        self._plan = Plan(routes=routes, draft=f"{queries[0]} in May.", origin="model")

    def plan(self, question: Question, *, on_usage: OnUsage | None = None) -> Plan:
        """The plan there is."""
        return self._plan


@dataclass(frozen=True, slots=True)
class _Taken:
    """Medians: the bare session and the recall by the clock, the recall's thread when busy."""

    bare_ms: float
    recall_ms: float
    busy_ms: float


def run(scratch: Path) -> list[Figure]:
    """Recall in a large space alone, then among others; and what its index misses."""
    words = _vocabulary()
    large = _fill("large", ITEMS, words)
    alone = _measure(large.principal)
    fast_ms, planned_ms = _measure_routes(large.principal)
    overlap = _overlap(large)
    for number in tqdm(range(OTHER_SPACES), desc="other spaces", leave=False):
        _fill(f"other-{number}", OTHER_ITEMS, words)
    beside = _measure(large.principal)
    # Minutes lie between the two: what the machine does meanwhile shows in the bare session.
    beside_ms = beside.recall_ms * alone.bare_ms / beside.bare_ms
    name = f"fast recall over {ITEMS:,} + {ITEMS:,} items, warm (median)"
    among = f"the same beside {OTHER_SPACES} spaces of {OTHER_ITEMS:,} + {OTHER_ITEMS:,}"
    return [
        Figure(name, alone.recall_ms, "ms", "the bare ONNX session", alone.bare_ms, "≤ 6×"),
        Figure(f"standard recall of {ROUTES} routes, planned", planned_ms, "ms", "fast", fast_ms, "≤ 3×"),
        Figure(f"{among}, less the drift", beside_ms, "ms", "alone", alone.recall_ms, "≤ 1.3×"),
        Figure(f"{among}, processor time", beside.busy_ms, "ms", "alone", alone.busy_ms, ""),
        Figure(f"recall@{TOP} of the vector index", overlap, "", "the exact scan", 1.0, "≥ 0.95"),
    ]


def _measure(principal: Principal) -> _Taken:
    """Time the embedding session alone and the recall, one after the other, many times."""
    bare_ms, recall_ms, busy_ms = [], [], []
    embedder = LocalEmbedder()
    for number, question in enumerate(_questions(principal, WARM_UP + ROUNDS)):
        session = embedder.bare(question)
        bare = _timed_ms(session)
        busy = time.thread_time()
        whole = _timed_ms(lambda asked=question: recall(_request(principal, asked)))
        if number >= WARM_UP:
            bare_ms.append(bare)
            recall_ms.append(whole)
            busy_ms.append((time.thread_time() - busy) * 1_000)
    return _Taken(*map(statistics.median, (bare_ms, recall_ms, busy_ms)))


def _measure_routes(principal: Principal) -> tuple[float, float]:
    """Medians of a `fast` recall and of a `standard` one whose plan has several routes."""
    fast_ms, planned_ms = [], []
    questions = _questions(principal, (WARM_UP + ROUNDS) * ROUTES)
    for number in range(WARM_UP + ROUNDS):
        needs = questions[number * ROUTES : (number + 1) * ROUTES]
        request = _request(principal, needs[0])
        fast = _timed_ms(lambda asked=request: recall(asked))
        whole = replace(request, effort=Effort.STANDARD)
        planner = _Planner(needs)
        planned = _timed_ms(lambda asked=whole, model=planner: recall(asked, language=model))
        if number >= WARM_UP:
            fast_ms.append(fast)
            planned_ms.append(planned)
    return statistics.median(fast_ms), statistics.median(planned_ms)


def _overlap(filled: _Filled) -> float:
    """The mean share of the exact nearest turns that the index finds."""
    reader = Reader(filled.principal.space_id, filled.principal.user_id)
    embedder = LocalEmbedder()
    shares = []
    for question in _questions(filled.principal, ROUNDS):
        (embedding,) = embedder.embed([question])
        if embedding.vector is None:
            continue
        exact = np.argsort(-(filled.vectors @ embedding.vector))[:TOP]
        found = vector_index().open(reader, Kind.TURN).search(embedding.vector[None], limit=TOP)
        shares.append(len({filled.items[place] for place in exact} & set(found.items.tolist())) / TOP)
    return statistics.mean(shares)


def _request(principal: Principal, question: str) -> RecallRequest:
    return RecallRequest(
        question=question,
        reader=Reader(principal.space_id, principal.user_id),
        now=START + timedelta(days=300),
        time_zone="UTC",
        effort=Effort.FAST,
        top_k=TOP,
    )


def _questions(principal: Principal, count: int) -> list[str]:
    """Questions by three words of a turn each, so that something is found and shown."""
    turns = SessionTurn.objects.for_space(principal.space_id).order_by("id")
    texts = list(turns.values_list("content", flat=True)[: ITEMS // 2])
    questions = []
    for place in _RANDOM.integers(0, len(texts), count):
        first, second, third = _RANDOM.choice(texts[place].split(), 3, replace=False)
        questions.append(f"When did {SPEAKERS[0]} bring the {first} {second} to the {third}?")
    return questions


def _timed_ms(call: object) -> float:
    assert callable(call)
    begun = time.perf_counter()
    call()
    return (time.perf_counter() - begun) * 1_000


def _vocabulary() -> list[str]:
    """Distinct words by falling frequency."""
    words: dict[str, None] = {}
    while len(words) < VOCABULARY:
        words["".join(_RANDOM.choice(SYLLABLES, _RANDOM.integers(2, 5)))] = None
    return list(words)


def _fill(name: str, count: int, words: list[str]) -> _Filled:
    """A space with `count` turns and as many records, indexed, each with a vector."""
    principal = principal_for(
        register_user(username=f"recall-{name}", password="long enough for a bench 1")  # noqa: S106
    )
    turns = _make_turns(principal, count, words)
    _write_rows(principal, turns)
    records = _make_records(principal, turns)
    has_tokens = count == ITEMS
    items, vectors = _index(principal, [_turn_item(turn) for turn in turns], has_tokens=has_tokens)
    told = [_record_item(record, place) for place, record in enumerate(records)]
    _index(principal, told, has_tokens=has_tokens)
    return _Filled(principal, items, vectors)


def _make_turns(principal: Principal, count: int, words: list[str]) -> list[SessionTurn]:
    weights = 1 / (np.arange(len(words)) + ZIPF_SHIFT)
    drawn = _RANDOM.choice(len(words), (count, WORDS_PER_TURN), p=weights / weights.sum())
    sessions = [
        Session(space_id=principal.space_id, author_id=principal.user_id, name=f"talk-{number}")
        for number in range(-(-count // TURNS_PER_SESSION))
    ]
    Session.objects.for_space(principal.space_id).bulk_create(sessions)
    return [
        SessionTurn(
            space_id=principal.space_id,
            session=sessions[place // TURNS_PER_SESSION],
            index=place % TURNS_PER_SESSION,
            role=Role.USER,
            speaker=SPEAKERS[place % len(SPEAKERS)],
            content=" ".join(words[rank] for rank in drawn[place]),
            tokens=WORDS_PER_TURN * 3,
            said_at=START + timedelta(minutes=place),
        )
        for place in range(count)
    ]


def _write_rows(principal: Principal, turns: list[SessionTurn]) -> None:
    for start in range(0, len(turns), BATCH):
        SessionTurn.objects.for_space(principal.space_id).bulk_create(turns[start : start + BATCH])


def _make_records(principal: Principal, turns: list[SessionTurn]) -> list[MemoryRecord]:
    """One record a turn, resting on it."""
    records = [
        MemoryRecord(
            space_id=principal.space_id,
            memory_type=MemoryType.FACT,
            semantic_text=f"{turn.speaker}: {turn.content}",
            normalized_text=turn.content,
            subject=turn.speaker,
            learned_at=turn.said_at,
            said_at=turn.said_at,
            content_hash=uuid4().hex,
            session_id=turn.session_id,
        )
        for turn in turns
    ]
    MemoryRecord.objects.for_space(principal.space_id).bulk_create(records, batch_size=BATCH)
    links = [
        RecordEvidence(
            space_id=principal.space_id,
            record=record,
            session_id=turn.session_id,
            turn_id=turn.id,
            turn_index=turn.index,
        )
        for record, turn in zip(records, turns, strict=True)
    ]
    RecordEvidence.objects.for_space(principal.space_id).bulk_create(links, batch_size=BATCH)
    return records


def _turn_item(turn: SessionTurn) -> IndexItem:
    return IndexItem(
        kind=Kind.TURN,
        id=turn.id,
        space_id=turn.space_id,
        private_to=None,
        session_id=turn.session_id,
        position=turn.index,
        speaker=turn.speaker,
        text=turn.content,
    )


def _record_item(record: MemoryRecord, place: int) -> IndexItem:
    return IndexItem(
        kind=Kind.RECORD,
        id=record.id,
        space_id=record.space_id,
        private_to=None,
        session_id=record.session_id,
        position=place % TURNS_PER_SESSION,
        speaker=record.subject,
        text=record.normalized_text,
    )


def _index(principal: Principal, items: list[IndexItem], *, has_tokens: bool) -> tuple[list[int], Vectors]:
    """Write words and seeded vectors; returns index ids and vectors side by side."""
    kind, space_id = items[0].kind, principal.space_id
    for start in tqdm(range(0, len(items), BATCH), desc=f"indexing {kind}s", leave=False):
        with transaction.atomic():
            text_index().upsert(items[start : start + BATCH])
    known = dict(IndexedItem.objects.filter(space_id=space_id, kind=kind).values_list("uid", "id"))
    ids = [known[item.id] for item in items]
    vectors = _unit_vectors(len(items))
    entries = [
        VectorEntry(
            item=number,
            private_to=None,
            session_id=item.session_id,
            position=item.position,
            vector=vector,
        )
        for number, item, vector in zip(ids, items, vectors, strict=True)
    ]
    vector_index().upsert(space_id, kind, entries)
    if has_tokens:
        for start in range(0, len(ids), BATCH):
            batch = ids[start : start + BATCH]
            token_store().write(space_id, kind, {number: _unit_tokens() for number in batch})
    return ids, vectors


def _unit_vectors(count: int) -> Vectors:
    drawn = _RANDOM.standard_normal((count, LocalEmbedder().dimension)).astype(np.float32)
    unit: Vectors = drawn / np.linalg.norm(drawn, axis=1, keepdims=True)
    return unit


def _unit_tokens() -> TokenVectors:
    """Token vectors of one text: unit vectors times 127."""
    drawn = _RANDOM.standard_normal((TOKENS_PER_TEXT, LocalEmbedder().dimension)).astype(np.float32)
    tokens: TokenVectors = np.rint(drawn / np.linalg.norm(drawn, axis=1, keepdims=True) * 127).astype(np.int8)
    return tokens
