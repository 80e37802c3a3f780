"""An embedding model behind an API, as `.env` would name it: what it takes is written down."""

from collections.abc import Iterator

import pytest
from asgiref.sync import sync_to_async

from accounts.principals import Principal
from memory.errors import ProviderError, ProviderRefused
from memory.services.reindex import drain_outbox
from sessions_app.domain.types import NewTurn
from sessions_app.models import UsageEntry
from sessions_app.selectors import usage_by_day
from sessions_app.services.sessions import open_session
from sessions_app.services.turns import append_turns
from tests.model_server import ModelServer, Step, fail
from tests.model_server.configured import configured
from tests.sessions_app.test_with_model import ANA, NOW, ask, atell, file_now, tell

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def server() -> Iterator[ModelServer]:
    """The configured language and embedding model."""
    with ModelServer() as running:
        named = {"model": "openai/embedder", "api_key": "", "api_base": running.url}
        with configured(running, EMBEDDING=named, EMBEDDING_DIM=64):
            yield running


def entries(principal: Principal, purpose: str = "embed") -> list[UsageEntry]:
    rows = UsageEntry.objects.for_space(principal.space_id).filter(purpose=purpose)
    return list(rows.order_by("id"))


def test_what_indexing_takes_is_a_row(alice: Principal, server: ModelServer) -> None:
    tell(alice, ANA, "I like tea.")
    (row,) = entries(alice)
    assert (row.model, row.output_tokens, row.is_estimated) == ("openai/embedder", 0, False)
    assert row.input_tokens > 5
    assert (row.private_to_id, row.session_id, row.turn_id) == (None, None, None)


def test_what_is_private_is_embedded_and_counted_apart(
    alice: Principal, bob: Principal, server: ModelServer
) -> None:
    append_turns(alice, open_session(alice, "monday"), [NewTurn(role="user", content="I like tea.")])
    secret = open_session(bob, "diary", private=True)
    append_turns(bob, secret, [NewTurn(role="user", content="My hideout lies behind the old mill.")])
    drain_outbox(alice.space_id)
    assert [len(call.texts) for call in server.of("embed")] == [1, 1]
    assert {row.private_to_id for row in entries(alice)} == {None, bob.user_id}
    assert len(usage_by_day(alice, since=NOW.date())) == 1
    assert sum(row.calls for row in usage_by_day(bob, since=NOW.date())) == 2


def test_what_was_embedded_before_a_failure_is_counted(alice: Principal, server: ModelServer) -> None:
    append_turns(alice, open_session(alice, "monday"), [NewTurn(role="user", content="I like tea.")])
    server.script(Step(vectors=lambda _texts: [[0.0] * 63]), fail(401), purpose="embed")
    for _ in range(2):
        with pytest.raises(ProviderError):
            drain_outbox(alice.space_id)
    assert len(entries(alice)) == 1, "a useless reply took tokens, a refused call none"


async def test_a_question_counts_what_its_vectors_took(alice: Principal, server: ModelServer) -> None:
    await atell(alice, ANA)
    before = len(await sync_to_async(entries)(alice))
    text, done = await ask(alice, "Where does my sister Ana live?")
    assert "Porto" in text
    assert done.status == "ok"
    rows = await sync_to_async(entries)(alice)
    (own,) = rows[before:]
    answer = (await sync_to_async(entries)(alice, "answer"))[0]
    assert (own.turn_id, own.session_id) == (answer.turn_id, answer.session_id)
    told = done.trace["reason"]
    assert isinstance(told, dict)
    assert sorted(call["purpose"] for call in told["usage"]) == ["answer", "embed", "plan"]
    assert done.input_tokens == sum(call["input_tokens"] for call in told["usage"])


async def test_what_no_server_tells_is_marked_as_counted_here(alice: Principal, server: ModelServer) -> None:
    await atell(alice, ANA)
    _, done = await ask(alice, "Where does my sister Ana live?")
    assert not done.are_tokens_estimated
    server.default = Step(has_usage=False)
    _, done = await ask(alice, "Where does my sister Ana live now?")
    assert done.are_tokens_estimated
    told = done.trace["reason"]
    assert isinstance(told, dict)
    assert [call["is_estimated"] for call in told["usage"]] == [True, True, True]
    days = await sync_to_async(usage_by_day)(alice, since=NOW.date())
    by_purpose = {row.purpose: (row.calls, row.estimated_calls) for row in days}
    assert by_purpose == {"answer": (2, 1), "plan": (2, 1), "embed": (3, 1)}


def test_an_embedding_model_that_is_away_does_not_stop_filing(alice: Principal, server: ModelServer) -> None:
    append_turns(alice, open_session(alice, "monday"), [NewTurn(role="user", content=ANA)])
    server.script(*[fail(401)] * 9, purpose="embed")
    assert file_now(alice).state == "encoded", "without vectors, words tell where a topic ends"
    with pytest.raises(ProviderRefused):
        drain_outbox(alice.space_id)
