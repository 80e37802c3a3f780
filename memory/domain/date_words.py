"""How English, German, Russian, Spanish, French, Portuguese, Chinese, Japanese and Korean name times.

Patterns with named groups, and the meaning of each word; resolved by temporal.
"""

import re

from memory.domain.number_words import HAN_NUMBER, NUMBER, digits_of

Pattern = re.Pattern[str]
Match = re.Match[str]

_L = r"(?<![^\W_])"  # a word begins; letters and digits of any script before it forbid it
_R = r"(?![^\W_])"


def _pairs(text: str) -> list[tuple[str, str]]:
    """Words and their meanings of a list like `last night -1, hoy 0`."""
    parts = (pair.strip().rpartition(" ") for pair in " ".join(text.split()).split(","))
    return [(word, meaning) for word, _, meaning in parts]


def _table(text: str) -> dict[str, int]:
    return {word: int(meaning) for word, meaning in _pairs(text)}


def _words(table: dict[str, int]) -> str:
    return "|".join(sorted(map(re.escape, table), key=len, reverse=True))


def _compile(pattern: str) -> Pattern:
    return re.compile(pattern, re.IGNORECASE)


DAYS = _table(
    """
    today 0, tonight 0, this morning 0, this afternoon 0, this evening 0, yesterday -1, last night -1,
    tomorrow 1, the other day -2, the day before yesterday -2, day before yesterday -2,
    the day after tomorrow 2, day after tomorrow 2, heute 0, gestern -1, vorgestern -2, übermorgen 2,
    сегодня 0, вчера -1, позавчера -2, завтра 1, послезавтра 2, hoy 0, ayer -1, anteayer -2, morgen 1,
    aujourd'hui 0, hier -1, avant-hier -2, demain 1, hoje 0, ontem -1, anteontem -2,
    amanhã 1, 今天 0, 今日 0, 今晚 0, 今早 0, 昨天 -1, 昨日 -1,
    昨晚 -1, 昨夜 -1, 前天 -2, 大前天 -3, 明天 1, 明日 1, 明晚 1, 后天 2, 後天 2, 大后天 3, 一昨日 -2,
    明後日 2, 어제 -1, 오늘 0, 내일 1, 그저께 -2, 모레 2
    """
)
_CJK_DAYS = {word: n for word, n in DAYS.items() if re.search("[\u3400-\u9fff\uac00-\ud7a3]", word)}
_SPACED_DAYS = {word: n for word, n in DAYS.items() if word not in _CJK_DAYS and word != "morgen"}
# German "morgen" is tomorrow, "Morgen" the morning, unless it opens a sentence that goes on with a verb
# ("Morgen fliege ich"); "heute morgen" is today. Spanish "mañana" is left alone: it is both.
_BEFORE_A_MORNING = (
    "heute", "gestern", "vorgestern", "übermorgen", "guten", "jeden", "jedem", "diesem", "diesen", "am",
    "der", "den", "dem", "ein", "einem",
)  # fmt: skip
_TOMORROW = (
    "".join(rf"(?<!\b{word}\s)" for word in _BEFORE_A_MORNING)
    + r"morgen(?=\W|$)|(?:(?<=^)|(?<=[.!?]\s))Morgen"
    r"(?=\s(?:(?:um|ab|gegen)\s\d|(?!früh\b)[a-zäöü]+\s(?:ich|du|er|sie|es|wir|ihr|man|mein|der|die|das)\b))"
)
NAMED_DAY = re.compile(
    rf"(?P<day>{_L}(?:(?i:{_words(_SPACED_DAYS)})){_R}|{_L}(?:{_TOMORROW})|{_words(_CJK_DAYS)})"
)

