"""However a model writes its citations, they are read, and follow what is kept."""

import pytest

from memory.domain.citations import cited_numbers, renumber_citations


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("Ann sails [3][2]. She [12] swims [3].", (3, 2, 12)),
        ("Ann sails [3, 1].", (3, 1)),
        ("Ann sails [1; 2 ] and [2–4].", (1, 2, 3, 4)),
        ("安在航行【2】，还有［1、3］。", (2, 1, 3)),
        ("They won [3-1] in [1000-9000].", (3, 1, 1000, 9000)),
        ("See [this](https://example.org) and a[i], [].", ()),
    ],
)
def test_they_are_read_in_order(text: str, numbers: tuple[int, ...]) -> None:
    assert cited_numbers(text) == numbers


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Ann sails [3][2]. She [12] swims [3].", "Ann sails [1]. She [2] swims [1]."),
        ("Ann sails [2, 3, 12].", "Ann sails [1][2]."),
        ("Ann sails [1-3] and [99].", "Ann sails [1] and."),
        ("安在航行【12】。", "安在航行[2]。"),
        ("Nothing is cited here.", "Nothing is cited here."),
    ],
)
def test_they_follow_what_is_kept(text: str, told: str) -> None:
    assert renumber_citations(text, {3: 1, 12: 2}) == told
