"""A search on the wire, and what it found."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any
from uuid import UUID

from ninja import Schema
from pydantic import Field

from accounts.principals import Principal
from api.schemas.images import VisualHitOut
from api.schemas.provenance import (
    DroppedItem,
    Provenance,
    dropped_of,
    fragments_of,
    provenance_of,
)
from api.schemas.skills import SkillResult, skill_results
from api.schemas.wire import Flag, Instant, Query, SessionName, Share, Text, TopK
from memory.domain.types import Effort, MemoryType, Reader, Recalled, RecallRequest
from memory.services.synthesize import Synthesized
from sessions_app.domain.types import Recollection
from skills.domain.hyde import reuse_plan

USELESS = "judged to be of no use for the question"


class SearchMode(StrEnum):
    """`compact` leaves the result lists out."""

    RAW = "raw"
    FULL = "full"
    COMPACT = "compact"


class ResponseLevel(StrEnum):
    """`minimal` is the context alone; `full` also tells what was dropped and why."""

    MINIMAL = "minimal"
    COMPACT = "compact"
    FULL = "full"


class SearchQuery(Schema):
    """One question put to the memory. A long query is cut for planning, never refused."""

    query: Query
    top_k: TopK = Field(5, description="At most so many items; left out, `deep` adds what it finds.")
    session_id: SessionName | None = Field(None, description="The session asking, if any.")
    exclude_session_id: SessionName | None = None
    include_graph: Flag = True
    include_skills: Flag = True
    include_visual: Flag = False
    effort: Effort = Effort.STANDARD
    as_of: Instant | None = Field(None, description="What was true then.")
    known_at: Instant | None = Field(None, description="What was known then.")
    types: list[MemoryType] = []
    entities: Annotated[list[Text], Field(max_length=50)] = []
    min_score: Share | None = None
    reference_time: Instant | None = Field(None, description="The moment to take for now.")

    def to_request(
        self, principal: Principal, *, now: datetime, session_id: UUID | None, excluded: frozenset[UUID]
    ) -> RecallRequest:
        """As the service takes it, for this reader alone.

        Our default is for others than `deep`, which would have no place for what it finds beside that.
        """
        is_open = self.effort is Effort.DEEP and "top_k" not in self.model_fields_set
        return RecallRequest(
            question=self.query,
            reader=Reader(principal.space_id, principal.user_id, exclude_session_ids=excluded),
            now=self.reference_time or now,
            time_zone=principal.time_zone,
            effort=self.effort,
            top_k=None if is_open else self.top_k,
            session_id=session_id,
            types=frozenset(self.types),
            entities=tuple(self.entities),
            min_score=self.min_score,
            as_of=self.as_of,
            known_at=self.known_at,
        )


class SmartSearchQuery(SearchQuery):
    """The same, answered as one context ready for a prompt."""

    synthesize: Flag = Field(default=True, description="Keep only what is of use, condensed to one text.")
    mode: SearchMode = SearchMode.COMPACT
    response_level: ResponseLevel = ResponseLevel.COMPACT


class Anchor(Schema):
    """What a block of results hangs on."""

    node_id: str = "compact_context"
    name: str
    label: str
    score: float


class ResultBlock(Schema):
    """The context as a model would read it, and where each item came from."""

    anchor: Anchor
    subgraph: dict[str, list[Any]]
    constructed_context: str
    provenance: list[Provenance]


class SearchResults(Schema):
    """`graph_results` is the same list as `semantic_results`."""

    query: str
    semantic_results: list[ResultBlock]
    graph_results: list[ResultBlock]
    skill_results: list[SkillResult] = []
    visual_results: list[VisualHitOut] = []
    novelty_retrieved_context: str
    total: int
    notes: list[str]

    @classmethod
    def of(cls, asked: SearchQuery, found: Recollection) -> "SearchResults":
        """From what was asked and what was recalled."""
        recalled = found.records
        blocks = _blocks(recalled)
        return cls(
            query=asked.query,
            semantic_results=blocks,
            graph_results=blocks if asked.include_graph else [],
            skill_results=skill_results(found.skills),
            visual_results=[VisualHitOut.of_hit(hit) for hit in found.visuals],
            novelty_retrieved_context=recalled_text(found),
            total=len(recalled.hits),
            notes=list(recalled.notes),
        )


class SmartSearchResults(Schema):
    """`background_context` goes into a prompt; `novelty_retrieved_context` to consolidate."""

    query: str
    mode: SearchMode
    synthesized: bool
    background_context: str
    skill_reuse_plan: list[SkillResult] = []
    provenance: list[Provenance]
    novelty_retrieved_context: str
    kept_count: int
    dropped_count: int
    total: int
    notes: list[str]
    dropped: list[DroppedItem] | None = None
    semantic_results: list[ResultBlock] | None = None
    graph_results: list[ResultBlock] | None = None
    skill_results: list[SkillResult] | None = None
    visual_results: list[VisualHitOut] | None = None

    @classmethod
    def of(
        cls, asked: SmartSearchQuery, found: Recollection, made: Synthesized | None = None
    ) -> "SmartSearchResults":
        """From what was asked, what was recalled and what was made of it; what was not asked for is None."""
        recalled = found.records
        blocks = None if asked.mode is SearchMode.COMPACT else _blocks(recalled)
        is_minimal = asked.response_level is ResponseLevel.MINIMAL
        items = provenance_of(recalled)
        kept = items if made is None else [items[place] for place in made.kept]
        dropped = dropped_of(recalled) + [_useless(item) for item in items if item not in kept]
        return cls(
            query=asked.query,
            mode=asked.mode,
            synthesized=made is not None,
            background_context=recalled.context if made is None else made.background_context,
            provenance=[] if is_minimal else kept,
            skill_reuse_plan=skill_results(reuse_plan(found.skills)),
            novelty_retrieved_context=recalled_text(found),
            kept_count=len(kept),
            dropped_count=len(dropped),
            total=len(recalled.hits),
            notes=[*recalled.notes, *(made.notes if made else ())],
            dropped=dropped if asked.response_level is ResponseLevel.FULL else None,
            semantic_results=blocks,
            graph_results=blocks if asked.include_graph else None,
            skill_results=None if blocks is None else skill_results(found.skills),
            visual_results=None if blocks is None else [VisualHitOut.of_hit(hit) for hit in found.visuals],
        )


def recalled_text(found: Recollection) -> str:
    """All that was recalled, so that what only repeats it is not stored again."""
    skills = (f"{hit.intent}\n{hit.doc_markdown}" for hit in found.skills)
    return "\n".join(filter(None, (fragments_of(found.records), *skills)))


def _useless(item: Provenance) -> DroppedItem:
    return DroppedItem(
        record_id=item.record_id,
        source=item.source,
        semantic_text=item.semantic_text,
        score=item.score,
        reason=USELESS,
    )


def _blocks(recalled: Recalled) -> list[ResultBlock]:
    if not recalled.hits:
        return []
    anchor = Anchor(name="Recalled", label="context", score=recalled.hits[0].score)
    return [
        ResultBlock(
            anchor=anchor,
            subgraph={"nodes": [], "edges": []},
            constructed_context=recalled.context,
            provenance=provenance_of(recalled),
        )
    ]
