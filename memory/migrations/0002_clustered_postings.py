"""On SQLite, keep the postings in their primary key's tree instead of beside it.

A term's entries then lie next to each other: reading them is one range scan and
an entry is stored once. PostgreSQL keeps the table as Django makes it.
"""

from django.db import migrations

CLUSTERED = """
CREATE TABLE memory_posting (
    scope_id bigint NOT NULL,
    term varchar(64) NOT NULL,
    item bigint NOT NULL,
    weight integer NOT NULL,
    PRIMARY KEY (scope_id, term, item)
) WITHOUT ROWID
"""


def cluster(apps, schema_editor):
    """Make the empty table anew, clustered on its key."""
    if schema_editor.connection.vendor == "sqlite":
        schema_editor.execute("DROP TABLE memory_posting")
        schema_editor.execute(CLUSTERED)


class Migration(migrations.Migration):
    dependencies = [("memory", "0001_initial")]

    operations = [migrations.RunPython(cluster, migrations.RunPython.noop, elidable=False)]
