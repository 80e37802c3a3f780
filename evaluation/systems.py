"""The systems compared in one run: the whole recall, its two halves, and plain BM25.

Each turns a question into turn keys, best first: an item's own turns in its order,
neighbours excluded, doubles dropped.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from uuid import UUID

from evaluation.memories import Told
from evaluation.types import Probe
from memory.config import RecallConfig
from memory.domain.text import search_terms
from memory.domain.types import Effort, Hit, Kind, Reader, RecallRequest
from memory.models import IndexedItem
from memory.services.recall import recall
from memory.stores.registry import text_index

DEPTH = 100  # items asked for, so that at least as many turns can be ranked

System = Callable[[Told, Probe], list[str]]


def systems(recipe: RecallConfig, *, effort: Effort = Effort.STANDARD) -> dict[str, System]:
    """What is compared, by name; the first is the system under test."""
    wide = replace(recipe, top_k=DEPTH, context_tokens=1_000_000)
    return {
        "whole": _recall_with(wide, effort),
        "records only": _recall_with(replace(wide, are_turns_recalled=False), effort),
        "raw turns only": _recall_with(replace(wide, are_records_recalled=False), effort),
        "plain BM25": rank_by_words,
    }


def rank_by_words(told: Told, probe: Probe) -> list[str]:
    """The baseline: raw turns by BM25 alone."""
    reader = Reader(told.principal.space_id, told.principal.user_id)
    found = text_index().open(reader, Kind.TURN).search(search_terms(probe.text), limit=DEPTH)
    order = (-found.bm25).argsort(kind="stable")
    items = found.items[order].tolist()
    uids = dict(IndexedItem.objects.filter(pk__in=items).values_list("pk", "uid"))
    return _known(told, [uids[item] for item in items])


def flatten(hits: Iterable[Hit]) -> list[UUID]:
    """Turn ids of the hits in order: each hit's own evidence, neighbours excluded."""
    turns = (each.turn_id for hit in hits for each in hit.evidence if not each.is_neighbour)
    return list(dict.fromkeys(turns))


def _recall_with(config: RecallConfig, effort: Effort) -> System:
    def ask(told: Told, probe: Probe) -> list[str]:
        request = RecallRequest(
            question=probe.text,
            reader=Reader(told.principal.space_id, told.principal.user_id),
            now=datetime.now(UTC),
            time_zone=told.principal.time_zone,
            effort=effort,
            top_k=DEPTH,
        )
        return _known(told, flatten(recall(request, config=config).hits))

    return ask


def _known(told: Told, turn_ids: Sequence[UUID]) -> list[str]:
    return [told.key_of_turn[turn_id] for turn_id in turn_ids if turn_id in told.key_of_turn]
