"""Stored turns with their stages and citation cards."""

from uuid import uuid4

import pytest
from django.urls import reverse

from accounts.principals import Principal
from memory.models import CompositeRecord, MemoryRecord, RetrievalLog
from memory.services.curate_purge import purge_record
from sessions_app.models import Session
from sessions_app.services.sessions import delete_session
from sessions_app.views.present import ShownTurn, present_turns
from tests.sessions_app.views.conftest import SAID, talk


def hit(record: MemoryRecord, **changes: object) -> dict[str, object]:
    return {
        "kind": "record",
        "id": str(record.id),
        "memory_type": "fact",
        "text": record.semantic_text,
        "said_at": SAID.isoformat(),
        "score": 0.8,
        "turns": [{"session_id": str(record.session_id), "index": 0, "speaker": "Alice"}],
        "reason": "names Ana",
        **changes,
    }


@pytest.fixture
def log(alice: Principal, session: Session, record: MemoryRecord) -> RetrievalLog:
    """The recall behind the session's last answer: the record, cited, and a turn beside it."""
    turn = session.turns.get(index=2)
    as_said = hit(record, kind="turn", id=str(turn.id), memory_type="episode", text="She likes trains.")
    log: RetrievalLog = RetrievalLog.objects.for_space(alice.space_id).create(
        space_id=alice.space_id,
        private_to_id=alice.user_id,
        user_id=alice.user_id,
        query="Where does Ana live?",
        effort="standard",
        hits=[hit(record), as_said],
        dropped=[{"id": str(uuid4())}],
        timings_ms={"plan": 1.2, "search": 20.4},
        kept_ids=[str(record.id)],
    )
    session.turns.filter(index=3).update(retrieval_log_id=log.id, content="In Porto [1], or [3].")
    return log


def last(principal: Principal, session: Session) -> ShownTurn:
    return present_turns(principal, list(session.turns.order_by("index")))[-1]


def test_what_a_person_said_is_text_and_an_answer_is_html(alice, session):
    mine, theirs = present_turns(alice, list(session.turns.order_by("index")))[:2]
    assert (mine.is_user, mine.speaker, mine.html) == (True, "Alice", "")
    assert (theirs.is_user, theirs.speaker) == (False, "Lychee")
    assert theirs.html == "<p>Noted: <strong>Porto</strong>.</p>\n"


def test_an_answer_without_a_recall_has_neither_stages_nor_cards(alice, session):
    turn = last(alice, session)
    assert (turn.stages, turn.cited, turn.others) == ((), (), ())


def test_what_the_answer_cites_stands_apart_from_what_was_recalled_beside_it(alice, session, log):
    turn = last(alice, session)
    assert [(card.number, card.memory_type) for card in turn.cited] == [(1, "fact")]
    assert [(card.number, card.memory_type) for card in turn.others] == [(2, "episode")]


def test_a_skill_stands_beside_the_answer_without_a_number_and_leads_to_its_page(alice, session, log):
    skill_id = str(uuid4())
    found = {
        "kind": "skill",
        "id": skill_id,
        "memory_type": "skill",
        "text": "Sail",
        "score": 0.9,
        "turns": [],
    }
    log.hits = [*log.hits, {**found, "reason": "near"}]
    log.kept_ids = [*log.kept_ids, skill_id]
    log.save()
    turn = last(alice, session)
    (card,) = turn.skills
    assert (card.number, card.text, card.reason) == (0, "Sail", "near")
    assert card.skill_url == reverse("sessions:skill", args=["garden", skill_id])
    assert [each.number for each in (*turn.cited, *turn.others)] == [1, 2]
    assert "[3]" in turn.html  # which cites no skill


def test_a_citation_links_to_its_card_and_one_beyond_the_items_does_not(alice, session, log):
    html = last(alice, session).html
    assert 'href="#cite-3-1"' in html
    assert "[3]" in html


def test_a_card_leads_to_its_record_and_to_its_source_turn(alice, session, record, log):
    (card,) = last(alice, session).cited
    assert card.record_url == reverse("sessions:record", args=["garden", record.id])
    assert card.turn_url == reverse("sessions:chat", args=["garden", session.id]) + "?at=0#turn-0"
    assert (card.speaker, card.said_at, card.reason) == ("Alice", SAID, "names Ana")


