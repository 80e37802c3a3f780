"""What runs by the clock."""

from lychee_site.celery import app


def test_the_sweeps_run_every_ten_seconds_and_never_pile_up():
    for name in ("sweep", "sweep-outboxes"):
        entry = app.conf.beat_schedule[name]
        assert entry["schedule"] == entry["options"]["expires"] == 10


def test_what_is_scheduled_exists():
    assert {entry["task"] for entry in app.conf.beat_schedule.values()} <= set(app.tasks)


def test_tasks_of_every_app_are_known():
    assert {
        "sessions_app.tasks.run_job",
        "sessions_app.tasks.run_space_jobs",
        "sessions_app.tasks.sweep",
        "memory.tasks.drain_space",
        "memory.tasks.sweep_outboxes",
    } <= set(app.tasks)
