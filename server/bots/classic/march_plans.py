"""Marches: save the Caesar, take undefended provinces, bring the armies together."""

from typing import Final

from server.bots.classic.assault import march
from server.bots.classic.position_analysis import HOST, SAFE, WAR, PositionAnalysis, load
from server.bots.routes import FAR
from shared.ids import NO_ARMY, NONE, Army, Leader, Space
from shared.kernel.frames import Action
from shared.mechanics.armies import minus, plus, total
from shared.rulesets.classic.legions import hostile
from shared.rulesets.conquest.pieces import enemy_leaders, ready

ROAMING: Final = 4
"""Steps that a small party goes for an undefended province."""
NEARBY: Final = 1
"""Steps from a wanted place within which generals still take undefended provinces in times of war."""
RECKLESS: Final = 0.78
"""Risk up to which a rich seat sends an army."""
STAYS: Final = 0.5
"""Risk up to which a Caesar stays at home: an escort that leaves with it leaves the home to the enemy."""
LOST: Final = 0.5
"""Risk from which generals leave a province."""
BETTER: Final = 0.17
"""Amount by which the risk must fall for the Caesar or generals to move there."""


# --- the Caesar ---


def flee(s: PositionAnalysis) -> Action | None:
    """Move the Caesar with an escort from a place in danger to a safer one, or home."""
    here = s.caesar_at
    if here >= len(s.steps) or s.table.leader_used[s.caesar] >= s.movement_points or hostile(s.table, s.seat, here):
        return None
    risk = s.risk(here, plus(s.army(here), _hirable_in_time(s, here)), s.led(here))
    if here == s.home and risk <= STAYS:
        return None
    escort = load(s.movable(here), s.legion_limit)
    best, least = None, risk - BETTER
    for to in s.steps[here]:
        if hostile(s.table, s.seat, to):
            continue
        there = s.risk(to, plus(plus(s.army(to), escort), _hirable_in_time(s, to)), s.led(to) + 1)
        there -= (SAFE + BETTER) * (s.home_is_mine and s.distance[to][s.home] < s.distance[here][s.home])
        if there < least:
            best, least = to, there
    return march(s, here, best, [s.caesar], escort) if best is not None else None


def _hirable_in_time(s: PositionAnalysis, space: Space) -> Army:
    """Return the units that can be hired in a province before an enemy arrives."""
    return s.muster() if space == s.home else NO_ARMY


# --- open provinces ---


def claim(s: PositionAnalysis) -> Action | None:
    """Return the best march into a province without defenders, with as few units as hold it."""
    best: Action | None = None
    most = 0.0
    for source in s.leaders[s.seat]:
        if source >= len(s.steps) or not any(spare := s.spare(source)):
            continue
        goal = s.wanted(source)
        if goal != NONE and s.distance[source][goal] > NEARBY and s.table.round >= WAR:
            continue
        for leader in s.generals(source)[:1]:
            for to in s.steps[source]:
                if _is_open(s, to) and not s.army(to)[0]:
                    worth, units = _claim_worth(s, leader, to, spare)
                    worth = s.blurred(worth)
                    if worth > most and not _leaves_too_weak(s, source, units):
                        best, most = march(s, source, to, [leader], units), worth
    return best


def _leaves_too_weak(s: PositionAnalysis, source: Space, units: Army) -> bool:
    """Whether an army would be beaten without these units but could hold out with them."""
    if not s.threats(source):
        return False
    here, led = s.army(source), s.led(source)
    return led > 1 and s.risk(source, minus(here, units), led - 1) > max(SAFE, s.risk(source, here, led))


def _is_open(s: PositionAnalysis, space: Space) -> bool:
    """Whether a province can be won without a battle: it is not ours, or only enemy leaders are there."""
    if hostile(s.table, s.seat, space):
        return False
    return s.table.owner[space] != s.seat or bool(enemy_leaders(s.table, s.seat, space))


