"""Fixtures of the whole suite."""
