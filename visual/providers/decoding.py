"""Images by Pillow: decoded inside limits, encoded anew, so that pixels are all that is kept.

Position, camera and comments (EXIF, GPS, XMP, IPTC), hidden frames and whatever else a file
carries go, as nothing but pixels and a small colour profile is written. SVG, which can hold
scripts, is none of the formats that are opened.
"""

import hashlib
import logging
import struct
from contextlib import nullcontext
from functools import cache
from io import BytesIO
from threading import BoundedSemaphore
from typing import Any

import numpy as np
from PIL import Image, ImageOps, UnidentifiedImageError
from PIL.GifImagePlugin import GifImageFile
from PIL.ImageFile import ImageFile

from accounts.errors import InvalidInput, TooLarge
from visual.config import ImageLimits
from visual.domain.pixels import HASH_SIDE, dominant_colors, perceptual_hash
from visual.domain.types import DecodedImage, Upload

logger = logging.getLogger(__name__)

_FORMATS = ("JPEG", "PNG", "GIF", "WEBP", "BMP", "AVIF", "HEIF")
_PHOTOGRAPHS = frozenset(("JPEG", "HEIF", "AVIF"))
_LARGE = BoundedSemaphore(2)  # decoded at once: one of 50 megapixels takes half a gigabyte
_STRIP_ROWS = 256  # hashed at once
_COLOR_SIDE = 96  # pixels of the small image whose colours are counted
# What Pillow and its codecs raise over files that are none, or broken.
BROKEN = (
    UnidentifiedImageError,
    OSError,
    ValueError,
    SyntaxError,
    EOFError,
    struct.error,
    MemoryError,
    LookupError,
    RuntimeError,
    TypeError,
    AttributeError,
    ArithmeticError,
)


def decode_upload(upload: Upload, limits: ImageLimits, *, pointer: str = "image") -> DecodedImage:
    """The image as it is kept. Raises InvalidInput for what is none, TooLarge above a limit."""
    if not upload.data:
        raise InvalidInput.field(pointer, "The image is empty.", code="blank")
    if len(upload.data) > limits.max_bytes:
        raise TooLarge(f"An image may have {limits.max_bytes // 1_000_000} MB; send it smaller.")
    try:
        return _decoded(upload, limits)
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise _too_many_pixels(limits) from error
    except BROKEN as error:
        logger.info("an upload of %d bytes is no image: %s", len(upload.data), type(error).__name__)
        raise InvalidInput.field(
            pointer,
            "This is no image that can be read: send JPEG, PNG, WebP, GIF, BMP, AVIF or HEIC.",
            code="unsupported_image",
        ) from error


def shrunk_jpeg(data: bytes, *, side: int, quality: int) -> bytes:
    """A kept image as a JPEG whose longer side has at most so many pixels."""
    with Image.open(BytesIO(data), formats=_formats()) as image:
        image.draft("RGB", (side, side))
        return _encoded(_opaque(_shrunk(image, side)), "JPEG", quality=quality)


def _decoded(upload: Upload, limits: ImageLimits) -> DecodedImage:
    with Image.open(BytesIO(upload.data), formats=_formats()) as opened:
        width, height = opened.size
        if not 0 < width * height <= limits.max_pixels:
            raise _too_many_pixels(limits)
        frames = _count_frames(opened, limits.max_frames)
        with _LARGE if width * height > limits.large_pixels else nullcontext():
            return _kept(opened, upload.name, frames, limits)


def _kept(opened: ImageFile, name: str, frames: int, limits: ImageLimits) -> DecodedImage:
    source, profile = str(opened.format), opened.info.get("icc_profile") or b""
    opened.load()
    image = _upright(opened)
    kept = {"icc_profile": profile} if _is_kept_profile(profile, limits) else {}
    if source in _PHOTOGRAPHS and image.mode == "RGB":
        mime, data = "image/jpeg", _encoded(image, "JPEG", quality=limits.jpeg_quality, **kept)
    elif source == "WEBP":
        mime, data = "image/webp", _encoded(image, "WEBP", quality=limits.webp_quality, **kept)
    else:
        mime, data = "image/png", _encoded(image, "PNG", optimize=False, **kept)
    small = _shrunk(image, limits.thumbnail_side)
    return DecodedImage(
        data=data,
        thumbnail=_encoded(small, "WEBP", quality=limits.thumbnail_quality),
        mime=mime,
        width=image.width,
        height=image.height,
        frames=frames,
        pixel_hash=_pixel_hash(image),
        looks=perceptual_hash(_gray(small)),
        colors=_colors(small, limits.colors),
        name=name,
    )


