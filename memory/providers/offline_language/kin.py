"""Words that answer each other: a question about one finds a statement with another."""

from memory.domain.text import stem

_KIN = tuple(
    frozenset(stem(word) for word in group.split())
    for group in (
        "live lives living lived move moved reside residence based home relocate wohne wohnt wohnst wohnen "
        "umgezogen gezogen vivo vive vivir mude mudo habite habites habiter demenage живу живет живут живешь "
        "переехал переехала переезжаю 住在 搬到 住 搬 引っ",
        "work works worked working job employer company employed profession occupation career",
        "like likes love loves enjoy enjoys prefer favourite favorite",
        "go goes going went gone",
        "buy bought purchase purchased",
        "name named called",
        "birthday born",
        "trip travel travelled traveled visit visited went",
        "allergy allergic allergies",
    )
)
# A word for many finds each of them, one of them finds the word for all, but not another of them.
_KINDS = tuple(
    (frozenset(stem(word) for word in wide.split()), frozenset(stem(word) for word in narrow.split()))
    for wide, narrow in (
        ("child children kid kids", "son daughter"),
        ("spouse partner married", "wife husband"),
        ("parent parents", "mother father mom mum dad"),
        ("sibling siblings", "brother sister"),
        ("pet pets", "dog cat rabbit hamster parrot"),
    )
)


def kin_of(term: str) -> frozenset[str]:
    """The search term and those that answer it."""
    for wide, narrow in _KINDS:
        if term in wide:
            return wide | narrow
        if term in narrow:
            return wide | {term}
    return next((group | {term} for group in _KIN if term in group), frozenset({term}))


def is_relative(term: str) -> bool:
    """Whether the search term says which relative or pet of somebody is meant."""
    return any(term in wide | narrow for wide, narrow in _KINDS)
