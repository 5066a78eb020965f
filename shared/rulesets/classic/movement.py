"""Phase 1, movement: legions, roads, straits, galleys (CL-MOVE, CL-ROAD, CL-SEA)."""

from collections.abc import Iterable, Sequence
from functools import cache, lru_cache

from shared.board import BOARD
from shared.ids import NO_ARMY, Army, Seat, Space
from shared.kernel.chance import never
from shared.kernel.frames import STAY, Action, Emit, Handler
from shared.mechanics import cells, galleys, marching, pairs, roads
from shared.mechanics.armies import greedy, minus, plus, total, within
from shared.mechanics.cells import army_of, enemies_in, has_army, joined, parted
from shared.mechanics.marching import BEST_FIRST, Ready
from shared.refusal import Refusal
from shared.rulesets.classic import events
from shared.rulesets.classic.actions import EndMovement, March, Sail
from shared.rulesets.classic.frames import Movement
from shared.rulesets.classic.options import steps
from shared.rulesets.classic.state import (
    ABOARD,
    AT_SEA,
    GALLEYS,
    LEADERS,
    State,
    Table,
    galley_lord,
    leaders_at,
    own,
)
from shared.vocabulary.frames import seat_owes

LEGION = 7
"""Land units one leader leads on the move (CL-MOVE-02), and one galley carries (CL-SEA-03)."""
POINTS = 2
"""Movement points of leaders, cavalry and galleys; infantry and catapults have one (CL-UNIT-01 to -09)."""


def ready(table: Table, seat: Seat, space: Space) -> Ready:
    """Units of the active seat in a province that can still march."""
    return marching.ready(army_of(table.units[space], seat), table.moved[space], table.landed[space])


def hostile(table: Table, seat: Seat, space: Space) -> bool:
    """Whether another player's land units stand there."""
    return cells.hostile(table.units[space], seat)


def road_trip(table: Table, seat: Seat, source: Space) -> set[Space]:
    """Cities that `seat` reaches from `source` by road for one point (CL-ROAD-02, CL-ROAD-04, CL-D20)."""
    if not table.roads:
        return set()
    return roads.trip(
        source,
        table.roads,
        lambda space: table.owner[space] == seat and table.built[space] > 0,
        lambda space: not hostile(table, seat, space),
    )


def can_march(table: Table, leader: int) -> bool:
    """Whether a leader has a movement point left for land (CL-SEA-04: none after going aboard or ashore)."""
    return table.leader_used[leader] < POINTS


def boardable(table: Table, seat: Seat, space: Space) -> Army:
    """Units that may go aboard: those that did not march this turn (CL-SEA-04, CL-MOVE-05)."""
    infantry, cavalry, catapults, _tired = ready(table, seat, space)
    landed = table.landed[space]
    if landed and not hostile(table, seat, space):
        return infantry + landed[0], cavalry + landed[1], catapults + landed[2]
    return infantry, cavalry, catapults


def can_board(table: Table, seat: Seat, leader: int) -> bool:
    """Whether a leader in a province may go aboard."""
    used = table.leader_used[leader]
    return used == 0 or (used == AT_SEA and not hostile(table, seat, table.leader_at[leader]))


# --- marching ---


