"""A war of attrition by a seat that outlasts its rivals: gather all units beside the enemy, along a road of its own."""

from collections.abc import Sequence
from heapq import heappop, heappush
from typing import Final

from server.bots.classic.assault import IDLE, fit_for_siege, march, planned
from server.bots.classic.expedition import land
from server.bots.classic.odds import odds
from server.bots.classic.position_analysis import SIEGE, PositionAnalysis, load
from server.bots.routes import FAR
from shared.board import BOARD
from shared.ids import NO_ARMY, Army, Leader, Space
from shared.kernel.frames import Action
from shared.mechanics.armies import total
from shared.rulesets.classic.legions import hostile
from shared.vocabulary.actions import EndMovement

FOREIGN: Final = 3
"""Additional steps of a road through a province that is not ours."""
CROSSING: Final = 1
"""Additional steps over a strait, which no road crosses."""
STARVED, LATE = 5, 55
"""Ratio of tributes from which a rival is starved, and the round from which it need not be."""
DISTANCE: Final = 0.3
"""Loss of use of waiting units for each march to them, as a share of one."""
EASY: Final = 0.6
"""Chance from which generals who are cut off break through."""
LEAST, WORTHWHILE, AT_HAND = 0.4, 1.4, 4.8
"""Least use of a general's way: of one that has no units, of one in the camp, and of any while the camp is full."""


def campaign(s: PositionAnalysis) -> Action | None:
    """Return the next step of a war of attrition, or None if there is none to fight by land.

    The war takes all generals: legions that also claim and return would never gather.
    """
    if not s.home_is_mine or not s.outlasts_all() or not _is_time(s):
        return None
    goal = _next_goal(s)
    way = s.route(goal)
    if goal == s.home or way[s.home] >= FAR:
        return None
    camp = _camp(s, way)
    return (
        _gathered(s, camp) or land(s) or _attack_with_all(s, goal) or _joined(s) or _break_out(s, goal) or EndMovement()
    )


def _gathered(s: PositionAnalysis, camp: Space, *, joining: bool = False) -> Action | None:
    """Return a march that serves the gathering in a camp.

    joining: whether small parties meet, however few they are; leaders who have marched stay where they are.
    """
    way = s.route(camp)
    for source in sorted(s.leaders[s.seat], key=lambda at: way[at] if at < len(way) else FAR):
        marching = source < len(s.steps) and s.ways(source) and not hostile(s.table, s.seat, source)
        generals = [x for x in s.generals(source) if not joining or not s.table.leader_used[x]] if marching else []
        action = _ordered(s, source, generals, camp, joining=joining) if generals else None
        if action is not None:
            return action
    return None


def _joined(s: PositionAnalysis) -> Action | None:
    """Gather where most units are, in safety if possible, as no army alone is large enough for the camp."""
    places = [at for at in s.mine if at != s.home and s.led(at) and not hostile(s.table, s.seat, at)]
    safe = [at for at in places if not s.threats(at)]
    best = max(safe or places, key=lambda at: (total(s.army(at)), at), default=s.home)
    return _gathered(s, best, joining=True) if best != s.home and total(s.army(best)) < SIEGE else None


def _break_out(s: PositionAnalysis, goal: Space) -> Action | None:
    """Attack a small garrison that cuts generals off from their home."""
    for source in s.leaders[s.seat]:
        if source >= len(s.steps) or s.route(s.home)[source] < FAR or hostile(s.table, s.seat, source):
            continue
        generals, army = s.generals(source), load(s.spare(source), s.legion_limit)
        for to in s.steps[source] if generals else ():
            nearer = to != goal and s.distance[to][s.home] < s.distance[source][s.home]
            if nearer and hostile(s.table, s.seat, to) and odds(army, len(generals), *s.defenders(to)) >= EASY:
                return march(s, source, to, generals, army)
    return None


def _next_goal(s: PositionAnalysis) -> Space:
    """Return the objective, or the first province of enemies on the road to it if they bar every way."""
    goal = s.objective()
    if s.route(goal)[s.home] < FAR:
        return goal
    return next((at for at in war_road(s) if hostile(s.table, s.seat, at)), goal)


def _is_time(s: PositionAnalysis) -> bool:
    """Whether all rivals are starved, money buys nothing more, or the match is long.

    Before that, small parties take provinces.
    """
    starved = all(STARVED * s.table.marker[rival] <= s.table.marker[s.seat] for rival in s.rivals)
    sated = s.table.talents[s.seat] >= IDLE * s.table.inflation
    return starved or sated or s.table.round >= LATE


