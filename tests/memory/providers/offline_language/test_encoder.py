"""Segments become records that say who, what and when, in the language they were said in."""

import json
import os
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.domain.types import EncodedRecord, MemoryType, Role, SegmentText, Temporal, Turn
from memory.providers.offline_language.encoder import encode_segment
from tests.growth import growth
from tests.memory.talking import Line, segment, talk

DATA = Path(os.environ.get("LYCHEE_BENCHMARK_DATA", Path(__file__).resolve().parents[5] / "shared" / "data"))


def encode(*lines: Line, **options) -> list[EncodedRecord]:
    return list(encode_segment(segment(*lines, **options)).records)


def texts(*lines: Line, **options) -> list[str]:
    return [record.semantic_text for record in encode(*lines, **options)]


class TestWording:
    @pytest.mark.parametrize(
        ("speaker", "said", "kept"),
        [
            ("Alice", "I live in Paris.", "Alice lives in Paris."),
            ("Alice", "Went to Rome by train.", "Alice went to Rome by train."),
            ("Alice", "We bought a red boat.", "Alice: We bought a red boat."),
            ("Alice", "I took our kids to the zoo.", "Alice took their kids to the zoo."),
            ("Alice", "Our kids say that I snore.", "Alice's kids say that Alice snores."),
            ("Alice", "the bakery closes at six.", "Alice: The bakery closes at six."),
            ("Alice", "eBay closes at six.", "Alice: eBay closes at six."),
            ("Alice", "The bakery closes at six.", "Alice: The bakery closes at six."),
            ("Anna", "Ich wohne in Berlin.", "Anna: Ich wohne in Berlin."),
            ("Анна", "Я живу в Москве.", "Анна: Я живу в Москве."),
            ("李雷", "我住在北京。", "李雷住在北京。"),
            ("李雷", "我们住在北京。", "李雷：我们住在北京。"),
            ("田中", "私は東京に住んでいます。", "田中は東京に住んでいます。"),
            ("Sofía", "Vivo en Madrid con mi hermana.", "Sofía: Vivo en Madrid con mi hermana."),
        ],
    )
    def test_the_speaker_is_the_subject_and_the_language_stays(self, speaker, said, kept):
        (record,) = encode((speaker, said))
        assert record.semantic_text == kept
        assert record.subject == speaker

    @pytest.mark.parametrize(
        ("said", "kept"),
        [
            ("Hi there, my name is Bob and I own a boat", ["Alice's name is Bob", "Alice owns a boat"]),
            ("hello my friend, I own a boat", ["Alice owns a boat"]),
            ("I'm allergic to penicillin, please remember that.", ["Alice is allergic to penicillin."]),
            ("I sleep badly. Please keep that in mind!", ["Alice sleeps badly."]),
            ("Ich vertrage keine Milch, bitte merk dir das.", ["Alice: Ich vertrage keine Milch."]),
            (
                "Correction: the bakery opens at six.",
                ["Alice: The bakery opens at six."],
            ),
            (
                "I work as a nurse and my sister is a vet.",
                ["Alice works as a nurse.", "Alice's sister is a vet."],
            ),
        ],
    )
    def test_what_only_opens_a_sentence_is_no_part_of_a_record(self, said, kept):
        assert texts(("Alice", said)) == kept

    def test_that_somebody_is_themself_is_kept_as_their_name_alone(self):
        assert texts(("Ana", "My name is Ana Lee.")) == ["Ana's name is Ana Lee."]
        assert texts(("Ana Lee", "I'm Ana Lee and I live in Lisbon.")) == ["Ana Lee lives in Lisbon."]
        assert texts(("Bob", "Yara is Yara.")) == []

    def test_nobody_is_called_the_user(self):
        records = encode(("Alice", "I live in Paris. My cat is called Mo."), ("Bob", "I hate rain in Cork."))
        assert {record.subject for record in records} == {"Alice", "Bob"}
        assert not any("user" in record.semantic_text.lower() for record in records)

    def test_a_user_name_keeps_its_case_whatever_it_begins(self):
        said = texts(("demo_user", "I live in Lisbon. The bakery closes at six."))
        assert said == ["demo_user lives in Lisbon.", "demo_user: The bakery closes at six."]

    def test_a_nameless_speaker_still_has_a_name(self):
        turns = talk(("Alice", "I live in Paris."))
        nameless = [turn.__class__(**{**_fields(turn), "speaker": ""}) for turn in turns]
        (record,) = encode_segment(SegmentText(tuple(nameless), "UTC")).records
        assert record.subject == "Speaker"

    def test_between_two_people_you_is_the_other(self):
        records = texts(("Alice", "I paint boats."), ("Bob", "I admire your painting of the harbour."))
        assert records[-1] == "Bob admires Alice's painting of the harbour."

    def test_with_an_assistant_you_is_the_assistant(self):
        records = texts(("Alice", "I want you to answer in French."), ("", "D'accord."))
        assert records[0] == "Alice wants the assistant to answer in French."

    def test_a_short_reply_holds_its_question_and_both_turns(self):
        record = encode(("Bob", "Where did you go?"), ("Alice", "To Paris with my mother."))[-1]
        assert record.semantic_text == "Alice, asked “Where did you go?”: To Paris with Alice's mother."
        assert record.evidence_turns == (1, 0)

    def test_a_reply_in_another_language_is_framed_in_it(self):
        assert (
            texts(("韩梅", "你去了哪里？"), ("李雷", "去了巴黎和里昂。"))[-1]
            == "李雷被问到“你去了哪里？”，回答：去了巴黎和里昂。"
        )


