"""Codes that people tell each other: of tables, seats, hands and devices."""

import unicodedata
from typing import Final

MAX_CODE: Final = 16
"""Characters of the longest code that a message can carry."""
MAX_TYPED_CODE: Final = 26
"""Characters of a field for a code: more than `MAX_CODE`, since people type blanks or hyphens between groups."""


def plain_code(typed: str) -> str:
    """Return a code as servers make it from what a person typed: "scb rgs" and "scb-rgs" are SCBRGS.

    People read codes aloud in groups, and phones add blanks and small letters. Text without any letter or digit stays
    as it is, because it must not become "no code". Full-width letters of Asian keyboards count as the plain ones.
    """
    plain = unicodedata.normalize("NFKC", typed)
    return ("".join(character for character in plain if character.isalnum()).upper() or typed)[:MAX_CODE]
