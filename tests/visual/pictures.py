"""Images made by hand: what a test uploads, and what it must not get through."""

import base64
import struct
import zlib
from io import BytesIO
from typing import Any

from PIL import Image, ImageDraw

RED, BLUE, GREEN = (210, 30, 40), (40, 90, 210), (50, 150, 60)


def encoded(image: Image.Image, kind: str = "PNG", **how: Any) -> bytes:
    buffer = BytesIO()
    image.save(buffer, kind, **how)
    return buffer.getvalue()


def plain(color: tuple[int, int, int] = RED, *, size: tuple[int, int] = (64, 48), kind: str = "PNG") -> bytes:
    """One colour all over."""
    return encoded(Image.new("RGB", size, color), kind)


def scene(seed: int = 0, *, size: tuple[int, int] = (320, 240)) -> Image.Image:
    """A picture with shapes that depend on the seed."""
    image = Image.new("RGB", size, (245, 245, 240))
    draw = ImageDraw.Draw(image)
    for step in range(6):
        left, top = (seed * 53 + step * 37) % size[0], (seed * 29 + step * 61) % size[1]
        color = ((seed * 70 + step * 40) % 256, (step * 90) % 256, (seed * 130 + step * 25) % 256)
        draw.ellipse((left, top, left + 90, top + 70), fill=color)
    return image


def photograph(seed: int = 0, **how: Any) -> bytes:
    """A JPEG that tells where it was taken and by which camera."""
    image = scene(seed)
    exif = Image.Exif()
    exif[0x010F], exif[0x0110] = "SecretCameraMaker", "Model 7"
    exif.get_ifd(0x8825)[1], exif.get_ifd(0x8825)[2] = "N", (52.0, 31.0, 12.0)
    return encoded(image, "JPEG", exif=exif, comment=b"taken at home", quality=90, **how)


def animation(frames: int, *, size: tuple[int, int] = (8, 8)) -> bytes:
    shades = [Image.new("L", size, 10 + step % 240) for step in range(frames)]
    return encoded(shades[0], "GIF", save_all=True, append_images=shades[1:], optimize=False)


def endless_gif(frames: int) -> bytes:
    """A GIF of so many frames of one pixel, 22 bytes each, written by hand."""
    header = b"GIF89a" + struct.pack("<HHBBB", 1, 1, 0x80, 0, 0) + b"\x00\x00\x00\xff\xff\xff"
    control = b"\x21\xf9\x04\x00\x00\x00\x00\x00"
    frame = b"\x2c" + struct.pack("<HHHHB", 0, 0, 1, 1, 0) + b"\x02\x02\x44\x01\x00"
    other = b"\x2c" + struct.pack("<HHHHB", 0, 0, 1, 1, 0) + b"\x02\x02\x4c\x01\x00"
    return header + (control + frame + control + other) * (frames // 2) + b"\x3b"


def bomb(width: int, height: int) -> bytes:
    """A PNG of a few bytes that says it is that large."""

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", head)
        + chunk(b"IDAT", zlib.compress(bytes(10_000)))
        + chunk(b"IEND", b"")
    )


SVG = b"""<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" width="10" height="10">
<script>alert(1)</script><svg><image href="data:image/svg+xml;base64,PHN2Zy8+"/></svg></svg>"""


def data_url(data: bytes, mime: str = "image/png") -> str:
    """As clients send images in JSON."""
    return f"data:{mime};base64,{base64.b64encode(data).decode()}"
