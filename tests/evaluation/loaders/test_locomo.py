"""LoCoMo's layout becomes dialogues; malformed evidence is mended or dropped."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from evaluation.loaders.files import BadData
from evaluation.loaders.locomo import load
from tests.evaluation.loaders.shapes import DATA


def sample(evidence: list[str]) -> list[dict[str, Any]]:
    return [
        {
            "sample_id": "conv-1",
            "conversation": {
                "speaker_a": "Ann",
                "speaker_b": "Ben",
                "session_2_date_time": "9:05 am on 2 March, 2023",
                "session_2": [{"speaker": "Ben", "dia_id": "D2:1", "text": "Back again."}],
                "session_10_date_time": "1:56 pm on 8 May, 2023",
                "session_10": [
                    {"speaker": "Ann", "dia_id": "D10:1", "text": "Look!", "blip_caption": "a red kite"},
                    {"speaker": "Ben", "dia_id": "D10:2", "text": "Nice."},
                ],
            },
            "qa": [{"question": "What is red?", "answer": "a kite", "category": 4, "evidence": evidence}],
        }
    ]


@pytest.fixture
def write(tmp_path: Path) -> Any:
    def write(content: object) -> Path:
        path = tmp_path / "data.json"
        path.write_text(json.dumps(content))
        return path

    return write


def test_sessions_come_in_order_with_their_own_time(write: Any) -> None:
    (dialogue,) = load(write(sample(["D10:1"])))
    assert [session.name for session in dialogue.sessions] == ["session_2", "session_10"]
    turn = dialogue.sessions[1].turns[0]
    assert turn.said_at == datetime(2023, 5, 8, 13, 56, tzinfo=UTC)
    assert turn.text == "Look! [image: a red kite]"


@pytest.mark.parametrize(
    ("raw", "kept"),
    [
        (["D10:1"], {"D10:1"}),
        (["D:10:01"], {"D10:1"}),
        (["D10:1; D2:1"], {"D10:1", "D2:1"}),
        (["D10:1", "D99:1"], {"D10:1"}),
    ],
)
def test_evidence_is_normalised(write: Any, raw: list[str], kept: set[str]) -> None:
    (dialogue,) = load(write(sample(raw)))
    assert dialogue.probes[0].evidence == kept


@pytest.mark.parametrize("raw", [[], ["D"], ["D99:1"]])
def test_a_question_without_an_existing_turn_is_left_out(write: Any, raw: list[str]) -> None:
    (dialogue,) = load(write(sample(raw)))
    assert dialogue.probes == ()


def test_a_question_bears_its_place_in_the_file_and_adversarial_ones_have_no_answer(write: Any) -> None:
    content = sample(["D10:1"])
    content[0]["qa"] += [{**content[0]["qa"][0], "category": 5}]
    (dialogue,) = load(write(content))
    assert [(probe.key, probe.is_answerable) for probe in dialogue.probes] == [("q1", True), ("q2", False)]
    assert dialogue.people() == ("Ben", "Ann")


def test_a_fault_is_named_with_its_sample(write: Any) -> None:
    content = sample(["D10:1"])
    assert load(write(content))
    del content[0]["conversation"]["session_10_date_time"]
    with pytest.raises(BadData, match="sample 1: 'session_10_date_time' is missing"):
        load(write(content))


@pytest.mark.data
@pytest.mark.skipif(not (DATA / "locomo").exists(), reason="benchmark data is not here")
def test_the_development_file_has_the_documented_counts() -> None:
    dialogues = load(DATA / "locomo" / "locomo_dev5.json")
    assert len(dialogues) == 5
    assert sum(len(each.probes) for each in dialogues) == 997
    assert sum(len(each.of_categories({"1", "2", "3", "4"}).probes) for each in dialogues) == 760
