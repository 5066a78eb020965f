"""Matches: one table with its game, wherever it is asked from."""
