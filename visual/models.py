"""Rows of the visual memory: none yet."""