_MONTHS = _table(
    """
    january 1, february 2, march 3, april 4, may 5, june 6, july 7, august 8, september 9, october 10,
    november 11, december 12, jan 1, feb 2, mar 3, apr 4, jun 6, jul 7, aug 8, sep 9, sept 9, oct 10,
    nov 11, dec 12, januar 1, jänner 1, februar 2, märz 3, mai 5, juni 6, juli 7, oktober 10,
    dezember 12, января 1, февраля 2, марта 3, апреля 4, мая 5, июня 6, июля 7, августа 8, сентября 9,
    октября 10, ноября 11, декабря 12, январе 1, феврале 2, марте 3, апреле 4, мае 5, июне 6, июле 7,
    августе 8, сентябре 9, октябре 10, ноябре 11, декабре 12, enero 1, febrero 2, marzo 3, abril 4,
    mayo 5, junio 6, julio 7, agosto 8, septiembre 9, octubre 10, noviembre 11, diciembre 12, janvier 1,
    février 2, mars 3, avril 4, juin 6, juillet 7, août 8, septembre 9, octobre 10, novembre 11,
    décembre 12, janeiro 1, fevereiro 2, março 3, maio 5, junho 6, julho 7, setembro 9, outubro 10,
    novembro 11, dezembro 12
    """
)
MONTH_NAMES = "|".join(sorted((re.escape(name) for name in _MONTHS if len(name) > 4), key=len, reverse=True))
_MONTH = rf"(?P<month>{_words(_MONTHS)})"
_YEAR = r"(?P<year>\d{4})"
_ZH_DIGIT = "[0-9〇零一二两三四五六七八九十]"
_ZH_MONTH = rf"(?P<month>{_ZH_DIGIT}{{1,3}})月"
_ZH_YEAR_WORDS = _table(
    """
    去年 -1, 今年 0, 明年 1, 前年 -2, 后年 2, 来年 1, 작년 -1, 올해 0, 내년 1
    """
)

