"""What a game says about the odds of its battles, and what can be counted in them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, Generic

from msgspec import Struct
from msgspec.structs import replace

from client.language import _
from client.table.position import T
from shared.board import BOARD
from shared.ids import GALLEY, NO_ARMY, NONE, Army, Seat, Space
from shared.mechanics.cells import Cell, army_of
from shared.odds.outcome import Force, Host, Odds

INFANTRY, CAVALRY, CATAPULTS, GALLEYS, LEADERS, WALLS, TRAINING, LEAVES = range(8)
"""What can be counted of a side: four kinds of units, and what else matters."""
OWN, LENT, CARDS = range(3)
"""Whose the units are."""


class Count(Struct, frozen=True):
    """Something that is counted. `picture`: with a gap for the seat. `most`: so many at most. `sides`: those that can
    have it, 0 the attacker and 1 the defender. `none`: what is said instead of `words` where there is none of it."""

    what: int
    picture: str
    words: str
    most: int
    tip: str
    sides: tuple[int, ...] = (0, 1)
    none: str = ""


class BattleOdds(Struct, Generic[T], frozen=True):
    """`foes`: whether two seats could fight each other. `odds`: of a battle to come, on land or at sea. `present`: what
    a seat has in a space. `standing`, `engaged`: of the battle that goes on, its odds and its sides, or None. `land`,
    `sea`: what is counted there. `groups`: whose units can be counted. `policy`: how both are taken to play.
    """

    foes: Callable[[T, Seat, Seat], bool]
    odds: Callable[[Host, Host, bool], Odds]
    present: Callable[[T, Seat, Space, bool], Host]
    standing: Callable[[T], Odds | None]
    engaged: Callable[[T], tuple[Host, Host] | None]
    land: tuple[Count, ...]
    sea: tuple[Count, ...]
    groups: tuple[str, ...]
    policy: str


class Threat(Struct, frozen=True):
    """An attack that is being put together: at whom, where, and what comes to those that are there already."""

    enemy: Seat
    space: Space
    army: Army = NO_ARMY
    leaders: int = 0
    galleys: int = 0


class Question(Struct, frozen=True):
    """A battle of which the odds are asked. `seats`, `hosts`: of attacker and defender."""

    seats: tuple[Seat, Seat]
    hosts: tuple[Host, Host]
    naval: bool = False
    space: Space = NONE


def asked(battle_odds: BattleOdds[T], table: T, seat: Seat, threat: Threat) -> Question:
    """The battle that would come of an attack of `seat`."""
    naval = threat.space >= BOARD.provinces
    mine = battle_odds.present(table, seat, threat.space, naval)
    there = mine.army
    army: Army = (there[0] + threat.army[0], there[1] + threat.army[1], there[2] + threat.army[2])
    mine = replace(mine, army=army, leaders=mine.leaders + threat.leaders, galleys=mine.galleys + threat.galleys)
    theirs = battle_odds.present(table, threat.enemy, threat.space, naval)
    return Question((seat, threat.enemy), (replace(mine, walls=False), theirs), naval, threat.space)


def foe(battle_odds: BattleOdds[T], table: T, seat: Seat) -> Seat:
    """The next player whom that one could fight; the next one at all where there is none."""
    others = [(seat + by) % table.seats for by in range(1, table.seats)]
    return next((other for other in others if battle_odds.foes(table, seat, other)), others[0])


def strongest(cell: Cell, enemies: Sequence[Seat]) -> Seat:
    """Of those enemies the one with most units in a province; NONE where there are none."""
    return max(enemies, key=lambda enemy: sum(army_of(cell, enemy)), default=NONE)


_FIELDS: Final = ("", "lent", "cards")


def count(host: Host, group: int, what: int) -> int:
    """How many of something a side has; units those of a group."""
    if what <= GALLEY:
        return _units(host, group)[what]
    return int((host.leaders, host.walls, host.training, host.leaves)[what - LEADERS])


def counted(host: Host, group: int, what: int, number: int) -> Host:
    """A side with so many of something."""
    if what <= GALLEY:
        force = list(_units(host, group))
        force[what] = number
        if group == OWN:
            return replace(host, army=(force[0], force[1], force[2]), galleys=force[GALLEY], cargo=host.cargo[:number])
        return replace(host, **{_FIELDS[group]: tuple(force)})
    if what == WALLS:
        return replace(host, walls=bool(number))
    return replace(host, **{("leaders", "", "training", "leaves")[what - LEADERS]: number})


def _units(host: Host, group: int) -> Force:
    return (*host.army, host.galleys) if group == OWN else host.lent if group == LENT else host.cards


UNITS: Final = (
    Count(INFANTRY, "infantry_{}", _("infantry"), 60, _("Infantry")),
    Count(CAVALRY, "cavalry_{}", _("cavalry"), 60, _("Cavalry")),
    Count(CATAPULTS, "catapult_{}", _("catapults"), 60, _("Catapults")),
)
SHIPS: Final = Count(GALLEYS, "galley_{}", _("galleys"), 48, _("Galleys"))
RETREAT: Final = Count(
    LEAVES,
    "marker_{}",
    _("retreats at"),
    60,
    _("Retreats after a round in which no more units than that are left"),
    none=_("no retreat"),
)
