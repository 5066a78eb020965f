"""Marches: save the Caesar, attack with good odds, take what lies open, bring the armies together."""

from typing import Final

from shared.ids import NO_ARMY, Army, Leader, Space
from shared.kernel.frames import Action
from shared.mechanics.armies import plus, total
from shared.rulesets.classic.actions import March
from shared.rulesets.classic.legions import hostile
from shared.rulesets.conquest.legions import LEGION, POINTS, ready
from tests.bench.greedy.classic import odds
from tests.bench.greedy.classic.survey import CAESAR_VALUE, FAR, Survey, load

SAFE: Final = -0.2
"""A stack stays where an attack on it would go worse than this for the attacker."""
ATTRITION: Final = -0.7
"""The margin that is good enough in a siege."""
ROAMING: Final = 5
"""How far a small party goes for an open province."""
ENOUGH: Final = 0.75
"""No more legions join an attack that looks as good as this."""


def march(s: Survey, source: Space, to: Space, leaders: list[Leader], army: Army) -> March:
    """A march of `army`, tired horsemen only where fresh ones are too few."""
    fresh = ready(s.table, s.seat, source)[1]
    return March(source, to, tuple(leaders), *army, tired=max(0, army[1] - fresh))


# --- the Caesar ---


def flee(s: Survey) -> Action | None:
    """Return a march of the Caesar from a place that will fall to a better one, else home, with all that can march."""
    here = s.caesar_at
    if here >= len(s.steps) or s.table.leader_used[s.caesar] >= POINTS or hostile(s.table, s.seat, here):
        return None
    hired = s.muster() if here == s.home else NO_ARMY
    risk = s.danger(here, plus(s.army(here), hired), s.led(here))
    if here == s.home and risk < 0:
        return None
    infantry, fresh, catapults, tired = ready(s.table, s.seat, here)
    escort = load((infantry, fresh + tired, catapults), LEGION)
    best, least = None, risk - 0.2
    for to in s.steps[here]:
        if hostile(s.table, s.seat, to):
            continue
        there = s.danger(to, plus(s.army(to), escort), s.led(to) + 1)
        there -= 0.5 * (s.home_is_mine and s.distance[to][s.home] < s.distance[here][s.home])
        if there < least:
            best, least = to, there
    return march(s, here, best, [s.caesar], escort) if best is not None else None


# --- attack ---


def assault(s: Survey) -> Action | None:
    """The best attack that all legions within one step can make together; one legion at a time."""
    best: Action | None = None
    most = 0.0
    for target in range(len(s.steps)):
        if hostile(s.table, s.seat, target):
            worth, action = _attack_on(s, target)
            if worth > most:
                best, most = action, worth
    return best


