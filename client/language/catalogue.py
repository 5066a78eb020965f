"""Lists of texts as translators write them (gettext's ``.po``), read directly, without compilation."""

from __future__ import annotations

import ast
import re
import struct
from collections.abc import Iterable
from gettext import GNUTranslations
from io import BytesIO
from itertools import accumulate
from typing import Final

_LINE: Final = re.compile(r'(msgctxt|msgid_plural|msgid|msgstr(?:\[\d+\])?)?\s*(".*")\s*')
_MAGIC: Final = 0x950412DE
"""First number of a compiled list of gettext's first revision."""


def translations(lists: Iterable[str]) -> GNUTranslations:
    """Return the texts of all these lists as one; the first list defines the plural forms of the language."""
    found: dict[str, str] = {}
    for each in lists:
        found = {**entries(each), **found}
    return GNUTranslations(BytesIO(_compiled(found)))


def entries(words: str) -> dict[str, str]:
    """Return the translation of each text, in gettext's form; fuzzy or missing ones are left out."""
    found: dict[str, str] = {}
    for block in re.split(r"\n\s*\n", words):
        if not re.search(r"^#,.*\bfuzzy\b", block, re.MULTILINE):
            found.update(_entry(block))
    return found


def _entry(block: str) -> dict[str, str]:
    """Return one text of a list."""
    parts: dict[str, str] = {}
    at = ""
    for line in block.splitlines():
        if said := _LINE.fullmatch(line):
            at = said[1] or at
            parts[at] = parts.get(at, "") + ast.literal_eval(said[2])
    spoken = [text for part, text in parts.items() if part.startswith("msgstr")]
    if not all(spoken) or not spoken:
        return {}
    return {_key(parts): "\0".join(spoken)}


def _key(parts: dict[str, str]) -> str:
    key = parts["msgid"]
    if "msgctxt" in parts:
        key = f"{parts['msgctxt']}\x04{key}"
    return f"{key}\0{parts['msgid_plural']}" if "msgid_plural" in parts else key


def _compiled(found: dict[str, str]) -> bytes:
    """Return the form that gettext loads: a head, two tables of lengths and places, and the texts."""
    keys = sorted(found)
    texts = [text.encode() for text in (*keys, *(found[key] for key in keys))]
    head, row = 28, 8
    places = accumulate([head + row * len(texts), *(len(text) + 1 for text in texts)])
    table = b"".join(struct.pack("<II", len(text), place) for text, place in zip(texts, places, strict=False))
    size = len(keys)
    start = struct.pack("<7I", _MAGIC, 0, size, head, head + row * size, 0, 0)
    return start + table + b"".join(text + b"\0" for text in texts)
