"""What is searched for: names cut and matched, terms, vectors; and what happens when models fail."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from memory.config import RecallConfig
from memory.domain.types import ActionState, Effort, Plan, Question, Reader, RecallRequest, Route
from memory.errors import ProviderUnavailable
from memory.ports import Embedding
from memory.providers.offline_language import OfflineLanguage
from memory.services import recall_plan
from memory.services.recall import recall
from memory.services.recall_plan import (
    MAX_QUERIES,
    NO_EMBEDDER,
    PLAN_ASTRAY,
    PLAN_FAILED,
    embed,
    plan_recall,
    prepare,
    routes_of,
    vectors_of,
)
from tests.memory.recalling import LATER, Memory, TopicEmbedder, texts
from tests.memory.talking import talk

pytestmark = pytest.mark.django_db


class Failing:
    """A planner and embedder that are down."""

    name = "failing"
    dimension = 5

    def plan(self, question: object, *, on_usage: object = None) -> Plan:
        raise ProviderUnavailable

    def embed(
        self, given: Sequence[str], *, with_tokens: bool = False, on_usage: object = None
    ) -> list[Embedding]:
        raise ProviderUnavailable


class Recording(TopicEmbedder):
    """Remembers what it was asked to embed."""

    def __init__(self) -> None:
        self.batches: list[list[str]] = []

    def embed(
        self, texts: Sequence[str], *, with_tokens: bool = False, on_usage: object = None
    ) -> list[Embedding]:
        self.batches.append(list(texts))
        return super().embed(texts, with_tokens=with_tokens)


def request(memory: Memory, question: str, *, effort: Effort = Effort.STANDARD, recent=()) -> RecallRequest:
    reader = Reader(memory.space.id, memory.user.id)
    return RecallRequest(question, reader, LATER, "UTC", effort=effort, recent=tuple(recent))


def prepared(memory: Memory, question: str, plan: Plan | None = None, *, recent=()):
    asked = request(memory, question, recent=recent)
    return prepare(asked, RecallConfig.STANDARD, plan or plan_recall(asked, []), [])


class Refining(OfflineLanguage):
    """A planner that knows better what is being done."""

    told = ActionState()

    def plan(self, question: Question, *, on_usage: object = None) -> Plan:
        self.told = question.action
        said = ActionState(
            tentative_action="book a night train",
            known_constraints=("No change of trains.",),
            missing_slots=("the day",),
        )
        return replace(super().plan(question), action=said, origin="model")


class TestPlanning:
    def test_fast_asks_no_planner(self, memory: Memory, monkeypatch: pytest.MonkeyPatch):
        monkeypatch.setattr(recall_plan, "language_model", Failing)
        notes: list[str] = []
        plan = plan_recall(request(memory, "Where?", effort=Effort.FAST), notes)
        assert plan.routes == (Route("Where?", ("Where?",)),)
        assert notes == []

    def test_outside_fast_it_says_what_is_being_done(self, memory: Memory):
        recent = talk(("Alice", "Only trains."), ("!search", "Error: no seats"))
        asked = request(memory, "Book another one.", recent=recent)
        action = plan_recall(asked, []).action
        assert (action.tentative_action, action.known_constraints) == ("Book another one.", ("Only trains.",))
        assert (action.last_tool, action.failure_signal) == ("search", "Error: no seats")
        assert plan_recall(replace(asked, effort=Effort.FAST), []).action.last_tool == ""

    def test_the_planner_is_told_it_and_its_reply_refines_it(self, memory: Memory):
        memory.say(("Alice", "I live in Berlin."))
        planner = Refining()
        recent = talk(("Alice", "Only trains."), ("!search", "Error: no seats"))
        plan = plan_recall(request(memory, "Book another one.", recent=recent), [], language=planner)
        assert planner.told.known_constraints == ("Only trains.",)
        assert (planner.told.last_tool, planner.told.failure_signal) == ("search", "Error: no seats")
        assert plan.action.tentative_action == "book a night train"
        assert plan.action.known_constraints == ("No change of trains.", "Only trains.")
        assert (plan.action.last_tool, plan.action.missing_slots) == ("search", ("the day",))

    def test_a_failed_plan_becomes_one_route_and_a_note(
        self, memory: Memory, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr(recall_plan, "language_model", Failing)
        memory.say(("Alice", "I live in Berlin."))
        recalled = memory.ask("Who lives in Berlin?")
        assert recalled.plan.origin == "fallback"
        assert PLAN_FAILED in recalled.notes
        assert texts(recalled) == ["I live in Berlin."]


class Planning(OfflineLanguage):
    """A model that plans as it is told."""

    def __init__(self, plan: Plan) -> None:
        self.made = replace(plan, origin="model")

    def plan(self, question: Question, *, on_usage: object = None) -> Plan:
        return self.made


class TestAPlanOfAModel:
    HOME = "Who lives in Berlin?"

    def asked(self, memory: Memory, question: str, plan: Plan, *, recent=(), top_k: int | None = None):
        given = replace(request(memory, question, recent=recent), top_k=top_k)
        return recall(given, language=Planning(plan))

    @pytest.fixture(autouse=True)
    def said(self, memory: Memory):
        memory.say(
            ("Alice", "I live in Berlin."), ("Alice", "Rex is my puppy."), ("Alice", "My pet dog can bark.")
        )

    @pytest.mark.parametrize(
        "plan",
        [
            Plan(routes=(Route("", ("puppy bark",)), Route("", ("pet Rex",)))),
            Plan(routes=(Route("", ("pet Rex",)),), draft="A puppy."),
            Plan(is_small_talk=True),
        ],
        ids=["routes", "route", "small talk"],
    )
    def test_that_has_nothing_to_do_with_the_question_gives_way_to_rules(self, memory: Memory, plan: Plan):
        found = self.asked(memory, self.HOME, plan, top_k=1)
        assert texts(found) == ["I live in Berlin."]
        assert (found.plan.origin, found.plan.is_small_talk) == ("fallback", False)
        assert PLAN_ASTRAY in found.notes
        assert found.plan.routes[0].queries == (self.HOME,)

    @pytest.mark.parametrize(
        "query", ["a flat in town", "people of Berlin"], ids=["near in meaning", "with a word of it"]
    )
    def test_of_which_one_query_has_to_do_with_it_holds(self, memory: Memory, query: str):
        plan = Plan(routes=(Route("", ("pet Rex",)), Route("", (query,))))
        found = self.asked(memory, self.HOME, plan)
        assert (found.plan.origin, found.notes) == ("model", ())

    def test_that_says_what_a_follow_up_means_holds(self, memory: Memory):
        plan = Plan(routes=(Route("", ("the puppy Rex",)),))
        recent = talk(("Alice", "I spoke of Rex."))
        assert self.asked(memory, "And what else?", plan, recent=recent).plan.origin == "model"

    def test_is_trusted_where_it_cannot_be_compared(self, memory: Memory):
        plan = Plan(routes=(Route("", ("pet Rex",)),))
        assert self.asked(memory, "12 34?", plan).plan.origin == "model"

    def test_that_finds_small_talk_in_what_asks_nothing_holds(self, memory: Memory):
        found = self.asked(memory, "Berlin it is, then.", Plan(is_small_talk=True))
        assert (found.plan.is_small_talk, found.hits) == (True, ())

    def test_that_finds_small_talk_in_a_request_gives_way_too(self, memory: Memory):
        assert self.asked(memory, "Book a flat in Berlin.", Plan(is_small_talk=True)).hits


class TestPreparing:
    def test_names_of_the_space_are_matched_and_leave_the_terms(self, memory: Memory):
        memory.say(("Ben Stone", "Hello all."))
        asked = prepared(memory, "What does ben drink?")
        assert asked.names == ("Ben Stone",)
        assert asked.terms == ("drink",)

    def test_a_question_of_names_alone_keeps_them(self, memory: Memory):
        memory.say(("Ben", "Hello all."))
        assert prepared(memory, "Who is Ben?").terms == ("ben",)

    def test_an_offline_follow_up_adds_its_words_a_models_paraphrase_does_not(self, memory: Memory):
        recent = talk(("Alice", "My sister Clara is a dentist."))
        asked = prepared(memory, "Where does she live?", recent=recent)
        assert {"live", "dentist"} <= set(asked.terms)
        route = Route("home", ("city of residence",))
        assert prepared(memory, "Where?", Plan(routes=(route,), origin="model")).terms == ()

    @pytest.mark.parametrize(("planned", "more"), [(None, 0), (1, 0), (90, 76)])
    def test_a_plan_may_ask_for_more_items_never_for_fewer(self, memory: Memory, planned, more):
        wanted = prepared(memory, "Where?", Plan(top_k=planned)).top_k
        assert wanted == RecallConfig.STANDARD.top_k + more


class TestRoutes:
    PARTS = Plan(routes=(Route("home", ("city of Ben",)), Route("pet", ("dog of Ann", "Ann's puppy"))))

    def test_of_one_is_the_whole_question(self, memory: Memory):
        asked = prepared(memory, "Where?", Plan(routes=(Route("home", ("city",)),), draft="In Rome."))
        assert routes_of(asked) == (asked,)
        assert asked.queries == ("Where?", "city", "In Rome.")

    def test_the_first_searches_the_question_and_the_draft_too(self, memory: Memory):
        plan = replace(self.PARTS, draft="A poodle.")
        first, second = routes_of(prepared(memory, "Where lives Ben and which dog has Ann?", plan))
        assert first.queries == ("city of Ben", "Where lives Ben and which dog has Ann?", "A poodle.")
        assert second.queries == ("dog of Ann", "Ann's puppy")
        assert [len(each.plan.routes) for each in (first, second)] == [1, 1]

    def test_a_route_is_about_the_people_it_names_else_about_the_questions(self, memory: Memory):
        memory.say(("Ann", "Hello."), ("Ben", "Hello."))
        plan = replace(self.PARTS, routes=(*self.PARTS.routes, Route("tea", ("drinks tea",))))
        made = routes_of(prepared(memory, "Where does Ben live, what dog has Ann, who drinks tea?", plan))
        assert [set(each.names) for each in made] == [{"Ben"}, {"Ann"}, {"Ann", "Ben"}]
        assert made[1].queries == ("dog of", "puppy")

    def test_a_route_in_the_first_person_is_about_the_asker(self, memory: Memory):
        memory.say(("Alice", "Hello."), ("Ben", "Hello."))
        plan = Plan(routes=(Route("", ("Where do I live",)), Route("", ("where Ben lives",))))
        made = routes_of(prepared(memory, "Where do I live and where does Ben live?", plan))
        assert [each.names for each in made] == [("Alice",), ("Ben",)]

    def test_a_models_paraphrases_count_by_the_words_they_share_with_the_question(self, memory: Memory):
        plan = replace(self.PARTS, origin="model")
        asked = prepared(memory, "Which dog lives where?", plan)
        first, second = routes_of(asked)
        assert first.terms == ("citi",), "its own, as it shares none"
        assert second.terms == ("dog",)
        by_rules = routes_of(prepared(memory, "Which dog lives where?", self.PARTS))
        assert by_rules[1].terms == ("dog", "ann", "puppi")

    def test_all_are_embedded_in_one_batch_each_text_once(
        self, memory: Memory, monkeypatch: pytest.MonkeyPatch
    ):
        embedder = Recording()
        monkeypatch.setattr(recall_plan, "embedder", lambda: embedder)
        plan = Plan(routes=(Route("", ("dog",)), Route("", ("tea", "dog"))))
        first, second = embed(*routes_of(prepared(memory, "Which dog?", plan)))
        assert embedder.batches == [["dog", "Which dog?", "tea"]]
        assert [len(first.embeddings), len(second.embeddings)] == [2, 2]
        assert second.embeddings[1] is first.embeddings[0]


class TestEmbedding:
    def test_takes_all_queries_and_the_draft_in_one_batch_without_names(
        self, memory: Memory, monkeypatch: pytest.MonkeyPatch
    ):
        embedder = Recording()
        monkeypatch.setattr(recall_plan, "embedder", lambda: embedder)
        memory.say(("Ben", "Hello all."))
        route = Route("pet", ("Ben's puppy", "the dog of Ben"))
        plan = Plan(routes=(route,), draft="Ben has a dog.", origin="model")
        (made,) = embed(prepared(memory, "Which pet has Ben?", plan))
        assert embedder.batches == [["Which pet has ?", "puppy", "the dog of", "has a dog."]]
        assert len(made.embeddings) == 4

    def test_the_questions_and_the_drafts_vectors_are_told_for_other_memories(self, memory: Memory):
        memory.say(("Alice", "I live in Berlin."))
        plan = Plan(routes=(Route("home", ("city",)),), draft="Alice has a dog.", origin="model")
        asked = prepared(memory, "Where does Alice live?", plan)
        (embedded,) = embed(asked)
        vectors = vectors_of(asked, embedded.told)
        assert set(vectors) == {"question", "draft"}
        assert vectors["draft"].tolist() == [0, 1, 0, 0, 0]  # of the dog alone: names are cut
        assert vectors_of(asked, {}) == {}

    def test_is_bounded(self, memory: Memory, monkeypatch: pytest.MonkeyPatch):
        embedder = Recording()
        monkeypatch.setattr(recall_plan, "embedder", lambda: embedder)
        plan = Plan(routes=(Route("", tuple(f"dog {n}" for n in range(40))),))
        embed(prepared(memory, "Which dog?", plan))
        assert len(embedder.batches[0]) == MAX_QUERIES

    def test_that_fails_leaves_words_and_a_note(self, memory: Memory, monkeypatch: pytest.MonkeyPatch):
        memory.say(("Alice", "I live in Berlin."))
        monkeypatch.setattr(recall_plan, "embedder", Failing)
        recalled = memory.ask("Who lives in Berlin?")
        assert texts(recalled) == ["I live in Berlin."]
        assert NO_EMBEDDER in recalled.notes

    def test_of_what_the_model_cannot_read_is_nothing(self, memory: Memory):
        assert embed(prepared(memory, "1 2 3?"))[0].embeddings == ()
