"""A statement to its memory type and to how sure it sounds, by cue words."""

import re

from memory.domain.types import MemoryType

_FLAGS = re.IGNORECASE

# In this order: the first type whose cue is heard. A failure is told of before the
# tool that failed, a rule before the taste it rests on.
_CUES: tuple[tuple[MemoryType, re.Pattern[str]], ...] = (
    (
        MemoryType.FAILURE_PATTERN,
        re.compile(
            r"\b(?:traceback|exception|stack ?trace|segfault|timed out|time-?out|crash(?:es|ed|ing)?|"
            r"(?:fails?|failed|failing) (?:to|with|because|when|on|if|after|at)|(?:error|"
            r"bug)s? (?:in|with|when|code|message)|"
            r"(?:throws?|raises?|raised|returned|got|getting) an? (?:\w+ )?(?:error|exception)|"
            r"doesn't work (?:when|if|with|on)|"
            r"fehler(?:meldung)?|abgestürzt|stürzt ab|ошибк[аиуой]+|сбой|не работает|упал[аио]? с)\b"
            r"|\b[A-Z]\w+Error\b|报错|失败|(?:程序|系统|服务器?|应用|软件|页面).{0,6}崩溃|出错|异常|エラー|오류",
            _FLAGS,
        ),
    ),
    (
        MemoryType.PROCEDURE,
        re.compile(
            r"^(?:steps?|how to|to (?:fix|set up|install|deploy|build|run|make|restart|configure|"
            r"reset)\b[^.]{3,80},)"
            r"|\b(?:first,? [^.]{3,120}?,? (?:and )?then\b|step \d|the (?:procedure|recipe|workflow|"
            r"process) (?:is|for))"
            r"|^(?:um|zum) .{3,60} zu \w+,|zuerst .{3,80} dann|сначала .{3,100} (?:потом|затем)|"
            r"чтобы .{3,80}, (?:нужно|надо)"
            r"|首先.{2,80}(?:然后|再|接着)|步骤|流程是",
            _FLAGS,
        ),
    ),
    (
        MemoryType.TOOL_AFFORDANCE,
        re.compile(
            r"\b(?:api|cli|command|endpoint|tool|script|plugin|library|function|sdk|webhook|query|"
            r"flag)s?\b[^.]{0,60}"
            r"\b(?:can|lets?|allows?|supports?|returns?|accepts?|takes|is able to|enables?)\b"
            r"|(?:接口|工具|命令|脚本)[^。]{0,20}(?:可以|支持|返回|能)|(?:инструмент|команда|"
            r"скрипт)\w* (?:может|позволяет|поддерживает)"
            r"|(?:werkzeug|befehl|skript)\w* (?:kann|erlaubt|unterstützt)",
            _FLAGS,
        ),
    ),
    (
        MemoryType.CONSTRAINT,
        re.compile(
            r"\b(?:must(?:n't)?|have to|has to|need(?:s)? to be|(?:is|are|am) not allowed|"
            r"no more than|at most|at least|deadline|budget|"
            r"allerg(?:y|ic|ies)|intoleran(?:t|ce)|can(?:'t|not) (?:eat|drink|have|take|stand being)|"
            r"don'?t (?:ever|use|call|email|book)|never (?:use|call|book|send)|"
            r"always (?:use|answer|reply|send|include|ask)|"
            r"^(?:please,? )?(?:do not|don'?t|never|always) (?!been|had|seen|heard|thought|knew|met|went|"
            r"like|love|want|know|think|feel)[a-z]+(?<!ed)|(?:only|please) (?:use|answer|reply|speak|"
            r"write)|promised?|required|"
            r"muss|müssen|darf nicht|dürfen nicht|höchstens|mindestens|allergi\w*|verträgt kein\w*|"
            r"vertrage kein\w*|frist|"
            r"должн[аыо]?|нельзя|необходимо|обязан\w*|не более|аллерги\w*|обещал[аи]?|debo|tengo que|"
            r"alérgic[oa]|dois|il faut|allergique)(?![^\W_])"
            r"|必须|不能|不可以|不要|不许|过敏|预算|截止|最多|至少|别用|一定要|承诺|ダメ|必要|アレルギー",
            _FLAGS,
        ),
    ),
    (
        MemoryType.PREFERENCE,
        re.compile(
            r"\b(?:(?:i|we|you|he|she|they|do|don'?t|doesn'?t|didn'?t|really|also|just|always|i'd|to|"
            r"who)\s(?:\w+ly\s)?like|likes|(?:love|loves|enjoy|enjoys|prefer|prefers|preferred|hate|"
            r"hates|dislike|dislikes|adore|adores)\b|"
            r"favou?rites?|can'?t stand|fan of|fond of|passion(?:ate)?|obsessed with|into (?:\w+ing)|"
            r"rather (?:have|not|than)|(?:would|'d) rather|would rather|"
            r"lieblings\w+|mag|liebe|liebt|hasse|bevorzug\w+|lieber|gefällt|"
            r"люблю|любит|любим\w+|нравится|нравятся|предпочита\w+|ненавижу|обожаю|me gusta|"
            r"me encanta|prefiero|prefiere|"
            r"j'aime|j'adore|je préfère|préfère|déteste)(?![^\W_])"
            r"|喜欢|喜歡|最爱|热爱|爱吃|爱喝|讨厌|偏好|更愿意|感兴趣|好き|嫌い|좋아|싫어",
            _FLAGS,
        ),
    ),
    (
        MemoryType.EVENT,
        re.compile(
            r"\b(?:went|attended|visited|met|joined|started|began|finished|completed|graduated|"
            r"married|moved|travel+ed|flew|drove|"
            r"bought|sold|won|lost|adopted|celebrated|signed up|participated|volunteered|performed|"
            r"launched|opened|hosted|organized|"
            r"ran|hiked|camped|took (?:my|the|a|part|them|him|her)|got (?:a|an|my|the|hired|married|"
            r"engaged|accepted|promoted)|had (?:a|an|my|our) \w+|"
            r"appointment|meeting|wedding|conference|concert|interview|"
            r"war gestern|besucht|getroffen|gefahren|gegangen|gekauft|geheiratet|umgezogen|angefangen|termin|"
            r"ходил[аи]?|ездил[аи]?|был[аи]? на|встретил\w*|купил[аи]?|переехал[аи]?|начал[аи]?|"
            r"закончил[аи]?|женил\w+|встреча|"
            r"fui|fuimos|compré|conocí|empecé|suis allée?|j'ai (?:acheté|visité|rencontré))(?![^\W_])"
            r"|去了|参加了|买了|见了|搬到|开始了|结婚|毕业|旅行|会议|预约|行った|갔",
            _FLAGS,
        ),
    ),
)
_HEDGES = re.compile(
    r"\b(?:maybe|perhaps|might|may be|probably|possibly|i think|i guess|not sure|wondering|"
    r"considering|could be|supposedly|"
    r"vielleicht|wahrscheinlich|glaube|möglicherweise|наверное|может быть|возможно|кажется|вероятно|"
    r"quizás|tal vez|peut-être)(?![^\W_])"
    r"|可能|也许|大概|或许|不确定|好像|かもしれ|아마",
    _FLAGS,
)


def memory_type_of(statement: str, *, has_date: bool) -> MemoryType:
    """The type whose cue the statement holds; a dated one without any is an event."""
    for memory_type, cue in _CUES:
        if cue.search(statement):
            return memory_type
    return MemoryType.EVENT if has_date else MemoryType.FACT


def is_failure(text: str) -> bool:
    """Whether the text tells of an error."""
    return _CUES[0][1].search(text) is not None


def is_hedged(statement: str) -> bool:
    """Whether the speaker is unsure."""
    return _HEDGES.search(statement) is not None
