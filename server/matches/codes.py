"""Random codes that people tell each other (tables, seats, profiles, hands), and ids of profiles."""

import secrets
from typing import Final

_ID_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz0123456789"
_ID_LENGTH: Final = 12
_CODE_LETTERS: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""Without those that look alike."""
SHORT: Final = 6
LONG: Final = 8
"""Letters of a code that is hard to guess."""


def new_id() -> str:
    """An id that nobody has."""
    return _random(_ID_LETTERS, _ID_LENGTH)


def new_code(length: int) -> str:
    """A code of so many letters."""
    return _random(_CODE_LETTERS, length)


def _random(letters: str, length: int) -> str:
    return "".join(secrets.choice(letters) for _ in range(length))
