"""Single-valued attributes by pattern: "I moved to Berlin" -> residence = Berlin."""

import re
from typing import NamedTuple

from memory.domain.contrast import without_contrast
from memory.domain.text import words
from memory.providers.offline_language.quotations import Span, covers, quoted_spans


class Slot(NamedTuple):
    """A named attribute of the speaker and its value as it was written."""

    name: str
    value: str


_STOP = (
    r"(?=\s+(?:and|but|with|since|because|so|now|for|where|which|who|after|before|when|while|if|last|this|next|right"
    r"|again|as|originally|umgezogen|gezogen|on|during"
    r"|in (?:(?:19|20)\d\d|early|late|spring|summer|autumn|winter|January"
    r"|February|March|April|May|June|July|August|\w+ber)|a few|und|aber|seit|weil"
    r"|и|но|с|уже|y|pero|et|mais|depuis|el (?:mes|año|verano|invierno)|la semana|hace|le mois"
    r"|l['’]an|la semaine|cette|il y a)\b"
    r"|[.,;:!?()\n]|$)"
)
_CAPITAL = (
    r"(?P<v>(?:the\s)?[^\W\d_a-zа-яёß][\w'’.-]*"
    rf"(?:[\s,]+(?:of|de|del|la|le|am|an der|di|[^\W\d_a-zа-яё][\w'’.-]*))*){_STOP}"
)
_PHRASE = rf"(?P<v>[^\s.,;:!?][^.,;:!?\n]{{0,60}}?){_STOP}"
_ZH_STOP = r"(?=[，。；！？、,.;!?\s]|了|的|$|因为|所以|但是|已经|和我|现在)"
_ZH = rf"(?P<v>[^，。；！？、,.;!?\s]{{1,16}}?){_ZH_STOP}"
_SEIT = r"seit(?:\s(?:dem|letzte[mnr]|diese[mr]|einem|einer|kurzem|\w+)){1,3}?"
_ADVERB = r"(?:\s(?:currently|now|actually|still|just|recently|really|also|finally|originally|mainly))?"
# Where they work who work for themselves.
_OWN_FIRM = (
    r"(?P<v>(?:own\s(?:\w+\s){0,2}?(?:practice|business|company|firm|shop|store|studio|agency|restaurant|café|bakery"
    r"|salon|clinic|workshop|farm|startup)"
    r"|eigene[ns]?\s(?:Praxis|Firma|Kanzlei|Werkstatt|Agentur|Laden|Geschäft|Unternehmen|Studio|Restaurant|Betrieb)"
    r"|propre\s(?:cabinet|entreprise|société|boutique|atelier|restaurant|agence|salon)"
    r"|propi[oa]\s(?:negocio|empresa|consulta|tienda|restaurante|taller|estudio)"
    r"|сво(?:й|я|ё)\s(?:бизнес|фирма|компания|магазин|студия|ресторан|клиника|мастерская|практика)))(?!\w)"
)


