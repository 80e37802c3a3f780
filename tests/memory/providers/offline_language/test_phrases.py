"""The engine's own few sentences, in the asker's language or English."""

from datetime import date

import pytest

from memory.providers.offline_language.phrases import is_own_phrase, phrase, show_day, show_month

KEYS = ["nothing", "closest", "noted", "related", "hello", "thanks", "bye", "okay", "self"]


@pytest.mark.parametrize("key", KEYS)
def test_every_phrase_is_there_in_the_main_languages(key):
    said = [phrase(key, language) for language in ("en", "de", "ru", "zh", "es", "fr", "ja")]
    assert all(said)
    assert len(set(said)) == len(said)


@pytest.mark.parametrize("key", KEYS)
def test_an_unknown_language_gets_english(key):
    assert phrase(key, "tlh") == phrase(key, "en")


@pytest.mark.parametrize("language", ["en", "de", "zh", "ru"])
@pytest.mark.parametrize("key", KEYS)
def test_the_engine_knows_its_own_words_again(key, language):
    assert is_own_phrase(phrase(key, language, text="tea"))


@pytest.mark.parametrize("sentence", ["Alice lives in Paris.", "The note said hello.", "我住在北京"])
def test_others_words_are_not_its_own(sentence):
    assert not is_own_phrase(sentence)


def test_a_text_is_put_in_its_place_whatever_it_holds():
    assert phrase("noted", "en", text="{text} {0} \\1") == "Noted: {text} {0} \\1"


@pytest.mark.parametrize(
    ("language", "shown", "month"),
    [
        ("en", "7 May 2023", "May 2023"),
        ("de", "7. Mai 2023", "Mai 2023"),
        ("ru", "7 мая 2023 г.", "2023-05"),
        ("zh", "2023年5月7日", "2023年5月"),
        ("fr", "7 mai 2023", "mai 2023"),
        ("es", "7 de mayo de 2023", "mayo 2023"),
        ("pl", "2023-05-07", "2023-05"),
    ],
)
def test_days_and_months_are_written_as_the_language_does(language, shown, month):
    assert show_day(date(2023, 5, 7), language) == shown
    assert show_month(date(2023, 5, 7), language) == month
