"""Text in any language to what is stored, compared and searched.

`clean_text` is the hygiene of every door, `normalize` the form in which texts are
compared and hashed, `search_terms` what texts are compared by and `index_terms` what the
text index counts: stems where a script tells the stemmer, bigrams of scripts written
without spaces, folded words of all others.
"""

import re
import threading
import unicodedata
from functools import lru_cache

import snowballstemmer

TERMS_VERSION = 3  # raised whenever the same text gives other terms: postings must be made anew
MAX_TERM_CHARS = 64  # a longer run of letters is no word; the index column is this wide

_SURROGATE = re.compile("[\ud800-\udfff]")
_SPACES = re.compile(r"\s+")
_INVISIBLE = re.compile(
    "[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufe00-\ufe0f\ufeff]"
)
# What no script or emoji needs: letters in tags, but those of a flag's region; runs of selectors or
# joiners; the mark that turns any text round.
_HIDDEN = re.compile(
    "(?<![\U0001f3f4\U000e0000-\U000e007f])[\U000e0000-\U000e007f]|[\U000e0000-\U000e007f]{8}"
    "|[\u200b-\u200f\u2060-\u2064\ufe00-\ufe0f\U000e0100-\U000e01ef]{4}|\u202e"
)
_HIDDEN_RUN = re.compile(
    "[\U000e0000-\U000e007f]+|[\u200b-\u200f\u2060-\u2064\ufe00-\ufe0f\U000e0100-\U000e01ef]{4,}|\u202e"
)
_TAGS = 0xE0000  # a letter's tag is so many further on
# Accents, Hebrew points and Arabic vowel signs are written or left out at will.
# The breve makes й of и, another letter.
_OPTIONAL_MARKS = re.compile(
    "(?<!и)\u0306|[\u0300-\u0305\u0307-\u036f\u0591-\u05c7\u0640\u064b-\u065f\u0670]"
)
# Vowel signs of Indic and other scripts belong to their word; `\w` leaves them out.
_MARKS = "".join(
    c for c in map(chr, [*range(0x300, 0x1E00), *range(0xA800, 0xAC00)]) if unicodedata.category(c)[0] == "M"
)
# Han, kana, hangul, and the scripts of Thai, Lao, Burmese and Khmer: no spaces between
# words, or none around particles.
_UNSPACED = (
    "\u3005\u3007\u3040-\u30ff\u3131-\u318f\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff"
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ece\u1000-\u109f\u1780-\u17d3"
    "\U00020000-\U0003134f"
)
_PICTURES = "\u2600-\u27bf\U0001f300-\U0001f3fa\U0001f400-\U0001faff"
_TOKEN = re.compile(
    f"([{_UNSPACED}]+)|((?:(?![{_UNSPACED}])[^\\W_{_PICTURES}{_MARKS}]|[{_MARKS}])+)|([{_PICTURES}])"
)

_STOPS = """
    a about above after again against all also am an and any are aren as at be because been before being
    below between both but by can cannot could couldn d did didn do does doesn doing don down during each
    few for from further had hadn has hasn have haven having he her here hers herself him himself his how
    i if in into is isn it its itself just ll m me might more most much must my myself no nor not now of
    off on once only or other our ours ourselves out over own re s same shall she should shouldn so some
    such t than that the their theirs them themselves then there these they this those through to too
    under until up upon us ve very was wasn we were weren what when where whether which while who whom
    whose why will with won would wouldn you your yours yourself yourselves
"""
_STOP_WORDS = frozenset(_STOPS.split())
# Behind these "own" says whose something is; elsewhere it is what somebody does with a boat.
_OWNERS = ("my ", "your ", "his ", "her ", "its ", "our ", "their ", "very ", "s ")
# Snowball's stemmer for each script; one script, one stemmer, for what is stored and for what is asked.
_STEMMED = (
    (re.compile("[a-z0-9]"), "english"),
    (re.compile("[\u0400-\u052f]"), "russian"),
    (re.compile("[\u0600-\u06ff]"), "arabic"),
    (re.compile("[\u0370-\u03ff]"), "greek"),
    (re.compile("[\u0900-\u097f]"), "hindi"),
    (re.compile("[\u0530-\u058f]"), "armenian"),
)
_STEMMERS = threading.local()  # a stemmer holds the word it works on
_HAN = re.compile("[\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")

_UNSEEN = frozenset({"Cc", "Cf", "Zs", "Zl", "Zp", "Mn", "Me"})
_BLANKS = frozenset("\u115f\u1160\u2800\u3164\uffa0")  # letters and signs that are drawn as nothing


def clean_text(text: str) -> str:
    """The text as it may be stored: NFC, trimmed, without NUL and lone surrogates.

    Surrogates that came as a pair are put together; a text in which nothing can be seen is
    empty. Idempotent.
    """
    clean = unicodedata.normalize("NFC", storable(text)).strip()
    return clean if is_seen(clean) else ""


