"""The channels of one kind, searched and scored: what was asked into a shortlist.

Scores all that the indexes found as columns; looks up rows of the best only.
"""

import logging
from dataclasses import dataclass
from uuid import UUID

import numpy as np

from memory.domain.ranking import (
    Candidates,
    Floats,
    Ints,
    Scored,
    extend,
    length_share,
    merge_channels,
    score_records,
    score_turns,
    take,
)
from memory.domain.text import fold
from memory.domain.types import Kind
from memory.errors import IndexMismatch, ProviderError
from memory.models import IndexedItem
from memory.ports import TextMatches, VectorMatches, session_code
from memory.services.recall_plan import Asked
from memory.stores.registry import text_index, vector_index

logger = logging.getLogger(__name__)

NO_VECTORS = "The vector index does not answer; recalled by words alone."


@dataclass(frozen=True, slots=True)
class Entry:
    """An indexed item as its row knows it."""

    item: int
    uid: UUID
    speaker: str
    length: int
    terms: frozenset[str]


@dataclass(frozen=True, slots=True)
class Shortlist:
    """The best of one kind, best first; the columns belong to `entries`."""

    kind: Kind
    entries: tuple[Entry, ...]
    scored: Scored
    cosines: Floats
    shares: Floats


def search_kind(asked: Asked, kind: Kind) -> Shortlist:
    """Ask both indexes and score what they found by everything they know."""
    candidates = _candidates(asked, kind)
    if kind is Kind.TURN:
        scored = score_turns(candidates, asked.config.turns)
    else:
        scored = score_records(candidates, asked.config.records)
    places = scored.best(asked.config.shortlist)
    rows = _entries(asked, candidates.items[places])
    is_known = np.array([int(item) in rows for item in candidates.items[places]], np.bool_)
    places = places[is_known]
    entries = [rows[int(item)] for item in candidates.items[places]]
    scored = _with_rows(asked, kind, take(scored, places), entries)
    best = scored.best(asked.config.hydrated)
    return Shortlist(
        kind,
        tuple(entries[place] for place in best),
        take(scored, best),
        candidates.cosines[places[best]],
        candidates.matched_share[places[best]],
    )


def is_named(speaker: str, names: tuple[str, ...]) -> bool:
    """Whether the speaker or subject is one of the names."""
    return any(fold(speaker) == fold(name) for name in names)


def _candidates(asked: Asked, kind: Kind) -> Candidates:
    """What vectors and words found; of what words alone found the best."""
    vectors = _search_vectors(asked, kind)
    texts = text_index().open(asked.request.reader, kind).search(asked.terms, limit=asked.config.candidates)
    extra, sessions, positions = _text_only(asked, vectors, texts)
    known = np.isin(texts.items, np.concatenate([vectors.items, extra]))
    places = (
        np.concatenate([vectors.items, extra]),
        np.concatenate([vectors.sessions, sessions]),
        np.concatenate([vectors.positions.astype(np.int64), positions]),
    )
    cosines = vectors.cosines.max(axis=0) if len(vectors.cosines) else np.zeros(0, np.float32)
    found = (texts.items[known], texts.bm25[known], texts.matched_share[known])
    return merge_channels(places, cosines, found)


def _search_vectors(asked: Asked, kind: Kind) -> VectorMatches:
    if asked.embeddings:
        queries = np.stack([each.vector for each in asked.embeddings if each.vector is not None])
        try:
            index = vector_index().open(asked.request.reader, kind)
            return index.search(queries, limit=asked.config.candidates)
        except IndexMismatch as error:
            _note(asked, error.detail)
        except ProviderError:
            logger.warning("the vector index failed", exc_info=True)
            _note(asked, NO_VECTORS)
    nothing = np.empty(0, np.int64)
    return VectorMatches(nothing, nothing, np.empty(0, np.int32), np.empty((1, 0), np.float32))


def _note(asked: Asked, note: str) -> None:
    if note not in asked.notes:
        asked.notes.append(note)


def _text_only(asked: Asked, vectors: VectorMatches, texts: TextMatches) -> tuple[Ints, Ints, Ints]:
    """Items, sessions and positions of the best that have no vector among the matches."""
    new = texts.items[~np.isin(texts.items, vectors.items)][: asked.config.text_only]
    rows = IndexedItem.objects.filter(
        space_id=asked.request.reader.space_id, id__in=[int(item) for item in new]
    )
    found = list(rows.values_list("id", "session_id", "position")) if len(new) else []
    columns = np.array([(item, session_code(session), at) for item, session, at in found], np.int64)
    items, sessions, positions = columns.reshape(-1, 3).T
    return items, sessions, positions


def _entries(asked: Asked, items: Ints) -> dict[int, Entry]:
    if not len(items):
        return {}
    rows = IndexedItem.objects.filter(
        space_id=asked.request.reader.space_id, id__in=[int(item) for item in items]
    ).values_list("id", "uid", "speaker", "length", "terms")
    return {row[0]: Entry(*row[:4], frozenset(row[4].split(" "))) for row in rows}


def _with_rows(asked: Asked, kind: Kind, scored: Scored, entries: list[Entry]) -> Scored:
    """The scores with what only rows know: who speaks or is spoken of, and how much."""
    named = {entry.speaker for entry in entries if is_named(entry.speaker, asked.names)}
    match = np.array([entry.speaker in named for entry in entries], np.float32)
    length = length_share([entry.length for entry in entries], full=asked.config.length_terms)
    if kind is Kind.TURN:
        return extend(scored, {"speaker": match, "length": length}, asked.config.turns)
    return extend(scored, {"subject": match, "length": length}, asked.config.records)
