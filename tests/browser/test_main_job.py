"""The main job: talk, come back in a new session, be answered from memory with evidence."""

import re

import pytest
from playwright.sync_api import Locator, expect

from accounts.models import User
from accounts.principals import principal_for
from accounts.services.users import register_user
from tests.browser.conftest import PASSWORD, Visitor
from tests.sessions_app.views.conftest import remember, talk

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def begin_anew(visitor: Visitor) -> None:
    visitor.page.get_by_role("link", name="New conversation").click()
    visitor.page.get_by_role("heading", name="What is on your mind").wait_for()


@pytest.fixture
def talked(visitor: Visitor) -> Visitor:
    """Alice has told two things in one conversation."""
    visitor.sign_up()
    visitor.say("My sister Ana moved to Porto in March.")
    visitor.say("I am allergic to hazelnuts.")
    return visitor


def card_of_a_long_memory(visitor: Visitor) -> Locator:
    visitor.sign_up()
    visitor.say("My sister Ana plays the cello in the orchestra that rehearses behind the old harbour.")
    begin_anew(visitor)
    visitor.say("What does Ana play?")
    return visitor.page.locator(".card-cite").first


def test_a_link_below_a_long_memory_opens_at_the_first_click(visitor):
    card = card_of_a_long_memory(visitor)
    text = card.locator(".text")
    assert text.evaluate("text => text.scrollHeight > text.clientHeight")
    card.get_by_role("link", name="Source turn").click()
    visitor.page.wait_for_url("**#turn-0", timeout=10_000)


def test_a_card_that_the_keyboard_enters_shows_all_of_its_memory(visitor):
    card = card_of_a_long_memory(visitor)
    visitor.page.keyboard.press("Tab")
    card.get_by_role("link", name="Source turn").focus()
    text = card.locator(".text")
    assert text.evaluate("text => text.scrollHeight === text.clientHeight")


def test_the_browser_sets_the_time_zone_at_sign_up(visitor):
    visitor.sign_up()
    assert User.objects.get(username="alice").time_zone == "Europe/Berlin"


def test_an_answer_streams_with_its_stages_and_is_stored(talked):
    page = talked.page
    assert re.search(r"/app/s/alice/chat/[0-9a-f-]{36}/$", page.url)
    assert page.locator(".turn").count() == 4
    stages = page.locator(".turn.theirs").last.locator(".stage.is-done b")
    assert stages.all_text_contents() == ["Working memory", "Recall", "Answer"]
    assert page.locator("[data-live]").count() == 0
    told = page.locator(".stages").all_inner_texts()
    page.reload()
    assert page.locator(".turn").count() == 4
    assert page.locator(".stages").all_inner_texts() == told


def test_the_conversation_appears_in_the_list_under_what_was_said(talked):
    entry = talked.page.get_by_role("navigation", name="Conversations").get_by_role("link")
    entry.filter(has_text="My sister Ana moved to Porto").wait_for()
    assert entry.first.get_attribute("aria-current") == "page"


def test_a_new_session_is_answered_from_memory_with_evidence_that_opens(talked):
    page = talked.page
    begin_anew(talked)
    talked.say("Where does Ana live?")
    answer = page.locator(".turn.theirs").last
    assert "Porto" in answer.locator(".said").inner_text()
    answer.locator("a.cite").first.click()
    card = page.locator(".card-cite:target")
    assert "Porto" in card.inner_text()
    record = page.locator(".card-cite").filter(has=page.get_by_role("link", name="Record")).first
    record.get_by_role("link", name="Record").click()
    page.get_by_role("heading", name="Where it comes from").wait_for()
    assert "Porto" in page.locator(".statement").inner_text()
    page.get_by_role("link", name="Show in the conversation").first.click()
    source = page.locator(".turn:target")
    source.wait_for()
    assert "Ana moved to Porto" in source.inner_text()
    outline = source.locator(".said").evaluate("said => getComputedStyle(said).outlineStyle")
    assert outline == "solid"


def test_what_is_not_filed_yet_is_shown_and_filed_on_request(talked):
    page = talked.page
    page.get_by_role("link", name="What is remembered").click()
    page.get_by_role("heading", name="Not yet filed, already searchable").wait_for()
    figures = page.locator("#figures")
    expect(figures).to_have_text(re.compile(r"^\s*memory\s+1\s"))
    page.get_by_role("button", name="Remember now").click()
    page.get_by_text(re.compile(r"Filed: \d+ new memor")).wait_for()
    page.locator(".record").first.wait_for()  # without asking for the page again
    expect(figures).to_have_text(re.compile(r"^\s*memories\s+2\s"))
    assert not page.get_by_role("heading", name="Not yet filed").is_visible()
    page.get_by_role("link", name="Show").click()
    page.locator(".record").first.wait_for()
    assert "hazelnuts" in page.locator(".records").inner_text()


@pytest.fixture
def filed(visitor: Visitor) -> Visitor:
    """Something that Alice told is filed, and the list is open."""
    user = register_user(username="alice", password=PASSWORD, display_name="Alice")
    session = talk(principal_for(user), "I am allergic to hazelnuts.", "Noted.")
    remember(session, "Alice is allergic to hazelnuts.")
    visitor.sign_in(user)
    visitor.goto("/app/s/alice/memory/")
    return visitor


def test_a_memory_is_corrected_in_place(filed):
    page = filed.page
    record = page.locator(".record", has_text="hazelnuts").first
    record.get_by_role("link", name="Edit").click()
    page.get_by_label("What is remembered").fill("Alice is allergic to walnuts.")
    page.get_by_role("button", name="Save").click()
    changed = page.locator(".record", has_text="walnuts")
    changed.wait_for()
    assert "edited" in changed.inner_text()
    page.reload()
    assert page.locator(".record", has_text="walnuts").count() == 1


