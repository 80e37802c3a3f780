"""Pin, restore, merge and erase, as a person does it on the pages."""

import pytest
from django.http import HttpResponse
from django.urls import reverse

from memory.models import MemoryRecord
from memory.services.curate import expire_record
from memory.services.curate_state import pin_record
from tests.sessions_app.views.conftest import SAID, remember, talk

HTMX = {"HX-Request": "true"}
SEEN = {"version": "1"}


def url(record: MemoryRecord, page: str = "record", space: str = "garden") -> str:
    return reverse(f"sessions:{page}", args=[space, record.id])


def body(response: HttpResponse) -> str:
    return response.content.decode()


def test_a_memory_is_pinned_and_unpinned(browse, alice, record):
    client = browse(alice)
    page = body(client.post(url(record, "record-pin"), SEEN, follow=True))
    assert "stays whatever happens" in page
    assert "pinned</span>" in page
    assert 'name="unpin"' in page
    page = body(client.post(url(record, "record-pin"), {"version": "2", "unpin": "yes"}, follow=True))
    assert 'name="unpin"' not in page
    record.refresh_from_db()
    assert not record.is_pinned


@pytest.mark.parametrize("act", ["record-pin", "record-restore", "record-purge"])
def test_an_act_on_what_somebody_has_changed_meanwhile_is_told(browse, alice, record, act):
    if act == "record-restore":
        expire_record(alice, record.id)
    else:
        pin_record(alice, record.id)
        pin_record(alice, record.id, is_pinned=False)
    page = body(browse(alice).post(url(record, act), SEEN, follow=True))
    assert "changed this meanwhile" in page
    record.refresh_from_db()
    assert (record.is_pinned, record.version) == (False, 2 if act == "record-restore" else 3)


def test_an_expired_memory_is_restored_from_its_page(browse, alice, record):
    expire_record(alice, record.id, "a slip")
    client = browse(alice)
    page = body(client.get(url(record)))
    assert "Restore" in page
    assert "record-merge" not in page
    page = body(client.post(url(record, "record-restore"), {"version": "2"}, follow=True))
    assert "recalled again" in page
    record.refresh_from_db()
    assert record.expired_at is None


def test_it_is_restored_in_the_list_and_the_counts_are_told(browse, alice, record):
    expire_record(alice, record.id)
    client = browse(alice)
    listed = body(client.get(reverse("sessions:memory", args=["garden"]), {"state": "expired"}))
    assert url(record, "record-restore") in listed
    response = client.post(url(record, "record-restore"), {"version": "2"}, headers=HTMX)
    assert response["HX-Trigger"] == "filed"
    assert f'id="record-{record.id}"' in body(response)


def test_what_cannot_be_restored_in_the_list_leads_to_the_page_that_says_why(browse, alice, session, record):
    expire_record(alice, record.id)
    remember(session, record.semantic_text)
    response = browse(alice).post(url(record, "record-restore"), {"version": "2"}, headers=HTMX)
    assert response["HX-Redirect"] == url(record)
    assert "remembered already" in body(browse(alice).get(url(record))) or response.status_code == 200


def test_a_superseded_value_names_the_newer_and_can_be_restored(browse, alice, session, record):
    newer = remember(session, "Ana lives in Lisbon.", turn_index=2)
    rows = MemoryRecord.objects.for_space(record.space_id).filter(id=record.id)
    rows.update(superseded_by=newer, superseded_at=SAID)
    page = body(browse(alice).get(url(record)))
    assert "No longer true since something newer was said." in page
    assert url(newer) in page
    browse(alice).post(url(record, "record-restore"), SEEN)
    record.refresh_from_db()
    assert (record.superseded_by, record.is_pinned) == (None, True)


