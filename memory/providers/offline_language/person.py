"""English first and second person to the third: "I live in Paris" -> "Alice lives in Paris".

Verbs agree, contractions are opened, "my" becomes the name's or "their". A small
conjugator over tokens: verbs it does not know get the regular ending.
"""

import re
from dataclasses import dataclass, field

from memory.providers.offline_language.quotations import covers, quoted_spans

_TOKEN = re.compile(r"\s+|[^\W_]+(?:['’\-][^\W_]+)*['’]?|[^\w\s]|_")
_ADVERBS = """
    also always already actually absolutely almost barely basically both certainly clearly constantly
    currently deeply definitely eventually even ever finally first fully genuinely generally gladly
    hardly honestly immediately initially instantly just kinda lately literally long longer maybe mainly more
    mostly much never no not now nearly often once only originally particularly perhaps personally possibly
    previously probably quickly quite rarely rather really recently regularly seldom seriously simply
    sincerely slowly sometimes somehow soon sorta still strongly suddenly super sure then therefore together
    too totally truly typically usually very
"""
_ADVERB_WORDS = frozenset(_ADVERBS.split())
# Third persons that are no base plus -s, and forms that do not change.
_IRREGULAR = {"am": "is", "are": "is", "have": "has", "do": "does", "go": "goes", "were": "was", "be": "is"}
_NEGATED = {"don't": "doesn't", "haven't": "hasn't", "aren't": "isn't", "ain't": "isn't", "weren't": "wasn't"}
_UNCHANGED = """
    can could will would shall should may might must ought used cannot can't couldn't won't wouldn't
    shan't shouldn't mightn't mustn't didn't hadn't wasn't isn't was had did is has does arose ate awoke
    became began bent bet bit bled blew bore bought bound bred broke brought built burnt burst came
    caught chose clung cost crept cut dealt did drank drew drove dug dreamt dwelt fed fell felt fled
    flew forbade forgave forgot fought found froze gave got ground grew had heard held hid hit hung hurt
    kept knelt knew laid lay leapt learnt led left lent let lit lost made meant met misunderstood
    overcame overslept paid put quit ran rang read rid rode rose said sang sank sat saw sent sewed set
    shook shone shot showed shrank shut slept slid sold sought spent spilt split spoke sprang spread
    stank stood stole struck stuck stung strove swam swept swore swung taught thought threw told took
    tore underwent understood undid upset went withdrew woke won wore wound wrote
"""
_UNCHANGED_FORMS = frozenset(_UNCHANGED.split())
_BASE_IN_EED = frozenset(
    {"need", "feed", "breed", "speed", "proceed", "succeed", "exceed", "bleed", "heed", "seed", "weed"}
)
_COMMON = """
    accept add adore agree aim appreciate ask attend avoid bake be become begin believe belong bike book
    bring build buy call care carry celebrate change check choose clean climb coach collect come
    complete consider contribute cook count create cycle dance deal decide design develop do draw dream
    drink drive earn eat enjoy exercise expect explore feel find finish fish fly focus follow forget
    garden get give go grow hang happen hate have help hike hope hunt imagine improve invest invite join
    jog keep knit know laugh lead learn leave lift like listen live look lose love make manage meet
    meditate mentor miss move need offer open organize own paint participate pay plan plant play
    practice prefer prepare produce promise push put raise read realize receive recommend record regret
    rely remember rent research respect rest ride run sail save see seem sell send serve share shop show
    sing sit sketch sleep speak spend stand start stay stop struggle study suffer support surf swim take
    talk teach tell tend think train travel treat trust try turn understand use value visit volunteer
    wait wake walk want watch wear win wish wonder work worry write
"""
_COMMON_VERBS = frozenset(_COMMON.split())
_HAD_PARTICIPLES = frozenset(
    {"been", "had", "gone", "better", "done", "seen", "heard", "known", "never", "already"}
)
# After these another's verb may come, so "and" no longer continues the person's.
_CLAUSE_BREAKS = frozenset({",", ";", ":", "he", "she", "they", "we", "who", "to", "it"})
_OURS = {"our": "their", "ours": "theirs", "we": "they", "us": "them", "ourselves": "themselves"}
_OPENERS = {"m": "is", "ve": "has", "ll": "will", "re": "is"}
_GENERIC_BEFORE_YOU = frozenset(
    {"thank", "see", "if", "when", "as", "where", "bless", "know", "whatever", "because", "that"}
)
_GENERIC_AFTER_YOU = frozenset({"know", "see", "guys", "all", "two", "both", "too", "can", "get"})
_OBJECT_CUES = """
    to for with of from by at on about like let help make makes made see saw hear heard than and between
    without around after before towards near behind watch give gives tell told love miss wish
"""
_NO_SUBJECT_BEFORE = frozenset(_OBJECT_CUES.split())


