"""Filler counts in the sentences of its own language, and only reactions where a person is told of."""

import pytest

from memory.domain.text import words
from memory.providers.offline_language.filler import is_filler, is_reaction, language_for


@pytest.mark.parametrize(
    ("word", "language", "expected"),
    [
        ("job", "en", (True, False)),
        ("glad", "en", (True, True)),
        ("the", "en", (True, True)),
        ("son", "en", (False, False)),
        ("son", "es", (True, True)),
        ("son", "", (True, True)),
        ("abend", "de", (True, False)),
        ("abend", "en", (False, False)),
        ("rad", "de", (True, False)),
        ("спасибо", "en", (True, True)),
        ("лодка", "ru", (False, False)),
    ],
)
def test_a_word_is_filler_and_a_reaction_by_its_language(word, language, expected):
    assert (is_filler(word, language), is_reaction(word, language)) == expected


@pytest.mark.parametrize(
    ("text", "language"),
    [("I have a hat", "en"), ("Er ist da und hat mich", "de"), ("Toll!", ""), ("A blue bike", "en")],
)
def test_the_language_is_that_of_the_sentence(text, language):
    assert language_for(text, words(text)) == language
