"""How many: numbers in words of nine languages, in Arabic and in small Chinese digits."""

import re

_FEW = (
    r"a few|few|a couple(?: of)?|couple of|several|some|ein paar|einige[nr]?|несколько|пару"
    r"|unos|unas|quelques"
)
_HAN_FEW = r"好几|几|幾|数|몇"
_ONE = r"a|an|one|einer|einem|ein|eine|un|una|une"
_FROM_TWO_ON = (
    "two zwei два две dos deux",
    "three drei три tres trois",
    "four vier четыре quatre",
    "five fünf пять",
    "six sechs шесть",
    "seven sieben",
    "eight acht",
    "nine neun",
    "ten zehn",
    "eleven",
    "twelve",
)
_WORDS = {word: number for number, words in enumerate(_FROM_TWO_ON, 2) for word in words.split()}
_HAN_DIGITS = {c: i for i, c in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2, "半": 0}

_LONGEST_FIRST = "|".join(sorted(_WORDS, key=len, reverse=True))
NUMBER = rf"(?P<n>\d{{1,6}}|{_FEW}|{_ONE}|{_LONGEST_FIRST})"
HAN_NUMBER = rf"(?P<n>\d{{1,6}}|{_HAN_FEW}|[一二两三四五六七八九十半]{{1,3}})\s?[个個]?"


def count_of(word: str) -> tuple[int, int]:
    """The least and the most that a number word means; "a few" is two to four."""
    word = (word or "").lower()
    if not word or re.fullmatch(_ONE, word):
        return 1, 1
    if word.startswith(("a couple", "couple", "пару")):
        return 2, 2
    if re.fullmatch(f"{_FEW}|{_HAN_FEW}", word):
        return 2, 4
    if word in _WORDS:
        return _WORDS[word], _WORDS[word]
    number = digits_of(word)
    return number, number


def digits_of(word: str) -> int:
    """A number in Arabic or small Chinese digits. Raises ValueError for none."""
    if word.isdecimal():
        return int(word)
    if not word or any(c not in _HAN_DIGITS and c != "十" for c in word):
        raise ValueError(word)
    tens, ten, ones = word.rpartition("十")
    high = (_HAN_DIGITS[tens[-1]] if tens else 1) * 10 if ten else 0
    return high + (_HAN_DIGITS[ones[-1]] if ones else 0)
