"""What a message wants of the answerer: an answer, an acknowledgement, or a courtesy."""

import re
from enum import StrEnum

from memory.providers.offline_language.chatter import is_chatter, is_question, wants_forgotten
from memory.providers.offline_language.statements import sentences_of


class Wish(StrEnum):
    """What the message is."""

    ASK = "ask"
    TELL = "tell"
    HELLO = "hello"
    THANKS = "thanks"
    BYE = "bye"
    SELF = "self"
    OKAY = "okay"
    FORGET = "forget"


class Kind(StrEnum):
    """What a question asks for."""

    WHEN = "when"
    WHERE = "where"
    WHO = "who"
    COUNT = "count"
    WHY = "why"
    LIST = "list"
    OTHER = "other"


_SELF = re.compile(
    r"^(?:so\s)?(?:who|what) are you\b|^what can you do|^what(?:'s| is) your name|^how are you|"
    r"^wer bist du|^was kannst du"
    r"|^how do you work\W*$|^what do you do\W*$"
    r"|^are you (?:an? |the )?(?:ai|bot|robot|human|machine|person|memory)\b"
    r"|^(?:wie funktionierst|wie arbeitest|was machst) du\W*$|^comment (?:fonctionnes|marches)-tu"
    r"|^cómo funcionas"
    r"|^come funzioni|^como (?:você )?funciona\W*$|^как ты (?:работаешь|устроен)|^你(?:是)?(?:怎么|如何)工作"
    r"|^кто ты|^что ты умеешь|^как дела|^你是谁|^你能做什么|^你叫什么|^quién eres|^qui es-tu|^あなたは誰",
    re.IGNORECASE,
)
_THANKS = re.compile(
    r"\b(?:thanks|thank you|thx|danke|merci|gracias|спасибо|obrigad[oa]|grazie)\b|谢谢|感谢|ありがとう|감사",
    re.IGNORECASE,
)
_BYE = re.compile(
    r"\b(?:bye|goodbye|see you|good night|tschüss|auf wiedersehen|adiós|au revoir|пока|"
    r"до свидания)\b|再见|拜拜|さようなら",
    re.IGNORECASE,
)
_HELLO = re.compile(
    r"^(?:hi|hey|hello|yo|good (?:morning|afternoon|evening)|hallo|guten (?:morgen|tag|abend)|hola|"
    r"buenos días|bonjour|salut|"
    r"привет|здравствуйте|добрый (?:день|вечер)|доброе утро)\b|^(?:你好|您好|嗨|早上好|こんにちは|안녕)",
    re.IGNORECASE,
)
_ORDER = re.compile(
    r"^(?:please\s|can you\s|could you\s)*(?:tell|show|list|give|find|remind|recall|describe|"
    r"summari[sz]e|recommend|suggest|explain|search|"
    r"look up|help)\b|^(?:bitte\s)?(?:zeig|nenn|erzähl|fasse?)\w*|^(?:пожалуйста\s)?(?:расскажи|"
    r"покажи|напомни|найди|перечисли)\w*"
    r"|^请?(?:告诉|列出|总结|介绍|推荐|帮我|提醒我|查)",
    re.IGNORECASE,
)
_KINDS: tuple[tuple[Kind, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(pattern, re.IGNORECASE))
    for kind, pattern in (
        (Kind.COUNT, r"\bhow (?:many|much|old|long|often|far)\b|wie ?viele?|wie (?:alt|lange|oft)|"
            r"сколько|как (?:долго|часто)|多少|几(?!点)|多久|多大|cuánt|combien|何人|몇"),
        (Kind.WHEN, r"\b(?:when|what (?:date|day|year|month|time)|which (?:date|day|year|month))\b|"
            r"\bwann\b|когда|в каком году|什么时候|何时|哪天|哪年|几点|cuándo|quand|いつ|언제"),
        (Kind.WHERE, r"\b(?:where|which (?:city|country|place|town)|what (?:city|country|place|"
            r"town))\b|\bwo(?:hin|her)?\b|где|куда|откуда|哪里|哪儿|在哪|哪个城市|什么地方|dónde|"
            r"\boù\b|どこ|어디"),
        (Kind.WHY, r"\b(?:why|what (?:inspired|made|motivated)|how come)\b|\bwarum\b|\bwieso\b|"
            r"почему|зачем|为什么|为何|por qué|pourquoi|なぜ|왜"),
        (Kind.WHO, r"\b(?:who|whom|whose)\b|\bwer\b|\bwem\b|\bwen\b|кто|кого|кому|谁|quién|\bqui\b|誰|누구"),
        (Kind.LIST, r"\b(?:what|which) (?:\w+\s){0,2}?(?:things|activities|books|hobbies|places|"
            r"events|types|kinds|movies|films|games|sports|pets|instruments|foods|countries|cities|"
            r"names|ways|players|songs|artists|bands|people|friends|languages|dishes|drinks|cars|plants)\b|\ball\b|\blist\b|有哪些|哪些|какие|welche"),
    )
)  # fmt: skip


_COURTESIES = ((Wish.THANKS, _THANKS), (Wish.BYE, _BYE), (Wish.HELLO, _HELLO))


def wish_of(text: str) -> Wish:
    """What the message wants. Doubt between telling and asking is an ask."""
    bare = text.strip()
    if _SELF.match(bare):
        return Wish.SELF
    sentences = sentences_of(bare)
    if sentences and all(wants_forgotten(sentence) for sentence in sentences):
        return Wish.FORGET
    if any(is_question(sentence) for sentence in sentences) or _ORDER.match(bare):
        return Wish.ASK
    if sentences and not all(is_chatter(sentence) for sentence in sentences):
        return Wish.TELL
    return next((wish for wish, pattern in _COURTESIES if pattern.search(bare)), Wish.OKAY)


def is_courtesy(text: str) -> bool:
    """Whether the message only greets or thanks."""
    bare = text.strip()
    courtesies = {wish for wish, pattern in _COURTESIES if pattern.search(bare)}
    return bool(courtesies) and wish_of(bare) in courtesies


def kind_of(question: str) -> Kind:
    """What the question asks for, by its question word."""
    return next((kind for kind, pattern in _KINDS if pattern.search(question)), Kind.OTHER)
