"""A request to what is searched for: plan, names, query vectors, search terms."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from accounts.models import User
from memory.config import RecallConfig
from memory.domain.planning import cut_names, is_first_person, names_in, question_terms
from memory.domain.text import search_terms
from memory.domain.types import Effort, Plan, Question, RecallRequest, Role, Route
from memory.errors import ProviderError
from memory.ports import Embedding, LanguageModel, OnUsage
from memory.providers.registry import embedder, is_model_configured, language_model, offline_language
from memory.stores.amounts import is_anything_stored
from memory.stores.names import known_names

logger = logging.getLogger(__name__)

MAX_QUERIES = 8  # embedded for one question, its draft answer included
PLAN_FAILED = "The model did not plan the search; it was planned by rules."
NO_EMBEDDER = "The embedder did not answer; recalled by words alone."


@dataclass(frozen=True, slots=True)
class Asked:
    """What a recall looks for. `names`: people of the space whom the question names or
    who asks in the first person; `embeddings`: readable queries, the question's own first.
    """

    request: RecallRequest
    config: RecallConfig
    plan: Plan
    names: tuple[str, ...] = ()
    terms: tuple[str, ...] = ()
    embeddings: tuple[Embedding, ...] = ()
    notes: list[str] = field(default_factory=list)

    @property
    def top_k(self) -> int:
        """How many items are wanted: the request's, the plan's or the recipe's number."""
        return max(1, self.request.top_k or self.plan.top_k or self.config.top_k)


def plan_recall(
    request: RecallRequest,
    notes: list[str],
    *,
    language: LanguageModel | None = None,
    on_usage: OnUsage | None = None,
) -> Plan:
    """The plan: by one call of the language model where that can help, else by rules.

    At effort `fast` it is the question itself; small talk and an empty memory need no model.
    """
    model = language or language_model()
    is_offline = model is offline_language()
    unasked = "rules" if not is_offline else "fallback" if is_model_configured() else "offline"
    if request.effort is Effort.FAST or not request.question.strip():
        route = Route(goal=request.question, queries=(request.question,))
        return Plan(routes=(route,), origin=unasked)
    question = Question(request.question, request.now, request.time_zone, request.recent)
    by_rules = offline_language().plan(question)
    if is_offline or by_rules.is_small_talk or not is_anything_stored(request):
        notes.extend(by_rules.notes)
        return replace(by_rules, origin=unasked)
    try:
        plan = model.plan(question, on_usage=on_usage)
    except ProviderError as error:
        logger.warning("planning degrades to rules: %s: %s", error.error_code, error.detail)
        notes.append(PLAN_FAILED)
        return replace(by_rules, origin="fallback")
    notes.extend(plan.notes)
    return plan


def prepare(request: RecallRequest, config: RecallConfig, plan: Plan, notes: list[str]) -> Asked:
    """Cut the names, take the terms; the queries are not embedded yet."""
    known = known_names(request.reader)
    names = names_in(request.question, known)
    bare = _bare(request.question, names)
    follow_up = " ".join(_bare(query, names) for query in _own_queries(request, plan))
    terms = tuple(dict.fromkeys(question_terms(f"{bare} {follow_up}")))
    return Asked(request, config, plan, (*names, *_asker(request, names, known)), terms, notes=notes)


def embed(asked: Asked, *, on_usage: OnUsage | None = None) -> tuple[Embedding, ...]:
    """The vectors of the question and the plan's queries in one batch; those that have one."""
    texts = [asked.request.question, *(query for route in asked.plan.routes for query in route.queries)]
    if asked.plan.draft:
        texts.append(asked.plan.draft)
    bare = list(dict.fromkeys(_bare(text, asked.names) for text in texts))[:MAX_QUERIES]
    try:
        found = embedder().embed(bare, with_tokens=asked.config.is_reranking, on_usage=on_usage)
    except ProviderError as error:
        logger.warning("embedding a question failed: %s: %s", error.error_code, error.detail)
        asked.notes.append(NO_EMBEDDER)
        return ()
    return tuple(each for each in found if each.vector is not None)


def _own_queries(request: RecallRequest, plan: Plan) -> list[str]:
    """What a plan by rules adds to the question, being people's own words; a model's
    paraphrases would dilute the share of matched words.
    """
    if plan.origin == "model":
        return []
    return [query for route in plan.routes for query in route.queries if query != request.question]


def _bare(text: str, names: tuple[str, ...]) -> str:
    """Without names; a question of nothing but names stays whole."""
    bare = cut_names(text, names)
    return bare if search_terms(bare) else text


def _asker(request: RecallRequest, names: tuple[str, ...], known: Sequence[str]) -> tuple[str, ...]:
    """The name under which the memory knows the one who asks about themself."""
    if not is_first_person(request.question):
        return ()
    spoken = [turn.speaker for turn in request.recent if turn.role is Role.USER]
    user = User.objects.filter(pk=request.reader.user_id).first()
    candidates = dict.fromkeys([*spoken[-1:], *([user.speaker] if user else [])])
    return tuple(name for name in candidates if name in known and name not in names)
