"""Movement: the rough value of each march and each sail, in talents."""

import random
from collections.abc import Iterator
from typing import Final

from server.bots.mb1984.assault import assault, blurred, left_value
from server.bots.mb1984.expedition import afloat, embark, fetched, homeward, onward, voyage
from server.bots.mb1984.odds import UNIT_WORTH, odds, price
from server.bots.mb1984.position_analysis import BOLD, CAESAR_WORTH, GENERAL_WORTH, SAFE, PositionAnalysis, can_lead
from server.bots.mb1984.prisoners import bargain, reply_value
from server.bots.routes import FAR
from shared.board import BOARD
from shared.ids import NO_ARMY, NONE, Army, Seat, Space
from shared.kernel import engine
from shared.kernel.frames import Action, Frame
from shared.mechanics.armies import hostile, minus, plus, total
from shared.mechanics.marching import load
from shared.mechanics.pieces import ABOARD, living
from shared.rulesets.conquest.pieces import is_caesar, leaders_at, ready
from shared.rulesets.mb1984.actions import March, Reply
from shared.rulesets.mb1984.definition import Rules
from shared.rulesets.mb1984.shots import fleet_army
from shared.rulesets.mb1984.table import GALLEYS, LEADERS, TableFields
from shared.vocabulary.actions import Concede, EndMovement, Sail

FLEE = 0.5
"""Risk from which a Caesar flees: a home that is left is hardly ever won back."""
HUNT = 2.0
"""Value of coming nearer to the enemy, for each unit."""
LEAST = 0.02
"""Least value of an action to be taken."""
LEFT = 0.5
"""Share of the loss behind it that a hunting army considers."""


EARLIEST: Final = 12
"""Round before which a bot never concedes."""
HOPELESS: Final = 3
"""Factor by which the last enemy's means must exceed ours.

In two hundred matches of normal bots no player so far behind won, nor one behind by a factor of 2.5.
"""
YEARS: Final = 3
"""Turns of tribute that count as means."""


def agreed(analysis: PositionAnalysis) -> Seat:
    """Return the rival to concede the lost match to, or NONE.

    A Caesar could hold out behind walls for another thirty rounds, so conceding is kinder. With several rivals this is
    always NONE: a bargain with another of them is always possible.
    """
    table, seat = analysis.table, analysis.seat
    rivals = [other for other in living(table) if other != seat]
    if len(rivals) > 1 or table.round < EARLIEST:
        return NONE
    units = _armies(table)
    spent = [(table.talents[each] + YEARS * table.marker[each]) / table.inflation for each in (seat, rivals[0])]
    ours, theirs = (units[each] + means for each, means in zip((seat, rivals[0]), spent, strict=True))
    return rivals[0] if HOPELESS * ours <= theirs else NONE


