"""A segment's turns to the statements in them: what is said, by whom, in reply to what.

Questions, greetings and filler fall away here; sentences that lean on the one before
stay with it, and a short reply keeps the question that gives it its meaning.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from memory.domain.novelty import overlap
from memory.domain.sentences import is_list_item, split_sentences, strip_bullet
from memory.domain.text import search_terms
from memory.domain.types import Role, Turn
from memory.providers.offline_language.chatter import (
    content_words,
    is_affirmation,
    is_chatter,
    is_denial,
    is_lone_word,
    is_only_chatter,
    is_question,
    wants_forgotten,
)
from memory.providers.offline_language.clauses import are_told_apart, clauses_of, stopped
from memory.providers.offline_language.corrections import corrected
from memory.providers.offline_language.dates import are_apart, find_mentions
from memory.providers.offline_language.language import detect_language
from memory.providers.offline_language.phrases import is_own_phrase
from memory.providers.offline_language.quotations import is_open
from memory.providers.offline_language.reported import said_in_log, without_own_label
from memory.providers.offline_language.slots import find_slot
from memory.providers.offline_language.tastes import taste_of

MAX_CHARS = 320  # of sentences joined; one alone may be longer
MAX_SENTENCE_CHARS = 1_000
ECHO = 0.8  # share of a sentence's terms that makes it a repetition of what was said
MIN_DENSE_CHARS = 5  # of Chinese or Japanese that stand alone
MAX_REPLY_WORDS = 8  # content words up to which a reply keeps its question
MAX_SLIP_TURNS = 4  # between a slip and the words that put it right
MAX_ASSISTANT_STATEMENTS = 10  # of one turn
_DENSE = re.compile("[\u3040-\u30ff\u3400-\u9fff]")
_CITATION = re.compile(r"\[\d{1,3}\]|\([^()]{0,20}\d{4}[^()]{0,12}\): “|^\s*(?:-\s)?“[^”]+”\s*$")
_FENCE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_DATA_URL = re.compile(r"data:[\w.+-]+/[\w.+-]+;base64,[A-Za-z0-9+/=]*")
_LONG_RUN = re.compile(r"[!-~]{200,}")
_QUESTION_TAIL = re.compile(
    r"^(?P<head>.{15,}?)[,;:–—-]+\s*(?:and |so |but )?(?P<tail>(?:can|could|would|will|do|does|is|"
    r"are|what|where|when|who|how|which|why|any|"
    r"kannst|können|hast|wie|was|wo|wann|можешь|можете|как|что|где|когда)\b[^,;]*\?)$",
    re.IGNORECASE,
)
_POLITE = re.compile(
    r"anything else|(?:can|may|could) i (?:help|assist)|would you like (?:me|to)|help you with|"
    r"do you have any (?:other|more)|"
    r"does that (?:help|make sense)|noch etwas|чем-то ещё|ещё вопросы|还有什么|需要我|需要帮",
    re.IGNORECASE,
)
# Asked of an assistant: what it is to do says little of the person, unless it names something.
_REQUEST = re.compile(
    r"^(?:please\s|kindly\s|now\s|then\s|also\s|ok,?\s)*(?:recommend|suggest|give|tell|write|help|"
    r"explain|show|list|"
    r"create|generate|translate|summari[sz]e|provide|find|draft|rewrite|fix|describe|compare|make|"
    r"let me know|"
    r"bitte|gib|schreib|erklär\w*|подскажи\w*|расскажи\w*|напиши\w*|помоги\w*|объясни\w*|dame|"
    r"escribe|explique)\b"
    r"|^请(?!记住|始终|不要|一直|永远|用)|^(?:帮我|给我|告诉我)",
    re.IGNORECASE,
)
# Questions in another mood: whatever they name is asked about, not told.
_ASK = re.compile(
    r"^(?:please\s)?(?:(?:summari[sz]e|recap|list|repeat) (?:what|everything|all)\b"
    r"|fass\w*(?: \w+){0,3} zusammen\b,?"
    r"|(?:tell me|remind me|let me know)(?: again)? (?:about|of|more|everything|all|"
    r"what|who|whom|whose|where|when|why|how|which|if|whether)\b"
    r"|(?:sag mir|erzähl mir|erinner\w* mich),? (?:von|über|an|was|wer|wo|wann|wie|warum|welche\w*|ob)\b"
    r"|(?:dime|cuéntame|recuérdame) (?:de|sobre|qué|quién|dónde|cuándo|cómo|cuál)\b"
    r"|(?:dis-moi|parle-moi|raconte-moi|rappelle-moi) (?:de|du|des|où|qui|que|ce que|quand|comment|quel\w*)\b"
    r"|(?:расскажи|скажи|напомни)(?: мне)?,? (?:о|об|про|что|кто|где|когда|как|почему|какой|какая)\b"
    r")[^,;]{0,100}$",
    re.IGNORECASE,
)
_ZH_REQUEST_TAIL = re.compile(r"^(?P<head>.{4,}?)[，,]请(?!记住|始终|不要).{2,}$")
_NAMED = re.compile(r"\w\W+[A-ZА-Я]\w|\d")
_ZH_QUESTION_TAIL = re.compile(r"^(?P<head>.{4,}[，,])(?P<tail>[^，,]*[？?])$")
_MARK = r"\[redacted: [a-z ]{2,20}\]"
_SECRET_CLAUSE = re.compile(
    rf"^(?:(?:\S{{1,24}}\s+){{0,8}}?\S{{0,24}}?\s*(?:\b(?:is|are|was|ist|lautet|es|est|это)\b|[—–:=：是为為は]"
    rf"|هي|هو|는|은)\s*|(?:\S{{1,24}}\s+){{0,3}})[\"'“«]?{_MARK}\s?(?:です|입니다)?[\s.!。！…\"'”»]*$",
    re.IGNORECASE,
)
_CLAUSE_BREAK = re.compile(r"[,;，；]\s*|\s(?:and|but|und|aber|и|но|y|et)\s", re.IGNORECASE)
# Words with which a sentence leans on the one before it.
_LEANING = re.compile(
    r"^(?:it|it's|its|this|that|that's|these|those|they|they're|them|he|he's|she|she's|his|her|their|"
    r"there|there's|and|but|so|because|"
    r"also|then|plus|which|since|especially|like|such|even|another|both|one|some|most|same|"
    r"es|das|dies\w*|er|sie|dort|dann|aber|und|weil|deshalb|это|эт[аиот]\w*|он[аио]?|там|потом|но|и|"
    r"а|поэтому|также)(?![^\W_'])"
    r"|^[\[(]|^(?:它|他|她|这|那|因为|所以|但是?|而且|然后|还|也|其中|不过)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Statement:
    """Sentences of one turn that say one thing. `question` is what they reply to,
    `asked_in` the turn that asked it, or the one whose slip they put right.
    """

    turn: Turn
    text: str
    language: str
    question: str = ""
    asked_in: Turn | None = None
    is_confirmed: bool = True


def find_statements(turns: Sequence[Turn]) -> Iterator[Statement]:
    """The statements of the turns, in order. System turns say nothing."""
    people = tuple({turn.speaker for turn in turns if turn.role is Role.USER and turn.speaker})
    fallback = detect_language(
        " ".join(turn.text[:500] for turn in turns if turn.role is not Role.TOOL)[:4_000]
    )
    is_assisted = any(turn.role is Role.ASSISTANT for turn in turns)
    previous: Turn | None = None
    found: list[Statement] = []
    for turn in turns:
        if turn.role is Role.USER:
            for statement in _of_person(turn, previous, people, fallback, is_assisted=is_assisted):
                _add(found, statement)
        elif turn.role is Role.ASSISTANT:
            found.extend(_of_assistant(turn, turns, people, fallback))
        if turn.role in (Role.USER, Role.ASSISTANT):
            previous = turn
    yield from found


def _add(found: list[Statement], statement: Statement) -> None:
    """Add the statement; one that puts an earlier one right takes its place and rests on both turns."""
    said = statement.turn
    own = [at for at, other in enumerate(found) if other.turn.speaker == said.speaker and not other.question]
    lately = [at for at in reversed(own) if said.index - found[at].turn.index <= MAX_SLIP_TURNS]
    slip = corrected(statement.text, [found[at].text for at in lately])
    if slip is None:
        found.append(statement)
        return
    old = found.pop(lately[slip[0]])
    first = old.turn if old.turn is not said else None
    found.append(replace(statement, text=slip[1], language=old.language, question="", asked_in=first))


_TITLE = re.compile(r"[A-Z][\w'’-]*(?:\s[\w'’-]+){0,4}[!?]")
_PREDICATE = re.compile(r"(?:is|are|was|were|has|had|ist|war|hat|est)\s[^?]*$")


def sentences_of(text: str) -> list[str]:
    """The sentences of a turn without code, embedded files and list marks."""
    text = _LONG_RUN.sub(" ", _DATA_URL.sub(" ", _FENCE.sub("\n", text)))
    found: list[str] = []
    for sentence in (part for whole in _whole(split_sentences(text)) for part in clauses_of(whole)):
        bare = strip_bullet(sentence).strip("*_#| ")
        while len(bare) > MAX_SENTENCE_CHARS:
            cut = bare.rfind(" ", 1, MAX_SENTENCE_CHARS)
            cut = cut if cut > 0 else MAX_SENTENCE_CHARS
            found.append(bare[:cut])
            bare = bare[cut:].strip()
        if bare:
            found.append(bare)
    return found


def _whole(sentences: list[str]) -> list[str]:
    """The sentences, those of one short quotation kept together: apart, its "I" seems the speaker's. A
    title that ends in a mark stays the subject of what follows: "Sorry! is a game".
    """
    found: list[str] = []
    for at, sentence in enumerate(sentences):
        is_titled = found and _TITLE.fullmatch(found[-1]) and _PREDICATE.match(sentence)
        is_quoting = found and len(found[-1]) < MAX_CHARS and is_open(found[-1])
        if is_titled or (is_quoting and _closes(found[-1], sentences[at : at + 6])):
            found[-1] = _joined(found[-1], sentence)
        else:
            found.append(sentence)
    return found


def _closes(opened: str, following: list[str]) -> bool:
    """Whether the quotation ends within the sentences that follow, near enough."""
    for sentence in following:
        opened = _joined(opened, sentence)
        if len(opened) > MAX_CHARS:
            return False
        if not is_open(opened):
            return True
    return False


def without_echo(text: str) -> str:
    """What an assistant said, without the lines that cite or quote what was remembered and
    those that are the engine's own.
    """
    lines = text.splitlines()
    return "\n".join(
        line for line in lines if not _CITATION.search(line) and not is_own_phrase(strip_bullet(line.strip()))
    )


def is_worthless(text: str, *, names: Sequence[str] = ()) -> bool:
    """Whether a turn holds only questions, greetings, thanks and filler."""
    return are_worthless(sentences_of(text), names=names)


def are_worthless(sentences: Iterable[str], *, names: Sequence[str] = ()) -> bool:
    """Whether each of the sentences is a question, a greeting, thanks or filler."""
    said = map(_without_question, sentences)
    return is_only_chatter((s for s in said if not is_only_secret(s)), names=names)


def is_request(sentence: str) -> bool:
    """Whether the sentence asks an assistant to tell, or orders something without naming anything."""
    is_nameless = _NAMED.search(sentence) is None
    return _ASK.match(sentence) is not None or (is_nameless and _REQUEST.match(sentence) is not None)


def is_only_secret(sentence: str) -> bool:
    """Whether nothing is left of the sentence but that there was a secret.

    Example: "My wifi password is [redacted: password]".
    """
    if "[redacted: " not in sentence:
        return False
    clauses = [clause for clause in _CLAUSE_BREAK.split(sentence) if clause.strip()]
    return all(_SECRET_CLAUSE.match(clause.strip()) or is_chatter(clause) for clause in clauses)


def _of_person(
    turn: Turn, previous: Turn | None, people: Sequence[str], fallback: str, *, is_assisted: bool
) -> Iterator[Statement]:
    language = detect_language(turn.text) if len(turn.text) >= 20 or not turn.text.isascii() else fallback
    asked = _last_question(previous) if previous is not None and previous.speaker != turn.speaker else ""
    pending: Statement | None = None
    for at, sentence in enumerate(sentences_of(without_own_label(turn.text, turn.speaker))):
        said = _without_question(sentence)
        if is_question(said) or is_only_secret(said) or (is_assisted and is_request(said)):
            continue
        if wants_forgotten(said):
            continue
        is_answer = at == 0 and bool(asked) and (is_affirmation(said) or is_denial(said))
        if is_chatter(said, names=people) and not (is_answer and len(content_words(asked)) > 1):
            continue
        fresh = Statement(turn, said, language)
        if pending is None and asked and (is_answer or _needs_question(said, previous)):
            fresh = replace(fresh, question=asked, asked_in=previous)
        if pending is not None and (slip := corrected(said, [pending.text])) is not None:
            pending = replace(pending, text=slip[1])
            continue
        if pending is not None and _belongs(pending, fresh):
            pending = replace(pending, text=_joined(pending.text, said))
            continue
        if not fresh.question and is_lone_word(said):
            continue
        if pending is not None:
            yield pending
        pending = fresh
    if pending is not None:
        yield pending


def _of_assistant(
    turn: Turn, turns: Sequence[Turn], people: Sequence[str], fallback: str
) -> Iterator[Statement]:
    """What an assistant tells that a person may come back to: figures, names, lists.

    What it cites from memory or repeats of what it was told is no news.
    """
    language = detect_language(turn.text) if len(turn.text) >= 20 else fallback
    heard = frozenset(term for other in turns if other.role is Role.USER for term in search_terms(other.text))
    reply = next((t for t in turns if t.role is Role.USER and t.index > turn.index), None)
    is_confirmed = reply is not None and is_affirmation(reply.text)
    is_dense = language in ("zh", "ja", "ko")  # a character says what two or three letters say
    pending: Statement | None = None
    count = 0
    for sentence in sentences_of(without_echo(turn.text)):
        if overlap(sentence, heard) >= ECHO:
            continue
        is_thin = len(sentence) < 8 if is_dense else len(content_words(sentence)) < 3
        if is_question(sentence) or is_thin or is_only_secret(sentence) or is_chatter(sentence, names=people):
            continue
        if pending is not None and len(pending.text) + len(sentence) < (
            MAX_CHARS // 2 if is_dense else MAX_CHARS
        ):
            pending = replace(pending, text=_joined(pending.text, sentence))
            continue
        if pending is not None:
            yield pending
            count += 1
        if count >= MAX_ASSISTANT_STATEMENTS:
            return
        pending = Statement(turn, sentence, language, is_confirmed=is_confirmed)
    if pending is not None:
        yield pending


def _joined(one: str, other: str) -> str:
    return one + other if one.endswith(("。", "！", "？")) else f"{one} {other}"


def _belongs(pending: Statement, fresh: Statement) -> bool:
    """Whether the sentence is said about the same thing as those before it."""
    if len(pending.text) + len(fresh.text) > MAX_CHARS or is_list_item(fresh.text):
        return False
    if is_affirmation(pending.text) and is_chatter(pending.text):
        return True
    if find_slot(pending.text) or find_slot(fresh.text) or are_told_apart(pending.text, fresh.text):
        return False
    if _logged(pending) != _logged(fresh):
        return False
    if {taste_of(pending.text), taste_of(fresh.text)} == {True, False} and not _LEANING.match(fresh.text):
        return False
    return _leans(fresh.text) and not _is_another_day(pending, fresh)


def _logged(said: Statement) -> str:
    return said_in_log(said.text, said.turn.text, speaker=said.turn.speaker)


def _is_another_day(pending: Statement, fresh: Statement) -> bool:
    """Whether each names a date and the dates differ: one record has one validity."""
    earlier, later = (
        find_mentions(said.text, said.turn, language=said.language, time_zone="UTC")
        for said in (pending, fresh)
    )
    return are_apart(earlier, later)


def _needs_question(sentence: str, asked_in: Turn | None) -> bool:
    """Whether a statement is better understood with the question before it.

    Between people it is up to a handful of content words (measured on LoCoMo's development
    conversations: record hit@10 0.82 against 0.80); an assistant's questions are politeness.
    """
    if find_slot(sentence):
        return False
    is_short = len(content_words(sentence)) < MAX_REPLY_WORDS
    return (
        _leans(sentence)
        or is_lone_word(sentence)
        or (is_short and asked_in is not None and asked_in.role is Role.USER)
    )


def _leans(sentence: str) -> bool:
    """Whether the sentence needs what stands before it: a pronoun leads it, or it is short."""
    if _LEANING.match(sentence):
        return True
    if _DENSE.search(sentence):  # without spaces there are no words to count
        return len(sentence) < MIN_DENSE_CHARS
    words = content_words(sentence)
    return len(words) < 4 and not (len(words) == 1 and len(words[0]) > 6) and find_slot(sentence) is None


def _without_question(sentence: str) -> str:
    """What is stated before a question in the same sentence, if it is enough to stand alone."""
    tails = (_QUESTION_TAIL, _ZH_QUESTION_TAIL, _ZH_REQUEST_TAIL)
    match = next((match for tail in tails if (match := tail.match(sentence))), None)
    head = match.group("head").rstrip("，,;: ") if match else ""
    if head and not is_question(head) and (not head.isascii() or len(content_words(head)) > 1):
        return stopped(head)
    return sentence


def _last_question(turn: Turn | None) -> str:
    if turn is None:
        return ""
    questions = [s for s in sentences_of(turn.text) if is_question(s) and len(s) <= 240]
    if turn.role is Role.ASSISTANT:
        questions = [s for s in questions if not _POLITE.search(s)]
    return questions[-1] if questions else ""
