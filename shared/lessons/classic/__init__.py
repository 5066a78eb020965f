"""Lessons and problems of Classic."""
