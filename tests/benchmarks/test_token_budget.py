"""What building and asking a memory reads, counted on a conversation of three turns."""

from collections import defaultdict
from contextlib import nullcontext

import pytest

from benchmarks import token_budget
from benchmarks.figures import Figure
from benchmarks.prompt_tokens import Spent
from benchmarks.token_budget import PER_CHAT, Asked, Built, construction, measure, query
from evaluation.loaders import locomo
from evaluation.memories import Told
from memory.providers.registry import warm_up_model
from tests.evaluation.telling import dialogue


def spent(conversation: int = 100, **calls: list[int]) -> Spent:
    return Spent(conversation, defaultdict(list, calls))


def built(segments: int = 2, **calls: list[int]) -> Built:
    return Built(Told(None, {}), spent(**calls), segments)  # type: ignore[arg-type]


def named(figures: list[Figure], name: str) -> Figure:
    return next(figure for figure in figures if figure.name == name)


def test_construction_counts_every_generative_call_and_no_embedding():
    whole = built(encode=[100, 120], repair=[80], embed=[1_000])
    assert (whole.input_tokens, whole.calls, whole.purposes) == (300, 3, {"encode", "repair"})


def test_construction_stands_beside_a_call_an_exchange_the_conversation_and_its_segments():
    whole, singly, joined = built(encode=[100, 100]), built(encode=[100] * 10), built(4, encode=[50] * 3)
    figures = construction(whole, singly, joined)
    assert [figure.ratio for figure in figures] == [0.2, 2.0, 1.5, 1.0, 0.75]
    assert all(figure.target for figure in figures)


def test_a_call_for_anything_but_encoding_is_named():
    plain = built(encode=[1])
    assert "anything else: none" in construction(plain, plain, plain)[-1].target
    joined = built(encode=[1], learn=[1])
    assert "anything else: learn" in construction(plain, plain, joined)[-1].target


def test_a_question_reads_its_plan_and_its_answer():
    plans, answers = [300, 400, 500, 600], [1_000, 1_100, 1_200, 1_300]
    asked = Asked(spent(plan=plans, answer=answers, embed=[9]), 4, (800, 900, 1_000, 1_100))
    figures = query("standard", asked, spoken=2_000)
    assert named(figures, "standard: input a question").value == 1_600
    assert named(figures, "standard: of it the plan's prompt").value == 450
    assert named(figures, "standard: a plan with six turns before it").value == 600
    assert named(figures, "standard: of it recalled items").value == 950
    assert named(figures, "standard: input a question").ratio == 0.8


def test_without_plans_none_is_told_of():
    names = [figure.name for figure in query("fast", Asked(spent(answer=[10]), 1, (5,)), spoken=100)]
    assert names == [
        "fast: input a question",
        "fast: of it the answer's prompt",
        "fast: of it recalled items",
    ]


@pytest.mark.django_db(transaction=True)
def test_a_conversation_goes_through_the_application_and_its_questions_through_the_chat():
    warm_up_model()
    figures = measure(dialogue())
    calls = named(figures, "construction: calls")
    assert (calls.value, calls.baseline) == (2, 2)  # a segment each session
    assert calls.target.endswith("anything else: none")
    assert named(figures, "the same, sessions joined").value <= 2
    standard, fast = (named(figures, f"{effort}: input a question") for effort in ("standard", "fast"))
    answer = named(figures, "standard: of it the answer's prompt")
    plan = named(figures, "standard: of it the plan's prompt")
    assert standard.value == pytest.approx(answer.value + plan.value)
    assert 0 < fast.value < standard.value
    assert 0 < named(figures, "fast: of it recalled items").value < fast.value


def test_the_last_question_of_each_chat_has_most_before_it():
    asked = Asked(spent(plan=list(range(2 * PER_CHAT))), 2 * PER_CHAT, ())
    assert asked.later_plans() == [PER_CHAT - 1, 2 * PER_CHAT - 1]
    assert Asked(asked.spent, 2 * PER_CHAT + 1, ()).later_plans() == []  # one needed no plan


def test_a_conversation_that_the_file_does_not_hold_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr(token_budget, "scratch_application", nullcontext)
    monkeypatch.setattr(locomo, "load", lambda path: [dialogue("conv-1")])
    monkeypatch.setattr("sys.argv", ["token_budget", "--data", "some.json", "--only", "conv-2"])
    with pytest.raises(SystemExit):
        token_budget.main()
    assert "some.json holds no conversation named conv-2." in capsys.readouterr().err
