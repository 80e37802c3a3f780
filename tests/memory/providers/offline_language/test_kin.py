"""A question's word finds the statement that says it otherwise."""

import pytest

from memory.domain.text import search_terms, stem
from memory.providers.offline_language.kin import kin_of


@pytest.mark.parametrize(("asked", "said"), [("live", "moved"), ("pet", "dog"), ("called", "name")])
def test_words_of_one_matter_are_kin(asked, said):
    assert stem(said) in kin_of(stem(asked))
    assert stem(asked) in kin_of(stem(said))


def test_another_word_is_its_own_kin_alone():
    (term,) = search_terms("zeppelin")
    assert kin_of(term) == {term}
