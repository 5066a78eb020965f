"""Wares for sale in Classic, and except roads in the game of 1984, in the order of orders, prices and supplies."""

from collections.abc import Sequence
from enum import IntEnum


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


def stock_sentence(number: int, ware: int) -> str:
    """Return a sentence with the number of pieces left in the supply."""
    return f"There {'is' if number == 1 else 'are'} {count_words(number, ware)} left in the supply."


def count_words(number: int, ware: int) -> str:
    """Return a number of pieces in words: ``"1 city"``, ``"3 roads"``, ``"no cities"``."""
    return f"{number or 'no'} {ONE[ware] if number == 1 else Ware(ware).name.lower()}"


def wares_list(counts: Sequence[int]) -> str:
    """Return counts by `Ware` in words: ``"3 infantry, 2 roads and 1 city"``; empty if there are none."""
    parts = [count_words(number, ware) for ware, number in enumerate(counts) if number]
    return ", ".join(parts[:-1]) + " and " + parts[-1] if len(parts) > 1 else "".join(parts)
