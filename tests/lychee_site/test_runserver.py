"""`manage.py runserver` speaks ASGI, though Daphne is no installed app."""

from daphne.management.commands.runserver import Command as DaphnesRunserver
from django.core.management import get_commands, load_command_class


def test_runserver_is_daphnes() -> None:
    app = get_commands()["runserver"]
    assert isinstance(app, str)
    assert isinstance(load_command_class(app, "runserver"), DaphnesRunserver)
