"""Finished dialogues as JSON lines in a folder, so that the same command goes on where it stopped.

`run.json` says what was run; another run in the same folder is refused. A dialogue's file
appears whole or not at all.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from evaluation.types import Answered, Findings, Foreign, InContext, Ranked, TokenUse

RUN, DIALOGUES = "run.json", "dialogues"
_KINDS: Mapping[str, type[Any]] = {
    "ranked": Ranked,
    "contexts": InContext,
    "foreign": Foreign,
    "tokens": TokenUse,
    "answers": Answered,
}


class OtherRun(ValueError):
    """The folder holds what another command found."""


class NoRun(ValueError):
    """The folder holds no run."""


@dataclass(frozen=True, slots=True)
class Cache:
    """What a run has found so far. Open it with `Cache.open`, which raises OtherRun."""

    folder: Path

    @classmethod
    def open(cls, folder: Path, settings: Mapping[str, object]) -> "Cache":
        """The folder, made if need be, for a run with these settings (plain JSON)."""
        (folder / DIALOGUES).mkdir(parents=True, exist_ok=True)
        path = folder / RUN
        if not path.exists():
            path.write_text(json.dumps(settings, indent=1, sort_keys=True), encoding="utf-8")
        before = json.loads(path.read_text(encoding="utf-8"))
        now = json.loads(json.dumps(settings))
        changed = sorted(name for name in {*before, *now} if before.get(name) != now.get(name))
        if changed:
            raise OtherRun(
                f"{folder} holds a run with another {', '.join(changed)}; choose a new folder or empty it."
            )
        return cls(folder)

    def find(self, dialogue: str) -> Findings | None:
        """What was found for the dialogue, if it was finished."""
        path = self._path(dialogue)
        return _read(path) if path.exists() else None

    def keep(self, dialogue: str, found: Findings) -> None:
        """Write what was found: all of it or nothing."""
        path = self._path(dialogue)
        unfinished = path.with_suffix(".part")
        unfinished.write_text("".join(f"{json.dumps(line)}\n" for line in _lines(found)), encoding="utf-8")
        unfinished.replace(path)

    def _path(self, dialogue: str) -> Path:
        safe = "".join(char if char.isalnum() or char in "-_" else f"%{ord(char):x}" for char in dialogue)
        return self.folder / DIALOGUES / f"{safe}.jsonl"


def findings_in(folder: Path) -> Findings:
    """All that a run's folder holds. Raises NoRun."""
    paths = sorted((folder / DIALOGUES).glob("*.jsonl"))
    if not paths:
        raise NoRun(f"{folder} holds no finished dialogue of an evaluation.")
    return sum((_read(path) for path in paths), Findings())


def _lines(found: Findings) -> Iterable[dict[str, Any]]:
    for kind in _KINDS:
        for each in getattr(found, kind):
            plain = {name: _plain(value) for name, value in asdict(each).items()}
            yield {"kind": kind, **plain}


def _read(path: Path) -> Findings:
    found: dict[str, list[Any]] = {kind: [] for kind in _KINDS}
    try:
        for line in path.read_text(encoding="utf-8").splitlines():
            plain = json.loads(line)
            kind = plain.pop("kind")
            found[kind].append(_value(_KINDS[kind], plain))
    except (ValueError, KeyError, TypeError) as error:
        raise NoRun(f"{path} is damaged ({error}); delete it and run again.") from error
    return Findings(**{kind: tuple(values) for kind, values in found.items()})


def _plain(value: object) -> object:
    if isinstance(value, frozenset):
        return sorted(value)
    return list(value) if isinstance(value, tuple) else value


def _value(kind: type[Any], plain: dict[str, Any]) -> object:
    """The dataclass of a line; lists become what the field is declared as."""
    declared = {field.name: str(field.type) for field in fields(kind)}
    values = {
        name: (frozenset(value) if "frozenset" in declared[name] else tuple(value))
        if isinstance(value, list)
        else value
        for name, value in plain.items()
    }
    return kind(**values)