# Days of a month in words, as they stand before it: "the first of March", "am ersten März".
_DAY_WORDS = _table(
    """
    first 1, second 2, third 3, fourth 4, fifth 5, sixth 6, seventh 7, eighth 8, ninth 9, tenth 10,
    eleventh 11, twelfth 12, thirteenth 13, fourteenth 14, fifteenth 15, sixteenth 16, seventeenth 17,
    eighteenth 18, nineteenth 19, twentieth 20, twenty-first 21, twenty-second 22, twenty-third 23,
    twenty-fourth 24, twenty-fifth 25, twenty-sixth 26, twenty-seventh 27, twenty-eighth 28,
    twenty-ninth 29, thirtieth 30, thirty-first 31, ersten 1, zweiten 2, dritten 3, vierten 4, fünften 5,
    sechsten 6, siebten 7, achten 8, neunten 9, zehnten 10, elften 11, zwölften 12, dreizehnten 13,
    vierzehnten 14, fünfzehnten 15, sechzehnten 16, siebzehnten 17, achtzehnten 18, neunzehnten 19,
    zwanzigsten 20, einundzwanzigsten 21, zweiundzwanzigsten 22, dreiundzwanzigsten 23,
    vierundzwanzigsten 24, fünfundzwanzigsten 25, sechsundzwanzigsten 26, siebenundzwanzigsten 27,
    achtundzwanzigsten 28, neunundzwanzigsten 29, dreißigsten 30, einunddreißigsten 31,
    premier 1, primero 1, первого 1, второго 2, третьего 3, четвёртого 4, четвертого 4, пятого 5,
    шестого 6, седьмого 7, восьмого 8, девятого 9, десятого 10, одиннадцатого 11, двенадцатого 12,
    тринадцатого 13, четырнадцатого 14, пятнадцатого 15, шестнадцатого 16, семнадцатого 17,
    восемнадцатого 18, девятнадцатого 19, двадцатого 20, двадцать первого 21, двадцать второго 22,
    двадцать третьего 23, двадцать четвёртого 24, двадцать четвертого 24, двадцать пятого 25,
    двадцать шестого 26, двадцать седьмого 27, двадцать восьмого 28, двадцать девятого 29,
    тридцатого 30, тридцать первого 31
    """
)
_ENGLISH_DAY_WORDS = [word for word in _DAY_WORDS if re.search("(?:first|second|third|th)$", word)]
_OTHER_DAY_WORDS = [word for word in _DAY_WORDS if word not in _ENGLISH_DAY_WORDS]
_ORDINAL = r"(?:st|nd|rd|th|\.|-го|er|º)?"
_TO = r"(?:\s?[-–—]\s?|\s(?:to|until|till|through|bis(?:\szum)?|au|al|по|до)\s(?:the\s)?)"
_AND = r"\s(?:and|und|et|y)\s(?:the\s|dem\s|le\s|el\s)?"
_BETWEEN = r"(?:(?<=between\s)|(?<=between\sthe\s)|(?<=zwischen\sdem\s)|(?<=entre\sle\s)|(?<=entre\sel\s))"
DAY_RANGES = (
    _compile(
        rf"{_L}(?:(?P<d>\d{{1,2}}){_ORDINAL}{_TO}|{_BETWEEN}(?P<between>\d{{1,2}}){_ORDINAL}{_AND})"
        rf"(?P<last>\d{{1,2}}){_ORDINAL}\s(?:of\s|de\s)?{_MONTH}\.?(?:,?\s(?:de\s)?{_YEAR})?{_R}"
    ),
    _compile(
        rf"{_L}{_MONTH}\.?\s(?:(?P<d>\d{{1,2}}){_ORDINAL}{_TO}|{_BETWEEN}(?P<between>\d{{1,2}}){_ORDINAL}{_AND})"
        rf"(?P<last>\d{{1,2}}){_ORDINAL}(?!\d|:|\s?%|\s(?:{_words(_MONTHS)}))(?:,?\s{_YEAR})?{_R}"
    ),
    re.compile(
        rf"(?:(?P<year>\d{{4}})年|(?P<yrel>{_words(_ZH_YEAR_WORDS)})(?:的)?)?\s?{_ZH_MONTH}\s?(?P<d>\d{{1,2}})[日号號]?"
        r"\s?[到至~－—–-]\s?(?P<last>\d{1,2})[日号號]"
    ),
)
ISO_DATE = re.compile(r"(?<![\d-])(?P<year>\d{4})[-/](?P<month>0?[1-9]|1[0-2])[-/](?P<d>\d{1,2})(?![\d-])")
FULL_DATES = (
    _compile(
        rf"{_L}(?:the\s)?(?P<d>\d{{1,2}}){_ORDINAL}\s(?:of\s|"
        rf"de\s)?{_MONTH}\.?(?:,?\s(?:de\s)?{_YEAR})?{_R}"
    ),
    _compile(rf"{_L}{_MONTH}\.?\s(?P<d>\d{{1,2}})(?:st|nd|rd|th)?(?!\d|:|\s?%)(?:,?\s{_YEAR})?{_R}"),
    _compile(
        rf"{_L}(?:the\s)?(?P<d>{'|'.join(_ENGLISH_DAY_WORDS)})\sof\s{_MONTH}(?:,?\s{_YEAR})?{_R}",
    ),
    _compile(rf"{_L}{_MONTH}\sthe\s(?P<d>{'|'.join(_ENGLISH_DAY_WORDS)})(?:,?\s{_YEAR})?{_R}"),
    _compile(rf"{_L}(?P<d>{'|'.join(_OTHER_DAY_WORDS)})\s(?:de\s)?{_MONTH}(?:\s(?:de\s)?{_YEAR})?{_R}"),
    re.compile(
        rf"(?:(?P<year>\d{{4}})年|(?P<yrel>{_words(_ZH_YEAR_WORDS)})(?:的)?)?\s?{_ZH_MONTH}\s?"
        r"(?:(?P<d>\d{1,2})[日号號]?|(?P<zh>[一二三四五六七八九十]{1,3})[日号號])"
    ),
)
NUMERIC_DATE = re.compile(
    r"(?<![\d./-])(?P<a>\d{1,2})(?P<sep>[./])(?P<b>\d{1,2})(?P=sep)(?P<year>\d{4})(?![\d./-])"
)

