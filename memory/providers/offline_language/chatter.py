"""What in a conversation holds nothing to remember: greetings, thanks, questions, filler.

And its counterpart, the words of a sentence that carry content.
"""

import re
from collections.abc import Iterable

from memory.domain.text import words
from memory.providers.offline_language.asking import asks_unmarked
from memory.providers.offline_language.filler import is_filler, is_reaction, language_for

# Taken out of a Chinese, Japanese or Korean sentence, filler leaves nothing.
_CJK_FILLER = re.compile(
    "你好|您好|大家好?|各位|团队|嘿|哈喽|当心|小心|谢谢|多谢|感谢|不客气|再见|拜拜|早上好|晚上好|"
    "晚安|好的|好吧|好呀|好啊|好|是的|是啊|对的|对|嗯+|哦+|啊+|哈+|呵+"
    "|没问题|没事|太棒了|太好了|真棒|棒|厉害|不错|可以|行|明白了?|知道了|了解|收到|当然|真的|"
    "难以置信|那真是|那|真是|很|太|非常|了|吧|呢|呀|嘛|的|我|你|您|也|就"
    "|こんにちは|ありがとう(?:ございます)?|はい|いいえ|すごい|いいね|なるほど|了解(?:です)?|です|ね|"
    "よ|おはよう|さようなら"
    "|안녕(?:하세요)?|감사합니다|고마워요?|네|예|아니요|좋아요?|대박"
)
# A person who tells something leaves one character at least: 我病了.
_CJK_PERSON = re.compile("[我俺他她]")
_CJK_REACTING = frozenset("是会要能想说看懂有在来去")
_CJK = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")
_FORGET = re.compile(
    r"^(?:please,?\s|can you\s|could you\s|would you\s|you (?:can|should)\s)*(?:now\s)?"
    r"(?:forget|erase|unlearn|delete from (?:your )?memory|stop remembering|don['’]?t remember)\s"
    r"(?!to\b|it[.!]*$|about it[.!]*$)(?:about\s|that\s|what\s|the\s|my\s|our\s|everything|all\b|\w)"
    r"|^(?:(?:bitte|kannst du|könntest du|du (?:kannst|sollst)),?\s)*(?:vergiss|vergesst"
    r"|vergessen sie|(?<=kannst )vergessen|(?<=sollst )vergessen|lösche?)"
    r",?\s(?!nicht\b|nie\b|es[.!]*$)|^(?:bitte\s)?(?:du (?:kannst|sollst)|kannst du)\s.+\svergessen[.!]*$"
    r"|^(?:s['’]il (?:te|vous) pla[iî]t,?\s)?(?:oublie[zr]?|efface[zr]?),?\s(?!pas\b)"
    r"|^(?:por favor,?\s)?(?:olvid[ae]|olvídate|borr[ae]),?\s(?!te\b)"
    r"|^(?:per favore,?\s)?(?:dimentica(?:re)?|cancella),?\s"
    r"|^(?:por favor,?\s)?(?:esque[çc][ae]|apag(?:a|ue)),?\s"
    r"|^(?:alsjeblieft,?\s)?(?:vergeet|wis),?\s(?!niet\b)|^(?:proszę,?\s)?(?:zapomnij|usuń),?\s"
    r"|^(?:пожалуйста,?\s)?(?:забудь|удали|сотри)(?:те)?,?\s(?!не\b)"
    r"|^(?:будь ласка,?\s)?(?:забудь|видали)(?:те)?,?\s"
    r"|^(?!.*\bunutma).*\bunut(?:un(?:uz)?)?[.!]*$"
    r"|^(?:你?可以|请|請|麻烦(?:你)?)*(?:忘记|忘掉|忘記|删除|删掉|刪除)(?!了)"
    r"|^(?:.{1,30}(?:を|こと[をは]?|は))?忘れて(?![しいた])"
    r"|^.{1,40}(?:잊어\s?(?:줘|주세요|버려)|지워\s?줘)"
    r"|^(?:من فضلك,?\s)?(?:انس|انسَ|انسي|احذف)\s|^.{1,40}भूल जा(?:ओ|इए|एँ)?",
    re.IGNORECASE,
)
_PICTURES_AND_MARKS = re.compile(r"[^\w]+")

