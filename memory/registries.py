"""What memory needs of the apps above it, left here in their `AppConfig.ready()`."""

from collections.abc import Callable, Mapping, Sequence
from uuid import UUID

from memory.domain.types import Kind
from memory.ports import IndexSource, TurnsErased, TurnSource, TurnsWithdrawn, UsageSink

MaySpend = Callable[[UUID], bool]

_turns: list[TurnSource] = []
_sources: dict[Kind, IndexSource] = {}
_usage: list[UsageSink] = []
_may_spend: list[MaySpend] = []
_withdrawn: list[TurnsWithdrawn] = []
_erased: list[TurnsErased] = []


def set_turn_source(source: TurnSource) -> None:
    """Say where turns are kept."""
    _turns[:] = [source]


def turn_source() -> TurnSource:
    """Where turns are kept. Raises LookupError before anybody said so."""
    if not _turns:
        raise LookupError("No app has called memory.registries.set_turn_source.")
    return _turns[0]


def set_index_source(kind: Kind, source: IndexSource) -> None:
    """Say where the rows of a kind are kept that memory itself does not know."""
    _sources[kind] = source


def index_sources() -> Mapping[Kind, IndexSource]:
    """Where the rows of other apps are kept, by kind."""
    return _sources


def set_usage_sink(sink: UsageSink | None) -> None:
    """Say who writes down what calls took that nobody waits for; None: nobody."""
    _usage[:] = [sink] if sink else []


def usage_sinks() -> tuple[UsageSink, ...]:
    """Who is told: one, or none."""
    return tuple(_usage)


def set_may_spend(hook: MaySpend | None) -> None:
    """Say who knows whether a space may call models today; None: it always may."""
    _may_spend[:] = [hook] if hook else []


def may_spend(space_id: UUID) -> bool:
    """Whether models may be called for the space in the background today."""
    return all(hook(space_id) for hook in _may_spend)


def set_withdrawal(hook: TurnsWithdrawn | None) -> None:
    """Say who derives texts from turns beside the memory, and has to forget them; None: nobody."""
    _withdrawn[:] = [hook] if hook else []


def withdraw_turns(space_id: UUID, turn_ids: Sequence[UUID]) -> None:
    """Tell that a person took out of memory what these turns say, in the caller's transaction."""
    for hook in _withdrawn:
        hook(space_id, turn_ids)


def set_erasure(hook: TurnsErased | None) -> None:
    """Say who keeps words of turns beside the turns themselves; None: nobody."""
    _erased[:] = [hook] if hook else []


def erase_quotations(space_id: UUID, turn_ids: Sequence[UUID], told: Sequence[str]) -> None:
    """Tell that what these turns told is to leave no trace beside them, in the caller's transaction."""
    for hook in _erased:
        hook(space_id, turn_ids, told)
