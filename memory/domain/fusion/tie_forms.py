"""The plain forms in which people tell of their ties, as data: six languages, one table.

"I" stands for who speaks, "me" for them as object, "my" for what is theirs.
"""

HAVE, WORK, DATE, MARRY, PLAN = "have", "employ", "date", "marry", "plan"

# By tie the words that statements of it may hold, which need share none with each other.
CUES = {
    HAVE: "",
    WORK: "work job quit resigned left fired laid redundant retired employed arbeite gekündigt entlassen Job"
    " Stelle"
    " travaille démissionné quitté licencié travail emploi trabajo renuncié dejé despidieron"
    " работаю уволился уволилась уволили 工作 上班 任职 辞职 离职 辞掉 解雇 退休",
    DATE: "dating seeing relationship engaged boyfriend girlfriend partner fiancé couple together broke split"
    " single"
    " zusammen Freund Freundin getrennt Trennung copain copine couple rompu séparés novio novia saliendo"
    " salgo"
    " rompimos terminamos separamos встречаюсь парень девушка расстались рассталась расстался"
    " 恋爱 交往 约会 分手 男朋 女朋",
    MARRY: "married husband wife spouse divorced verheiratet Mann Frau geschieden scheiden marié mariée mari"
    " femme"
    " divorcé divorcée casado casada esposo esposa divorciamos divorciado divorciada замужем женат муж жена"
    " развелись развелась развёлся 结婚 已婚 老公 丈夫 妻子 老婆 离婚",
    PLAN: "",
}

ANIMALS = (
    "dog|puppy|pup|cat|kitten|pet|rabbit|bunny|hamster|pig|parrot|budgie|canary|cockatiel|bird|horse|pony"
    "|fish|goldfish"
    "|turtle|tortoise|snake|lizard|gecko|ferret|rat|mouse|gerbil|chinchilla|hen|chicken|goat|donkey|cow"
    "|sheep|llama"
    "|terrier|retriever|labrador|poodle|beagle|spaniel|collie|corgi|dachshund|husky|pug|bulldog|chihuahua"
    "|tabby"
    "|hund|hündin|welpe|katze|kater|kaninchen|vogel|wellensittich|papagei|pferd|meerschweinchen|schildkröte"
    "|chien|chienne|chiot|chat|chatte|chaton|lapin|oiseau|perroquet|cheval|tortue|poisson"
    "|perro|perra|perrito|perrita|gato|gata|gatito|gatita|conejo|pájaro|loro|caballo|tortuga|pez"
    "|собака|собаку|пёс|пса|щенок|щенка|кот|кота|кошка|кошку|котёнок|котёнка|кролик|кролика|хомяк|хомяка"
    "|попугай|попугая"
    "|狗|小狗|猫|小猫|兔子|仓鼠|鹦鹉|鸟|鱼|金鱼|乌龟|马"
)

