"""Effort deep: composites are judged and expanded, what is missing is searched, nonsense loses no hit."""

from collections.abc import Sequence
from dataclasses import replace
from uuid import uuid4

import pytest

from memory.config import RecallConfig
from memory.domain.types import (
    Adequacy,
    Effort,
    Fragment,
    Judgement,
    Kind,
    Plan,
    Question,
    Reader,
    RecallRequest,
)
from memory.errors import ProviderError, ReplyFaulty
from memory.models import CompositeRecord, MemoryRecord, RetrievalLog
from memory.providers.offline_language import OfflineLanguage
from memory.services.fuse import fuse_space
from memory.services.recall import recall
from memory.services.recall_deep import NOT_CHECKED, NOT_JUDGED
from tests.memory.indexing import make_user
from tests.memory.recalling import LATER, Memory, texts

pytestmark = pytest.mark.django_db

NARROW = {"top_k": 1, "deep_share": 1.0}
WIDE = {"top_k": 1, "deep_share": 3.0}
TEAS = ("Alice drinks tea.", "A cup of mint helps Alice.")
DOGS = ("Alice has a dog, Rex.", "The puppy of Alice likes balls.", "Her pet of many years is brown.")
QUESTION = "What dog has Alice?"


class Scripted(OfflineLanguage):
    """Judges and checks as told, and plans by rules but for the depth; an error is raised."""

    tree_depth: int | None = None

    def plan(self, question: Question, *, on_usage: object = None) -> Plan:
        plan = super().plan(question)
        return replace(plan, tree_depth=self.tree_depth or plan.tree_depth)

    def __init__(
        self,
        judgement: Judgement | ProviderError | None = None,
        *checks: Adequacy | ProviderError,
    ) -> None:
        self.judgement = judgement or Judgement(())
        self.checks = list(checks)
        self.shown: list[Fragment] = []
        self.checked: list[list[str]] = []

    def judge(self, question: str, composites: Sequence[Fragment], *, on_usage: object = None) -> Judgement:
        self.shown = list(composites)
        if isinstance(self.judgement, ProviderError):
            raise self.judgement
        return self.judgement

    def check_adequacy(
        self, question: str, recalled: Sequence[Fragment], *, on_usage: object = None
    ) -> Adequacy:
        self.checked.append([each.text for each in recalled])
        given = self.checks.pop(0) if self.checks else Adequacy()
        if isinstance(given, ProviderError):
            raise given
        return given


@pytest.fixture
def tree(memory: Memory) -> Memory:
    """A composite of three records of dogs, one of two of tea; a stray turn of coffee."""
    for text in (*DOGS, *TEAS):
        (said,) = memory.say(("Alice", f"So: {text}"))
        memory.learn(text, said)
    memory.say(("Alice", "Zeppelins are slow."))
    fuse_space(memory.space.id)
    assert CompositeRecord.everyone.count() == 2
    return memory


def ask(memory: Memory, language: OfflineLanguage, question: str = QUESTION, user=None, **options):
    config = replace(RecallConfig.DEEP, **options.pop("settings", {}))
    reader = Reader(memory.space.id, (user or memory.user).id)
    request = RecallRequest(question, reader, LATER, "UTC", effort=Effort.DEEP)
    return recall(replace(request, **options), config=config, language=language)


