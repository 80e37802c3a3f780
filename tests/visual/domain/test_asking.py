"""Questions for images: which they want, or any."""

import pytest

from memory.providers.offline_language.phrase_table import LANGUAGES
from visual.domain.asking import asked_terms, asks_for_any

ANY = {
    "en": ("What did I show you?", "Which photos did I send you?"),
    "de": ("Was habe ich dir gezeigt?", "Zeig mir meine Fotos"),
    "fr": ("Qu'est-ce que je t'ai montré ?", "Montre-moi mes photos"),
    "es": ("¿Qué te he mostrado?", "Muéstrame mis fotos"),
    "it": ("Che cosa ti ho mostrato?", "Mostrami le mie foto"),
    "pt": ("O que é que eu te mostrei?", "Mostre-me as minhas fotos"),
    "nl": ("Wat heb ik je laten zien?", "Welke foto's heb ik je gestuurd?"),
    "pl": ("Co ci pokazałem?", "Pokaż mi moje zdjęcia"),
    "ru": ("Что я тебе показывал?", "Покажи мои фотографии"),
    "uk": ("Що я тобі показував?", "Покажи мої фотографії"),
    "tr": ("Sana ne gösterdim?", "Bana fotoğraflarımı göster"),
    "zh": ("我给你看过什么？", "我的照片有哪些？"),
    "ja": ("私は何を見せましたか？", "写真を見せて"),
    "ko": ("내가 뭘 보여줬지?", "내 사진 보여줘"),
    "ar": ("ماذا أريتك؟", "أرني صوري"),
    "hi": ("मैंने तुम्हें क्या दिखाया?", "मेरी तस्वीरें दिखाओ"),
}
ONE = {
    "en": "Show me my son",
    "de": "Zeig mir das Bild von Ana",
    "fr": "Montre-moi la photo du chat",
    "es": "Muéstrame la foto del gato",
    "ru": "Покажи фото собаки",
    "zh": "我的地图照片在哪里？",
    "ja": "猫の写真を見せて",
    "ko": "고양이 사진 보여줘",
}


def test_every_language_of_the_rules_is_asked_in():
    assert set(ANY) == set(LANGUAGES)


@pytest.mark.parametrize("text", [text for texts in ANY.values() for text in texts])
def test_a_question_may_ask_for_images_and_not_say_which(text: str):
    assert asks_for_any(text)


@pytest.mark.parametrize("text", ONE.values())
def test_one_that_says_which_is_none_for_any(text: str):
    assert not asks_for_any(text)


@pytest.mark.parametrize(
    "text",
    ["Show me the red bicycle", "What do I like?", "Can you see?", "Find it!", "", "What did I send you?"],
)
def test_nor_is_one_of_something_else(text: str):
    assert not asks_for_any(text)


def test_that_somebody_asks_to_see_an_image_tells_nothing_of_which():
    assert asked_terms("Show me the photo of my red bike") == ("red", "bike")
    assert asked_terms("Zeig mir das Foto vom Garten")[-1] == "garten"
    assert asked_terms("Покажи фото собаки") == ("собак",)
    assert asked_terms("小猫的照片") == ("小猫", "猫的")
    assert asked_terms("Capture the flag") == ("captur", "flag")


@pytest.mark.parametrize(("text", "terms"), [("Show me a picture", ("show", "pictur")), ("写真", ("写真",))])
def test_where_nothing_else_is_asked_the_words_stay(text: str, terms: tuple[str, ...]):
    assert asked_terms(text) == terms