def check_march(table: Table, seat: Seat, march: March) -> Refusal | None:
    """CL-MOVE-01 to -05, CL-ROAD-01 to -04, CL-LEAD-02, CL-LEAD-03."""
    source, to = march.source, march.to
    if not (0 <= source < BOARD.provinces and 0 <= to < BOARD.provinces) or source == to:
        return Refusal("no-such-space", "CL-MOVE-03", "A march leads from one province to another.")
    refusal = _check_marching_leaders(table, seat, march)
    if refusal is not None:
        return refusal
    infantry, fresh, catapults, tired = ready(table, seat, source)
    units = (march.infantry, march.cavalry, march.catapults)
    if not within((march.infantry, march.cavalry - march.tired, march.catapults), (infantry, fresh, catapults)):
        text = f"Not so many units in {BOARD.names[source]} can still march."
        return Refusal("not-so-many", "CL-MOVE-03", text)
    if march.tired > tired:
        return Refusal("not-so-many", "CL-MOVE-03", "Not so many horsemen there have one point left.")
    if total(units) > LEGION * len(march.leaders):
        return Refusal("legion-too-large", "CL-MOVE-02", f"A leader leads at most {LEGION} units.")
    if march.drops:
        return _check_trip(table, seat, march)
    if to not in steps(table)[source] and to not in road_trip(table, seat, source):
        text = f"{BOARD.names[to]} is neither next to {BOARD.names[source]} nor joined to it by your roads."
        return Refusal("not-adjacent", "CL-MAP-01", text)
    return _check_arrival(table, seat, to, units)


def _check_marching_leaders(table: Table, seat: Seat, march: March) -> Refusal | None:
    if not march.leaders:
        return Refusal("no-leader", "CL-LEAD-02", "Units march only with a leader.")
    if len(set(march.leaders)) != len(march.leaders):
        return Refusal("leader-twice", "CL-MOVE-02", "A leader was named twice.")
    for leader in march.leaders:
        if leader not in leaders_at(table, seat, march.source):
            text = f"That leader is not yours or not in {BOARD.names[march.source]}."
            return Refusal("no-such-leader", "CL-LEAD-02", text)
        if table.leader_used[leader] == AT_SEA:
            text = "A leader that went aboard or ashore this turn does not march."
            return Refusal("went-by-sea", "CL-SEA-04", text)
        if not can_march(table, leader):
            return Refusal("no-points", "CL-MOVE-03", "That leader has no movement points left.")
    return None


def _check_arrival(table: Table, seat: Seat, to: Space, units: Army) -> Refusal | None:
    """Leaders alone do not walk into an enemy army (CL-LEAD-03), unless an own one fights there."""
    if not any(units) and hostile(table, seat, to) and not has_army(table.units[to], seat):
        text = f"Leaders alone cannot attack; there are enemy units in {BOARD.names[to]}."
        return Refusal("leaders-alone", "CL-LEAD-03", text)
    return None


def _check_trip(table: Table, seat: Seat, march: March) -> Refusal | None:
    """A road trip that drops or collects units on its way (CL-MOVE-04, CL-MOVE-EX2)."""
    here, carried = march.source, (march.infantry, march.cavalry, march.catapults)
    taken: dict[Space, Army] = {}
    for space, *drop in march.drops:
        if space not in road_trip(table, seat, here) or space == march.source or hostile(table, seat, space):
            return Refusal("no-road", "CL-ROAD-02", "Units are dropped only in own cities along the road.")
        carried = minus(carried, drop)
        picked = tuple(max(0, -n) for n in drop)
        taken[space] = plus(taken.get(space, NO_ARMY), picked)
        if min(carried) < 0 or not within(taken[space], ready(table, seat, space)[:3]):
            return Refusal("not-so-many", "CL-MOVE-04", "Not so many units can be dropped or collected there.")
        if total(carried) > LEGION * len(march.leaders):
            return Refusal("legion-too-large", "CL-MOVE-02", f"A leader leads at most {LEGION} units.")
        here = space
    if march.to != here and march.to not in road_trip(table, seat, here):
        return Refusal("no-road", "CL-ROAD-02", f"No road of yours leads on to {BOARD.names[march.to]}.")
    return _check_arrival(table, seat, march.to, carried)


