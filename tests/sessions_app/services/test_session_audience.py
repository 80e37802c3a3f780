"""A session changes hands with all that came of it: what others knew and said themselves stays theirs."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from django.apps import apps
from django.core import serializers
from django.utils import timezone

from accounts.errors import Conflict, Forbidden, NotFound
from accounts.models import AuditEvent, Job, User
from accounts.principals import principal_for
from accounts.services.jobs import run_job
from accounts.services.spaces import create_space
from accounts.tenancy import SpaceOwned
from memory.domain.types import EncodedSkill, Reader, RecallRequest
from memory.models import (
    CompositeRecord,
    Entity,
    EntityName,
    EvidenceNode,
    IndexedItem,
    MemoryRecord,
    Posting,
    RecordEvidence,
    Relation,
    RetrievalLog,
    SilencedTurn,
    UsageCount,
)
from memory.services import ingest
from memory.services.curate import expire_record
from memory.services.curate_merge import merge_records
from memory.services.curate_purge import purge_record
from memory.services.fuse import fuse_space
from memory.services.recall import recall
from memory.services.reindex import drain_outbox
from sessions_app.domain.types import NewTurn
from sessions_app.models import Segment, SessionTurn, Summary, TurnImage
from sessions_app.services.answers import begin_answer, clean_question
from sessions_app.services.consolidate import request_consolidation
from sessions_app.services.images import add_images
from sessions_app.services.session_meta import describe_session
from sessions_app.services.sessions import find_session, open_session
from sessions_app.services.turns import append_turns
from skills.models import Skill
from skills.services.curate import delete_skill
from skills.services.learn import learn_skills
from skills.services.learn_rows import Source
from tests.skills.teaching import told
from tests.visual.pictures import plain
from visual.domain.types import Upload
from visual.models import VisualRecord
from visual.services.remember import decode_images

pytestmark = pytest.mark.django_db

DAY = datetime(2026, 5, 4, 10, tzinfo=UTC)


def say(who, name, *texts, day=0, private=False):
    """Say it in a session of this name and have it filed."""
    session = open_session(who, name, private=private)
    turns = [
        NewTurn(role="user", content=text, said_at=DAY + timedelta(days=day, minutes=n))
        for n, text in enumerate(texts)
    ]
    append_turns(who, session, turns)
    assert run_job(request_consolidation(who, session, flush=True).id).state == "done"
    return session


def hide(who, session):
    return settle(who, describe_session(who, session, private=True))


def share(who, session):
    return settle(who, describe_session(who, session, private=False))


def settle(who, session):
    """What workers would do."""
    while job := Job.objects.for_space(who.space_id).filter(state="queued").first():
        assert run_job(job.id).state == "done"
    drain_outbox(who.space_id)
    fuse_space(who.space_id)
    return session


def records(who):
    """What this person's recall may show."""
    rows = MemoryRecord.objects.visible_to(who.space_id, who.user_id)
    return rows.filter(expired_at__isnull=True, superseded_at__isnull=True)


def texts(who):
    return sorted(records(who).values_list("semantic_text", flat=True))


def owned():
    return [model for model in apps.get_models() if issubclass(model, SpaceOwned)]


def seen_of(who, word):
    """The models of which this person sees a row that holds the word."""
    found = set()
    for model in owned():
        rows = model.objects.visible_to(who.space_id, who.user_id)
        if word in serializers.serialize("json", rows).casefold():
            found.add(model.__name__)
    items = IndexedItem.objects.filter(space_id=who.space_id).exclude(private_to__isnull=False)
    if any(word in terms for terms in items.values_list("terms", flat=True)):
        found.add("IndexedItem")
    if Posting.objects.filter(scope__space_id=who.space_id, scope__private_to=None, term=word).exists():
        found.add("Posting")
    return found


