"""Which skills a question gets: how many, how near, and never one that is not active."""

import pytest

from accounts.principals import Principal
from memory.domain.types import EncodedSkill, Kind, Plan, Reader, Recalled
from memory.errors import ProviderUnavailable
from memory.models import UsageCount
from memory.providers.registry import embedder, token_counter
from skills.services import recall
from skills.services.curate import delete_skill, edit_skill
from skills.services.recall import recall_skills, skill_texts
from tests.skills.teaching import BREAD, DEPLOY, ask, only, skills_of, teach

STEPS = "1. Look\n2. Do"
VARIANTS = tuple(
    EncodedSkill(f"{verb} the web service{where}", STEPS)
    for verb, where in (
        ("Restart", " pods"),
        ("Monitor", " with alarms"),
        ("Roll back", ""),
        ("Scale", " out"),
    )
)


def test_a_question_of_how_gets_the_one_nearest_skill(alice: Principal) -> None:
    teach(alice, DEPLOY, BREAD)
    (hit,) = ask(alice, "How do I deploy the web service?")
    assert (hit.intent, hit.doc_markdown, hit.number) == (DEPLOY.intent, DEPLOY.doc_markdown, 1)
    assert hit.is_reusable
    assert hit.score > 0.9
    assert hit.reason.startswith("Its intent is near in meaning (0.9")


@pytest.mark.parametrize(("mode", "most"), [("action", 3), ("mixed", 2), ("answer", 1)])
def test_the_mode_says_how_many(alice: Principal, mode: str, most: int) -> None:
    teach(alice, DEPLOY, *VARIANTS)
    hits = ask(alice, "How do I deploy and restart the web service?", mode=mode)
    assert len(hits) == most
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


def test_the_setting_bounds_them_all(alice: Principal, settings) -> None:
    teach(alice, DEPLOY, *VARIANTS)
    settings.SKILL_TOP_K = 2
    assert len(ask(alice, "Deploy the web service", mode="action")) == 2
    settings.SKILL_TOP_K = 0
    assert ask(alice, "Deploy the web service", mode="action") == ()


@pytest.mark.parametrize(
    "question", ["Where does Alice live?", "Who deployed the web service?", "", "Thanks!"]
)
def test_a_question_of_something_else_gets_none(alice: Principal, question: str) -> None:
    teach(alice, DEPLOY)
    assert ask(alice, question) == ()


@pytest.mark.parametrize("question", ["How do I reset the router?", "怎么重启路由器？", "How to?"])
def test_nothing_near_is_nothing_at_all(alice: Principal, question: str) -> None:
    teach(alice, DEPLOY, BREAD)
    assert ask(alice, question, mode="action") == ()


def test_reuse_takes_less_in_action_mode(alice: Principal) -> None:
    teach(alice, DEPLOY)
    asked = "Deploy the service"  # at cosine 0.83
    assert [hit.is_reusable for hit in ask(alice, asked, mode="action")] == [True]
    assert [hit.is_reusable for hit in ask(alice, asked, mode="mixed")] == [False]


def test_the_hypothetical_answer_finds_what_the_question_does_not(alice: Principal) -> None:
    teach(alice, DEPLOY)
    asked = "How does our site get to the customers?"
    assert ask(alice, asked) == ()
    (hit,) = ask(alice, asked, draft="You deploy the web service.")
    assert hit.intent == DEPLOY.intent


def test_an_intent_of_many_words_does_not_hide_the_one_that_is_meant(alice: Principal) -> None:
    teach(alice, DEPLOY, EncodedSkill("Compare the web service of a bakery that may deploy ovens", STEPS))
    (hit,) = ask(alice, "How do I deploy the web service?")
    assert hit.intent == DEPLOY.intent


def test_vectors_that_the_recall_made_are_not_made_again(alice: Principal, monkeypatch) -> None:
    teach(alice, DEPLOY)
    (made,) = embedder().embed(["deploy the web service"])
    assert made.vector is not None
    monkeypatch.setattr(recall, "embedder", None)
    vectors = {"draft": made.vector}
    recalled = Recalled("How is it done?", Plan(mode="action"), (), (), "", 0, (), {}, None, vectors)
    (hit,) = recall_skills(Reader(alice.space_id, alice.user_id), recalled)
    assert hit.intent == DEPLOY.intent


