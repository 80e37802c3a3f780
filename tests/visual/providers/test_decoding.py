"""What comes in as an image, what is kept of it, and what is refused."""

import struct
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from io import BytesIO
from threading import Event, Semaphore

import pytest
from PIL import Image, ImageFile

from accounts.errors import InvalidInput, TooLarge
from tests.visual.pictures import SVG, animation, bomb, encoded, endless_gif, photograph, plain, scene
from visual.config import ImageLimits
from visual.domain.types import DecodedImage, Upload
from visual.providers import decoding
from visual.providers.decoding import decode_upload, shrunk_jpeg

LIMITS = ImageLimits()


def decode(data: bytes, limits: ImageLimits = LIMITS) -> DecodedImage:
    return decode_upload(Upload(data), limits)


def opened(data: bytes) -> Image.Image:
    image = Image.open(BytesIO(data))
    image.load()
    return image


def test_position_camera_and_comments_are_gone_from_what_is_kept():
    given = photograph()
    assert b"SecretCameraMaker" in given
    assert b"taken at home" in given
    kept = decode(given)
    for data in (kept.data, kept.thumbnail):
        assert b"SecretCameraMaker" not in data
        assert b"taken at home" not in data
        assert not opened(data).getexif()
    assert (kept.mime, kept.width, kept.height) == ("image/jpeg", 320, 240)


def test_an_image_is_turned_as_its_camera_was_held():
    exif = Image.Exif()
    exif[0x0112] = 6  # turned by a quarter
    kept = decode(encoded(scene(size=(320, 240)), "JPEG", exif=exif))
    assert (kept.width, kept.height) == (240, 320)


def test_what_hides_behind_the_image_is_gone():
    assert b"<script>" not in decode(plain() + b"<script>alert(1)</script>").data


@pytest.mark.parametrize(
    ("kind", "mime"),
    [
        ("PNG", "image/png"),
        ("JPEG", "image/jpeg"),
        ("WEBP", "image/webp"),
        ("GIF", "image/png"),
        ("BMP", "image/png"),
    ],
)
def test_the_type_is_that_of_the_content(kind: str, mime: str):
    kept = decode(plain(kind=kind))
    assert kept.mime == mime
    assert f"image/{opened(kept.data).format}".lower() == mime
    assert opened(kept.thumbnail).format == "WEBP"


def test_heic_is_kept_as_jpeg():
    import pillow_heif

    heif = pillow_heif.from_pillow(scene())
    buffer = BytesIO()
    heif.save(buffer, quality=80)
    kept = decode(buffer.getvalue())
    assert (kept.mime, kept.width) == ("image/jpeg", 320)
    assert opened(kept.data).format == "JPEG"


def test_transparency_is_kept():
    image = Image.new("RGBA", (10, 10), (255, 0, 0, 0))
    kept = decode(encoded(image))
    assert opened(kept.data).mode == "RGBA"
    assert kept.colors == ("#ffffff",)


@pytest.mark.parametrize("mode", ["1", "L", "P", "LA", "I;16", "CMYK"])
def test_every_mode_of_pixels_is_read(mode: str):
    image = Image.new("L", (20, 20), 200)
    made = Image.new("I;16", (20, 20), 30_000) if mode == "I;16" else image.convert(mode)
    kind = "JPEG" if mode == "CMYK" else "PNG"
    assert decode(encoded(made, kind)).width == 20


def test_the_hash_is_of_the_pixels_whatever_file_they_came_in():
    as_png, as_bmp, other = decode(plain()), decode(plain(kind="BMP")), decode(plain((1, 2, 3)))
    assert as_png.pixel_hash == as_bmp.pixel_hash
    assert as_png.data == as_bmp.data
    assert as_png.pixel_hash != other.pixel_hash
    lying = decode(plain(size=(48, 64)))
    assert lying.pixel_hash != as_png.pixel_hash  # the same bytes, in another shape


@pytest.mark.parametrize("side", [50_000, 8_000])
def test_a_bomb_is_refused_before_its_pixels_are_made(side: int):
    with pytest.raises(TooLarge, match="50 megapixels"):
        decode(bomb(side, side))


def test_an_animation_is_kept_by_its_first_frame():
    kept = decode(animation(5))
    assert (kept.frames, kept.mime) == (5, "image/png")
    assert getattr(opened(kept.data), "n_frames", 1) == 1


def test_an_animation_of_a_million_frames_is_refused_without_being_walked_to_its_end():
    data = endless_gif(400_000)
    assert len(data) < LIMITS.max_bytes
    with pytest.raises(TooLarge, match="1000 frames"):
        decode(data)


