"""A request to what is searched for: plan, names, query vectors, search terms."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from accounts.models import User
from memory.config import ActionConfig, RecallConfig
from memory.domain.action_state import build_action_state, refine_action_state
from memory.domain.planning import cut_names, is_first_person, is_first_persons, names_in, question_terms
from memory.domain.text import search_terms
from memory.domain.types import Answered, Effort, Plan, Question, RecallRequest, Role, Route
from memory.errors import ProviderError
from memory.ports import Embedding, LanguageModel, OnUsage, Vectors
from memory.providers.offline_language.chatter import is_question
from memory.providers.offline_language.statements import sentences_of
from memory.providers.registry import (
    embedder,
    is_model_configured,
    language_model,
    offline_language,
    token_counter,
)
from memory.stores.amounts import is_anything_stored
from memory.stores.names import known_names

logger = logging.getLogger(__name__)

ACTION = ActionConfig()
MAX_QUERIES = 8  # embedded for one route: the question, six queries, the draft answer
PLAN_FAILED = "The model did not plan the search; it was planned by rules."
PLAN_ASTRAY = "The model's plan had nothing to do with the question; the search was planned by rules."
NO_EMBEDDER = "The embedder did not answer; recalled by words alone."


@dataclass(frozen=True, slots=True)
class Asked:
    """What a recall, or one route of it, looks for. `names`: people of the space whom the question
    names or who asks in the first person; `queries`: the texts to embed, without names, the
    question's own first; `embeddings`: of those that are readable; `routes`: how many share the cost.
    """

    request: RecallRequest
    config: RecallConfig
    plan: Plan
    names: tuple[str, ...] = ()
    terms: tuple[str, ...] = ()
    queries: tuple[str, ...] = ()
    embeddings: tuple[Embedding, ...] = ()
    routes: int = 1
    notes: list[str] = field(default_factory=list)
    told: Mapping[str, Vectors] = field(default_factory=dict)  # of every route's queries that have one

    @property
    def top_k(self) -> int:
        """How many items are wanted: the request's number, else the recipe's or, if more, the plan's."""
        return max(1, self.request.top_k or max(self.plan.top_k or 0, self.config.top_k))

    @property
    def tree_depth(self) -> int:
        """How many nodes of the memory tree are opened: the plan's or the recipe's number."""
        return self.plan.tree_depth or self.config.led_composites

    @property
    def shortlist(self) -> int:
        """How many items of a kind have their rows looked up."""
        config = self.config
        own = (
            config.shortlist
            if self.routes == 1
            else max(config.shortlist // self.routes, config.route_shortlist)
        )
        return max(own, 3 * self.top_k)

    @property
    def hydrated(self) -> int:
        """How many of them are read in full."""
        config = self.config
        own = (
            config.hydrated
            if self.routes == 1
            else max(config.hydrated // self.routes, config.route_hydrated)
        )
        return max(own, 2 * self.top_k)


def plan_recall(
    request: RecallRequest,
    notes: list[str],
    *,
    previous: Answered | None = None,
    language: LanguageModel | None = None,
    on_usage: OnUsage | None = None,
) -> Plan:
    """The plan: by one call of the language model where that can help, else by rules.

    At effort `fast` it is the question itself; small talk and an empty memory need no model. What
    came of the `previous` answer is asked along.
    """
    model = language or language_model()
    is_offline = model is offline_language()
    unasked = "rules" if not is_offline else "fallback" if is_model_configured() else "offline"
    if request.effort is Effort.FAST or not request.question.strip():
        route = Route(goal=request.question, queries=(request.question,))
        return Plan(routes=(route,), origin=unasked)
    question = _question(request, previous)
    plan = _planned(request, question, notes, model=model, unasked=unasked, on_usage=on_usage)
    return _with_action(plan, question)


def plan_by_rules(request: RecallRequest) -> Plan:
    """The plan of rules, where that of the model cannot be used."""
    question = _question(request, None)
    return _with_action(replace(offline_language().plan(question), origin="fallback"), question)


def _question(request: RecallRequest, previous: Answered | None) -> Question:
    question = Question(
        request.question,
        request.now,
        request.time_zone,
        request.recent,
        previous,
        summaries=request.summaries,
    )
    built = build_action_state(question, count=token_counter().count, config=ACTION)
    return replace(question, action=built)


def _with_action(plan: Plan, question: Question) -> Plan:
    action = refine_action_state(question.action, plan, text=question.text, config=ACTION)
    return replace(plan, action=action)


def _planned(
    request: RecallRequest,
    question: Question,
    notes: list[str],
    *,
    model: LanguageModel,
    unasked: str,
    on_usage: OnUsage | None,
) -> Plan:
    by_rules = offline_language().plan(question)
    if model is offline_language() or by_rules.is_small_talk or not is_anything_stored(request):
        notes.extend(by_rules.notes)
        return replace(by_rules, origin=unasked)
    try:
        plan = model.plan(question, on_usage=on_usage)
    except ProviderError as error:
        logger.warning("planning degrades to rules: %s: %s", error.error_code, error.detail)
        notes.append(PLAN_FAILED)
        return replace(by_rules, origin="fallback")
    is_wanting = by_rules.mode != "answer" or any(map(is_question, sentences_of(question.text)))
    if plan.is_small_talk and is_wanting:
        notes.append(PLAN_ASTRAY)
        return replace(by_rules, origin="fallback")
    notes.extend(plan.notes)
    return plan


def is_astray(asked: Asked, routes: Sequence[Asked]) -> bool:
    """Whether nothing of a model's plan has to do with the question: no query, and not the draft answer,
    names whom it names, shares a word with it or the talk before it, or means something near it.

    `routes` are those of `asked`, embedded. What cannot be compared is trusted.
    """
    plan, question, told = asked.plan, asked.request.question, routes[0].told
    own = _bare(question, routes[0].names)
    asking = question_terms(question)
    if plan.origin != "model" or own not in told or not asking:
        return False
    said = {*asking, *(term for turn in asked.request.recent for term in search_terms(turn.text))}
    texts = [*(query for route in plan.routes for query in route.queries), plan.draft]
    if any(names_in(text, asked.names) or said.intersection(search_terms(text)) for text in texts):
        return False
    near = [float(told[own] @ vector) for query, vector in told.items() if query != own]
    floors = asked.config.item_floor.cosine, asked.config.question_floor.cosine
    return bool(near) and max(near) < sum(floors) / 2  # farther than many an unrelated memory


def prepare(request: RecallRequest, config: RecallConfig, plan: Plan, notes: list[str]) -> Asked:
    """The whole question: names cut, terms taken; the queries are not embedded yet."""
    known = known_names(request.reader)
    names = names_in(request.question, known)
    bare = _bare(request.question, names)
    follow_up = " ".join(_bare(query, names) for query in _own_queries(request, plan))
    terms = tuple(dict.fromkeys(question_terms(f"{bare} {follow_up}")))
    names = (*names, *_asker(request, names, known))
    texts = [request.question, *(query for route in plan.routes for query in route.queries), plan.draft]
    return Asked(request, config, plan, names, terms, _queries(texts, names), notes=notes)


def routes_of(asked: Asked) -> tuple[Asked, ...]:
    """Each route of the plan as a question of its own; the first is near the question and the draft too.

    A plan of one route is the whole question. A route that names people is about them alone.
    """
    plan = asked.plan
    if len(plan.routes) < 2:
        return (asked,)
    return tuple(route_of(asked, route, is_first=not number) for number, route in enumerate(plan.routes))


def route_of(asked: Asked, route: Route, *, is_first: bool = False) -> Asked:
    """One need of the question as a question of its own, not embedded yet."""
    text = " ".join(route.queries)
    names = _names_of(asked, text)
    terms = tuple(dict.fromkeys(question_terms(" ".join(_bare(query, names) for query in route.queries))))
    if asked.plan.origin == "model":  # whose paraphrases would dilute the share of matched words
        terms = tuple(term for term in terms if term in asked.terms) or terms
    beside = (asked.request.question, asked.plan.draft) if is_first else ()
    return replace(
        asked,
        plan=replace(asked.plan, routes=(route,)),
        names=names,
        terms=terms,
        queries=_queries((*route.queries, *beside), names),
        routes=max(1, len(asked.plan.routes)),
    )


def _names_of(asked: Asked, text: str) -> tuple[str, ...]:
    """Whom a route is about: whom it names, its asker in the first person, else all of them."""
    named = names_in(text, asked.names)
    if is_first_person(text):
        named = (
            *named,
            *(name for name in asked.names if name not in names_in(asked.request.question, [name])),
        )
    return tuple(dict.fromkeys(named)) or asked.names


def embed(*routes: Asked, on_usage: OnUsage | None = None) -> tuple[Asked, ...]:
    """The routes with the vectors of their queries, as far as those have one; all in one batch."""
    texts = list(dict.fromkeys(query for route in routes for query in route.queries))
    config, notes = routes[0].config, routes[0].notes
    try:
        found = embedder().embed(texts, with_tokens=config.is_reranking, on_usage=on_usage)
    except ProviderError as error:
        logger.warning("embedding a question failed: %s: %s", error.error_code, error.detail)
        notes.append(NO_EMBEDDER)
        return routes
    known = {text: each for text, each in zip(texts, found, strict=True) if each.vector is not None}
    told = {text: each.vector for text, each in known.items() if each.vector is not None}
    return tuple(
        replace(route, embeddings=tuple(known[query] for query in route.queries if query in known), told=told)
        for route in routes
    )


def vectors_of(asked: Asked, told: Mapping[str, Vectors]) -> dict[str, Vectors]:
    """The vectors of the `question` and of the plan's `draft`, as far as they were embedded."""
    texts = {"question": asked.request.question, "draft": asked.plan.draft}
    bare = {name: _bare(text, asked.names) for name, text in texts.items() if text}
    return {name: told[text] for name, text in bare.items() if text in told}


def _queries(texts: Sequence[str], names: tuple[str, ...]) -> tuple[str, ...]:
    """Those texts that say something, without names, each once."""
    return tuple(dict.fromkeys(_bare(text, names) for text in texts if text))[:MAX_QUERIES]


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
    """The names under which the memory knows the one who asks about themself, alone or with others."""
    if not (is_first_person(request.question) or is_first_persons(request.question)):
        return ()
    spoken = [turn.speaker for turn in request.recent if turn.role is Role.USER]
    user = User.objects.filter(pk=request.reader.user_id).first()
    candidates = dict.fromkeys([*spoken[-1:], *(user.names if user else ())])
    return tuple(name for name in candidates if name in known and name not in names)