def _compile(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


_PATTERNS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("residence", _compile(rf"\b(?:[Ii]|[Ww]e)(?:'m|’m| am|'re|’re| are|'ve been|’ve been| have been)?"
        rf"{_ADVERB}\s(?:live|living|reside|based|staying permanently)"
        rf"(?:\s(?:now|currently))?\s(?:in|at)\s{_CAPITAL}")),
    ("residence", _compile(rf"\b(?:[Ii]|[Ww]e)(?:'ve|’ve| have)?{_ADVERB}\s(?:moved|relocated|"
        rf"move)(?:\s(?:back|out|over|here))?(?:\sfrom\s[^.,;:!?\n]{{1,40}}?)?\s(?:to|into)\s"
        rf"(?:an?\s(?:\w+\s){{0,2}}(?:flat|house|apartment|room|place|home)\sin\s)?{_CAPITAL}")),
    ("residence", _compile(rf"\b(?:[Ii]ch\s(?:[^.,;:!?\n]{{2,60}}\sund\s)?(?:wohne|lebe)"
        rf"|(?:wohne|lebe)\s[Ii]ch|[Ww]ir\s(?:wohnen|leben)"
        rf"|(?:wohnen|leben)\swir)(?:\s(?:jetzt|nun|wieder|{_SEIT})){{0,2}}\s(?:in|am)\s{_CAPITAL}")),
    ("residence", _compile(rf"\b(?:[Ii]ch\s(?:bin|ziehe)|bin\sich|[Ww]ir\ssind|sind\swir)(?:\s\w+){{0,4}}?\s"
        rf"nach\s{_CAPITAL}(?=.*gezogen)")),
    ("residence", _compile(rf"\b(?:[Яя]|[Мм]ы)\s(?:сейчас\s|теперь\s|снова\s|опять\s){{0,2}}"
        rf"(?:живу|живём|живем|проживаем|проживаю)\s(?:сейчас\s|теперь\s|снова\s|опять\s)?во?\s{_CAPITAL}")),
    ("residence", _compile(rf"\b(?:[Яя]|[Мм]ы)\s(?:недавно\s|снова\s|опять\s)?"
        rf"(?:переехал[аи]?|перебралась?|перебрались|перебрался)\s(?:обратно\s|назад\s)?во?\s{_CAPITAL}")),
    ("residence", _compile(rf"\b(?:[Vv]ivo|[Vv]ivimos|[Mm]e mudé|[Nn]os mudamos)"
        rf"(?:\s(?:ahora|de nuevo|otra vez|de vuelta))?\s(?:en|a)\s{_CAPITAL}")),
    ("residence", _compile(rf"\b(?:[Jj](?:'|’|e\s)(?:habite|vis|ai déménagé)|[Nn]ous\s(?:habitons|vivons"
        rf"|avons déménagé))(?:\s(?:maintenant|de nouveau|à nouveau))?\s(?:à|en|au)\s{_CAPITAL}")),
    ("residence", _compile(rf"我们?(?:[从自].{{1,8}}?[起以]来?)?(?:就|一直)?"
        rf"(?:现在|目前|已经|刚|又|再次|重新){{0,2}}(?:住在|搬(?:到|去|回)了?|定居在|居住在)(?!老?家){_ZH}")),
    ("residence", _compile(r"(?:私は)?(?P<v>[^\s、。は]{1,12}?)に(?:住んで|引っ越し)")),
    ("employer", _compile(rf"\b[Ii](?:'m|’m| am)?{_ADVERB}\s(?:work|working|employed|"
        rf"started working)(?:\s(?:now|currently|remotely|full-time|part-time|"
        rf"as an? [\w ]{{2,30}}?))?\s(?:at|for|with)\s{_CAPITAL}")),
    ("employer", _compile(rf"\b[Ii](?:'ve|’ve| have)?{_ADVERB}\s(?:joined|started at|got hired (?:at|"
        rf"by))\s{_CAPITAL}(?=.*(?:job|work|hired|engineer|team|employ|as an?))")),
    ("employer", _compile(rf"\b[Ii]ch\sarbeite(?:\s\w+)?\s(?:bei|für)\s{_CAPITAL}")),
    ("employer", _compile(rf"\b[Яя]\s(?:сейчас\s)?работаю\sв\s{_CAPITAL}")),
    ("employer", _compile(r"我(?:现在|目前)?在(?P<v>[^，。；！？、,.;!?\s]{1,16}?)(?:工作|上班|任职|就职)")),
    ("employer", _compile(rf"\b[Ii]\s(?:now|currently)\s(?:run|own|manage)\s(?:my|our)\s{_OWN_FIRM}")),
    ("employer", _compile(rf"\b[Ii]ch\s(?:habe|führe|leite|betreibe)\s(?:jetzt|nun)\smeine?n?\s{_OWN_FIRM}")),
    ("employer", _compile(rf"\b[Jj](?:'|’|e\s)(?:ai|dirige|gère)\smaintenant\sm(?:on|a)\s{_OWN_FIRM}")),
    ("employer", _compile(rf"\b[Aa]hora\s(?:tengo|dirijo)\smi\s{_OWN_FIRM}")),
    ("employer", _compile(rf"\b[Уу]\sменя\sтеперь\s{_OWN_FIRM}")),
    ("employer", _compile(r"我现在(?:经营着?|开了?|有)"
        r"(?P<v>自己的[^，。；！？、,.;!?\s]{0,6}?(?:公司|诊所|店|工作室|餐厅|企业))")),
    ("job", _compile(rf"\b[Ii]{_ADVERB}\s(?:work|am working|started)\sas\san?\s{_PHRASE}")),
    ("job", _compile(r"\b[Ii](?:'m|’m| am)\san?\s(?P<v>(?:[\w-]+\s){0,3}(?:engineer|developer|"
        r"designer|teacher|nurse|doctor|lawyer|writer|artist|student|manager|scientist|researcher|"
        r"chef|musician|accountant|consultant|architect|photographer|professor|programmer|analyst|"
        r"journalist|therapist|counsel+or|dancer|driver|pilot|mechanic|electrician|carpenter|farmer|"
        r"librarian|pharmacist|dentist|veterinarian|physicist|biologist|chemist|economist|translator|"
        r"editor|entrepreneur))\b")),
    ("job", _compile(rf"\b[Ii]ch\s(?:arbeite als|bin von Beruf)\s{_PHRASE}")),
    ("job", _compile(rf"\b(?:[Jj]e travaille comme|[Tt]rabajo como|[Tt]rabalho como|[Ll]avoro come)\s"
        rf"{_PHRASE}")),
    ("job", _compile(r"\b[Яя]\s(?:сейчас\s)?работаю\s(?P<v>[а-яё]+(?:ом|ем|ой|ей|истом))\b")),
    ("job", _compile(r"我是(?:一名|一个|一位|个|名)(?P<v>[^，。；！？、,.;!?\s]{2,10}?(?:师|员|生|家|"
        r"者|手|工|医|长|经理|教授|老师|程序员))")),
    ("name", _compile(rf"\b(?:[Mm]y name(?:'s|’s| is)|[Mm]y full name is|[Pp]lease call me|"
        rf"[Cc]all me|[Ii]ch heiße|[Mm]ein Name ist|[Mm]e llamo|[Jj]e m(?:'|’)appelle)\s{_CAPITAL}")),
    ("name", _compile(rf"(?:[Мм]еня зовут|[Мм]оё имя)\s{_CAPITAL}")),
    ("name", _compile(r"(?:我叫|我的名字(?:是|叫)|我姓名是)(?P<v>[^，。；！？、,.;!?\s]{1,8})")),
    ("name", _compile(
        r"(?:^|[.!,]\s)(?:[Hh]i,?\s|[Hh]ello,?\s)?I(?:'m|’m| am)\s"
        r"(?!(?:German|French|English|Jewish|Muslim|Christian|Catholic|Vegan|Dutch|Greek|Swiss|Thai|OK|Okay)\b)"
        r"(?P<v>[A-Z][a-zà-ÿ]+(?:\s[A-Z][a-zà-ÿ]+)?)(?=\sand I\b|[,.!]|$)"
    )),
    ("birthday", _compile(r"\b(?:[Mm]y birthday(?:'s|’s| is)(?: on)?|[Ii] was born on|"
        r"[Mm]ein Geburtstag ist(?: am)?|"
        r"[Ii]ch bin am)\s(?P<v>\d{1,2}\.\s?\w+(?:\s\d{4})?"
        r"|(?!am\s)[^.,;!?\n]{3,30}(?:,\s\d{4})?)(?=[.,;!?\n]|\sgeboren|$)")),
    ("birthday", _compile(r"(?:[Мм]ой день рождения|[Яя] родил(?:ся|"
        r"ась))\s?[—–-]?\s?(?P<v>\d[^.,;!?\n]{2,30})")),
    ("birthday", _compile(r"我的?生日是?(?:在)?(?P<v>[^，。；！？,;!?\s]{2,14})")),
    ("phone", _compile(r"(?i:\b(?:my (?:new )?(?:phone|mobile|cell)(?: number)?|my number|"
        r"meine (?:telefon|handy)nummer|мой (?:номер|"
        r"телефон)(?: телефона)?)\b)[^\d+\n]{0,20}(?P<v>\+?\d[\d\s().-]{5,18}\d)")),
    ("phone", _compile(r"我的?(?:手机|电话)(?:号码?|号)?(?:是|为|：|:)?\s?(?P<v>\+?\d[\d\s-]{5,18}\d)")),
    ("email", _compile(r"(?i:\b(?:my (?:new )?(?:e-?mail)(?: address)?|meine e-?mail(?:-adresse)?|"
        r"моя почта|мой e-?mail)\b|我的?(?:邮箱|邮件))"
        r"[^@\n]{0,24}?(?P<v>[A-Za-z0-9_.+-]+@[\w-]+(?:\.[\w-]+)+)")),
    ("age", _compile(r"\b[Ii](?:'m|’m| am)\s(?P<v>\d{1,3})\syears?\sold\b")),
    ("age", _compile(r"\b[Ii](?:'m|’m| am)\s(?P<v>\d{1,3})(?=\s(?:and|now)\b|[,.!;](?!\d)|$)")),
    ("age", _compile(r"(?:\b[Ii]ch bin (?P<v>\d{1,3}) Jahre alt\b|我(?:今年)?(?P<v2>\d{1,3})岁|"
        r"[Мм]не (?P<v3>\d{1,3}) (?:лет|год))")),
    ("origin", _compile(rf"\b[Ii](?:'m|’m| am)?{_ADVERB}\s(?:come\s)?(?:originally\s)?from\s{_CAPITAL}")),
    ("origin", _compile(r"我(?:是|来自)(?P<v>[\u4e00-\u9fff]{2,6}?)人(?=[，。；！？、,.;!?\s]|$)")),
    ("diet", _compile(r"\b[Ii](?:'m|’m| am|'ve been|’ve been| have been| became|"
        r" went)\s(?:an?\s)?(?P<v>vegetarian|vegan|pescatarian|gluten-free|lactose intolerant)\b")),
    ("diet", _compile(r"(?:我吃(?P<v>素)|[Ii]ch bin (?P<v2>Vegetarier(?:in)?|Veganer(?:in)?)|"
        r"[Яя] (?P<v3>веган(?:ка)?|вегетариан(?:ец|ка))|[Jj]e suis (?P<v4>végétarien(?:ne)?|végane?)"
        r"|\b[Ss]oy (?P<v5>vegetarian[oa]|vegan[oa]))")),
    ("school", _compile(rf"\b[Ii](?:'m|’m| am)?{_ADVERB}\s(?:study|studying|"
        rf"enrolled)(?:\s[\w ]{{2,30}}?)?\sat\s{_CAPITAL}")),
)  # fmt: skip
_FAVOURITE = (
    re.compile(r"\b[Mm]y (?:all-time )?favou?rite (?P<what>[\w -]{2,30}?) (?:is|are|was|would be|"
        r"has to be|has always been)\s(?P<v>[^.,;!?\n]{2,60})"),
    re.compile(r"\b[Mm]eine? Lieblings(?P<what>\w{2,20}) (?:ist|sind)\s"
        r"(?P<v>(?:(?:der|die|das) \d{1,2}\. )?[^.,;!?\n]{2,60})"),
    re.compile(r"\b[Мм]о[йяё] любим(?:ый|ая|ое) (?P<what>[а-яё]{2,20})\s?[—–-]\s?(?P<v>[^.,;!?\n]{2,60})"),
    re.compile(r"我最(?:喜欢|爱)的(?P<what>[\u4e00-\u9fff]{1,6}?)(?:现在|其实)?(?:是|"
        r"就是)(?P<v>[^，。；！？、,.;!?\s]{1,20})"),
    re.compile(r"\b[Mm]i (?P<what>\w{2,20}) favorit[oa] es\s(?P<v>[^.,;!?\n]{2,60})"),
)  # fmt: skip
_RELATION_NAME = re.compile(
    r"\b[Mm]y (?P<what>dog|cat|puppy|kitten|pet|wife|husband|partner|girlfriend|boyfriend|"
    r"fianc[ée]e?|boss|manager)"
    r"(?:'s|’s)? (?:name is|is named|is called|named)\s(?P<v>[A-Z][\w'’-]+)"
)
_PAST = re.compile(
    r"\b(?:used to|formerly|when i was|years ago|as a (?:kid|child|student)|früher|раньше|以前|曾经|"
    r"小时候)\b|以前|曾经|小时候",
    re.IGNORECASE,
)
_MOVES = re.compile(r"\b(?:moved|relocated|umgezogen|gezogen|переехал)|搬")
# Every pattern speaks of its speaker; the cheap look spares most sentences forty searches.
_OWN = re.compile(
    r"\b(?:i|my|call me|ich|meine?|я|мой|моя|моё|мо[йяё]|меня|мне|vivo|trabajo|trabalho|lavoro|me|mi|je|j)\b"
    r"|我|私|に(?:住んで|引っ越し)",
    re.IGNORECASE,
)
_NOT = re.compile(r"\b(?:not|don'?t|never|no longer|won'?t|nicht|kein\w*|не|nie)\b|不|没", re.IGNORECASE)
_IF = re.compile(
    r"\b(?:if|would|could|wish|want to|hope to|might|plan to|going to|thinking of|wenn|würde|если|бы|"
    r"хочу)\b|如果|想|打算",
    re.IGNORECASE,
)