def picture(space_id):
    """The space by what it tells to whom, without any id: what a move must leave as it would be, had the
    session been so from its beginning.
    """
    rows = MemoryRecord.objects.for_space(space_id).filter(expired_at__isnull=True)
    told_by = {
        (
            *(row.private_to_id, row.semantic_text, row.superseded_at is not None, row.valid_to),
            *(row.said_at, row.seen_count),
            frozenset(row.evidence.values_list("turn_index", "said_at", "private_to_id")),
        )
        for row in rows
    }
    nodes = EvidenceNode.objects.for_space(space_id).exclude(kind="event_frame")
    named = set(nodes.exclude(kind="entity_topic").values_list("private_to_id", "kind", "label", "degree"))
    entities = {
        (row.private_to_id, row.key, row.canonical_name, frozenset(row.names.values_list("key", flat=True)))
        for row in Entity.objects.for_space(space_id)
    }
    related = set(
        Relation.objects.for_space(space_id).values_list(
            "private_to_id", "source__key", "type", "target__key", "record__semantic_text"
        )
    )
    composites = {
        (row.private_to_id, row.semantic_text, row.leaf_count)
        for row in CompositeRecord.objects.for_space(space_id)
    }
    scopes = {
        (entry.kind, entry.private_to_id, entry.scope.private_to_id, entry.terms)
        for entry in IndexedItem.objects.filter(space_id=space_id).select_related("scope")
    }
    return told_by, named, entities, related, composites, scopes


CONVERSATIONS = {
    "apart": (["I have a dog named Rex."], ["My sister Ana lives in Porto.", "I work as a carpenter."]),
    "the same words": (["I have a dog.", "I like tea."], ["I have a dog.", "I play chess."]),
    "theirs is fuller": (["I have a dog.", "I like tea."], ["I have a dog named Rex."]),
    "ours is fuller": (["I have a dog named Rex."], ["I have a dog."]),
    "a newer value": (["I live in Paris."], ["I moved to Berlin."]),
    "a value between": (["I live in Paris."], ["I moved to Berlin.", "I have a boat."]),
    "an end": (["I like tea."], ["I don't like tea any more."]),
    "one picture": (
        ["My dog Rex sleeps all day.", "My dog Rex likes to sleep all day long."],
        ["My dog Rex sleeps all day in the garden.", "My dog Rex sleeps on my bed all night."],
    ),
    "a relative": (["Mauzi is a cat.", "I like Mauzi."], ["My cat Mauzi sleeps all day."]),
}


@pytest.mark.parametrize("spoken", CONVERSATIONS.values(), ids=list(CONVERSATIONS))
@pytest.mark.parametrize("becomes", [True, False], ids=["hidden", "shared"])
def test_a_session_that_changed_hands_is_as_one_that_was_always_so(alice, spoken, becomes):
    kept, moved = spoken
    owner = User.objects.get(pk=alice.user_id)
    create_space(owner, slug="orchard", name="Orchard")
    other = principal_for(owner, "orchard")
    for who, private in ((alice, not becomes), (other, becomes)):
        say(who, "first", *kept)
        say(who, "second", *moved, day=3, private=private)
    describe_session(alice, find_session(alice, "second"), private=becomes)
    settle(alice, None)
    settle(other, None)
    for found, wanted in zip(picture(alice.space_id), picture(other.space_id), strict=True):
        assert found == wanted


@pytest.mark.parametrize("spoken", CONVERSATIONS.values(), ids=list(CONVERSATIONS))
def test_there_and_back_leaves_everything_as_it_was(alice, spoken):
    kept, moved = spoken
    say(alice, "first", *kept)
    session = say(alice, "second", *moved, day=3)
    before = picture(alice.space_id)
    hide(alice, session)
    share(alice, session)
    for found, wanted in zip(picture(alice.space_id), before, strict=True):
        assert found == wanted
    hide(alice, session)
    once = picture(alice.space_id)
    rows = MemoryRecord.objects.for_space(alice.space_id).count()
    share(alice, session)
    hide(alice, session)
    assert picture(alice.space_id) == once
    assert MemoryRecord.objects.for_space(alice.space_id).count() == rows


