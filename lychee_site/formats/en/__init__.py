"""English, for readers on either side of an ocean."""
