"""A model that goes away and comes back, under the real worker and scheduler: nobody does anything,
and what rules had to file is the model's in the end.
"""

import time
from collections.abc import Callable
from datetime import timedelta

import pytest

from accounts.models import Job
from accounts.principals import Principal, principal_for
from accounts.services.users import register_user
from lychee_site.celery import app
from lychee_site.worker import embedded_worker
from memory.config import ModelConfig
from memory.models import MemoryRecord
from memory.selectors import model_states
from sessions_app import tasks
from sessions_app.config import AgainConfig
from sessions_app.domain.types import NewTurn
from sessions_app.models import Segment
from sessions_app.services.consolidate import request_consolidation
from sessions_app.services.sessions import open_session
from sessions_app.services.turns import append_turns
from tests.lychee_site.servers import free_port
from tests.model_server import ModelServer
from tests.model_server.configured import configured

pytestmark = pytest.mark.django_db(transaction=True)

WAIT_SECONDS = 30.0
SAID = {
    "monday": "My sister Ana moved to Porto in January.",
    "tuesday": "I never eat meat.",
    "friday": "My dentist is called Rosa Lima.",
}


@pytest.fixture
def alice() -> Principal:
    return principal_for(register_user(username="alice", display_name="Alice", password="a long walk by"))


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """The scheduler, the pauses and the rest of a failing model, in tenths of seconds."""
    quick = ModelConfig(attempts=1, connect_seconds=1.0, breaker_rest_seconds=0.2)
    monkeypatch.setattr("memory.providers.litellm_call.ModelConfig", lambda: quick)
    again = AgainConfig(pause_seconds=0.1, pause_ceiling_seconds=0.3)
    monkeypatch.setattr(tasks, "AgainConfig", lambda: again)
    often = {
        name: {**entry, "schedule": timedelta(seconds=0.3)} for name, entry in app.conf.beat_schedule.items()
    }
    monkeypatch.setitem(app.conf, "beat_schedule", often)


def until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + WAIT_SECONDS
    while not condition():
        assert time.monotonic() < deadline, "the condition never came true"
        time.sleep(0.05)  # the condition is rows of other threads


def states(principal: Principal) -> list[str]:
    return sorted(Segment.objects.for_space(principal.space_id).values_list("state", flat=True))


def texts(principal: Principal) -> set[str]:
    rows = MemoryRecord.objects.for_space(principal.space_id).filter(expired_at__isnull=True)
    return set(rows.values_list("semantic_text", flat=True))


def is_failing() -> bool:
    return any(state.is_failing for state in model_states())


def test_what_rules_had_to_file_is_filed_by_the_model_once_it_is_back(alice: Principal, hasty: None) -> None:
    port = free_port()
    away = ModelServer(port=port)
    away._http.server_close()  # nobody listens there
    with configured(away), embedded_worker():
        for name, text in SAID.items():
            session = open_session(alice, name)
            append_turns(alice, session, [NewTurn(role="user", content=text)])
            request_consolidation(alice, session, flush=True)
        until(lambda: states(alice) == ["fallback"] * 3)
        assert is_failing()
        assert any("Porto" in text for text in texts(alice)), "rules stand in meanwhile"
        tried = Job.objects.for_space(alice.space_id).count()
        until(lambda: Job.objects.for_space(alice.space_id).count() > tried)
        assert states(alice) == ["fallback"] * 3
        with ModelServer(port=port) as back:
            until(lambda: states(alice) == ["encoded"] * 3)
            assert {call.purpose for call in back.requests} == {"encode"}
        assert not is_failing()
    assert texts(alice) == {f"Alice: {text}" for text in SAID.values()}
    attempts = Segment.objects.for_space(alice.space_id).values_list("attempts", flat=True)
    assert set(attempts) == {2}, "the outage cost none"
