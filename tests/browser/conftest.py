"""A real Chromium against the real ASGI application, in this process, on the test database.

Anything the browser's console calls an error fails the test: a broken script, a missing
file, or something the Content-Security-Policy had to block.
"""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import pytest
import uvicorn
from django.conf import settings
from django.test import Client
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Locator,
    Page,
    Response,
    expect,
    sync_playwright,
)

from accounts.models import User
from accounts.registries import set_wake

CHROMIUM = "/usr/bin/chromium"
PATIENCE_MS = 60_000  # ends a hang; nothing is measured by it
expect.set_options(timeout=PATIENCE_MS)
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PASSWORD = "a long walk by the sea"
# A click before a page's scripts are there is not heard. Nobody clicks on what cannot be seen.
UNSEEN_UNTIL_LOADED = """
const unseen = new CSSStyleSheet();
unseen.replaceSync("html { visibility: hidden }");
document.adoptedStyleSheets = [unseen];
addEventListener("load", () => { document.adoptedStyleSheets = []; });
"""


@dataclass
class Visitor:
    """A person at a browser; `troubles` is what its console complained of."""

    page: Page
    address: str
    troubles: list[str] = field(default_factory=list)

    @property
    def message(self) -> Locator:
        """Where one types, once the page listens."""
        return self.page.locator("main[data-ready]").get_by_role("textbox", name="Message")

    def heard(self, said: ConsoleMessage) -> None:
        if said.type == "error" and "status of" not in said.text:  # those are told by `answered`
            self.troubles.append(said.text)

    def answered(self, response: Response) -> None:
        if response.status >= 400:
            self.troubles.append(f"{response.status} {response.url}")

    def goto(self, path: str) -> None:
        self.page.goto(self.address + path)

    def sign_up(self, username: str = "alice", display_name: str = "Alice") -> None:
        self.goto("/app/sign-up/")
        self.page.get_by_label("User name").fill(username)
        self.page.get_by_label("What should the memory call you?").fill(display_name)
        self.page.get_by_label("Password", exact=True).fill(PASSWORD)
        self.page.get_by_role("button", name="Make my account").click()
        self.message.wait_for()

    def sign_in(self, user: User) -> None:
        """By the cookie that signing in would set."""
        client = Client()
        client.force_login(user)
        cookie = client.cookies[settings.SESSION_COOKIE_NAME].value
        self.page.context.add_cookies(
            [{"name": settings.SESSION_COOKIE_NAME, "value": cookie, "url": self.address}]
        )

    def say(self, text: str) -> None:
        """Send a message and wait for its stored answer."""
        answers = self.page.locator(".turn.theirs[data-index]")
        before = answers.count()
        self.message.fill(text)
        self.page.keyboard.press("Enter")
        answers.nth(before).wait_for()


@pytest.fixture(scope="module")
def chromium(django_db_setup) -> Iterator[Browser]:
    # Playwright keeps an event loop in this thread while it runs, which Django takes for
    # an async caller; by module, so that no other test meets either.
    with pytest.MonkeyPatch.context() as patch, sync_playwright() as playwright:
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def worker() -> Iterator[None]:
    """Queued work is done as soon as it is committed, in the thread that queued it."""
    from lychee_site.celery import app
    from lychee_site.wake import install

    app.conf.task_always_eager = True
    install()
    yield
    set_wake(None)
    app.conf.task_always_eager = False


@pytest.fixture
def address(chromium, transactional_db, worker) -> Iterator[str]:
    from lychee_site.asgi import application

    with serving(application) as found:
        yield found


@contextmanager
def serving(application: object) -> Iterator[str]:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()  # who comes before the server does is kept waiting, not refused
        server = uvicorn.Server(uvicorn.Config(application, log_level="warning", lifespan="off"))  # type: ignore[arg-type]
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join(20)
            assert not thread.is_alive()


@contextmanager
def visiting(context: BrowserContext, address: str, *, has_scripts: bool = True) -> Iterator[Visitor]:
    if has_scripts:
        context.add_init_script(UNSEEN_UNTIL_LOADED)
    visitor = Visitor(context.new_page(), address)
    visitor.page.on("console", visitor.heard)
    visitor.page.on("response", visitor.answered)
    visitor.page.on("pageerror", lambda error: visitor.troubles.append(str(error)))
    try:
        yield visitor
    finally:
        context.close()
    assert visitor.troubles == []


@pytest.fixture
def visitor(chromium, address) -> Iterator[Visitor]:
    context = chromium.new_context(viewport={"width": 1280, "height": 800}, timezone_id="Europe/Berlin")
    context.set_default_timeout(PATIENCE_MS)
    with visiting(context, address) as found:
        yield found
