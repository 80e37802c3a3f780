"""Skills in the indexes: made anew from the rows, checked and mended like everything else."""

from accounts.principals import Principal
from memory.domain.types import Kind
from memory.models import IndexedItem
from memory.services.reindex import check_space, rebuild_space, repair_space
from skills.models import Skill
from skills.services.curate import delete_skill
from skills.stores.source import NO_SESSION, SkillRows, skill_item
from tests.skills.teaching import BREAD, DEPLOY, ask, skills_of, teach

HOW = "How do I deploy the web service?"


def test_rebuilt_indexes_find_what_they_found(alice: Principal) -> None:
    teach(alice, DEPLOY, BREAD)
    before = ask(alice, HOW)
    rebuild_space(alice.space_id)
    assert ask(alice, HOW) == before
    assert check_space(alice.space_id).total == 0


def test_what_the_indexes_lost_is_told_and_mended(alice: Principal) -> None:
    teach(alice, DEPLOY)
    IndexedItem.objects.filter(space_id=alice.space_id, kind=Kind.SKILL).delete()
    drift = check_space(alice.space_id)
    (skill,) = skills_of(alice)
    assert drift.kinds[Kind.SKILL].missing == {skill.id}
    assert ask(alice, HOW) == ()
    repair_space(alice.space_id, drift)
    assert [hit.id for hit in ask(alice, HOW)] == [skill.id]


def test_a_deleted_skill_leaves_nothing_in_them(alice: Principal) -> None:
    teach(alice, DEPLOY, BREAD)
    for skill in skills_of(alice):
        delete_skill(alice, skill.id)
    assert check_space(alice.space_id).total == 0
    assert not IndexedItem.objects.filter(space_id=alice.space_id, kind=Kind.SKILL).exists()


def test_rows_are_scanned_in_batches_each_once(alice: Principal, charlie: Principal) -> None:
    teach(alice, DEPLOY, BREAD)
    teach(charlie, DEPLOY)
    batches = list(SkillRows().scan(alice.space_id, batch=1))
    assert [[item.text for item in batch] for batch in batches] == [[DEPLOY.intent], [BREAD.intent]]
    foreign = Skill.objects.for_space(charlie.space_id).get()
    assert SkillRows().current(alice.space_id, [foreign.id]) == {}


def test_a_skill_of_no_session_is_hidden_by_none() -> None:
    assert skill_item(Skill(intent="Do it")).session_id == NO_SESSION
