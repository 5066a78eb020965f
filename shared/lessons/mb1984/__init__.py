"""Lessons and problems of 1984."""
