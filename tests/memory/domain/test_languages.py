"""Noticing that a text was translated, and only then."""

import pytest

from memory.domain.languages import is_translated, latin_language, script_of


@pytest.mark.parametrize(
    ("text", "script"),
    [
        ("He lives in Berlin.", "latin"),
        ("Он живёт в Берлине.", "cyrillic"),
        ("他住在柏林。", "han"),
        ("彼はベルリンに住んでいます。", "kana"),
        ("그는 베를린에 산다.", "hangul"),
        ("هو يعيش في برلين.", "arabic"),
        ("גר בברלין", "hebrew"),
        ("वह बर्लिन में रहता है", "devanagari"),
        ("เขาอยู่ที่เบอร์ลิน", "thai"),
        ("Ζει στο Βερολίνο", "greek"),
        ("12:30 👍", ""),
        ("", ""),
    ],
)
def test_the_script_of_most_letters(text: str, script: str) -> None:
    assert script_of(text) == script


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("She was in the garden with her sister.", "en"),
        ("Sie war mit der Schwester im Garten.", "de"),
        ("Elle est dans le jardin avec sa sœur.", "fr"),
        ("Ella está en el jardín con su hermana y el perro.", "es"),
        ("Berlin Paris Tokyo", ""),
        ("ok", ""),
    ],
)
def test_the_language_of_function_words(text: str, language: str) -> None:
    assert latin_language(text) == language


@pytest.mark.parametrize(
    ("text", "sources"),
    [
        ("He lives in Berlin.", "他住在柏林。"),
        ("他住在柏林。", "He lives in Berlin."),
        (
            "Alice lives with her sister in the city.",
            "Ich wohne mit der Schwester in der Stadt und das ist schön.",
        ),
        ("Он живёт в Берлине.", "I live in Berlin."),
    ],
)
def test_a_translation_is_noticed(text: str, sources: str) -> None:
    assert is_translated(text, sources=sources)


@pytest.mark.parametrize(
    ("text", "sources"),
    [
        ("Alice lives in Berlin.", "I moved to Berlin yesterday."),
        ("Alice 住在柏林。", "我住在柏林。"),
        ("王伟喜欢 Python 和 Django。", "我喜欢 Python 和 Django"),
        ("他用 Python、Django 和 PostgreSQL。", "我用 Python、Django 和 PostgreSQL 开发。"),
        ("Berlin 柏林", "柏林\nBerlin"),
        ("12", "他住在柏林。"),
        ("Rose wohnt in Paris.", "Meine Schwester Rose wohnt in Paris."),
        ("彼は東京に住んでいる。", "東京に住んでいます。"),
        ("Yes.", "👍"),
    ],
)
def test_what_stays_in_its_language_passes(text: str, sources: str) -> None:
    assert not is_translated(text, sources=sources)
