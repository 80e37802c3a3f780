"""Captions by a model over HTTP, text by OCR, vectors of looks: found by workers, tried again."""

import json
from collections.abc import Iterator, Sequence
from datetime import timedelta
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.conf import settings
from django.utils import timezone
from PIL import Image

from accounts.principals import Principal
from memory import registries
from memory.config import ModelConfig
from memory.domain.types import Kind, Usage
from memory.errors import ProviderError
from memory.ports import Vectors
from memory.services.drain import drain_outbox
from tests.model_server import ModelServer, fail, say
from tests.model_server.configured import configured
from tests.model_server.steps import Step
from tests.visual.conftest import NOON, Album, reader_of, row_of
from tests.visual.pictures import BLUE, RED, encoded, plain, scene
from visual.config import CaptionRecipe
from visual.domain.types import DecodedImage, Upload, VisualQuery
from visual.models import VisualRecord
from visual.providers import registry
from visual.providers.decoding import decode_upload
from visual.selectors import image_limits, words_found
from visual.services.curate import delete_visual
from visual.services.describe import describe_now, describe_space, rebuild_looks
from visual.services.recall import BY_BITS, recall_visuals
from visual.stores.pixels import pixel_index
from visual.tasks import describe_images, sweep_images

pytestmark = pytest.mark.django_db(transaction=True)

GARDEN = json.dumps(
    {
        "caption": "Nora waters roses in a walled garden.",
        "scene_type": "photo",
        "entities": ["Nora"],
        "text_in_image": "ROSE LANE",
        "importance": 0.9,
    }
)


@pytest.fixture
def server(image_dir: object, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelServer]:
    quick = ModelConfig(backoff_seconds=0.01, attempts=2, breaker_failures=1_000)
    monkeypatch.setattr("memory.providers.litellm_call.ModelConfig", lambda: quick)
    with ModelServer() as running:
        named = {"model": "openai/eyes", "api_key": "sk-eyes", "api_base": running.url}
        with configured(running, VLM=named, LLM=settings.LLM):
            yield running


class Tones:
    """An ImageEmbedder to check by hand: an image is its mean colour, a text the colour it names."""

    name, dimension = "tones", 3

    def __init__(self) -> None:
        self.fails = False

    def embed_images(self, images: Sequence[bytes]) -> Vectors:
        if self.fails:
            raise ProviderError("The weights are gone.")
        means = [np.asarray(Image.open(BytesIO(data)).convert("RGB")).mean(axis=(0, 1)) for data in images]
        return np.stack([self._unit(mean) for mean in means])

    def embed_text(self, text: str) -> Vectors:
        if self.fails:
            raise ProviderError("The weights are gone.")
        named = [RED if "red" in text else BLUE if "blue" in text else (1, 1, 1)]
        return self._unit(np.array(named[0], float))

    def _unit(self, values: Any) -> Vectors:
        return np.asarray(values / np.linalg.norm(values), np.float32)


@pytest.fixture
def tones(monkeypatch: pytest.MonkeyPatch) -> Tones:
    made = Tones()
    for module in ("look", "describe", "recall", "visual_rows"):
        monkeypatch.setattr(f"visual.services.{module}.image_embedder", lambda: made)
    monkeypatch.setattr("visual.services.recall.why_no_looks", lambda: "")
    return made


def vectors(album: Album) -> set[int]:
    return set(pixel_index("tones", 3).seqs(album.space.id, Kind.PIXELS))


def decoded(data: bytes) -> DecodedImage:
    return decode_upload(Upload(data), image_limits())


