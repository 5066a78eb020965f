"""The game of 1984 at the table."""
