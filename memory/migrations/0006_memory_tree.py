"""The memory tree: composites over records, and the marks and lease by which they are fused."""

import django.db.models.deletion
import django.db.models.manager
import uuid_utils.compat
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0002_call_it_user_name'),
        ('memory', '0005_superseded_records'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='CompositeLink',
            fields=[
                ('id', models.UUIDField(default=uuid_utils.compat.uuid7, editable=False, primary_key=True, serialize=False)),
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
            name='CompositeRecord',
            fields=[
                ('id', models.UUIDField(default=uuid_utils.compat.uuid7, editable=False, primary_key=True, serialize=False)),
                ('level', models.PositiveSmallIntegerField(help_text='1 stands for records, 2 for those of 1, …')),
                ('semantic_text', models.TextField()),
                ('memory_type', models.CharField(choices=[('fact', 'fact'), ('preference', 'preference'), ('event', 'event'), ('constraint', 'constraint'), ('procedure', 'procedure'), ('failure_pattern', 'failure pattern'), ('tool_affordance', 'tool affordance')], max_length=16)),
                ('subjects', models.JSONField(blank=True, default=list)),
                ('entities', models.JSONField(blank=True, default=list)),
                ('topics', models.JSONField(blank=True, default=list)),
                ('tags', models.JSONField(blank=True, default=dict)),
                ('valid_from', models.DateTimeField(blank=True, null=True)),
                ('valid_to', models.DateTimeField(blank=True, null=True)),
                ('said_at', models.DateTimeField(help_text='When the newest of its records was said.')),
                ('confidence', models.FloatField()),
                ('leaf_count', models.PositiveIntegerField(help_text='Records it stands for.')),
                ('session_id', models.UUIDField(help_text='The session of its representative.')),
                ('centroid', models.BinaryField()),
                ('fusion_due', models.PositiveIntegerField(default=1, help_text="As a record's, among its level.")),
                ('version', models.PositiveIntegerField(default=1)),
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
            name='FusionLease',
            fields=[
                ('space', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='+', serialize=False, to='accounts.space')),
                ('holder', models.UUIDField(blank=True, null=True)),
                ('until', models.DateTimeField(blank=True, null=True)),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.AddField(
            model_name='memoryrecord',
            name='fusion_due',
            field=models.PositiveIntegerField(default=1, help_text='0 once it was compared with the others; grows when that is due again.'),
        ),
        migrations.AlterField(
            model_name='indexeditem',
            name='kind',
            field=models.CharField(choices=[('turn', 'turn'), ('record', 'record'), ('composite', 'composite')], max_length=16),
        ),
        migrations.AlterField(
            model_name='indexoutbox',
            name='kind',
            field=models.CharField(choices=[('turn', 'turn'), ('record', 'record'), ('composite', 'composite')], max_length=16),
        ),
        migrations.AlterField(
            model_name='indexscope',
            name='kind',
            field=models.CharField(choices=[('turn', 'turn'), ('record', 'record'), ('composite', 'composite')], max_length=16),
        ),
        migrations.AlterField(
            model_name='indexstate',
            name='kind',
            field=models.CharField(choices=[('turn', 'turn'), ('record', 'record'), ('composite', 'composite')], max_length=16),
        ),
        migrations.AddIndex(
            model_name='memoryrecord',
            index=models.Index(condition=models.Q(('expired_at__isnull', True), ('fusion_due__gt', 0)), fields=['space'], name='record_to_fuse'),
        ),
        migrations.AddField(
            model_name='compositelink',
            name='private_to',
            field=models.ForeignKey(blank=True, help_text='Set on everything that came of a private session.', null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='compositelink',
            name='record',
            field=models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='parent_link', to='memory.memoryrecord'),
        ),
        migrations.AddField(
            model_name='compositelink',
            name='space',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.space'),
        ),
        migrations.AddField(
            model_name='compositerecord',
            name='private_to',
            field=models.ForeignKey(blank=True, help_text='Set on everything that came of a private session.', null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='compositerecord',
            name='representative',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='memory.memoryrecord'),
        ),
        migrations.AddField(
            model_name='compositerecord',
            name='space',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.space'),
        ),
        migrations.AddField(
            model_name='compositelink',
            name='composite',
            field=models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='parent_link', to='memory.compositerecord'),
        ),
        migrations.AddField(
            model_name='compositelink',
            name='parent',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='children', to='memory.compositerecord'),
        ),
        migrations.AddIndex(
            model_name='compositerecord',
            index=models.Index(fields=['space', 'level'], name='composite_by_level'),
        ),
        migrations.AddIndex(
            model_name='compositerecord',
            index=models.Index(condition=models.Q(('fusion_due__gt', 0)), fields=['space'], name='composite_to_fuse'),
        ),
        migrations.AddConstraint(
            model_name='compositelink',
            constraint=models.CheckConstraint(condition=models.Q(('record__isnull', True), ('composite__isnull', True), _connector='XOR'), name='one_child_a_link'),
        ),
    ]
