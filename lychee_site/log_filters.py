"""What of Django's and the server's log lines is worth a reader's time."""

from asyncio import CancelledError
from logging import LogRecord

API = "api"  # the namespace of its addresses


def is_news(record: LogRecord) -> bool:
    """False for Django's own line on a refusal of the API: a 4xx is the caller's affair and told
    them in words. Nor is a 503 of `/readyz` news: that is an answer, and what is really wrong has
    been logged by whoever found it.
    """
    request = getattr(record, "request", None)
    status = getattr(record, "status_code", None) or 0
    match = getattr(request, "resolver_match", None)
    if match is not None and API in match.namespaces and 400 <= status < 500:
        return False
    path = getattr(request, "path", "")
    return not (status == 503 and path.rstrip("/").endswith("/readyz"))


def is_fault(record: LogRecord) -> bool:
    """False for the traceback of a request that the server cut off as it ended: a line of its own
    tells how many there were.
    """
    error = record.exc_info[1] if record.exc_info else None
    return not isinstance(error, CancelledError)
