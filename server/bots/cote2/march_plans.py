"""Marches and landings: leaders to where they can buy or fight, guards to unguarded tokens."""

from collections.abc import Iterator
from typing import Final

from server.bots.cote2.fighting import assault, targets
from server.bots.cote2.plans import MarchPlan, Plan, Posting
from server.bots.cote2.position_analysis import IDLE, UNIT, SeatAnalysis
from shared.ids import NO_ARMY, Army, Space
from shared.mechanics.armies import minus, plus, take_by_kind, total
from shared.rulesets.cote2.actions import Move
from shared.rulesets.cote2.data import KEY_SET
from shared.rulesets.cote2.movement import room
from shared.rulesets.cote2.state import LEADERS, leaders_at, led
from shared.rulesets.cote2.ways import landings

ONE: Final[Army] = (1, 0, 0)


def keep(analysis: SeatAnalysis, source: Space) -> int:
    """Return the units that must stay in a province with own tokens."""
    return int(source in KEY_SET and analysis.table.influence[source][analysis.seat] > 0)


def posting(analysis: SeatAnalysis, source: Space) -> Posting:
    """Return the unguarded own tokens within reach, and the units to spare for them."""
    spare = max(0, analysis.army(source)[0] - keep(analysis, source))
    if not spare:
        return Posting(0, ())
    places = [(guarding(analysis, space), space) for space in analysis.bare if space in analysis.near(source)]
    return Posting(spare, tuple(sorted([place for place in places if place[0] > 0], reverse=True)))


def guarding(analysis: SeatAnalysis, space: Space) -> float:
    """Return the value of a first guard in a province."""
    return analysis.change(space, analysis.seat, 1)


def marches(analysis: SeatAnalysis, alternative: float, whole: bool = False) -> Iterator[Plan]:
    """Yield marches from every post.

    alternative: value of the action after it without the march. whole: only with all units that can be spared.
    """
    for source in analysis.posts:
        drops = posting(analysis, source)
        if drops.places:
            yield _guards(analysis, source, drops)
        for march in _ways(analysis, source, whole):
            yield _judged(analysis, march, drops, alternative)


def _guards(analysis: SeatAnalysis, source: Space, drops: Posting) -> Plan:
    chosen = drops.places[: drops.spare]
    worth = sum([gain for gain, _space in chosen]) - len(chosen) * (UNIT - IDLE)
    return Plan(worth, Move(source, tuple([(space, *ONE) for _gain, space in chosen])))


def _ways(analysis: SeatAnalysis, source: Space, whole: bool) -> Iterator[MarchPlan]:
    """Yield marches to each key province: each leader, and all together, with no units, a guard, or all to spare."""
    table, near = analysis.table, analysis.near(source)
    here = leaders_at(table, analysis.seat, source)
    parties = [(leader,) for leader in here] + ([here] if len(here) > 1 else [])
    for to in sorted((near | landings(table, analysis.seat, source)) & KEY_SET):
        afloat = to not in near
        most = room(table, analysis.seat, to) if afloat else 99
        # They are sorted, so the last one is the whole.
        for army in _escorts(analysis, source, most)[-1 if whole else 0 :]:
            for party in parties:
                yield MarchPlan(source, to, party, army, afloat)


def _escorts(analysis: SeatAnalysis, source: Space, most: int) -> list[Army]:
    army = analysis.army(source)
    staying = take_by_kind(army, keep(analysis, source), (0, 1, 2))
    whole = units_that_fit(minus(army, staying), most)
    return sorted({NO_ARMY, (min(1, whole[0]), 0, 0), whole})


def units_that_fit(army: Army, room: int) -> Army:
    """Return the units of an army that fit into the room, the strongest mixture first."""
    catapults = min(army[2], room, 1)
    cavalry = min(army[1], room - catapults, 2)
    infantry = min(army[0], room - catapults - cavalry)
    more = min(army[1] - cavalry, room - catapults - cavalry - infantry)
    return infantry, cavalry + more, catapults + min(army[2] - catapults, room - catapults - cavalry - infantry - more)


def _judged(analysis: SeatAnalysis, march: MarchPlan, drops: Posting, alternative: float) -> Plan:
    """Return a march with its value: its effect at once, and the action that it allows next."""
    spare = drops.spare - march.army[0]
    chosen = [place for place in drops.places if place[1] != march.to][: max(0, spare)]
    worth = sum([gain for gain, _space in chosen]) + analysis.patience * max(
        0.0, follow_up(analysis, march) - alternative
    )
    worth += _settled(analysis, march)
    armies = ((march.to, *march.army),) if any(march.army) else ()
    moved = (*armies, *[(space, *ONE) for _gain, space in chosen])
    return Plan(worth, Move(march.source, moved, tuple([(leader, march.to) for leader in march.leaders])))


def _settled(analysis: SeatAnalysis, march: MarchPlan) -> float:
    """Return the value of the units' new places: as guards, and beside leaders."""
    table, seat = analysis.table, analysis.seat
    left = minus(analysis.army(march.source), march.army)
    there = plus(analysis.army(march.to), march.army)
    worth = analysis.change(march.source, seat, total(left)) + analysis.change(march.to, seat, total(there))
    deserted = len(march.leaders) == len(leaders_at(table, seat, march.source))
    joined = 0 if led(table, seat, march.to) else total(analysis.army(march.to))
    return worth + (UNIT - IDLE) * (joined - deserted * total(left))


def follow_up(analysis: SeatAnalysis, march: MarchPlan) -> float:
    """Return the value of the best next action at a march's destination."""
    army = plus(analysis.army(march.to), march.army)
    most = 2 if any(leader % LEADERS == 0 for leader in march.leaders) else 1
    key = march.to, army, most
    if key not in analysis.prospects:
        analysis.prospects[key] = _prospect(analysis, march.to, army, most)
    return analysis.prospects[key]


def _prospect(analysis: SeatAnalysis, space: Space, army: Army, most: int) -> float:
    guards = analysis.with_units(space, analysis.seat, total(army))
    best = analysis.best_purchase(space, most, guards, (), analysis.over)[0]
    if total(army) > 1:
        for enemy in targets(analysis, space):
            worth, spoils = assault(analysis, space, enemy, army, True, most, analysis.over)
            best = max(best, worth + analysis.after * spoils)
    return best
