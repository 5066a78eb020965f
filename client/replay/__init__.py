"""Replays of matches: films, highlights, statistics. Knows no window."""
