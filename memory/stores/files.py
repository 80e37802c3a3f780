"""Derived files that several processes append to: locks, torn tails, replacement."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import numpy.typing as npt


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the file's lock against other threads and processes. The folder is made."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with open(f"{path}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def append_records(path: Path, records: npt.NDArray[np.void]) -> None:
    """Append whole records; a torn one at the end (a kill in mid-write) is cut off first.

    The caller holds the lock.
    """
    with open(path, "ab") as file:
        file.truncate(file.tell() - file.tell() % records.dtype.itemsize)
        file.write(records.tobytes())


def read_records(
    path: Path, dtype: "np.dtype[np.void]", *, start: int = 0, count: int | None = None
) -> npt.NDArray[np.void]:
    """The whole records from number `start`, at most `count`; none if there is no file."""
    try:
        whole = max(0, path.stat().st_size // dtype.itemsize - start)
        wanted = whole if count is None else min(count, whole)
        return np.fromfile(path, dtype, count=wanted, offset=start * dtype.itemsize)
    except FileNotFoundError:
        return np.empty(0, dtype)


def replace_file(path: Path, content: bytes) -> None:
    """Put the content in the file's place at once. The caller holds the lock."""
    fresh = path.with_name(f"{path.name}.{os.getpid()}.new")
    fresh.write_bytes(content)
    os.replace(fresh, path)
