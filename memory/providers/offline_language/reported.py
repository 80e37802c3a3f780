"""Whom a sentence speaks of when that is neither its speaker nor the one spoken to.

Reported speech ("My sister says she hates mushrooms", "Tom told me he moved to Oslo") and what
belongs to somebody of the speaker's ("My mother's birthday is on 3 June").
"""

import re

from memory.domain.text import fold
from memory.providers.offline_language.person import possessive_of
from memory.providers.offline_language.quotations import covers, quoted_spans

_RELATION = (
    r"(?:(?:older|younger|big|little|best|twin|elder|old|new|ex|step|former)[\s-])*"
    r"(?:wife|husband|partner|girlfriend|boyfriend|fianc[ée]e?|son|daughter|child|kid|baby|mom|mum|mother|dad|father"
    r"|parents?|sister|brother|sibling|grandmother|grandfather|grandma|grandpa|granny|aunt|uncle|cousin|niece|nephew"
    r"|friend|boss|manager|colleague|co-?worker|roommate|flatmate|neighbou?r|teacher|doctor|therapist|coach"
    r"|dog|cat|puppy|kitten)s?"
    r"(?:-in-law)?"
)
_NAME = (
    r"(?!(?:I|You|He|She|It|We|They|This|That|Everyone|Someone|Nobody|People|The|My)\b)"
    r"[A-ZÀ-ÖØ-Þ][\w'’-]+(?:\s[A-ZÀ-ÖØ-Þ][\w'’-]+)?"
)
_TELLS = (
    r"(?:(?:just|also|once|always|recently|really)\s)?(?:says?|said|thinks?|thought|believes?|believed|mentions?"
    r"|mentioned|claims?|claimed|complain(?:s|ed)|announced|admits?|admitted|explained|wrote|texted|feels"
    r"|(?:told|tells|informed|assured|reminded|texted|emailed)\s(?:me|us|everyone|them))"
)
_OTHER = r"(?:he|she|they|it|his|her|their|he['’]s|she['’]s|they['’]re|he['’]d|she['’]d|he['’]ll|she['’]ll)"
_OPENING = r"^(?:(?i:and|but|so|well|also|yesterday|today|oh),?\s)?"
_REPORTED = (
    re.compile(
        rf"{_OPENING}(?P<who>(?i:my)\s(?:{_RELATION})(?:,?\s{_NAME},?)?|{_NAME})\s(?i:{_TELLS})\s(?:that\s)?"
        rf"(?=(?i:{_OTHER})\b)",
    ),
    re.compile(
        r"^(?P<who>(?i:mein[e]?)\s(?:\w+\s)?\w+|[A-ZÄÖÜ]\w+)\s(?:sagt|sagte|meint|meinte|erzählt|erzählte|behauptet"
        r"|glaubt|denkt|hat\s(?:mir\s)?(?:erzählt|gesagt))(?:\s(?:mir|uns))?,?\s(?:dass\s)?(?=(?:er|sie|ihr|sein)\w*\b)"
    ),
    re.compile(
        r"^(?P<who>[Мм]о[йяёи]\s(?:\w+\s)?\w+|[А-ЯЁ]\w+)\s(?:мне\s)?(?:говорит|сказал[аи]?|думает|считает|рассказал[аи]?"
        r"|утверждает|написал[аи]?|упомянул[аи]?)(?:\sмне)?,?\s(?:что\s)"
    ),
    re.compile(
        r"^(?P<who>[Mm]i\s\w+|[A-ZÁÉÍÓÚÑ]\w+)\s(?:me\s)?(?:dice|dijo|cree|piensa|contó|comentó|ha dicho)"
        r"\sque\s"
    ),
    re.compile(
        r"^(?P<who>(?:[Mm]on|[Mm]a)\s\w+|[A-ZÀ-Ý]\w+)\s(?:m['’]a\s)?(?:dit|pense|croit|raconté|affirme)\s"
        r"(?:que\s|qu['’])(?=(?:il|elle)\b)"
    ),
    re.compile(
        "^(?P<who>我的?(?:姐姐|妹妹|哥哥|弟弟|妈妈|爸爸|母亲|父亲|老婆|妻子|老公|丈夫|女儿|儿子|朋友|同事|老板|室友|奶奶|爷爷"
        "|男朋友|女朋友|男友|女友|邻居|老师)|[\u4e00-\u9fff]{2,3}?)(?:告诉我|跟我说|和我说|说|觉得|认为|提到)，?(?=她|他|自己)"
    ),
)
_OWNED = re.compile(rf"{_OPENING}(?P<who>(?i:my)\s{_RELATION})(?:['’]s|s['’])\s(?!name\b|called\b)")
# What a doctor or teacher does, they do to the speaker.
_SAYS_OF_OTHER = re.compile(
    rf"{_OPENING}(?!(?i:my)\s(?:\w+\s)?(?:doctor|therapist|coach|teacher)\b)(?P<who>(?i:my)\s{_RELATION})(?:,?\s{_NAME},?)?\s(?=[a-z])"
)
UNKNOWN = "?"
_QUOTED_LINE = re.compile(r"\s*>\s?\w")
_LABEL = re.compile(
    r"\s*[*_]{0,2}(?P<open>\[)?(?P<who>[A-ZÀ-ÖØ-ÞА-ЯЁ][\w'’-]+(?:\s[A-ZÀ-ÖØ-ÞА-ЯЁ][\w'’-]+)?|[\u4e00-\u9fff]{2,4})"
    r"[*_]{0,2}(?(open)\]\s?[:：]?|\s?[:：])[*_]{0,2}\s*"
    r"(?=(?:I|We|My|Our|Ich|Wir|Mein|Meine|Je|J['’]|Nous|Yo|Я|Мы|У\sменя)(?!\w)|我)"
)
_NO_SPEAKERS = """
    about actually address again also answer background bio birthday btw career clarification
    confession context correction diet disclaimer edit education employer family fact facts fine fyi
    good goal goals health hint hobbies hobby home honestly housing important info intro job life
    location me money mood name news note now okay oops origin personal plan plans preference
    preferences problem profile ps question reason recap reminder residence result school situation
    status story studies summary task tip today tomorrow truth update warning wish work yes
    yesterday achtung adresse antwort arbeit beruf ernährung familie frage gesundheit heute hinweis
    nachtrag notiz wichtig wohnort domicile emploi famille santé travail dirección familia nota
    pregunta salud trabajo адрес важно вопрос заметка здоровье работа семья
    备注 注意 提醒 工作 地址 更新 健康 补充 另外 问题 回答 说明 更正 其实
"""
_HEADINGS = frozenset(fold(_NO_SPEAKERS).split())
_MY = frozenset(["mein", "meine", "моя", "мой", "моё", "мои", "mi", "mis", "mon", "ma", "mes"])
_OWN_WORDS = re.compile(r"\b(?:I|me|we|us|our|mine|ich|mir|mich|wir|uns|я|мне|меня|мы)\b|我", re.IGNORECASE)
_TOLD_ME = re.compile(rf"\b{_TELLS}\b", re.IGNORECASE)
_SELF = re.compile(
    r"\b(?:do|did|am|was|have|had|can|could|should|will|would|must)\s(?:i|i\sstill|i\sever)\b"
    r"|^(?:what|when|where|which|how\s\w+)(?:['’]s|\sis|\sare|\swas|\swere)\smy\s"
    r"|\b(?:bin|habe|hatte|mag|kann|muss|darf|soll|will|\w+e)\sich\b"
    r"|\bя\b|у меня|^我(?!的)|我(?:对|有|住|讨厌|喜欢|不)"
    r"|\b(?:odio|vivo|soy|tengo|estoy|trabajo)\b",
    re.IGNORECASE,
)
_ANYBODY = re.compile(
    rf"\b(?:{_RELATION}|family|relatives?|children|kids|pets?|animals?|schwester|bruder|mutter|vater|frau|mann|sohn"
    r"|tochter|freund(?:in)?|chef(?:in)?|eltern|kinder|hund|katze|hermano|hermana|madre|padre|hijo|hija|amig[oa]"
    r"|сестр\w+|брат\w*|мам\w+|пап\w+|муж\w*|жен\w+|сын\w*|доч\w+|друг\w*|кошк\w+|собак\w+)\b|[姐妹哥弟妈爸母父妻夫]|女儿|儿子|朋友|同事"
    "|老板|老婆|老公",
    re.IGNORECASE,
)


