"""Two web processes and a worker that share PostgreSQL and Redis, as in production."""

import asyncio
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, LiteralString

import httpx
import psycopg
import pytest
import redis
import websockets
from websockets.exceptions import ConnectionClosed

from tests.api.ws.test_consumer import Chat
from tests.lychee_site.databases import POSTGRES_URL, REDIS_URL, scratch_database
from tests.lychee_site.servers import Server, environment, manage, running_server
from tests.model_server import ModelServer, Step, hang

pytestmark = pytest.mark.skipif(
    not (POSTGRES_URL and REDIS_URL),
    reason="needs LYCHEE_TEST_POSTGRES_URL and LYCHEE_TEST_REDIS_URL: `.ci/with-services make test`",
)

WAIT_SECONDS = 90.0  # a process starts within 3 on a machine that does nothing else
POOL_SIZE = 6  # connections of one process
CALLS = 8  # of a model at once; further ones wait in line
BURST = 200  # requests at once: more than PostgreSQL has connections
JOB_STATE: LiteralString = "SELECT state FROM accounts_job WHERE id = %s"
TOLD = ["My sister Nora lives in Bergen.", "My cat is called Pixel.", "I never eat meat."]


@dataclass
class Site:
    """The processes, what they share, and a person's credentials."""

    webs: tuple[Server, Server]
    folder: Path
    shared: dict[str, str]
    database: str
    model: ModelServer
    headers: dict[str, str]

    def post(self, web: int, path: str, **body: Any) -> httpx.Response:
        return httpx.post(self.webs[web].address + path, json=body, headers=self.headers, timeout=30)

    def get(self, web: int, path: str, **query: str) -> dict[str, Any]:
        reply = httpx.get(self.webs[web].address + path, params=query, headers=self.headers, timeout=30)
        return dict(reply.raise_for_status().json())

    def client(self, web: int) -> httpx.AsyncClient:
        """For many requests at once."""
        limits = httpx.Limits(max_connections=None)
        address = self.webs[web].address
        return httpx.AsyncClient(base_url=address, headers=self.headers, timeout=60, limits=limits)

    def query(self, statement: LiteralString, *values: object) -> list[Any]:
        """The first column of what a statement of SQL gives."""
        with psycopg.connect(self.database, autocommit=True) as connection:
            cursor = connection.execute(statement, values)
            return [row[0] for row in cursor.fetchall()] if cursor.description else []

    def socket(self, web: int, session: str, ticket: str) -> Any:
        address = self.webs[web].address.replace("http", "ws", 1)
        return websockets.connect(f"{address}/ws/chat/{session}?ticket={ticket}")

    def ticket(self, web: int) -> str:
        return str(self.post(web, "/auth/ws-ticket").raise_for_status().json()["ticket"])

    @contextmanager
    def worker(self) -> Iterator["subprocess.Popen[bytes]"]:
        """A worker, which is gone after the block."""
        with (self.folder / f"worker-{time.monotonic_ns()}.txt").open("wb") as output:
            process = subprocess.Popen(
                manage("worker"),
                env={**environment(self.folder), **self.shared},
                stdout=output,
                stderr=subprocess.STDOUT,
            )
        try:
            yield process
        finally:
            process.kill()
            process.wait(timeout=10)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("split")
    redis.Redis.from_url(REDIS_URL).flushdb()
    with ExitStack() as stack:
        model = stack.enter_context(ModelServer())
        database = stack.enter_context(scratch_database())
        shared = {
            "DATABASE_URL": database,
            "DATABASE_POOL_SIZE": str(POOL_SIZE),
            "REDIS_URL": REDIS_URL,
            "LLM_MODEL": "openai/test-model",
            "LLM_API_BASE": model.url,
        }
        web = [stack.enter_context(running_server(folder, shared, flags=["--no-worker"])) for _ in range(2)]
        person = {"username": "alice", "password": "a long walk by the sea"}
        reply = httpx.post(f"{web[0].address}/auth/register", json=person, timeout=30).raise_for_status()
        headers = {"Authorization": f"Bearer {reply.json()['token']}"}
        yield Site((web[0], web[1]), folder, shared, database, model, headers)


def until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + WAIT_SECONDS
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.05)  # the condition is another process's doing