class TestTimes:
    def test_yesterday_is_resolved_in_the_speakers_zone(self):
        night = datetime(2026, 5, 7, 16, 30, tzinfo=UTC)  # already the 8th in Shanghai
        (record,) = encode(("李雷", "我昨天去了西安。"), at=night, time_zone="Asia/Shanghai")
        assert record.semantic_text == "李雷昨天(2026-05-07)去了西安。"
        assert record.temporal.valid_from == datetime(2026, 5, 6, 16, tzinfo=UTC)
        assert record.temporal.valid_to == datetime(2026, 5, 7, 16, tzinfo=UTC)

    def test_sentences_of_different_days_are_records_with_their_own_validity(self):
        met, flies = encode(("Zoe", "Yesterday I met Li. Tomorrow I fly to Rome."))
        assert met.semantic_text == "Yesterday (2026-05-06) Zoe met Li."
        assert flies.semantic_text == "Tomorrow (2026-05-08) Zoe flies to Rome."
        assert met.temporal.valid_from == datetime(2026, 5, 6, tzinfo=UTC)
        assert flies.temporal.valid_from == datetime(2026, 5, 8, tzinfo=UTC)

    def test_a_move_is_true_from_then_on(self):
        (record,) = encode(("Alice", "I moved to Berlin last month."))
        assert (record.slot, record.value) == ("residence", "Berlin")
        assert record.temporal.valid_from == datetime(2026, 4, 1, tzinfo=UTC)
        assert record.temporal.valid_to is None

    @pytest.mark.parametrize(
        "said", ["I sleep in room 2024.", "It began 99999 years ago.", "The year 0 never was."]
    )
    def test_numbers_that_are_no_dates_give_no_time(self, said):
        (record,) = encode(("Alice", said))
        assert record.temporal.ref is None


