"""LongMemEval's instances become dialogues of one question each."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from evaluation.loaders.files import BadData
from evaluation.loaders.longmemeval import load
from evaluation.types import Dialogue
from memory.domain.types import Role
from tests.evaluation.loaders.shapes import DATA, longmemeval, write_json


def loaded(tmp_path: Path, **changes: Any) -> Dialogue:
    (dialogue,) = load(write_json(tmp_path / "lme.json", longmemeval(**changes)))
    return dialogue


def test_sessions_come_in_the_order_of_their_dates_with_roles_and_times(tmp_path: Path):
    dialogue = loaded(tmp_path)
    assert dialogue.name == "q1"
    assert [session.name for session in dialogue.sessions] == ["early", "late"]
    bought, praised = dialogue.sessions[1].turns
    assert (bought.key, bought.role, praised.role) == ("late:0", Role.USER, Role.ASSISTANT)
    assert bought.said_at == datetime(2023, 5, 20, 12, tzinfo=UTC)
    assert praised.said_at > bought.said_at


def test_evidence_is_the_answer_session_and_the_marked_turns(tmp_path: Path):
    (probe,) = loaded(tmp_path).probes
    assert probe.evidence_sessions == {"late"}
    assert probe.evidence == {"late:0"}
    assert probe.asked_at == datetime(2023, 5, 30, 20, 42, tzinfo=UTC)
    assert probe.is_answerable


def test_without_marks_the_sessions_alone_are_evidence(tmp_path: Path):
    unmarked = [[{"role": "user", "content": "I bought a kite."}], [{"role": "user", "content": "Hi."}]]
    (probe,) = loaded(tmp_path, haystack_sessions=unmarked).probes
    assert probe.evidence == frozenset()
    assert probe.evidence_sessions == {"late"}


def test_an_abstention_question_cannot_be_answered(tmp_path: Path):
    (probe,) = loaded(tmp_path, question_id="q1_abs").probes
    assert not probe.is_answerable


def test_a_session_that_stands_twice_in_the_haystack_keeps_its_turns_apart(tmp_path: Path):
    dialogue = loaded(tmp_path, haystack_session_ids=["late", "late"])
    keys = [turn.key for session in dialogue.sessions for turn in session.turns]
    assert len(keys) == len(set(keys)) == 3


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"question": ""}, "question is no text"),
        ({"question_date": "yesterday"}, "yesterday"),
        ({"haystack_dates": ["2023-05-20"]}, "instance 1"),
        ({"haystack_sessions": None}, "instance 1"),
    ],
)
def test_a_faulty_instance_is_named(tmp_path: Path, changes: dict[str, Any], fault: str):
    with pytest.raises(BadData, match=fault):
        loaded(tmp_path, **changes)


@pytest.mark.data
@pytest.mark.skipif(not (DATA / "longmemeval").exists(), reason="benchmark data is not here")
def test_the_development_file_holds_two_whole_haystacks():
    dialogues = load(DATA / "longmemeval" / "lme_s_dev3.json")
    assert [len(each.sessions) for each in dialogues] == [1, 50, 48]
    assert all(each.probes[0].evidence_sessions for each in dialogues)
