"""Conquest of the Empire (Milton Bradley 1984). Rule ids are those of the catalogue: ``MB-...``."""
