"""The words of the program in the language of whoever sits before it.

Every text that the player sees is written in English where it is used, as `_("{who} buys {what}.", who=..., what=...)`
or, where it depends on a number, as `ngettext("{n} talent", "{n} talents", talents)`. What it becomes stands in the
lists of `client/language/LANGUAGE/`: one for each game, one for what two of them share, one for the program around
them, one for words of the rules. How they are kept up to date is told in `client/language/TRANSLATING.md`.

The language is settled with the first text that is asked for: tables of words are made as soon as their module is
loaded. When the player chooses another one, they are renewed.
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
"""What can be chosen: code and name in the language itself. The first is the one that everything is written in."""
ENGLISH: Final = next(iter(LANGUAGES))
LISTS: Final = ("client", "conquest", "classic", "mb1984", "cote2", "rules")
"""The program around the games; what Classic and 1984 share; each game; what the rules say themselves."""

_spoken: NullTranslations | None = None
_code = ""
"""Of the language that was switched to since the program was started."""


def _(words: str, /, **values: object) -> str:
    """A text in the player's language; `values` for what stands in braces in it."""
    said = _tongue().gettext(words)
    return said.format(**values) if values else tabled(said, lambda: _tongue().gettext(words))


def ngettext(one: str, many: str, n: int, /, **values: object) -> str:
    """A text that depends on a number, which stands in it as ``{n}``."""
    return _tongue().ngettext(one, many, n).format(n=n, **values)


def pgettext(context: str, words: str, /, **values: object) -> str:
    """A text that means different things in different places: `context` tells them apart."""
    said = _tongue().pgettext(context, words)
    return said.format(**values) if values else tabled(said, lambda: _tongue().pgettext(context, words))


def decimal(number: str) -> str:
    """A number with decimals as it is written in the player's language; English has a point before them."""
    return number.replace(".", pgettext("before decimals", "."))


def heard(words: str) -> str:
    """What the rules or the server said in English, with what they filled in, in the player's language."""
    said = _(words)
    return said if said != words else next((found for each in _templates() if (found := each.fill(words))), words)


def told(refused: Refused) -> str:
    """Why the server refuses something: by the key of its sentence, else by the sentence itself."""
    sentence = sentences.words().get(refused.key, "")
    said = _tongue().gettext(sentence) if sentence else ""
    args = {letter: _(part) for letter, part in zip(ascii_lowercase, refused.args, strict=False)}
    if said in ("", sentence) or len(args) != len(sentences.parts_of(sentence)) - 1:
        return heard(refused.text)
    return said.format(**args)


class _Template(Struct, frozen=True):
    """A sentence of the rules with gaps: how it is known, and what it becomes."""

    known: re.Pattern[str]
    words: str

    def fill(self, words: str) -> str:
        """The sentence with what was filled in, nothing if it is another."""
        match = self.known.fullmatch(words)
        return self.words.format(**{gap: _(part) for gap, part in match.groupdict().items()}) if match else ""


@cache
def _templates() -> tuple[_Template, ...]:
    """All sentences with gaps, those with the most words of their own first."""
    pairs = [(known, words) for known, words in entries(_list(_code or chosen(), "rules")).items() if "{" in known]
    pairs.sort(key=lambda pair: -len(re.sub(r"\{\w+\}", "", pair[0])))
    return tuple(_Template(re.compile(_pattern(known)), words) for known, words in pairs)


def _pattern(known: str) -> str:
    """What a sentence with gaps looks like once they are filled."""
    parts = re.split(r"\{(\w+)\}", known)
    return "".join(f"(?P<{part}>.+?)" if i % 2 else re.escape(part) for i, part in enumerate(parts))


def speak(spoken: NullTranslations) -> None:
    """Speak like that from now on; what was loaded before is to be renewed (see renewing.py)."""
    global _spoken
    _spoken = spoken
    _templates.cache_clear()


def switch(wished: str, roots: Iterable[object]) -> None:
    """Speak the language with that code from now on, that of the system where there is none such. `roots`: what is
    alive and holds texts."""
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
    """All lists of one language."""
    return NullTranslations() if code == ENGLISH else translations(_list(code, name) for name in LISTS)


def _list(code: str, name: str) -> str:
    """One list of texts, as it was written; empty in English."""
    if code == ENGLISH:
        return ""
    return (resources.files("client.language") / code / f"{name}.po").read_text("utf-8")


class _Wish(Struct):
    """The one of the settings that is needed before there are settings."""

    language: str = ""


def chosen() -> str:
    """The language that the environment or the player asks for, else that of the system, else English."""
    wished = os.environ.get("CONQUEST_LANGUAGE") or _kept()
    return wished if wished in LANGUAGES else of_system()


def _kept() -> str:
    try:
        return msgspec.json.decode(settings_file().read_bytes(), type=_Wish).language
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        return ""  # Whoever loads the settings says what is wrong with them.


def of_system() -> str:
    """The language that the system is set to, where we have it; else English."""
    codes = (re.split(r"[_.@-]", name)[0].lower() for name in _names())
    return next((code for code in codes if code in LANGUAGES), ENGLISH)


def _names() -> list[str]:
    """What the system calls its languages, the best first, such as ``de_AT.UTF-8``."""
    if sys.platform == "win32":
        import ctypes
        import locale

        return [locale.windows_locale.get(ctypes.windll.kernel32.GetUserDefaultUILanguage(), "")]
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        if value := os.environ.get(name):
            return value.split(":")
    return []
