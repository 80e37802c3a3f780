"""What memory needs of the app above it, left here in its `AppConfig.ready()`."""

from memory.ports import TurnSource

_turns: list[TurnSource] = []


def set_turn_source(source: TurnSource) -> None:
    """Say where turns are kept."""
    _turns[:] = [source]


def turn_source() -> TurnSource:
    """Where turns are kept. Raises LookupError before anybody said so."""
    if not _turns:
        raise LookupError("No app has called memory.registries.set_turn_source.")
    return _turns[0]
