"""The administration of what is remembered."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import AuditEvent, User
from accounts.principals import principal_for
from accounts.services.users import register_user
from memory import models
from memory.models import MemoryRecord
from tests.model_server import ModelServer
from tests.model_server.configured import configured
from tests.sessions_app.views.conftest import remember, talk

PASSWORD = "a long walk by the sea"
LIST = reverse("admin:memory_memoryrecord_changelist")

pytestmark = pytest.mark.django_db


@pytest.fixture
def record() -> MemoryRecord:
    alice = principal_for(register_user(username="alice", password=PASSWORD))
    return remember(talk(alice, "Ana lives in Porto.", "Noted."), "Ana lives in Porto.")


def change_url(record: MemoryRecord) -> str:
    return reverse("admin:memory_memoryrecord_change", args=[record.pk])


def correction(**changes: str) -> dict[str, str]:
    return {
        "seen_version": "1",
        "semantic_text": "Ana lives in Porto.",
        "memory_type": "fact",
        "subject": "Ana",
        "entities": "[]",
        "topics": "[]",
        "valid_from_0": "",
        "valid_from_1": "",
        "valid_to_0": "",
        "valid_to_1": "",
        "evidence-TOTAL_FORMS": "0",
        "evidence-INITIAL_FORMS": "0",
        **changes,
    }


@pytest.mark.parametrize(
    "model",
    [
        models.MemoryRecord,
        models.RecordEvidence,
        models.RetrievalLog,
        models.IndexedItem,
        models.IndexOutbox,
        models.IndexScope,
        models.IndexState,
        models.IndexLease,
        models.ModelStatus,
        models.UsageCount,
        models.ItemRating,
        models.SilencedTurn,
        models.Entity,
        models.EntityName,
        models.Relation,
        models.EvidenceNode,
        models.EvidenceLink,
        models.EvidenceState,
        models.Community,
        models.CommunityMember,
    ],
)
def test_every_list_opens_and_can_be_searched(staff, record, model):
    address = reverse(f"admin:memory_{model._meta.model_name}_changelist")
    assert staff.get(address).status_code == 200
    assert staff.get(address, {"q": str(record.pk)}).status_code == 200


def test_a_correction_goes_through_the_service(staff, record):
    response = staff.post(change_url(record), correction(semantic_text="Ana lives in Lisbon."))
    assert response.status_code == 302
    record.refresh_from_db()
    assert (record.semantic_text, record.version) == ("Ana lives in Lisbon.", 2)
    event = AuditEvent.objects.get(object_id=record.pk, action="record.edited")
    assert event.fields == ["semantic_text"]


def test_a_correction_the_service_refuses_is_told_and_changes_nothing(staff, record):
    sent = correction(
        valid_from_0="2026-05-03", valid_from_1="09:00", valid_to_0="2026-05-02", valid_to_1="09:00"
    )
    page = staff.post(change_url(record), sent, follow=True).content.decode()
    assert "must lie after" in page
    record.refresh_from_db()
    assert record.version == 1


def test_of_two_who_correct_at_once_the_second_is_told(staff, record):
    assert (
        '<input type="hidden" name="seen_version" value="1"' in staff.get(change_url(record)).content.decode()
    )
    staff.post(change_url(record), correction(subject="Ana Lima"))
    page = staff.post(change_url(record), correction(subject="Anna"), follow=True).content.decode()
    assert "changed this meanwhile" in page
    record.refresh_from_db()
    assert (record.subject, record.version) == ("Ana Lima", 2)


def test_what_a_person_may_not_correct_is_shown_and_not_asked_for(staff, record):
    page = staff.get(change_url(record)).content.decode()
    assert 'name="semantic_text"' in page
    for name in ("content_hash", "learned_at", "space", "version"):
        assert f'name="{name}"' not in page


def test_records_are_expired_by_the_service(staff, record):
    staff.post(LIST, {"action": "expire", "_selected_action": [str(record.pk)]})
    record.refresh_from_db()
    assert record.expired_at is not None
    assert AuditEvent.objects.filter(object_id=record.pk, action="record.expired").exists()


def test_an_expired_record_can_only_be_read_and_somebodys_private_one_not_even_that(staff, record):
    MemoryRecord.objects.for_space(record.space_id).filter(pk=record.pk).update(expired_at=timezone.now())
    assert 'name="semantic_text"' not in staff.get(change_url(record)).content.decode()
    owner = User.objects.get(username="alice")
    MemoryRecord.objects.for_space(record.space_id).update(expired_at=None, private_to=owner)
    assert staff.get(change_url(record)).status_code == 302
    assert record.semantic_text not in staff.get(LIST).content.decode()
    staff.post(LIST, {"action": "expire", "_selected_action": [str(record.pk)]})
    record.refresh_from_db()
    assert record.expired_at is None


def test_records_are_neither_added_nor_deleted_here(staff, record):
    assert staff.get(reverse("admin:memory_memoryrecord_add")).status_code == 403
    assert staff.post(reverse("admin:memory_memoryrecord_delete", args=[record.pk])).status_code == 403


def test_the_state_of_the_models_is_shown(staff):
    address = reverse("admin:memory_modelstatus_changelist")
    assert "No model is configured" in staff.get(address).content.decode()
    with ModelServer() as server, configured(server):
        now = timezone.now()
        models.ModelStatus.objects.create(
            task="language",
            model="openai/test-model",
            is_failing=True,
            failing_since=now,
            failure="Check LLM_API_KEY.",
            noted_at=now,
        )
        page = staff.get(address).content.decode()
    assert "language: openai/test-model." in page
    assert "Check LLM_API_KEY." in page
    assert staff.get(reverse("admin:memory_modelstatus_add")).status_code == 403


def act(staff: Client, action: str, *records: MemoryRecord, **more: str) -> str:
    chosen = {"action": action, "_selected_action": [str(record.pk) for record in records], **more}
    return staff.post(LIST, chosen, follow=True).content.decode()


def test_records_are_pinned_unpinned_and_restored(staff, record):
    act(staff, "pin", record)
    record.refresh_from_db()
    assert record.is_pinned
    act(staff, "unpin", record)
    act(staff, "expire", record)
    assert "1 restored." in act(staff, "restore", record)
    record.refresh_from_db()
    assert (record.is_pinned, record.expired_at) == (False, None)


def test_what_is_refused_is_told(staff, record):
    act(staff, "expire", record)
    page = act(staff, "pin", record)
    assert "0 pinned." in page
    assert "only live ones can be changed" in page


def test_records_are_merged_into_the_newest(staff, record):
    alice = principal_for(User.objects.get(username="alice"))
    session = talk(alice, "Ana has a flat in Porto.", "Noted.", name="more")
    newest = remember(session, "Ana has a flat in Porto.", said_at=timezone.now())
    assert "1 merged into" in act(staff, "merge", record, newest)
    record.refresh_from_db()
    assert record.expired_reason == f"merged_into:{newest.pk}"
    assert "two or more" in act(staff, "merge", newest)


def test_erasing_is_asked_about_first(staff, record):
    asked = act(staff, "purge", record)
    assert "Erase these memories for good?" in asked
    assert record.semantic_text in asked
    record.refresh_from_db()
    assert "1 erased." in act(staff, "purge", record, confirmed="yes")
    assert not MemoryRecord.objects.for_space(record.space_id).exists()
    assert AuditEvent.objects.filter(object_id=record.pk, action="record.purged").exists()


@pytest.mark.parametrize("action", ["pin", "restore", "purge", "merge"])
def test_somebodys_private_record_is_left_alone_by_every_action(staff, record, action):
    owner = User.objects.get(username="alice")
    MemoryRecord.objects.for_space(record.space_id).update(private_to=owner)
    act(staff, action, record, confirmed="yes")
    record.refresh_from_db()
    assert (record.version, record.is_pinned) == (1, False)


@pytest.fixture
def log(record: MemoryRecord) -> models.RetrievalLog:
    alice = User.objects.get(username="alice")
    made: models.RetrievalLog = models.RetrievalLog.objects.for_space(record.space_id).create(
        space_id=record.space_id, private_to=alice, user_id=alice.id, query="Where?", effort="fast"
    )
    return made


def test_curators_edit_the_outcome_of_a_recall(staff, log):
    address = reverse("admin:memory_retrievallog_change", args=[log.pk])
    assert 'name="query"' not in staff.get(address).content.decode()
    assert staff.post(address, {"outcome": "correction"}).status_code == 302
    log.refresh_from_db()
    assert (log.outcome, log.judged_by, log.is_folded) == ("correction", "curator", False)
    assert AuditEvent.objects.get(object_id=log.pk).changes == {"outcome": ["open", "correction"]}


@pytest.mark.parametrize("page", ["changelist", "change"])
def test_a_recall_tells_by_name_who_asked(staff, log, page):
    zoe = register_user(username="zoe", password=PASSWORD)
    models.RetrievalLog.objects.for_space(log.space_id).update(user_id=zoe.id)
    address = reverse(f"admin:memory_retrievallog_{page}", args=[log.pk] if page == "change" else [])
    shown = staff.get(address).content.decode()
    assert "zoe" in shown
    assert str(zoe.id) not in shown
    zoe.delete()
    assert staff.get(address).status_code == 200


@pytest.mark.parametrize("outcome", ["success", "fail", "correction"])
def test_recalls_are_judged_by_actions(staff, log, outcome):
    address = reverse("admin:memory_retrievallog_changelist")
    staff.post(address, {"action": f"mark_{outcome}", "_selected_action": [str(log.pk)]})
    log.refresh_from_db()
    assert log.outcome == outcome


class TestRetention:
    ADD = reverse("admin:memory_retentionpolicy_add")

    def test_a_policy_is_set_changed_and_taken_back_by_the_service(
        self, staff: Client, record: MemoryRecord
    ) -> None:
        given = {"space": str(record.space_id), "memory_type": "fact", "days": "30"}
        assert staff.post(self.ADD, given).status_code == 302
        policy = models.RetentionPolicy.everyone.get()
        change = reverse("admin:memory_retentionpolicy_change", args=[policy.pk])
        assert staff.post(change, {"days": "60"}).status_code == 302
        policy.refresh_from_db()
        assert (policy.space_id, policy.memory_type, policy.days) == (record.space_id, "fact", 60)
        delete = reverse("admin:memory_retentionpolicy_delete", args=[policy.pk])
        assert staff.post(delete, {"post": "yes"}).status_code == 302
        assert not models.RetentionPolicy.everyone.exists()
        lines = AuditEvent.objects.filter(action="space.retention_set").order_by("id")
        assert [line.changes["fact"] for line in lines] == [[None, 30], [30, 60], [60, None]]
        assert {line.user_id for line in lines} == {User.objects.get(username="root").pk}

    @pytest.mark.parametrize("days", ["0", "-3", "36501", "soon"])
    def test_what_cannot_be_meant_is_told_at_the_field(
        self, staff: Client, record: MemoryRecord, days: str
    ) -> None:
        given = {"space": str(record.space_id), "memory_type": "fact", "days": days}
        assert staff.post(self.ADD, given).status_code == 200
        assert not models.RetentionPolicy.everyone.exists()

    def test_the_same_type_twice_is_refused(self, staff: Client, record: MemoryRecord) -> None:
        given = {"space": str(record.space_id), "memory_type": "fact", "days": "30"}
        staff.post(self.ADD, given)
        assert staff.post(self.ADD, {**given, "days": "90"}).status_code == 200
        assert models.RetentionPolicy.everyone.get().days == 30
