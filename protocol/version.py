"""The number that both ends must share."""

from typing import Final

PROTOCOL: Final = 1
"""Raised when an old peer would misread a new one; appended fields with defaults do not raise it."""
