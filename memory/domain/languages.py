"""Which script, and for Latin letters which of a few languages, a text is written in.

Only strong evidence counts: it serves to notice that a model translated what it was to
keep, not to name the language of every text.
"""

import re
from collections import Counter

from memory.domain.text import words

_RANGES = (
    ("latin", 0x0041, 0x0250),
    ("greek", 0x0370, 0x0400),
    ("cyrillic", 0x0400, 0x0530),
    ("hebrew", 0x0590, 0x0600),
    ("arabic", 0x0600, 0x0780),
    ("devanagari", 0x0900, 0x0980),
    ("thai", 0x0E00, 0x0E80),
    ("hangul", 0x1100, 0x1200),
    ("latin", 0x1E00, 0x1F00),
    ("kana", 0x3040, 0x3100),
    ("han", 0x3400, 0xA000),
    ("hangul", 0xAC00, 0xD7B0),
)
_DENSE = frozenset({"han", "kana", "hangul"})

# Words that belong to one of these languages and hardly to the others.
_WORDS = {
    "en": "the is are was were has have had and with from that this his her their they who which will would",
    "de": "der die das und ist nicht ein eine mit auf für den dem im zu sich wird hat haben wurde auch ich",
    "fr": "le les des une et est dans pour avec sur qui que elle il au du sont pas a été son sa ses nous je",
    "es": "el los las una y es en por con para que del su sus se al fue está tiene más pero como yo ella",
    "it": "il gli una e è di per con che del della nel sono non si ha suo sua alla anche io lei",
    "pt": "o os uma e é em para com que do da no na não se foi tem mais seu sua ao eu ela",
    "nl": "de het een en is van niet met op voor dat die zijn heeft wordt aan ook ik zij naar",
}
_LANGUAGE_WORDS = {code: frozenset(line.split()) for code, line in _WORDS.items()}


def script_of(text: str) -> str:
    """The script of most of the text, or "" without letters. Japanese is `kana`, also with kanji.

    A character of Han, kana or hangul says as much as three letters: "Alice 住在柏林" is `han`.
    """
    found = _scripts(text)
    return max(found, key=lambda name: found[name], default="")


def latin_language(text: str) -> str:
    """`en de fr es it pt nl`, or "" when the function words don't decide."""
    said = words(text)
    scores = sorted(
        ((sum(word in known for word in said), code) for code, known in _LANGUAGE_WORDS.items()), reverse=True
    )
    (best, code), (second, _) = scores[0], scores[1]
    return code if best >= 2 and best >= 2 * second else ""


def is_translated(text: str, *, sources: str) -> bool:
    """Whether the text is clearly in another language than what it was made from.

    It is when it shares no letter with the sources' main script, or they none with its own.
    "He lives in Berlin" from 他住在柏林 is; 他用 Python from 我用 Python 和 Django is not.
    """
    own, given = _scripts(text), _scripts(sources)
    if not own or not given:
        return False
    if script_of(sources) not in own or script_of(text) not in given:
        return True
    language, said = latin_language(text), latin_language(sources)
    return script_of(text) == script_of(sources) == "latin" and bool(language and said) and language != said


def _scripts(text: str) -> Counter[str]:
    """How much of each script; kanji beside kana count as kana."""
    found = Counter(name for char in text if char.isalpha() and (name := _script(ord(char))))
    if found["kana"]:
        found["kana"] += found.pop("han", 0)
    weighted = {name: number * (3 if name in _DENSE else 1) for name, number in found.items()}
    return Counter({name: weight for name, weight in weighted.items() if weight})


def _script(code: int) -> str:
    return next((name for name, low, high in _RANGES if low <= code < high), "")


_OTHER_SCRIPTS = re.compile("[\u0400-\u04ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")


def is_other_script(text: str) -> bool:
    """Whether the text holds Cyrillic, Han, kana or hangul letters."""
    return _OTHER_SCRIPTS.search(text) is not None


def needs_other_script(pattern: re.Pattern[str]) -> bool:
    """Whether the pattern can match nothing in a text of Latin letters alone."""
    bare = re.sub(r"\(\?P<\w+>|\(\?[a-zA-Z]+:", "", pattern.pattern)
    return is_other_script(bare) and re.search("[A-Za-z]{2}", bare) is None
