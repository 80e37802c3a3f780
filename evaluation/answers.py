"""The third layer: answers of a model from what was recalled, judged; and what all that took.

An answer is made as a chat makes it, by recall and reason, but leaves no turn behind. Plan
and answer are counted in the space's usage entries; judging is not.
"""

from dataclasses import dataclass, replace
from datetime import datetime

from django.db.models import Count, Sum

from evaluation.judges import Ask, Judge, asked_text, is_contained
from evaluation.memories import Told
from evaluation.recipes import Recipe
from evaluation.systems import Asking, request_for
from evaluation.types import Answered, Probe, TokenUse
from memory.domain.prompts import Messages
from memory.domain.types import Question, Recalled, Usage
from memory.errors import ProviderError
from memory.ports import AnswerRequest
from memory.providers.attempts import Purpose
from memory.providers.registry import judge_client, language_model
from memory.services.recall import recall
from sessions_app.models import UsageEntry
from sessions_app.services.usage import UsageScope, record_usage

CONSTRUCTION, QUERY = "construction", "query"
PURPOSES = {CONSTRUCTION: ("encode", "repair"), QUERY: ("plan", "answer")}
_JUDGE_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Examiner:
    """Who judges, and by what."""

    judge: Judge
    ask: Ask


def ask_model(messages: Messages, output_tokens: int) -> str:
    """A judge's call to the configured model, at temperature 0. Raises ProviderError."""
    client = judge_client()
    if client is None:
        raise RuntimeError("No language model is configured to judge with.")
    return client.complete(messages, Purpose("judge", _JUDGE_SECONDS, output_tokens)).text


def answer_probe(
    told: Told,
    dialogue: str,
    probe: Probe,
    recipe: Recipe,
    *,
    asking: Asking,
    budget_tokens: int,
    examiner: Examiner,
) -> Answered:
    """One question, answered and judged. Raises ProviderError where the model does not answer."""
    usages: list[Usage] = []
    now = asking.instant(probe)
    request = replace(request_for(told, probe.text, recipe, now=now), context_tokens=budget_tokens)
    recalled = recall(request, config=recipe.recall, on_usage=usages.append)
    answer = _answer(told, probe, recalled, now, usages)
    record_usage(UsageScope(told.principal.space_id, told.principal.user_id), usages)
    try:
        verdict = examiner.judge(probe, answer, examiner.ask).score
    except ProviderError:
        verdict = None  # the answer is kept; the report says how many had no verdict
    generative = [usage for usage in usages if usage.purpose in PURPOSES[QUERY]]
    return Answered(
        dialogue=dialogue,
        probe=probe.key,
        category=probe.category,
        answer=answer,
        verdict=verdict,
        is_contained=None if probe.choices else is_contained(answer, probe.answer),
        input_tokens=sum(usage.input_tokens for usage in generative),
        output_tokens=sum(usage.output_tokens for usage in generative),
    )


def tokens_used(
    told: Told, purpose: str, *, construction: str, dialogue: str, questions: int, spoken_tokens: int
) -> TokenUse:
    """What the space's usage entries say of a purpose: generative tokens only."""
    entries = UsageEntry.objects.for_space(told.principal.space_id).filter(purpose__in=PURPOSES[purpose])
    sums = entries.aggregate(calls=Count("pk"), read=Sum("input_tokens"), written=Sum("output_tokens"))
    return TokenUse(
        purpose=purpose,
        construction=construction,
        dialogue=dialogue,
        questions=questions,
        spoken_tokens=spoken_tokens,
        calls=sums["calls"],
        input_tokens=sums["read"] or 0,
        output_tokens=sums["written"] or 0,
    )


def _answer(told: Told, probe: Probe, recalled: Recalled, now: datetime, usages: list[Usage]) -> str:
    question = Question(text=asked_text(probe), now=now, time_zone=told.principal.time_zone)
    request = AnswerRequest(question=question, hits=recalled.hits, context=recalled.context, window=())
    return "".join(language_model().answer(request, on_usage=usages.append))
