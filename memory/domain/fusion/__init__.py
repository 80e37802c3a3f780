"""Many records into one picture: duplicates, updates, and the tree of composites.

Values in, values out. Each step is a function of the set of records, never of the order
in which they came (docs/algorithms/fusion.md).
"""
