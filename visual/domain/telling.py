"""An image in words: for the indexes, for a model's prompt, for people who cannot see it."""

import re

from memory.domain.temporal import zone_of
from visual.domain.pixels import color_names
from visual.domain.types import SceneType, Visual

_SEPARATORS = re.compile(r"[\W_]+")
_EXTENSION = re.compile(r"\.\w{2,5}$")
_CAMERA = re.compile(r"^(?:img|dsc|dscn|pxl|image|photo|screenshot|unnamed|untitled)?[\d\s]*$", re.IGNORECASE)
_SHOWN_TEXT = 600  # characters of the text in an image that a prompt shows


def index_text(visual: Visual) -> str:
    """What the indexes know of an image: what is told of it and the words around it."""
    plain = () if visual.caption else (plain_words(visual),)
    return ". ".join((*_told_parts(visual), *plain))


def is_told_of(visual: Visual) -> bool:
    """Whether anything is told of it but what is said of every image: its kind, shape and colours."""
    return bool(_told_parts(visual))


def name_words(name: str) -> str:
    """The words of a file's name: `my-red_bike.jpg` tells of a red bike, `IMG_2041.JPG` of nothing."""
    words = _SEPARATORS.sub(" ", _EXTENSION.sub("", name)).strip()
    return "" if _CAMERA.match(words) else words


def plain_words(visual: Visual) -> str:
    """What can be said of an image that nobody has described: what kind it is and its colours."""
    colors = " and ".join(color_names(visual.colors)[:2])
    kind = visual.mime.rpartition("/")[2].upper().replace("JPEG", "JPG")
    shape = (
        "wide"
        if visual.width > 1.2 * visual.height
        else "tall"
        if visual.height > 1.2 * visual.width
        else "square"
    )
    return f"{kind} image, {shape}, mostly {colors}" if colors else f"{kind} image, {shape}"


def alt_text(visual: Visual) -> str:
    """What somebody is told who cannot see it."""
    return visual.caption or ", ".join(part for part in (visual.name, plain_words(visual)) if part)


def title_of(visual: Visual) -> str:
    """What people call it, on one line: its caption, else its name, else its kind and colours."""
    return " ".join((visual.caption or visual.name or plain_words(visual)).split())


def told_with_date(visual: Visual, time_zone: str) -> str:
    """The same of an image that was seen another time: `[photo: …] (seen 2026-05-04)`."""
    day = visual.seen_at.astimezone(zone_of(time_zone)).date()
    return f"{told(visual)} (seen {day:%Y-%m-%d})"


def told(visual: Visual) -> str:
    """An image as a model reads of it: one line, then what is written in it."""
    scene = visual.scene_type if visual.scene_type and visual.scene_type != SceneType.OTHER else "image"
    if visual.caption:
        line = f"[{scene}: {visual.caption}]"
    else:
        size = f"{visual.width}×{visual.height}"
        named = f" named {visual.name}" if visual.name else ""
        line = f"[image{named}, {size}, {plain_words(visual)}; nobody has described it]"
    if not visual.text_in_image:
        return line
    text = visual.text_in_image
    shown = text if len(text) <= _SHOWN_TEXT else text[: _SHOWN_TEXT - 1] + "…"
    return f"{line}\n[written in it: {shown}]"


def _told_parts(visual: Visual) -> list[str]:
    kept = (
        visual.caption,
        ", ".join(visual.entities),
        " ".join(f"{name}: {value}" for name, value in visual.structured.items()),
        visual.text_in_image,
        name_words(visual.name),
        visual.words_around,
    )
    return [part for part in kept if part]
