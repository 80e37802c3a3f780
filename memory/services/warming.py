"""What the first question needs, loaded before it comes: models, vector store, rules.

A server that has just started answers at once, yet its first recall would wait for imports of
several seconds. Whoever serves begins the warming; the readiness probe tells of it.
"""

import gc
import logging
import threading
from uuid import uuid4

from django.utils import timezone

from memory.domain.types import TEXT_KINDS, Question
from memory.errors import ProviderError
from memory.providers.registry import embedder, offline_language, token_counter, warm_up_model
from memory.stores.registry import rehearse_vectors, vector_index

logger = logging.getLogger(__name__)

_begun, _ended = threading.Event(), threading.Event()


def begin_warming() -> threading.Thread:
    """Warm up in a thread of its own, which ends by itself and holds up no exit."""
    _ended.clear()
    _begun.set()
    thread = threading.Thread(target=_warm, name="warming", daemon=True)
    thread.start()
    return thread


def is_warming() -> bool:
    """Whether a first question would still wait. False too in a process that nobody warms."""
    return _begun.is_set() and not _ended.is_set()


def _warm() -> None:
    """Ends whatever fails: a question then meets the failure itself, and is told."""
    try:
        _load()
    except ProviderError as error:
        logger.warning("a model does not answer yet: %s", error.detail)
    except Exception:
        logger.exception("warming up failed")
    finally:
        _settle()
        _ended.set()


def _load() -> None:
    token_counter().count("warm up")
    offline_language().plan(Question("What happened yesterday?", now=timezone.now(), time_zone="UTC"))
    nowhere = uuid4()  # a space that holds nothing
    for kind in TEXT_KINDS:
        vector_index().seqs(nowhere, kind)
    rehearse_vectors()
    embedder().embed(["warm up"], with_tokens=True)
    warm_up_model()


def _settle() -> None:
    """Take what is loaded by now out of every later garbage collection: it stays for good.

    Looking through half a million objects of libraries holds up every thread for 400 ms and more, the event
    loop's too (30 November 2026).
    """
    gc.collect()
    gc.freeze()
