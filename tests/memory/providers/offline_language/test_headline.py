"""A message is called by what it tells or asks, not by the greeting before it."""

import pytest

from memory.providers.offline_language.headline import headline_of


@pytest.mark.parametrize(
    ("text", "headline"),
    [
        ("Hi! I'm Maya and I own a boat.", "I own a boat."),
        ("Hello, my name is Maya. Where is\nthe key?", "Where is the key?"),
        ("Hi Lychee, where is the key?", "Where is the key?"),
        ("Good morning! Actually, I work at Siemens. It is far.", "I work at Siemens. It is far."),
        ("Hallo! Ich heiße Maya und ich wohne in Kiel.", "Ich wohne in Kiel."),
        ("你好！我叫小美。我住在上海。", "我住在上海。"),
        ("Hi! I'm Maya.", "I'm Maya."),
    ],
)
def test_greetings_and_introductions_go(text, headline):
    assert headline_of(text) == headline


@pytest.mark.parametrize(
    "text",
    [
        "Good Morning, Vietnam",
        "Good Morning, Vietnam is my favourite film.",
        "Sorry! is a game that I own.",
        "I Am Legend",
        "I Am Legend is a film that I love.",
        "Where is the key? I need it.",
        "Hi!",
        "thanks",
        "eBay sells boats.",
        "",
    ],
)
def test_all_else_keeps_its_beginning(text):
    assert headline_of(text) == text
