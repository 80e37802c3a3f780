"""With a model: answers are made from what was recalled, judged, and counted without the judge."""

from collections.abc import Iterator

import pytest

from evaluation.answers import CONSTRUCTION, QUERY, Examiner, answer_probe, ask_model, tokens_used
from evaluation.judges import JUDGES
from evaluation.memories import Told, tell
from evaluation.recipes import RECIPES
from evaluation.systems import Asking
from evaluation.types import Answered, TokenUse
from memory.providers.registry import warm_up_model
from sessions_app.models import SessionTurn, UsageEntry
from tests.evaluation.telling import dialogue
from tests.model_server import ModelServer
from tests.model_server.brain import reply_to
from tests.model_server.configured import configured
from tests.model_server.requests import ModelRequest
from tests.model_server.steps import Step, fail

pytestmark = pytest.mark.django_db


def speak(request: ModelRequest) -> str:
    """The judge looks for the expected word in the answer; everything else is the brain's."""
    if not request.system.startswith("You grade"):
        return reply_to(request)
    is_right = request.fenced("expected").split()[-1] in request.fenced("reply")
    return '{"label": "CORRECT"}' if is_right else '{"label": "WRONG"}'


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer(default=Step(text=speak)) as running, configured(running):
        warm_up_model()  # or else a busy machine takes longer than the lease of the first job
        yield running


@pytest.fixture
def told(server: ModelServer) -> Told:
    return tell(dialogue(), name="bench-1")


def answered(told: Told, place: int = 0) -> Answered:
    return answer_probe(
        told,
        "tiny",
        dialogue().probes[place],
        RECIPES["standard"],
        asking=Asking(),
        budget_tokens=1_600,
        examiner=Examiner(JUDGES["locomo"], ask_model),
    )


def used(told: Told, purpose: str) -> TokenUse:
    return tokens_used(told, purpose, construction="whole", dialogue="tiny", questions=1, spoken_tokens=40)


def test_an_answer_comes_from_memory_and_is_judged(told: Told):
    found = answered(told)
    assert "parrot" in found.answer
    assert found.verdict == 1
    assert found.is_contained


def test_asking_leaves_no_turn_behind(told: Told):
    before = SessionTurn.objects.for_space(told.principal.space_id).count()
    answered(told)
    assert SessionTurn.objects.for_space(told.principal.space_id).count() == before


def test_plan_and_answer_are_counted_and_the_judge_is_not(told: Told, server: ModelServer):
    encoding = len(server.of("encode"))
    found = answered(told)
    query, construction = used(told, QUERY), used(told, CONSTRUCTION)
    assert (query.calls, construction.calls) == (2, encoding)
    assert (query.input_tokens, query.output_tokens) == (found.input_tokens, found.output_tokens)
    assert construction.input_tokens > construction.output_tokens > 0
    purposes = set(UsageEntry.objects.for_space(told.principal.space_id).values_list("purpose", flat=True))
    assert purposes == {"encode", "plan", "answer"}
    judging = server.requests[-1]
    assert judging.system.startswith("You grade")
    assert judging.body["temperature"] == 0


def test_a_judge_that_fails_leaves_the_answer_without_a_verdict(told: Told, server: ModelServer):
    server.default = Step(text=reply_to)
    assert answered(told).verdict is None, "the brain is no judge"
    server.script(Step(), Step(), fail(400))
    found = answered(told)
    assert found.verdict is None
    assert found.answer


def test_without_a_model_there_is_nobody_to_judge(db: None):
    with pytest.raises(RuntimeError, match="No language model"):
        ask_model((), 10)
