"""Which adapter answers for which port of the models: one instance a process.

Nothing heavy is loaded until an adapter is first asked to work.
"""

from functools import cache

from memory.ports import Embedder, LanguageModel, TokenCounter
from memory.providers.local_embedder import LocalEmbedder
from memory.providers.tokens import TiktokenCounter


@cache
def embedder() -> Embedder:
    """The embedder in use; its name and dimension are stored beside every vector."""
    return LocalEmbedder()


@cache
def token_counter() -> TokenCounter:
    """The counter behind every token budget."""
    return TiktokenCounter()


@cache
def language_model() -> LanguageModel:
    """The language model in use: the offline engine, which needs none."""
    from memory.providers.offline_language import OfflineLanguage

    return OfflineLanguage()
