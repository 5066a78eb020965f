"""Texts of the program in the language of the player.

Every text that the player sees is written in English where it is used, as `_("{who} buys {what}.", who=..., what=...)`.
A text that depends on a number is written as `ngettext("{n} talent", "{n} talents", talents)`. The translations are in
the lists of `client/language/LANGUAGE/`: one for each game, one for two games together, one for the program around
them, one for the rules. `client/language/TRANSLATING.md` describes how they are kept up to date.

The language is chosen when the first text is requested: tables of texts are built as soon as their module is imported.
When the player chooses another one, they are renewed.
"""

import contextlib
import os
import re
import sys
from collections.abc import Callable, Iterable
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Final, ParamSpec

import msgspec
from msgspec import Struct

from client.language.language_switch import renew, tabled
from client.user_directories import folder, read_small, settings_file
from protocol import refusal_text
from shared.language.catalogue import Catalogue, catalogue, entries, head
from shared.language.sentence import CONTEXT, PLURAL, Lookup, Sentence, Value, gaps, render, render_line
from shared.messages import Refused

ENGLISH: Final = "en"
"""Code of the language of the source texts, which needs no lists."""
LISTS: Final = ("client", "conquest", "classic", "mb1984", "cote2", "rules", "page")
"""Lists: the program around the games; the common part of Classic and 1984; each game; the rules; the page."""
P = ParamSpec("P")
Who = Callable[[int], str]
"""Function from a seat to the name of its player."""

_spoken: Lookup | None = None
_code = ""
"""Code of the language that was chosen after the program's start."""


def _(words: str, /, **values: object) -> str:
    """Return a text in the player's language; `values` fill the braces in it."""
    text = _spoken_language().lookup(words)
    return text.format(**values) if values else tabled(text, lambda: _spoken_language().lookup(words))


def ngettext(one: str, many: str, n: int, /, **values: object) -> str:
    """Return a text that depends on a number, which stands in it as ``{n}``."""
    return _spoken_language().lookup(f"{one}{PLURAL}{many}", n).format(n=n, **values)


def pgettext(context: str, words: str, /, **values: object) -> str:
    """Return a text with several meanings; `context` distinguishes them."""
    key = f"{context}{CONTEXT}{words}"
    text = _spoken_language().lookup(key)
    return text.format(**values) if values else tabled(text, lambda: _spoken_language().lookup(key))


def _seat_number(seat: int) -> str:
    """Return a seat's number, for sentences that name no player."""
    return str(seat)


def say(value: Value, who: Who = _seat_number) -> str:
    """Return a sentence of the games, or a part of one, in the player's language."""
    return render(value, _spoken_language(), who)


def say_line(sentence: Sentence | None, who: Who) -> str:
    """Return a whole line of the chronicle in the player's language; empty for None."""
    return render_line(sentence, _spoken_language(), who) if sentence else ""


def saying(make: Callable[P, Value]) -> Callable[P, str]:
    """Return a function that says in the player's language what `make` returns; for parts that name no player."""
    return lambda *args, **named: say(make(*args, **named))


def decimal(number: str) -> str:
    """Return a number with decimals as the player's language writes it; `number` has a decimal point."""
    return number.replace(".", pgettext("before decimals", "."))


def heard(words: str) -> str:
    """Return the translation of an English text from the rules or the server, with its filled-in values."""
    translation = _(words)
    return (
        translation
        if translation != words
        else next((found for each in _templates() if (found := each.fill(words))), words)
    )


def told(refused: Refused) -> str:
    """Return why the server refuses something: by the key of its sentence, else by the sentence itself."""
    sentence = refusal_text.words().get(refused.key, "")
    lettered = _lettered_sentences().get(sentence, sentence)
    translation, named = _spoken_language().lookup(lettered), gaps(lettered)
    if not sentence or translation == lettered or len(refused.args) != len(named):
        return heard(refused.text)
    return translation.format(**dict(zip(named, map(heard, refused.args), strict=True)))


class _Template(Struct, frozen=True):
    """Sentence of the rules with placeholders: its pattern and its translation."""

    pattern: re.Pattern[str]
    words: str

    def fill(self, words: str) -> str:
        """Return the translated sentence with the values of `words`; empty if the pattern does not match."""
        match = self.pattern.fullmatch(words)
        return self.words.format(**{gap: heard(part) for gap, part in match.groupdict().items()}) if match else ""


