"""The administration of the memory: what is remembered, and what hangs on it."""

from memory.admin import evidence, records

__all__ = ["evidence", "records"]
