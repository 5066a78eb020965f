"""Joint attacks: all legions that can reach a province this turn, by land and by sea, strike together."""

from collections.abc import Collection, Iterator, Mapping
from typing import Final

from server.bots.classic.odds import attrition, odds, worth
from server.bots.classic.plans import Force, Plan
from server.bots.classic.position_analysis import GENERAL_VALUE, SIEGE, PositionAnalysis, load
from server.bots.routes import course
from shared.board import BOARD
from shared.ids import Army, Leader, Position, Space
from shared.kernel.frames import Action
from shared.mechanics.armies import enemies_in, minus, plus, take_by_kind, total
from shared.mechanics.pieces import ABOARD
from shared.rulesets.classic.actions import March
from shared.rulesets.classic.battle import CHEAP_FIRST, extra_dice, front
from shared.rulesets.classic.legions import hostile
from shared.rulesets.conquest.pieces import ready
from shared.vocabulary.actions import Sail

LEAST_PAID: Final = 0.25
"""Loss of the enemy, as a share of our own, from which those who outlast it make a small siege."""
IDLE: Final = 600
"""Talents at basic prices that a seat would not spend otherwise, as all its units are on the board."""
SURE = 0.95
"""Chance of winning from which no more legions are sent."""
MATTERS: Final = 0.01
"""Least chance that additional legions must add, as a share of the province's value."""
SMALL: Final = 3
"""Units by which a siege may be smaller than all generals could lead.

Each attack costs a pursuit, and only large ones come to the last enemies, who shoot little. With 7, sieges took longer.
"""
BESIEGERS_LEFT: Final = 8
"""Units at which a siege is expected to be broken off; `fighting` decides it round by round."""
LOST, LOST_BY_RICH = 0.37, 0.13
"""Share of the units of a lost attack that are gone for good; the same for a rich seat, which hires anew."""


def assault(s: PositionAnalysis) -> Action | None:
    """Return the next step of the most valuable joint attack, or None."""
    plans = [plan for space in targets(s) if (plan := planned(s, space)) is not None]
    best = max(plans, key=lambda plan: plan.value, default=None)
    return best.action if best else None


def targets(s: PositionAnalysis) -> list[Space]:
    """Return the provinces with enemy units."""
    return sorted({space for rival in s.rivals for space in s.armies[rival]})


def planned(s: PositionAnalysis, space: Space) -> Plan | None:
    """Return the most valuable plan against a province, or None.

    Forces are added from the strongest to the weakest, and each size is judged.
    """
    coming = sorted(forces(s, space), key=lambda force: -worth(force.army, s.prices))
    if not coming:
        return None
    army, leaders = s.army(space), s.led(space)
    first = odds(army, leaders, *s.defenders(space))
    before = _gain(s, space, army, leaders, first) if any(army) else 0.0
    best: Plan | None = None
    for force in coming:
        army, leaders = plus(army, force.army), leaders + force.leaders
        chance, value = _prospect(s, space, army, leaders)
        value -= before + MATTERS * s.value(space) * (first > 0)
        if value > (best.value if best else 0.0):
            # The first step alone: the others are decided anew after it.
            best = Plan(coming[0].action, chance, value)
    return best


def _prospect(s: PositionAnalysis, space: Space, army: Army, leaders: int) -> tuple[float, float]:
    """Return the chance of an attack, and its value; the value is 0 where the chance is too small."""
    chance = odds(army, leaders, *s.defenders(space))
    siege = float(total(army)) if is_siege(s, space, army, leaders) else 0.0
    if not any(s.army(space)) and not siege and chance < s.boldness(space):
        return chance, 0.0
    return chance, max(siege, _gain(s, space, army, leaders, chance))


def _gain(s: PositionAnalysis, space: Space, army: Army, leaders: int, chance: float) -> float:
    """Return the expected value of a battle with this chance, less losses in it and after it."""
    lost = stake(s, army, leaders)
    return chance * s.value(space) - (1 - chance) * lost - chance * _answered(s, space, army, leaders)


def is_siege(s: PositionAnalysis, space: Space, army: Army, leaders: int) -> bool:
    """Whether an attack that is broken off costs an enemy there relatively more than it costs us."""
    if total(army) < SIEGE:
        return False
    enemies = enemies_in(s.table.units[space], s.seat)
    if any(s.outlasts(enemy) for enemy in enemies):
        enough = min(fit_for_siege(s), total(s.defenders(space)[0]))
        return total(army) >= enough or (s.gathered and _siege_pays(s, space, army, leaders))
    fallen, lost = attrition(army, leaders, *s.defenders(space), BESIEGERS_LEFT, s.prices)
    return any(s.wears_down(enemy, fallen, lost) for enemy in enemies)


def fit_for_siege(s: PositionAnalysis) -> int:
    """Return the number of units from which a siege begins: fewer lose too much to the pursuit."""
    return max(SIEGE, s.legion_limit * (s.at_large(s.seat) - 1) - SMALL)


def _siege_pays(s: PositionAnalysis, space: Space, army: Army, leaders: int) -> bool:
    """Whether a small siege still costs the enemy enough; talents that buy nothing may be lost."""
    if s.table.talents[s.seat] >= IDLE * s.table.inflation:
        return True
    fallen, lost = attrition(army, leaders, *s.defenders(space), BESIEGERS_LEFT, s.prices)
    return LEAST_PAID * lost <= fallen


