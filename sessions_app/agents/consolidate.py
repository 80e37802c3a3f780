"""The fifth agent: turns become lasting memory, as a job after the answer."""

from accounts.registries import register_job_kind
from sessions_app.config import CONSOLIDATE
from sessions_app.services.consolidate import consolidate_session


def register() -> None:
    """Offer consolidation to the workers as a kind of job."""
    register_job_kind(CONSOLIDATE, consolidate_session)
