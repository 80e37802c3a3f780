"""How many skills a plan gets, which may be followed as they stand, and how one is shown."""

from dataclasses import replace
from uuid import uuid4

import pytest

from memory.domain.types import MemoryType, Plan
from skills.config import SkillConfig
from skills.domain.hyde import SHORTENED, asks_how, is_reusable, reuse_plan, skill_limit, skill_prompt
from skills.domain.types import SkillHit
from tests.sessions_app.fakes import make_hit

CONFIG = SkillConfig()
HIT = SkillHit(uuid4(), 1, "Deploy", "1. make\n2. push", (), (), 0.9, True, "near")


@pytest.mark.parametrize(
    ("mode", "is_procedural", "most"),
    [("action", False, 3), ("mixed", False, 2), ("answer", True, 1), ("answer", False, 0), ("?", True, 0)],
)
def test_the_mode_bounds_them(mode: str, is_procedural: bool, most: int) -> None:
    assert skill_limit(Plan(mode=mode), is_procedural=is_procedural, config=CONFIG) == most
    assert skill_limit(Plan(mode=mode, is_small_talk=True), is_procedural=True, config=CONFIG) == 0
    assert skill_limit(Plan(mode=mode), is_procedural=True, config=replace(CONFIG, top_k=0)) == 0


@pytest.mark.parametrize(
    "question",
    [
        "How do I deploy it?", "how to bake bread", "What are the steps to reset it?", "Walk me through it",
        "Wie kann ich das installieren?", "Comment faire du pain ?", "¿Cómo puedo hacerlo?", "Come si fa?",
        "Как сделать хлеб?", "怎么部署？", "如何重启服务", "どうやってやるの？", "어떻게 하나요?",
    ],
)  # fmt: skip
def test_questions_of_how_are_known_in_many_languages(question: str) -> None:
    assert asks_how(question)


@pytest.mark.parametrize(
    "question", ["Where does Ana live?", "How old is she?", "How many cats?", "你好", ""]
)
def test_other_questions_are_none(question: str) -> None:
    assert not asks_how(question)


def test_a_recalled_procedure_makes_it_one() -> None:
    procedure = replace(make_hit("First the oven."), memory_type=MemoryType.PROCEDURE.value)
    others = [make_hit("x")] * 3
    assert asks_how("The bread?", [others[0], procedure])
    assert not asks_how("The bread?", [*others, procedure])


@pytest.mark.parametrize(
    ("mode", "cosine", "reusable"),
    [("action", 0.80, True), ("action", 0.79, False), ("answer", 0.84, False), ("mixed", 0.85, True)],
)
def test_how_near_it_must_be_to_be_followed(mode: str, cosine: float, reusable: bool) -> None:
    plan = Plan(mode=mode)
    assert is_reusable(plan, cosine=cosine, share=1.0, has_vector=True, config=CONFIG) is reusable


def test_without_a_vector_words_decide() -> None:
    for share, reusable in ((0.9, True), (0.89, False)):
        assert is_reusable(Plan(), cosine=0, share=share, has_vector=False, config=CONFIG) is reusable


def test_the_reuse_plan_holds_the_best_two_reusable_ones() -> None:
    far = replace(HIT, is_reusable=False)
    hits = [replace(HIT, number=n) for n in (1, 2, 3)]
    assert reuse_plan([hits[0], far, *hits[1:]]) == tuple(hits[:2])
    assert reuse_plan([far]) == ()


def test_a_skill_is_shown_with_what_must_hold_and_what_it_uses() -> None:
    hit = replace(HIT, preconditions=("CI is green", "it is Monday"), tools=("make",))
    shown = skill_prompt(hit, count=len, config=CONFIG)
    assert shown == "Deploy\nOnly if: CI is green; it is Monday\nUses: make\n1. make\n2. push"


@pytest.mark.parametrize("budget", [40, 100, 1_000])
def test_a_shortened_skill_keeps_its_budget_and_says_so(budget: int) -> None:
    hit = replace(HIT, doc_markdown="step " * 1_000)
    shown = skill_prompt(hit, count=len, config=replace(CONFIG, prompt_tokens=budget))
    assert len(shown) <= budget + 1  # the mark of the cut
    assert shown.endswith(f"…\n{SHORTENED}")
