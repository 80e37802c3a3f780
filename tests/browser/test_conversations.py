"""A conversation's menu in the list, by mouse and by keyboard."""

import pytest
from playwright.sync_api import expect

from accounts.principals import principal_for
from accounts.services.users import register_user
from memory.models import MemoryRecord
from sessions_app.models import SessionTurn
from tests.browser.conftest import PASSWORD, Visitor
from tests.sessions_app.views.conftest import remember, talk

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def reader(visitor: Visitor) -> Visitor:
    """Alice at a conversation of which something is remembered."""
    alice = register_user(username="alice", password=PASSWORD, display_name="Alice")
    session = talk(principal_for(alice), "Ana lives in Porto.", "Noted.")
    remember(session, "Ana lives in Porto.")
    visitor.sign_in(alice)
    visitor.goto(f"/app/s/alice/chat/{session.id}/")
    return visitor


def test_the_menu_opens_and_closes_by_keyboard(reader):
    page = reader.page
    menu = page.locator(".session-menu summary")
    menu.focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Rename…")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.get_by_role("link", name="Rename…")).to_be_hidden()
    expect(menu).to_be_focused()


def test_a_conversation_is_renamed_then_deleted_while_its_memory_stays(reader):
    page = reader.page
    page.locator(".session-menu summary").click()
    page.get_by_role("link", name="Rename…").click()
    page.get_by_label("Title").fill("About Ana")
    page.get_by_role("button", name="Rename").click()
    expect(page.get_by_role("heading", name="About Ana")).to_be_visible()
    page.locator(".session-menu summary").click()
    page.get_by_role("link", name="Delete…").click()
    expect(page.get_by_role("main")).to_contain_text("Its 2 turns are deleted")
    page.get_by_role("button", name="Delete the conversation").click()
    expect(page.get_by_role("status").first).to_contain_text("What was remembered of it stays.")
    expect(page.locator(".session")).to_have_count(0)
    assert SessionTurn.everyone.count() == 0
    page.get_by_role("link", name="What is remembered").click()
    expect(page.get_by_role("main")).to_contain_text("Ana lives in Porto.")
    assert MemoryRecord.everyone.filter(expired_at=None).count() >= 1
