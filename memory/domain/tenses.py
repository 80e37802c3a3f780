"""Whether a sentence speaks of what is to come or of what was, beside one of its dates.

The nearest verb before the date decides, else the first after it: "Ruth, who was ill, comes on
Thursday" looks ahead, "I said on Thursday that she is coming" looks back.
"""

import re

_L = r"(?<![^\W_])"
_R = r"(?![^\W_])"
_DAY = (
    r"(?:(?:on|at|this|am|el|ce|в)\s)?(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|montag"
    r"|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|lunes|martes|miércoles|jueves|viernes|sábado"
    r"|domingo|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)"
)


def _compile(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_AHEAD = _compile(
    rf"{_L}(?:will|won't|(?<!been\s)going to|gonna|planning|upcoming|deadline|due|scheduled|"
    rf"looking forward|can't wait|"
    rf"(?:postponed|pushed|rescheduled)\s(?:to|until|for)|tomorrow|werden?|wirst|wird|plane|nächste[nrs]?|"
    rf"буду|будет|будем|собираюсь|планирую|voy a|vamos a|je vais|on va){_R}|’ll\s|'ll\s"
    r"|将|打算|计划|準備|准备|我会|我们会|要去|下周|下个|预约|截止"
)
# What is made for a time to come, unless the sentence tells how it went.
_ARRANGED = _compile(rf"{_L}(?:appointment|termin|cita|consulta|rendez-vous|запись){_R}")
_ARRANGED_FOR = _compile(rf"{_L}for\s(?:this\s|next\s)?$")
# To what day something is put, whenever it was put there; the verb may stand behind the day.
_PUT = _compile(
    rf"{_L}(?:moved|postponed|pushed|rescheduled|shifted|delayed|brought\sforward|put(?=\s[^.;!?]*\b(?:off|back)\b))"
    rf"(?:\s[^.;!?]*)?\s(?:to|for)\s(?:this\s|next\s)?$"
    rf"|{_L}(?:report|repouss|décal|déplac)\w*\s[^.;!?]*?(?:à|au)\s$"
)
_PUT_ON = _compile(
    rf"{_L}(?:verschob\w+|verlegt|vertagt|aplaz\w+|pospus\w+|mov(?:ió|ieron|ido)|cambi(?:ó|aron|ado)|перен[её]с\w*){_R}"
)
_ON = _compile(r"(?:auf|al|на)\s")
# The present tense beside a day and month without a year speaks of one to come.
_PLANNED = _compile(
    rf"{_L}(?:gets?|is|are|am|happens?|starts?|begins?|opens?|takes? place|marr(?:y|ies)|flies|fly"
    rf"|leaves?|arrives?|moves?|travels?|runs?|lasts?|heiratet|beginnt|fliegt|findet|läuft|dauert"
    rf"|(?:est|sont|sera|a\slieu|commence|dure)(?=\s(?:le|du)\s\d)|(?:es|son|será|empieza|comienza|dura)(?=\s(?:el|del)\s\d)"
    rf"|ist(?=\s(?:am|vom)\s\d)){_R}(?!\s(?:from(?!\s(?:the\s)?\d)|born|since)\b)"
    # Without a verb in Russian; after what takes place in Chinese.
    rf"|^[а-яё\s]+\s(?:с\s|на\s)?\d|(?:定[在于]|改[在到]|将[在于]|是)(?=\d)|^[^，。我他她你]{{1,8}}[在从](?=\d)"
)
_ENDED = _compile(
    rf"{_L}(?:was|were|had|did|got|has been|have been|ago|\w{{2,}}ed|[а-яё]{{2,}}л(?:а|о|и)?(?:с[ья])?"
    rf"|(?:est|sont)\s(?:né|mort|venu|parti|arrivé)\w*|war(?:en)?|hatten?|wurden?|kam(?:en)?|ging(?:en)?|ge\w{{3,}}(?:t|en)){_R}"
    r"|[了过]|出生|去世"
)
_DOING = (
    "coming|going|visiting|arriving|leaving|starting(?!\\sto)|beginning(?!\\sto)|flying|meeting|seeing|having|moving|travell?ing"
    "|returning|departing|driving|hosting|performing|celebrating|marrying|getting\\smarried|taking|throwing|staying"
    "|opening|giving|bringing|picking|joining|catching"
)
_BASE = "come|go|visit|arrive|leave|start|begin|fly|meet|return|depart|travel|move|open|marry|play|gather"
_COMES = (
    rf"(?<!the\s)(?<!an\s)(?<!her\s)(?<!his\s)(?<!our\s)(?<!my\s)(?<!your\s)(?<!their\s)(?<!these\s)(?<!those\s)"
    rf"(?:comes|goes|visits|arrives|leaves|starts|begins|flies|meets|returns|departs|travels|moves|opens|marries|happens"
    rf"|takes\splace)"
    rf"|(?:(?:is|are|am)(?:\s(?:not|now|also|only|just|still|then|probably))?|(?:i|she|he|it|we|they|you|that|who)['’](?:s|re|m)"
    rf"|\w+['’]s)\s(?:{_DOING})"
    rf"|(?:do|does)\s(?:i|we|you|he|she|they)\s(?:have|do|need|meet|go|leave|fly)"
    rf"|(?:am|are|is)\s(?:i|we|you|he|she|they)\sdoing|what['’]s(?=\s{_DAY}{_R})|(?:is|are|['’]s)\s(?:planned|scheduled)"
    rf"|(?:habe|haben)\s(?:ich|wir)(?=\s{_DAY}\s(?:\w+\s)?vor\b)"
    rf"|(?:want|need|plan|hope|intend)s?\sto|(?:have|has)\sto(?!\s(?:say|admit))|(?:should|must)(?!\shave)|let['’]s"
    rf"|möchten?|muss|müssen|soll(?:en)?|quiero|queremos|quero|veux|voulons|хочу|хотим|est(?=\s{_DAY}{_R})"
    rf"|(?:is|are)(?=\s{_DAY}{_R})"
    rf"|(?:i|we|they|you|and|who|parents|friends|kids)\s(?:all\s|both\s|also\s|only\s|then\s)?(?:{_BASE})"
    rf"|(?:have|has|have\sgot|has\sgot|['’]ve\sgot)\s(?:(?:an?|my|our|her|his|their|the)\s)(?:[\w'’-]+\s){{0,2}}?"
    rf"(?:appointment|meeting|interview|exam|test|class|lesson|party|date|flight|surgery|rehearsal|check-?up|concert"
    rf"|match|game)"
    rf"|komm(?:e|st|t|en)|fahr(?:e|en|t)|fährt|flieg(?:e|t|en)|geh(?:e|t|en)|besuch(?:e|t|en)|triff[t]|treffen?"
    rf"|beginn(?:t|en)|starte[tn]?|reis(?:e|t|en)|ist(?=\s{_DAY}{_R}(?!.*\bge\w{{3,}}(?:en|t)\b))"
    rf"|vien(?:e|en)|vengo|venimos|va|van|vamos|voy|lleg(?:a|an|o|amos)|sale[n]?|salgo|visitan?|vuel(?:a|an|o)"
    rf"|empiezan?|comienzan?|tengo|tenemos|es(?=\s{_DAY}{_R})"
    rf"|vien(?:s|t|nent)|venons|vais|vont|allons|arriv(?:e|ent|ons)|par(?:s|t|tent|tons)|visitent?|commencent?|rencontre"
    rf"|vem|vêm|vou|vão|cheg(?:a|am|o)|saio|saem|começam?|tenho|viaj(?:a|am|o)"
    rf"|приед(?:у|ет|ем|ут)|приезжа(?:ю|ет|ем|ют)|прид(?:у|ёт|ет|ём|ут)|приход(?:ит|ят)|приход(?:им)|прилет(?:ит|ят|аю)"
    rf"|прилета(?:ет|ем|ют)|ед(?:у|ет|ем|ут)|ид(?:у|ёт|ем|ут)|лет(?:ит|им|ят)|лечу|встреча(?:юсь|емся|ется)"
    rf"|начина(?:ется|ются)"
)
# Bound to be done: "Remind me to call her on Thursday", "Vergiss nicht, …"; "I remember Thursday" looks back.
_REMINDS = (
    r"remind\s[\w'’-]+(?=\s(?:to|about|on|at|next|this)\s)|remember\sto|(?:don['’]t|not)\sforget|make\ssure"
    r"|(?<!ich\s)(?<!wir\s)erinner[en]?\s(?:mich|uns)|denk(?:e|t)?\s(?:bitte\s)?dar?an|(?:vergiss|vergesst)\snicht"
    r"|rappelle[-\s](?:moi|nous)|n['’]oublie[zs]?\spas|recuérda(?:me|nos)|no\solvides|lembr[ea][-\s](?:me|nos)"
    r"|não\s(?:te\s)?esqueças?|напомни(?:те)?|не\sзабудь(?:те)?"
)
_WENT = (
    r"was|were|had|did|didn['’]t|got|came|went|met|left|flew|began|saw|took|made|gave|said|told|felt|found|thought"
    r"|knew|bought|brought|ran|ate|drank|drove|won|lost|spent|kept|wrote|read|heard|held|slept|sat|stood|caught|bit"
    r"|fell|sang|swam|taught|built|sent|paid|woke|wore|broke|chose|spoke|rode|grew|became|put|hit|cut|hurt|let"
    r"|(?:have|has|(?:i|we|you|they)['’]ve)\s(?:just\s|already\s|recently\s)?(?:been|gone|had|come|met|left|done|seen)"
    r"|(?!excited|tired|interested|indeed|married|worried|thrilled|delighted|pleased|need|hundred|wed\b|red\b|bed\b)"
    r"[a-z]{2,}ed"
    r"|war(?:en|st)?|hatten?|kam(?:en)?|ging(?:en)?|fuhr(?:en)?|flog(?:en)?|traf(?:en)?|begann|sagten?|sah(?:en)?"
    r"|gab(?:en)?|(?:an|ab|mit|zurück)?ge(?:gangen|kommen|fahren|flogen|troffen|sehen|macht|sagt|wesen|habt)"
    r"|getroffen|begonnen"
    r"|vino|vinieron|fue|fueron|fui|fuimos|llegó|llegaron|salió|salieron|visitó|estuv\w+|tuv[eo]|vi|vimos|dij[eo]"
    r"|(?:ha|he|han|hemos)\s\w+(?:ado|ido|to|cho)"
    r"|vint|venue?s?|était|étaient|étais|avait|avais|allée?s?|arrivée?s?|partie?s?|visité|vue?s?|dit|fait"
    r"|veio|vieram|foi|foram|chegou|chegaram|saiu|esteve|tive|teve|disse"
    r"|[а-яё]{2,}(?:ал|ил|ел|ыл|шёл|шел|яла?|ала|ила|ела|ыла|шла|али|или|ели|ыли|шли)(?:а?сь|ся)?"
)
_VERB = _compile(
    rf"{_L}(?:(?P<ahead>will|(?<!been\s)going\sto|{_COMES}|{_REMINDS})|(?<!\bto\s)(?<!please\s)(?P<past>{_WENT})){_R}"
    rf"|(?P<soon>['’]ll\s|提醒|[别不]要?忘|別忘|记得(?!.*[过了])|忘れずに|リマインド)"
)
# An order where no other verb tells: "Call Bob on Thursday"; "Call with Bob on Thursday" is none.
_ORDER = _compile(
    r"^\W*(?:please\s(?!tell|show|find|give|list|say|summari)\w+\s|(?:call|phone|text|email|buy|order|book|pay|renew|send"
    r"|submit|return|pick|collect|bring|take|fetch|drop|water|feed|clean|wash|fix|repair|cook|bake|make|write|finish"
    r"|cancel|visit|sign|prepare)\s(?!with|on|from|at|in|about|of|and|or|by|is|was)[\w'’-]+\s"
    r"|(?:bitte\s)?(?:ruf|kauf|bestell|bezahl|schick|bring|hol|gieß|nimm|schreib)e?\s)"
)
_OF = _compile(rf"{_L}(?:of|from|about|vo[nm]|über)\s$")
_REACH = 160  # characters on either side of a date in which its verb is looked for


# "Thursday, not Wednesday": the day that is put right, or that something is not on.
_NOT = (
    r"(?:not|nicht|no|non|pas|não|не|instead\sof|rather\sthan|statt|anstatt|en\s(?:vez|lugar)\sde|em\svez\sde"
    r"|au\slieu\sde|plutôt\sque|вместо|不是|而不是|不在)"
    r"\s?(?:(?:on|in|at|this|the|am|im|an|den|el|en|le|à|no|na|em|во?)\s)?"
)
_NEGATED = _compile(rf"{_L}{_NOT}$")
_CONTRASTED = _compile(
    rf"(?:^|[,;:(，；—–-]\s?|{_L}(?:and|but|und|aber|y|et|mais|pero|mas|e|а|и|но)\s){_NOT}$"
)

_SINCE = _compile(
    rf"{_L}(?:since|seit|depuis|desde|sedert|sinds|od){_R}(?!\s(?:we|i|she|he|it|they|you|then)\b)"
    rf"|{_L}(?:с|со)\s(?:прошл\w+|эт\w+|\w+а|\w+я|\d{{4}}){_R}|[从自].{{1,10}}[起以]来?|から"
)


def is_negated(text: str, start: int, *, is_only: bool) -> bool:
    """Whether the date that begins at `start` is the one that is not meant.

    `is_only`: the text has no other date, so that only a contrast ("…, not Wednesday") denies it.
    """
    return (_CONTRASTED if is_only else _NEGATED).search(text[max(0, start - 40) : start]) is not None


def is_planning(text: str) -> bool:
    """Whether a word in the text tells of what is to come, whatever stands beside it."""
    return _AHEAD.search(text) is not None


def is_present(text: str) -> bool:
    """Whether the text speaks of something in the present tense, and of nothing that was."""
    return _PLANNED.search(text) is not None and _ENDED.search(text.replace("married", "")) is None


def says_since(text: str) -> bool:
    """Whether the text says since when something is so: "since March we live in Kiel"."""
    return _SINCE.search(text) is not None


def looks_ahead(text: str, start: int, end: int) -> bool:
    """Whether what the text says of its date [start, end) is to come."""
    if _SINCE.search(text, max(0, start - 8), end):
        return False
    if _is_put_to(text, start, end):
        return True
    tense = _tense(text, start, end)
    if _ARRANGED.search(text, max(0, start - _REACH), end + _REACH):
        return tense is not False or _ARRANGED_FOR.search(text, max(0, start - 12), start) is not None
    if tense is None:
        return _ORDER.match(text) is not None and _OF.search(text[:start]) is None
    return tense


def _is_put_to(text: str, start: int, end: int) -> bool:
    """Whether something was put off, or brought forward, to the date."""
    if _ON.match(text, start):
        return _PUT_ON.search(text, max(0, start - _REACH), end + _REACH) is not None
    return _PUT.search(text[max(0, start - _REACH) : start]) is not None


def _tense(text: str, start: int, end: int) -> bool | None:
    """True for what is to come, False for what was, None where no verb tells."""
    verbs = list(_VERB.finditer(text, max(0, start - _REACH), end + _REACH))
    before = [verb for verb in verbs if verb.end() <= start]
    after = [verb for verb in verbs if verb.start() >= end]
    if not before and not after:
        return None
    return (before[-1] if before else after[0])["past"] is None