@pytest.mark.parametrize("spoken", CONVERSATIONS.values(), ids=list(CONVERSATIONS))
def test_the_first_session_may_go_too(alice, spoken):
    first, second = spoken
    session = say(alice, "first", *first)
    say(alice, "second", *second, day=3)
    before = picture(alice.space_id)
    hide(alice, session)
    assert {row.private_to_id for row in SessionTurn.objects.for_space(alice.space_id)} == {
        None,
        alice.user_id,
    }
    links = RecordEvidence.objects.for_space(alice.space_id).select_related("record")
    for link in links:
        owner = alice.user_id if link.session_id == session.id else None
        assert link.private_to_id == link.record.private_to_id == owner
    share(alice, session)
    for found, wanted in zip(picture(alice.space_id), before, strict=True):
        assert found == wanted


def test_the_conversations_hold_what_fusion_makes(alice):
    for spoken in CONVERSATIONS.values():
        for name, statements in zip(("first", "second"), spoken, strict=True):
            say(alice, name, *statements)
    rows = MemoryRecord.objects.for_space(alice.space_id)
    assert rows.filter(expired_reason__startswith="duplicate_of:").exists()
    assert rows.filter(superseded_at__isnull=False).exists()
    assert CompositeRecord.objects.for_space(alice.space_id).exists()
    assert Relation.objects.for_space(alice.space_id).exists()


def test_made_private_it_is_hidden_at_once_and_shared_it_is_shown(alice, bob):
    say(alice, "first", "I work as a carpenter.", "My dog Rex sleeps all day.")
    sleeping = ("My dog Rex sleeps all day at Quixotembra.", "My dog Rex sleeps at Quixotembra all night.")
    session = settle(alice, say(alice, "second", *sleeping, day=3))
    teach(session, "How to find Quixotembra", "1. Walk to Quixotembra")
    image = add_images(
        alice, "second", decode_images([Upload(plain(), "image/png")]), context="This is Quixotembra."
    ).visuals[0]
    ask(bob, "What is Quixotembra?", session)
    assert {"RetrievalLog", "CompositeRecord"} < seen_of(bob, "quixotembra")
    before = {model.__name__: count(model, bob) for model in owned()}
    describe_session(alice, session, private=True)
    assert seen_of(bob, "quixotembra") == set()
    assert {count(model, bob) for model in (Summary, TurnImage, VisualRecord, Skill)} == {0}
    assert not Job.objects.visible_to(bob.space_id, bob.user_id).filter(subject_id=session.id).exists()
    assert seen_of(alice, "quixotembra") >= {
        "Session",
        "SessionTurn",
        "MemoryRecord",
        "Skill",
        "VisualRecord",
    }
    assert not [hit for hit in ask(bob, "What is Quixotembra?", None).hits if "Quixotembra" in hit.text]
    settle(alice, session)
    assert seen_of(bob, "quixotembra") == {"RetrievalLog"}  # what Bob has asked since
    assert not [hit for hit in ask(bob, "What is Quixotembra?", None).hits if "Quixotembra" in hit.text]
    assert [hit for hit in ask(alice, "What is Quixotembra?", None).hits if "Quixotembra" in hit.text]
    share(alice, session)
    after = {model.__name__: count(model, bob) for model in owned()}
    assert {**after, "RetrievalLog": 0} == {**before, "RetrievalLog": 0}
    assert [hit for hit in ask(bob, "What is Quixotembra?", None).hits if "Quixotembra" in hit.text]
    assert VisualRecord.objects.visible_to(bob.space_id, bob.user_id).filter(id=image.id).exists()


