"""Joint attacks: all legions that can reach a province this turn, by land and by sea, strike together."""

import random
from collections.abc import Iterator

from server.bots.mb1984.odds import odds, price
from server.bots.mb1984.plans import Force, Plan
from server.bots.mb1984.position_analysis import CAESAR_WORTH, GENERAL_WORTH, HOME_WORTH, PositionAnalysis, can_lead
from shared.board import BOARD
from shared.ids import NO_ARMY, Army, Space
from shared.kernel.frames import Action
from shared.mechanics.armies import minus, plus
from shared.mechanics.marching import load
from shared.mechanics.pieces import OFF
from shared.rulesets.conquest.pieces import is_caesar, leaders_at, ready
from shared.rulesets.mb1984.actions import March
from shared.rulesets.mb1984.galleys import boardable, can_board
from shared.rulesets.mb1984.legions import check_stay
from shared.rulesets.mb1984.table import GALLEYS
from shared.vocabulary.actions import Sail

SURE = 0.93
"""Chance of winning from which no more legions are sent."""
MATTERS = 0.02
"""Least chance that the chosen legions together must add."""


def assault(analysis: PositionAnalysis, rng: random.Random) -> Action | None:
    """Return the next step of the best joint attack that is worth it, or None."""
    best = best_attack(analysis, rng)
    return best.forces[0].action if best else None


def best_attack(analysis: PositionAnalysis, rng: random.Random) -> Plan | None:
    """Return the most valuable joint attack, or None."""
    plans = [plan for space in targets(analysis) if (plan := planned(analysis, space)) is not None]
    return max(plans, key=lambda plan: blurred(analysis, plan.value, rng), default=None)


def blurred(analysis: PositionAnalysis, value: float, rng: random.Random) -> float:
    """Return the value with the random error of a temper's `whim`."""
    return value * rng.uniform(1 - analysis.temper.whim, 1 + analysis.temper.whim) if analysis.temper.whim else value


def targets(analysis: PositionAnalysis) -> list[Space]:
    """Return the provinces with enemy units or an enemy Caesar."""
    lairs = analysis.enemy_caesars
    return [space for space in range(BOARD.provinces) if any(analysis.foes(space)) or space in lairs]


def planned(analysis: PositionAnalysis, space: Space) -> Plan | None:
    """Return an attack by the smallest force that is nearly sure to win, or by all that can come; None if too weak."""
    foes, wall = analysis.foes(space), analysis.wall(space)
    army = before = analysis.army(space)
    chance = first = odds(before, foes, wall) if any(before) else 0.0
    chosen: list[Force] = []
    for force in sorted(forces(analysis, space), key=lambda force: -price(force.army)):
        if chance >= SURE:
            break
        army = plus(army, force.army)
        chosen.append(force)
        chance = odds(army, foes, wall)
    if not chosen or chance < first + MATTERS:
        return None
    if not any(before) and chance < analysis.boldness(space):
        return None
    value = _value(analysis, space, chosen, army, chance, first)
    return Plan(space, chance, value, tuple(chosen)) if value > 0 else None


def _value(
    analysis: PositionAnalysis, space: Space, chosen: list[Force], army: Army, chance: float, first: float
) -> float:
    """Return the gain of an attack, less possible losses in it and behind it."""
    lost = price(army) * 0.4 + GENERAL_WORTH * len(chosen)
    gain = analysis.prize(space) + price(analysis.foes(space)) * 0.6
    value = (chance - first) * gain - (first < chance) * (1 - chance) * (0 if first else lost)
    for source in {force.source for force in chosen if force.source < BOARD.provinces}:
        gone = NO_ARMY
        for force in chosen:
            if force.source == source:
                gone = plus(gone, force.army)
        value += left_value(analysis, source, minus(analysis.army(source), gone), space)
    return value


def left_value(analysis: PositionAnalysis, space: Space, left: Army, without: Space = -1) -> float:
    """Return the (negative) value of leaving only `left` behind; enemies in `without` are about to be beaten."""
    now = analysis.army(space)
    value = analysis.held_risk(space, now, without) - analysis.held_risk(space, left, without)
    if analysis.caesar == space:
        bare = not any(left) and any(analysis.danger(space, without))
        return value * analysis.temper.caution * CAESAR_WORTH - (CAESAR_WORTH if bare else 0)
    return value * analysis.temper.caution * (HOME_WORTH if analysis.holds_home(space) else 2 * analysis.worth(space))


