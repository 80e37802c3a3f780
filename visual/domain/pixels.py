"""What can be told of an image without any model: its looks as 64 bits, its colours.

The perceptual hash is the sign pattern of the lowest frequencies of its brightness (pHash).
"""

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

Gray = npt.NDArray[np.float64]
Rgb = npt.NDArray[np.uint8]

HASH_SIDE = 32  # pixels of the grey image that is hashed
_KEPT = 8  # frequencies a side
_BITS = _KEPT * _KEPT
_STEP = 64  # of a channel, when colours are counted
_APART = 60.0  # distance from which two colours are two

# The words people have for colours, and where these lie.
_NAMES: tuple[tuple[str, tuple[int, int, int]], ...] = (
    ("black", (0, 0, 0)),
    ("white", (255, 255, 255)),
    ("gray", (128, 128, 128)),
    ("red", (210, 30, 40)),
    ("orange", (240, 140, 30)),
    ("yellow", (245, 220, 50)),
    ("green", (50, 150, 60)),
    ("blue", (40, 90, 210)),
    ("purple", (130, 50, 160)),
    ("pink", (245, 150, 190)),
    ("brown", (120, 75, 40)),
)


def perceptual_hash(gray: Gray) -> int:
    """64 bits that images of like looks share but for a few; `gray`: (32, 32)."""
    low = _dct(_dct(gray).T).T[:_KEPT, :_KEPT].ravel()
    bits = low > np.median(low[1:])  # the first is the mean brightness
    return int.from_bytes(np.packbits(bits).tobytes(), "big")


def likeness(looks: int, others: npt.NDArray[np.uint64]) -> npt.NDArray[np.float64]:
    """How alike looks are, (n,) in [0, 1]: 1 for the same bits, 0 where half or more differ."""
    differing = np.bitwise_xor(others, np.uint64(looks)).view(np.uint8).reshape(-1, 8)
    distance = np.unpackbits(differing, axis=1).sum(axis=1)
    return np.asarray(np.maximum(0.0, 1.0 - 2.0 * distance / _BITS))


def dominant_colors(rgb: Rgb, most: int) -> tuple[str, ...]:
    """The colours there is most of, as `#rrggbb`; `rgb`: (n, 3). Near ones count as one."""
    cells = rgb.astype(np.int64) // _STEP
    keys = cells[:, 0] * 10_000 + cells[:, 1] * 100 + cells[:, 2]
    _, inverse, counts = np.unique(keys, return_inverse=True, return_counts=True)
    kept: list[npt.NDArray[np.float64]] = []
    for place in np.argsort(-counts, kind="stable"):
        mean = rgb[inverse == place].mean(axis=0)
        if all(np.linalg.norm(mean - other) >= _APART for other in kept):
            kept.append(mean)
        if len(kept) == most:
            break
    return tuple("#" + "".join(f"{round(channel):02x}" for channel in color) for color in kept)


def color_names(colors: Iterable[str]) -> tuple[str, ...]:
    """What people call these colours, each once: `#d21e28` is red."""
    names = []
    for color in colors:
        given = np.array([int(color[at : at + 2], 16) for at in (1, 3, 5)], float)
        names.append(min(_NAMES, key=lambda known: float(np.linalg.norm(given - np.array(known[1]))))[0])
    return tuple(dict.fromkeys(names))


def signed(looks: int) -> int:
    """The 64 bits as a database holds them."""
    return looks - (1 << 64) if looks >= 1 << 63 else looks


def unsigned(stored: int) -> int:
    """The 64 bits again."""
    return stored % (1 << 64)


def _dct(values: Gray) -> Gray:
    """The cosine transform (type II) of each row."""
    size = values.shape[1]
    places = np.arange(size)
    basis = np.cos(np.pi / size * np.outer(places, places + 0.5))
    return np.asarray(values @ basis.T)
