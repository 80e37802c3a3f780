"""A message asks, tells, or is a courtesy; a question asks for a sort of answer."""

import pytest

from memory.providers.offline_language.message import Kind, Wish, kind_of, wish_of


@pytest.mark.parametrize(
    ("message", "wish"),
    [
        ("Where do I live?", "ask"),
        ("what is my dog called", "ask"),
        ("Tell me about Paris", "ask"),
        ("Recommend a restaurant for tonight", "ask"),
        ("我住在哪里？", "ask"),
        ("请告诉我关于北京的事", "ask"),
        ("Где я живу?", "ask"),
        ("I moved to Berlin. Where did I live before?", "ask"),
        ("I live in Paris.", "tell"),
        ("Remember that my cat hates milk", "tell"),
        ("我住在北京", "tell"),
        ("Hello!", "hello"),
        ("你好", "hello"),
        ("Привет!", "hello"),
        ("Thanks a lot!", "thanks"),
        ("谢谢", "thanks"),
        ("bye", "bye"),
        ("再见", "bye"),
        ("Who are you?", "self"),
        ("你是谁？", "self"),
        ("Forget the garage code.", "forget"),
        ("How do you work?", "self"),
        ("Wie funktionierst du?", "self"),
        ("How do you work with clay?", "ask"),
        ("Please forget what I told you about Tom", "forget"),
        ("Vergiss meine alte Adresse!", "forget"),
        ("忘记我的地址", "forget"),
        ("Забудь мой адрес.", "forget"),
        ("Forget it.", "okay"),
        ("Vergiss nicht, dass ich Tee mag.", "tell"),
        ("Forget the code. I moved to Berlin.", "tell"),
        ("I forgot the garage code.", "tell"),
        ("ok", "okay"),
        ("👍", "okay"),
        ("", "okay"),
    ],
)
def test_a_message_is_known_by_what_it_wants(message, wish):
    assert wish_of(message) is Wish(wish)


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("When did Ann leave?", "when"),
        ("What year was it?", "when"),
        ("Wann war das?", "when"),
        ("什么时候去的？", "when"),
        ("Where is my bike?", "where"),
        ("Wo wohne ich?", "where"),
        ("Где мой велосипед?", "where"),
        ("Who painted it?", "who"),
        ("谁来了？", "who"),
        ("How many cats do I have?", "count"),
        ("Сколько у меня кошек?", "count"),
        ("Why did she leave?", "why"),
        ("为什么？", "why"),
        ("What activities does Ann like?", "list"),
        ("Which books has she read?", "list"),
        ("What is my name?", "other"),
    ],
)
def test_a_question_is_known_by_its_word(question, kind):
    assert kind_of(question) is Kind(kind)
