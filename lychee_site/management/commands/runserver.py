"""`manage.py runserver`: Daphne's, which speaks websockets too; for development.

Daphne is no installed app: as one it loads Twisted into every process, 0.2 s of each start.
"""

from daphne.management.commands.runserver import Command

__all__ = ["Command"]
