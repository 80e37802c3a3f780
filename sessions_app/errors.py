"""Errors of conversations; see accounts.errors for the tree."""

from accounts.errors import Conflict, InvalidInput, NotFound, SessionBusy, TooLarge

__all__ = ["Conflict", "InvalidInput", "NotFound", "SessionBusy", "TooLarge"]
