"""`/visual` over HTTP: what goes in, what comes out, to whom, in what form."""

import json
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import quote
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client, override_settings
from django.utils import timezone
from PIL import Image

from tests.api.cast import Cast, Person, pointers, problem
from tests.visual.conftest import files_in, image_dir  # noqa: F401 - a fixture
from tests.visual.pictures import (
    BLUE,
    GREEN,
    RED,
    SVG,
    animation,
    bomb,
    data_url,
    encoded,
    endless_gif,
    photograph,
    plain,
    scene,
)
from visual.models import VisualRecord

pytestmark = pytest.mark.usefixtures("image_dir")


def remember(who: Person, *images: bytes, **more: Any) -> Any:
    body = {"session_id": "garden", "images": [data_url(image) for image in images], **more}
    return who.post("/visual/memories", body)


def one(who: Person, image: bytes | None = None, **more: Any) -> dict[str, Any]:
    reply = remember(who, image or plain(), **more)
    assert reply.status_code == 201, reply.content
    item: dict[str, Any] = reply.json()["items"][0]
    return item


class TestRemembering:
    def test_an_image_is_a_memory_at_once(self, cast: Cast) -> None:
        made = one(cast.alice, names=["red-door.png"], context="Our new front door!")
        assert (made["width"], made["height"], made["mime_type"]) == (64, 48, "image/png")
        assert (made["caption"], made["is_described"], made["retention"]) == ("", False, 1.0)
        assert cast.alice.get(f"/visual/memories/{made['id']}").json() == made
        found = cast.alice.post("/visual/search", {"query": "front door"}).json()
        assert [hit["id"] for hit in found["results"]] == [made["id"]]

    def test_a_form_with_files_does_the_same(self, cast: Cast) -> None:
        files = [SimpleUploadedFile("door.png", plain()), SimpleUploadedFile("../../sky.png", plain(BLUE))]
        reply = Client().post(
            "/visual/memories",
            {"session_id": "garden", "context": "at home", "images": files},
            headers=cast.alice.headers,
        )
        assert reply.status_code == 201, reply.content
        assert [item["name"] for item in reply.json()["items"]] == ["door.png", "sky.png"]
        assert reply.json()["added"] == 2

    @pytest.mark.parametrize("files", [[], [b""], [SVG]])
    def test_a_form_without_a_whole_image_is_refused(self, cast: Cast, files: list[bytes]) -> None:
        sent = {"session_id": "garden", "images": [SimpleUploadedFile("x.png", data) for data in files]}
        problem(Client().post("/visual/memories", sent, headers=cast.alice.headers), 422, "invalid_input")
        assert not VisualRecord.everyone.exists()

    @pytest.mark.parametrize(
        "kind", ["multipart/form-data", "multipart/form-data; boundary=", "multipart/form-data; boundary=é"]
    )
    def test_a_form_that_does_not_say_where_its_parts_end_is_refused(self, cast: Cast, kind: str) -> None:
        reply = Client().post("/visual/memories", b"--x--", content_type=kind, headers=cast.alice.headers)
        problem(reply, 400, "bad_request")

    @pytest.mark.parametrize(
        ("given", "kept"),
        [
            ("a\r\nX-Evil: 1.png", "a X-Evil: 1.png"),
            ("\u202egnp.exe", "gnp.exe"),
            ("bell\x07\x1b[31m.png", "bell[31m.png"),
            ("می\u200cخواهم.png", "می\u200cخواهم.png"),
        ],
    )
    def test_a_name_is_one_line_that_reads_as_it_stands(self, cast: Cast, given: str, kept: str) -> None:
        assert remember(cast.alice, plain(), names=[given]).json()["items"][0]["name"] == kept

    def test_sixteen_images_fit_and_the_same_again_add_nothing(self, cast: Cast) -> None:
        images = [plain((10 * shade, 0, 0)) for shade in range(16)]
        assert remember(cast.alice, *images).json()["added"] == 16
        again = remember(cast.alice, *images).json()
        assert (again["added"], len(again["items"])) == (0, 16)
        assert cast.alice.get("/visual/stats").json()["images"] == 16
        problem(remember(cast.alice, *images, plain(BLUE)), 422, "invalid_input")

    @pytest.mark.parametrize(
        ("data", "status"),
        [
            (bomb(50_000, 50_000), 413),
            (endless_gif(100_000), 413),
            (SVG, 422),
            (photograph()[:500], 422),
            (b"", 422),
            (b"no image", 422),
        ],
    )
    def test_what_must_not_be_decoded_leaves_nothing(
        self,
        cast: Cast,
        data: bytes,
        status: int,
        image_dir: Path,  # noqa: F811
    ) -> None:
        reply = remember(cast.alice, plain(), data)
        assert reply.status_code == status, reply.content
        assert reply["Content-Type"] == "application/problem+json"
        assert not VisualRecord.everyone.exists()
        assert files_in(image_dir) == set()

    def test_a_faulty_image_is_named(self, cast: Cast) -> None:
        assert pointers(problem(remember(cast.alice, plain(), SVG), 422, "invalid_input")) == {"/images/1"}

    @pytest.mark.parametrize(
        "given", ["data:image/png;base64,???", 7, None, "https://example.org/a.png", {"url": 1}]
    )
    def test_what_is_no_data_url_is_refused(self, cast: Cast, given: Any) -> None:
        reply = cast.alice.post("/visual/memories", {"session_id": "garden", "images": [given]})
        assert pointers(problem(reply, 422, "invalid_input")) == {"/images/0"}

    def test_an_address_stands_for_an_image_where_that_is_switched_on(
        self, cast: Cast, settings: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        settings.FETCH_IMAGES = True
        monkeypatch.setattr("visual.providers.remote._fetch", lambda url, *_: (url, plain()))
        address = "https://example.org/red%20door.png"
        body = {"session_id": "garden", "images": [data_url(plain(BLUE)), {"image_url": {"url": address}}]}
        blue, red = cast.alice.post("/visual/memories", body).json()["items"]
        assert (blue["name"], red["name"]) == ("", "red door.png")

    @pytest.mark.parametrize("address", ["http://example.org/a.png", "https://127.0.0.1/a.png"])
    def test_an_address_that_must_not_be_fetched_is_refused(
        self, cast: Cast, settings: Any, address: str
    ) -> None:
        settings.FETCH_IMAGES = True
        for path, words in (("/visual/memories", {}), ("/chat/complete", {"message": "See."})):
            reply = cast.alice.post(path, {"session_id": "garden", "images": [address], **words})
            assert pointers(problem(reply, 422, "invalid_input")) == {"/images"}
        assert cast.alice.get("/sessions").json()["items"] == []

    def test_every_way_of_writing_an_image_is_read(self, cast: Cast) -> None:
        url = data_url(plain())
        bare, typeless = url.partition(",")[2], url.replace("image/png", "")
        spaced = f"\n data:image/png;name=x.png; base64 , {bare[:40]}\n {bare[40:]}"
        escaped = f"data:image/png;base64,{quote(bare, safe='')}"
        ways = [url, bare, typeless, spaced, escaped, {"url": url}, {"image_url": {"url": url}}]
        for number, way in enumerate(ways):
            reply = cast.alice.post("/visual/memories", {"session_id": f"s{number}", "images": [way]})
            assert reply.status_code == 201, (way, reply.content)
        raw = "data:image/png," + "".join(f"%{byte:02X}" for byte in plain())
        assert cast.alice.post("/visual/memories", {"session_id": "raw", "images": [raw]}).status_code == 201
        assert len(set(VisualRecord.everyone.values_list("image_hash", flat=True))) == 1

    def test_a_lying_type_is_not_believed(self, cast: Cast) -> None:
        body = {"session_id": "garden", "images": [data_url(photograph(), "text/html")]}
        made = cast.alice.post("/visual/memories", body).json()["items"][0]
        assert made["mime_type"] == "image/jpeg"

    def test_an_animation_is_kept_by_its_first_frame(self, cast: Cast) -> None:
        made = one(cast.alice, animation(5))
        assert (made["frames"], made["mime_type"]) == (5, "image/png")

    def test_a_full_disk_is_503_and_leaves_nothing(
        self,
        cast: Cast,
        monkeypatch: pytest.MonkeyPatch,
        image_dir: Path,  # noqa: F811
    ) -> None:
        def full(_descriptor: int) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr("visual.stores.images.os.fsync", full)
        reply = remember(cast.alice, plain())
        problem(reply, 503, "storage_unavailable")
        assert reply["Retry-After"]
        assert not VisualRecord.everyone.exists()
        assert files_in(image_dir) == set()

    def test_a_body_above_its_limit_is_413(self, cast: Cast) -> None:
        with override_settings(MAX_IMAGE_BODY_BYTES=1_000):
            problem(remember(cast.alice, encoded(scene())), 413, "too_large")
        with override_settings(MAX_IMAGE_BYTES=100):
            files = {"session_id": "garden", "images": [SimpleUploadedFile("x.png", encoded(scene()))]}
            reply = Client().post("/visual/memories", files, headers=cast.alice.headers)
            problem(reply, 413, "too_large")

    def test_the_bytes_never_become_text(self, cast: Cast) -> None:
        url = data_url(photograph())
        made = one(cast.alice, photograph())
        text = json.dumps(made)
        assert url[40:90] not in text
        assert "base64" not in text


class TestServing:
    def test_the_image_comes_in_its_type_for_its_readers_cache_alone(self, cast: Cast) -> None:
        made = one(cast.alice, photograph())
        reply = cast.alice.get(f"/visual/memories/{made['id']}/image")
        assert (reply.status_code, reply["Content-Type"]) == (200, "image/jpeg")
        assert reply["X-Content-Type-Options"] == "nosniff"
        assert reply["Cache-Control"] == "private, max-age=3600"
        assert "sandbox" in reply["Content-Security-Policy"]
        assert reply["Content-Disposition"].startswith("inline")
        assert b"SecretCameraMaker" not in reply.content
        assert Image.open(BytesIO(reply.content)).size == (320, 240)

    def test_a_thumbnail_is_small(self, cast: Cast) -> None:
        made = one(cast.alice, encoded(scene(size=(2_000, 1_000))))
        reply = cast.alice.get(f"/visual/memories/{made['id']}/image?size=small")
        assert reply["Content-Type"] == "image/webp"
        assert Image.open(BytesIO(reply.content)).size == (512, 256)

    def test_who_has_it_already_is_told_so(self, cast: Cast) -> None:
        address = f"/visual/memories/{one(cast.alice)['id']}/image"
        tag = cast.alice.get(address)["ETag"]
        reply = Client().get(address, headers={**cast.alice.headers, "If-None-Match": tag})
        assert (reply.status_code, reply.content) == (304, b"")

    def test_no_address_leads_to_a_file_but_that_of_its_reader(self, cast: Cast) -> None:
        made = one(cast.alice)
        row = VisualRecord.everyone.get(pk=made["id"])
        folder, _, digest = row.file.partition("/")
        for path in (
            f"/visual/memories/{made['image_hash']}/image",
            f"/visual/memories/{digest}/image",
            f"/visual/memories/..%2F{row.file}/image",
            f"/images/{row.file}",
            f"/static/../images/{row.file}",
            f"/visual/memories/{folder}/image",
        ):
            assert cast.charlie.get(path).status_code == 404, path
        problem(cast.charlie.get(f"/visual/memories/{made['id']}/image"), 404, "not_found")
        assert Client().get(f"/visual/memories/{made['id']}/image").status_code == 401


class TestListing:
    def test_pages_are_newest_first_and_filters_narrow(self, cast: Cast) -> None:
        first = one(cast.alice, plain(RED), context="roses")
        second = one(cast.alice, plain(BLUE), context="sky")
        other = one(cast.alice, plain(GREEN), session_id="forest", context="leaves")
        page = cast.alice.get("/visual/memories", {"limit": 2}).json()
        assert ([i["id"] for i in page["items"]], page["total"]) == ([other["id"], second["id"]], 3)
        rest = cast.alice.get("/visual/memories", {"limit": 2, "cursor": page["next_cursor"]}).json()
        assert ([i["id"] for i in rest["items"]], rest["next_cursor"]) == ([first["id"]], None)
        there = cast.alice.get("/visual/memories", {"session": "forest"}).json()
        assert cast.alice.get("/visual/memories", {"session_id": "forest"}).json() == there
        assert [i["id"] for i in there["items"]] == [other["id"]]
        told = cast.alice.get("/visual/memories", {"q": "sky"}).json()
        assert [i["id"] for i in told["items"]] == [second["id"]]
        problem(cast.alice.get("/visual/memories", {"cursor": "x"}), 422, "invalid_input")

    def test_forgotten_images_are_listed_when_asked_for_and_restored(self, cast: Cast) -> None:
        made = one(cast.alice, context="roses")
        VisualRecord.everyone.update(expired_at=timezone.now(), expired_reason="forgotten")
        assert cast.alice.get("/visual/memories").json()["total"] == 0
        (item,) = cast.alice.get("/visual/memories", {"state": "expired"}).json()["items"]
        assert (item["id"], item["expired_reason"], item["retention"]) == (made["id"], "forgotten", 0.0)
        restored = cast.alice.post(f"/visual/memories/{made['id']}/restore").json()
        assert (restored["expired_at"], restored["retention"]) == (None, 1.0)
        assert cast.alice.get("/visual/memories").json()["total"] == 1

    def test_pinning_and_deleting(self, cast: Cast) -> None:
        address = f"/visual/memories/{one(cast.alice)['id']}"
        assert cast.alice.post(f"{address}/pin").json()["is_pinned"]
        assert not cast.alice.post(f"{address}/pin", {"pinned": False}).json()["is_pinned"]
        problem(cast.vera.delete(address), 403, "forbidden")
        assert cast.bob.delete(address).status_code == 204
        problem(cast.alice.get(address), 404, "not_found")
        problem(cast.alice.get(f"{address}/image"), 404, "not_found")

    def test_stats_say_which_channels_are_off(self, cast: Cast) -> None:
        one(cast.alice)
        stats = cast.alice.get("/visual/stats").json()
        assert (stats["images"], stats["undescribed"], stats["sessions"]) == (1, 1, 1)
        assert (stats["vision_model"], stats["looks_model"], stats["is_reading_text"]) == (None, None, False)
        assert any("CLIP_WEIGHTS" in note for note in stats["notes"])
        assert any("VLM_MODEL" in note for note in stats["notes"])
        assert cast.charlie.get("/visual/stats").json()["images"] == 0


class TestSearching:
    def test_by_an_image_the_same_and_the_like_come_first(self, cast: Cast) -> None:
        same, other = one(cast.alice, encoded(scene(1))), one(cast.alice, encoded(scene(4)))
        shown = encoded(scene(1).resize((200, 150)), "JPEG", quality=60)
        found = cast.alice.post("/visual/search", {"image": data_url(shown)}).json()
        assert found["results"][0]["id"] == same["id"]
        assert found["results"][0]["score"] > 0.85
        assert all(hit["score"] < 0.7 for hit in found["results"] if hit["id"] == other["id"])
        assert found["results"][0]["caption_score"] is None
        assert found["notes"] == ["Images are compared by their perceptual hash alone."]

    def test_what_was_found_counts_as_recalled(self, cast: Cast) -> None:
        made = one(cast.alice, context="roses in June")
        cast.alice.post("/visual/search", {"query": "roses"})
        after = cast.alice.get(f"/visual/memories/{made['id']}").json()
        assert (after["recall_count"], after["last_recalled_at"] is None) == (1, False)

    def test_a_question_about_nothing_there_finds_nothing(self, cast: Cast) -> None:
        one(cast.alice, context="roses in June")
        found = cast.alice.post("/visual/search", {"query": "quarterly tax return"}).json()
        assert (found["results"], found["total"]) == ([], 0)
        assert any("CLIP_WEIGHTS" in note for note in found["notes"])

    @pytest.mark.parametrize(
        "body", [{}, {"query": "x", "image": data_url(plain())}, {"query": ""}, {"query": "x", "top_k": 0}]
    )
    def test_one_of_the_two_is_asked_for(self, cast: Cast, body: dict[str, Any]) -> None:
        problem(cast.alice.post("/visual/search", body), 422, "invalid_input")

    def test_a_search_of_the_memory_tells_of_images_where_asked(self, cast: Cast) -> None:
        made = one(cast.alice, context="Nora's roses in June")
        asked = {"query": "What do Nora's roses look like?"}
        assert cast.alice.post("/memory/search", asked).json()["visual_results"] == []
        told = cast.alice.post("/memory/search", {**asked, "include_visual": True}).json()["visual_results"]
        assert [hit["id"] for hit in told] == [made["id"]]

    def test_a_session_that_is_not_there_is_404(self, cast: Cast) -> None:
        body = {"query": "x", "session_id": str(uuid4())}
        problem(cast.alice.post("/visual/search", body), 404, "not_found")


@pytest.mark.parametrize("body", ["", "{", '{"session_id": Infinity}', "[" * 100_000, "\xff"])
def test_a_body_that_is_no_json_is_refused_as_everywhere(cast: Cast, body: str) -> None:
    problem(cast.alice.send("POST", "/visual/memories", body), 400, "bad_request")
