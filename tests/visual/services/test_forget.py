"""Forgetting by the law, restorably; purging only where a policy asks for it."""

import os
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.errors import StorageFailed
from accounts.models import AuditEvent
from accounts.principals import Principal
from tests.visual.conftest import NOON, Album, files_in, reader_of, row_of
from tests.visual.pictures import BLUE, GREEN, RED, plain
from visual.models import VisualPolicy, VisualRecord
from visual.selectors import image_file, words_found
from visual.services.forget import Forgetting, forget_images
from visual.services.remember import FORGOTTEN
from visual.stores.images import write_image
from visual.tasks import forget_all_images

pytestmark = pytest.mark.django_db(transaction=True)


def after(days: float):
    return NOON + timedelta(days=days)


def test_an_image_is_forgotten_when_a_tenth_is_left_and_not_a_day_before(album: Album, alice: Principal):
    visual = album.one(plain(), words="garden")  # importance 0.5: 61.46 days
    assert forget_images(album.space.id, after(61)).forgotten == 0
    assert forget_images(album.space.id, after(62)).forgotten == 1
    row = row_of(visual)
    assert (row.expired_at, row.expired_reason) == (after(62), FORGOTTEN)
    assert len(words_found(reader_of(alice), "garden", limit=5).items) == 0
    assert forget_images(album.space.id, after(62)).forgotten == 0


def test_forgetting_keeps_the_file_and_says_so_in_the_trail(album: Album, alice: Principal, image_dir: Path):
    visual = album.one(plain())
    forget_images(album.space.id, after(62))
    assert image_file(reader_of(alice), visual.id).mime == "image/png"
    assert len(files_in(image_dir)) == 2
    assert AuditEvent.objects.get(object_id=visual.id).action == "visual.forgotten"


def test_pinned_important_and_recalled_images_stay_longer(album: Album):
    shown = album.show(plain(RED), plain(BLUE), plain(GREEN)).visuals
    rows = VisualRecord.everyone
    rows.filter(pk=shown[0].id).update(is_pinned=True)
    rows.filter(pk=shown[1].id).update(importance=1.0, recall_count=6)
    forget_images(album.space.id, after(80))
    assert set(rows.filter(expired_at=None).values_list("pk", flat=True)) == {shown[0].id, shown[1].id}
    forget_images(album.space.id, after(90))
    assert set(rows.filter(expired_at=None).values_list("pk", flat=True)) == {shown[0].id}


def test_a_forgotten_image_that_is_shown_again_is_recalled_again(album: Album, alice: Principal):
    visual = album.one(plain(), words="garden")
    forget_images(album.space.id, after(62))
    again = album.show(plain(), now=after(63))
    assert (again.visuals[0].id, again.added) == (visual.id, frozenset())
    assert again.visuals[0].expired_at is None
    assert len(words_found(reader_of(alice), "garden", limit=5).items) == 1
    assert forget_images(album.space.id, after(64)).forgotten == 0


def test_without_a_policy_nothing_is_ever_purged(album: Album):
    album.one(plain())
    VisualPolicy.everyone.create(space=album.space)
    forget_images(album.space.id, after(62))
    assert forget_images(album.space.id, after(5_000)).purged == 0
    assert VisualRecord.everyone.count() == 1


def test_a_policy_purges_what_was_forgotten_so_long_ago_but_nothing_pinned(album: Album, image_dir: Path):
    kept = album.show(plain(RED), plain(BLUE)).visuals[0]
    VisualPolicy.everyone.create(space=album.space, purge_after_days=30)
    forget_images(album.space.id, after(62))
    VisualRecord.everyone.filter(pk=kept.id).update(is_pinned=True)
    assert forget_images(album.space.id, after(91)).purged == 0
    assert forget_images(album.space.id, after(92)).purged == 1
    assert VisualRecord.everyone.get().pk == kept.id
    assert len(files_in(image_dir)) == 2


@pytest.mark.skipif(not connection.features.has_select_for_update, reason="SQLite writes one at a time")
def test_purging_locks_what_it_deletes_so_that_nothing_is_restored_meanwhile(album: Album):
    album.one(plain())
    forget_images(album.space.id, after(90))
    VisualPolicy.everyone.create(space=album.space, purge_after_days=1)
    with CaptureQueriesContext(connection) as asked:
        assert forget_images(album.space.id, after(92)).purged == 1
    locking = [query["sql"] for query in asked if "FOR UPDATE" in query["sql"]]
    assert any('"visual_visualrecord"."expired_at" <=' in sql for sql in locking)


def test_what_a_kill_left_without_a_row_is_removed_after_a_day(album: Album, image_dir: Path):
    row = row_of(album.one(plain()))
    stray = f"{album.space.id}/{'0' * 64}"
    write_image(stray, b"half")
    now = timezone.now()
    assert forget_images(album.space.id, now).orphans == 0
    yesterday = (now - timedelta(hours=25)).timestamp()
    for name in (stray, row.file, row.thumbnail):
        os.utime(image_dir / name, (yesterday, yesterday))
    assert forget_images(album.space.id, now).orphans == 1
    assert files_in(image_dir) == {row.file, row.thumbnail}


def test_the_daily_task_and_the_command_go_through_every_space(album: Album, capsys):
    album.one(plain())
    VisualRecord.everyone.update(remembered_at=timezone.now() - timedelta(days=100))
    assert forget_all_images() == {"forgotten": 1, "purged": 0, "orphans": 0}
    call_command("forget")
    assert "0 forgotten, 0 purged" in capsys.readouterr().out
    call_command("forget", space="space-a")
    assert "in 1 space(s)" in capsys.readouterr().out
    with pytest.raises(CommandError, match="no space"):
        call_command("forget", space="nowhere")


def test_the_command_says_that_the_files_cannot_be_reached(album: Album, monkeypatch: pytest.MonkeyPatch):
    def failing(*_: object, **__: object) -> None:
        raise StorageFailed

    album.one(plain())
    monkeypatch.setattr("visual.services.files.stored_images", failing)
    with pytest.raises(CommandError, match="does not answer"):
        call_command("forget")


def test_files_of_a_space_that_is_gone_are_removed(album: Album, image_dir: Path):
    album.one(plain())
    album.space.delete()
    old = (timezone.now() - timedelta(hours=25)).timestamp()
    for name in files_in(image_dir):
        os.utime(image_dir / name, (old, old))
    assert forget_all_images()["orphans"] == 2
    assert files_in(image_dir) == set()


def test_nothing_to_do_is_nothing_done(space):
    assert forget_images(space.id, NOON) == Forgetting()
