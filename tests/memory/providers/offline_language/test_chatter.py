"""Courtesies and questions hold nothing to remember; statements do."""

import pytest

from memory.providers.offline_language.chatter import (
    content_words,
    is_affirmation,
    is_chatter,
    is_content_word,
    is_denial,
    is_only_chatter,
    is_question,
)

CHATTER = [
    "Hi!",
    "Hello there",
    "Good morning!",
    "Thanks a lot!",
    "Thank you so much, Bob!",
    "Wow, that's awesome!",
    "Sounds great!",
    "That's really cool.",
    "Take care!",
    "See you soon!",
    "You're welcome.",
    "Haha",
    "No problem",
    "Okay, got it",
    "Hallo!",
    "Vielen Dank!",
    "Das ist toll!",
    "Guten Morgen",
    "Привет!",
    "Спасибо!",
    "Это невероятно!",
    "¡Hola!",
    "Gracias",
    "Merci !",
    "你好！",
    "谢谢",
    "太棒了！",
    "好的",
    "没问题",
    "嗯嗯",
    "ありがとうございます",
    "안녕하세요",
    "👍👍",
    "...",
    "!!!",
]
STATEMENTS = [
    "I live in Paris.",
    "My sister has two dogs.",
    "The deadline is Friday.",
    "It costs 40 euros.",
    "He works at ACME.",
    "Ich wohne in Berlin.",
    "Я живу в Москве.",
    "Vivo en Madrid.",
    "J'habite à Lyon.",
    "我住在北京",
    "我对花生过敏",
    "東京に住んでいます",
    "서울에 살아요",
    "Room 2024",
    "That deployment was a disaster!",
]
QUESTIONS = [
    "Where do I live?",
    "what is my name",
    "how do you feel about it",
    "Can you help me",
    "So, where are you from",
    "Wo wohne ich?",
    "Где я живу?",
    "我住在哪里",
    "你能帮我吗",
    "你喜欢什么？",
    "これは何ですか",
    "어디에 살아요?",
    "أين؟",
    "Did you hear it?”",
]


@pytest.mark.parametrize("sentence", CHATTER)
def test_courtesies_and_filler_are_chatter(sentence):
    assert is_chatter(sentence)


@pytest.mark.parametrize("sentence", STATEMENTS)
def test_what_tells_something_is_not(sentence):
    assert not is_chatter(sentence)
    assert not is_question(sentence)


@pytest.mark.parametrize("sentence", QUESTIONS)
def test_a_question_is_known_with_and_without_its_mark(sentence):
    assert is_question(sentence)


@pytest.mark.parametrize(
    "sentence", ["What I like is tea.", "When I was ten, I moved.", "Who knows.", "How lovely!"]
)
def test_a_question_word_alone_asks_nothing(sentence):
    assert not is_question(sentence)


@pytest.mark.parametrize("sentence", ["Great job, Caroline!", "你好，Bramble。"])
def test_the_name_of_who_is_talked_to_adds_nothing(sentence):
    assert is_chatter(sentence, names=["Caroline", "Bramble"])


@pytest.mark.parametrize(
    "text", ["yes", "Yes, please", "Exactly!", "that's right", "Ja, genau", "да", "是的", "对", "はい", "네"]
)
def test_a_yes_is_a_yes_in_any_language(text):
    assert is_affirmation(text)
    assert not is_denial(text)


@pytest.mark.parametrize("text", ["no", "Nope.", "not really", "nein", "нет", "不是", "没有", "いいえ"])
def test_a_no_is_a_no_in_any_language(text):
    assert is_denial(text)
    assert not is_affirmation(text)


@pytest.mark.parametrize("text", ["Yesterday I left", "Notes are here", "Darwin", "Danke", "Nothing"])
def test_words_that_begin_like_a_yes_or_no_are_neither(text):
    assert not is_affirmation(text)
    assert not is_denial(text)


def test_content_words_leave_stop_words_and_filler_out():
    assert content_words("Wow, I really love the blue bicycle!") == ["blue", "bicycle"]
    assert is_content_word("bicycle")
    assert not is_content_word("really")
    assert not is_content_word("the")


def test_a_text_of_questions_and_courtesies_only_is_known():
    assert is_only_chatter(["Hi!", "Where do I live?", "Thanks!"])
    assert not is_only_chatter(["Hi!", "I live in Paris."])
    assert is_only_chatter([])
