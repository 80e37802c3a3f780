"""Shortlisted entries to live items: rows as they are now, filters, last marks.

One query a kind, and one for the records' evidence. What is stale, expired,
filtered or out of the reader's sight never comes further than this module.
"""

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

import numpy as np

from memory.domain.ranking import Scored, extend, take
from memory.domain.selection import Candidate
from memory.domain.text import fold, search_terms, words
from memory.domain.types import Kind, Reader, RecallRequest, Role, Temporal, TimeRange, Turn
from memory.domain.validity import Lifespan, is_recalled
from memory.registries import turn_source
from memory.services.recall_plan import Asked
from memory.services.recall_search import Shortlist
from memory.stores.live import RecordRow, evidence_of, fates_of, record_rows

EPISODE = "episode"
_QUESTION_MARKS = ("?", "？", "؟", "吗", "吗。", "か。")
_DAY = timedelta(days=1)
_REPEATED = 0.8  # share of an expired turn's words that makes a reply its repetition
_RECALLED_ROLES = (Role.USER, Role.ASSISTANT)


@dataclass(frozen=True, slots=True)
class Item:
    """A live turn or record. `slot` names what has one value at a time, if it does;
    `since` tells which of two statements is newer; `evidence`: turn ids, its own order.
    """

    kind: Kind
    id: UUID
    text: str
    memory_type: str
    subject: str
    entities: tuple[str, ...]
    temporal: Temporal
    said_at: datetime
    role: Role
    evidence: tuple[UUID, ...]
    session_id: UUID | None = None  # where it was said; None for what rests on several
    slot: str = ""
    title: str = ""  # of a composite that has one
    turn: Turn | None = None
    is_superseded: bool = False  # found, but not to be shown: the newer value is

    @property
    def attribute(self) -> Hashable | None:
        """Whose attribute of one value it states, if it does."""
        return (fold(self.subject), self.slot) if self.slot else None

    @property
    def since(self) -> datetime:
        """From when its statement holds, at the earliest when it was said: the last word counts."""
        return max(self.temporal.valid_from or self.said_at, self.said_at)


def live_items(asked: Asked, *shortlists: Shortlist) -> dict[UUID, Item]:
    """The current items of shortlists of one kind, as far as the reader and the request admit them."""
    ids = list(dict.fromkeys(entry.uid for each in shortlists for entry in each.entries))
    if not ids:
        return {}
    if shortlists[0].kind is Kind.TURN:
        items = live_turns(asked, ids)
    else:
        items = live_records(asked, ids, with_superseded=True)
    return {item.id: item for item in items if is_about(asked.request, item)}


def live_turns(asked: Asked, ids: list[UUID]) -> list[Item]:
    """Turns that exist, were said by then, and are not before the asker's eyes anyway."""
    request = asked.request
    if request.types:
        return []
    turns = turn_source().current(request.reader.space_id, ids).values()
    return [_turn_item(turn) for turn in turns if _is_turn_admitted(request, turn)]


def live_records(asked: Asked, ids: Sequence[UUID], *, with_superseded: bool = False) -> list[Item]:
    """Records that are known and, if asked for, true at that instant; those that only a newer
    value keeps from being shown come too if asked for, and say so.
    """
    reader = asked.request.reader
    rows = [row for row in record_rows(reader, ids) if _is_record_admitted(asked, row)]
    admitted = {row.id: _is_shown(asked, row.lifespan) for row in rows}
    if with_superseded:
        rows = [row for row in rows if _is_shown(asked, row.lifespan.without_successor())]
    else:
        rows = [row for row in rows if admitted[row.id]]
    evidence = evidence_of(reader.space_id, [row.id for row in rows])
    return [_record_item(row, evidence.get(row.id, ()), is_superseded=not admitted[row.id]) for row in rows]


def expired_turns(
    reader: Reader,
    turns: Collection[Turn],
    *,
    known_at: datetime | None = None,
    evidence: Collection[UUID] = (),
    is_history: bool = False,
) -> frozenset[UUID]:
    """Those of the turns whose records a person has expired, every one that there was, or, unless history
    is asked for, a later statement has ended or corrected; those of which one was erased or put into
    other words, whatever else they say, and the assistant's that repeat such a turn.

    `known_at` asks for a time before: what was expired or corrected later does not count.
    `evidence`: ids of further turns to ask about, whose words are not at hand.
    """

    def is_past(at: datetime | None) -> bool:
        return at is not None and (known_at is None or at <= known_at)

    gone = {
        turn_id
        for turn_id, fates in fates_of(reader, {*(turn.id for turn in turns), *evidence}).items()
        if any(is_past(fate.reworded_at) for fate in fates)
        or all(is_past(fate.expired_at) or (is_past(fate.ended_at) and not is_history) for fate in fates)
    }
    return with_repeating(gone, turns)


def with_repeating(gone: Collection[UUID], turns: Collection[Turn]) -> frozenset[UUID]:
    """These turns, and the assistant's that repeat one of them."""
    said = [frozenset(search_terms(turn.text)) for turn in turns if turn.id in gone]
    repeating = {turn.id for turn in turns if said and _is_repeating(turn, said)}
    return frozenset({*gone, *repeating})


def _is_repeating(turn: Turn, said: Sequence[frozenset[str]]) -> bool:
    """Whether an assistant's turn holds nearly all the words of one of these texts."""
    if turn.role is not Role.ASSISTANT:
        return False
    terms = frozenset(search_terms(turn.text))
    return any(len(each) > 1 and len(each & terms) >= _REPEATED * len(each) for each in said)


