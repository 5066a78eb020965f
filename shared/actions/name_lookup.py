"""Lookup of typed names: in full, or abbreviated as far as unique. Pure functions."""

import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TypeAlias, TypeVar

from shared.language.sentence import Value, _, in_english

V = TypeVar("V")

Names: TypeAlias = Iterable[tuple[str, V]]
"""Names with their meanings; several names may have the same meaning."""
FEW = 7
"""Up to this many names, an unknown name is answered with all of them."""
_MARKS = str.maketrans('()[],.;:!?“”"', " " * 13)


class Misread(Exception):
    """Raised if typed words cannot be understood. `message`: why, in a sentence, which `str` returns in English."""

    def __init__(self, message: Value) -> None:
        super().__init__(in_english(message))
        self.message = message


@lru_cache(maxsize=4096)
def folded(words: str) -> str:
    """Return words for comparison: without accents, capitals, signs and needless spaces."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", words) if not unicodedata.combining(c))
    return " ".join(plain.casefold().translate(_MARKS).split())


def either(words: Sequence[str]) -> Value:
    """Return ``"a, b or c"``."""
    *most, last = words
    return _("{names} or {last}", names=", ".join(most), last=last) if most else last


def listed(words: Sequence[str]) -> Value:
    """Return ``"a, b and c"``."""
    *most, last = words
    return _("{names} and {last}", names=", ".join(most), last=last) if most else last


def find(typed: str, names: Names[V], what: Value) -> V:
    """Return the meaning of a typed name. `what`: its kind, for the error's sentence. Raises Misread."""
    prefix, known = folded(typed), [(folded(name), name, value) for name, value in names]
    for fits in (_is_it, _begins, _has_in_order):
        # Reversed, so that of several names of one thing the first is kept.
        found = {value: name for key, name, value in reversed(known) if prefix and fits(key, prefix)}
        if len(found) == 1:
            return next(iter(found))
        if found:
            raise Misread(_("“{typed}” may be {names}.", typed=typed, names=either(sorted(found.values()))))
    if not prefix:
        raise Misread(_("Say which: {what}.", what=what))
    there = list({value: name for _key, name, value in reversed(known)}.values())[::-1]
    if there and len(there) <= FEW:
        raise Misread(_("There is no {what} called “{typed}”; there is {names}.", what=what, typed=typed,
                        names=listed(there)))  # fmt: skip
    raise Misread(_("There is no {what} called “{typed}”.", what=what, typed=typed))


def _is_it(name: str, prefix: str) -> bool:
    return name == prefix


def _begins(name: str, prefix: str) -> bool:
    return name.startswith(prefix)


def _has_in_order(name: str, prefix: str) -> bool:
    """Whether words of the name, in order, begin with the typed words."""
    left = iter(name.split())
    return all(any(word.startswith(short) for word in left) for short in prefix.split())