_WEEKDAYS = _table(
    """
    monday 0, tuesday 1, wednesday 2, thursday 3, friday 4, saturday 5, sunday 6, mon 0, tues 1, tue 1,
    wed 2, thurs 3, thu 3, fri 4, montag 0, dienstag 1, mittwoch 2, donnerstag 3, freitag 4, samstag 5,
    sonnabend 5, sonntag 6, понедельник 0, вторник 1, среду 2, четверг 3, пятницу 4, субботу 5,
    воскресенье 6, lunes 0, martes 1, miércoles 2, jueves 3, viernes 4, sábado 5, domingo 6, lundi 0,
    mardi 1, mercredi 2, jeudi 3, vendredi 4, samedi 5, dimanche 6, segunda-feira 0, terça-feira 1,
    quarta-feira 2, quinta-feira 3, sexta-feira 4, segunda 0, terça 1, quarta 2, quinta 3, sexta 4
    """
)
_ZH_WEEKDAYS = _table(
    """
    一 0, 二 1, 三 2, 四 3, 五 4, 六 5, 日 6, 天 6, 1 0, 2 1, 3 2, 4 3, 5 4, 6 5
    """
)
_FULL_DAYS = "monday|tuesday|wednesday|thursday|friday|saturday|sunday"
_ENGLISH_DAYS = _FULL_DAYS + "|mon|tues?|wed|thurs?|fri"
_GERMAN_DAYS = "montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonnabend|sonntag"
_RUSSIAN_DAYS = "понедельник|вторник|среду|четверг|пятницу|субботу|воскресенье"
_SPANISH_DAYS = "lunes|martes|miércoles|jueves|viernes|sábado|domingo"
_FRENCH_DAYS = "lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche"
_PORTUGUESE_DAYS = "(?:segunda|terça|quarta|quinta|sexta)(?:-feira)?|sábado|domingo"
RELATIVE_WEEKDAYS = (
    _compile(
        rf"{_L}(?P<rel>last|past|this past|this|next|this coming|coming)\s(?P<weekday>{_ENGLISH_DAYS}){_R}"
    ),
    _compile(rf"{_L}(?P<rel>)(?:on|by|until|since|every)?\s?(?P<weekday>{_FULL_DAYS}){_R}"),
    _compile(rf"{_L}(?P<rel>(?:letzt|diese|vergangen|nächst|kommend)(?:en|er|es|em|n|r|s|"
        rf"e)?)\s(?P<weekday>{_GERMAN_DAYS}){_R}"),
    _compile(rf"{_L}(?P<rel>)(?:am|bis|seit|auf|auf den)\s(?P<weekday>{_GERMAN_DAYS}){_R}"),
    _compile(rf"{_L}во?\s(?P<rel>прошл|эт|следующ|ближайш)[а-я]{{1,3}}\s(?P<weekday>{_RUSSIAN_DAYS}){_R}"),
    _compile(rf"{_L}(?P<rel>)(?:во?|на)\s(?P<weekday>{_RUSSIAN_DAYS}){_R}"),
    _compile(rf"{_L}(?:el\s|n?[ao]\s)?(?P<weekday>{_SPANISH_DAYS})\s(?P<rel>pasado|próximo|"
        rf"que viene|que vem){_R}"),
    _compile(rf"{_L}(?:el\s|n?[ao]\s)?(?P<rel>pasad|próxim|est)[aoe]\s(?P<weekday>{_SPANISH_DAYS}){_R}"),
    _compile(rf"{_L}(?P<rel>)(?:el|al)\s(?P<weekday>{_SPANISH_DAYS}){_R}"),
    _compile(rf"{_L}(?:le\s)?(?P<weekday>{_FRENCH_DAYS})\s(?P<rel>dernier|passé|prochain|qui vient){_R}"),
    _compile(rf"{_L}(?:le\s)?(?P<rel>prochain|ce)\s(?P<weekday>{_FRENCH_DAYS}){_R}"),
    _compile(rf"{_L}(?P<rel>)(?<!le\s)(?P<weekday>{_FRENCH_DAYS}){_R}"),
    _compile(rf"{_L}(?:n?[ao]\s)?(?P<weekday>{_PORTUGUESE_DAYS})\s(?P<rel>passad[ao]|que vem){_R}"),
    _compile(rf"{_L}(?:n?[ao]\s)?(?P<rel>passad|próxim|est)[aoe]\s(?P<weekday>{_PORTUGUESE_DAYS}){_R}"),
    _compile(rf"{_L}(?P<rel>)n?[ao]\s(?P<weekday>(?:segunda|terça|quarta|quinta|sexta)-feira|sábado|domingo)"
        rf"{_R}"),
)  # fmt: skip
WEEKDAY = rf"(?P<weekday>{_words(_WEEKDAYS)})"
WEEK_WEEKDAY = re.compile(
    r"(?P<rel>上上个?|上个?|这个?|這個?|本|下下个?|下个?)?(?:周|星期|礼拜|週)(?P<weekday>[一二三四五六日天])"
)