_REST = r"[^.!?。！？]+"
_NAME = r"(?P<name>(?-i:[^\W\d_a-zß-ÿа-яё])[\w'’-]+(?:\s(?-i:[^\W\d_a-zß-ÿа-яё])[\w'’-]+)?)"
_OTHER = _NAME.replace("<name>", "<other>")
_THIRD = _NAME.replace("<name>", "<third>")
_ANIMAL = rf"(?:\w+\s){{0,2}}?(?P<rest>{ANIMALS})"
_PLACE = r"(?P<rest>(?!the\s(?:end|beginning|age)\sof\b)(?:the\s|an?\s)?[\w&'’-]+(?:\s[\w&'’-]+){0,3}?)"
_NOUN = r"(?P<rest>[\w'’-]+(?:\s[\w'’-]+)?)"
_MY = r"(?:my|our|their)"
_HAVE_DONE = r"(?:ha(?:s|ve)\s)?(?:(?:just|recently|finally|sadly|already|actually)\s)?"
_TIME = (
    r"(?:the\s|last\s)?(?:early\s|late\s|mid[ -])?(?:\w+day|January|February|March|April|May|June|July|August"
    r"|\w+ber|\d{1,4}(?:st|nd|rd|th)?|weekend|spring|summer|autumn|fall|winter|year|month|week)(?:[\s,]+\d{1,4}){0,2}"
)
# When, and why: "last week", "two years ago", "because of the hours".
_WHEN = (
    rf"(?:,?\s(?:yesterday|today|recently|now|already|for good|sadly|(?:this|last)\s\w+"
    rf"|(?:in|on|over|back in|at the (?:end|beginning) of)\s{_TIME}|at the age of \d+"
    r"|(?:about\s)?(?:an?|two|three|four|five|six|some|several|many|\d+)\s(?:\w+\s)?(?:hour|day|week|month|year)s?"
    rf"\s(?:ago|back)|because\s{_REST}|due\sto\s{_REST})){{0,2}}"
)
_NO_MORE = r"(?:\s(?:any ?more|any longer|now))?"
_TRADED = r"(?:trade[ds]?|swap(?:s|ped)?|exchange[ds]?|replace[ds]?)"
_GONE = r"(?:sold|scrapped|totall?ed|stolen|donated|given away|traded in)"
_DIED = r"(?:died|passed(?: away)?|is dead|was put (?:down|to sleep)|had to be put (?:down|to sleep))"
_PARTNER = r"(?:(?:new|long-term)\s)?(?:boyfriend|girlfriend|partner|significant other|fianc[ée]e?)"
_SPOUSE = r"(?:husband|wife|spouse)"
_COUPLE = rf"(?:we|{_NAME} and I|I and {_OTHER})"
_BROKE_UP = r"(?:broken? up|split(?: up)?|called off (?:the|our|their) engagement|called it quits)"
_OUT_OF_WORK = r"(?:fired|laid off|let go|made redundant|dismissed)"
# A few words of time in the middle: "ist letzte Woche gestorben".
_SOME = r"(?:\w+\s){0,3}?"
ZH_WHEN = r"(?:已经|刚刚?|昨天|今天|前天|最近|上周|上个?月|去年|今年|终于|[，,])*"
_ZH_NAME = r"(?P<name>[^，。和跟与我的了]{1,8}?)"
_ZH_THING = r"(?P<rest>[^，。的了吗]{1,8}?)"
_ZH_ANIMAL = r"(?P<rest>小?狗|小?猫|兔子|仓鼠|鹦鹉|鸟|金?鱼|乌龟|马)"
_ZH_PLACE = r"(?P<rest>[^，。了]{1,16}?)"
_ZH_COUNT = r"(?:[一两]?[辆台部只条个匹座套间艘架把])?"
_ZH_ONE = r"(?:一?[只条匹])?"
_ZH_WHAT = r"(?P<rest>(?!我)[^，。了\d]{1,10}?)"

# What takes place, up to the words of when; and what is said of it, or in its stead, when it does not.
_WHAT = (
    r"(?P<rest>[\w'’-]+"
    r"(?:\s(?!(?:is|are|was|on|at|in|next|this|from|tomorrow|ist|am|est|es|в|на)\b)[\w'’-]+){0,4}?)"
)
_INSTEAD = (
    rf"(?P<instead>(?:\s?[,;:–—-]|\s(?:and|so|but|because|due to|und|weil|y|porque|et|car|и))\s{_REST})?"
)
_CANCELLED = r"(?:cancell?ed|called off|scrapped)"
_DAY = r"(?:\s(?:on|next|this)\s[\w.]+(?:\s\w+){0,2}?)?"
_ON_A_DAY = r"(?:on|at|in|from|for|next|this|tomorrow)"
_GO = r"(?:go(?:es|ing)?|travel(?:s|l?ing)?|fly(?:ing)?|flies|driv(?:es?|ing))"
_GOAL = _WHAT.replace("<rest>", "<goal>")  # of a trip

