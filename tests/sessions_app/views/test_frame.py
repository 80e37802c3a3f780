"""From a signed-in request to a principal, and the frame around every page."""

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.test import RequestFactory

from accounts.errors import Forbidden, InvalidInput, LycheeError, NotFound
from accounts.models import User
from accounts.principals import Principal, principal_for
from accounts.services.spaces import create_space
from sessions_app.views.frame import frame, space_page
from tests.sessions_app.views.conftest import talk

pytestmark = pytest.mark.django_db


def ask(person: User | AnonymousUser, space: str, error: LycheeError | None = None) -> HttpResponse:
    @space_page
    def view(request: HttpRequest, principal: Principal) -> HttpResponse:
        if error:
            raise error
        return HttpResponse(f"{principal.username} in {principal.space_slug} as {principal.role}")

    request = RequestFactory().get("/app/")
    request.user = person
    return view(request, space=space)


def user_of(principal: Principal) -> User:
    return User.objects.get(pk=principal.user_id)


def test_a_view_gets_who_asks_in_which_space_and_is_never_cached(alice):
    response = ask(user_of(alice), "garden")
    assert response.content == b"alice in garden as owner"
    assert "no-store" in response["Cache-Control"]


def test_someone_who_did_not_sign_in_is_led_to_the_door():
    assert ask(AnonymousUser(), "garden").status_code == 302


@pytest.mark.parametrize("space", ["garden", "nowhere"])
def test_a_foreign_space_and_a_missing_one_are_no_page(charlie, space):
    with pytest.raises(Http404):
        ask(user_of(charlie), space)


@pytest.mark.parametrize(
    ("error", "becomes"), [(NotFound(), Http404), (InvalidInput(), Http404), (Forbidden(), PermissionDenied)]
)
def test_a_services_refusal_becomes_a_page(alice, error, becomes):
    with pytest.raises(becomes):
        ask(user_of(alice), "garden", error)


def test_the_frame_knows_the_space_and_whether_others_share_it(alice, charlie):
    shared, alone = frame(alice, place="new"), frame(charlie, place="new")
    assert (shared["space_name"], shared["is_shared_space"]) == ("Garden", True)
    assert alone["is_shared_space"] is False


def test_a_space_made_to_be_shared_is_one_before_anybody_joins(charlie):
    user = user_of(charlie)
    create_space(user, slug="club", name="The club")
    assert frame(principal_for(user, "club"), place="new")["is_shared_space"] is True


def test_the_frame_lists_the_spaces_of_its_reader(alice):
    shared = frame(alice, place="new")
    assert [space.slug for space in shared["spaces"]] == ["alice", "garden"]


def test_the_frame_lists_what_its_reader_may_see(alice, bob):
    talk(alice, "For everyone.", name="shared")
    talk(alice, "For me.", name="own", private=True)
    assert [item.title for item in frame(alice, place="")["sessions"]] == ["For me.", "For everyone."]
    assert [item.title for item in frame(bob, place="")["sessions"]] == ["For everyone."]