@pytest.mark.parametrize("kind", ["GIF", "PNG"])
def test_frames_are_counted_without_being_decoded(kind: str, monkeypatch: pytest.MonkeyPatch):
    shades = [Image.new("L", (40, 30), shade) for shade in range(30)]
    data = encoded(shades[0], kind, save_all=True, append_images=shades[1:])
    decoded: list[int] = []
    load = ImageFile.ImageFile.load

    def counted(image: ImageFile.ImageFile) -> object:
        decoded.append(image.tell())
        return load(image)

    monkeypatch.setattr(ImageFile.ImageFile, "load", counted)
    kept = decode(data)
    assert kept.frames == 30
    assert set(decoded) == {0}
    assert opened(kept.data).getpixel((0, 0)) == (0, 0, 0)


def test_a_later_frame_does_not_make_the_image_larger():
    small, large = (
        endless_gif(2),
        b"\x2c" + struct.pack("<HHHHB", 0, 0, 9_000, 9_000, 0) + b"\x02\x02\x44\x01\x00",
    )
    kept = decode(small[:-1] + large + b"\x3b")
    assert (kept.width, kept.height, kept.frames) == (1, 1, 3)


@pytest.mark.parametrize(("space", "is_kept"), [(b"RGB ", True), (b"CMYK", False), (b"GRAY", False)])
def test_only_a_colour_profile_of_rgb_goes_with_rgb_pixels(space: bytes, is_kept: bool):
    profile = bytes(16) + space + bytes(16) + b"acsp" + bytes(88)
    kept = decode(encoded(scene(), "JPEG", icc_profile=profile))
    assert ("icc_profile" in opened(kept.data).info) is is_kept


def test_what_calls_itself_a_colour_profile_and_is_none_is_left_out():
    assert b"hidden" not in decode(encoded(scene(), "PNG", icc_profile=b"hidden" * 50)).data


@pytest.mark.parametrize("kind", ["GIF", "PNG", "JPEG", "WEBP", "AVIF", "BMP"])
def test_a_file_cut_anywhere_or_changed_is_an_image_or_refused(kind: str):
    whole = encoded(scene(size=(40, 30)), kind)
    changed = [
        whole[:at] + bytes((255 - whole[at],)) + whole[at + 1 :] for at in range(0, min(300, len(whole)), 2)
    ]
    for data in [*changed, *(whole[:at] for at in range(0, len(whole), max(1, len(whole) // 100)))]:
        with suppress(InvalidInput, TooLarge):
            assert decode(data).width > 0


@pytest.mark.parametrize(
    "data",
    [
        SVG,
        b"\xff\xd8\xff" + bytes(100),
        b"<html></html>",
        b"%PDF-1.7",
        photograph()[:400],
        plain()[:60],
        encoded(scene(), "TIFF"),
        b"RIFF\x00\x00\x00\x00WEBPVP8 ",
        b"\x00" * 5_000,
    ],
)
def test_what_is_no_whole_image_is_refused_in_words(data: bytes):
    with pytest.raises(InvalidInput) as refused:
        decode(data)
    assert refused.value.errors[0].code == "unsupported_image"
    assert "HEIC" in refused.value.detail


def test_nothing_and_too_many_bytes_are_refused():
    with pytest.raises(InvalidInput, match="empty"):
        decode(b"")
    with pytest.raises(TooLarge, match="10 MB"):
        decode(bytes(10_000_001))


def test_a_vision_model_is_shown_a_small_jpeg():
    kept = decode(encoded(scene(size=(2_000, 1_000))))
    small = opened(shrunk_jpeg(kept.data, side=512, quality=75))
    assert (small.format, small.size) == ("JPEG", (512, 256))
    tiny = decode(plain(size=(4, 3)))
    assert opened(shrunk_jpeg(tiny.data, side=512, quality=75)).size == (4, 3)


def test_large_images_are_decoded_two_at_once_and_small_ones_do_not_wait(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    limits, large, small = ImageLimits(large_pixels=4_000), Upload(plain(size=(100, 50))), Upload(plain())
    begun, go_on = Semaphore(0), Event()
    turned = decoding._upright

    def slowly(image: Image.Image) -> Image.Image:
        if image.width == 100:
            begun.release()
            assert go_on.wait(20)
        return turned(image)

    monkeypatch.setattr(decoding, "_upright", slowly)
    with ThreadPoolExecutor(4) as pool:
        waiting = [pool.submit(decode_upload, large, limits) for _ in range(4)]
        assert begun.acquire(timeout=20)
        assert begun.acquire(timeout=20)
        assert not begun.acquire(timeout=0.3), "a third was begun"
        assert decode_upload(small, limits).width == 64
        go_on.set()
        assert {each.result(20).width for each in waiting} == {100}
