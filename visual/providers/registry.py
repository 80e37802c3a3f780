"""Which adapter answers for which port of the visual memory: one instance a process.

None where nothing is configured or installed; nothing heavy is loaded before it is asked to work.
"""

from functools import cache

from django.conf import settings

from memory.providers.registry import vision_client
from visual.ports import ImageEmbedder, TextReader, VisionModel
from visual.providers.clip import RANDOM, OpenClip, why_no_packages
from visual.providers.litellm_vision import LiteLLMVision
from visual.providers.ocr import RapidReader, is_installed

OFF = "Images are found by words alone: {why}"


@cache
def vision_model() -> VisionModel | None:
    """The vision model that VLM_MODEL names."""
    client = vision_client()
    return LiteLLMVision(client) if client else None


@cache
def image_embedder() -> ImageEmbedder | None:
    """CLIP, where its packages are installed and CLIP_WEIGHTS says where its weights are."""
    return None if why_no_looks() else OpenClip(settings.CLIP_MODEL, settings.CLIP_WEIGHTS)


@cache
def text_reader() -> TextReader | None:
    """OCR, where its package is installed."""
    return RapidReader() if settings.IS_READING_IMAGES and is_installed() else None


def why_no_looks() -> str:
    """Why images are not compared by their looks, in a sentence; empty if they are."""
    if not settings.CLIP_WEIGHTS:
        return OFF.format(why="CLIP_WEIGHTS names no weights.")
    missing = why_no_packages()
    return OFF.format(why=missing) if missing else ""


def are_weights_random() -> bool:
    """Whether the vectors of looks mean nothing, as no weights were loaded."""
    return bool(settings.CLIP_WEIGHTS == RANDOM and not why_no_looks())
