"""Errors of the memory tier; see accounts.errors for the tree."""

from accounts.errors import IndexMismatch, ProviderError, ProviderUnavailable

__all__ = ["IndexMismatch", "ProviderError", "ProviderUnavailable"]
