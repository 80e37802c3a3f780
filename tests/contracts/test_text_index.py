"""The promises of the TextIndex port, held by every adapter."""

import math
from collections import Counter
from dataclasses import replace
from uuid import uuid4

import numpy as np
import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accounts.models import Space, User
from memory.config import IndexConfig
from memory.domain.text import search_terms
from memory.domain.types import IndexItem, Kind
from memory.ports import TextIndex, TextMatches
from memory.stores.postings import Postings
from tests.memory.indexing import make_item, reader_of

pytestmark = pytest.mark.django_db

WORDS = ["apple", "berlin", "cello", "dog", "elbow", "forest"]
CORPORA = st.lists(st.lists(st.sampled_from(WORDS), max_size=8), min_size=1, max_size=12)


@pytest.fixture(params=["eager", "deferred"])
def index(request: pytest.FixtureRequest) -> TextIndex:
    if request.param == "eager":
        return Postings()
    return Postings(IndexConfig(eager_items=0, eager_postings=10))


def found(index: TextIndex, space: Space, user: User, query: str, limit: int = 100) -> dict[int, float]:
    matches = index.open(reader_of(space, user), Kind.TURN).search(search_terms(query), limit=limit)
    return dict(zip(matches.items.tolist(), matches.bm25.tolist(), strict=True))


def brute_force(items: dict[int, IndexItem], query: str) -> dict[int, tuple[float, float]]:
    """BM25 and matched share as the formula says, k1 = 1.2, b = 0.75."""
    counts = {key: Counter(search_terms(item.text)) for key, item in items.items()}
    mean = max(1.0, sum(c.total() for c in counts.values()) / len(counts))
    terms = set(search_terms(query))
    holders = {term: sum(term in c for c in counts.values()) for term in terms}
    idf = {t: math.log(1 + (len(items) - n + 0.5) / (n + 0.5)) for t, n in holders.items()}
    scores = {}
    for key, count in counts.items():
        if matched := terms & count.keys():
            norm = 1.2 * (0.25 + 0.75 * count.total() / mean)
            bm25 = sum(idf[t] * count[t] * 2.2 / (count[t] + norm) for t in matched)
            scores[key] = bm25, sum(idf[t] for t in matched) / sum(idf.values())
    return scores


def test_an_item_is_found_by_its_words_at_once(index: TextIndex, space: Space, alice: User):
    item = make_item(space, "I moved to Berlin in May")
    ids = index.upsert([item])
    assert list(found(index, space, alice, "When did she move to Berlin?")) == [ids[Kind.TURN, item.id]]


def test_nothing_stored_and_nothing_asked_give_nothing(index: TextIndex, space: Space, alice: User):
    assert found(index, space, alice, "Berlin") == {}
    index.upsert([make_item(space, "I moved to Berlin")])
    assert found(index, space, alice, "") == {}
    assert found(index, space, alice, "volcano") == {}


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(corpus=CORPORA, query=st.lists(st.sampled_from(WORDS), min_size=1, max_size=6))
def test_scores_and_shares_are_those_of_the_formula(
    space: Space, alice: User, corpus: list[list[str]], query: list[str]
):
    index = Postings()
    index.drop_space(space.id)
    items = [make_item(space, " ".join(words)) for words in corpus]
    ids = index.upsert(items)
    expected = brute_force({ids[Kind.TURN, item.id]: item for item in items}, " ".join(query))
    matches = index.open(reader_of(space, alice), Kind.TURN).search(search_terms(" ".join(query)), limit=50)
    assert set(matches.items.tolist()) == set(expected)
    for key, bm25, share in zip(matches.items.tolist(), matches.bm25, matches.matched_share, strict=True):
        assert bm25 == pytest.approx(expected[key][0], rel=1e-4)
        assert share == pytest.approx(expected[key][1], rel=1e-4)
    assert list(matches.bm25) == sorted(matches.bm25, reverse=True)


