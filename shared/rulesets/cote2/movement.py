"""Moving land units and galleys: over land without limit, over straits, over sea (II-MOVE, II-NAVAL-01)."""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final

from shared.board import BOARD
from shared.ids import NO_ARMY, Army, Leader, Seat, Space
from shared.kernel.frames import Action, Emit
from shared.mechanics.armies import plus, total, within
from shared.mechanics.cells import army_of
from shared.mechanics.ferry import can_serve
from shared.refusal import Refusal
from shared.rulesets.cote2 import events
from shared.rulesets.cote2.actions import Move
from shared.rulesets.cote2.data import SEAS, SHORES
from shared.rulesets.cote2.frames import Turn
from shared.rulesets.cote2.options import land, strait_seas
from shared.rulesets.cote2.property import add_army, entered, left, take_army
from shared.rulesets.cote2.state import (
    GALLEYS,
    LEADERS,
    OFF,
    State,
    Table,
    is_province,
    leaders_at,
    led,
    others_in,
)

PER_GALLEY = 4
"""Military units that one galley brings ashore in one action (II-MOVE-04)."""
LISTED = 5
"""Destinations from one province that `options` lists at most."""

Groups = Sequence[tuple[Space, int, int, int]]
Pairs = Sequence[tuple[Leader, Space]]


def _bridges() -> tuple[tuple[tuple[int, Space], ...], ...]:
    found: list[list[tuple[int, Space]]] = [[] for _ in range(BOARD.provinces)]
    for strait, (a, b) in enumerate(BOARD.straits):
        found[a].append((strait, b))
        found[b].append((strait, a))
    return tuple(tuple(bridges) for bridges in found)


BRIDGES: Final = _bridges()
"""By province, the straits there and where they lead."""
NO_STRAITS: Final[frozenset[int]] = frozenset()


@cache
def _straits_by_zone(seas: tuple[tuple[Space, ...], ...]) -> dict[Space, frozenset[int]]:
    zones = {zone for zones in seas for zone in zones}
    return {zone: frozenset(k for k, closing in enumerate(seas) if zone in closing) for zone in zones}