@dataclass(slots=True)
class _Rewriter:
    """One pass over the tokens of a sentence for one person."""

    tokens: list[str]
    name: str
    is_alone: bool  # whether nobody else is spoken of by pronoun, so that "their" is clear
    out: list[str] = field(default_factory=list)
    is_named: bool = False
    is_base: bool = False  # whether the last verb of this person was a base form
    is_awaiting: bool = False  # whether a verb of this person comes next

    def put_name(self) -> None:
        """Write the name as subject or object."""
        self.out.append(self.name)
        self.is_named = True

    def put_possessive(self, token: str) -> None:
        """Write whose it is: the name's, or "their" once the name has been written."""
        word = possessive_of(self.name)
        if self.is_named and self.is_alone:
            word = "theirs" if token.lower() in ("mine", "yours") else "their"
            word = word.title() if token[0].isupper() else word
        self.out.append(word)
        self.is_named = True


def possessive_of(name: str) -> str:
    """The name's genitive: "Alice's", "James'"."""
    return f"{name}'" if name.endswith("s") else f"{name}'s"


def third_person(verb: str) -> tuple[str, bool]:
    """The verb as a third person needs it, and whether it was a base form.

    "live" -> ("lives", True), "lived" -> ("lived", False), "don't" -> ("doesn't", True).
    """
    low = verb.lower().replace("’", "'")
    if low in _IRREGULAR:
        return _IRREGULAR[low], low != "were"
    if low in _NEGATED:
        return _NEGATED[low], False
    is_past = low.endswith("ed") and low not in _BASE_IN_EED
    if is_past or low in _UNCHANGED_FORMS or not low.isalpha():
        return verb, False
    if low.endswith(("s", "x", "z", "ch", "sh", "o")):
        return verb + "es", True
    if low.endswith("y") and low[-2:-1] not in ("a", "e", "o", "u"):
        return verb[:-1] + "ies", True
    return verb + "s", True


def has_first_person(sentence: str) -> bool:
    """Whether the sentence speaks of "I", "me" or "my" in its speaker's own words."""
    quoted = quoted_spans(sentence)
    return any(not covers(quoted, match.start()) for match in _FIRST.finditer(sentence))


def has_second_person(sentence: str) -> bool:
    """Whether the sentence speaks to somebody."""
    return _SECOND.search(sentence) is not None


_FIRST = re.compile(r"\b(?:I|me|my|mine|myself|i|im|Im|ive|My|Me|Mine|Myself)\b(?!\.[a-z])")
_SECOND = re.compile(r"\b(?:you|your|yours|yourself|ur)\b", re.IGNORECASE)


_ELLIPSIS = re.compile(
    r"^(?P<lead>(?:(?:now|then|yesterday|today|so|and|but|well|yeah|oh),?\s)*)"
    r"(?P<adverb>(?:(?:just|finally|also|still|recently|currently|actually|really|definitely)\s)*)"
    r"(?:(?P<being>gonna|going|feeling|working|trying|looking|thinking|planning|loving|hoping|"
    r"getting|studying|reading|"
    r"learning|preparing|considering)|(?P<having>been|got|gotten|always wanted)"
    r"|(?P<verb>finished|had|went|made|took|saw|started|joined|bought|met|visited|moved|hope|miss|"
    r"want|need|wish|"
    r"can't|couldn't|wouldn't|won't|haven't|hadn't|didn't|used|"
    r"don't(?=\s(?:really |even |ever )*(?:like|love|enjoy|want|need|have|know|think|believe|care|mind|"
    r"understand|eat|drink|feel|remember|own|work|live|see)\b)|promised|decided|confirmed|"
    r"agreed|talked|tried|told|"
    r"asked|ordered|signed|booked|ran|ate|cooked|watched|spent|worked|forgot|lost|found|came|left|"
    r"learned|ended))\s",
    re.IGNORECASE,
)


