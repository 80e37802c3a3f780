"""How instants are written, by language."""
