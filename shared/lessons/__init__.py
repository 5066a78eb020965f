"""Lessons and problems of the games: texts and conditions, once for window and server. Knows no window."""
