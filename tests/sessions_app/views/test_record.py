"""One memory's page: what it rests on, correcting it, letting it go."""

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from memory.models import MemoryRecord
from memory.services.curate import edit_record
from tests.sessions_app.views.conftest import SAID, remember, talk, without_token

HTMX = {"HX-Request": "true"}


def url(record: MemoryRecord, page: str = "record", space: str = "garden") -> str:
    return reverse(f"sessions:{page}", args=[space, record.id])


def correction(**changes: str) -> dict[str, str]:
    read = {"semantic_text": "Ana lives in Porto.", "memory_type": "fact", "subject": "Ana", "version": "1"}
    return {**read, **changes}


def test_the_page_shows_the_words_it_came_from_with_a_turn_around_them(browse, alice, session):
    record = remember(session, "Ana likes trains.", turn_index=2)
    (group,) = browse(alice).get(url(record)).context["sources"]
    assert [(turn.text, turn.is_evidence) for turn in group.turns] == [
        ("Noted: **Porto**.", False),
        ("She likes trains.", True),
        ("Good to know.", False),
    ]
    assert group.url == reverse("sessions:chat", args=["garden", session.id]) + "?at=2#turn-2"


def test_sources_far_apart_are_shown_apart(browse, alice):
    session = talk(alice, *(f"turn {i}" for i in range(10)))
    record = remember(session, "A thing.", turn_index=1)
    far = session.turns.get(index=8)
    record.evidence.create(space_id=record.space_id, session_id=session.id, turn_id=far.id, turn_index=8)
    groups = browse(alice).get(url(record)).context["sources"]
    assert [[turn.text for turn in group.turns] for group in groups] == [
        ["turn 0", "turn 1", "turn 2"],
        ["turn 7", "turn 8", "turn 9"],
    ]


def test_a_memory_outlives_its_conversation(browse, alice, session, record):
    session.deleted_at = timezone.now()
    session.save(update_fields=["deleted_at"])
    response = browse(alice).get(url(record))
    assert response.context["sources"] == []
    assert "the memory was kept" in response.content.decode()


@pytest.mark.parametrize("page", ["record", "record-item", "record-edit"])
def test_a_foreign_memory_and_a_missing_one_look_alike(browse, charlie, session, record, page):
    missing = MemoryRecord(id=session.id)
    answers = [browse(charlie).get(url(r, page, "charlie")) for r in (record, missing)]
    assert [answer.status_code for answer in answers] == [404, 404]
    assert without_token(answers[0]) == without_token(answers[1])


@pytest.mark.parametrize("page", ["record", "record-item", "record-edit"])
def test_what_came_of_a_private_conversation_is_for_its_author(browse, alice, bob, page):
    record = remember(talk(alice, "A secret plan.", "I see.", private=True), "Alice has a secret plan.")
    assert browse(alice).get(url(record, page), headers=HTMX).status_code == 200
    assert browse(bob).get(url(record, page), headers=HTMX).status_code == 404


def test_a_correction_is_stored_and_appears_in_the_history(browse, alice, record):
    client = browse(alice)
    assert ">History<" not in client.get(url(record)).content.decode()
    response = client.post(url(record, "record-edit"), correction(semantic_text="Ana lives in Lisbon."))
    assert response.url == url(record)
    page = client.get(url(record)).content.decode()
    assert "Ana lives in Lisbon." in page
    assert "History" in page
    assert "semantic text" in page
    record.refresh_from_db()
    assert record.semantic_text == "Ana lives in Lisbon."
    assert record.edited_at is not None


def test_names_and_validity_can_be_corrected_in_the_readers_zone(browse, alice, record):
    User.objects.filter(pk=alice.user_id).update(time_zone="Asia/Tokyo")
    sent = correction(entities="Ana, Porto", valid_from="2026-05-03T18:30")
    assert browse(alice).post(url(record, "record-edit"), sent).status_code == 302
    record.refresh_from_db()
    assert (record.entities, record.valid_from) == (["Ana", "Porto"], SAID)


def test_saving_without_a_change_edits_nothing(browse, alice, session):
    record = remember(session, "Ana lives in Porto.", valid_from=SAID.replace(second=17))
    sent = correction(valid_from="2026-05-03T09:30")
    assert browse(alice).post(url(record, "record-edit"), sent).status_code == 302
    record.refresh_from_db()
    assert (record.version, record.valid_from) == (1, SAID.replace(second=17))


def test_htmx_swaps_the_form_in_and_the_corrected_memory_back(browse, alice, record):
    client = browse(alice)
    form = client.get(url(record, "record-edit"), headers=HTMX).content.decode()
    assert "<html" not in form
    assert f'id="record-{record.id}"' in form
    sent = correction(semantic_text="Ana lives in Lisbon.")
    item = client.post(url(record, "record-edit"), sent, headers=HTMX).content.decode()
    assert "Ana lives in Lisbon." in item
    assert "<form" not in item


