"""The language is told by script, then by small words."""

import pytest

from memory.providers.offline_language.language import detect_language, guess_language, is_spaceless


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Where do I live?", "en"),
        ("I'm no longer a smoker.", "en"),
        ("I’ve no car any more.", "en"),
        ("I no longer drive.", "en"),
        ("Wo wohne ich und wann bin ich umgezogen?", "de"),
        ("Ich wohne in Berlin.", "de"),
        ("Je vis à Lyon avec mon chat.", "fr"),
        ("¿Dónde vivo yo?", "es"),
        ("Vivo en Madrid con mi hermana", "es"),
        ("Dove abito io?", "it"),
        ("Onde eu moro? Não sei", "pt"),
        ("Ik woon in Utrecht en het is mooi", "nl"),
        ("Где я живу?", "ru"),
        ("Де я живу? Київ", "uk"),
        ("Яка в мене машина?", "uk"),
        ("Как зовут моего пса?", "ru"),
        ("Hangi arabam var?", "tr"),
        ("Köpeğimin adı ne?", "tr"),
        ("Jak nazywa się mój pies?", "pl"),
        ("Qual é a minha cor favorita?", "pt"),
        ("Wie heißt mein Hund?", "de"),
        ("我住在北京", "zh"),
        ("私は東京に住んでいます", "ja"),
        ("저는 서울에 살아요", "ko"),
        ("أين أسكن؟", "ar"),
        ("मैं दिल्ली में रहता हूँ", "hi"),
        ("", "en"),
        ("42!", "en"),
    ],
)
def test_a_text_is_told_by_its_script_and_small_words(text, code):
    assert detect_language(text) == code


def test_one_foreign_name_does_not_change_the_language():
    assert detect_language("I met my old colleague 李 at the conference in Berlin yesterday") == "en"


def test_latin_names_do_not_make_chinese_english():
    assert detect_language("Aria 提到 Tartine Lab 的论文终于在 arXiv 上") == "zh"


def test_only_some_languages_write_without_spaces():
    assert is_spaceless("zh")
    assert is_spaceless("ja")
    assert not is_spaceless("en")
    assert not is_spaceless("ko")


def test_a_short_english_event_is_english() -> None:
    assert detect_language("I met Ann on Friday.") == "en"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Was studiert Lena?", ""),
        ("Was she at home?", "en"),
        ("Was war das?", "de"),
        ("Welcher Verein gefällt mir?", "de"),
        ("En fait, Tom a 5 ans depuis hier.", "fr"),
        ("Quel âge a Tom ?", "fr"),
        ("En realidad, Tom tiene 5 años.", "es"),
        ("Me mudé a Vigo el mes pasado.", "es"),
    ],
)
def test_a_short_message_is_not_taken_for_another_language(text, code):
    assert guess_language(text) == code


@pytest.mark.parametrize(
    ("text", "code"),
    [("danke", "de"), ("merci", "fr"), ("gracias", "es"), ("thanks", "en"), ("ok", ""), ("42", "")],
)
def test_a_courtesy_tells_its_language_and_a_figure_none(text, code):
    assert guess_language(text) == code
    assert detect_language(text) == (code or "en")
