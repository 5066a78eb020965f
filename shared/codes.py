"""Codes that people tell each other: of tables, seats, hands and devices."""

import re
import unicodedata
from typing import Final

MAX_CODE: Final = 16
"""Characters of the longest code that a message can carry."""
MAX_TYPED_CODE: Final = 300
"""Characters of a field for a code: people paste links, and sentences with a link in them."""
_IN_LINK: Final = re.compile(
    r"#([0-9A-Za-z]+)|conquest://[^/\s]+/([0-9A-Za-z]+)|--code[ =]([0-9A-Za-z]+)", re.IGNORECASE
)
_MADE: Final = re.compile(r"\b[A-HJ-NP-Z2-9]{6,8}\b")
"""A code as servers make it; among other words only such a word counts as a code."""
_ID: Final = re.compile(r"[0-9a-z]{12}")
"""The id of a match, which stands in the link to a table without a code."""


def plain_code(typed: str) -> str:
    """Return a code as servers make it from what a person typed: "scb rgs" and "scb-rgs" are SCBRGS.

    People read codes aloud in groups, and phones add blanks and small letters. Text without any letter or digit stays
    as it is, because it must not become "no code". Full-width letters of Asian keyboards count as the plain ones.
    """
    plain = unicodedata.normalize("NFKC", typed)
    return ("".join(character for character in plain if character.isalnum()).upper() or typed)[:MAX_CODE]


def table_in(typed: str) -> tuple[str, str]:
    """Return the id and the code of a table, "" for each that is not given, from what a person typed or pasted.

    That is a code in any spelling, a link, or a sentence with either. Pages have the same in `model/codes.js`.
    """
    plain = unicodedata.normalize("NFKC", typed)
    if linked := _IN_LINK.search(plain):
        found = next(filter(None, linked.groups()))
        return (found, "") if _ID.fullmatch(found) else ("", plain_code(found))
    # Two words may be one code that was read aloud in two groups.
    made = _MADE.search(plain) if len(plain.split()) > 2 else None
    return "", made[0] if made else plain_code(typed)


def code_in(typed: str) -> str:
    """Return the code in what a person typed or pasted, for a hand, a device or a mail."""
    return table_in(typed)[1]
