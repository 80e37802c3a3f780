"""`GET /memory/communities`: who is told of together, with what is told of them."""

from typing import Any

import pytest

from memory.models import Community
from memory.services.communities import refresh_communities
from tests.api.cast import Cast, Person, problem

TRIOS = (("Ana", "Ben", "Cleo"), ("Dora", "Emil", "Fred", "Gina"))


def tell(who: Person, names: tuple[str, ...], **more: Any) -> None:
    """Two facts that name them all."""
    for verb in ("sail", "climb"):
        text = f"{', '.join(names[:-1])} and {names[-1]} {verb} together."
        reply = who.post("/memory/records", {"semantic_text": text, "entities": list(names), **more})
        assert reply.status_code == 201, reply.content


@pytest.fixture
def told(cast: Cast) -> Cast:
    for names in TRIOS:
        tell(cast.alice, names)
    refresh_communities(cast.alice.principal.space_id)
    return cast


def listed(who: Person, **query: Any) -> dict[str, Any]:
    reply = who.get("/memory/communities", query)
    assert reply.status_code == 200, reply.content
    body: dict[str, Any] = reply.json()
    return body


def names(community: dict[str, Any]) -> list[str]:
    return [member["name"] for member in community["members"]]


def test_the_largest_come_first_with_members_by_name_and_their_records(told: Cast) -> None:
    body = listed(told.alice)
    assert [names(item) for item in body["items"]] == [list(TRIOS[1]), list(TRIOS[0])]
    assert (body["total"], body["next_cursor"]) == (2, None)
    largest = body["items"][0]
    assert largest["size"] == 4
    assert [record["semantic_text"].split()[-2] for record in largest["records"]] == ["climb", "sail"]
    record = largest["records"][0]
    assert told.alice.get(f"/memory/records/{record['record_id']}").json() == record


def test_pages_are_disjoint_and_whole(told: Cast) -> None:
    first = listed(told.alice, limit=1)
    second = listed(told.alice, limit=1, cursor=first["next_cursor"])
    assert [names(item) for item in (*first["items"], *second["items"])] == [list(TRIOS[1]), list(TRIOS[0])]
    assert (second["total"], second["next_cursor"]) == (2, None)


@pytest.mark.parametrize("cursor", ["x", "4", "4:", ":4", "4:nobody", "٤:x", f"{'9' * 30}:x"])
def test_a_strange_cursor_is_refused(told: Cast, cursor: str) -> None:
    problem(told.alice.get("/memory/communities", {"cursor": cursor}), 422, "invalid_input")


def test_members_see_those_of_the_space_and_their_own_private_ones(told: Cast) -> None:
    tell(told.bob, ("Hugo", "Ida", "Jon"), private=True)
    refresh_communities(told.alice.principal.space_id)
    assert listed(told.bob)["total"] == 3
    assert listed(told.vera)["total"] == 2
    assert "Hugo" not in str(listed(told.alice))
    assert listed(told.charlie) == {"items": [], "total": 0, "next_cursor": None}


def test_what_was_expired_is_not_told(told: Cast) -> None:
    record = listed(told.alice)["items"][0]["records"][0]
    told.alice.post(f"/memory/records/{record['record_id']}/expire", {})
    left = listed(told.alice)["items"][0]["records"]
    assert record["record_id"] not in {item["record_id"] for item in left}
    assert len(left) == 1


def test_a_memory_without_any_has_an_empty_list(cast: Cast) -> None:
    assert listed(cast.alice)["items"] == []
    assert not Community.everyone.exists()