class TestJunk:
    @pytest.mark.parametrize(
        "lines",
        [
            [("Alice", "Hi!"), ("Bob", "Hello Alice! How are you?")],
            [("Alice", "Where do I live?"), ("", "I do not know.")],
            [("Alice", "Thanks, that's great!")],
            [("李雷", "谢谢！"), ("韩梅", "不客气。")],
            [("Alice", "   ")],
            [],
        ],
    )
    def test_courtesies_and_questions_leave_no_record(self, lines):
        assert encode(*lines) == []

    def test_the_same_statement_twice_is_one_record_with_both_turns(self):
        (record,) = encode(("Alice", "I live in Paris."), ("Alice", "I live in Paris."))
        assert record.evidence_turns == (0, 1)

    def test_an_update_and_its_past_are_two(self):
        assert len(encode(("Alice", "I live in Paris."), ("Alice", "I moved to Berlin."))) == 2

    def test_a_second_taste_contradicts_no_first(self):
        first, second = encode(
            ("Alice", "My favourite player is Messi."), ("Alice", "I also like Ronaldo very much.")
        )
        assert (first.slot, second.slot) == ("favourite_player", "")


class TestRoles:
    def test_an_assistants_statement_is_its_own_and_unconfirmed(self):
        lines = (("Alice", "What is there to see?"), ("", "The Louvre opens at nine on Mondays."))
        (record,) = encode(*lines)
        assert record.semantic_text == "The assistant: The Louvre opens at nine on Mondays."
        assert (record.source_role, record.subject, record.is_confirmed) == (
            Role.ASSISTANT,
            "the assistant",
            False,
        )

    def test_a_yes_confirms_it(self):
        lines = (("", "The meeting with Dr. Lee is on Monday."), ("Alice", "Yes, exactly."))
        assert encode(*lines)[0].is_confirmed

    @pytest.mark.parametrize(
        "answer",
        [
            "Alice moved to Berlin. [2]",
            "- 6 May 2026 — Alice ran a charity race in Cork (2026-05-06). [1]\n- Alice sold a boat. [3]",
            "Noted: I painted the harbour of Cork in oil.",
            "Dazu habe ich noch nichts gespeichert.",
            "So you painted the harbour of Cork.",
        ],
    )
    def test_what_an_assistant_cites_or_repeats_is_no_news(self, answer):
        records = encode(("Alice", "I painted the harbour of Cork in oil."), ("", answer))
        assert [record.source_role for record in records] == [Role.USER]

    def test_a_tools_failure_is_told_in_its_name_with_the_request(self):
        record = encode(
            ("Alice", "Run the tests on Linux please, they broke."), ("!pytest", "ok\nValueError: bad id")
        )[-1]
        assert record.memory_type is MemoryType.FAILURE_PATTERN
        assert record.semantic_text == "pytest: ValueError: bad id"
        assert (record.source_role, record.evidence_turns) == (Role.TOOL, (1, 0))
        assert dict(record.tags) == {"tool_tags": ("pytest",)}

    def test_a_tools_long_output_is_left_alone(self):
        assert encode(("!cat", "word " * 500)) == []

    def test_records_keep_the_order_of_their_turns(self):
        records = encode(
            ("Alice", "I paint boats in oil."), ("!ls", "12 files"), ("Alice", "I sail on Sundays in Cork.")
        )
        assert [record.evidence_turns[0] for record in records] == [0, 1, 2]


class TestDetails:
    def test_names_topics_and_type_are_filled(self):
        (record,) = encode(("Alice", "I love the harbour festival in Cork with Ann Lee."))
        assert record.entities == ("Cork", "Ann Lee")
        assert record.memory_type is MemoryType.PREFERENCE
        assert {"harbour", "festival"} <= set(record.topics)
        assert not set(record.topics) & {memory_type.value for memory_type in MemoryType}

    def test_confidence_tells_attributes_statements_and_doubts_apart(self):
        confidences = [
            r.confidence
            for r in encode(("Alice", "I live in Paris. I paint old boats. Maybe it will rain in Cork."))
        ]
        assert confidences == sorted(confidences, reverse=True)
        assert confidences[0] == 0.9

    def test_who_somebody_is_becomes_an_alias(self):
        encoding = encode_segment(segment(("Alice", "My sister Anna paints. My dog, Rex, barks.")))
        assert dict(encoding.aliases) == {"Alice's sister": "Anna", "Alice's dog": "Rex"}
        assert encoding.origin == "offline"

    def test_base64_images_are_never_text(self):
        said = "Look at data:image/png;base64," + "A" * 3_000 + " from my trip to Cork"
        assert all("AAAA" not in text for text in texts(("Alice", said)))


