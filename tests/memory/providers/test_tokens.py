"""The token counter is cl100k_base from an installed package, without a download."""

import os
from pathlib import Path

from memory.providers.tokens import TiktokenCounter


def test_the_vocabulary_lies_in_an_installed_package():
    folder = Path(os.environ["TIKTOKEN_CACHE_DIR"])
    assert folder.is_dir()
    assert any(folder.iterdir())


def test_it_counts_as_cl100k_base_does():
    assert TiktokenCounter().count("tiktoken is great!") == 6


def test_nothing_is_loaded_before_the_first_count():
    counter = TiktokenCounter()
    assert "_loaded" not in counter.__dict__
    counter.count("now")
    assert "_loaded" in counter.__dict__
