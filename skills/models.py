"""Rows of the procedural memory: none yet."""
