"""Movement: what each march and each sail is worth, in talents, roughly."""

import random

from shared.board import BOARD
from shared.ids import NO_ARMY, NONE, Army, Space
from shared.kernel import engine
from shared.kernel.frames import Action, Frame
from shared.mechanics.armies import minus, plus, total
from shared.mechanics.cells import hostile
from shared.mechanics.places import ABOARD
from shared.mechanics.tribute import worth
from shared.rulesets.conquest.pieces import is_caesar, leaders_at
from shared.rulesets.mb1984.actions import March, Reply
from shared.rulesets.mb1984.game import Rules
from shared.rulesets.mb1984.shots import fleet_army
from shared.rulesets.mb1984.state import GALLEYS, LEADERS
from shared.rulesets.mb1984.table import Table
from shared.vocabulary.actions import EndMovement, Sail
from tests.bench.greedy.mb1984.odds import odds, price
from tests.bench.greedy.mb1984.prisoners import reply_value
from tests.bench.greedy.mb1984.survey import BOLD, CAESAR_WORTH, FAR, GENERAL_WORTH, SAFE, Survey


def move(survey: Survey, rules: Rules, _frame: Frame, rng: random.Random) -> Action:
    best, score = None, 0.0
    for action in engine.options(rules, survey.table, survey.seat):
        if isinstance(action, March):
            value = _march_value(survey, action)
        elif isinstance(action, Sail):
            value = _sail_value(survey, action)
        elif isinstance(action, Reply):
            value = reply_value(survey, action)
        else:
            continue
        value += rng.random() * 0.01
        if value > max(score, 0.02):
            best, score = action, value
    return best or EndMovement()


def _prize(survey: Survey, space: Space) -> float:
    """Return the worth of taking a province: its tribute for some turns, and the leaders in it."""
    table = survey.table
    value = 4.0 * worth(table, space)
    owner = table.owner[space]
    if owner == survey.seat:
        value = 0.0
    elif owner != NONE:
        value *= 1.5
        if table.home[owner] == space:
            value += 100 + table.talents[owner]
    for leader, at in enumerate(table.leader_at):
        if at == space and table.lord[leader // LEADERS] != survey.seat:
            value += CAESAR_WORTH if is_caesar(table, leader) else GENERAL_WORTH
    return value


def _take_value(survey: Survey, space: Space, army: Army) -> float:
    """The value of an army's entering a province: of conquest without or with a battle."""
    already = survey.army(space)
    foes = survey.foes(space)
    joined = plus(army, already)
    prize = _prize(survey, space)
    if not any(foes):
        if already and any(already) and survey.table.owner[space] != survey.seat:
            return 0.0
        loss = survey.risk(space, joined) * (price(army) * 0.5 + GENERAL_WORTH * 0.5)
        return prize - loss
    chance = odds(joined, foes, survey.wall(space))
    if chance < BOLD:
        return -1.0
    before = odds(already, foes, survey.wall(space)) if any(already) else 0.0
    if before > 0.9:
        return -1.0
    return (chance - before) * (prize + price(foes)) - (1 - chance) * (price(army) + GENERAL_WORTH)


def _left_value(survey: Survey, space: Space, left: Army) -> float:
    """The loss of leaving only that behind."""
    now = survey.army(space)
    value = survey.risk(space, now) - survey.risk(space, left)
    if survey.caesar == space:
        return value * CAESAR_WORTH - (CAESAR_WORTH if not any(left) and any(survey.danger(space)) else 0)
    return value * 2 * worth(survey.table, space)


def _march_value(survey: Survey, march: March) -> float:
    army = (march.infantry, march.cavalry, march.catapults)
    source, to = march.source, march.to
    if any(is_caesar(survey.table, leader) for leader in march.leaders):
        return _flight_value(survey, march, army)
    if not any(army):
        return _walk_value(survey, march)
    left = minus(survey.army(source), army)
    value = _left_value(survey, source, left)
    if survey.table.owner[to] != survey.seat or hostile(survey.table.units[to], survey.seat):
        return value + _take_value(survey, to, army) - 0.3 * total(army)
    if _take_value(survey, to, army) > 0 and _prize(survey, to) > 0:
        return value + _prize(survey, to)
    if survey.idle(source):
        return value + 1.5 * survey.homeward(source, to) - 0.5
    return value + _progress(survey, source, to) * (1 + 0.2 * total(army)) - 0.5


def _progress(survey: Survey, source: Space, to: Space) -> float:
    """Return the gain in nearness to provinces that can be taken, and to the enemy."""
    land, prey = survey.land(), survey.prey()
    open_ = land.get(source, FAR) - land.get(to, FAR)
    hunt = prey.get(source, FAR) - prey.get(to, FAR)
    return max(-1, min(1, open_)) * 1.0 + max(-1, min(1, hunt)) * 1.5


def _walk_value(survey: Survey, march: March) -> float:
    """A general without units goes home, where the new ones are."""
    home = survey.table.home[survey.seat]
    if survey.table.owner[home] != survey.seat or march.source == home:
        return -1.0
    if any(survey.army(march.source)) and not survey.idle(march.source):
        return -1.0
    return 0.4 * survey.homeward(march.source, march.to) - 2 * survey.risk(march.to, NO_ARMY)


def _flight_value(survey: Survey, march: March, army: Army) -> float:
    """The Caesar moves only away from danger, or home."""
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


def _sail_value(survey: Survey, sail: Sail) -> float:
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
    distance = survey.sea()
    nearer = distance.get(at, FAR) - distance.get(to, FAR)
    if not BOARD.is_sea(at):
        if not any(army):
            return value - 1
        space = BOARD.ashore[at]
        ready = total(army) >= 5 or (total(army) >= 3 and not survey.land())
        value += _left_value(survey, space, minus(survey.army(space), army))
        return value + (3 + 4 * nearer if nearer > 0 and ready and distance else -1)
    if BOARD.is_sea(to):
        return value + (2 * nearer if any(army) else -0.5 + 0.5 * _homeward(survey, at, to))
    space = BOARD.ashore[to]
    if not any(army):
        return 1.0 if space == table.home[seat] or (led and table.owner[space] == seat) else -1.0
    if table.owner[space] == seat:
        return 1.0 if nearer > 0 or distance.get(at, FAR) > 6 else -1.0
    return _take_value(survey, space, army) + 5 * (survey.prey().get(space, FAR) < 4)


def _homeward(survey: Survey, at: int, to: int) -> int:
    links = [(*seas, *(BOARD.landings[p] if BOARD.is_sea(p) else ())) for p, seas in enumerate(BOARD.coast_seas)]
    near = survey.spread(BOARD.coasts[survey.table.home[survey.seat]], links)
    return near.get(at, FAR) - near.get(to, FAR)


def _contact_value(survey: Survey, zone: Space, army: Army) -> float:
    """Return the worth of meeting the fleets there; 0 if there are none, below 0 for a bad chance."""
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
    """The sea zone of a leader aboard a galley, else NONE."""
    at = table.leader_at[leader] - ABOARD
    return table.galley_at[at] if 0 <= at < len(table.galley_at) else NONE
