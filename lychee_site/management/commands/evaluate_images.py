"""`manage.py evaluate_images PATH`: whether questions find images, on LoCoMo's captions."""

import os
import subprocess
import sys
import tempfile
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management import BaseCommand, CommandError, call_command

from evaluation.loaders.files import BadData
from evaluation.pictures import load_pictures, measure_pictures
from lychee_site.env import BASE_DIR
from lychee_site.management.commands.evaluate import SCRATCH


class Command(BaseCommand):
    """Measure hit@5 of queries over captions, beside plain BM25 in the same run."""

    help = "Measure how well questions find images, in a scratch database."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Where the benchmark lies."""
        parser.add_argument("path", type=Path, help="LoCoMo's file or folder")

    def handle(self, *args: Any, **options: Any) -> None:
        """Run in a scratch folder: the user's own data is neither read nor written."""
        if SCRATCH not in os.environ:
            self._in_scratch_folder(options["path"])
            return
        call_command("migrate", interactive=False, verbosity=0)
        try:
            conversations = load_pictures(options["path"])
        except BadData as error:
            raise CommandError(str(error)) from error
        self.stdout.write("| system | hit@5 | ahead of BM25 |\n| --- | ---: | ---: |")
        baseline, *others = measure_pictures(conversations)
        for found in (baseline, *others):
            ahead = found.rate - baseline.rate
            self.stdout.write(f"| {found.system} | {found.rate:.3f} | {ahead:+.3f} |")
        self.stdout.write(f"{baseline.questions} questions, each among the captions of its conversation.")

    def _in_scratch_folder(self, path: Path) -> None:
        with tempfile.TemporaryDirectory(prefix="lychee-images-") as folder:
            environ = {**os.environ, SCRATCH: folder, "LYCHEE_DATA_DIR": folder, "DATABASE_URL": ""}
            command = [sys.executable, str(BASE_DIR / "manage.py"), "evaluate_images", str(path.absolute())]
            done = subprocess.run(command, env=environ, check=False)  # noqa: S603 - our own command
        if done.returncode:
            raise CommandError("The measurement failed; what it said stands above.")
