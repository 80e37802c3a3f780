"""A slow answer over the real socket: watched, left and come back to, stopped."""

import re
import threading
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from accounts.models import User
from accounts.principals import principal_for
from accounts.services.users import register_user
from memory.models import RetrievalLog
from memory.ports import AnswerRequest, OnUsage
from memory.providers.offline_language import OfflineLanguage
from sessions_app.models import SessionTurn
from tests.browser.conftest import PASSWORD, Visitor

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


class SlowModel(OfflineLanguage):
    """Plans and condenses by rules; says "In", and "Porto" once it is let go."""

    def __init__(self) -> None:
        self.let_go = threading.Event()

    def answer(self, request: AnswerRequest, *, on_usage: OnUsage | None = None) -> Iterator[str]:
        yield "In "
        assert self.let_go.wait(30)
        yield "**Porto**."


@pytest.fixture
def model(monkeypatch) -> Iterator[SlowModel]:
    model = SlowModel()
    monkeypatch.setattr("sessions_app.agents.reason.language_model", lambda: model)
    monkeypatch.setattr("sessions_app.pipeline.language_model", lambda: model)
    monkeypatch.setattr("sessions_app.services.usage.language_model", lambda: model)
    yield model
    model.let_go.set()


@pytest.fixture
def asked(visitor: Visitor, model) -> Visitor:
    """Alice has asked, and the answer has begun."""
    visitor.sign_in(register_user(username="alice", password=PASSWORD, display_name="Alice"))
    visitor.goto("/app/s/alice/")
    visitor.message.fill("Where does Ana live?")
    visitor.page.keyboard.press("Enter")
    expect(visitor.page.locator(".turn.theirs .said")).to_have_text("In ")
    return visitor


def stored(visitor: Visitor):
    return visitor.page.locator(".turn.theirs[data-index] .said")


def test_the_answer_is_shown_while_it_is_written_and_as_markdown_once_it_is_stored(asked, model):
    page = asked.page
    expect(page.locator(".turn.theirs")).to_have_attribute("aria-busy", "true")
    expect(page.locator("[data-step=search]")).to_have_class(re.compile("is-done"))
    expect(page.locator("[data-step=reason]")).to_have_class(re.compile("is-running"))
    model.let_go.set()
    expect(stored(asked)).to_have_text("In Porto.")
    expect(stored(asked).locator("strong")).to_have_text("Porto")
    expect(page.locator(".turn.theirs")).not_to_have_attribute("aria-busy", "true")


def test_whoever_comes_back_finds_the_answer_where_it_is(asked, model):
    asked.page.reload()
    expect(asked.page.locator(".turn.mine .said")).to_have_text("Where does Ana live?")
    expect(asked.page.locator(".turn.theirs .said")).to_have_text("In ")
    model.let_go.set()
    expect(stored(asked)).to_have_text("In Porto.")
    expect(asked.page.locator(".turn")).to_have_count(2)


def test_a_stopped_answer_is_kept_as_far_as_it_came(asked, model):
    asked.page.get_by_role("button", name="Stop the answer").click()
    expect(stored(asked)).to_have_text("In")  # though the model says nothing meanwhile
    model.let_go.set()
    expect(asked.page.locator(".turn.theirs .badge")).to_have_text("interrupted")
    expect(asked.page.get_by_role("button", name="Send")).to_be_visible()
    assert not asked.page.get_by_role("alert").is_visible()


@pytest.mark.parametrize("is_reloaded", [False, True])
def test_a_stopped_answer_can_be_made_again_without_asking_twice(asked, model, is_reloaded):
    page = asked.page
    page.get_by_role("button", name="Stop the answer").click()
    page.get_by_role("button", name="Ask again").wait_for()
    if is_reloaded:
        page.reload()
        expect(page.locator(".stage.is-failed")).to_have_text("Answer")
        asked.message.fill("A thought for later")
    model.let_go.set()
    page.get_by_role("button", name="Ask again").click()
    expect(stored(asked)).to_have_text("In Porto.")
    expect(page.locator(".turn")).to_have_count(2)
    expect(page.get_by_role("button", name="Ask again")).to_have_count(0)
    if is_reloaded:
        expect(asked.message).to_have_value("A thought for later")
    page.reload()
    expect(page.locator(".turn .said")).to_have_text(["Where does Ana live?", "In Porto."])


def test_an_answer_that_stops_after_the_page_was_loaded_can_be_asked_for_again_by_keyboard(asked, model):
    page = asked.page
    page.reload()
    asked.message.fill("A thought for later")
    page.get_by_role("button", name="Stop the answer").click()
    expect(page.locator(".turn.theirs .badge")).to_have_text("interrupted")
    model.let_go.set()
    page.get_by_role("button", name="Ask again").press("Enter")
    expect(stored(asked)).to_have_text("In Porto.")
    expect(page.locator(".turn .said")).to_have_text(["Where does Ana live?", "In Porto."])
    expect(asked.message).to_have_value("A thought for later")


