"""Images at the browser: picked, pasted, sent, shown with the turn, found in the gallery."""

from pathlib import Path
from random import Random

import pytest
from PIL import Image
from playwright.sync_api import expect

from tests.browser.conftest import Visitor
from tests.visual.pictures import encoded, photograph, plain, scene
from visual.models import VisualRecord

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    made = []
    for name, data in (("red-door.png", plain()), ("garden.jpg", photograph(3))):
        path = tmp_path / name
        path.write_bytes(data)
        made.append(path)
    return made


def test_images_are_picked_previewed_taken_away_sent_and_shown(visitor: Visitor, files: list[Path]) -> None:
    visitor.sign_up()
    page = visitor.page
    page.locator("[data-pick]").set_input_files(files)
    previews = page.locator("[data-attached] li")
    expect(previews).to_have_count(2)
    page.get_by_role("button", name="Take this image away: garden.jpg").click()
    expect(previews).to_have_count(1)
    visitor.say("Our front door is red now.")
    expect(previews).to_have_count(0)
    picture = page.locator(".turn.mine .pictures img")
    expect(picture).to_have_count(1)
    expect(picture).to_have_attribute("alt", "red-door.png, PNG image, wide, mostly red")
    assert picture.evaluate("image => image.complete && image.naturalWidth") == 64
    expect(page.locator(".turn.theirs .stages")).to_contain_text("1 kept, 0 described")
    page.get_by_role("link", name="Images").click()
    expect(page.locator(".gallery img")).to_have_count(1)
    page.locator(".gallery a.shown").click()
    expect(page.locator(".one-image img")).to_be_visible()
    page.get_by_role("button", name="Pin").click()
    expect(page.locator(".one-image")).to_contain_text("pinned")
    page.get_by_role("link", name="Back to the images").click()
    expect(page.locator(".gallery")).to_contain_text("pinned")
    page.get_by_label("Search by words").fill("front door")
    page.get_by_role("button", name="Find", exact=True).click()
    expect(page.locator(".gallery img")).to_have_count(1)
    page.locator(".by-image > summary").click()
    page.locator("input[type=file]").set_input_files(files[0])
    page.get_by_role("button", name="Find images like it").click()
    expect(page.locator(".gallery img")).to_have_count(1)
    assert visitor.troubles == []


def test_as_many_images_as_go_leave_the_message_within_reach_and_one_more_is_told(
    visitor: Visitor, tmp_path: Path
) -> None:
    files = []
    for number in range(17):
        path = tmp_path / f"{number}.png"
        path.write_bytes(plain(size=(120, 90)))
        files.append(path)
    visitor.sign_up()
    page = visitor.page
    page.set_viewport_size({"width": 360, "height": 640})
    page.locator("[data-pick]").set_input_files(files)
    expect(page.locator("[data-attached] li")).to_have_count(16)
    told = page.get_by_text("At most 16 images go with one message.")
    expect(told).to_be_visible()
    expect(visitor.message).to_be_in_viewport(ratio=1)
    expect(told).to_be_in_viewport(ratio=1)
    page.get_by_role("button", name="Take this image away: 3.png").click()
    page.locator("[data-pick]").set_input_files(files[16])
    expect(page.locator("[data-attached] li")).to_have_count(16)
    expect(told).to_be_hidden()
    drawing = tmp_path / "drawing.svg"
    drawing.write_text("<svg xmlns='http://www.w3.org/2000/svg'/>")
    page.get_by_role("button", name="Take this image away: 4.png").click()
    page.locator("[data-pick]").set_input_files(drawing)
    expect(page.get_by_text("This file is no image that can be sent.")).to_be_visible()
    expect(page.locator("[data-attached] li")).to_have_count(15)


def test_an_image_above_the_servers_limit_is_made_smaller(visitor: Visitor, tmp_path: Path, settings) -> None:
    settings.MAX_IMAGE_BYTES = 60_000
    noise = tmp_path / "noise.png"
    Image.frombytes("RGB", (200, 200), Random(1).randbytes(120_000)).save(noise)
    visitor.sign_up()
    visitor.page.locator("[data-pick]").set_input_files(noise)
    visitor.say("What is this?")
    expect(visitor.page.locator(".turn.mine .pictures img")).to_have_count(1)
    assert VisualRecord.everyone.get().byte_size < 60_000


def test_a_pasted_image_goes_without_words_and_what_is_none_is_told(visitor: Visitor, tmp_path: Path) -> None:
    visitor.sign_up()
    page = visitor.page
    visitor.message.click()
    page.evaluate(
        """async () => {
            const canvas = document.createElement("canvas");
            canvas.width = canvas.height = 40;
            canvas.getContext("2d").fillRect(0, 0, 40, 40);
            const blob = await new Promise((made) => canvas.toBlob(made, "image/png"));
            const data = new DataTransfer();
            data.items.add(new File([blob], "pasted.png", { type: "image/png" }));
            const how = { clipboardData: data, bubbles: true, cancelable: true };
            const paste = new ClipboardEvent("paste", how);
            document.getElementById("message").dispatchEvent(paste);
        }"""
    )
    expect(page.locator("[data-attached] canvas")).to_have_count(1)
    page.get_by_role("button", name="Send").click()
    expect(page.locator(".turn.mine[data-index] .pictures img")).to_have_count(1)
    expect(page.locator(".turn.mine .said")).to_have_text("Look at this.")
    words = tmp_path / "notes.txt"
    words.write_text("no image")
    page.locator("[data-pick]").set_input_files(words)
    expect(page.locator("[data-trouble]")).to_contain_text("no image that can be sent")
    broken = tmp_path / "broken.png"
    broken.write_bytes(encoded(scene())[:200])
    page.locator("[data-pick]").set_input_files(broken)
    visitor.message.fill("And this?")
    page.keyboard.press("Enter")
    expect(page.locator("[data-trouble]")).to_contain_text("no image that can be read")
    expect(visitor.message).to_have_value("And this?")
