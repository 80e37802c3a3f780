"""Token vectors for late interaction, in files beside the vectors; derived, rebuildable.

Per space and kind a list of entries and a data file, both only appended to. The
data are memory-mapped: reading 50 items touches 50 places. Of an item's entries
the last counts; a damaged one reads as missing.
"""

import secrets
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from shutil import rmtree
from threading import Lock
from typing import NamedTuple
from uuid import UUID
from zlib import crc32

import numpy as np
import numpy.typing as npt

from memory.config import EmbedderSpec, IndexConfig
from memory.domain.types import Kind
from memory.ports import TokenVectors
from memory.stores.files import append_records, locked, read_records, replace_file

_ENTRY: np.dtype[np.void] = np.dtype(
    [("item", "<i8"), ("offset", "<i8"), ("tokens", "<i4"), ("check", "<u4")]
)
_HEADER = -1  # the item of a list's first entry, whose offset names the data file


class _Place(NamedTuple):
    """Where an item's tokens lie in the data file."""

    offset: int
    tokens: int
    check: int


class TokenFiles:
    """The TokenStore port over `<folder>/<space>/<kind>-<embedder>-<dimension>.list`."""

    def __init__(self, folder: Path, spec: EmbedderSpec, config: IndexConfig | None = None) -> None:
        self._folder = folder
        self._spec = spec
        self._config = config or IndexConfig()
        self._lock = Lock()
        self._shelves: dict[Path, _Shelf] = {}

    def write(self, space_id: UUID, kind: Kind, tokens: Mapping[int, TokenVectors]) -> None:
        """Write or replace by item."""
        if not tokens:
            return
        path = self._path(space_id, kind)
        with locked(path):
            header = read_records(path, _ENTRY, count=1)
            if not len(header):
                header = _header()
                replace_file(path, header.tobytes())
            data = _data_path(path, int(header[0]["offset"]))
            append_records(path, _append_data(data, tokens))
        self._compact(path)

    def delete(self, space_id: UUID, kind: Kind, items: Sequence[int]) -> None:
        """Remove; unknown ones are ignored. Their bytes are blanked at once, and their room is
        given back once half of the file is dead.
        """
        path = self._path(space_id, kind)
        if not self.items(space_id, kind).intersection(items):
            return
        with locked(path):
            with self._lock:
                shelf = self._shelf(path)
                gone = {item: shelf.places[item] for item in items if item in shelf.places}
                data = _data_path(path, shelf.data_name)
            append_records(path, _entries((item, _Place(0, 0, 0)) for item in gone))
            _blank(data, gone.values(), self._spec.dimension)
        self._compact(path)

    def read(self, space_id: UUID, kind: Kind, items: Sequence[int]) -> list[TokenVectors | None]:
        """(t, d) int8 for each item, read-only; None for what is missing or damaged."""
        with self._lock:
            shelf = self._shelf(self._path(space_id, kind))
            return [shelf.take(item) for item in items]

    def items(self, space_id: UUID, kind: Kind) -> set[int]:
        """What is stored."""
        with self._lock:
            return set(self._shelf(self._path(space_id, kind)).places)

    def drop_space(self, space_id: UUID) -> None:
        """Remove every byte of the space."""
        rmtree(self._folder / space_id.hex, ignore_errors=True)
        with self._lock:
            for path in [path for path in self._shelves if path.parent.name == space_id.hex]:
                del self._shelves[path]

    def _path(self, space_id: UUID, kind: Kind) -> Path:
        name = f"{kind.value}-{self._spec.name}-{self._spec.dimension}.list"
        return self._folder / space_id.hex / name

    def _shelf(self, path: Path) -> "_Shelf":
        """The files as they are now. The caller holds the lock."""
        shelf = self._shelves.setdefault(path, _Shelf(path, self._spec.dimension))
        shelf.catch_up()
        return shelf

    def _compact(self, path: Path) -> None:
        """Copy what is alive to a new data file once too much is dead; replacing the list
        commits it, readers of the old one keep their mapping.
        """
        with self._lock:
            if self._shelf(path).dead_share <= self._config.compact_dead_share:
                return
        with locked(path), self._lock:
            shelf = self._shelf(path)
            if shelf.dead_share <= self._config.compact_dead_share:
                return  # another process was first
            taken = ((item, shelf.take(item)) for item in shelf.places)
            header, old = _header(), _data_path(path, shelf.data_name)
            data = _data_path(path, int(header[0]["offset"]))
            entries = _append_data(data, {item: tokens for item, tokens in taken if tokens is not None})
            replace_file(path, header.tobytes() + entries.tobytes())
            old.unlink(missing_ok=True)


