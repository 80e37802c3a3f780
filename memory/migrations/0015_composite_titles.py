"""Composites may bear a title that the model wrote, and say whether one is due."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("memory", "0014_corrected_records"),
    ]

    operations = [
        migrations.AddField(
            model_name="compositerecord",
            name="title",
            field=models.CharField(
                blank=True, help_text="By the model, of its records; often there is none.", max_length=120
            ),
        ),
        migrations.AddField(
            model_name="compositerecord",
            name="titled_at",
            field=models.DateTimeField(
                blank=True, help_text="When the model was asked for a title, whatever came of it.", null=True
            ),
        ),
        migrations.AddField(
            model_name="compositerecord",
            name="title_attempts",
            field=models.PositiveSmallIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="compositerecord",
            name="title_not_before",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddIndex(
            model_name="compositerecord",
            index=models.Index(
                condition=models.Q(("titled_at__isnull", True)), fields=["space"], name="composite_to_title"
            ),
        ),
    ]
