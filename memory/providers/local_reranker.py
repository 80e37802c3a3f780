"""The Reranker port over a cross-encoder of one's own: a folder, or a name on a hub.

torch and transformers (requirements/rerank.txt) are imported on first use. Loading goes on in
a thread when a question does not wait for it; one that failed is tried again by the next.
"""

import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np

from memory.config import ModelConfig
from memory.domain.text import clean_text
from memory.errors import OutOfTime, ProviderError, ProviderRefused, ProviderUnavailable
from memory.ports import OnUsage, Scores
from memory.providers.breaker import Breaker
from memory.providers.call_scope import current_scope
from memory.providers.call_watch import CallWatch
from memory.providers.model_health import ModelHealth

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

PACKAGES = ("torch", "transformers")


@dataclass(frozen=True, slots=True)
class _Model:
    """What is loaded; used by one thread at a time."""

    tokenizer: "PreTrainedTokenizerBase"
    network: "PreTrainedModel"
    lock: Lock


class LocalReranker:
    """Texts to the scores of a cross-encoder on the CPU. Thread-safe; tells no usage."""

    def __init__(
        self,
        model: str,
        *,
        config: ModelConfig | None = None,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._config = config or ModelConfig()
        self._monotonic = monotonic
        self._breaker = Breaker(self._config, monotonic)
        self._loading: Future[_Model] | None = None
        self._lock = Lock()
        self.health = ModelHealth(model)

    @property
    def name(self) -> str:
        """The folder, or the name on a hub."""
        return self.health.model

    def warm_up(self) -> None:
        """Begin to load, if nobody has."""
        self._begin_loading()

    def rerank(self, question: str, texts: Sequence[str], *, on_usage: OnUsage | None = None) -> Scores:
        """One logit a text, in order, of as many as could be read in time.

        Raises ProviderUnavailable when none could, also while the model is being loaded, and
        ProviderRefused for what is no cross-encoder.
        """
        if not texts:
            return np.empty(0, np.float32)
        current_scope().check()
        with CallWatch(self.health, self._breaker).whole():
            deadline = self._monotonic() + self._config.rerank_seconds
            model = self._loaded()
            pairs = [(clean_text(question), clean_text(text)) for text in texts]
            scores: list[float] = []
            for start in range(0, len(pairs), self._config.rerank_batch):
                if self._monotonic() >= deadline:
                    break
                scores += self._read(model, pairs[start : start + self._config.rerank_batch])
            if not scores:
                raise OutOfTime(f"{self.name} read no text in time.")
        return np.array(scores, np.float32)

    def _loaded(self) -> _Model:
        loading = self._begin_loading()
        try:
            return loading.result(self._config.rerank_seconds)
        except TimeoutError:
            raise ProviderUnavailable(f"{self.name} is still being loaded.") from None
        except ProviderError:
            self._forget(loading)
            raise
        except Exception as error:
            self._forget(loading)  # the next question tries again
            # transformers raises what its many parts raise: anything.
            raise ProviderUnavailable(
                f"{self.name} could not be loaded ({type(error).__name__}): look at"
                " TRANSFORMER_RERANK_MODEL_PATH."
            ) from error

    def _begin_loading(self) -> "Future[_Model]":
        with self._lock:
            if self._loading is None:
                worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="reranker")
                self._loading = worker.submit(_load, self.name)
                worker.shutdown(wait=False)
            return self._loading

    def _forget(self, loading: "Future[_Model]") -> None:
        with self._lock:
            if self._loading is loading:
                self._loading = None

    def _read(self, model: _Model, pairs: list[tuple[str, str]]) -> list[float]:
        import torch

        with model.lock, torch.inference_mode():
            feed = model.tokenizer(
                [question for question, _ in pairs],
                [text for _, text in pairs],
                padding=True,
                truncation="longest_first",
                max_length=self._config.rerank_max_tokens,
                return_tensors="pt",
            )
            logits = model.network(**feed).logits.float().numpy()
        # Of two labels the second says "relevant".
        scores = logits[:, 0] if logits.shape[1] == 1 else logits[:, 1] - logits[:, 0]
        if not np.isfinite(scores).all():
            raise ProviderUnavailable(f"{self.name} gave scores that are no numbers.")
        return [float(score) for score in scores]


def _load(name: str) -> _Model:
    """The model in memory. Raises ProviderRefused where it, or what runs it, is not there."""
    try:
        import transformers
    except ImportError as error:
        raise ProviderRefused(
            "A local reranker needs torch and transformers: install requirements/rerank.txt."
        ) from error
    folder = Path(name).expanduser()
    is_folder = folder.is_dir()
    if not is_folder and (folder.is_absolute() or name.startswith((".", "~"))):
        raise ProviderRefused(f"TRANSFORMER_RERANK_MODEL_PATH={name} is no folder.")
    source = str(folder) if is_folder else name
    how: dict[str, Any] = {"local_files_only": is_folder, "trust_remote_code": False}
    tokenizer = transformers.AutoTokenizer.from_pretrained(source, **how)
    network = transformers.AutoModelForSequenceClassification.from_pretrained(source, **how).eval()
    labels = int(network.config.num_labels)
    if labels > 2:
        raise ProviderRefused(f"{name} is no reranker: it has {labels} labels, not one or two.")
    return _Model(tokenizer, network, Lock())
