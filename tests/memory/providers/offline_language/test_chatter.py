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
    wants_forgotten,
    without_greeting,
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


TOLD_IN_SMALL_WORDS = [
    "I have a heart problem.",
    "I have a son.",
    "My son is sick.",
    "My son Will is ten.",
    "I have no job.",
    "I love my job.",
    "I am sick.",
    "My friend is sick.",
    "I can't hear.",
    "I work at night.",
    "I am a girl.",
    "Hope is my friend.",
    "Hope is great.",
    "I have a hat.",
    "I have a den.",
    "I love Nice.",
    "I pay the toll.",
    "He is ten.",
    "We are together.",
    "They work.",
    "I forget things",
    "Hi, I am sick",
    "Good night, I am sick.",
    "Ich habe ein Rad.",
    "Mein Job ist toll.",
    "Ich habe ein Problem.",
    "Hallo, mein Job ist toll",
    "Ich bin krank.",
    "J'ai un job",
    "Mon job est super",
    "J'ai un fils.",
    "Yo toco rock",
    "Mi job es super",
    "Me gusta el rock",
    "У меня день",
    "Он добрый",
    "Я мама",
    "我病了",
    "我很饿",
    "他病了。",
]
REACTIONS = [
    "Wow, I love it!",
    "I'm so glad you like it",
    "I think that's a great idea",
    "I hope you have a great day",
    "Great job, man!",
    "What a day!",
    "Good night, my friend!",
    "I'm so happy for you!",
    "I'm so proud of you",
    "I love you guys",
    "I can't wait to hear more",
    "I'll see you tomorrow",
    "I'm glad to hear that",
    "I appreciate your kind words",
    "They look amazing",
    "She's so cute",
    "Today was great",
    "You are the best",
    "I Love It!",
    "I'm fine, thanks",
    "Ich bin gut",
    "Das ist super",
    "C'est super",
    "Guten Abend",
    "Buenos días",
    "Она очень хорошо",
    "Добрый вечер",
    "我很好",
    "我也是",
]


@pytest.mark.parametrize("sentence", TOLD_IN_SMALL_WORDS)
def test_a_person_of_whom_something_is_told_in_words_of_courtesy_is_not_lost(sentence):
    assert not is_chatter(sentence)
    assert not is_only_chatter([sentence])


@pytest.mark.parametrize("sentence", REACTIONS)
def test_how_one_takes_what_was_said_is_chatter(sentence):
    assert is_chatter(sentence)


@pytest.mark.parametrize("sentence", QUESTIONS)
def test_a_question_is_known_with_and_without_its_mark(sentence):
    assert is_question(sentence)


@pytest.mark.parametrize(
    "sentence", ["What I like is tea.", "When I was ten, I moved.", "Who knows.", "How lovely!"]
)
def test_a_question_word_alone_asks_nothing(sentence):
    assert not is_question(sentence)


@pytest.mark.parametrize("sentence", ["Great job, Caroline!", "你好，Bramble。", "Great job, Caro!"])
def test_the_name_of_who_is_talked_to_adds_nothing(sentence):
    assert is_chatter(sentence, names=["Caroline", "Bramble"])


def test_a_thing_that_a_name_begins_like_is_one():
    assert not is_chatter("I have a car.", names=["Caroline"])


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


def test_a_small_word_of_another_language_is_content_in_this_one():
    assert content_words("My son wears a hat") == ["son", "wears", "hat"]
    assert content_words("Er hat mit mir Tee") == ["mir", "tee"]
    assert is_content_word("hat", "en")
    assert not is_content_word("hat")
    assert not is_content_word("hat", "de")


def test_a_text_of_questions_and_courtesies_only_is_known():
    assert is_only_chatter(["Hi!", "Where do I live?", "Thanks!"])
    assert not is_only_chatter(["Hi!", "I live in Paris."])
    assert is_only_chatter([])