def _attack_on(s: Survey, target: Space) -> tuple[float, Action | None]:
    army, leaders, walls = s.defenders(target)
    there, marshals = s.army(target), s.led(target)
    if any(there) and odds.forecast(there, marshals, army, leaders, walls).margin > ENOUGH:
        return 0.0, None
    joint, together, best, most = there, marshals, None, 0
    for source in s.steps[target]:
        generals = s.generals(source)
        if not generals or hostile(s.table, s.seat, source):
            continue
        legion = load(s.spare(source), LEGION * len(generals))
        joint, together = plus(joint, legion), together + len(generals)
        if odds.worth(legion) > most:
            most = odds.worth(legion)
            needed = max(-(-total(legion) // LEGION), min(len(generals), 2))
            best = march(s, source, target, generals[:needed], legion)
    if best is None:
        return 0.0, None
    margin = odds.forecast(joint, together, army, leaders, walls).margin
    value = s.value(target)
    wanted = ATTRITION if is_siege(s, target) and total(joint) >= 2 * LEGION else boldness(s, value)
    if not any(there) and margin < wanted:
        return 0.0, None
    return value * max(0.1, 0.5 + margin) + 100 * any(there), best


def is_siege(s: Survey, target: Space) -> bool:
    """Whether an outclassed rival sits there with the Caesar: every attack wears the rival down, if we stop in time."""
    return any(s.caesar_of(rival) == target and s.outclasses(rival) for rival in s.rivals)


def boldness(s: Survey, value: float) -> float:
    """The margin that an attack must promise: less for a Caesar, less for the stronger side, less as years pass."""
    wanted = 0.35 - impatience(s)
    if value >= CAESAR_VALUE:
        wanted -= 0.2
    return max(0.0, wanted)


def impatience(s: Survey) -> float:
    """Return a factor that grows with the rounds, with superior strength, and with unspent money."""
    strongest = max((s.strength(rival) for rival in s.rivals), default=0)
    superior = s.strength(s.seat) > 1.3 * strongest
    rich = s.table.talents[s.seat] > 300 * s.table.inflation
    return min(0.2, 0.003 * s.table.round) + 0.15 * superior + 0.3 * rich


# --- open provinces ---


def claim(s: Survey) -> Action | None:
    """Walk into a province without defenders, as few units as hold it."""
    best: Action | None = None
    most = 0.0
    for source in s.leaders[s.seat]:
        if source >= len(s.steps) or not any(spare := s.spare(source)):
            continue
        for leader in s.generals(source)[:1]:
            for to in s.steps[source]:
                if s.table.owner[to] != s.seat and not hostile(s.table, s.seat, to) and not s.army(to)[0]:
                    worth, units = _claim_worth(s, leader, to, spare)
                    if worth > most:
                        best, most = march(s, source, to, [leader], units), worth
    return best


def _claim_worth(s: Survey, leader: Leader, to: Space, spare: Army) -> tuple[float, Army]:
    """Return the worth of claiming a province, and the units for it: one, a garrison, or two to go on with the
    second."""
    prospects = [t for t in s.steps[to] if s.table.owner[t] != s.seat and not hostile(s.table, s.seat, t)]
    value = s.value(to) + 0.5 * len(prospects)
    fresh = s.table.leader_used[leader] == 0
    if any(s.threat(to)[0]):
        for size in range(1, min(LEGION, total(spare)) + 1):
            units = load(spare, size)
            if s.danger(to, units, 1) < SAFE:
                return value, units
        return value - (4 if fresh else 12), _one(spare)
    if fresh and prospects and spare[0] and spare[1]:
        return value + 4, (1, 1, 0)
    return value, _one(spare)


def _one(army: Army) -> Army:
    """The cheapest unit."""
    return (1, 0, 0) if army[0] else (0, 1, 0) if army[1] else (0, 0, 1)


# --- concentration ---


def gather(s: Survey) -> Action | None:
    """Legions go towards the objective as far as it is safe; generals without troops go where troops wait."""
    goal = s.objective()
    for source in list(s.leaders[s.seat]):
        generals = s.generals(source) if source < len(s.steps) else []
        if not generals or hostile(s.table, s.seat, source):
            continue
        action = _advance(s, source, generals, goal) or _roam(s, source, generals) or _fetch(s, source, generals)
        if action is not None:
            return action
    return None


def _advance(s: Survey, source: Space, generals: list[Leader], goal: Space) -> Action | None:
    """Return one step of a legion: on, if the next place can be held; back, if this one cannot."""
    legion = load(s.spare(source), LEGION * len(generals))
    if total(legion) < 2:
        return None
    leaders = generals[: max(1, -(-total(legion) // LEGION))]
    here = s.danger(source, s.army(source), s.led(source))
    safe = SAFE + impatience(s)
    best, most = None, 0.0
    for to in s.steps[source]:
        if hostile(s.table, s.seat, to):
            continue
        there = s.danger(to, plus(s.army(to), legion), s.led(to) + len(leaders))
        nearer = s.distance[source][goal] - s.distance[to][goal]
        merit = nearer + 0.02 * total(s.army(to)) if there < safe else 0.0
        if here > safe and there < SAFE:
            merit += 2
        if merit > max(most, 0.5):
            best, most = to, merit
    return march(s, source, best, leaders, legion) if best is not None else None


def _roam(s: Survey, source: Space, generals: list[Leader]) -> Action | None:
    """A general with two units goes to the nearest province that lies open."""
    party = load(s.spare(source), 2)
    if not any(party):
        return None
    route = s.route(source)
    open_ones = [t for t, owner in enumerate(s.table.owner) if owner != s.seat and 1 < route[t] <= ROAMING]
    if not open_ones:
        return None
    back = s.route(min(open_ones, key=lambda t: route[t] - 0.1 * s.value(t)))
    to = min(s.steps[source], key=lambda to: back[to])
    return march(s, source, to, generals[:1], party) if s.danger(to, plus(s.army(to), party), 1) < SAFE else None


def _fetch(s: Survey, source: Space, generals: list[Leader]) -> Action | None:
    """The last general here goes where more units wait for a leader than here."""
    waiting = min(LEGION, max(0, _waiting(s, source) - LEGION * (len(generals) - 1)))
    best, most = None, float(waiting) + 0.9
    for place in {*s.mine, s.home}:
        away = s.route(place)[source]
        if place == source or away >= FAR:
            continue
        there = [x for x in s.leaders[s.seat].get(place, ()) if x != s.caesar]
        wanted = min(2 * LEGION, _waiting(s, place) - LEGION * len(there))
        merit = wanted / (1 + 0.3 * away)
        if merit > most:
            best, most = place, merit
    if best is None:
        return None
    route = s.route(best)
    to = min(s.steps[source], key=lambda to: route[to])
    last_step = s.table.leader_used[generals[0]] + 1 == POINTS
    if last_step and any(s.army(source)) and not any(s.army(to)) and any(s.threat(to)[0]):
        return None  # the general would be alone at the end of the turn, with an enemy next to it
    return march(s, source, to, generals[:1], NO_ARMY)


def _waiting(s: Survey, space: Space) -> int:
    """Units that a leader could lead from there, this turn or the next."""
    if hostile(s.table, s.seat, space):
        return 0
    units = total(s.army(space)) - s.garrison(space)
    if space == s.home:
        units += total(s.muster()) // 2
    return units
