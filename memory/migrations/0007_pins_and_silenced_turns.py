"""Pinned records, and turns of which a memory was erased."""

import django.db.models.deletion
import django.db.models.manager
import uuid_utils.compat
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0004_tombstones_and_values_of_changes'),
        ('memory', '0006_memory_tree'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name='memoryrecord',
            name='is_pinned',
            field=models.BooleanField(default=False, help_text="Kept by a person's word: nothing automatic takes it out of recall."),
        ),
        migrations.CreateModel(
            name='SilencedTurn',
            fields=[
                ('id', models.UUIDField(default=uuid_utils.compat.uuid7, editable=False, primary_key=True, serialize=False)),
                ('turn_id', models.UUIDField()),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('private_to', models.ForeignKey(blank=True, help_text='Set on everything that came of a private session.', null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('space', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.space')),
            ],
            options={
                'abstract': False,
                'base_manager_name': 'everyone',
                'default_manager_name': 'everyone',
                'constraints': [models.UniqueConstraint(fields=('space', 'turn_id'), name='silenced_once')],
            },
            managers=[
                ('everyone', django.db.models.manager.Manager()),
            ],
        ),
    ]
