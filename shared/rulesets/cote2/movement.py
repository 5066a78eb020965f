"""Moving land units: over land without limit, over straits, over sea (II-MOVE)."""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from shared.board import BOARD
from shared.ids import NO_ARMY, Army, Leader, Seat, Space
from shared.kernel.frames import Action, Emit
from shared.language.sentence import _
from shared.mechanics.armies import army_of, plus, take_by_kind, total, within
from shared.refusal import Refusal
from shared.rulesets.cote2 import events
from shared.rulesets.cote2.actions import Move
from shared.rulesets.cote2.frames import Turn
from shared.rulesets.cote2.obstacles import no_way
from shared.rulesets.cote2.options import each_landing, galley_load
from shared.rulesets.cote2.property import abandon_city, add_army, occupy_city, take_army
from shared.rulesets.cote2.state import GALLEYS, LEADERS, OFF, State, TableFields, is_province, leaders_at, led
from shared.rulesets.cote2.ways import fleets, landings, reach, zones_serving

LISTED = 5
"""Destinations from one province that `options` lists at most."""

Groups = Sequence[tuple[Space, int, int, int]]
Pairs = Sequence[tuple[Leader, Space]]
Zones: TypeAlias = Mapping[Space, Sequence[Space]]


def check_move(table: TableFields, seat: Seat, source: Space, armies: Groups, leaders: Pairs) -> Refusal | None:
    """Check a move (II-MOVE-01 to -06, II-D31, II-D33)."""
    if not is_province(source):
        return Refusal("no-such-space", "II-MOVE-01", "A move begins in a province.")
    if not led(table, seat, source):
        text = _("There is no general and no Caesar of yours in {place}.", place=BOARD.names[source])
        return Refusal("no-leader", "II-MOVE-01", text)
    leaving = NO_ARMY
    for _to, *army in armies:
        leaving = plus(leaving, army)
    if not any(leaving) and not leaders:
        return Refusal("nothing-moves", "II-MOVE-01", "No unit would move.")
    if not within(leaving, army_of(table.units[source], seat)):
        return Refusal(
            "not-so-many", "II-MOVE-01", _("You do not have that many units in {place}.", place=BOARD.names[source])
        )
    moving = [leader for leader, _to in leaders]
    if len(set(moving)) != len(moving) or not set(moving) <= set(leaders_at(table, seat, source)):
        return Refusal(
            "no-such-leader", "II-MOVE-01", _("These are not your leaders in {place}.", place=BOARD.names[source])
        )
    return _check_ways(table, seat, source, armies, leaders)


def _check_ways(table: TableFields, seat: Seat, source: Space, armies: Groups, leaders: Pairs) -> Refusal | None:
    by_land = reach(table, seat, source)
    afloat: dict[Space, int] = {}
    for to, *army in armies:
        if to not in by_land:
            # One destination may be named several times; its groups share the galleys.
            afloat[to] = afloat.get(to, 0) + total(army)
    for _leader, to in leaders:
        if to not in by_land:
            # Leaders are free aboard (II-D31), but still need a galley next to where they land.
            afloat.setdefault(to, 0)
    if not afloat:
        return None
    by_sea = landings(table, seat, source)
    for to in afloat:
        if not is_province(to) or to == source:
            return Refusal("no-such-space", "II-MOVE-02", "A move leads to another province.")
        if to not in by_sea:
            return no_way(table, seat, source, to)
    if not _can_land(table, seat, afloat):
        every = _("to each province") if each_landing(table) else _("in one action")
        text = _("A galley next to where they land carries {most} units {where}.", most=galley_load(table), where=every)
        return Refusal("too-many-aboard", "II-MOVE-04", text)
    return None


def can_serve(demand: Mapping[Space, int], capacity: Mapping[Space, int], zones: Zones) -> bool:
    """Whether units can be shared out: `demand` by province, `capacity` by sea zone, `zones` that serve a province.

    A maximum flow by augmenting paths; there are only a few provinces and zones.
    """
    left = dict(capacity)
    given: dict[tuple[Space, Space], int] = {}
    for province, units in demand.items():
        for _unit in range(units):
            if not _give(province, left, given, zones, set(), demand):
                return False
    return True


def _give(
    province: Space,
    left: dict[Space, int],
    given: dict[tuple[Space, Space], int],
    zones: Zones,
    visited: set[Space],
    demand: Mapping[Space, int],
) -> bool:
    """Find a berth for one more unit, if need be by moving another unit to another zone. False if there is none."""
    for zone in zones[province]:
        if zone in visited or zone not in left:
            continue
        # One visit for each search: without it two full zones would pass a unit to and fro for ever.
        visited.add(zone)
        if left[zone] > 0:
            left[zone] -= 1
            given[province, zone] = given.get((province, zone), 0) + 1
            return True
        for other in demand:
            if given.get((other, zone), 0) and _give(other, left, given, zones, visited, demand):
                given[other, zone] -= 1
                given[province, zone] = given.get((province, zone), 0) + 1
                return True
    return False


