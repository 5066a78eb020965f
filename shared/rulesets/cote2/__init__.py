"""Conquest of the Empire II (Eagle Games, 2005)."""
