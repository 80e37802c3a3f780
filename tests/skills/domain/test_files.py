"""SKILL.md out and in: whatever a skill says comes back the same."""

from contextlib import suppress

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from skills.config import SkillConfig
from skills.domain.extraction import fit_text
from skills.domain.files import UnreadableSkill, file_names, read_skill, write_skill
from skills.domain.types import SkillText

CONFIG = SkillConfig()
texts = st.text(max_size=80)


@given(
    intent=texts,
    doc=st.text(max_size=400),
    listed=st.lists(texts, max_size=4),
    tools=st.lists(texts, max_size=4),
)
def test_whatever_may_be_stored_survives_the_way(
    intent: str, doc: str, listed: list[str], tools: list[str]
) -> None:
    text = fit_text(SkillText(intent, doc, tuple(listed), tuple(tools)), config=CONFIG, screen=str)
    if not (text.intent and text.doc_markdown):
        return
    file = write_skill(text, name="x", number=1)
    again = fit_text(read_skill(file.encode(), config=CONFIG), config=CONFIG, screen=str)
    assert again == text


def test_the_head_is_what_runtimes_read() -> None:
    text = SkillText("Deploy: the *web* service", "1. make", ("CI is green",), ("make",))
    file = write_skill(text, name="deploy-the-web-service", number=3)
    head = yaml.safe_load(file.split("---\n")[1])
    assert (head["name"], head["description"]) == (
        "deploy-the-web-service",
        "Deploy: the *web* service. Only if: CI is green",
    )
    assert head["metadata"] == {
        "intent": "Deploy: the *web* service",
        "version": "3",
        "preconditions": "CI is green",
        "tools": "make",
    }


def test_a_body_that_holds_a_rule_of_dashes_stays_whole() -> None:
    file = "---\nname: rest-well\n---\nFirst\n\n---\n\nSecond"
    read = read_skill(file.encode(), config=CONFIG)
    assert (read.intent, read.doc_markdown) == ("Rest well", "First\n\n---\n\nSecond")


@pytest.mark.parametrize("break_", ["\r\n", "\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_files_of_other_systems_are_read(break_: str, mark: str) -> None:
    file = mark + break_.join(["---", "description: Bake", "---", "1. Heat", ""])
    assert read_skill(file.encode(), config=CONFIG).intent == "Bake"


@pytest.mark.parametrize(
    "front",
    ["description: [a, b]", "description: {a: b}", "description: null", "description:", "name: ''"],
)
def test_a_head_without_words_is_refused(front: str) -> None:
    with pytest.raises(UnreadableSkill, match="neither a description nor a name"):
        read_skill(f"---\n{front}\n---\nBody".encode(), config=CONFIG)


@pytest.mark.parametrize(
    ("value", "intent"),
    [
        ("0x" + "f" * 4_000, "0x" + "f" * 297 + "…"),
        ("2026-01-01", "2026-01-01"),
        ("2026-99-99", "2026-99-99"),
        ("yes", "yes"),
        ("1:20", "1:20"),
        ("!!bool perhaps", "perhaps"),
        ("!!timestamp soon", "soon"),
        ("!!python/object/apply:os.system [ls]", "Named"),
    ],
)
def test_a_value_is_its_text_whatever_else_yaml_makes_of_it(value: str, intent: str) -> None:
    file = f"---\nname: named\ndescription: {value}\n---\nBody"
    assert read_skill(file.encode(), config=CONFIG).intent == intent


def test_a_description_longer_than_an_intent_begins_it_and_stands_whole_in_the_text() -> None:
    told = "Fills in PDF forms. " + "Use it whenever a form, a table or a page of a PDF is meant. " * 8
    read = read_skill(f"---\nname: pdf\ndescription: {told}\n---\n# PDF\n".encode(), config=CONFIG)
    assert (
        read.intent
        == "Fills in PDF forms." + " Use it whenever a form, a table or a page of a PDF is meant." * 4
    )
    assert read.doc_markdown == f"{told.strip()}\n\n# PDF"


def test_a_long_description_in_one_sentence_is_cut_at_a_word_with_a_mark() -> None:
    read = read_skill(f"---\ndescription: {'word ' * 100}\n---\nBody".encode(), config=CONFIG)
    assert read.intent == "word " * 58 + "word…"


def test_a_text_too_long_is_refused_by_its_name() -> None:
    with pytest.raises(UnreadableSkill, match="The text after its front matter has more than 20,000"):
        read_skill(b"---\nname: long\n---\n" + b"line\n" * 4_100, config=CONFIG)


@pytest.mark.parametrize(
    ("value", "intent"),
    [
        ("Use when: the user asks", "Use when: the user asks"),
        ("It's done: so # so", "It's done: so # so"),
        ("`quoted` from the start: yes", "`quoted` from the start: yes"),
        ("@all: hear", "@all: hear"),
    ],
)
def test_a_value_that_other_readers_take_without_quotes_is_taken(value: str, intent: str) -> None:
    file = f"---\nname: named\ndescription: {value}\nlicense: MIT\n---\nBody"
    assert read_skill(file.encode(), config=CONFIG).intent == intent


def test_faulty_yaml_is_told_with_its_line() -> None:
    with pytest.raises(UnreadableSkill, match=r"not valid YAML: line 3\."):
        read_skill(b"---\nname: a\n\ttags: a\n---\nBody", config=CONFIG)


@pytest.mark.parametrize("front", ["[" * 30, "{" * 30, "[" * 15_000])
def test_nests_of_lists_are_refused_before_they_cost_anything(front: str) -> None:
    with pytest.raises(UnreadableSkill, match="nested too deeply"):
        read_skill(f"---\nname: a\nmetadata: {front}\n---\nBody".encode(), config=CONFIG)


@given(st.binary(max_size=300))
def test_whatever_the_bytes_it_is_read_or_refused(data: bytes) -> None:
    for content in (data, b"---\n" + data + b"\n---\nBody"):
        with suppress(UnreadableSkill):  # and nothing else
            assert read_skill(content, config=CONFIG).doc_markdown


def test_names_are_those_that_runtimes_accept_each_once() -> None:
    intents = {
        1: "Größe & Café — ändern!",
        2: "部署",
        3: "发布",
        4: "x" * 300,
        5: "Grosse cafe andern",
        6: "--",
    }
    assert file_names(intents) == {
        1: "grosse-cafe-andern",
        2: "skill",
        3: "skill-2",
        4: "x" * 60,
        5: "grosse-cafe-andern-2",
        6: "skill-3",
    }
