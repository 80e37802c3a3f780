"""Adapters of ports of lower apps, over the rows of this one."""