def test_a_worker_killed_in_mid_job_loses_nothing(site: Site) -> None:
    for number, text in enumerate(TOLD):
        reply = site.post(number % 2, "/chat/complete", session_id="intro", message=text, effort="fast")
        assert reply.status_code == 200, reply.text
    site.model.script(hang(), purpose="encode")
    with site.worker() as worker:
        queued = site.post(0, "/memory/consolidate", session_id="intro").json()
        site.model.wait_for(lambda model: bool(model.of("encode")), seconds=WAIT_SECONDS)
        worker.kill()
        worker.wait(timeout=10)
    assert site.query(JOB_STATE, queued["job_id"]) == ["running"]
    said = site.post(1, "/memory/append-turn", session_id="intro", role="user", content="I play the cello.")
    assert said.status_code == 200, said.text  # nobody works, and still it is kept

    # A minute goes by: the lease that nobody renews has run out.
    site.query("UPDATE accounts_job SET lease_until = now() - interval '1 second' WHERE state = 'running'")
    with site.worker():
        until(lambda: site.query(JOB_STATE, queued["job_id"]) == ["done"])
        until(lambda: not site.query("SELECT id FROM memory_indexoutbox LIMIT 1"))
    turns = site.get(1, "/memory/session/intro", limit="100")["turns"]
    assert [turn["content"] for turn in turns if turn["role"] == "user"] == [*TOLD, "I play the cello."]
    assert [turn["index"] for turn in turns] == list(range(7))
    texts = site.query("SELECT semantic_text FROM memory_memoryrecord WHERE expired_at IS NULL")
    for told in TOLD:
        assert sum(told.rstrip(".") in text for text in texts) == 1, texts
    found = site.post(0, "/memory/search", query="Where does my sister Nora live?").json()
    assert "Bergen" in str(found["semantic_results"][0]["provenance"][0])


async def test_a_resume_at_another_process_gets_the_stored_text(site: Site) -> None:
    async with site.socket(0, "talk", site.ticket(1)) as socket:
        chat = Chat(socket)
        await chat.send(type="message", text="Hello, I am Alice from Porto.", effort="fast")
        await chat.until("done")
    async with site.socket(1, "talk", site.ticket(0)) as socket:
        other = Chat(socket)
        await other.send(type="resume", last_seq=chat.frames[0]["seq"])
        answer, done = await other.receive(), await other.receive()
    assert (answer["type"], answer["content"]) == ("answer", chat.text)
    assert (done["type"], done["status"]) == ("done", "stored")


async def test_a_ticket_opens_one_socket_at_whichever_process(site: Site) -> None:
    ticket = site.ticket(0)
    async with site.socket(1, "tickets", ticket):
        pass
    async with site.socket(0, "tickets", ticket) as again:
        with pytest.raises(ConnectionClosed):
            await again.recv()
        assert again.close_code == 4401


async def test_one_answer_at_a_time_whichever_process_is_asked(site: Site) -> None:
    site.model.script(Step(pieces=("One", "two"), hang_after=1), purpose="answer")
    async with site.socket(0, "busy", site.ticket(0)) as socket:
        chat = Chat(socket)
        await chat.send(type="message", text="Tell me a long story.", effort="fast")
        await chat.until("token")
        busy = site.post(1, "/chat/complete", session_id="busy", message="And me?", effort="fast")
        assert (busy.status_code, busy.json()["code"]) == (409, "session_busy")
        assert int(busy.headers["Retry-After"]) >= 1
        await chat.send(type="stop")
        await chat.until("error")
    assert site.post(1, "/chat/complete", session_id="busy", message="Now?", effort="fast").is_success


async def test_who_waits_for_a_model_keeps_no_connection_from_others(site: Site) -> None:
    waiting = 2 * POOL_SIZE
    before = len(site.model.of("answer"))
    site.model.script(*[hang()] * CALLS, purpose="answer")
    async with site.client(0) as client, asyncio.TaskGroup() as group:
        tasks = [
            group.create_task(client.post(path, json=_question(f"{path}-{number}")))
            for number in range(waiting)
            for path in ("/chat", "/chat/complete")
        ]
        await asyncio.to_thread(
            site.model.wait_for,
            lambda model: len(model.of("answer")) >= before + CALLS,
            seconds=WAIT_SECONDS,
        )
        replies = await asyncio.gather(*(client.get("/sessions") for _ in range(BURST)))
        for task in tasks:
            task.cancel()
    assert {reply.status_code for reply in replies} == {200}
    assert _connections(site) <= 2 * POOL_SIZE, "both processes keep to their pools"


def _question(session: str) -> dict[str, str]:
    return {"session_id": session, "message": "Tell me a long story.", "effort": "fast"}


def _connections(site: Site) -> int:
    (count,) = site.query(
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
    )
    return int(count)


def test_without_redis_a_split_is_refused(tmp_path: Path) -> None:
    for words in (["worker"], ["serve", "--no-worker"]):
        done = subprocess.run(
            manage(*words), env=environment(tmp_path), capture_output=True, text=True, check=False, timeout=60
        )
        assert done.returncode != 0
        assert "REDIS_URL" in done.stderr
        assert "Traceback" not in done.stderr