def _claim_worth(s: PositionAnalysis, leader: Leader, to: Space, spare: Army) -> tuple[float, Army]:
    """Return the value of a claim and its units: one, as many as hold it, or two to go on with the second."""
    prospects = [t for t in s.steps[to] if _is_open(s, t)]
    value = s.value(to) + len(prospects)
    fresh = s.table.leader_used[leader] == 0
    if s.threats(to):
        for size in range(1, min(s.legion_limit, total(spare)) + 1):
            units = load(spare, size)
            if s.risk(to, units, 1) <= SAFE:
                return value, units
        return (value - 8 if fresh else 0.0), _one(spare)
    if fresh and prospects and spare[0] and spare[1]:
        return value + 8, (1, 1, 0)
    return value, _one(spare)


def _one(army: Army) -> Army:
    """Return one unit of the cheapest kind."""
    return (1, 0, 0) if army[0] else (0, 1, 0) if army[1] else (0, 0, 1)


# --- concentration ---


def gather(s: PositionAnalysis) -> Action | None:
    """Return a march that brings armies together.

    Legions go towards the objective, or to the port of the fleets, as far as it is safe. Generals without troops go
    where troops wait.
    """
    goal = s.objective()
    for source in list(s.leaders[s.seat]):
        generals = s.generals(source) if source < len(s.steps) else []
        if not generals or hostile(s.table, s.seat, source):
            continue
        if source == s.port and s.mobilized:
            generals = generals[max(0, s.berths() + len(generals)) :]
        action = _ordered(s, source, generals, s.port if s.mobilized and s.overseas(source, goal) else goal)
        if action is not None:
            return action
    return None


