"""An image enters at once, whole, once a session; and never by halves."""

import errno
from pathlib import Path
from uuid import uuid4

import pytest

from accounts.errors import InvalidInput, StorageFailed, TooLarge
from accounts.principals import Principal
from memory.domain.types import Kind
from memory.models import IndexedItem, IndexOutbox
from tests.memory.indexing import make_space
from tests.visual.conftest import Album, files_in, reader_of, row_of
from tests.visual.pictures import BLUE, RED, SVG, encoded, photograph, plain, scene
from visual.domain.types import Upload
from visual.models import VisualRecord
from visual.selectors import words_found
from visual.services import remember
from visual.services.remember import decode_images
from visual.stores.images import read_image, write_image


def test_without_any_model_an_image_is_a_memory_at_once(album: Album, alice: Principal):
    visual = album.one(plain(RED), name="red-door.png", words="Our new front door!")
    assert (visual.width, visual.height, visual.mime) == (64, 48, "image/png")
    assert visual.colors == ("#d21e28",)
    assert visual.is_caption_due
    assert visual.retention == 1.0
    for word in ("door", "front", "red"):
        assert len(words_found(reader_of(alice), word, limit=5).items) == 1, word


def test_file_and_thumbnail_lie_under_the_space(album: Album, image_dir: Path):
    row = row_of(album.one(photograph()))
    assert files_in(image_dir) == {row.file, row.thumbnail}
    assert row.file.startswith(f"{album.space.id}/")
    assert read_image(row.file).startswith(b"\xff\xd8")


def test_the_same_image_a_hundred_times_in_a_session_is_one_memory(album: Album, image_dir: Path):
    first = album.one(plain())
    for _ in range(99):
        again = album.show(plain())
        assert (again.visuals[0].id, again.added) == (first.id, frozenset())
    assert VisualRecord.everyone.count() == 1
    assert IndexedItem.objects.filter(kind=Kind.VISUAL).count() == 1
    assert len(files_in(image_dir)) == 2


def test_the_same_image_twice_in_one_request_is_one_memory_named_twice(album: Album):
    shown = album.show(plain(RED), plain(BLUE), plain(RED))
    assert [visual.id for visual in shown.visuals] == [
        shown.visuals[0].id,
        shown.visuals[1].id,
        shown.visuals[0].id,
    ]
    assert len(shown.added) == 2


def test_of_several_files_of_the_same_pixels_the_first_is_kept_in_its_own_type(album: Album):
    album.one(encoded(scene(), "WEBP", lossless=True))  # another session's, whose file lies there
    shown = Album(album.space).show(encoded(scene(), "PNG"), encoded(scene(), "WEBP", lossless=True))
    row = row_of(shown.visuals[0])
    assert row.mime == "image/png"
    assert read_image(row.file).startswith(b"\x89PNG")
    assert len(read_image(row.file)) == row.byte_size


def test_sessions_of_a_space_share_the_file_and_spaces_do_not(album: Album, image_dir: Path):
    one, other = row_of(album.one(plain())), row_of(album.one(plain(), session=uuid4()))
    assert one.pk != other.pk
    assert one.file == other.file
    elsewhere = row_of(Album(make_space("space-b")).one(plain()))
    assert elsewhere.file.partition("/")[2] != one.file.partition("/")[2]
    assert len(files_in(image_dir)) == 4


def test_a_private_session_keeps_its_images_to_its_author(album: Album, alice: Principal, bob: Principal):
    album.one(plain(), owner=alice, words="hideout")
    assert len(words_found(reader_of(alice), "hideout", limit=5).items) == 1
    assert len(words_found(reader_of(bob), "hideout", limit=5).items) == 0


def test_a_secret_in_a_files_name_is_redacted(album: Album):
    key = "sk-abcdefghijklmnopqrstuvwxyz123456"
    assert key not in album.one(plain(), name=f"{key}.png").name


def test_secrets_in_the_words_around_are_redacted(album: Album):
    visual = album.one(plain(), words="my key is sk-abcdefghijklmnopqrstuvwxyz123456")
    assert "abcdefghijklmnop" not in visual.words_around


def test_sixteen_images_fit_a_request_and_seventeen_do_not():
    uploads = [Upload(plain((shade, 0, 0))) for shade in range(17)]
    assert len(decode_images(uploads[:16])) == 16
    with pytest.raises(TooLarge, match="16 images"):
        decode_images(uploads)


def test_a_faulty_image_among_good_ones_is_named():
    with pytest.raises(InvalidInput) as refused:
        decode_images([Upload(plain()), Upload(SVG)])
    assert refused.value.errors[0].pointer == "/images/1"


def test_a_disk_that_fills_up_midway_leaves_nothing(
    album: Album, image_dir: Path, monkeypatch: pytest.MonkeyPatch
):
    calls: list[str] = []

    def third_fails(name: str, data: bytes) -> bool:
        calls.append(name)
        if len(calls) == 3:
            raise StorageFailed from OSError(errno.ENOSPC, "full")
        return write_image(name, data)

    monkeypatch.setattr(remember, "write_image", third_fails)
    with pytest.raises(StorageFailed):
        album.show(plain(RED), plain(BLUE))
    assert files_in(image_dir) == set()
    assert not VisualRecord.everyone.exists()
    assert not IndexOutbox.objects.exists()
    monkeypatch.undo()
    assert len(album.show(plain(RED), plain(BLUE)).added) == 2


def test_a_database_that_fails_leaves_no_file(album: Album, image_dir: Path, monkeypatch: pytest.MonkeyPatch):
    def fails(_items: object) -> None:
        raise RuntimeError("no")

    monkeypatch.setattr(remember, "index_items", fails)
    with pytest.raises(RuntimeError):
        album.show(plain())
    assert files_in(image_dir) == set()


def test_what_another_row_needs_is_not_taken_back(
    album: Album, image_dir: Path, monkeypatch: pytest.MonkeyPatch
):
    kept = row_of(album.one(plain()))

    def fails(_items: object) -> None:
        raise RuntimeError("no")

    monkeypatch.setattr(remember, "index_items", fails)
    with pytest.raises(RuntimeError):
        album.show(plain(), session=uuid4())
    assert files_in(image_dir) == {kept.file, kept.thumbnail}