_ENGLISH = (
    ("HOLDS", HAVE,
        rf"I (?:also )?(?:have|has|owns?|keeps?) (?:an?|one|another) {_NOUN},? (?:named|called) {_NAME}"),
    ("HOLDS", HAVE, rf"my {_ANIMAL}(?:,?\s{_NAME},?)? is (?:now |already )?\d+(?:\s{_REST})?"),
    ("HOLDS", HAVE, r"I (?:currently |now |still )?drives? an? (?P<rest>\w+(?:\s\w+)?)(?: now)?"),
    ("HOLDS", HAVE,
        r"we (?:now |still |also )?(?:have|own|drive) (?:an?|one) (?P<rest>\w+(?:\s\w+)?)(?: now)?"),
    ("DENIED", HAVE,
        rf"I (?:no longer|do(?:es)?(?: not|n['’]t)) drives? (?:an?|my|their|the) {_NOUN}{_NO_MORE}"),
    ("ENDED", HAVE,
        rf"(?:I|we) {_HAVE_DONE}(?:sold|donated|scrapped|totall?ed) (?:{_MY}|the) {_NOUN}{_WHEN}"),
    ("ENDED", HAVE,
        rf"(?:I|we) {_HAVE_DONE}{_TRADED} in (?:{_MY}|the) {_NOUN}(?:\s(?:for|against)\s{_REST})?"),
    ("ENDED", HAVE,
        rf"(?:I|we) {_HAVE_DONE}{_TRADED} (?:{_MY}|the) {_NOUN}(?: in)?\s(?:for|against|with|by)\s{_REST}"),
    ("ENDED", HAVE, rf"(?:I|we) {_HAVE_DONE}traded (?:{_MY}|the) {_NOUN} in{_WHEN}"),
    ("ENDED", HAVE, rf"{_MY} {_NOUN} (?:was|were|got|has been|have been) (?:finally |just )?{_GONE}{_WHEN}"),
    ("ENDED", HAVE, rf"(?:{_MY}|the) {_ANIMAL}(?:,?\s{_NAME},?)? {_HAVE_DONE}{_DIED}{_WHEN}"),
    ("ENDED", HAVE, rf"(?:our )?(?!{_MY}\s){_NAME},? (?:{_MY} {_ANIMAL},? )?{_HAVE_DONE}{_DIED}{_WHEN}"),
    ("ENDED", HAVE,
        rf"(?:I|we) {_HAVE_DONE}(?:had to )?put (?:{_MY} {_ANIMAL} )?{_NAME} (?:down|to sleep){_WHEN}"),
    ("ENDED", HAVE, rf"(?:I|we) {_HAVE_DONE}(?:had to )?put {_MY} {_ANIMAL} (?:down|to sleep){_WHEN}"),
    ("HOLDS", WORK,
        rf"I (?:still |now |currently |also )?(?:works?|(?:is|am) (?:also )?(?:working|employed))"
        rf" (?:at|for|with|by) {_PLACE}"
        rf"(?:,? as an? {_REST})?"),
    ("HOLDS", WORK, r"I (?:still |now |currently |also )?works? (?P<rest>as an? [\w-]+(?:\s[\w-]+){0,3})"),
    ("HOLDS", WORK, rf"I (?:has|have) a (?:new )?job at {_PLACE}"),
    ("DENIED", WORK,
        rf"I (?:no longer works?|do(?:es)?(?: not|n['’]t) work|(?:is|am) no longer (?:working|employed)"
        rf"|{_HAVE_DONE}(?:stopped|quit) working) (?:at|for|with|by) {_PLACE}{_NO_MORE}"),
    ("ENDED", WORK, rf"I {_HAVE_DONE}(?:quit|resigned from|left|lost|g[ai]ven? up) {_MY} job"
        rf"(?: (?:at|with|for) {_PLACE}| (?P<role>as an? {_REST}?))?{_WHEN}"),
    ("ENDED", WORK, rf"I {_HAVE_DONE}(?:quit|resigned) (?:at|from) {_PLACE}{_WHEN}"),
    ("ENDED", WORK, rf"I {_HAVE_DONE}quit (?P<rest>(?:the\s)?(?!\w+ing\b)[\w&'’-]+){_WHEN}"),
    ("ENDED", WORK, rf"I {_HAVE_DONE}left (?P<rest>(?-i:[A-Z])[\w&'’-]+){_WHEN}"),
    ("ENDED", WORK, rf"I (?:was|got|ha(?:s|ve) been) (?:just |recently )?{_OUT_OF_WORK}"
        rf"(?: (?:at|from|by) {_PLACE})?{_WHEN}"),
    ("ENDED", WORK, rf"I {_HAVE_DONE}(?:resigned|retired)(?: from {_PLACE})?{_WHEN}"),
    ("HOLDS", DATE,
        rf"I (?:(?:is|am)|ha(?:s|ve) been) (?:now |currently )?(?:dating|seeing|going out with) {_NAME}"
        rf"(?: (?:since|for)\s{_REST})?"),
    ("HOLDS", DATE, rf"I (?:is|am) (?:now )?(?:in a relationship(?: with {_NAME})?|engaged)"),
    ("HOLDS", DATE, rf"I (?:is|am) (?:now )?engaged to {_NAME}"),
    ("HOLDS", DATE, rf"I (?:has|have) an? {_PARTNER}(?:,? (?:named|called) {_NAME})?"),
    ("HOLDS", DATE, rf"my {_PARTNER}(?:['’]s name)? is (?:named |called )?{_NAME}"),
    ("HOLDS", DATE, rf"{_NAME} is my {_PARTNER}"),
    ("HOLDS", DATE, rf"{_NAME} and I are (?:now )?(?:dating|together|a couple|engaged|in a relationship)"),
    ("DENIED", DATE,
        rf"I (?:is|am) no longer (?:(?:dating|seeing|going out with|engaged to|together with|with)"
        rf" {_NAME}"
        r"|in a relationship|engaged)"),
    ("DENIED", DATE,
        rf"{_COUPLE} are(?: no longer|n['’]t| not) (?:dating|together|a couple|engaged){_NO_MORE}"),
    ("DENIED", DATE, r"I (?:is|am) (?:now )?single(?: again| now)"),
    ("ENDED", DATE, rf"(?:{_COUPLE}|my {_PARTNER} and I) {_HAVE_DONE}{_BROKE_UP}{_WHEN}"),
    ("ENDED", DATE, rf"I {_HAVE_DONE}(?:broken? up with|split(?: up)? with|dumped) {_NAME}{_WHEN}"),
    ("ENDED", DATE,
        rf"I {_HAVE_DONE}(?:broken? up with|split(?: up)? with|dumped) my {_PARTNER}(?: {_NAME})?{_WHEN}"),
    ("ENDED", DATE,
        rf"(?:my {_PARTNER},? )?{_NAME} {_HAVE_DONE}(?:broken? up with|split(?: up)? with|dumped) me{_WHEN}"),
    ("ENDED", DATE, rf"my {_PARTNER} {_HAVE_DONE}(?:broken? up with|split(?: up)? with|dumped) me{_WHEN}"),
    ("HOLDS", MARRY, rf"I (?:is|am) (?:happily |now |still )?married(?: to {_NAME})?"),
    ("HOLDS", MARRY, rf"my {_SPOUSE}(?:['’]s name)? is (?:named |called )?{_NAME}"),
    ("HOLDS", MARRY, rf"I (?:has|have) a {_SPOUSE}(?:,? (?:named|called) {_NAME})?"),
    ("HOLDS", MARRY, rf"{_NAME} is my {_SPOUSE}"),
    ("HOLDS", MARRY, rf"{_NAME} and I are (?:now )?married"),
    ("HOLDS", HAVE, rf"my (?P<rest>\w+(?:\s\w+)?)(?:['’]s name)? is (?:named |called )?{_NAME}"),
    ("DENIED", MARRY, rf"(?:I (?:is|am)|{_COUPLE} are) no longer married(?: to {_THIRD})?"),
    ("ENDED", MARRY,
        rf"(?:{_COUPLE}|my {_SPOUSE} and I) (?:are |(?:have |has )?got(?:ten)? )?(?:now )?divorced{_WHEN}"),
    ("ENDED", MARRY, rf"I (?:(?:is|am) (?:now )?|{_HAVE_DONE}got(?:ten)? )divorced(?: from {_NAME})?{_WHEN}"),
    ("ENDED", MARRY, rf"I {_HAVE_DONE}divorced (?:my {_SPOUSE}|{_NAME}){_WHEN}"),
    ("ENDED", MARRY, rf"(?:my {_SPOUSE}|{_NAME}) {_HAVE_DONE}divorced me{_WHEN}"),
    ("ENDED", PLAN, rf"(?:{_MY}|the) {_WHAT}{_DAY} (?:is|are|was|were|got|(?:has|have|had to) (?:been|be))"
        rf" (?:now |just |sadly |unfortunately )?(?:{_CANCELLED}|off){_WHEN}{_INSTEAD}"),
    ("ENDED", PLAN,
        rf"(?:I|we|they) {_HAVE_DONE}(?:{_CANCELLED}|had to (?:cancel|call off)) (?:{_MY}|the) {_WHAT}"
        rf"{_DAY}{_WHEN}{_INSTEAD}"),
    ("DENIED", PLAN,
        rf"(?:{_MY}|the) {_WHAT} (?:won['’]t|will not|is not going to|isn['’]t going to) (?:happen|take"
        rf" place)"
        rf"{_NO_MORE}{_INSTEAD}"),
    ("HOLDS", PLAN, rf"(?:{_MY}|the) {_WHAT} (?:(?:is|are|will be) {_ON_A_DAY}"
        rf"|starts?|begins?|takes? place|happens?"
        rf"|(?:was |is |has been )?(?:moved|postponed|rescheduled|planned|scheduled|booked))\b{_REST}"),
    ("HOLDS", PLAN,
        rf"(?:I|we) (?:has|have|(?:is|am|are) having|{_HAVE_DONE}(?:booked|planned|arranged|scheduled))"
        rf" (?:an?|{_MY}|the) {_WHAT} {_ON_A_DAY}\b{_REST}"),
    ("HOLDS", PLAN,
        rf"(?:I|we)(?:['’]re| is| am| are| will)?(?: going to)? {_GO} to {_GOAL} {_ON_A_DAY}\b{_REST}"),
)  # fmt: skip

