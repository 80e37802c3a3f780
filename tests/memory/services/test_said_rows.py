"""Who said what a record rests on."""

from uuid import UUID, uuid4

import pytest

from memory.domain.types import Role
from memory.services.said_rows import UNKNOWN, authors_of, part_by_author, turns_of
from tests.memory.recalling import Memory

ONE, OTHER = frozenset({UUID(int=1)}), frozenset({UUID(int=2)})


@pytest.mark.django_db
def test_the_authors_are_the_people_whose_turns_still_stand(memory: Memory):
    author = uuid4()
    said = memory.say(("Alice", "I like tea."), ("", "Noted."), author_id=author)
    row, bare = memory.learn("Alice likes tea.", *said), memory.learn("Alice likes rum.")
    turns = turns_of(memory.space.id, [row.id, bare.id])
    assert [turn.role for turn in turns[row.id]] == [Role.USER, Role.ASSISTANT]
    assert authors_of(turns[row.id]) == {author}
    assert authors_of(turns[bare.id]) == UNKNOWN


@pytest.mark.parametrize(
    ("authors", "parts"),
    [
        ([ONE, ONE], [[0, 1]]),
        ([ONE, UNKNOWN], [[0, 1]]),
        ([ONE, OTHER, ONE], [[1], [0, 2]]),
        ([ONE, OTHER, ONE | OTHER], [[0, 1, 2]]),
        ([ONE, OTHER, UNKNOWN], [[0], [1], [2]]),
    ],
)
def test_records_part_where_no_author_joins_them(authors, parts):
    ids = [UUID(int=place) for place in range(len(authors))]
    found = part_by_author(ids, dict(zip(ids, authors, strict=True)))
    assert [[id_.int for id_ in part] for part in found] == parts
