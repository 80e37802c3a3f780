"""The best of what was found, read together with the question by the configured reranker.

One call a recall, bounded by its deadline. Where it fails, what was found keeps its order.
"""

import logging

from memory.domain.reranking import weigh_reranker
from memory.domain.selection import Candidate
from memory.domain.types import Kind
from memory.errors import ProviderError
from memory.ports import LanguageModel, OnUsage, Reranker
from memory.providers.registry import is_model_configured, offline_language, reranker
from memory.services.recall_find import Found
from memory.services.recall_items import Item
from memory.services.recall_plan import Asked

logger = logging.getLogger(__name__)

NO_RERANKER = "The reranker did not answer; the order is the one found without it."
PARTLY_READ = "The reranker read {read} of {found} items in time; the others stand behind them."


def reread(
    asked: Asked, found: Found, *, language: LanguageModel | None = None, on_usage: OnUsage | None = None
) -> list[Candidate]:
    """The candidates in the order that the reranker, if one is in use, and the search agree on.

    Nothing is reread at effort `fast`, nor once rules stand in for the model whose budget is spent.
    """
    model = _reranker(asked, language)
    if model is None or not found.candidates:
        return found.candidates
    # What nothing is left to recall of is nobody's to read.
    open_first = sorted(found.candidates, key=lambda each: each.id in found.expired)
    best = [each for each in open_first if each.id not in found.expired][: asked.config.reranked]
    texts = [_told(found.items[each.id])[: asked.config.item_chars] for each in best]
    try:
        scores = model.rerank(asked.request.question, texts, on_usage=on_usage)
    except ProviderError as error:
        logger.warning("reranking failed: %s: %s", error.error_code, error.detail)
        asked.notes.append(NO_RERANKER)
        return found.candidates
    if len(scores) < len(texts):
        asked.notes.append(PARTLY_READ.format(read=len(scores), found=len(texts)))
    return weigh_reranker(open_first, scores, weight=asked.config.reranker_weight)


def _reranker(asked: Asked, language: LanguageModel | None) -> Reranker | None:
    is_budget_spent = language is offline_language() and is_model_configured()
    return reranker() if asked.config.is_reranking and not is_budget_spent else None


def _told(item: Item) -> str:
    """With its speaker: "I" and "he" say little to who reads one line."""
    return f"{item.subject}: {item.text}" if item.kind is Kind.TURN and item.subject else item.text