def reported_of(sentence: str) -> str:
    """Whose state the sentence reports, as it is written ("My sister", "Tom"); else "".

    Only what stands in the speaker's own words and goes on about somebody else by pronoun counts:
    in "Tom says I snore" it is the speaker who snores.
    """
    match = next((found for pattern in _REPORTED if (found := pattern.match(sentence))), None)
    if match is None or covers(quoted_spans(sentence), match.start("who")):
        return ""
    return match["who"].strip(" ,")


def another_of(sentence: str) -> str:
    """Whom of the speaker's the sentence is about, by report, possession or as its subject; else ""."""
    if found := reported_of(sentence):
        return found
    match = _OWNED.match(sentence) or _SAYS_OF_OTHER.match(sentence)
    return match["who"] if match else ""


def subject_of(who: str, speaker: str, language: str) -> str:
    """The one spoken of as a record's subject: "Alice's sister", "Tom"; a name wins over the relation."""
    named = re.search(rf"\s(?P<name>{_NAME})$", who) if language == "en" else None
    if named:
        return named["name"]
    first, _, relation = who.partition(" ")
    if language == "en" and first.lower() == "my":
        return f"{possessive_of(speaker)} {relation}"
    if language == "zh" and who.startswith("我"):
        return f"{speaker}的{who.lstrip('我的')}"
    if relation and first.lower() in _MY:
        return f"{relation} ({speaker})"
    return who


