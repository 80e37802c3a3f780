"""X-Request-ID and traceparent on every response."""

import re

import pytest
from django.test import Client

UUID = re.compile(r"[0-9a-f-]{36}")


def test_a_request_without_an_id_gets_one(db: None) -> None:
    assert UUID.fullmatch(Client().get("/nothing")["X-Request-ID"])


def test_a_well_formed_id_comes_back(db: None) -> None:
    assert Client().get("/nothing", headers={"X-Request-ID": "run-7.a"})["X-Request-ID"] == "run-7.a"


@pytest.mark.parametrize("given", ["", " ", "a b", "é", "x" * 129, "a\tb", "<script>"])
def test_a_malformed_id_is_replaced(db: None, given: str) -> None:
    assert UUID.fullmatch(Client().get("/nothing", headers={"X-Request-ID": given})["X-Request-ID"])


def test_the_trace_is_passed_on(db: None) -> None:
    parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
    assert Client().get("/nothing", headers={"traceparent": parent})["traceparent"] == parent
    assert "traceparent" not in Client().get("/nothing", headers={"traceparent": "x"})


def test_a_refusal_keeps_the_headers_that_were_set_within(db: None) -> None:
    reply = Client().get("/nothing")
    assert "default-src 'none'" in reply["Content-Security-Policy"]
    assert reply["X-Content-Type-Options"] == "nosniff"
    assert reply["Content-Type"] == "application/problem+json"


@pytest.mark.parametrize(
    ("accept", "kind"),
    [
        ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "text/html; charset=utf-8"),
        ("*/*", "application/problem+json"),
        ("application/json", "application/problem+json"),
        ("text/html;q=0.1, application/*", "application/problem+json"),
    ],
)
def test_an_address_that_is_none_is_told_in_the_callers_form(db: None, accept: str, kind: str) -> None:
    reply = Client().get("/nothing", headers={"Accept": accept})
    assert (reply.status_code, reply["Content-Type"]) == (404, kind)
    assert "Accept" in reply["Vary"]