def apply_march(state: State, seat: Seat, march: March, emit: Emit) -> None:
    """Carry out a checked march."""
    units = (march.infantry, march.cavalry, march.catapults)
    tired = march.tired
    _leave(state, seat, march.source, units, tired)
    carried = units
    for space, *drop in march.drops:
        left = (max(0, drop[0]), max(0, drop[1]), max(0, drop[2]))
        picked = (max(0, -drop[0]), max(0, -drop[1]), max(0, -drop[2]))
        spent = min(tired, left[1])
        _leave(state, seat, space, picked, 0)
        _arrive(state, seat, space, left, spent)
        tired -= spent
        carried = plus(minus(carried, left), picked)
    enemy = hostile(state, seat, march.to)
    _arrive(state, seat, march.to, carried, carried[1] if enemy else tired)
    for leader in march.leaders:
        state.leader_at[leader] = march.to
        state.leader_used[leader] = POINTS if enemy else state.leader_used[leader] + 1
    by_road = bool(march.drops) or march.to not in steps(state)[march.source]
    emit(events.Marched(seat, march.source, march.to, march.leaders, units, by_road))


def _leave(state: State, seat: Seat, space: Space, army: Army, tired: int) -> None:
    if not any(army):
        return
    state.units[space] = parted(state.units[space], seat, army)
    state.moved[space] = marching.left(state.moved[space], tired)


def _arrive(state: State, seat: Seat, space: Space, army: Army, spent: int) -> None:
    """`army` marched in; `spent` of its horsemen have no point left."""
    if not any(army):
        return
    state.units[space] = joined(state.units[space], seat, army)
    state.moved[space] = marching.arrived(state.moved[space], army, spent)


# --- sailing ---


def check_sail(table: Table, seat: Seat, sail: Sail) -> Refusal | None:
    """CL-SEA-01 to -05, CL-LEAD-02, CL-D17."""
    galley = sail.galley
    if not 0 <= galley < len(table.galley_at) or galley_lord(table, galley) != seat:
        return Refusal("no-such-galley", "CL-SEA-01", "That galley is not yours.")
    at = table.galley_at[galley]
    if not 0 <= at < BOARD.positions:
        return Refusal("no-such-galley", "CL-SEA-01", "That galley is not on the board.")
    if table.galley_used[galley] >= POINTS:
        return Refusal("no-points", "CL-SEA-01", "That galley has sailed two spaces this turn.")
    boarding = (sail.infantry, sail.cavalry, sail.catapults)
    if BOARD.is_sea(at):
        if sail.leaders or any(boarding):
            return Refusal("at-sea", "CL-LEAD-02", "Nobody goes aboard on the open sea.")
        if sail.to in BOARD.coast_seas[at]:
            return None
        if sail.to not in BOARD.landings[at]:
            return Refusal("not-adjacent", "CL-SEA-01", f"{galleys.where(sail.to)} does not touch {BOARD.names[at]}.")
        return _check_landing(table, seat, galley, BOARD.ashore[sail.to])
    if sail.to not in BOARD.coast_seas[at]:
        return Refusal("not-adjacent", "CL-SEA-01", f"From {BOARD.where(at)} a galley puts to sea first.")
    return _check_boarding(table, seat, sail, boarding, BOARD.ashore[at])


def _check_landing(table: Table, seat: Seat, galley: int, space: Space) -> Refusal | None:
    if table.cargo[galley] or (ABOARD + galley) not in table.leader_at:
        return None
    return _check_arrival(table, seat, space, NO_ARMY)


def _check_boarding(table: Table, seat: Seat, sail: Sail, boarding: Army, space: Space) -> Refusal | None:
    if any(boarding) and not sail.leaders:
        return Refusal("no-leader", "CL-LEAD-02", "Units go aboard only with a leader.")
    if len(set(sail.leaders)) != len(sail.leaders):
        return Refusal("leader-twice", "CL-LEAD-02", "A leader was named twice.")
    for leader in sail.leaders:
        if leader not in leaders_at(table, seat, space):
            text = f"That leader is not yours or not in {BOARD.names[space]}."
            return Refusal("no-such-leader", "CL-LEAD-02", text)
        if not can_board(table, seat, leader):
            return Refusal("marched", "CL-SEA-04", "A leader that marched this turn cannot go aboard.")
    if total(boarding) > LEGION:
        return Refusal("galley-full", "CL-SEA-03", f"A galley carries at most {LEGION} units.")
    if not within(boarding, boardable(table, seat, space)):
        text = "Not so many units there can go aboard; those that marched this turn cannot."
        return Refusal("not-so-many", "CL-SEA-04", text)
    return None


