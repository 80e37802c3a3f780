"""A benchmark's file to its JSON, and what is wrong with it in one sentence."""

import gzip
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any


class BadData(ValueError):
    """A file that is not the benchmark it should be; the message names file, place and fault."""


def read_json(path: Path) -> Any:
    """The JSON of a file, gzipped if its name ends in `.gz`. Raises BadData."""
    try:
        content = path.read_bytes()
        text = (gzip.decompress(content) if path.suffix == ".gz" else content).decode("utf-8-sig")
    except FileNotFoundError:
        raise BadData(f"{path}: there is no such file.") from None
    except IsADirectoryError:
        raise BadData(f"{path} is a folder; name the file.") from None
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise BadData(f"{path} cannot be read: {error}.") from error
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise BadData(f"{path} is no JSON: {error}.") from error


@contextmanager
def reading(path: Path, place: str = "") -> Iterator[None]:
    """Turn what goes wrong with the shape of the data into a BadData that says where."""
    where = f"{path}, {place}" if place else str(path)
    try:
        yield
    except BadData:
        raise
    except KeyError as error:
        raise BadData(f"{where}: {error} is missing.") from error
    except (TypeError, ValueError, AttributeError, IndexError, OverflowError) as error:
        raise BadData(f"{where}: {error}.") from error


def items_of(path: Path, found: Any) -> list[Any]:
    """The list that a file must hold, with something in it. Raises BadData."""
    if not isinstance(found, list) or not found:
        raise BadData(f"{path}: a list with at least one item is expected.")
    return found


def text_of(found: Any, name: str) -> str:
    """A text that must not be empty. Raises ValueError."""
    if not isinstance(found, str) or not found.strip():
        raise ValueError(f"{name} is no text")
    return found
