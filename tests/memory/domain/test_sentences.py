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
        ("Wir feiern am 3. Mai. Gut.", ["Wir feiern am 3. Mai.", "Gut."]),
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


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("Good morning! How are you? Fine.", 3),
        ("See fig. 3 and no. 7 of vol. 2.", 1),
        ("We met at 5 p.m. and ate.", 1),
        ("He lives in the U.S. now.", 1),
        ("Version 3.11.7 is out. Update it.", 2),
        ("www.example.org is down. Fix it.", 2),
        ("Am 24. dezember feiern wir. Komm!", 2),
        ("Mein Verein ist der 1. FC Köln.", 1),
        ("My boss... well, I have none.", 1),
        ("Я думал… но нет.", 1),
        ("I was tired... Then I slept.", 2),
        ("Wir wohnen im 3. Stock. Komm!", 2),
        ("Ich bin 38. Ich wohne hier.", 2),
        ("I am 38. We live here.", 2),
        ("Das kostet ca. 5 Euro inkl. Versand.", 1),
        ("Она родилась в 1990 г. в Казани.", 1),
        ("Купи хлеб, молоко и т.д. и приходи.", 1),
        ("¿Dónde vives? ¡En Madrid!", 2),
        ("今天天气很好。我们去公园吧！好不好？", 3),
        ("彼は東京に住んでいます。私は大阪です。", 2),
        ("저는 서울에 살아요. 반가워요.", 2),
        ("هل تسكن هنا؟ نعم.", 2),
        ("One line\nanother line\n\nthird", 3),
    ],
)
def test_as_many_sentences_as_a_reader_counts(text, count):
    assert len(split_sentences(text)) == count