def apply_sail(state: State, seat: Seat, sail: Sail, emit: Emit) -> None:
    """Carry out a checked sail."""
    galley, at = sail.galley, state.galley_at[sail.galley]
    boarding = (sail.infantry, sail.cavalry, sail.catapults)
    leaders = sail.leaders
    if not BOARD.is_sea(at):
        if leaders:
            _embark(state, seat, galley, BOARD.ashore[at], leaders, boarding)
    else:
        leaders = leaders_at(state, seat, ABOARD + galley)
        cargo = state.cargo[galley]
        boarding = (cargo[0], cargo[1], cargo[2]) if cargo else NO_ARMY
        if not BOARD.is_sea(sail.to):
            _land(state, seat, galley, BOARD.ashore[sail.to], leaders)
    state.galley_at[galley] = sail.to
    state.galley_used[galley] += 1
    emit(events.Sailed(seat, galley, at, sail.to, leaders, boarding))


def _embark(state: State, seat: Seat, galley: int, space: Space, leaders: tuple[int, ...], army: Army) -> None:
    """Units that came ashore this turn go first: they can do nothing else any more."""
    for leader in leaders:
        state.leader_at[leader] = ABOARD + galley
        state.leader_used[leader] = AT_SEA
    if not any(army):
        return
    landed = state.landed[space] or NO_ARMY
    rest = tuple(max(0, landed[k] - army[k]) for k in range(3))
    state.landed[space] = rest if any(rest) else ()
    state.units[space] = parted(state.units[space], seat, army)
    state.cargo[galley] = army


def _land(state: State, seat: Seat, galley: int, space: Space, leaders: tuple[int, ...]) -> None:
    for leader in leaders:
        state.leader_at[leader] = space
        state.leader_used[leader] = AT_SEA
    cargo = state.cargo[galley]
    if cargo:
        state.units[space] = joined(state.units[space], seat, cargo)
        state.landed[space] = plus(state.landed[space] or NO_ARMY, cargo)
        state.cargo[galley] = ()


# --- the frame ---


def _check(table: Table, _frame: Movement, seat: Seat, action: Action) -> Refusal | None:
    if isinstance(action, March):
        return check_march(table, seat, action)
    if isinstance(action, Sail):
        return check_sail(table, seat, action)
    if isinstance(action, EndMovement):
        return None
    return Refusal("wrong-action", "CL-TURN-01", "It is the movement phase: march, sail, or end the movement.")


def _apply(state: State, _frame: Movement, seat: Seat, action: Action, emit: Emit) -> object:
    if isinstance(action, March):
        apply_march(state, seat, action, emit)
        return STAY
    if isinstance(action, Sail):
        apply_sail(state, seat, action, emit)
        return STAY
    marching.forget(state)
    return contested(state, seat)


def contested(table: Table, seat: Seat) -> tuple[int, ...]:
    """Battles that `seat` must fight: (province, enemy) pairs, flat (CL-BATTLE-01, CL-D30)."""
    return pairs.flat(
        (space, enemy)
        for space, cell in enumerate(table.units)
        if len(cell) > 4 and has_army(cell, seat)
        for enemy in enemies_in(cell, seat)
    )


