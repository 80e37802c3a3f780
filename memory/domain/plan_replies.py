"""A model's reply to the planning prompt into a Plan inside its bounds.

Nothing of a plan is worth a second call: what cannot be used falls back to the question
itself, and is noted.
"""

from collections.abc import Iterator, Mapping

from memory.domain.replies import Fault, JsonValue, Unreadable, read_json
from memory.domain.reply_values import Calendar, count_of, distinct, mapping_of, text_of, texts_of, truth_of
from memory.domain.text import fold, normalize
from memory.domain.types import ActionState, Plan, Question, Route, TimeRange

MODES = ("answer", "action", "mixed")
QUESTION_TYPES = (
    "single",
    "aggregate",
    "temporal",
    "comparison",
    "personalized_advice",
    "prior_assistant_response",
    "other",
)
OUTCOMES = ("success", "fail", "correction")  # of the answer before
MAX_ROUTES = 6
MAX_QUERIES = 6  # a route
QUERY_CHARS = 300
_KEYS = frozenset({"mode", "question_type", "routes", "small_talk", "names", "queries"})


def read_plan(text: str, question: Question, *, is_cut: bool = False) -> Plan | Unreadable:
    """The plan of a reply; without a usable route the question is its own query."""
    value = read_json(text, wants="routes", is_cut=is_cut)
    if isinstance(value, Unreadable):
        return value
    given = mapping_of(value)
    if not _KEYS & given.keys():
        return Unreadable(Fault.NO_JSON, 'The reply must be an object with "routes".')
    notes: list[str] = []
    is_small_talk = truth_of(given.get("small_talk"), default=False)
    routes = tuple(_routes(given, question, notes))[:MAX_ROUTES]
    if not routes and not is_small_talk:
        notes.append("The plan named no query; the question itself is used.")
        routes = (Route("", (normalize(question.text)[:QUERY_CHARS],)),)
    return Plan(
        mode=_one_of(MODES, given.get("mode"), default="answer"),
        question_type=_one_of(QUESTION_TYPES, given.get("question_type"), default="other"),
        routes=routes,
        names=_names(given.get("names"), question),
        is_small_talk=is_small_talk and not routes,
        origin="model",
        draft=text_of(given.get("draft"), limit=600),
        action=_action(mapping_of(given.get("action"))),
        tool_hints=texts_of(given.get("tool_hints"), limit=80, most=10),
        required_constraints=texts_of(given.get("required_constraints"), limit=200, most=10),
        tree_depth=count_of(given.get("tree_depth"), lowest=1, highest=15),
        top_k=count_of(given.get("top_k"), lowest=1, highest=100),
        notes=tuple(notes),
        previous_outcome=_one_of(OUTCOMES, given.get("previous_outcome"), default="")
        if question.previous
        else "",
    )


def _routes(given: Mapping[str, JsonValue], question: Question, notes: list[str]) -> Iterator[Route]:
    listed = given.get("routes", given.get("queries"))
    for item in listed if isinstance(listed, list) else [listed]:
        route = mapping_of({"queries": item}) if isinstance(item, str) else mapping_of(item)
        queries = texts_of(route.get("queries", route.get("query")), limit=QUERY_CHARS, most=MAX_QUERIES)
        goal = text_of(route.get("goal"), limit=QUERY_CHARS)
        if queries or goal:
            yield Route(
                goal=goal,
                queries=queries or (goal,),
                time_range=_time_range(route.get("time_range"), question, notes),
                constraints=texts_of(route.get("constraints"), limit=200, most=10),
            )


def _time_range(value: JsonValue, question: Question, notes: list[str]) -> TimeRange | None:
    """Both ends are needed; a day alone as an end that is not after its start means the whole day."""
    given = mapping_of(value)
    if not any(given.get(key) for key in ("start", "end")):
        return None
    calendar = Calendar(question.time_zone, question.now)
    start, end = calendar.instant(given.get("start")), calendar.instant(given.get("end"))
    if start is not None and end is not None and end <= start:
        end = calendar.end_of(given.get("end"))
    if start is None or end is None or end <= start:
        notes.append("A time range of the plan could not be read and was left out.")
        return None
    return TimeRange(start, end)


def _names(value: JsonValue, question: Question) -> tuple[str, ...]:
    """Names that the question or the talk before it says; invented ones would misdirect."""
    said = fold(" ".join([question.text, *(f"{turn.speaker} {turn.text}" for turn in question.recent)]))
    named = texts_of(value, limit=80, most=12)
    return distinct((name for name in named if fold(name) in said), key=fold)


def _action(given: Mapping[str, JsonValue]) -> ActionState:
    return ActionState(
        tentative_action=text_of(given.get("tentative"), limit=300),
        known_constraints=texts_of(given.get("constraints"), limit=200, most=10),
        failure_signal=text_of(given.get("failure"), limit=300),
        missing_slots=texts_of(given.get("missing"), limit=80, most=10),
    )


def _one_of(known: tuple[str, ...], value: JsonValue, *, default: str) -> str:
    name = value.strip().lower().replace(" ", "_").replace("-", "_") if isinstance(value, str) else ""
    return name if name in known else default
