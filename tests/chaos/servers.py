"""A real `manage.py serve` that a test ends by SIGKILL."""

import signal
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.lychee_site.servers import running_server

__all__ = ["Doomed", "killable_server", "running_server"]


@dataclass(frozen=True, slots=True)
class Doomed:
    """A server process, until it is killed."""

    address: str
    process: "subprocess.Popen[bytes]"

    def kill(self) -> None:
        """End it without any chance to put things in order."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(timeout=10)


@contextmanager
def killable_server(folder: Path, more: Mapping[str, str]) -> Iterator[Doomed]:
    """A server with these further variables; whatever happens in the block, it is gone after it."""
    with running_server(folder, more) as server:
        yield Doomed(server.address, server.process)
