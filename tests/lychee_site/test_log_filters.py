"""The console tells what the operator can mend, not what callers got wrong."""

import pytest
from django.test import Client

from api.rest import health

pytestmark = pytest.mark.django_db


def test_not_being_ready_is_an_answer_and_other_refusals_are_logged(caplog, monkeypatch):
    monkeypatch.setattr(health, "is_warming", lambda: True)
    assert Client().get("/readyz").status_code == 503
    assert caplog.messages == []
    assert Client().get("/app/nowhere/").status_code == 404
    assert caplog.messages == ["Not Found: /app/nowhere/"]


def test_a_refusal_of_the_api_is_its_callers_affair(caplog):
    assert Client().get("/auth/me").status_code == 401
    assert Client().post("/auth/login", {}, "application/json").status_code == 422
    assert Client().delete("/auth/login").status_code == 405
    assert caplog.messages == []
    assert Client().get("/nowhere").status_code == 404
    assert caplog.messages == ["Not Found: /nowhere"]
