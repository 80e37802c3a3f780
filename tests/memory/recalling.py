"""A small memory to recall from: turns said, records learned, meaning by topic words."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

import numpy as np

from accounts.models import Space, User
from memory.config import RecallConfig
from memory.domain.text import words
from memory.domain.types import (
    Effort,
    Kind,
    MemoryType,
    Reader,
    Recalled,
    RecallRequest,
    Role,
    Turn,
)
from memory.models import MemoryRecord, RecordEvidence
from memory.ports import Embedding, Vectors
from memory.services.drain import drain_outbox
from memory.services.index import index_items, unindex_items
from memory.services.recall import recall
from tests.memory.indexing import TurnShelf, record_item, turn_item

MONDAY = datetime(2026, 5, 4, 9, tzinfo=UTC)
LATER = MONDAY + timedelta(days=30)

TOPICS = (
    {"live", "lives", "moved", "home", "flat", "city", "berlin", "paris"},
    {"dog", "pet", "rex", "puppy", "bark"},
    {"job", "work", "works", "office", "siemens", "dentist"},
    {"tea", "coffee", "drink", "drinks", "cup"},
)


class TopicEmbedder:
    """One axis a topic, a last one for texts of none; digits alone cannot be read.

    "my dog drinks tea" is (0, 1, 0, 2, 0) made unit.
    """

    name = "topics"
    dimension = len(TOPICS) + 1
    makes_tokens = True

    def embed(
        self, texts: Sequence[str], *, with_tokens: bool = False, on_usage: object = None
    ) -> list[Embedding]:
        return [self._one(words(text), with_tokens=with_tokens) for text in texts]

    def _one(self, text: list[str], *, with_tokens: bool) -> Embedding:
        if not any(word.isalpha() for word in text):
            return Embedding(None)
        counts = np.sum([_axis(word) for word in text], axis=0)
        counts[-1] = 0 if counts[:-1].any() else 1
        tokens = np.stack([_axis(word) * 127 for word in text]).astype(np.int8)
        vector = (counts / np.linalg.norm(counts)).astype(np.float32)
        return Embedding(vector, tokens if with_tokens else None)


def _axis(word: str) -> Vectors:
    """The topic's unit vector; the last axis for a word of none."""
    axis = np.zeros(len(TOPICS) + 1, np.float32)
    axis[next((i for i, topic in enumerate(TOPICS) if word in topic), len(TOPICS))] = 1
    return axis


class Shelf(TurnShelf):
    """Turns by hand that know their neighbours."""

    def neighbours(self, space_id: UUID, ids: Sequence[UUID], *, reach: int) -> dict[UUID, tuple[Turn, ...]]:
        centres = self.current(space_id, ids)
        return {
            turn.id: tuple(
                sorted(
                    (
                        near
                        for near in self.turns.values()
                        if near.session_id == turn.session_id and 0 < abs(near.index - turn.index) <= reach
                    ),
                    key=lambda near: near.index,
                )
            )
            for turn in centres.values()
        }


class Memory:
    """One space and its reader."""

    def __init__(self, space: Space, user: User, shelf: Shelf) -> None:
        self.space, self.user, self.shelf = space, user, shelf
        self.session_id = uuid4()

    def say(
        self,
        *lines: tuple[str, str],
        session_id: UUID | None = None,
        owner: User | None = None,
        at: datetime = MONDAY,
        is_embedded: bool = True,
        author_id: UUID | None = None,
        learned_at: datetime | None = None,
    ) -> list[Turn]:
        """Turns by (speaker, text), "" for the assistant, a minute apart."""
        session_id = session_id or self.session_id
        start = sum(turn.session_id == session_id for turn in self.shelf.turns.values())
        turns = [
            Turn(
                id=uuid4(),
                space_id=self.space.id,
                private_to=owner.id if owner else None,
                session_id=session_id,
                session_name="main",
                index=start + place,
                role=Role.USER if speaker else Role.ASSISTANT,
                speaker=speaker,
                text=text,
                said_at=at + timedelta(minutes=place),
                author_id=author_id,
                learned_at=learned_at,
            )
            for place, (speaker, text) in enumerate(lines)
        ]
        self.shelf.put(*turns)
        index_items([turn_item(turn) for turn in turns])
        if is_embedded:
            drain_outbox(self.space.id)
        return turns

    def learn(self, text: str, *turns: Turn, owner: User | None = None, **fields: object) -> MemoryRecord:
        """A record resting on the turns."""
        values: dict[str, object] = {
            "memory_type": MemoryType.FACT,
            "subject": "Alice",
            "learned_at": MONDAY,
            "said_at": turns[0].said_at if turns else MONDAY,
            "session_id": turns[0].session_id if turns else self.session_id,
            "content_hash": uuid4().hex,
        } | fields
        row: MemoryRecord = MemoryRecord.everyone.create(
            space=self.space,
            private_to=owner,
            semantic_text=text,
            normalized_text=text,
            **values,
        )
        for turn in turns:
            RecordEvidence.everyone.create(
                space=self.space,
                private_to=owner,
                record=row,
                session_id=turn.session_id,
                turn_id=turn.id,
                turn_index=turn.index,
                said_at=turn.said_at,
            )
        index_items([record_item(row)])
        drain_outbox(self.space.id)
        return row

    def expire(self, row: MemoryRecord, at: datetime) -> None:
        """Take a record out of recall."""
        row.expired_at = at
        row.save()
        unindex_items(self.space.id, Kind.RECORD, [row.id])
        drain_outbox(self.space.id)

    def ask(
        self,
        question: str,
        *,
        user: User | None = None,
        config: RecallConfig | None = None,
        effort: Effort = Effort.STANDARD,
        exclude: Sequence[UUID] = (),
        **options: object,
    ) -> Recalled:
        request = RecallRequest(
            question=question,
            reader=Reader(self.space.id, (user or self.user).id, frozenset(exclude)),
            now=LATER,
            time_zone="UTC",
            effort=effort,
        )
        return recall(replace(request, **options), config=config)  # type: ignore[arg-type]


def texts(recalled: Recalled) -> list[str]:
    return [hit.text for hit in recalled.hits]


def reasons(recalled: Recalled) -> dict[str, str]:
    return {dropped.text: dropped.reason for dropped in recalled.dropped}
