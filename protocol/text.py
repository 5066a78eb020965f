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
    0x3164,
    0xFFA0,
}
"""Characters that draw nothing although Unicode counts them as letters, symbols or marks."""
_JOINER: Final = "\u200d"
_AS_PICTURE: Final = "\ufe0f"
_SKIN: Final = range(0x1F3FB, 0x1F400)
_DROPPED: Final = ("Cc", "Cf", "Cs", "Co", "Cn")
_MAX_MARKS: Final = 2
_SPACES: Final = re.compile(r"\s+")


def clean(text: str, limit: int) -> str:
    """Return one line of visible text of at most `limit` characters, in normal form KC.

    Controls, direction marks and invisible characters are removed, runs of accents shortened, spaces collapsed.
    ValueError if nothing is left to see.
    """
    visible = _visible_characters(_SPACES.sub(" ", unicodedata.normalize("NFKC", text)))
    # Again: what was removed between two spaces leaves both. The cut may end at a space.
    line = _SPACES.sub(" ", "".join(visible)).strip()[:limit].strip()
    if not line:
        raise ValueError("Please use at least one visible character.")
    return line


def clean_chat(text: str, limit: int) -> str:
    """Clean a chat line as `clean`, but keep full-width signs and joined emoji.

    Names are compared with each other, so that signs which look alike must be the same there; chat is not.
    """
    text = _SPACES.sub(" ", unicodedata.normalize("NFC", text))
    visible = [char for number, char in enumerate(text) if _is_joint(text, number) or any(_visible_characters(char))]
    # The cut may split an emoji, and leave its joiner at the end.
    line = _SPACES.sub(" ", "".join(_without_runs(visible))).strip()[:limit].strip(f" {_JOINER}")
    if not any(_visible_characters(line.replace(" ", ""))):
        raise ValueError("Please use at least one visible character.")
    return line


def _is_joint(text: str, at: int) -> bool:
    """Whether the character there holds an emoji together: one that is made of several, or shown as a picture."""
    before, after = text[at - 1 : at] if at else "", text[at + 1 : at + 2]
    if text[at] == _AS_PICTURE:
        # Emoji of keycaps begin with one of these.
        return bool(before) and (before in "#*0123456789" or _is_picture(before))
    return text[at] == _JOINER and (before == _AS_PICTURE or _is_picture(before)) and _is_picture(after)


def _is_picture(char: str) -> bool:
    # Some arrows and marks have a form as emoji, but are no symbols of the kind So.
    return bool(char) and (unicodedata.category(char) in ("So", "Sm") or ord(char) in _SKIN or char in "‼⁉〰〽")


def _without_runs(line: Iterable[str]) -> Iterator[str]:
    """Yield the characters with runs of accents shortened."""
    marks = 0
    for char in line:
        marks = marks + 1 if unicodedata.category(char) in ("Mn", "Me") and char != _AS_PICTURE else 0
        if marks <= _MAX_MARKS:
            yield char


def is_clean(text: str) -> bool:
    """Whether `clean` may have left this text, perhaps with a newer Unicode: unknown characters are let through.

    An empty text is clean too.
    """
    line = [char for char in unicodedata.normalize("NFKC", text) if unicodedata.category(char) != "Cn"]
    return all(char == " " or not char.isspace() for char in line) and list(_visible_characters(line)) == line


def tidy(text: str, limit: int) -> str:
    """Clean a peer's text as `clean`, but return "" if nothing is left to see."""
    try:
        return text if is_clean(text) else clean(text, limit)
    except ValueError:
        return ""


def _visible_characters(line: Iterable[str]) -> Iterator[str]:
    printable = (char for char in line if unicodedata.category(char) not in _DROPPED and ord(char) not in _BLANKS)
    return _without_runs(printable)
