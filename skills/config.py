"""Constants of procedural memory: docs/algorithms/skills.md says what each is for."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

_LIMITS = MappingProxyType({"action": 3, "mixed": 2, "answer": 1})


@dataclass(frozen=True, slots=True)
class SkillConfig:
    """When skills are one, when they are used, and how much of them is shown.

    Cosines are those of an embedder that was never calibrated.
    """

    same_cosine: float = 0.85  # of two intents: one skill from here on, where the tools are the same
    same_words: float = 0.8  # Jaccard of the intents' words, where an intent has no vector
    reworded_share: float = 0.8  # Jaccard of two texts of one segment, which are one version from here on
    taught_successes: int = 1  # tellings of a person after which a draft is active by itself
    observed_successes: int = 2  # tellings and successful uses of tools together, likewise
    limits: Mapping[str, int] = field(default_factory=lambda: _LIMITS)  # skills by the plan's mode
    top_k: int = 3  # at most, whatever the mode
    floor_cosine: float = 0.46  # of the question or the draft with the intent
    floor_share: float = 0.6  # of the question's words in the intent, by their rarity
    reusable_cosine: float = 0.85
    action_reusable_cosine: float = 0.80
    reusable_share: float = 0.9  # in place of the cosine for an intent without a vector
    candidates: int = 200
    prompt_tokens: int = 1_500  # of one skill in a prompt
    reuse_plan: int = 2
    taught_share: float = 0.3  # of a skill's words among those of the person who taught it ...
    taught_beside_tools: float = 0.8  # ... where it names the tools that were used
    max_intent_chars: int = 300
    max_doc_chars: int = 20_000
    max_listed: int = 20  # preconditions, tools
    max_listed_chars: int = 300
    file_bytes: int = 64_000  # of one SKILL.md
    front_matter_chars: int = 16_000
    archive_bytes: int = 5_000_000
    archive_files: int = 200
    attempts: int = 3  # at writing while others write skills of the same space
