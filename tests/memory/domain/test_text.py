"""Text in, terms out: every language, every oddity of Unicode."""

import unicodedata
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.domain.text import (
    MAX_TERM_CHARS,
    clean_text,
    fold,
    hidden_spelt_out,
    index_terms,
    is_stop_word,
    normalize,
    search_terms,
    stem,
    words,
)
from tests.growth import growth

ANY_TEXT = st.text(alphabet=st.characters(exclude_categories=()))


class TestCleaning:
    def test_removes_nul_and_lone_surrogates_and_trims(self):
        assert clean_text("  a\x00b \ud83d c\n") == "ab  c"

    def test_puts_a_surrogate_pair_together(self):
        assert clean_text("soup \ud83c\udf5c") == "soup 🍜"

    def test_composes(self):
        assert clean_text("bo\u0308b") == "böb"

    def test_keeps_joiners_and_direction_marks(self):
        assert clean_text("👩\u200d💻 \u200fשלום") == "👩\u200d💻 \u200fשלום"

    @pytest.mark.parametrize(
        "unseen", ["\u200b\u200b", "\ufeff", "\u202e", "\u00ad\u2060", "\ufe0f", "\u3164 "]
    )
    def test_what_nobody_can_see_is_no_text(self, unseen):
        assert clean_text(unseen) == ""
        assert clean_text(f"{unseen}.") == f"{unseen}.".strip()

    @given(ANY_TEXT)
    def test_is_idempotent_and_storable(self, text):
        once = clean_text(text)
        assert clean_text(once) == once
        assert "\x00" not in once
        once.encode("utf-8")

    @given(ANY_TEXT)
    def test_normalizing_is_idempotent_and_composed(self, text):
        once = normalize(text)
        assert normalize(once) == once
        assert unicodedata.is_normalized("NFC", once)

    def test_normalizing_joins_white_space_and_keeps_case(self):
        assert normalize(" Rose \n\t lives\u00a0here ") == "Rose lives here"


class TestFolding:
    @pytest.mark.parametrize(
        ("text", "folded"),
        [
            ("Café", "cafe"),
            ("STRASSE straße", "strasse strasse"),
            ("Ёлка", "елка"),
            ("Мой Йод", "мой йод"),
            ("Її ґанок", "іі ґанок"),
            ("مُحَمَّد", "محمد"),
            ("ABC１２３", "abc123"),
            ("soft\u00adhyphen", "softhyphen"),
            ("がぎぐ", "がぎぐ"),
        ],
    )
    def test_takes_away_what_is_written_at_will(self, text, folded):
        assert fold(text) == folded

    @given(ANY_TEXT)
    def test_is_blind_to_composition(self, text):
        text = clean_text(text)
        assert fold(unicodedata.normalize("NFD", text)) == fold(text)


class TestSearchTerms:
    @pytest.mark.parametrize(
        ("text", "terms"),
        [
            ("Her 2 cats 猫猫猫", ["2", "cat", "猫猫", "猫猫"]),
            ("Caroline's painting; she was painting!", ["carolin", "paint", "paint"]),
            ("don't", []),
            ("Я живу в Москве", ["я", "жив", "в", "москв"]),
            ("новой кошке Мурке", ["нов", "кошк", "мурк"]),
            ("الحساسية حساسية", ["حساس", "حساس"]),
            ("我住在柏林", ["我住", "住在", "在柏", "柏林"]),
            ("猫", ["猫"]),
            ("東京タワー", ["東京", "京タ", "タワ", "ワー"]),
            ("서울에서", ["서울", "울에", "에서"]),
            ("密钥是sk-abc", ["密钥", "钥是", "sk", "abc"]),
            ("emoji 🍜!", ["emoji", "🍜"]),
            ("snake_case sha256", ["snake", "case", "sha256"]),
            ("हिन्दी में", ["हिन्द", "म"]),
            ("عمل جيد", ["عمل", "جيد"]),
            ("", []),
            ("?!…", []),
        ],
    )
    def test_are_what_the_index_counts(self, text, terms):
        assert search_terms(text) == terms

    def test_keep_repetitions_for_term_frequency(self):
        assert search_terms("tea tea tea") == ["tea"] * 3

    def test_are_the_same_for_composed_and_decomposed_text(self):
        assert search_terms("bo\u0308b's cafe\u0301") == search_terms("böb's café") == ["bob", "cafe"]

    def test_of_a_giant_word_are_cut(self):
        assert [len(t) for t in search_terms("x" * 100_000)] == [MAX_TERM_CHARS]

    def test_hold_own_where_it_is_a_verb(self):
        assert search_terms("What do I own?") == search_terms("She owns them") == ["own"]
        assert search_terms("my own, Ann's own and their very own") == ["ann"]

    @given(ANY_TEXT)
    def test_are_never_empty_long_or_stop_words(self, text):
        for term in search_terms(text):
            assert 0 < len(term) <= MAX_TERM_CHARS

    @given(ANY_TEXT, ANY_TEXT)
    def test_of_two_texts_apart_are_those_of_both(self, left, right):
        left, right = clean_text(left), clean_text(right)
        assert search_terms(f"{left}\n{right}") == search_terms(left) + search_terms(right)

    def test_of_a_megabyte_cost_in_proportion_to_its_length(self):
        assert growth(lambda size: search_terms("ha " * size), 90_000) < 8
        assert len(search_terms("ha " * 350_000)) == 350_000


class TestIndexTerms:
    def test_hold_each_han_character_of_a_longer_run(self):
        assert index_terms("一只猫 x") == ["一只", "只猫", "x", "一", "只", "猫"]

    def test_hold_no_kana_and_no_single_character_twice(self):
        assert index_terms("猫 ポチ") == ["猫", "ポチ"]

    @given(ANY_TEXT)
    def test_hold_the_search_terms_first(self, text):
        terms = search_terms(text)
        assert index_terms(text)[: len(terms)] == terms


def test_a_stemmer_is_no_two_threads():
    words = ["кошками", "собаками", "الحساسية", "running"] * 50
    apart = [stem.__wrapped__(word) for word in words]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(stem.__wrapped__, words)) == apart


def test_words_keep_stop_words_and_order():
    assert words("The cat's 3 mats") == ["the", "cat", "s", "3", "mats"]


def test_stop_words_are_asked_folded():
    assert is_stop_word("the")
    assert not is_stop_word("cat")


def test_what_nobody_sees_is_spelt_out_and_all_else_stays():
    tags = "".join(chr(0xE0000 + ord(char)) for char in "go")
    assert hidden_spelt_out(f"a{tags}b\u202ec") == "a⟦go⟧b⟦U+202E⟧c"
    assert hidden_spelt_out("\u200b" * 4) == "⟦U+200B U+200B U+200B U+200B⟧"
    assert hidden_spelt_out("می\u200cخواهم ❤\ufe0f plain") == "می\u200cخواهم ❤\ufe0f plain"