def _ordered(s: PositionAnalysis, source: Space, generals: list[Leader], to: Space) -> Action | None:
    """Return the march of a province's generals, the most urgent reason first.

    The reasons are danger, the front, a call for generals, undefended provinces, and troops without a leader.
    """
    if not generals:
        return None
    army = s.table.round >= WAR and total(s.army(source)) >= HOST
    free = generals[-(-total(s.spare(source)) // s.legion_limit) :] if army else generals
    return (
        _march_to_safety(s, source, generals)
        or (army and _advance(s, source, generals, to))
        or (free and (_report(s, source, free) or _roaming_march(s, source, free)))
        or (not army and _advance(s, source, generals, to))
        or _fetch(s, source, free or _second(s, source, generals))
        or None
    )


def _second(s: PositionAnalysis, source: Space, generals: list[Leader]) -> list[Leader]:
    """Return a general that a safe army can spare while troops elsewhere have no leader."""
    elsewhere = [at for at in s.leaderless if at != source]
    if len(generals) < 2 or not elsewhere or total(s.army(source)) > s.legion_limit * len(generals):
        return []
    return generals[-1:] if s.risk(source, s.army(source), s.led(source) - 1) <= SAFE else []


def _report(s: PositionAnalysis, source: Space, generals: list[Leader]) -> Action | None:
    """March generals without an army where they are wanted, with all spare units."""
    goal = s.wanted(source)
    if goal == NONE or not s.steps[source]:
        return None
    route = s.route(goal)
    to = min(s.ways(source), key=lambda to: route[to])
    if route[to] >= route[source]:
        return None
    party = load(s.spare(source), s.legion_limit)
    if s.table.leader_used[generals[0]] == 0 and route[source] > 1:
        party = (0, min(party[1], ready(s.table, s.seat, source)[1]), 0)
    return march(s, source, to, generals[:1], party)


def _march_to_safety(s: PositionAnalysis, source: Space, generals: list[Leader]) -> Action | None:
    """March generals out of a province that will fall, with all units that can march."""
    risk = s.risk(source, s.army(source), s.led(source))
    if risk <= LOST or source == s.home or s.besieges(s.army(source)):
        return None
    legion = load(s.movable(source), s.legion_limit * len(generals))

    def danger(to: Space) -> float:
        return s.risk(to, plus(s.army(to), legion), s.led(to) + len(generals))

    open_ones = [to for to in s.ways(source) if not hostile(s.table, s.seat, to)]
    best = min(open_ones, key=lambda to: (max(SAFE, danger(to)), s.distance[to][s.home]), default=None)
    if best is None or danger(best) > risk - BETTER:
        return None
    return march(s, source, best, generals, legion)


def _advance(s: PositionAnalysis, source: Space, generals: list[Leader], goal: Space) -> Action | None:
    """Return one step of a legion: towards the goal if the next place holds, back if this one does not."""
    legion = load(s.spare(source), s.legion_limit * len(generals))
    if total(legion) < 2:
        return None
    leaders = generals[: max(1, -(-total(legion) // s.legion_limit))]
    here = s.risk(source, s.army(source), s.led(source))
    safe = max(SAFE, 0.7 - s.boldness(goal), RECKLESS * s.rich)
    best, most, route = None, 0.0, s.route(goal) if s.table.roads else s.distance[goal]
    route = route if route[source] < FAR else s.distance[goal]  # As if there were no enemies if these bar the way.
    for to in s.ways(source):
        if hostile(s.table, s.seat, to):
            continue
        host = plus(s.army(to), legion)
        there = 0.0 if s.besieges(host) else s.risk(to, host, s.led(to) + len(leaders))
        nearer = route[source] - route[to]
        merit = nearer + 0.02 * total(s.army(to)) if there < safe else 0.0
        if here > safe and there < SAFE:
            merit += 2
        if merit > max(most, 0.5):
            best, most = to, merit
    return march(s, source, best, leaders, legion) if best is not None else None


def _roaming_march(s: PositionAnalysis, source: Space, generals: list[Leader]) -> Action | None:
    """March a general with two units towards the nearest province that is not ours."""
    party = load(s.spare(source), 2)
    if not any(party) or (s.mobilized and s.berths() >= 0):
        return None
    route = s.route(source)
    open_ones = [t for t, owner in enumerate(s.table.owner) if owner != s.seat and 1 < route[t] <= ROAMING]
    if not open_ones:
        return None
    back = s.route(min(open_ones, key=lambda t: s.blurred(route[t] - 0.05 * s.value(t))))
    to = min(s.steps[source], key=lambda to: back[to])
    return march(s, source, to, generals[:1], party) if s.risk(to, plus(s.army(to), party), 1) <= SAFE else None


def _fetch(s: PositionAnalysis, source: Space, generals: list[Leader]) -> Action | None:
    """March the last general towards a place where more units wait for a leader than here."""
    if not generals:
        return None
    best, most = None, 0.9 + (0 if total(s.army(source)) >= HOST else total(s.army(source)))
    for place in {*s.mine, s.home}:
        away = s.route(place)[source]
        if place == source or away >= FAR:
            continue
        there = [x for x in s.leaders[s.seat].get(place, ()) if x != s.caesar]
        need = min(2 * s.legion_limit, _waiting(s, place) - s.legion_limit * len(there))
        merit = need / (1 + 0.3 * away)
        if merit > most:
            best, most = place, merit
    if best is None:
        return None
    route = s.route(best)
    to = min(s.ways(source), key=lambda to: route[to])
    last_step = s.table.leader_used[generals[0]] + 1 == s.movement_points
    if last_step and any(s.army(source)) and not any(s.army(to)) and s.threats(to):
        return None  # The general would end the turn alone beside an enemy.
    return march(s, source, to, generals[:1], NO_ARMY)


def _waiting(s: PositionAnalysis, space: Space) -> int:
    """Return the number of units that a leader could lead from a province, this turn or the next."""
    if hostile(s.table, s.seat, space):
        return 0
    units = total(s.army(space))
    if space == s.home:
        units += total(s.muster()) // 2
    return units
