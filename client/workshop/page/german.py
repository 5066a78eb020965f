"""Texts of the page in other languages: shared ones from the client's lists, the page's own from a file."""

from __future__ import annotations

import re
from importlib import resources
from pathlib import Path
from typing import Final

import msgspec

from client.language import LISTS
from shared.language.catalogue import entries
from shared.rulesets.cote2.data import CARDS

_CALL: Final = re.compile(r'\b(_|ngettext|pgettext)\(\s*((?:"(?:[^"\\]|\\.)*"\s*,?\s*){1,2})')
_TEXT: Final = re.compile(r'"(?:[^"\\]|\\.)*"')
OWN: Final = Path(__file__).parent / "de.json"
"""German translations of the page's own texts."""


def asked(folder: Path) -> list[str]:
    """Return all texts of the page's program in gettext's form: a context before, a plural after."""
    found: dict[str, None] = {}
    for file in sorted(folder.rglob("*.js")):
        for kind, said in _CALL.findall(file.read_text("utf-8")):
            parts = [msgspec.json.decode(text) for text in _TEXT.findall(said)]
            found[{"_": "", "ngettext": "\0", "pgettext": "\4"}[kind].join(parts)] = None
    gains = [card.text.partition(". ")[2] for card in CARDS if card.key.startswith("senate_")]
    return [*found, *(card.text for card in CARDS), *gains]


def known() -> dict[str, str]:
    """Return the translations of the client's lists."""
    found: dict[str, str] = {}
    for name in LISTS:
        found |= entries((resources.files("client.language") / "de" / f"{name}.po").read_text("utf-8"))
    return found


def data(folder: Path) -> dict[str, str]:
    """Return the German translation of each text of the page; plurals are separated by a zero byte."""
    own: dict[str, str] = msgspec.json.decode(OWN.read_bytes())
    words = {**own, **known()}
    return {text: words[text] for text in asked(folder) if text in words}