_MEIN = r"(?:mein|unser)\w{0,2}"
_ICH_UND = rf"(?:wir|{_NAME} und ich)"
_DE_WHEN = (
    r"(?:(?:gestern|heute|vorgestern|jetzt|nun|endlich|gerade|vor kurzem|letzte[nrs]? \w+|am \w+tag|vor"
    r" \w+ \w+) )?"
)
_DAS = rf"(?:der|die|das|den|{_MEIN})"
_GERMAN = (
    ("HOLDS", HAVE, rf"ich habe eine?n? (?P<rest>\w+) (?:namens|mit Namen) {_NAME}"),
    ("HOLDS", HAVE, rf"mein\w{{0,2}} {_ANIMAL} heißt {_NAME}"),
    ("ENDED", HAVE, rf"(?:ich habe|wir haben) {_DAS} (?P<rest>\w+) {_SOME}(?:verkauft|in Zahlung gegeben"
        rf"|gegen {_REST} (?:ein)?getauscht)"),
    ("ENDED", HAVE, rf"{_MEIN} (?P<rest>\w+) (?:wurde|ist) {_SOME}(?:verkauft|gestohlen)(?: worden)?"),
    ("ENDED", HAVE, rf"{_MEIN} {_ANIMAL}(?: {_NAME})? ist {_SOME}(?:gestorben|tot|eingeschläfert worden)"),
    ("ENDED", HAVE, rf"{_NAME} ist {_SOME}(?:gestorben|eingeschläfert worden)"),
    ("ENDED", HAVE,
        rf"(?:ich musste|wir mussten) (?:{_MEIN} {_ANIMAL}|{_NAME}) {_SOME}einschläfern(?: lassen)?"),
    ("HOLDS", WORK,
        r"ich arbeite (?:jetzt |derzeit )?(?:bei|für|im|in der|am|an der)"
        r" (?P<rest>[\w-]+(?:\s[A-ZÄÖÜ][\w-]+)*)"
        rf"(?: als {_REST})?"),
    ("DENIED", WORK,
        r"ich arbeite nicht mehr (?:bei|für|im|in der|am|an der) (?P<rest>[\w-]+(?:\s[A-ZÄÖÜ][\w-]+)*)"),
    ("ENDED", WORK, rf"ich habe {_DE_WHEN}(?:mein\w{{0,2}} (?:job|stelle|arbeit) )?"
        rf"(?:(?:bei|im|in der|am|an der) (?P<rest>[\w-]+) )?{_DE_WHEN}gekündigt"),
    ("ENDED", WORK, rf"ich (?:wurde|bin) {_SOME}(?:entlassen|gekündigt)(?: worden)?"),
    ("HOLDS", DATE, rf"ich bin (?:jetzt )?mit {_NAME} zusammen"),
    ("HOLDS", DATE, rf"ich habe eine?n? (?:neuen? )?(?:Freund|Freundin)(?: namens {_NAME})?"),
    ("HOLDS", DATE, rf"meine? (?:Freund|Freundin|Partner|Partnerin) heißt {_NAME}"),
    ("DENIED", DATE, rf"{_ICH_UND} sind nicht mehr zusammen|ich bin nicht mehr mit {_OTHER} zusammen"),
    ("ENDED", DATE, rf"{_ICH_UND} haben uns {_SOME}getrennt"),
    ("ENDED", DATE, rf"ich habe mich {_SOME}von {_NAME} getrennt"),
    ("HOLDS", MARRY, rf"ich bin (?:mit {_NAME} )?verheiratet"),
    ("HOLDS", MARRY, rf"meine? (?:Mann|Frau|Ehemann|Ehefrau) heißt {_NAME}"),
    ("ENDED", MARRY, rf"{_ICH_UND} haben uns {_SOME}scheiden lassen"),
    ("ENDED", MARRY, rf"(?:ich bin|{_ICH_UND} sind) (?:jetzt |inzwischen )?geschieden"),
    ("ENDED", PLAN,
        rf"{_DAS} {_WHAT} (?:(?:ist|wurde|wird|sind|wurden) (?:leider )?abgesagt(?: worden)?|fällt"
        rf" (?:leider )?aus)"
        rf"{_INSTEAD}"),
    ("ENDED", PLAN, rf"(?:ich habe|wir haben) {_DAS} {_WHAT} {_SOME}abgesagt{_INSTEAD}"),
    ("HOLDS", PLAN, rf"{_DAS} {_WHAT} (?:ist|sind|findet|beginnt|wurde auf)\b.+"),
)  # fmt: skip

