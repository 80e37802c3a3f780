"""The gallery: what it shows, finds, and lets whom change."""

from datetime import timedelta
from uuid import UUID

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from accounts.models import User
from tests.api.cast import Cast, Person
from tests.api.conftest import cast, cast_committed  # noqa: F401 - fixtures
from tests.visual.conftest import image_dir  # noqa: F401 - a fixture
from tests.visual.pictures import SVG, data_url, encoded, plain, scene
from visual.models import VisualRecord
from visual.providers.litellm_vision import LiteLLMVision

pytestmark = pytest.mark.usefixtures("image_dir")
IMAGES = "/app/s/space-a/images/"


def browser(who: Person) -> Client:
    client = Client()
    client.force_login(who.user)
    return client


def shown(who: Person, data: bytes, *, session: str = "garden", words: str = "") -> UUID:
    body = {"session_id": session, "images": [data_url(data)], "context": words}
    reply = who.post("/visual/memories", body)
    assert reply.status_code == 201, reply.content
    return UUID(reply.json()["items"][0]["id"])


def page(who: Person, query: str = "") -> str:
    reply = browser(who).get(IMAGES + query)
    assert reply.status_code == 200
    return str(reply.content.decode())


def test_without_images_the_page_says_how_to_send_one(cast: Cast) -> None:  # noqa: F811
    assert "No images yet" in page(cast.alice)
    assert "Nothing is forgotten" in page(cast.alice, "?state=expired")


def test_images_stand_by_conversation_with_what_is_left_of_them(cast: Cast) -> None:  # noqa: F811
    one = shown(cast.alice, plain())
    shown(cast.alice, plain((1, 2, 3)), session="forest")
    VisualRecord.everyone.filter(pk=one).update(remembered_at=timezone.now() - timedelta(days=18.5))
    text = page(cast.alice)
    assert text.index("forest") < text.index("garden")
    assert 'aria-label="Retention 50%"' in text
    assert "Images are not described here" in text
    assert "VLM_MODEL" not in text


def test_what_an_operator_can_mend_is_told_staff_alone(cast: Cast) -> None:  # noqa: F811
    assert "CLIP_WEIGHTS" not in page(cast.alice)
    User.objects.filter(pk=cast.alice.user.pk).update(is_staff=True)
    assert "CLIP_WEIGHTS names no weights" in page(cast.alice)
    assert "VLM_MODEL names no vision model" in page(cast.alice)