_UNITS = dict(
    _pairs(
        """
    day day, week week, weekend weekend, month month, year year, tag day, woche week,
    wochenende weekend, monat month, jahr year, день day, дн day, недел week, месяц month, год year,
    лет year, выходн weekend, día day, semana week, fin de semana weekend, fim de semana weekend,
    mes month, año year, mês month, ano year, jour day, semaine week, week-end weekend, mois month,
    an year, 天 day, 日 day, 周末 weekend,
    周 week, 週 week, 星期 week, 礼拜 week, 月 month, 年 year, 일 day, 주 week, 주말 weekend, 달 month,
    개월 month, 년 year, 해 year
    """
    )
)
_STEMS = sorted(_UNITS, key=len, reverse=True)
_SHIFTS = _table(
    """
    last -1, past -1, this past -1, previous -1, this 0, next 1, coming 1, this coming 1, following 1,
    the 0, letzt -1, vorig -1, vergangen -1, diese 0, nächst 1, kommend 1, прошл -1, эт 0, следующ 1,
    ближайш 1, будущ 1, pasad -1, passad -1, passé -1, próxim 1, que vien 1, que vem 1, est 0,
    dernier -1, dernière -1, prochain 1, qui vient 1, cette 0,
    ce 0, 上 -1, 上个 -1, 上個 -1, 这 0, 这个 0, 這個 0, 本 0, 下 1, 下个 1, 下個 1, 先 -1, 今 0, 来 1,
    去 -1, 昨 -1, 지난 -1, 이번 0, 다음 1, 작 -1, 올 0, 내 1
    """
)
_SHIFT_STEMS = sorted(_SHIFTS, key=len, reverse=True)

