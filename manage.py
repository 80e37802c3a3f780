#!/usr/bin/env python
"""Django's command line, with this project's settings."""

import os
import sys


def main() -> None:
    """Run the command named on the command line."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "lychee_site.settings")
    from django.core.management import execute_from_command_line
    from environs import EnvError

    try:
        execute_from_command_line(sys.argv)
    except EnvError as error:
        from lychee_site.env import fault_of

        sys.exit(fault_of(error))
    except KeyboardInterrupt:
        sys.exit(130)  # as a shell tells an interrupted command; what was done is kept


if __name__ == "__main__":
    main()
