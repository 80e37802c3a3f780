"""A benchmark through the real services: tell each dialogue, ask each question, measure each layer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from random import Random
from typing import TypeVar

from tqdm import tqdm

from evaluation.answers import CONSTRUCTION, QUERY, Examiner, answer_probe, tokens_used
from evaluation.cache import Cache
from evaluation.contexts import look
from evaluation.memories import Told, spoken_tokens, tell
from evaluation.recipes import Recipe
from evaluation.strangers import put_strange_question
from evaluation.systems import WHOLE, Asking, System, anew, systems
from evaluation.types import Answered, Dialogue, Findings, InContext, Ranked, TokenUse

Item = TypeVar("Item")

_users = count(1)  # tellings of this process: each is a user of its own


@dataclass(frozen=True, slots=True)
class Trial:
    """What a run measures. `strange`: questions of other dialogues, by the dialogue they are put to."""

    recipe: Recipe
    ablations: tuple[Recipe, ...] = ()
    asking: Asking = field(default_factory=Asking)
    context_tokens: int = 1_600
    strange: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    examiner: Examiner | None = None
    is_quiet: bool = False


def sample_probes(dialogues: Sequence[Dialogue], count: int, *, seed: int = 7) -> list[Dialogue]:
    """The dialogues with at most `count` questions each, drawn by a fixed seed."""
    return [
        replace(each, probes=tuple(Random(seed).sample(each.probes, min(count, len(each.probes)))))
        for each in dialogues
    ]


def run(dialogues: Sequence[Dialogue], trial: Trial, *, cache: Cache | None = None) -> Findings:
    """Measure every dialogue; those that the cache holds are not told again."""
    found = Findings()
    for dialogue in tqdm(dialogues, desc="dialogues", unit="dialogue", disable=trial.is_quiet):
        known = cache.find(dialogue.name) if cache else None
        if known is None:
            known = measure(dialogue, trial)
            if cache:
                cache.keep(dialogue.name, known)
        found += known
    return found


def measure(dialogue: Dialogue, trial: Trial) -> Findings:
    """All layers of one dialogue."""
    told = _tell(dialogue, trial, trial.recipe, WHOLE)
    read = [each for each in trial.ablations if not each.is_told_anew]
    compared = systems(trial.recipe, read, asking=trial.asking)
    found = _ask(dialogue, told, compared, trial)
    tokens = [_tokens(dialogue, told, CONSTRUCTION, WHOLE)]
    if trial.examiner:
        tokens.append(_tokens(dialogue, told, QUERY, WHOLE))
    for ablation in trial.ablations:
        if ablation.is_told_anew:
            other = _tell(dialogue, trial, ablation, ablation.name)
            ranked = _rank_all(dialogue, other, anew(ablation, asking=trial.asking), trial)
            found += Findings(ranked=tuple(ranked))
            tokens.append(_tokens(dialogue, other, CONSTRUCTION, ablation.name))
    return found + Findings(tokens=tuple(tokens))


def _tell(dialogue: Dialogue, trial: Trial, recipe: Recipe, construction: str) -> Told:
    turns = sum(len(session.turns) for session in dialogue.sessions)
    label = f"{dialogue.name}: telling ({construction})"
    with tqdm(total=turns, desc=label, unit="turn", disable=trial.is_quiet, leave=False) as bar:
        name = f"bench-{next(_users)}"
        return tell(dialogue, name=name, ingest=recipe.ingest, on_progress=bar.update)


def _ask(dialogue: Dialogue, told: Told, compared: Mapping[str, System], trial: Trial) -> Findings:
    ranked = _rank_all(dialogue, told, compared, trial)
    contexts: list[InContext] = []
    answers: list[Answered] = []
    for probe in _bar(dialogue.probes, f"{dialogue.name}: contexts and answers", trial):
        contexts += look(
            told,
            dialogue.name,
            probe,
            trial.recipe,
            asking=trial.asking,
            budget_tokens=trial.context_tokens,
        )
        if trial.examiner:
            answers.append(
                answer_probe(
                    told,
                    dialogue.name,
                    probe,
                    trial.recipe,
                    asking=trial.asking,
                    budget_tokens=trial.context_tokens,
                    examiner=trial.examiner,
                )
            )
    foreign = [
        put_strange_question(told, dialogue.name, question, trial.recipe, trial.asking)
        for question in _bar(trial.strange.get(dialogue.name, ()), f"{dialogue.name}: strangers", trial)
    ]
    return Findings(tuple(ranked), tuple(contexts), tuple(foreign), (), tuple(answers))


def _rank_all(dialogue: Dialogue, told: Told, compared: Mapping[str, System], trial: Trial) -> list[Ranked]:
    """Every question that has evidence, ranked by every system."""
    sessions = dialogue.session_of()
    ranked: list[Ranked] = []
    asked = [probe for probe in dialogue.probes if probe.evidence or probe.evidence_sessions]
    for probe in _bar(asked, f"{dialogue.name}: ranking", trial):
        own = probe.evidence_sessions or frozenset(sessions[key] for key in probe.evidence)
        for name, ask in compared.items():
            turns = tuple(ask(told, probe))
            ranked.append(
                Ranked(
                    system=name,
                    dialogue=dialogue.name,
                    probe=probe.key,
                    category=probe.category,
                    evidence=probe.evidence,
                    evidence_sessions=own,
                    turns=turns,
                    sessions=tuple(dict.fromkeys(sessions[key] for key in turns)),
                )
            )
    return ranked


def _tokens(dialogue: Dialogue, told: Told, purpose: str, construction: str) -> TokenUse:
    return tokens_used(
        told,
        purpose,
        construction=construction,
        dialogue=dialogue.name,
        questions=len(dialogue.probes),
        spoken_tokens=spoken_tokens(told),
    )


def _bar(items: Sequence[Item], label: str, trial: Trial) -> "tqdm[Item]":
    return tqdm(items, desc=label, unit="question", disable=trial.is_quiet, leave=False)
