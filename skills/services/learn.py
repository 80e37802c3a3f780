"""What a segment taught or showed becomes skills: a new one, a further version, or one more success.

Intents are embedded outside the transaction; there the space's row is locked, so that two segments
that teach the same at once make one skill. What a person wrote, decided or deleted wins, and the
same segment learned again changes only what it taught itself. docs/algorithms/skills.md.
"""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

import numpy as np
from django.db import IntegrityError, transaction

from accounts.models import Space
from memory.domain.types import EncodedSkill, Turn
from memory.errors import ProviderError
from memory.ports import OnUsage, Vectors
from memory.providers.registry import embedder
from memory.services.ingest import Hold
from skills.config import SkillConfig
from skills.domain.extraction import intent_key, lesson_of
from skills.domain.types import Lesson
from skills.models import Skill
from skills.services.learn_rows import Counted, Source, Writing
from skills.services.match import Matcher
from skills.services.rows import space_screen
from skills.services.settings import skill_config
from skills.stores.near import waiting_ids

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Learned:
    """What came of a segment's skills."""

    added: int = 0
    versions: int = 0
    seen_again: int = 0


def learn_skills(
    source: Source,
    skills: Sequence[EncodedSkill],
    turns: Sequence[Turn],
    *,
    on_usage: OnUsage | None = None,
    config: SkillConfig | None = None,
    hold: Hold | None = None,
) -> Learned:
    """Keep what a segment's encoding described as skills. `turns`: the segment's, in order; `hold` tells to
    whom they are private as they are written.

    Drops what this segment taught before and does not teach any more, where nobody has touched it.
    Never fails for want of an embedder: then intents are compared by their words.
    """
    config = config or skill_config()
    lessons = _lessons(source, skills, turns, config)
    if not lessons and not _has_taught(source):
        return Learned()
    for attempt in range(1, config.attempts + 1):
        waiting = _waiting(source)
        vectors = _embed([*(lesson.text.intent for lesson in lessons), *waiting.values()], on_usage)
        known = dict(zip(waiting, vectors[len(lessons) :], strict=True))
        try:
            with transaction.atomic():
                if hold is not None:
                    source = replace(source, private_to=hold())
                Space.objects.select_for_update().get(pk=source.space_id)
                if attempt < config.attempts and set(_waiting(source)) - known.keys():
                    continue  # another has learned meanwhile: compare with that too
                counted = _write(source, lessons, vectors, known, turns, config)
                return Learned(counted.added, counted.versions, counted.seen_again)
        except IntegrityError:
            if attempt == config.attempts:
                raise
    raise AssertionError("unreachable")


def _lessons(
    source: Source, skills: Sequence[EncodedSkill], turns: Sequence[Turn], config: SkillConfig
) -> list[Lesson]:
    """What may be stored of what was described, each intent once."""
    screen = space_screen(source.space_id) if skills else str
    found = [lesson_of(skill, turns, config=config, screen=screen) for skill in skills]
    said = [lesson for lesson in found if lesson.text.intent and lesson.text.doc_markdown]
    by_intent = {intent_key(lesson.text): lesson for lesson in reversed(said)}
    return list(reversed(by_intent.values()))


def _write(
    source: Source,
    lessons: Sequence[Lesson],
    vectors: Sequence[Vectors | None],
    waiting: Mapping[UUID, Vectors | None],
    turns: Sequence[Turn],
    config: SkillConfig,
) -> Counted:
    writing = Writing(source, turns, config)
    matcher = Matcher(source.space_id, source.private_to, vectors[: len(lessons)], waiting, config=config)
    for place, lesson in enumerate(lessons):
        if not writing.is_buried(lesson):
            writing.learn(lesson, matcher.match(place, lesson.text))
    writing.drop_stale()
    return writing.counted


def _has_taught(source: Source) -> bool:
    """Whether this segment was learned from before."""
    rows = Skill.objects.for_space(source.space_id)
    return bool(rows.filter(evidence__segment_id=source.segment_id).exists())


def _waiting(source: Source) -> dict[UUID, str]:
    """Skills of the same audience whose vectors are still to be written, with their intents."""
    rows = Skill.objects.for_space(source.space_id).filter(private_to=source.private_to)
    return dict(rows.filter(id__in=waiting_ids(source.space_id)).values_list("id", "intent"))


def _embed(texts: Sequence[str], on_usage: OnUsage | None) -> list[Vectors | None]:
    if not texts:
        return []
    try:
        found = embedder().embed(texts, on_usage=on_usage)
    except ProviderError as error:
        logger.warning("skills are compared by their words: %s: %s", error.error_code, error.detail)
        return [None] * len(texts)
    return [None if each.vector is None else np.asarray(each.vector, np.float32) for each in found]
