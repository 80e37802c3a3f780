"""A text to the ISO code of its language: by script, then by its small words."""

import re

_SCRIPTS = (
    ("ja", re.compile("[\u3041-\u30ff]")),
    ("ko", re.compile("[\uac00-\ud7a3]")),
    ("zh", re.compile("[\u3400-\u9fff]")),
    (
        "uk",
        re.compile(
            r"[іїєґІЇЄҐ]|\b(?:як(?:ий|а|е|ого|у)?|де|коли|що|чи|хто|мене|мого|моєму|цей|ця|звати)\b"
            r"(?!.*[ыэъёЫЭЪЁ])",
            re.IGNORECASE,
        ),
    ),
    ("ru", re.compile("[\u0400-\u04ff]")),
    ("ar", re.compile("[\u0600-\u06ff]")),
    ("he", re.compile("[\u0590-\u05ff]")),
    ("hi", re.compile("[\u0900-\u097f]")),
    ("th", re.compile("[\u0e00-\u0e7f]")),
    ("el", re.compile("[\u0370-\u03ff]")),
)
# Few, frequent and distinctive; a word that two languages share tips neither.
_SMALL_WORDS = {
    "en": "i the and is are my you what with for have do does did where when who how it that "
    "this of to in on at we they he she but had been just not from thanks thank hello hi bye i'm i've i'd "
    "i'll we're we've she's he's it's don't longer",
    "de": "ich und ist nicht der das ein eine mein meine mit für wo wann wer wie wir bin habe heißt "
    "auch zu im war danke hallo tschüss bitte welcher welche welches mir dir mich dich uns seit noch jetzt",
    "fr": "je le les est et une mon ma où quand qui avec pour pas vous j'ai suis dans quel quelle "
    "des du merci bonjour salut en depuis ans hier au aux aussi",
    "es": "yo el los es y una mi dónde cuándo quién qué con por para no soy vivo tengo está cómo "
    "del las en gracias hola adiós",
    "it": "io il è e una mio mia dove quando chi con per non sono ho che di della abito come grazie "
    "ciao buongiorno",
    "pt": "eu o os é e uma meu minha onde quando quem com para não sou tenho moro está como em do "
    "da obrigado obrigada olá",
    "nl": "ik het een en is niet mijn waar wanneer wie met voor ben heb wat ook van in woon bedankt "
    "dankjewel hoi",
    "pl": "ja i jest nie mój moja gdzie kiedy kto z dla jestem mam w się na mieszkam co dziękuję "
    "dzięki cześć",
    "sv": "jag och är inte min mitt var när vem med för har det en ett bor i på som tack hej",
    "tr": "ben ve bir benim nerede ne zaman kim ile için değil var mı mi bu yaşıyorum hangi kaç "
    "nasıl adı teşekkürler merhaba",
}
# Letters that one of these languages has and the others lack.
_LETTERS = {
    "de": "ßẞ",
    "es": "ñ¿¡Ñ",
    "pt": "ãõÃÕ",
    "pl": "łąęśźżćńŁĄĘŚŹŻĆŃ",
    "sv": "åÅ",
    "tr": "ğışĞİŞ",
}
_VOTES: dict[str, tuple[str, ...]] = {}
for _code, _listed in _SMALL_WORDS.items():
    for _word in _listed.split():
        _VOTES[_word] = (*_VOTES.get(_word, ()), _code)
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")


def detect_language(text: str) -> str:
    """The two-letter code; English when nothing speaks for another."""
    return guess_language(text) or "en"


def guess_language(text: str) -> str:
    """The two-letter code; "" when nothing speaks for any.

    One Chinese name in a Latin sentence makes no Chinese: the script must hold a tenth
    of the letters.
    """
    if not text.isascii():
        letters = sum(char.isalpha() for char in text)
        for code, pattern in _SCRIPTS:
            found = len(pattern.findall(text))
            if found and (found * 10 >= letters or code == "uk"):
                return code
    votes: dict[str, float] = {}
    for word in _WORD.findall(text[:2_000].lower().replace("’", "'")):
        codes = _VOTES.get(word, ())
        for code in codes:
            votes[code] = votes.get(code, 0.0) + 1 / len(codes)
    for code, letters_of in _LETTERS.items():
        votes[code] = votes.get(code, 0.0) + any(letter in text for letter in letters_of)
    # "en" is first among equals.
    return max(votes, key=lambda code: (votes[code], code == "en")) if any(votes.values()) else ""


def is_spaceless(code: str) -> bool:
    """Whether the language writes no spaces between words."""
    return code in {"zh", "ja", "th"}
