"""The administration of the memory: what is remembered, and what hangs on it."""

from memory.admin import derived, evidence, logs, records, retention

__all__ = ["derived", "evidence", "logs", "records", "retention"]