SOME_AGO = (
    _compile(rf"{_L}{NUMBER}\s(?P<unit>day|week|weekend|month|year)s?\s(?:ago|before today|back){_R}"),
    _compile(rf"{_L}in\s{NUMBER}\s(?P<unit>day|week|month|year)s?(?P<ahead>)(?:\s?time)?(?=\s*(?:$|"
        rf"[.,;!?]|and|i|we|for)){_R}"),
    _compile(rf"{_L}{NUMBER}\s(?P<unit>day|week|month|year)s?\sfrom\s(?:now|today)(?P<ahead>){_R}"),
    _compile(rf"{_L}vor\s{NUMBER}\s(?P<unit>tag|woche|monat|jahr)(?:en|e|n)?{_R}"),
    _compile(rf"{_L}in\s{NUMBER}\s(?P<unit>tag|woche|monat|jahr)(?:en|e|n)?(?P<ahead>){_R}"),
    _compile(rf"{_L}{NUMBER}\s(?P<unit>день|дн|недел|месяц|год|лет)[а-я]{{0,2}}\sназад{_R}"),
    _compile(rf"{_L}(?P<n>)(?P<unit>недел|месяц|год)ю?\sназад{_R}"),
    _compile(rf"{_L}через\s(?P<ahead>)(?:{NUMBER}\s)?(?P<unit>день|дн|недел|месяц|год|лет)[а-я]{{0,2}}{_R}"),
    _compile(rf"{_L}hace\s{NUMBER}\s(?P<unit>día|semana|mes|año)(?:es|s)?{_R}"),
    _compile(rf"{_L}il y a\s{NUMBER}\s(?P<unit>jour|semaine|mois|an)s?{_R}"),
    re.compile(rf"{HAN_NUMBER}(?P<unit>天|日|周|週|星期|礼拜|月|年)(?:以|之)?前"),
    re.compile(rf"{HAN_NUMBER}(?P<unit>天|日|周|週|星期|礼拜|月|年)(?:以|之)?[后後](?P<ahead>)"),
    re.compile(r"(?P<n>\d{1,3}|몇)\s?(?P<unit>일|주|달|개월|년)\s?전"),
)  # fmt: skip
_ENGLISH_UNIT = r"(?P<unit>weekend|week|month|year)"
RELATIVE_UNITS = (
    _compile(rf"{_L}(?P<rel>last|past|this past|this|next|coming|this coming|previous)\s{_ENGLISH_UNIT}{_R}"),
    _compile(rf"{_L}over\s(?P<rel>the)\s(?P<unit>weekend){_R}"),
    _compile(
        rf"{_L}(?P<rel>letzt|vorig|vergangen|diese|nächst|kommend)(?:en|er|es|em|n|r|s|m|e)?\s"
        rf"(?P<unit>wochenende|woche|monat|jahr)(?:s|es)?{_R}"
    ),
    _compile(rf"{_L}(?:на|в)\s(?P<rel>прошл|эт|следующ|будущ)[а-я]{{1,3}}\s(?P<unit>недел|месяц|год|"
        rf"выходн)[а-я]{{0,2}}{_R}"),
    _compile(rf"{_L}(?:la|el)\s(?P<unit>fin de semana|semana|mes|año)\s"
        rf"(?P<rel>pasad|próxim|que vien)[oae]{_R}"),
    _compile(rf"{_L}(?:n?[ao]\s|la\s|el\s)?(?P<rel>próxim|pasad|passad)[ao]\s"
        rf"(?P<unit>fin de semana|fim de semana|semana|mes|mês|año|ano){_R}"),
    _compile(rf"{_L}(?:n?[ao]\s)?(?P<unit>fim de semana|semana|mês|ano)\s(?P<rel>passad[oa]|que vem){_R}"),
    _compile(rf"{_L}(?:la|le|l['’])\s?(?P<unit>semaine|mois|an|week-end)(?:née)?\s(?P<rel>dernière|"
        rf"dernier|prochain)e?{_R}"),
    re.compile(r"(?P<rel>上个?|上個|这个?|這個|本|下个?|下個|先|今|来)(?P<unit>周末|周|週|星期|礼拜|"
        r"月)(?![一二三四五六日天])"),
    re.compile(r"(?P<rel>去|今|来|昨)(?P<unit>年)"),
    re.compile(r"(?P<rel>작|올|내)(?P<unit>년|해)"),
    re.compile(r"(?P<rel>지난|이번|다음)\s?(?P<unit>주말|주|달)"),
)  # fmt: skip
YEAR_MONTH = re.compile(rf"(?P<rel>{_words(_ZH_YEAR_WORDS)})的?\s?{_ZH_MONTH}(?!\s?\d)")
_MONTH_NAME = "january|february|march|april|may|june|july|august|september|october|november|december"
_GERMAN_MONTHS = "januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember"
_ROMANCE_MONTHS = (
    "janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre|enero|febrero|marzo|abril"
    "|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre"
)
_RUSSIAN_MONTHS = "январе|феврале|марте|апреле|мае|июне|июле|августе|сентябре|октябре|ноябре|декабре"
MONTHS_OF_YEAR = (
    _compile(rf"{_L}{_MONTH}\.?,?\s(?:of\s|de\s)?{_YEAR}{_R}"),
    _compile(rf"{_L}(?P<rel>last|this|next)\s(?P<month>{_MONTH_NAME}){_R}"),
    # A month needs its capital: "we may", "on the march".
    re.compile(
        rf"(?i:{_L}(?:in|since|until|by|during|early|late|mid|back in|through))[\s-]"
        rf"(?P<month>{_MONTH_NAME.title()}){_R}"
    ),
    _compile(rf"{_L}(?:im|seit|bis)\s(?P<month>{_GERMAN_MONTHS}){_R}"),
    _compile(rf"{_L}(?:en|depuis|desde|hasta)\s(?P<month>{_ROMANCE_MONTHS}){_R}"),
    re.compile(rf"[在于从自](?P<month>{_ZH_DIGIT}{{1,3}})月(?!\s?[\d一二三四五六七八九十])"),
    _compile(rf"{_L}в\s(?P<month>{_RUSSIAN_MONTHS})(?:\s{_YEAR})?{_R}"),
    re.compile(rf"(?P<year>\d{{4}})年\s?{_ZH_MONTH}"),
    re.compile(r"(?<![\d〇零一二两三四五六七八九十个個])(?P<month>(?:1[0-2]|[1-9]|十[一二]?|"
        r"[一二三四五六七八九]))月(?:份|底|初|中旬)"),
)  # fmt: skip
_SEASONS = _table(
    """
    spring 3, summer 6, fall 9, autumn 9, winter 12, frühling 3, frühjahr 3, sommer 6, herbst 9,
    весной 3, летом 6, осенью 9, зимой 12, 春天 3, 夏天 6, 秋天 9, 冬天 12
    """
)
SEASONS = (
    _compile(rf"{_L}(?P<rel>last|this past|this|next)\s(?P<season>spring|summer|fall|autumn|winter){_R}"),
    _compile(rf"{_L}(?P<rel>letzt|vergangen|diese|nächst)[a-z]{{0,2}}\s(?P<season>frühling|frühjahr|"
        rf"sommer|herbst|winter){_R}"),
    _compile(rf"{_L}(?P<rel>прошл|эт|следующ)[а-я]{{1,3}}\s(?P<season>весной|летом|осенью|зимой){_R}"),
    re.compile(r"(?P<rel>去年|今年|明年)(?P<season>春天|夏天|秋天|冬天)"),
)  # fmt: skip
_YEAR_TO = r"(?:to|until|till|and|bis|und|à|a|y|et|hasta|по|до)"
PLAIN_YEARS = (
    _compile(
        rf"{_L}(?:from|between|von|zwischen|de|entre|с)\s{_YEAR}"
        rf"(?=\s{_YEAR_TO}\s\d{{4}}(?![\w%°$€-]|[.,:]\d))"
    ),
    _compile(
        rf"(?<=\d\d\d\d\s){_YEAR_TO}\s{_YEAR}"
        r"(?![\w%°$€-]|[.,:]\d|\s(?:dollars|euros|people|steps|calories|miles|km|kg|words|points|times))"
    ),
    _compile(
        rf"{_L}(?:in|since|until|till|from|by|during|of|back in|around|circa|early|late|mid|year|im jahr|"
        rf"seit|bis|anno|en|desde|depuis|с)[\s-](?:the year\s)?{_YEAR}"
        r"(?![\w%°$€-]|[.,:]\d|\s(?:dollars|euros|people|steps|calories|miles|km|kg|words|points|times))"
    ),
    _compile(rf"{_L}в\s{_YEAR}\sгоду{_R}"),
    _compile(rf"{_L}с\s{_YEAR}\sгода{_R}"),
    re.compile(r"(?<!\d)(?P<year>\d{4})年(?![前后後以之]|级|级)"),
    re.compile(r"(?<!\d)(?P<year>\d{4})년(?!\s?전)"),
)  # fmt: skip

