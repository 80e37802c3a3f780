"""The second look: the best of both kinds compared with the question word by word.

Reads stored token vectors, of turns with those around them, and joins both kinds on the
turns they rest on. Without token vectors of the question the kinds are joined by ranks.
"""

from collections.abc import Mapping
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


def join_kinds(asked: Asked, ranked: Ranked, items: Mapping[UUID, Item]) -> list[Candidate]:
    """Records and turns in one order, best first."""
    records, turns = ranked[Kind.RECORD], ranked[Kind.TURN]
    tokens = (each.tokens for each in asked.embeddings if asked.config.is_reranking)
    query = next((each for each in tokens if each is not None), None)
    seen = _compare(asked, query, records, turns) if query is not None else None
    if seen is None:
        unfiled = {item.id for item in items.values() if _is_unfiled(item)}
        return fuse_kinds(records, turns, k=asked.config.rrf_k, unfiled=unfiled)
    records = _with(records, {INTERACTION: seen.records})
    if not turns:
        return _by_interaction(records, asked.config.rerank_weight)
    session = best_of_group(seen.windows, [_session_of(items[each.id]) for each in turns])
    turns = _with(turns, {INTERACTION: seen.turns, WINDOW: seen.windows, SESSION: session})
    return join_on_turns(records, turns, asked.config.evidence)


@dataclass(frozen=True, slots=True)
class _Compared:
    """Late interaction of records, of turns and of what was said around them, each a column.

    Records and turns are stretched together, so that their words weigh the same.
    """

    records: Floats
    turns: Floats
    windows: Floats


def _compare(
    asked: Asked, query: TokenVectors, records: list[Candidate], turns: list[Candidate]
) -> _Compared | None:
    """Read the stored token vectors and compare them; None where there are none.

    A text whose vectors are still to be written is judged by its matched words.
    """
    space_id = asked.request.reader.space_id
    around = items_around(space_id, [each.item for each in turns], reach=asked.config.window_reach)
    numbers = sorted({item for near in around.values() for item in near})
    place_of = {item: place for place, item in enumerate(numbers)}
    said = token_matches(query, token_store().read(space_id, Kind.TURN, numbers))
    told = token_matches(query, token_store().read(space_id, Kind.RECORD, [each.item for each in records]))
    own = in_windows(said, [[place_of[each.item]] if each.item in place_of else [] for each in turns])
    both = np.concatenate([told, own], axis=1)
    if np.isnan(both).all():
        return None
    windows = in_windows(said, [[place_of[item] for item in around.get(each.item, ())] for each in turns])
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
