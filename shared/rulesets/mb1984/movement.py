"""Action 1, movement: legions, roads, galleys (MB-MOVE, MB-ROAD, MB-SEA)."""

from collections.abc import Iterator, Sequence

from shared.board import BOARD
from shared.ids import NO_ARMY, NONE, Army, Leader, Seat, Space
from shared.kernel.frames import STAY, Action, Emit, Handler, goes_on
from shared.mechanics import marching, roads
from shared.mechanics.armies import greedy, minus, plus, total, within
from shared.mechanics.cells import army_of, has_army, hostile, put_army
from shared.mechanics.marching import Ready
from shared.refusal import Refusal
from shared.rulesets.mb1984 import events
from shared.rulesets.mb1984.actions import EndMovement, March, Sail
from shared.rulesets.mb1984.diplomacy import SIDE, apply_side, check_side, side_options
from shared.rulesets.mb1984.frames import Movement
from shared.rulesets.mb1984.options import GALLEY_LEADERS, steps
from shared.rulesets.mb1984.property import capacity, enter, settle_ground
from shared.rulesets.mb1984.state import (
    ABOARD,
    AT_SEA,
    LEADERS,
    LEGION,
    OFF,
    POINTS,
    State,
    Table,
    enemy_leaders,
    galley_lord,
    leader_lord,
    leaders_at,
)

BEST_FIRST = (2, 1, 0)


def ready(table: Table, seat: Seat, space: Space) -> Ready:
    """Units of the active seat in a province that can still march."""
    return marching.ready(army_of(table.units[space], seat), table.moved[space], table.landed[space])


def road_trip(table: Table, seat: Seat, source: Space) -> set[Space]:
    """Cities that `seat` reaches from `source` by road in one movement (MB-ROAD-03, MB-ROAD-06, MB-D11)."""
    if not table.roads or not table.built[source] or table.owner[source] != seat:
        return set()
    return roads.trip(
        source,
        table.roads,
        lambda space: table.owner[space] == seat and table.built[space] > 0,
        lambda _space: True,
    )


def combat_situation(table: Table, seat: Seat, space: Space, legion: bool) -> bool:
    """Whether who enters must stop: enemy units there, or enemy leaders for an own legion to capture (MB-D06)."""
    cell = table.units[space]
    if hostile(cell, seat):
        return True
    return (legion or has_army(cell, seat)) and bool(enemy_leaders(table, seat, space))


def hostile_zone(table: Table, seat: Seat, zone: Space) -> bool:
    """Whether enemy galleys are in a sea zone (MB-D13)."""
    return zone in table.galley_at and any(
        at == zone and galley_lord(table, galley) != seat for galley, at in enumerate(table.galley_at)
    )


def check_stay(table: Table, seat: Seat, space: Space, leaving: Sequence[Leader], units: Army) -> Refusal | None:
    """Units left behind keep a leader, one for every seven (MB-LEAD-02, MB-LEGION-02, MB-D03, MB-D04)."""
    left = total(army_of(table.units[space], seat)) - total(units)
    if left <= 0:
        return None
    room = capacity(table, seat, space, len(leaders_at(table, seat, space)) - len(leaving))
    if left <= room:
        return None
    if not room:
        text = f"Units left in {BOARD.names[space]} would have no leader: no Caesar, no general, no city of yours."
        return Refusal("left-alone", "MB-LEAD-02", text)
    text = f"{left} units left in {BOARD.names[space]} would need one leader for every {LEGION}."
    return Refusal("too-few-leaders", "MB-LEGION-02", text)


# --- marching ---


