"""A benchmark through the real services: tell each dialogue, ask each question, rank turns."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random

from tqdm import tqdm

from evaluation.memories import tell
from evaluation.systems import System
from evaluation.types import Dialogue, Ranked, Rankings


def sample_probes(dialogues: Sequence[Dialogue], count: int, *, seed: int = 7) -> list[Dialogue]:
    """The dialogues with at most `count` questions each, drawn by a fixed seed."""
    return [
        replace(each, probes=tuple(Random(seed).sample(each.probes, min(count, len(each.probes)))))
        for each in dialogues
    ]


def run(dialogues: Sequence[Dialogue], systems: Mapping[str, System], *, is_quiet: bool = False) -> Rankings:
    """Ask every system every question of every dialogue."""
    rankings: dict[str, list[Ranked]] = {name: [] for name in systems}
    for number, dialogue in enumerate(dialogues):
        turn_count = sum(len(session.turns) for session in dialogue.sessions)
        with tqdm(total=turn_count, desc=f"{dialogue.name}: telling", unit="turn", disable=is_quiet) as bar:
            told = tell(dialogue, number=number, on_progress=bar.update)
        asked = tqdm(dialogue.probes, desc=f"{dialogue.name}: asking", unit="question", disable=is_quiet)
        sessions = dialogue.session_of()
        for probe in asked:
            for name, ask in systems.items():
                turns = tuple(ask(told, probe))
                rankings[name].append(
                    Ranked(
                        dialogue=dialogue.name,
                        probe=probe,
                        turns=turns,
                        sessions=tuple(dict.fromkeys(sessions[key] for key in turns)),
                        evidence_sessions=frozenset(sessions[key] for key in probe.evidence),
                    )
                )
    return rankings