def forces(analysis: PositionAnalysis, space: Space) -> list[Force]:
    """Return all legions that can be in a province this turn."""
    return [*_by_land(analysis, space), *_by_sea(analysis, space)]


def _by_land(analysis: PositionAnalysis, to: Space) -> Iterator[Force]:
    for source in analysis.steps[to]:
        army = analysis.army(source)
        if not any(army) or any(analysis.foes(source)):
            continue
        crew = [x for x in leaders_at(analysis.table, analysis.seat, source) if can_lead(analysis.table, x)]
        force = _strongest_force(analysis, source, to, tuple(crew)) if crew else None
        if force is not None:
            yield force


def _strongest_force(analysis: PositionAnalysis, source: Space, to: Space, crew: tuple[int, ...]) -> Force | None:
    """Return as many legions as there are leaders for, the strongest units first, with no more leaders than needed."""
    here = ready(analysis.table, analysis.seat, source)
    for leaders in range(min(len(crew), -(-sum(here) // analysis.legion_limit)), 0, -1):
        army, tired = load(here, analysis.legion_limit * leaders)
        led = crew[-leaders:]
        if any(army) and check_stay(analysis.table, analysis.seat, source, led, army) is None:
            return Force(March(source, to, led, *army, tired), army, source)
    return None


def _by_sea(analysis: PositionAnalysis, to: Space) -> Iterator[Force]:
    table, seat = analysis.table, analysis.seat
    goals = set(BOARD.coasts[to])
    loaded: dict[Space, Army] = {}
    taken: set[int] = set()
    for galley in range(len(table.galley_at)):
        at = table.galley_at[galley]
        if table.lord[galley // GALLEYS] != seat or at == OFF or table.galley_used[galley] >= analysis.movement_points:
            continue
        course = _course(analysis, galley, at, goals)
        if course < 0:
            continue
        if BOARD.is_sea(at):
            cargo = table.cargo[galley]
            if cargo:
                yield Force(Sail(galley, course), (cargo[0], cargo[1], cargo[2]), at)
            continue
        force = _embarking(analysis, galley, course, loaded, taken)
        if force is not None:
            yield force


def _course(analysis: PositionAnalysis, galley: int, at: int, goals: set[int]) -> int:
    """Return the next step of a galley that lands at one of the goals this turn, or -1."""
    left = analysis.movement_points - analysis.table.galley_used[galley]
    if BOARD.is_sea(at):
        landing = next((coast for coast in BOARD.landings[at] if coast in goals), -1)
        if landing >= 0 or left < analysis.movement_points:
            return landing
    elif left < analysis.movement_points or BOARD.ashore[at] in {BOARD.ashore[goal] for goal in goals}:
        return -1
    zones = [zone for zone in BOARD.coast_seas[at] if goals & set(BOARD.landings[zone])]
    return next((zone for zone in zones if not analysis.enemy_fleet(zone)), -1)


def _embarking(
    analysis: PositionAnalysis, galley: int, zone: int, loaded: dict[Space, Army], taken: set[int]
) -> Force | None:
    """Return a legion that goes aboard, of the units that no other galley takes from that province; None if none
    can."""
    table, seat = analysis.table, analysis.seat
    space = BOARD.ashore[table.galley_at[galley]]
    crew = [
        x
        for x in leaders_at(table, seat, space)
        if not is_caesar(table, x) and x not in taken and can_board(table, seat, galley, x)
    ]
    if not crew or any(analysis.foes(space)):
        return None
    gone = loaded.get(space, NO_ARMY)
    rest = minus(boardable(table, seat, galley, space), gone)
    army, _ = load((max(0, rest[0]), max(0, rest[1]), max(0, rest[2]), 0), analysis.legion_limit)
    led = (crew[-1],)
    leaving = (*led, *(x for x in taken if table.leader_at[x] == space))
    if not any(army) or check_stay(table, seat, space, leaving, plus(gone, army)) is not None:
        return None
    loaded[space] = plus(gone, army)
    taken.add(crew[-1])
    return Force(Sail(galley, zone, led, *army), army, space)
