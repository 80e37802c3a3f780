"""Errors of the memory tier; see accounts.errors for the tree."""

from accounts.errors import (
    ContextTooLong,
    IndexMismatch,
    ProviderError,
    ProviderRefused,
    ProviderUnavailable,
    ReplyFaulty,
    ReplyRefused,
    ReplyTruncated,
)

__all__ = [
    "ContextTooLong",
    "IndexMismatch",
    "ProviderError",
    "ProviderRefused",
    "ProviderUnavailable",
    "ReplyFaulty",
    "ReplyRefused",
    "ReplyTruncated",
]
