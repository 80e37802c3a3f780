"""The `memory` event: background consolidation of the open session has ended.

The job's row is asked, not a message bus: rows are the truth whatever process ran the
job, and one indexed look every two seconds per open page costs about a millisecond.
"""

import asyncio
import logging
from collections.abc import Callable

from django.db import DatabaseError

from accounts.errors import LycheeError
from accounts.principals import Principal
from api.framing import Frame
from api.ws.doors import renewed
from sessions_app.bridge import in_thread
from sessions_app.selectors import last_consolidation
from sessions_app.services.sessions import find_session

logger = logging.getLogger(__name__)

POLL_SECONDS = 2.0
_ENDED = ("done", "failed")


async def watch_memory(principal: Principal, session: str, tell: Callable[[Frame], None]) -> None:
    """Tell of every consolidation that ends from now on, until cancelled."""
    known = await in_thread(_last_frame, principal, session)
    while True:
        await asyncio.sleep(POLL_SECONDS)
        latest = await in_thread(_last_frame, principal, session)
        if latest is not None and latest != known:
            tell(latest)
        known = latest or known


def _last_frame(principal: Principal, session: str) -> Frame | None:
    """The newest consolidation of the session as a frame, or None while none has ended.

    None too before the session's first message, and once the membership has ended.
    """
    try:
        reader = renewed(principal)
        job = last_consolidation(reader, find_session(reader, session))
    except LycheeError:
        return None
    except DatabaseError:
        logger.warning("Could not look for a consolidation; the next look may", exc_info=True)
        return None
    if job is None or job.state not in _ENDED:
        return None
    return {
        "type": "memory",
        "job_id": job.id,
        "state": job.state,
        "segments": job.result.get("segments", 0),
        "records_added": job.result.get("records_added", 0),
        "seen_again": job.result.get("seen_again", 0),
        "error": job.error,
    }
