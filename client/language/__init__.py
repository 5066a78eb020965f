"""Texts of the program in the language of the player.

Every text that the player sees is written in English where it is used, as `_("{who} buys {what}.", who=..., what=...)`.
A text that depends on a number is written as `ngettext("{n} talent", "{n} talents", talents)`. The translations are in
the lists of `client/language/LANGUAGE/`: one for each game, one for two games together, one for the program around
them, one for the rules. `client/language/TRANSLATING.md` describes how they are kept up to date.

The language is chosen when the first text is requested: tables of texts are built as soon as their module is imported.
When the player chooses another one, they are renewed.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable
from functools import cache
from gettext import NullTranslations
from importlib import resources
from string import ascii_lowercase
from typing import Final

import msgspec
from msgspec import Struct

from client.language.catalogue import entries, translations
from client.language.renewing import renew, tabled
from client.user_directories import settings_file
from protocol import refusal_text as sentences
from shared.messages import Refused

LANGUAGES: Final = {"en": "English", "de": "Deutsch"}
"""Available languages: code and name in the language itself. The first is the language of the source texts."""
ENGLISH: Final = next(iter(LANGUAGES))
LISTS: Final = ("client", "conquest", "classic", "mb1984", "cote2", "rules")
"""Lists: the program around the games; the common part of Classic and 1984; each game; the texts of the rules."""

_spoken: NullTranslations | None = None
_code = ""
"""Code of the language that was chosen after the program's start."""


def _(words: str, /, **values: object) -> str:
    """Return a text in the player's language; `values` fill the braces in it."""
    said = _tongue().gettext(words)
    return said.format(**values) if values else tabled(said, lambda: _tongue().gettext(words))


def ngettext(one: str, many: str, n: int, /, **values: object) -> str:
    """Return a text that depends on a number, which stands in it as ``{n}``."""
    return _tongue().ngettext(one, many, n).format(n=n, **values)


def pgettext(context: str, words: str, /, **values: object) -> str:
    """Return a text with several meanings; `context` distinguishes them."""
    said = _tongue().pgettext(context, words)
    return said.format(**values) if values else tabled(said, lambda: _tongue().pgettext(context, words))


def decimal(number: str) -> str:
    """Return a number with decimals as the player's language writes it; `number` has a decimal point."""
    return number.replace(".", pgettext("before decimals", "."))


def heard(words: str) -> str:
    """Return the translation of an English text from the rules or the server, with its filled-in values."""
    said = _(words)
    return said if said != words else next((found for each in _templates() if (found := each.fill(words))), words)


def told(refused: Refused) -> str:
    """Return why the server refuses something: by the key of its sentence, else by the sentence itself."""
    sentence = sentences.words().get(refused.key, "")
    said = _tongue().gettext(sentence) if sentence else ""
    args = {letter: _(part) for letter, part in zip(ascii_lowercase, refused.args, strict=False)}
    if said in ("", sentence) or len(args) != len(sentences.parts_of(sentence)) - 1:
        return heard(refused.text)
    return said.format(**args)


class _Template(Struct, frozen=True):
    """Sentence of the rules with placeholders: its pattern and its translation."""

    known: re.Pattern[str]
    words: str

    def fill(self, words: str) -> str:
        """Return the translated sentence with the values of `words`; empty if the pattern does not match."""
        match = self.known.fullmatch(words)
        return self.words.format(**{gap: _(part) for gap, part in match.groupdict().items()}) if match else ""


@cache
def _templates() -> tuple[_Template, ...]:
    """Return all sentences with placeholders, those with the most words of their own first."""
    pairs = [(known, words) for known, words in entries(_list(_code or chosen(), "rules")).items() if "{" in known]
    pairs.sort(key=lambda pair: -len(re.sub(r"\{\w+\}", "", pair[0])))
    return tuple(_Template(re.compile(_pattern(known)), words) for known, words in pairs)


def _pattern(known: str) -> str:
    """Return the pattern of a sentence with filled placeholders."""
    parts = re.split(r"\{(\w+)\}", known)
    return "".join(f"(?P<{part}>.+?)" if i % 2 else re.escape(part) for i, part in enumerate(parts))


def speak(spoken: NullTranslations) -> None:
    """Use these translations from now on; texts loaded before must be renewed (see renewing.py)."""
    global _spoken
    _spoken = spoken
    _templates.cache_clear()


def switch(wished: str, roots: Iterable[object]) -> None:
    """Switch to the language with that code, or to the system's if it is unknown.

    `roots`: living objects that hold texts.
    """
    global _code
    _code = wished if wished in LANGUAGES else of_system()
    speak(tongue(_code))
    renew(roots)


def _tongue() -> NullTranslations:
    global _spoken
    if _spoken is None:
        _spoken = tongue(chosen())
    return _spoken


def tongue(code: str) -> NullTranslations:
    """Return all lists of one language."""
    return NullTranslations() if code == ENGLISH else translations(_list(code, name) for name in LISTS)


def _list(code: str, name: str) -> str:
    """Return one list of texts as it was written; empty in English."""
    if code == ENGLISH:
        return ""
    return (resources.files("client.language") / code / f"{name}.po").read_text("utf-8")


class _Wish(Struct):
    """Language setting, which is needed before the settings are loaded."""

    language: str = ""


def chosen() -> str:
    """Return the language of the environment or the player's settings, else that of the system, else English."""
    wished = os.environ.get("CONQUEST_LANGUAGE") or _kept()
    return wished if wished in LANGUAGES else of_system()


def _kept() -> str:
    try:
        return msgspec.json.decode(settings_file().read_bytes(), type=_Wish).language
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        return ""  # Loading the settings reports what is wrong with them.


def of_system() -> str:
    """Return the system's language if it is available; else English."""
    codes = (re.split(r"[_.@-]", name)[0].lower() for name in _names())
    return next((code for code in codes if code in LANGUAGES), ENGLISH)


def _names() -> list[str]:
    """Return the system's names of its languages, the best first, such as ``de_AT.UTF-8``."""
    if sys.platform == "win32":
        import ctypes
        import locale

        return [locale.windows_locale.get(ctypes.windll.kernel32.GetUserDefaultUILanguage(), "")]
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        if value := os.environ.get(name):
            return value.split(":")
    return []
