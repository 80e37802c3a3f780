"""Several routes are searched each by itself and share the places of what is recalled."""

from dataclasses import replace
from datetime import timedelta

import pytest

from memory.config import RecallConfig
from memory.domain.types import Plan, Reader, RecallRequest, Route, TimeRange
from memory.ports import VectorMatches, Vectors
from memory.services.recall import SMALL_TALK
from memory.services.recall_find import Clock, Found, find
from memory.services.recall_plan import embed, prepare, routes_of
from memory.stores.hot import HotReader
from tests.memory.recalling import LATER, MONDAY, Memory, texts

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)
HOME, PET = Route("home", ("Which city is home?",)), Route("pet", ("the puppy",))


def found(memory: Memory, *routes: Route, question: str = "Home and dog?", **settings) -> Found:
    request = RecallRequest(question, Reader(memory.space.id, memory.user.id), LATER, "UTC")
    config = replace(RecallConfig.STANDARD, **settings)
    asked = prepare(request, config, Plan(routes=routes), [])
    return find(asked, embed(*routes_of(asked)), Clock())


def first(memory: Memory, result: Found, count: int) -> set[str]:
    return {result.items[each.id].text for each in result.candidates[:count]}


@pytest.fixture
def crowd(memory: Memory) -> Memory:
    """One home among many dogs."""
    memory.say(*(("Alice", f"My dog barks, number {n}.") for n in range(8)))
    memory.say(("Alice", "I moved to Berlin."))
    return memory


def test_the_need_that_few_items_serve_has_its_places(crowd: Memory):
    assert "I moved to Berlin." in first(crowd, found(crowd, HOME, PET), 4)
    recalled = crowd.ask("What is my dog called and where is my home?", top_k=4)
    assert "I moved to Berlin." in texts(recalled)
    assert any("dog" in text for text in texts(recalled))


def test_each_hit_says_which_routes_found_it(crowd: Memory):
    recalled = crowd.ask("Which dog barks and where is my home city?")
    assert len(recalled.plan.routes) == 3
    routes = {hit.text: hit.matched_routes for hit in recalled.hits}
    assert 2 in routes["I moved to Berlin."]
    assert 1 not in routes["I moved to Berlin."]
    assert 1 in routes["My dog barks, number 0."]
    assert {hit.matched_routes for hit in crowd.ask("Which dog barks?").hits} == {(0,)}


def test_one_route_ranks_as_if_it_were_the_question(crowd: Memory):
    alone = found(crowd, Route("", ("Home and dog?",)))
    plain = found(crowd)
    assert [(each.id, each.score) for each in alone.candidates] == [
        (each.id, each.score) for each in plain.candidates
    ]


def test_a_route_prefers_its_own_time(memory: Memory):
    memory.say(("Alice", "My dog barks."), at=MONDAY)
    memory.say(("Alice", "My dog barks."), at=MONDAY + 9 * DAY)
    early = replace(PET, time_range=TimeRange(MONDAY - DAY, MONDAY + DAY))
    late = replace(PET, queries=("the dog",), time_range=TimeRange(MONDAY + 8 * DAY, MONDAY + 10 * DAY))
    result = found(memory, early, late, route_quota=1)
    assert {result.items[each.id].said_at for each in result.candidates[:2]} == {MONDAY, MONDAY + 9 * DAY}
    marked = {result.items[each.id].said_at: each.breakdown["in_time"] for each in result.candidates}
    assert marked[MONDAY] == 1


def test_vectors_are_searched_once_a_kind_for_all_routes(crowd: Memory, monkeypatch: pytest.MonkeyPatch):
    searched: list[int] = []
    search = HotReader.search

    def counted(reader: HotReader, queries: Vectors, *, limit: int) -> VectorMatches:
        searched.append(len(queries))
        return search(reader, queries, limit=limit)

    monkeypatch.setattr(HotReader, "search", counted)
    found(crowd, HOME, PET)
    assert searched == [3, 3, 3], "turns, composites, records"


def test_records_of_every_route_bring_their_newest_value(memory: Memory):
    for text, slot, day in (
        ("Alice lives in Paris.", "residence", 0),
        ("Alice signed a lease, Oslo.", "residence", 3),
        ("Alice works at the office.", "employer", 0),
        ("Alice now teaches, school.", "employer", 3),
    ):
        (said,) = memory.say(("Alice", f"{text}!"), at=MONDAY + day * DAY)
        memory.learn(text, said, slot=slot, value=text)
    recalled = memory.ask("Where is my home and what is my job?")
    assert {"Alice signed a lease, Oslo.", "Alice now teaches, school."} <= set(texts(recalled))


def test_routes_without_vectors_are_found_by_their_words(crowd: Memory):
    crowd.say(("Alice", "Gate 12 is open"), is_embedded=False)
    result = found(crowd, PET, Route("gate", ("12",)))
    assert "Gate 12 is open" in first(crowd, result, 3)


def test_the_cost_of_each_stage_is_told(crowd: Memory):
    recalled = crowd.ask("Which dog barks and where is my home city?")
    assert {"plan", "embed", "search", "hydrate", "rank", "rerank", "select"} <= set(recalled.timings_ms)
    assert SMALL_TALK not in recalled.notes
