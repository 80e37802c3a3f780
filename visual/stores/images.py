"""The files of images, in Django's storage: `<space>/<HMAC(space key, content hash)>`.

A name tells nothing and is nobody's choice; within a space the same bytes are one file. A file
is there whole or not at all.
"""

import hashlib
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from tempfile import NamedTemporaryFile
from uuid import UUID

from django.core.files.base import ContentFile
from django.core.files.storage import FileSystemStorage, Storage, storages
from django.utils.crypto import salted_hmac

from accounts.errors import NotFound, StorageFailed

_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


class WholeFileStorage(FileSystemStorage):
    """A folder whose files appear at once: written beside their place, then moved there."""

    def __init__(self, location: str | Path) -> None:
        super().__init__(location=location, directory_permissions_mode=0o700)

    def get_available_name(self, name: str, max_length: int | None = None) -> str:
        """The name itself: what lies there holds the same bytes."""
        return name

    def _save(self, name: str, content: "ContentFile[bytes]") -> str:
        path = Path(self.path(name))  # raises SuspiciousFileOperation outside the folder
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with NamedTemporaryFile(dir=path.parent, prefix=".part-", delete=False) as part:
            try:
                part.write(content.read())
                part.flush()
                os.fsync(part.fileno())
                Path(part.name).replace(path)
            except BaseException:
                Path(part.name).unlink(missing_ok=True)
                raise
        return name


def file_name(space_id: UUID, data: bytes) -> str:
    """Where these bytes lie in the space; the key is the server's secret and the space."""
    digest = hashlib.sha256(data).hexdigest()
    keyed = salted_hmac("lychee.image", f"{space_id}:{digest}", algorithm="sha256").hexdigest()
    return f"{space_id}/{keyed}"


def write_image(name: str, data: bytes) -> bool:
    """Put the bytes there; whether they were not there before. Raises StorageFailed."""
    with _translated():
        if _storage().exists(name):
            return False
        _storage().save(name, ContentFile(data))
    return True


def read_image(name: str) -> bytes:
    """The file's bytes. Raises NotFound, StorageFailed."""
    try:
        with _translated(), _storage().open(name) as file:
            data: bytes = file.read()
    except FileNotFoundError as error:
        raise NotFound("The image's file is gone.") from error
    return data


def delete_image(name: str) -> None:
    """Remove the file; one that is gone is fine. Raises StorageFailed."""
    with _translated():
        _storage().delete(name)


def stored_images(space_id: UUID, *, before: datetime) -> list[str]:
    """The names of the space's files that were written before that moment. Raises StorageFailed."""
    storage = _storage()
    with _translated():
        try:
            _folders, files = storage.listdir(str(space_id))
        except FileNotFoundError:
            return []
        names = [f"{space_id}/{file}" for file in files]
        return [name for name in names if storage.get_modified_time(name) < before]


def stored_spaces() -> set[UUID]:
    """The spaces that have files, those that are gone themselves too. Raises StorageFailed."""
    with _translated():
        try:
            folders, _files = _storage().listdir("")
        except FileNotFoundError:
            return set()
    return {UUID(folder) for folder in folders if _UUID.fullmatch(folder)}


def _storage() -> Storage:
    return storages["images"]


@contextmanager
def _translated() -> Iterator[None]:
    """A vendor's failure as ours. FileNotFoundError passes."""
    try:
        yield
    except FileNotFoundError:
        raise
    except _failures() as error:
        raise StorageFailed from error


def _failures() -> tuple[type[Exception], ...]:
    """What a folder raises, and a bucket once its library is loaded."""
    module = sys.modules.get("botocore.exceptions")
    return (OSError, module.BotoCoreError, module.ClientError) if module else (OSError,)