def test_a_rare_word_weighs_more_than_a_common_one(index: TextIndex, space: Space, alice: User):
    common = [make_item(space, f"the garden number {n}") for n in range(8)]
    rare = make_item(space, "the volcano number nine")
    ids = index.upsert([*common, rare])
    assert next(iter(found(index, space, alice, "garden volcano"))) == ids[Kind.TURN, rare.id]


def test_the_best_are_kept_when_there_are_too_many(index: TextIndex, space: Space, alice: User):
    items = [make_item(space, "cello " * n + "filler " * (20 - n)) for n in range(1, 20)]
    ids = index.upsert(items)
    best = [ids[Kind.TURN, item.id] for item in items[:-4:-1]]
    assert list(found(index, space, alice, "cello", limit=3)) == best


def test_a_replaced_item_keeps_its_id_and_loses_its_old_words(index: TextIndex, space: Space, alice: User):
    item = make_item(space, "I live in Paris")
    first = index.upsert([item])
    assert index.upsert([replace(item, text="I live in Rome")]) == first
    assert found(index, space, alice, "Paris") == {}
    assert list(found(index, space, alice, "Rome")) == list(first.values())


def test_writing_twice_changes_nothing(index: TextIndex, space: Space, alice: User):
    items = [make_item(space, "cello and dog"), make_item(space, "cello")]
    index.upsert(items)
    once = found(index, space, alice, "cello dog")
    index.upsert(items)
    index.upsert([*items, items[0]])
    assert found(index, space, alice, "cello dog") == once


def test_a_deleted_item_leaves_neither_words_nor_statistics(index: TextIndex, space: Space, alice: User):
    kept = make_item(space, "the cello")
    index.upsert([kept])
    before = found(index, space, alice, "cello")
    gone = make_item(space, "the cello and the dog")
    ids = index.upsert([gone])
    assert index.delete(space.id, Kind.TURN, [gone.id, uuid4()]) == {gone.id: ids[Kind.TURN, gone.id]}
    assert found(index, space, alice, "dog") == {}
    assert found(index, space, alice, "cello") == before
    assert index.delete(space.id, Kind.TURN, [gone.id]) == {}


def test_another_spaces_rows_are_not_found_and_change_no_score(
    index: TextIndex, space: Space, other_space: Space, alice: User
):
    index.upsert([make_item(space, "cello lesson"), make_item(space, "dog walk")])
    before = found(index, space, alice, "cello dog")
    index.upsert([make_item(other_space, "cello cello cello dog lesson") for _ in range(50)])
    assert found(index, space, alice, "cello dog") == before


def test_another_members_private_rows_are_not_found_and_change_no_score(
    index: TextIndex, space: Space, alice: User, bob: User
):
    index.upsert([make_item(space, "cello lesson"), make_item(space, "dog walk")])
    before = found(index, space, alice, "cello dog")
    index.upsert([make_item(space, "cello dog", owner=bob) for _ in range(50)])
    assert found(index, space, alice, "cello dog") == before
    assert len(found(index, space, bob, "cello dog")) == 52


def test_own_private_rows_are_found_and_counted(index: TextIndex, space: Space, alice: User):
    shared, mine = make_item(space, "cello lesson"), make_item(space, "cello at night", owner=alice)
    ids = index.upsert([shared, mine])
    assert set(found(index, space, alice, "cello")) == set(ids.values())


def test_an_item_made_private_is_hidden_from_the_others(
    index: TextIndex, space: Space, alice: User, bob: User
):
    item = make_item(space, "cello lesson")
    index.upsert([item])
    index.upsert([replace(item, private_to=alice.id)])
    assert len(found(index, space, alice, "cello")) == 1
    assert found(index, space, bob, "cello") == {}


def test_kinds_are_kept_apart(index: TextIndex, space: Space, alice: User):
    index.upsert([make_item(space, "cello", kind=Kind.RECORD)])
    assert found(index, space, alice, "cello") == {}