def _options(table: Table, _frame: Movement, seat: Seat) -> list[Action]:
    found: list[Action] = [EndMovement()]
    groups: dict[tuple[int, bool], list[int]] = {}
    for leader in own(table, seat, LEADERS):
        at = table.leader_at[leader]
        if at < BOARD.provinces and table.leader_used[leader] < POINTS:
            groups.setdefault((at, leader % LEADERS == 0), []).append(leader)
    for (space, _caesar), leaders in groups.items():
        found += _march_options(table, seat, space, leaders)
    seen: set[tuple[int, int]] = set()
    for galley in own(table, seat, GALLEYS):
        at, used = table.galley_at[galley], table.galley_used[galley]
        if at < BOARD.positions and used < POINTS:
            afloat = (ABOARD + galley) in table.leader_at
            key = (at, galley if afloat else used - POINTS)
            if key not in seen:
                seen.add(key)
                found += _sail_options(table, seat, galley, at)
    return found


def _march_options(table: Table, seat: Seat, space: Space, leaders: list[int]) -> list[Action]:
    """Full load, a light column, and leaders alone, to every target; two legions where there are more units."""
    columns = _columns(ready(table, seat, space), tuple(leaders))
    alone = (leaders[0],)
    targets: Iterable[Space] = steps(table)[space]
    if table.roads:
        targets = sorted(road_trip(table, seat, space).union(targets))
    found: list[Action] = []
    for to in targets:
        found += [March(space, to, *column) for column in columns]
        if not hostile(table, seat, to) or has_army(table.units[to], seat):
            found.append(March(space, to, alone))
    return found


@lru_cache(maxsize=4096)
def _columns(here: Ready, leaders: tuple[int, ...]) -> list[tuple[tuple[int, ...], int, int, int, int]]:
    """Leaders, infantry, cavalry, catapults and tired horsemen of the legions that set out from a province."""
    most = sum(here)
    if not most:
        return []
    full = leaders[:1], *_column(here, LEGION)
    light = leaders[:1], *_column(here, min(LEGION, max(1, most // 2)))
    columns = [full] if light == full else [full, light]
    if most > LEGION and len(leaders) > 1:
        columns.append((leaders[:2], *_column(here, 2 * LEGION)))
    return columns


def _column(here: Ready, size: int) -> tuple[int, int, int, int]:
    """The strongest units that can march, and how many of the horsemen are tired: fields of a `March`."""
    army, tired = marching.load(here, size)
    return *army, tired


def _sail_options(table: Table, seat: Seat, galley: int, at: int) -> Sequence[Action]:
    plain = _courses(galley, at)
    if BOARD.is_sea(at):
        if table.cargo[galley] or (ABOARD + galley) not in table.leader_at:
            return plain
        ashore = BOARD.ashore
        return [s for s in plain if BOARD.is_sea(s.to) or _check_landing(table, seat, galley, ashore[s.to]) is None]
    space = BOARD.ashore[at]
    crew = [x for x in leaders_at(table, seat, space) if can_board(table, seat, x)]
    if not crew:
        return plain
    army = greedy(boardable(table, seat, space), LEGION, BEST_FIRST)
    return [sail for empty in plain for sail in (empty, Sail(galley, empty.to, (crew[-1],), *army))]


@cache
def _courses(galley: int, at: int) -> tuple[Sail, ...]:
    """Every step of a galley that takes nobody new aboard."""
    coasts = BOARD.landings[at] if BOARD.is_sea(at) else ()
    return tuple([Sail(galley, to) for to in BOARD.coast_seas[at] + coasts])


def _default(_table: Table, _frame: Movement, _seat: Seat) -> Action:
    return EndMovement()


MOVEMENT: Handler[Table, State] = Handler(seat_owes, _options, _check, _apply, _default, never)

__all__ = [
    "BEST_FIRST",
    "LEGION",
    "MOVEMENT",
    "POINTS",
    "Ready",
    "apply_march",
    "apply_sail",
    "boardable",
    "can_board",
    "can_march",
    "check_march",
    "check_sail",
    "contested",
    "hostile",
    "ready",
    "road_trip",
]
