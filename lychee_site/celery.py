"""Celery: tasks of every app, and the periodic sweeps under the wake hook."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "lychee_site.settings")

app = Celery("lychee")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.set_default()
