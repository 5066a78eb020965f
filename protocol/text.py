"""Cleaning what people type: names, titles, chat."""

import re
import unicodedata
from typing import Final

_BLANKS: Final = {
    0x115F,
    0x1160,
    0x17B4,
    0x17B5,
    0x2800,
    *range(0xFE00, 0xFE10),
    *range(0x180B, 0x1810),
}
"""Characters that draw nothing although Unicode counts them as letters, symbols or marks; in normal form KC."""
_DROPPED: Final = ("Cc", "Cf", "Cs", "Co", "Cn")
_MAX_MARKS: Final = 2
_SPACES: Final = re.compile(r"\s+")


def clean(text: str, limit: int) -> str:
    """One line of visible text of at most `limit` characters, in normal form KC.

    Controls, direction marks and invisible characters are removed, runs of accents shortened, spaces collapsed.
    ValueError if nothing is left to see.
    """
    kept: list[str] = []
    marks = 0
    for char in _SPACES.sub(" ", unicodedata.normalize("NFKC", text)):
        category = unicodedata.category(char)
        if category in _DROPPED or ord(char) in _BLANKS:
            continue
        marks = marks + 1 if category in ("Mn", "Me") else 0
        if marks <= _MAX_MARKS:
            kept.append(char)
    line = _SPACES.sub(" ", "".join(kept)).strip()[:limit].strip()
    if not line:
        raise ValueError("Please use at least one visible character.")
    return line
