"""What repeats a text, by its words."""

import pytest

from memory.domain.quoting import is_quoting, probes, tells_again

TOLD = ["I keep my savings in a green tin."]


@pytest.mark.parametrize(
    "text",
    [
        TOLD[0],
        "Yes: I KEEP my savings, in the green tin!",
        "Noted: I keep my savings in a green tin. Thanks.",
    ],
)
def test_a_text_with_every_word_of_content_tells_it_again(text):
    assert tells_again(text, TOLD)


@pytest.mark.parametrize("text", ["", "Where do I keep my savings?", "The tin is green."])
def test_a_text_that_lacks_one_does_not(text):
    assert not tells_again(text, TOLD)


def test_scripts_without_spaces_are_compared_by_pairs_of_characters():
    assert tells_again("对，我住在巴黎。", ["我住在巴黎"])
    assert not tells_again("我住在柏林。", ["我住在巴黎"])


def test_nothing_is_told_by_a_text_without_words_of_content():
    assert not tells_again("It is what it is", ["", "so it is"])


@pytest.mark.parametrize("title", ["I keep my savings in a gre…", "The green tin", "green tin", TOLD[0]])
def test_a_title_with_two_words_in_a_row_quotes_it(title):
    assert is_quoting(title, TOLD)


@pytest.mark.parametrize("title", ["Savings", "A tin, green", "Money matters", ""])
def test_a_title_with_single_words_does_not(title):
    assert not is_quoting(title, TOLD)


def test_a_text_of_one_word_is_quoted_by_its_equal():
    assert is_quoting("Heliotrope!", ["heliotrope"])


def test_what_repeats_a_text_holds_its_probe():
    assert probes([*TOLD, "Heliotropes, all of them", "", TOLD[0]]) == ["savings", "heliotro"]