class TestComposites:
    def test_that_help_follow_what_was_found_and_rest_on_all_their_turns(self, tree: Memory):
        language = Scripted(Judgement((0,)))
        recalled = ask(tree, language, settings=NARROW)
        first, last = recalled.hits
        assert (first.text, last.kind) == (DOGS[0], Kind.COMPOSITE)
        assert len([each for each in last.evidence if not each.is_neighbour]) == len(DOGS)
        assert all(text in language.shown[0].text for text in DOGS)
        assert language.shown[0].breadth == len(DOGS)

    def test_too_abstract_ones_are_expanded_to_their_records(self, tree: Memory):
        recalled = ask(tree, Scripted(Judgement((0,), abstract=(0,))), settings=WIDE)
        assert {hit.kind for hit in recalled.hits} == {Kind.RECORD}
        assert texts(recalled)[0] == DOGS[0]
        assert set(texts(recalled)) == set(DOGS)

    def test_whose_own_text_was_found_are_expanded_too(self, tree: Memory):
        recalled = ask(tree, Scripted(Judgement((0,))), "Which pet of many years is brown?", settings=WIDE)
        assert texts(recalled)[0] == DOGS[2]
        assert set(texts(recalled)) == set(DOGS)

    def test_are_opened_as_deep_as_the_plan_says(self, tree: Memory):
        language = Scripted(Judgement((0, 1)))
        added = {}
        for depth in (1, 2):
            language.tree_depth = depth
            recalled = ask(tree, language, "What dog, and what tea, has Alice?", settings=WIDE)
            added[depth] = texts(recalled)[1:]
        assert added == {1: [DOGS[2]], 2: [DOGS[2], TEAS[1]]}, "one node of the tree, or both"

    @pytest.mark.parametrize("top_k", [1, 2, 3, 5])
    def test_nothing_found_gives_way_and_top_k_is_obeyed(self, tree: Memory, top_k: int):
        standard = tree.ask(QUESTION, top_k=top_k)
        language = Scripted(Judgement((0,)), Adequacy(("zeppelins",)), Adequacy(("tea",)))
        recalled = ask(tree, language, top_k=top_k)
        assert texts(recalled)[: len(standard.hits)] == texts(standard)
        assert len(recalled.hits) <= top_k
        assert (language.shown == []) is (len(standard.hits) == top_k), "nobody is asked without need"

    def test_are_no_items_in_standard(self, tree: Memory):
        assert Kind.COMPOSITE not in {hit.kind for hit in tree.ask(QUESTION).hits}

    def test_with_a_record_that_may_not_be_shown_are_no_items(self, tree: Memory):
        hidden = MemoryRecord.everyone.get(semantic_text=DOGS[1])
        excluded = uuid4()
        MemoryRecord.everyone.filter(id=hidden.id).update(session_id=excluded)
        reader = Reader(tree.space.id, tree.user.id, frozenset([excluded]))
        recalled = ask(tree, Scripted(Judgement((0,))), reader=reader)
        assert Kind.COMPOSITE not in {hit.kind for hit in recalled.hits}
        assert DOGS[1] not in texts(recalled)

    def test_of_others_are_not_judged(self, tree: Memory):
        bob = make_user("Bob")
        for text in ("Bob has a dog.", "Bob's puppy is a secret."):
            (said,) = tree.say(("Bob", f"Well: {text}"), owner=bob)
            tree.learn(text, said, owner=bob, subject="Bob")
        fuse_space(tree.space.id)
        language = Scripted()
        ask(tree, language)
        assert not any("secret" in each.text for each in language.shown)
        ask(tree, language, user=bob)
        assert any("secret" in each.text for each in language.shown)

    def test_are_judged_by_score_without_a_model(self, tree: Memory):
        recalled = ask(tree, OfflineLanguage(), settings=NARROW)
        assert recalled.hits[-1].kind is Kind.COMPOSITE
        assert recalled.notes == ()


class TestReflection:
    def test_searches_what_is_missing_and_adds_it_last(self, tree: Memory):
        language = Scripted(None, Adequacy(("zeppelins",)))
        recalled = ask(tree, language)
        assert texts(recalled)[-1] == "Zeppelins are slow."
        assert len(language.checked) == 2
        assert any("Zeppelins are slow." in text for text in language.checked[1])

    def test_ends_after_two_rounds_or_when_nothing_new_is_found(self, tree: Memory):
        never = Scripted(None, Adequacy(("zeppelins",)), Adequacy(("tea",)), Adequacy(("mint",)))
        ask(tree, never)
        assert len(never.checked) == 2
        nothing = Scripted(None, Adequacy(("puppy",)), Adequacy(("tea",)))
        ask(tree, nothing)
        assert len(nothing.checked) == 1

    def test_is_done_by_unmatched_words_without_a_model(self, tree: Memory):
        question = "Is the dog of Alice afraid of zeppelins?"
        recalled = tree.ask(question, effort=Effort.DEEP)
        assert "Zeppelins are slow." in texts(recalled)

    def test_of_a_question_about_nothing_stored_is_not_begun(self, memory: Memory):
        memory.say(("Alice", "My dog barks."))
        language = Scripted(Judgement((0,)), Adequacy(("dog",)))
        assert ask(memory, language, "Which volcano erupted?").hits == ()
        assert language.checked == []

    def test_does_not_bring_back_an_echo(self, tree: Memory):
        tree.say(("Alice", "What dog has Alice?"))
        recalled = ask(tree, Scripted(None, Adequacy(("dog",))))
        assert "What dog has Alice?" not in texts(recalled)


class TestNonsense:
    @pytest.mark.parametrize(
        ("language", "note"),
        [(Scripted(ReplyFaulty()), NOT_JUDGED), (Scripted(None, ReplyFaulty()), NOT_CHECKED)],
        ids=["judgement", "adequacy"],
    )
    def test_leaves_what_standard_found_and_is_noted(self, tree: Memory, language, note):
        standard = tree.ask(QUESTION)
        recalled = ask(tree, language)
        assert [hit.id for hit in recalled.hits] == [hit.id for hit in standard.hits]
        assert note in recalled.notes
        assert recalled.is_degraded
        log = RetrievalLog.everyone.get(id=recalled.log_id)
        assert note in log.notes

    def test_of_both_still_answers(self, tree: Memory):
        recalled = ask(tree, Scripted(ReplyFaulty(), ReplyFaulty()))
        assert recalled.context
        assert set(recalled.notes) == {NOT_JUDGED, NOT_CHECKED}
