"""The administration of conversations."""

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from accounts.principals import principal_for
from accounts.services.users import register_user
from sessions_app.models import Segment, Session, SessionTurn
from tests.sessions_app.views.conftest import talk

PASSWORD = "a long walk by the sea"

pytestmark = pytest.mark.django_db


@pytest.fixture
def staff(client: Client) -> Client:
    user = register_user(username="root", password=PASSWORD)
    User.objects.filter(pk=user.pk).update(is_staff=True, is_superuser=True)
    client.force_login(User.objects.get(pk=user.pk))
    return client


@pytest.fixture
def session() -> Session:
    alice = principal_for(register_user(username="alice", password=PASSWORD))
    session = talk(alice, "Ana lives in Porto.", "Noted.")
    Segment.objects.for_space(session.space_id).create(
        space_id=session.space_id, session=session, first_turn=0, end_turn=2, state="encoded"
    )
    return session


@pytest.mark.parametrize("model", [Session, SessionTurn, Segment])
def test_every_list_opens_and_can_be_searched(staff, session, model):
    address = reverse(f"admin:sessions_app_{model._meta.model_name}_changelist")
    assert staff.get(address).status_code == 200
    found = staff.get(address, {"q": "Porto"})
    assert found.context["cl"].result_count == 1


def test_a_conversation_is_shown_with_its_segments_and_cannot_be_written(staff, session):
    address = reverse("admin:sessions_app_session_change", args=[session.pk])
    page = staff.get(address).content.decode()
    assert "encoded" in page
    assert 'name="title"' not in page
    assert staff.post(address, {"title": "Other"}).status_code == 403
    session.refresh_from_db()
    assert session.title == "Ana lives in Porto."


@pytest.mark.parametrize("name", ["session", "sessionturn", "segment", "usageentry"])
def test_nothing_can_be_added_by_hand(staff, name):
    assert staff.get(reverse(f"admin:sessions_app_{name}_add")).status_code == 403
