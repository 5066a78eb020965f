"""Catalogues as translators write them (gettext's ``.po``), read directly, without compilation.

polib would save about thirty lines at the same speed, but `shared` depends on msgspec alone.
"""

import ast
import re
from collections.abc import Iterable, Mapping
from gettext import c2py
from typing import Final

from shared.language.sentence import CONTEXT, PLURAL, english

_LINE: Final = re.compile(r'(msgctxt|msgid_plural|msgid|msgstr(?:\[\d+\])?)?\s*(".*")\s*')
_PLURAL_FORMS: Final = re.compile(r"^Plural-Forms:.*plural\s*=\s*([^;\n]+)", re.MULTILINE)
_ENGLISH_PLURAL: Final = "n != 1"


class Catalogue:
    """Texts of one language by their keys; without any texts, English.

    `texts[""]` is the head of the lists, with the rule for plural forms, as in gettext.
    """

    def __init__(self, texts: Mapping[str, str] = {}) -> None:
        self.texts = texts
        found = _PLURAL_FORMS.search(texts.get("", ""))
        self.form = c2py(found[1].strip() if found else _ENGLISH_PLURAL)
        """Number of the plural form for a number."""

    def lookup(self, key: str, n: int = 1) -> str:
        """Return the translation of a key; without one, its English text. `n` chooses the plural form."""
        text = self.texts.get(key)
        if PLURAL not in key:
            return text if text is not None else english(key)
        return text.split(PLURAL)[self.form(n)] if text is not None else english(key, n)


ENGLISH: Final = Catalogue()
"""Language of the keys."""


def catalogue(lists: Iterable[str]) -> Catalogue:
    """Return the texts of all these lists as one; the first list defines the plural forms of the language."""
    found: dict[str, str] = {}
    for each in lists:
        found = {**entries(each), **found}
    return Catalogue(found)


def head(words: str, field: str) -> str:
    """Return a field of a list's head, such as ``"Language-Name"``; empty without it."""
    found = re.search(rf"^{field}:\s*(.*)$", entries(words.partition("\n\n")[0]).get("", ""), re.MULTILINE)
    return found[1].strip() if found else ""


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
        if found := _LINE.fullmatch(line):
            at = found[1] or at
            parts[at] = parts.get(at, "") + ast.literal_eval(found[2])
    spoken = [text for part, text in parts.items() if part.startswith("msgstr")]
    if not all(spoken) or not spoken:
        return {}
    return {_key(parts): PLURAL.join(spoken)}


def _key(parts: dict[str, str]) -> str:
    key = parts["msgid"]
    if "msgctxt" in parts:
        key = f"{parts['msgctxt']}{CONTEXT}{key}"
    return f"{key}{PLURAL}{parts['msgid_plural']}" if "msgid_plural" in parts else key