def test_excluded_sessions_are_left_out_before_the_best_are_kept(index: TextIndex, space: Space, alice: User):
    loud = [make_item(space, "cello cello cello") for _ in range(3)]
    quiet = make_item(space, "a cello among many other words here")
    ids = index.upsert([*loud, quiet])
    reader = reader_of(space, alice, exclude=[item.session_id for item in loud])
    matches = index.open(reader, Kind.TURN).search(["cello"], limit=1)
    assert matches.items.tolist() == [ids[Kind.TURN, quiet.id]]


def test_matched_share_says_how_much_of_the_question_an_item_covers(
    index: TextIndex, space: Space, alice: User
):
    index.upsert([make_item(space, "cello dog"), make_item(space, "cello")])
    matches: TextMatches = index.open(reader_of(space, alice), Kind.TURN).search(
        ["cello", "dog", "volcano"], limit=9
    )
    assert np.all((matches.matched_share > 0) & (matches.matched_share < 1))
    assert matches.matched_share[0] > matches.matched_share[1]


@pytest.mark.parametrize("text", ["我住在柏林", "Привет, Берлин", "x" * 500, "👍", "", "naïve café"])
def test_any_text_can_be_written_found_and_removed(index: TextIndex, space: Space, alice: User, text: str):
    item = make_item(space, text)
    index.upsert([item])
    assert len(found(index, space, alice, text)) == (1 if search_terms(text) else 0)
    index.delete(space.id, Kind.TURN, [item.id])
    assert found(index, space, alice, text) == {}


def test_entries_share_the_fate_of_the_callers_transaction(index: TextIndex, space: Space, alice: User):
    def write_and_fail() -> None:
        with transaction.atomic():
            index.upsert([make_item(space, "cello")])
            raise InterruptedError

    with pytest.raises(InterruptedError):
        write_and_fail()
    assert found(index, space, alice, "cello") == {}


def test_a_write_takes_the_same_statements_in_a_large_space_as_in_a_small_one(index: TextIndex, space: Space):
    index.upsert([make_item(space, "first")])
    with CaptureQueriesContext(
        connection,
    ) as small:
        index.upsert([make_item(space, "cello dog")])
    index.upsert([make_item(space, f"cello dog {n}") for n in range(500)])
    with CaptureQueriesContext(connection) as large:
        index.upsert([make_item(space, "cello dog")])
    assert len(large) == len(small)


def test_dropping_a_space_leaves_the_others(index: TextIndex, space: Space, other_space: Space, alice: User):
    index.upsert([make_item(space, "cello"), make_item(other_space, "cello")])
    index.drop_space(space.id)
    assert found(index, space, alice, "cello") == {}
    assert len(found(index, other_space, alice, "cello")) == 1


def test_a_large_space_scores_what_it_finds_as_a_small_one_does(space: Space, alice: User):
    texts = [f"word{n % 7} thing{n % 3} {'cello' if n % 20 == 0 else 'dog'}" for n in range(200)]
    Postings().upsert([make_item(space, text) for text in texts])
    whole = found(Postings(), space, alice, "cello word0 thing1", limit=500)
    sparing = Postings(IndexConfig(eager_items=0, eager_postings=5))
    quick = found(sparing, space, alice, "cello word0 thing1", limit=10)
    assert len(quick) == 10
    assert next(iter(quick)) == next(iter(whole))
    assert quick == {key: whole[key] for key in quick}


def test_the_worked_example_of_the_documentation(index: TextIndex, space: Space, alice: User):
    others = [make_item(space, f"one{n} two{n} three{n} four{n} five{n}") for n in range(9)]
    pixel = make_item(space, "I adopted a grey cat named Pixel")
    ids = index.upsert([*others, pixel])
    terms = search_terms("What is my cat called?")
    assert terms == ["cat", "call"]
    matches = index.open(reader_of(space, alice), Kind.TURN).search(terms, limit=5)
    assert matches.items.tolist() == [ids[Kind.TURN, pixel.id]]
    assert matches.bm25[0] == pytest.approx(1.99, abs=0.005)
    assert matches.matched_share[0] == pytest.approx(0.39, abs=0.005)
