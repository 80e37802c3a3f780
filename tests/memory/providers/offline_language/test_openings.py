"""What only opens a sentence is no part of what it tells."""

import pytest

from memory.providers.offline_language.openings import without_opening


@pytest.mark.parametrize(
    ("sentence", "told"),
    [
        ("Hi Lychee, I have two sisters.", "I have two sisters."),
        ("Actually, I work at Siemens.", "I work at Siemens."),
        ("Actually I work at Siemens.", "I work at Siemens."),
        ("Correction: the launch is on 27 February.", "The launch is on 27 February."),
        ("Oh, sorry, the launch is on Friday.", "The launch is on Friday."),
        ("Hi Lychee, by the way, I own a boat.", "I own a boat."),
        ("Übrigens, ich habe ein Boot.", "Ich habe ein Boot."),
        ("更正：我住在上海。", "我住在上海。"),
        ("Good Morning, I own a boat.", "I own a boat."),
        ("Good morning, Vietnam is far.", "Vietnam is far."),
        ("Sorry, Ruth Weiss lives in Rome.", "Ruth Weiss lives in Rome."),
        ("Hi Lychee, where is the key?", "Where is the key?"),
    ],
)
def test_it_goes(sentence, told):
    assert without_opening(sentence) == told


@pytest.mark.parametrize(
    "sentence",
    [
        "Wait times are long.",
        "Sorry about the noise in Cork.",
        "Well-being matters.",
        "It actually rains.",
        "Actually,",
        "Sorry! is the board game that I own.",
        "Good Morning, Vietnam is my favourite film.",
        "Sorry, Wrong Number is my favourite film.",
    ],
)
def test_what_belongs_to_the_sentence_stays(sentence):
    assert without_opening(sentence) == sentence