def test_a_recall_of_ones_own_stays_in_ones_log(alice, bob):
    session = say(alice, "second", "My hideout is called Quixotembra.")
    for who in (alice, bob):
        ask(who, "What is my hideout called?", None)
    describe_session(alice, session, private=True)
    own, other = (RetrievalLog.objects.visible_to(who.space_id, who.user_id).get() for who in (alice, bob))
    assert "Quixotembra" in str(own.hits)
    assert str(session.id) not in str(other.hits)
    assert other.query == "What is my hideout called?"


def test_what_it_superseded_holds_again_at_once(alice, bob):
    say(alice, "first", "I live in Paris.")
    session = settle(alice, say(alice, "second", "I moved to Berlin.", day=3))
    assert "Paris" not in str(texts(bob))
    describe_session(alice, session, private=True)
    (paris,) = records(bob)
    assert ("Paris" in paris.semantic_text, paris.valid_to, paris.superseded_by) == (True, None, None)


def test_others_have_their_own_words_back_at_once(alice, bob):
    say(bob, "his", "We have a dog named Rex.")
    say(alice, "hers", "We have a dog.")
    describe_session(bob, find_session(bob, "his"), private=True)
    assert "Rex" not in str(texts(alice))
    assert [text for text in texts(alice) if "dog" in text]


def test_only_its_author_decides(alice, bob, vera):
    session = open_session(alice, "plans")
    for who in (bob, vera):
        with pytest.raises(Forbidden):
            describe_session(who, session, private=True)
    assert describe_session(alice, session, private=True).private_to_id == alice.user_id
    for who in (bob, vera):
        with pytest.raises(NotFound):
            find_session(who, str(session.id))
    events = AuditEvent.objects.filter(object_id=session.id).values_list("action", flat=True)
    assert list(events) == ["session.made_private", "session.opened"]


def test_a_viewer_cannot_share_what_they_say(vera):
    session = open_session(vera, "mine")
    with pytest.raises(Forbidden):
        describe_session(vera, session, private=False)
    assert describe_session(vera, session, private=True) == session  # as it is


def test_to_leave_it_as_it_is_changes_nothing(alice):
    session = say(alice, "plans", "I sail at noon.")
    describe_session(alice, session, private=False)
    (record,) = records(alice)
    assert record.version == 1
    assert not AuditEvent.objects.filter(action="session.shared").exists()


def test_title_and_audience_change_together_or_not_at_all(alice):
    session = open_session(alice, "plans")
    begin_answer(alice, session, clean_question(alice, "Where do I sail?"))
    with pytest.raises(Conflict) as raised:
        describe_session(alice, session, title="Sailing", private=True)
    assert raised.value.error_code == "session_busy"
    session.refresh_from_db()
    assert (session.title, session.private_to_id) == ("Where do I sail?", None)
    SessionTurn.objects.for_space(alice.space_id).filter(state="pending").update(
        lease_until=timezone.now() - timedelta(minutes=1)
    )
    described = describe_session(alice, session, title="Sailing", private=True)
    assert (described.title, described.private_to_id) == ("Sailing", alice.user_id)


def test_who_has_read_the_session_before_writes_nothing_into_it(alice, bob):
    session = open_session(alice, "plans")
    of_bob, of_alice = (find_session(who, str(session.id)) for who in (bob, alice))
    describe_session(alice, session, private=True)
    turn = NewTurn(role="user", content="I sail.")
    with pytest.raises(NotFound):
        append_turns(bob, of_bob, [turn])
    with pytest.raises(NotFound):
        begin_answer(bob, of_bob, clean_question(bob, "Where?"))
    with pytest.raises(NotFound):
        describe_session(bob, of_bob, title="Mine")
    append_turns(alice, of_alice, [turn])
    (item,) = IndexedItem.objects.filter(space_id=alice.space_id)
    assert item.private_to_id == alice.user_id