_ENGLISH_QUESTION = re.compile(
    r"^(?:(?:so|and|but|well|hey|oh|wow|ok|okay|then|also|by the way|btw|hi|yeah|[A-Z][a-z]+),?\s+){0,2}"
    r"(?:(?:what|who|whom|whose|where|when|why|how|which)(?:'s|’s|'re|’re)?\s+(?:is|are|was|were|do|"
    r"does|did|can|could|will|would|should|"
    r"have|has|about|else|many|much|long|often|far|old|kind|type|sort|time|day|year|the|your|you|"
    r"made|inspired)\b"
    r"|(?:do|does|did|are|is|was|were|can|could|would|will|should|have|has|any|isn't|aren't|don't|"
    r"didn't|haven't)\s+"
    r"(?:you|your|i|we|he|she|it|they|there|that|this|the|any|anyone|anything|chance|plans|news|idea|"
    r"tips)\b)",
    re.IGNORECASE,
)
_OTHER_QUESTION = re.compile(
    r"(?:吗|呢|么|嗎|麼)[。！!~～…]*$|^(?:什么|谁|哪里|哪儿|哪个|怎么|怎样|为什么|为何|多少|几点|"
    r"何时|是否|你能|您能|能不能|可不可以|请问)"
    r"|^(?!.*(?:知道|记得|告诉|忘了|明白|无论|不管|没什么|都|也)).{0,24}"
    r"(?:什么|谁|哪里|哪儿|哪个|怎么|为什么|多少|几点|何时).{0,8}$"
    r"|(?:ですか|ますか|でしょうか)[。]*$|(?:나요|까요|습니까)[.]*$"
)
_HAIL = (
    r"(?:hi|hey|hello|yo|good (?:morning|afternoon|evening|night)|dear|bye|goodbye|see (?:you|ya)|"
    r"take care|thanks?|thank you"
    r"|hallo|guten (?:morgen|tag|abend)|tschüss|vielen dank|danke|hola|buenos días|gracias|bonjour|"
    r"salut|merci"
    r"|привет|здравствуйте|доброе утро|добрый (?:день|вечер)|пока|спасибо)\b"
)
_GREETING = re.compile(rf"^{_HAIL}[^.!?]{{0,24}}[.!?…~]*$", re.IGNORECASE)
# Whom a greeting addresses: "Hello my dear friend, ", "Hi Lychee, "; what follows is said for itself.
_ADDRESS = re.compile(
    rf"^{_HAIL}(?:\s(?:(?i:(?:my|mein[e]?|mi|mon|ma|мой|моя)\s(?:(?:dear(?:est)?|old|good|best)\s)*\w+)"
    r"|[^\W\d_]+(?:\s[^\W\d_]+)?))?(?:\s?[,;:]|\s[–—-]\s)\s?(?=[^\W\d_]+['’]?\w*\s\S)",
    re.IGNORECASE,
)
_DEAR = re.compile(
    r"\b(?:my|our)\s(?:(?:dear(?:est)?|old|good|best)\s)*(?:friends?|loves?|darling|dears?)\b", re.IGNORECASE
)
_THEIR_OWN = re.compile(
    r"(?<!for\s)(?<!of\s)(?<!für\s)\b(?:I(?:['’](?:m|ve|d|ll))?|im|ive|we|we['’]re"
    r"|(?:my|our)\s(?:\w+\s){1,3}?(?:is|are|was|has|had|lives?|works?)"
    r"|ich|wir|mein[e]?\s(?:\w+\s){1,3}?(?:ist|heißt|hat|wohnt)|je|j['’]\w+|nous|yo|tengo|vivo|soy|me\s\w+"
    r"|mi\s(?:\w+\s){1,3}?(?:es|se)|я|мы|у\sменя|меня\sзовут)\s",
    re.IGNORECASE,
)
# Whom a statement tells of: the speaker, another person, somebody's somebody, a name.
_VERB = (
    r"(?:is|are|was|were|has|have|had|can|could|will|does|did|goes|got|gets|lives?|works?|reads?|feels?|needs?|likes?|loves?"
    r"|hates?|wants?)(?:n['’]?t)?"
)
_TELLING = re.compile(
    r"\b(?:(?:I|we|he|she|they)(?:['’](?:m|ve|d|ll|re|s))?|im|ive)\s\w"
    rf"|\b(?:my|our|his|her|their)\s(?:[\w'’-]+\s){{1,3}}?{_VERB}\b"
    r"|\b(?:ich|wir|er|sie|je|nous|yo|tengo|vivo|soy|estoy|я|мы|он|она|у\s\w+)\s\w|\bj['’]\w+\s\w"
    r"|\bme\s(?:llamo|gusta|encanta|duele|siento)\s\w"
    r"|\b(?:mein[e]?|unsere?|mon|ma|notre|mi|mis|nuestr[oa])\s(?:[\w'’-]+\s){1,3}?(?:ist|sind|war|hat|heißt|est|sont|a|es|son"
    r"|está|tiene)\b|\b(?:мой|моя|моё|мои|наш|наша)\s\w+\s\w",
    re.IGNORECASE,
)
_NAME_TELLING = re.compile(
    r"^(?!(?i:that|this|it|you|there|here|what|which|who|these|those|how|i|we|he|she|they|today|tomorrow|tonight|all"
    r"|every\w*|any\w*|some\w*|no\w*|so|and|but|das|dies|es)\b)(?P<name>[A-Z][\w-]+)\s(?:is|was|has|had|can)(?:n['’]?t)?\s\w"
)
_NAME_WITHIN = re.compile(r"(?<=[a-z]\s)[A-Z][a-z]+\b|(?<=\bI\s)[A-Z][a-z]+\b")
_CAPITALISED = re.compile(r"\b[A-ZÀ-ÞА-ЯЁ]\w{2,}\b")
# What only says how one takes what the other told, and what one calls them.
_TAKING = re.compile(
    r"\b(?:I|we)(?:['’](?:m|re)|\s(?:am|are))\s(?:(?:so|really|very|too|just|truly)\s)*"
    r"(?:glad|happy|sorry|sure|proud|excited|thrilled)\s(?=(?:that\s|for\s|if\s)?(?:you|it|this|your)\b)"
    r"|\b(?:I|we)(?:['’](?:m|re)|\s(?:am|are))?\s(?:(?:so|really|very|too|just|truly)\s)*"
    r"(?:glad|happy|sorry|think|guess|hope|bet|know|believe|love|like|wish|appreciate|see|hear|admire)\s"
    r"(?:(?:that|to\s(?:hear|read|see|know))\s)*(?=(?:that|this|it|you|your|how|what)\b)"
    r"|\bto\s(?:hear|see|read|know)\s(?:more|all|it|that|this)\b"
    r"|\b(?:I|we)(?:['’]ll|\swill)\s(?:see|talk\sto|catch|text|message)\s(?:you|ya)\b"
    r"|^(?:(?:oh|hey|wow),?\s)?(?:man|dude|girl|boy|bro|guys),\s"
    r"|,\s(?:my\s(?:\w+\s)?)?(?:friends?|loves?|man|dude|girl|guys|bro|buddy|pal|mate|folks|everyone)\W*$",
    re.IGNORECASE,
)
# What something just shown or told looks like: "That looks yummy!", "You sound so happy".
_REMARK = re.compile(
    r"^(?:(?:wow|oh|ooh|aww?|haha|mmm?|yes|yeah|and)[,!]?\s)*"
    r"(?:(?:that|this|it|those|these|they|you)\s(?:all\s)?(?:looks?|sounds?|smells?|tastes?)"
    r"|das\s(?:sieht|klingt|schmeckt|riecht)|это\s(?:выглядит|звучит))"
    r"(?:\s(?:so|really|very|such|quite|absolutely|super|pretty|truly|just|an?|sehr|echt|so|очень|aus))*"
    r"(?:\s[^\W\d_]+(?:['’-]\w+)?){1,2}(?:\saus)?[\s.!…]*$",
    re.IGNORECASE,
)
_AFFIRMATION = re.compile(
    r"^(?:yes|yeah|yep|yup|correct|exactly|right|that'?s (?:right|correct|it)|absolutely|definitely|"
    r"sure|of course|indeed|true|"
    r"sounds good|perfect|great|please do|do (?:it|that)|let'?s do (?:it|that)|agreed|"
    r"ja|genau|stimmt|richtig|klar|sí|claro|exacto|correcto|oui|exactement|d'accord|да|верно|точно|"
    r"именно|конечно|правильно)(?![^\W_])"
    r"|^(?:是的|是|对的?|好的?|没错|正确|可以|行|当然|はい|そうです|네|예|맞아요)(?:[，。！,.!\s]|$)",
    re.IGNORECASE,
)  # fmt: skip
_DENIAL = re.compile(
    r"^(?:no|nope|nah|not really|never|nein|nicht|non|нет|不是?|没有?|いいえ|아니요?)(?:[\s,.!，。！]|$)",
    re.IGNORECASE,
)


