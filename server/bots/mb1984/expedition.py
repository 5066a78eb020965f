"""Landings: targets of a fleet, the strength that they need, and the moment to sail."""

from typing import Final

from server.bots.mb1984.odds import odds, price
from server.bots.mb1984.position_analysis import GENERAL_WORTH, SAFE, PositionAnalysis
from server.bots.sea_routes import FAR, NEAR, Voyage, apart, course
from shared.board import BOARD
from shared.ids import NO_ARMY, NONE, Army, Position, Seat, Space
from shared.kernel.frames import Action
from shared.mechanics.armies import minus, plus, total
from shared.mechanics.marching import load
from shared.mechanics.places import ABOARD
from shared.mechanics.wares import Ware
from shared.rulesets.conquest.legions import LEGION, POINTS
from shared.rulesets.conquest.pieces import is_caesar, leaders_at
from shared.rulesets.mb1984.economy import PRICES, home_room, pieces_left
from shared.rulesets.mb1984.galleys import boardable, can_board
from shared.rulesets.mb1984.legions import check_stay
from shared.rulesets.mb1984.state import GALLEYS
from shared.vocabulary.actions import Sail

LEAST: Final = 3
"""Least number of units with which a galley sails."""
HASTE: Final = 15
"""Cost of each turn of a voyage, in talents."""
MARGIN: Final = 0.05
"""Chance that a voyage needs beyond that of an attack."""


def reinforcement(survey: PositionAnalysis, seat: Seat) -> Army:
    """Return the units that a player can buy for their home next turn, catapults first."""
    table = survey.table
    money = (table.talents[seat] + table.marker[seat]) // table.inflation
    room = max(0, home_room(table, seat))
    infantry, _cavalry, catapults, *_ = pieces_left(table, seat)
    engines = min(catapults, room, money // PRICES[Ware.CATAPULTS])
    foot = min(infantry, room - engines, (money - engines * PRICES[Ware.CATAPULTS]) // PRICES[Ware.INFANTRY])
    return max(0, foot), 0, max(0, engines)


def voyage(survey: PositionAnalysis, at: Position, army: Army) -> Voyage | None:
    """Return the best landing for an army at sea at a position, or None."""
    key = (at, army)
    if key not in survey.voyages:
        found = [best for space in survey.shores if (best := _landing(survey, at, army, space)) is not None]
        survey.voyages[key] = max(found, key=lambda voyage: voyage.value, default=None)
    return survey.voyages[key]


def _landing(survey: PositionAnalysis, at: Position, army: Army, space: Space) -> Voyage | None:
    moves = course(space)[at]
    if moves >= FAR:
        return None
    turns = -(-moves // POINTS)
    owner = survey.table.owner[space]
    foes = survey.foes(space)
    if turns > 1 and owner != NONE and survey.table.home[owner] == space:
        foes = plus(foes, reinforcement(survey, owner))
    chance = odds(army, foes, survey.wall(space))
    if chance < survey.boldness(space) + MARGIN:
        return None
    prize = survey.prize(space) + 0.6 * price(survey.foes(space))
    value = chance * prize - (1 - chance) * (0.4 * price(army) + GENERAL_WORTH) - HASTE * turns
    return Voyage(space, value) if value > 0 else None


def embark(survey: PositionAnalysis) -> tuple[float, Action] | None:
    """Return the value and the first step of a fleet that is strong enough for a voyage, or None."""
    best: tuple[float, Action] | None = None
    for space, ships in docked(survey).items():
        found = _fleet(survey, space, ships)
        if found is not None and (best is None or found[0] > best[0]):
            best = found
    return best


def docked(survey: PositionAnalysis) -> dict[Space, list[int]]:
    """Return by province the own galleys on its coasts that have not moved and carry no leader."""
    table = survey.table
    found: dict[Space, list[int]] = {}
    for galley, at in enumerate(table.galley_at):
        if at >= BOARD.positions or BOARD.is_sea(at) or table.lord[galley // GALLEYS] != survey.seat:
            continue
        if not table.galley_used[galley] and (ABOARD + galley) not in table.leader_at:
            found.setdefault(BOARD.ashore[at], []).append(galley)
    return found


def _fleet(survey: PositionAnalysis, space: Space, ships: list[int]) -> tuple[float, Action] | None:
    table, seat = survey.table, survey.seat
    crew = [
        x for x in leaders_at(table, seat, space) if not is_caesar(table, x) and can_board(table, seat, ships[0], x)
    ]
    infantry, cavalry, catapults = boardable(table, seat, ships[0], space)
    for size in range(min(len(ships), len(crew)), 0, -1):
        force, _ = load((infantry, cavalry, catapults, 0), LEGION * size)
        left = minus(survey.army(space), force)
        if total(force) < LEAST * size or (survey.caesar == space and survey.risk(space, left) > SAFE):
            continue
        at = table.galley_at[ships[0]]
        goal = voyage(survey, at, plus(force, afloat(survey, at)))
        if goal is None or goal.to == space:
            continue
        return _first(survey, space, ships, crew[-1], force, goal)
    return None


def _first(
    survey: PositionAnalysis, space: Space, ships: list[int], leader: int, force: Army, goal: Voyage
) -> tuple[float, Action] | None:
    table = survey.table
    galley = min(ships, key=lambda galley: course(goal.to)[table.galley_at[galley]])
    army, _ = load((*force, 0), LEGION)
    if check_stay(table, survey.seat, space, (leader,), army) is not None:
        return None
    zone = min(BOARD.coast_seas[table.galley_at[galley]], key=course(goal.to).__getitem__)
    if survey.enemy_fleet(zone):
        return None
    return goal.value, Sail(galley, zone, (leader,), *army)


def afloat(survey: PositionAnalysis, at: Position) -> Army:
    """Return own units aboard galleys near a position."""
    table, army = survey.table, NO_ARMY
    for galley, zone in enumerate(table.galley_at):
        if table.cargo[galley] and table.lord[galley // GALLEYS] == survey.seat and apart(at, zone) <= NEAR:
            army = plus(army, table.cargo[galley])
    return army


def onward(survey: PositionAnalysis, galley: int) -> Space | None:
    """Return the sea zone to which a loaded galley sails on; None if its fleet has no target."""
    at = survey.table.galley_at[galley]
    goal = voyage(survey, at, afloat(survey, at))
    if goal is None:
        return None
    zone = min(BOARD.coast_seas[at], key=course(goal.to).__getitem__)
    return zone if course(goal.to)[zone] < course(goal.to)[at] and not survey.enemy_fleet(zone) else None


def homeward(survey: PositionAnalysis, at: Position, to: Position) -> int:
    """Return the movements by which a step brings a galley nearer to its home."""
    way = course(survey.table.home[survey.seat])
    return way[at] - way[to]


def fetched(survey: PositionAnalysis, at: Position) -> int:
    """Return the movements to the nearest coast where an army has more legions than galleys, else to home."""
    if survey.waiting is None:
        survey.waiting = _waiting(survey) or [survey.table.home[survey.seat]]
    return min(course(space)[at] for space in survey.waiting)


def _waiting(survey: PositionAnalysis) -> list[Space]:
    """Return the provinces where an army has more legions than galleys."""
    table, seat, ships = survey.table, survey.seat, docked(survey)
    return [
        space
        for space in range(BOARD.provinces)
        if total(survey.army(space)) >= LEGION * len(ships.get(space, ())) + LEAST
        and len(leaders_at(table, seat, space)) > len(ships.get(space, ())) + (space == survey.caesar)
        and (survey.idle(space) or space == table.home[seat])
    ]
