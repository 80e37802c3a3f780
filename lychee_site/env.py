"""Typed readers of the environment and `.env`; a bad value raises at start."""

import contextlib
import os
import re
import secrets
import tempfile
from pathlib import Path

from environs import Env, EnvError

BASE_DIR = Path(__file__).resolve().parent.parent

env = Env(expand_vars=False)


def read_file(path: Path) -> None:
    """Take the settings of a file that may be missing. Raises EnvError where it is no UTF-8."""
    try:
        env.read_env(path, recurse=False)
    except UnicodeDecodeError as error:
        raise EnvError(f"{path} is not written in UTF-8, save it so") from error


@env.parser_for("number_or_none")
def _number_or_none(text: str) -> float | None:
    """A number; empty means that nothing was said."""
    try:
        return float(text) if text.strip() else None
    except ValueError as error:
        raise EnvError(f"{text!r} is no number") from error


@env.parser_for("whole_or_none")
def _whole_or_none(text: str) -> int | None:
    """A whole number; empty means that nothing was said."""
    try:
        return int(text) if text.strip() else None
    except ValueError as error:
        raise EnvError(f"{text!r} is no whole number") from error


@env.parser_for("share")
def _share(text: str) -> float:
    """A number above 0, at most 1."""
    try:
        share = float(text)
    except ValueError as error:
        raise EnvError(f"{text!r} is no number") from error
    if not 0 < share <= 1:
        raise EnvError("it must be above 0, and 1 at most")
    return share


def fault_of(error: EnvError) -> str:
    """What is wrong with a setting, and where it is mended, in one sentence."""
    name = re.search(r'"(\w+)"', str(error))
    reasons = getattr(error, "error_messages", None) or [str(error)]
    reason = "; ".join(str(each).rstrip(".") for each in reasons)
    subject = f"The setting {name.group(1)}" if name else "A setting"
    return (
        f"{subject} cannot be used ({reason}): mend it in the environment or in .env; .env.example tells how."
    )


def data_dir() -> Path:
    """The one folder under which everything the app writes lies."""
    path = BASE_DIR / Path(env.str("LYCHEE_DATA_DIR", "").strip() or "var").expanduser()
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    return path


def secret_key(folder: Path) -> str:
    """SECRET_KEY, or one made once and kept in the data folder, readable by its owner."""
    if given := env.str("SECRET_KEY", ""):
        return str(given)
    kept = folder / "secret_key"
    if not kept.exists():
        with tempfile.NamedTemporaryFile("w", dir=folder, delete=False) as file:  # mode 0600
            file.write(secrets.token_urlsafe(64))
        with contextlib.suppress(FileExistsError):  # another process was first
            os.link(file.name, kept)
        os.unlink(file.name)
    return kept.read_text().strip()