def with_subject(sentence: str) -> str:
    """The sentence with the "I" that speech leaves out: "Went home" -> "I went home"."""
    match = _ELLIPSIS.match(sentence)
    if match is None or re.match(r"\s?(?:is|was|can|has|helps|takes)\b", sentence[match.end() :]):
        return sentence
    verb = sentence[match.end("lead") :]
    subject = "I am " if match.group("being") else "I have " if match.group("having") else "I "
    return f"{match.group('lead')}{subject}{verb[:1].lower()}{verb[1:]}"


_OURS_AND_MINE = re.compile(
    r"\b(?P<o>[Oo])ur(?=\s(?:\w+\s){0,2}?(?:dogs?|cats?|pupp(?:y|ies)|kittens?|rabbits?|hamsters?|parrots?|pets?|"
    r"son|sons|daughters?|child|children|kids?|bab(?:y|ies)|twins|nann(?:y|ies)|house|home|flat|apartment|"
    r"garden|kitchen|car|landlord|landlady|neighbou?rs?|wedding|anniversary)\b)"
)
_WE = re.compile(r"\b(?:we|us|ours|ourselves)\b", re.IGNORECASE)


def with_own(sentence: str) -> str:
    """What is a household's is its teller's too, if nothing says "we": "Our dog barks" -> "My dog barks"."""
    match = _OURS_AND_MINE.search(sentence)
    if match is None or _WE.search(sentence) or covers(quoted_spans(sentence), match.start()):
        return sentence
    return sentence[: match.start()] + ("My" if match["o"] == "O" else "my") + sentence[match.end() :]


def resolve_persons(sentence: str, *, speaker: str, addressee: str = "") -> str:
    """The sentence with "I", "me" and "my" as the speaker and, if one is named, "you"
    and "your" as the addressee, but for "you know" and its like. What another said stays.
    """
    is_alone = not (addressee and _FIRST.search(sentence) and _SECOND.search(sentence))
    if addressee:
        sentence = _rewrite(sentence, addressee, _SECOND_FORMS, is_alone=is_alone)
    return _rewrite(sentence, speaker, _FIRST_FORMS, is_alone=is_alone)


@dataclass(frozen=True, slots=True)
class _Forms:
    """The pronouns of one person; `contracted`: pronoun -> what follows it opened."""

    subject: str
    object: str
    possessive: str
    mine: str
    self: str


_FIRST_FORMS = _Forms("i", "me", "my", "mine", "myself")
_SECOND_FORMS = _Forms("you", "you", "your", "yours", "yourself")


def _rewrite(sentence: str, name: str, forms: _Forms, *, is_alone: bool) -> str:
    rewriter = _Rewriter(_TOKEN.findall(sentence), name, is_alone=is_alone)
    quoted, end = quoted_spans(sentence), 0
    for at, token in enumerate(rewriter.tokens):
        end += len(token)
        if covers(quoted, end - len(token)):
            rewriter.is_awaiting = rewriter.is_base = False
            rewriter.out.append(token)
            continue
        low = token.lower().replace("’", "'")
        if _is_pronoun(rewriter, at, low, forms):
            continue
        if rewriter.is_awaiting and token.strip():
            _put_verb(rewriter, token, low)
        elif rewriter.is_base and low in _COMMON_VERBS and _follows_and(rewriter.tokens, at):
            rewriter.out.append(third_person(token)[0])
        else:
            if low in _CLAUSE_BREAKS:
                rewriter.is_base = False
            rewriter.out.append(token)
    return "".join(rewriter.out)