@pytest.mark.parametrize("state", ["draft", "retired"])
def test_what_is_not_active_is_never_found(alice: Principal, state: str) -> None:
    teach(alice, DEPLOY)
    edit_skill(alice, only(alice).id, {"state": state})
    assert ask(alice, DEPLOY.intent, mode="action") == ()


def test_what_is_deleted_is_found_no_more(alice: Principal) -> None:
    teach(alice, DEPLOY)
    delete_skill(alice, only(alice).id)
    assert ask(alice, DEPLOY.intent, mode="action") == ()


def test_nobody_gets_the_skills_of_others(alice: Principal, bob: Principal, charlie: Principal) -> None:
    teach(alice, DEPLOY, private=True)
    teach(charlie, BREAD)
    assert ask(alice, DEPLOY.intent, mode="action")
    assert ask(bob, DEPLOY.intent, mode="action") == ()
    assert ask(alice, BREAD.intent, mode="action") == ()


def test_skills_of_a_session_that_is_left_out_are_left_out(alice: Principal) -> None:
    teach(alice, DEPLOY)
    hidden = Reader(
        alice.space_id, alice.user_id, exclude_session_ids=frozenset(filter(None, {only(alice).session_id}))
    )
    recalled = Recalled(DEPLOY.intent, Plan(mode="action"), (), (), "", 0, (), {}, None)
    assert recall_skills(hidden, recalled) == ()


def test_by_words_where_nothing_can_be_embedded(alice: Principal, monkeypatch) -> None:
    teach(alice, DEPLOY)

    class Away:
        def embed(self, *_: object, **__: object) -> None:
            raise ProviderUnavailable("away")

    monkeypatch.setattr(recall, "embedder", Away)
    (hit,) = ask(alice, "How do I deploy the web service?")
    assert hit.reason == "Its intent holds 100% of the question's words."
    assert hit.is_reusable


def test_an_intent_without_a_vector_is_found_by_its_words(alice: Principal) -> None:
    teach(alice, EncodedSkill("部署网络服务", "1. 构建\n2. 重启"))
    (hit,) = ask(alice, "怎么部署网络服务？")
    assert (hit.intent, hit.is_reusable) == ("部署网络服务", True)


def test_what_helped_before_comes_first_of_two_that_are_equally_near(alice: Principal) -> None:
    teach(alice, EncodedSkill("Start the web service", STEPS), EncodedSkill("Stop the web service", STEPS))
    asked = "Change the web service"
    first, second = ask(alice, asked, mode="action")
    assert abs(first.score - second.score) < 0.01
    UsageCount.objects.for_space(alice.space_id).create(
        space_id=alice.space_id, kind=Kind.SKILL, item_id=second.id, retrievals=50, success=50
    )
    UsageCount.objects.for_space(alice.space_id).create(
        space_id=alice.space_id, kind=Kind.SKILL, item_id=first.id, retrievals=50, fail=50
    )
    assert [hit.id for hit in ask(alice, asked, mode="action")] == [second.id, first.id]


def test_a_prompt_shows_a_skill_whole_or_cut_with_a_mark(alice: Principal) -> None:
    long = EncodedSkill("Count to many", "1. one\n" + "2. and one more\n" * 1_500, ("there is time",))
    teach(alice, DEPLOY, long)
    hits = [*ask(alice, DEPLOY.intent, mode="action"), *ask(alice, "Count to many", mode="action")]
    whole, cut = skill_texts(hits)
    assert whole == f"{DEPLOY.intent}\n{DEPLOY.doc_markdown}"
    assert cut.startswith("Count to many\nOnly if: there is time\n1. one")
    assert cut.endswith("…\n[shortened]")
    assert 1_300 < token_counter().count(cut) <= 1_500


def test_a_space_without_active_skills_asks_no_index(alice: Principal, monkeypatch) -> None:
    monkeypatch.setattr(recall, "nearest_by_words", None)
    assert ask(alice, "How do I deploy?", mode="action") == ()
    assert skills_of(alice) == []
