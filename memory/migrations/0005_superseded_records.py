"""Newer values of an attribute supersede older ones, and evidence knows when it was said."""

import django.db.models.deletion
import django.db.models.manager
import uuid_utils.compat
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0002_call_it_user_name'),
        ('memory', '0004_terms_version'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='memoryrecord',
            name='one_live_shared_statement',
        ),
        migrations.RemoveConstraint(
            model_name='memoryrecord',
            name='one_live_private_statement',
        ),
        migrations.AddField(
            model_name='memoryrecord',
            name='stated_valid_to',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='memoryrecord',
            name='superseded_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='memoryrecord',
            name='superseded_by',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='memory.memoryrecord'),
        ),
        migrations.AddField(
            model_name='recordevidence',
            name='said_at',
            field=models.DateTimeField(help_text='When the turn was said.', null=True),
        ),
        migrations.AddIndex(
            model_name='memoryrecord',
            index=models.Index(condition=models.Q(('slot', ''), _negated=True), fields=['space', 'slot'], name='record_by_slot'),
        ),
        migrations.AddConstraint(
            model_name='memoryrecord',
            constraint=models.UniqueConstraint(condition=models.Q(('expired_at__isnull', True), ('private_to__isnull', True), ('superseded_at__isnull', True)), fields=('space', 'content_hash'), name='one_live_shared_statement'),
        ),
        migrations.AddConstraint(
            model_name='memoryrecord',
            constraint=models.UniqueConstraint(condition=models.Q(('expired_at__isnull', True), ('private_to__isnull', False), ('superseded_at__isnull', True)), fields=('space', 'private_to', 'content_hash'), name='one_live_private_statement'),
        ),
    ]
