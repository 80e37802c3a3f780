"""What hangs on evidence nodes and near entities, as columns of the records' ranking.

Each channel gives scored record ids for one question; those that weigh nothing are not asked,
so that `fast` pays for none. docs/algorithms/recall.md, section Evidence.
"""

from collections.abc import Callable, Mapping
from functools import cached_property
from uuid import UUID

import numpy as np

from memory.config import EvidenceConfig, RecallConfig
from memory.domain.ranking import Candidates, Channels, Scored
from memory.domain.types import Kind, Reader
from memory.models import IndexedItem
from memory.services.recall_communities import by_community
from memory.services.recall_graph import by_graph
from memory.services.recall_nodes import by_name, by_time, by_vector
from memory.services.recall_plan import Asked

CONFIG = EvidenceConfig()
RecordScores = dict[UUID, float]


class Look:
    """One question, and what the other channels found for it."""

    def __init__(self, asked: Asked, candidates: Candidates, scored: Scored) -> None:
        self.asked = asked
        self._candidates = candidates
        self._scored = scored

    @property
    def reader(self) -> Reader:
        """Who asks."""
        return self.asked.request.reader

    @cached_property
    def text(self) -> str:
        """What is asked, names included; "my wife" also as the asker's wife."""
        texts = [query for route in self.asked.plan.routes for query in route.queries]
        if self.asked.routes == 1:
            texts.insert(0, self.asked.request.question)
        return "\n".join(dict.fromkeys(texts))

    @cached_property
    def best(self) -> dict[UUID, float]:
        """The best records so far and their cosines, best first."""
        places = self._scored.best(CONFIG.looked_at)
        items = self._candidates.items[places].tolist()
        rows = IndexedItem.objects.filter(space_id=self.reader.space_id, id__in=items)
        uids = dict(rows.values_list("id", "uid"))
        cosines = self._candidates.cosines[places].tolist()
        return {uids[item]: cosine for item, cosine in zip(items, cosines, strict=True) if item in uids}

    @cached_property
    def weakest(self) -> float:
        """The least cosine that was found, at least 0."""
        return max(0.0, float(self._candidates.cosines.min(initial=1.0)))


_CHANNELS: Mapping[str, Callable[[Look], RecordScores]] = {
    "node_name": lambda look: by_name(look.reader, look.text, look.asked.names),
    "node_vector": lambda look: by_vector(look.reader, look.best, weakest=look.weakest),
    "node_time": lambda look: by_time(
        look.reader,
        [r.time_range for r in look.asked.plan.routes if r.time_range],
        time_zone=look.asked.request.time_zone,
    ),
    "community": lambda look: by_community(look.reader, list(look.best)[: CONFIG.community_looked_at]),
    "entity_graph": lambda look: by_graph(look.reader, look.asked.request.session_id),
}


def evidence_channels(asked: Asked, candidates: Candidates, scored: Scored) -> Channels:
    """The channels with a weight, as columns of the candidates; what they find besides is left out.

    A record that neither vectors nor words know is no candidate: the floor would take it anyway.
    """
    wanted = [name for name in _CHANNELS if _is_weighed(asked.config, name)]
    if not wanted or not len(candidates):
        return {}
    look = Look(asked, candidates, scored)
    found = {name: _CHANNELS[name](look) for name in wanted}
    uids = {
        uid
        for scores in found.values()
        for uid in sorted(scores, key=lambda uid: -scores[uid])[: CONFIG.most_found]
    }
    rows = IndexedItem.objects.filter(space_id=look.reader.space_id, kind=Kind.RECORD, uid__in=uids)
    numbers = dict(rows.values_list("uid", "id")) if uids else {}
    return {name: _column(candidates, numbers, scores) for name, scores in found.items()}


def _is_weighed(config: RecallConfig, name: str) -> bool:
    """Whether it counts among records, or where records and turns are compared."""
    seconds = dict(config.evidence.record_marks()) if config.is_reranking else {}
    return bool(getattr(config.records, name)) or name in seconds


def _column(
    candidates: Candidates, numbers: Mapping[UUID, int], scores: Mapping[UUID, float]
) -> "np.typing.NDArray[np.float32]":
    by_item = {numbers[uid]: score for uid, score in scores.items() if uid in numbers}
    column = np.zeros(len(candidates), np.float32)
    for place in np.flatnonzero(np.isin(candidates.items, list(by_item))).tolist():
        column[place] = by_item[int(candidates.items[place])]
    return column
