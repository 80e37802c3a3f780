"""What another said is told apart from what the speaker says themself."""

import pytest

from memory.providers.offline_language.encoder import encode_segment
from memory.providers.offline_language.person import resolve_persons
from memory.providers.offline_language.quotations import covers, is_open, quoted_spans
from memory.providers.offline_language.slots import find_slot
from memory.providers.offline_language.statements import sentences_of
from tests.growth import growth
from tests.memory.talking import segment


def quoted(text: str) -> list[str]:
    return [text[start:end].strip() for start, end in quoted_spans(text)]


class TestSpans:
    @pytest.mark.parametrize(
        ("text", "theirs"),
        [
            ("Bob said: I ski.", ["I ski."]),
            ("Bob told me yesterday: I ski. I do not.", ["I ski."]),
            ("My doctor has asked: are you well?", ["are you well?"]),
            ('"I ski," said the orc.', ['"I ski,"']),
            ("I ski, said Bob.", ["I ski"]),
            ("He is well. I ski, said the orc.", ["I ski"]),
            ("He said 'I'm well' to me.", ["'I'm well'"]),
            ("He said ‘I’m well’ to me.", ["‘I’m well’"]),
            ("Bob: „Ich laufe“.", ["„Ich laufe“"]),
            ("Bob sagte: Ich laufe.", ["Ich laufe."]),
            ("Боб сказал: я бегу.", ["я бегу."]),
            ("«Я бегу», — сказал Боб.", ["«Я бегу»"]),
            ("李雷说：我住在北京。", ["我住在北京。"]),
            ("彼は「私は走る」と言った。", ["「私は走る」"]),
            ('"I ski.', ['"I ski.']),
        ],
    )
    def test_quotation_marks_and_words_of_saying_open_another_s_words(self, text, theirs):
        assert quoted(text) == theirs

    @pytest.mark.parametrize(
        "text",
        [
            "I said: I live in Rome.",
            "I've just told Bob: I live in Rome.",
            "I also wrote to Li: I live in Rome.",
            "Ich sagte: Ich wohne in Rom.",
            "我说：我住在北京。",
            "My boys' room and my girls' room are blue.",
            'The 6" pipe and I do not get along.',
            "I live in Paris.",
        ],
    )
    def test_what_the_speaker_says_of_themself_is_their_own(self, text):
        assert quoted(text) == []

    def test_a_place_lies_within_or_beside(self):
        assert covers([(2, 4)], 2)
        assert not covers([(2, 4)], 4)

    def test_a_quotation_is_open_until_its_mark_comes(self):
        assert is_open('He said "I live in Vienna.')
        assert not is_open('He said "I live in Vienna."')

    @pytest.mark.parametrize("part", ["“", '"a ', "„\n", "I ski, said Bob. ", "Bob said: x "])
    def test_marks_without_end_cost_in_proportion_to_their_number(self, part):
        assert growth(lambda size: quoted_spans(part * size), 1_250) < 8


class TestWhoseFactsTheyAre:
    @pytest.mark.parametrize(
        "said",
        [
            "Bob said: I live in Vienna.",
            '"I live in Mordor," said the orc.',
            "“I live in Mordor,” said the orc.",
            '"I have a boat. I live in Vienna," said Bob.',
            "Bob told me: I'm Bob and I live in Vienna.",
        ],
    )
    def test_anothers_words_state_no_attribute_of_the_speaker(self, said):
        records = encode_segment(segment(("Zoe", said))).records
        assert [record.slot for record in records] == [""]
        assert "Zoe lives" not in records[0].semantic_text
        assert find_slot(said) is None

    def test_what_stands_beside_the_quotation_still_counts(self):
        assert find_slot('My favourite film is "Alien".') == ("favourite_film", "Alien")
        assert find_slot("Bob says “I live in Rome”, but I live in Bonn.") == ("residence", "Bonn")

    def test_only_the_speakers_own_pronouns_become_their_name(self):
        said = resolve_persons("Bob told me “I like my boat” and I like it.", speaker="Zoe")
        assert said == "Bob told Zoe “I like my boat” and Zoe likes it."

    def test_chinese_pronouns_within_quotation_marks_stay(self):
        (record,) = encode_segment(segment(("韩梅", "我听李雷说：“我住在北京。”"))).records
        assert record.semantic_text == "韩梅听李雷说：“我住在北京。”"

    def test_a_quoted_wife_is_nobodys_alias(self):
        assert encode_segment(segment(("Zoe", "Bob said: my wife Anna is ill."))).aliases == {}

    def test_a_short_quotation_of_two_sentences_stays_whole(self):
        assert sentences_of('"I ski. I run," said Bob. Fine by me.') == [
            '"I ski. I run," said Bob.',
            "Fine by me.",
        ]
