"""Choices of the player: saved settings, and the options of a new table."""
