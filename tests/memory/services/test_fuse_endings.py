"""What a later statement ends or corrects is superseded by it, and holds again when that one goes."""

from datetime import timedelta
from itertools import permutations
from typing import Any
from uuid import UUID, uuid4

import pytest

from memory.domain.types import MemoryType, Role
from memory.models import MemoryRecord, RecordEvidence
from memory.services.composite_rows import withdraw_records
from memory.services.curate import edit_record, expire_record
from memory.services.curate_state import pin_record
from memory.services.fuse import Fused, fuse_space
from tests.memory.curating import principal
from tests.memory.fusing import current_texts
from tests.memory.indexing import make_user
from tests.memory.recalling import LATER, MONDAY, Memory, texts

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)


ONE, OTHER = uuid4(), uuid4()  # two accounts


def learn(
    memory: Memory, text: str, *, day: int = 0, said: str = "", author: UUID | None = None, **fields
) -> MemoryRecord:
    at = MONDAY + day * DAY
    turns = memory.say(("Alice", said or text), at=at, author_id=author)
    return memory.learn(text, *turns, **({"said_at": at, "learned_at": at} | fields))


def event(memory, text, on, *, day=0, **fields):
    begun = MONDAY + on * DAY
    dated = {"valid_from": begun, "valid_to": begun + DAY, "memory_type": MemoryType.EVENT}
    return learn(memory, text, day=day, **(dated | fields))


def test_what_is_denied_later_is_superseded_and_stays_in_history(memory: Memory):
    old = learn(memory, "Alice likes tea.")
    new = learn(memory, "Alice doesn't like tea any more.", day=3)
    assert fuse_space(memory.space.id) == Fused(superseded=1)
    old.refresh_from_db()
    assert (old.superseded_by, old.valid_to) == (new, new.said_at)
    assert texts(memory.ask("Do I like tea?")) == ["Alice doesn't like tea any more."]
    assert "Alice likes tea." in texts(memory.ask("Do I like tea?", as_of=MONDAY + DAY))
    assert fuse_space(memory.space.id) == Fused()


def test_the_order_of_coming_in_does_not_count(memory: Memory):
    learn(memory, "Alice sold their car.", day=3, memory_type=MemoryType.EVENT)
    fuse_space(memory.space.id)
    learn(memory, "Alice has a car.")
    fuse_space(memory.space.id)
    assert current_texts(memory.space.id) == ["Alice sold their car."]


def test_a_correction_filed_on_its_own_takes_the_place_of_the_wrong_day(memory: Memory):
    event(memory, "Alice: The launch is on 20 May.", 16)
    event(memory, "Alice: The launch is on 27 May.", 23, day=1, said="Correction: the launch is on 27 May.")
    fuse_space(memory.space.id)
    assert current_texts(memory.space.id) == ["Alice: The launch is on 27 May."]
    assert "20 May" not in " ".join(texts(memory.ask("What happens on 20 May 2026?", now=MONDAY + DAY)))
    assert texts(memory.ask("What happens on 27 May 2026?", now=MONDAY + DAY)) == [
        "Alice: The launch is on 27 May."
    ]


@pytest.mark.parametrize(
    "fields",
    [
        {"subject": "Ben"},
        {"is_pinned": True},
        {"edited_at": LATER},
        {"is_suspicious": True},
        {"source_role": Role.ASSISTANT},
        {"owner": "vera"},
    ],
)
def test_what_is_of_others_or_was_kept_by_a_person_stays(memory: Memory, fields):
    fields = fields | ({"owner": make_user("vera")} if "owner" in fields else {})
    learn(memory, "Alice likes tea.", **fields)
    learn(memory, "Alice doesn't like tea any more.", day=3)
    fuse_space(memory.space.id)
    assert "Alice likes tea." in current_texts(memory.space.id)


def remove(row: MemoryRecord) -> None:
    withdraw_records(row.space_id, [row.id])
    row.delete()


def test_it_holds_again_when_the_later_statement_goes_or_says_something_else(memory: Memory):
    alice = principal(memory.user, memory.space)
    learn(memory, "Alice likes tea.")
    for undo in (
        lambda row: edit_record(alice, row.id, {"semantic_text": "Alice doesn't like cocoa."}),
        lambda row: expire_record(alice, row.id),
        remove,
    ):
        new = learn(memory, "Alice doesn't like tea any more.", day=3)
        fuse_space(memory.space.id)
        assert "Alice likes tea." not in current_texts(memory.space.id)
        undo(new)
        fuse_space(memory.space.id)
        assert "Alice likes tea." in current_texts(memory.space.id)


def test_what_is_said_again_after_it_was_denied_holds(memory: Memory):
    for day, text in enumerate(("Alice likes tea.", "Alice doesn't like tea.", "Alice likes tea.")):
        learn(memory, text, day=day)
        fuse_space(memory.space.id)
    assert current_texts(memory.space.id) == ["Alice likes tea."]


