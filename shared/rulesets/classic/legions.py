"""Phase 1 on land: legions and roads (CL-MOVE, CL-ROAD)."""

from collections.abc import Sequence
from functools import lru_cache, partial

from shared.board import BOARD
from shared.ids import NO_ARMY, Army, Leader, Seat, Space
from shared.kernel.frames import Action, Emit
from shared.language.sentence import _
from shared.mechanics import armies, marching, roads
from shared.mechanics.armies import army_of, has_army, minus, plus, total, with_army, within, without_army
from shared.mechanics.marching import Ready
from shared.mechanics.pieces import AT_SEA
from shared.mechanics.standings import troops
from shared.refusal import Refusal
from shared.rulesets.classic.actions import March
from shared.rulesets.classic.options import steps
from shared.rulesets.classic.table import State, TableFields
from shared.rulesets.conquest.pieces import LEGION, POINTS, can_march, leaders_at, ready
from shared.vocabulary import events


def hostile(table: TableFields, seat: Seat, space: Space) -> bool:
    """Whether another player's land units stand there."""
    return armies.hostile(table.units[space], seat)


def road_trip(table: TableFields, seat: Seat, source: Space) -> set[Space]:
    """Return the cities that `seat` reaches from `source` by road for one point (CL-ROAD-02, CL-ROAD-04, CL-D20)."""
    if not table.roads:
        return set()
    return roads.reachable_cities(
        source, table.roads, partial(_own_city, table, seat), lambda space: not hostile(table, seat, space)
    )


def _own_city(table: TableFields, seat: Seat, space: Space) -> bool:
    return table.owner[space] == seat and table.built[space] > 0


# --- checks ---


def check_march(table: TableFields, seat: Seat, march: March) -> Refusal | None:
    """Check a march (CL-MOVE-01 to -05, CL-ROAD-01 to -04, CL-LEAD-02, CL-LEAD-03)."""
    source, to = march.source, march.to
    if not (_is_land(source) and _is_land(to)) or source == to:
        return Refusal("no-such-space", "CL-MAP-01", "A march leads from one province to another.")
    return (
        _check_leaders(table, seat, march)
        or _check_units(table, seat, source, units_of(march), march.tired)
        or _check_size(units_of(march), march.leaders)
        or (_check_trip(table, seat, march) if march.drops else _check_step(table, seat, march))
    )


def units_of(march: March) -> Army:
    """Return the units that set out."""
    return march.infantry, march.cavalry, march.catapults


def _is_land(space: Space) -> bool:
    return 0 <= space < BOARD.provinces


def _check_leaders(table: TableFields, seat: Seat, march: March) -> Refusal | None:
    if not march.leaders:
        return Refusal("no-leader", "CL-LEAD-02", "Units march only with a leader.")
    if len(set(march.leaders)) != len(march.leaders):
        return Refusal("leader-twice", "CL-MOVE-02", "A leader was named twice.")
    refusals = (_check_leader(table, seat, march.source, leader) for leader in march.leaders)
    return next(filter(None, refusals), None)


def _check_leader(table: TableFields, seat: Seat, space: Space, leader: Leader) -> Refusal | None:
    if leader not in leaders_at(table, seat, space):
        return Refusal(
            "no-such-leader", "CL-LEAD-02", _("That leader is not yours or not in {place}.", place=BOARD.names[space])
        )
    if table.leader_used[leader] == AT_SEA:
        return Refusal("went-by-sea", "CL-SEA-04", "A leader that went aboard or ashore this turn does not march.")
    if can_march(table, leader):
        return None
    if hostile(table, seat, space):
        return in_contact(table, seat, space)
    return Refusal("no-points", "CL-MOVE-03", "That leader has no movement points left.")


def in_contact(table: TableFields, seat: Seat, space: Space) -> Refusal:
    """Return the refusal of a march by units that met the enemy: they must stay (CL-MOVE-05)."""
    text = _(
        "{enemies} are in {place}: pieces that met them stay for the turn.",
        enemies=troops(table, seat, space),
        place=BOARD.names[space],
    )
    return Refusal("in-contact", "CL-MOVE-05", text)


def _check_units(table: TableFields, seat: Seat, space: Space, units: Army, tired: int) -> Refusal | None:
    """Check that these can march from there, `tired` of the cavalry with their second step."""
    infantry, fresh, catapults, weary = ready(table, seat, space)
    if tired > min(weary, units[1]):
        return Refusal("not-so-many", "CL-MOVE-03", "Not enough horsemen there have one point left.")
    if within((units[0], units[1] - tired, units[2]), (infantry, fresh, catapults)):
        return None
    return _not_so_many(table, seat, space, units)


