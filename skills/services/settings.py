"""The constants of procedural memory as settings and the embedder in use have them."""

from dataclasses import replace

from django.conf import settings

from memory.stores.registry import calibration
from skills.config import SkillConfig

_LESS_IN_ACTION = SkillConfig().reusable_cosine - SkillConfig().action_reusable_cosine


def skill_config() -> SkillConfig:
    """The config with the settings' numbers and this embedder's cosines.

    Two intents are one where two records would be duplicates; a skill is looked at half-way between
    the floors of questions with and without names.
    """
    known = calibration()
    return replace(
        SkillConfig(),
        same_cosine=known.duplicate_cosine,
        reusable_cosine=known.duplicate_cosine,
        action_reusable_cosine=known.duplicate_cosine - _LESS_IN_ACTION,
        floor_cosine=(known.question_cosine + known.nameless_cosine) / 2,
        top_k=settings.SKILL_TOP_K,
        taught_successes=settings.SKILL_TAUGHT_SUCCESSES,
        observed_successes=settings.SKILL_OBSERVED_SUCCESSES,
    )
