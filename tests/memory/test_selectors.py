"""Lists of records hold what the reader may see, filtered, newest first, page by page."""

from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

import pytest

from accounts.errors import InvalidInput, NotFound
from accounts.models import Space, User
from memory.domain.types import MemoryType, Reader
from memory.models import MemoryRecord, RecordEvidence
from memory.selectors import RecordFilters, get_record, list_records
from tests.memory.indexing import make_space, make_user

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 5, 7, 12, tzinfo=UTC)
DAY = timedelta(days=1)


class Shelf:
    """Records by hand in one space, and its reader."""

    def __init__(self, space: Space, user: User) -> None:
        self.space, self.user = space, user
        self.reader = Reader(space.id, user.id)

    def put(self, text: str, **fields) -> MemoryRecord:
        values = {
            "memory_type": MemoryType.FACT, "subject": "Alice", "learned_at": NOON, "said_at": NOON,
            "session_id": UUID(int=1), "content_hash": uuid4().hex, "normalized_text": "",
        } | fields  # fmt: skip
        record: MemoryRecord = MemoryRecord.objects.for_space(self.space.id).create(
            space=self.space, semantic_text=text, **values
        )
        return record

    def texts(self, reader: Reader | None = None, **filters) -> list[str]:
        page = list_records(reader or self.reader, RecordFilters(**filters))
        return [record.semantic_text for record in page.items]


@pytest.fixture
def shelf() -> Shelf:
    return Shelf(make_space("space-a"), make_user("alice"))


def test_the_newest_come_first_and_the_total_counts_all_pages(shelf):
    for n in range(5):
        shelf.put(f"fact {n}")
    first = list_records(shelf.reader, RecordFilters(), limit=2)
    second = list_records(shelf.reader, RecordFilters(), cursor=first.next_cursor, limit=2)
    third = list_records(shelf.reader, RecordFilters(), cursor=second.next_cursor, limit=2)
    pages = [[record.semantic_text for record in page.items] for page in (first, second, third)]
    assert pages == [["fact 4", "fact 3"], ["fact 2", "fact 1"], ["fact 0"]]
    assert {page.total for page in (first, second, third)} == {5}
    assert third.next_cursor == ""


def test_a_record_that_comes_in_between_moves_no_page(shelf):
    for n in range(4):
        shelf.put(f"fact {n}")
    first = list_records(shelf.reader, RecordFilters(), limit=2)
    shelf.put("late")
    second = list_records(shelf.reader, RecordFilters(), cursor=first.next_cursor, limit=2)
    assert [record.semantic_text for record in second.items] == ["fact 1", "fact 0"]


@pytest.mark.parametrize("cursor", ["nonsense", "1", "' OR 1=1"])
def test_a_cursor_that_is_none_is_refused(shelf, cursor):
    with pytest.raises(InvalidInput) as raised:
        list_records(shelf.reader, RecordFilters(), cursor=cursor)
    assert raised.value.errors[0].pointer == "/cursor"


def test_only_the_readers_records_are_listed(shelf):
    bob = Shelf(shelf.space, make_user("bob"))
    charlie = Shelf(make_space("space-b"), make_user("charlie"))
    shelf.put("shared")
    shelf.put("of alice", private_to=shelf.user)
    bob.put("of bob", private_to=bob.user)
    charlie.put("of charlie")
    assert shelf.texts() == ["of alice", "shared"]
    assert bob.texts() == ["of bob", "shared"]
    assert charlie.texts() == ["of charlie"]


def test_an_excluded_session_is_left_out(shelf):
    shelf.put("one", session_id=UUID(int=1))
    shelf.put("two", session_id=UUID(int=2))
    reader = Reader(shelf.space.id, shelf.user.id, frozenset({UUID(int=2)}))
    assert shelf.texts(reader) == ["one"]