def is_content_word(word: str, language: str = "") -> bool:
    """Whether a folded word carries content of its own in a sentence of this language ("": of any)."""
    return not is_filler(word, language)


def content_words(text: str) -> list[str]:
    """The folded words that carry content, in order: no stop words, no filler."""
    folded = words(text)
    language = language_for(text, folded)
    return [word for word in folded if is_content_word(word, language)]


def is_question(sentence: str) -> bool:
    """Whether the sentence asks, with or without its mark."""
    bare = sentence.rstrip(" \"'”’」)*_~")
    if bare.endswith(("?", "？", "؟")):
        return True
    if bare.endswith((".", "。", "!", "！")) and not _OTHER_QUESTION.search(bare):
        return False
    if _ENGLISH_QUESTION.match(bare) or _OTHER_QUESTION.search(bare):
        return True
    return asks_unmarked(bare)


def is_lone_word(sentence: str) -> bool:
    """Whether the sentence is one word between spaces: an answer, if anything was asked."""
    return _CJK.search(sentence) is None and len(words(sentence)) == 1


def wants_forgotten(sentence: str) -> bool:
    """Whether the sentence asks that something be forgotten; it tells nothing to remember."""
    return _FORGET.match(sentence.strip()) is not None


def is_affirmation(text: str) -> bool:
    """Whether the text begins with a yes."""
    return _AFFIRMATION.match(text.strip()) is not None


