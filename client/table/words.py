"""Words for things that every game has: leaders, and units with them. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from shared.ids import Seat
from shared.mechanics.armies import total, words

Who: TypeAlias = Callable[[Seat], str]
"""The name of a player."""


def leaders_words(leaders: Sequence[int], each: int) -> str:
    """``"the Caesar and 2 generals"``; `each`: leaders of a colour, the Caesar first."""
    generals = sum(1 for leader in leaders if leader % each)
    parts = ["the Caesar"] if len(leaders) > generals else []
    if generals:
        parts.append("a general" if generals == 1 else f"{generals} generals")
    return " and ".join(parts) or "nobody"


def force_words(leaders: Sequence[int], army: Sequence[int], each: int) -> str:
    """``"a general with 3 infantry, 1 cavalry"``."""
    if not total(army):
        return leaders_words(leaders, each)
    if not leaders:
        return words(army)
    return f"{leaders_words(leaders, each)} with {words(army)}"


def force_line(who: Who, seat: Seat, leaders: Sequence[int], army: Sequence[int], each: int) -> str:
    """A force with its owner: ``"Livia: 3 infantry"``."""
    return f"{who(seat)}: {force_words(leaders, army, each)}"


def does(leaders: Sequence[int], army: Sequence[int], one: str, many: str) -> str:
    """The verb after `force_words`: it goes with the leaders, who are named first, whatever they have with them."""
    return one if (len(leaders) or total(army)) == 1 else many


def talents_words(talents: int) -> str:
    """``"1 talent"``, ``"20 talents"``."""
    return count_words(talents, "talent", "talents")


def count_words(count: int, one: str, many: str) -> str:
    """``"1 unit"``, ``"3 units"``."""
    return f"{count} {one if count == 1 else many}"
