"""Conquest of the Empire II at the table."""
