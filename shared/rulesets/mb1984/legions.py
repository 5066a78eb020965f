"""Action 1 on land: legions and roads (MB-LEAD, MB-LEGION, MB-MOVE, MB-ROAD)."""

from collections.abc import Mapping, Sequence
from functools import lru_cache

from shared.board import BOARD
from shared.ids import NO_ARMY, Army, Leader, Seat, Space
from shared.kernel.frames import Action, Emit
from shared.language.sentence import _
from shared.mechanics import armies, marching, roads
from shared.mechanics.armies import army_of, total, units_words, with_army, within, without_army
from shared.mechanics.marching import Ready
from shared.refusal import Refusal
from shared.rulesets.conquest.pieces import LEGION, POINTS, leaders_at, ready
from shared.rulesets.mb1984 import refusals
from shared.rulesets.mb1984.actions import March
from shared.rulesets.mb1984.contact import barred, combat_situation
from shared.rulesets.mb1984.options import steps
from shared.rulesets.mb1984.property import capacity, enter
from shared.rulesets.mb1984.table import LEADERS, State, TableFields
from shared.vocabulary import events


def road_trip(table: TableFields, seat: Seat, source: Space) -> set[Space]:
    """Return the cities that `seat` reaches from `source` by road in one movement (MB-ROAD-03, MB-ROAD-06, MB-D11)."""
    if not table.roads or not table.built[source] or table.owner[source] != seat:
        return set()
    return roads.reachable_cities(
        source,
        table.roads,
        lambda space: table.owner[space] == seat and table.built[space] > 0,
        # A trip touches only its two ends (MB-D11), so enemies on the way do not stop it, unlike in Classic.
        lambda _space: True,
    )


def check_stay(table: TableFields, seat: Seat, space: Space, leaving: Sequence[Leader], units: Army) -> Refusal | None:
    """Check that units left behind keep a leader, one for every seven (MB-LEAD-02, MB-LEGION-02, MB-D03, MB-D04)."""
    left = total(army_of(table.units[space], seat)) - total(units)
    if left <= 0:
        return None
    room = capacity(table, seat, space, len(leaders_at(table, seat, space)) - len(leaving))
    if left <= room:
        return None
    if not room:
        text = _(
            "Units left in {place} would have no leader: no Caesar, no general, no city of yours.",
            place=BOARD.names[space],
        )
        return Refusal("left-alone", "MB-LEAD-02", text)
    text = _(
        "{units} left in {place} would need one leader for every {most}.",
        units=units_words(left),
        place=BOARD.names[space],
        most=LEGION,
    )
    return Refusal("too-few-leaders", "MB-LEGION-02", text)


def check_march(table: TableFields, seat: Seat, march: March) -> Refusal | None:
    """Check a march (MB-MOVE-02 to -05, MB-ROAD-03 to -06, MB-LEAD-02, MB-LEAD-06)."""
    source, to = march.source, march.to
    units = (march.infantry, march.cavalry, march.catapults)
    refusal = _check_spaces(source, to) or _check_leaders(table, seat, march) or _check_units(table, seat, march)
    if refusal is not None:
        return refusal
    if total(units) > LEGION * len(march.leaders):
        return Refusal("legion-too-large", "MB-LEGION-01", _("A leader leads at most {most} units.", most=LEGION))
    if to not in steps(table)[source] and to not in road_trip(table, seat, source):
        return refusals.apart(table, seat, source, to)
    if not any(units) and barred(table, seat, to):
        return refusals.leaders_without_units(table, seat, to)
    return check_stay(table, seat, source, march.leaders, units)


def _check_spaces(source: Space, to: Space) -> Refusal | None:
    if BOARD.is_sea(to):
        return Refusal("not-on-foot", "MB-SEA-07", "On the sea a legion is aboard a galley.")
    if not (0 <= source < BOARD.provinces and 0 <= to < BOARD.provinces) or source == to:
        return Refusal("no-such-space", "MB-MAP-01", "A march leads from one province to another.")
    return None


def _check_leaders(table: TableFields, seat: Seat, march: March) -> Refusal | None:
    if not march.leaders:
        return Refusal("no-leader", "MB-LEAD-03", "Units march only with a Caesar or a general.")
    if len(set(march.leaders)) != len(march.leaders):
        return Refusal("leader-twice", "MB-LEGION-02", "A leader was named twice.")
    for leader in march.leaders:
        if leader not in leaders_at(table, seat, march.source):
            text = _("That leader is not yours or not in {place}.", place=BOARD.names[march.source])
            return Refusal("no-such-leader", "MB-LEAD-03", text)
        refusal = refusals.halted(table, seat, leader)
        if refusal is not None:
            return refusal
    return None


