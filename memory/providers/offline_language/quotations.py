"""Where a text gives the words of another: their "I" is not its speaker.

Between quotation marks of any kind, after "Bob said:", before ", said the orc", and in titles.
"""

import re
from collections.abc import Sequence

Span = tuple[int, int]

_MARKED = re.compile(
    r"(?<![\d\"])\"[^\"\n]{1,1000}\"|“[^”“\n]{1,1000}[”“]|„[^“”\"\n]{1,1000}[“”\"]|«[^»\n]{1,1000}»"
    r"|»[^«\n]{1,1000}«|‹[^›\n]{1,1000}›|「[^」\n]{1,1000}」|『[^』\n]{1,1000}』|《[^》\n]{1,1000}》"
    r"|(?<!\w)'(?=\w)(?:[^'\n]|(?<=\w)'(?=\w)){1,1000}'(?!\w)"
    r"|(?<!\w)‘(?=\w)(?:[^‘’\n]|(?<=\w)’(?=\w)){1,1000}’(?!\w)"
)
# An opening mark whose closing one stands in a sentence that was cut off.
_OPEN = re.compile(r"(?:(?<![^\s(:：,，])\"(?=\S)|[“„«「『])[^\"”“»」』\n]{0,1000}$")
_NOT_OWN = r"(?!i['’])(?!(?:i|we|ve|have|had|just|also|once|always|already|ich|wir|я|мы|yo|je|nous)\s)"
_SPEECH = re.compile(
    rf"(?<![^\W_]){_NOT_OWN}[^\W\d_][\w'’.-]*\s(?:(?:just|also|once|then|always|has|have|had|hat)\s)?"
    r"(?:said|says|told|tells|wrote|writes|asked|asks|replied|answered|texted|shouted|whispered|added"
    r"|sagte|sagt|gesagt|schrieb|schreibt|geschrieben|fragte|fragt|meinte|meint|erzählte|antwortete"
    r"|сказала?|говорит|говорила?|написала?|пишет|спросила?|ответила?"
    r"|dijo|dice|escribió|preguntó|dit|écrit|demandé)"
    r"(?:\s[\w'’-]{1,20}){0,3}\s?[:：]"
    r"|(?<!我)(?<!我们)(?:说|說|说道|表示|写道|问道|问我|告诉我|回答)[:：]",
    re.IGNORECASE,
)
_SPEECH_AFTER = re.compile(
    r"[,!…]\s(?:said|says|replied|answered|wrote|asked|shouted|whispered|sagte|schrieb|meinte"
    r"|сказала?|написала?|ответила?)\s(?:(?:the|my|his|her|our|der|die|mein|meine|мой|моя)\s\w|he\b|she\b"
    r"|er\b|sie\b|он\b|она\b|(?-i:[A-ZÀ-ÞА-ЯЁ])\w)",
    re.IGNORECASE,
)
# "I Am Legend is a film": nobody else writes the verb after "I" with a capital.
_TITLE = re.compile(r"\bI(?:\s[A-Z][a-z]+){2,}(?=\s[a-z])")
_SENTENCE_END = re.compile(r"[.!?…]+(?=\s|$)|[。！？]|\n|$")
_ANY_SIGN = re.compile("[\"'“„«»‹「『《‘:：]|[,!…] ")


def quoted_spans(text: str) -> list[Span]:
    """The stretches [start, end) of the text that are another's words or a title, in order.

    Example: 'Bob said: I ski.' -> [(9, 16)].
    """
    titles = [match.span() for match in _TITLE.finditer(text)]
    if not _ANY_SIGN.search(text):
        return titles
    spans = titles + [match.span() for match in _MARKED.finditer(text)]
    for match in _OPEN.finditer(text):
        if not covers(spans, match.start()):
            spans.append(match.span())
    for match in _SPEECH.finditer(text):
        if not covers(spans, match.start()):
            spans.append((match.end(), _end_of_sentence(text, match.end())))
    told = (match.start() for match in _SPEECH_AFTER.finditer(text))
    spans += [(_start_of_sentence(text, end), end) for end in told if not covers(spans, end - 1)]
    return sorted(spans)


def covers(spans: Sequence[Span], at: int) -> bool:
    """Whether the place lies within one of the stretches."""
    return any(start <= at < end for start, end in spans)


def is_open(text: str) -> bool:
    """Whether a quotation begins in the text and does not end in it."""
    spans = [match.span() for match in _MARKED.finditer(text)]
    return any(not covers(spans, match.start()) for match in _OPEN.finditer(text))


def _start_of_sentence(text: str, end: int) -> int:
    """Where the sentence that reaches to `end` begins; looked for no farther than a thousand characters."""
    first = max(0, end - 1_000)
    ends = [match.end() for match in _SENTENCE_END.finditer(text, first, end) if match.end() < end]
    return ends[-1] if ends else first


def _end_of_sentence(text: str, start: int) -> int:
    end = _SENTENCE_END.search(text, start)
    return end.end() if end else len(text)