def check_march(table: Table, seat: Seat, march: March) -> Refusal | None:
    """MB-MOVE-02 to -05, MB-ROAD-03 to -06, MB-LEAD-02, MB-LEAD-06."""
    source, to = march.source, march.to
    if not (0 <= source < BOARD.provinces and 0 <= to < BOARD.provinces) or source == to:
        return Refusal("no-such-space", "MB-MAP-01", "A march leads from one province to another.")
    refusal = _check_marching_leaders(table, seat, march)
    if refusal is not None:
        return refusal
    infantry, fresh, catapults, tired = ready(table, seat, source)
    units = (march.infantry, march.cavalry, march.catapults)
    if march.tired > march.cavalry or not within(
        (march.infantry, march.cavalry - march.tired, march.catapults), (infantry, fresh, catapults)
    ):
        text = f"Not so many units in {BOARD.names[source]} can still march."
        return Refusal("not-so-many", "MB-MOVE-02", text)
    if march.tired > tired:
        return Refusal("not-so-many", "MB-MOVE-03", "Not so many horsemen there have one movement left.")
    if total(units) > LEGION * len(march.leaders):
        return Refusal("legion-too-large", "MB-LEGION-01", f"A leader leads at most {LEGION} units.")
    if to not in steps(table)[source] and to not in road_trip(table, seat, source):
        text = f"{BOARD.names[to]} is neither next to {BOARD.names[source]} nor joined to it by your roads."
        return Refusal("not-adjacent", "MB-MAP-02", text)
    if not any(units) and hostile(table.units[to], seat):
        return _alone(to)
    return check_stay(table, seat, source, march.leaders, units)


def _alone(space: Space) -> Refusal:
    text = f"Leaders alone cannot attack; there are enemy units in {BOARD.names[space]}."
    return Refusal("leaders-alone", "MB-D02", text)


def _check_marching_leaders(table: Table, seat: Seat, march: March) -> Refusal | None:
    if not march.leaders:
        return Refusal("no-leader", "MB-LEAD-03", "Units march only with a Caesar or a general.")
    if len(set(march.leaders)) != len(march.leaders):
        return Refusal("leader-twice", "MB-LEGION-02", "A leader was named twice.")
    for leader in march.leaders:
        if not _stands(table, seat, leader, march.source):
            text = f"That leader is not yours or not in {BOARD.names[march.source]}."
            return Refusal("no-such-leader", "MB-LEAD-03", text)
        if table.leader_used[leader] == AT_SEA:
            text = "A leader that went aboard or ashore this turn does not march."
            return Refusal("went-by-sea", "MB-SEA-06", text)
        if table.leader_used[leader] >= POINTS:
            return Refusal("no-points", "MB-LEAD-04", "That leader cannot move any further this turn.")
    return None


def _stands(table: Table, seat: Seat, leader: int, space: Space) -> bool:
    """Whether `leader` is a leader of `seat` in that province."""
    return (
        0 <= leader < len(table.leader_at) and table.leader_at[leader] == space and leader_lord(table, leader) == seat
    )


def apply_march(state: State, seat: Seat, march: March, emit: Emit) -> None:
    """Carry out a checked march; an undefended province is conquered on entry (MB-D05)."""
    source, to = march.source, march.to
    units = (march.infantry, march.cavalry, march.catapults)
    stop = combat_situation(state, seat, to, any(units))
    if any(units):
        cell = state.units[source]
        state.units[source] = put_army(cell, seat, minus(army_of(cell, seat), units))
        state.moved[source] = marching.left(state.moved[source], march.tired)
        cell = state.units[to]
        state.units[to] = put_army(cell, seat, plus(army_of(cell, seat), units))
        state.moved[to] = marching.arrived(state.moved[to], units, units[1] if stop else march.tired)
    for leader in march.leaders:
        state.leader_at[leader] = to
        state.leader_used[leader] = POINTS if stop else state.leader_used[leader] + 1
    emit(events.Marched(seat, source, to, march.leaders, units, to not in steps(state)[source]))
    if any(units) and not stop:
        enter(state, seat, to, emit)


# --- sailing ---


def boardable(table: Table, seat: Seat, galley: int, space: Space) -> Army:
    """Units that may go aboard: those that did not move this turn, and those that this galley put ashore
    (MB-SEA-06, MB-SEA-02 c)."""
    infantry, cavalry, catapults, _tired = ready(table, seat, space)
    docked = table.docked[galley]
    if docked and not combat_situation(table, seat, space, True):
        return infantry + docked[1], cavalry + docked[2], catapults + docked[3]
    return infantry, cavalry, catapults


def can_board(table: Table, seat: Seat, galley: int, leader: int) -> bool:
    """Whether a leader in a province may go aboard that galley."""
    if table.leader_used[leader] == 0:
        return True
    return leader in table.docked[galley][4:] and not combat_situation(table, seat, table.leader_at[leader], True)


