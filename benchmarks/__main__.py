"""`make bench`: every measure with its baseline in the same run, as one table.

Each module's `run(scratch)` returns figures; nothing here decides pass or fail.
"""

import argparse
import json
import os
import sys
import tempfile
from importlib import import_module
from pathlib import Path

MODULES = ("append", "indexes", "models", "recall", "start")


def main() -> None:
    """Run the named benchmarks, or all of them, each on a scratch folder."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", choices=[*MODULES, []], help=f"any of {', '.join(MODULES)}")
    parser.add_argument("--json", type=Path, help="also write the figures here")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="lychee-bench-") as folder:
        os.environ["LYCHEE_DATA_DIR"] = folder
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "lychee_site.settings")
        import django

        django.setup()
        from django.core.management import call_command

        call_command("migrate", interactive=False, verbosity=0)
        from benchmarks.figures import Figure, render

        figures: list[Figure] = []
        for name in options.names or MODULES:
            print(f"… {name}", file=sys.stderr, flush=True)
            figures += import_module(f"benchmarks.{name}").run(Path(folder))
        print(render(figures))
        if options.json:
            options.json.write_text(json.dumps([figure.as_dict() for figure in figures], indent=1))


if __name__ == "__main__":
    main()