@pytest.mark.parametrize(
    ("piece", "times"),
    [
        ("ha ", 7_500),
        ("x", 25_000),
        ("a\ud83db", 500),
        ("密", 5_000),
        ("I like. ", 1_250),
        ("🍜\u200d\u202e مرحبا", 500),
        ("?", 2_500),
    ],
    ids=["repeated", "run", "surrogate", "han", "sentences", "marks", "questions"],
)
def test_a_huge_or_odd_text_costs_in_proportion_to_its_length(piece, times):
    assert growth(lambda size: encode(("Alice", piece * size)), times) < 8
    assert all(len(record.semantic_text) < 2_000 for record in encode(("Alice", piece * times * 4)))


@pytest.mark.data
def test_an_answer_turn_of_locomo_rests_under_some_record():
    path = DATA / "locomo" / "locomo_dev5.json"
    if not path.exists():
        pytest.skip("the benchmark data is not here")
    conversation = json.loads(path.read_text())[0]
    covered, turns = _covered(conversation["conversation"])
    asked = [question for question in conversation["qa"] if question["category"] != 5]
    wanted = [set(question["evidence"]) & turns for question in asked]
    found = [bool(evidence & covered) for evidence in wanted if evidence]
    assert sum(found) / len(found) >= 0.97


@pytest.mark.data
@pytest.mark.parametrize(
    ("suffix", "script"),
    [("", "[a-z]"), (".de", "[a-zäöü]"), (".ru", "[а-яё]"), (".zh", "[\u4e00-\u9fff]")],
)
def test_labelled_memories_keep_their_language_and_leave_a_record(suffix, script):
    path = DATA / "multilingual" / "memory_extraction" / f"dataset{suffix}.jsonl"
    if not path.exists():
        pytest.skip("the benchmark data is not here")
    said = [json.loads(line)["text"] for line in path.read_text(encoding="utf-8").splitlines()]
    kept = [" ".join(texts(("Alice", text))) for text in said]
    own = [len(re.findall(script, text)) / max(1, len(re.findall(r"\w", text))) for text in kept if text]
    assert sum(map(bool, kept)) / len(said) >= 0.9
    assert min(own) > 0.3


def _covered(conversation: dict[str, Any]) -> tuple[set[str], set[str]]:
    """The ids of turns under a record, and of all turns."""
    covered: set[str] = set()
    turns: set[str] = set()
    for number in range(1, 40):
        said = conversation.get(f"session_{number}", [])
        turns |= {turn["dia_id"] for turn in said}
        for record in encode(*((turn["speaker"], turn["text"]) for turn in said)):
            covered |= {said[index]["dia_id"] for index in record.evidence_turns}
    return covered, turns


def _fields(turn: Turn) -> dict[str, Any]:
    return {name: getattr(turn, name) for name in turn.__dataclass_fields__}


WORDS = st.sampled_from(
    [
        "I",
        "my",
        "you",
        "live",
        "Paris",
        "yesterday",
        "?",
        ".",
        "not",
        "love",
        "我",
        "住在",
        "北京",
        "。",
        "Я",
        "12",
        "\n",
        "“",
    ]
)
LINES = st.lists(
    st.tuples(st.sampled_from(["Alice", "Bob", "", "!tool"]), st.lists(WORDS, max_size=12).map(" ".join)),
    max_size=6,
)


