"""A model's replies about what was recalled: judgement, adequacy, synthesis, inside their bounds.

Nothing of them is worth a second call: what cannot be used is Unreadable, and the caller goes on
without it. Numbers in replies count from 1, places in values from 0.
"""

from memory.domain.replies import Fault, JsonValue, Unreadable, read_json
from memory.domain.reply_values import block_of, indexes_of, mapping_of, share_of, texts_of, truth_of
from memory.domain.types import Adequacy, Judgement, Synthesis

MAX_QUERIES = 3
QUERY_CHARS = 300
CONTEXT_CHARS = 20_000
DOUBTFUL = 0.6  # of a fragment that the model did not judge: kept


def read_judgement(text: str, *, count: int, is_cut: bool = False) -> Judgement | Unreadable:
    """Which of `count` composites help. What is flagged as too abstract was found to help."""
    given = read_json(text, wants="relevant", is_cut=is_cut)
    if isinstance(given, Unreadable):
        return given
    value = mapping_of(given)
    if "relevant" not in value:
        return Unreadable(Fault.NO_JSON, 'The reply must be an object with "relevant".')
    relevant, abstract = _in_order(value["relevant"]), _in_order(value.get("abstract"))
    places = [number - 1 for number in dict.fromkeys((*relevant, *abstract)) if 1 <= number <= count]
    if relevant and not places:
        return Unreadable(Fault.NO_JSON, "The reply named no item that was shown.")
    return Judgement(tuple(places), tuple(place for place in places if place + 1 in abstract))


def read_adequacy(text: str, *, is_cut: bool = False) -> Adequacy | Unreadable:
    """What is still to be searched for; nothing where the model finds it enough."""
    given = read_json(text, wants="adequate", is_cut=is_cut)
    if isinstance(given, Unreadable):
        return given
    value = mapping_of(given)
    if not {"adequate", "queries"} & value.keys():
        return Unreadable(Fault.NO_JSON, 'The reply must be an object with "adequate".')
    queries = texts_of(value.get("queries"), limit=QUERY_CHARS, most=MAX_QUERIES)
    is_enough = truth_of(value.get("adequate"), default=not queries)
    return Adequacy(() if is_enough else queries)


def read_synthesis(text: str, *, count: int, is_cut: bool = False) -> Synthesis | Unreadable:
    """The scores of `count` fragments and their fusion; at least half must have been judged."""
    given = read_json(text, wants="scores", is_cut=is_cut)
    if isinstance(given, Unreadable):
        return given
    value = mapping_of(given)
    scores = _scores(value.get("scores"), count)
    if 2 * len(scores) < count:
        return Unreadable(Fault.NO_JSON, 'Each fragment needs a score in "scores".')
    judged = tuple(scores.get(number, DOUBTFUL) for number in range(1, count + 1))
    context = block_of(value.get("background_context"), limit=CONTEXT_CHARS)
    if not context and any(score >= DOUBTFUL for score in judged):
        return Unreadable(Fault.NO_JSON, 'What is useful must be told in "background_context".')
    return Synthesis(judged, context)


def _in_order(value: JsonValue) -> tuple[int, ...]:
    """Numbers in the order given; "1, 3", 1 and [{"id": 1}] too."""
    listed = value if isinstance(value, list) else [value]
    found = [
        number for item in listed for number in indexes_of(item.get("id") if isinstance(item, dict) else item)
    ]
    return tuple(dict.fromkeys(found))


def _scores(value: JsonValue, count: int) -> dict[int, float]:
    """Scores by number: of [{"id": 1, "score": 0.9}], [0.9, …] and {"1": 0.9}."""
    found: dict[int, float] = {}
    pairs: list[tuple[JsonValue, JsonValue]] = []
    if isinstance(value, dict):
        pairs = list(value.items())
    elif isinstance(value, list):
        for place, item in enumerate(value, start=1):
            given = mapping_of(item)
            pairs.append((given.get("id", place), given.get("score", item)))
    for name, score in pairs:
        known = share_of(score, default=-1.0)
        for number in indexes_of(name)[:1]:
            if known >= 0 and 1 <= number <= count:
                found[number] = known
    return found