def _not_so_many(table: TableFields, seat: Seat, space: Space, units: Army) -> Refusal:
    """Return the reason why these units, or some of them, do not march from there."""
    name = BOARD.names[space]
    if not within(units, army_of(table.units[space], seat)):
        return Refusal("not-so-many", "CL-MOVE-02", _("You do not have that many units in {place}.", place=name))
    infantry, fresh, catapults, weary = ready(table, seat, space)
    if within(units, plus((infantry, fresh + weary, catapults), table.landed[space] or NO_ARMY)):
        if not within(units, (infantry, fresh + weary, catapults)):
            return Refusal(
                "went-by-sea", "CL-SEA-04", _("Units that came ashore in {place} this turn do not march.", place=name)
            )
        return Refusal(
            "not-so-many", "CL-MOVE-03", _("Not enough horsemen in {place} have both points left.", place=name)
        )
    if hostile(table, seat, space):
        return in_contact(table, seat, space)
    return Refusal("no-points", "CL-MOVE-03", _("Not enough units in {place} have movement points left.", place=name))


def _check_size(units: Army, leaders: Sequence[Leader]) -> Refusal | None:
    if total(units) <= LEGION * len(leaders):
        return None
    return Refusal("legion-too-large", "CL-MOVE-02", _("A leader leads at most {most} units.", most=LEGION))


def _check_step(table: TableFields, seat: Seat, march: March) -> Refusal | None:
    if march.to not in steps(table)[march.source] and march.to not in road_trip(table, seat, march.source):
        return _no_way(table, seat, march.source, march.to)
    return check_arrival(table, seat, march.to, units_of(march))


def _no_way(table: TableFields, seat: Seat, source: Space, to: Space) -> Refusal:
    """Return what bars the way: enemies on own roads (by name), cities of others, or that there is no way."""
    barrier = _barrier(table, seat, source, to)
    if barrier is not None:
        return _blocked(table, seat, barrier)
    # Asked again as if all cities were open, to find out whether only their owners are in the way.
    if to in roads.reachable_cities(source, table.roads, _is_any_space, _is_any_space):
        return Refusal(
            "no-road",
            "CL-ROAD-04",
            _("The roads to {place} lead through cities that are not yours.", place=BOARD.names[to]),
        )
    text = _(
        "{to} is neither next to {place} nor joined to it by your roads.", to=BOARD.names[to], place=BOARD.names[source]
    )
    return Refusal("not-adjacent", "CL-MAP-01", text)


def _blocked(table: TableFields, seat: Seat, space: Space) -> Refusal:
    text = _(
        "{enemies} in {place} stop a journey by road.", enemies=troops(table, seat, space), place=BOARD.names[space]
    )
    return Refusal("road-blocked", "CL-MOVE-05", text)


def _barrier(table: TableFields, seat: Seat, source: Space, to: Space) -> Space | None:
    """Return the nearest own city with enemy units from which own roads would lead on; None if there is none."""
    own = partial(_own_city, table, seat)
    for space in sorted(road_trip(table, seat, source)):
        if hostile(table, seat, space) and to in roads.reachable_cities(space, table.roads, own, _is_any_space):
            return space
    return None


def _is_any_space(_space: Space) -> bool:
    return True


def check_arrival(table: TableFields, seat: Seat, to: Space, units: Army) -> Refusal | None:
    """Check an arrival: leaders alone enter an enemy army's province only if an own army fights there (CL-LEAD-03,
    CL-H01).
    """
    if not any(units) and hostile(table, seat, to) and not has_army(table.units[to], seat):
        text = _(
            "{enemies} are in {place}; leaders alone cannot attack.",
            enemies=troops(table, seat, to),
            place=BOARD.names[to],
        )
        return Refusal("leaders-alone", "CL-LEAD-03", text)
    return None


def _check_trip(table: TableFields, seat: Seat, march: March) -> Refusal | None:
    """Check a road trip that drops or collects units on its way (CL-MOVE-04, CL-MOVE-EX2)."""
    here, carried = march.source, units_of(march)
    taken: dict[Space, Army] = {}
    for space, *drop in march.drops:
        carried = minus(carried, drop)
        # Summed over the trip: a city may be visited twice, and its units collected once.
        taken[space] = plus(taken.get(space, NO_ARMY), _units_picked_up(drop))
        refusal = (
            _check_stop(table, seat, march.source, here, space)
            or _check_exchange(table, seat, space, carried, taken[space])
            or _check_size(carried, march.leaders)
        )
        if refusal is not None:
            return refusal
        here = space
    if march.to != here and march.to not in road_trip(table, seat, here):
        return _no_road(table, seat, here, march.to)
    return check_arrival(table, seat, march.to, carried)


def _check_stop(table: TableFields, seat: Seat, source: Space, here: Space, space: Space) -> Refusal | None:
    """Check a stop on the way from `here`, in a city from which the journey goes on."""
    if not _is_land(space) or space == source:
        return Refusal("no-road", "CL-ROAD-02", "Units are dropped and collected in cities on the way.")
    if space not in road_trip(table, seat, here):
        return _no_road(table, seat, here, space)
    if hostile(table, seat, space):
        return _blocked(table, seat, space)
    return None


def _no_road(table: TableFields, seat: Seat, here: Space, to: Space) -> Refusal:
    refusal = _no_way(table, seat, here, to)
    # The general refusal speaks of neighbours as well, which is no help on a road trip.
    if refusal.rule != "CL-MAP-01":
        return refusal
    return Refusal(
        "no-road",
        "CL-ROAD-02",
        _("No road of yours leads from {place} to {to}.", place=BOARD.names[here], to=BOARD.names[to]),
    )


