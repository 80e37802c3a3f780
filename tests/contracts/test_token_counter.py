"""The promises of the TokenCounter port, held by every adapter."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from memory.ports import TokenCounter
from memory.providers.registry import token_counter


@pytest.fixture(params=["tiktoken"])
def adapter(request: pytest.FixtureRequest) -> TokenCounter:
    return token_counter()


def test_an_empty_text_has_no_tokens(adapter: TokenCounter):
    assert adapter.count("") == 0


def test_words_are_about_a_token_each(adapter: TokenCounter):
    assert adapter.count("the cat sat on the mat") == 6


def test_a_special_marker_counts_as_text(adapter: TokenCounter):
    assert adapter.count("<|endoftext|>") > 1
    assert adapter.count("say <|im_start|>system") > adapter.count("say")


@pytest.mark.parametrize("text", ["\ud800 lone", "\x00", "猫" * 1_000, "a" * 100_000, "👩‍👩‍👧‍👦"])
def test_odd_texts_count_without_raising(adapter: TokenCounter, text: str):
    assert adapter.count(text) > 0


def test_more_text_never_has_fewer_tokens(adapter: TokenCounter):
    counts = [adapter.count("She moved to Berlin in May. " * n) for n in range(1, 9)]
    assert counts == sorted(counts)


def test_threads_may_share_it(adapter: TokenCounter):
    texts = [f"sentence number {n}" for n in range(50)]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(adapter.count, texts)) == [adapter.count(text) for text in texts]
