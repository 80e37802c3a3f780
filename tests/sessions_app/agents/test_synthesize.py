"""What of the recalled an answer rests on at effort `deep`, under the numbers it was recalled with."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import pytest

from memory.domain.types import Effort, Fragment, Reader, RecallRequest, Synthesis
from memory.errors import ReplyFaulty
from memory.providers.registry import offline_language
from memory.services.synthesize import NOT_SYNTHESIZED
from sessions_app.agents.synthesize import is_synthesized, synthesize_recalled
from sessions_app.domain.types import Grounds, Recollection
from tests.sessions_app.fakes import ScriptedRecall, make_hit

TEXTS = ("The boat is red.", "The key lies under the mat.", "Ann sails.", "The mat is at the back door.")


class Condenser:
    """Scores as it is told, and cites whatever it is told to cite."""

    name = "condenser"

    def __init__(self, scores: Sequence[float], text: str) -> None:
        self.made = Synthesis(tuple(scores), text)
        self.error: Exception | None = None
        self.shown: list[str] = []

    def synthesize(self, question: str, fragments: Sequence[Fragment], **_how: object) -> Synthesis:
        self.shown = [fragment.text for fragment in fragments]
        if self.error:
            raise self.error
        return self.made


@pytest.fixture
def recalled():
    nobody = ScriptedRecall()
    request = RecallRequest(
        question="Where does the key lie?",
        reader=Reader(nobody.hit.id, nobody.hit.id),
        now=datetime(2026, 1, 1, tzinfo=UTC),
        time_zone="UTC",
    )
    return Recollection(replace(nobody(request), hits=tuple(map(make_hit, TEXTS)), context="[1] … [4] …"))


def changed(recalled: Recollection, **changes: Any) -> Recollection:
    return replace(recalled, records=replace(recalled.records, **changes))


@pytest.fixture
def opened() -> Any:
    return SimpleNamespace(request=SimpleNamespace(effort=Effort.DEEP, time_zone="Asia/Tokyo"))


@pytest.fixture
def condenser():
    return Condenser([0.1, 0.9, 0.2, 0.7], "The key lies under the mat [2] at the back door [4].")


def test_what_is_of_use_keeps_the_numbers_it_was_recalled_with(opened, recalled, condenser):
    grounds = synthesize_recalled(opened, recalled, language=condenser)
    assert grounds.context == "The key lies under the mat [2] at the back door [4]."
    assert (grounds.useful, grounds.scores) == (frozenset({2, 4}), (0.1, 0.9, 0.2, 0.7))
    assert (grounds.recalled, grounds.notes, grounds.model) == (recalled, (), "condenser")


def test_a_citation_of_what_was_dropped_is_taken_out(opened, recalled, condenser):
    condenser.made = Synthesis((0.1, 0.9, 0.2, 0.7), "Under the mat [1][2].")
    assert synthesize_recalled(opened, recalled, language=condenser).context == "Under the mat [2]."


def test_each_text_is_judged_with_the_moment_it_was_said_in_the_readers_zone(opened, recalled, condenser):
    synthesize_recalled(opened, recalled, language=condenser)
    assert condenser.shown[1] == f"{TEXTS[1]} (episode · said Thu 2026-01-01 09:00 by Alice)"


def test_a_model_that_finds_nothing_of_use_leaves_nothing_to_cite(opened, recalled, condenser):
    condenser.made = Synthesis((0.1, 0.2, 0.0, 0.3), "")
    grounds = synthesize_recalled(opened, recalled, language=condenser)
    assert (grounds.context, grounds.useful) == ("", frozenset())


def test_a_model_that_fails_leaves_all_that_was_recalled_and_says_so(opened, recalled, condenser):
    condenser.error = ReplyFaulty()
    grounds = synthesize_recalled(opened, recalled, language=condenser)
    assert (grounds.context, grounds.useful) == (recalled.records.context, None)
    assert (grounds.notes, grounds.model, len(grounds.scores)) == ((NOT_SYNTHESIZED,), "offline", 4)


def test_rules_choose_what_may_be_quoted(opened, recalled):
    grounds = synthesize_recalled(opened, recalled, language=offline_language())
    assert grounds.useful is not None
    assert 2 in grounds.useful
    assert 3 not in grounds.useful
    assert (grounds.context, grounds.notes) == (recalled.records.context, ())


def test_rules_that_find_nothing_of_use_leave_all_that_was_recalled(opened, recalled):
    strange = changed(recalled, question="Qxz?")
    assert synthesize_recalled(opened, strange, language=offline_language()).useful is None


@pytest.mark.parametrize(("effort", "expected"), [(Effort.FAST, False), ("standard", False), ("deep", True)])
def test_only_deep_condenses(opened, recalled, effort, expected):
    opened.request.effort = Effort(effort)
    assert is_synthesized(opened, recalled) is expected


def test_nothing_recalled_is_nothing_to_condense(opened, recalled):
    assert not is_synthesized(opened, changed(recalled, hits=()))


def test_without_condensing_everything_may_be_cited(recalled):
    grounds = Grounds.of(recalled)
    assert (grounds.context, grounds.useful, grounds.scores) == (recalled.records.context, None, ())