def test_an_image_without_a_description_shows_the_words_told_with_it(
    cast: Cast,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    image = shown(cast.alice, plain(), words="My bike <b> in the rain.")
    own = f"{IMAGES}{image}/"
    for text in (page(cast.alice), browser(cast.alice).get(own).content.decode()):
        assert "My bike &lt;b&gt; in the rain." in text
        assert "not described yet" not in text, "nobody describes images here"
    monkeypatch.setattr("visual.selectors.vision_model", lambda: LiteLLMVision)
    assert "not described yet" in browser(cast.alice).get(own).content.decode()
    VisualRecord.everyone.filter(pk=image).update(caption="A red bike.", is_caption_due=False)
    described = browser(cast.alice).get(own).content.decode()
    assert "A red bike." in described
    assert "in the rain" not in described


def test_an_image_has_a_page_with_what_is_known_and_where_it_was_shown(cast: Cast) -> None:  # noqa: F811
    image = shown(cast.alice, plain())
    client, address = browser(cast.alice), f"{IMAGES}{image}/"
    assert f'href="{address}"' in page(cast.alice)
    text = client.get(address).content.decode()
    assert f'src="{address}file/"' in text
    assert "/app/s/space-a/chat/" in text
    assert "Delete it for good" in text
    assert 'aria-label="Retention 100%"' in text
    pinned = client.post(f"{address}pin/", {"page": "1"}, follow=True)
    assert pinned.redirect_chain[-1][0] == address
    assert "Unpin" in pinned.content.decode()
    assert "Retention" not in pinned.content.decode(), "a pinned image does not fade"
    assert "Delete" not in browser(cast.vera).get(address).content.decode()
    assert browser(cast.charlie).get(address).status_code == 404
    client.post(f"{address}delete/", {"page": "1"})
    assert client.get(address).status_code == 404


def test_what_was_read_in_an_image_stands_on_its_page(cast: Cast) -> None:  # noqa: F811
    image = shown(cast.alice, plain())
    address, client = f"{IMAGES}{image}/", browser(cast.alice)
    assert "Written in it" not in client.get(address).content.decode()
    VisualRecord.everyone.filter(pk=image).update(text_in_image="PLATFORM NINE\n<b>TRAIN 4711</b>")
    text = client.get(address).content.decode()
    assert "Written in it" in text
    assert "PLATFORM NINE<br>&lt;b&gt;TRAIN 4711&lt;/b&gt;" in text


def test_the_words_told_with_an_image_stand_below_its_name(cast: Cast) -> None:  # noqa: F811
    shown(cast.alice, plain(), words="My bike in the rain.")
    name, words = page(cast.alice).split('<p class="name" dir="auto">')[1].split("</p>")[:2]
    assert "bike" not in name
    assert words.strip().startswith('<p class="small quiet" dir="auto"><q>My bike in the rain.</q>')


def test_each_button_in_the_gallery_says_which_image_it_acts_on(cast: Cast) -> None:  # noqa: F811
    shown(cast.alice, plain())
    text = " ".join(page(cast.alice).split())
    for act in ("Pin", "Delete"):
        assert f'{act}<span class="unseen">: PNG image, wide, mostly red</span>' in text


def test_words_and_an_image_find_images(cast: Cast) -> None:  # noqa: F811
    roses = shown(cast.alice, encoded(scene(1)), words="roses in June")
    taxes = shown(cast.alice, encoded(scene(4)), words="the tax form")
    text = page(cast.alice, "?q=roses")
    assert f"image-{roses}" in text
    assert f"image-{taxes}" not in text
    assert "No image fits" in page(cast.alice, "?q=submarine")
    sent = {"image": SimpleUploadedFile("x.jpg", encoded(scene(1), "JPEG"))}
    found = browser(cast.alice).post(IMAGES, sent).content.decode()
    assert found.index(f"image-{roses}") < found.find(f"image-{taxes}") % len(found)


@pytest.mark.parametrize("data", [SVG, b"", None])
def test_a_search_by_no_image_says_so(cast: Cast, data: bytes | None) -> None:  # noqa: F811
    sent = {} if data is None else {"image": SimpleUploadedFile("x.png", data)}
    reply = browser(cast.alice).post(IMAGES, sent)
    assert reply.status_code == 422
    assert 'class="error"' in reply.content.decode()


def test_pin_restore_and_delete(cast: Cast) -> None:  # noqa: F811
    image = shown(cast.alice, plain())
    client, address = browser(cast.alice), f"{IMAGES}{image}/"
    assert "It does not fade" in client.post(f"{address}pin/", follow=True).content.decode().replace(
        "it does", "It does"
    )
    assert VisualRecord.everyone.get().is_pinned
    client.post(f"{address}pin/", {"unpin": "1"})
    assert not VisualRecord.everyone.get().is_pinned
    VisualRecord.everyone.update(expired_at=timezone.now(), expired_reason="forgotten")
    assert "forgotten" in page(cast.alice, "?state=expired")
    client.post(f"{address}restore/")
    assert VisualRecord.everyone.get().expired_at is None
    assert "The image is deleted." in client.post(f"{address}delete/", follow=True).content.decode()
    assert client.get(f"{address}file/").status_code == 404


def test_a_viewer_looks_and_changes_nothing(cast: Cast) -> None:  # noqa: F811
    image = shown(cast.alice, plain())
    text = page(cast.vera)
    assert f"image-{image}" in text
    assert "Delete" not in text
    for act in ("pin", "restore", "delete"):
        assert browser(cast.vera).post(f"{IMAGES}{image}/{act}/").status_code == 403
    assert browser(cast.vera).get(f"{IMAGES}{image}/file/?size=small")["Content-Type"] == "image/webp"


def test_a_turn_shows_its_images_and_says_where_one_was_deleted(
    cast_committed: Cast,  # noqa: F811
) -> None:
    cast = cast_committed  # noqa: F811
    body = {
        "session_id": "garden",
        "message": "Look!",
        "images": [data_url(plain()), data_url(plain((9, 9, 9)))],
    }
    answered = cast.alice.post("/chat/complete", body)
    assert answered.status_code == 200, answered.content
    first, second = answered.json()["trace"]["visual_memory"]["images"]
    address = f"/app/s/space-a/chat/{answered.json()['session_uuid']}/"
    text = browser(cast.alice).get(address).content.decode()
    assert text.index(first["id"]) < text.index(second["id"])
    cast.alice.delete(f"/visual/memories/{first['id']}")
    text = browser(cast.alice).get(address).content.decode()
    assert first["id"] not in text
    assert "This image was deleted." in text
