"""The ONNX MiniLM: what it reads, what it refuses, how it says that it is broken."""

from pathlib import Path

import numpy as np
import pytest

from memory.config import LOCAL_EMBEDDER, LocalEmbedderConfig
from memory.errors import ProviderError
from memory.providers import local_embedder
from memory.providers.local_embedder import Feed, LocalEmbedder, _Model, latin_share, quantise
from memory.providers.registry import embedder

READABLE = [
    "I moved to Berlin.",
    "Ich wohne seit Mai in Köln am Rhein.",
    "12345",
    "Meet me at 北京 station on Monday morning please",
]
UNREADABLE = [
    "",
    "   ",
    "我昨天去了北京",
    "Я вчера ездил в Москву",
    "昨日は東京へ行きました",
    "👍👍",
    "مرحبا بالعالم",
]


@pytest.mark.parametrize("text", READABLE)
def test_a_text_in_latin_letters_has_a_vector(text: str):
    assert embedder().embed([text])[0].vector is not None


@pytest.mark.parametrize("text", UNREADABLE)
def test_a_text_the_english_model_cannot_read_has_none(text: str):
    (embedding,) = embedder().embed([text], with_tokens=True)
    assert embedding.vector is None
    assert embedding.tokens is None


def test_unreadable_texts_leave_the_others_in_their_places():
    texts = [text for pair in zip(READABLE, UNREADABLE, strict=False) for text in pair]
    made = [embedding.vector is not None for embedding in embedder().embed(texts)]
    assert made == [True, False] * len(READABLE)


@pytest.mark.parametrize(
    ("text", "share"),
    [("plain", 1), ("Köln", 1), ("", 1), ("123 !", 1), ("ab我们", 0.5), ("我们", 0), ("ＡＢ", 1)],
)
def test_latin_letters_are_counted_among_letters_only(text: str, share: float):
    assert latin_share(text) == share


def test_a_long_text_is_read_to_its_limit_only():
    start = "The cat sat on the mat. " * 60
    one, other = embedder().embed([start, start + "Quantum chromodynamics explains gluons."])
    assert one.vector is not None
    assert other.vector is not None
    assert np.allclose(one.vector, other.vector, atol=1e-6)


def test_token_vectors_leave_out_the_frame_tokens():
    (embedding,) = embedder().embed(["hello world"], with_tokens=True)
    assert embedding.tokens is not None
    assert len(embedding.tokens) == 2


def test_quantised_states_keep_their_direction():
    states = np.array([[3, 4], [0, 0.5]], np.float32)
    assert quantise(states).tolist() == [[76, 102], [0, 127]]


def test_batches_hold_texts_of_like_length_and_no_more_than_the_limit(monkeypatch: pytest.MonkeyPatch):
    adapter = LocalEmbedder(LocalEmbedderConfig(batch=4))
    shapes: list[tuple[int, ...]] = []
    run = adapter._run

    def watched(model: _Model, feed: Feed) -> object:
        shapes.append(feed["input_ids"].shape)
        return run(model, feed)

    monkeypatch.setattr(adapter, "_run", watched)
    adapter.embed(["word " * n for n in (30, 1, 20, 2, 10, 3, 5, 4, 40, 50)])
    assert [rows for rows, _ in shapes] == [4, 2, 4]
    assert [width for _, width in shapes] == sorted(width for _, width in shapes)


def test_batches_of_long_texts_are_smaller_so_that_their_attention_fits(monkeypatch: pytest.MonkeyPatch):
    adapter = LocalEmbedder(LocalEmbedderConfig(batch=32, batch_tokens=256))
    shapes: list[tuple[int, ...]] = []
    run = adapter._run

    def watched(model: _Model, feed: Feed) -> object:
        shapes.append(feed["input_ids"].shape)
        return run(model, feed)

    monkeypatch.setattr(adapter, "_run", watched)
    adapter.embed(["word " * 62] * 9)
    assert shapes == [(4, 64), (4, 64), (1, 64)]
    shapes.clear()
    adapter.embed(["word " * 300])
    assert shapes == [(1, 256)]  # one text is always read


def test_the_bare_run_gives_the_states_that_the_vector_is_pooled_from():
    run = LocalEmbedder().bare("hello world")
    states = run()
    assert isinstance(states, np.ndarray)
    assert states.shape == (1, 4, LOCAL_EMBEDDER.dimension)


def test_other_weights_than_the_published_ones_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    forged = tmp_path / "model.onnx"
    forged.write_bytes(b"another model")
    monkeypatch.setattr(local_embedder, "_package_file", lambda package, name: forged)
    with pytest.raises(ProviderError, match="not the published ones"):
        LocalEmbedder().embed(["hello"])


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(local_embedder, "WEIGHTS", ("no_such_package", "model.onnx"))
    with pytest.raises(ProviderError, match="no_such_package"):
        LocalEmbedder().embed(["hello"])


def test_a_failing_session_is_a_provider_error(monkeypatch: pytest.MonkeyPatch):
    adapter = LocalEmbedder()

    class Broken:
        def run(self, outputs: object, feed: object) -> object:
            raise RuntimeError("out of memory")

    model = adapter._model
    broken = _Model(Broken(), model.tokenizer, 100)
    monkeypatch.setitem(adapter.__dict__, "_loaded", broken)
    with pytest.raises(ProviderError):
        adapter.embed(["hello"])
