"""System checks of the memory: what is wrong with its indexes, and what mends it."""

from collections.abc import Sequence
from importlib.util import find_spec
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core import checks
from django.core.checks import CheckMessage, Error, Tags, register
from django.db import DatabaseError
from django.db.models import Count

from memory.domain.text import TERMS_VERSION
from memory.domain.types import TEXT_KINDS
from memory.models import IndexScope, IndexState
from memory.providers.local_embedder import PACKAGES
from memory.providers.registry import configuration_doubts, configuration_faults, embedder
from memory.stores.registry import embedder_spec, known_calibration, why_no_lancedb

MISSING_EMBEDDER = "memory.E001"
MODEL_SETTINGS = "memory.E002"
OTHER_EMBEDDER = "memory.W001"
NO_LANCEDB = "memory.W002"
IDLE_SETTINGS = "memory.W003"
OLD_TERMS = "memory.W004"
NOT_CALIBRATED = "memory.W005"


@register(Tags.compatibility)
def check_embedder_packages(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    """The local embedder's weights and tokenizer lie in installed packages, where it is in use."""
    needed = () if settings.EMBEDDING["model"] else PACKAGES
    missing = [package for package in needed if find_spec(package) is None]
    return [
        Error(
            f"The embedding model's package {package} is not installed.",
            hint="Run `pip install -r requirements/core.txt`.",
            id=MISSING_EMBEDDER,
        )
        for package in missing
    ]


@register(Tags.compatibility)
def check_models(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    """The models that the settings name can be called as they are named."""
    faults: list[CheckMessage] = [Error(fault, id=MODEL_SETTINGS) for fault in configuration_faults()]
    return faults + [checks.Warning(doubt, id=IDLE_SETTINGS) for doubt in configuration_doubts()]


@register(Tags.compatibility)
def check_vector_store(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    """The vector store that the settings name can run here."""
    reason = why_no_lancedb() if settings.VECTOR_STORE == "lancedb" else ""
    if not reason:
        return []
    return [
        checks.Warning(
            f"{reason} Vectors are kept in plain files and searched exactly.",
            hint="That is right for small spaces; set VECTOR_STORE=exact to say you mean it.",
            id=NO_LANCEDB,
        )
    ]


@register(Tags.models)
def check_stored_vectors(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    """Every stored vector was made by the embedder in use. Silent before the first migration, and
    while the settings of the embedder are faulty.
    """
    if configuration_faults():
        return []
    using = embedder()
    others = IndexState.objects.exclude(embedder=using.name, dimension=using.dimension)
    texts = others.filter(kind__in=TEXT_KINDS).values("embedder", "dimension")
    counted = texts.annotate(spaces=Count("space", distinct=True))
    try:
        found = list(counted.order_by("embedder"))
    except DatabaseError:
        return []
    return [
        checks.Warning(
            f"The vectors of {row['spaces']} space(s) were made by {row['embedder']} with"
            f" {row['dimension']} dimensions, the embedder in use is {using.name} with {using.dimension}."
            " Those spaces are recalled by words only.",
            hint="Run `manage.py rebuild_index --background`: workers make them anew.",
            id=OTHER_EMBEDDER,
        )
        for row in found
    ]


@register(Tags.models)
def check_stored_terms(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    """Every stored posting was cut from its text as questions are now. Silent before the migration."""
    old = IndexScope.objects.exclude(terms_version=TERMS_VERSION).filter(items__gt=0)
    try:
        spaces = old.values("space").distinct().count()
    except DatabaseError:
        return []
    if not spaces:
        return []
    return [
        checks.Warning(
            f"The words of {spaces} space(s) were indexed by an earlier version; questions in Arabic,"
            " Chinese, Japanese, Russian and other scripts may miss them.",
            hint="Run `manage.py rebuild_index --background`: workers make them anew.",
            id=OLD_TERMS,
        )
    ]


@register(Tags.compatibility)
def check_calibration(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    """The thresholds in use were measured for the embedder in use. Silent while its settings are faulty."""
    if configuration_faults() or known_calibration() is not None:
        return []
    return [
        checks.Warning(
            f"{embedder_spec().name} was never calibrated: where a topic ends, what is alike and what is"
            " recalled is decided by the numbers of another embedder.",
            hint="Run `manage.py calibrate_embedder`.",
            id=NOT_CALIBRATED,
        )
    ]
