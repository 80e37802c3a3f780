"""What a statement tells apart from what it means: "blue, not green", "not on Friday but on Saturday"."""

import re

_NOT = r"(?:not|nicht|no|pas|não|не)"
_WORD = r"[\w'’:.-]*[\w'’]"
# "not anymore", "not yet" deny what stands before them instead.
_STILL = (
    r"(?!(?:any ?more|any longer|now|yet|really|always|just|only|so|at all|mehr|immer|más|plus|toujours|mais"
    r"|больше|всегда)\b)"
)
_LAST = re.compile(
    rf"(?:[,;]|\s[–—-]|\sand|\sbut)\s(?:(?:but|and|und|y|et|e|а|и)\s)?{_NOT}\s{_STILL}(?:{_WORD}\s){{0,3}}?{_WORD}(?=[.!]*$)"
    r"|[,，](?:而)?不是[^，。！]{1,12}(?=[。！]*$)"
    r"|,?\s(?:rather than|instead of|(?:an)?statt|en (?:vez|lugar) de|em vez de|au lieu de|plutôt que"
    rf"|вместо)\s(?:{_WORD}\s){{0,3}}?{_WORD}(?=[.!]*$)",
    re.IGNORECASE,
)
_FIRST = re.compile(
    rf"\b{_NOT}\s(?:{_WORD}\s){{0,3}}?{_WORD},?\s(?:but|sondern|sino|mas sim|а)\s(?:rather\s)?", re.IGNORECASE
)


def without_contrast(sentence: str) -> str:
    """The sentence with what it means alone; unchanged where it tells nothing apart."""
    return _LAST.sub("", _FIRST.sub("", sentence))