def test_a_correction_can_be_given_up(filed):
    page = filed.page
    page.locator(".record", has_text="hazelnuts").first.get_by_role("link", name="Edit").click()
    page.get_by_role("link", name="Cancel").click()
    page.locator(".record", has_text="hazelnuts").first.locator("a.text").wait_for()


def test_a_memory_is_let_go_after_a_question(filed):
    page = filed.page
    page.locator(".record", has_text="hazelnuts").locator("a.text").click()
    page.get_by_role("button", name="Expire").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Why?").fill("It was a mistake.")
    dialog.get_by_role("button", name="Expire").click()
    page.get_by_text("no longer recalled").first.wait_for()
    page.get_by_role("link", name="Back to the list").click()
    page.locator("#records").wait_for()
    assert page.locator(".record", has_text="hazelnuts").count() == 0
    page.get_by_label("State").select_option("expired")
    page.locator(".record", has_text="hazelnuts").first.wait_for()


def test_a_memory_is_let_go_in_the_list(filed):
    page = filed.page
    record = page.locator(".record", has_text="hazelnuts")
    record.get_by_role("link", name="Expire").click()
    record.get_by_role("link", name="Keep it").click()
    record.get_by_role("link", name="Expire").click()
    record.get_by_role("button", name="Expire").click()
    page.locator(".record.is-expired", has_text="hazelnuts").wait_for()


@pytest.mark.parametrize("act", ["Expire", "Edit"])
def test_the_forms_of_the_list_are_opened_and_left_by_keyboard(filed, act):
    page = filed.page
    record = page.locator(".record", has_text="hazelnuts")
    record.get_by_role("link", name=act).press("Enter")
    expect(record.locator("form").locator("textarea, input:not([type=hidden])").first).to_be_focused()
    page.keyboard.press("Escape")
    expect(record.locator("form")).to_have_count(0)
    expect(record.get_by_role("link", name=act)).to_be_focused()
    page.keyboard.press("Enter")
    record.get_by_role("link", name=re.compile("Keep it|Cancel")).press("Enter")
    expect(record.get_by_role("link", name=act)).to_be_focused()


def test_a_form_of_the_list_can_be_left_the_moment_it_is_there(filed):
    page, there = filed.page, filed.page.url
    page.evaluate("""() => new MutationObserver(() => {
        const keeps = document.querySelector("[data-keeps]");
        if (keeps && !document.body.dataset.left) { document.body.dataset.left = "yes"; keeps.click(); }
    }).observe(document, {childList: true, subtree: true})""")
    record = page.locator(".record", has_text="hazelnuts")
    record.get_by_role("link", name="Edit").click()
    page.locator("body[data-left]").wait_for()
    expect(record.get_by_role("link", name="Edit")).to_be_focused()
    assert page.url == there


def test_why_the_engine_is_offline_is_told_by_keyboard(filed):
    page = filed.page
    with page.expect_navigation(wait_until="load"):  # a key pressed before its script is there is lost
        page.get_by_role("link", name="New conversation").click()
    badge = page.locator("#engine summary")
    expect(page.get_by_text("No language model is set up")).to_be_hidden()
    badge.press("Enter")
    expect(page.get_by_text("No language model is set up")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_text("No language model is set up")).to_be_hidden()
    expect(badge).to_be_focused()


def test_the_list_is_searched_as_one_types(filed):
    page = filed.page
    page.get_by_role("searchbox").press_sequentially("zebra")
    page.get_by_role("heading", name="Nothing matches").wait_for()
    page.get_by_role("searchbox").fill("hazelnuts")
    page.locator(".record", has_text="hazelnuts").first.wait_for()
    assert "q=hazelnuts" in page.url


def test_the_address_follows_the_filters_so_that_a_reload_keeps_them(visitor):
    alice = register_user(username="alice", password=PASSWORD)
    session = talk(principal_for(alice), "Ana lives in Porto.", "Noted.")
    remember(session, "Ana lives in Porto.")
    remember(session, "Ben likes trains.", content_hash="other")
    visitor.sign_in(alice)
    visitor.goto("/app/s/alice/memory/")
    page = visitor.page
    page.get_by_role("searchbox", name="Search").press_sequentially("Porto")
    expect(page.locator(".record")).to_have_count(1)
    page.get_by_label("State").select_option("all")
    page.wait_for_url("**state=all**")
    assert "q=Porto" in page.url
    page.reload()
    expect(page.get_by_role("searchbox", name="Search")).to_have_value("Porto")
    expect(page.get_by_label("State")).to_have_value("all")
    expect(page.locator(".record")).to_have_count(1)
    page.go_back()
    expect(page.get_by_role("searchbox", name="Search")).to_have_value("Porto")


def test_back_and_forward_bring_the_whole_page_of_the_filters_then_in_force(visitor):
    alice = register_user(username="alice", password=PASSWORD)
    session = talk(principal_for(alice), "Ana lives in Porto.", "Noted.")
    remember(session, "Ana lives in Porto.")
    visitor.sign_in(alice)
    visitor.goto("/app/s/alice/memory/")
    page = visitor.page
    search, state = page.get_by_role("searchbox", name="Search"), page.get_by_label("State")
    search.fill("Porto")
    page.wait_for_url("**q=Porto**")
    state.select_option("all")
    page.wait_for_url("**state=all**")
    page.go_back()
    page.wait_for_url("**state=current**")
    expect(state).to_have_value("current")
    expect(search).to_have_value("Porto")
    expect(page.locator(".record")).to_have_count(1)
    page.go_forward()
    page.wait_for_url("**state=all**")
    expect(state).to_have_value("all")
    expect(page.locator(".record")).to_have_count(1)