@cache
def _templates() -> tuple[_Template, ...]:
    """Return all sentences with placeholders, those with the most words of their own first."""
    listed = entries(_list(_code or chosen(), "rules")).items()
    pairs = [(source, words) for source, words in listed if "{" in source and not {PLURAL, CONTEXT} & {*source}]
    pairs.sort(key=lambda pair: -len(re.sub(r"\{\w+\}", "", pair[0])))
    return tuple(_Template(re.compile(_pattern(source)), words) for source, words in pairs)


@cache
def _lettered_sentences() -> dict[str, str]:
    """Return the sentences of the rules by their form with letters, which servers send the key of."""
    return {refusal_text.lettered(words): words for words in entries(_list(_code or chosen(), "rules"))}


def _pattern(source: str) -> str:
    """Return the pattern of a sentence with filled placeholders."""
    parts = re.split(r"\{(\w+)\}", source)
    return "".join(f"(?P<{part}>.+?)" if i % 2 else re.escape(part) for i, part in enumerate(parts))


def speak(words: Lookup) -> None:
    """Use this catalogue from now on; texts loaded before must be renewed (see renewing.py)."""
    global _spoken
    _spoken = words
    _templates.cache_clear()
    _lettered_sentences.cache_clear()
    search_words.cache_clear()


def switch(code: str, roots: Iterable[object]) -> None:
    """Switch to the language with that code, or to the system's if it is unknown.

    `roots`: living objects that hold texts.
    """
    global _code
    _code = code if code in languages() else of_system()
    speak(tongue(_code))
    renew(roots)


def _spoken_language() -> Lookup:
    global _spoken
    if _spoken is None:
        _spoken = tongue(chosen())
    return _spoken


def tongue(code: str) -> Catalogue:
    """Return all lists of one language."""
    return Catalogue() if code == ENGLISH else catalogue(_list(code, name) for name in LISTS)


def languages() -> dict[str, str]:
    """Return the available languages: code and name in the language itself. The first is that of the source texts.

    A language is a folder of lists, here or in `languages` among the user's files, whose first list names it.
    """
    names = {code: head(_list(code, LISTS[0]), "Language-Name") for code in sorted(_folders())}
    return {ENGLISH: "English", **{code: name or code for code, name in names.items()}}


def _folders() -> dict[str, Traversable]:
    """Return the folders of all languages, by their codes; the user's folders replace ours."""
    places: tuple[Traversable, ...] = (resources.files("client.language"), folder() / "languages")
    found: list[Traversable] = []
    for place in places:
        with contextlib.suppress(OSError):  # The user's need not exist, and may be closed.
            found += place.iterdir()
    return {each.name: each for each in found if (each / f"{LISTS[0]}.po").is_file()}


def _list(code: str, name: str) -> str:
    """Return one list of texts as it was written; empty in English, and for lists that do not exist yet."""
    place = _folders().get(code)
    file = place / f"{name}.po" if place else None
    return file.read_text("utf-8") if file and file.is_file() else ""


@cache
def search_words(code: str = "") -> tuple[str, ...]:
    """Return lines of words for the search in the rules, with commas between them.

    The first has words that count for nothing, each other one words that mean the same. `code`: the language, by
    default the player's; one without such words has an empty line.
    """
    code = code or _code or chosen()
    file = _folders().get(code, resources.files("client.language") / code) / "search.txt"
    lines = file.read_text("utf-8").splitlines() if file.is_file() else [""]
    return tuple(line for line in lines if not line.startswith("#"))


class _LanguageSetting(Struct):
    """Language setting, which is needed before the settings are loaded."""

    language: str = ""


def chosen() -> str:
    """Return the language of the environment or the player's settings, else that of the system, else English."""
    code = os.environ.get("CONQUEST_LANGUAGE") or _language_setting()
    return code if code in languages() else of_system()


def _language_setting() -> str:
    try:
        return msgspec.json.decode(read_small(settings_file()), type=_LanguageSetting).language
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        return ""  # Loading the settings reports what is wrong with them.


def of_system() -> str:
    """Return the system's language if it is available; else English."""
    codes = (re.split(r"[_.@-]", name)[0].lower() for name in _names())
    return next((code for code in codes if code in languages()), ENGLISH)


def _names() -> list[str]:
    """Return the system's names of its languages, the best first, such as ``de_AT.UTF-8``."""
    if sys.platform == "win32":
        import ctypes
        import locale

        return [locale.windows_locale.get(ctypes.windll.kernel32.GetUserDefaultUILanguage(), "")]
    # The order in which gettext looks at them.
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        if value := os.environ.get(name):
            return value.split(":")
    return []
