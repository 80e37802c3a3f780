"""A statement to the names in it and the topics it is about.

No tagger: names are runs of capitals that a sentence's start does not explain, quoted
titles, and Chinese names by surname, suffix or title; topics are salient content words.
"""

import re
from collections.abc import Iterable, Mapping, Sequence

from memory.domain.full_dates import without_full_dates
from memory.domain.text import fold, is_stop_word, stem
from memory.providers.offline_language.chatter import is_content_word

MAX_ENTITIES = 12
MAX_TOPICS = 5

_LINK = r"(?:of|the|de|del|della|da|di|la|le|van|von|der|den|&|y)"


def _run(letters: str, capitals: str, link: str) -> str:
    word = rf"[{capitals}](?:[{letters}0-9'’&.-]*[{letters}0-9])?(?![{letters}])"
    return rf"(?<![A-Za-zÀ-žА-яЁё0-9'’.@/-]){word}(?:\s(?:{link}\s){{0,2}}{word}|\s\d{{1,4}}(?!\d))*"


# A run of capitals stays within one script: "Пайплайн Invoice Parsing" names the latter.
_LATIN, _LATIN_CAPITALS = "A-Za-zÀ-ÖØ-öø-ž", "A-ZÀ-ÖØ-ÞĀĆČĎĐĒĖĘĚĞĢĪĮİŁŃŅŇŌŐŒŘŚŞŠŤŪŮŰŲŹŻŽ"
_RUN = re.compile(f"{_run(_LATIN, _LATIN_CAPITALS, _LINK)}|{_run('А-Яа-яЁёІіЇїЄє', 'А-ЯЁІЇЄ', '(?!)')}")
_GERMAN_RUN = re.compile(_run(_LATIN, _LATIN_CAPITALS, "(?!)"))
_QUOTED = re.compile(r"[“\"]([^”\"\n]{2,60})[”\"]|《([^》\n]{1,40})》|「([^」\n]{1,40})」|«([^»\n]{2,60})»")
_CALENDAR = """
    monday tuesday wednesday thursday friday saturday sunday tue tues wed thu thurs fri
    january february march april may june july
    august september october november december montag dienstag mittwoch donnerstag freitag samstag
    sonntag januar februar märz mai juni juli oktober dezember christmas easter halloween thanksgiving
"""
_NO_NAME = """
    i i'm i've i'd i'll ok okay wow hey hi hello oh yes no yeah thanks thank mr mrs ms dr dm pm am tv ps
    btw omg lol asap also and but so then when while after before since because although though however
    if once as at in on for from with this that these those there here the a an my your his her its our
    their he she it we they you me who what where why how which yesterday today tomorrow tonight
    recently currently lately now just even still maybe perhaps actually honestly unfortunately luckily
    finally first second third next last one two three some many most all every each both few having
    being doing getting going taking making seeing let please sorry sure great good nice cool awesome
    amazing congrats congratulations apparently currently usually sometimes often never always besides
    plus instead ich du er sie es wir ihr mein meine der die das ein eine und aber wenn weil heute
    gestern morgen ja nein я ты он она оно мы вы они мой моя моё мои это и но а в на с по для если когда
    вчера сегодня завтра да нет yo el la los las un una mi y pero si cuando hoy ayer je le les un une
    mon ma et mais quand late early mid его её их him mom dad mum грам their der die projekt firma herr
    frau pipeline team labor kapitel did do does is are was were will would can could should have has
    had not to of by up
    welcher welche welches welchen welchem wer wie wo wann was warum hat hast habe haben ist sind bin kann
    cómo dónde cuándo qué quién quiénes cuál cuáles cuánto cuánta cuántos cuántas está están comment quel
"""
_NO_NAMES = frozenset((_CALENDAR + _NO_NAME).split())
_GERMAN_PLACES = re.compile(
    r"\b(?:in|bei|aus|nach|mit|von|für|zu|an|über|Herr|"
    r"Frau)\s(?P<name>[A-ZÄÖÜ][a-zäöüß-]{2,})(?![\w-]|\s[A-ZÄÖÜ])"
)

_GERMAN_TAIL = re.compile(r"-[A-ZÄÖÜ][a-zäöüß]+$")
_SHORT_NAMES = frozenset({"US", "UK", "EU", "UN", "NY", "LA", "AI"})
# What only people do: the capital before it is a name, even where a sentence begins.
_ACTS = re.compile(
    r"\s(?:mentioned|said|says|told|asked|suggested|thinks|wants|wanted|prefers|likes|loves|hates|"
    r"moved|works|worked|"
    r"lives|lived|joined|visited|called|texted|emailed|recommended|agreed|decided|invited|pushed|"
    r"closed|pulled|walked|"
    r"has been|had been|and I|is running|found|filed|"
    r"erwähnte|sagte|sagt|hatte|hat|möchte|arbeitet|wohnt|lebt|ging|bevorzugt|mag|liebt|"
    r"сказала?|упомянула?|живёт|работает|любит|предпочитает|хочет|отправила?|закрыла?|ждала?|рассказала?)\b"
)

