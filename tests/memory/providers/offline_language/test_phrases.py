"""The engine's own few sentences, in the asker's language or English."""

from datetime import date

import pytest

from memory.providers.offline_language.language import detect_language
from memory.providers.offline_language.phrase_table import LANGUAGES, PHRASES
from memory.providers.offline_language.phrases import is_own_phrase, phrase, show_day, show_month

KEYS = [
    "nothing",
    "closest",
    "noted",
    "related",
    "pictures",
    "hello",
    "thanks",
    "bye",
    "okay",
    "self",
    "forget",
    "more",
]


WANTED = {"en", "de", "fr", "es", "it", "pt", "ru", "zh", "ja", "ko", "ar", "tr", "pl", "nl", "uk", "hi"}


@pytest.mark.parametrize("key", KEYS)
def test_every_phrase_is_there_in_every_language(key):
    assert set(PHRASES[key]) == set(LANGUAGES) == WANTED
    said = [phrase(key, language) for language in LANGUAGES]
    assert all(said)
    assert len(set(said)) >= len(said) - 1  # "Notiert" may be one word of two languages


def test_no_phrase_is_untested():
    assert set(PHRASES) == set(KEYS)


@pytest.mark.parametrize("key", ["noted", "related", "pictures", "more"])
def test_what_is_told_has_its_place_in_every_language(key):
    assert all(form.count("{text}") == 1 for form in PHRASES[key].values())


@pytest.mark.parametrize("language", LANGUAGES)
def test_that_nothing_is_stored_is_said_in_the_language_itself(language):
    assert detect_language(phrase("nothing", language)) == language


@pytest.mark.parametrize("key", KEYS)
def test_an_unknown_language_gets_english(key):
    assert phrase(key, "tlh") == phrase(key, "en")


@pytest.mark.parametrize("language", LANGUAGES)
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
        ("ru", "7 мая 2023 г.", "Май 2023 г."),
        ("ko", "2023년 5월 7일", "2023년 5월"),
        ("ar", "7 مايو، 2023", "مايو 2023"),
        ("zh", "2023年5月7日", "2023年5月"),
        ("fr", "7 mai 2023", "mai 2023"),
        ("es", "7 de mayo de 2023", "mayo de 2023"),
        ("pl", "7 maja 2023", "Maj 2023"),
        ("tlh", "2023-05-07", "2023-05"),
    ],
)
def test_days_and_months_are_written_as_the_language_does(language, shown, month):
    assert show_day(date(2023, 5, 7), language) == shown
    assert show_month(date(2023, 5, 7), language) == month
