"""The Embedder port over any embedding model that LiteLLM reaches.

A reply with another count of vectors, another length, or numbers that are none is refused
whole: a vector beside the wrong text is worse than none.
"""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from memory.domain.prompts import shorten
from memory.domain.text import clean_text
from memory.errors import ProviderRefused, ProviderUnavailable
from memory.ports import Embedding, OnUsage, Vectors
from memory.providers.attempts import Purpose
from memory.providers.litellm_call import ModelClient
from memory.providers.model_settings import dimension_fault


class LiteLLMEmbedder:
    """Texts to unit vectors of one model. Thread-safe; no token vectors."""

    def __init__(self, client: ModelClient, *, dimension: int) -> None:
        self._client = client
        self._dimension = dimension

    @property
    def name(self) -> str:
        """The model's name, stored beside every vector."""
        return self._client.settings.model

    @property
    def dimension(self) -> int:
        """The length of a vector."""
        return self._dimension

    @property
    def makes_tokens(self) -> bool:
        """None come over an API."""
        return False

    def embed(
        self, texts: Sequence[str], *, with_tokens: bool = False, on_usage: OnUsage | None = None
    ) -> list[Embedding]:
        """Embed in batches, in order; a blank text has no vector. Raises ProviderError."""
        config = self._client.config
        embeddings = [Embedding(None)] * len(texts)
        cleaned = [self._readable(text) for text in texts]
        rows = [row for row, text in enumerate(cleaned) if text]
        for start in range(0, len(rows), config.embed_batch):
            batch = rows[start : start + config.embed_batch]
            vectors = self._vectors([cleaned[row] for row in batch], on_usage)
            for row, vector in zip(batch, vectors, strict=True):
                embeddings[row] = Embedding(vector)
        return embeddings

    def probe(self) -> int:
        """The length of the model's vectors, found by one call."""
        return self._client.embed(["dimension"], self._purpose(1), read=self._length)

    def _readable(self, text: str) -> str:
        """The text as the model takes it: clean, and cut where the model would refuse its length."""
        limit = self._client.config.embed_max_tokens
        text = clean_text(text)
        return text if len(text) <= limit else shorten(text, count=self._client.count, budget=limit)

    def _vectors(self, texts: list[str], on_usage: OnUsage | None) -> Vectors:
        """(n, d) float32 of unit length."""
        read = partial(self._read, len(texts))
        return self._client.embed(texts, self._purpose(len(texts)), read=read, on_usage=on_usage)

    def _purpose(self, texts: int) -> Purpose:
        """What so many texts are embedded for, with the time they have."""
        config = self._client.config
        return Purpose("embed", config.embed_seconds + texts * config.embed_text_seconds)

    def _length(self, made: list[Any]) -> int:
        """The length of the one vector. Raises ProviderUnavailable where there is none."""
        if len(made) != 1 or not isinstance(made[0], list) or not made[0]:
            raise ProviderUnavailable(f"{self.name} made no vector of a text.")
        return len(made[0])

    def _read(self, count: int, made: list[Any]) -> Vectors:
        """The vectors of so many texts. Raises ProviderUnavailable, ProviderRefused for another length."""
        if len(made) != count:
            raise ProviderUnavailable(f"{self.name} made {len(made)} vectors of {count} texts.")
        lengths = {len(vector) if isinstance(vector, list) else 0 for vector in made}
        if lengths != {self._dimension}:
            raise ProviderRefused(
                dimension_fault(self.name, configured=self._dimension, found=max(lengths - {self._dimension}))
            )
        try:
            vectors = np.asarray(made, dtype=np.float32)
        except (TypeError, ValueError, OverflowError):
            vectors = np.zeros(0, dtype=np.float32)
        if vectors.ndim != 2:
            raise ProviderUnavailable(f"{self.name} made a vector that does not consist of numbers.")
        norms = np.linalg.norm(vectors, axis=1, keepdims=True)
        if not np.isfinite(norms).all() or not norms.all():
            raise ProviderUnavailable(f"{self.name} made a vector that holds no direction.")
        return np.asarray(vectors / norms, dtype=np.float32)
