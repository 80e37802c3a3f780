"""`manage.py calibrate_embedder [--data FILE] [--out PICTURE]`: what cosines mean to the embedder in use."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from memory.domain.calibration import BadExamples
from memory.domain.types import Usage
from memory.errors import ProviderError
from memory.services.calibrate import Calibrated, calibrate_embedder


class Command(BaseCommand):
    """Measure the embedder, keep its numbers beside the index, print them."""

    help = "Set surprise constants and cosine thresholds for the embedder in use."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """What is measured on, and where a picture goes."""
        parser.add_argument("--data", type=Path, help="labelled examples (docs/algorithms/calibration.md)")
        parser.add_argument("--out", type=Path, help="a picture of what was measured, by matplotlib")

    def handle(self, *args: Any, **options: Any) -> None:
        """Calibrate, print old and new, and say in a line what was done."""
        usages: list[Usage] = []
        try:
            made = calibrate_embedder(options["data"], on_usage=usages.append)
        except BadExamples as error:
            raise CommandError(str(error)) from error
        except ProviderError as error:
            raise CommandError(error.detail) from error
        self._print(made, options["out"])
        tokens = sum(usage.input_tokens for usage in usages)
        facts, exchanges = (
            len(made.measured.same),
            len(made.measured.continuing) + len(made.measured.changing),
        )
        self.stdout.write(
            f"Calibrated {made.spec.name} ({made.spec.dimension} dimensions) on {facts} facts and"
            f" {exchanges} exchanges, {tokens:,} tokens."
        )

    def _print(self, made: Calibrated, picture: Path | None) -> None:
        # It imports matplotlib, 0.5 s that no other command should wait for.
        from evaluation.calibration import COLUMNS, calibration_rows, plot_calibration

        rows = [COLUMNS, *calibration_rows(made.before, made.after, made.measured)]
        for name, old, new, reached in rows:
            self.stdout.write(f"{name:<18} {old:>6} {new:>6}  {reached}".rstrip())
        if picture:
            try:
                plot_calibration(made.spec.name, made.after, made.measured, picture)
            except (OSError, ValueError) as error:
                raise CommandError(f"The picture could not be written: {error}") from error
