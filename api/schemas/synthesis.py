"""Recalled results handed back to be condensed, and what comes of them."""

from collections.abc import Sequence
from typing import Annotated, Any

from ninja import Schema
from pydantic import Field

from api.schemas.skills import SkillResult, skill_results
from api.schemas.wire import OptionalText, Query
from memory.domain.text import clean_text
from memory.services.synthesize import Synthesized
from skills.domain.types import SkillHit

MAX_BLOCKS = 20
MAX_ITEMS = 100


Item = dict[str, Any]


class GivenBlock(Schema):
    """A block of results as a search gave it; items of `provenance` have a `display_text` or a
    `semantic_text` and come back with all their fields. Without any the whole context is one fragment.
    """

    constructed_context: OptionalText = ""
    provenance: Annotated[list[Item], Field(max_length=MAX_ITEMS)] = []


class SynthesisQuery(Schema):
    """The results of a search; `graph_results` count where `semantic_results` are empty."""

    user_query: Query
    semantic_results: Annotated[list[GivenBlock], Field(max_length=MAX_BLOCKS)] = []
    graph_results: Annotated[list[GivenBlock], Field(max_length=MAX_BLOCKS)] = []
    skill_results: Annotated[list[Any], Field(max_length=MAX_ITEMS)] = []

    def items(self) -> dict[str, Item]:
        """The fragments by their texts, in order, each once, at most 100."""
        found: dict[str, Item] = {}
        for block in self.semantic_results or self.graph_results:
            for item in block.provenance or [{"display_text": block.constructed_context}]:
                if text := _text_of(item):
                    found.setdefault(text, item)
        return dict(list(found.items())[:MAX_ITEMS])


def _text_of(item: Item) -> str:
    """What it says."""
    given = item.get("display_text") or item.get("semantic_text")
    return clean_text(given) if isinstance(given, str) else ""


class SynthesisResult(Schema):
    """`background_context` cites `provenance` by number, from 1; `judge_score`: of how much use each is."""

    background_context: str
    skill_reuse_plan: list[SkillResult] = []
    provenance: list[dict[str, Any]]
    kept_count: int
    dropped_count: int
    notes: list[str]

    @classmethod
    def of(
        cls, items: Sequence[Item], made: Synthesized, skills: Sequence[SkillHit] = ()
    ) -> "SynthesisResult":
        """From what was given and what was made of it."""
        kept = [{**items[place], "judge_score": made.scores[place]} for place in made.kept]
        return cls(
            background_context=made.background_context,
            skill_reuse_plan=skill_results(skills),
            provenance=kept,
            kept_count=len(kept),
            dropped_count=len(items) - len(kept),
            notes=list(made.notes),
        )
