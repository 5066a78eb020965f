"""Look-alike names: no two at one table, and no player has one that is reserved for the server."""

import re
import unicodedata
from collections.abc import Callable, Mapping
from functools import lru_cache
from itertools import chain, count
from typing import Final

from confusable_homoglyphs import confusables

from shared.tables import MAX_NAME, shortened

RESERVED: Final = ("Server", "Conquest", "System", "Table", "Host", "Admin", "Administrator", "Moderator", "Nobody")
"""Names with which a player could be mistaken for the server or its operators."""

_OTHERS: Final = (*RESERVED, "Caesar", "Player", "Seat", "Tisch", "Gastgeber", "Spieler", "Platz")
"""Words in a spectator's name that could stand for the table or for players."""
NEAR: Final = 60
"""Numbers behind equal names that are tried one by one."""
_BETWEEN: Final = re.compile(r"[\s\-_.,;!?'\"()\[\]/]+")


@lru_cache(8192)
def keys(name: str) -> frozenset[str]:
    """Return the keys of a name. Two names that share a key look alike, whatever their letters and case (Unicode
    TR39)."""
    # Both orders: some capitals look like other letters than their small forms do.
    return frozenset({_skeleton(name.casefold()), _skeleton(name).casefold()})


def is_reserved(name: str) -> bool:
    """Whether the name looks like a reserved one."""
    return bool(keys(name) & _reserved_keys())


@lru_cache(1024)
def speaks_for_others(name: str) -> bool:
    """Whether a spectator's name could be read as words of the table or of a player: it has a colon or such a word."""
    words = [word for word in _BETWEEN.split(name) if word]
    found = frozenset().union(*map(keys, (*words, "".join(words))))
    return any(":" in key for key in keys(name)) or not found.isdisjoint(frozenset().union(*map(keys, _OTHERS)))


def numbered(name: str, is_taken: Callable[[frozenset[str]], bool], beyond: int) -> str:
    """Return the name, with a number appended if its keys are taken. At most `MAX_NAME` characters.

    beyond: the number after which the search goes on when the `NEAR` first ones are taken. In a crowd that calls itself
    by one name each newcomer would otherwise try the numbers of all others.
    """
    tried, numbers = name, chain(range(2, NEAR + 2), count(max(beyond, NEAR) + 2))
    while is_taken(keys(tried)):
        end = f" {next(numbers)}"
        tried = shortened(name, MAX_NAME - len(end)) + end
    return tried


class ReservedNames:
    """Names of members, with all that look like them. Former names stay reserved for a while."""

    def __init__(self) -> None:
        self._names: dict[str, dict[str, float]] = {}
        """By key of a name, the members that have it, each with the date until which they do."""
        self._keys: dict[str, set[str]] = {}

    def put(self, person: str, names: Mapping[str, float]) -> None:
        """Set all names of a member, each with the date until which it is reserved."""
        self.remove(person)
        for name, until in names.items():
            for key in keys(name):
                owners = self._names.setdefault(key, {})
                owners[person] = max(until, owners.get(person, until))
                self._keys.setdefault(person, set()).add(key)

    def remove(self, person: str) -> None:
        """Free all names of a member."""
        for key in self._keys.pop(person, ()):
            del self._names[key][person]
            if not self._names[key]:
                del self._names[key]

    def has(self, person: str) -> bool:
        """Whether that profile is a member's."""
        return person in self._keys

    def has_other(self, looks: frozenset[str], person: str, date: float) -> bool:
        """Whether a member other than `person` has a name with one of these keys at that date."""
        owners = [owner for key in looks for owner in self._names.get(key, {}).items()]
        return any(owner != person and until > date for owner, until in owners)


@lru_cache(1)
def _reserved_keys() -> frozenset[str]:
    return frozenset().union(*map(keys, RESERVED))


def _skeleton(name: str) -> str:
    shown = "".join(_lookalike_prototype(char) for char in unicodedata.normalize("NFD", name))
    return unicodedata.normalize("NFD", shown)


@lru_cache(4096)
def _lookalike_prototype(char: str) -> str:
    """Return the character that represents all that look like `char`.

    In the list of confusables the representative is the only entry of each look-alike, and itself has many entries.
    """
    alike = _lookalikes(char)
    if len(alike) != 1:
        return char
    (other,) = alike
    # Two characters that name each other have no representative in the list; the lower one stands for both.
    return min(char, other) if _lookalikes(other) == [char] else other


def _lookalikes(char: str) -> list[str]:
    # The package's data have left-to-right marks around some characters.
    return [str(entry["c"]).strip("\u200e") for entry in confusables.confusables_data.get(char, ())]