def check_sail(table: Table, seat: Seat, sail: Sail) -> Refusal | None:
    """MB-SEA-01 to -11, MB-LEAD-02."""
    galley = sail.galley
    if not 0 <= galley < len(table.galley_at) or galley_lord(table, galley) != seat or table.galley_at[galley] == OFF:
        return Refusal("no-such-galley", "MB-SEA-01", "That is no galley of yours on the board.")
    at = table.galley_at[galley]
    if table.galley_used[galley] >= POINTS:
        return _spent(table, at, sail.to)
    boarding = (sail.infantry, sail.cavalry, sail.catapults)
    if BOARD.is_sea(at):
        if sail.leaders or any(boarding):
            return Refusal("at-sea", "MB-SEA-07", "Nobody goes aboard on the open sea.")
        if sail.to in BOARD.coast_seas[at]:
            return None
        if sail.to not in BOARD.landings[at]:
            return Refusal("not-adjacent", "MB-SEA-01", f"{_name(sail.to)} does not touch {BOARD.names[at]}.")
        return _check_landing(table, seat, galley, BOARD.ashore[sail.to])
    if sail.to not in BOARD.coast_seas[at]:
        rule = "MB-SEA-09" if sail.to in BOARD.neighbours[BOARD.ashore[at]] else "MB-SEA-11"
        return Refusal("not-adjacent", rule, f"From {BOARD.where(at)} a galley puts to a sea zone of that coast.")
    docked = table.docked[galley]
    if docked and sail.to != docked[0]:
        text = f"A galley that docked this turn sails back only to {BOARD.names[docked[0]]}."
        return Refusal("not-back", "MB-SEA-10", text)
    return _check_boarding(table, seat, sail, boarding, BOARD.ashore[at])


def _spent(table: Table, at: int, to: int) -> Refusal:
    if BOARD.is_sea(at) and 0 <= to < BOARD.positions and not BOARD.is_sea(to):
        return Refusal("no-points", "MB-SEA-03", "That galley has no movement left to land this turn.")
    return Refusal("no-points", "MB-SEA-01", "That galley cannot move any further this turn.")


def _name(position: int) -> str:
    return BOARD.where(position) if 0 <= position < BOARD.positions else "That place"


def _check_landing(table: Table, seat: Seat, galley: int, space: Space) -> Refusal | None:
    """Only a legion lands on another player's coast; leaders alone attack nobody (MB-D02, MB-D15)."""
    cell = table.units[space]
    if table.cargo[galley] or (has_army(cell, seat) and (ABOARD + galley) not in table.leader_at):
        return None
    if hostile(cell, seat):
        return _alone(space)
    if table.owner[space] not in (NONE, seat) and not has_army(cell, seat):
        text = f"{BOARD.names[space]} is another player's: only a legion lands there."
        return Refusal("enemy-coast", "MB-D15", text)
    return None


def _check_boarding(table: Table, seat: Seat, sail: Sail, boarding: Army, space: Space) -> Refusal | None:
    if any(boarding) and not sail.leaders:
        return Refusal("no-leader", "MB-SEA-05", "Units go aboard only with a Caesar or a general.")
    if len(set(sail.leaders)) != len(sail.leaders):
        return Refusal("leader-twice", "MB-SEA-04", "A leader was named twice.")
    if len(sail.leaders) > 1 and table.options[GALLEY_LEADERS]:
        return Refusal("one-leader", "MB-D36", "At this table a galley carries only one leader.")
    for leader in sail.leaders:
        if not _stands(table, seat, leader, space):
            text = f"That leader is not yours or not in {BOARD.names[space]}."
            return Refusal("no-such-leader", "MB-SEA-05", text)
        if not can_board(table, seat, sail.galley, leader):
            text = "A leader that moved this turn cannot go aboard."
            return Refusal("marched", "MB-SEA-06", text)
    if total(boarding) > LEGION:
        return Refusal("galley-full", "MB-SEA-04", f"A galley carries at most {LEGION} units.")
    if not within(boarding, boardable(table, seat, sail.galley, space)):
        text = "Not so many units there can go aboard; those that moved this turn cannot."
        return Refusal("not-so-many", "MB-SEA-06", text)
    return check_stay(table, seat, space, sail.leaders, boarding)


