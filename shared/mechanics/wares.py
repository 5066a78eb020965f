"""Wares for sale in Classic, and except roads in the game of 1984, in the order of orders, prices and supplies."""

from collections.abc import Sequence
from enum import IntEnum
from typing import Final

from shared.language.sentence import Sentence, Value, _, and_list, ngettext


class Ware(IntEnum):
    """Ware for sale; land units have the numbers of their kinds."""

    INFANTRY = 0
    CAVALRY = 1
    CATAPULTS = 2
    GALLEYS = 3
    CITIES = 4
    FORTIFICATIONS = 5
    ROADS = 6

    @property
    def is_unit(self) -> bool:
        """Whether it is a land unit."""
        return self <= Ware.CATAPULTS


ONE = ("infantry", "cavalry", "catapult", "galley", "city", "fortification", "road")
"""Names of a single piece, by `Ware`."""


_NAMES: Final = (
    # Written as calls only for the extraction of texts, which looks for them; the sentences are dropped.
    ngettext("infantry", "infantry", 1).key,
    ngettext("cavalry", "cavalry", 1).key,
    ngettext("catapult", "catapults", 1).key,
    ngettext("galley", "galleys", 1).key,
    ngettext("city", "cities", 1).key,
    ngettext("fortification", "fortifications", 1).key,
    ngettext("road", "roads", 1).key,
)
"""Keys of the pieces' names by `Ware`."""
_COUNTED: Final = (
    ngettext("{n} infantry", "{n} infantry", 1).key,
    ngettext("{n} cavalry", "{n} cavalry", 1).key,
    ngettext("{n} catapult", "{n} catapults", 1).key,
    ngettext("{n} galley", "{n} galleys", 1).key,
    ngettext("{n} city", "{n} cities", 1).key,
    ngettext("{n} fortification", "{n} fortifications", 1).key,
    ngettext("{n} road", "{n} roads", 1).key,
)
"""Keys of their names with a number."""


def pieces_words(number: int, ware: int) -> Sentence:
    """Return the name of so many pieces, without their number: ``"city"``, ``"roads"``."""
    return Sentence(_NAMES[ware], {"n": number})


def stock_sentence(number: int, ware: int) -> Sentence:
    """Return a sentence with the number of pieces left in the supply."""
    return _(
        "There {are} {pieces} left in the supply.", are=ngettext("is", "are", number), pieces=count_words(number, ware)
    )


def count_words(number: int, ware: int) -> Sentence:
    """Return a number of pieces in words: ``"1 city"``, ``"3 roads"``, ``"no cities"``."""
    if number:
        return Sentence(_COUNTED[ware], {"n": number})
    return _("no {pieces}", pieces=pieces_words(0, ware))


def ware_words(counts: Sequence[int]) -> Value:
    """Return words for counts by `Ware`: ``"3 infantry, 2 roads and 1 city"``; empty for nothing."""
    return and_list(count_words(number, ware) for ware, number in enumerate(counts) if number)