def test_a_question_asked_outside_memory_is_asked_again_outside_it(asked, model):
    asked.page.get_by_role("button", name="Stop the answer").click()
    asked.page.get_by_role("button", name="Ask again").wait_for()
    SessionTurn.everyone.update(is_consolidated=False)
    asked.page.reload()
    model.let_go.set()
    asked.page.get_by_role("button", name="Ask again").click()
    expect(stored(asked)).to_have_text("In Porto.")
    expect(asked.page.locator(".turn")).to_have_count(2)


def test_the_same_question_typed_after_a_stop_is_stored_once(asked, model):
    asked.page.get_by_role("button", name="Stop the answer").click()
    asked.page.get_by_role("button", name="Ask again").wait_for()
    model.let_go.set()
    asked.message.fill("Where does Ana  live? ")
    asked.page.keyboard.press("Enter")
    expect(stored(asked)).to_have_text("In Porto.")
    expect(asked.page.locator(".turn")).to_have_count(2)
    expect(asked.message).to_have_value("")


def test_another_question_leaves_the_broken_answer_where_it_is(asked, model):
    asked.page.get_by_role("button", name="Stop the answer").click()
    asked.page.get_by_role("button", name="Ask again").wait_for()
    model.let_go.set()
    asked.message.fill("Where does Bo live?")
    asked.page.keyboard.press("Enter")
    expect(stored(asked)).to_have_text(["In", "In Porto."])
    expect(asked.page.locator(".turn")).to_have_count(4)
    expect(asked.page.get_by_role("button", name="Ask again")).to_have_count(0)


def test_another_window_sees_the_answer_when_it_is_done(asked, model):
    other = asked.page.context.new_page()
    other.goto(asked.page.url)
    expect(other.locator(".turn.theirs .said")).to_have_text("In ")
    model.let_go.set()
    expect(other.locator(".turn.theirs[data-index] .said")).to_have_text("In Porto.")


@pytest.fixture
def talked(visitor: Visitor) -> Visitor:
    """Alice has told where her sister lives, and begins another conversation."""
    visitor.sign_in(register_user(username="alice", password=PASSWORD, display_name="Alice"))
    visitor.goto("/app/s/alice/")
    visitor.say("My sister Ana lives in Porto.")
    visitor.goto("/app/s/alice/")
    visitor.message.wait_for()
    return visitor


def test_the_effort_is_chosen_by_keyboard_and_kept_for_the_tab(talked):
    page = talked.page
    summary = page.locator(".effort > summary")
    summary.focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.get_by_role("radio", name="Standard")).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("radio", name="Deep")).to_be_checked()
    page.keyboard.press("Enter")
    expect(summary).to_be_focused()
    expect(summary).to_have_text("Effort: Deep")
    expect(page.locator(".turn")).to_have_count(0)
    page.reload()
    talked.message.wait_for()
    expect(page.locator(".effort > summary")).to_have_text("Effort: Deep")


@pytest.mark.parametrize(("effort", "stages"), [("Deep", 4), ("Standard", 3), ("Fast", 3)])
def test_the_chosen_effort_is_the_one_that_answers(talked, effort, stages):
    page = talked.page
    page.locator(".effort > summary").click()
    page.get_by_role("radio", name=effort).check()
    page.keyboard.press("Escape")
    expect(page.get_by_role("radio", name=effort)).not_to_be_visible()
    talked.say("Where does my sister Ana live?")
    expect(page.locator(".turn.theirs .stage")).to_have_count(stages)
    expect(page.locator(".turn.theirs .said")).to_contain_text("Porto")
    space = principal_for(User.objects.get(username="alice")).space_id
    assert RetrievalLog.objects.for_space(space).latest("created_at").effort == effort.lower()
    expect(page.locator(".stage", has_text="Condensing")).to_have_count(int(effort == "Deep"))


def test_condensing_is_live_between_recall_and_answer(talked, model):
    page = talked.page
    page.locator(".effort > summary").click()
    page.get_by_role("radio", name="Deep").check()
    talked.message.fill("Where does my sister Ana live?")
    page.keyboard.press("Enter")
    expect(page.locator("[data-live] .said").last).to_have_text("In ")
    expect(page.locator("[data-live] [data-step=synthesize]")).to_have_class(re.compile("is-d"))
    expect(page.locator("[data-live] [data-step=synthesize]")).to_be_visible()
    expect(page.locator("[data-live] [data-step=synthesize]")).to_contain_text("of use")
    model.let_go.set()
    expect(stored(talked).last).to_have_text("In Porto.")
