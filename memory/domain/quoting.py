"""Whether one text repeats another: by its words, whatever their forms and what stands between them."""

from collections.abc import Iterable, Sequence

from memory.domain.text import search_terms, words

_RUN = 2  # words of content in a row that make a quotation
_PROBE_CHARS = 8


def tells_again(text: str, told: Iterable[str]) -> bool:
    """Whether the text holds every word of content of one of those told."""
    own = frozenset(search_terms(text))
    return any(terms and own.issuperset(terms) for terms in map(search_terms, told))


def is_quoting(text: str, told: Iterable[str]) -> bool:
    """Whether a short text is one of those told, or has two words of content in a row from one.

    The title "My tin of old let…" quotes "My tin of old letters is green".
    """
    own = search_terms(text)
    runs = _runs(own)
    return any(own == terms or not runs.isdisjoint(_runs(terms)) for terms in map(search_terms, told))


def probes(told: Iterable[str]) -> list[str]:
    """The beginning of the longest word of each text, by which a database finds what repeats it."""
    longest = (max(words(text), key=len, default="") for text in told)
    return list(dict.fromkeys(word[:_PROBE_CHARS] for word in longest if word))


def _runs(terms: Sequence[str]) -> frozenset[tuple[str, ...]]:
    return frozenset(tuple(terms[i : i + _RUN]) for i in range(len(terms) - _RUN + 1))
