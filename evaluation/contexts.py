"""The second layer: what of a recall reaches the model, and whether an answer is in it.

A turn counts as inside when it is quoted: as an item's own turn, perhaps excerpted, or as
a neighbour whose text stands there.
"""

from dataclasses import replace

from evaluation.memories import Told
from evaluation.recipes import Recipe
from evaluation.systems import DEPTH, Asking, request_for
from evaluation.types import InContext, Probe
from memory.domain.fencing import escape, hanging
from memory.domain.types import Recalled
from memory.services.recall import recall

FILLED, AS_IN_CHAT = "filled", "as in chat"
SETTINGS = {FILLED: DEPTH, AS_IN_CHAT: None}  # items asked for; None: as many as the recipe says
_SHOWN_CHARS = 60  # of a neighbour's text, by which it is recognised in the context


def look(
    told: Told, dialogue: str, probe: Probe, recipe: Recipe, *, asking: Asking, budget_tokens: int
) -> tuple[InContext, ...]:
    """The context of one question in each setting."""
    found: list[InContext] = []
    for setting, top_k in SETTINGS.items():
        recalled = recall_within(told, probe, recipe, asking=asking, budget_tokens=budget_tokens, top_k=top_k)
        found.append(
            InContext(
                setting=setting,
                dialogue=dialogue,
                probe=probe.key,
                category=probe.category,
                tokens=recalled.context_tokens,
                items=len(recalled.hits),
                is_covered=bool(quoted_keys(told, recalled) & probe.evidence) if probe.evidence else None,
                is_answerable=probe.is_answerable,
            )
        )
    return tuple(found)


def recall_within(
    told: Told,
    probe: Probe,
    recipe: Recipe,
    *,
    asking: Asking,
    budget_tokens: int,
    top_k: int | None,
) -> Recalled:
    """The recall whose context is at most `budget_tokens` long."""
    request = request_for(told, probe.text, recipe, now=asking.instant(probe), top_k=top_k)
    return recall(replace(request, context_tokens=budget_tokens), config=recipe.recall)


def quoted_keys(told: Told, recalled: Recalled) -> frozenset[str]:
    """The benchmark's keys of the turns that the context quotes."""
    turns = {
        each.turn_id
        for hit in recalled.hits
        for each in hit.evidence
        if not each.is_neighbour or _opening(each.speaker or each.role.value, each.text) in recalled.context
    }
    return frozenset(told.key_of_turn[turn] for turn in turns if turn in told.key_of_turn)


def _opening(speaker: str, text: str) -> str:
    """How the quotation of a turn begins."""
    first, *_ = hanging(escape(text[:_SHOWN_CHARS])).splitlines() or [""]
    return f"{speaker}: {first}"
