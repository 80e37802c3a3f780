"""What of a plan decides which skills are recalled: how many, how near they must be, and how a
skill is put before a model. docs/algorithms/skills.md.
"""

import re
from collections.abc import Callable, Sequence

from memory.domain.prompts import shorten
from memory.domain.types import Hit, MemoryType, Plan
from skills.config import SkillConfig
from skills.domain.types import SkillHit, SkillText

SHORTENED = "[shortened]"
_LOOKED_AT = 3  # of the recalled records: whether one tells how something is done

_PROCEDURAL = re.compile(
    r"\bhow (?:do|does|to|can|could|should|would|must|might) "
    r"|\bhow (?:is|are|was) .{1,60} (?:done|made|set up|run)\b"
    r"|\b(?:steps?|procedure|instructions?|recipe|workflow|runbook|checklist|guide|tutorial"
    r"|way) (?:to|for|of|that)\b"
    r"|\b(?:walk|talk|take) me through\b|\b(?:show|teach|explain|tell) (?:me|us) how\b"
    r"|\bwhat(?:'s| is| are) the (?:steps|procedure)"
    r"|\bwie (?:kann|macht|mache|muss|soll|geht|funktioniert|richte|stelle|baue|installiere)\b"
    r"|\b(?:anleitung|schritte)\b"
    r"|\bcomment (?:puis|faire|fait|dois|on|je)\b|\bcómo (?:puedo|se|hago|debo)\b"
    r"|\bcome (?:posso|si|faccio|devo)\b"
    r"|\bcomo (?:posso|se|faço|devo)\b|\bhoe (?:kan|moet|doe|maak) \b"
    r"|\bкак (?:мне |нам |это |лучше )?(?:[а-я]+(?:ть|ти|чь)|сделать)\b|怎么|如何|怎样|步骤"
    r"|どうやって|手順|방법|어떻게",
    re.IGNORECASE,
)


def skill_limit(plan: Plan, *, is_procedural: bool, config: SkillConfig) -> int:
    """How many skills at most: 3 where something is to be done, 2 where something is asked as well,
    1 for a question of how it is done, none for any other.
    """
    if plan.is_small_talk or (plan.mode == "answer" and not is_procedural):
        return 0
    return min(config.top_k, config.limits.get(plan.mode, 0))


def asks_how(question: str, hits: Sequence[Hit] = ()) -> bool:
    """Whether the question is how something is done, by its words or by what was recalled for it."""
    told = (hit.memory_type for hit in hits[:_LOOKED_AT])
    return _PROCEDURAL.search(question[:2_000]) is not None or MemoryType.PROCEDURE in told


def is_reusable(plan: Plan, *, cosine: float, share: float, has_vector: bool, config: SkillConfig) -> bool:
    """Whether a skill may be followed as it stands: cosine 0.85, where something is to be done 0.80."""
    if not has_vector:
        return share >= config.reusable_share
    is_action = plan.mode == "action"
    return cosine >= (config.action_reusable_cosine if is_action else config.reusable_cosine)


def reuse_plan(hits: Sequence[SkillHit], *, most: int = SkillConfig().reuse_plan) -> tuple[SkillHit, ...]:
    """The skills that may be followed as they stand, best first, at most 2."""
    return tuple(hit for hit in hits if hit.is_reusable)[:most]


def as_read(skill: SkillHit | SkillText) -> str:
    """All that a skill says, as a model reads it."""
    head = [skill.intent]
    head += [f"Only if: {'; '.join(skill.preconditions)}"] if skill.preconditions else []
    head += [f"Uses: {', '.join(skill.tools)}"] if skill.tools else []
    return "\n".join([*head, skill.doc_markdown])


def skill_prompt(hit: SkillHit, *, count: Callable[[str], int], config: SkillConfig) -> str:
    """A skill as a model reads it, inside its token budget, with a visible mark where it was cut."""
    whole = as_read(hit)
    if count(whole) <= config.prompt_tokens:
        return whole
    cut = shorten(whole, count=count, budget=config.prompt_tokens - count(f"\n{SHORTENED}"))
    return f"{cut}\n{SHORTENED}"
