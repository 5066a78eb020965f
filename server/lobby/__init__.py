"""The directory of tables."""