@settings(max_examples=80)
@given(LINES)
def test_whatever_is_said_records_are_whole_and_rest_on_turns_of_the_segment(lines):
    records = encode(*lines)
    assert [record.evidence_turns[0] for record in records] == sorted(r.evidence_turns[0] for r in records)
    for record in records:
        assert set(record.evidence_turns) <= set(range(len(lines)))
        assert record.semantic_text.strip()
        assert record.subject
        assert 0 < record.confidence <= 1
        assert record.memory_type not in record.topics
        assert len(record.topics) <= 5


@settings(max_examples=40)
@given(LINES)
def test_encoding_is_a_function_of_the_segment(lines):
    said = segment(*lines)
    assert encode_segment(said) == encode_segment(said)


@pytest.mark.parametrize(
    ("lines", "kept"),
    [
        (
            [("Ana", "I'm Ana and I live in Lisbon. I work as a marine biologist at Oceanário.")],
            ["Ana lives in Lisbon.", "Ana works as a marine biologist at Oceanário."],
        ),
        (
            [("Bob", "We adopted a puppy two weeks ago! She chews everything.")],
            ["Bob: We adopted a puppy two weeks ago (2026-04-20/2026-04-26)! She chews everything."],
        ),
        (
            [("Bob", "My brother Tom is a pilot. He flies to Oslo every week.")],
            ["Bob's brother Tom is a pilot. He flies to Oslo every week."],
        ),
        (
            [("", "Which city do you live in?"), ("Bob", "Cork, near the harbour.")],
            ["Bob, asked “Which city do you live in?”: Cork, near the harbour."],
        ),
        (
            [("Bob", "Do you have pets?"), ("Ann", "No, I am allergic to fur.")],
            ["Ann, asked “Do you have pets?”: No, Ann is allergic to fur."],
        ),
        (
            [
                ("Anna", "Gestern war ich mit Tom in Hamburg."),
                ("Tom", "Das Konzert im Hafen dauerte drei Stunden."),
            ],
            [
                "Anna: Gestern (2026-05-06) war ich mit Tom in Hamburg.",
                "Tom: Das Konzert im Hafen dauerte drei Stunden.",
            ],
        ),
        (
            [("Анна", "Вчера я купила красный велосипед.")],
            ["Анна: Вчера (2026-05-06) я купила красный велосипед."],
        ),
        (
            [("李雷", "我上周五参加了婚礼。我对花生过敏。")],
            ["李雷上周五(2026-05-01)参加了婚礼。", "李雷对花生过敏。"],
        ),
        (
            [("Zoé", "Hier j'ai acheté un vélo rouge à Lyon.")],
            ["Zoé: Hier (2026-05-06) j'ai acheté un vélo rouge à Lyon."],
        ),
        (
            [("Bob", "Remember that the alarm code changes on Monday.")],
            ["Bob: Remember that the alarm code changes on Monday (2026-05-04)."],
        ),
    ],
)
def test_conversations_of_many_kinds_become_what_a_reader_would_note(lines, kept):
    assert texts(*lines) == kept


@pytest.mark.parametrize("said", ["My birthday is on 12 June.", "Our anniversary is on 3 May."])
def test_a_day_that_comes_back_every_year_gets_no_year(said):
    (record,) = encode(("Alice", said))
    assert "20" not in record.semantic_text
    assert record.temporal.valid_from is None


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("Omar: I live in Bonn.", ["Zoe: Omar: I live in Bonn."]),
        ("[Omar] I live in Bonn.", ["Zoe: [Omar] I live in Bonn."]),
        ("Omar: Ich wohne in Bonn.", ["Zoe: Omar: Ich wohne in Bonn."]),
        ("李雷：我住在北京。", ["Zoe: 李雷：我住在北京。"]),
        ("Omar: I live in Bonn. I quit my job.", ["Zoe: Omar: I live in Bonn.", "Zoe: Omar: I quit my job."]),
        ("> I live in Bonn.", ["Zoe: “I live in Bonn.”"]),
    ],
)
def test_the_lines_of_a_pasted_chat_are_not_of_who_pastes_them(said, told):
    records = encode_segment(segment(("Zoe", said))).records
    assert [record.semantic_text for record in records] == told
    assert not any(record.slot or record.relations for record in records)


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("Omar: I live in Bonn.\nI live in Oslo.", "Oslo"),
        ("Zoe: I live in Bonn.", "Bonn"),
        ("Update: I live in Bonn.", "Bonn"),
        ("更正：我住在北京。", "北京"),
    ],
)
def test_a_heading_or_an_own_name_leaves_a_line_its_writers(said, value):
    records = encode_segment(segment(("Zoe", said))).records
    assert [record.value for record in records if record.slot] == [value]


