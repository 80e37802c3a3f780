"""Questions written without their mark: "what's my phone number", "wo wohnt meine Tante".

Each language by its question words and by what follows them: a verb where a question has it, and
no subject as in "What I love is sailing". A comma joins clauses ("Wer wagt, gewinnt") and states.
"""

import re

MOST_WORDS = 14  # of a question; longer sentences without a mark go on to tell
MOST_AMBIGUOUS_WORDS = 6  # the same where the question word also means "when" as a conjunction
_OPENING = r"(?:(?:so|and|but|also|then|und|aber|also|et|alors|y|pero|e|ma|mas|en|maar|а|и|но|a|i)\s)?"
_GOING_ON = r"(?![\w'’-])"

_ENGLISH_WH = r"(?:what|who|whom|whose|where|when|why|how|which)"
_ENGLISH_OWNER = r"(?:i|you|we|he|she|it|they|my|your|our|his|her|their|the|this|that|these|those|an?)"
_ENGLISH_AUXILIARY = (
    r"(?:do|does|did|is|are|was|were|am|have|has|had|can|could|should|shall|will|would|may|might|must)"
)
_ENGLISH = re.compile(
    rf"^{_OPENING}(?:"
    # "what's my number", not "what's important is my number" and not "what's more".
    rf"{_ENGLISH_WH}(?:['’](?:s|re|d|ll)|s|\s(?:is|are|was|were))\s"
    r"(?!more$|that\b|up$|.*\b(?:is|are|was|were)\b.*\b(?:is|are|was|were|that)\b)"
    rf"(?!(?:\w+\s){{1,4}}(?:is|are|was|were)\s(?:that|to|when|how|my|the|an?)\b)\w"
    # "what car do we have", "how tall is my brother", not "What I love is sailing".
    rf"|(?:what|which|whose|how)\s(?!{_ENGLISH_OWNER}\b|about\b)(?:[\w'’-]+\s){{1,3}}?"
    rf"(?:(?:do|does|did|have|has|can|could|should|will|would|am)\s[\w'’]"
    rf"|(?<!ed\s)(?<!happens\s)(?<!helps\s)(?<!matters\s)(?<!counts\s)(?<!remains\s)(?<!follows\s)(?<!made\s)"
    rf"(?<!struck\s)(?:is|are|was|were)\s(?:{_ENGLISH_OWNER}\b|in\b|on\b|at\b))"
    rf"|{_ENGLISH_WH}\s{_ENGLISH_AUXILIARY}\s(?!that\b)\w"
    # "who owns the boat", "what happens on Monday".
    rf"|who\s(?!knows?\b|cares?\b|{_ENGLISH_OWNER}\b)(?:[a-z]+(?:s|ed)|gave|told|made|got|bought|came|went|has|will"
    r"|sent|wrote|won|sold|took)\s\w"
    r"|what\s(?:happens|happened|comes|came|became|costs?|goes|went)\s(?!.*\b(?:is|was|are|were)\b)\w"
    r"|(?:does|did|is|are|can|could|will|should)\s(?:my|our|his|her|their)\s\w+\s\w"
    r")",
    re.IGNORECASE,
)
# After a question word these lead a clause of telling; a verb leads one of asking.
_GERMAN_NO_VERB = (
    r"(?:ich|du|er|sie|es|wir|ihr|man|mich|mir|dich|dir|ihn|ihm|uns|euch|sich|nicht|nichts|nie|kein\w*|mein\w*"
    r"|dein\w*|sein(?:e[mnrs]?)?|ihr\w*|unser\w*|euer|eure\w*|d(?:er|ie|as|en|em|es)|dies\w*|jed\w*|alle\w*|ein\w*"
    r"|zu|so|oft|gut|früh|spät|viel\w*|immer|heute|gestern|morgen|gerne?|schon|sehr|am|im|in|an|auf|mit|bei|von"
    r"|für|um|gesagt|immer)"
)
_GERMAN = re.compile(
    rf"^{_OPENING}(?:(?:wo(?:her|hin|mit|für|von|ran|rin|rauf|rüber)?|wann|wer|wem|wen|wessen(?:\s\w+)?|was|warum|wieso"
    r"|weshalb|wie(?:\s(?:alt|groß|hoch|lang|lange|oft|weit|teuer|schwer|spät|schnell|viele?(?:\s\w+){0,2}))?"
    rf"|welche[mnrs]?(?:\s\w+){{1,2}}?)\s(?!{_GERMAN_NO_VERB}\b)(?:[a-zäöüß]+(?:t|e|st|en)|war|bin|mag|kann|muss"
    r"|darf|will|soll|weiß|gab|kam|ging)\b)(?:\s|$)",
    re.IGNORECASE,
)
_DUTCH = re.compile(
    rf"^{_OPENING}(?:waar|wanneer|wie|wat|hoe(?:\s(?:oud|lang|vaak|groot|heet|veel(?:\s\w+)?))?|waarom|welke?\s\w+)\s"
    r"(?:is|zijn|was|waren|heet|heb|hebt|heeft|hadden|woont?|werkt?|ben|bent|doet?|gaat?|komt?|kan|moet|wil|wordt"
    r"|begint|kost|leeft?)\s(?!een\b)\w",
    re.IGNORECASE,
)
_FRENCH = re.compile(
    rf"^{_OPENING}(?:(?:où|quand|comment|combien|qui|pourquoi|quels?|quelles?|que|qu['’])\s?(?:est-ce\b|\w+-(?:t-)?"
    r"(?:je|tu|il|elle|on|nous|vous|ils|elles)\b)"
    r"|(?:où|comment|combien|quels?|quelles?)\s(?:[\w-]+\s){0,2}?(?:est|sont|était|habite(?:nt)?|vit|vivent|travaille(?:nt)?"
    r"|s['’]\w+|se\s\w+|coûte(?:nt)?|vont?|va|fait|ai|as|a)\s\w|quand\s(?:est|sont|était|a\slieu|part|arrive)\s\w"
    r"|qui\s(?:est|sont|était|étaient)\s(?:mon|ma|mes|le|la|les|notre|nos)\b|c['’]est\s(?:quoi|qui|où|quand)\b)",
    re.IGNORECASE,
)
_SPANISH_VERB = (
    r"(?:es|son|está|esta|están|estan|era|fue|vive|viven|vivo|trabaja|trabajo|se\s?llama|me\s?llamo|tengo|tiene|cumple"
    r"|hay|hace|empieza|cuesta|nací|naci)"
)
_SPANISH = re.compile(
    rf"^¿|^{_OPENING}(?:(?:dónde|cuándo|quién|quiénes|qué|cuál|cuáles|cómo|cuánt[oa]s?|por\squé)\s(?!(?:yo|mi|mis|el|la"
    r"|los|las|no|bien|bueno|bonito|lindo|rico|buen|buena)\b)\w"
    rf"|(?:donde|quien|quienes|cual|cuales|como|cuando)\s{_SPANISH_VERB}\s(?:mi|mis|el|la|los|las|yo|nuestr\w+)\b"
    r"|(?:donde|cuando)\s(?:vivo|trabajo|nací|naci)$)",
    re.IGNORECASE,
)
_ITALIAN = re.compile(
    rf"^{_OPENING}(?:dove|quando|chi|cosa|che\scosa|come|quale|quali|qual|quant[oaie](?:\s\w+)?|perché)\s?"
    r"(?:['’]?è|sono|era|erano|abitan?o?|abita|vive|vivono|lavora|lavoro|si\schiama|mi\schiamo|ha|ho|fa|faccio"
    r"|compie|comincia|inizia|costa)(?:\s(?!che\b)\w|$)",
    re.IGNORECASE,
)
_PORTUGUESE = re.compile(
    rf"^{_OPENING}(?:onde|quando|quem|qual|quais|como|quant[oa]s?(?:\s\w+)?|por\sque|o\sque)\s"
    r"(?:é|são|era|eram|está|estão|fica|ficam|mora|moram|moro|vive|vivem|trabalha|trabalho|se\schama|me\schamo|tem"
    r"|tenho|faz|faço|começa|custa|nasceu|nasci)(?:\s(?!que\b)\w|$)",
    re.IGNORECASE,
)
_POLISH = re.compile(
    rf"^{_OPENING}(?:(?:gdzie|kto|kogo|komu|dlaczego|skąd|dokąd|ile|jaki|jaka|jakie|który|która|które|czyj|czyja|czy)\s"
    r"(?!(?:indziej|tam|się\snie)\b)\w|(?:kiedy|jak)\s(?:jest|są|był[ao]?|ma|mam|mieszka|nazywa|zaczyna|się)\s"
    r"|co\s(?:jest|robi|robię|mam|lubi|lubię)\b)",
    re.IGNORECASE,
)
_RUSSIAN = re.compile(
    rf"^{_OPENING}(?:(?:где|кто|кого|кому|кем|чей|чья|чьё|чьи|какой|какая|какое|какие|каков[аоы]?|сколько|почему|зачем"
    rf"|куда|откуда|когда|що|хто|де|який|яка|яке|які|скільки|чому|куди|звідки|чий|чия|коли){_GOING_ON}\s\w"
    rf"|как\s(?:зовут|называется|называют|меня|моего|мою|моих|выглядит)\b|як\s(?:звати|називається|мене|мого|мою)\b"
    r"|что\s(?:делает|делал[аи]?|ест|любит|я\s|такое|будет|было)|що\s(?:робить|любить|я\s|таке))",
    re.IGNORECASE,
)
_TURKISH = re.compile(
    r"^(?!.*\b(?:bil\w+|hatırl\w+|unut\w+|\w+rs[ae])\b).*(?:\b(?:nerede|nereli|nereye|nereden|ne zaman|kimdir"
    r"|kaç|hangi|nasıl|neden|niçin|nedir)\b.{0,24}|\b(?:ne|kim|m[ıiuü](?:y\w+|s[ıiuü]n\w*)?))$",
    re.IGNORECASE,
)
_CHINESE = re.compile(
    "^(?!.*(?:知道|记得|告诉|忘了|明白|无论|不管|没什么|都|也|哪怕|几乎|几个月|几天|几年)).{0,24}"
    "(?:什么|谁|哪|怎么|为什么|多少|多大|多久|几[点岁月号个]|何时|啥).{0,8}$"
)
_JAPANESE = re.compile(
    "(?:どこ|だれ|誰|なに|何|いつ|いくつ|いくら|なぜ|どう|どんな|どの|どちら)(?![かもで]|でも).{0,14}(?<!た)(?<!ます)(?<!です)$"
    "|(?:どこ|誰|何|いつ).{0,12}(?:かな|の)$"
)
_KOREAN = re.compile(
    "(?<![가-힣])(?:어디|누구|무엇|무슨|뭐|뭘|언제|몇|왜|어떻게|어떤|얼마)(?!나|든|가는|군가|몇)(?:.{0,14})$"
)
_ARABIC = re.compile(
    "^(?:و?أين|اين|متى|كيف|لماذا|كم|هل|ماذا|أي|من هو|من هي|من يكون|ما هو|ما هي"
    "|ما اسم|ما رقم|ما عنوان|ما لون)\\s"
)
_HINDI = re.compile(
    "^(?!.*(?:पता|मालूम|जान)).*(?<!\\w)(?:क्या|कहाँ|कहां|कब|कौन|कैसे|कैसा|कैसी|कितन[ाेी]|क्यों|किस\\w*)(?!\\w)"
)
_SPACED = (
    _ENGLISH, _GERMAN, _DUTCH, _FRENCH, _SPANISH, _ITALIAN, _PORTUGUESE, _POLISH, _RUSSIAN, _TURKISH,
    _ARABIC, _HINDI,
)  # fmt: skip
_UNSPACED = (_CHINESE, _JAPANESE, _KOREAN)
# Also conjunctions: "Когда я жил в Москве …", "Quando sono andato a Roma …".
_AMBIGUOUS = re.compile(
    r"^(?:quando|quand|cuando|wanneer|kiedy|jak|как|як|когда|коли|donde|dove|onde|como|come|где|де)\b",
    re.IGNORECASE,
)
_COMMA = re.compile("[,;:，；：、،]")


def asks_unmarked(sentence: str) -> bool:
    """Whether a sentence that ends without any mark asks.

    "what's my phone number" and "wo wohnt meine Tante" do, "What I love is sailing" and "Wer
    nicht wagt, der nicht gewinnt" do not.
    """
    if _COMMA.search(sentence):
        return False
    most = MOST_AMBIGUOUS_WORDS if _AMBIGUOUS.match(sentence) else MOST_WORDS
    if any(pattern.search(sentence) for pattern in _UNSPACED):
        return True
    return len(sentence.split()) <= most and any(pattern.match(sentence) for pattern in _SPACED)