def test_a_correction_of_what_was_changed_meanwhile_is_refused(browse, alice, bob, record):
    client = browse(alice)
    page = client.get(url(record, "record-edit")).content.decode()
    assert 'name="version" value="1"' in page
    browse(bob).post(url(record, "record-edit"), correction(semantic_text="Ana lives in Faro.", version="1"))
    response = client.post(
        url(record, "record-edit"), correction(semantic_text="Ana lives in Rome.", version="1")
    )
    assert response.status_code == 422
    assert "changed this meanwhile" in response.content.decode()
    record.refresh_from_db()
    assert record.semantic_text == "Ana lives in Faro."


@pytest.mark.parametrize("headers", [HTMX, {}])
def test_a_faulty_correction_is_told_and_keeps_what_was_typed(browse, alice, record, headers):
    sent = correction(semantic_text="", subject="Anna")
    response = browse(alice).post(url(record, "record-edit"), sent, headers=headers)
    assert response.status_code == 422
    assert 'value="Anna"' in response.content.decode()
    record.refresh_from_db()
    assert record.subject == "Ana"


def test_a_memory_can_be_let_go_with_a_reason(browse, alice, record):
    client = browse(alice)
    assert client.post(url(record, "record-expire"), {"reason": "It changed."}).url == url(record)
    page = client.get(url(record)).content.decode()
    assert "no longer recalled" in page
    assert "It changed." in page
    record.refresh_from_db()
    assert record.expired_at is not None


def test_an_expired_memory_offers_no_change(browse, alice, record):
    client = browse(alice)
    client.post(url(record, "record-expire"))
    page = client.get(url(record)).content.decode()
    assert url(record, "record-edit") not in page
    assert url(record, "record-expire") not in page


@pytest.mark.parametrize("headers", [HTMX, {}])
def test_letting_go_is_asked_first(browse, alice, record, headers):
    response = browse(alice).get(url(record, "record-expire"), headers=headers)
    page = response.content.decode()
    assert "Let this memory go?" in page
    assert ("<html" in page) is not bool(headers)
    record.refresh_from_db()
    assert record.expired_at is None


def test_a_reason_too_long_is_told_and_lets_nothing_go(browse, alice, record):
    response = browse(alice).post(url(record, "record-expire"), {"reason": "x" * 129})
    assert response.status_code == 422
    record.refresh_from_db()
    assert record.expired_at is None


def test_in_the_list_the_memory_stays_in_place_as_expired(browse, alice, record):
    response = browse(alice).post(url(record, "record-expire"), {"reason": ""}, headers=HTMX)
    page = response.content.decode()
    assert response["HX-Trigger"] == "expired"
    assert "is-expired" in page
    assert url(record, "record-expire") not in page
    assert url(record, "record-restore") in page


def test_a_correction_that_does_not_say_what_it_read_is_refused_in_words(browse, alice, record):
    response = browse(alice).post(url(record, "record-edit"), correction(version="", subject="Bo"))
    assert response.status_code == 422
    assert "which version you read" in response.content.decode()
    record.refresh_from_db()
    assert record.subject == "Ana"


@pytest.mark.parametrize("page", ["record-edit", "record-expire"])
def test_a_viewer_reads_and_changes_nothing(browse, vera, record, page):
    client = browse(vera)
    shown = client.get(url(record)).content.decode()
    assert url(record, page) not in shown
    assert client.post(url(record, page), correction(semantic_text="Nonsense.")).status_code == 403
    record.refresh_from_db()
    assert (record.semantic_text, record.expired_at) == ("Ana lives in Porto.", None)


def test_a_stranger_changes_nothing(browse, charlie, record):
    client = browse(charlie)
    for page in ("record-edit", "record-expire"):
        assert client.post(url(record, page, "charlie"), correction(semantic_text="Mine.")).status_code == 404
    record.refresh_from_db()
    assert (record.semantic_text, record.expired_at) == ("Ana lives in Porto.", None)


def test_a_stale_correction_keeps_what_was_typed_and_leads_to_what_is_there_now(browse, alice, record):
    client, address = browse(alice), reverse("sessions:record-edit", args=["garden", record.id])
    edit_record(alice, record.id, {"semantic_text": "Ana lives in Faro."})
    typed = {"semantic_text": "Ana lives in Braga.", "memory_type": "fact", "version": "1"}
    reply = client.post(address, typed)
    page = reply.content.decode()
    assert reply.status_code == 422
    assert "Ana lives in Braga." in page
    assert "Read it again in a new tab" in page
    assert "Ana lives in Faro." in client.get(address).content.decode()
    faulty = client.post(address, {**typed, "semantic_text": "", "version": "2"}).content.decode()
    assert "Read it again" not in faulty