_MON = r"(?:mon|ma|notre)"
_NOUS = rf"(?:nous(?: nous)?|on(?: s['’])?|{_NAME} et moi,?(?: nous(?: nous)?| on(?: s['’])?)?)"
_FRENCH = (
    ("HOLDS", HAVE, rf"j['’]ai une? (?P<rest>\w+) (?:nommée?|appelée?|qui s['’]appelle) {_NAME}"),
    ("HOLDS", HAVE, rf"{_MON} {_ANIMAL} s['’]appelle {_NAME}"),
    ("ENDED", HAVE,
        rf"(?:j['’]ai|nous avons) (?:vendu|échangé) (?:{_MON}|le|la) (?P<rest>\w+)(?:"
        rf" (?:contre|à|pour)\s{_REST}| hier)?"),
    ("ENDED", HAVE, rf"{_MON} (?P<rest>\w+) a été (?:vendu|volé)e?"),
    ("ENDED", HAVE,
        rf"{_MON} {_ANIMAL}(?:,? {_NAME},?)? (?:est (?:{_SOME})?morte?|est décédée?)(?:\s\w+){{0,3}}"),
    ("ENDED", HAVE, rf"{_NAME} est (?:morte?|décédée?)(?:\s\w+){{0,3}}"),
    ("HOLDS", WORK,
        rf"je travaille (?:chez|à|pour|à la|à l['’]|au) ?(?P<rest>[\w-]+(?:\s[A-Z][\w-]+)*)(?: comme"
        rf" {_REST})?"),
    ("DENIED", WORK,
        r"je ne travaille plus (?:chez|à|pour|à la|à l['’]|au) ?(?P<rest>[\w-]+(?:\s[A-Z][\w-]+)*)"),
    ("ENDED", WORK,
        r"j['’]ai (?:quitté|perdu) mon (?:travail|emploi|poste|boulot)(?: (?:chez|à|de) (?P<rest>[\w-]+))?"),
    ("ENDED", WORK, r"j['’]ai (?:démissionné|été licenciée?)(?: (?:de chez|chez|de|par) (?P<rest>[\w-]+))?"),
    ("HOLDS", DATE, rf"je (?:sors|suis en couple|suis) avec {_NAME}"),
    ("HOLDS", DATE, r"j['’]ai une? (?:copain|copine|petit ami|petite amie)"),
    ("HOLDS", DATE, rf"{_MON} (?:copain|copine|petit ami|petite amie) s['’]appelle {_NAME}"),
    ("ENDED", DATE, rf"{_NOUS}\s?(?:avons|a|sommes|est) (?:rompu|séparée?s?)(?:\s\w+){{0,3}}"),
    ("ENDED", DATE, rf"j['’]ai rompu avec {_NAME}|{_OTHER} m['’]a quittée?"),
    ("HOLDS", MARRY, rf"je suis mariée?(?: (?:à|avec) {_NAME})?"),
    ("HOLDS", MARRY, rf"{_MON} (?:mari|femme) s['’]appelle {_NAME}"),
    ("ENDED", MARRY, rf"{_NOUS}\s?(?:avons|a|sommes|est) divorcée?s?(?:\s\w+){{0,3}}"),
    ("ENDED", MARRY, r"(?:j['’]ai divorcé|je suis divorcée?)(?:\s\w+){0,3}"),
    ("ENDED", PLAN,
        rf"(?:le |la |les |l['’]|{_MON} ){_WHAT} (?:est|sont|a été|ont été) annulée?s?{_INSTEAD}"),
    ("HOLDS", PLAN,
        rf"(?:le |la |les |l['’]|{_MON} ){_WHAT} (?:est|sont|sera|a lieu|aura lieu|commence)\b{_REST}"),
)  # fmt: skip

