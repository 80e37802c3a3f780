"""A composite follows from its children, and stays the one it was while it can."""

from datetime import UTC, datetime, timedelta
from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from memory.config import FusionConfig
from memory.domain.fusion.composites import Child, Representative, adopt_existing, compose

MONDAY = datetime(2026, 5, 4, 9, tzinfo=UTC)
DAY = timedelta(days=1)
CONFIG = FusionConfig()
NEW = UUID(int=99)


def child(number: int, *, confidence: float = 0.8, day: int = 0, **fields) -> Child:
    said_at = MONDAY + day * DAY
    leader = Representative(UUID(int=number), f"text {number}", "fact", UUID(int=0), confidence, said_at)
    values = {"subjects": ("Ann",), "entities": (), "topics": ()} | fields
    return Child(id=UUID(int=number), representative=leader, said_at=said_at, **values)


def group(*numbers: int) -> frozenset[UUID]:
    return frozenset(UUID(int=number) for number in numbers)


class TestCompose:
    def test_the_surest_then_the_newest_gives_the_text(self):
        children = [child(1, confidence=0.9, day=1), child(2, confidence=0.9, day=2), child(3, day=5)]
        made = compose(children, CONFIG, id_=NEW)
        assert (made.id, made.representative.text, made.said_at) == (NEW, "text 2", MONDAY + 5 * DAY)

    def test_names_are_merged_whatever_their_case_the_frequent_first(self):
        children = [
            child(1, entities=("Rex", "Porto"), tags={"tool_tags": ("vet",)}),
            child(2, entities=("rex",), subjects=("Ben",)),
        ]
        made = compose(children, CONFIG, id_=NEW)
        assert made.entities == ("Rex", "Porto")
        assert (made.subjects, made.tags) == (("Ann", "Ben"), {"tool_tags": ("vet",)})

    def test_it_bears_so_many_names(self):
        children = [child(n, topics=tuple(f"topic {n} {m}" for m in range(30))) for n in range(2)]
        assert len(compose(children, CONFIG, id_=NEW).topics) == CONFIG.listed

    def test_it_lasts_from_the_first_beginning_to_the_last_end(self):
        one = child(1, valid_from=MONDAY, valid_to=MONDAY + DAY)
        other = child(2, valid_from=MONDAY + 2 * DAY, valid_to=MONDAY + 3 * DAY)
        made = compose([one, other], CONFIG, id_=NEW)
        assert (made.valid_from, made.valid_to) == (MONDAY, MONDAY + 3 * DAY)

    def test_what_has_no_end_gives_it_none(self):
        made = compose([child(1, valid_to=MONDAY), child(2)], CONFIG, id_=NEW)
        assert (made.valid_from, made.valid_to) == (None, None)

    def test_leaves_are_counted_through_the_levels(self):
        lower = compose([child(1), child(2)], CONFIG, id_=NEW)
        assert compose([lower, child(3)], CONFIG, id_=UUID(int=100)).leaf_count == 3

    @given(st.permutations(range(5)))
    def test_the_order_of_children_makes_no_difference(self, order):
        children = [child(n, confidence=n % 2, day=n % 3, entities=(f"E{n % 2}", f"e{n}")) for n in range(5)]
        made = compose([children[n] for n in order], CONFIG, id_=NEW)
        assert made == compose(children, CONFIG, id_=NEW)


class TestAdoption:
    EXISTING = {UUID(int=100): group(1, 2, 3, 4), UUID(int=200): group(5, 6)}

    def adopted(self, *groups: frozenset[UUID]) -> dict[int, int]:
        return {place: id_.int for place, id_ in adopt_existing(groups, self.EXISTING, CONFIG).items()}

    def test_the_same_members_are_the_same_composite(self):
        assert self.adopted(group(5, 6), group(1, 2, 3, 4)) == {0: 200, 1: 100}

    def test_a_subset_an_outgrown_and_a_likely_group_make_no_new_one(self):
        assert self.adopted(group(1, 2)) == {0: 100}
        assert self.adopted(group(5, 6, 7, 8)) == {0: 200}
        assert self.adopted(group(2, 3, 4, 1, 9)) == {0: 100}

    def test_what_is_mostly_other_is_new(self):
        assert self.adopted(group(1, 8, 9), group(4, 7)) == {}

    def test_one_composite_is_taken_on_once_by_the_likest(self):
        assert self.adopted(group(1, 2), group(3, 4, 9), group(1, 2, 3)) == {2: 100}