def say_again(memory: Memory, row: MemoryRecord, *, day: int, author: UUID | None = None) -> None:
    """As ingest does: the turn joins what the live record rests on."""
    (turn,) = memory.say(("Alice", row.semantic_text), at=MONDAY + day * DAY, author_id=author)
    RecordEvidence.everyone.create(
        space=memory.space,
        record=row,
        session_id=turn.session_id,
        turn_id=turn.id,
        turn_index=turn.index,
        said_at=turn.said_at,
    )
    MemoryRecord.everyone.filter(id=row.id).update(fusion_due=1, said_at=min(row.said_at, turn.said_at))


@pytest.mark.parametrize("days", list(permutations([0, 40, 80])))
def test_the_last_word_counts_in_whatever_order_it_comes_in(memory: Memory, days):
    known = None
    for day in days:
        if day == 40:
            learn(memory, "Alice doesn't like tea any more.", day=day)
        elif known is not None and MemoryRecord.everyone.filter(id=known.id, superseded_at=None).exists():
            say_again(memory, known, day=day)
        else:
            known = learn(memory, "Alice likes tea.", day=day, content_hash="tea")
        fuse_space(memory.space.id)
    assert current_texts(memory.space.id) == ["Alice likes tea."]
    ended = MemoryRecord.everyone.get(semantic_text="Alice doesn't like tea any more.")
    assert ended.valid_to == MONDAY + 80 * DAY


def test_another_of_the_same_name_ends_nothing(memory: Memory):
    row = learn(memory, "Alice likes tea.", author=ONE)
    learn(memory, "Alice doesn't like tea any more.", day=3, author=OTHER)
    fuse_space(memory.space.id)
    assert len(current_texts(memory.space.id)) == 2
    say_again(memory, row, day=1, author=OTHER)
    learn(memory, "Alice no longer likes tea.", day=4, author=ONE)
    fuse_space(memory.space.id)
    assert "Alice likes tea." in current_texts(memory.space.id)


def test_the_residence_of_another_of_the_same_name_is_no_newer_one(memory: Memory):
    for day, (city, author) in enumerate((("Lisbon", ONE), ("Porto", OTHER), ("Faro", ONE))):
        slot = {"slot": "residence", "value": city}
        learn(memory, f"Alice lives in {city}.", day=day, author=author, **slot)
    fuse_space(memory.space.id)
    assert current_texts(memory.space.id) == ["Alice lives in Porto.", "Alice lives in Faro."]


def test_pinning_what_was_ended_brings_it_back_until_it_is_unpinned(memory: Memory):
    alice = principal(memory.user, memory.space)
    old = learn(memory, "Alice likes tea.")
    new = learn(memory, "Alice doesn't like tea any more.", day=3)
    fuse_space(memory.space.id)
    for is_pinned in (True, False):
        pin_record(alice, old.id, is_pinned=is_pinned)
        fuse_space(memory.space.id)
        assert ("Alice likes tea." in current_texts(memory.space.id)) is is_pinned
    MemoryRecord.everyone.filter(id=old.id).update(is_pinned=True)
    remove(new)
    fuse_space(memory.space.id)
    assert current_texts(memory.space.id) == ["Alice likes tea."]


def test_a_pin_stays_with_what_is_said_again(memory: Memory):
    old = learn(memory, "Alice likes tea.", content_hash="tea")
    learn(memory, "Alice doesn't like tea any more.", day=3)
    fuse_space(memory.space.id)
    learn(memory, "Alice likes tea.", content_hash="tea", day=1)
    pin_record(principal(memory.user, memory.space), old.id)
    fuse_space(memory.space.id)
    assert "Alice likes tea." in current_texts(memory.space.id)


def test_a_bare_day_of_the_month_is_put_right(memory: Memory):
    learn(memory, "Alice: The launch is on the 20th.")
    learn(memory, "Alice: The launch is on the 27th.", day=1, said="Correction: the launch is on the 27th.")
    fuse_space(memory.space.id)
    assert current_texts(memory.space.id) == ["Alice: The launch is on the 27th."]


EMPLOYED: dict[str, Any] = {"slot": "employer", "value": "Siemens"}


@pytest.mark.parametrize("is_filed_late", [False, True])
def test_a_value_that_ended_is_superseded_without_a_next_one(memory: Memory, is_filed_late):
    told = [("Alice works for Siemens.", 0, EMPLOYED), ("Alice quit their job.", 3, {})]
    for text, day, fields in reversed(told) if is_filed_late else told:
        learn(memory, text, day=day, **fields)
        fuse_space(memory.space.id)
    assert current_texts(memory.space.id) == ["Alice quit their job."]
    assert "Siemens" not in " ".join(texts(memory.ask("Where do I work?")))
    assert texts(memory.ask("Where did I work before?"))[0] == "Alice works for Siemens."
    assert fuse_space(memory.space.id) == Fused()


def test_the_next_value_leaves_what_ended_as_it_ended(memory: Memory):
    old = learn(memory, "Alice works for Siemens.", **EMPLOYED)
    new = learn(memory, "Alice quit their job.", day=3)
    fuse_space(memory.space.id)
    learn(memory, "Alice works for Bosch.", day=9, slot="employer", value="Bosch")
    fuse_space(memory.space.id)
    assert current_texts(memory.space.id) == ["Alice quit their job.", "Alice works for Bosch."]
    old.refresh_from_db()
    assert (old.superseded_by, old.valid_to) == (new, new.said_at)


