"""What recall finds, measured on a benchmark told to a scratch database of its own."""

import argparse
import os
import shlex
import subprocess
import sys
import tempfile
from datetime import timedelta
from pathlib import Path
from typing import Any

from django.core.management import BaseCommand, CommandError, call_command

from accounts.errors import ProviderError
from evaluation.answers import Examiner, ask_model
from evaluation.cache import Cache, NoRun, OtherRun
from evaluation.compare import compare, comparison_table, read_system
from evaluation.judges import JUDGES
from evaluation.loaders import LOADERS
from evaluation.loaders.files import BadData
from evaluation.recipes import ABLATIONS, RECIPES
from evaluation.report import markdown, write
from evaluation.runner import Trial, run, sample_probes
from evaluation.strangers import strange_questions
from evaluation.systems import Asking
from evaluation.types import Dialogue
from lychee_site.env import BASE_DIR
from memory.domain.types import Effort
from memory.providers.registry import embedder, is_model_configured, language_model
from memory.stores.registry import calibration, copy_calibrations

CATEGORIES = {"locomo": "1,2,3,4"}  # what is asked unless told otherwise; 5 has no answer
SCRATCH = "LYCHEE_EVALUATION_SCRATCH"  # set for the process that may write to its data folder
CONTEXT_TOKENS = 1_600


class Command(BaseCommand):
    """`manage.py evaluate locomo --data PATH`, `manage.py evaluate --compare A B`."""

    help = "Measure retrieval, contexts and answers on a benchmark, in a scratch database."
    requires_system_checks = ()

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Which benchmark, how much of it, which system, what is measured, where the report goes."""
        parser.add_argument("loader", choices=sorted(LOADERS), nargs="?")
        parser.add_argument("--data", type=Path, help="the benchmark's file or folder")
        parser.add_argument("--categories", help="of questions; `all` for every one (LoCoMo: 1,2,3,4)")
        parser.add_argument("--sample", type=int, help="at most so many questions a dialogue")
        parser.add_argument("--only", action="append", help="a dialogue by name; may be repeated")
        parser.add_argument("--recipe", choices=sorted(RECIPES), default=Effort.STANDARD.value)
        parser.add_argument("--ablate", choices=list(ABLATIONS), action="append", default=[])
        parser.add_argument("--context-tokens", type=int, default=CONTEXT_TOKENS, help="the budget")
        parser.add_argument("--shift-days", type=int, default=0, help="ask so many days later")
        parser.add_argument("--join-sessions", action="store_true", help="tell each dialogue as one session")
        parser.add_argument("--foreign", action="store_true", help="put other dialogues' questions too")
        parser.add_argument("--llm", action="store_true", help="write, plan, answer and judge by LLM_MODEL")
        parser.add_argument("--out", type=Path, help="folder for the report; the same command goes on there")
        parser.add_argument(
            "--compare", nargs=2, metavar=("A", "B"), help="two such folders, or FOLDER:SYSTEM"
        )
        parser.add_argument("--quiet", action="store_true", help="no progress bars")

    def handle(self, *args: Any, **options: Any) -> None:
        """Run in a scratch folder: the user's own data is neither read nor written."""
        if options["compare"]:
            self._compare(*options["compare"])
        elif not options["loader"] or not options["data"]:
            raise CommandError("Name a benchmark and its --data, or two folders to --compare.")
        elif SCRATCH not in os.environ:
            self._in_scratch_folder(is_offline=not options["llm"])
        else:
            self._measure(options)

    def _compare(self, first: str, second: str) -> None:
        try:
            compared = compare(read_system(first), read_system(second))
        except NoRun as error:
            raise CommandError(str(error)) from error
        self.stdout.write(comparison_table(first, second, compared))

    def _measure(self, options: dict[str, Any]) -> None:
        dialogues, trial = self._trial(options)
        out: Path | None = options["out"]
        try:
            cache = Cache.open(out, self._settings(options, trial)) if out else None
        except OtherRun as error:
            raise CommandError(str(error)) from error
        call_command("migrate", interactive=False, verbosity=0)
        try:
            found = run(dialogues, trial, cache=cache)
        except (ProviderError, NoRun) as error:
            hint = " The same command goes on after the last whole dialogue." if out else ""
            raise CommandError(f"{error}{hint}") from error
        command = f"manage.py {shlex.join(sys.argv[1:])}"
        if out:
            write(found, out, command=command, budget_tokens=trial.context_tokens)
        self.stdout.write(markdown(found, command=command, budget_tokens=trial.context_tokens))

    def _trial(self, options: dict[str, Any]) -> tuple[list[Dialogue], Trial]:
        if options["llm"] and not is_model_configured():
            raise CommandError("--llm needs a language model: set LLM_MODEL.")
        everything = self._load(options)
        dialogues = [each for each in everything if not options["only"] or each.name in options["only"]]
        if not any(each.probes for each in dialogues):
            raise CommandError("No question is left; look at --only and --categories.")
        recipe = RECIPES[options["recipe"]].calibrated(calibration())
        trial = Trial(
            recipe=recipe,
            ablations=tuple(recipe.without(name) for name in dict.fromkeys(options["ablate"])),
            asking=Asking(later=timedelta(days=options["shift_days"])),
            context_tokens=options["context_tokens"],
            strange=strange_questions(everything) if options["foreign"] else {},
            examiner=Examiner(JUDGES[options["loader"]], ask_model) if options["llm"] else None,
            is_quiet=options["quiet"],
        )
        return dialogues, trial

    def _load(self, options: dict[str, Any]) -> list[Dialogue]:
        """Every dialogue of the file, with the questions wanted."""
        try:
            dialogues = LOADERS[options["loader"]](options["data"])
        except BadData as error:
            raise CommandError(f"This is not readable as {options['loader']} data. {error}") from error
        categories = options["categories"] or CATEGORIES.get(options["loader"], "all")
        if categories != "all":
            dialogues = [each.of_categories(set(categories.split(","))) for each in dialogues]
        if options["join_sessions"]:
            dialogues = [each.joined() for each in dialogues]
        return sample_probes(dialogues, options["sample"]) if options["sample"] else dialogues

    def _settings(self, options: dict[str, Any], trial: Trial) -> dict[str, object]:
        """What must be equal for a run to go on: the options that change figures, and every constant."""
        names = ("loader", "categories", "sample", "join_sessions", "shift_days", "foreign", "llm")
        return {
            **{name: options[name] for name in (*names, "context_tokens")},
            "data": str(options["data"].resolve()),
            "recipe": repr(trial.recipe),
            "ablations": [repr(each) for each in trial.ablations],
            "embedder": embedder().name,
            "model": language_model().name,
        }

    def _in_scratch_folder(self, *, is_offline: bool) -> None:
        with tempfile.TemporaryDirectory(prefix="lychee-evaluate-") as folder:
            scratch = {SCRATCH: "1", "LYCHEE_DATA_DIR": folder, "DATABASE_URL": "", "REDIS_URL": ""}
            scratch["INDEX_DIR"] = str(Path(folder) / "index")
            copy_calibrations(Path(scratch["INDEX_DIR"]))
            result = subprocess.run(  # noqa: S603 (our own command line)
                [sys.executable, str(BASE_DIR / "manage.py"), *sys.argv[1:]],
                env={**os.environ, **scratch, **({"LLM_MODEL": ""} if is_offline else {})},
                check=False,
            )
        if result.returncode:
            raise SystemExit(result.returncode)