def apply_sail(state: State, seat: Seat, sail: Sail, emit: Emit) -> None:
    """Carry out a checked sail; enemy galleys in the zone stop it (MB-D13)."""
    galley, at, to = sail.galley, state.galley_at[sail.galley], sail.to
    army = (sail.infantry, sail.cavalry, sail.catapults)
    leaders = sail.leaders
    if BOARD.is_sea(at):
        leaders = leaders_at(state, seat, ABOARD + galley)
        cargo = state.cargo[galley]
        army = (cargo[0], cargo[1], cargo[2]) if cargo else NO_ARMY
    else:
        _embark(state, seat, galley, BOARD.ashore[at], leaders, army)
    state.galley_at[galley] = to
    stop = BOARD.is_sea(to) and hostile_zone(state, seat, to)
    state.galley_used[galley] = POINTS if stop else state.galley_used[galley] + 1
    emit(events.Sailed(seat, galley, at, to, leaders, army))
    if not BOARD.is_sea(to):
        _land(state, seat, galley, at, BOARD.ashore[to], leaders, army, emit)


def _embark(state: State, seat: Seat, galley: int, space: Space, leaders: tuple[int, ...], army: Army) -> None:
    """Units that this galley put ashore go first: they can do nothing else any more."""
    docked, state.docked[galley] = state.docked[galley], ()
    for leader in leaders:
        state.leader_at[leader] = ABOARD + galley
        state.leader_used[leader] = AT_SEA
    if not any(army):
        return
    if docked and any(docked[1:4]):
        landed = state.landed[space]
        rest = [landed[k] - min(docked[k + 1], army[k]) for k in range(3)]
        state.landed[space] = tuple(rest) if any(rest) else ()
    cell = state.units[space]
    state.units[space] = put_army(cell, seat, minus(army_of(cell, seat), army))
    state.cargo[galley] = army


def _land(
    state: State, seat: Seat, galley: int, zone: Space, space: Space, leaders: tuple[int, ...], army: Army, emit: Emit
) -> None:
    """Whoever was aboard is ashore (MB-D16); an undefended province is conquered (MB-D05)."""
    state.docked[galley] = (zone, *army, *leaders)
    for leader in leaders:
        state.leader_at[leader] = space
        state.leader_used[leader] = AT_SEA
    if not any(army):
        return
    stop = combat_situation(state, seat, space, True)
    cell = state.units[space]
    state.units[space] = put_army(cell, seat, plus(army_of(cell, seat), army))
    state.landed[space] = plus(state.landed[space] or NO_ARMY, army)
    state.cargo[galley] = ()
    if not stop:
        enter(state, seat, space, emit)


# --- the end of movement ---


def forget_movement(state: State) -> None:
    """Movements are of no interest after the action; only who came ashore matters in battle (MB-RETREAT-04)."""
    state.moved = [()] * BOARD.provinces
    state.landed = [()] * BOARD.provinces
    state.leader_used = [0] * len(state.leader_used)
    state.galley_used = [0] * len(state.galley_used)
    state.docked = [()] * len(state.docked)


# --- the frame ---


def _owed(_table: Table, frame: Movement) -> tuple[Seat, ...]:
    return (frame.seat,)


def _check(table: Table, _frame: Movement, seat: Seat, action: Action) -> Refusal | None:
    if isinstance(action, March):
        return check_march(table, seat, action)
    if isinstance(action, Sail):
        return check_sail(table, seat, action)
    if isinstance(action, EndMovement):
        return None
    if isinstance(action, SIDE):
        return check_side(table, seat, action)
    return Refusal("wrong-action", "MB-TURN-01", "It is the movement action: march, sail, or end the movement.")


def _apply(state: State, _frame: Movement, seat: Seat, action: Action, emit: Emit) -> object:
    if isinstance(action, March):
        apply_march(state, seat, action, emit)
        return STAY
    if isinstance(action, Sail):
        apply_sail(state, seat, action, emit)
        return STAY
    if isinstance(action, SIDE):
        return apply_side(state, seat, action, emit)
    landed = state.landed
    forget_movement(state)
    state.landed = landed
    settle_ground(state, seat, range(BOARD.provinces), emit)
    return True


