"""Counts tokens with cl100k_base, whose vocabulary lies in an installed package.

The settings point TIKTOKEN_CACHE_DIR at it, so nothing is downloaded.
"""

from functools import cached_property
from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import tiktoken


class TiktokenCounter:
    """The TokenCounter port over tiktoken; thread-safe, loaded on first use."""

    encoding_name = "cl100k_base"

    def __init__(self) -> None:
        self._loading = Lock()

    def count(self, text: str) -> int:
        """Tokens of the text; an end-of-text marker inside it is ordinary text."""
        return len(self._encoding.encode(text, disallowed_special=()))

    @property
    def _encoding(self) -> "tiktoken.Encoding":
        with self._loading:
            return self._loaded

    @cached_property
    def _loaded(self) -> "tiktoken.Encoding":
        import tiktoken

        return tiktoken.get_encoding(self.encoding_name)
