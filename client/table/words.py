"""Words for things that every game has: leaders, and units with them. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final, TypeAlias

from client.language import _, ngettext, pgettext
from shared.board import BOARD
from shared.ids import Position, Seat
from shared.mechanics.armies import total
from shared.mechanics.wares import Ware
from shared.odds.outcome import ATTACKER

Who: TypeAlias = Callable[[Seat], str]
"""Function from a seat to the name of its player."""
_COASTS: Final = {
    "": "",
    "north": pgettext("coast", "north"),
    "east": pgettext("coast", "east"),
    "west": pgettext("coast", "west"),
    "adriatic": pgettext("coast", "adriatic"),
}


def army_words(army: Sequence[int]) -> str:
    """Return words for an army: ``"3 infantry, 1 catapult"``, or ``"no units"`` for none."""
    infantry, cavalry, catapults = army[:3]
    parts = (
        infantry and ngettext("{n} infantry", "{n} infantry", infantry),
        cavalry and ngettext("{n} cavalry", "{n} cavalry", cavalry),
        catapults and ngettext("{n} catapult", "{n} catapults", catapults),
    )
    return ", ".join(part for part in parts if part) or _("no units")


def ware_words(counts: Sequence[int]) -> str:
    """Return words for counts by `Ware`: ``"3 infantry, 2 roads and 1 city"``; empty for nothing."""
    galleys, cities, fortifications, roads = (*counts[Ware.GALLEYS :], 0)[:4]
    parts = [army_words(counts)] if total(counts) else []
    parts += [ngettext("{n} galley", "{n} galleys", galleys)] if galleys else []
    parts += [ngettext("{n} city", "{n} cities", cities)] if cities else []
    parts += [ngettext("{n} fortification", "{n} fortifications", fortifications)] if fortifications else []
    parts += [ngettext("{n} road", "{n} roads", roads)] if roads else []
    return and_words(", ".join(parts).split(", "))


def and_words(parts: Iterable[str]) -> str:
    """Join words: ``"a, b and c"``; empty for nothing."""
    names = [*parts]
    if len(names) < 2:
        return "".join(names)
    return _("{most} and {last}", most=", ".join(names[:-1]), last=names[-1])


def leaders_words(leaders: Sequence[int], each: int) -> str:
    """Return words for leaders: ``"the Caesar and 2 generals"``; `each`: number of leaders per colour, the Caesar
    first."""
    generals = sum(1 for leader in leaders if leader % each)
    parts = [_("the Caesar")] if len(leaders) > generals else []
    if generals:
        parts.append(ngettext("a general", "{n} generals", generals))
    return and_words(parts) or _("nobody")


def force_words(leaders: Sequence[int], army: Sequence[int], each: int) -> str:
    """Return words for a force: ``"a general with 3 infantry, 1 cavalry"``."""
    if not total(army):
        return leaders_words(leaders, each)
    if not leaders:
        return army_words(army)
    return _("{leaders} with {army}", leaders=leaders_words(leaders, each), army=army_words(army))


def force_line(who: Who, seat: Seat, leaders: Sequence[int], army: Sequence[int], each: int) -> str:
    """Return a force with its owner: ``"Livia: 3 infantry"``."""
    return f"{who(seat)}: {force_words(leaders, army, each)}"


def does(leaders: Sequence[int], army: Sequence[int], one: str, many: str) -> str:
    """Return the verb after `force_words`. It agrees with the leaders, who are named first, else with the units."""
    return one if (len(leaders) or total(army)) == 1 else many


def talents_words(talents: int) -> str:
    """Return words for an amount: ``"1 talent"``, ``"20 talents"``."""
    return ngettext("{n} talent", "{n} talents", talents)


def fights(side: int, name: str, *, mine: bool, many: bool) -> str:
    """Return the action of a side in a battle. `mine`: whether the side is "you"; `many`: whether its name is
    plural."""
    if side == ATTACKER:
        said = _("{name} attack", name=name) if many else _("{name} attacks", name=name)
        return _("You attack") if mine else said
    said = _("{name} defend", name=name) if many else _("{name} defends", name=name)
    return _("You defend") if mine else said


def where_words(position: Position) -> str:
    """Return the name of a position, with the coast where a province has two: ``"Italia (west coast)"``."""
    name, coast = BOARD.names[BOARD.ashore[position]], coast_words(position)
    return _("{place} ({coast} coast)", place=name, coast=coast) if coast else name


def coast_words(position: Position) -> str:
    """Return the coast, such as ``"west"``, where a province has two coasts; else an empty string."""
    return _COASTS[BOARD.coast_names[position]]
