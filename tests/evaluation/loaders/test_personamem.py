"""PersonaMem's documents become a person's sessions, its queries choices."""

from pathlib import Path

import pytest

from evaluation.loaders.files import BadData
from evaluation.loaders.personamem import load
from memory.domain.types import Role
from tests.evaluation.loaders.shapes import DATA, write_json, write_personamem


def test_documents_become_sessions_in_order_a_day_apart(tmp_path: Path):
    (dialogue,) = load(write_personamem(tmp_path))
    assert dialogue.asker == "Ann Lee"
    first, second = dialogue.sessions
    assert [(turn.role, turn.text) for turn in first.turns] == [
        (Role.SYSTEM, "Persona: Name: Ann Lee"),
        (Role.USER, "I like tea."),
        (Role.ASSISTANT, "OK."),
    ]
    assert second.turns[1].text == "I gave up tea.\n\nReally.", "paragraphs stay together"
    assert (second.turns[0].said_at - first.turns[0].said_at).days == 1


def test_a_query_becomes_the_spoken_part_and_its_choices(tmp_path: Path):
    (probe,) = load(write_personamem(tmp_path))[0].probes
    assert probe.text == "What shall I drink?"
    assert probe.choices == {"a": "Tea, as you like it.", "b": "Coffee: no tea."}
    assert (probe.answer, probe.category, probe.key) == ("b", "suggest_new_ideas", "query-1")
    assert not probe.evidence


def test_faults_are_named(tmp_path: Path):
    with pytest.raises(BadData, match="a folder with documents"):
        load(tmp_path / "none")
    with pytest.raises(BadData, match="lack 'd'"):
        load(write_personamem(tmp_path, gold_answers=["(d) Water.", "d"]))
    with pytest.raises(BadData, match="no document of this user"):
        load(write_personamem(tmp_path, user_id="nobody"))
    write_personamem(tmp_path)
    write_json(tmp_path / "documents.json.gz", [{"id": "u_0", "user_id": "u", "content": "nothing"}])
    with pytest.raises(BadData, match="document_0 holds no turn"):
        load(tmp_path)


@pytest.mark.data
@pytest.mark.skipif(not (DATA / "personamem").exists(), reason="benchmark data is not here")
def test_the_development_files_hold_589_queries_of_37_people():
    dialogues = load(DATA / "personamem")
    assert len(dialogues) == 37
    assert sum(len(each.probes) for each in dialogues) == 589
    assert all(probe.answer in (probe.choices or {}) for each in dialogues for probe in each.probes)