def test_what_is_being_filed_meanwhile_comes_private_too(alice, bob, monkeypatch):
    session = open_session(alice, "plans")
    append_turns(alice, session, [NewTurn(role="user", content="My hideout is called Quixotembra.")])
    job = request_consolidation(alice, session, flush=True)
    encode = ingest._encode

    def slowly(segment, *rest):
        describe_session(alice, session, private=True)
        encoding, *others = encode(segment, *rest)
        return replace(encoding, skills=(EncodedSkill("Find Quixotembra", "1. Walk"),)), *others

    monkeypatch.setattr(ingest, "_encode", slowly)
    assert run_job(job.id).state == "done"
    settle(alice, session)
    assert [row.private_to_id for row in Skill.objects.for_space(alice.space_id)] == [alice.user_id]
    assert seen_of(bob, "quixotembra") == set()
    assert texts(alice)
    assert not Segment.objects.visible_to(bob.space_id, bob.user_id).exists()


def test_a_way_that_two_sessions_taught_stays_with_the_first_and_is_learned_again_by_the_other(alice, bob):
    first = say(alice, "first", "I deploy.")
    second = say(bob, "second", "I deploy as well.")
    teach(first, "Deploy the service", "1. Build\n2. Push from Quixotembra")
    teach(second, "Deploy the service", "1. Build\n2. Push\n3. Restart")
    (skill,) = Skill.objects.for_space(alice.space_id)
    assert skill.number == 2
    describe_session(alice, first, private=True)
    skill.refresh_from_db()
    assert (skill.private_to_id, skill.number) == (alice.user_id, 1)
    assert [version.segment_id for version in skill.versions.all()] == [segment_of(first).id]
    assert not Skill.objects.visible_to(bob.space_id, bob.user_id).exists()
    assert segment_of(second).state == Segment.State.CLOSED
    assert Job.objects.for_space(alice.space_id).filter(subject_id=second.id, state="queued").exists()


def test_a_way_goes_back_to_what_its_own_side_said(alice, bob):
    first = say(alice, "first", "I deploy.")
    second = say(bob, "second", "I deploy as well.")
    teach(first, "Deploy the service", "1. Build\n2. Push")
    teach(second, "Deploy the service", "1. Build\n2. Push from Quixotembra")
    describe_session(bob, second, private=True)
    (skill,) = Skill.objects.visible_to(alice.space_id, alice.user_id)
    assert (skill.doc_markdown, skill.number) == ("1. Build\n2. Push", 1)
    assert seen_of(alice, "quixotembra") == set()


def test_a_way_of_the_same_intent_takes_up_what_comes(alice, bob):
    first = say(alice, "first", "I deploy.")
    second = say(bob, "second", "I deploy as well.", private=True)
    teach(first, "Deploy the service", "1. Build\n2. Push")
    teach(second, "Deploy the service", "1. Build\n2. Push\n3. Restart")
    describe_session(bob, second, private=False)
    (skill,) = Skill.objects.for_space(alice.space_id)
    assert (skill.private_to_id, skill.number) == (None, 1)
    assert [version.number for version in skill.versions.order_by("number")] == [1, 2]
    assert {link.session_id for link in skill.evidence.all()} == {first.id, second.id}


@pytest.mark.parametrize("is_used", [True, False])
def test_what_became_of_a_way_counts_for_the_one_that_takes_it_up(alice, bob, is_used):
    first = say(alice, "first", "I deploy.")
    second = say(bob, "second", "I deploy as well.", private=True)
    teach(first, "Deploy the service", "1. Build\n2. Push")
    teach(second, "Deploy the service", "1. Build\n2. Push\n3. Restart")
    kept = Skill.objects.for_space(alice.space_id).get(private_to=None)
    gone = Skill.objects.for_space(alice.space_id).get(private_to=bob.user_id)
    counted = [(gone, bob.user_id, 3), *[(kept, None, 4)] * is_used]
    for skill, owner, times in counted:
        UsageCount.objects.for_space(alice.space_id).create(
            space_id=alice.space_id,
            private_to_id=owner,
            kind="skill",
            item_id=skill.id,
            retrievals=times,
            kept=times,
            success=times - 1,
            fail=1,
            last_used_at=timezone.now() + timedelta(days=times),
        )
    describe_session(bob, second, private=False)
    (row,) = UsageCount.objects.for_space(alice.space_id)
    times = 7 if is_used else 3
    assert (row.item_id, row.private_to_id, row.retrievals, row.kept) == (kept.id, None, times, times)
    assert (row.success, row.fail) == ((5, 2) if is_used else (2, 1))
    assert row.last_used_at > timezone.now() + timedelta(days=3 if is_used else 2)


