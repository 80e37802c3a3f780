"""Counters per item, ratings, and what of a log they know."""

import django.db.models.deletion
import django.db.models.manager
import uuid_utils.compat
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0004_tombstones_and_values_of_changes'),
        ('memory', '0008_entities_and_evidence'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='ItemRating',
            fields=[
                ('id', models.UUIDField(default=uuid_utils.compat.uuid7, editable=False, primary_key=True, serialize=False)),
                ('user_id', models.UUIDField()),
                ('record_id', models.UUIDField()),
                ('outcome', models.CharField(choices=[('open', 'open'), ('success', 'success'), ('fail', 'fail'), ('correction', 'correction')], max_length=10)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('updated_at', models.DateTimeField(auto_now=True)),
            ],
            options={
                'abstract': False,
                'base_manager_name': 'everyone',
                'default_manager_name': 'everyone',
            },
            managers=[
                ('everyone', django.db.models.manager.Manager()),
            ],
        ),
        migrations.CreateModel(
            name='UsageCount',
            fields=[
                ('id', models.UUIDField(default=uuid_utils.compat.uuid7, editable=False, primary_key=True, serialize=False)),
                ('kind', models.CharField(choices=[('turn', 'turn'), ('record', 'record'), ('composite', 'composite')], max_length=16)),
                ('item_id', models.UUIDField()),
                ('retrievals', models.PositiveIntegerField(default=0, help_text='Recalls that handed it over.')),
                ('kept', models.PositiveIntegerField(default=0, help_text='Answers that rest on it.')),
                ('success', models.PositiveIntegerField(default=0)),
                ('fail', models.PositiveIntegerField(default=0)),
                ('last_used_at', models.DateTimeField(blank=True, null=True)),
            ],
            options={
                'abstract': False,
                'base_manager_name': 'everyone',
                'default_manager_name': 'everyone',
            },
            managers=[
                ('everyone', django.db.models.manager.Manager()),
            ],
        ),
        migrations.AddField(
            model_name='retrievallog',
            name='folded',
            field=models.JSONField(blank=True, default=dict, help_text='What was counted of it, by item.'),
        ),
        migrations.AddField(
            model_name='retrievallog',
            name='is_folded',
            field=models.BooleanField(default=False, help_text='Whether the counters know it as it is now.'),
        ),
        migrations.AddField(
            model_name='retrievallog',
            name='judged_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='retrievallog',
            name='judged_by',
            field=models.CharField(blank=True, choices=[('', 'nobody'), ('rules', 'rules'), ('model', 'model'), ('user', 'user'), ('curator', 'curator')], default='', max_length=8),
        ),
        migrations.AddIndex(
            model_name='retrievallog',
            index=models.Index(fields=['space', 'session_id', '-id'], name='log_by_session'),
        ),
        migrations.AddIndex(
            model_name='retrievallog',
            index=models.Index(condition=models.Q(('is_folded', False)), fields=['id'], name='log_to_fold'),
        ),
        migrations.AddField(
            model_name='itemrating',
            name='private_to',
            field=models.ForeignKey(blank=True, help_text='Set on everything that came of a private session.', null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='itemrating',
            name='space',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.space'),
        ),
        migrations.AddField(
            model_name='usagecount',
            name='private_to',
            field=models.ForeignKey(blank=True, help_text='Set on everything that came of a private session.', null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='usagecount',
            name='space',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.space'),
        ),
        migrations.AddConstraint(
            model_name='itemrating',
            constraint=models.UniqueConstraint(fields=('user_id', 'record_id'), name='one_rating_per_person'),
        ),
        migrations.AddConstraint(
            model_name='usagecount',
            constraint=models.UniqueConstraint(fields=('space', 'item_id'), name='one_count_per_item'),
        ),
    ]