def _armies(table: TableFields) -> list[int]:
    """Return by seat the worth of all its units, including those aboard galleys."""
    found = [0] * len(table.talents)
    infantry, cavalry, catapults = UNIT_WORTH
    for cell in table.units:
        for i in range(0, len(cell), 4):
            found[cell[i]] += cell[i + 1] * infantry + cell[i + 2] * cavalry + cell[i + 3] * catapults
    for galley, cargo in enumerate(table.cargo):
        lord = table.lord[galley // GALLEYS]
        if cargo and lord != NONE:
            found[lord] += cargo[0] * infantry + cargo[1] * cavalry + cargo[2] * catapults
    return found


def move(analysis: PositionAnalysis, rules: Rules, _frame: Frame, rng: random.Random) -> Action:
    """Return the next action of a turn: a concession, a bargain, an attack, a movement or the end of movement."""
    lost_to = agreed(analysis)
    if lost_to != analysis.table.conceded[analysis.seat]:
        return Concede(lost_to)
    first = bargain(analysis) or assault(analysis, rng)
    if first is not None:
        return first
    return max(worthwhile(analysis, rules, rng), key=lambda found: found[0], default=(0.0, EndMovement()))[1]


def worthwhile(analysis: PositionAnalysis, rules: Rules, rng: random.Random) -> Iterator[tuple[float, Action]]:
    """Yield marches, sails and replies that are better than doing nothing, each with its value."""
    put_to_sea = embark(analysis)
    if put_to_sea is not None:
        yield put_to_sea
    for action in engine.options(rules, analysis.table, analysis.seat):
        if isinstance(action, March):
            value = _march_value(analysis, action)
        elif isinstance(action, Sail):
            value = _sail_value(analysis, action)
        elif isinstance(action, Reply):
            value = reply_value(analysis, action)
        else:
            continue
        # A grain of chance decides between equal ones.
        value = blurred(analysis, value, rng) + rng.random() * 0.01
        if value > LEAST:
            yield value, action


def _take_value(analysis: PositionAnalysis, space: Space, army: Army, host: Army = NO_ARMY) -> float:
    """Return the value of an army's entering a province, with or without a battle. `host`: all units that can
    follow."""
    already = analysis.army(space)
    foes = analysis.foes(space)
    joined = plus(army, already)
    prize = analysis.prize(space)
    if not any(foes):
        if already and any(already) and analysis.table.owner[space] != analysis.seat:
            return 0.0
        held = plus(already, host) if total(host) > total(army) else joined
        loss = analysis.risk(space, held) * (price(army) + GENERAL_WORTH) * 0.5
        return prize - loss
    chance = odds(joined, foes, analysis.wall(space))
    if chance < BOLD - analysis.temper.boldness:
        return -1.0
    before = odds(already, foes, analysis.wall(space)) if any(already) else 0.0
    if before > 0.9:
        return -1.0
    return (chance - before) * (prize + price(foes)) - (1 - chance) * (price(army) + GENERAL_WORTH)


def _march_value(analysis: PositionAnalysis, march: March) -> float:
    army = (march.infantry, march.cavalry, march.catapults)
    source, to = march.source, march.to
    if any(is_caesar(analysis.table, leader) for leader in march.leaders):
        return _flight_value(analysis, march, army)
    if not any(army):
        return _walk_value(analysis, march)
    if march.tired and source == analysis.table.home[analysis.seat]:
        return -1.0  # These units have just arrived.
    left = minus(analysis.army(source), army)
    value = left_value(analysis, source, left)
    if analysis.table.owner[to] != analysis.seat or hostile(analysis.table.units[to], analysis.seat):
        return value + _take_value(analysis, to, army, _host(analysis, source)) - 0.3 * total(army)
    if _take_value(analysis, to, army) > 0 and analysis.prize(to) > 0:
        return value + analysis.prize(to)
    if analysis.idle(source):
        return value + 1.5 * analysis.homeward(source, to) - 0.5
    return (
        value * LEFT
        + _progress(analysis, source, to) * (1 + HUNT * analysis.temper.zeal * total(army))
        - _exposure(analysis, source, to)
        - 0.5
    )


def _host(analysis: PositionAnalysis, source: Space) -> Army:
    """Return all units that can still march from a province."""
    crew = [x for x in leaders_at(analysis.table, analysis.seat, source) if can_lead(analysis.table, x)]
    return load(ready(analysis.table, analysis.seat, source), analysis.legion_limit * len(crew))[0]


def _exposure(analysis: PositionAnalysis, source: Space, to: Space) -> float:
    """Return the loss in safety if as many units as possible go on from a province to the next."""
    host = _host(analysis, source)
    there = plus(analysis.army(to), host)
    return max(0.0, analysis.risk(to, there) - analysis.risk(source, analysis.army(source))) * price(host) * 0.5


def _progress(analysis: PositionAnalysis, source: Space, to: Space) -> float:
    """Return the progress towards free provinces and towards the enemy."""
    land, prey = analysis.land(), analysis.prey()
    open_ = land.get(source, FAR) - land.get(to, FAR)
    hunt = prey.get(source, FAR) - prey.get(to, FAR)
    return max(-1, min(1, open_)) * 1.0 + max(-1, min(1, hunt)) * 1.5


def _walk_value(analysis: PositionAnalysis, march: March) -> float:
    """Value the way home of a general without units, to fetch new ones."""
    home = analysis.table.home[analysis.seat]
    if analysis.table.owner[home] != analysis.seat or march.source == home:
        return -1.0
    if any(analysis.army(march.source)) and not analysis.idle(march.source):
        return -1.0
    return 0.4 * analysis.homeward(march.source, march.to) - 2 * analysis.risk(march.to, NO_ARMY)


def _flight_value(analysis: PositionAnalysis, march: March, army: Army) -> float:
    """Value a march of the Caesar: only away from danger, or home."""
    here = analysis.held_risk(march.source, analysis.army(march.source))
    there = analysis.held_risk(march.to, plus(analysis.army(march.to), army))
    if hostile(analysis.table.units[march.to], analysis.seat):
        return -1.0
    home = analysis.table.home[analysis.seat]
    if here > FLEE and there < here:
        return (here - there) * CAESAR_WORTH
    if march.to == home and there <= SAFE:
        return 1.0
    return -1.0


def _sail_value(analysis: PositionAnalysis, sail: Sail) -> float:
    table, seat, galley = analysis.table, analysis.seat, sail.galley
    at, to = table.galley_at[galley], sail.to
    army: Army = (sail.infantry, sail.cavalry, sail.catapults)
    led: tuple[int, ...] = sail.leaders
    if BOARD.is_sea(at):
        led = leaders_at(table, seat, ABOARD + galley)
        cargo = table.cargo[galley]
        army = (cargo[0], cargo[1], cargo[2]) if cargo else NO_ARMY
    if seat * LEADERS in led and not BOARD.is_sea(at):
        return -1.0
    value = _contact_value(analysis, to, army) if BOARD.is_sea(to) else 0.0
    if value < 0:
        return value
    if not any(army):
        return value + _empty_value(analysis, at, to, led)
    if not BOARD.is_sea(at):
        return -1.0
    goal = onward(analysis, galley)
    if BOARD.is_sea(to):
        return value + (4.0 * (to == goal) if goal is not None else 0.5 * homeward(analysis, at, to))
    space = BOARD.ashore[to]
    if table.owner[space] == seat:
        goal_ashore = voyage(analysis, at, afloat(analysis, at))
        return 4.0 if goal_ashore is not None and goal_ashore.to == space else 1.0 - 2 * (goal is not None)
    taken = _take_value(analysis, space, army)
    if taken < 0 and any(analysis.foes(space)):
        return taken  # Coming near the enemy must not make up for a lost landing.
    return taken + 5 * (analysis.prey().get(space, FAR) < 4)


def _empty_value(analysis: PositionAnalysis, at: int, to: int, led: tuple[int, ...]) -> float:
    """Value the way of a galley without a legion to one that waits for it."""
    nearer = fetched(analysis, at) - fetched(analysis, to)
    if BOARD.is_sea(to):
        return 0.5 * nearer if nearer > 0 and not led else -1.0
    space = BOARD.ashore[to]
    mine = analysis.table.owner[space] == analysis.seat
    return 1.0 if mine and (led or nearer > 0) else -1.0


def _contact_value(analysis: PositionAnalysis, zone: Space, army: Army) -> float:
    """Return the value of meeting the fleet in a zone: 0 without a fleet, negative for a bad chance."""
    table = analysis.table
    lords = {table.lord[g // GALLEYS] for g, at in enumerate(table.galley_at) if at == zone} - {analysis.seat}
    if not lords:
        return 0.0
    lord = next(iter(lords))
    theirs = fleet_army(table, lord, zone)
    ships = sum(at == zone and table.lord[g // GALLEYS] == lord for g, at in enumerate(table.galley_at))
    mine = plus(army, fleet_army(table, analysis.seat, zone))
    chance = odds(mine, theirs, 0, (1, ships))
    if chance < BOLD:
        return -5.0
    decks = [ABOARD + galley for galley, at in enumerate(table.galley_at) if at == zone]
    aboard = [x for x, at in enumerate(table.leader_at) if at in decks and table.lord[x // LEADERS] == lord]
    prize = sum(CAESAR_WORTH if is_caesar(table, x) else GENERAL_WORTH for x in aboard)
    return chance * (prize + price(theirs) + 25 * ships) * 0.5 - (1 - chance) * (price(army) + 50)
