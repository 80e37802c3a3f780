"""Every reply of the corpus through the true path: HTTP, LiteLLM, reading, repair."""

from collections.abc import Callable

import pytest

from memory.domain.types import Encoding, Role
from memory.errors import ProviderError, ReplyFaulty, ReplyRefused
from memory.providers.litellm_call import ModelClient
from memory.providers.litellm_language import LiteLLMLanguage
from tests.model_server import ModelServer
from tests.model_server.bad_replies import BAD_REPLIES, SEGMENT, BadReply, Outcome

CALLS = {
    Outcome.ENCODED: ["encode"],
    Outcome.REPAIRED: ["encode", "repair"],
    Outcome.HALVED: ["encode", "encode", "encode"],
    Outcome.REFUSED: ["encode"],
    Outcome.FAULTY: ["encode", "repair"],
}
ERRORS = {Outcome.REFUSED: ReplyRefused, Outcome.FAULTY: ReplyFaulty}


@pytest.fixture
def outcome_of(
    model_server: ModelServer, make_client: Callable[..., ModelClient]
) -> Callable[[BadReply], Encoding | ProviderError]:
    def play(reply: BadReply) -> Encoding | ProviderError:
        model_server.script(reply.step, *([reply.step] if reply.twice else []))
        try:
            return LiteLLMLanguage(make_client()).encode(SEGMENT)
        except ProviderError as error:
            return error

    return play


@pytest.mark.parametrize("reply", BAD_REPLIES, ids=lambda reply: reply.name)
def test_each_bad_reply_has_its_right_outcome(
    reply: BadReply,
    model_server: ModelServer,
    outcome_of: Callable[[BadReply], Encoding | ProviderError],
) -> None:
    made = outcome_of(reply)
    assert [request.purpose for request in model_server.requests] == CALLS[reply.outcome]
    if reply.outcome in ERRORS:
        assert isinstance(made, ERRORS[reply.outcome]), made
        return
    assert isinstance(made, Encoding), made
    assert made.origin == ("repaired" if reply.outcome is Outcome.REPAIRED else "encoded")
    if reply.texts is not None:
        assert tuple(record.semantic_text for record in made.records) == reply.texts
    else:
        assert made.records
    for name, value in reply.checks.items():
        assert getattr(made.records[0], name) == value


@pytest.mark.parametrize("reply", BAD_REPLIES, ids=lambda reply: reply.name)
def test_whatever_the_reply_the_records_are_sound(
    reply: BadReply, outcome_of: Callable[[BadReply], Encoding | ProviderError]
) -> None:
    made = outcome_of(reply)
    for record in made.records if isinstance(made, Encoding) else ():
        assert set(record.evidence_turns) <= {3, 4, 5}
        assert record.subject.casefold() not in ("", "user", "the user")
        assert "stamps" not in record.semantic_text
        assert not set("\x00\ud83d") & set(record.semantic_text)
        assert 0 <= record.confidence <= 1
        for instant in (record.temporal.ref, record.temporal.valid_from, record.temporal.valid_to):
            assert instant is None or 1970 <= instant.year < 2123
        if record.evidence_turns == (4,):
            assert (record.source_role, record.is_confirmed) == (Role.ASSISTANT, False)


def test_the_corpus_is_large_and_its_names_are_distinct() -> None:
    assert len(BAD_REPLIES) >= 40
    assert len({reply.name for reply in BAD_REPLIES}) == len(BAD_REPLIES)