def storable(text: str) -> str:
    """The text without NUL and lone surrogates; those that came as a pair are put together."""
    if _SURROGATE.search(text):
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "ignore")
    return text.replace("\x00", "")


def is_seen(text: str) -> bool:
    """Whether anything of the text can be seen."""
    return any(map(_is_visible, text))


def _is_visible(char: str) -> bool:
    """Whether the character shows by itself: joiners, marks of direction and accents do not."""
    return char not in _BLANKS and unicodedata.category(char) not in _UNSEEN


def normalize(text: str) -> str:
    """The text as it is compared and hashed: clean, each run of white space one blank.

    Upper case stays: "Rose" is a name where "rose" may be a flower. Idempotent.
    """
    return _SPACES.sub(" ", clean_text(text)).strip()


def as_seen(text: str) -> str:
    """The text as it is seen: without invisible characters, letters of other widths and styles plain."""
    return text if text.isascii() else unicodedata.normalize("NFKC", _INVISIBLE.sub("", text))


def holds_hidden(text: str) -> bool:
    """Whether the text says something that nobody sees, or other than it is seen: a model reads it."""
    return not text.isascii() and _HIDDEN.search(text) is not None


def hidden_spelt_out(text: str) -> str:
    """The text for whoever has to judge it: what nobody sees of it stands in ⟦ ⟧, as the letters that it
    is or their numbers.
    """
    return text if text.isascii() else _HIDDEN_RUN.sub(_spelt, text)


def _spelt(run: re.Match[str]) -> str:
    letters = "".join(chr(ord(char) - _TAGS) for char in run[0] if _TAGS + 32 <= ord(char) < _TAGS + 127)
    return f"⟦{letters or ' '.join(f'U+{ord(char):04X}' for char in run[0])}⟧"


def fold(text: str) -> str:
    """The text without case, accents, optional vowel signs and invisible characters."""
    if text.isascii():
        return text.lower()
    apart = unicodedata.normalize("NFKD", _INVISIBLE.sub("", text).casefold())
    return unicodedata.normalize("NFC", _OPTIONAL_MARKS.sub("", apart)).casefold()


def words(text: str) -> list[str]:
    """The folded words of the text in order, numbers and stop words included.

    A run of a script without spaces is one word here.
    """
    return [match.group() for match in _TOKEN.finditer(fold(text))]


def is_unspaced(word: str) -> bool:
    """Whether a folded word is a run of a script that puts no spaces between words."""
    match = _TOKEN.match(word)
    return match is not None and match.lastindex == 1


def search_terms(text: str) -> list[str]:
    """What the text index counts, in order and with repetitions.

    Words are stemmed by their script, English stop words left out; scripts without spaces give
    overlapping bigrams; numbers and pictographs stay. "Her 2 cats 猫猫猫" gives
    `["2", "cat", "猫猫", "猫猫"]`.
    """
    terms: list[str] = []
    folded = fold(text)
    for match in _TOKEN.finditer(folded):
        run = match.group()
        if match.lastindex == 1 and len(run) > 1:
            terms.extend(run[i : i + 2] for i in range(len(run) - 1))
        elif run not in _STOP_WORDS or (run == "own" and not folded.endswith(_OWNERS, 0, match.start())):
            terms.append(stem(run))
    return terms


def index_terms(text: str) -> list[str]:
    """The search terms and every Han character that stands in a longer run.

    A question of one character ("猫？") finds 小猫 by it.
    """
    terms = search_terms(text)
    return [*terms, *(char for term in _bigram_runs(text) for char in _HAN.findall(term))]


def _bigram_runs(text: str) -> list[str]:
    if text.isascii():
        return []
    return [m.group() for m in _TOKEN.finditer(fold(text)) if m.lastindex == 1 and len(m.group()) > 1]


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """The stem of a folded word by its script, at most MAX_TERM_CHARS long; other scripts' as is."""
    if len(word) > MAX_TERM_CHARS:
        return word[:MAX_TERM_CHARS]
    if word.isascii():
        return _stemmed(word, "english")
    language = next((name for script, name in _STEMMED if script.match(word)), "")
    return (_stemmed(word, language) or word)[:MAX_TERM_CHARS] if language else word


def _stemmed(word: str, language: str) -> str:
    stemmer = getattr(_STEMMERS, language, None)
    if stemmer is None:
        stemmer = snowballstemmer.stemmer(language)
        setattr(_STEMMERS, language, stemmer)
    return str(stemmer.stemWord(word))


def is_stop_word(word: str) -> bool:
    """Whether a folded word carries no content of its own in English."""
    return word in _STOP_WORDS