_SURNAMES = (
    "王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘杜戴夏钟汪"
    "田任姜范方石姚谭廖邹熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙段雷钱汤尹黎易常武乔贺赖龚文"
)
_ZH_PERSON = re.compile(
    rf"(?:(?<=叫)|(?<=叫做)|(?<=名字是)|(?<=朋友)|(?<=同事)|(?<=同学)|(?<=老师)|(?<=老板)|(?<=妻子)|"
    rf"(?<=丈夫)|(?<=女儿)|(?<=儿子)|(?<=和)|(?<=跟)|(?<=与)|(?<=找)|(?<=给)|(?<=^)|(?<=[，。！；、]))"
    rf"(?P<name>[{_SURNAMES}][\u4e00-\u9fff]{{1,2}}?)(?=[，。！；、\s]|说|是|在|去|来|和|跟|给|也|的|"
    rf"一起|告诉|问|今天|昨天|明天|要|会|想|喜|住|$)"
    rf"|(?P<titled>[{_SURNAMES}][\u4e00-\u9fff]{{0,2}}?(?:先生|女士|老师|医生|经理|教授|总|师傅|阿姨|叔叔))"
    rf"|(?P<nick>(?:小|老|阿)[{_SURNAMES}明红强伟芳丽军华])(?![\u4e00-\u9fff]?(?:时候|朋友))"
)
_ZH_PLACE = re.compile(
    r"北京|上海|广州|深圳|杭州|南京|苏州|成都|重庆|武汉|西安|天津|长沙|郑州|青岛|大连|厦门|宁波|昆明|"
    r"沈阳|哈尔滨|济南|福州|合肥|贵阳|南宁|海口"
    r"|三亚|拉萨|兰州|香港|澳门|台北|高雄|东京|大阪|京都|首尔|新加坡|曼谷|纽约|伦敦|巴黎|柏林|洛杉矶|"
    r"旧金山|悉尼|多伦多|温哥华|莫斯科|四川|广东"
    r"|浙江|江苏|山东|河南|湖南|湖北|福建|云南|新疆|西藏|海南|中国|美国|日本|韩国|英国|法国|德国|"
    r"意大利|西班牙|加拿大|澳大利亚|泰国|故宫|长城"
)
_ZH_ORG = re.compile(
    r"(?:(?<=在)|(?<=去)|(?<=到)|(?<=加入)|(?<=从)|(?<=是)|(?<=给)|(?<=了)|(?<=[，。、]))"
    r"(?P<name>(?:(?![我你他她的了是在去到和吃家])[\u4e00-\u9fffA-Za-z0-9]){2,8}?(?:公司|大学|学院|"
    r"中学|医院|集团|银行|酒店|餐厅|机场|公园|博物馆|图书馆|研究所|实验室|咖啡馆|书店))"
)
_TOPIC_WORD = re.compile("(?:(?![\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3])[^\\W\\d_]){4,}")
_HAN_RUN = re.compile("[\u3400-\u9fff]+")
_HAN_BREAKS = re.compile(
    "我们|你们|他们|她们|自己|这个|那个|什么|怎么|因为|所以|但是|如果|已经|现在|非常|可以|应该|觉得|"
    "知道|喜欢|开始|一个|一些|一下|没有|不是|就是|还是|或者|以及|关于"
    "|昨天|今天|明天|上周|下周|去年|今年|明年"
    "|[我你他她它的了着过在是有和就都也很不要会到去想说对给让把被从为与或但又再还能吧吗呢啊这那来个一二三四五六七八九十上下中里年月日天最很太好大小多少住叫做用]"
)


def find_entities(statement: str, *, language: str, known: Iterable[str] = ()) -> tuple[str, ...]:
    """The names in the statement, in order, none twice.

    `known`: names that count even where a sentence begins (speakers, names seen before).
    """
    found = [*_quoted(statement), *_capitals(without_full_dates(statement), language, frozenset(known))]
    if language in ("zh", "ja"):
        found.extend(_han_names(statement))
    unique = dict.fromkeys(name for name in found if name)
    return tuple(name for name in unique if not _is_part(name, unique))[:MAX_ENTITIES]


