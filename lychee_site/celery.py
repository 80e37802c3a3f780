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
PERIODS = {
    "sessions_app.tasks.sweep": SWEEP_SECONDS,
    "memory.tasks.sweep_outboxes": SWEEP_SECONDS,
    "memory.tasks.fold_feedback": FOLD_SECONDS,
    "memory.tasks.sweep_fusions": SWEEP_SECONDS,
    "memory.tasks.sweep_titles": FOLD_SECONDS,
    "visual.tasks.sweep_images": SWEEP_SECONDS,
    "memory.tasks.apply_retentions": FORGET_SECONDS,
    "visual.tasks.forget_all_images": FORGET_SECONDS,
}
# A sweep that waited longer than its period is pointless: the next one is there.
app.conf.beat_schedule = {
    task.rpartition(".")[2].replace("_", "-"): {
        "task": task,
        "schedule": seconds,
        "options": {"expires": seconds},
    }
    for task, seconds in PERIODS.items()
}
app.set_default()
