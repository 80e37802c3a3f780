"""A reply's JSON, however a model wrapped it."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.domain.replies import (
    MAX_CHARS,
    Fault,
    ThoughtFilter,
    Unreadable,
    is_refusal,
    read_json,
    strip_thinking,
)
from tests.growth import growth

LINEAR = 10  # at four times the size; quadratic would be 16
GOOD = {"records": [{"semantic_text": "Alice lives in Berlin."}]}
TEXT = json.dumps(GOOD)


def read(text: str, **how) -> object:
    return read_json(text, wants="records", **how)


def fault(text: str, **how) -> Fault:
    made = read(text, **how)
    assert isinstance(made, Unreadable), made
    assert made.error
    return made.fault


@pytest.mark.parametrize(
    "text",
    [
        TEXT,
        f"  \n{TEXT}\n",
        f"\ufeff{TEXT}",
        f"```json\n{TEXT}\n```",
        f"```\n{TEXT}\n```",
        f"```JSON\n{TEXT}",
        f"Here is the JSON you asked for:\n\n{TEXT}\n\nLet me know if you need more!",
        f"Sure!\n```json\n{TEXT}\n```\nI hope this helps {{smile}}.",
        f"<think>The user {{said}} ...</think>\n{TEXT}",
        f'<thinking>\n{{"records": []}}\n</thinking>{TEXT}',
        f"reasoning without an opening tag </think>{TEXT}",
        f'First {{"records": []}} but better: {TEXT}',
        TEXT.replace('"', "'"),
        TEXT.replace("}]}", "},]}"),
        TEXT.replace('"records"', "records"),
        TEXT.replace("}]}", "}]} // done"),
        TEXT[:-1],  # a closing brace forgotten
    ],
)
def test_the_value_is_found(text: str) -> None:
    assert read(text) == GOOD


def test_of_several_objects_the_last_with_the_wanted_key_counts() -> None:
    assert read('{"records": [1]} then {"records": [2]} and {"note": 3}') == {"records": [2]}


def test_code_in_a_string_does_not_hide_the_object() -> None:
    value = {"records": [], "skills": [{"doc_markdown": "Run:\n```sh\nmake {x}\n```\nDone."}]}
    assert read(f"```json\n{json.dumps(value)}\n```") == value
    assert read(json.dumps(value)) == value


def test_a_string_that_quotes_thinking_tags_stays() -> None:
    value = {"records": [{"semantic_text": "Alice writes <think>a</think> in prompts, and </think> too."}]}
    assert read(json.dumps(value)) == value


def test_line_breaks_inside_strings_are_read() -> None:
    assert read('{"records": [{"semantic_text": "a\nb"}]}') == {"records": [{"semantic_text": "a\nb"}]}


@pytest.mark.parametrize("text", ["", "  \n", "<think>only thought</think>", "<think>endless"])
def test_nothing_said_is_empty(text: str) -> None:
    assert fault(text) is Fault.EMPTY


@pytest.mark.parametrize(
    "text",
    [
        "I'm sorry, but I can't help with that.",
        "I cannot assist with this request.",
        "I’m unable to process this conversation.",
        "As an AI, I must decline.",
        "抱歉，我无法协助处理这个请求。",
        "申し訳ございませんが、お手伝いできません。",
        "Es tut mir leid, dabei kann ich nicht helfen.",
    ],
)
def test_declining_is_told_apart(text: str) -> None:
    assert fault(text) is Fault.REFUSED
    assert is_refusal(text)


@pytest.mark.parametrize("text", ["No records.", "The conversation is about moving.", "None", "Here you go!"])
def test_prose_is_no_json_and_no_refusal(text: str) -> None:
    assert fault(text) is Fault.NO_JSON


def test_a_json_reply_about_being_sorry_is_no_refusal() -> None:
    value = {"records": [{"semantic_text": "I'm sorry, I can't come, said Rose."}]}
    assert read(json.dumps(value)) == value


@pytest.mark.parametrize("at", [12, 20, 30, 40])
def test_json_that_stops_in_the_middle_is_cut(at: int) -> None:
    assert fault(TEXT[:at]) is Fault.CUT
    assert fault("```json\n" + TEXT[:at]) is Fault.CUT


def test_the_providers_word_that_it_is_cut_counts_even_if_it_parses() -> None:
    assert fault(TEXT, is_cut=True) is Fault.CUT


@pytest.mark.parametrize("value", [{}, [], None, True, 3, "text"])
def test_other_json_values_come_back_as_they_are(value: object) -> None:
    assert read(json.dumps(value)) == value


def test_nul_and_lone_surrogates_are_gone_from_keys_and_values() -> None:
    assert read('{"records": ["a\\u0000b", "\\ud83d alone", "\\ud83d\\ude00"], "k\\u0000": 1}') == {
        "records": ["ab", "alone", "😀"],
        "k": 1,
    }


def test_a_broken_escape_does_not_lose_the_reply() -> None:
    made = read('{"records": [{"semantic_text": "Alice \\u12 lives in Berlin"}]}')
    assert isinstance(made, dict)
    assert "lives in Berlin" in str(made["records"])


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000,
        '{"a":' * 30_000,
        "{" * 50_000,
        '{"records":' + "[" * 500 + "]" * 500 + "}",
        "9" * 10_000,
    ],
)
def test_hostile_nesting_neither_raises_nor_passes(text: str) -> None:
    assert isinstance(read(text), Unreadable)


def test_a_reply_of_unreasonable_length_is_refused() -> None:
    assert fault('{"records": ["' + "a" * MAX_CHARS + '"]}') is Fault.NO_JSON


@given(st.text(max_size=300))
def test_no_text_raises(text: str) -> None:
    read(text)
    read("{" + text)
    read('{"records": [' + text)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**40), 2**40) | st.text("abc {}[]\"'\\:,`", max_size=12),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text("abc", max_size=3), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(st.lists(JSON, max_size=4))
def test_well_formed_json_is_read_exactly(records: list[object]) -> None:
    value = {"records": records}

    def clean(item):
        if isinstance(item, str):
            return item.strip()
        if isinstance(item, list):
            return [clean(one) for one in item]
        if isinstance(item, dict):
            return {clean(key): clean(one) for key, one in item.items()}
        return item

    assert read(json.dumps(value)) == clean(value)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("<think>a</think>b", "b"),
        ("<THINK>a</THINK>b", "b"),
        ("a</think>b", "b"),
        ("b<think>a", "b"),
        ("<think>a</think>b<think>c</think>d", "bd"),
        ("a < b", "a < b"),
        ("<think>a<think>b</think>c</THINK>d", "d"),
        ("a<think>b<thought>c</thought>d", "a"),
        ("<thought>a</think>b</thought>c</think>d", "d"),
        ("a<b>c</b><think>d", "a<b>c</b>"),
        ("<think>a</b>", "<think>a</b>"),
    ],
)
def test_thoughts_are_stripped(text: str, left: str) -> None:
    assert strip_thinking(text) == left


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Hello there.", "Hello there."),
        ("<think>Let me see.</think>\n\nHello.", "Hello."),
        ("  <thinking>x</thinking><think>y</think> Hello.", "Hello."),
        ("<b>bold</b>", "<b>bold</b>"),
        ("<thin", "<thin"),
        ("<think>never ends", ""),
        ("A tag <think>inside</think> stays.", "A tag <think>inside</think> stays."),
        ("", ""),
        ("\u200b\u200b \u2060", ""),
        ("Hi 👩\u200d💻.", "Hi 👩\u200d💻."),
        ("soup \ud83c\udf5c", "soup 🍜"),
        ("\ud83c\udf5c and \ud83d alone\x00, \udf5c\ud83c", "🍜 and  alone, "),
    ],
)
@pytest.mark.parametrize("size", [1, 2, 3, 7, 100])
def test_streamed_thoughts_are_held_back_whatever_the_pieces(text: str, shown: str, size: int) -> None:
    thoughts = ThoughtFilter()
    pieces = [text[start : start + size] for start in range(0, len(text), size)]
    assert "".join([*map(thoughts.feed, pieces), thoughts.flush()]) == shown


def test_the_end_of_a_thought_is_found_however_it_is_written_and_cut() -> None:
    thoughts = ThoughtFilter()
    pieces = ["<THINK>", "a <b", "> c </Th", "in", "K>", "  \n", " Hello", " there."]
    assert [thoughts.feed(piece) for piece in pieces] == ["", "", "", "", "", "", "Hello", " there."]


@pytest.mark.parametrize(("opening", "piece"), [("<think>", "     "), ("", "     "), ("", "\u200b" * 5)])
def test_a_long_thought_or_silence_is_not_read_again_and_again(opening: str, piece: str) -> None:
    def think(pieces: int) -> None:
        thoughts = ThoughtFilter()
        thoughts.feed(opening)
        for _ in range(pieces):
            thoughts.feed(piece)

    assert growth(think, 20_000) < LINEAR


def test_a_reply_of_nothing_but_tags_is_read_once() -> None:
    assert strip_thinking("<think>" * 20_000) == ""
    assert strip_thinking("a" + "<think></thought>" * 20_000)[:7] == "<think>"
    assert growth(lambda tags: strip_thinking("<think>" * tags), 5_000) < LINEAR
    assert growth(lambda tags: strip_thinking("a" + "<think></thought>" * tags), 5_000) < LINEAR


@pytest.mark.parametrize(
    ("repeated", "after", "times"),
    [
        ("{", "", 25_000),
        ('{"', "}", 12_500),
        ('{"records":[{"a":"b', "}]}", 1_250),
        ('It is {"a": [', "", 1_000),
    ],
)
def test_a_model_that_repeats_itself_is_not_mended_for_minutes(repeated: str, after: str, times: int) -> None:
    assert fault(repeated * times * 4 + after) is Fault.NO_JSON
    assert growth(lambda n: fault(repeated * n + after), times) < LINEAR
