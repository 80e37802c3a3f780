"""Files: named by nobody, whole or not there, and nowhere but in their folder."""

import errno
import hashlib
import hmac
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import uuid4

import pytest
from django.core.exceptions import SuspiciousFileOperation
from django.test import override_settings

from accounts.errors import NotFound, StorageFailed
from tests.visual.conftest import files_in
from visual.stores.images import (
    delete_image,
    file_name,
    read_image,
    stored_images,
    stored_spaces,
    write_image,
)

SPACE = uuid4()


def test_a_name_is_the_space_and_a_keyed_hash_that_nobody_else_can_make():
    name = file_name(SPACE, b"pixels")
    folder, _, digest = name.partition("/")
    assert folder == str(SPACE)
    assert len(digest) == 64
    content = hashlib.sha256(b"pixels").hexdigest()
    assert content not in name
    assert digest != hmac.new(str(SPACE).encode(), content.encode(), "sha256").hexdigest()
    with override_settings(SECRET_KEY="another"):
        assert file_name(SPACE, b"pixels") != name


def test_the_same_bytes_have_one_name_in_a_space_and_another_in_another():
    assert file_name(SPACE, b"pixels") == file_name(SPACE, b"pixels")
    assert file_name(uuid4(), b"pixels").partition("/")[2] != file_name(SPACE, b"pixels").partition("/")[2]


def test_what_was_written_is_read_and_written_once(image_dir: Path):
    name = file_name(SPACE, b"pixels")
    assert write_image(name, b"pixels") is True
    assert write_image(name, b"pixels") is False
    assert read_image(name) == b"pixels"
    assert files_in(image_dir) == {name}
    assert stored_spaces() == {SPACE}


def test_a_deleted_file_is_gone_and_deleting_again_is_fine(image_dir: Path):
    name = file_name(SPACE, b"pixels")
    write_image(name, b"pixels")
    delete_image(name)
    delete_image(name)
    assert files_in(image_dir) == set()
    with pytest.raises(NotFound):
        read_image(name)


@pytest.mark.parametrize("name", ["../escape", "/etc/passwd", "a/../../escape"])
def test_no_name_leads_out_of_the_folder(name: str, image_dir: Path):
    with pytest.raises(SuspiciousFileOperation):
        write_image(name, b"pixels")
    with pytest.raises(SuspiciousFileOperation):
        read_image(name)
    assert not (image_dir.parent / "escape").exists()


def test_a_full_disk_leaves_no_part_of_a_file(image_dir: Path, monkeypatch: pytest.MonkeyPatch):
    def full(_descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("visual.stores.images.os.fsync", full)
    name = file_name(SPACE, b"pixels")
    with pytest.raises(StorageFailed):
        write_image(name, b"pixels")
    assert files_in(image_dir) == set()
    monkeypatch.undo()
    assert write_image(name, b"pixels") is True


def test_old_files_are_listed_and_new_ones_not():
    name = file_name(SPACE, b"pixels")
    write_image(name, b"pixels")
    now = datetime.now(UTC)
    assert stored_images(SPACE, before=now + timedelta(seconds=5)) == [name]
    assert stored_images(SPACE, before=now - timedelta(hours=1)) == []
    assert stored_images(uuid4(), before=now) == []
