"""People of a space, its sessions, and images that were shown in them."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.conf import settings
from django.test import override_settings

from accounts.models import Membership, Space
from accounts.principals import Principal
from memory.domain.types import Reader
from tests.memory.curating import principal
from tests.memory.indexing import make_space, make_user
from tests.model_server.configured import forget_adapters
from visual.domain.types import Upload, Visual
from visual.models import VisualRecord
from visual.services.remember import ImageScope, Remembered, decode_images, remember_images

NOON = datetime(2026, 7, 1, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
def image_dir(tmp_path: Path) -> Iterator[Path]:
    """The images of each test in a folder of their own."""
    folder = tmp_path / "images"
    images = {**settings.STORAGES["images"], "OPTIONS": {"location": folder}}
    with override_settings(STORAGES={**settings.STORAGES, "images": images}, INDEX_DIR=tmp_path / "index"):
        forget_adapters()
        yield folder
    forget_adapters()


@pytest.fixture
def space(db: None) -> Space:
    return make_space("space-a")


@pytest.fixture
def alice(space: Space) -> Principal:
    return principal(make_user("alice"), space)


@pytest.fixture
def bob(space: Space) -> Principal:
    return principal(make_user("bob"), space, Membership.Role.EDITOR)


@pytest.fixture
def vera(space: Space) -> Principal:
    return principal(make_user("vera"), space, Membership.Role.VIEWER)


@dataclass
class Album:
    """Shows images in sessions of a space."""

    space: Space
    session: UUID = field(default_factory=uuid4)

    def show(
        self, *images: bytes, session: UUID | None = None, owner: Principal | None = None, **more: Any
    ) -> Remembered:
        """Remember images; `name` is the file's, `words` what was said with them."""
        uploads = [Upload(data, more.get("name", "")) for data in images]
        scope = ImageScope(
            space_id=self.space.id,
            private_to=owner.user_id if owner else None,
            session_id=session or self.session,
            seen_at=NOON,
            now=more.get("now", NOON),
            words_around=more.get("words", ""),
        )
        return remember_images(scope, decode_images(uploads))

    def one(self, image: bytes, **how: Any) -> Visual:
        return self.show(image, **how).visuals[0]


@pytest.fixture
def album(space: Space) -> Album:
    return Album(space)


def reader_of(who: Principal) -> Reader:
    return Reader(who.space_id, who.user_id)


def files_in(folder: Path) -> set[str]:
    """Everything that lies there, unfinished parts too."""
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def row_of(visual: Visual) -> VisualRecord:
    row: VisualRecord = VisualRecord.everyone.get(pk=visual.id)
    return row