_MI = r"(?:mi|nuestr[oa])"
_SPANISH = (
    ("HOLDS", HAVE, rf"tengo una? (?P<rest>\w+) (?:llamad[oa]|que se llama) {_NAME}"),
    ("HOLDS", HAVE, rf"{_MI} {_ANIMAL} se llama {_NAME}"),
    ("HOLDS", HAVE, r"tengo una? (?P<rest>\w+)"),
    ("ENDED", HAVE,
        rf"(?:yo )?(?:vendí|vendimos|cambié|cambiamos) (?:{_MI}|el|la) (?P<rest>\w+)(?:"
        rf" (?:por|a)\s{_REST}| ayer)?"),
    ("ENDED", HAVE, rf"(?:yo )?he vendido {_MI} (?P<rest>\w+)"),
    ("ENDED", HAVE, rf"{_MI} (?P<rest>\w+) (?:fue|ha sido) (?:vendid[oa]|robad[oa])"),
    ("ENDED", HAVE,
        rf"{_MI} {_ANIMAL}(?:,? {_NAME},?)? (?:murió|ha muerto|falleció|ha fallecido)(?:\s\w+){{0,4}}"),
    ("ENDED", HAVE, rf"{_NAME} (?:murió|ha muerto|falleció|ha fallecido)(?:\s\w+){{0,4}}"),
    ("HOLDS", WORK,
        rf"(?:yo )?trabajo (?:en|para) (?P<rest>(?:el |la )?[\w-]+(?:\s[A-Z][\w-]+)*)(?: como {_REST})?"),
    ("DENIED", WORK, r"(?:yo )?ya no trabajo (?:en|para) (?P<rest>(?:el |la )?[\w-]+(?:\s[A-Z][\w-]+)*)"),
    ("ENDED", WORK,
        r"(?:yo )?(?:renuncié(?: a mi (?:trabajo|puesto))?|dejé mi (?:trabajo|empleo)|perdí mi (?:trabajo"
        r"|empleo))"
        r"(?: en (?P<rest>(?:el |la )?[\w-]+))?"),
    ("ENDED", WORK, r"me despidieron(?: (?:de|del) (?P<rest>[\w-]+))?"),
    ("HOLDS", DATE, rf"(?:estoy saliendo|salgo) con {_NAME}"),
    ("HOLDS", DATE, r"tengo novi[oa]"),
    ("HOLDS", DATE, rf"{_MI} novi[oa] se llama {_NAME}"),
    ("ENDED", DATE, rf"(?:{_NAME} y yo )?(?:rompimos|terminamos|nos separamos|hemos roto|hemos terminado)"),
    ("ENDED", DATE, rf"(?:rompí|terminé|he roto) con {_NAME}"),
    ("HOLDS", MARRY, rf"estoy casad[oa](?: con {_NAME})?"),
    ("HOLDS", MARRY, rf"{_MI} (?:espos[oa]|marido|mujer) se llama {_NAME}"),
    ("ENDED", MARRY,
        rf"(?:{_NAME} y yo )?(?:nos divorciamos|nos hemos divorciado)|me divorcié|estoy divorciad[oa]"),
    ("ENDED", PLAN,
        rf"(?:el|la|los|las|{_MI}) {_WHAT} (?:(?:está|fue|ha sido) cancelad[oa]|se canceló){_INSTEAD}"),
    ("ENDED", PLAN, rf"se canceló (?:el|la|{_MI}) {_WHAT}{_INSTEAD}"),
    ("HOLDS", PLAN, rf"(?:el|la|los|las|{_MI}) {_WHAT} (?:es|son|será|empieza|comienza)\b{_REST}"),
)  # fmt: skip

