"""The Reranker port over any reranking model that LiteLLM reaches.

A reply with another count of scores, a text scored twice, or scores that are no numbers is
refused whole: half an order is none.
"""

from collections.abc import Sequence

import numpy as np

from memory.domain.text import clean_text
from memory.errors import ReplyFaulty
from memory.ports import OnUsage, Scores
from memory.providers.attempts import Purpose
from memory.providers.litellm_call import ModelClient


class LiteLLMReranker:
    """Texts to the scores of one model. Thread-safe."""

    def __init__(self, client: ModelClient) -> None:
        self._client = client

    @property
    def name(self) -> str:
        """The model's name, told beside what it took."""
        return self._client.settings.model

    def rerank(self, question: str, texts: Sequence[str], *, on_usage: OnUsage | None = None) -> Scores:
        """One score a text, in order. Raises ProviderError."""
        if not texts:
            return np.empty(0, np.float32)
        purpose = Purpose("rerank", self._client.config.rerank_seconds)
        # Many servers refuse a text of nothing.
        cleaned = [clean_text(text) or "-" for text in texts]
        made = self._client.rerank(clean_text(question) or "-", cleaned, purpose, on_usage=on_usage)
        scores = {
            place: float(score) for place, score in made if type(place) is int and type(score) in (int, float)
        }
        if len(made) != len(texts) or set(scores) != set(range(len(texts))):
            raise ReplyFaulty(f"{self.name} did not give each of {len(texts)} texts one score.")
        values = np.array([scores[place] for place in range(len(texts))], np.float32)
        if not np.isfinite(values).all():
            raise ReplyFaulty(f"{self.name} gave scores that are no numbers.")
        return values
