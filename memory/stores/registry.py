"""Which store answers for which port: one instance a process."""

from functools import cache

from memory.ports import TextIndex
from memory.stores.postings import Postings


@cache
def text_index() -> TextIndex:
    """The words of turns and records, in the database."""
    return Postings()
