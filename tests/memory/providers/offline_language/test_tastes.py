"""Likes are told from dislikes, in a question as in what answers it."""

import pytest

from memory.providers.offline_language.tastes import is_of_other_taste


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("What food do I dislike?", "Alice's favourite food is pizza."),
        ("What does Ann not like?", "Ann loves tea."),
        ("What do I like?", "Alice doesn't really like tea."),
        ("Was mag ich nicht?", "Anna: Ich mag Tee."),
        ("Was mag ich?", "Anna: Ich mag keinen Tee."),
        ("我喜欢什么？", "李雷不喜欢茶。"),
    ],
)
def test_they_are_opposed(question, text):
    assert is_of_other_taste(question, text)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("What food do I dislike?", "Alice can't stand olives."),
        ("What do I like?", "Alice adores tea."),
        ("Do I like tea?", "Alice doesn't like tea any more."),
        ("What do I like?", "Alice lives in Paris."),
        ("Where do I live?", "Alice hates Paris."),
    ],
)
def test_they_are_not(question, text):
    assert not is_of_other_taste(question, text)