def stake(s: PositionAnalysis, army: Army, leaders: int) -> float:
    """Return the loss with a beaten army; a rich seat hires its units anew."""
    return worth(army, s.prices) * (LOST_BY_RICH if s.rich else LOST) + GENERAL_VALUE * leaders


def _answered(s: PositionAnalysis, space: Space, army: Army, leaders: int) -> float:
    """Return the expected loss to a counter-attack after a victory."""
    if space in s.lairs():
        return 0.0
    left = survivors(army, leaders, *s.defenders(space))
    return s.risk(space, left, leaders, space) * stake(s, left, leaders if total(left) <= s.legion_limit else 1)


def survivors(army: Army, leaders: int, enemy: Army, marshals: int, walls: int) -> Army:
    """Estimate the units left of a winning army; both fronts hit in proportion to their length."""
    mine, theirs = front(total(army), leaders), front(total(enemy), marshals) + extra_dice(walls, army[2])
    fallen = min(total(army) - 1, total(enemy) * theirs // mine)
    return minus(army, take_by_kind(army, fallen, CHEAP_FIRST))


def forces(s: PositionAnalysis, space: Space) -> list[Force]:
    """Return all legions that can be in a province this turn."""
    ports = _ports_towards(s, space)
    return [*_by_land(s, space), *_horse_first_steps(s, space, ports), *_by_sea(s, space, ports)]


def march(s: PositionAnalysis, source: Space, to: Space, leaders: list[Leader], army: Army) -> March:
    """Return a march of `army`, with tired horsemen only where fresh ones are too few."""
    fresh = ready(s.table, s.seat, source)[1]
    return March(source, to, tuple(leaders), *army, tired=max(0, army[1] - fresh))


# --- by land ---


def _by_land(s: PositionAnalysis, to: Space) -> Iterator[Force]:
    for source in s.steps[to]:
        generals = s.generals(source)
        if not generals or hostile(s.table, s.seat, source):
            continue
        yield from _legions(s, source, to, generals, s.spare(source, to))


def _legions(s: PositionAnalysis, source: Space, to: Space, generals: list[Leader], rest: Army) -> Iterator[Force]:
    """Yield one legion after the other; leaders without a legion go with the last."""
    while generals and any(rest):
        army = load(rest, s.legion_limit)
        rest = minus(rest, army)
        led = generals[:1] if any(rest) else generals
        yield Force(march(s, source, to, led, army), army, len(led))
        generals = generals[len(led) :]


def _horse_first_steps(s: PositionAnalysis, to: Space, ports: Collection[Space]) -> Iterator[Force]:
    """Yield the first step of horsemen two steps away, except those who can go aboard in a port."""
    near = s.steps[to]
    reached = {to, *near, *ports}
    for middle in near:
        if hostile(s.table, s.seat, middle):
            continue
        for source in s.steps[middle]:
            if source in reached or hostile(s.table, s.seat, source):
                continue
            reached.add(source)
            fresh = [x for x in s.generals(source) if not s.table.leader_used[x]]
            riders = min(s.spare(source, to)[1], ready(s.table, s.seat, source)[1], s.legion_limit)
            if fresh and riders:
                yield Force(march(s, source, middle, fresh[:1], (0, riders, 0)), (0, riders, 0), 1)


# --- by sea ---


def _ports_towards(s: PositionAnalysis, to: Space) -> dict[Space, list[int]]:
    """Return the ports with galleys that could land at `to` this turn with units now ashore.

    Ports next to `to` by land are left out: their units march.
    """
    at, way = s.table.galley_at, course(to)
    found = {port: [g for g in ships if way[at[g]] <= s.movement_points] for port, ships in s.docked().items()}
    near = {to, *s.steps[to]}
    return {p: ships for p, ships in found.items() if ships and p not in near and not hostile(s.table, s.seat, p)}


def _by_sea(s: PositionAnalysis, to: Space, ports: Mapping[Space, list[int]]) -> Iterator[Force]:
    table, way = s.table, course(to)
    for galley in s.fleet:
        at = table.galley_at[galley]
        if BOARD.is_sea(at) and any(s.cargo(galley)) and way[at] <= s.movement_points - table.galley_used[galley]:
            leaders = len(s.leaders[s.seat].get(ABOARD + galley, ()))
            yield Force(Sail(galley, towards(to, at)), s.cargo(galley), leaders)
    for port, ships in ports.items():
        yield from _embarking(s, port, ships, to)


def _embarking(s: PositionAnalysis, port: Space, ships: list[int], to: Space) -> Iterator[Force]:
    """Yield a legion for each galley, as long as there are generals."""
    rest = s.ashore(port, to)
    for galley, leader in zip(ships, s.crew(port), strict=False):
        army = load(rest, s.legion_limit)
        if not any(army):
            return
        rest = minus(rest, army)
        yield Force(Sail(galley, towards(to, s.table.galley_at[galley]), (leader,), *army), army, 1)


def towards(to: Space, at: Position) -> Position:
    """Return a galley's next position on its way to a landing."""
    beyond = BOARD.landings[at] if BOARD.is_sea(at) else ()
    return min((*BOARD.coast_seas[at], *beyond), key=course(to).__getitem__)
