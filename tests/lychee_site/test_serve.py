"""`manage.py serve`: one process, one data folder, a first user, and a second start that keeps all."""

import re
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from tests.lychee_site.servers import Server, environment, free_port, running_server, serve_command
from tests.model_server import ModelServer

LONG_PASSWORD = "a password of my own 7"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("serve")


@contextmanager
def half_sent(server: Server) -> Iterator[None]:
    """A request of which the server waits for the rest."""
    host, port = server.address.removeprefix("http://").split(":")
    head = f"POST /auth/login HTTP/1.1\r\nHost: {host}\r\nExpect: 100-continue\r\nContent-Length: 500\r\n\r\n"
    with socket.create_connection((host, int(port))) as connection:
        connection.sendall(head.encode())
        assert b"100 Continue" in connection.recv(1_000)  # its body is being waited for
        yield


def csrf_of(page: httpx.Response) -> str:
    found = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page.text)
    assert found, page.text[:500]
    return found[1]


def submit(browser: httpx.Client, path: str, **fields: str) -> httpx.Response:
    token = csrf_of(browser.get(path))
    return browser.post(
        path, data={**fields, "csrfmiddlewaretoken": token}, headers={"Referer": str(browser.base_url)}
    )


def test_the_first_start_makes_a_user_whose_password_must_be_changed(folder: Path) -> None:
    with (
        running_server(folder) as server,
        httpx.Client(base_url=server.address, follow_redirects=True) as browser,
    ):
        password = server.one_time_password()
        assert password, server.printed()
        page = submit(browser, "/app/sign-in/", username="demo", password=password)
        assert page.url.path == "/app/password/"
        page = browser.get("/app/")
        assert page.url.path == "/app/password/", "no other page before the change"
        page = submit(
            browser,
            "/app/password/",
            old_password=password,
            new_password=LONG_PASSWORD,
        )
        assert page.url.path.startswith("/app/"), page.text[:500]
        assert browser.get("/app/").url.path.startswith("/app/s/demo")


def test_a_second_start_keeps_all_and_shows_no_password(folder: Path) -> None:
    with running_server(folder) as server:
        assert server.one_time_password() is None
        reply = httpx.post(
            f"{server.address}/auth/login", json={"username": "demo", "password": LONG_PASSWORD}, timeout=30
        )
        assert reply.status_code == 200, reply.text


def test_a_second_process_on_the_same_folder_is_refused(folder: Path) -> None:
    with running_server(folder):
        second = subprocess.run(
            serve_command(free_port()),
            env=environment(folder),
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
    assert second.returncode != 0
    assert "LYCHEE_DATA_DIR" in second.stderr
    assert "Traceback" not in second.stderr


def test_a_taken_port_is_told_with_what_to_do(folder: Path, tmp_path: Path) -> None:
    with running_server(folder) as server:
        port = int(server.address.rpartition(":")[2])
        second = subprocess.run(
            serve_command(port),
            env=environment(tmp_path),
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
    assert second.returncode != 0
    assert "PORT=" in second.stderr
    assert "Traceback" not in second.stderr


def refused(folder: Path, **variables: str) -> str:
    """What a start that must not succeed says."""
    done = subprocess.run(
        serve_command(free_port()),
        env={**environment(folder), **variables},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode != 0
    assert "Traceback" not in done.stderr
    return done.stderr


def test_a_model_that_cannot_be_called_stops_the_start_with_a_sentence(tmp_path: Path) -> None:
    told = refused(tmp_path, LLM_MODEL="gpt-4o")
    assert "write openai/gpt-4o for OpenAI" in told
    assert "System check" not in told


def test_an_embedder_of_another_length_stops_the_start(tmp_path: Path) -> None:
    with ModelServer() as server:
        named = {"EMBEDDING_MODEL": "openai/e", "EMBEDDING_API_BASE": server.url, "EMBEDDING_DIM": "32"}
        assert "set EMBEDDING_DIM=64" in refused(tmp_path, **named)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_in_words_once_the_work_in_hand_is_done(folder: Path, number: int) -> None:
    with running_server(folder) as server, half_sent(server):
        server.process.send_signal(number)
        assert server.process.wait(timeout=60) == 0
        printed = server.printed()
    assert "Traceback" not in printed, printed
    assert "Cancel 1 running task(s)" in printed
    assert printed.rstrip().endswith("everything is kept.")
