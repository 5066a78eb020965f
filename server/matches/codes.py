"""Random codes that people pass on (tables, seats, profiles, hands), and ids of profiles."""

import secrets
from typing import Final

_ID_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz0123456789"
_ID_LENGTH: Final = 12
_CODE_LETTERS: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""Letters and digits without those that look alike."""
SHORT: Final = 6
LONG: Final = 8
"""Letters of a code that is hard to guess."""


def new_id() -> str:
    """Return a new id; its length makes a collision practically impossible."""
    return _random(_ID_LETTERS, _ID_LENGTH)


def new_code(length: int) -> str:
    """Return a random code of that many letters."""
    return _random(_CODE_LETTERS, length)


def _random(letters: str, length: int) -> str:
    return "".join(secrets.choice(letters) for _ in range(length))