def _check_units(table: TableFields, seat: Seat, march: March) -> Refusal | None:
    here = ready(table, seat, march.source)
    infantry, fresh, catapults, tired = here
    standing = (march.infantry, march.cavalry - march.tired, march.catapults)
    if within(standing, (infantry, fresh, catapults)) and march.tired <= tired:
        return None
    units = (march.infantry, march.cavalry, march.catapults)
    return refusals.not_so_many(table, seat, march.source, units, here)


def apply_march(state: State, seat: Seat, march: March, emit: Emit) -> None:
    """Carry out a checked march; an undefended province is conquered on entry (MB-D05)."""
    source, to = march.source, march.to
    units = (march.infantry, march.cavalry, march.catapults)
    # Asked before the pieces arrive: afterwards the own army would count as a legion to join.
    stop = combat_situation(state, seat, to, any(units))
    if any(units):
        state.units[source] = without_army(state.units[source], seat, units)
        state.moved[source] = marching.after_departure(state.moved[source], march.tired)
        state.units[to] = with_army(state.units[to], seat, units)
        state.moved[to] = marching.after_arrival(state.moved[to], units, units[1] if stop else march.tired)
    for leader in march.leaders:
        state.leader_at[leader] = to
        state.leader_used[leader] = POINTS if stop else state.leader_used[leader] + 1
    emit(events.Marched(seat, source, to, march.leaders, units, to not in steps(state)[source]))
    if any(units) and not stop:
        enter(state, seat, to, emit)


def march_options(table: TableFields, seat: Seat, gathered: Mapping[int, Sequence[Leader]]) -> list[Action]:
    """Return marches of leaders from the provinces where they are `gathered`, to wherever they can go."""
    found: list[Action] = []
    near, units, used, provinces = steps(table), table.units, table.leader_used, BOARD.provinces
    for space, leaders in gathered.items():
        fresh = tuple([leader for leader in leaders if used[leader] < POINTS]) if space < provinces else ()
        if fresh:
            targets = near[space]
            if table.roads and table.built[space]:
                targets = tuple(sorted({*targets, *road_trip(table, seat, space)}))
            shut = tuple([to for to in targets if units[to] and barred(table, seat, to)])
            room = capacity(table, seat, space, len(leaders))
            tallies = table.moved[space], table.landed[space]
            found += _marches(seat, space, fresh, units[space], *tallies, room, targets, shut)
    return found


@lru_cache(maxsize=2048)
def _marches(
    seat: Seat,
    space: Space,
    fresh: tuple[Leader, ...],
    cell: armies.Cell,
    moved: tuple[int, ...],
    landed: tuple[int, ...],
    room: int,
    targets: Sequence[Space],
    shut: Sequence[Space],
) -> tuple[March, ...]:
    """Return marches of a general, and of the Caesar: with a full load, with a light column, alone.

    Two legions set out if there are more units. Cached, because few provinces change from one decision to the next.
    `room` is the `capacity`, all leaders counted; leaders alone cannot go where it is `shut`.
    """
    army = army_of(cell, seat)
    here = marching.ready(army, moved, landed)
    # A leader who leaves takes room for seven along: a column must take at least `idle + LEGION` units (MB-D03).
    idle = total(army) - room
    # The Caesar has the lowest number of its colour. Generals are alike, so one of them stands for all.
    guides = [fresh[:1], fresh[-1:]] if fresh[0] % LEADERS == 0 and len(fresh) > 1 else [fresh[-1:]]
    columns = [(guide, *load) for load in _loads_of_leader(here) for guide in guides if idle + LEGION <= total(load[0])]
    if sum(here) > LEGION and len(fresh) > 1:
        more = marching.load(here, 2 * LEGION)
        columns += [(fresh[-2:], *more)] if idle + 2 * LEGION <= total(more[0]) else []
    alone = [(guide, NO_ARMY, 0) for guide in guides] if idle + LEGION <= 0 else []
    return tuple(
        [
            March(space, to, led, *units, tired)
            for to in targets
            for led, units, tired in (columns if to in shut else columns + alone)
        ]
    )


def _loads_of_leader(here: Ready) -> list[tuple[Army, int]]:
    """Return a leader's full load and a light column, each with the number of its tired cavalry."""
    if not any(here):
        return []
    full, light = marching.load(here, LEGION), marching.load(here, min(LEGION, max(1, sum(here) // 2)))
    return [full] if light[0] == full[0] else [full, light]
