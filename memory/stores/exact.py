"""Vectors in plain files, searched exactly: the oracle, and the store without AVX2.

One file per space and kind holds fixed records in the order they were written;
of an item's records the last counts. It reads the whole file, so it is meant for
spaces that fit in memory.
"""

from collections.abc import Sequence
from pathlib import Path
from shutil import rmtree
from uuid import UUID

import numpy as np
import numpy.typing as npt

from memory.config import EmbedderSpec
from memory.domain.types import Kind, Reader
from memory.ports import Vectors, session_code
from memory.stores.files import append_records, locked, read_records, replace_file
from memory.stores.matrix import SHARED, Rows


class ExactTable:
    """The VectorTable over files; `<folder>/<space>/<kind>-<embedder>-<dimension>.rows`."""

    def __init__(self, folder: Path, spec: EmbedderSpec) -> None:
        self._folder = folder
        self._spec = spec
        self._dtype: np.dtype[np.void] = np.dtype(
            [
                ("item", "<i8"),
                ("seq", "<i8"),
                ("session", "<i8"),
                ("position", "<i4"),
                ("is_live", "?"),
                ("owner", "S36"),
                ("vector", "<f4", (spec.dimension,)),
            ]
        )

    def write(self, space_id: UUID, kind: Kind, rows: Rows) -> None:
        """Write or replace by item."""
        records = np.zeros(len(rows), self._dtype)
        records["item"], records["seq"] = rows.items, rows.seqs
        records["session"], records["position"] = rows.sessions, rows.positions
        records["owner"], records["is_live"] = np.char.encode(rows.owners, "ascii"), True
        records["vector"] = rows.vectors
        self._append(space_id, kind, records)

    def remove(self, space_id: UUID, kind: Kind, items: Sequence[int]) -> None:
        """Remove by item."""
        records = np.zeros(len(items), self._dtype)
        records["item"] = items
        self._append(space_id, kind, records)

    def read(self, space_id: UUID, kind: Kind, *, after_seq: int) -> Rows:
        """The rows written after that seq."""
        records = self._live(space_id, kind)
        return _rows(records[records["seq"] > after_seq])

    def fetch(self, space_id: UUID, kind: Kind, items: Sequence[int]) -> Rows:
        """The rows of these items."""
        records = self._live(space_id, kind)
        return _rows(records[np.isin(records["item"], items)])

    def seqs(self, space_id: UUID, kind: Kind) -> dict[int, int]:
        """Every item with its seq."""
        records = self._live(space_id, kind)
        return dict(zip(records["item"].tolist(), records["seq"].tolist(), strict=True))

    def count(self, space_id: UUID, kind: Kind) -> int:
        """How many rows the space has."""
        return len(self._live(space_id, kind))

    def nearest(self, reader: Reader, kind: Kind, query: Vectors, *, limit: int) -> Rows:
        """Of what the reader may see the `limit` nearest to the query (d,)."""
        rows = _rows(self._live(reader.space_id, kind))
        seen = (rows.owners == SHARED) | (rows.owners == str(reader.user_id))
        seen &= ~np.isin(rows.sessions, [session_code(i) for i in reader.exclude_session_ids])
        places = np.flatnonzero(seen)
        best = places[np.argsort(-(rows.vectors[places] @ query), kind="stable")[:limit]]
        return Rows(
            rows.items[best],
            rows.seqs[best],
            rows.sessions[best],
            rows.positions[best],
            rows.owners[best],
            rows.vectors[best],
        )

    def drop_space(self, space_id: UUID) -> None:
        """Remove the space's files, of every embedder."""
        rmtree(self._folder / space_id.hex, ignore_errors=True)

    def optimize(self) -> None:
        """Rewrite the files that hold more replaced or removed records than others."""
        for path in self._folder.glob("*/*.rows"):
            with locked(path):
                records = read_records(path, self._dtype)
                live = _last(records)
                if len(live) < len(records) / 2 and path.name.endswith(self._suffix):
                    replace_file(path, live.tobytes())

    @property
    def _suffix(self) -> str:
        return f"-{self._spec.name}-{self._spec.dimension}.rows"

    def _path(self, space_id: UUID, kind: Kind) -> Path:
        return self._folder / space_id.hex / f"{kind.value}{self._suffix}"

    def _append(self, space_id: UUID, kind: Kind, records: npt.NDArray[np.void]) -> None:
        path = self._path(space_id, kind)
        with locked(path):
            append_records(path, records)

    def _live(self, space_id: UUID, kind: Kind) -> npt.NDArray[np.void]:
        return _last(read_records(self._path(space_id, kind), self._dtype))


def _last(records: npt.NDArray[np.void]) -> npt.NDArray[np.void]:
    """Each item's last record, unless that says it was removed."""
    _, places = np.unique(records["item"][::-1], return_index=True)
    last: npt.NDArray[np.void] = records[len(records) - 1 - places]
    live: npt.NDArray[np.void] = last[last["is_live"]]
    return live


def _rows(records: npt.NDArray[np.void]) -> Rows:
    return Rows(
        items=records["item"].astype(np.int64),
        seqs=records["seq"].astype(np.int64),
        sessions=records["session"].astype(np.int64),
        positions=records["position"].astype(np.int32),
        owners=np.char.decode(records["owner"], "ascii"),
        vectors=np.ascontiguousarray(records["vector"], np.float32),
    )
