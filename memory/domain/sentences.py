"""A text of any language to its sentences.

Borders are the terminators of the world's scripts and line breaks; abbreviations,
initials, ordinals and decimals of the languages we meet most are no border.
"""

import re

# Terminators that need a space after them, and those that never do.
_END = re.compile(
    r"(?:[.!?…؟।॥۔]+[\"'”’»)\]]*(?=\s)|[。！？｡]+[」』”’）》]*|\n+|(?<=[。！？])(?=[^\s]))",
)
_SHORT_FORMS = """
    mr mrs ms dr prof sr jr st mt vs etc approx no nos fig vol dept est inc ltd co corp e.g i.e eg
    ie u.s u.k a.m p.m jan feb mar apr jun jul aug sep sept oct nov dec mon tue wed thu fri sat sun
    z.b d.h u.a bzw ca nr str usw evtl ggf inkl hr fr bspw т.е т.д т.п г гг ул им стр руб тыс млн др
    напр p.ej sra dra av mme mlle m
"""
_ABBREVIATIONS = frozenset(_SHORT_FORMS.split())
# These end sentences as well, so only a lower-case letter after them says otherwise.
_ALSO_WORDS = frozenset({"etc", "usw", "a.m", "p.m", "no", "co", "jan", "sun", "mar", "dec", "sat", "m"})
# These end sentences as well, so only what follows says that they are short forms.
_ALSO_WORDS = frozenset({"etc", "usw", "a.m", "p.m", "no", "co", "jan", "sun", "mar", "dec", "sat", "m"})
_GERMAN_MONTH = re.compile(r"\s(?:Jan|Feb|März|Apr|Mai|Juni|Juli|Aug|Sep|Okt|Nov|Dez)")
_LAST_WORD = re.compile(r"([^\s(\"'“«]+)\.$")
_GERMAN_COUNTED = re.compile(
    r"(?<!\w)(?:der|die|das|den|dem|des|zum|zur|vom|beim|im)\s\d{1,2}\.$", re.IGNORECASE
)
_ORDINAL = re.compile(r"^\d{1,2}$")
_BULLET = re.compile(r"^(?:[-*•·–—]\s+|\(?\d{1,3}(?:[.)]\s+|、\s*)|#{1,6}\s+|>\s+)")


def split_sentences(text: str) -> list[str]:
    """The sentences in order, trimmed, with their punctuation; none is empty.

    Example: "I met Dr. Lee. 我住在北京。OK" -> ["I met Dr. Lee.", "我住在北京。", "OK"].
    """
    sentences: list[str] = []
    start = 0
    for match in _END.finditer(text):
        piece = text[start : match.end()]
        following = text[match.end() : match.end() + 8]
        if _is_abbreviated(piece, following) or _is_going_on(piece, following):
            continue
        if piece.strip():
            sentences.append(piece.strip())
        start = match.end()
    if text[start:].strip():
        sentences.append(text[start:].strip())
    return sentences


def strip_bullet(sentence: str) -> str:
    """The sentence without the mark of a list item, a heading or a quotation."""
    return _BULLET.sub("", sentence, count=1).strip()


def is_list_item(sentence: str) -> bool:
    """Whether the sentence begins as an item of a list."""
    return _BULLET.match(sentence) is not None


def _is_going_on(piece: str, following: str) -> bool:
    """Whether the speaker only paused: "My boss... well, I have none"; "Wait... what?" is two."""
    return piece.endswith(("...", "…")) and " " in piece.strip() and following.lstrip(" ")[:1].islower()


def _is_abbreviated(piece: str, following: str) -> bool:
    """Whether the full stop that ends the piece belongs to its last word."""
    if not piece.endswith("."):
        return False
    match = _LAST_WORD.search(piece)
    if match is None or piece.endswith(".."):
        return False
    word = match.group(1).lower()
    is_lower_next = following.lstrip()[:1].islower()
    if word in _ABBREVIATIONS:
        return word not in _ALSO_WORDS or is_lower_next or following.lstrip()[:1].isdigit()
    if len(word) == 1 and word.isalpha() and word != "i":
        return True  # an initial
    # An ordinal ("am 3. Mai"), or the number of a list item.
    is_date = _GERMAN_MONTH.match(following) is not None or _GERMAN_COUNTED.search(piece) is not None
    return _ORDINAL.match(word) is not None and (is_lower_next or is_date or piece.strip() == match.group())
