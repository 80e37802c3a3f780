"""A question's word finds the statement that says it otherwise."""

import pytest

from memory.domain.text import search_terms, stem
from memory.providers.offline_language.kin import is_relative, kin_of


@pytest.mark.parametrize(("asked", "said"), [("live", "moved"), ("called", "name")])
def test_words_of_one_matter_are_kin(asked, said):
    assert stem(said) in kin_of(stem(asked))
    assert stem(asked) in kin_of(stem(said))


def test_another_word_is_its_own_kin_alone():
    (term,) = search_terms("zeppelin")
    assert kin_of(term) == {term}


def test_a_word_for_many_finds_each_but_one_of_them_no_other():
    assert {"dog", "cat"} <= kin_of("pet")
    assert "pet" in kin_of("dog")
    assert "cat" not in kin_of("dog")
    assert is_relative("dog")
    assert not is_relative("bicycl")


@pytest.mark.parametrize(
    ("asked", "said"), [("mom", "mother"), ("oma", "grandmother"), ("hund", "dog"), ("tante", "aunt")]
)
def test_who_is_meant_is_known_in_other_words_and_languages(asked, said):
    assert stem(said) in kin_of(stem(asked))
    assert is_relative(stem(asked))
    assert stem("uncle") not in kin_of(stem(asked))


def test_the_german_not_is_no_niece():
    assert not is_relative(stem("nicht"))