def _can_land(table: TableFields, seat: Seat, afloat: Mapping[Space, int]) -> bool:
    """Whether galleys carry so many to each province: all in the action together, or (option) each landing anew."""
    capacity = {zone: galley_load(table) * n for zone, n in fleets(table, seat).items()}
    zones = {to: zones_serving(table, seat, to) for to in afloat}
    if each_landing(table):
        # The same galleys again for each landing, as the option reads the rule (II-D31).
        return all(can_serve({to: number}, capacity, zones) for to, number in afloat.items())
    return can_serve(afloat, capacity, zones)


def room(table: TableFields, seat: Seat, to: Space) -> int:
    """Return the number of units that galleys bring to one province, if they serve no other (II-MOVE-04)."""
    own = table.galley_at[seat * GALLEYS : (seat + 1) * GALLEYS]
    return galley_load(table) * sum([own.count(zone) for zone in zones_serving(table, seat, to)])


def apply_move(state: State, seat: Seat, source: Space, armies: Groups, leaders: Pairs, emit: Emit) -> None:
    """Carry out a checked move."""
    parties: dict[Space, tuple[Army, tuple[Leader, ...]]] = {}
    for to, *counts in armies:
        if any(counts):
            # Groups with one destination are one march: one event, and one question about the city there.
            there, led_there = parties.get(to, (NO_ARMY, ()))
            parties[to] = plus(there, counts), led_there
    for leader, to in leaders:
        there, led_there = parties.get(to, (NO_ARMY, ()))
        parties[to] = there, (*led_there, leader)
    # Few destinations are next to own galleys, so the ways by land are seldom needed.
    afloat = landings(state, seat, source).intersection(parties)
    if afloat:
        afloat -= reach(state, seat, source)
    for to, (army, led_there) in parties.items():
        if any(army):
            take_army(state, seat, source, army)
            add_army(state, seat, to, army)
        for leader in led_there:
            state.leader_at[leader] = to
        emit(events.Marched(seat, source, to, led_there, army, to in afloat))
        occupy_city(state, seat, to, emit)
    # After all parties have left: only then is it known whether any unit stays.
    abandon_city(state, source, emit)


# --- the action ---


def move_check(table: TableFields, _frame: Turn, seat: Seat, action: Move) -> Refusal | None:
    """Check the action `Move`."""
    return check_move(table, seat, action.source, action.armies, action.leaders)


def move_apply(state: State, seat: Seat, action: Move, emit: Emit) -> None:
    """Carry out the action `Move`."""
    apply_move(state, seat, action.source, action.armies, action.leaders, emit)


def move_options(table: TableFields, frame: Turn, seat: Seat) -> list[Action]:
    """Return moves from a province with an own leader to some that can be reached; the choice changes with every
    turn.
    """
    first = seat * LEADERS
    sources = sorted({at for at in table.leader_at[first : first + LEADERS] if at != OFF})
    if not sources:
        return []
    turn = frame.no + frame.left
    # One source and few targets a turn: the full list would have thousands of moves.
    source = sources[turn % len(sources)]
    army = army_of(table.units[source], seat)
    leaders = leaders_at(table, seat, source)
    near = sample(sorted(reach(table, seat, source)), turn)
    return _marches(source, near, army, leaders) + _crossings(table, seat, source, near, army, leaders, turn)


def _marches(source: Space, near: Sequence[Space], army: Army, leaders: Sequence[Leader]) -> list[Action]:
    """Return marches of all units, of one infantry, of a leader; each once, though a leader may be all there is."""
    found: list[Action] = []
    infantry, troops, alone = army[0], any(army), len(leaders) == 1
    for to in near:
        last = ((leaders[-1], to),)
        every = last if alone else tuple([(leader, to) for leader in leaders])
        if troops:
            found.append(Move(source, ((to, *army),), every))
            if infantry:
                found.append(Move(source, ((to, 1, 0, 0),)))
        elif not alone:
            found.append(Move(source, (), every))
        found.append(Move(source, (), last))
    return found


def _crossings(
    table: TableFields,
    seat: Seat,
    source: Space,
    near: Sequence[Space],
    army: Army,
    leaders: Sequence[Leader],
    turn: int,
) -> list[Action]:
    """Return crossings of a leader with as many units as galleys bring ashore, but no march `near` once more."""
    found: list[Action] = []
    for to in sample(sorted(landings(table, seat, source)), turn, 2):
        taken = take_by_kind(army, room(table, seat, to), (0, 1, 2))
        if to in near and taken == army and (len(leaders) == 1 or not any(army)):
            continue
        found.append(Move(source, ((to, *taken),) if any(taken) else (), ((leaders[-1], to),)))
    return found


def sample(found: list[Space], turn: int, most: int = LISTED) -> list[Space]:
    """Return at most `most` of them, others every turn."""
    if len(found) <= most:
        return found
    start = turn * most % len(found)
    return (found + found)[start : start + most]
