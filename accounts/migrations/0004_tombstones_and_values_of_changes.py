"""Tombstones of what was erased, and the values before and after a change."""

import django.db.models.deletion
import django.db.models.manager
import uuid_utils.compat
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0003_pulse'),
    ]

    operations = [
        migrations.AddField(
            model_name='auditevent',
            name='changes',
            field=models.JSONField(blank=True, default=dict),
        ),
        migrations.AddField(
            model_name='auditevent',
            name='digest',
            field=models.CharField(blank=True, max_length=64),
        ),
        migrations.AddField(
            model_name='auditevent',
            name='version',
            field=models.PositiveIntegerField(blank=True, null=True),
        ),
        migrations.CreateModel(
            name='Tombstone',
            fields=[
                ('id', models.UUIDField(default=uuid_utils.compat.uuid7, editable=False, primary_key=True, serialize=False)),
                ('digest', models.CharField(max_length=64)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('private_to', models.ForeignKey(blank=True, help_text='Set on everything that came of a private session.', null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('space', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.space')),
            ],
            options={
                'abstract': False,
                'base_manager_name': 'everyone',
                'default_manager_name': 'everyone',
                'indexes': [models.Index(fields=['space', 'digest'], name='tombstone_by_digest')],
            },
            managers=[
                ('everyone', django.db.models.manager.Manager()),
            ],
        ),
    ]
