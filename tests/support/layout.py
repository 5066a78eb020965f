"""Positions laid out by text: places are named by their keys."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, TypedDict

from shared.board import BOARD
from shared.ids import NONE, Army, Seat
from shared.mechanics.armies import army_of, put_army
from shared.mechanics.homes import in_order
from shared.mechanics.pieces import ABOARD, OFF, PRISON
from shared.mechanics.table import Pieces
from shared.mechanics.tribute import worth
from shared.vocabulary.actions import Sail
from shared.vocabulary.frames import Turn


class Layout(TypedDict, total=False):
    """Differences from the empty position, in which each seat's Caesar is in its home, which it owns, and the first
    turn begins.

    turn: the seat whose turn it is. phase: the next phase. By key of a province: units of each seat, owners, built (1
    city, 2 fortified city). leaders: by key, or by `aboard`, `prison`. galleys: by number, their place (see `coast`).
    cargo: by number. roads: pairs of keys. lords: the seat that commands each colour now. amendments: how many are in
    force, by default all."""

    homes: Sequence[str]
    turn: Seat
    phase: str
    units: Mapping[str, Mapping[Seat, Army]]
    leaders: Mapping[str | int, Sequence[int]]
    galleys: Mapping[int, str]
    cargo: Mapping[int, Army]
    owners: Mapping[str, int]
    built: Mapping[str, int]
    roads: Sequence[tuple[str, str]]
    talents: Sequence[int]
    inflation: int
    triggered: Sequence[int]
    due: int
    lords: Mapping[Seat, int]
    options: Mapping[str, int] | None
    round: int
    amendments: int


class Numbering(NamedTuple):
    """Numbers of the leaders and galleys of each colour, which has `leaders` and `galleys` of them."""

    leaders: int
    galleys: int

    def caesar(self, seat: Seat) -> int:
        """Return the Caesar of a colour."""
        return seat * self.leaders

    def general(self, seat: Seat, k: int = 1) -> int:
        """Return general `k` of a colour; the first is 1."""
        return seat * self.leaders + k

    def galley(self, seat: Seat, k: int = 0) -> int:
        """Return galley `k` of a colour; the first is 0."""
        return seat * self.galleys + k


def sp(key: str) -> int:
    """Return a space by its key."""
    return BOARD.space(key)


def coast(key: str) -> int:
    """Return a galley's position: ``"mare_narbo"``, ``"numidia"``, ``"italia:adriatic"``."""
    space, _, name = key.partition(":")
    for position in BOARD.coasts[sp(space)] if sp(space) < BOARD.provinces else ():
        if BOARD.coast_names[position] == name:
            return position
    assert not name, f"{space} has no coast {name}"
    return sp(space)


def aboard(number: int) -> int:
    """Return the place of a leader aboard that galley."""
    return ABOARD + number


def prison(seat: Seat) -> int:
    """Return the place of a leader that `seat` holds prisoner."""
    return PRISON + seat


def settle_homes(state: Any, leaders: int, order: Sequence[int], offered: Sequence[int], layout: Layout) -> None:
    """Set homes, the order of play and lords. Every Caesar that still commands itself starts in its own home.

    leaders: number per colour. order: all homes in the order of play. offered: the homes where none are named."""
    state.home = [sp(key) for key in layout.get("homes", ())] or list(offered)
    state.order = in_order(state.home, order)
    state.round = layout.get("round", 1)
    for colour, lord in layout.get("lords", {}).items():
        state.lord[colour] = lord
    for seat, home in enumerate(state.home):
        if state.lord[seat] == seat:
            state.owner[home] = seat
            state.leader_at[seat * leaders] = home


def lay_out(state: Any, phases: Mapping[str, int], layout: Layout) -> None:
    """Everything else; markers stand where they must. phases: the step of a turn by name."""
    for key, holder in layout.get("owners", {}).items():
        state.owner[sp(key)] = holder
    for key, armies in layout.get("units", {}).items():
        for seat, army in armies.items():
            state.units[sp(key)] = put_army(state.units[sp(key)], seat, army)
    for place, pieces in layout.get("leaders", {}).items():
        for leader in pieces:
            state.leader_at[leader] = sp(place) if isinstance(place, str) else place
    for number, where in layout.get("galleys", {}).items():
        state.galley_at[number] = coast(where)
    for number, army in layout.get("cargo", {}).items():
        state.cargo[number] = army
    for key, level in layout.get("built", {}).items():
        state.built[sp(key)] = level
    ends = [sorted((sp(a), sp(b))) for a, b in layout.get("roads", ())]
    state.roads = [BOARD.edge_index[a, b] for a, b in ends]
    state.talents = list(layout.get("talents", ())) or [0] * state.seats
    state.inflation = layout.get("inflation", 1)
    state.triggered = list(layout.get("triggered", (NONE, NONE)))
    for space, owner in enumerate(state.owner):
        if owner != NONE:
            state.marker[owner] += worth(state, space)
    state.frames = [Turn(1, layout.get("turn", 0), phases[layout.get("phase", "movement")])]
    state.pushed = 1


def sail(number: int, to: str, leaders: int | Sequence[int] = (), *army: int) -> Sail:
    """Return a `Sail` with the name of a position."""
    return Sail(number, coast(to), (leaders,) if isinstance(leaders, int) else tuple(leaders), *army)


def army(table: Any, key: str, seat: Seat) -> Army:
    """Return the army of a seat in a province."""
    return army_of(table.units[sp(key)], seat)


def owner(table: Pieces, key: str) -> int:
    """Return the owner of a province."""
    return table.owner[sp(key)]


def where(table: Pieces, leader: int) -> str:
    """Return the place of a leader as text: a province's key, ``"aboard 3"``, ``"prison 1"``, ``"off"``."""
    at = table.leader_at[leader]
    if at == OFF:
        return "off"
    if at >= PRISON:
        return f"prison {at - PRISON}"
    return f"aboard {at - ABOARD}" if at >= ABOARD else BOARD.keys[at]
