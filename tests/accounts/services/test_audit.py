"""The audit trail keeps values as JSON, and forgets them when their object is erased."""

from datetime import UTC, datetime
from uuid import uuid4

import pytest

from accounts.models import AuditEvent
from accounts.services.audit import forget_values, record_audit

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 5, 4, 12, tzinfo=UTC)


def line(object_id, space_id, **values):
    told = {"action": "record.edited", "object_type": "record", "object_id": object_id, "space_id": space_id}
    record_audit(user_id=None, **(told | values))


def test_values_are_kept_beside_the_names_of_their_fields():
    thing, other = uuid4(), uuid4()
    line(thing, uuid4(), changes={"valid_to": (None, NOW), "by": (other, "x")}, version=3)
    event = AuditEvent.objects.get()
    assert event.changes == {"valid_to": [None, "2026-05-04T12:00:00+00:00"], "by": [str(other), "x"]}
    assert (event.fields, event.version) == (["valid_to", "by"], 3)


def test_a_line_without_values_names_its_fields():
    line(uuid4(), None, fields=("name",))
    assert (AuditEvent.objects.get().fields, AuditEvent.objects.get().changes) == (["name"], {})


def test_the_values_of_one_object_are_forgotten_and_the_rest_stays():
    space, thing, other = uuid4(), uuid4(), uuid4()
    for object_id in (thing, other):
        line(object_id, space, changes={"text": ("old", "new")})
    assert forget_values(space, thing) == 1
    assert forget_values(space, thing) == 0
    assert {event.object_id: event.changes for event in AuditEvent.objects.all()} == {
        thing: {},
        other: {"text": ["old", "new"]},
    }
    assert AuditEvent.objects.get(object_id=thing).fields == ["text"]
