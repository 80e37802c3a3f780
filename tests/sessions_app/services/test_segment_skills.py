"""From what is said to skills, by rules alone and through the doors' own services."""

from typing import Any

import pytest

from accounts.principals import Principal
from accounts.services.jobs import run_job
from sessions_app.domain.types import NewTurn
from sessions_app.services.consolidate import request_consolidation
from sessions_app.services.sessions import open_session
from sessions_app.services.turns import append_turns
from skills.domain.types import SkillState
from skills.models import Skill

HOW = "Here's how to deploy the web service:\n1. Run `make build`\n2. Push the image\n3. Restart the pods"
BOOKING = [
    NewTurn("user", "Please book a flight to Lisbon."),
    NewTurn("assistant", "I look for flights."),
    NewTurn("tool", "3 flights found", speaker="search_flights"),
    NewTurn("tool", "booked", speaker="book_flight"),
    NewTurn("assistant", "Done."),
    NewTurn("user", "Thanks, that worked!"),
]


def file(
    who: Principal, name: str, *turns: NewTurn, private: bool | None = None, skip_skills: bool = False
) -> dict[str, Any]:
    session = open_session(who, name, private=private)
    append_turns(who, session, turns)
    job = request_consolidation(who, session, flush=True, skip_skills=skip_skills)
    result: dict[str, Any] = run_job(job.id).result
    return result


def skills(who: Principal) -> list[tuple[str, str]]:
    rows = Skill.objects.visible_to(who.space_id, who.user_id).order_by("id")
    return [(row.intent, row.state) for row in rows]


def test_an_explanation_becomes_an_active_skill_and_is_counted(alice: Principal) -> None:
    result = file(alice, "work", NewTurn("user", HOW))
    assert skills(alice) == [("Deploy the web service", "active")]
    assert (result["skills_added"], result["skill_versions"]) == (1, 0)
    (step,) = result["steps"]
    assert (step["skills_added"], step["skills_seen_again"]) == (1, 0)


def test_tools_used_with_success_become_a_draft_with_their_names(alice: Principal) -> None:
    file(alice, "trip", *BOOKING)
    row = Skill.objects.for_space(alice.space_id).get()
    assert (row.intent, row.state) == ("Book a flight to Lisbon", SkillState.DRAFT)
    assert row.tools == ["search_flights", "book_flight"]
    file(alice, "trip again", *BOOKING)
    assert skills(alice) == [("Book a flight to Lisbon", "active")]


def test_skip_skills_learns_none(alice: Principal) -> None:
    result = file(alice, "work", NewTurn("user", HOW), skip_skills=True)
    assert (skills(alice), result["skills_added"]) == ([], 0)
    assert result["records_added"] > 0


def test_what_is_said_in_private_stays_private(alice: Principal, bob: Principal) -> None:
    file(alice, "secret", NewTurn("user", HOW), private=True)
    assert skills(alice) == [("Deploy the web service", "active")]
    assert skills(bob) == []


@pytest.mark.parametrize(
    "text", ["How do I deploy the web service?", "I like tea.", "My list:\n1. Milk\n2. Eggs"]
)
def test_what_teaches_nothing_makes_no_skill(alice: Principal, text: str) -> None:
    file(alice, "talk", NewTurn("user", text))
    assert skills(alice) == []
