"""A cross-encoder of one's own: loading, failing to, and trying again."""

from concurrent.futures import Future
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from types import SimpleNamespace

import pytest

from memory.config import ModelConfig
from memory.errors import ProviderRefused, ProviderUnavailable
from memory.providers import local_reranker
from memory.providers.local_reranker import PACKAGES, LocalReranker
from tests.memory.providers.cross_encoder import make_cross_encoder

PATIENT = ModelConfig(rerank_seconds=120)
needs_torch = pytest.mark.skipif(
    not all(find_spec(package) for package in PACKAGES), reason="torch is not installed"
)


class Loader:
    """Stands in for loading: fails as often as told, then gives a model of no weights."""

    def __init__(self, *failures: Exception) -> None:
        self.failures = list(failures)
        self.calls: list[str] = []

    def __call__(self, name: str) -> object:
        self.calls.append(name)
        if self.failures:
            raise self.failures.pop(0)
        return SimpleNamespace(name=name)


@pytest.fixture
def _length_is_score(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        LocalReranker, "_read", lambda self, model, pairs: [float(len(text)) for _, text in pairs]
    )


@pytest.mark.usefixtures("_length_is_score")
class TestLoading:
    def test_happens_once_at_the_first_question(self, monkeypatch: pytest.MonkeyPatch):
        loader = Loader()
        monkeypatch.setattr(local_reranker, "_load", loader)
        made = LocalReranker("some/model")
        assert loader.calls == []
        assert made.rerank("?", ["a", "abc"]).tolist() == [1, 3]
        made.rerank("?", ["a"])
        made.warm_up()
        assert loader.calls == ["some/model"]
        assert not made.health.is_failing

    def test_that_failed_is_told_and_tried_again_by_the_next_question(self, monkeypatch: pytest.MonkeyPatch):
        loader = Loader(OSError("no such file"), ValueError("torn"))
        monkeypatch.setattr(local_reranker, "_load", loader)
        made = LocalReranker("some/model")
        for kind in ("OSError", "ValueError"):
            with pytest.raises(ProviderUnavailable, match=f"{kind}.*TRANSFORMER_RERANK_MODEL_PATH"):
                made.rerank("?", ["a"])
            assert made.health.is_failing
            assert "could not be loaded" in made.health.failure
        assert made.rerank("?", ["a"]).tolist() == [1]
        assert not made.health.is_failing
        assert len(loader.calls) == 3

    def test_that_keeps_failing_is_left_for_a_while_and_then_tried(self, monkeypatch: pytest.MonkeyPatch):
        loader = Loader(*[OSError()] * 3)
        monkeypatch.setattr(local_reranker, "_load", loader)
        now = [0.0]
        made = LocalReranker("some/model", monotonic=lambda: now[0])
        for _ in range(5):
            with pytest.raises(ProviderUnavailable):
                made.rerank("?", ["a"])
        assert len(loader.calls) == 3, "nobody waits for what will fail"
        now[0] = 60.0
        assert made.rerank("?", ["a"]).tolist() == [1]

    def test_that_takes_long_is_not_waited_for_and_goes_on(self, monkeypatch: pytest.MonkeyPatch):
        slow: Future[object] = Future()
        monkeypatch.setattr(local_reranker, "_load", lambda name: slow.result(60))
        made = LocalReranker("some/model", config=ModelConfig(rerank_seconds=0.05))
        with pytest.raises(ProviderUnavailable, match="still being loaded"):
            made.rerank("?", ["a"])
        slow.set_result(SimpleNamespace())
        made._begin_loading().result(60)
        assert made.rerank("?", ["a"]).tolist() == [1]

    def test_reading_ends_by_the_deadline(self, monkeypatch: pytest.MonkeyPatch):
        monkeypatch.setattr(local_reranker, "_load", Loader())
        ticks = count()
        made = LocalReranker("m", config=ModelConfig(rerank_seconds=3), monotonic=lambda: float(next(ticks)))
        assert made.rerank("?", ["a"] * 100).shape == (32,), "two batches, each a tick"
        late = LocalReranker("m", config=ModelConfig(rerank_seconds=1), monotonic=lambda: float(next(ticks)))
        with pytest.raises(ProviderUnavailable, match="read no text in time"):
            late.rerank("?", ["a"])


@pytest.mark.skipif(find_spec("transformers") is not None, reason="transformers is installed")
def test_without_its_packages_it_says_what_to_install(tmp_path: Path):
    with pytest.raises(ProviderRefused, match=r"requirements/rerank\.txt"):
        LocalReranker(str(tmp_path)).rerank("?", ["a"])


@needs_torch
class TestTheModel:
    def test_of_two_labels_scores_by_their_difference(self, tmp_path: Path):
        folder = make_cross_encoder(tmp_path, labels=2)
        scores = LocalReranker(str(folder), config=PATIENT).rerank("a dog?", ["a dog.", "tea", "rain"])
        assert len(set(scores.tolist())) == 3

    def test_of_more_labels_is_no_reranker(self, tmp_path: Path):
        folder = make_cross_encoder(tmp_path, labels=3)
        with pytest.raises(ProviderRefused, match="has 3 labels"):
            LocalReranker(str(folder), config=PATIENT).rerank("?", ["a"])

    def test_a_folder_that_is_not_there_is_looked_for_nowhere_else(self, tmp_path: Path):
        for name in (str(tmp_path / "nowhere"), "./nowhere", "~/nowhere-at-all"):
            with pytest.raises(ProviderRefused, match="is no folder"):
                LocalReranker(name, config=PATIENT).rerank("?", ["a"])

    def test_a_folder_without_a_model_is_told_and_one_put_there_is_found(self, tmp_path: Path):
        folder = tmp_path / "cross-encoder"
        folder.mkdir()
        made = LocalReranker(str(folder), config=PATIENT)
        with pytest.raises(ProviderUnavailable, match="could not be loaded"):
            made.rerank("?", ["a"])
        make_cross_encoder(tmp_path)
        assert made.rerank("?", ["a"]).shape == (1,)