def closed_straits(table: Table, seat: Seat) -> frozenset[int]:
    """Straits that galleys of the other alliance close to `seat` (II-MOVE-03, II-D28, II-D30)."""
    by_zone = _straits_by_zone(strait_seas(table))
    closed = NO_STRAITS
    mine = table.side[seat]
    for galley, at in enumerate(table.galley_at):
        if at in by_zone and table.side[galley // GALLEYS] != mine:
            closed |= by_zone[at]
    return closed


def neighbours(table: Table, space: Space, closed: frozenset[int] = NO_STRAITS) -> list[Space]:
    """Provinces one step away over land or an open strait."""
    return [*land(table)[space], *[there for strait, there in BRIDGES[space] if strait not in closed]]


def reach(table: Table, seat: Seat, source: Space) -> set[Space]:
    """Where units of `seat` can march from `source`: any distance, but not beyond a province that holds infantry,
    cavalry or catapults of the other alliance (II-MOVE-02, II-D27, II-D29)."""
    near, side, mine, units = land(table), table.side, table.side[seat], table.units
    closed = closed_straits(table, seat)
    found = {source}
    border = [source]
    while border:
        here = border.pop()
        steps = near[here]
        if BRIDGES[here]:
            steps = (*steps, *[there for strait, there in BRIDGES[here] if strait not in closed])
        for there in steps:
            if there not in found:
                found.add(there)
                cell = units[there]
                if not cell or all(side[other] == mine for other in cell[::4]):
                    border.append(there)
    found.discard(source)
    return found


def fleets(table: Table, seat: Seat) -> dict[Space, int]:
    """Own galleys by sea zone."""
    found: dict[Space, int] = {}
    for at in table.galley_at[seat * GALLEYS : (seat + 1) * GALLEYS]:
        if at != OFF:
            found[at] = found.get(at, 0) + 1
    return found


def landings(table: Table, seat: Seat, source: Space) -> set[Space]:
    """Where units of `seat` can land from `source`: next to own galleys, whoever else sails there (II-MOVE-04, -05)."""
    if not SEAS[source]:
        return set()
    found = {space for zone in fleets(table, seat) for space in SHORES[zone]}
    found.discard(source)
    return found


def check_move(table: Table, seat: Seat, source: Space, armies: Groups, leaders: Pairs) -> Refusal | None:
    """II-MOVE-01 to -06, II-D31, II-D33."""
    if not is_province(source):
        return Refusal("no-such-space", "II-MOVE-01", "A move begins in a province.")
    if not led(table, seat, source):
        text = f"There is no general and no Caesar of yours in {BOARD.names[source]}."
        return Refusal("no-leader", "II-MOVE-01", text)
    leaving = NO_ARMY
    for _to, *army in armies:
        leaving = plus(leaving, army)
    if not any(leaving) and not leaders:
        return Refusal("nothing-moves", "II-MOVE-01", "No unit would move.")
    if not within(leaving, army_of(table.units[source], seat)):
        return Refusal("not-so-many", "II-MOVE-01", f"You have not so many units in {BOARD.names[source]}.")
    moving = [leader for leader, _to in leaders]
    if len(set(moving)) != len(moving) or not set(moving) <= set(leaders_at(table, seat, source)):
        return Refusal("no-such-leader", "II-MOVE-01", f"These are not your leaders in {BOARD.names[source]}.")
    return _check_ways(table, seat, source, armies, leaders)


def _check_ways(table: Table, seat: Seat, source: Space, armies: Groups, leaders: Pairs) -> Refusal | None:
    by_land = reach(table, seat, source)
    afloat: dict[Space, int] = {}
    for to, *army in armies:
        if to not in by_land:
            afloat[to] = afloat.get(to, 0) + total(army)
    for _leader, to in leaders:
        if to not in by_land:
            afloat.setdefault(to, 0)
    if not afloat:
        return None
    by_sea = landings(table, seat, source)
    for to in afloat:
        if not is_province(to) or to == source:
            return Refusal("no-such-space", "II-MOVE-02", "A move leads to another province.")
        if to not in by_sea:
            text = f"No way by land, and no galley of yours, leads from {BOARD.names[source]} to {BOARD.names[to]}."
            return Refusal("no-way", _missing(table, seat, source, to), text)
    capacity = {zone: PER_GALLEY * n for zone, n in fleets(table, seat).items()}
    if not can_serve(afloat, capacity, SEAS):
        text = f"A galley next to where they land carries {PER_GALLEY} units in one action."
        return Refusal("too-many-aboard", "II-MOVE-04", text)
    return None


def _missing(table: Table, seat: Seat, source: Space, to: Space) -> str:
    """The rule that closes the way: a strait, enemies, or the sea."""
    if SEAS[source] and SEAS[to]:
        return "II-MOVE-04"
    return "II-MOVE-03" if closed_straits(table, seat) and not land(table)[to] else "II-MOVE-02"


def apply_move(state: State, seat: Seat, source: Space, armies: Groups, leaders: Pairs, emit: Emit) -> None:
    """Carry out a checked move."""
    by_land = reach(state, seat, source)
    parties: dict[Space, tuple[Army, tuple[Leader, ...]]] = {}
    for to, *counts in armies:
        if any(counts):
            there, led_there = parties.get(to, (NO_ARMY, ()))
            parties[to] = plus(there, counts), led_there
    for leader, to in leaders:
        there, led_there = parties.get(to, (NO_ARMY, ()))
        parties[to] = there, (*led_there, leader)
    for to, (army, led_there) in parties.items():
        if any(army):
            take_army(state, seat, source, army)
            add_army(state, seat, to, army)
        for leader in led_there:
            state.leader_at[leader] = to
        emit(events.Marched(seat, source, to, led_there, army, to not in by_land))
        entered(state, seat, to, emit)
    left(state, source, emit)


# --- the action ---


def move_check(table: Table, _frame: Turn, seat: Seat, action: Move) -> Refusal | None:
    """Whether the action is legal."""
    return check_move(table, seat, action.source, action.armies, action.leaders)


def move_apply(state: State, seat: Seat, action: Move, emit: Emit) -> None:
    """Carry it out."""
    apply_move(state, seat, action.source, action.armies, action.leaders, emit)


def move_options(table: Table, frame: Turn, seat: Seat) -> Iterator[Action]:
    """From one of the provinces with an own leader to some that can be reached; which, changes with every turn."""
    first = seat * LEADERS
    sources = sorted({at for at in table.leader_at[first : first + LEADERS] if at != OFF})
    if not sources:
        return
    turn = frame.no + frame.left
    source = sources[turn % len(sources)]
    army = army_of(table.units[source], seat)
    leaders = leaders_at(table, seat, source)
    for to in some(sorted(reach(table, seat, source)), turn):
        yield Move(source, ((to, *army),) if any(army) else (), tuple([(leader, to) for leader in leaders]))
        if army[0]:
            yield Move(source, ((to, 1, 0, 0),))
        yield Move(source, (), ((leaders[-1], to),))
    capacity = {zone: PER_GALLEY * n for zone, n in fleets(table, seat).items()}
    for to in some(sorted(landings(table, seat, source)), turn, 2):
        room = sum([capacity.get(zone, 0) for zone in SEAS[to]])
        taken = _squeeze(army, room)
        yield Move(source, ((to, *taken),) if any(taken) else (), ((leaders[-1], to),))


def _squeeze(army: Army, room: int) -> Army:
    infantry = min(army[0], room)
    cavalry = min(army[1], room - infantry)
    return infantry, cavalry, min(army[2], room - infantry - cavalry)


def some(found: list[Space], turn: int, most: int = LISTED) -> list[Space]:
    """At most so many of them, others every turn."""
    if len(found) <= most:
        return found
    start = turn * most % len(found)
    return (found + found)[start : start + most]


def open_ground(table: Table, seat: Seat, spaces: Sequence[Space]) -> list[Space]:
    """Those provinces without infantry, cavalry and catapults of the other alliance."""
    return [space for space in spaces if not others_in(table, table.units[space], seat)]
