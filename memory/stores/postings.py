"""The text index: a table of postings, read into NumPy and ranked by BM25.

Statistics are those of the scopes a reader may see (what the space shares, and
their own private rows), kept as two sums a scope, so nobody else's rows ever
change a score. See docs/algorithms/indexes.md.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from uuid import UUID

import numpy as np
import numpy.typing as npt
from django.db import transaction

from memory.config import IndexConfig
from memory.domain.types import IndexItem, Kind, Reader
from memory.models import IndexedItem, IndexScope
from memory.ports import TextMatches
from memory.stores.posting_rows import MAX_FREQUENCY, MAX_LENGTH, delete_entries, write_entries
from memory.stores.sql import fetch_all, uuid_value

Ids = npt.NDArray[np.int64]
Scores = npt.NDArray[np.float64]

_WEIGHT_BITS = 24
_LOOKUP_CHUNK = 500  # items named in one statement
_DENSE_SPAN = 4_000_000  # ids up to this far apart are summed in a plain array (32 MB)

# One integer an entry: half the cost of a pair on its way from the cursor to NumPy.
_READ = "SELECT (item << 24) | weight FROM memory_posting WHERE scope_id = %s AND term = %s"
_SCOPES = (
    "SELECT id, items, total_length FROM memory_indexscope"
    " WHERE space_id = %s AND kind = %s AND (private_to_id IS NULL OR private_to_id = %s) AND items > 0"
)
_COUNT = "SELECT COUNT(*) FROM memory_posting WHERE scope_id = %s AND term = %s"


class Postings:
    """The TextIndex port over the rows of the database."""

    def __init__(self, config: IndexConfig | None = None) -> None:
        self._config = config or IndexConfig()

    def open(self, reader: Reader, kind: Kind) -> "PostingsReader":
        """A handle that sees, and counts, what the reader may see."""
        return PostingsReader(reader, kind, self._config)

    def upsert(self, items: Sequence[IndexItem]) -> dict[tuple[Kind, UUID], int]:
        """Write or replace the entries; of two with one id the last counts."""
        by_place: dict[tuple[UUID, Kind], dict[UUID, IndexItem]] = {}
        for item in items:
            by_place.setdefault((item.space_id, item.kind), {})[item.id] = item
        ids: dict[tuple[Kind, UUID], int] = {}
        with transaction.atomic(savepoint=False):
            for (space_id, kind), group in by_place.items():
                for row in write_entries(space_id, kind, list(group.values())):
                    ids[kind, row.uid] = row.id
        return ids

    def delete(self, space_id: UUID, kind: Kind, ids: Sequence[UUID]) -> dict[UUID, int]:
        """Remove; unknown ones are ignored."""
        with transaction.atomic(savepoint=False):
            return delete_entries(space_id, kind, ids)

    def drop_space(self, space_id: UUID) -> None:
        """Remove every entry of the space."""
        with transaction.atomic(savepoint=False):
            IndexedItem.objects.filter(space_id=space_id).delete()
            IndexScope.objects.filter(space_id=space_id).delete()  # with its postings


@dataclass(frozen=True, slots=True)
class _Statistics:
    """What BM25 knows of the reader's items: scope ids, their count, their mean length."""

    scopes: tuple[int, ...]
    items: int
    mean_length: float


@dataclass(frozen=True, slots=True)
class _Term:
    """One term of the query and its postings, as `item << 24 | length << 8 | frequency`."""

    text: str
    idf: float
    postings: Ids


