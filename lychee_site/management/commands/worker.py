"""A worker with its scheduler in a process of its own, beside web processes that share its Redis."""

import signal
import threading
from typing import Any

from django.conf import settings
from django.core.management import BaseCommand, CommandError

from lychee_site.worker import embedded_worker
from memory.services.warming import begin_warming


class Command(BaseCommand):
    """`manage.py worker`: work until interrupted. Several may run: each job is claimed by one."""

    help = "Work off jobs, outboxes and schedules for `serve --no-worker`."

    def handle(self, *args: Any, **options: Any) -> None:
        """Work; on an interrupt or SIGTERM finish what is in hand for a while, then end."""
        if not settings.REDIS_URL:
            raise CommandError(
                "A worker of its own hears of work through Redis: set REDIS_URL. Without, `serve` works."
            )
        is_over = threading.Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: is_over.set())
        begin_warming()
        with embedded_worker():
            self.stdout.write(self.style.SUCCESS("Working; Ctrl+C stops it."))
            self.stdout.flush()
            is_over.wait()
        self.stdout.write("Stopped; what was left is queued.")
