"""The version row of a space's vectors: what tells a process that it is behind.

A write is published by raising `seq` from what its writer saw; a deletion raises
`deletions`, a drop `epoch`. Read by hand-written SQL: every recall does it twice.
"""

from dataclasses import dataclass
from typing import NamedTuple
from uuid import UUID

from django.db.models import F

from memory.config import EmbedderSpec
from memory.domain.types import TEXT_KINDS, Kind
from memory.errors import IndexMismatch
from memory.models import IndexState
from memory.stores.sql import fetch_all, uuid_value

_READ = (
    "SELECT embedder, dimension, epoch, seq, deletions FROM memory_indexstate"
    " WHERE space_id = %s AND kind = %s"
)


class Version(NamedTuple):
    """What a process has read of a space's vectors."""

    epoch: int
    seq: int
    deletions: int


@dataclass(frozen=True, slots=True)
class States:
    """The version rows, for one embedder and the kinds it embeds."""

    spec: EmbedderSpec
    kinds: tuple[Kind, ...] = TEXT_KINDS

    def read(self, space_id: UUID, kind: Kind) -> Version | None:
        """The current version; None before the first write. Raises IndexMismatch."""
        rows = fetch_all(_READ, [uuid_value(space_id), kind.value])
        if not rows:
            return None
        row = rows[0]
        if (row[0], row[1]) != (self.spec.name, self.spec.dimension):
            raise IndexMismatch(
                f"The vectors of this space were made by {row[0]} with {row[1]} dimensions, the embedder"
                f" in use is {self.spec.name} with {self.spec.dimension}."
                " Run `manage.py rebuild_index --background`."
            )
        return Version(*row[2:])

    def ensure(self, space_id: UUID, kind: Kind) -> Version:
        """The current version, made if there is none. Raises IndexMismatch."""
        version = self.read(space_id, kind)
        if version is None:
            IndexState.objects.get_or_create(
                space_id=space_id,
                kind=kind,
                defaults={"embedder": self.spec.name, "dimension": self.spec.dimension},
            )
            version = self.read(space_id, kind)
        if version is None:
            raise IndexMismatch("The space was deleted while its vectors were written.")
        return version

    def publish(self, space_id: UUID, kind: Kind, seen: Version) -> bool:
        """Raise seq by one if nobody has since `seen`; whether that succeeded."""
        rows = IndexState.objects.filter(space_id=space_id, kind=kind, epoch=seen.epoch, seq=seen.seq)
        return rows.update(seq=F("seq") + 1) == 1

    def note_deletion(self, space_id: UUID, kind: Kind) -> None:
        """Tell every process to look which items are left."""
        rows = IndexState.objects.filter(space_id=space_id, kind=kind)
        rows.update(deletions=F("deletions") + 1)

    def reset(self, space_id: UUID) -> None:
        """Tell every process to forget the space, and that this embedder makes it anew."""
        IndexState.objects.filter(space_id=space_id, kind__in=self.kinds).update(
            epoch=F("epoch") + 1, embedder=self.spec.name, dimension=self.spec.dimension
        )
