"""Cue words choose the type, in the order of how much they say."""

import pytest

from memory.domain.types import MemoryType
from memory.providers.offline_language.kinds import is_failure, is_hedged, memory_type_of


@pytest.mark.parametrize(
    ("statement", "memory_type"),
    [
        ("I live in a small house.", "fact"),
        ("我住在北京", "fact"),
        ("I love jazz.", "preference"),
        ("She prefers tea.", "preference"),
        ("My favourite colour is blue.", "preference"),
        ("Ich mag Kaffee.", "preference"),
        ("Мне нравится чай.", "preference"),
        ("我喜欢火锅", "preference"),
        ("I went to a concert.", "event"),
        ("We bought a boat.", "event"),
        ("我去了西安", "event"),
        ("Я купила лодку.", "event"),
        ("I'm allergic to peanuts.", "constraint"),
        ("The report must be ready by Friday.", "constraint"),
        ("我对花生过敏", "constraint"),
        ("Мне нельзя орехи.", "constraint"),
        ("Never use tabs.", "constraint"),
        ("Never call me at night.", "constraint"),
        ("To restart the server, run make up and wait.", "procedure"),
        ("First open the lid, then press the button.", "procedure"),
        ("首先打开盖子，然后按按钮", "procedure"),
        ("The deploy failed with a timeout error.", "failure_pattern"),
        ("ValueError: bad input", "failure_pattern"),
        ("部署失败", "failure_pattern"),
        ("The export API supports CSV files.", "tool_affordance"),
        ("这个工具可以导出表格", "tool_affordance"),
    ],
)
def test_a_cue_word_chooses_the_type(statement, memory_type):
    assert memory_type_of(statement, has_date=False) == memory_type


def test_a_date_makes_an_event_of_what_has_no_other_cue():
    assert memory_type_of("The fair is on 3 May.", has_date=True) is MemoryType.EVENT
    assert memory_type_of("I love the fair on 3 May.", has_date=True) is MemoryType.PREFERENCE


@pytest.mark.parametrize("statement", ["It looks like rain.", "That sounds like fun"])
def test_like_as_a_comparison_is_no_taste(statement):
    assert memory_type_of(statement, has_date=False) is MemoryType.FACT


@pytest.mark.parametrize(
    "statement", ["Maybe I will go", "I think it rains", "也许明天", "Vielleicht", "Возможно"]
)
def test_doubt_is_heard(statement):
    assert is_hedged(statement)
    assert not is_hedged("It is certain")


def test_a_failure_is_heard():
    assert is_failure("Traceback (most recent call last):")
    assert not is_failure("All tests passed")
