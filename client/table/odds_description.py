"""Odds of battles as a game defines them, and what can be counted in a battle."""

from collections.abc import Callable
from typing import Final, Generic

from msgspec import Struct
from msgspec.structs import replace

from client.drawing.chapters import Chapter
from client.language import _
from client.table.position import T
from shared.ids import GALLEY, Seat, Space
from shared.odds.attack import AttackQuestion
from shared.odds.outcome import Force, Host, Odds


def about_odds(policy: str) -> Chapter:
    """Return the chapter; `policy`: how both sides are assumed to play."""
    return Chapter(
        _("The odds of a battle"),
        _(
            "While you put an attack together, the board shows in its upper right corner who would win, what would "
            "be left and what it would cost; during a battle a bar shows how it stands, the paler the less the "
            "victor has left. The button above the board opens a calculator at any time, in which all "
            "numbers can be changed.\n"
        )
        + policy,
    )


INFANTRY, CAVALRY, CATAPULTS, GALLEYS, LEADERS, WALLS, TRAINING, LEAVES = range(8)
"""Kinds of things that are counted for a side: four kinds of units, and what else matters."""
OWN, LENT, CARDS = range(3)
"""Groups of units by their origin: own, lent, or from cards."""


class Count(Struct, frozen=True):
    """Kind of thing that is counted. `picture`: its name with a gap for the seat. `most`: the largest number. `sides`:
    the sides that can have it, 0 the attacker and 1 the defender. `none`: the words that replace `words` at zero."""

    what: int
    picture: str
    words: str
    most: int
    tip: str
    sides: tuple[int, ...] = (0, 1)
    none: str = ""


class BattleOdds(Struct, Generic[T], frozen=True):
    """Odds of one game.

    `foes`: whether two seats could fight each other. `odds`: of a future battle, on land or at sea. `present`: forces
    of a seat in a space. `standing`, `question`: odds and sides of the battle in progress, or None. `land`, `sea`: what
    is counted there. `walls`: worth of walls on a table. `groups`: names of the groups of units. `policy`: how both
    sides are assumed to play.
    """

    foes: Callable[[T, Seat, Seat], bool]
    odds: Callable[[Host, Host, bool], Odds]
    present: Callable[[T, Seat, Space, bool], Host]
    standing: Callable[[T], Odds | None]
    question: Callable[[T], AttackQuestion | None]
    land: tuple[Count, ...]
    sea: tuple[Count, ...]
    walls: Callable[[T], int]
    groups: tuple[str, ...]
    policy: str


def foe(battle_odds: BattleOdds[T], table: T, seat: Seat) -> Seat:
    """Return the next player that this seat could fight; if there is none, simply the next player."""
    others = [(seat + by) % table.seats for by in range(1, table.seats)]
    return next((other for other in others if battle_odds.foes(table, seat, other)), others[0])


_FIELDS: Final = ("", "lent", "cards")


def count(host: Host, group: int, what: int) -> int:
    """Return the number of one kind of thing on a side; of units, those of a group."""
    if what <= GALLEY:
        return _units(host, group)[what]
    return (host.leaders, int(host.walls > 0), host.training, host.leaves)[what - LEADERS]


def counted(host: Host, group: int, what: int, number: int, walls: int) -> Host:
    """Return a side with a changed number of one kind of thing. `walls`: their worth on the table."""
    if what <= GALLEY:
        force = list(_units(host, group))
        force[what] = number
        if group == OWN:
            return replace(host, army=(force[0], force[1], force[2]), galleys=force[GALLEY], cargo=host.cargo[:number])
        return replace(host, **{_FIELDS[group]: tuple(force)})
    if what == WALLS:
        return replace(host, walls=walls * number)
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
    _("Retreats after a round that leaves no more units than this"),
    none=_("no retreat"),
)
