"""The words around an image go with the turn, the image stays."""

from uuid import UUID, uuid4

import pytest
from django.utils import timezone

from accounts.principals import Principal
from tests.visual.conftest import Album, reader_of, row_of
from tests.visual.pictures import plain
from visual.domain.types import Visual
from visual.models import VisualRecord
from visual.selectors import words_found
from visual.services.words import forget_session_words, forget_told

pytestmark = pytest.mark.django_db(transaction=True)


def shown(album: Album, words: str, turn_id: UUID | None, **more: object) -> Visual:
    visual = album.one(plain(), words=words, **more)
    VisualRecord.everyone.filter(pk=visual.id).update(turn_id=turn_id)
    return visual


def found(who: Principal, text: str) -> int:
    return len(words_found(reader_of(who), text, limit=5).items)


def test_words_of_an_erased_turn_are_found_no_more_and_the_image_is(album: Album, alice: Principal):
    turn_id = uuid4()
    visual = shown(album, "our garden gate", turn_id, name="red-door.png")
    assert forget_told(album.space.id, [turn_id], []) == 1
    assert row_of(visual).words_around == ""
    assert (found(alice, "garden"), found(alice, "door")) == (0, 1)


def test_words_that_tell_the_same_elsewhere_go_too(album: Album):
    same = shown(album, "See: our garden gate is green", None)
    other = shown(album, "the green gate", uuid4(), session=uuid4())
    assert forget_told(album.space.id, [], ["our garden gate"]) == 1
    assert (row_of(same).words_around, row_of(other).words_around) == ("", "the green gate")


def test_a_faded_image_stays_out_of_the_index(album: Album, alice: Principal):
    turn_id = uuid4()
    visual = shown(album, "garden", turn_id, name="red-door.png")
    VisualRecord.everyone.update(expired_at=timezone.now())
    before = found(alice, "door")
    forget_told(album.space.id, [turn_id], [])
    assert (row_of(visual).words_around, found(alice, "door")) == ("", before)


def test_a_session_that_loses_its_turns_keeps_what_came_with_its_images(album: Album):
    session = uuid4()
    turned, given = (
        shown(album, "said with it", uuid4(), session=session),
        album.one(plain((9, 9, 9)), words="given with it", session=session),
    )
    elsewhere = shown(album, "said elsewhere", uuid4(), session=uuid4())
    assert forget_session_words(album.space.id, session) == 1
    kept = [row_of(each).words_around for each in (turned, given, elsewhere)]
    assert kept == ["", "given with it", "said elsewhere"]
