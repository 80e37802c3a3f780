"""The person's zone, the one-time password, the administration's policy."""

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory
from django.utils import timezone

from accounts.middleware import ADMIN_POLICY, AdminPolicyMiddleware, PersonMiddleware
from accounts.models import User


def handle(user: User, path: str = "/app/") -> tuple[HttpResponse, list[str]]:
    zones: list[str] = []

    def view(request: HttpRequest) -> HttpResponse:
        zones.append(timezone.get_current_timezone_name())
        return HttpResponse()

    request = RequestFactory().get(path)
    request.user = user
    return PersonMiddleware(view)(request), zones


def test_pages_are_in_the_persons_zone_and_the_next_request_is_not():
    _response, zones = handle(User(username="alice", time_zone="Asia/Tokyo"))
    assert zones == ["Asia/Tokyo"]
    assert timezone.get_current_timezone_name() == "UTC"


@pytest.mark.parametrize("path", ["/app/", "/app/s/alice/memory/", "/admin/"])
def test_a_one_time_password_stops_every_page(path):
    response, zones = handle(User(username="alice", must_change_password=True), path)
    assert response.status_code == 302
    assert zones == []


@pytest.mark.parametrize("path", ["/app/password/", "/app/sign-out/", "/static/css/base.css"])
def test_a_one_time_password_lets_through_what_its_change_needs(path):
    response, _zones = handle(User(username="alice", must_change_password=True), path)
    assert response.status_code == 200


@pytest.mark.parametrize(
    ("path", "is_relaxed"), [("/admin/", True), ("/app/", False), ("/app/admin/", False)]
)
def test_only_the_administration_gets_the_relaxed_policy(path, is_relaxed):
    response = AdminPolicyMiddleware(lambda request: HttpResponse())(RequestFactory().get(path))
    assert getattr(response, "_csp_update", None) == (ADMIN_POLICY if is_relaxed else None)


def test_the_relaxed_policy_still_loads_nothing_from_elsewhere():
    sources = {source for sources in ADMIN_POLICY.values() for source in sources}
    assert sources == {"'unsafe-eval'", "'unsafe-inline'", "data:"}
