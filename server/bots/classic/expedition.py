"""Plans for galleys: take islands, land armies on enemies, bring generals home, chase a Caesar at sea."""

from collections.abc import Iterator
from typing import Final, TypeAlias

from server.bots.classic.assault import is_siege, stake, towards
from server.bots.classic.odds import odds
from server.bots.classic.position_analysis import SAFE, Force, PositionAnalysis, load
from server.bots.routes import FAR, NEAR, LandingRoute, apart, course
from shared.board import BOARD
from shared.ids import NO_ARMY, NONE, Army, Position, Space
from shared.kernel.frames import Action
from shared.mechanics.armies import plus, total
from shared.mechanics.pieces import ABOARD
from shared.rulesets.classic.galleys import can_board
from shared.rulesets.classic.legions import hostile
from shared.vocabulary.actions import Sail

LEAST: Final = 4
"""Least number of units with which a galley sails to war."""
GREAT: Final = 36
"""Value from which a voyage is more urgent than open provinces."""
HASTE: Final = 10
"""Cost of each turn of a voyage, in talents."""
MARGIN: Final = 0.1
"""Chance that a voyage of several turns needs beyond that of an attack."""

Choice: TypeAlias = tuple[float, Action]


def sail(s: PositionAnalysis) -> Action | None:
    """Return the most useful action of a galley, or None."""
    if not s.fleet:
        return None
    best: Action | None = None
    most = 0.0
    for value, action in choices(s):
        if value > most:
            best, most = action, value
    return best


def invade(s: PositionAnalysis) -> Action | None:
    """Return the start of a voyage worth at least `GREAT`, or None."""
    best = max(_putting_to_sea(s), key=lambda choice: choice[0], default=None)
    return best[1] if best and best[0] >= GREAT else None


def choices(s: PositionAnalysis) -> Iterator[Choice]:
    """Yield possible actions of galleys with their values."""
    yield from _putting_to_sea(s)
    if not s.mobilized:
        yield from _campaign(s)
    for galley in s.fleet:
        at, used = s.table.galley_at[galley], s.table.galley_used[galley]
        if used >= s.movement_points:
            continue
        if not BOARD.is_sea(at):
            if not used:
                yield from _in_port(s, galley, at)
        elif s.leaders[s.seat].get(ABOARD + galley):
            yield from _laden(s, galley, at)
        else:
            yield from _empty(s, galley, at)


def land(s: PositionAnalysis) -> Action | None:
    """Return the next movement of a laden galley at sea, or the way home from an island, or None."""
    found: list[Choice] = []
    for galley in s.fleet:
        at, used = s.table.galley_at[galley], s.table.galley_used[galley]
        if BOARD.is_sea(at):
            if used < s.movement_points and s.leaders[s.seat].get(ABOARD + galley):
                found += _laden(s, galley, at)
        elif not used and s.distance[BOARD.ashore[at]][s.home] == FAR:
            found += _in_port(s, galley, at)
    best = max(found, key=lambda choice: choice[0], default=(0.0, None))
    return best[1] if best[0] > 0 else None


# --- to war ---


def voyage(s: PositionAnalysis, at: Position, force: Force) -> LandingRoute | None:
    """Return the best landing of an army at sea on an enemy's Caesar or home, or None."""
    goals = {at for at in s.lairs() if at < BOARD.provinces}.union(s.enemy_homes())
    goals.update([] if s.home_is_mine else [s.home])
    found = [best for space in sorted(goals) if (best := _landing(s, at, force, space)) is not None]
    return max(found, key=lambda voyage: voyage.value, default=None)


