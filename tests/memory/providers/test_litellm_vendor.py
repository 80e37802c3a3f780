"""Reading what LiteLLM returns, whatever of it is missing."""

import subprocess
import sys
from types import SimpleNamespace as Thing

import pytest

from memory.errors import ReplyRefused
from memory.providers.litellm_vendor import (
    Tokens,
    refuse_filtered,
    rerank_tokens_of,
    said,
    tokens_of,
    vectors_of,
)


def reply(**message: object) -> Thing:
    finish = message.pop("finish_reason", "stop")
    return Thing(choices=[Thing(message=Thing(**message), finish_reason=finish)])


def test_a_replys_text_and_end_are_read() -> None:
    assert said(reply(content="Hello.")) == ("Hello.", "stop")
    assert said(Thing(choices=[Thing(delta=Thing(content="He"), finish_reason=None)])) == ("He", "")


@pytest.mark.parametrize(
    "made",
    [
        Thing(),
        Thing(choices=None),
        Thing(choices=[]),
        Thing(choices=[Thing()]),
        Thing(choices=[Thing(message=None, delta=None, finish_reason=None)]),
    ],
)
def test_what_has_no_choice_says_nothing(made: Thing) -> None:
    assert said(made) == ("", "")
    assert tokens_of(made) == Tokens()
    refuse_filtered(made)


@pytest.mark.parametrize("content", [None, 3, [{"type": "text"}]])
def test_content_that_is_no_text_is_nothing(content: object) -> None:
    assert said(reply(content=content))[0] == ""


@pytest.mark.parametrize(
    "made",
    [
        reply(content="I", finish_reason="content_filter"),
        reply(content=None, refusal="I will not."),
        reply(content=None, provider_specific_fields={"refusal": "I will not."}),
    ],
)
def test_a_filter_and_a_declared_refusal_are_refusals(made: Thing) -> None:
    with pytest.raises(ReplyRefused):
        refuse_filtered(made)


def test_tokens_are_read_with_the_cached_ones() -> None:
    usage = Thing(prompt_tokens=10, completion_tokens=3, prompt_tokens_details=Thing(cached_tokens=4))
    assert tokens_of(Thing(usage=usage)) == Tokens(10, 3, 4)
    usage = Thing(prompt_tokens=None, completion_tokens=None, prompt_tokens_details=None)
    assert tokens_of(Thing(usage=usage)) == Tokens()


@pytest.mark.parametrize("number", [-5, 2**63, 10**30, "many", 1.5, float("inf")])
def test_numbers_that_cannot_be_true_are_as_good_as_none(number: object) -> None:
    told = {"prompt_tokens": 10, "completion_tokens": 3, "prompt_tokens_details": Thing(cached_tokens=4)}
    assert tokens_of(Thing(usage=Thing(**told | {"prompt_tokens": number}))) == Tokens()
    assert tokens_of(Thing(usage=Thing(**told | {"completion_tokens": number}))) == Tokens()
    cached = Thing(**told | {"prompt_tokens_details": Thing(cached_tokens=number)})
    assert tokens_of(Thing(usage=cached)) == Tokens(10, 3, 0)
    assert rerank_tokens_of(Thing(meta={"tokens": {"input_tokens": number}})) == 0


def test_no_more_is_cached_than_was_read() -> None:
    usage = Thing(prompt_tokens=10, completion_tokens=3, prompt_tokens_details=Thing(cached_tokens=400))
    assert tokens_of(Thing(usage=usage)) == Tokens(10, 3, 10)


def test_vectors_are_put_in_the_order_of_their_indexes() -> None:
    made = Thing(data=[{"index": 1, "embedding": [1.0]}, Thing(index=0, embedding=[0.0])])
    assert vectors_of(made) == [[0.0], [1.0]]
    unnumbered = [{"index": "b", "embedding": [1.0]}, {"index": 0, "embedding": [0.0]}, {"embedding": [2.0]}]
    assert vectors_of(Thing(data=unnumbered)) == [[1.0], [0.0], [2.0]]
    assert vectors_of(Thing(data=None)) == []
    assert vectors_of(Thing()) == []


ENDS = """
import atexit, gc
from memory.providers.litellm_vendor import vendor
vendor()
class Handler:
    async def acompletion(self): ...
Handler().acompletion()  # as a call that was left while it was being prepared
gc.collect()
from litellm.llms.custom_httpx.http_handler import HTTPHandler
assert hasattr(HTTPHandler, "__del__")
atexit._run_exitfuncs()
print(hasattr(HTTPHandler, "__del__"))
"""


def test_a_call_left_early_is_no_complaint_and_at_the_end_no_client_imports_anything() -> None:
    done = subprocess.run(
        [sys.executable, "-c", ENDS], capture_output=True, text=True, timeout=60, check=True
    )
    assert (done.stdout.split(), done.stderr) == (["False"], "")
