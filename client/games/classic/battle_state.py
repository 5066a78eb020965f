"""A battle in Classic, on land or at sea, read from the position, and its odds."""

from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from client.games.conquest.battle_odds import GROUPS, LED, WALLED, could_fight
from client.games.conquest.position_queries import built_by
from client.language import _
from client.table.odds_description import RETREAT, SHIPS, UNITS, BattleOdds
from shared.ids import NO_ARMY, Army, Leader, Seat, Space
from shared.kernel.frames import Event
from shared.mechanics.armies import army_of, common, minus, total
from shared.odds import classic
from shared.rulesets.classic.frames import Battle, Naval, Pursuit
from shared.rulesets.classic.options import wall_worth
from shared.rulesets.classic.table import TableFields
from shared.rulesets.conquest.pieces import galleys_at, leaders_at
from shared.vocabulary import events as e

BATTLE_ODDS: Final[BattleOdds[TableFields]] = BattleOdds(
    foes=could_fight,
    odds=classic.odds,
    present=classic.present,
    standing=classic.standing,
    question=classic.question,
    land=(*UNITS, LED, WALLED, RETREAT),
    sea=(SHIPS,),
    walls=wall_worth,
    groups=GROUPS,
    policy=_(
        "Counted as if both formed the battle legion that hits most, lost their cheapest units first, at sea the "
        "emptiest galleys, and fought on while they have more units than they retreat at. A side that retreats is "
        "pursued."
    ),
)


class Side(Struct, frozen=True):
    """Side of a battle. `legion`: its battle legion, once formed; `down`: units of the legion that were laid down."""

    seat: Seat
    leaders: tuple[Leader, ...]
    legion: Army
    reserve: Army
    down: Army
    galleys: tuple[int, ...]
    formed: bool

    @property
    def owners(self) -> tuple[Seat, ...]:
        """Seats whose units fight on this side."""
        return (self.seat,)


class Fight(Struct, frozen=True):
    """State of a battle."""

    space: Space
    naval: bool
    round: int
    attacker: Side
    defender: Side
    pursuit: bool
    built: int = 0

    def side(self, seat: Seat) -> Side:
        """Return the side of a seat."""
        return self.attacker if seat == self.attacker.seat else self.defender

    def in_round(self, number: int) -> "Fight":
        """Return a copy of the battle in another round."""
        return replace(self, round=number)


def read(table: TableFields) -> Fight | None:
    """Return the current battle, or None. A battle is over once only its captives are still to be judged."""
    for frame in reversed(table.frames):
        if isinstance(frame, Battle) and not frame.stage.is_over:
            chased = any(isinstance(f, Pursuit) for f in table.frames)
            return Fight(
                frame.space, False, frame.round, _land_side(table, frame, True), _land_side(table, frame, False),
                chased, built_by(table, frame.space, frame.defender),
            )  # fmt: skip
        if isinstance(frame, Naval) and not frame.stage.is_over:
            fleets = ((seat, galleys_at(table, seat, frame.zone)) for seat in (frame.attacker, frame.defender))
            sides = [Side(seat, (), NO_ARMY, NO_ARMY, NO_ARMY, fleet, True) for seat, fleet in fleets]
            return Fight(frame.zone, True, frame.round, sides[0], sides[1], False)
    return None


def _land_side(table: TableFields, frame: Battle, attacking: bool) -> Side:
    seat = frame.attacker if attacking else frame.defender
    army = army_of(table.units[frame.space], seat)
    formed = frame.stage.attacker_is_formed if attacking else frame.stage.defender_is_formed
    legion = (frame.attacking if attacking else frame.defending) if formed else NO_ARMY
    # Only the defender's: they still fire until the attacker has chosen losses, too (CL-BATTLE-07).
    down = frame.down if not attacking and formed else NO_ARMY
    reserve = minus(army, legion)
    if min(reserve) < 0:
        legion, reserve, formed = NO_ARMY, army, False
    return Side(seat, leaders_at(table, seat, frame.space), legion, reserve, down, (), formed)


def after(fight: Fight, event: Event) -> Fight:
    """Return the battle after an event: without units that fell, the legion's first."""
    match event:
        case e.Fell(seat=seat, army=army):
            side = fight.side(seat)
            taken = common(army, side.legion)
            rest = minus(side.reserve, common(minus(army, taken), side.reserve))
            legion = minus(side.legion, taken)
            return _with(fight, replace(side, legion=legion, reserve=rest, down=common(side.down, legion)))
        case e.Sank(seat=seat, galleys=galleys) if fight.naval:
            side = fight.side(seat)
            return _with(fight, replace(side, galleys=tuple([g for g in side.galleys if g not in galleys])))
        case _:
            return fight


def _with(fight: Fight, side: Side) -> Fight:
    return replace(fight, attacker=side) if side.seat == fight.attacker.seat else replace(fight, defender=side)


def changed(old: Fight, new: Fight) -> bool:
    """Whether units fell on either side."""
    return any(
        total(a.legion) + total(a.reserve) + len(a.galleys) != total(b.legion) + total(b.reserve) + len(b.galleys)
        for a, b in ((old.attacker, new.attacker), (old.defender, new.defender))
    )