class PostingsReader:
    """One reader's view of one kind; what one search has read the next does not read again."""

    def __init__(self, reader: Reader, kind: Kind, config: IndexConfig) -> None:
        self._reader = reader
        self._kind = kind
        self._config = config
        self._lists: dict[str, Ids] = {}  # read by an earlier search of this handle

    def search(self, terms: Sequence[str], *, limit: int) -> TextMatches:
        """Items that hold any of the terms, best first; repeated terms count once.

        In a large space the longest lists are not read: they only add to the score of
        the best `limit` that the rarer terms found.
        """
        statistics = self._statistics
        distinct = list(dict.fromkeys(terms))
        if not distinct or not statistics.items or limit < 1:
            return _matches(np.empty(0, np.int64), np.empty(0), np.empty(0))
        eager, deferred = self._read(distinct, statistics, limit)
        items, bm25, matched = self._accumulate(eager, statistics)
        items, bm25, matched = self._without_excluded(items, bm25, matched)
        best = _best(items, bm25, limit)
        items, bm25, matched = items[best], bm25[best], matched[best]
        for term in deferred:
            found = self._read_items(term, items, statistics)
            at = np.searchsorted(items, found >> _WEIGHT_BITS, sorter=(order := np.argsort(items)))
            bm25[order[at]] += self._scores(found, term.idf, statistics)
            matched[order[at]] += term.idf
        order = np.lexsort((items, -bm25))
        total = sum(term.idf for term in (*eager, *deferred))
        return _matches(items[order], bm25[order], matched[order] / total)

    @cached_property
    def _statistics(self) -> _Statistics:
        """Of the scopes that the reader sees. Excluded sessions stay counted."""
        owner, kind = self._reader, self._kind.value
        seen = fetch_all(_SCOPES, [uuid_value(owner.space_id), kind, uuid_value(owner.user_id)])
        items, length = sum(row[1] for row in seen), sum(row[2] for row in seen)
        return _Statistics(tuple(row[0] for row in seen), items, max(1.0, length / max(1, items)))

    def _read(
        self, terms: Sequence[str], statistics: _Statistics, limit: int
    ) -> tuple[list[_Term], list[_Term]]:
        """The terms whose lists are read, and those left for a look at the best items."""
        if statistics.items <= self._config.eager_items or len(terms) == 1:
            read = ((term, self._list(term, statistics)) for term in terms)
            return [_Term(term, _idf(len(found), statistics), found) for term, found in read], []
        counts = {term: _count_list(term, statistics.scopes) for term in terms}
        eager: list[_Term] = []
        deferred: list[_Term] = []
        entries = 0
        for term in sorted(terms, key=lambda term: counts[term]):
            idf = _idf(counts[term], statistics)
            if entries + counts[term] <= self._config.eager_postings or entries < limit:
                eager.append(_Term(term, idf, self._list(term, statistics)))
                entries += counts[term]
            else:
                deferred.append(_Term(term, idf, np.empty(0, np.int64)))
        return eager, deferred

    def _list(self, term: str, statistics: _Statistics) -> Ids:
        if term not in self._lists:
            self._lists[term] = _read_list(term, statistics.scopes)
        return self._lists[term]

    def _accumulate(self, terms: list[_Term], statistics: _Statistics) -> tuple[Ids, Scores, Scores]:
        """Items with the sum of their terms' scores and of their terms' IDF."""
        postings = np.concatenate([term.postings for term in terms])
        if not len(postings):
            return postings, np.empty(0), np.empty(0)
        ids = postings >> _WEIGHT_BITS
        idf = np.repeat([term.idf for term in terms], [len(term.postings) for term in terms])
        scores = self._scores(postings, idf, statistics)
        low, span = ids.min(), np.ptp(ids)
        if span > _DENSE_SPAN:
            items, places = np.unique(ids, return_inverse=True)
            return items, _sum(places, scores), _sum(places, idf)
        matched = _sum(ids - low, idf)
        held = np.flatnonzero(matched)
        return (held + low).astype(np.int64), _sum(ids - low, scores)[held], matched[held]

    def _scores(self, postings: Ids, idf: float | Scores, statistics: _Statistics) -> Scores:
        """BM25 of each entry; idf·tf(k1+1) / (tf + k1(1 - b + b·length/mean))."""
        k1, b = self._config.bm25_k1, self._config.bm25_b
        frequency = (postings & MAX_FREQUENCY).astype(np.float64)
        length = (postings >> 8 & MAX_LENGTH).astype(np.float64)
        norm = k1 * (1 - b) + (k1 * b / statistics.mean_length) * length
        scores: Scores = idf * frequency * (k1 + 1) / (frequency + norm)
        return scores

    def _without_excluded(self, items: Ids, bm25: Scores, matched: Scores) -> tuple[Ids, Scores, Scores]:
        sessions = self._reader.exclude_session_ids
        if not sessions:
            return items, bm25, matched
        rows = IndexedItem.objects.filter(
            space_id=self._reader.space_id, kind=self._kind, session_id__in=sessions
        )
        kept = ~np.isin(items, np.fromiter(rows.values_list("id", flat=True), np.int64))
        return items[kept], bm25[kept], matched[kept]

    def _read_items(self, term: _Term, items: Ids, statistics: _Statistics) -> Ids:
        """The term's entries for these items only."""
        found: list[Ids] = [np.empty(0, np.int64)]
        for start in range(0, len(items), _LOOKUP_CHUNK):
            chunk = [int(item) for item in items[start : start + _LOOKUP_CHUNK]]
            names = ", ".join(["%s"] * len(chunk))
            sql = f"{_READ} AND item IN ({names})"
            found += [_fetch(sql, [scope, term.text, *chunk]) for scope in statistics.scopes]
        return np.concatenate(found)


def _idf(count: int, statistics: _Statistics) -> float:
    """Never negative: ln(1 + (N - n + 0.5)/(n + 0.5)); 3 of 10 items give 1.18."""
    return math.log(1 + (statistics.items - count + 0.5) / (count + 0.5))


def _sum(places: npt.NDArray[np.intp] | Ids, values: Scores) -> Scores:
    """The sum of the values of each place."""
    return np.bincount(places, values).astype(np.float64, copy=False)


def _best(items: Ids, scores: Scores, limit: int) -> npt.NDArray[np.intp]:
    """Places of the best `limit`, in no order; of equals the smaller ids."""
    if len(items) <= limit:
        return np.arange(len(items))
    return np.lexsort((items, -scores))[:limit]


def _matches(items: Ids, bm25: Scores, share: Scores) -> TextMatches:
    return TextMatches(items, bm25.astype(np.float32), share.astype(np.float32))


def _fetch(sql: str, parameters: Sequence[int | str]) -> Ids:
    rows = fetch_all(sql, parameters)
    return np.fromiter(chain.from_iterable(rows), np.int64, len(rows))


def _read_list(term: str, scopes: Iterable[int]) -> Ids:
    return np.concatenate([_fetch(_READ, [scope, term]) for scope in scopes])


def _count_list(term: str, scopes: Iterable[int]) -> int:
    return int(sum(_fetch(_COUNT, [scope, term])[0] for scope in scopes))
