"""Which skill a lesson is about: the same words, the nearest intent at cosine 0.85, or nearly the
same words where an intent has no vector; always with equal tools, and among rows of equal audience.
"""

from collections.abc import Iterable, Mapping, Sequence
from uuid import UUID

import numpy as np

from memory.domain.types import Reader
from memory.errors import IndexMismatch
from memory.ports import Vectors
from skills.config import SkillConfig
from skills.domain.extraction import intent_key, shares_words, tools_key
from skills.domain.types import SkillText
from skills.models import Skill
from skills.stores.near import nearest_by_vector, nearest_by_words

_NOBODY = UUID(int=0)


class Matcher:
    """Compares the lessons of one segment; made and used in the transaction that writes them."""

    def __init__(
        self,
        space_id: UUID,
        private_to: UUID | None,
        vectors: Sequence[Vectors | None],
        waiting: Mapping[UUID, Vectors | None],
        *,
        config: SkillConfig,
    ) -> None:
        self._rows = Skill.objects.for_space(space_id).filter(private_to=private_to)
        self._reader = Reader(space_id, private_to or _NOBODY)
        self._vectors = vectors
        self._waiting = {skill_id: vector for skill_id, vector in waiting.items() if vector is not None}
        self._config = config
        self._stored = self._search()

    def match(self, place: int, text: SkillText) -> Skill | None:
        """The skill that the lesson at this place is about; None for a new one."""
        same: Skill | None = self._rows.filter(intent_key=intent_key(text)).first()
        if same is not None:
            return same
        vector = self._vectors[place]
        near = self._by_words(text) if vector is None else self._by_cosine(place, vector)
        return self._nearest(near, text)

    def _by_cosine(self, place: int, vector: Vectors) -> dict[UUID, float]:
        near = dict(self._stored.get(place, {}))
        near.update({skill_id: float(np.dot(vector, other)) for skill_id, other in self._waiting.items()})
        return {skill_id: cosine for skill_id, cosine in near.items() if cosine >= self._config.same_cosine}

    def _by_words(self, text: SkillText) -> dict[UUID, float]:
        """Skills whose intents are worded alike, by the words they share."""
        found = nearest_by_words(self._reader, text.intent, limit=self._config.candidates)
        intents = self._rows.filter(id__in=found).values_list("id", "intent")
        shares = {skill_id: shares_words(text.intent, intent) for skill_id, intent in intents}
        return {skill_id: share for skill_id, share in shares.items() if share >= self._config.same_words}

    def _nearest(self, near: Mapping[UUID, float], text: SkillText) -> Skill | None:
        rows: Iterable[Skill] = self._rows.filter(id__in=list(near)) if near else ()
        wanted = tools_key(text.tools)
        fitting = [row for row in rows if tools_key(row.tools) == wanted]
        return max(fitting, key=lambda row: (near[row.id], row.id), default=None)

    def _search(self) -> dict[int, dict[UUID, float]]:
        """By place the cosines of the stored skills; nothing under an index of another embedder."""
        asked = {place: vector for place, vector in enumerate(self._vectors) if vector is not None}
        try:
            found = nearest_by_vector(self._reader, list(asked.values()), limit=self._config.candidates)
        except IndexMismatch:
            return {}
        return dict(zip(asked, found, strict=True))
