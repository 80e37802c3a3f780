"""BEAM's folder becomes one dialogue of batches."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from evaluation.loaders.beam import load
from evaluation.loaders.files import BadData
from memory.domain.types import Role
from tests.evaluation.loaders.shapes import DATA, beam_chat, write_beam, write_json


def test_batches_become_sessions_and_turns_bear_the_chat_ids(tmp_path: Path):
    (dialogue,) = load(write_beam(tmp_path / "7"))
    assert dialogue.name == "7"
    assert [[turn.key for turn in session.turns] for session in dialogue.sessions] == [["0", "1", "2"], ["3"]]
    first = dialogue.sessions[0].turns[0]
    assert first.text == "My sprint ends on March 29.", "the mark of the plan item is cut"
    assert first.said_at == datetime(2024, 3, 15, 9, tzinfo=UTC)
    assert dialogue.sessions[0].turns[1].role is Role.ASSISTANT


def test_a_batch_without_a_day_follows_the_one_before(tmp_path: Path):
    (dialogue,) = load(write_beam(tmp_path / "7"))
    assert dialogue.sessions[1].turns[0].said_at == datetime(2024, 3, 16, 9, tzinfo=UTC)


def test_evidence_is_flat_and_only_of_existing_turns(tmp_path: Path):
    (dialogue,) = load(write_beam(tmp_path / "7"))
    asked = {probe.key: probe for probe in dialogue.probes}
    assert asked["information_extraction-1"].evidence == {"0"}
    assert asked["information_extraction-1"].rubric == ("states March 29",)
    assert asked["knowledge_update-1"].evidence == {"2", "3"}
    assert asked["abstention-1"].evidence == frozenset()
    assert not asked["abstention-1"].is_answerable
    assert asked["abstention-1"].answer == "Unknown."


def test_a_folder_of_conversations_is_read_in_order_of_names(tmp_path: Path):
    for name in ("b", "a"):
        write_beam(tmp_path / name)
    assert [dialogue.name for dialogue in load(tmp_path)] == ["a", "b"]


def test_faults_are_named_with_their_batch_or_question(tmp_path: Path):
    with pytest.raises(BadData, match=r"a folder with chat\.json"):
        load(tmp_path)
    folder = write_beam(tmp_path / "7")
    write_json(folder / "probing_questions.json", {"abstention": [{"rubric": []}]})
    with pytest.raises(BadData, match="abstention 1: 'question' is missing"):
        load(folder)
    write_beam(folder)
    chat = beam_chat()
    del chat[1]["turns"][0][0]["role"]
    write_json(folder / "chat.json", chat)
    with pytest.raises(BadData, match="batch 2: 'role' is missing"):
        load(folder)


@pytest.mark.data
@pytest.mark.skipif(not (DATA / "beam").exists(), reason="benchmark data is not here")
def test_the_development_conversation_has_twenty_questions_of_ten_types():
    (dialogue,) = load(DATA / "beam")
    assert len(dialogue.probes) == 20
    assert len({probe.category for probe in dialogue.probes}) == 10
    assert sum(not probe.evidence for probe in dialogue.probes) == 2
