"""What the tests of the indexes share: people, spaces, items, and turns by hand."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from uuid import UUID, uuid4

import numpy as np

from accounts.models import Space, User
from memory.domain.types import IndexItem, Kind, MemoryType, Reader, Role, TimeRange, Turn
from memory.models import MemoryRecord
from memory.ports import Embedding, Vectors

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)


def make_user(name: str) -> User:
    return User.objects.create(username=name)


def make_space(slug: str) -> Space:
    return Space.objects.create(slug=slug, name=slug.title())


def make_item(space: Space, text: str, *, owner: User | None = None, kind: Kind = Kind.TURN) -> IndexItem:
    return IndexItem(
        kind=kind,
        id=uuid4(),
        space_id=space.id,
        private_to=owner.id if owner else None,
        session_id=uuid4(),
        position=0,
        speaker="Alice",
        text=text,
    )


def reader_of(space: Space, user: User, *, exclude: Sequence[UUID] = ()) -> Reader:
    return Reader(space.id, user.id, frozenset(exclude))


def make_turn(space: Space, text: str, *, owner: User | None = None, role: Role = Role.USER) -> Turn:
    return Turn(
        id=uuid4(),
        space_id=space.id,
        private_to=owner.id if owner else None,
        session_id=uuid4(),
        session_name="main",
        index=0,
        role=role,
        speaker="Alice",
        text=text,
        said_at=NOON,
    )


def turn_item(turn: Turn) -> IndexItem:
    return IndexItem(
        Kind.TURN,
        turn.id,
        turn.space_id,
        turn.private_to,
        turn.session_id,
        turn.index,
        turn.speaker,
        turn.text,
    )


def make_record(space: Space, text: str, *, owner: User | None = None) -> MemoryRecord:
    record: MemoryRecord = MemoryRecord.everyone.create(
        space=space,
        private_to=owner,
        memory_type=MemoryType.FACT,
        semantic_text=text,
        normalized_text=text,
        subject="Alice",
        learned_at=NOON,
        said_at=NOON,
        content_hash=uuid4().hex,
        session_id=uuid4(),
    )
    return record


def record_item(record: MemoryRecord) -> IndexItem:
    return IndexItem(
        Kind.RECORD,
        record.id,
        record.space_id,
        record.private_to_id,
        record.session_id,
        0,
        record.subject,
        record.semantic_text,
    )


class TurnShelf:
    """A TurnSource over a dictionary."""

    def __init__(self) -> None:
        self.turns: dict[UUID, Turn] = {}

    def put(self, *turns: Turn) -> None:
        self.turns.update({turn.id: turn for turn in turns})

    def reword(self, turn: Turn, text: str) -> Turn:
        self.turns[turn.id] = replace(turn, text=text)
        return self.turns[turn.id]

    def current(self, space_id: UUID, ids: Sequence[UUID]) -> dict[UUID, Turn]:
        found = (self.turns[i] for i in ids if i in self.turns)
        return {turn.id: turn for turn in found if turn.space_id == space_id}

    def neighbours(self, space_id: UUID, ids: Sequence[UUID], *, reach: int) -> dict[UUID, tuple[Turn, ...]]:
        return dict.fromkeys(ids, ())

    def newest_within(self, reader: Reader, span: TimeRange, *, most: int) -> list[Turn]:
        seen = (turn for turn in self.turns.values() if turn.private_to in (None, reader.user_id))
        near = [t for t in seen if t.space_id == reader.space_id and span.start <= t.said_at < span.end]
        return sorted(near, key=lambda turn: turn.said_at, reverse=True)[:most]

    def answers_after(self, space_id: UUID, log_ids: Sequence[UUID]) -> list[UUID]:
        return []

    def scan(self, space_id: UUID) -> Iterator[list[Turn]]:
        yield [turn for turn in self.turns.values() if turn.space_id == space_id]


class RowShelf:
    """An IndexSource over a dictionary."""

    def __init__(self, kind: Kind) -> None:
        self.kind = kind
        self.items: dict[UUID, IndexItem] = {}

    def put(self, *items: IndexItem) -> None:
        self.items.update({item.id: item for item in items})

    def current(self, space_id: UUID, ids: Sequence[UUID]) -> dict[UUID, str]:
        found = (self.items[i] for i in ids if i in self.items)
        return {item.id: item.text for item in found if item.space_id == space_id}

    def scan(self, space_id: UUID, *, batch: int) -> Iterator[list[IndexItem]]:
        yield [item for item in self.items.values() if item.space_id == space_id]


class LetterEmbedder:
    """Counts letters: "abba" is (2, 2, 0, …) made unit. Digits only: it cannot read that."""

    name = "letters"
    dimension = 26

    def __init__(self) -> None:
        self.batches: list[list[str]] = []

    def embed(
        self, texts: Sequence[str], *, with_tokens: bool = False, on_usage: object = None
    ) -> list[Embedding]:
        self.batches.append(list(texts))
        return [self._one(text.lower(), with_tokens=with_tokens) for text in texts]

    def _one(self, text: str, *, with_tokens: bool) -> Embedding:
        counts = letter_vector(text)
        if not counts.any():
            return Embedding(None)
        tokens = np.stack([letter_vector(word) * 127 for word in text.split()]).astype(np.int8)
        return Embedding(counts, tokens if with_tokens else None)


def letter_vector(text: str) -> Vectors:
    counts = np.array([text.count(chr(97 + n)) for n in range(26)], np.float32)
    return counts / max(float(np.linalg.norm(counts)), 1e-9)
