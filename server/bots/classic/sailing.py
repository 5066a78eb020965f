"""Galleys: take islands, land where the odds are good, bring generals home, hunt a Caesar who put to sea."""

from collections.abc import Iterator
from functools import cache
from typing import Final

from server.bots.classic import odds
from server.bots.classic.marching import boldness
from server.bots.classic.survey import FAR, Survey, load
from shared.board import BOARD
from shared.ids import NO_ARMY, NONE, Army, Leader, Position, Space
from shared.kernel.frames import Action
from shared.mechanics.armies import plus, total
from shared.rulesets.classic.actions import Sail
from shared.rulesets.classic.movement import LEGION, POINTS, can_board, hostile
from shared.rulesets.classic.state import ABOARD, LEADERS, galley_lord

SEAS: Final = range(BOARD.provinces, BOARD.spaces)


@cache
def voyage(start: Position) -> dict[Position, int]:
    """Steps over the open sea from a zone, or from a coast, to every zone."""
    found = dict.fromkeys(BOARD.coast_seas[start], 1)
    if start in SEAS:
        found[start] = 0
    border = list(found)
    for zone in border:
        for there in BOARD.coast_seas[zone]:
            if there not in found:
                found[there] = found[zone] + 1
                border.append(there)
    return found


def sail(s: Survey) -> Action | None:
    """The most useful thing that a galley can do, if there is any."""
    best: Action | None = None
    most = 0.0
    for galley in fleet(s):
        if s.table.galley_used[galley] < POINTS:
            for worth, action in _choices(s, galley, s.table.galley_at[galley]):
                if worth > most:
                    best, most = action, worth
    return best


def fleet(s: Survey) -> list[int]:
    """My galleys on the board."""
    table = s.table
    return [g for g, at in enumerate(table.galley_at) if at < BOARD.positions and galley_lord(table, g) == s.seat]


def _choices(s: Survey, galley: int, at: Position) -> Iterator[tuple[float, Action]]:
    if at in SEAS:
        yield from _at_sea(s, galley, at)
    elif not s.table.galley_used[galley]:
        yield from _in_port(s, galley, at)


# --- from the sea ---


def _at_sea(s: Survey, galley: int, at: Position) -> Iterator[tuple[float, Action]]:
    crew = s.leaders[s.seat].get(ABOARD + galley, [])
    cargo = s.table.cargo[galley]
    army = (cargo[0], cargo[1], cargo[2]) if cargo else NO_ARMY
    for coast in BOARD.landings[at]:
        space = BOARD.ashore[coast]
        if crew and (worth := _landing_worth(s, space, army)) > 0:
            yield worth, Sail(galley, coast)
        elif s.table.owner[space] == s.seat and not hostile(s.table, s.seat, space):
            mainland = s.distance[space][s.home] < FAR
            yield (1.0 + (space == s.home)) * mainland + 0.1 * bool(crew), Sail(galley, coast)
    goal = _prey(s)
    course = voyage(goal) if goal != NONE and not crew else _homeward(s)
    for zone in BOARD.coast_seas[at]:
        if course.get(zone, FAR) < course.get(at, FAR):
            yield (5.0 if goal != NONE and not crew else 0.5), Sail(galley, zone)


def _homeward(s: Survey) -> dict[Position, int]:
    return voyage(BOARD.coasts[s.home][0]) if BOARD.coasts[s.home] else {}


def _prey(s: Survey) -> Position:
    """The zone in which a rival's Caesar is afloat, or NONE."""
    for rival in s.rivals:
        at = s.table.leader_at[rival * LEADERS]
        if ABOARD <= at < ABOARD + len(s.table.galley_at):
            return s.table.galley_at[at - ABOARD]
    return NONE


# --- from a port ---


def _in_port(s: Survey, galley: int, at: Position) -> Iterator[tuple[float, Action]]:
    port = BOARD.ashore[at]
    crew = [x for x in s.leaders[s.seat].get(port, []) if x != s.caesar and can_board(s.table, s.seat, x)]
    units = s.ashore(port)
    if crew and any(units):
        for zone in BOARD.coast_seas[at]:
            for coast in BOARD.landings[zone]:
                yield _embarkation(s, galley, zone, BOARD.ashore[coast], crew, units)
    if _prey(s) != NONE and not crew:
        for zone in BOARD.coast_seas[at]:
            yield 5.0, Sail(galley, zone)
    elif s.distance[port][s.home] == FAR:
        course = _homeward(s)
        for zone in BOARD.coast_seas[at]:
            yield 2.0 / (1 + course.get(zone, FAR)), Sail(galley, zone, tuple(crew))


def _embarkation(
    s: Survey, galley: int, zone: Position, target: Space, crew: list[Leader], units: Army
) -> tuple[float, Action]:
    """Go aboard to land on `target`: one unit for an open shore, as many as there is room for against enemies."""
    legion = load(units, LEGION) if hostile(s.table, s.seat, target) else load(units, 1)
    return _landing_worth(s, target, units), Sail(galley, zone, tuple(crew[:1]), *legion)


def _landing_worth(s: Survey, space: Space, army: Army) -> float:
    """What landing there is worth; 0 where a march does as well, or the odds are bad."""
    if not any(army) or (not hostile(s.table, s.seat, space) and s.table.owner[space] == s.seat):
        return 0.0
    value = s.value(space)
    if not hostile(s.table, s.seat, space):
        easy = any(s.army(near) != NO_ARMY and s.generals(near) for near in s.steps[space])
        return 0.0 if easy or any(s.army(space)) else value
    enemy, leaders, walls = s.defenders(space)
    joint = plus(s.army(space), load(army, _room(s, space)))
    margin = odds.forecast(joint, s.led(space) + 1, enemy, leaders, walls).margin
    return value * (0.5 + margin) if margin >= boldness(s, value) and total(joint) else 0.0


def _room(s: Survey, space: Space) -> int:
    """Units that my galleys could land there this turn."""
    shores = {zone for coast in BOARD.coasts[space] for zone in BOARD.coast_seas[coast]}
    ships = 0
    for galley in fleet(s):
        at = s.table.galley_at[galley]
        near = at in shores or (at not in SEAS and bool(shores.intersection(BOARD.coast_seas[at])))
        ships += near and s.table.galley_used[galley] < POINTS
    return LEGION * max(1, ships)
