"""Landings: targets of a fleet, the strength that they need, and the moment to sail."""

from typing import Final

from server.bots.mb1984.odds import odds, price
from server.bots.mb1984.position_analysis import GENERAL_WORTH, SAFE, PositionAnalysis, reinforcement
from server.bots.routes import FAR, NEAR, LandingRoute, apart, course
from shared.board import BOARD
from shared.ids import NO_ARMY, NONE, Army, Position, Space
from shared.kernel.frames import Action
from shared.mechanics.armies import minus, plus, total
from shared.mechanics.marching import load
from shared.mechanics.pieces import ABOARD
from shared.rulesets.conquest.pieces import is_caesar, leaders_at
from shared.rulesets.mb1984.galleys import boardable, can_board
from shared.rulesets.mb1984.legions import check_stay
from shared.rulesets.mb1984.table import GALLEYS
from shared.vocabulary.actions import Sail

LEAST: Final = 3
"""Least number of units with which a galley sails."""
HASTE: Final = 15
"""Cost of each turn of a voyage, in talents."""
JOINING: Final = 0.4
"""Value of joining an army, as a share of the value of the attack that it is for."""
MARGIN: Final = 0.05
"""Chance that a voyage needs beyond that of an attack."""


def voyage(analysis: PositionAnalysis, at: Position, army: Army) -> LandingRoute | None:
    """Return the best landing for an army at sea at a position, or None."""
    key = (at, army)
    if key not in analysis.voyages:
        found = [best for space in analysis.shores if (best := _landing(analysis, at, army, space)) is not None]
        found += [best for space in analysis.camps if (best := _way_to_army(analysis, at, army, space)) is not None]
        analysis.voyages[key] = max(found, key=lambda voyage: voyage.value, default=None)
    return analysis.voyages[key]