def is_of_another(text: str, *, subject: str) -> bool:
    """Whether a statement by or about `subject` is rather of somebody of theirs, and not of them too."""
    mine = possessive_of(subject)
    if "'s " in subject or " (" in subject or "的" in subject:
        return True
    own = f"My{text[len(mine) :]}" if subject and text.startswith(f"{mine} ") else text
    who = another_of(own)
    if not who:
        return False
    rest = own[own.find(who) + len(who) :]
    return _OWN_WORDS.search(_TOLD_ME.sub(" ", rest)) is None and (not subject or subject not in rest)


def asks_of_self(question: str) -> bool:
    """Whether the question is of the asker alone: of nobody of theirs, no pet and no relative."""
    return _SELF.search(question) is not None and _ANYBODY.search(question) is None


def without_own_label(text: str, speaker: str) -> str:
    """The turn without the speaker's name before its lines: "Alice: I ski." is "I ski."."""
    first, _, _ = speaker.partition(" ")
    names = "|".join(re.escape(name) for name in dict.fromkeys((speaker, first)) if len(name) > 1)
    if not names or (":" not in text and "：" not in text):
        return text
    label = rf"^(?P<indent>[ \t]*)[*_\[]{{0,3}}(?:{names})[*_\]]{{0,3}}\s?[:：][*_]{{0,2}}[ \t]*(?=\S)"
    return re.sub(label, r"\g<indent>", text, flags=re.IGNORECASE | re.MULTILINE)


def said_in_log(sentence: str, turn: str, *, speaker: str) -> str:
    """Whose words the sentence of the turn is by a log's label before its line ("Tom: I ski."); else "".

    A quoted line ("> I ski.") is UNKNOWN's. A heading ("Work: I teach") is no label.
    """
    start = turn.find(sentence)
    line = turn[turn.rfind("\n", 0, start) + 1 :] if start >= 0 else sentence
    if _QUOTED_LINE.match(line):
        return UNKNOWN
    match = _LABEL.match(line)
    who = fold(match["who"]) if match else ""
    me = fold(speaker)
    if not match or who in _HEADINGS or (me and (who in me or me in who)):
        return ""
    return match["who"]