_MOJ = r"(?:мо|сво|наш)\w{0,2}"
_MY_S = rf"мы (?:с {_NAME} )?"
_RUSSIAN = (
    ("HOLDS", HAVE, rf"у меня есть (?P<rest>\w+) по имени {_NAME}"),
    ("HOLDS", HAVE, rf"{_MOJ} {_ANIMAL} зовут {_NAME}"),
    ("ENDED", HAVE,
        rf"(?:я|мы) {_SOME}(?:продал|обменял|поменял)[аи]? (?:{_MOJ} )?(?P<rest>\w+)(?: на\s{_REST})?"),
    ("ENDED", HAVE, rf"{_MOJ} (?P<rest>\w+) (?:продали|продана?|украли)"),
    ("ENDED", HAVE,
        rf"(?:{_MOJ} {_ANIMAL} )?(?!{_MOJ}\s){_NAME} {_SOME}(?:умер(?:ла)?|погиб(?:ла)?)(?: {_SOME}\w+)?"),
    ("ENDED", HAVE, rf"{_MOJ} {_ANIMAL} {_SOME}(?:умер(?:ла)?|погиб(?:ла)?)(?: {_SOME}\w+)?"),
    ("HOLDS", WORK, r"я (?:сейчас )?работаю (?:во?|на) (?P<rest>[\w-]+)"),
    ("DENIED", WORK, r"я больше не работаю (?:во?|на) (?P<rest>[\w-]+)"),
    ("ENDED", WORK, rf"я {_SOME}(?:уволился|уволилась)(?: {_SOME}(?:из|с|со) (?P<rest>[\w-]+))?"),
    ("ENDED", WORK, rf"меня {_SOME}уволили(?: (?:из|с) (?P<rest>[\w-]+))?"),
    ("HOLDS", DATE, rf"я встречаюсь с {_NAME}"),
    ("HOLDS", DATE, r"у меня есть (?:парень|девушка)"),
    ("ENDED", DATE, rf"{_MY_S}{_SOME}расстались(?: {_SOME}\w+)?"),
    ("ENDED", DATE, rf"я {_SOME}(?:рассталась|расстался) с {_NAME}"),
    ("HOLDS", MARRY, rf"я (?:замужем(?: за {_NAME})?|женат)|я женат на {_OTHER}"),
    ("ENDED", MARRY, rf"{_MY_S}{_SOME}развелись(?: {_SOME}\w+)?"),
    ("ENDED", MARRY, r"я (?:развелась|разв[её]лся|разведена|разведён)"),
    ("ENDED", PLAN, rf"(?:{_MOJ} )?{_WHAT} (?:отмен[её]н[аоы]?|отменил[аои]?сь|отменили){_INSTEAD}"),
    ("ENDED", PLAN, rf"(?:мы |я )?отменил[аи]? (?:{_MOJ} )?{_WHAT}{_INSTEAD}"),
    ("HOLDS", PLAN,
        rf"(?:{_MOJ} )?{_WHAT} (?:(?:будет|состоится|начн[её]тся) )?(?:во? |на"
        rf" )?(?:\d|завтра|послезавтра)(?:{_REST})?"),
)  # fmt: skip

