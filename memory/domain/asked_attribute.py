"""A question of one attribute to its slot: "What is my job?" asks for what stands under `job`.

The words of such a question need not be those in which the value was told: "I work as a
carpenter" holds no "job". Slots are those that the offline encoder fills.
"""

import re
from collections.abc import Mapping

from memory.domain.asked_time import is_only_asking
from memory.domain.text import is_stop_word, words

_CUES: Mapping[str, str] = {
    "job": r"jobs?|professions?|occupations?|do(?: \w+)? for (?:a living|work)|work as|berufs?"
    r"|arbeite ich als|was arbeite ich|métier|profesión|a qué me dedico|trabajo|professione"
    r"|lavoro|profissão|профессия|кем я работаю|职业|什么工作|做什么的|仕事|職業",
    "residence": r"where do i live|home ?town|residence|wohnort|wo (?:wohne|lebe) ich"
    r"|où (?:est-ce que )?j['’]habite|dónde vivo|dove abito|onde moro|где я живу|住在?(?:哪里|哪儿|哪)"
    r"|どこに住んで(?:い|る)*",
    "employer": r"employers?|where do i work|who do i work for|company do i work (?:for|at)|arbeitgeber"
    r"|wo arbeite ich|dónde trabajo|где я работаю|在哪(?:里|儿|家公司)?(?:工作|上班)",
    "birthday": r"birthday|when was i born|geburtstag|cumpleaños|date de naissance|день рождения|生日|誕生日",
    "age": r"how old am i|age|wie alt bin ich|cuántos años tengo|quel âge ai-je|сколько мне лет|几岁|多大",
    "phone": r"(?:tele)?phone(?: number)?|mobile(?: number)?|(?:telefon|handy)nummer|teléfono|телефон|电话"
    r"|手机号?码?",
    "email": r"e-?mail(?: address)?|e-?mail-?adresse|correo|почт[аы]|邮箱",
    "origin": r"where (?:do i come|am i) from|origin|woher komme ich|de dónde soy|откуда я|哪里人|哪儿人",
    "diet": r"diet|ernährung|dieta|диет[аы]|饮食",
    "school": r"school|university|college|where do i study|universität|wo studiere ich|universidad"
    r"|университет|大学|学校",
}
# A cue is a word of its own, but in scripts without spaces.
_COMPILED = {
    slot: re.compile(rf"(?<!\w)(?:{cue})(?!\w)|(?:{cue})(?=[\u4e00-\u9fff？?])", re.IGNORECASE)
    for slot, cue in _CUES.items()
}
_FAVOURITE = re.compile(r"\bfavou?rite (?P<what>[\w-]+)|\blieblings(?P<de>\w{2,20})", re.IGNORECASE)
_FILLING = "still again exactly called have got mein meine meiner meinen mi mis mon ma"
_ANSWERING = frozenset(_FILLING.split())


def asked_slots(text: str) -> tuple[str, ...]:
    """The slots that the question is about; empty if it asks for anything else besides.

    `text`: without people's names. "What is my job?" gives `("job",)`, "What is my sister's job?" and
    "What does my job pay?" nothing.
    """
    for slot, pattern in _COMPILED.items():
        found = pattern.search(text)
        if found and _is_all(text, found):
            return (slot,)
    found = _FAVOURITE.search(text)
    if found and _is_all(text, found):
        return (f"favourite_{(found['what'] or found['de']).lower()}",)
    return ()


def _is_all(text: str, found: re.Match[str]) -> bool:
    rest = f"{text[: found.start()]} {text[found.end() :]}"
    left = [word for word in words(rest) if not is_stop_word(word) and word not in _ANSWERING]
    return is_only_asking(" ".join(left))
