"""Only what is surely known already is skipped."""

import pytest

from memory.config import IngestConfig
from memory.domain.novelty import judge_novelty, overlap
from tests.memory.talking import Line, talk

CONFIG = IngestConfig()


def only_courtesy(text: str) -> bool:
    return text.endswith("?") or text in {"thanks", "yes"}


def judge(*lines: Line, recalled=()):
    return judge_novelty(talk(*lines), recalled_texts=recalled, is_empty=only_courtesy, config=CONFIG)


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        ([], "nobody said anything"),
        ([("Alice", "  ")], "nobody said anything"),
        ([("", "Paris is big.")], "nobody said anything"),
        (
            [("Alice", "where do I live?"), ("", "In Paris."), ("Alice", "thanks")],
            "only questions and courtesies",
        ),
    ],
)
def test_a_segment_without_statements_is_skipped_and_says_why(lines, reason):
    assert judge(*lines) == judge_novelty(
        talk(*lines), recalled_texts=(), is_empty=only_courtesy, config=CONFIG
    )
    assert (judge(*lines).is_new, judge(*lines).reason) == (False, reason)


def test_a_statement_is_new():
    assert judge(("Alice", "I live in Paris")).is_new


def test_a_bare_yes_to_a_question_is_new():
    assert judge(("", "Do you live in Paris?"), ("Alice", "yes")).is_new


def test_a_bare_yes_to_no_question_is_not():
    assert not judge(("", "You live in Paris."), ("Alice", "yes")).is_new


def test_what_a_tool_returned_is_new():
    assert judge(("Alice", "run the tests?"), ("!pytest", "2 failed")).is_new


def test_an_echo_of_recalled_text_is_skipped():
    judged = judge(
        ("Alice", "I live in Paris near the river"), recalled=["Alice lives in Paris", "near a river"]
    )
    assert (judged.is_new, judged.reason) == (False, "nothing beyond what was recalled")


def test_a_denial_of_recalled_text_is_new():
    judged = judge(("Alice", "I'm not allergic to peanuts."), recalled=["Alice is allergic to peanuts."])
    assert judged.is_new


def test_a_denial_that_was_recalled_itself_is_an_echo():
    assert not judge(
        ("Alice", "I'm not allergic to peanuts."), recalled=["Alice is not allergic to peanuts."]
    ).is_new


def test_one_new_turn_among_echoes_is_enough():
    assert judge(
        ("Alice", "I live in Paris"), ("Alice", "my sister bought a boat"), recalled=["Alice lives in Paris"]
    ).is_new


def test_a_new_word_among_nine_known_ones_is_at_the_border():
    known = "one1 two2 three3 four4 five5 six6 seven7 eight8 nine9"
    assert not judge(("Alice", f"{known} ten10"), recalled=[known]).is_new
    assert judge(("Alice", f"{known} ten10 eleven11"), recalled=[known]).is_new


def test_overlap_is_the_share_of_known_terms():
    assert overlap("blue bicycle", frozenset({"blue"})) == 0.5
    assert overlap("the of", frozenset({"blue"})) == 0.0
