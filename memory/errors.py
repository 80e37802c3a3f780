"""Errors of the memory tier; see accounts.errors for the tree."""

from accounts.errors import (
    CallLeft,
    ContextTooLong,
    IndexMismatch,
    OutOfTime,
    ProviderError,
    ProviderRefused,
    ProviderUnavailable,
    ReplyFaulty,
    ReplyRefused,
    ReplyTruncated,
    TimeOver,
)

__all__ = [
    "CallLeft",
    "ContextTooLong",
    "IndexMismatch",
    "OutOfTime",
    "ProviderError",
    "ProviderRefused",
    "ProviderUnavailable",
    "ReplyFaulty",
    "ReplyRefused",
    "ReplyTruncated",
    "TimeOver",
]
