"""Everything in one process: database, ASGI server, worker and scheduler."""

import argparse
import fcntl
import logging
import os
import secrets
import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Any

import uvicorn
from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.checks import run_checks
from django.core.management import BaseCommand, CommandError, call_command
from django.core.management.base import SystemCheckError

from accounts.services.users import register_user
from lychee_site.log_filters import is_fault
from lychee_site.worker import embedded_worker
from memory.errors import ProviderError
from memory.providers.registry import language_model, probe_embedder
from memory.services.warming import begin_warming

DEMO_USER = "demo"
WARMING_SECONDS = 30  # at most, between Ctrl+C or SIGTERM and the end


class Command(BaseCommand):
    """`manage.py serve`: set up what is missing, then answer until interrupted."""

    help = "Serve the application with an in-process worker and scheduler."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Where to listen."""
        parser.add_argument("--host", default=os.environ.get("HOST", "127.0.0.1"))
        parser.add_argument("--port", default=os.environ.get("PORT", "8000"), type=_port)
        parser.add_argument(
            "--no-worker", action="store_true", help="leave the work to `manage.py worker` (needs REDIS_URL)"
        )

    def check(self, *args: Any, **options: Any) -> None:
        """Django's system checks; what stands against a start is told in its own sentences."""
        try:
            super().check(*args, **options)
        except SystemCheckError as error:
            faults = [fault for fault in run_checks() if fault.is_serious() and not fault.is_silenced()]
            told = [f"{fault.msg} {fault.hint or ''}".strip() for fault in faults]
            raise CommandError("\n".join(told)) from error

    def handle(self, *args: Any, **options: Any) -> None:
        """Hold the data folder, migrate, make the first user, serve."""
        host, port = options["host"], options["port"]
        if options["no_worker"] and not settings.REDIS_URL:
            raise CommandError(
                "Without REDIS_URL nobody else hears of the work; set it, or leave out --no-worker."
            )
        worker = nullcontext() if options["no_worker"] else embedded_worker()
        listening = _listen(host, port)
        with listening, _only_process(settings.DATA_DIR):
            self._try_embedder()
            with alone(settings.DATA_DIR):
                call_command("migrate", interactive=False, verbosity=0)
                password = make_first_user()
            self._welcome(port, password=password)
            warming = begin_warming()
            # The server ends by itself and raises the signal again for whoever waits: SIGTERM would then
            # end the process with the worker's tasks still in hand.
            signal.signal(signal.SIGTERM, signal.default_int_handler)
            with suppress(KeyboardInterrupt), worker:
                _server().run(sockets=[listening])
            warming.join(WARMING_SECONDS)  # native code cut off at the exit would abort the process
        self.stdout.write("Stopped; everything is kept.")

    def _try_embedder(self) -> None:
        """Refuse an embedding model whose vectors have another length than was said."""
        try:
            fault = probe_embedder()
        except ProviderError as error:
            self.stderr.write(self.style.WARNING(f"The embedding model does not answer yet: {error.detail}"))
        else:
            if fault:
                raise CommandError(fault)

    def _welcome(self, port: int, *, password: str | None) -> None:
        address = f"http://localhost:{port}/app/"
        self.stdout.write(self.style.SUCCESS(f"Lychee Memory is at {address}"))
        if password:
            self.stdout.write(
                f"  sign in as   {DEMO_USER}\n"
                f"  one-time password   {password}\n"
                "  You will choose your own at the first sign-in. This user may use /admin/ too."
            )
        self.stdout.write(
            f"  model   {language_model().name}\n"
            f"  data   {settings.DATA_DIR}\n  API   http://localhost:{port}/docs\n  Ctrl+C stops it."
        )
        self.stdout.flush()


def make_first_user() -> str | None:
    """On an empty installation make the demo user; return its one-time password."""
    if get_user_model().objects.exists():
        return None
    password = secrets.token_urlsafe(12)
    user = register_user(username=DEMO_USER, password=password, display_name="Demo")
    user.must_change_password = user.is_staff = user.is_superuser = True
    user.save(update_fields=["must_change_password", "is_staff", "is_superuser"])
    return password


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """One process of this folder at a time sets up: two that migrate at once break each other."""
    with (folder / "setup.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _port(text: str) -> int:
    try:
        port = int(text)
    except ValueError:
        port = -1
    if not 0 < port < 65_536:
        raise argparse.ArgumentTypeError(f"a port is a number from 1 to 65535, not {text!r}")
    return port


def _listen(host: str, port: int) -> socket.socket:
    """Bind first, so that a taken port is told before anything is set up."""
    try:
        family, kind, _protocol, _name, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listening = socket.socket(family, kind)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
    except OSError as error:
        raise CommandError(
            f"Cannot listen on {host}:{port} ({error.strerror}). Choose another port: PORT=8001 make run"
        ) from error
    return listening


@contextmanager
def _only_process(folder: Path) -> Iterator[None]:
    """Hold the data folder: the embedded broker and caches live in one process only."""
    with (folder / "serve.lock").open("w") as lock:
        if not settings.REDIS_URL:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                raise CommandError(
                    f"Another process already serves {folder}. Stop it, choose another folder with "
                    "LYCHEE_DATA_DIR, or set REDIS_URL to run several."
                ) from error
        yield


def _server() -> uvicorn.Server:
    config = uvicorn.Config(
        "lychee_site.asgi:application",
        lifespan="off",
        log_level="warning",
        timeout_graceful_shutdown=5,
        ws_max_size=settings.MAX_IMAGE_BODY_BYTES,
        server_header=False,
        proxy_headers=settings.IS_BEHIND_PROXY,
    )
    logging.getLogger("uvicorn.error").addFilter(is_fault)
    return uvicorn.Server(config)