def candidates_of(asked: Asked, shortlist: Shortlist, items: Mapping[UUID, Item]) -> list[Candidate]:
    """The live entries with their score among their kind, best first."""
    places = np.array([i for i, entry in enumerate(shortlist.entries) if entry.uid in items], np.intp)
    entries = [shortlist.entries[place] for place in places]
    if not entries:
        return []
    scored = _marked(asked, shortlist.kind, take(shortlist.scored, places), [items[e.uid] for e in entries])
    return [
        Candidate(
            kind=shortlist.kind,
            id=entries[place].uid,
            cosine=float(shortlist.cosines[places[place]]),
            matched_share=max(
                float(shortlist.shares[places[place]]), _plain_share(asked, entries[place].terms)
            ),
            score=float(scored.total[place]),
            evidence=items[entries[place].uid].evidence,
            terms=entries[place].terms,
            breakdown={name: float(values[place]) for name, values in scored.channels.items()},
            item=entries[place].item,
        )
        for place in scored.best(len(entries))
    ]


def _plain_share(asked: Asked, terms: frozenset[str]) -> float:
    """The share of the question's words that an item holds, each counted alike, of one recalled by words
    alone: in a small memory a word that is nowhere outweighs all that are somewhere.
    """
    if asked.embeddings or not asked.terms:
        return 0.0
    return len(terms.intersection(asked.terms)) / len(asked.terms)


def is_asking(item: Item) -> bool:
    """Whether its text ends as a question."""
    return item.text.rstrip(" \"'”’」)").endswith(_QUESTION_MARKS)


def _marked(asked: Asked, kind: Kind, scored: Scored, items: list[Item]) -> Scored:
    """The scores with what only the text and its times tell."""
    weights = asked.config.turns if kind is Kind.TURN else asked.config.records
    spans = named_times(asked)
    marks = {"in_time": _column(_in_time(item, spans) for item in items)}
    if kind is Kind.TURN:
        marks["question"] = _column(is_asking(item) for item in items)
        is_asked = asked.plan.question_type == "prior_assistant_response"
        marks["assistant"] = _column(item.role is Role.ASSISTANT and not is_asked for item in items)
    return extend(scored, marks, weights)


def _column(marks: Iterable[float]) -> "np.typing.NDArray[np.float32]":
    return np.fromiter(marks, np.float32)


def named_times(asked: Asked) -> list[TimeRange]:
    """The times that the routes of the plan name."""
    return [route.time_range for route in asked.plan.routes if route.time_range]


def is_day(span: TimeRange) -> bool:
    """Whether it is a day, or less."""
    return span.end - span.start < 2 * _DAY


def is_month(span: TimeRange) -> bool:
    """Whether it is a month, or less."""
    return span.end - span.start <= 32 * _DAY


def _in_time(item: Item, spans: list[TimeRange]) -> float:
    """Whether what it tells, or the moment of telling, lies in a range the question names: 2 if that is a
    day, 1 if a month at most, 0.5 if it is longer.
    """
    start = item.temporal.valid_from or item.temporal.ref or item.said_at
    end = item.temporal.valid_to or start
    return max(
        (
            2.0 if is_day(span) else 1.0 if is_month(span) else 0.5
            for span in spans
            if (start < span.end and max(start, end) >= span.start) or span.start <= item.said_at < span.end
        ),
        default=0.0,
    )


def _is_turn_admitted(request: RecallRequest, turn: Turn) -> bool:
    reader = request.reader
    learned_at = turn.learned_at or turn.said_at
    return (
        turn.space_id == reader.space_id
        and turn.private_to in (None, reader.user_id)
        and turn.session_id not in reader.exclude_session_ids
        and turn.id not in request.exclude_turn_ids
        and turn.role in _RECALLED_ROLES
        and (request.as_of is None or turn.said_at <= request.as_of)
        and (request.known_at is None or learned_at <= request.known_at)
    )


def _is_record_admitted(asked: Asked, row: RecordRow) -> bool:
    request = asked.request
    if row.session_id in request.reader.exclude_session_ids or (
        request.types and row.memory_type not in request.types
    ):
        return False
    is_asked = row.is_confirmed or asked.plan.question_type == "prior_assistant_response"
    return is_asked or row.source_role != Role.ASSISTANT


def _is_shown(asked: Asked, lifespan: Lifespan) -> bool:
    request = asked.request
    return is_recalled(lifespan, now=request.now, as_of=request.as_of, known_at=request.known_at)


def is_about(request: RecallRequest, item: Item) -> bool:
    """Whether the item is about one of the entities asked for, if any are."""
    if not request.entities:
        return True
    wanted = {fold(name) for name in request.entities}
    if wanted & {fold(name) for name in (*item.entities, item.subject)}:
        return True
    spoken = f" {' '.join(words(item.text))} "
    return item.kind is Kind.TURN and any(f" {' '.join(words(name))} " in spoken for name in wanted)


def _turn_item(turn: Turn) -> Item:
    return Item(
        kind=Kind.TURN,
        id=turn.id,
        text=turn.text,
        memory_type=EPISODE,
        subject=turn.speaker,
        entities=(),
        temporal=Temporal(),
        said_at=turn.said_at,
        role=turn.role,
        evidence=(turn.id,),
        session_id=turn.session_id,
        turn=turn,
    )


def _record_item(row: RecordRow, evidence: tuple[UUID, ...], *, is_superseded: bool) -> Item:
    return Item(
        kind=Kind.RECORD,
        id=row.id,
        text=row.semantic_text,
        memory_type=row.memory_type,
        subject=row.subject,
        entities=row.entities,
        temporal=Temporal(ref=row.time_ref, valid_from=row.valid_from, valid_to=row.valid_to),
        said_at=row.said_at,
        role=Role(row.source_role),
        evidence=evidence,
        session_id=row.session_id,
        slot=row.slot,
        is_superseded=is_superseded,
    )