def find_topics(
    statement: str, *, language: str, exclude: Sequence[str], weights: Mapping[str, int]
) -> tuple[str, ...]:
    """The most salient content words, at most five; `weights` counts stems in the segment.

    `exclude`: names, which are entities and no topics.
    """
    names = {word for name in exclude for word in fold(name).split()}
    candidates = dict.fromkeys(_han_topics(statement, exclude), 0) if language in ("zh", "ja") else {}
    for word in _TOPIC_WORD.findall(statement.lower()):
        folded = fold(word)
        if (
            is_content_word(folded, language)
            and folded not in names
            and folded not in _NO_TOPICS
            and not folded.endswith("ly")
        ):
            candidates.setdefault(word, weights.get(stem(folded), 0))
    ranked = sorted(candidates, key=lambda word: (-candidates[word], -len(word)))
    return tuple(ranked[:MAX_TOPICS])


def _quoted(statement: str) -> list[str]:
    """Titles in quotation marks: short, and not a whole sentence."""
    found = ("".join(groups) for groups in _QUOTED.findall(statement))
    return [
        name.strip(" .,!?") for name in found if len(name.split()) <= 6 and not name.endswith(("?", "？"))
    ]


def _capitals(statement: str, language: str, known: frozenset[str]) -> list[str]:
    names: list[str] = []
    for match in (_GERMAN_RUN if language == "de" else _RUN).finditer(statement):
        name = _trim(_GERMAN_TAIL.sub("", match.group()) if language == "de" else match.group())
        if not name or (name.isupper() and len(name) < 3 and name not in _SHORT_NAMES):
            continue
        is_single = " " not in name
        is_acting = _ACTS.match(statement, match.end()) is not None
        if language == "de" and is_single and not (_is_marked(name) or is_acting):
            continue
        is_start = _begins_sentence(statement, match.start()) and language != "zh"
        if is_start and is_single and not (name in known or _is_marked(name) or is_acting):
            continue
        names.append(name)
    if language == "de":
        names.extend(m.group("name") for m in _GERMAN_PLACES.finditer(statement))
    names.extend(name for name in known if name and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", statement))
    return names


def _trim(run: str) -> str:
    """The run without words that are no names at its ends, and without a genitive."""
    words_ = re.sub(r"['’]s$", "", run).split()
    while words_ and _is_no_name(words_[0]):
        words_.pop(0)
    while words_ and _is_no_name(words_[-1]):
        words_.pop()
    name = re.sub(r"['’]s\b", "", " ".join(words_)) if len(words_) == 1 else " ".join(words_)
    return name if len(name) > 1 and not name.isdigit() else ""


def _is_no_name(word: str) -> bool:
    low = word.lower().rstrip(".")
    return word not in _SHORT_NAMES and (low in _NO_NAMES or is_stop_word(low))


def _is_marked(name: str) -> bool:
    """Capitals inside or digits make a name wherever it stands: LaTeX, GPT-4, NASA."""
    return any(c.isupper() or c.isdigit() for c in name[1:])


def _begins_sentence(statement: str, start: int) -> bool:
    before = statement[:start].rstrip(" \"'“‘(*-–—•¿¡")
    return not before or before[-1] in ".!?…\n。！？:："


def _han_names(statement: str) -> list[str]:
    found = [next(g for g in m.groups() if g) for m in _ZH_PERSON.finditer(statement)]
    found += _ZH_PLACE.findall(statement)
    return found + [m.group("name") for m in _ZH_ORG.finditer(statement)]


def _is_part(name: str, names: Iterable[str]) -> bool:
    if _HAN_RUN.fullmatch(name):
        return any(other != name and name in other for other in names)
    return any(other != name and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", other) for other in names)


def _han_topics(statement: str, exclude: Sequence[str]) -> list[str]:
    for name in exclude:
        statement = statement.replace(name, " ")
    pieces = [p for run in _HAN_RUN.findall(statement) for p in _HAN_BREAKS.split(run)]
    return [piece for piece in pieces if 2 <= len(piece) <= 6]


_VERB_WORDS = """
    live work please suggest
    said says told tell asked asks went came gave took made found felt thought knew started began
    finished tried wanted needs needed loves loved likes liked enjoys enjoyed hopes hoped thinks knows
    feels believes plans planned keeps kept gets getting makes making takes taking gives giving goes
    having helps helped helping helpful working worked uses used using became become becomes brought
    bought brings looked looked seen saw watching watched playing played trying spent spend spending
    learned learning living lived lives moved moving talked talking called calls left leaves leave met
    meeting joined shared showing showed shows remember reminds reminded realized wants recently really
    around since while without within during until along across behind every where there their which
    thing something able also able excited happy amazing awesome important different whole little couple
    several always never often sometimes usually probably currently actually definitely especially
    almost already another better great
"""
_NO_TOPICS = _NO_NAMES | frozenset(_VERB_WORDS.split())