class TestFilters:
    def test_by_state(self, shelf):
        shelf.put("live")
        shelf.put("gone", expired_at=NOON)
        assert shelf.texts() == ["live"]
        assert shelf.texts(state="expired") == ["gone"]
        assert shelf.texts(state="all") == ["gone", "live"]

    def test_what_a_newer_value_has_replaced_is_told_from_what_is_current(self, shelf):
        shelf.put("Paris", superseded_at=NOON)
        shelf.put("Berlin")
        shelf.put("Rome", superseded_at=NOON, expired_at=NOON)
        assert shelf.texts(state="current") == ["Berlin"]
        assert shelf.texts(state="replaced") == ["Paris"]
        assert shelf.texts() == ["Berlin", "Paris"]

    def test_by_type(self, shelf):
        shelf.put("fact")
        shelf.put("event", memory_type=MemoryType.EVENT)
        assert shelf.texts(type=MemoryType.EVENT) == ["event"]

    def test_by_session(self, shelf):
        shelf.put("one", session_id=UUID(int=1))
        shelf.put("two", session_id=UUID(int=2))
        assert shelf.texts(session_id=UUID(int=2)) == ["two"]

    def test_by_when_it_was_said_half_open(self, shelf):
        for n in range(3):
            shelf.put(f"day {n}", said_at=NOON + n * DAY)
        assert shelf.texts(since=NOON + DAY, until=NOON + 2 * DAY) == ["day 1"]

    def test_by_what_was_true_at_a_moment(self, shelf):
        shelf.put("since it was said")
        shelf.put("until noon", valid_to=NOON)
        shelf.put("from noon", valid_from=NOON)
        assert shelf.texts(as_of=NOON) == ["from noon", "since it was said"]
        assert shelf.texts(as_of=NOON - DAY) == ["until noon"]

    @pytest.mark.parametrize("name", ["Ann", "安娜", "O'Neil", 'the "Rose"', "100%"])
    def test_by_entity_exactly(self, shelf, name):
        shelf.put("found", entities=["Bob", name])
        shelf.put("longer", entities=[name + "a"])
        assert shelf.texts(entity=name) == ["found"]

    def test_by_topic(self, shelf):
        shelf.put("found", topics=["sailing"])
        shelf.put("other", topics=["cooking"])
        assert shelf.texts(topic="sailing") == ["found"]

    @pytest.mark.parametrize(
        ("words", "found"),
        [
            ("paris", True),
            ("PARIS alice", True),
            ("paris berlin", False),
            ("москва", True),
            ("火锅", True),
            ("%", False),
        ],
    )
    def test_by_words_of_text_and_subject(self, shelf, words, found):
        shelf.put("She lives in Paris, Москва; 火锅")
        assert bool(shelf.texts(q=words)) == found

    def test_filters_narrow_together(self, shelf):
        shelf.put("blue boat", topics=["sailing"])
        shelf.put("red boat", topics=["sailing"])
        assert shelf.texts(q="blue", topic="sailing", entity="Bob") == []
        assert shelf.texts(q="blue " * 5_000) == shelf.texts(q="blue")
        assert shelf.texts(q="blue", topic="sailing") == ["blue boat"]


class TestOne:
    def test_it_comes_with_its_evidence_in_order(self, shelf):
        record = shelf.put("fact")
        for index in (4, 2):
            RecordEvidence.objects.for_space(shelf.space.id).create(
                space=shelf.space, record=record, session_id=UUID(int=1), turn_id=uuid4(), turn_index=index
            )
        found = get_record(shelf.reader, record.id)
        assert [link.turn_index for link in found.evidence.all()] == [4, 2]

    def test_an_expired_one_can_be_read(self, shelf):
        record = shelf.put("gone", expired_at=NOON)
        assert get_record(shelf.reader, record.id) == record

    def test_a_strangers_and_a_missing_one_are_not_found_alike(self, shelf):
        bob = make_user("bob")
        foreign = Shelf(make_space("space-b"), bob).put("secret")
        private = Shelf(shelf.space, bob).put("secret", private_to=bob)
        details = set()
        for record_id in (foreign.id, private.id, uuid4()):
            with pytest.raises(NotFound) as raised:
                get_record(shelf.reader, record_id)
            details.add(raised.value.detail)
        assert len(details) == 1
