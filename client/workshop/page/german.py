"""The page's words in other languages: those that the client has as well, from its lists; its own stand below."""

from __future__ import annotations

import re
from importlib import resources
from pathlib import Path
from typing import Final

import msgspec

from client.language import LISTS
from client.language.catalogue import entries
from shared.rulesets.cote2.data import CARDS

_CALL: Final = re.compile(r'\b(_|ngettext|pgettext)\(\s*((?:"(?:[^"\\]|\\.)*"\s*,?\s*){1,2})')
_TEXT: Final = re.compile(r'"(?:[^"\\]|\\.)*"')
OWN: Final = Path(__file__).parent / "de.json"
"""German of what only the page says."""


def asked(folder: Path) -> list[str]:
    """All texts of the page's program, as gettext keeps them: a context before, a plural behind."""
    found: dict[str, None] = {}
    for file in sorted(folder.rglob("*.js")):
        for kind, said in _CALL.findall(file.read_text("utf-8")):
            parts = [msgspec.json.decode(text) for text in _TEXT.findall(said)]
            found[{"_": "", "ngettext": "\0", "pgettext": "\4"}[kind].join(parts)] = None
    return [*found, *(card.text for card in CARDS)]


def known() -> dict[str, str]:
    """The client's lists."""
    found: dict[str, str] = {}
    for name in LISTS:
        found |= entries((resources.files("client.language") / "de" / f"{name}.po").read_text("utf-8"))
    return found


def data(folder: Path) -> dict[str, str]:
    """Every text of the page that has another in German; plurals are divided by a zero."""
    own: dict[str, str] = msgspec.json.decode(OWN.read_bytes())
    words = {**own, **known()}
    return {text: words[text] for text in asked(folder) if text in words}