def is_denial(text: str) -> bool:
    """Whether the text begins with a no."""
    return _DENIAL.match(text.strip()) is not None


def is_chatter(sentence: str, *, names: Iterable[str] = ()) -> bool:
    """Whether a sentence that asks nothing holds nothing either.

    `names`: those of the people talking, whom greetings and praise address.
    """
    if _GREETING.match(sentence) and not _told_after_greeting(sentence):
        return True
    if _REMARK.match(without_greeting(sentence)):
        return True
    if _CJK.search(sentence):
        for name in names:
            sentence = sentence.replace(name, "")
        rest = _PICTURES_AND_MARKS.sub("", _CJK_FILLER.sub("", sentence))
        is_told = _CJK_PERSON.search(sentence) is not None and rest not in _CJK_REACTING
        return len(rest) < (1 if is_told else 2)
    addressed = _addressed(sentence, names)
    return not any(
        word not in addressed and (len(word) > 1 or word.isdigit()) for word in _words_held(sentence)
    )


def _addressed(sentence: str, names: Iterable[str]) -> set[str]:
    """The folded names and the short forms of them in the sentence: "Liz" of Lizbeth."""
    known = {part for name in names for part in words(name)}
    short = {word for each in _CAPITALISED.findall(sentence) for word in words(each)}
    return known | {word for word in short if any(part.startswith(word) for part in known)}


def _words_held(sentence: str) -> list[str]:
    """The folded words that hold something: where a person tells of someone, all but reactions.

    "Great job!" holds none, "I have no job" holds the job, "I love Nice" the town.
    """
    told = _TAKING.sub("", sentence).strip()
    named = _NAME_TELLING.match(told)
    if named is None and _TELLING.search(told) is None:
        return content_words(told)
    folded = words(told)
    language = language_for(told, folded)
    held = [word for word in folded if not is_reaction(word, language)]
    return [*held, *(words(named["name"]) if named else []), *_names_within(told)]


def _names_within(sentence: str) -> list[str]:
    """The folded words that a capital marks as names, unless all are written so."""
    names = _NAME_WITHIN.findall(sentence)
    is_title = len(names) > 1 and not re.search(r"\s[a-z]{3,}", sentence)
    return [] if is_title else [word for name in names for word in words(name)]


def without_greeting(sentence: str) -> str:
    """What is said after a greeting and whom it addresses: "Hi Lychee, I own a boat" says the latter."""
    found = _ADDRESS.match(sentence)
    return sentence[found.end() :] if found else sentence


def _told_after_greeting(sentence: str) -> bool:
    """Whether a short sentence that begins with a greeting goes on to tell something of its own."""
    told = _DEAR.sub("", without_greeting(sentence))
    own = _THEIR_OWN.search(told)
    if own is not None:
        told = told[own.start() :]
    elif len(told) == len(sentence) or len(words(told)) < 3:
        return False
    return bool(_words_held(told))


def is_only_chatter(sentences: Iterable[str], *, names: Iterable[str] = ()) -> bool:
    """Whether every sentence asks, greets, thanks or fills."""
    known = tuple(names)
    return all(is_question(sentence) or is_chatter(sentence, names=known) for sentence in sentences)
