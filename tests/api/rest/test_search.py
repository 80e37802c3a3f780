"""`/memory/search` and `/memory/smart-search`: shapes, filters, limits."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, ClassVar

import pytest

from accounts.errors import IndexMismatch
from api.schemas.search import USELESS
from memory.domain.types import Effort, Kind, MemoryType, Recalled, RecallRequest
from memory.services.synthesize import Synthesized
from sessions_app.models import Session
from tests.api.cast import Cast, pointers, problem
from tests.api.scripted import hit, recalled

ASKED = {"query": "Where do I live?"}
PATHS = ["/memory/search", "/memory/smart-search"]


class Recorder:
    """Stands for the recall service."""

    def __init__(self, answer: Recalled) -> None:
        self.answer = answer
        self.requests: list[RecallRequest] = []

    def __call__(self, request: RecallRequest, **_how: Any) -> Recalled:
        self.requests.append(request)
        return self.answer


@pytest.fixture
def recall(monkeypatch: pytest.MonkeyPatch) -> Recorder:
    recorder = Recorder(recalled(hit(), hit(Kind.TURN, text="I live in Lisbon.")))
    monkeypatch.setattr("sessions_app.services.recollect.recall", recorder)
    return recorder


def test_search_has_the_published_shape(cast: Cast, recall: Recorder) -> None:
    reply = cast.alice.post("/memory/search", ASKED)
    body = reply.json()
    assert set(body) == {
        "query",
        "semantic_results",
        "graph_results",
        "skill_results",
        "visual_results",
        "novelty_retrieved_context",
        "total",
        "notes",
    }
    assert body["graph_results"] == body["semantic_results"]
    (block,) = body["semantic_results"]
    assert block["anchor"]["node_id"] == "compact_context"
    assert set(block["anchor"]) == {"node_id", "name", "label", "score"}
    assert block["constructed_context"] == recall.answer.context
    assert body["novelty_retrieved_context"] == "Maya lives in Lisbon.\nI live in Lisbon."
    assert body["total"] == 2
    assert reply["X-Memory-Status"] == "offline"


def test_provenance_tells_where_an_item_came_from(cast: Cast, recall: Recorder) -> None:
    record, episode = cast.alice.post("/memory/search", ASKED).json()["semantic_results"][0]["provenance"]
    made = recall.answer.hits[0]
    assert record == {
        "record_id": str(made.id),
        "source": "record",
        "semantic_source_type": "record",
        "memory_type": "fact",
        "score": 0.82,
        "score_breakdown": {"vector": 0.82, "text": 0.4},
        "semantic_text": "Maya lives in Lisbon.",
        "display_text": "Maya lives in Lisbon.",
        "title": "",
        "temporal": {"t_ref": "2026-07-01T12:00:00Z", "t_valid_from": None, "t_valid_to": None},
        "entities": ["Lisbon"],
        "source_session": "intro",
        "source_session_id": str(made.evidence[0].session_id),
        "source_role": "user",
        "said_at": "2026-07-01T12:00:00Z",
        "evidence_turn_range": [2, 3, 4],
        "evidence_turns": [4, 2, 3],
        "matched_routes": [0],
        "reason": "Says where Maya lives.",
    }
    assert (episode["source"], episode["memory_type"]) == ("episode", "episode")
    assert episode["display_text"] == "Maya: I live in Lisbon."


def test_nothing_recalled_is_no_block(cast: Cast, recall: Recorder) -> None:
    recall.answer = recalled()
    body = cast.alice.post("/memory/search", ASKED).json()
    assert (body["semantic_results"], body["total"], body["novelty_retrieved_context"]) == ([], 0, "")


def test_the_graph_can_be_left_out(cast: Cast, recall: Recorder) -> None:
    body = cast.alice.post("/memory/search", {**ASKED, "include_graph": False}).json()
    assert (len(body["semantic_results"]), body["graph_results"]) == (1, [])


def test_what_degraded_is_partial(cast: Cast, recall: Recorder) -> None:
    recall.answer = recalled(hit(), notes=("The index is being rebuilt.",))
    reply = cast.alice.post("/memory/search", ASKED)
    assert reply["X-Memory-Status"] == "partial"
    assert reply.json()["notes"] == ["The index is being rebuilt."]


@pytest.fixture
def condense(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, list[str]]]:
    """Stands for the synthesis: the first fragment is of use, the others are not."""
    asked: list[tuple[str, list[str]]] = []

    def made(question: str, texts: Sequence[str], *, shown: Sequence[str] = (), **_how: Any) -> Synthesized:
        asked.append((question, list(shown or texts)))
        scores = (0.9, *[0.2] * (len(texts) - 1))
        return Synthesized(f"{texts[0]} [1]", scores, (0,), ("It was quoted.",))

    monkeypatch.setattr("sessions_app.services.search.synthesize", made)
    return asked


def test_smart_search_condenses_what_is_of_use(
    cast: Cast, recall: Recorder, condense: list[tuple[str, list[str]]]
) -> None:
    reply = cast.alice.post("/memory/smart-search", {**ASKED, "response_level": "full"})
    body = reply.json()
    told = [
        "Maya lives in Lisbon. (fact · Maya · said Wed 2026-07-01 12:00 by Maya)",
        "I live in Lisbon. (episode · said Wed 2026-07-01 12:00 by Maya)",
    ]
    assert condense == [("Where do I live?", told)]
    assert (body["synthesized"], body["background_context"]) == (True, "Maya lives in Lisbon. [1]")
    assert [item["semantic_text"] for item in body["provenance"]] == ["Maya lives in Lisbon."]
    assert (body["kept_count"], body["dropped_count"], body["total"]) == (1, 2, 2)
    assert [(item["source"], item["reason"]) for item in body["dropped"]][-1] == ("episode", USELESS)
    assert body["novelty_retrieved_context"] == "Maya lives in Lisbon.\nI live in Lisbon."
    assert body["notes"] == ["It was quoted."]
    assert reply["X-Memory-Status"] == "partial"


def test_smart_search_that_found_nothing_has_nothing_to_condense(
    cast: Cast, recall: Recorder, condense: list[tuple[str, list[str]]]
) -> None:
    recall.answer = recalled()
    body = cast.alice.post("/memory/smart-search", ASKED).json()
    assert (condense, body["synthesized"], body["background_context"]) == ([], False, "")


class TestSynthesize:
    ITEM: ClassVar = {"record_id": "a", "semantic_text": "Maya lives in Lisbon.", "score": 0.8}
    OTHER: ClassVar = {"record_id": "b", "semantic_text": "Tea.", "display_text": "Ben: Tea."}

    def test_the_results_of_a_search_become_one_context(
        self, cast: Cast, condense: list[tuple[str, list[str]]]
    ) -> None:
        block = {"anchor": {}, "subgraph": {}, "provenance": [self.ITEM, self.OTHER, self.ITEM]}
        body = cast.alice.post(
            "/memory/synthesize", {"user_query": "Where?", "semantic_results": [block], "skill_results": []}
        ).json()
        assert condense == [("Where?", ["Maya lives in Lisbon.", "Ben: Tea."])]
        assert body == {
            "background_context": "Maya lives in Lisbon. [1]",
            "skill_reuse_plan": [],
            "provenance": [{**self.ITEM, "judge_score": 0.9}],
            "kept_count": 1,
            "dropped_count": 1,
            "notes": ["It was quoted."],
        }

    def test_graph_results_and_bare_contexts_do_too(
        self, cast: Cast, condense: list[tuple[str, list[str]]]
    ) -> None:
        block = {"constructed_context": "[1] Maya lives in Lisbon."}
        cast.alice.post("/memory/synthesize", {"user_query": "Where?", "graph_results": [block]})
        assert condense == [("Where?", ["[1] Maya lives in Lisbon."])]

    def test_nothing_is_no_context(self, cast: Cast) -> None:
        body = cast.alice.post("/memory/synthesize", {"user_query": "Where?"}).json()
        assert (body["background_context"], body["kept_count"], body["dropped_count"]) == ("", 0, 0)

    @pytest.mark.parametrize(
        ("change", "pointer"),
        [
            ({"user_query": ""}, "/user_query"),
            ({"semantic_results": [{}] * 21}, "/semantic_results"),
            ({"semantic_results": [{"provenance": [{}] * 101}]}, "/semantic_results/0/provenance"),
        ],
    )
    def test_too_much_or_nothing_asked_is_told(self, cast: Cast, change: Any, pointer: str) -> None:
        reply = cast.alice.post("/memory/synthesize", {"user_query": "Where?", **change})
        assert pointer in pointers(problem(reply, 422, "invalid_input"))

    def test_end_to_end_by_rules(self, cast: Cast) -> None:
        items = [{"semantic_text": "Maya lives in Lisbon."}, {"semantic_text": "Quarks have colour charge."}]
        asked = {"user_query": "In which city does Maya live?", "semantic_results": [{"provenance": items}]}
        body = cast.alice.post("/memory/synthesize", asked).json()
        assert body["background_context"] == "Maya lives in Lisbon. [1]"
        assert (body["kept_count"], body["dropped_count"]) == (1, 1)


def test_a_composite_is_named_as_such(cast: Cast, recall: Recorder) -> None:
    recall.answer = recalled(hit(Kind.COMPOSITE))
    (item,) = cast.alice.post("/memory/search", {**ASKED, "effort": "deep"}).json()["semantic_results"][0][
        "provenance"
    ]
    assert item["source"] == item["semantic_source_type"] == "composite"
    assert recall.requests[0].effort is Effort.DEEP


def test_smart_search_without_synthesis_is_the_context_for_a_prompt(cast: Cast, recall: Recorder) -> None:
    body = cast.alice.post("/memory/smart-search", {**ASKED, "synthesize": False}).json()
    assert body["synthesized"] is False
    assert body["background_context"] == recall.answer.context
    assert (body["kept_count"], body["dropped_count"], body["total"]) == (2, 1, 2)
    assert body["skill_reuse_plan"] == []
    assert len(body["provenance"]) == 2
    assert "semantic_results" not in body
    assert "dropped" not in body


@pytest.mark.parametrize(
    ("mode", "level", "has_results", "has_provenance", "has_dropped"),
    [
        ("compact", "minimal", False, False, False),
        ("compact", "full", False, True, True),
        ("full", "compact", True, True, False),
        ("raw", "full", True, True, True),
    ],
)
def test_smart_search_gives_as_much_as_is_asked(
    cast: Cast,
    recall: Recorder,
    mode: str,
    level: str,
    has_results: bool,
    has_provenance: bool,
    has_dropped: bool,
) -> None:
    asked = {**ASKED, "mode": mode, "response_level": level, "synthesize": False}
    body = cast.alice.post("/memory/smart-search", asked).json()
    assert ("semantic_results" in body) is has_results
    assert bool(body["provenance"]) is has_provenance
    assert ("dropped" in body) is has_dropped
    assert body["mode"] == mode


@pytest.mark.parametrize("path", PATHS)
def test_what_is_asked_reaches_the_service(cast: Cast, recall: Recorder, path: str) -> None:
    for name in ("now", "left-out"):
        cast.alice.post("/memory/append-turn", {"session_id": name, "role": "user", "content": "hi"})
    reply = cast.alice.post(
        path,
        {
            "query": "  Where\u0000 do I live?  ",
            "top_k": 7,
            "session_id": "now",
            "exclude_session_id": "left-out",
            "effort": "fast",
            "as_of": "2026-01-01",
            "known_at": "2026-02-01T00:00:00+01:00",
            "types": ["fact", "event"],
            "entities": ["Lisbon"],
            "min_score": 0.5,
            "reference_time": "2026-03-01T00:00:00Z",
            "space": "space-b",
        },
    )
    assert reply.status_code == 200, reply.content
    (request,) = recall.requests
    assert request.question == "Where do I live?"
    assert request.reader.space_id == cast.alice.principal.space_id
    assert request.reader.user_id == cast.alice.user.id
    assert request.reader.exclude_session_ids == {Session.everyone.get(name="left-out").id}
    assert request.session_id == Session.everyone.get(name="now").id
    assert (request.top_k, request.effort, request.min_score) == (7, Effort.FAST, 0.5)
    assert request.types == {MemoryType.FACT, MemoryType.EVENT}
    assert request.entities == ("Lisbon",)
    assert request.as_of == datetime(2026, 1, 1, tzinfo=UTC)
    assert request.known_at == datetime(2026, 1, 31, 23, tzinfo=UTC)
    assert request.now == datetime(2026, 3, 1, tzinfo=UTC)


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(
    ("asked", "top_k"),
    [({}, 5), ({"effort": "deep"}, None), ({"effort": "deep", "top_k": 5}, 5), ({"effort": "fast"}, 5)],
)
def test_deep_alone_is_not_bound_to_our_own_number_of_items(
    cast: Cast, recall: Recorder, path: str, asked: dict[str, Any], top_k: int | None
) -> None:
    assert cast.alice.post(path, {**ASKED, **asked}).status_code == 200
    assert recall.requests[0].top_k == top_k


@pytest.mark.parametrize("path", PATHS)
def test_a_session_not_begun_yet_is_no_fault_and_is_not_made(cast: Cast, recall: Recorder, path: str) -> None:
    reply = cast.alice.post(path, {**ASKED, "session_id": "new", "exclude_session_id": "newer"})
    assert reply.status_code == 200
    assert recall.requests[0].session_id is None
    assert recall.requests[0].reader.exclude_session_ids == frozenset()
    assert Session.everyone.count() == 0


@pytest.mark.parametrize("path", PATHS)
def test_a_long_query_is_cut_never_refused(cast: Cast, recall: Recorder, settings: Any, path: str) -> None:
    settings.MAX_QUERY_CHARS = 100
    assert cast.alice.post(path, {"query": "why " * 10_000}).status_code == 200
    assert len(recall.requests[0].question) == 100


FAULTY = [
    ("query", ""),
    ("query", " \u0000 "),
    ("query", None),
    ("query", 5),
    ("query", ["x"]),
    ("top_k", 0),
    ("top_k", -1),
    ("top_k", 101),
    ("top_k", 10**9),
    ("top_k", "10"),
    ("top_k", None),
    ("top_k", 2.5),
    ("session_id", ""),
    ("session_id", 0),
    ("session_id", []),
    ("session_id", "s" * 129),
    ("exclude_session_id", " "),
    ("effort", "deepest"),
    ("types", ["fact", "rumour"]),
    ("types", "fact"),
    ("types", [None]),
    ("entities", "Lisbon"),
    ("entities", [""]),
    ("entities", [{"$ne": None}]),
    ("entities", ["x"] * 51),
    ("min_score", -0.1),
    ("min_score", 1.1),
    ("min_score", "0.5"),
    ("as_of", "yesterday"),
    ("as_of", 0),
    ("known_at", "2026-02-30"),
    ("reference_time", ""),
    ("include_graph", "yes"),
]


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(("field", "value"), FAULTY)
def test_a_faulty_field_is_named_and_nothing_is_asked(
    cast: Cast, recall: Recorder, path: str, field: str, value: Any
) -> None:
    document = problem(cast.alice.post(path, {**ASKED, field: value}), 422, "invalid_input")
    assert {pointer.split("/")[1] for pointer in pointers(document)} == {field}
    assert recall.requests == []


@pytest.mark.parametrize(("field", "value"), [("mode", "loud"), ("response_level", 1), ("synthesize", "no")])
def test_a_faulty_way_of_answering_is_named(cast: Cast, recall: Recorder, field: str, value: Any) -> None:
    document = problem(cast.alice.post("/memory/smart-search", {**ASKED, field: value}), 422, "invalid_input")
    assert pointers(document) == {f"/{field}"}


@pytest.mark.parametrize("path", PATHS)
def test_an_index_of_another_embedder_is_503_and_names_the_command(
    cast: Cast, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    def fail(_request: RecallRequest, **_how: Any) -> Recalled:
        raise IndexMismatch

    monkeypatch.setattr("sessions_app.services.recollect.recall", fail)
    reply = cast.alice.post(path, ASKED)
    assert "rebuild_index" in problem(reply, 503, "index_mismatch")["detail"]
    assert reply["Retry-After"]


def test_a_memory_whose_conversation_was_deleted_still_tells_where_it_was_said(cast: Cast) -> None:
    turns = [{"role": "user", "content": text} for text in ("Good morning.", "My cat is called Pixel.")]
    cast.alice.post("/memory/append-turns", {"session_id": "intro", "turns": turns})
    cast.alice.post("/memory/consolidate", {"session_id": "intro", "background": False})
    asked = {"query": "What is my cat called?", "effort": "fast", "types": ["fact"]}
    before = provenance_of(cast.alice.post("/memory/search", asked))
    assert cast.alice.delete("/memory/session/intro").status_code == 200
    after = provenance_of(cast.alice.post("/memory/search", asked))
    assert (before["evidence_turns"][0], after["evidence_turns"], after["evidence_turn_range"]) == (
        1,
        [1],
        [1],
    )
    assert after["source_session_id"] == before["source_session_id"]
    assert (before["source_session"], after["source_session"]) == ("intro", "")
    record = cast.alice.get(f"/memory/records/{after['record_id']}").json()
    assert [link["turn_index"] for link in record["evidence"]] == [1]


def provenance_of(reply: Any) -> dict[str, Any]:
    first: dict[str, Any] = reply.json()["semantic_results"][0]["provenance"][0]
    return first
