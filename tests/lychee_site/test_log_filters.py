"""A server that is still warming up does not fill the log with errors."""

import pytest
from django.test import Client

from api.rest import health

pytestmark = pytest.mark.django_db


def test_not_being_ready_is_an_answer_and_other_refusals_are_logged(caplog, monkeypatch):
    monkeypatch.setattr(health, "is_warming", lambda: True)
    assert Client().get("/readyz").status_code == 503
    assert caplog.messages == []
    assert Client().get("/nowhere").status_code == 404
    assert caplog.messages == ["Not Found: /nowhere"]
