"""Pin, restore, delete: by whom, what follows, what is left."""

from pathlib import Path
from uuid import uuid4

import pytest
from django.utils import timezone

from accounts.errors import Forbidden, NotFound
from accounts.models import AuditEvent
from accounts.principals import Principal
from memory.services.drain import drain_outbox
from tests.visual.conftest import Album, files_in, reader_of, row_of
from tests.visual.pictures import plain
from visual.domain.types import Visual, VisualQuery
from visual.models import VisualRecord
from visual.selectors import get_visual, words_found
from visual.services.curate import delete_visual, pin_visual, restore_visual
from visual.services.recall import recall_visuals

pytestmark = pytest.mark.django_db(transaction=True)


def forgotten(album: Album) -> Visual:
    visual = album.one(plain(), words="garden")
    VisualRecord.everyone.filter(pk=visual.id).update(expired_at=timezone.now(), expired_reason="forgotten")
    return visual


def finds(who: Principal, text: str) -> int:
    return len(recall_visuals(reader_of(who), VisualQuery(text), now=timezone.now()).hits)


def test_a_pinned_image_says_so_and_is_audited_once(album: Album, alice: Principal):
    visual = album.one(plain())
    assert pin_visual(alice, visual.id).is_pinned
    assert pin_visual(alice, visual.id).retention == 1.0
    assert not pin_visual(alice, visual.id, is_pinned=False).is_pinned
    actions = AuditEvent.objects.filter(object_id=visual.id).order_by("id").values_list("action", flat=True)
    assert list(actions) == ["visual.pinned", "visual.unpinned"]


def test_a_restored_image_is_found_again_and_fades_anew(album: Album, alice: Principal):
    visual = forgotten(album)
    assert finds(alice, "garden") == 0
    restored = restore_visual(alice, visual.id)
    assert (restored.expired_at, restored.expired_reason) == (None, "")
    assert restored.retention > 0.99
    assert finds(alice, "garden") == 1
    assert row_of(visual).remembered_at > row_of(visual).seen_at


def test_pinning_restores_too(album: Album, alice: Principal):
    visual = forgotten(album)
    assert pin_visual(alice, visual.id).expired_at is None


def test_a_deleted_image_leaves_no_file_no_words_and_no_row(album: Album, alice: Principal, image_dir: Path):
    visual = album.one(plain(), words="garden")
    drain_outbox(album.space.id)
    delete_visual(alice, visual.id)
    assert files_in(image_dir) == set()
    assert len(words_found(reader_of(alice), "garden", limit=5).items) == 0
    with pytest.raises(NotFound):
        get_visual(reader_of(alice), visual.id)


def test_the_file_stays_while_another_session_shows_it(album: Album, alice: Principal, image_dir: Path):
    one, other = album.one(plain()), album.one(plain(), session=uuid4())
    delete_visual(alice, one.id)
    assert len(files_in(image_dir)) == 2
    delete_visual(alice, other.id)
    assert files_in(image_dir) == set()


@pytest.mark.parametrize("act", [pin_visual, restore_visual, delete_visual])
def test_a_viewer_changes_nothing_and_a_stranger_finds_nothing(
    act, album: Album, alice: Principal, bob: Principal, vera: Principal
):
    shared, private = album.one(plain()), album.one(plain((1, 1, 1)), owner=alice)
    with pytest.raises(Forbidden):
        act(vera, shared.id)
    for who in (bob, vera):
        with pytest.raises(NotFound):
            act(who, private.id)
    with pytest.raises(NotFound):
        act(alice, uuid4())
    assert VisualRecord.everyone.count() == 2


def test_a_viewer_may_delete_what_they_showed_in_their_own_private_session(album: Album, vera: Principal):
    delete_visual(vera, album.one(plain(), owner=vera).id)
    assert not VisualRecord.everyone.exists()
