"""`manage.py export_feedback [--space slug] [--output FILE]`: (state, action, reward) for learning."""

import json
from contextlib import nullcontext
from datetime import datetime
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from tqdm import tqdm

from accounts.management.spaces import add_space_argument, chosen_spaces
from accounts.models import Space
from memory.domain.feedback import REWARDS, Outcome
from memory.models import RetrievalLog
from memory.selectors import judged_logs

_OF_HIT = ("kind", "id", "memory_type", "score", "rank_score", "breakdown")


class Command(BaseCommand):
    """One JSON line for each recall of which it is known what came of it."""

    help = "Write (state, action, reward) tuples of judged recalls as JSON lines."

    def add_arguments(self, parser: CommandParser) -> None:
        """Which recalls, and where to."""
        add_space_argument(parser)
        parser.add_argument("--since", metavar="INSTANT", help="only recalls since then (ISO 8601)")
        parser.add_argument("--output", metavar="FILE", type=Path, help="instead of the standard output")

    def handle(self, *args: Any, **options: Any) -> None:
        """Write space by space, with a progress bar, and say how many."""
        spaces = chosen_spaces(options["space"])
        since = _instant(options["since"])
        path: Path | None = options["output"]
        count = 0
        bar = tqdm(unit=" recalls", desc="feedback", file=self.stderr, leave=False)
        with path.open("w", encoding="utf-8") if path else nullcontext(self.stdout) as out, bar:
            for space in spaces:
                for log in judged_logs(space.id, since=since):
                    out.write(json.dumps(_tuple(space, log), ensure_ascii=False) + "\n")
                    bar.update()
                    count += 1
        self.stderr.write(f"Exported {count:,} judged recall(s) of {len(spaces)} space(s).")


def _tuple(space: Space, log: RetrievalLog) -> dict[str, Any]:
    """What was known, what was done, and what it was worth, in [-1, 1]."""
    plan = dict(log.plan)
    return {
        "log_id": str(log.id),
        "space": space.slug,
        "at": log.created_at.isoformat(),
        "state": {"query": log.query, "effort": log.effort, "action_state": plan.pop("action", {})},
        "action": {
            "plan": plan,
            "hits": [{name: hit.get(name) for name in _OF_HIT} for hit in log.hits],
            "kept_ids": log.kept_ids,
        },
        "outcome": log.outcome,
        "judged_by": log.judged_by,
        "reward": REWARDS[Outcome(log.outcome)],
    }


def _instant(given: str | None) -> datetime | None:
    if not given:
        return None
    try:
        moment = parse_datetime(given)
    except ValueError:
        moment = None
    if moment is None:
        raise CommandError("Give --since as an ISO 8601 instant, such as 2026-07-01T00:00:00Z.")
    return moment if timezone.is_aware(moment) else timezone.make_aware(moment)
