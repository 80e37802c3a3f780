"""Skills near some intents, through the indexes: by meaning where there are vectors, else by words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

import numpy as np

from memory.domain.planning import question_terms
from memory.domain.types import Kind, Reader
from memory.models import IndexedItem
from memory.ports import Vectors
from memory.stores.registry import text_index, vector_index


@dataclass(frozen=True, slots=True)
class Near:
    """How near a skill is: its best `cosine` (0 where it has no vector) and its matched `share`."""

    cosine: float = 0.0
    share: float = 0.0
    has_vector: bool = False

    @property
    def strength(self) -> float:
        """How near, in [0, 1]: by meaning, or by words where that cannot be had. Words alone would put
        an intent that holds the question's words among many others before the one that is meant.
        """
        return min(1.0, max(0.0, self.cosine if self.has_vector else self.share))


def nearest_by_vector(reader: Reader, queries: Sequence[Vectors], *, limit: int) -> list[dict[UUID, float]]:
    """For each query (d,) the cosines of the skills found for any of them. Raises IndexMismatch."""
    if not queries:
        return []
    found = vector_index().open(reader, Kind.SKILL).search(np.stack(queries), limit=limit)
    uids = _uids(reader.space_id, found.items.tolist())
    return [
        {
            uids[item]: float(cosine)
            for item, cosine in zip(found.items.tolist(), row, strict=True)
            if item in uids
        }
        for row in found.cosines
    ]


def nearest_by_words(reader: Reader, text: str, *, limit: int) -> dict[UUID, float]:
    """The share of the text's words, weighed by their rarity, that each skill's intent holds."""
    found = text_index().open(reader, Kind.SKILL).search(question_terms(text), limit=limit)
    uids = _uids(reader.space_id, found.items.tolist())
    shares = zip(found.items.tolist(), found.matched_share.tolist(), strict=True)
    return {uids[item]: float(share) for item, share in shares if item in uids}


def waiting_ids(space_id: UUID) -> set[UUID]:
    """The skills whose vectors are still to be written."""
    rows = IndexedItem.objects.filter(space_id=space_id, kind=Kind.SKILL, seq__isnull=True)
    return set(rows.values_list("uid", flat=True))


def _uids(space_id: UUID, items: Sequence[int]) -> Mapping[int, UUID]:
    rows = IndexedItem.objects.filter(space_id=space_id, kind=Kind.SKILL, id__in=items)
    return dict(rows.values_list("id", "uid"))
