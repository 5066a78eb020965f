"""Pieces on the board: a position becomes a list of tokens. Pure; the piece layer turns tokens into pictures.

Places are points of the world; offsets and sizes are in *figures* (the height of one figure on the screen), so that
pieces stay readable at any zoom.
"""

from collections.abc import Iterator, Sequence
from typing import Final, Literal

from msgspec import Struct
from msgspec.structs import replace

from client.drawing.lettering import Box
from client.table.geography import Point
from client.table.position import SeatPosition
from shared.board import BOARD
from shared.ids import NONE, Army, Leader, Seat, Space

PickKind = Literal["army", "leader", "galley", "city", "marker"]
ARMS: Final = ("infantry", "cavalry", "catapult")
UNITS: Final = (*ARMS, "galley")
"""Kinds of units, as their pictures are called."""
NUMBER_HIGH: Final = 0.5
"""Height of a disc with a number while the whole board is in sight, in figures."""
PLATE_HIGH: Final = 0.8
PLATE: Final = "plate"
"""Picture below a force that is shown by its leaders and its number."""
_LEADER_STEP: Final = 0.62
_ARM_STEP: Final = 0.92
_BUST: Final = 0.72
"""Height of a leader on a plate, in figures."""
_BUST_STEP: Final = 0.5
_BUST_ROW: Final = 1.3
"""Largest distance from the first to the last leader on a plate."""
_BUSTS: Final = 6
"""Largest number of leaders on a plate. If there are more, `_FEW_BUSTS` are drawn, and the last has a number."""
_FEW_BUSTS: Final = 3
_MORE: Final = 0.3
_PAD: Final = 0.07


class Pick(Struct, frozen=True):
    """The thing that a token stands for: `place` is a space or, for galleys, a position; `piece` a leader or galley."""

    kind: PickKind
    place: int
    seat: Seat
    piece: int = NONE


class Token(Struct, frozen=True):
    """A picture on the board. `key` stays the same while the piece stays; `count` 0 or 1 shows no number. `wide`: its
    width for each unit of its height."""

    key: str
    picture: str
    at: Point
    pick: Pick
    dx: float = 0.0
    dy: float = 0.0
    size: float = 1.0
    count: int = 0
    faded: bool = False
    wide: float = 1.0

    @property
    def numbered(self) -> bool:
        """Whether it shows its number: a plate shows any number above 0."""
        return self.count > (0 if self.picture == PLATE else 1)

    @property
    def number(self) -> tuple[float, float, float]:
        """Offset of its number, in figures from `at`, and the width of the number."""
        width = number_width(self.count)
        if self.wide > 1.0:
            return self.dx + (self.wide * self.size - width) / 2 - _PAD, self.dy, width
        if self.pick.kind == "marker":
            # Beside it: a disc over a marker would hide whose it is.
            return self.dx + 0.46 * self.size + width / 2, self.dy, width
        return self.dx + 0.34 * self.size, self.dy - 0.3 * self.size, width

    @property
    def box(self) -> Box:
        """Box that it covers with its number, in figures around `at`."""
        side, rise = (self.wide * self.size / 2, self.size / 2) if self.wide > 1.0 else (0.46 * self.size,) * 2
        box = self.dx - side, self.dy - rise, self.dx + side, self.dy + rise
        if not self.numbered:
            return box
        x, y, width = self.number
        high = NUMBER_HIGH / 2
        return min(box[0], x - width / 2), min(box[1], y - high), max(box[2], x + width / 2), max(box[3], y + high)

    @property
    def space(self) -> Space:
        """The space to which it belongs, even where it overlaps its neighbour."""
        return BOARD.ashore[self.pick.place]


class Force(Struct, frozen=True):
    """Forces of a seat in a province: infantry, cavalry, catapults, and leaders."""

    seat: Seat
    army: Army
    leaders: tuple[Leader, ...]

    @property
    def width(self) -> float:
        """Its width on the board, in figures."""
        arms, leaders = sum(n > 0 for n in self.army), len(self.leaders)
        return max(_ARM_STEP * arms, 0.9 + _leader_step(leaders) * (leaders - 1) if leaders else 0.0)


def line_up(space: Space, forces: Sequence[Force], at: Point, each: int) -> Iterator[Token]:
    """Yield the tokens of forces beside each other. `each`: number of leaders per colour, the Caesar first."""
    left = -sum(force.width for force in forces) / 2 - 0.35 * (len(forces) - 1) / 2
    for force in forces:
        yield from _group(force, space, at, left + force.width / 2, each)
        left += force.width + 0.35


def _leader_step(leaders: int) -> float:
    return _LEADER_STEP if leaders <= 3 else max(0.45, _LEADER_STEP * 3 / leaders)


def _group(force: Force, space: Space, at: Point, dx: float, each: int) -> Iterator[Token]:
    """Yield the leaders of a seat in a row, a Caesar uppermost, and its units before them."""
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


def number_width(count: int) -> float:
    """Return the width of a disc with a number while the whole board is in sight, in figures."""
    return NUMBER_HIGH * (1.0 if count < 10 else 1.35)


def plate(force: Force, space: Space, each: int, size: float = 1.0) -> Iterator[Token]:
    """Yield a force on a plate, around its middle: its leaders, the Caesar first, and its number of units. Without a
    leader its first kind of unit is drawn. `size`: a share of the full size."""
    seat, total = force.seat, sum(force.army)
    pick = Pick("army", space, seat)
    wide, high, step = plate_width(force, size), PLATE_HIGH * size, _bust_step(force) * size
    base = Token(f"army:{space}:{seat}:all", PLATE, (0.0, 0.0), pick, size=high, count=total)
    yield replace(base, wide=wide / high)
    x = (_PAD + _BUST * size - wide) / 2
    if not force.leaders:
        arm = next(k for k in range(3) if force.army[k])
        yield Token(f"bust:{space}:{seat}", f"{ARMS[arm]}_{seat}", (0.0, 0.0), pick, x, size=_BUST * size)
    leaders = sorted(force.leaders, key=lambda leader: leader % each)
    shown = _leader_count(force)
    for i, leader in enumerate(leaders[:shown]):
        more = len(leaders) - shown + 1 if i == shown - 1 else 0
        spot = Pick("leader", space, seat, leader)
        picture = leader_figure(leader, seat, each)
        yield Token(f"leader:{leader}", picture, (0.0, 0.0), spot, x + i * step, size=_BUST * size, count=more)


def plate_width(force: Force, size: float) -> float:
    """Return the width of the plate of a force, in figures."""
    total = sum(force.army)
    number = number_width(total) - _PAD / 2 if total else 0.0
    more = _MORE if len(force.leaders) > _BUSTS else 0.0
    return 1.5 * _PAD + (_BUST + _bust_step(force) * (max(1, _leader_count(force)) - 1)) * size + number + more


def _leader_count(force: Force) -> int:
    """Return the number of leaders on the plate of a force."""
    return len(force.leaders) if len(force.leaders) <= _BUSTS else _FEW_BUSTS


def _bust_step(force: Force) -> float:
    return min(_BUST_STEP, _BUST_ROW / max(1, _leader_count(force) - 1))


def leader_figure(leader: Leader, seat: Seat, each: int) -> str:
    """Return the picture of a leader in the colours of a seat. `each`: number of leaders per colour, the Caesar
    first."""
    return f"{'general' if leader % each else 'caesar'}_{seat}"


def leader_picture(table: SeatPosition, leader: Leader, seat: Seat) -> str:
    """Return the picture of a leader, given a position that tells the number of leaders."""
    return leader_figure(leader, seat, len(table.leader_at) // table.seats)
