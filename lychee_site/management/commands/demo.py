"""A conversation over two sessions, through the HTTP API: what is remembered and recalled."""

import argparse
import os
import secrets
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any

import httpx
from django.core.management import BaseCommand, CommandError
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.table import Table

from lychee_site.env import BASE_DIR

TOLD = (
    "Hi! I'm Maya. I live in Lisbon and I work as a marine biologist at the Oceanarium.",
    "My daughter Inês is allergic to peanuts, so I always check the label.",
    "I adopted a grey cat named Pixel last Saturday.",
    "I prefer short answers with bullet points.",
    "Our team deploys on Tuesdays. Never deploy on a Friday, that broke everything in March.",
    "To restart the gateway, first stop the collector, then power-cycle the box, then start the collector.",
    "My favourite restaurant is Cervejaria Ramiro, I go there for my birthday on 12 May.",
)
ASKED = (
    "Where do I live?",
    "What is my daughter allergic to?",
    "What is the name of my cat?",
    "When should we not deploy?",
    "How do I restart the gateway?",
    "Where do I celebrate my birthday?",
)
START_SECONDS = 180


@dataclass(frozen=True, slots=True)
class Client:
    """A signed-in user of the HTTP API."""

    http: httpx.Client
    name: str

    def post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        """POST JSON and return JSON. Raises CommandError with the problem's detail."""
        return _checked(self.http.post(path, json=body))

    def get(self, path: str) -> dict[str, Any]:
        """GET JSON. Raises CommandError with the problem's detail."""
        return _checked(self.http.get(path))


class Command(BaseCommand):
    """`manage.py demo`: talk, consolidate, come back, ask."""

    help = "Play a conversation over two sessions through the HTTP API."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Which server, which session."""
        parser.add_argument("--port", default=os.environ.get("PORT", "8000"))
        parser.add_argument("--session-id", default="demo", help="name of the first session")
        parser.add_argument(
            "--multi-turn",
            action="store_true",
            help="put every question to one session instead of a new one each",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Play it all and print what came of it."""
        console = Console()
        with ExitStack() as stack:
            address = _running(options["port"]) or stack.enter_context(scratch_server())
            http = stack.enter_context(httpx.Client(base_url=address, timeout=60))
            client = sign_up(http)
            console.print(f"Talking to [bold]{address}[/bold] as {client.name}")
            records = tell(client, console, session=options["session_id"])
            show_records(console, records)
            answers = ask(
                client, console, session=options["session_id"], is_one_session=options["multi_turn"]
            )
            show_answers(console, answers)


def tell(client: Client, console: Console, *, session: str) -> list[dict[str, Any]]:
    """Say what there is to remember, file it, and return the records."""
    with _progress(console) as progress:
        task = progress.add_task("Telling", total=len(TOLD) + 1)
        for text in TOLD:
            client.post("/chat/complete", {"session_id": session, "message": text})
            progress.advance(task)
        progress.update(task, description="Filing")
        client.post("/memory/consolidate", {"session_id": session, "background": False})
        progress.advance(task)
    records: list[dict[str, Any]] = client.get("/memory/records?limit=100")["items"]
    return records


def ask(client: Client, console: Console, *, session: str, is_one_session: bool) -> list[dict[str, Any]]:
    """Ask in new sessions; return the replies of /chat/complete with their question."""
    answers = []
    with _progress(console) as progress:
        for number, question in enumerate(progress.track(ASKED, description="Asking ")):
            name = f"{session}-later" if is_one_session else f"{session}-later-{number + 1}"
            reply = client.post("/chat/complete", {"session_id": name, "message": question})
            answers.append({**reply, "question": question})
    return answers


def show_records(console: Console, records: list[dict[str, Any]]) -> None:
    """What was remembered, with its source."""
    table = Table("type", "remembered", "from turn", title="Remembered", title_justify="left", expand=True)
    for record in reversed(records):
        turns = ", ".join(str(turn["turn_index"]) for turn in record["evidence"])
        table.add_row(record["memory_type"], escape(record["semantic_text"]), turns)
    console.print(table)


def show_answers(console: Console, answers: list[dict[str, Any]]) -> None:
    """What was answered, and the evidence it rests on."""
    for answer in answers:
        console.print(f"\n[bold]{escape(answer['question'])}[/bold]\n  {escape(answer['response'])}")
        for number, item in enumerate(answer["trace"]["provenance"][:3], start=1):
            turn = item["evidence_turns"][0]
            console.print(
                f"  [dim]\\[{number}] {item['source']} {item['score']:.2f} · session "
                f"{escape(item['source_session'])}, turn {turn} · {escape(item['display_text'])}[/dim]"
            )


def sign_up(http: httpx.Client) -> Client:
    """Register `demo_user`, or a numbered namesake where that name is taken."""
    for name in ("demo_user", f"demo_user_{secrets.token_hex(4)}"):
        reply = http.post(
            "/auth/register",
            json={"username": name, "password": secrets.token_urlsafe(16), "display_name": "Maya"},
        )
        if reply.status_code != httpx.codes.CONFLICT:
            break
    http.headers["Authorization"] = f"Bearer {_checked(reply)['token']}"
    return Client(http, name)


@contextmanager
def scratch_server() -> Iterator[str]:
    """A server of its own on a scratch folder and a free port."""
    with tempfile.TemporaryDirectory(prefix="lychee-demo-") as folder:
        port = _free_port()
        environment = {**os.environ, "LYCHEE_DATA_DIR": folder, "REDIS_URL": "", "DATABASE_URL": ""}
        process = subprocess.Popen(  # noqa: S603 (our own command line)
            [sys.executable, str(BASE_DIR / "manage.py"), "serve", "--port", str(port)],
            env=environment,
            stdout=subprocess.DEVNULL,
        )
        try:
            yield _wait_for(port, process)
        finally:
            process.terminate()
            process.wait(timeout=20)


def _wait_for(port: int, process: "subprocess.Popen[bytes]") -> str:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        if address := _running(str(port)):
            return address
        time.sleep(0.1)
    raise CommandError("The demo's server did not start; try `make run` and look at what it prints.")


def _running(port: str) -> str | None:
    """The address of a Lychee Memory server on this port, if one answers."""
    address = f"http://127.0.0.1:{port}"
    try:
        reply = httpx.get(f"{address}/health", timeout=2)
        is_ours = reply.status_code == httpx.codes.OK and {"status", "version"} <= reply.json().keys()
    except (httpx.HTTPError, ValueError):
        return None
    return address if is_ours else None


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _checked(reply: httpx.Response) -> dict[str, Any]:
    if reply.is_success:
        body: dict[str, Any] = reply.json()
        return body
    try:
        detail = reply.json().get("detail", reply.reason_phrase)
    except ValueError:
        detail = reply.reason_phrase
    raise CommandError(
        f"{reply.request.method} {reply.request.url.path} answered {reply.status_code}: {detail}"
    )


def _progress(console: Console) -> Progress:
    return Progress(TextColumn("{task.description:<10}"), BarColumn(), MofNCompleteColumn(), console=console)