def _is_kept_profile(profile: bytes, limits: ImageLimits) -> bool:
    """Whether it is a small colour profile of RGB, as the kept pixels are: none of CMYK or grey."""
    return len(profile) <= limits.profile_bytes and profile[16:20] == b"RGB " and profile[36:40] == b"acsp"


def _count_frames(image: ImageFile, most: int) -> int:
    """How many frames there are, of which none is decoded: a few bytes may be a frame of megapixels.

    A GIF is walked frame by frame, no further than the limit; other files say it themselves.
    """
    frames = 1
    if isinstance(image, GifImageFile):
        try:
            while frames <= most:
                image._seek(frames, update_image=False)  # noqa: SLF001 - as its own n_frames does
                frames += 1
        except EOFError:
            image.seek(0)
    else:
        frames = getattr(image, "n_frames", 1)
    if frames > most:
        raise TooLarge(f"An animation may have {most} frames; send a shorter one.")
    return frames


def _upright(image: Image.Image) -> Image.Image:
    """RGB, or RGBA where it is transparent, turned as the camera was held."""
    turned = ImageOps.exif_transpose(image)
    has_alpha = turned.mode in ("RGBA", "LA", "PA", "La", "RGBa") or "transparency" in turned.info
    mode = "RGBA" if has_alpha else "RGB"
    if turned.mode.startswith("I;16") or turned.mode in ("I", "F"):
        turned = _in_eight_bits(turned)
    upright = turned if turned.mode == mode else turned.convert(mode)
    upright.info = {}  # of what came beside the pixels nothing is written
    return upright


def _shrunk(image: Image.Image, side: int) -> Image.Image:
    """The image, smaller where its longer side has more pixels than that."""
    share = side / max(image.size)
    if share >= 1:
        return image
    size = (max(1, round(image.width * share)), max(1, round(image.height * share)))
    return image.resize(size, Image.Resampling.LANCZOS, reducing_gap=3.0)


def _in_eight_bits(image: Image.Image) -> Image.Image:
    """A grey image of deeper values, stretched to 0..255; Pillow's own conversion would clip it."""
    values = np.array(image, np.float32)  # changed in place: a large one takes 200 MB
    values -= values.min()
    values *= 255.0 / (float(values.max()) or 1.0)
    return Image.fromarray(values.astype(np.uint8))


def _pixel_hash(image: Image.Image) -> str:
    """SHA-256 of mode, size and pixels, row by row from the top, whatever file they came in."""
    digest = hashlib.sha256(f"{image.mode} {image.width}x{image.height}\n".encode())
    for top in range(0, image.height, _STRIP_ROWS):
        digest.update(image.crop((0, top, image.width, min(top + _STRIP_ROWS, image.height))).tobytes())
    return digest.hexdigest()


def _gray(image: Image.Image) -> Any:
    side = (HASH_SIDE, HASH_SIDE)
    return np.asarray(_opaque(image).convert("L").resize(side, Image.Resampling.LANCZOS), np.float64)


def _colors(image: Image.Image, most: int) -> tuple[str, ...]:
    small = _shrunk(_opaque(image), _COLOR_SIDE)
    return dominant_colors(np.asarray(small).reshape(-1, 3), most)


def _opaque(image: Image.Image) -> Image.Image:
    """The image on white, without transparency."""
    if image.mode != "RGBA":
        return image if image.mode == "RGB" else image.convert("RGB")
    white = Image.new("RGB", image.size, "white")
    white.paste(image, mask=image.getchannel("A"))
    return white


def _encoded(image: Image.Image, kind: str, **how: Any) -> bytes:
    buffer = BytesIO()
    image.save(buffer, kind, **how)
    return buffer.getvalue()


def _too_many_pixels(limits: ImageLimits) -> TooLarge:
    return TooLarge(f"An image may have {limits.max_pixels // 1_000_000} megapixels; send it smaller.")


@cache
def _formats() -> tuple[str, ...]:
    """What Pillow opens here: HEIC by its plug-in, AVIF where the wheel holds it."""
    from pillow_heif import register_heif_opener

    register_heif_opener()
    Image.init()
    return tuple(name for name in _FORMATS if name in Image.OPEN)