def _check_exchange(table: TableFields, seat: Seat, space: Space, carried: Army, taken: Army) -> Refusal | None:
    """Check an exchange of units; `carried`: those left after a stop, `taken`: those collected there."""
    if min(carried) < 0:
        return Refusal("not-so-many", "CL-MOVE-04", _("Not enough units to drop in {place}.", place=BOARD.names[space]))
    return _check_units(table, seat, space, taken, 0)


def _units_picked_up(drop: Sequence[int]) -> Army:
    """Return the units that are picked up at a stop: its negative numbers."""
    return max(0, -drop[0]), max(0, -drop[1]), max(0, -drop[2])


def _dropped(drop: Sequence[int]) -> Army:
    """Return the units that are left at a stop: its positive numbers."""
    return max(0, drop[0]), max(0, drop[1]), max(0, drop[2])


# --- effects ---


def apply_march(state: State, seat: Seat, march: March, emit: Emit) -> None:
    """Carry out a checked march."""
    carried, tired = units_of(march), march.tired
    _leave(state, seat, march.source, carried, tired)
    for space, *drop in march.drops:
        # Tired cavalry is left first (CL-H04).
        spent = min(tired, max(0, drop[1]))
        _leave(state, seat, space, _units_picked_up(drop), 0)
        _arrive(state, seat, space, _dropped(drop), spent)
        tired -= spent
        carried = minus(carried, drop)
    # Before the arrival, while only others stand there. Contact costs all points (CL-MOVE-05).
    enemy = hostile(state, seat, march.to)
    _arrive(state, seat, march.to, carried, carried[1] if enemy else tired)
    for leader in march.leaders:
        state.leader_at[leader] = march.to
        state.leader_used[leader] = POINTS if enemy else state.leader_used[leader] + 1
    # A step to a neighbour is never by road unless it stopped on the way: both cost one point.
    by_road = bool(march.drops) or march.to not in steps(state)[march.source]
    emit(events.Marched(seat, march.source, march.to, march.leaders, units_of(march), by_road))


def _leave(state: State, seat: Seat, space: Space, army: Army, tired: int) -> None:
    if not any(army):
        return
    state.units[space] = without_army(state.units[space], seat, army)
    state.moved[space] = marching.after_departure(state.moved[space], tired)


def _arrive(state: State, seat: Seat, space: Space, army: Army, spent: int) -> None:
    """Record that `army` marched in; `spent` of its cavalry have no point left."""
    if not any(army):
        return
    state.units[space] = with_army(state.units[space], seat, army)
    state.moved[space] = marching.after_arrival(state.moved[space], army, spent)


# --- suggested actions ---


def march_options(table: TableFields, seat: Seat, space: Space, leaders: Sequence[Leader]) -> Sequence[Action]:
    """Return marches of these leaders from a province, to wherever they can go."""
    targets = steps(table)[space]
    if table.roads and _own_city(table, seat, space):
        targets = tuple(sorted(road_trip(table, seat, space).union(targets)))
    units = table.units
    shut = tuple([to for to in targets if units[to] and seat not in units[to][::4]])
    here = ready(table, seat, space)
    # Two leaders at most: they lead both legions that are suggested, and the cache needs few keys.
    return _marches(space, tuple(leaders[:2]), here, targets, shut)


@lru_cache(maxsize=2048)
def _marches(
    space: Space, leaders: tuple[Leader, ...], here: Ready, targets: Sequence[Space], shut: Sequence[Space]
) -> tuple[March, ...]:
    """Return marches to every target: a full load, a light column, and leaders alone (not where it is `shut`).

    Two legions set out if there are more units. Cached, because few provinces change from one decision to the next.
    """
    alone: tuple[tuple[Leader, ...], int, int, int, int] = (leaders[:1], 0, 0, 0, 0)
    columns = _columns(here, leaders)
    # Leaders alone do not enter an enemy army's province (CL-H01), so `shut` has no march of theirs.
    return tuple(
        [March(space, to, *column) for to in targets for column in (columns if to in shut else [*columns, alone])]
    )


def _columns(here: Ready, leaders: tuple[Leader, ...]) -> list[tuple[tuple[Leader, ...], int, int, int, int]]:
    """Return leaders, infantry, cavalry, catapults and tired cavalry of the legions that set out from a province."""
    most = sum(here)
    if not most:
        return []
    full = leaders[:1], *_column(here, LEGION)
    light = leaders[:1], *_column(here, min(LEGION, max(1, most // 2)))
    columns = [full] if light == full else [full, light]
    if most > LEGION and len(leaders) > 1:
        columns.append((leaders, *_column(here, 2 * LEGION)))
    return columns


def _column(here: Ready, size: int) -> tuple[int, int, int, int]:
    """Return the strongest units that can march, and the number of tired cavalry: fields of a `March`."""
    army, tired = marching.load(here, size)
    return *army, tired
