"""The channels of one kind, searched and scored: what each route asks into a shortlist.

Scores all that the indexes found as columns; looks up rows of the best only.
"""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from memory.domain.ranking import (
    Candidates,
    Floats,
    Ints,
    Places,
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
from memory.ports import TextMatches, VectorMatches
from memory.services.recall_evidence import evidence_channels
from memory.services.recall_plan import Asked
from memory.stores.entries import Entry, EntryRow, awaiting_of, entries_of, places_of
from memory.stores.registry import text_index, vector_index

logger = logging.getLogger(__name__)

NO_VECTORS = "The vector index does not answer; recalled by words alone."


@dataclass(frozen=True, slots=True)
class Shortlist:
    """The best of one kind, best first; the columns belong to `entries`."""

    kind: Kind
    entries: tuple[Entry, ...]
    scored: Scored
    cosines: Floats
    shares: Floats
    awaiting: frozenset[int] = frozenset()  # numbers of items whose vectors are still to be written


def search_kind(routes: Sequence[Asked], kind: Kind, *, led: Sequence[Sequence[int]] = ()) -> list[Shortlist]:
    """Ask both indexes for every route and score what they found by everything they know.

    The routes share one look at the vectors and one at the rows. `led`: for each route items that
    are in the running whatever their score.
    """
    led = led or [()] * len(routes)
    candidates = _candidates(routes, kind, led)
    scored = [_scored(asked, kind, found) for asked, found in zip(routes, candidates, strict=True)]
    best = [
        _with_led(each.best(asked.shortlist), found.items, items)
        for asked, found, each, items in zip(routes, candidates, scored, led, strict=True)
    ]
    numbers = [found.items[places].tolist() for found, places in zip(candidates, best, strict=True)]
    items = list(dict.fromkeys(item for listed in numbers for item in listed))
    rows = entries_of(routes[0].request.reader.space_id, items)
    return [
        _shortlist(asked, kind, found, each, places, rows, own)
        for asked, found, each, places, own in zip(routes, candidates, scored, best, led, strict=True)
    ]


def _scored(asked: Asked, kind: Kind, candidates: Candidates) -> Scored:
    if kind is Kind.TURN:
        return score_turns(candidates, asked.config.turns)
    scored = score_records(candidates, asked.config.records)
    return extend(scored, evidence_channels(asked, candidates, scored), asked.config.records)


def _shortlist(
    asked: Asked,
    kind: Kind,
    candidates: Candidates,
    scored: Scored,
    places: Places,
    rows: Mapping[int, EntryRow],
    led: Sequence[int],
) -> Shortlist:
    items = candidates.items[places].tolist()
    places = places[[item in rows for item in items]]
    known = [rows[item] for item in items if item in rows]
    scored = _with_rows(asked, kind, take(scored, places), known)
    best = _with_led(scored.best(asked.hydrated), candidates.items[places], led)
    return Shortlist(
        kind,
        tuple(Entry.of(known[place]) for place in best),
        take(scored, best),
        candidates.cosines[places[best]],
        candidates.matched_share[places[best]],
        frozenset(candidates.awaiting.tolist()),
    )


def is_named(speaker: str, names: tuple[str, ...]) -> bool:
    """Whether the speaker or subject is one of the names, or somebody of theirs ("Ann's sister")."""
    spoken = fold(speaker)
    return any(spoken == fold(name) or spoken.startswith(f"{fold(name)}'s ") for name in names)


def _with_led(best: Places, items: Ints, led: Sequence[int]) -> Places:
    """The best places, and those of the items that are led."""
    if not led:
        return best
    places = np.flatnonzero(np.isin(items, led))
    return np.concatenate([best, np.setdiff1d(places, best)])


def _candidates(routes: Sequence[Asked], kind: Kind, led: Sequence[Sequence[int]]) -> list[Candidates]:
    """For each route what vectors and words found; of what words alone found the best."""
    reader = routes[0].request.reader
    awaiting = awaiting_of(reader.space_id, kind)  # before: one that came since is found
    vectors = _search_vectors(routes, kind)
    texts = text_index().open(reader, kind)
    return [
        replace(
            _merged(asked, found, texts.search(asked.terms, limit=asked.config.candidates), own),
            awaiting=awaiting,
        )
        for asked, found, own in zip(routes, vectors, led, strict=True)
    ]


def _merged(asked: Asked, vectors: VectorMatches, texts: TextMatches, led: Sequence[int]) -> Candidates:
    extra, sessions, positions = _text_only(asked, vectors, texts, led)
    known = np.isin(texts.items, np.concatenate([vectors.items, extra]))
    places = (
        np.concatenate([vectors.items, extra]),
        np.concatenate([vectors.sessions, sessions]),
        np.concatenate([vectors.positions.astype(np.int64), positions]),
    )
    cosines = vectors.cosines.max(axis=0) if len(vectors.cosines) else np.zeros(0, np.float32)
    found = (texts.items[known], texts.bm25[known], texts.matched_share[known])
    return merge_channels(places, cosines, found)


def _search_vectors(routes: Sequence[Asked], kind: Kind) -> list[VectorMatches]:
    """What lies near the queries of each route, by one search for all of them."""
    queries = [each.vector for asked in routes for each in asked.embeddings if each.vector is not None]
    ends = np.cumsum([len(asked.embeddings) for asked in routes])
    if queries:
        try:
            index = vector_index().open(routes[0].request.reader, kind)
            found = index.search(np.stack(queries), limit=routes[0].config.candidates)
            return [
                _nothing() if start == end else replace(found, cosines=found.cosines[start:end])
                for start, end in zip([0, *ends[:-1]], ends, strict=True)
            ]
        except IndexMismatch as error:
            _note(routes[0], error.detail)
        except ProviderError:
            logger.warning("the vector index failed", exc_info=True)
            _note(routes[0], NO_VECTORS)
    return [_nothing() for _ in routes]


def _nothing() -> VectorMatches:
    nothing = np.empty(0, np.int64)
    return VectorMatches(nothing, nothing, np.empty(0, np.int32), np.empty((1, 0), np.float32))


def _note(asked: Asked, note: str) -> None:
    if note not in asked.notes:
        asked.notes.append(note)


def _text_only(
    asked: Asked, vectors: VectorMatches, texts: TextMatches, led: Sequence[int]
) -> tuple[Ints, Ints, Ints]:
    """Items, sessions and positions of the best that no vector brought, many if no vectors did; and
    of those led.
    """
    most = asked.config.text_only if len(vectors.items) else asked.config.shortlist
    new = texts.items[~np.isin(texts.items, vectors.items)][: max(most, 2 * asked.top_k)]
    far = [item for item in led if item not in vectors.items]
    return places_of(asked.request.reader.space_id, list(dict.fromkeys([*new.tolist(), *far])))


def _with_rows(asked: Asked, kind: Kind, scored: Scored, entries: list[EntryRow]) -> Scored:
    """The scores with what only rows know: who speaks or is spoken of, and how much."""
    named = {speaker for speaker in {entry.speaker for entry in entries} if is_named(speaker, asked.names)}
    match = np.array([entry.speaker in named for entry in entries], np.float32)
    length = length_share([entry.length for entry in entries], full=asked.config.length_terms)
    if kind is Kind.TURN:
        return extend(scored, {"speaker": match, "length": length}, asked.config.turns)
    return extend(scored, {"subject": match, "length": length}, asked.config.records)