def _attack_with_all(s: PositionAnalysis, goal: Space) -> Action | None:
    """Attack with what is there when no more can come."""
    s.gathered = True
    plan = planned(s, goal)
    return plan.action if plan is not None else None


def _camp(s: PositionAnalysis, way: Sequence[int]) -> Space:
    """Return the province beside the enemy where the army gathers: the end of the road, else where most of it is."""
    near = [at for at, far in enumerate(way) if far == 1 and not hostile(s.table, s.seat, at)]
    near = [at for at in near if s.route(at)[s.home] < FAR]
    end = war_road(s)[-1:]
    return max(near, key=lambda at: (at in end, total(s.army(at)), -s.route(s.home)[at]), default=s.home)


def _ordered(
    s: PositionAnalysis, source: Space, generals: list[Leader], camp: Space, *, joining: bool
) -> Action | None:
    """Return a march to the camp with all units that can march; without units, to others that wait for a general."""
    way, full = s.route(camp), total(s.army(camp)) >= fit_for_siege(s)
    if source == camp:
        return _fetch(s, source, generals[1:], AT_HAND if full else WORTHWHILE, camp) if len(generals) > 1 else None
    party = siege_train(s.spare(source), s.legion_limit * len(generals))
    needed = -(-total(party) // s.legion_limit)
    to = min(s.ways(source), key=lambda to: (way[to], -total(s.army(to))))
    # Any army is large enough for a camp where no enemy comes.
    enough = s.besieges((total(party) + total(s.army(camp)), 0, 0)) or not s.threats(camp)
    if any(party) and way[to] < way[source] and (joining or to != camp or enough):
        return march(s, source, to, generals[:needed], party)
    idle = generals if way[source] == FAR else generals[needed:]
    if not idle:
        return None
    fetched = _fetch(s, source, idle, AT_HAND if full else LEAST, camp)
    return fetched or (march(s, source, to, idle, NO_ARMY) if way[to] < way[source] else None)


def siege_train(army: Army, size: int) -> Army:
    """Return `size` units with all catapults, whose dice hit from the reserve, and two infantry for each horseman."""
    catapults = min(army[2], size)
    infantry = min(army[0], size - catapults - min(army[1], (size - catapults) // 3))
    return infantry, min(army[1], size - catapults - infantry), catapults


def _fetch(s: PositionAnalysis, source: Space, generals: list[Leader], least: float, camp: Space) -> Action | None:
    """March a general towards the place where most units wait for a leader, for its distance.

    Units in the camp have arrived. Generals that were called there would pace to and fro for ever.
    """
    best, most = source, least
    for place, waiting in _waiting(s).items():
        away = s.route(place)[source]
        if place not in (source, camp) and away < FAR and min(s.legion_limit, waiting) / (1 + DISTANCE * away) > most:
            best, most = place, min(s.legion_limit, waiting) / (1 + DISTANCE * away)
    if best == source:
        return None
    route = s.route(best)
    to = min(s.ways(source), key=lambda to: route[to])
    return march(s, source, to, generals[:1], NO_ARMY) if not hostile(s.table, s.seat, to) else None


def _waiting(s: PositionAnalysis) -> dict[Space, int]:
    """Return by province the units that no general there can lead, with those that are hired next at home."""
    found = {at: total(s.spare(at)) for at in s.mine if not hostile(s.table, s.seat, at)}
    found[s.home] = found.get(s.home, 0) + total(s.muster())
    for at in found:
        found[at] -= s.legion_limit * sum(x != s.caesar for x in s.leaders[s.seat].get(at, ()))
    return {at: units for at, units in found.items() if units > 0}


def war_road(s: PositionAnalysis) -> list[Space]:
    """Return the provinces from home to the last one before the enemy, through own land as far as possible."""
    goal = s.objective()
    border: list[tuple[int, Space, tuple[Space, ...]]] = [(0, s.home, (s.home,))]
    visited = set[Space]()
    while border:
        far, here, path = heappop(border)
        if here == goal:
            return list(path[:-1])
        if here in visited:
            continue
        visited.add(here)
        for there in s.steps[here]:
            cost = 1 + FOREIGN * (s.table.owner[there] != s.seat) + CROSSING * (there not in BOARD.land[here])
            heappush(border, (far + cost, there, (*path, there)))
    return []
