"""Static files in the suite: looked for once a process, where each new test client would look again."""

from typing import Any, ClassVar

from servestatic.middleware import ServeStaticMiddleware


class FoundOnce(ServeStaticMiddleware):
    """The product's middleware; its first instance finds the files, 0.1 s, the others share them."""

    files: dict[str, Any]
    found: ClassVar[dict[str, Any]] = {}

    def add_files_from_finders(self) -> None:
        """Find the files, or take those that were found."""
        if not self.found:
            super().add_files_from_finders()
            self.found.update(self.files)
        self.files = dict(self.found)
