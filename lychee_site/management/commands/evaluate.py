"""What recall finds, measured on a benchmark told to a scratch database of its own."""

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from django.core.management import BaseCommand, CommandError, call_command

from evaluation.loaders import LOADERS
from evaluation.report import markdown, summarise, write
from evaluation.runner import run, sample_probes
from evaluation.systems import systems
from evaluation.types import Dialogue
from lychee_site.env import BASE_DIR
from memory.config import RecallConfig
from memory.domain.types import Effort

SCRATCH = "LYCHEE_EVALUATION_SCRATCH"  # set for the process that may write to its data folder


class Command(BaseCommand):
    """`manage.py evaluate locomo --data PATH`."""

    help = "Measure retrieval on a benchmark, in a scratch database."
    requires_system_checks = ()

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Which benchmark, how much of it, where the report goes."""
        parser.add_argument("loader", choices=sorted(LOADERS))
        parser.add_argument("--data", type=Path, required=True, help="the benchmark's file")
        parser.add_argument("--categories", default="1,2,3,4", help="of questions; `all` for every one")
        parser.add_argument("--effort", choices=[e.value for e in Effort], default=Effort.STANDARD.value)
        parser.add_argument("--sample", type=int, help="at most so many questions a dialogue")
        parser.add_argument("--only", action="append", help="a dialogue by name; may be repeated")
        parser.add_argument("--out", type=Path, help="folder for report.json, report.md and the plot")
        parser.add_argument("--quiet", action="store_true", help="no progress bars")

    def handle(self, *args: Any, **options: Any) -> None:
        """Run in a scratch folder: the user's own data is neither read nor written."""
        if SCRATCH not in os.environ:
            self._in_scratch_folder()
            return
        dialogues = self._dialogues(options)
        call_command("migrate", interactive=False, verbosity=0)
        effort = Effort(options["effort"])
        rankings = run(
            dialogues,
            systems(RecallConfig.for_effort(effort), effort=effort),
            is_quiet=options["quiet"],
        )
        rows = summarise(rankings)
        command = "manage.py " + " ".join(sys.argv[1:])
        if options["out"]:
            write(rankings, rows, options["out"], command=command)
        self.stdout.write(markdown(rows, command=command))

    def _dialogues(self, options: dict[str, Any]) -> list[Dialogue]:
        try:
            dialogues = LOADERS[options["loader"]](options["data"])
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise CommandError(f"{options['data']} is not readable as {options['loader']} data.") from error
        if options["only"]:
            dialogues = [each for each in dialogues if each.name in options["only"]]
        if options["categories"] != "all":
            wanted = set(options["categories"].split(","))
            dialogues = [each.of_categories(wanted) for each in dialogues]
        if options["sample"]:
            dialogues = sample_probes(dialogues, options["sample"])
        if not any(each.probes for each in dialogues):
            raise CommandError("No question is left; look at --only and --categories.")
        return dialogues

    def _in_scratch_folder(self) -> None:
        with tempfile.TemporaryDirectory(prefix="lychee-evaluate-") as folder:
            result = subprocess.run(  # noqa: S603 (our own command line)
                [sys.executable, str(BASE_DIR / "manage.py"), *sys.argv[1:]],
                env={
                    **os.environ,
                    SCRATCH: "1",
                    "LYCHEE_DATA_DIR": folder,
                    "DATABASE_URL": "",
                    "REDIS_URL": "",
                },
                check=False,
            )
        if result.returncode:
            raise SystemExit(result.returncode)