def _landing(analysis: PositionAnalysis, at: Position, army: Army, space: Space) -> LandingRoute | None:
    moves = course(space)[at]
    if moves >= FAR:
        return None
    turns = -(-moves // analysis.movement_points)
    owner = analysis.table.owner[space]
    foes = analysis.foes(space)
    # While a fleet is on its way, the owner of a home buys units.
    if turns > 1 and owner != NONE and analysis.table.home[owner] == space:
        foes = plus(foes, reinforcement(analysis.table, owner))
    army = plus(army, analysis.beside(space))
    chance = odds(army, foes, analysis.wall(space))
    if chance < analysis.boldness(space) + MARGIN:
        return None
    prize = analysis.prize(space) + 0.6 * price(analysis.foes(space))
    value = chance * prize - (1 - chance) * (0.4 * price(army) + GENERAL_WORTH) - HASTE * turns
    return LandingRoute(space, value) if value > 0 else None


def _way_to_army(analysis: PositionAnalysis, at: Position, army: Army, camp: Space) -> LandingRoute | None:
    """Return the way to an own army near an enemy Caesar, if only both together can beat the enemy, or None."""
    moves = course(camp)[at]
    if moves >= FAR:
        return None
    lair = min(analysis.lairs, key=lambda lair: analysis.near(lair).get(camp, FAR))
    foes, wall, least = analysis.foes(lair), analysis.wall(lair), analysis.boldness(lair) + MARGIN
    chance = odds(plus(army, analysis.army(camp)), foes, wall)
    if chance < least or odds(analysis.army(camp), foes, wall) >= least:
        return None
    value = JOINING * chance * analysis.prize(lair) - HASTE * -(-moves // analysis.movement_points)
    return LandingRoute(camp, value) if value > 0 else None


def embark(analysis: PositionAnalysis) -> tuple[float, Action] | None:
    """Return the value and the first step of a fleet that is strong enough for a voyage, or None."""
    best: tuple[float, Action] | None = None
    for space, ships in docked(analysis).items():
        found = _fleet(analysis, space, ships)
        if found is not None and (best is None or found[0] > best[0]):
            best = found
    return best


def docked(analysis: PositionAnalysis) -> dict[Space, list[int]]:
    """Return by province the own galleys on its coasts that have not moved and carry no leader."""
    table = analysis.table
    found: dict[Space, list[int]] = {}
    for galley, at in enumerate(table.galley_at):
        if at >= BOARD.positions or BOARD.is_sea(at) or table.lord[galley // GALLEYS] != analysis.seat:
            continue
        if not table.galley_used[galley] and (ABOARD + galley) not in table.leader_at:
            found.setdefault(BOARD.ashore[at], []).append(galley)
    return found


def _fleet(analysis: PositionAnalysis, space: Space, ships: list[int]) -> tuple[float, Action] | None:
    table, seat = analysis.table, analysis.seat
    crew = [
        x for x in leaders_at(table, seat, space) if not is_caesar(table, x) and can_board(table, seat, ships[0], x)
    ]
    infantry, cavalry, catapults = boardable(table, seat, ships[0], space)
    stays = analysis.caesar == space or analysis.holds_home(space)
    for size in range(min(len(ships), len(crew)), 0, -1):
        force, _ = load((infantry, cavalry, catapults, 0), analysis.legion_limit * size)
        left = minus(analysis.army(space), force)
        if total(force) < LEAST * size or (stays and analysis.held_risk(space, left) > SAFE):
            continue
        at = table.galley_at[ships[0]]
        goal = voyage(analysis, at, plus(force, afloat(analysis, at)))
        if goal is None or goal.to == space:
            continue
        return _first(analysis, space, ships, crew[-1], force, goal)
    return None


def _first(
    analysis: PositionAnalysis, space: Space, ships: list[int], leader: int, force: Army, goal: LandingRoute
) -> tuple[float, Action] | None:
    table = analysis.table
    galley = min(ships, key=lambda galley: course(goal.to)[table.galley_at[galley]])
    army, _ = load((*force, 0), analysis.legion_limit)
    if check_stay(table, analysis.seat, space, (leader,), army) is not None:
        return None
    zone = min(BOARD.coast_seas[table.galley_at[galley]], key=course(goal.to).__getitem__)
    if analysis.enemy_fleet(zone):
        return None
    return goal.value, Sail(galley, zone, (leader,), *army)


def afloat(analysis: PositionAnalysis, at: Position) -> Army:
    """Return own units aboard galleys near a position."""
    table, army = analysis.table, NO_ARMY
    for galley, zone in enumerate(table.galley_at):
        if table.cargo[galley] and table.lord[galley // GALLEYS] == analysis.seat and apart(at, zone) <= NEAR:
            army = plus(army, table.cargo[galley])
    return army


def onward(analysis: PositionAnalysis, galley: int) -> Space | None:
    """Return the sea zone to which a loaded galley sails on; None if its fleet has no target."""
    at = analysis.table.galley_at[galley]
    goal = voyage(analysis, at, afloat(analysis, at))
    if goal is None:
        return None
    zone = min(BOARD.coast_seas[at], key=course(goal.to).__getitem__)
    return zone if course(goal.to)[zone] < course(goal.to)[at] and not analysis.enemy_fleet(zone) else None


def homeward(analysis: PositionAnalysis, at: Position, to: Position) -> int:
    """Return the movements by which a step brings a galley nearer to its home."""
    way = course(analysis.table.home[analysis.seat])
    return way[at] - way[to]


def fetched(analysis: PositionAnalysis, at: Position) -> int:
    """Return the movements to the nearest coast where an army has more legions than galleys, else to home."""
    if analysis.waiting is None:
        analysis.waiting = _waiting(analysis) or [analysis.table.home[analysis.seat]]
    return min(course(space)[at] for space in analysis.waiting)


def _waiting(analysis: PositionAnalysis) -> list[Space]:
    """Return the provinces where an army has more legions than galleys."""
    table, seat, ships = analysis.table, analysis.seat, docked(analysis)
    return [
        space
        for space in range(BOARD.provinces)
        if total(analysis.army(space)) >= analysis.legion_limit * len(ships.get(space, ())) + LEAST
        and len(leaders_at(table, seat, space)) > len(ships.get(space, ())) + (space == analysis.caesar)
        and (analysis.idle(space) or space == table.home[seat])
    ]