class _Shelf:
    """A process's knowledge of one list and its mapped data."""

    def __init__(self, path: Path, dimension: int) -> None:
        self._path = path
        self._dimension = dimension
        self._forget()

    def catch_up(self) -> None:
        """Read the entries written since, or all if the list was replaced."""
        first = read_records(self._path, _ENTRY, count=1)
        if not len(first) or int(first[0]["offset"]) != self.data_name:
            self._forget()
        fresh = read_records(self._path, _ENTRY, start=self._count)
        if not len(fresh):
            return
        self._count += len(fresh)
        for item, *place in fresh.tolist():
            self._note(item, _Place(*place))
        self._map()

    def take(self, item: int) -> TokenVectors | None:
        """The item's tokens, without a copy; None if they are missing or damaged."""
        place = self.places.get(item)
        if place is None:
            return None
        found = self._data[place.offset : place.offset + place.tokens * self._dimension]
        if len(found) != place.tokens * self._dimension or crc32(found.data) != place.check:
            return None
        return found.reshape(place.tokens, self._dimension)

    @property
    def dead_share(self) -> float:
        """The share of the data, and of the list, that no longer counts; the larger."""
        alive = sum(place.tokens for place in self.places.values()) * self._dimension
        data = 1 - alive / max(1, len(self._data))
        return max(data, 1 - len(self.places) / max(1, self._count - 1))

    def _forget(self) -> None:
        self.data_name = 0
        self.places: dict[int, _Place] = {}
        self._count = 0
        self._data: npt.NDArray[np.int8] = np.empty(0, np.int8)

    def _note(self, item: int, place: _Place) -> None:
        if item == _HEADER:
            self.data_name = place.offset
        elif place.tokens:
            self.places[item] = place
        else:
            self.places.pop(item, None)

    def _map(self) -> None:
        path = _data_path(self._path, self.data_name)
        if path.exists() and path.stat().st_size:
            self._data = np.memmap(path, np.int8, mode="r")


def _header() -> npt.NDArray[np.void]:
    """A list's first entry. A fresh name tells readers that all is new."""
    return _entries([(_HEADER, _Place(secrets.randbits(62), 0, 0))])


def _entries(places: Iterable[tuple[int, _Place]]) -> npt.NDArray[np.void]:
    return np.array([(item, *place) for item, place in places], _ENTRY)


def _data_path(path: Path, name: int) -> Path:
    return path.with_suffix(f".{name:x}.int8")


def _blank(path: Path, places: Iterable[_Place], dimension: int) -> None:
    """Overwrite the tokens with zeros; who still reads them finds them damaged."""
    with open(path, "r+b") as file:
        for place in places:
            file.seek(place.offset)
            file.write(bytes(place.tokens * dimension))


def _append_data(path: Path, tokens: Mapping[int, TokenVectors]) -> npt.NDArray[np.void]:
    """Append the tokens, and say where they lie. The caller holds the lock."""
    places: list[tuple[int, _Place]] = []
    with open(path, "ab") as file:
        offset = file.tell()
        for item, vectors in tokens.items():
            raw = np.ascontiguousarray(vectors, np.int8).tobytes()
            places.append((item, _Place(offset, len(vectors), crc32(raw))))
            file.write(raw)
            offset += len(raw)
    return _entries(places)
