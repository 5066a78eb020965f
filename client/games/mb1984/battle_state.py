"""A battle of 1984, read from the position: sides, advantage, who fires next and at what; and its odds."""

from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from client.games.conquest.battle_odds import GROUPS, WALLED, could_fight
from client.games.conquest.position_queries import built_by
from client.language import _, ngettext
from client.table.odds_description import RETREAT, SHIPS, UNITS, BattleOdds
from shared.board import BOARD
from shared.ids import CATAPULT, GALLEY, NO_ARMY, NONE, Army, Leader, Seat, Space
from shared.kernel.frames import Event
from shared.mechanics import aimed_shots
from shared.mechanics.armies import army_of, minus, plus, total
from shared.mechanics.pieces import ABOARD
from shared.odds import mb1984
from shared.rulesets.conquest.pieces import galleys_at, leaders_at
from shared.rulesets.mb1984.events import Aimed
from shared.rulesets.mb1984.frames import Battle, CargoLoss
from shared.rulesets.mb1984.options import GALLEY_TARGETS, wall_worth
from shared.rulesets.mb1984.shots import walls_of
from shared.rulesets.mb1984.table import TableFields
from shared.vocabulary import events as e

BATTLE_ODDS: Final[BattleOdds[TableFields]] = BattleOdds(
    foes=could_fight,
    odds=mb1984.odds,
    present=mb1984.present,
    standing=mb1984.standing,
    question=mb1984.question,
    # Only the attacker may retreat (MB-RETREAT-01).
    land=(*UNITS, WALLED, replace(RETREAT, sides=(0,))),
    sea=(*UNITS, SHIPS),
    walls=wall_worth,
    groups=GROUPS,
    policy=_(
        "Counted as if both fired at catapults first, then at cavalry, infantry, and galleys last, and the attacker "
        "fought on while he has more units than he retreats at."
    ),
)


class Side(Struct, frozen=True):
    """Side of a battle. `army`: units on the field or aboard; `galleys`: those in the battle.

    `walls`: worth of the fortified city that the side defends.
    """

    seat: Seat
    leaders: tuple[Leader, ...]
    army: Army
    galleys: tuple[int, ...]
    walls: int

    @property
    def owners(self) -> tuple[Seat, ...]:
        """Seats whose units fight on this side."""
        return (self.seat,)

    @property
    def strength(self) -> int:
        """Strength that counts for the advantage."""
        return self.army[CATAPULT] + self.walls

    def count(self, kind: int) -> int:
        """Return how many units of a kind the side has."""
        return len(self.galleys) if kind == GALLEY else self.army[kind]


class Fight(Struct, frozen=True):
    """State of a battle.

    `shooter`: the seat with the next shot. `kind`: the target declared for it, or NONE. `single`: the table protects
    each galley by its own cargo only.
    """

    space: Space
    naval: bool
    round: int
    attacker: Side
    defender: Side
    shooter: Seat
    kind: int
    single: bool
    built: int = 0

    def in_round(self, number: int) -> "Fight":
        """Return a copy of the battle in another round."""
        return replace(self, round=number)

    def side(self, seat: Seat) -> Side:
        """Return the side of a seat."""
        return self.attacker if seat == self.attacker.seat else self.defender

    def other(self, seat: Seat) -> Side:
        """Return the enemy's side of a seat."""
        return self.defender if seat == self.attacker.seat else self.attacker

    def ahead(self, seat: Seat) -> int:
        """Return the advantage of a seat."""
        return aimed_shots.advantage(self.side(seat).strength, self.other(seat).strength)

    def basic(self, kind: int) -> int:
        """Return the lowest die that destroys such a target without an advantage."""
        return aimed_shots.needed_roll(kind, self.naval, 0)

    def needed(self, kind: int) -> int:
        """Return the lowest die that destroys such a target now; 1 for no roll."""
        return aimed_shots.needed_roll(kind, self.naval, self.ahead(self.shooter))

    def sheltered(self, kind: int) -> bool:
        """Whether the enemy's galleys are no targets because of their cargo."""
        return kind == GALLEY and total(self.other(self.shooter).army) > 0 and not self.single


