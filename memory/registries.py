"""What memory needs of the app above it, left here in its `AppConfig.ready()`."""

from memory.ports import TurnSource, UsageSink

_turns: list[TurnSource] = []
_usage: list[UsageSink] = []


def set_turn_source(source: TurnSource) -> None:
    """Say where turns are kept."""
    _turns[:] = [source]


def turn_source() -> TurnSource:
    """Where turns are kept. Raises LookupError before anybody said so."""
    if not _turns:
        raise LookupError("No app has called memory.registries.set_turn_source.")
    return _turns[0]


def set_usage_sink(sink: UsageSink | None) -> None:
    """Say who writes down what embedding for the indexes took; None: nobody."""
    _usage[:] = [sink] if sink else []


def usage_sinks() -> tuple[UsageSink, ...]:
    """Who is told: one, or none."""
    return tuple(_usage)