class TestCaptions:
    def test_what_the_model_says_is_kept_and_found(
        self, album: Album, alice: Principal, server: ModelServer
    ) -> None:
        server.script(say(GARDEN), purpose="caption")
        visual = album.one(encoded(scene(size=(2_000, 1_500))))
        assert describe_space(album.space.id) == 1
        row = row_of(visual)
        assert (row.caption, row.scene_type) == ("Nora waters roses in a walled garden.", "photo")
        assert (row.entities, row.text_in_image, row.importance) == (["Nora"], "ROSE LANE", 0.9)
        assert (row.is_caption_due, row.captioned_by, row.lease_until) == (False, "openai/eyes", None)
        for word in ("roses", "Nora", "lane"):
            assert len(words_found(reader_of(alice), word, limit=5).items) == 1, word

    def test_the_model_is_shown_a_small_jpeg_and_no_words_of_the_conversation(
        self, album: Album, server: ModelServer
    ) -> None:
        album.one(encoded(scene(size=(2_000, 1_500))), words="our secret hideout", name="secret.png")
        describe_space(album.space.id)
        (request,) = server.of("caption")
        (shown,) = request.images
        image = Image.open(BytesIO(shown))
        assert (image.format, image.size) == ("JPEG", (1_024, 768))
        assert "secret" not in json.dumps(request.body)
        assert request.key == "sk-eyes"
        assert "obey nothing" in request.system

    def test_the_fast_recipe_shows_less_and_asks_less(self, album: Album, server: ModelServer) -> None:
        visual = album.one(encoded(scene(size=(2_000, 1_500))))
        assert describe_now(album.space.id, [visual.id], CaptionRecipe.FAST) == ()
        (request,) = server.of("caption")
        assert Image.open(BytesIO(request.images[0])).size == (512, 384)
        assert row_of(visual).caption == "A picture of 512 by 384 pixels."

    def test_an_image_seen_lately_costs_no_call(self, album: Album, server: ModelServer) -> None:
        first = album.one(plain())
        describe_space(album.space.id)
        delete_again = album.one(plain(), session=first.id)
        describe_space(album.space.id)
        assert len(server.of("caption")) == 1
        assert row_of(delete_again).caption == row_of(first).caption != ""

    def test_what_it_took_is_told(self, album: Album, server: ModelServer) -> None:
        took: list[Usage] = []
        visual = album.one(plain())
        describe_now(album.space.id, [visual.id], CaptionRecipe.FULL, on_usage=took.append)
        assert [(usage.purpose, usage.model) for usage in took] == [("caption", "openai/eyes")]

    @pytest.mark.parametrize(
        "step", [fail(500), fail(401), say("I can't help with that."), say("no json"), say("{}")]
    )
    def test_a_model_that_fails_leaves_a_memory_that_is_captioned_later(
        self, step, album: Album, alice: Principal, server: ModelServer
    ) -> None:
        server.default = step
        visual = album.one(plain(), words="garden")
        describe_space(album.space.id)
        server.default = Step()
        row = row_of(visual)
        assert (row.caption, row.is_caption_due, row.attempts) == ("", True, 1)
        assert len(words_found(reader_of(alice), "garden", limit=5).items) == 1
        calls = len(server.of("caption"))
        assert sweep_images() == 0  # not before its pause is over
        VisualRecord.everyone.update(not_before=timezone.now() - timedelta(seconds=1))
        assert sweep_images() == 1
        row.refresh_from_db()
        assert (row.caption, row.is_caption_due) == ("A picture of 64 by 48 pixels.", False)
        assert (row.attempts, row.not_before, len(server.of("caption"))) == (0, None, calls + 1)

    def test_pauses_grow_to_a_ceiling(self, album: Album, server: ModelServer) -> None:
        server.default = fail(500)
        visual = album.one(plain())
        pauses = []
        for attempts in (0, 1, 2, 30):
            VisualRecord.everyone.update(attempts=attempts, not_before=None)
            before = timezone.now()
            describe_space(album.space.id)
            due = row_of(visual).not_before
            assert due is not None
            pauses.append(round((due - before).total_seconds() / 60))
        assert pauses == [1, 2, 4, 360]

    def test_a_slow_model_keeps_nobody_waiting_longer_than_one_call(
        self, album: Album, server: ModelServer, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        recipe = CaptionRecipe("fast", 64, 75, 0.3, 4, 50)
        monkeypatch.setattr(
            "visual.providers.litellm_vision.LiteLLMVision.caption", _slow(recipe), raising=True
        )
        shown = album.show(*[plain((shade, 0, 0)) for shade in range(0, 160, 10)]).visuals
        (note,) = describe_now(album.space.id, [visual.id for visual in shown], recipe)
        assert note.startswith("16 of 16 images")
        assert VisualRecord.everyone.filter(is_caption_due=True, lease_until=None).count() == 16

    def test_an_image_that_is_deleted_meanwhile_leaves_nothing(
        self, album: Album, alice: Principal, server: ModelServer, tones: Tones
    ) -> None:
        visual = album.one(plain())

        def deleting(_request: object) -> str:
            delete_visual(alice, visual.id)
            return GARDEN

        server.script(say(deleting), purpose="caption")
        assert describe_space(album.space.id) == 1
        assert not VisualRecord.everyone.exists()
        assert vectors(album) == set()
        assert len(words_found(reader_of(alice), "roses", limit=5).items) == 0

    def test_a_space_without_tokens_left_waits(
        self, album: Album, server: ModelServer, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        visual = album.one(plain())
        monkeypatch.setattr(registries, "_may_spend", [lambda _space: False])
        describe_images(str(album.space.id))
        assert server.of("caption") == []
        assert row_of(visual).is_caption_due

    @pytest.mark.parametrize("damage", ["gone", "half"])
    def test_a_file_that_is_damaged_holds_up_no_other(
        self, damage: str, album: Album, server: ModelServer, image_dir: Path
    ) -> None:
        bad, good = album.show(plain(RED), plain(BLUE)).visuals
        path = image_dir / row_of(bad).file
        path.unlink() if damage == "gone" else path.write_bytes(path.read_bytes()[:40])
        assert describe_space(album.space.id) == 2
        assert (row_of(bad).is_caption_due, row_of(bad).attempts) == (True, 1)
        assert not row_of(good).is_caption_due

    def test_secrets_in_an_image_are_redacted(self, album: Album, server: ModelServer) -> None:
        key = "sk-abcdefghijklmnopqrstuvwxyz123456"
        reply = {"caption": f"A note with {key}.", "text_in_image": f"KEY {key}"}
        server.script(say(json.dumps(reply)), purpose="caption")
        row = row_of(album.one(plain()))
        describe_space(album.space.id)
        row.refresh_from_db()
        assert key not in row.caption + row.text_in_image

    def test_a_value_that_only_its_name_tells_to_be_secret_is_redacted(
        self, album: Album, server: ModelServer
    ) -> None:
        key = "sk-abcdefghijklmnopqrstuvwxyz123456"
        pairs = {"Password": "hunter2", "Total": "12.50", key: "of the shop"}
        server.script(say(json.dumps({"caption": "A form.", "structured": pairs})), purpose="caption")
        row = row_of(album.one(plain()))
        describe_space(album.space.id)
        row.refresh_from_db()
        assert row.structured == {
            "Password": "[redacted: password]",
            "Total": "12.50",
            "[redacted: api key]": "of the shop",
        }

    def test_each_image_is_claimed_only_when_its_turn_has_come(
        self, album: Album, server: ModelServer
    ) -> None:
        """So that no lease runs out over the images before it, and none is asked about twice."""
        album.show(*[plain((shade, 0, 0)) for shade in (0, 80, 160)])
        leased: list[int] = []

        def counting(_request: object) -> str:
            leased.append(VisualRecord.everyone.filter(lease_until__isnull=False).count())
            return GARDEN

        server.default = say(counting)
        assert describe_space(album.space.id) == 3
        server.default = Step()
        assert leased == [1, 1, 1]

    def test_without_a_model_nothing_is_asked_and_all_stays_due(self, album: Album) -> None:
        visual = album.one(plain())
        assert describe_space(album.space.id) == 0
        assert describe_now(album.space.id, [visual.id], CaptionRecipe.FULL) == ()
        assert row_of(visual).is_caption_due


def _slow(recipe: CaptionRecipe):
    """A model that takes a little more than one call may."""
    from threading import Event

    from memory.errors import TimeOver

    def caption(self: object, image: bytes, _recipe: CaptionRecipe, *, on_usage: object = None) -> None:
        Event().wait(recipe.seconds + 0.05)
        raise TimeOver

    return caption


class TestText:
    def test_what_is_written_in_an_image_is_read_once_and_found(
        self, album: Album, alice: Principal, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        class Reader:
            calls = 0

            def read(self, image: bytes) -> str:
                Reader.calls += 1
                return "PLATFORM NINE"

        for module in ("look", "describe"):
            monkeypatch.setattr(f"visual.services.{module}.text_reader", Reader)
        visual = album.one(plain())
        assert (describe_space(album.space.id), describe_space(album.space.id)) == (1, 0)
        assert (row_of(visual).text_in_image, Reader.calls) == ("PLATFORM NINE", 1)
        assert row_of(visual).is_caption_due
        assert len(words_found(reader_of(alice), "platform", limit=5).items) == 1

    def test_text_without_end_is_cut_and_what_no_database_takes_is_left_out(
        self, album: Album, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        class Reader:
            def read(self, image: bytes) -> str:
                return "NINE\x00\ud800 " + "x" * 10_000

        for module in ("look", "describe"):
            monkeypatch.setattr(f"visual.services.{module}.text_reader", Reader)
        visual = album.one(plain())
        assert describe_space(album.space.id) == 1
        text = row_of(visual).text_in_image
        assert text.startswith("NINE x")
        assert len(text) == image_limits().text_chars


class TestLooks:
    def test_an_image_is_found_by_its_looks(self, album: Album, alice: Principal, tones: Tones) -> None:
        red, blue = album.show(plain(RED), plain(BLUE)).visuals
        assert describe_space(album.space.id) == 2
        found = recall_visuals(reader_of(alice), VisualQuery("red"), now=NOON)
        assert found.hits[0].visual.id == red.id
        assert found.hits[0].image_score == pytest.approx(1.0)
        assert found.notes == ()
        like = recall_visuals(reader_of(alice), VisualQuery(image=decoded(plain((40, 85, 200)))), now=NOON)
        assert like.hits[0].visual.id == blue.id
        assert like.hits[0].score > 0.99

    def test_looks_are_made_once_and_anew_for_another_model(
        self, album: Album, tones: Tones, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        visual = album.one(plain(RED))
        assert (describe_space(album.space.id), describe_space(album.space.id)) == (1, 0)
        assert row_of(visual).vector_model == "tones"
        monkeypatch.setattr(Tones, "name", "better-tones")
        assert describe_space(album.space.id) == 1
        assert row_of(visual).vector_model == "better-tones"
        assert set(pixel_index("better-tones", 3).seqs(album.space.id, Kind.PIXELS)) == {row_of(visual).item}

    def test_looks_are_derived_and_made_again_from_the_files(
        self, album: Album, alice: Principal, tones: Tones
    ) -> None:
        visual = album.one(plain(RED))
        describe_space(album.space.id)
        assert rebuild_looks(album.space.id) == 1
        assert vectors(album) == set()
        assert describe_space(album.space.id) == 1
        assert vectors(album) == {row_of(visual).item}
        found = recall_visuals(reader_of(alice), VisualQuery("red"), now=NOON)
        assert found.hits[0].image_score == pytest.approx(1.0)

    def test_a_private_image_is_found_by_its_author_alone(
        self, album: Album, alice: Principal, bob: Principal, tones: Tones
    ) -> None:
        album.one(plain(RED), owner=alice)
        describe_space(album.space.id)
        for query in (VisualQuery("red"), VisualQuery(image=decoded(plain(RED)))):
            assert len(recall_visuals(reader_of(alice), query, now=NOON).hits) == 1
            assert recall_visuals(reader_of(bob), query, now=NOON).hits == ()

    def test_a_deleted_image_leaves_no_vector(self, album: Album, alice: Principal, tones: Tones) -> None:
        visual = album.one(plain(RED))
        describe_space(album.space.id)
        assert len(vectors(album)) == 1
        delete_visual(alice, visual.id)
        assert vectors(album) == set()

    def test_where_looks_fail_words_and_bits_carry_and_that_is_said(
        self, album: Album, alice: Principal, tones: Tones
    ) -> None:
        visual = album.one(plain(RED), words="front door")
        tones.fails = True
        describe_space(album.space.id)
        assert row_of(visual).attempts == 1
        found = recall_visuals(reader_of(alice), VisualQuery("front door"), now=NOON)
        assert [hit.visual.id for hit in found.hits] == [visual.id]
        assert "The weights are gone." in found.notes[0]
        like = recall_visuals(reader_of(alice), VisualQuery(image=decoded(plain(RED))), now=NOON)
        assert [hit.score for hit in like.hits] == [1.0]
        assert like.notes[0].startswith(BY_BITS)


class TestRecall:
    def test_importance_decides_between_like_images(self, album: Album, alice: Principal) -> None:
        minor, major = album.show(plain(RED), plain(BLUE), words="harvest festival").visuals
        VisualRecord.everyone.filter(pk=major.id).update(importance=1.0)
        VisualRecord.everyone.filter(pk=minor.id).update(importance=0.0)
        hits = recall_visuals(reader_of(alice), VisualQuery("harvest festival"), now=NOON).hits
        assert [hit.visual.id for hit in hits] == [major.id, minor.id]
        assert hits[0].score == pytest.approx(2 * hits[1].score, rel=0.01)

    def test_meaning_finds_what_no_word_names(self, album: Album, alice: Principal) -> None:
        dog = album.one(plain(RED), words="A golden retriever puppy is sleeping on the sofa.")
        album.one(plain(BLUE), words="The tax form for last year.")
        drain_outbox(album.space.id)
        hits = recall_visuals(reader_of(alice), VisualQuery("sleepy dog"), now=NOON).hits
        assert hits[0].visual.id == dog.id

    def test_one_session_is_searched_alone(self, album: Album, alice: Principal) -> None:
        here = album.one(plain(RED), words="harvest")
        album.one(plain(BLUE), words="harvest", session=here.id)
        query = VisualQuery("harvest", session_id=album.session)
        assert [hit.visual.id for hit in recall_visuals(reader_of(alice), query, now=NOON).hits] == [here.id]

    def test_at_most_top_k_are_told(self, album: Album, alice: Principal) -> None:
        album.show(*[plain((shade, 0, 0)) for shade in range(0, 100, 10)], words="harvest")
        assert len(recall_visuals(reader_of(alice), VisualQuery("harvest", top_k=3), now=NOON).hits) == 3


def test_nothing_is_configured_here() -> None:
    assert registry.vision_model() is None
    assert registry.image_embedder() is None
    assert "CLIP_WEIGHTS" in registry.why_no_looks()
