"""The members of a space and new spaces, in the browser."""

import pytest
from django.urls import reverse

from accounts.models import Membership
from accounts.services.users import register_user
from tests.sessions_app.conftest import PASSWORD
from tests.sessions_app.views.conftest import talk

MEMBERS = reverse("sessions:members", args=["garden"])
NEW_SPACE = reverse("sessions:space-new", args=["alice"])


def act(name: str, username: str, space: str = "garden") -> str:
    return reverse(f"sessions:member-{name}", args=[space, username])


def role_of(username: str, space: str = "garden") -> str | None:
    found = Membership.objects.filter(space__slug=space, user__username=username)
    return found.values_list("role", flat=True).first()


def test_an_owner_lets_somebody_in(browse, alice, charlie):
    reply = browse(alice).post(MEMBERS, {"username": "charlie", "role": "editor"}, follow=True)
    assert "Charlie is a member now." in reply.content.decode()
    assert role_of("charlie") == "editor"
    assert "Garden" in browse(charlie).get(reverse("sessions:chat-new", args=["charlie"])).content.decode()


@pytest.mark.parametrize(
    ("username", "said"),
    [("nobody", "There is no such person here."), ("bob", "a member already"), ("", "required")],
)
def test_why_nobody_was_let_in_is_said_beside_the_name(browse, alice, username, said):
    reply = browse(alice).post(MEMBERS, {"username": username, "role": "owner"})
    assert reply.status_code == 422
    assert said in str(reply.context["form"].errors["username"])
    assert role_of("bob") == "editor"


def test_a_role_is_changed_and_the_last_owners_is_not(browse, alice):
    client = browse(alice)
    told = client.post(act("role", "bob"), {"bob-role": "owner"}, follow=True).content.decode()
    assert "Bob is owner now." in told
    client.post(act("role", "bob"), {"bob-role": "viewer"})
    told = client.post(act("role", "alice"), {"alice-role": "viewer"}, follow=True).content.decode()
    assert "at least one owner" in told
    told = client.post(act("role", "bob"), {"bob-role": "king"}, follow=True).content.decode()
    assert "A role is owner, editor or viewer." in told
    assert (role_of("alice"), role_of("bob")) == ("owner", "viewer")


def test_removing_says_what_stays_and_hides_what_was_private(browse, alice, bob):
    private, shared = talk(bob, "A secret.", name="s", private=True), talk(bob, "Known.", name="k")
    client = browse(alice)
    assert "Their private conversations" in client.get(act("remove", "bob")).content.decode()
    told = client.post(act("remove", "bob"), follow=True).content.decode()
    assert "Bob is no member any more." in told
    assert client.get(reverse("sessions:chat", args=["garden", private.id])).status_code == 404
    assert client.get(reverse("sessions:chat", args=["garden", shared.id])).status_code == 200
    assert browse(bob).get(MEMBERS).status_code == 404


def test_a_member_leaves_and_the_last_owner_cannot(browse, alice, vera):
    told = browse(vera).post(act("remove", "vera"), follow=True).content.decode()
    assert "You have left the space." in told
    assert role_of("vera") is None
    told = browse(alice).post(act("remove", "alice"), follow=True).content.decode()
    assert "at least one owner" in told
    assert role_of("alice") == "owner"


def test_others_than_owners_see_who_belongs_and_change_nothing(browse, bob, vera):
    for who in (bob, vera):
        client = browse(who)
        shown = client.get(MEMBERS).content.decode()
        assert "Alice" in shown
        assert act("role", "alice") not in shown
        assert act("remove", who.username) in shown
        assert client.post(MEMBERS, {"username": "charlie", "role": "viewer"}).status_code == 403
        assert client.post(act("role", who.username), {f"{who.username}-role": "owner"}).status_code == 403
        assert client.get(act("remove", "alice")).status_code == 403
        assert client.post(act("remove", "alice")).status_code == 403
    assert (role_of("alice"), role_of("charlie")) == ("owner", None)


def test_who_is_no_member_and_who_is_nobody_look_alike(browse, alice, charlie):
    for username in ("charlie", "nobody"):
        assert browse(alice).get(act("remove", username)).status_code == 404
        assert browse(alice).post(act("role", username)).status_code == 404


def test_a_space_is_made_and_leads_to_its_members(browse, alice):
    reply = browse(alice).post(NEW_SPACE, {"name": "The Silva family", "slug": ""}, follow=True)
    assert reply.redirect_chain[-1][0] == reverse("sessions:members", args=["the-silva-family"])
    assert role_of("alice", "the-silva-family") == "owner"
    assert "Let somebody in" in reply.content.decode()


@pytest.mark.parametrize("slug", ["garden", "Two words", "all", "-x"])
def test_an_address_that_cannot_be_had_is_said_beside_it(browse, alice, slug):
    reply = browse(alice).post(NEW_SPACE, {"name": "Ours", "slug": slug})
    assert reply.status_code == 422
    assert reply.context["form"].errors["slug"]


def test_the_menu_leads_to_new_spaces_everywhere_and_to_members_where_there_may_be_some(browse, alice):
    personal = browse(alice).get(reverse("sessions:chat-new", args=["alice"])).content.decode()
    assert NEW_SPACE in personal
    assert reverse("sessions:members", args=["alice"]) not in personal
    assert MEMBERS in browse(alice).get(reverse("sessions:chat-new", args=["garden"])).content.decode()
    alone = browse(alice).get(reverse("sessions:members", args=["alice"])).content.decode()
    assert "nobody else sees it" in alone


def test_a_name_with_signs_of_its_own_has_its_pages(browse, alice):
    register_user(username="ana.m+1@x", password=PASSWORD)
    client = browse(alice)
    client.post(MEMBERS, {"username": "ana.m+1@x", "role": "viewer"})
    assert client.get(act("remove", "ana.m+1@x")).status_code == 200
    client.post(act("role", "ana.m+1@x"), {"ana.m+1@x-role": "editor"})
    assert role_of("ana.m+1@x") == "editor"
