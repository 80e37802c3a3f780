"""Skills, their versions, and what they rest on."""

import django.db.models.deletion
import django.db.models.manager
import uuid_utils.compat
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('accounts', '0005_forget_stored_tokens'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Skill',
            fields=[
                ('id', models.UUIDField(default=uuid_utils.compat.uuid7, editable=False, primary_key=True, serialize=False)),
                ('intent', models.CharField(max_length=300)),
                ('doc_markdown', models.TextField()),
                ('preconditions', models.JSONField(blank=True, default=list)),
                ('tools', models.JSONField(blank=True, default=list)),
                ('flagged_because', models.CharField(blank=True, help_text='Why a curator should read it before it is used.', max_length=200)),
                ('state', models.CharField(choices=[('draft', 'draft'), ('active', 'active'), ('retired', 'retired')], default='draft', max_length=8)),
                ('intent_key', models.CharField(max_length=64)),
                ('number', models.PositiveIntegerField(default=1)),
                ('version', models.PositiveIntegerField(default=1)),
                ('session_id', models.UUIDField(blank=True, help_text='The session it was first learned in.', null=True)),
                ('edited_at', models.DateTimeField(blank=True, help_text='Set once a person wrote its text.', null=True)),
                ('decided_at', models.DateTimeField(blank=True, help_text='Set once a person chose its state.', null=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('updated_at', models.DateTimeField(auto_now=True)),
                ('private_to', models.ForeignKey(blank=True, help_text='Set on everything that came of a private session.', null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('space', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.space')),
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
            name='SkillEvidence',
            fields=[
                ('id', models.UUIDField(default=uuid_utils.compat.uuid7, editable=False, primary_key=True, serialize=False)),
                ('session_id', models.UUIDField()),
                ('segment_id', models.UUIDField()),
                ('first_turn', models.PositiveIntegerField()),
                ('end_turn', models.PositiveIntegerField()),
                ('origin', models.CharField(choices=[('taught', 'taught'), ('observed', 'seen in the use of tools'), ('suggested', 'suggested by an assistant'), ('written', 'written'), ('imported', 'imported')], max_length=9)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('private_to', models.ForeignKey(blank=True, help_text='Set on everything that came of a private session.', null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('skill', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='evidence', to='skills.skill')),
                ('space', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.space')),
            ],
            options={
                'verbose_name_plural': 'skill evidence',
                'abstract': False,
                'base_manager_name': 'everyone',
                'default_manager_name': 'everyone',
            },
            managers=[
                ('everyone', django.db.models.manager.Manager()),
            ],
        ),
        migrations.CreateModel(
            name='SkillVersion',
            fields=[
                ('id', models.UUIDField(default=uuid_utils.compat.uuid7, editable=False, primary_key=True, serialize=False)),
                ('intent', models.CharField(max_length=300)),
                ('doc_markdown', models.TextField()),
                ('preconditions', models.JSONField(blank=True, default=list)),
                ('tools', models.JSONField(blank=True, default=list)),
                ('flagged_because', models.CharField(blank=True, help_text='Why a curator should read it before it is used.', max_length=200)),
                ('number', models.PositiveIntegerField()),
                ('origin', models.CharField(choices=[('taught', 'taught'), ('observed', 'seen in the use of tools'), ('suggested', 'suggested by an assistant'), ('written', 'written'), ('imported', 'imported')], max_length=9)),
                ('segment_id', models.UUIDField(blank=True, null=True)),
                ('user_id', models.UUIDField(blank=True, null=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('private_to', models.ForeignKey(blank=True, help_text='Set on everything that came of a private session.', null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('skill', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='versions', to='skills.skill')),
                ('space', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.space')),
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
        migrations.AddIndex(
            model_name='skill',
            index=models.Index(fields=['space', '-id'], name='skill_newest'),
        ),
        migrations.AddIndex(
            model_name='skill',
            index=models.Index(fields=['space', 'state'], name='skill_by_state'),
        ),
        migrations.AddConstraint(
            model_name='skill',
            constraint=models.UniqueConstraint(condition=models.Q(('private_to__isnull', True)), fields=('space', 'intent_key'), name='one_shared_skill_per_intent'),
        ),
        migrations.AddConstraint(
            model_name='skill',
            constraint=models.UniqueConstraint(condition=models.Q(('private_to__isnull', False)), fields=('space', 'private_to', 'intent_key'), name='one_private_skill_per_intent'),
        ),
        migrations.AddIndex(
            model_name='skillevidence',
            index=models.Index(fields=['space', 'segment_id'], name='skill_by_segment'),
        ),
        migrations.AddConstraint(
            model_name='skillevidence',
            constraint=models.UniqueConstraint(fields=('skill', 'segment_id'), name='one_skill_success_per_segment'),
        ),
        migrations.AddConstraint(
            model_name='skillversion',
            constraint=models.UniqueConstraint(fields=('skill', 'number'), name='one_skill_version_per_number'),
        ),
    ]
