"""Pieces on the board: a position becomes a list of tokens. Pure; the piece layer turns tokens into pictures.

Places are points of the world; offsets and sizes are in *figures* (the height of one figure on the screen), so
that pieces stay readable at any zoom.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, Literal

from msgspec import Struct

from client.table.geography import Point
from client.table.position import Table
from shared.board import BOARD
from shared.ids import NONE, Army, Leader, Seat, Space

PickKind = Literal["army", "leader", "galley", "city", "marker"]
ARMS: Final = ("infantry", "cavalry", "catapult")
UNITS: Final = (*ARMS, "galley")
"""Kinds of units, as their pictures are called."""
_LEADER_STEP: Final = 0.62
_ARM_STEP: Final = 0.92


class Pick(Struct, frozen=True):
    """What a token stands for: `place` is a space or, for galleys, a position; `piece` a leader or galley."""

    kind: PickKind
    place: int
    seat: Seat
    piece: int = NONE


class Token(Struct, frozen=True):
    """One picture on the board. `key` stays the same while the piece stays; `count` 0 or 1 shows no number."""

    key: str
    picture: str
    at: Point
    pick: Pick
    dx: float = 0.0
    dy: float = 0.0
    size: float = 1.0
    count: int = 0
    faded: bool = False

    @property
    def space(self) -> Space:
        """The space to which it belongs, even where it overlaps its neighbour."""
        return BOARD.ashore[self.pick.place]


class Force(Struct, frozen=True):
    """What a seat has in a province: infantry, cavalry, catapults, and leaders."""

    seat: Seat
    army: Army
    leaders: tuple[Leader, ...]

    @property
    def width(self) -> float:
        """How wide it stands, in figures."""
        arms, leaders = sum(n > 0 for n in self.army), len(self.leaders)
        return max(_ARM_STEP * arms, 0.9 + _leader_step(leaders) * (leaders - 1) if leaders else 0.0)


def line_up(space: Space, forces: Sequence[Force], at: Point, each: int) -> Iterator[Token]:
    """Forces beside each other. `each`: leaders of a colour, the Caesar first."""
    left = -sum(force.width for force in forces) / 2 - 0.35 * (len(forces) - 1) / 2
    for force in forces:
        yield from _group(force, space, at, left + force.width / 2, each)
        left += force.width + 0.35


def _leader_step(leaders: int) -> float:
    return _LEADER_STEP if leaders <= 3 else max(0.45, _LEADER_STEP * 3 / leaders)


def _group(force: Force, space: Space, at: Point, dx: float, each: int) -> Iterator[Token]:
    """The leaders of a seat in a row, a Caesar uppermost, and its units before them."""
    seat, army = force.seat, force.army
    leaders = sorted(force.leaders, key=lambda leader: leader % each == 0)
    step = _leader_step(len(leaders))
    lift = 0.62 if any(army) else 0.0
    for i, leader in enumerate(leaders):
        picture = leader_figure(leader, seat, each)
        offset = dx + (i - (len(leaders) - 1) / 2) * step
        pick = Pick("leader", space, seat, leader)
        yield Token(f"leader:{leader}", picture, at, pick, offset, lift)
    arms = [k for k in range(3) if army[k]]
    for i, arm in enumerate(arms):
        offset = dx + (i - (len(arms) - 1) / 2) * _ARM_STEP
        pick = Pick("army", space, seat)
        key = f"army:{space}:{seat}:{arm}"
        yield Token(key, f"{ARMS[arm]}_{seat}", at, pick, offset, -0.3 if leaders else 0.0, 1.0, army[arm])


def leader_figure(leader: Leader, seat: Seat, each: int) -> str:
    """The picture of a leader in the colours of a seat. `each`: leaders of a colour, the Caesar first."""
    return f"{'general' if leader % each else 'caesar'}_{seat}"


def leader_picture(table: Table, leader: Leader, seat: Seat) -> str:
    """The same, where there is a position to count them."""
    return leader_figure(leader, seat, len(table.leader_at) // table.seats)