# What happens every week has no date; what is due by a weekday has one to come.
HABIT = _compile(
    rf"{_L}(?:{_FULL_DAYS})(?:s|\s(?:mornings|afternoons|evenings|nights)){_R}"
    rf"|{_L}an?\s(?:{_FULL_DAYS}){_R}|{_L}(?:never|always|niemals|immer|никогда|всегда){_R}|从不|总是"
    rf"|{_L}(?:every|each|weekly|usually|jede[nrs]?|montags|freitags|кажд\w+|по (?:понедельникам|"
    rf"вторникам|средам|"
    rf"четвергам|пятницам|субботам|воскресеньям)|cada|chaque|todos los){_R}|每|通常"
)
DUE = _compile(r"(?:by|until|bis)\s")
CUE = _compile(
    rf"\d|{_words(DAYS)}|\b(?:{_words(_MONTHS)})\b|[一二三四五六七八九十]月|{_ENGLISH_DAYS}|{_MONTH_NAME}|\b(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b"
    r"|\bago\b|\b(?:last|past|next|this|over the|in)\s|vor\s|letzt|vorig|vergangen|diese|nächst|kommend"
    r"|\bim\s"
    rf"|{_GERMAN_DAYS}|{_SPANISH_DAYS}|{_FRENCH_DAYS}|-feira|passad|que vem|qui vient"
    rf"|назад|прошл|следующ|через|{_RUSSIAN_DAYS}|\bв\s|pasad|próxim|que viene|hace|il y a"
    r"|dernier|prochain"
    r"|[年月周週天]前|[年月周週天][后後]|星期|礼拜|[上下本这先来去今昨前明后](?:个|個)?[周週月年]|"
    r"周[一二三四五六日]|节|中秋|端午|国庆|元旦"
    r"|지난|다음|이번|작년|\d월|전"
)


