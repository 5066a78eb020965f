"""Movement: the rough value of each march and each sail, in talents."""

import random
from collections.abc import Iterator

from server.bots.mb1984.assault import assault, blurred, left_value
from server.bots.mb1984.conceding import agreed
from server.bots.mb1984.expedition import embark, fetched, homeward, onward
from server.bots.mb1984.odds import odds, price
from server.bots.mb1984.position_analysis import BOLD, CAESAR_WORTH, GENERAL_WORTH, SAFE, PositionAnalysis, can_lead
from server.bots.mb1984.prisoners import bargain, reply_value
from server.bots.sea_routes import FAR
from shared.board import BOARD
from shared.ids import NO_ARMY, NONE, Army, Space
from shared.kernel import engine
from shared.kernel.frames import Action, Frame
from shared.mechanics.armies import minus, plus, total
from shared.mechanics.cells import hostile
from shared.mechanics.marching import load
from shared.mechanics.places import ABOARD
from shared.rulesets.conquest.legions import LEGION, ready
from shared.rulesets.conquest.pieces import is_caesar, leaders_at
from shared.rulesets.mb1984.actions import March, Reply
from shared.rulesets.mb1984.game import Rules
from shared.rulesets.mb1984.shots import fleet_army
from shared.rulesets.mb1984.state import GALLEYS, LEADERS
from shared.rulesets.mb1984.table import Table
from shared.vocabulary.actions import Concede, EndMovement, Sail

HUNT = 2.0
"""Value of coming nearer to the enemy, for each unit."""
LEAST = 0.02
"""Least value of an action to be taken."""
LEFT = 0.5
"""Share of the loss behind it that a hunting army considers."""


def move(survey: PositionAnalysis, rules: Rules, _frame: Frame, rng: random.Random) -> Action:
    lost_to = agreed(survey)
    if lost_to != survey.table.conceded[survey.seat]:
        return Concede(lost_to)
    first = bargain(survey) or assault(survey, rng)
    if first is not None:
        return first
    return max(worthwhile(survey, rules, rng), key=lambda found: found[0], default=(0.0, EndMovement()))[1]


def worthwhile(survey: PositionAnalysis, rules: Rules, rng: random.Random) -> Iterator[tuple[float, Action]]:
    """Yield marches, sails and replies that are better than doing nothing, each with its value."""
    put_to_sea = embark(survey)
    if put_to_sea is not None:
        yield put_to_sea
    for action in engine.options(rules, survey.table, survey.seat):
        if isinstance(action, March):
            value = _march_value(survey, action)
        elif isinstance(action, Sail):
            value = _sail_value(survey, action)
        elif isinstance(action, Reply):
            value = reply_value(survey, action)
        else:
            continue
        value = blurred(survey, value, rng) + rng.random() * 0.01
        if value > LEAST:
            yield value, action


def _take_value(survey: PositionAnalysis, space: Space, army: Army, host: Army = NO_ARMY) -> float:
    """Return the value of an army's entering a province, with or without a battle. `host`: all units that can
    follow."""
    already = survey.army(space)
    foes = survey.foes(space)
    joined = plus(army, already)
    prize = survey.prize(space)
    if not any(foes):
        if already and any(already) and survey.table.owner[space] != survey.seat:
            return 0.0
        held = plus(already, host) if total(host) > total(army) else joined
        loss = survey.risk(space, held) * (price(army) + GENERAL_WORTH) * 0.5
        return prize - loss
    chance = odds(joined, foes, survey.wall(space))
    if chance < BOLD - survey.temper.boldness:
        return -1.0
    before = odds(already, foes, survey.wall(space)) if any(already) else 0.0
    if before > 0.9:
        return -1.0
    return (chance - before) * (prize + price(foes)) - (1 - chance) * (price(army) + GENERAL_WORTH)


def _march_value(survey: PositionAnalysis, march: March) -> float:
    army = (march.infantry, march.cavalry, march.catapults)
    source, to = march.source, march.to
    if any(is_caesar(survey.table, leader) for leader in march.leaders):
        return _flight_value(survey, march, army)
    if not any(army):
        return _walk_value(survey, march)
    if march.tired and source == survey.table.home[survey.seat]:
        return -1.0  # These units have just arrived.
    left = minus(survey.army(source), army)
    value = left_value(survey, source, left)
    if survey.table.owner[to] != survey.seat or hostile(survey.table.units[to], survey.seat):
        return value + _take_value(survey, to, army, _host(survey, source)) - 0.3 * total(army)
    if _take_value(survey, to, army) > 0 and survey.prize(to) > 0:
        return value + survey.prize(to)
    if survey.idle(source):
        return value + 1.5 * survey.homeward(source, to) - 0.5
    return (
        value * LEFT
        + _progress(survey, source, to) * (1 + HUNT * survey.temper.zeal * total(army))
        - _exposure(survey, source, to)
        - 0.5
    )


def _host(survey: PositionAnalysis, source: Space) -> Army:
    """Return all units that can still march from a province."""
    crew = [x for x in leaders_at(survey.table, survey.seat, source) if can_lead(survey.table, x)]
    return load(ready(survey.table, survey.seat, source), LEGION * len(crew))[0]


