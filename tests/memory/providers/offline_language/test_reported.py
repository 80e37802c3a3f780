"""What a sentence says of somebody else is not said of its speaker."""

import pytest

from memory.providers.offline_language.encoder import encode_segment
from memory.providers.offline_language.reported import (
    another_of,
    asks_of_self,
    is_of_another,
    reported_of,
    subject_of,
)
from tests.memory.talking import segment


@pytest.mark.parametrize(
    ("sentence", "who"),
    [
        ("My sister says she hates mushrooms.", "My sister"),
        ("Tom told me he moved to Oslo.", "Tom"),
        ("And my boss said that she is leaving in May.", "my boss"),
        ("My best friend Tom told me he got a job.", "My best friend Tom"),
        ("Meine Schwester sagt, sie hasst Pilze.", "Meine Schwester"),
        ("Моя сестра говорит, что ненавидит грибы.", "Моя сестра"),
        ("Mi hermana dice que odia las setas.", "Mi hermana"),
        ("Ma sœur dit qu'elle déteste les champignons.", "Ma sœur"),
        ("我姐姐说她讨厌香菜。", "我姐姐"),
    ],
)
def test_the_source_of_a_report_is_known(sentence, who):
    assert reported_of(sentence) == another_of(sentence) == who


@pytest.mark.parametrize(
    "sentence",
    [
        "Tom says I snore.",
        "My boss thinks the report is too long.",
        "I think she is nice.",
        "She said she hates it.",
        "I told Tom he can stay.",
        "“My sister says she hates mushrooms” is a line of the song.",
    ],
)
def test_other_speech_reports_of_nobody(sentence):
    assert reported_of(sentence) == ""


@pytest.mark.parametrize(
    ("who", "language", "subject"),
    [
        ("My sister", "en", "Alice's sister"),
        ("Tom", "en", "Tom"),
        ("My best friend Tom", "en", "Tom"),
        ("我的姐姐", "zh", "Alice的姐姐"),
        ("Meine Schwester", "de", "Schwester (Alice)"),
    ],
)
def test_the_subject_is_the_one_spoken_of(who, language, subject):
    assert subject_of(who, "Alice", language) == subject


def test_a_record_of_a_report_has_its_source_for_subject_and_no_attribute_of_the_speaker():
    told = segment(("Alice", "Tom told me he moved to Oslo. I live in Vienna."))
    records = {each.subject: each for each in encode_segment(told).records}
    assert "Oslo" in records["Tom"].semantic_text
    assert records["Tom"].slot == ""
    assert (records["Alice"].slot, records["Alice"].value) == ("residence", "Vienna")


@pytest.mark.parametrize(
    ("text", "subject", "is_anothers"),
    [
        ("Alice's mother's birthday is on June 3.", "Alice", True),
        ("My sister hates mushrooms.", "Alice", True),
        ("Alice's sister says she hates mushrooms.", "Alice's sister", True),
        ("Alice hates olives.", "Alice", False),
        ("Alice's number is 555.", "Alice", False),
        ("My sister taught me to swim.", "Alice", False),
        ("Alice's doctor changed lisinopril to 40 mg.", "Alice", False),
        ("Alice's sister lives with Alice.", "Alice", False),
    ],
)
def test_whose_a_statement_is(text, subject, is_anothers):
    assert is_of_another(text, subject=subject) is is_anothers


@pytest.mark.parametrize(
    ("question", "is_own"),
    [
        ("What do I hate?", True),
        ("When is my birthday?", True),
        ("Was hasse ich?", True),
        ("我讨厌什么？", True),
        ("What does my sister hate?", False),
        ("Do I have any pets?", False),
        ("Where does Tom live?", False),
        ("我姐姐讨厌什么？", False),
    ],
)
def test_whom_a_question_is_of(question, is_own):
    assert asks_of_self(question) is is_own