@pytest.mark.parametrize(
    "sentence",
    [
        "hello my friend, I own a boat",
        "Hi I own a boat",
        "Hello, my name is Bob",
        "Hi, the boat is sold",
        "danke ich wohne in Kiel",
        "Hi, I'm Nora",
        "Hallo, ich habe ein Boot",
        "Salut, j'ai un bateau",
        "Hola, tengo un barco",
        "Привет, у меня есть лодка",
        "Hey there, our boat is blue",
        "Hi Lychee, my boat is called Windsbraut",
        "Thanks, I moved to Rome",
        "Bonjour, mon chien est Rex",
    ],
)
def test_what_is_told_after_a_greeting_is_not_lost(sentence):
    assert not is_chatter(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "Thanks Caroline",
        "Thank you for my gift",
        "Hi Lychee",
        "Thanks, I appreciate it",
        "Thank you for the lovely flowers",
        "Good morning, my dear friends!",
        "Hello my friend",
        "Hey Mel!",
        "Take care, Caroline!",
        "danke dir, mein Freund",
        "Hi, how are you",
        "See you later, alligator",
        "Thanks so much, dear Bob",
        "Hello there, old friend",
        "hello, my friend",
        "Hi, my love!",
        "Bye, Mel, love you",
    ],
)
def test_a_greeting_may_address_somebody(sentence):
    assert is_chatter(sentence)


def test_a_greeting_is_cut_with_whom_it_addresses():
    assert without_greeting("Hi Lychee, my boat is called Windsbraut") == "my boat is called Windsbraut"
    assert without_greeting("hello my friend, I own a boat") == "I own a boat"
    assert without_greeting("Thanks for the flowers, I love them") == "Thanks for the flowers, I love them"
    assert without_greeting("Hello Mel") == "Hello Mel"


@pytest.mark.parametrize(
    "sentence",
    [
        "Vergiss, dass ich in Leipzig wohne.",
        "Bitte vergiss, wo ich wohne.",
        "Забудь, где я живу.",
        "Пожалуйста, забудь, что я сказал",
        "Oublie que j'habite à Lyon",
        "Olvida que vivo en Madrid",
        "Dimentica che abito a Roma",
        "Esquece que moro no Porto",
        "Esqueça onde moro",
        "Vergeet dat ik in Gent woon",
        "Zapomnij, gdzie mieszkam",
        "Забудь, де я живу",
        "Berlin'de yaşadığımı unut",
        "忘记我住在上海",
        "请忘记我的地址",
        "請忘記我的生日",
        "私の住所を忘れて",
        "내 주소를 잊어줘",
        "انس أين أسكن",
        "मेरा पता भूल जाओ",
        "Forget that I live in Leipzig",
        "Du kannst vergessen, wo ich wohne",
        "Bitte vergiss alles über Kiel",
    ],
)
def test_the_wish_to_have_something_forgotten_is_known_in_every_language(sentence):
    assert wants_forgotten(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "Vergiss nicht, dass ich Milch brauche",
        "Don't forget the milk",
        "Forget it.",
        "Vergiss es",
        "N'oublie pas le pain",
        "Не забудь, где ключи",
        "Zapomniałem klucze",
        "Ekmek almayı unutma",
        "Anahtarı unuttum",
        "我忘了带钥匙",
        "忘了带钥匙了",
        "鍵を忘れてしまった",
        "鍵を忘れた",
        "키를 잊어버렸어",
        "मैं चाबी भूल गया",
        "Vergessen habe ich das nie",
        "Vergeet niet te bellen",
    ],
)
def test_who_has_forgotten_or_is_not_to_forget_wants_nothing_forgotten(sentence):
    assert not wants_forgotten(sentence)


@pytest.mark.parametrize(
    "sentence",
    ["That looks yummy!", "Hey Nate, that looks so good!", "Wow, it smells divine", "You look so cheerful!"],
)
def test_a_remark_about_what_was_just_shown_holds_nothing(sentence):
    assert is_chatter(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "That looks like a tumor.",
        "It looks like rain in Cork.",
        "You looked for a flat.",
        "Hey Ann, it seems broken.",
    ],
)
def test_what_tells_more_than_how_it_looks_is_no_remark(sentence):
    assert not is_chatter(sentence)


def test_a_word_with_a_hyphen_greets_nobody():
    assert without_greeting("Hi-fi systems are my hobby") == "Hi-fi systems are my hobby"
    assert without_greeting("Hello my dear friend – I own a boat") == "I own a boat"