# Words of now around a value; a title's own ("Now You See Me") has its capital.
_NOWADAYS = (
    r"(?:now|currently|actually|really|still|probably|definitely|always|just|instead|again|these days"
    r"|at the moment|jetzt|nun|inzwischen|eigentlich|ahora|actualmente|maintenant|désormais"
    r"|теперь|сейчас|现在|其实)"
)
_NOW_BEFORE = re.compile(
    rf"(?P<is>\b(?:is|are|ist|sind|es|son|est|sont)\s|[’']s\s|[—–-]\s|是)(?:{_NOWADAYS}\s?)+(?=\S)"
)
_NOW_AFTER = re.compile(rf"(?:,?\s{_NOWADAYS})+$")


def find_slot(sentence: str) -> Slot | None:
    """The first attribute that the sentence states of its speaker as true now.

    Denials, wishes, the past ("I used to live in …") and another's words state none; what a value
    is told apart from ("blue, not green") denies nothing.
    """
    sentence = _NOW_BEFORE.sub(r"\g<is>", without_contrast(sentence))
    if (
        _NOT.search(sentence)
        or _IF.search(sentence)
        or (_PAST.search(sentence) and not _MOVES.search(sentence))
    ):
        return None
    quoted = quoted_spans(sentence)
    for name, pattern in _PATTERNS:
        match = _own_match(pattern, sentence, quoted)
        if match:
            value = _clean(next(v for v in match.groupdict().values() if v))
            if value:
                return Slot(name, value)
    for pattern in _FAVOURITE:
        match = _own_match(pattern, sentence, quoted)
        if match:
            return Slot(f"favourite_{_key(match.group('what'))}"[:64], _clean(match.group("v")))
    match = _own_match(_RELATION_NAME, sentence, quoted)
    return Slot(f"{match.group('what')}_name", match.group("v")) if match else None


def _own_match(pattern: re.Pattern[str], sentence: str, quoted: list[Span]) -> re.Match[str] | None:
    """The first match that begins in the speaker's own words."""
    if not quoted:
        return pattern.search(sentence)
    return next((m for m in pattern.finditer(sentence) if not covers(quoted, m.start())), None)


def _key(what: str) -> str:
    return "_".join(words(what)) or what.strip()


def _clean(value: str) -> str:
    return _NOW_AFTER.sub("", value.strip(" .,;:!?。，\"'“”"))[:512]
