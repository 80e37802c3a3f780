"""The administration: thumbnails for staff, changes through services, nothing of private sessions."""

from collections.abc import Callable

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse

from accounts.models import AuditEvent, User
from accounts.principals import Principal
from tests.visual.conftest import Album, row_of
from tests.visual.pictures import BLUE, plain
from visual.models import VisualPolicy, VisualRecord

pytestmark = pytest.mark.django_db(transaction=True)
LIST = "/admin/visual/visualrecord/"


def thumbnail(row: VisualRecord) -> str:
    return reverse("admin:visual_visualrecord_thumbnail", args=[row.pk])


def test_images_are_listed_with_thumbnails(album: Album, staff: Client) -> None:
    row = row_of(album.one(plain(), name="red-door.png"))
    album.one(plain(BLUE))
    text = staff.get(LIST).content.decode()
    assert "red-door.png" in text
    assert "PNG image, wide, mostly blue" in text, "of which nothing is told"
    assert f'src="{thumbnail(row)}"' in text
    shown = staff.get(thumbnail(row))
    assert (shown["Content-Type"], shown["X-Content-Type-Options"]) == ("image/webp", "nosniff")
    assert thumbnail(row) in staff.get(f"{LIST}{row.pk}/change/").content.decode()


@pytest.mark.parametrize(
    ("size", "shown"), [((60, 900), (6, 96)), ((2_000, 2), (96, 1)), ((64, 48), (96, 72))]
)
def test_a_thumbnail_stays_within_a_square(
    album: Album, staff: Client, size: tuple[int, int], shown: tuple[int, int]
) -> None:
    album.one(plain(size=size))
    assert f'width="{shown[0]}" height="{shown[1]}" loading' in staff.get(LIST).content.decode()


def test_what_is_private_to_another_is_not_shown(album: Album, alice: Principal, staff: Client) -> None:
    row = row_of(album.one(plain(), owner=alice, name="hidden-door.png"))
    for address in (LIST, f"{LIST}?q=hidden"):
        assert "hidden-door.png" not in staff.get(address).content.decode().replace('value="hidden', "")
    assert staff.get(f"{LIST}{row.pk}/change/").status_code == 302
    assert staff.get(thumbnail(row)).status_code == 404
    act(staff, "delete_for_good", row)
    assert VisualRecord.everyone.exists()


def test_nobody_else_sees_a_thumbnail(album: Album) -> None:
    row = row_of(album.one(plain()))
    client = Client()
    assert client.get(thumbnail(row)).status_code == 302
    client.force_login(User.objects.create_user("staffless", password="x", is_staff=True))
    assert client.get(thumbnail(row)).status_code == 404


def act(staff: Client, action: str, row: VisualRecord) -> None:
    reply = staff.post(LIST, {"action": action, "_selected_action": [str(row.pk)]}, follow=True)
    assert reply.status_code == 200


@pytest.mark.parametrize(
    ("action", "holds"),
    [
        ("pin", lambda row: row.is_pinned),
        ("unpin", lambda row: not row.is_pinned),
        ("restore", lambda row: row.expired_at is None),
    ],
)
def test_actions_go_through_services(
    album: Album, staff: Client, action: str, holds: Callable[[VisualRecord], bool]
) -> None:
    row = row_of(album.one(plain()))
    VisualRecord.everyone.update(expired_at=row.seen_at, is_pinned=action == "unpin")
    act(staff, action, row)
    row.refresh_from_db()
    assert holds(row)
    assert AuditEvent.objects.filter(object_id=row.pk).exists()


@pytest.mark.parametrize("action", ["pin", "unpin", "restore", "delete_for_good"])
def test_who_may_only_look_changes_nothing(album: Album, action: str) -> None:
    row = row_of(album.one(plain()))
    VisualRecord.everyone.update(expired_at=row.seen_at, is_pinned=action == "unpin")
    before = VisualRecord.everyone.values().get()
    looker = User.objects.create_user("looker", password="x", is_staff=True)
    looker.user_permissions.add(Permission.objects.get(codename="view_visualrecord"))
    client = Client()
    client.force_login(looker)
    act(client, action, row)
    assert VisualRecord.everyone.values().get() == before
    assert f'value="{action}"' not in client.get(LIST).content.decode()


def test_deleting_removes_the_files_too(album: Album, staff: Client, image_dir) -> None:
    act(staff, "delete_for_good", row_of(album.one(plain())))
    assert not VisualRecord.everyone.exists()
    assert [path for path in image_dir.rglob("*") if path.is_file()] == []


def test_a_policy_is_set_here(album: Album, staff: Client) -> None:
    sent = {"space": str(album.space.id), "purge_after_days": "30"}
    assert staff.post("/admin/visual/visualpolicy/add/", sent).status_code == 302
    assert VisualPolicy.everyone.get().purge_after_days == 30
