"""Celery: tasks of every app, and the periodic sweeps under the wake hook."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "lychee_site.settings")

SWEEP_SECONDS = 10.0
FOLD_SECONDS = 60.0
FORGET_SECONDS = 60 * 60.0  # the schedule begins anew with the process: a day might never be over

app = Celery("lychee")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.conf.beat_schedule = {
    # A sweep that waited longer than its period is pointless: the next one is there.
    "sweep": {
        "task": "sessions_app.tasks.sweep",
        "schedule": SWEEP_SECONDS,
        "options": {"expires": SWEEP_SECONDS},
    },
    "sweep-outboxes": {
        "task": "memory.tasks.sweep_outboxes",
        "schedule": SWEEP_SECONDS,
        "options": {"expires": SWEEP_SECONDS},
    },
    "fold-feedback": {
        "task": "memory.tasks.fold_feedback",
        "schedule": FOLD_SECONDS,
        "options": {"expires": FOLD_SECONDS},
    },
    "sweep-fusions": {
        "task": "memory.tasks.sweep_fusions",
        "schedule": SWEEP_SECONDS,
        "options": {"expires": SWEEP_SECONDS},
    },
    "sweep-images": {
        "task": "visual.tasks.sweep_images",
        "schedule": SWEEP_SECONDS,
        "options": {"expires": SWEEP_SECONDS},
    },
    "apply-retentions": {
        "task": "memory.tasks.apply_retentions",
        "schedule": FORGET_SECONDS,
        "options": {"expires": FORGET_SECONDS},
    },
    "forget-images": {
        "task": "visual.tasks.forget_all_images",
        "schedule": FORGET_SECONDS,
        "options": {"expires": FORGET_SECONDS},
    },
}
app.set_default()
