"""What of Django's log lines is worth a reader's time."""

from logging import LogRecord


def is_news(record: LogRecord) -> bool:
    """False for Django's own line on a 503 of `/readyz`: that is an answer, and what is really
    wrong has been logged by whoever found it.
    """
    path = getattr(getattr(record, "request", None), "path", "")
    return not (getattr(record, "status_code", None) == 503 and path.rstrip("/").endswith("/readyz"))