def test_a_turn_that_was_recalled_has_no_record(alice, session, log):
    (card,) = last(alice, session).others
    assert card.record_url == ""
    assert card.turn_url


@pytest.mark.parametrize(
    ("turns", "speaker"), [([], ""), ([{"session_id": str(uuid4()), "index": 1, "speaker": ""}], "Lychee")]
)
def test_a_card_without_a_speaker_is_the_assistants_or_nobodys(alice, session, record, log, turns, speaker):
    log.hits = [hit(record, turns=turns)]
    log.save(update_fields=["hits"])
    (card,) = last(alice, session).cited
    assert card.speaker == speaker
    assert card.turn_url == "", "no such conversation"


def test_the_recalls_figures_are_told(alice, session, log):
    (stage,) = last(alice, session).stages
    assert (stage.label, stage.ms, stage.words) == ("Recall", "22 ms", "3 looked at, 2 recalled")


def test_a_fellow_member_sees_the_answer_and_not_what_was_recalled_for_its_asker(bob, session, log):
    turn = last(bob, session)
    assert "In Porto" in turn.text
    assert (turn.stages, turn.cited, turn.others) == ((), (), ())


def test_a_kept_trace_tells_every_stage_to_whoever_may_read_the_answer(alice, bob, session, log):
    trace = {
        "wm_manager": {"turns": 1, "tokens": 9, "note": "", "ms": 2},
        "search": {"found": 3, "kept": 2, "notes": [], "ms": 22},
        "reason": {"model": "offline", "notes": [], "ms": 1},
    }
    session.turns.filter(index=3).update(trace=trace)
    for reader in (alice, bob):
        assert [stage.label for stage in last(reader, session).stages] == [
            "Working memory",
            "Recall",
            "Answer",
        ]
    assert last(bob, session).cited == ()


def test_only_who_asked_can_have_the_last_answer_made_again_and_only_if_it_broke_off(alice, bob, session):
    asked_by = {"author_id": alice.user_id}
    session.turns.filter(role="assistant").update(**asked_by)
    assert not last(alice, session).can_ask_again
    session.turns.filter(role="assistant").update(state="interrupted")
    turns = list(Session.objects.for_space(alice.space_id).get(pk=session.pk).turns.order_by("index"))
    assert [turn.can_ask_again for turn in present_turns(alice, turns)] == [False, False, False, True]
    assert not any(turn.can_ask_again for turn in present_turns(bob, turns))


def test_a_card_from_a_deleted_conversation_leads_nowhere(alice, session, record, log):
    gone = talk(alice, "Ana moved to Faro.", name="before")
    log.hits = [hit(record, turns=[{"session_id": str(gone.id), "index": 0, "speaker": "Alice"}])]
    log.save(update_fields=["hits"])
    assert last(alice, session).cited[0].turn_url
    delete_session(alice, gone)
    (card,) = last(alice, session).cited
    assert (card.turn_url, card.speaker) == ("", "Alice")


def test_what_was_erased_since_keeps_its_number_and_no_word(alice, session, record, log):
    purge_record(alice, record.id)
    turn = last(alice, session)
    erased = next(card for card in (*turn.cited, *turn.others) if not card.item_id)
    assert (erased.number, erased.text, erased.record_url) == (1, "", "")


def test_a_composite_bears_its_title_as_it_is_now(alice, session, record, log):
    composite: CompositeRecord = CompositeRecord.objects.for_space(alice.space_id).create(
        space_id=alice.space_id,
        private_to_id=record.private_to_id,
        level=1,
        representative=record,
        semantic_text=record.semantic_text,
        memory_type="fact",
        said_at=SAID,
        confidence=0.9,
        leaf_count=2,
        session_id=session.id,
        centroid=b"",
        title="Ana in Porto",
    )
    log.hits = [*log.hits, hit(record, kind="composite", id=str(composite.id))]
    log.save()
    assert [card.title for card in last(alice, session).others] == ["", "Ana in Porto"]
    composite.delete()
    assert [card.title for card in last(alice, session).others] == ["", ""]
