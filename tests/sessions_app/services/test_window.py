"""The window is read newest first, and only as far as the budget goes."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from sessions_app.domain.types import NewTurn
from sessions_app.models import SessionTurn
from sessions_app.services import window
from sessions_app.services.sessions import open_session
from sessions_app.services.turns import append_turns
from sessions_app.services.window import load_window, window_config

pytestmark = pytest.mark.django_db

WORDS = "one two three four five six"  # six tokens and four for the turn


@pytest.fixture
def session(alice):
    return open_session(alice, "plans")


@pytest.fixture
def small(settings):
    """A budget of 100 tokens."""
    settings.WM_MAX_TOKENS = 200


def say(alice, session, n, role="user", text=WORDS):
    return append_turns(alice, session, [NewTurn(role=role, content=text) for _ in range(n)])


def load(session, question):
    session.refresh_from_db()
    return load_window(session, question.id)


def test_the_settings_make_the_budget(settings):
    settings.WM_MAX_TOKENS, settings.MIN_RECENT_TURNS = 10_000, 4
    settings.WM_WARN_THRESHOLD, settings.WM_BLOCK_THRESHOLD = 0.5, 0.6
    config = window_config()
    assert (config.budget_tokens, config.min_recent_turns) == (5_000, 4)
    assert (config.warn_ratio, config.block_ratio) == (0.5, 0.6)


def test_a_short_session_is_read_whole(alice, session):
    rows = say(alice, session, 5)
    cut = load(session, rows[-1])
    assert [turn.index for turn in cut.recent] == list(range(5))
    assert [turn.text for turn in cut.recent] == [WORDS] * 5
    assert (cut.session_tokens, cut.tokens, cut.left_out) == (50, 50, 0)
    assert cut.pressure == pytest.approx(50 / 115_500)


def test_a_long_session_is_read_as_far_as_the_budget_goes(alice, session, small, monkeypatch):
    monkeypatch.setattr(window, "_READ", 4)
    rows = say(alice, session, 40)
    with CaptureQueriesContext(connection) as queries:
        cut = load(session, rows[-1])
    assert [turn.index for turn in cut.recent] == list(range(30, 40))
    assert (cut.left_out, cut.session_tokens, cut.pressure) == (30, 400, 4.0)
    read = [query for query in queries if "LIMIT 4" in query["sql"]]
    assert len(read) == 3  # 12 turns hold more than the budget


def test_system_texts_are_found_however_old(alice, session, small):
    say(alice, session, 1, role="system", text="Be kind.")
    rows = say(alice, session, 30)
    cut = load(session, rows[-1])
    assert cut.recent[0].text == "Be kind."
    assert cut.tokens <= 100
    assert cut.left_out + len(cut.recent) == 31


def test_what_comes_after_the_question_is_not_in_its_window(alice, session):
    first, second, _third = say(alice, session, 3)
    assert [turn.id for turn in load(session, second).recent] == [first.id, second.id]


@pytest.mark.parametrize("state", ["pending", "interrupted"])
def test_unfinished_answers_are_no_part_of_it(alice, session, state):
    rows = say(alice, session, 3)
    SessionTurn.objects.for_space(alice.space_id).filter(pk=rows[1].pk).update(state=state)
    cut = load(session, rows[2])
    assert [turn.index for turn in cut.recent] == [0, 2]
    assert cut.left_out == 0


def test_turns_that_are_never_filed_are_in_the_window(alice, session):
    append_turns(alice, session, [NewTurn(role="user", content="Between us.", is_consolidated=False)])
    (question,) = say(alice, session, 1)
    assert [turn.text for turn in load(session, question).recent] == ["Between us.", WORDS]