def _exposure(survey: PositionAnalysis, source: Space, to: Space) -> float:
    """Return the loss in safety if as many units as possible go on from a province to the next."""
    host = _host(survey, source)
    there = plus(survey.army(to), host)
    return max(0.0, survey.risk(to, there) - survey.risk(source, survey.army(source))) * price(host) * 0.5


def _progress(survey: PositionAnalysis, source: Space, to: Space) -> float:
    """Return the progress towards free provinces and towards the enemy."""
    land, prey = survey.land(), survey.prey()
    open_ = land.get(source, FAR) - land.get(to, FAR)
    hunt = prey.get(source, FAR) - prey.get(to, FAR)
    return max(-1, min(1, open_)) * 1.0 + max(-1, min(1, hunt)) * 1.5


def _walk_value(survey: PositionAnalysis, march: March) -> float:
    """Value the way home of a general without units, to fetch new ones."""
    home = survey.table.home[survey.seat]
    if survey.table.owner[home] != survey.seat or march.source == home:
        return -1.0
    if any(survey.army(march.source)) and not survey.idle(march.source):
        return -1.0
    return 0.4 * survey.homeward(march.source, march.to) - 2 * survey.risk(march.to, NO_ARMY)


def _flight_value(survey: PositionAnalysis, march: March, army: Army) -> float:
    """Value a march of the Caesar: only away from danger, or home."""
    here = survey.risk(march.source, survey.army(march.source))
    there = survey.risk(march.to, plus(survey.army(march.to), army))
    if hostile(survey.table.units[march.to], survey.seat):
        return -1.0
    home = survey.table.home[survey.seat]
    if here > SAFE and there < here:
        return (here - there) * CAESAR_WORTH
    if march.to == home and there <= SAFE:
        return 1.0
    return -1.0


def _sail_value(survey: PositionAnalysis, sail: Sail) -> float:
    table, seat, galley = survey.table, survey.seat, sail.galley
    at, to = table.galley_at[galley], sail.to
    army: Army = (sail.infantry, sail.cavalry, sail.catapults)
    led: tuple[int, ...] = sail.leaders
    if BOARD.is_sea(at):
        led = leaders_at(table, seat, ABOARD + galley)
        cargo = table.cargo[galley]
        army = (cargo[0], cargo[1], cargo[2]) if cargo else NO_ARMY
    if seat * LEADERS in led and not BOARD.is_sea(at):
        return -1.0
    value = _contact_value(survey, to, army) if BOARD.is_sea(to) else 0.0
    if value < 0:
        return value
    if not any(army):
        return value + _empty_value(survey, at, to, led)
    if not BOARD.is_sea(at):
        return -1.0
    if BOARD.is_sea(to):
        goal = onward(survey, galley)
        return value + (4.0 * (to == goal) if goal is not None else 0.5 * homeward(survey, at, to))
    space = BOARD.ashore[to]
    if table.owner[space] == seat:
        return 1.0 if onward(survey, galley) is None else -1.0
    taken = _take_value(survey, space, army)
    if taken < 0 and any(survey.foes(space)):
        return taken  # Coming near the enemy must not make up for a lost landing.
    return taken + 5 * (survey.prey().get(space, FAR) < 4)


def _empty_value(survey: PositionAnalysis, at: int, to: int, led: tuple[int, ...]) -> float:
    """Value the way of a galley without a legion to one that waits for it."""
    nearer = fetched(survey, at) - fetched(survey, to)
    if BOARD.is_sea(to):
        return 0.5 * nearer if nearer > 0 and not led else -1.0
    space = BOARD.ashore[to]
    mine = survey.table.owner[space] == survey.seat
    return 1.0 if mine and (led or nearer > 0) else -1.0


def _contact_value(survey: PositionAnalysis, zone: Space, army: Army) -> float:
    """Return the value of meeting the fleet in a zone: 0 without a fleet, negative for a bad chance."""
    table = survey.table
    lords = {table.lord[g // GALLEYS] for g, at in enumerate(table.galley_at) if at == zone} - {survey.seat}
    if not lords:
        return 0.0
    lord = next(iter(lords))
    theirs = fleet_army(table, lord, zone)
    ships = sum(at == zone and table.lord[g // GALLEYS] == lord for g, at in enumerate(table.galley_at))
    mine = plus(army, fleet_army(table, survey.seat, zone))
    chance = odds(mine, theirs, 0, (1, ships))
    if chance < BOLD:
        return -5.0
    crews = [x for x, at in enumerate(table.leader_at) if at >= ABOARD and table.lord[x // LEADERS] == lord]
    aboard = [x for x in crews if at_zone(table, x) == zone]
    prize = sum(CAESAR_WORTH if is_caesar(table, x) else GENERAL_WORTH for x in aboard)
    return chance * (prize + price(theirs) + 25 * ships) * 0.5 - (1 - chance) * (price(army) + 50)


def at_zone(table: Table, leader: int) -> int:
    """Return the sea zone of a leader aboard a galley, else NONE."""
    at = table.leader_at[leader] - ABOARD
    return table.galley_at[at] if 0 <= at < len(table.galley_at) else NONE
