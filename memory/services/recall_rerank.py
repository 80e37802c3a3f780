"""The second look: the best of both kinds compared with the question word by word.

Reads stored token vectors, of turns with those around them, and joins both kinds on the
turns they rest on. Without token vectors of the question the kinds are joined by ranks.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

import numpy as np

from memory.domain.interaction import (
    INTERACTION,
    SESSION,
    WINDOW,
    best_of_group,
    in_windows,
    interaction_channel,
    join_on_turns,
    token_matches,
)
from memory.domain.ranking import Floats
from memory.domain.selection import Candidate, fuse_kinds
from memory.domain.types import Kind, Role
from memory.ports import TokenVectors
from memory.services.recall_items import Item
from memory.services.recall_plan import Asked
from memory.stores.entries import items_around
from memory.stores.registry import token_store

Ranked = Mapping[Kind, list[Candidate]]


def join_kinds(
    routes: Sequence[Asked], ranked: Sequence[Ranked], items: Mapping[UUID, Item]
) -> list[list[Candidate]]:
    """For each route records and turns in one order, best first."""
    queries = [_tokens_of(asked) for asked in routes]
    texts = _read(
        routes[0], [found for found, query in zip(ranked, queries, strict=True) if query is not None]
    )
    joined: list[list[Candidate]] = []
    for asked, found, query in zip(routes, ranked, queries, strict=True):
        seen = _compare(texts, query, found) if texts and query is not None else None
        joined.append(_by_words(asked, found, seen, items) if seen else _by_ranks(asked, found, items))
    return joined


def _tokens_of(asked: Asked) -> TokenVectors | None:
    """The token vectors of the first query that has any."""
    tokens = (each.tokens for each in asked.embeddings if asked.config.is_reranking)
    return next((each for each in tokens if each is not None), None)


def _by_ranks(asked: Asked, ranked: Ranked, items: Mapping[UUID, Item]) -> list[Candidate]:
    unfiled = {item.id for item in items.values() if _is_unfiled(item)}
    return fuse_kinds(ranked[Kind.RECORD], ranked[Kind.TURN], k=asked.config.rrf_k, unfiled=unfiled)


def _by_words(asked: Asked, ranked: Ranked, seen: "_Compared", items: Mapping[UUID, Item]) -> list[Candidate]:
    records = _with(ranked[Kind.RECORD], {INTERACTION: seen.records})
    turns = ranked[Kind.TURN]
    if not turns:
        return _by_interaction(records, asked.config.rerank_weight)
    session = best_of_group(seen.windows, [_session_of(items[each.id]) for each in turns])
    turns = _with(turns, {INTERACTION: seen.turns, WINDOW: seen.windows, SESSION: session})
    return join_on_turns(records, turns, asked.config.evidence)


@dataclass(frozen=True, slots=True)
class _Texts:
    """Stored token vectors by item, None where there are none; which turns stand around each turn."""

    said: Mapping[int, TokenVectors | None]
    told: Mapping[int, TokenVectors | None]
    around: Mapping[int, list[int]]


def _read(asked: Asked, ranked: Sequence[Ranked]) -> _Texts:
    """Read what any route found, each text once."""
    space_id = asked.request.reader.space_id
    turns = list(dict.fromkeys(each.item for found in ranked for each in found[Kind.TURN]))
    records = list(dict.fromkeys(each.item for found in ranked for each in found[Kind.RECORD]))
    around = items_around(space_id, turns, reach=asked.config.window_reach) if turns else {}
    numbers = sorted({item for near in around.values() for item in near})
    return _Texts(
        said=dict(zip(numbers, token_store().read(space_id, Kind.TURN, numbers), strict=True)),
        told=dict(zip(records, token_store().read(space_id, Kind.RECORD, records), strict=True)),
        around=around,
    )


@dataclass(frozen=True, slots=True)
class _Compared:
    """Late interaction of records, of turns and of what was said around them, each a column.

    Records and turns are stretched together, so that their words weigh the same.
    """

    records: Floats
    turns: Floats
    windows: Floats


def _compare(texts: _Texts, query: TokenVectors, ranked: Ranked) -> _Compared | None:
    """What one route found, compared with its query; None where no text has token vectors.

    A text whose vectors are still to be written is judged by its matched words.
    """
    records, turns = ranked[Kind.RECORD], ranked[Kind.TURN]
    around = [texts.around.get(each.item, ()) for each in turns]
    numbers = sorted({item for near in around for item in near})
    places = {item: place for place, item in enumerate(numbers)}
    said = token_matches(query, [texts.said[item] for item in numbers])
    told = token_matches(query, [texts.told[each.item] for each in records])
    own = in_windows(said, [[places[each.item]] if each.item in places else [] for each in turns])
    both = np.concatenate([told, own], axis=1)
    if np.isnan(both).all():
        return None
    windows = in_windows(said, [[places[item] for item in near] for near in around])
    matched = np.array([each.matched_share for each in (*records, *turns)], np.float32)
    words = interaction_channel(both, matched)
    window = interaction_channel(windows, matched[len(records) :])
    return _Compared(words[: len(records)], words[len(records) :], window)


def _is_unfiled(item: Item) -> bool:
    """Whether a person said it and no encoder has seen it."""
    return item.turn is not None and item.role is Role.USER and not item.turn.is_filed


def _session_of(item: Item) -> UUID:
    return item.turn.session_id if item.turn else item.id


def _with(candidates: list[Candidate], channels: Mapping[str, Floats]) -> list[Candidate]:
    return [
        replace(
            each,
            breakdown={**each.breakdown, **{name: float(values[place]) for name, values in channels.items()}},
        )
        for place, each in enumerate(candidates)
    ]


def _by_interaction(records: list[Candidate], weight: float) -> list[Candidate]:
    scored = [replace(each, score=each.score + weight * each.breakdown[INTERACTION]) for each in records]
    return sorted(scored, key=lambda each: -each.score)