def test_a_deleted_way_does_not_come_back_by_sharing(alice):
    session = say(alice, "diary", "I deploy.", private=True)
    turns = teach(session, "Deploy the service", "1. Build")
    delete_skill(alice, Skill.objects.for_space(alice.space_id).get().id)
    describe_session(alice, session, private=False)
    teach(find_session(alice, "diary"), "Deploy the service", "1. Build", turns)
    assert not Skill.objects.for_space(alice.space_id).exists()


def test_what_a_person_merged_is_parted_with_its_names(alice, bob):
    say(alice, "first", "I own a boat.")
    say(alice, "second", "My boat is called Quixotembra.")
    kept, other = records(alice).order_by("id")
    merge_records(alice, kept.id, [other.id])
    kept.refresh_from_db()
    assert "Quixotembra" in str([kept.entities, kept.topics])
    describe_session(alice, find_session(alice, "second"), private=True)
    assert seen_of(bob, "quixotembra") == set()
    assert "Quixotembra" not in str(list(AuditEvent.objects.filter(object_id=kept.id).values("changes")))
    assert {row.private_to_id for row in records(alice)} == {None, alice.user_id}
    (kept,) = records(bob)
    assert [link.session_id for link in kept.evidence.all()] == [find_session(alice, "first").id]


def test_what_a_person_let_go_stays_gone_on_both_sides(alice, bob):
    say(alice, "first", "I have a dog.")
    session = say(alice, "second", "I have a dog.")
    (record,) = records(alice)
    expire_record(alice, record.id, "It ran away")
    for private in (True, False):
        describe_session(alice, session, private=private)
        assert texts(alice) == texts(bob) == []
        assert RecordEvidence.objects.for_space(alice.space_id).count() == 2


def test_turns_of_which_a_memory_was_erased_stay_silent(alice):
    session = say(alice, "diary", "I have a dog.", private=True)
    purge_record(alice, records(alice).get().id)
    describe_session(alice, session, private=False)
    assert SilencedTurn.objects.for_space(alice.space_id).get().private_to_id is None


def test_an_alias_that_others_told_too_stays(alice, bob):
    say(alice, "first", "My cat Mauzi sleeps all day.")
    session = say(alice, "second", "My cat Mauzi eats fish.")
    names = EntityName.objects.visible_to(bob.space_id, bob.user_id).filter(key__contains="cat")
    known = set(names.values_list("key", flat=True))
    assert known
    describe_session(alice, session, private=True)
    assert set(names.values_list("key", flat=True)) == known


def ask(who, question, session):
    request = RecallRequest(
        question=question,
        reader=Reader(who.space_id, who.user_id),
        now=timezone.now(),
        time_zone="UTC",
        session_id=session.id if session else None,
    )
    return recall(request)


def count(model, who):
    return model.objects.visible_to(who.space_id, who.user_id).count()


def segment_of(session):
    return Segment.objects.for_space(session.space_id).get(session=session)


def teach(session, intent, steps, turns=None):
    source = Source(session.space_id, session.private_to_id, session.id, segment_of(session).id)
    skill = EncodedSkill(intent, steps)
    turns = turns or told(skill)
    learn_skills(source, [skill], turns)
    drain_outbox(session.space_id)
    return turns
