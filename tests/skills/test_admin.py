"""The administration of skills: the same services, the same trail."""

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import AuditEvent, User
from accounts.principals import Principal
from skills.domain.types import SkillText
from skills.models import Skill, SkillEvidence
from skills.services.curate import create_skill
from tests.skills.teaching import DEPLOY, only, teach

LIST = reverse("admin:skills_skill_changelist")


@pytest.fixture
def skill(alice: Principal) -> Skill:
    teach(alice, DEPLOY)
    return only(alice)


def change_url(skill: Skill) -> str:
    return reverse("admin:skills_skill_change", args=[skill.pk])


def correction(**changes: str) -> dict[str, str]:
    formsets = {
        f"{name}-{what}_FORMS": "0" for name in ("versions", "evidence") for what in ("TOTAL", "INITIAL")
    }
    same = {
        "intent": DEPLOY.intent,
        "doc_markdown": DEPLOY.doc_markdown,
        "preconditions": "[]",
        "tools": "[]",
    }
    return {"seen_version": "1", "state": "active", **same, **formsets, **changes}


def do(staff: Client, action: str, *skills: Skill) -> str:
    chosen = {"action": action, "_selected_action": [str(skill.pk) for skill in skills]}
    reply = staff.post(LIST, chosen, follow=True)
    assert reply.status_code == 200
    return str(reply.content.decode())


def test_lists_search_and_filters_work(staff: Client, skill: Skill) -> None:
    for query in ("", "?q=deploy", "?state=active", "?flagged_because__isempty=1", "?private_to__isempty=1"):
        assert DEPLOY.intent in staff.get(LIST + query).content.decode()
    assert DEPLOY.intent not in staff.get(LIST + "?state=retired").content.decode()
    evidence = reverse("admin:skills_skillevidence_changelist")
    assert staff.get(evidence, {"q": str(skill.session_id)}).status_code == 200


def test_a_skill_is_shown_with_its_versions_and_what_it_rests_on(staff: Client, skill: Skill) -> None:
    page = staff.get(change_url(skill)).content.decode()
    assert "Run `make build`" in page
    assert str(SkillEvidence.everyone.get().session_id) in page


def test_a_correction_is_a_version_by_whoever_made_it(staff: Client, skill: Skill) -> None:
    reply = staff.post(change_url(skill), correction(doc_markdown="1. Ask Bob"), follow=True)
    assert reply.status_code == 200
    skill.refresh_from_db()
    assert (skill.doc_markdown, skill.number, skill.state) == ("1. Ask Bob", 2, "active")
    event = AuditEvent.objects.get(object_id=skill.id, action="skill.edited")
    assert event.user_id == User.objects.get(username="root").id


def test_a_correction_of_an_older_version_changes_nothing(staff: Client, skill: Skill) -> None:
    Skill.everyone.filter(pk=skill.pk).update(version=2)
    page = staff.post(change_url(skill), correction(doc_markdown="1. Ask Bob"), follow=True).content.decode()
    assert "Somebody has changed this meanwhile" in page
    skill.refresh_from_db()
    assert skill.doc_markdown == DEPLOY.doc_markdown


def test_states_and_deletion_by_action(staff: Client, alice: Principal, skill: Skill) -> None:
    other = create_skill(alice, SkillText("Bake bread", "1. Bake"))
    for action, state in (("retire", "retired"), ("put_back", "draft"), ("activate", "active")):
        assert "2 changed." in do(staff, action, skill, other)
        assert set(Skill.everyone.values_list("state", flat=True)) == {state}
    assert "1 changed." in do(staff, "erase", other)
    assert Skill.everyone.count() == 1


def test_a_private_skill_is_not_changed_by_others(staff: Client, alice: Principal) -> None:
    teach(alice, DEPLOY, private=True)
    private = only(alice)
    assert DEPLOY.intent not in staff.get(LIST).content.decode()
    assert staff.get(change_url(private)).status_code == 302
    assert "0 changed." in do(staff, "retire", private)
    assert "0 changed." in do(staff, "erase", private)
    staff.post(change_url(private), correction(doc_markdown="1. Mine"))
    private.refresh_from_db()
    assert (private.state, private.doc_markdown) == ("active", DEPLOY.doc_markdown)


def test_skills_are_neither_added_nor_deleted_past_the_services(staff: Client, skill: Skill) -> None:
    assert staff.get(reverse("admin:skills_skill_add")).status_code == 403
    assert (
        staff.post(reverse("admin:skills_skill_delete", args=[skill.pk]), {"post": "yes"}).status_code == 403
    )
