"""What came of an answer, as the next turn of the person who asked tells it.

A table of what people say, by cue and language; a clause must begin with the cue, so that
"the trick that worked last year" praises nothing. What no cue decides stays undecided.
docs/algorithms/feedback.md.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum

from memory.domain.sentences import split_sentences
from memory.domain.text import fold, search_terms


class Outcome(StrEnum):
    """What a recall led to."""

    OPEN = "open"
    SUCCESS = "success"
    FAIL = "fail"
    CORRECTION = "correction"


# For learning: what an outcome is worth.
REWARDS: Mapping[Outcome, float] = {Outcome.SUCCESS: 1.0, Outcome.CORRECTION: -0.5, Outcome.FAIL: -1.0}
SAME_QUESTION = 0.8  # Jaccard of search terms from which a question is asked again
_MOST_SENTENCES = 3  # what a person says of an answer comes first
_THANKS_WORDS = 6  # beside the thanks; more tell something else

# Cues that the answer was not what was meant.
_CORRECTION = {
    "en": r"(?:no )?i (?:meant|mean|was asking|asked (?:for|about)|said)\b|(?:no )?that(?:'?s| is"
    r"| was) (?:wrong|not (?:right|"
    r"correct|true|it|what i)|incorrect)|that isn'?t (?:right|what i|true)|i (?:didn'?t"
    r"|did not) (?:mean|ask|say)"
    r"|wrong\b(?! with)|not th(?:at|is) one|you(?:'re| are) (?:wrong|mistaken)",
    "de": r"(?:nein )?ich (?:meinte|meine)\b|(?:nein )?das (?:ist|war) (?:falsch|nicht richtig"
    r"|nicht das)|(?:das )?stimmt nicht"
    r"|falsch\b",
    "fr": r"(?:non )?je (?:voulais|parlais|veux) (?:dire|de)|(?:non )?c'?est (?:faux|pas (?:ca|juste"
    r"|correct|bon|vrai))"
    r"|ce n'?est pas (?:ca|juste|correct|vrai|ce que)",
    "es": r"(?:no )?(?:quise decir|queria decir|me refer(?:ia|i)\b|yo dije)|(?:no )?eso (?:esta mal"
    r"|no es)|(?:no )?es incorrecto",
    "it": r"(?:no )?(?:intendevo|volevo dire)|(?:no )?(?:e|quello e) sbagliato|non e (?:giusto"
    r"|corretto|quello)",
    "pt": r"(?:nao )?(?:eu )?(?:quis|queria|quero) dizer|(?:nao )?(?:isso )?esta errado"
    r"|nao e (?:isso|verdade)",
    "nl": r"(?:nee )?ik bedoel(?:de)?\b|(?:nee )?dat (?:is|was) (?:fout|niet (?:juist|goed|wat))"
    r"|(?:dat )?klopt niet",
    "ru": r"(?:нет )?я (?:имела?|хотела?|говорила?|спрашивала?)\b|(?:нет )?это (?:неверно"
    r"|неправильно|не то|не так)"
    r"|неверно|неправильно",
    "zh": r"(?:不 ?)?我(?:是说|说的是|的意思是|问的是)|不对|错了|说错|不是(?:这个|那个|这样)",
    "ja": r"違(?:う|います)|そうじゃな|そうではな|そういう意味では|間違(?:い|って)",
    "ko": r"(?:아니(?:요)? ?)?(?:제|내) 말은|틀렸|그게 아니",
}
# Cues that what was tried did not work.
_FAIL = {
    "en": r"(?:it|that|this) (?:didn'?t|did not|doesn'?t|does not|still doesn'?t|never"
    r"|won'?t) (?:work|help|fix|solve)"
    r"|didn'?t (?:work|help)|doesn'?t (?:work|help)|(?:it|that|this)(?:'?s"
    r"| is) (?:still )?(?:not working|broken|no help|useless)"
    r"|still (?:broken|failing|fails|not working|doesn'?t|the same)|(?:it|that"
    r"|this) (?:still )?(?:failed|fails)|same error"
    r"|i(?:'m| am)? (?:still )?get(?:ting)? (?:an|the same|another) error|not helpful|no luck"
    r"|that made it worse",
    "de": r"(?:das |es )?(?:hat|funktioniert|geht|klappt|hilft) (?:leider )?(?:immer noch "
    r"|noch immer |so )?nicht"
    r"|(?:das |es )?hat (?:leider )?nicht|immer noch (?:kaputt|der(?:selbe| gleiche)|derselbe) "
    r"|geht nicht",
    "fr": r"(?:ca|cela) (?:ne )?(?:marche|fonctionne|aide) pas|(?:ca|cela) n'?a pas (?:marche"
    r"|fonctionne|aide)|toujours (?:pas|la meme)",
    "es": r"(?:eso )?no (?:funciona|funciono|sirve|sirvio|ayuda)|sigue (?:sin|igual|fallando)"
    r"|el mismo error",
    "it": r"non (?:funziona|ha funzionato|va|aiuta)|sempre lo stesso",
    "pt": r"(?:isso )?nao (?:funciona|funcionou|ajudou|deu certo)|o mesmo erro",
    "nl": r"(?:dat |het )?(?:werkt|werkte|helpt|hielp) (?:nog steeds )?niet",
    "ru": r"(?:это )?(?:не (?:работает|сработало|помогло|помогает|получилось))|всё равно не"
    r"|все равно не|та же ошибка",
    "zh": r"(?:还是|仍然)?(?:不行|没用|不管用|没有用|没成功|失败了|报错)|还是(?:不|没|一样)",
    "ja": r"(?:うまく)?(?:いきません|いかな|動きません|動かな|できませんでした|だめ|ダメ)"
    r"|まだ(?:エラー|同じ)",
    "ko": r"안 ?(?:돼|되네|됩니다|됐)|작동하지|여전히|소용없",
}
# Cues that it worked, or was right.
_SUCCESS = {
    "en": r"(?:yes )?(?:it|that|this)(?:'?s| has| is| was| all)? ?(?:work(?:s|ed|ing)?\b(?! (?:on"
    r"|for|at|with|as|in)\b)|helped|helps|fixed it|"
    r"solved it|did (?:it|the trick)|(?:exactly )?(?:right|correct|perfect|it|what i (?:needed"
    r"|wanted|meant))(?:$| ))|works (?:now|great|perfectly|fine|"
    r"like a charm)|(?:exactly|perfect|correct|solved|fixed|spot on|worked|great answer|well done)$"
    r"|(?:problem|issue) solved",
    "de": r"(?:das |es )?(?:hat (?:funktioniert|geklappt|geholfen)|funktioniert|klappt"
    r"|geht)(?: jetzt| wieder| super)?$|genau$|perfekt$"
    r"|(?:das )?(?:stimmt|ist richtig)$|(?:problem )?gelost$",
    "fr": r"(?:ca|cela) (?:a )?(?:marche|fonctionne|aide)(?! pas)|parfait$|exactement$|c'?est (?:ca"
    r"|exact|parfait|juste)$|resolu$",
    "es": r"(?:eso )?(?:ya )?(?:funciona|funciono|sirvio)|perfecto$|exacto$|correcto$|resuelto$",
    "it": r"(?:ora )?(?:funziona|ha funzionato)|perfetto$|esatto$|risolto$",
    "pt": r"(?:isso )?(?:funciona|funcionou|deu certo|ajudou)|perfeito$|exato$|resolvido$",
    "nl": r"(?:dat |het )?(?:werkt|werkte|heeft geholpen)(?! niet)|perfect$|precies$|opgelost$",
    "ru": r"(?:это )?(?:работает|сработало|помогло|получилось|заработало)|верно$|точно$|отлично$"
    r"|правильно$|решено$",
    "zh": r"(?:这个|这)?(?:可以了|成功了|有用|管用|解决了|行了|好了|搞定)|没错$|正是$|对了$|完美$",
    "ja": r"(?:うまく)?(?:いきました|いった|動きました|できました|解決しました|助かりました)"
    r"|その通り|完璧",
    "ko": r"(?:잘 ?)?(?:됐어요|됐습니다|됩니다|작동해요|해결됐)|맞아요$|완벽",
}
_THANKS = {
    "en": r"(?:many |ok |great |perfect |awesome |cool )?(?:thanks|thank you|thx|cheers"
    r"|much appreciated)\b",
    "de": r"(?:vielen |super |ok |perfekt )?dank(?:e|e dir|e sehr|eschon)?\b",
    "fr": r"(?:ok |super |parfait )?merci\b",
    "es": r"(?:muchas |ok |perfecto )?gracias\b",
    "it": r"(?:ok |perfetto )?grazie\b",
    "pt": r"(?:muito |ok )?obrigad[oa]\b",
    "nl": r"(?:ok )?(?:bedankt|dank je|dankjewel|dank u)\b",
    "ru": r"(?:большое |ок )?спасибо|благодарю",
    "zh": r"谢谢|多谢|感谢",
    "ja": r"ありがとう|助かる",
    "ko": r"감사합니다|고마워|고맙",
}
_TOOL_ERROR = re.compile(
    r"^[\s\[(*]*(?:error|exception|traceback|fatal|failed|failure|permission denied|command not found"
    r"|timed? ?out|fehler|erreur"
    r"|ошибка|错误|エラー)\b|\b(?:traceback \(most recent call last\)|exit (?:code|status) [1-9]"
    r"|returned non-zero)"
    r"|[\"'](?:is_?error|failed)[\"']\s*:\s*true|[\"'](?:error|exception)[\"']\s*:\s*[\"'{\[]",
    re.IGNORECASE,
)
_LEAD_IN = re.compile(
    r"^(?:(?:ok(?:ay)?|no|nope|nah|yes|yep|yeah|hm+|sorry|actually|great|good|well|oh|ah|wow|awesome"
    r"|nice|cool|super"
    r"|nein|ja|non|oui|si|nee|нет|да|いや|いいえ|はい|아니(?:요)?|네|不|嗯"
    r"|好的?)(?:[\s,.!:;–—、,。]+|$))+"
)
_BUT = re.compile(
    r"[,;–—]?\s+(?:but|aber|mais|pero|ma|mas|maar|но)\s+|[,，、]?\s*(?:但是?|可是|不过|でも|けど"
    r"|하지만|근데)\s*"
)
_CLAUSE_ENDS = re.compile(r"[,;:–—，；、]")
_PUNCTUATION = re.compile(r"[\s,;:!.?…。！？、，]+")


def _compiled(table: Mapping[str, str]) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{cues})" for cues in table.values()))


# In this order the first that fits decides.
_CUES = (
    (Outcome.CORRECTION, _compiled(_CORRECTION)),
    (Outcome.FAIL, _compiled(_FAIL)),
    (Outcome.SUCCESS, _compiled(_SUCCESS)),
)
_THANKING = _compiled(_THANKS)


def judge_next_turn(text: str, *, asked: str, tool_results: Sequence[str] = ()) -> Outcome | None:
    """What the turn says of the answer before it; None where it does not tell.

    `asked`: the question that was answered; `tool_results`: what tools returned since. A
    person's words count before a tool's error, that before mere thanks.

    "No, I meant Ann" is a correction, "Thanks, but it didn't work" a failure.
    """
    clauses = _clauses(text)
    for outcome, pattern in _CUES:
        if any(pattern.match(form) for clause in clauses for form in _forms(clause)):
            return outcome
    if is_asked_again(text, asked) or any(map(is_tool_error, tool_results)):
        return Outcome.FAIL
    return Outcome.SUCCESS if _is_thanks(clauses) else None


def is_asked_again(text: str, asked: str) -> bool:
    """Whether the text asks what was asked before, in nearly the same words."""
    now, before = set(search_terms(text)), set(search_terms(asked))
    return bool(now) and len(now & before) >= SAME_QUESTION * len(now | before)


def is_tool_error(result: str) -> bool:
    """Whether what a tool returned begins with, or plainly reports, a failure."""
    return _TOOL_ERROR.search(result[:2_000]) is not None


def usage_prior(success: int, fail: int, *, weight: float) -> float:
    """What usage says for an item: the mean of Beta(1 + success, 1 + fail), centred at 0, within
    ±`weight`. Never used 0; 8 successes of 8 with weight 0.05 give 0.04.
    """
    mean = (1 + success) / (2 + success + fail)
    return weight * (2 * mean - 1)


def _clauses(text: str) -> list[str]:
    """The first sentences' clauses, folded; what is asked tells of no outcome."""
    told = (part for each in split_sentences(text[:2_000])[:_MOST_SENTENCES] for part in _told(each))
    parts = (part for each in told for part in _BUT.split(fold(each).replace("’", "'")))
    return [clause for part in parts if (clause := _PUNCTUATION.sub(" ", part).strip())]


def _told(sentence: str) -> list[str]:
    """The sentence; of a question what stands before its last clause: "It failed, what now?"."""
    if not sentence.rstrip().endswith(("?", "？", "؟")):
        return [sentence]
    return _CLAUSE_ENDS.split(sentence)[:-1]


def _forms(clause: str) -> Iterable[str]:
    """The clause, and what follows its lead-in: "no, that's wrong" too says "that's wrong"."""
    yield clause
    bare = _LEAD_IN.sub("", clause)
    if bare != clause and bare:
        yield bare


def _is_thanks(clauses: Sequence[str]) -> bool:
    """Whether all that is said is thanks, with little beside it."""
    if len(clauses) > _MOST_SENTENCES or not clauses:
        return False
    thanked = [clause for clause in clauses if any(_THANKING.match(form) for form in _forms(clause))]
    beside = sum(len(clause.split()) for clause in clauses) - len(thanked)
    return bool(thanked) and beside <= _THANKS_WORDS