def read(table: TableFields) -> Fight | None:
    """Return the current battle, or None. A battle is over once only its captives are still to be judged."""
    for frame in reversed(table.frames):
        if isinstance(frame, Battle) and not frame.stage.is_over:
            return _fight(table, frame)
    return None


def _fight(table: TableFields, frame: Battle) -> Fight:
    space = frame.space
    shooter, kind = _shot(table, frame)
    return Fight(
        space,
        space >= BOARD.provinces,
        frame.round,
        _side(table, space, frame.attacker),
        _side(table, space, frame.defender),
        shooter,
        kind,
        bool(table.options[GALLEY_TARGETS]),
        built_by(table, space, frame.defender),
    )


def _shot(table: TableFields, frame: Battle) -> tuple[Seat, int]:
    """Return the shooter, and the kind of the declared target or NONE.

    While a cargo loss is decided, the shot is still the shooter's.
    """
    loss = table.frames[-1]
    if isinstance(loss, CargoLoss):
        return frame.attacker if loss.seat == frame.defender else frame.defender, loss.kind
    shooter = frame.defender if frame.stage.is_defenders else frame.attacker
    return shooter, frame.kind if frame.stage.is_declared else NONE


def _side(table: TableFields, space: Space, seat: Seat) -> Side:
    if space < BOARD.provinces:
        army = army_of(table.units[space], seat)
        return Side(seat, leaders_at(table, seat, space), army, (), walls_of(table, seat, space))
    galleys = galleys_at(table, seat, space)
    army = NO_ARMY
    leaders: tuple[Leader, ...] = ()
    for galley in galleys:
        army = plus(army, table.cargo[galley] or NO_ARMY)
        leaders += leaders_at(table, seat, ABOARD + galley)
    return Side(seat, leaders, army, galleys, 0)


def after(fight: Fight, event: Event) -> Fight:
    """Return the battle after an event."""
    match event:
        case Aimed(seat=seat, kind=kind):
            return replace(fight, shooter=seat, kind=kind)
        case e.Fell(seat=seat, army=army):
            side = fight.side(seat)
            return _with(fight, replace(side, army=minus(side.army, army)))
        case e.Sank(seat=seat, galleys=galleys) if fight.naval:
            side = fight.side(seat)
            left = tuple(galley for galley in side.galleys if galley not in galleys)
            return _with(fight, replace(side, galleys=left))
        case _:
            return fight


def _with(fight: Fight, side: Side) -> Fight:
    """Return the battle with one side changed and its shot over."""
    if side.seat == fight.attacker.seat:
        return replace(fight, attacker=side, kind=NONE, shooter=fight.attacker.seat)
    return replace(fight, defender=side, kind=NONE, shooter=fight.defender.seat)


def changed(old: Fight, new: Fight) -> bool:
    """Whether units or galleys were lost."""
    pairs = ((old.attacker, new.attacker), (old.defender, new.defender))
    return any((a.army, a.galleys) != (b.army, b.galleys) for a, b in pairs)


def reason(fight: Fight, kind: int) -> str:
    """Return the sum behind the needed number: ``"5 − 2"``; empty without an advantage."""
    ahead = fight.ahead(fight.shooter)
    return f"{fight.basic(kind)} − {ahead}" if ahead else ""


def sources(side: Side) -> str:
    """Return the sources of a side's advantage: ``"2 catapults + walls = 3"``."""
    catapults = side.army[CATAPULT]
    parts = [ngettext("{n} catapult", "{n} catapults", catapults)] if catapults else []
    parts += ["walls"] if side.walls else []
    return f"{' + '.join(parts)} = {side.strength}" if parts else _("no catapults, no walls")
