"""`make bench`: every measure with its baseline in the same run, as one table.

Each module's `run(scratch)` returns figures; nothing here decides pass or fail.
"""

import argparse
import json
import sys
from importlib import import_module
from pathlib import Path

from benchmarks.scratch import scratch_application

MODULES = (
    "append",
    "application",
    "evidence",
    "fusion",
    "images",
    "indexes",
    "models",
    "recall",
    "start",
    "working_memory",
)


def main() -> None:
    """Run the named benchmarks, or all of them, each on a scratch folder."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", choices=[*MODULES, []], help=f"any of {', '.join(MODULES)}")
    parser.add_argument("--json", type=Path, help="also write the figures here")
    options = parser.parse_args()
    with scratch_application() as folder:
        from benchmarks.figures import Figure, render

        figures: list[Figure] = []
        for name in options.names or MODULES:
            print(f"… {name}", file=sys.stderr, flush=True)
            figures += import_module(f"benchmarks.{name}").run(folder)
        print(render(figures))
        if options.json:
            options.json.write_text(json.dumps([figure.as_dict() for figure in figures], indent=1))


if __name__ == "__main__":
    main()
