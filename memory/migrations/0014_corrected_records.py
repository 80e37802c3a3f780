"""Since when a record's words are a person's: what was corrected before is read from the trail."""

from typing import Any

from django.db import migrations, models


def note_corrections(apps: Any, schema_editor: Any) -> None:
    events = apps.get_model("accounts", "AuditEvent").objects.filter(action="record.edited")
    records = apps.get_model("memory", "MemoryRecord").everyone
    for record_id, fields, at in events.order_by("id").values_list("object_id", "fields", "at").iterator():
        if "semantic_text" in fields:
            records.filter(id=record_id).update(corrected_at=at)


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0008_replies_under_way_at_an_erasure"),
        ("memory", "0013_retention_policies"),
    ]

    operations = [
        migrations.AddField(
            model_name="memoryrecord",
            name="corrected_at",
            field=models.DateTimeField(
                blank=True,
                help_text="Set while its words differ from those in which it was filed.",
                null=True,
            ),
        ),
        migrations.RunPython(note_corrections, migrations.RunPython.noop),
    ]
