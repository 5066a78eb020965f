"""Lessons and problems of Conquest II."""
