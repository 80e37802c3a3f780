"""A vision model's reply: what is used of it, what is left out, what it cannot be."""

import json

import pytest

from memory.domain.replies import Fault, Unreadable
from memory.providers.tokens import TiktokenCounter
from visual.config import CaptionRecipe
from visual.domain.captioning import FAST_SYSTEM, caption_prompt, read_caption
from visual.domain.types import Caption, SceneType


def test_a_whole_reply_is_read_field_by_field():
    reply = {
        "caption": "Sales rose in May.",
        "scene_type": "Chart",
        "entities": ["Acme", "acme", {"name": "Berlin"}],
        "structured": {"May": 12, "June": "9", "": "x"},
        "text_in_image": "SALES\nMay 12",
        "importance": "0.9",
    }
    assert read_caption(json.dumps(reply)) == Caption(
        "Sales rose in May.",
        SceneType.CHART,
        ("Acme", "Berlin"),
        {"May": "12", "June": "9"},
        "SALES\nMay 12",
        0.9,
    )


@pytest.mark.parametrize(
    "text",
    ['```json\n{"caption": "A dog."}\n```', 'Sure! {"caption": "A dog."}', '{"caption": "A dog.",}'],
)
def test_what_stands_around_the_json_does_no_harm(text: str):
    assert read_caption(text) == Caption("A dog.")


@pytest.mark.parametrize("importance", [7, -1, "high", None, float("nan")])
def test_importance_stays_in_its_bounds(importance: object):
    read = read_caption(json.dumps({"caption": "A dog.", "importance": importance}))
    assert isinstance(read, Caption)
    assert 0 <= read.importance <= 1


@pytest.mark.parametrize("text", ["", "A dog.", "{}", '{"caption": ""}', '{"caption": {"a": 1}}', "[1, 2]"])
def test_a_reply_without_a_caption_is_none(text: str):
    read = read_caption(text)
    assert isinstance(read, Unreadable)


def test_a_refusal_and_a_cut_reply_are_told_apart():
    refused, cut = read_caption("I'm sorry, but I can't help with that."), read_caption('{"capt', is_cut=True)
    assert isinstance(refused, Unreadable)
    assert isinstance(cut, Unreadable)
    assert (refused.fault, cut.fault) == (Fault.REFUSED, Fault.CUT)


def test_a_long_reply_is_cut_to_its_bounds():
    names = [f"name {number}" for number in range(500)]
    reply = {"caption": "x" * 9_000, "entities": names, "text_in_image": "y" * 90_000}
    read = read_caption(json.dumps(reply))
    assert isinstance(read, Caption)
    assert (len(read.text) <= 1_001, len(read.entities), len(read.text_in_image)) == (True, 20, 4_000)


def test_the_fast_prompt_has_about_thirty_tokens_and_the_image_follows_the_words():
    assert TiktokenCounter().count(FAST_SYSTEM) <= 40
    system, asked = caption_prompt(CaptionRecipe.FAST, "data:image/jpeg;base64,AA==")
    assert (system.content, asked.images) == (FAST_SYSTEM, ("data:image/jpeg;base64,AA==",))
    assert "AA==" not in asked.content
    assert caption_prompt(CaptionRecipe.FULL, "data:,")[0].content != FAST_SYSTEM
