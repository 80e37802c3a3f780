"""Statements that a later one ends or corrects are superseded by it, as rows.

They stay in history as a former value of an attribute does, and hold again when the later
statement goes.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import chain, pairwise
from typing import NamedTuple
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet

from memory.config import FusionConfig
from memory.domain.fusion.endings import Told, leaves_nothing_of, leaves_open_which
from memory.domain.novelty import overlap
from memory.domain.text import search_terms
from memory.domain.types import Kind, MemoryType, Reader, Role, Turn
from memory.models import IndexedItem, MemoryRecord
from memory.providers.offline_language.openings import opening_of
from memory.providers.offline_language.statements import sentences_of
from memory.services.composite_rows import Audience, in_batches
from memory.services.fuse_attributes import End, apply_end, stated_end
from memory.services.fuse_layers import NOBODY
from memory.services.said_rows import authors_of, turns_of
from memory.stores.registry import text_index

_WITHIN = 0.8  # share of a sentence's words in the record that was made of it


class _Ending(NamedTuple):
    """The later statement, and from when on it holds in place of the earlier."""

    by: MemoryRecord
    since: datetime


def settle_endings(audience: Audience, record_ids: Collection[UUID], config: FusionConfig) -> int:
    """Supersede what later statements, among these records or beside them, leave nothing of.

    Returns how many records are superseded now that were not, or the other way round.
    """
    return sum(_settle(audience, batch, config) for batch in in_batches(sorted(record_ids)))


def _settle(audience: Audience, ids: Sequence[UUID], config: FusionConfig) -> int:
    due = {row.id: row for row in _statements(audience, ids)}
    told = _told(audience, due.values())
    near = _near(audience, told, config)
    rows = due | {row.id: row for row in _statements(audience, set(chain(*near.values())) - due.keys())}
    successors = {row.superseded_by_id for row in due.values() if row.superseded_by_id} - rows.keys()
    rows |= {row.id: row for row in _statements(audience, successors)}
    told |= _told(audience, [row for row in rows.values() if row.id not in told])

    def leaves_open(new: MemoryRecord, old: MemoryRecord) -> bool:
        said_at = told[new.id].said_at
        held = (
            told[row.id]
            for row in rows.values()
            if row.superseded_at is None
            or row.superseded_by_id == new.id
            or (row.valid_to is not None and row.valid_to > said_at)
        )
        return leaves_open_which(told[new.id], told[old.id], held)

    def is_released(old: MemoryRecord) -> bool:
        new = rows.get(old.superseded_by_id) if old.superseded_by_id else None
        if old.superseded_at is None or (old.slot and (new is None or new.slot)):
            return False  # or it is a former value, which the order of its attribute decides
        return new is None or not _overtakes(new, old, told) or leaves_open(new, old)

    def end(new: MemoryRecord, old: MemoryRecord) -> bool:
        return _set_end(audience, old, _ending(new, told[new.id], told[old.id]))

    changed = sum(_set_end(audience, row, None) for row in due.values() if is_released(row))
    open_pairs = []
    for new, old in _pairs(rows, near):
        if old.superseded_at is not None or not _overtakes(new, old, told):
            continue
        if leaves_open(new, old):
            open_pairs.append((new, old))
        else:
            changed += end(new, old)
    for new, old in open_pairs:  # what others ended meanwhile may leave but one
        if old.superseded_at is not None:
            continue
        if not leaves_open(new, old):
            changed += end(new, old)
            continue
        guessed = [row for row in rows.values() if row.superseded_by_id == new.id and leaves_open(new, row)]
        changed += sum(_set_end(audience, row, None) for row in guessed)
    return changed


def _pairs(
    rows: Mapping[UUID, MemoryRecord], near: Mapping[UUID, set[UUID]]
) -> Iterator[tuple[MemoryRecord, MemoryRecord]]:
    """Each row with each near it, in both orders."""
    for one, others in sorted(near.items()):
        for other in sorted(others - {one}):
            if one in rows and other in rows:
                yield rows[one], rows[other]
                yield rows[other], rows[one]


def _statements(audience: Audience, ids: Collection[UUID]) -> list[MemoryRecord]:
    """Those of the records that people state, that are no order to a model."""
    rows: QuerySet[MemoryRecord] = audience.records().filter(
        expired_at__isnull=True, is_suspicious=False, source_role=Role.USER
    )
    return [row for batch in in_batches(sorted(ids)) for row in rows.filter(id__in=batch).order_by("id")]


def _told(audience: Audience, rows: Iterable[MemoryRecord]) -> dict[UUID, Told]:
    rows = list(rows)
    turns = turns_of(audience.space_id, [row.id for row in rows])
    around = {row.id: _around(row, turns[row.id]) for row in rows}
    return {
        row.id: Told(
            text=row.semantic_text,
            subject=row.subject,
            said_at=max([row.said_at, *(turn.said_at for turn in turns[row.id] if turn.role is Role.USER)]),
            opening=around[row.id][0],
            following=around[row.id][1],
            day=row.valid_from or row.time_ref,
            until=stated_end(row),
            is_event=row.memory_type == MemoryType.EVENT,
            slot=row.slot,
            authors=authors_of(turns[row.id]),
        )
        for row in rows
    }


def _around(row: MemoryRecord, turns: Sequence[Turn]) -> tuple[str, str]:
    """How the last sentence opened of which the record was made ("Correction: "), and what was said next."""
    terms = frozenset(search_terms(row.semantic_text))
    opening = following = ""
    for turn in turns:
        for sentence, after in pairwise([*sentences_of(turn.text), ""]):
            opened = opening_of(sentence)
            if overlap(sentence[len(opened) :], terms) >= _WITHIN:
                opening, following = opened or opening, after
    return opening, following


def _near(audience: Audience, told: Mapping[UUID, Told], config: FusionConfig) -> dict[UUID, set[UUID]]:
    """By statement those that share words with it or its tie, by the text index."""
    index = text_index().open(Reader(audience.space_id, audience.private_to or NOBODY), Kind.RECORD)
    found = {
        id_: index.search(sorted(each.terms), limit=config.text_candidates).items.tolist()
        for id_, each in told.items()
        if each.terms
    }
    entries = IndexedItem.objects.filter(id__in=set(chain(*found.values())))
    uids = dict(entries.values_list("id", "uid"))
    return {id_: {uids[item] for item in items if item in uids} for id_, items in found.items()}


def _overtakes(new: MemoryRecord, old: MemoryRecord, told: Mapping[UUID, Told]) -> bool:
    """Whether the one leaves nothing of the other, which no person has kept or put into words since.

    The values of one attribute are put in their order elsewhere.
    """
    if new.slot and old.slot:
        return False
    is_decided = old.is_pinned or (old.edited_at is not None and old.edited_at > new.learned_at)
    return not is_decided and leaves_nothing_of(told[new.id], told[old.id])


def _ending(row: MemoryRecord, new: Told, old: Told) -> _Ending:
    first = row.said_at if row.said_at > old.said_at else new.said_at
    return _Ending(row, min(row.valid_from or first, first))


def _set_end(audience: Audience, old: MemoryRecord, ending: _Ending | None) -> bool:
    """Write what ends the record, or that nothing does; nothing ends a pinned one."""
    with transaction.atomic():
        row = audience.records().select_for_update().filter(id=old.id, version=old.version).first()
        if row is None or (row.is_pinned and ending is not None):
            return False
        stated = stated_end(row)
        end = End(None, None, stated, None)
        if ending is not None:
            known = max(row.learned_at, ending.by.learned_at)
            end = End(ending.by.id, known, min(stated or ending.since, ending.since), stated)
        has_changed = apply_end(audience, row, end)
    old.superseded_by_id, old.superseded_at = end.superseded_by_id, end.superseded_at
    return has_changed