class TestErasing:
    def test_it_is_asked_for_and_done(self, browse, alice, record):
        client = browse(alice)
        asked = body(client.get(url(record, "record-purge")))
        assert "Erase this memory for good?" in asked
        response = client.post(url(record, "record-purge"), SEEN)
        assert response.url == reverse("sessions:memory", args=["garden"])
        assert "The memory is erased." in body(client.get(response.url))
        assert client.get(url(record)).status_code == 404

    def test_asking_erases_nothing(self, browse, alice, record):
        browse(alice).get(url(record, "record-purge"))
        record.refresh_from_db()
        assert record.version == 1


class TestMerging:
    @pytest.fixture
    def other(self, session) -> MemoryRecord:
        return remember(session, "Ana has lived in Porto for years.", turn_index=2)

    def test_what_is_about_the_same_is_offered(self, browse, alice, session, record, other):
        remember(session, "Bob likes tea.", subject="Bob", turn_index=2)
        offered = browse(alice).get(url(record, "record-merge")).context["alike"]
        assert [each.id for each in offered] == [other.id]

    def test_words_find_others(self, browse, alice, session, record):
        tea = remember(session, "Bob likes tea.", subject="Bob", turn_index=2)
        offered = browse(alice).get(url(record, "record-merge"), {"q": "tea"}).context["alike"]
        assert [each.id for each in offered] == [tea.id]

    def test_private_memories_are_not_offered_for_shared_ones(self, browse, alice, record):
        private = remember(talk(alice, "Ana told me more.", "Yes.", name="own", private=True), "Ana snores.")
        offered = browse(alice).get(url(record, "record-merge")).context["alike"]
        assert private.id not in {each.id for each in offered}

    def test_the_chosen_become_one_with_it(self, browse, alice, record, other):
        sent = {**SEEN, "record_ids": [str(other.id)]}
        page = body(browse(alice).post(url(record, "record-merge"), sent, follow=True))
        assert "1 memory was merged into this." in page
        other.refresh_from_db()
        assert other.expired_reason == f"merged_into:{record.id}"
        assert record.evidence.count() == 2

    @pytest.mark.parametrize("chosen", [[], ["not-an-id"]])
    def test_a_choice_that_is_none_is_told(self, browse, alice, record, other, chosen):
        response = browse(alice).post(url(record, "record-merge"), {**SEEN, "record_ids": chosen})
        assert response.status_code == 422
        assert response.context["form"].errors["record_ids"]

    def test_a_refusal_is_told_and_changes_nothing(self, browse, alice, record, other):
        expire_record(alice, other.id)
        response = browse(alice).post(url(record, "record-merge"), {**SEEN, "record_ids": [str(other.id)]})
        assert response.status_code == 422
        assert "only live ones" in body(response)
        record.refresh_from_db()
        assert record.version == 1


@pytest.mark.parametrize("act", ["record-pin", "record-restore", "record-purge", "record-merge"])
def test_viewers_may_not_and_see_no_buttons(browse, vera, record, act):
    client = browse(vera)
    assert client.post(url(record, act), SEEN).status_code == 403
    assert url(record, act) not in body(client.get(url(record)))


def test_merging_nothing_says_what_to_tick_and_an_open_page_says_what_to_do(browse, alice, record):
    address = reverse("sessions:record-merge", args=["garden", record.id])
    client = browse(alice)
    opened = client.get(address).content.decode()
    assert "Nothing matches" not in opened
    assert "Which memory says the same?" in opened
    assert "Nothing matches" in client.get(address, {"q": "zebra"}).content.decode()
    reply = client.post(address, {"version": "1"})
    assert reply.status_code == 422
    assert "Tick at least one memory." in reply.content.decode()


def test_what_was_only_expired_and_restored_is_not_called_edited(browse, alice, record):
    client = browse(alice)
    client.post(reverse("sessions:record-expire", args=["garden", record.id]))
    client.post(reverse("sessions:record-restore", args=["garden", record.id]))
    item = client.get(reverse("sessions:record-item", args=["garden", record.id]), headers=HTMX)
    assert "edited" not in item.content.decode()
