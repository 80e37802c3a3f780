"""Whether a sentence tells of what somebody likes or of what they do not."""

import re

_VERB = r"(?:(?<!look\s)likes?|loves?|enjoys?|mag|люблю|любит|нравится|gusta|aime)"
_LIKING = re.compile(
    rf"\b(?:{_VERB}|liked|loved|enjoyed|adores?|prefers?|favou?rites?|fond of|liebe|liebt|lieblings\w+"
    r"|любим\w+|encanta|adore)\b|喜欢|最爱",
    re.IGNORECASE,
)
_DISLIKING = re.compile(
    r"\b(?:dislikes?|disliked|hates?|hated|detests?|loathes?|can(?:['’]t|not) stand|hasse|hasst|ненави\w+"
    r"|odi[oa]|déteste)\b"
    rf"|(?:\b(?:not|never|no longer|nicht|не|no|ne)|n['’]t)\s(?:\w+\s)?{_VERB}\b"
    r"|\bmag\s(?:\w+\s)?(?:kein\w*|nicht)\b|不喜欢|讨厌",
    re.IGNORECASE,
)
_WHICH = re.compile(
    r"^\W*(?:so |and )?(?:what|which|who|whom|was|welche\w*|что|кого|как\w+|qué|que|quel\w*|quoi)\b|什么|哪",
    re.IGNORECASE,
)


def is_of_other_taste(question: str, text: str) -> bool:
    """Whether the question is of what somebody dislikes and the text of what they like, or the other way
    round. "Do I like tea?" is answered by either.
    """
    if _WHICH.search(question) is None:
        return False
    asked, told = taste_of(question), taste_of(text)
    return None not in (asked, told) and asked != told


def taste_of(text: str) -> bool | None:
    """Whether something is liked; None where the text is of no taste."""
    if _DISLIKING.search(text):
        return False
    return True if _LIKING.search(text) else None
