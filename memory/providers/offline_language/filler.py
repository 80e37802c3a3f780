"""Words that hold nothing to remember, by where they hold nothing.

A language's filler counts in sentences of that language alone: "hat" and "son" are small words of
German and Spanish, and a hat and a son in English.
"""

from memory.domain.text import is_stop_word
from memory.providers.offline_language.language import guess_language

# Of one who reacts: nothing even in a statement, as in "I'm so glad" and "They look amazing".
_REACTING = """
    a absolutely actually adorable agree agreed ah aha all alright always amazing anything anytime
    appreciate aw awesome awesomely aww awww beautiful best bet better bit bye cheering cheers clear
    congrats congratulations cool could cute def definitely do done enjoy even ever everything exactly
    excited exciting fab fabulous fair fantastic feel fine forward gave get getting give glad go goes
    going gonna good goodbye gorgeous got gotcha great guess ha haha hahaha happened happy hello hey hi
    hmm hope hopefully hoping how huh i idea impressed impressive incredible indeed inspired inspiring
    interesting it just keep kinda know kudos let let's like lol look looking looks lot lots love lovely
    lucky makes maybe mean mm mmm more much must nah neat need never nice nope nothing now oh ok okay omg
    one ooh ours perfect please pretty proud question quite ready real really right rooting same say see
    seem seems sense seriously share sharing should so something soon sorry sort sorta sound sounds still
    stunned stunning stuff such sup super support supporting supportive sure sweet take tell thank
    thankful thanks that thing things think thinking though thought to too totally true truly try ugh up
    ur very wait wanna want way welcome well what whoa whole wish wonder wonderful wondering woo woohoo
    would wow ya yay yea yeah yep yes yo you yup
"""
# Of set phrases ("Great job!", "Good night", "No problem"): a person of whom they are told has them.
_OF_PHRASES = """
    bad big bro buddy care catch chat check course crazy day dear dope down dude everyone anyone fact
    fingers folks forget friend fun gal girl guy guys hear heart help job kind lit long luck mad man mate
    matter message moment moments morning neat night out pal pleasure plus problem rad read rock sick sis
    someone special stay talk talking ten time today together tomorrow tonight tons top touch watch week
    weekend wicked wild word words work worries worry worth
"""
_OTHER_LANGUAGES = {
    "de": """
        hallo tschüss danke bitte gern gerne guten gut ja nein klar super toll schön genau okay prima
        unglaublich vorsicht der das die ist ein eine einen und ich du er sie es wir ihr nicht auch mit
        für auf zu den dem des im am bin bist sind hat habe haben wird werden sehr mal doch noch schon
        dass heisst heisse wie mein meine dein deine""",
    "fr": """
        bonjour salut merci oui non bien accord super le la les un une et je tu il elle nous vous ils est
        sont c'est c ce cette dans avec que qui ne pas""",
    "es": """
        hola gracias adiós bueno buenos buenas vale sí claro bien el la los las un una y yo tú es son está
        en con muy lo que no""",
    "it": "ciao grazie bene",
    "pt": "olá obrigado obrigada",
    "ru": """
        привет здравствуйте спасибо пожалуйста пока да нет хорошо отлично круто понятно ясно ладно классно
        супер здорово конечно очень вау ура невероятно осторожно это я ты он она оно мы вы они и в на с не
        что как так у меня мне тебя вас был была было есть же ли бы по за от до из к о но а""",
}
_OF_OTHER_PHRASES = frozenset({"morgen", "tag", "abend", "días", "доброе", "утро", "добрый", "день", "вечер"})
_CYRILLIC = "ru"  # no word of it is a word of a language in another script
_REACTIONS = frozenset(_REACTING.split())
_IN_PHRASES = _REACTIONS | frozenset(_OF_PHRASES.split())
_OTHERS = {language: frozenset(listed.split()) for language, listed in _OTHER_LANGUAGES.items()}
_ALL_OTHERS = _OF_OTHER_PHRASES.union(*_OTHERS.values())


def language_for(text: str, folded: list[str]) -> str:
    """The language whose filler counts in the text, "" where nothing speaks for any.

    `folded`: its words; most texts have none that would need it.
    """
    return "en" if _ALL_OTHERS.isdisjoint(folded) else guess_language(text)


def is_filler(word: str, language: str = "") -> bool:
    """Whether a folded word holds nothing in a sentence of this language ("": of any)."""
    is_of_phrase = word in _IN_PHRASES or (language != "en" and word in _OF_OTHER_PHRASES)
    return is_stop_word(word) or is_of_phrase or word in _others(language)


def is_reaction(word: str, language: str = "") -> bool:
    """Whether a folded word holds nothing even where a person tells of themselves or of others."""
    is_english = language in ("", "en") and word in _REACTIONS
    return is_stop_word(word) or is_english or word in _others(language)


def _others(language: str) -> frozenset[str]:
    if not language:
        return _ALL_OTHERS
    return _OTHERS.get(language, frozenset()) | _OTHERS[_CYRILLIC]