def test_a_value_that_ended_holds_again_or_has_its_next_one_when_the_ending_goes(memory: Memory):
    alice = principal(memory.user, memory.space)
    learn(memory, "Alice works for Siemens.", **EMPLOYED)
    new = learn(memory, "Alice quit their job.", day=3)
    fuse_space(memory.space.id)
    expire_record(alice, new.id)
    fuse_space(memory.space.id)
    assert current_texts(memory.space.id) == ["Alice works for Siemens."]
    new = learn(memory, "Alice lost their job.", day=4)
    fuse_space(memory.space.id)
    learn(memory, "Alice works for Bosch.", day=9, slot="employer", value="Bosch")
    fuse_space(memory.space.id)
    expire_record(alice, new.id)
    fuse_space(memory.space.id)
    assert current_texts(memory.space.id) == ["Alice works for Bosch."]


def test_a_pinned_value_is_not_ended(memory: Memory):
    alice = principal(memory.user, memory.space)
    old = learn(memory, "Alice works for Siemens.", **EMPLOYED)
    learn(memory, "Alice quit their job.", day=3)
    fuse_space(memory.space.id)
    pin_record(alice, old.id)
    fuse_space(memory.space.id)
    assert "Alice works for Siemens." in current_texts(memory.space.id)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Alice is dating Jonas.", "Alice: We broke up."),
        ("Alice smokes.", "Alice: I'm no longer a smoker."),
        ("Alice有一辆车。", "Alice把车卖了。"),
        ("Alice抽烟。", "Alice戒烟了。"),
    ],
)
def test_what_ends_another_is_found_without_a_word_in_common(memory: Memory, old, new):
    for text in ("Alice likes tea.", "Alice has a boat."):
        learn(memory, text)
    learn(memory, old)
    learn(memory, new, day=3)
    fuse_space(memory.space.id)
    assert old not in current_texts(memory.space.id)
    assert len(current_texts(memory.space.id)) == 3


def test_who_had_died_is_still_told_of(memory: Memory):
    learn(memory, "Alice's dog's name is Biscuit.", slot="dog_name", value="Biscuit")
    learn(memory, "Alice: Our dog Biscuit passed away.", day=3)
    fuse_space(memory.space.id)
    assert texts(memory.ask("What is my dog's name?")) == ["Alice: Our dog Biscuit passed away."]
    assert texts(memory.ask("Who was Biscuit?")) == ["Alice: Our dog Biscuit passed away."]


DOGS = (("Alice has a dog named Biscuit.", 0), ("Alice has a dog named Rex.", 1), ("Alice's dog died.", 3))


@pytest.mark.parametrize("order", list(permutations(DOGS)))
def test_of_two_dogs_neither_is_taken_for_the_dead_one(memory: Memory, order):
    for text, day in order:
        learn(memory, text, day=day)
        fuse_space(memory.space.id)
    assert sorted(current_texts(memory.space.id)) == sorted(text for text, _ in DOGS)


LEFT = (*DOGS, ("Alice: Biscuit died.", 2))


@pytest.mark.parametrize("order", list(permutations(LEFT))[::5])
def test_the_dog_that_is_left_is_the_one_that_died(memory: Memory, order):
    for text, day in order:
        learn(memory, text, day=day)
    fuse_space(memory.space.id)
    assert sorted(current_texts(memory.space.id)) == ["Alice's dog died.", "Alice: Biscuit died."]


@pytest.mark.parametrize(
    ("said", "is_ended"),
    [
        ("I quit my job! Just kidding.", False),
        ("I quit my job. I was joking, of course.", False),
        ("I quit my job. Now I have time for jokes.", True),
        ("Just kidding. I quit my job.", True),
    ],
)
def test_what_the_next_sentence_takes_back_ends_nothing(memory: Memory, said, is_ended):
    learn(memory, "Alice works for Siemens.", **EMPLOYED)
    learn(memory, "Alice quit their job.", day=3, said=said)
    fuse_space(memory.space.id)
    assert ("Alice works for Siemens." not in current_texts(memory.space.id)) is is_ended


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_what_an_overtaken_statement_ended_stays_ended(memory: Memory, order):
    told = ["Alice smokes.", "Alice quit smoking.", "Alice smokes again."]
    made = {}
    for day in order:
        made[day] = learn(memory, told[day], day=day)
        fuse_space(memory.space.id)
    for row in made.values():
        row.refresh_from_db()
    assert current_texts(memory.space.id) == ["Alice smokes again."]
    assert [made[day].valid_to for day in range(3)] == [made[1].said_at, made[2].said_at, None]


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_of_a_chain_of_corrections_the_last_day_alone_holds(memory: Memory, order):
    for at in order:
        text = f"Alice: The launch is on {20 + 3 * at} May."
        event(memory, text, 16 + 3 * at, day=at, said=f"Correction: the launch is on {20 + 3 * at} May.")
        fuse_space(memory.space.id)
    assert current_texts(memory.space.id) == ["Alice: The launch is on 26 May."]
