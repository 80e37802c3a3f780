"""`/openapi.json` and `/docs`: complete, local, under one named relaxation of the policy."""

import re
from typing import Any

import pytest
from django.contrib.staticfiles import finders
from django.test import Client

from api.rest.docs import DOCS_POLICY

PUBLIC = {"/auth/register", "/auth/login", "/auth/refresh", "/health", "/livez", "/readyz"}


@pytest.fixture
def document(db: None) -> dict[str, Any]:
    found: dict[str, Any] = Client().get("/openapi.json").json()
    return found


def operations(document: dict[str, Any]) -> list[tuple[str, str, dict[str, Any]]]:
    return [
        (method, path, operation)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    ]


def policy(path: str) -> dict[str, set[str]]:
    header = Client().get(path)["Content-Security-Policy"]
    return {words[0]: set(words[1:]) for part in header.split("; ") if (words := part.split())}


def test_the_document_is_openapi_3_1(document: dict[str, Any]) -> None:
    assert document["openapi"].startswith("3.1")
    assert document["info"]["title"] == "Lychee Memory"


def test_every_operation_says_what_it_does_and_that_refusals_are_problems(document: dict[str, Any]) -> None:
    assert len(operations(document)) > 25
    for method, path, operation in operations(document):
        assert operation["summary"], path
        assert operation["description"], (method, path)
        assert list(operation["responses"]["default"]["content"]) == ["application/problem+json"]


def test_every_operation_but_the_public_ones_needs_a_credential(document: dict[str, Any]) -> None:
    for _method, path, operation in operations(document):
        assert ("security" in operation) is (path not in PUBLIC), path
    assert document["components"]["securitySchemes"]["Credentials"]["scheme"] == "bearer"


def test_every_reference_leads_somewhere(document: dict[str, Any]) -> None:
    schemas = document["components"]["schemas"]
    for name in re.findall(r"'#/components/schemas/([^']+)'", str(document)):
        assert name in schemas


def test_operation_ids_are_unique(document: dict[str, Any]) -> None:
    ids = [operation["operationId"] for _method, _path, operation in operations(document)]
    assert len(ids) == len(set(ids))


def test_the_page_loads_local_assets_only(db: None) -> None:
    html = Client().get("/docs").content.decode()
    addresses = re.findall(r'(?:src|href)="([^"]+)"', html)
    assert addresses
    for address in addresses:
        assert address.startswith("/static/ninja/"), address
        assert finders.find(address.removeprefix("/static/")), address
    assert "<script>" not in html
    assert "style=" not in html


def test_the_page_relaxes_styles_and_images_and_nothing_else(db: None) -> None:
    strict, relaxed = policy("/nothing"), policy("/docs")
    for directive, sources in relaxed.items():
        assert sources - strict[directive] == set(DOCS_POLICY.get(directive, []))
    assert relaxed.keys() == strict.keys()
    assert relaxed["script-src"] == {"'self'"}


def test_every_other_address_keeps_the_strict_policy(db: None) -> None:
    assert "unsafe" not in Client().get("/health")["Content-Security-Policy"]
    assert "data:" not in Client().get("/auth/me")["Content-Security-Policy"]
