"""What goes wrong between browser and server: nothing typed is lost, nothing comes twice.

The websocket is played by the test, frame by frame; everything else is the real thing.
"""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field

import pytest
from playwright.sync_api import Route, WebSocketRoute, expect

from accounts.services.users import register_user
from tests.browser.conftest import PASSWORD, Visitor

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

STEP = {
    "type": "step",
    "step": "wm_manager",
    "status": "done",
    "trace_fragment": {"turns": 1, "tokens": 9, "ms": 2},
}


@dataclass
class FakeServer:
    """A server that does what the test says. `asked` are the client's frames, in order."""

    asked: list[dict[str, object]] = field(default_factory=list)
    connections: list[WebSocketRoute] = field(default_factory=list)
    answer: Callable[[dict[str, object], "FakeServer"], None] = lambda frame, server: None
    seq: int = 1_000

    def open(self, connection: WebSocketRoute) -> None:
        self.connections.append(connection)
        connection.on_message(self._received)

    def send(self, **frame: object) -> None:
        self.seq += 1
        self.connections[-1].send(json.dumps({"seq": self.seq, **frame}))

    def repeat(self, seq: int, **frame: object) -> None:
        """Send a frame under a number that was used before."""
        self.connections[-1].send(json.dumps({"seq": seq, **frame}))

    def _received(self, text: str | bytes) -> None:
        frame = json.loads(text)
        self.asked.append(frame)
        self.answer(frame, self)


@pytest.fixture
def server(visitor) -> FakeServer:
    server = FakeServer()
    visitor.page.route_web_socket(re.compile("/ws/chat/"), server.open)
    visitor.sign_in(register_user(username="alice", password=PASSWORD, display_name="Alice"))
    visitor.goto("/app/s/alice/")
    visitor.message.wait_for()
    return server


def ask(visitor: Visitor, text: str = "Where does Ana live?") -> None:
    visitor.message.fill(text)
    visitor.page.keyboard.press("Enter")


def said(visitor: Visitor):
    return visitor.page.locator(".turn.theirs .said")


def test_a_new_line_does_not_send(visitor, server):
    visitor.message.fill("One")
    visitor.page.keyboard.press("Shift+Enter")
    visitor.page.keyboard.type("Two")
    assert visitor.message.input_value() == "One\nTwo"
    assert server.asked == []


def test_blank_text_is_not_sent(visitor, server):
    ask(visitor, "  \n ")
    assert visitor.page.locator(".turn").count() == 0
    assert server.connections == []


def test_a_draft_survives_a_reload(visitor, server):
    visitor.message.fill("Half a thought")
    visitor.page.reload()
    expect(visitor.message).to_have_value("Half a thought")


def test_tokens_appear_as_they_come(visitor, server):
    ask(visitor)
    expect(visitor.page.locator(".turn.mine .said")).to_have_text("Where does Ana live?")
    expect(visitor.page.locator("[data-step=wm_manager]")).to_have_class(re.compile("is-running"))
    expect(visitor.page.locator("main")).to_have_attribute("data-session", re.compile("."))
    while not server.asked:
        visitor.page.wait_for_timeout(20)
    server.send(**STEP)
    server.send(type="token", content="In ")
    server.send(type="token", content="Porto")
    expect(said(visitor)).to_have_text("In Porto")
    expect(visitor.page.locator("[data-step=wm_manager]")).to_have_class(re.compile("is-done"))
    expect(visitor.page.locator("[data-step=wm_manager]")).to_contain_text("2 ms")
    expect(visitor.page.locator("[data-step=search]")).to_have_class(re.compile("is-running"))
    expect(visitor.page.get_by_role("log")).to_have_attribute("aria-busy", "true")


def test_what_was_recalled_is_shown_before_the_answer(visitor, server):
    hit = {"number": 1, "type": "fact", "text": "Ana lives in Porto.", "score": 0.8, "reason": "names Ana"}
    server.answer = lambda frame, s: s.send(
        type="step",
        step="search",
        status="done",
        trace_fragment={"hits": [hit], "dropped": [hit, hit], "ms": 31},
    )
    ask(visitor)
    card = visitor.page.locator(".card-cite")
    expect(card).to_contain_text("Ana lives in Porto.")
    expect(card.locator(".chip.fact")).to_have_text("fact")
    expect(visitor.page.locator("[data-step=search] .count")).to_contain_text("3 looked at, 1 recalled")


def test_a_broken_line_is_mended_and_the_answer_goes_on_where_it_stopped(visitor, server):
    def answer(frame, s):
        if frame["type"] == "message":
            s.send(**STEP)
            s.send(type="token", content="In ")
            s.connections[-1].close()
        else:
            s.repeat(1_002, type="token", content="In ")
            s.send(type="token", content="Porto")

    server.answer = answer
    ask(visitor)
    expect(said(visitor)).to_have_text("In Porto")
    assert server.asked[-1] == {"type": "resume", "last_seq": 1_002}