_CHINESE = (
    ("HOLDS", HAVE, rf"我(?:有|养了?){_ZH_ONE}(?:名叫|叫){_ZH_NAME}的{_ZH_ANIMAL}"),
    ("HOLDS", HAVE, rf"我(?:有|养了?){_ZH_ONE}{_ZH_ANIMAL}[，,]?它?(?:名叫|叫|名字是){_ZH_NAME}"),
    ("HOLDS", HAVE, rf"我们?家?的?{_ZH_ANIMAL}(?:名叫|叫|名字是){_ZH_NAME}"),
    ("HOLDS", DATE, r"我有(?:一个|个)?(?:男|女)朋友了?"),
    ("HOLDS", HAVE, rf"我(?:有|养了?){_ZH_COUNT}{_ZH_THING}"),
    ("DENIED", HAVE, rf"我(?:已经|现在)?没有?{_ZH_THING}了"),
    ("ENDED", HAVE, rf"我们?{ZH_WHEN}把(?:我们?的)?{_ZH_THING}(?:卖掉?|送人|捐|处理掉)了"),
    ("ENDED", HAVE, rf"我{ZH_WHEN}把(?:我的)?{_ZH_THING}换成了?{_REST}"),
    ("ENDED", HAVE, rf"我们?{ZH_WHEN}卖掉?了(?:我们?的)?{_ZH_THING}"),
    ("ENDED", HAVE, rf"我的{_ZH_THING}{ZH_WHEN}被?(?:卖掉?|偷)了"),
    ("ENDED", HAVE, rf"我们?家?的?{_ZH_ANIMAL}{_ZH_NAME}?{ZH_WHEN}(?:死|去世|离世|过世)了"),
    ("ENDED", HAVE, rf"{_ZH_NAME}{ZH_WHEN}(?:死|去世|离世|过世)了"),
    ("HOLDS", WORK, rf"我(?:现在|目前)?在{_ZH_PLACE}(?:工作|上班|任职)"),
    ("DENIED", WORK, rf"我(?:已经|现在)?(?:不再|不)在{_ZH_PLACE}(?:工作|上班|任职)了?"),
    ("ENDED", WORK, rf"我{ZH_WHEN}(?:从{_ZH_PLACE})?(?:辞职|离职|退休)了"),
    ("ENDED", WORK, rf"我{ZH_WHEN}(?:辞掉|辞去|丢)了?(?:在?{_ZH_PLACE}的)?工作了?"),
    ("ENDED", WORK, rf"我{ZH_WHEN}被(?:{_ZH_PLACE})?(?:裁员?|解雇|辞退|开除)了"),
    ("HOLDS", DATE, rf"我(?:正|现在)?在?(?:和|跟|与){_ZH_NAME}(?:谈恋爱|交往|约会|在一起)[了呢]?"),
    ("HOLDS", DATE, rf"我的?(?:男|女)朋友(?:名叫|叫|是){_ZH_NAME}"),
    ("HOLDS", DATE, rf"{_ZH_NAME}是我的?(?:男|女)朋友"),
    ("ENDED", DATE, rf"(?:我们|我(?:和|跟|与){_ZH_NAME}){ZH_WHEN}(?:分手|分开)了"),
    ("ENDED", DATE, rf"{_ZH_NAME}(?:和|跟|与)我{ZH_WHEN}(?:分手|分开)了"),
    ("HOLDS", MARRY, rf"我(?:已经)?(?:和|跟|与){_ZH_NAME}结婚了|我(?:已经)?(?:结婚了|已婚)"),
    ("HOLDS", MARRY, rf"我的?(?:老公|丈夫|先生|妻子|老婆|太太)(?:名叫|叫|是){_ZH_NAME}"),
    ("ENDED", MARRY, rf"(?:我们|我(?:和|跟|与){_ZH_NAME}|我){ZH_WHEN}离婚了"),
    ("ENDED", PLAN, rf"(?:我们?的?)?{_ZH_WHAT}(?:已经|被)*取消了?(?P<instead>[，,；]{_REST})?"),
    ("HOLDS", PLAN, rf"(?:我们?的?)?{_ZH_WHAT}(?:就?[是在]|定[在于]|改[到在]){_REST}"),
)

# By a character of its script, the forms of each.
FORMS = (
    ("[\u3400-\u9fff]", _CHINESE),
    ("[\u0400-\u04ff]", _RUSSIAN),
    ("", (*_ENGLISH, *_GERMAN, *_FRENCH, *_SPANISH)),
)
