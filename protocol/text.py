"""Cleaning what people type: names, titles, chat."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
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
    seen = _visible(_SPACES.sub(" ", unicodedata.normalize("NFKC", text)))
    line = _SPACES.sub(" ", "".join(seen)).strip()[:limit].strip()
    if not line:
        raise ValueError("Please use at least one visible character.")
    return line


def is_clean(text: str) -> bool:
    """Whether `clean` may have left this, perhaps where a newer Unicode is known: characters that have no meaning here
    are let through. Nothing at all is clean too."""
    line = [char for char in unicodedata.normalize("NFKC", text) if unicodedata.category(char) != "Cn"]
    return all(char == " " or not char.isspace() for char in line) and list(_visible(line)) == line


def tidy(text: str, limit: int) -> str:
    """The same as `clean` for what a peer says: "" if nothing is left to see."""
    try:
        return text if is_clean(text) else clean(text, limit)
    except ValueError:
        return ""


def _visible(line: Iterable[str]) -> Iterator[str]:
    marks = 0
    for char in line:
        category = unicodedata.category(char)
        if category in _DROPPED or ord(char) in _BLANKS:
            continue
        marks = marks + 1 if category in ("Mn", "Me") else 0
        if marks <= _MAX_MARKS:
            yield char