def test_an_answer_written_elsewhere_is_waited_for(visitor, server):
    def answer(frame, s):
        if frame["type"] == "message":
            s.send(**STEP)
            s.connections[-1].close()
        elif len(s.asked) == 2:
            s.send(type="error", code="session_busy", content="Elsewhere.", retry_after=0.01)
        else:
            s.send(type="token", content="Porto")

    server.answer = answer
    ask(visitor)
    expect(said(visitor)).to_have_text("Porto")
    assert [frame["type"] for frame in server.asked] == ["message", "resume", "resume"]
    assert visitor.message.input_value() == ""


def test_a_question_that_was_not_heard_is_asked_again(visitor, server):
    def answer(frame, s):
        if len(s.connections) == 1:
            s.connections[-1].close()
        else:
            s.send(**STEP)
            s.send(type="token", content="Porto")

    server.answer = answer
    ask(visitor)
    expect(said(visitor)).to_have_text("Porto")
    assert [frame["type"] for frame in server.asked] == ["message", "message"]


def test_a_busy_session_gives_the_message_back(visitor, server):
    server.answer = lambda frame, s: s.send(type="error", code="session_busy", content="Busy.")
    ask(visitor)
    expect(visitor.message).to_have_value("Where does Ana live?")
    expect(visitor.page.get_by_role("alert")).to_contain_text("Your message is kept")
    assert visitor.page.locator(".turn").count() == 0


def test_a_failure_before_anything_is_stored_gives_the_message_back_even_after_a_reload(visitor, server):
    server.answer = lambda frame, s: s.send(
        type="error", code="invalid_input", content="That cannot be said."
    )
    ask(visitor)
    expect(visitor.page.get_by_role("alert")).to_contain_text("That cannot be said.")
    expect(visitor.page.get_by_role("button", name="Try again")).to_have_count(0)
    visitor.page.reload()
    expect(visitor.message).to_have_value("Where does Ana live?")


def test_a_failed_answer_can_be_asked_for_again(visitor, server):
    def answer(frame, s):
        s.send(**STEP)
        s.send(type="error", code="provider_unavailable", content="The model does not answer.")

    server.answer = answer
    ask(visitor)
    expect(visitor.page.get_by_role("alert")).to_contain_text("The model does not answer.")
    server.answer = lambda frame, s: s.send(type="token", content="Porto")
    visitor.page.get_by_role("button", name="Try again").click()
    expect(said(visitor).last).to_have_text("Porto")
    assert [frame["text"] for frame in server.asked] == ["Where does Ana live?"] * 2


def test_an_answer_asked_for_again_at_once_is_shown_while_the_failed_one_is_fetched(visitor, server):
    fetches: list[Route] = []

    def hold(route: Route) -> None:
        fetches.append(route)

    def answer(frame, s):
        s.send(**STEP)
        s.send(type="error", code="provider_unavailable", content="The model does not answer.")

    visitor.page.route(re.compile("/turns/"), hold)
    server.answer = answer
    ask(visitor)
    visitor.page.get_by_role("button", name="Try again").wait_for()
    server.answer = lambda frame, s: s.send(type="token", content="In ")
    visitor.page.get_by_role("button", name="Try again").click()
    expect(said(visitor).last).to_have_text("In")
    with visitor.page.expect_response(re.compile("/turns/")):
        fetches[0].continue_()
    visitor.page.evaluate("() => new Promise(requestAnimationFrame)")
    server.send(type="token", content="Porto")
    expect(said(visitor)).to_have_text("In Porto")


def test_an_answer_can_be_stopped(visitor, server):
    def answer(frame, s):
        if frame["type"] == "message":
            s.send(**STEP)
            s.send(type="token", content="In ")
        else:
            s.send(type="error", code="stopped", content="You stopped the answer.")

    server.answer = answer
    ask(visitor)
    visitor.page.get_by_role("button", name="Stop the answer").click()
    expect(visitor.page.get_by_role("button", name="Send")).to_be_visible()
    assert server.asked[-1] == {"type": "stop"}


def test_an_answer_can_be_stopped_before_its_conversation_is_made(visitor, server):
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    visitor.page.route(re.compile("/app/s/alice/$"), hold)
    server.answer = lambda frame, s: (
        s.send(type="error", code="stopped", content="You stopped the answer.")
        if frame["type"] == "stop"
        else None
    )
    ask(visitor)
    while not held:
        visitor.page.wait_for_timeout(20)
    visitor.page.get_by_role("button", name="Stop the answer").click()
    held[0].continue_()
    expect(visitor.page.get_by_role("button", name="Send")).to_be_visible()
    assert [frame["type"] for frame in server.asked] == ["message", "stop"]


def test_a_conversation_that_is_gone_says_so_and_keeps_the_message(visitor, server):
    server.answer = lambda frame, s: s.connections[-1].close(code=4404)
    ask(visitor)
    expect(visitor.page.get_by_role("alert")).to_contain_text("gone, or not yours")
    expect(visitor.message).to_have_value("Where does Ana live?")


@pytest.mark.parametrize(
    ("sample", "typed"),
    [("What do you remember about me?", "What do you remember about me?"), ("I prefer …", "I prefer ")],
)
def test_a_sample_waits_in_the_composer_for_its_end(visitor, server, sample, typed):
    visitor.page.get_by_role("button", name=sample).click()
    expect(visitor.message).to_have_value(typed)
    expect(visitor.message).to_be_focused()
    assert visitor.page.locator(".turn").count() == 0
    assert server.connections == []