def _options(table: Table, _frame: Movement, seat: Seat) -> list[Action]:
    found: list[Action] = [EndMovement()]
    groups: dict[int, list[int]] = {}
    for leader, at in enumerate(table.leader_at):
        if at < BOARD.provinces and table.lord[leader // LEADERS] == seat:
            groups.setdefault(at, []).append(leader)
    for space, leaders in groups.items():
        fresh = [leader for leader in leaders if table.leader_used[leader] < POINTS]
        if fresh:
            _march_options(table, seat, space, fresh, len(leaders), found)
    seen: set[tuple[int, int]] = set()
    for galley, at in enumerate(table.galley_at):
        if at < BOARD.positions and table.galley_used[galley] < POINTS and galley_lord(table, galley) == seat:
            alike = not table.docked[galley] and (ABOARD + galley) not in table.leader_at
            key = (at, table.galley_used[galley] - POINTS if alike else galley)
            if key not in seen:
                seen.add(key)
                found += _sail_options(table, seat, galley, at)
    found += side_options(table, seat)
    return found


def _march_options(
    table: Table, seat: Seat, space: Space, fresh: list[int], present: int, found: list[Action]
) -> None:
    """A general, and the Caesar: with a full load, a light column, alone; two legions where there are more units."""
    cell = table.units[space]
    columns: list[tuple[tuple[int, ...], Army, int]] = []
    units = total(army_of(cell, seat)) if cell else 0
    one = capacity(table, seat, space, present - 1)
    first, last = fresh[:1], fresh[-1:]
    guides = [tuple(last)] if fresh[0] % LEADERS or len(fresh) == 1 else [tuple(first), tuple(last)]
    if units:
        here = ready(table, seat, space)
        load, tired = _load(here, LEGION)
        light, light_tired = _load(here, min(LEGION, max(1, sum(here) // 2)))
        if any(load) and units - total(load) <= one:
            columns += [(guide, load, tired) for guide in guides]
        if light != load and units - total(light) <= one:
            columns += [(guide, light, light_tired) for guide in guides]
        if sum(here) > LEGION and len(fresh) > 1:
            more, more_tired = _load(here, 2 * LEGION)
            if units - total(more) <= capacity(table, seat, space, present - 2):
                columns.append((tuple(fresh[-2:]), more, more_tired))
    alone = [(guide, NO_ARMY, 0) for guide in guides] if units <= one else []
    targets: Sequence[Space] = steps(table)[space]
    if table.roads and table.built[space]:
        targets = sorted({*targets, *road_trip(table, seat, space)})
    for to in targets:
        enemy = table.units[to]
        for led, (infantry, cavalry, catapults), worn in columns if hostile(enemy, seat) else columns + alone:
            found.append(March(space, to, led, infantry, cavalry, catapults, worn))


def _load(here: Ready, size: int) -> tuple[Army, int]:
    """The strongest `size` units that can march, and how many of the horsemen are tired."""
    army = greedy((here[0], here[1] + here[3], here[2]), size, BEST_FIRST)
    return army, max(0, army[1] - here[1])


def _sail_options(table: Table, seat: Seat, galley: int, at: int) -> Iterator[Action]:
    if BOARD.is_sea(at):
        for to in BOARD.coast_seas[at]:
            yield Sail(galley, to)
        for to in BOARD.landings[at]:
            if _check_landing(table, seat, galley, BOARD.ashore[to]) is None:
                yield Sail(galley, to)
        return
    space = BOARD.ashore[at]
    crew = [x for x in leaders_at(table, seat, space) if can_board(table, seat, galley, x)]
    army = greedy(boardable(table, seat, galley, space), LEGION, BEST_FIRST)
    docked = table.docked[galley]
    manned = bool(crew) and check_stay(table, seat, space, crew[-1:], army) is None
    for to in docked[:1] or BOARD.coast_seas[at]:
        yield Sail(galley, to)
        if manned:
            yield Sail(galley, to, (crew[-1],), *army)


def _default(_table: Table, _frame: Movement, _seat: Seat) -> Action:
    return EndMovement()


MOVEMENT: Handler[Table, State] = Handler(_owed, _options, _check, _apply, _default, goes_on)