@pytest.mark.parametrize(
    ("said", "slot"), [("2010年到2014年我住在罗马。", ""), ("2010年以来我住在罗马。", "residence")]
)
def test_what_had_ended_is_no_attribute_of_now(said, slot):
    (record,) = encode_segment(segment(("韩梅", said))).records
    assert record.slot == slot


def test_a_month_alone_is_when_an_attribute_begins():
    (record,) = encode_segment(segment(("Alice", "We moved to Kiel in April."))).records
    april = datetime(2026, 4, 1, tzinfo=UTC)
    assert record.semantic_text == "Alice: We moved to Kiel in April (2026-04)."
    assert (record.slot, record.value) == ("residence", "Kiel")
    assert record.temporal == Temporal(april, april, None)


@pytest.mark.parametrize("said", ["asdkjh", "Lissabon", "qwertz.", "123", "йцукен"])
def test_a_lone_word_that_answers_nothing_is_no_fact(said):
    assert encode(("Alice", said)) == []
    assert texts(("Alice", f"I have lived in the old town since May. {said}"))[1:] == []


@pytest.mark.parametrize(("asker", "said"), [("", "Vegetarian."), ("", "asdkjh"), ("Bob", "Photography")])
def test_a_lone_word_that_answers_keeps_its_question(asker, said):
    told = texts((asker, "What is the thing you like to do or eat?"), ("Alice", said))
    assert told == [f"Alice, asked “What is the thing you like to do or eat?”: {said}"]


@pytest.mark.parametrize("said", ["我病了", "Got married!", "I smoke."])
def test_two_words_or_a_sentence_without_spaces_are_no_lone_word(said):
    assert len(encode(("Alice", said))) == 1


@pytest.mark.parametrize(
    ("speaker", "said", "kept"),
    [
        ("Alice", "Alice: I moved to Kiel.", ["Alice moved to Kiel."]),
        ("Alice", "**alice:** I love tea.", ["Alice loves tea."]),
        ("Alice Low", "Alice: I love tea.", ["Alice Low loves tea."]),
        ("Alice", "Alice：我喜欢茶。", ["Alice喜欢茶。"]),
        (
            "Alice",
            "Alice: I love tea.\nTom: I sold my bike.",
            ["Alice loves tea.", "Alice: Tom: I sold my bike."],
        ),
        ("Alice", "I met Alice: she loves tea.", ["Alice met Alice: she loves tea."]),
        ("Alice", "Plan: I go to Rome.", ["Plan: Alice goes to Rome."]),
    ],
)
def test_ones_own_label_is_no_part_of_what_one_says(speaker, said, kept):
    assert texts((speaker, said)) == kept


def test_what_is_sold_and_what_is_bought_are_two_records():
    assert texts(("Alice", "We sold the Skoda and bought a Zoe.")) == [
        "Alice: We sold the Skoda.",
        "Alice: We bought a Zoe.",
    ]


def test_things_of_ones_own_are_records_of_their_own():
    assert texts(("Alice", "I have a dog and a cat.")) == ["Alice has a dog.", "Alice has a cat."]
    assert texts(("Alice", "I love tea. I love coffee.")) == ["Alice loves tea.", "Alice loves coffee."]
