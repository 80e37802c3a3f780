"""Refresh tokens are known by their jti: those stored in full are forgotten."""

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def forget(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Blank the stored texts; the tokens themselves stay valid."""
    apps.get_model("token_blacklist", "OutstandingToken").objects.update(token="")


class Migration(migrations.Migration):
    """Data only; there is nothing to bring back."""

    dependencies = [
        ("accounts", "0004_tombstones_and_values_of_changes"),
        ("token_blacklist", "0013_alter_blacklistedtoken_options_and_more"),
    ]
    operations = [migrations.RunPython(forget, migrations.RunPython.noop)]
