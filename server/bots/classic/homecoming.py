"""Winning a lost home back: without a home no units are hired, so all armies that can come return to it."""

from collections.abc import Sequence
from typing import Final

from server.bots.classic.assault import forces, march
from server.bots.classic.campaign import siege_train
from server.bots.classic.odds import odds
from server.bots.classic.position_analysis import SAFE, PositionAnalysis, load
from server.bots.routes import FAR
from shared.ids import NO_ARMY, Space
from shared.kernel.frames import Action
from shared.mechanics.armies import plus, total
from shared.rulesets.classic.legions import hostile

HOPEFUL: Final = 0.5
"""Chance of winning the home back from which all armies that can march there return to it."""
CERTAIN: Final = 0.75
"""Chance from which the Caesar leads the attack."""
RISKED: Final = 0.4
"""Risk that an army takes on its way home."""


def reconquer(s: PositionAnalysis) -> Action | None:
    """Return an attack of the Caesar on the lost home, or a step towards it, or None.

    Other leaders attack it like any other province.
    """
    here = s.caesar_at
    if (
        s.home_is_mine
        or here >= len(s.steps)
        or s.table.leader_used[s.caesar] >= s.movement_points
        or hostile(s.table, s.seat, here)
    ):
        return None
    escort = load(s.movable(here), s.legion_limit)
    joint, leaders = plus(s.army(s.home), escort), s.led(s.home) + 1
    for force in forces(s, s.home):
        joint, leaders = plus(joint, force.army), leaders + force.leaders
    if not any(escort) or odds(joint, leaders, *s.defenders(s.home)) < CERTAIN:
        return None
    way = s.route(s.home)
    if way[here] == 1:
        return march(s, here, s.home, [s.caesar], escort)
    for to in s.steps[here]:
        if way[to] < way[here] < FAR and s.risk(to, plus(s.army(to), escort), s.led(to) + 1) <= SAFE:
            return march(s, here, to, [s.caesar], escort)
    return None


def gather_at_home(s: PositionAnalysis) -> Action | None:
    """March generals with their armies towards the lost home, if all together could win it."""
    if s.home_is_mine:
        return None
    way = s.route(s.home)
    coming, leaders = NO_ARMY, 0
    for at, army in s.mine.items():
        if way[at] < FAR:
            coming, leaders = plus(coming, army), leaders + s.led(at)
    if odds(coming, leaders, *s.defenders(s.home)) < HOPEFUL:
        return None
    for source in sorted(s.leaders[s.seat], key=lambda at: way[at] if at < len(way) else FAR):
        if source < len(s.steps) and 1 < way[source] < FAR and not hostile(s.table, s.seat, source):
            action = _march_homewards(s, source, way)
            if action is not None:
                return action
    return None


def _march_homewards(s: PositionAnalysis, source: Space, way: Sequence[int]) -> Action | None:
    """Return a march of a province's generals, with their legions, to a place nearer to home where they are safe."""
    generals = s.generals(source)
    if not generals:
        return None
    party = siege_train(s.spare(source), s.legion_limit * len(generals))
    if total(party) < 2:
        return None
    needed = -(-total(party) // s.legion_limit)
    for to in s.ways(source):
        if way[to] < way[source] and not hostile(s.table, s.seat, to):
            joint = plus(s.army(to), party)
            if s.risk(to, joint, s.led(to) + needed) <= RISKED:
                return march(s, source, to, generals[:needed], party)
    return None
