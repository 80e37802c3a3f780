"""Between the first agent and the second: the images of a message become memories, told in words."""

from collections.abc import Sequence
from dataclasses import replace

from memory.ports import OnUsage
from sessions_app.agents.working_memory import Opened
from sessions_app.services.images import Shown, show_images, with_images
from visual.config import CaptionRecipe
from visual.domain.types import DecodedImage


def remember_shown(
    opened: Opened, images: Sequence[DecodedImage], *, on_usage: OnUsage | None = None
) -> tuple[Opened, Shown]:
    """Keep the images of the question; from then on it says what they show.

    Raises StorageFailed: an answer without them must not look like one with them.
    """
    shown = show_images(
        opened.principal,
        opened.open_answer.question,
        images,
        recipe=CaptionRecipe.for_effort(opened.request.effort),
        on_usage=on_usage,
    )
    *earlier, question = opened.window.recent
    (asked,) = with_images(opened.session, [question])
    window = replace(opened.window, recent=(*earlier, asked))
    return replace(opened, window=window), shown
