"""A battle of 1984, read from the position: both sides, what gives the advantage, who fires next and at what."""

from __future__ import annotations

from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from client.games.conquest.position import ABOARD, galleys_at, leaders_at
from shared.board import BOARD
from shared.ids import GALLEY, NO_ARMY, NONE, Army, Leader, Seat, Space
from shared.kernel.frames import Event
from shared.mechanics import aimed
from shared.mechanics.armies import minus, plus, total
from shared.mechanics.cells import army_of
from shared.mechanics.pieces import Built
from shared.rulesets.mb1984.events import Aimed
from shared.rulesets.mb1984.frames import Battle
from shared.rulesets.mb1984.options import GALLEY_TARGETS
from shared.rulesets.mb1984.state import Table
from shared.vocabulary import events as e

WALL: Final = 1


class Host(Struct, frozen=True):
    """One side. `army`: units on the field or aboard; `galleys`: those in the battle; `walls`: whether it defends a
    fortified city."""

    seat: Seat
    leaders: tuple[Leader, ...]
    army: Army
    galleys: tuple[int, ...]
    walls: bool

    @property
    def owners(self) -> tuple[Seat, ...]:
        """Whose units it has."""
        return (self.seat,)

    @property
    def strength(self) -> int:
        """What it counts for the advantage."""
        return self.army[2] + WALL * self.walls

    def count(self, kind: int) -> int:
        """How many of a kind it has."""
        return len(self.galleys) if kind == GALLEY else self.army[kind]


class Duel(Struct, frozen=True):
    """A battle as it stands. `shooter`: whose shot is next; `kind`: the target declared for it, or NONE. `single`: the
    table protects each galley by its own cargo only."""

    space: Space
    naval: bool
    round: int
    attacker: Host
    defender: Host
    shooter: Seat
    kind: int
    single: bool

    def side(self, seat: Seat) -> Host:
        """The side of a seat."""
        return self.attacker if seat == self.attacker.seat else self.defender

    def other(self, seat: Seat) -> Host:
        """The enemy of a seat."""
        return self.defender if seat == self.attacker.seat else self.attacker

    def ahead(self, seat: Seat) -> int:
        """The advantage of a seat."""
        return aimed.advantage(self.side(seat).strength, self.other(seat).strength)

    def basic(self, kind: int) -> int:
        """The lowest die that destroys such a target without an advantage."""
        return aimed.needed(kind, self.naval, 0)

    def needed(self, kind: int) -> int:
        """The lowest die that destroys such a target now; 1 for no roll."""
        return aimed.needed(kind, self.naval, self.ahead(self.shooter))

    def sheltered(self, kind: int) -> bool:
        """Whether the enemy's galleys are no targets because of what they carry."""
        return kind == GALLEY and total(self.other(self.shooter).army) > 0 and not self.single


def read(table: Table) -> Duel | None:
    """The battle that is going on, or None; one whose captives are still to be judged is over."""
    for frame in reversed(table.frames):
        if isinstance(frame, Battle) and not frame.stage.is_over:
            return _duel(table, frame)
    return None


def _duel(table: Table, frame: Battle) -> Duel:
    space = frame.space
    return Duel(
        space,
        space >= BOARD.provinces,
        frame.round,
        _host(table, space, frame.attacker),
        _host(table, space, frame.defender),
        frame.defender if frame.stage.is_defenders else frame.attacker,
        frame.kind if frame.stage.is_declared else NONE,
        bool(table.options[GALLEY_TARGETS]),
    )


def _host(table: Table, space: Space, seat: Seat) -> Host:
    if space < BOARD.provinces:
        walls = table.owner[space] == seat and table.built[space] == Built.FORTIFIED
        return Host(seat, leaders_at(table, seat, space), army_of(table.units[space], seat), (), walls)
    galleys = galleys_at(table, seat, space)
    army = NO_ARMY
    leaders: tuple[Leader, ...] = ()
    for galley in galleys:
        army = plus(army, table.cargo[galley] or NO_ARMY)
        leaders += leaders_at(table, seat, ABOARD + galley)
    return Host(seat, leaders, army, galleys, False)


def after(duel: Duel, event: Event) -> Duel:
    """The battle once that has happened."""
    match event:
        case Aimed(seat=seat, kind=kind):
            return replace(duel, shooter=seat, kind=kind)
        case e.Fell(seat=seat, army=army):
            host = duel.side(seat)
            return _with(duel, replace(host, army=minus(host.army, army)))
        case e.Sank(seat=seat, galleys=galleys) if duel.naval:
            host = duel.side(seat)
            left = tuple(galley for galley in host.galleys if galley not in galleys)
            return _with(duel, replace(host, galleys=left))
        case _:
            return duel


def _with(duel: Duel, host: Host) -> Duel:
    """The battle with one side changed; the shot is over."""
    if host.seat == duel.attacker.seat:
        return replace(duel, attacker=host, kind=NONE, shooter=duel.attacker.seat)
    return replace(duel, defender=host, kind=NONE, shooter=duel.defender.seat)


def changed(old: Duel, new: Duel) -> bool:
    """Whether something fell."""
    pairs = ((old.attacker, new.attacker), (old.defender, new.defender))
    return any((a.army, a.galleys) != (b.army, b.galleys) for a, b in pairs)


def reason(duel: Duel, kind: int) -> str:
    """Why that number is needed: ``"5 − 2"``."""
    ahead = duel.ahead(duel.shooter)
    return f"{duel.basic(kind)} − {ahead}" if ahead else ""


def sources(host: Host) -> str:
    """What gives a side its advantage: ``"2 catapults + walls = 3"``."""
    parts = [f"{host.army[2]} {'catapult' if host.army[2] == 1 else 'catapults'}"] if host.army[2] else []
    parts += ["walls"] if host.walls else []
    return f"{' + '.join(parts)} = {host.strength}" if parts else "no catapults, no walls"
