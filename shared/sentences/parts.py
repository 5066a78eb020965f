"""Parts of sentences that every game has: units, leaders, amounts, places."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from shared.board import BOARD
from shared.ids import Position, Seat
from shared.language.sentence import Person, Sentence, Value, _, and_list, listing, ngettext, pattern, pgettext
from shared.mechanics.armies import total
from shared.mechanics.wares import Ware

_COASTS: Final[dict[str, Value]] = {
    "": "",
    "north": pgettext("coast", "north"),
    "east": pgettext("coast", "east"),
    "west": pgettext("coast", "west"),
    "adriatic": pgettext("coast", "adriatic"),
}


def _units(army: Sequence[int]) -> list[Sentence]:
    infantry, cavalry, catapults = army[:3]
    parts = (
        infantry and ngettext("{n} infantry", "{n} infantry", infantry),
        cavalry and ngettext("{n} cavalry", "{n} cavalry", cavalry),
        catapults and ngettext("{n} catapult", "{n} catapults", catapults),
    )
    return [part for part in parts if isinstance(part, Sentence)]


def army_words(army: Sequence[int]) -> Value:
    """Return words for an army: ``"3 infantry, 1 catapult"``, or ``"no units"`` for none."""
    return listing(_units(army)) or _("no units")


def ware_words(counts: Sequence[int]) -> Value:
    """Return words for counts by `Ware`: ``"3 infantry, 2 roads and 1 city"``; empty for nothing."""
    galleys, cities, fortifications, roads = (*counts[Ware.GALLEYS :], 0)[:4]
    parts = _units(counts)
    parts += [ngettext("{n} galley", "{n} galleys", galleys)] if galleys else []
    parts += [ngettext("{n} city", "{n} cities", cities)] if cities else []
    parts += [ngettext("{n} fortification", "{n} fortifications", fortifications)] if fortifications else []
    parts += [ngettext("{n} road", "{n} roads", roads)] if roads else []
    return and_list(parts)


def leaders_words(leaders: Sequence[int], each: int) -> Value:
    """Return words for leaders: ``"the Caesar and 2 generals"``; `each`: number of leaders per colour, the Caesar
    first."""
    generals = sum(1 for leader in leaders if leader % each)
    parts = [_("the Caesar")] if len(leaders) > generals else []
    if generals:
        parts.append(ngettext("a general", "{n} generals", generals))
    return and_list(parts) or _("nobody")


def force_words(leaders: Sequence[int], army: Sequence[int], each: int) -> Value:
    """Return words for a force: ``"a general with 3 infantry, 1 cavalry"``."""
    if not total(army):
        return leaders_words(leaders, each)
    if not leaders:
        return army_words(army)
    return _("{leaders} with {army}", leaders=leaders_words(leaders, each), army=army_words(army))


def force_line(seat: Seat, leaders: Sequence[int], army: Sequence[int], each: int) -> Sentence:
    """Return a force with its owner: ``"Livia: 3 infantry"``."""
    return pattern("{who}: {force}", who=Person(seat), force=force_words(leaders, army, each))


def talents_words(talents: int) -> Sentence:
    """Return words for an amount: ``"1 talent"``, ``"20 talents"``."""
    return ngettext("{n} talent", "{n} talents", talents)


def galleys_words(number: int) -> Sentence:
    """Return galleys in words: ``"a galley"``, ``"3 galleys"``."""
    return ngettext("a galley", "{n} galleys", number)


def where_words(position: Position) -> Value:
    """Return the name of a position, with the coast where a province has two: ``"Italia (west coast)"``."""
    name, coast = BOARD.names[BOARD.ashore[position]], coast_words(position)
    return _("{place} ({coast} coast)", place=name, coast=coast) if coast else name


def coast_words(position: Position) -> Value:
    """Return the coast, such as ``"west"``, where a province has two coasts; else an empty string."""
    return _COASTS[BOARD.coast_names[position]]