def unit_of(word: str) -> str:
    """The unit that a word in any form names."""
    word = word.lower()
    return _UNITS[next(stem for stem in _STEMS if word.startswith(stem))]


def shift_of(word: str) -> int:
    """-1 for last, 0 for this (and for no word), 1 for next."""
    word = word.lower()
    return _SHIFTS[next(stem for stem in _SHIFT_STEMS if word.startswith(stem))] if word else 0


def week_shift_of(word: str) -> int:
    """How many weeks away: 上上 -2, 上 -1, 下 1, 下下 2."""
    return word.count("下") - word.count("上")


def weekday_of(word: str) -> int:
    """0 for Monday to 6 for Sunday."""
    return _ZH_WEEKDAYS[word] if word in _ZH_WEEKDAYS else _WEEKDAYS[word.lower()]


def month_of(word: str) -> int:
    """1 to 12. Raises ValueError for a number that is no month."""
    month = _MONTHS.get(word.lower()) or digits_of(word)
    if not 1 <= month <= 12:
        raise ValueError(word)
    return month


def day_of(word: str) -> int:
    """The day of a month, in figures or as an ordinal word. Raises ValueError for neither."""
    return _DAY_WORDS.get(word.lower()) or digits_of(word)


def season_of(word: str) -> int:
    """The month in which the season begins."""
    return _SEASONS[word.lower()]


def year_shift_of(word: str) -> int | None:
    """How many years away a relative year (or "last", "next" before a month) lies."""
    if not word:
        return None
    return _ZH_YEAR_WORDS[word] if word in _ZH_YEAR_WORDS else shift_of(word)
