"""Sentences of any language, cut where a reader would cut."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.domain.sentences import is_list_item, split_sentences, strip_bullet


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("I live in Paris. I work at ACME!", ["I live in Paris.", "I work at ACME!"]),
        ("I met Dr. Lee at 3 p.m. yesterday. He left.", ["I met Dr. Lee at 3 p.m. yesterday.", "He left."]),
        ("It costs 3.50 euros. Fine.", ["It costs 3.50 euros.", "Fine."]),
        ("我住在北京。我喜欢火锅！你呢？", ["我住在北京。", "我喜欢火锅！", "你呢？"]),
        ("Wir treffen uns am 3. mai. Gut.", ["Wir treffen uns am 3. mai.", "Gut."]),
        ("Das ist z.B. gut. Ja.", ["Das ist z.B. gut.", "Ja."]),
        ("Он живёт в Москве. Т.е. далеко.", ["Он живёт в Москве.", "Т.е. далеко."]),
        ("हम दिल्ली में रहते हैं। ठीक है।", ["हम दिल्ली में रहते हैं।", "ठीक है।"]),
        ('He said "no." Then he left.', ['He said "no."', "Then he left."]),
        ("Steps:\n1. Open it\n2. Close it", ["Steps:", "1. Open it", "2. Close it"]),
        ("Wait... what?! Yes", ["Wait...", "what?!", "Yes"]),
        ("J. R. Smith came.", ["J. R. Smith came."]),
    ],
)
def test_sentences_end_where_a_reader_ends_them(text, sentences):
    assert split_sentences(text) == sentences


@pytest.mark.parametrize("text", ["", "   ", "\n\n"])
def test_nothing_said_is_no_sentence(text):
    assert split_sentences(text) == []


@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=200))
def test_no_letter_is_lost_and_none_is_empty(text):
    sentences = split_sentences(text)
    assert all(sentence.strip() == sentence and sentence for sentence in sentences)
    assert "".join("".join(sentences).split()) == "".join(text.split())


@pytest.mark.parametrize(
    ("item", "bare"),
    [("- buy milk", "buy milk"), ("1. Open it", "Open it"), ("2、打开", "打开"), ("## Title", "Title")],
)
def test_a_list_mark_is_seen_and_taken_off(item, bare):
    assert is_list_item(item)
    assert strip_bullet(item) == bare


def test_a_plain_sentence_is_no_list_item():
    assert not is_list_item("3.5 percent is enough")
    assert strip_bullet("Plain.") == "Plain."