def _is_pronoun(rewriter: _Rewriter, at: int, low: str, forms: _Forms) -> bool:
    """Write what stands for the token if it is one of the person's pronouns.

    Once they are named, what is ours is "theirs" as well: "Alice took their children along", and
    we are "they": "Alice's partner is Max and they have twins".
    """
    word, (stem, _, ending) = rewriter.tokens[at], low.partition("'")
    if forms is _FIRST_FORMS and low in {"im", "ive"}:
        stem, ending = "i", low[1:]
    if stem == forms.subject and (ending in _OPENERS or ending == "d"):
        rewriter.put_name()
        rewriter.out.append(" " + _opened(rewriter.tokens, at, ending))
        rewriter.is_base = False
        rewriter.is_awaiting = False
    elif low == forms.subject and _is_subject(rewriter.tokens, at, forms):
        rewriter.put_name()
        rewriter.is_awaiting = True
    elif low == forms.object and not _is_generic(rewriter.tokens, at, forms):
        rewriter.put_name()
    elif low in (forms.possessive, forms.mine):
        rewriter.put_possessive(rewriter.tokens[at])
    elif stem in _OURS and word != "US" and forms is _FIRST_FORMS and rewriter.is_named and rewriter.is_alone:
        rewriter.out.append(_OURS[stem] + word[len(stem) :])
    elif low == forms.self and rewriter.is_named:
        rewriter.out.append("themself")
    else:
        return False
    return True


def _put_verb(rewriter: _Rewriter, word: str, low: str) -> None:
    """Write the token that follows the subject; the verb among them is made to agree."""
    if low in _ADVERB_WORDS or (
        low.endswith("ly") and low not in {"rely", "apply", "fly", "supply", "reply", "ally"}
    ):
        rewriter.out.append(word)
        return
    rewriter.is_awaiting = False
    if not low[0].isalpha() or low in {"and", "or", "but", "in", "at", "on", "to", "of"}:
        rewriter.out.append(word)
        return
    verb, rewriter.is_base = third_person(word)
    rewriter.out.append(verb)


def _opened(tokens: list[str], at: int, ending: str) -> str:
    """What a contraction stands for; "'d" is had before a participle, else would."""
    if ending != "d":
        return _OPENERS[ending]
    following = _next_word(tokens, at)
    is_past = following in _HAD_PARTICIPLES or (following.endswith("ed") and following not in _BASE_IN_EED)
    return "had" if is_past else "would"


def _is_subject(tokens: list[str], at: int, forms: _Forms) -> bool:
    """Whether a verb of this pronoun may follow: always for "I", for "you" with care."""
    if forms is _FIRST_FORMS:
        return True
    following = _next_word(tokens, at, skip_adverbs=True)
    if following in {"are", "were", "aren't", "weren't"}:
        return True
    is_verb = (
        following in _COMMON_VERBS
        or following in _UNCHANGED_FORMS
        or following in _IRREGULAR
        or following in _NEGATED
        or following.endswith("ed")
    )
    return (
        is_verb
        and not _is_generic(tokens, at, forms)
        and _previous_word(tokens, at) not in _NO_SUBJECT_BEFORE
    )


def _is_generic(tokens: list[str], at: int, forms: _Forms) -> bool:
    """Whether it means nobody in particular: "thank you", "you know", "if you"."""
    if forms is _FIRST_FORMS:
        return False
    before = _previous_word(tokens, at)
    if before in _GENERIC_BEFORE_YOU:
        return True
    return before not in _NO_SUBJECT_BEFORE and _next_word(tokens, at) in _GENERIC_AFTER_YOU


def _next_word(tokens: list[str], at: int, *, skip_adverbs: bool = False) -> str:
    for token in tokens[at + 1 :]:
        low = token.lower()
        if low[0].isalpha() and not (skip_adverbs and low in _ADVERB_WORDS):
            return low.replace("’", "'")
        if not token.isspace() and not low[0].isalpha():
            return ""
    return ""


def _previous_word(tokens: list[str], at: int) -> str:
    for token in reversed(tokens[:at]):
        if not token.isspace():
            return token.lower()
    return ""


def _follows_and(tokens: list[str], at: int) -> bool:
    """Whether the token continues the person's clause: "… and work", "… but also need"."""
    for token in reversed(tokens[:at]):
        low = token.lower()
        if token.isspace() or low in _ADVERB_WORDS:
            continue
        return low in {"and", "or", "but"}
    return False
