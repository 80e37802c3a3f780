"""`/spaces/{slug}/members`: who belongs to a space."""

from accounts.models import Membership
from tests.api.cast import Cast, person, pointers, problem

MEMBERS = "/spaces/space-a/members"


def test_an_owner_lets_in_changes_and_takes_out(cast: Cast) -> None:
    dora = person("dora", "space-a")
    assert dora.get("/sessions").status_code == 404
    added = cast.alice.post(MEMBERS, {"username": "dora"})
    assert (added.status_code, added.json()["role"], added.json()["is_you"]) == (201, "viewer", False)
    assert dora.get("/sessions").status_code == 200
    assert cast.alice.patch(f"{MEMBERS}/dora", {"role": "editor"}).json()["role"] == "editor"
    listed = dora.get(MEMBERS).json()
    assert [(each["username"], each["role"], each["is_you"]) for each in listed["items"]] == [
        ("alice", "owner", False),
        ("dora", "editor", True),
    ]
    assert cast.alice.delete(f"{MEMBERS}/dora").status_code == 204
    problem(dora.get("/sessions"), 404, "not_found")
    problem(dora.get(MEMBERS), 404, "not_found")


def test_what_a_removed_member_kept_private_is_seen_by_nobody_and_theirs_again_later(cast: Cast) -> None:
    turn = {"session_id": "mine", "role": "user", "content": "My hideout is Quixotembra."}
    assert cast.vera.post("/memory/append-turn", turn).status_code == 200
    uuid = cast.vera.get("/sessions").json()["items"][0]["session_uuid"]
    cast.alice.delete(f"{MEMBERS}/vera")
    problem(cast.alice.get(f"/memory/session/{uuid}"), 404, "not_found")
    found = cast.alice.post("/memory/search", {"query": "Where is the hideout Quixotembra?"})
    assert "Quixotembra." not in found.content.decode()
    cast.alice.post(MEMBERS, {"username": "vera"})
    assert (
        cast.vera.get(f"/memory/session/{uuid}").json()["turns"][0]["content"] == "My hideout is Quixotembra."
    )


def test_others_than_owners_may_look_and_leave(cast: Cast) -> None:
    for who in (cast.bob, cast.vera):
        assert who.get(MEMBERS).json()["total"] >= 2
        problem(who.post(MEMBERS, {"username": "charlie"}), 403, "forbidden")
        problem(who.patch(f"{MEMBERS}/alice", {"role": "viewer"}), 403, "forbidden")
        problem(who.delete(f"{MEMBERS}/alice"), 403, "forbidden")
    assert cast.bob.delete(f"{MEMBERS}/bob").status_code == 204


def test_the_last_owner_is_kept(cast: Cast) -> None:
    problem(cast.alice.patch(f"{MEMBERS}/alice", {"role": "editor"}), 409, "conflict")
    problem(cast.alice.delete(f"{MEMBERS}/alice"), 409, "conflict")
    assert Membership.objects.get(space__slug="space-a").role == "owner"


def test_a_faulty_request_names_its_field(cast: Cast) -> None:
    unknown = problem(cast.alice.post(MEMBERS, {"username": "nobody"}), 422, "invalid_input")
    assert pointers(unknown) == {"/username"}
    odd = problem(cast.alice.post(MEMBERS, {"username": "bob", "role": "king"}), 422, "invalid_input")
    assert pointers(odd) == {"/role"}
    assert cast.bob.space == "space-a"
    again = problem(cast.alice.post(MEMBERS, {"username": "bob"}), 409, "member_already")
    assert pointers(again) == {"/username"}
    problem(cast.alice.get("/spaces/nowhere/members"), 404, "not_found")
