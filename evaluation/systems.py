"""The systems compared in one run: the whole recall, its halves, its ablations, two baselines.

Each turns a question into turn keys, best first: an item's own turns in its order,
neighbours excluded, doubles dropped.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from uuid import UUID

import numpy as np

from evaluation.memories import Told
from evaluation.recipes import Recipe
from evaluation.types import Probe
from memory.domain.text import search_terms
from memory.domain.types import Hit, Kind, Reader, RecallRequest
from memory.models import IndexedItem
from memory.providers.registry import embedder
from memory.services.recall import recall
from memory.stores.registry import text_index, vector_index

DEPTH = 100  # items asked for, so that at least as many turns can be ranked
WHOLE = "whole"
UNBOUNDED_TOKENS = 1_000_000

System = Callable[[Told, Probe], list[str]]


@dataclass(frozen=True, slots=True)
class Asking:
    """When questions are put: now, or where a benchmark dates them then, and `later` on top."""

    later: timedelta = timedelta()

    def instant(self, probe: Probe | None = None) -> datetime:
        """The moment of asking, aware UTC."""
        return ((probe.asked_at if probe else None) or datetime.now(UTC)) + self.later


def systems(recipe: Recipe, ablations: Sequence[Recipe], *, asking: Asking) -> dict[str, System]:
    """What is compared on one telling, by name; the first is the system under test.

    `ablations` are those of recall; those of construction are told anew, see `anew`.
    """
    records = replace(recipe, recall=replace(recipe.recall, are_turns_recalled=False))
    turns = replace(recipe, recall=replace(recipe.recall, are_records_recalled=False))
    return {
        WHOLE: rank_by_recall(recipe, asking),
        "records only": rank_by_recall(records, asking),
        "raw turns only": rank_by_recall(turns, asking),
        **{each.name: rank_by_recall(each, asking) for each in ablations},
        "plain BM25": rank_by_words,
        "plain dense": rank_by_vectors,
    }


def anew(ablation: Recipe, *, asking: Asking) -> dict[str, System]:
    """The one system of an ablation of construction: its records."""
    records = replace(ablation, recall=replace(ablation.recall, are_turns_recalled=False))
    return {f"{ablation.name}, records only": rank_by_recall(records, asking)}


def rank_by_recall(recipe: Recipe, asking: Asking) -> System:
    """The recall of a recipe, as deep as turns can be ranked."""
    config = replace(recipe.recall, context_tokens=UNBOUNDED_TOKENS)

    def ask(told: Told, probe: Probe) -> list[str]:
        request = request_for(told, probe.text, recipe, now=asking.instant(probe), top_k=DEPTH)
        return _known(told, flatten(recall(request, config=config).hits))

    return ask


def rank_by_words(told: Told, probe: Probe) -> list[str]:
    """The baseline: raw turns by BM25 alone, the question as it is asked."""
    found = text_index().open(_reader(told), Kind.TURN).search(search_terms(probe.text), limit=DEPTH)
    return _known(told, _uids(found.items, -found.bm25))


def rank_by_vectors(told: Told, probe: Probe) -> list[str]:
    """The other baseline: raw turns by cosine alone, the question as it is asked."""
    (embedding,) = embedder().embed([probe.text])
    if embedding.vector is None:
        return []
    index = vector_index().open(_reader(told), Kind.TURN)
    found = index.search(np.stack([embedding.vector]), limit=DEPTH)
    return _known(told, _uids(found.items, -found.cosines[0]))


def request_for(
    told: Told, question: str, recipe: Recipe, *, now: datetime, top_k: int | None = None
) -> RecallRequest:
    """The question as a recall is asked it."""
    return RecallRequest(
        question=question,
        reader=_reader(told),
        now=now,
        time_zone=told.principal.time_zone,
        effort=recipe.effort,
        top_k=top_k,
    )


def flatten(hits: Iterable[Hit]) -> list[UUID]:
    """Turn ids of the hits in order: each hit's own evidence, neighbours excluded."""
    turns = (each.turn_id for hit in hits for each in hit.evidence if not each.is_neighbour)
    return list(dict.fromkeys(turns))


def _reader(told: Told) -> Reader:
    return Reader(told.principal.space_id, told.principal.user_id)


def _uids(items: "np.typing.NDArray[np.int64]", keys: "np.typing.NDArray[np.float32]") -> list[UUID]:
    """The turns of index entries in ascending order of the keys, at most DEPTH."""
    ordered = items[keys.argsort(kind="stable")][:DEPTH].tolist()
    uids = dict(IndexedItem.objects.filter(pk__in=ordered).values_list("pk", "uid"))
    return [uids[item] for item in ordered]


def _known(told: Told, turn_ids: Sequence[UUID]) -> list[str]:
    return [told.key_of_turn[turn_id] for turn_id in turn_ids if turn_id in told.key_of_turn]
