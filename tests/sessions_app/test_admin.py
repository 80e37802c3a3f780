"""The administration of conversations."""

import pytest
from django.urls import reverse

from accounts.models import AuditEvent, Job, User
from accounts.principals import principal_for
from accounts.services.users import register_user
from sessions_app.models import Segment, Session, SessionTurn, Summary, UsageEntry
from tests.sessions_app.views.conftest import talk

PASSWORD = "a long walk by the sea"

pytestmark = pytest.mark.django_db


@pytest.fixture
def session() -> Session:
    alice = principal_for(register_user(username="alice", password=PASSWORD))
    session = talk(alice, "Ana lives in Porto.", "Noted.")
    Segment.objects.for_space(session.space_id).create(
        space_id=session.space_id, session=session, first_turn=0, end_turn=2, state="encoded"
    )
    Summary.objects.for_space(session.space_id).create(
        space_id=session.space_id,
        session=session,
        end_turn=2,
        state="failed",
        session_tokens=20,
        note="The model declines to answer this.",
    )
    return session


@pytest.mark.parametrize("model", [Session, SessionTurn, Segment, Summary])
def test_every_list_opens_and_can_be_searched(staff, session, model):
    address = reverse(f"admin:sessions_app_{model._meta.model_name}_changelist")
    assert staff.get(address).status_code == 200
    found = staff.get(address, {"q": "Porto"})
    assert found.context["cl"].result_count == 1


def test_a_conversation_is_shown_with_its_segments_and_cannot_be_written(staff, session):
    address = reverse("admin:sessions_app_session_change", args=[session.pk])
    page = staff.get(address).content.decode()
    assert "encoded" in page
    assert "The model declines to answer this." in page
    assert 'name="title"' not in page
    assert staff.post(address, {"title": "Other"}).status_code == 403
    session.refresh_from_db()
    assert session.title == "Ana lives in Porto."


@pytest.mark.parametrize("name", ["session", "sessionturn", "segment", "summary", "usageentry"])
def test_nothing_can_be_added_by_hand(staff, name):
    assert staff.get(reverse(f"admin:sessions_app_{name}_add")).status_code == 403


def choose(staff, app_model: str, action: str, row) -> str:
    address = reverse(f"admin:{app_model}_changelist")
    reply = staff.post(address, {"action": action, "_selected_action": row.pk}, follow=True)
    return str(reply.content.decode())


@pytest.mark.parametrize(("state", "queued"), [("fallback", 1), ("failed", 1), ("encoded", 0)])
def test_segments_that_the_model_failed_at_are_encoded_again_on_request(staff, session, state, queued):
    rows = Segment.objects.for_space(session.space_id)
    rows.update(state=state, attempts=6)
    page = choose(staff, "sessions_app_segment", "encode_again", rows.get())
    assert f"{queued} queued again." in page
    jobs = Job.objects.for_space(session.space_id).filter(arguments__again=True)
    audited = AuditEvent.objects.filter(action="segment.encoded_again")
    assert (jobs.count(), audited.count()) == (queued, queued)
    assert rows.get().attempts == (0 if queued else 6)


@pytest.mark.parametrize(("state", "queued"), [("failed", 1), ("done", 0)])
def test_a_failed_job_is_tried_again_on_request(staff, session, state, queued):
    job = Job.objects.for_space(session.space_id).create(
        space_id=session.space_id,
        kind="consolidate",
        subject_id=session.pk,
        state=state,
        arguments={"flush": True},
    )
    assert f"{queued} queued again." in choose(staff, "accounts_job", "retry", job)
    waiting = Job.objects.for_space(session.space_id).filter(state="queued")
    assert [each.arguments for each in waiting] == [{"flush": True, "retry": True}] * queued
    assert AuditEvent.objects.filter(action="job.retried").count() == queued


@pytest.mark.parametrize("model", [Session, SessionTurn, Segment, Summary])
def test_what_is_private_to_another_is_neither_listed_found_nor_opened(staff, session, model):
    row = model.everyone.first()
    model.everyone.update(private_to=session.author)
    name = f"admin:sessions_app_{model._meta.model_name}"
    for query in ({}, {"q": "Porto"}):
        assert staff.get(reverse(f"{name}_changelist"), query).context["cl"].result_count == 0
    assert staff.get(reverse(f"{name}_change", args=[row.pk])).status_code == 302
    model.everyone.update(private_to=User.objects.get(username="root"))
    assert staff.get(reverse(f"{name}_change", args=[row.pk])).status_code == 200


def test_usage_names_no_title_of_a_conversation(staff, session):
    UsageEntry.everyone.create(
        space_id=session.space_id,
        session=session,
        purpose="answer",
        model="m",
        day=session.created_at.date(),
        input_tokens=1,
        output_tokens=1,
    )
    entry = UsageEntry.everyone.get()
    listed = staff.get(reverse("admin:sessions_app_usageentry_changelist")).content.decode()
    opened = staff.get(reverse("admin:sessions_app_usageentry_change", args=[entry.pk])).content.decode()
    assert str(session.pk) in listed
    assert "Porto" not in listed + opened


def test_a_job_of_anothers_private_session_shows_no_text_that_came_with_it(staff, session):
    job = Job.everyone.create(
        space_id=session.space_id,
        private_to=session.author,
        kind="consolidate",
        subject_id=session.pk,
        arguments={"retrieved_context": "She hides it in Porto."},
    )
    address = reverse("admin:accounts_job_change", args=[job.pk])
    assert "Porto" not in staff.get(address).content.decode()
    Job.everyone.update(private_to=None)
    assert "Porto" in staff.get(address).content.decode()
