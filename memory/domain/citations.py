"""Citations in what a model wrote: `[1]`, and the ways in which models join several."""

import re
from collections.abc import Mapping

_LONGEST_RANGE = 20
_NUMBER = r"\d{1,4}"
_JOINED = rf"{_NUMBER}(?:\s*[,;，、–—-]\s*{_NUMBER})*"
_ONE = rf"[\[［【]\s*{_JOINED}\s*[\]］】]"
_CITED = re.compile(rf"((?<![ \t])[ \t]*)({_ONE}(?:[ \t]*{_ONE})*)")  # with those that follow it at once
_PART = re.compile(rf"({_NUMBER})(?:\s*[–—-]\s*({_NUMBER}))?")


def cited_numbers(text: str) -> tuple[int, ...]:
    """The numbers that the text cites, in the order of first mention: of `[3, 1]` and `[1-2]` 3, 1 and 2."""
    return tuple(dict.fromkeys(number for found in _CITED.finditer(text) for number in _numbers(found[2])))


def renumber_citations(text: str, numbers: Mapping[int, int]) -> str:
    """The text with each citation as `numbers` says, each number by itself; one of anything else goes.

    With {3: 1, 4: 2}, "Ann sails [3, 4][2]." becomes "Ann sails [1][2]."
    """

    def put(found: re.Match[str]) -> str:
        kept = dict.fromkeys(numbers[number] for number in _numbers(found[2]) if number in numbers)
        return found[1] + "".join(f"[{number}]" for number in kept) if kept else ""

    return _CITED.sub(put, text)


def _numbers(joined: str) -> list[int]:
    """Of "[2, 4-6]": 2, 4, 5 and 6. What is no range of things that were shown is two numbers."""
    found: list[int] = []
    for first, last in _PART.findall(joined):
        start, end = int(first), int(last or first)
        is_range = start <= end <= start + _LONGEST_RANGE
        found.extend(range(start, end + 1) if is_range else (start, end))
    return found
