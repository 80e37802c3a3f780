"""A run measures every layer of every dialogue, and goes on where it stopped."""

from dataclasses import replace
from pathlib import Path

import pytest

from evaluation import runner
from evaluation.cache import Cache
from evaluation.recipes import RECIPES
from evaluation.runner import Trial, run, sample_probes
from evaluation.types import Probe
from tests.evaluation.telling import dialogue

RECIPE = RECIPES["standard"]
TRIAL = Trial(recipe=RECIPE, is_quiet=True)


@pytest.mark.django_db
def test_every_question_is_ranked_by_every_system_and_its_context_looked_at():
    found = run([dialogue()], TRIAL)
    systems = list(dict.fromkeys(each.system for each in found.ranked))
    assert systems == ["whole", "records only", "raw turns only", "plain BM25", "plain dense"]
    assert len(found.ranked) == 3 * len(systems)
    last = next(each for each in found.ranked if each.system == "whole" and each.probe == "q3")
    assert (last.turns[0], last.sessions[0]) == ("D2:1", "session_2")
    assert last.evidence_sessions == {"session_2"}
    assert len(found.contexts) == 6
    assert [(use.purpose, use.calls) for use in found.tokens] == [("construction", 0)]


@pytest.mark.django_db
def test_ablations_of_construction_are_told_anew_and_strangers_are_asked():
    trial = replace(
        TRIAL,
        ablations=(RECIPE.without("summary_records"), RECIPE.without("no_late_interaction")),
        strange={"tiny": ("Which volcano erupted?",)},
    )
    found = run([dialogue()], trial)
    systems = {each.system for each in found.ranked}
    assert {"summary_records, records only", "no_late_interaction"} < systems
    assert [each.question for each in found.foreign] == ["Which volcano erupted?"]
    assert [use.construction for use in found.tokens] == ["whole", "summary_records"]


@pytest.mark.django_db
def test_a_question_without_evidence_has_a_context_but_no_ranking():
    own = dialogue()
    bare = Probe("What is my budget?", frozenset(), "abstention", key="q9", is_answerable=False)
    found = run([replace(own, probes=(bare,))], TRIAL)
    assert found.ranked == ()
    assert {(each.probe, each.is_covered) for each in found.contexts} == {("q9", None)}


@pytest.mark.django_db
def test_a_stopped_run_goes_on_with_the_dialogues_that_are_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    cache = Cache.open(tmp_path, {})
    measured: list[str] = []
    real = runner.measure

    def measure(each, trial):
        if measured == ["one"]:
            raise KeyboardInterrupt
        measured.append(each.name)
        return real(each, trial)

    monkeypatch.setattr(runner, "measure", measure)
    both = [dialogue("one"), dialogue("two")]
    with pytest.raises(KeyboardInterrupt):
        run(both, TRIAL, cache=cache)
    measured.append("stopped")
    found = run(both, TRIAL, cache=cache)
    assert measured == ["one", "stopped", "two"]
    assert [each.dialogue for each in found.ranked if each.system == "whole"] == ["one"] * 3 + ["two"] * 3


def test_a_sample_is_the_same_every_time_and_never_larger_than_what_there_is():
    (once,) = sample_probes([dialogue()], 2)
    (again,) = sample_probes([dialogue()], 2)
    assert once.probes == again.probes
    assert len(once.probes) == 2
    (whole,) = sample_probes([dialogue()], 99)
    assert {probe.key for probe in whole.probes} == {"q1", "q2", "q3"}