def _landing(s: PositionAnalysis, at: Position, force: Force, space: Space) -> LandingRoute | None:
    """Return a landing and its value, against the expected defenders on arrival, or None.

    On voyages of several turns the owner of a home can hire defenders in the meantime.
    """
    moves = course(space)[at]
    if moves >= FAR:
        return None
    army, leaders = force
    turns = -(-moves // s.movement_points)
    enemy, marshals, walls = s.defenders(space)
    owner = s.table.owner[space]
    # While a fleet is on its way, the owner of a home hires units.
    if turns > 1 and owner not in (NONE, s.seat) and s.table.home[owner] == space:
        enemy = plus(enemy, s.hired_by(owner))
    chance = odds(army, leaders, enemy, marshals, walls)
    if chance < s.boldness(space) + MARGIN * (turns > 1):
        return LandingRoute(space, total(army)) if s.besieges(army) and is_siege(s, space, army, leaders) else None
    value = chance * s.value(space) - (1 - chance) * stake(s, army, leaders) - HASTE * turns
    return LandingRoute(space, value) if value > 0 else None


def _target(s: PositionAnalysis, at: Position, force: Force) -> LandingRoute | None:
    """Return the best landing of a single galley on any owned province, or None."""
    lands = [space for space, owner in enumerate(s.table.owner) if owner not in (NONE, s.seat)]
    found = [best for space in lands if (best := _landing(s, at, force, space)) is not None]
    return max(found, key=lambda voyage: voyage.value, default=None)


def _campaign(s: PositionAnalysis) -> Iterator[Choice]:
    """Yield voyages of a single galley with one legion, to a target that it can beat."""
    for port, ships in s.docked().items():
        crew, army = s.crew(port), load(s.ashore(port), s.legion_limit)
        if not crew or total(army) < LEAST or hostile(s.table, s.seat, port):
            continue
        for galley in ships:
            at = s.table.galley_at[galley]
            goal = _target(s, at, (army, 1))
            if goal is not None and s.distance[port][goal.to] > 1:
                yield goal.value, Sail(galley, towards(goal.to, at), (crew[0],), *army)


def _putting_to_sea(s: PositionAnalysis) -> Iterator[Choice]:
    """Yield the first galley of each fleet that is strong enough for a voyage."""
    for port, ships in s.docked().items():
        if hostile(s.table, s.seat, port):
            continue
        crew, units = s.crew(port), s.ashore(port)
        for size in range(min(len(ships), len(crew)), 0, -1):
            if total(units) < LEAST * size:
                continue
            army = load(units, s.legion_limit * size)
            at = s.table.galley_at[ships[0]]
            near, admirals = afloat(s, at)
            goal = voyage(s, at, (plus(army, near), size + admirals))
            if goal is not None and s.distance[port][goal.to] > 1:
                galley = min(ships, key=lambda galley: course(goal.to)[s.table.galley_at[galley]])
                aboard = load(army, s.legion_limit)
                zone = towards(goal.to, s.table.galley_at[galley])
                yield goal.value, Sail(galley, zone, (crew[0],), *aboard)
                break


def afloat(s: PositionAnalysis, at: Position) -> Force:
    """Return own units aboard galleys near a position, and the number of their leaders."""
    army, leaders = (0, 0, 0), 0
    for galley in s.fleet:
        if any(s.cargo(galley)) and apart(at, s.table.galley_at[galley]) <= NEAR:
            army = plus(army, s.cargo(galley))
            leaders += len(s.leaders[s.seat].get(ABOARD + galley, ()))
    return army, leaders


# --- at sea ---


def _laden(s: PositionAnalysis, galley: int, at: Position) -> Iterator[Choice]:
    """Yield voyages on to a target that the fleet can win; else landings, at home if possible."""
    army = s.cargo(galley)
    goal = voyage(s, at, afloat(s, at)) if total(army) >= LEAST else None
    if goal is None and total(army) >= LEAST:
        goal = _target(s, at, (army, 1))
    if goal is not None:
        here = s.movement_points - s.table.galley_used[galley]
        if course(goal.to)[at] > here or here == s.movement_points or not hostile(s.table, s.seat, goal.to):
            yield goal.value, Sail(galley, towards(goal.to, at))
        return
    for coast in BOARD.landings[at]:
        space = BOARD.ashore[coast]
        if 0 < total(army) < LEAST and not hostile(s.table, s.seat, space) and s.table.owner[space] != s.seat:
            yield s.value(space) * (1 - s.risk(space, army, 1)), Sail(galley, coast)
        if s.table.owner[space] == s.seat and not hostile(s.table, s.seat, space):
            yield 0.1 + (space == s.home) + (s.distance[space][s.home] < FAR), Sail(galley, coast)
    if course(s.home)[at] < FAR:
        yield 0.5, Sail(galley, towards(s.home, at))


def _empty(s: PositionAnalysis, galley: int, at: Position) -> Iterator[Choice]:
    """Yield the chase of a Caesar at sea, or the way back to the port where armies embark."""
    prey = s.prey()
    if prey != NONE:
        yield from _after(s, galley, at, prey)
        return
    if s.port != NONE and course(s.port)[at] < FAR:
        yield 1.0, Sail(galley, towards(s.port, at))


def _after(s: PositionAnalysis, galley: int, at: Position, prey: Position) -> Iterator[Choice]:
    """Yield a step nearer to the zone `prey`."""
    near = [zone for zone in BOARD.coast_seas[at] if _zones(prey)[zone] < _zones(prey)[at]]
    if near:
        yield 1.5, Sail(galley, min(near, key=lambda zone: _zones(prey)[zone]))


def _zones(to: Space) -> dict[Position, int]:
    """Return a galley's movements to a sea zone, by position."""
    found, border = {to: 0}, [to]
    for here in border:
        for there in (*BOARD.coast_seas[here], *BOARD.landings[here]):
            if there not in found:
                found[there] = found[here] + 1
                if BOARD.is_sea(there):
                    border.append(there)
    return found


# --- in port ---


def _in_port(s: PositionAnalysis, galley: int, at: Position) -> Iterator[Choice]:
    port = BOARD.ashore[at]
    crew, units = s.crew(port), s.ashore(port)
    if crew and any(units) and not (s.mobilized and (port != s.port or s.berths() >= 0)):
        yield from _short_crossings(s, galley, at, units)
    if s.prey() != NONE:
        yield from _after(s, galley, at, s.prey())
    elif s.port not in (NONE, port) and course(s.port)[at] < FAR and (s.mobilized or s.distance[port][s.port] == FAR):
        yield _back(s, galley, at)


def _back(s: PositionAnalysis, galley: int, at: Position) -> Choice:
    """Return the way to the main port, with a legion if a general there can lead it."""
    port = BOARD.ashore[at]
    crew = s.crew(port) if s.distance[port][s.port] > NEAR else []
    army = load(s.ashore(port), s.legion_limit) if crew else NO_ARMY
    left = total(s.army(port)) - total(army)
    return 0.8, Sail(galley, towards(s.port, at), tuple(crew if not left else crew[:1]), *army)


def _short_crossings(s: PositionAnalysis, galley: int, at: Position, units: Army) -> Iterator[Choice]:
    """Yield crossings of one zone to an undefended shore, with a single unit."""
    crew = [x for x in s.crew(BOARD.ashore[at]) if can_board(s.table, s.seat, x)]
    for zone in BOARD.coast_seas[at]:
        for coast in BOARD.landings[zone]:
            space = BOARD.ashore[coast]
            if s.table.owner[space] != s.seat and not hostile(s.table, s.seat, space) and not any(s.army(space)):
                easy = any(any(s.army(near)) and s.generals(near) for near in s.steps[space])
                if not easy and s.risk(space, load(units, 1), 1) <= SAFE:
                    yield s.value(space), Sail(galley, zone, (crew[0],), *load(units, 1))
