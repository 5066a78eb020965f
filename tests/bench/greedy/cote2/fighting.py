"""Forecast of a battle, and whether to stay in it."""

from typing import Final

from msgspec.structs import replace

from shared.ids import Army, Seat, Space
from shared.kernel.frames import Action
from shared.mechanics.armies import plus, total
from shared.mechanics.cells import army_of
from shared.rulesets.cote2.actions import Lend
from shared.rulesets.cote2.data import SEAS
from shared.rulesets.cote2.effects import support_of
from shared.rulesets.cote2.frames import Aid, Battle
from shared.rulesets.cote2.state import galleys_in, leaders_at
from shared.rulesets.cote2.table import Table
from shared.rulesets.cote2.war import DICE, attackers, defenders, dice, lendable, strength
from shared.rulesets.cote2.withdrawal import retreat_targets
from shared.vocabulary.actions import Retreat, Stand
from shared.vocabulary.frames import Onward
from tests.bench.greedy.cote2.survey import Eye

Side = tuple[Army, int, int]
"""Army, galleys, dice."""
TURNING: Final = 0.2
"""The outlook from which a battle is as good as won."""


def hits(army: Army, galleys: int, rolled: int) -> float:
    """Expected hits of a round."""
    each = rolled / 6
    return min(army[0], 2 * each) + min(army[1], each) + min(army[2], each) + min(galleys, each)


def outlook(mine: Side, theirs: Side) -> float:
    """Return the forecast of a battle: 1 a walk-over, -1 a disaster."""
    ours, others = float(total(mine[0]) + mine[1]), float(total(theirs[0]) + theirs[1])
    start = max(1.0, ours), max(1.0, others)
    for _ in range(12):
        if ours <= 0 or others <= 0:
            break
        given = hits(mine[0], mine[1], mine[2]) * min(1.0, ours / start[0] + 0.4)
        taken = hits(theirs[0], theirs[1], theirs[2]) * min(1.0, others / start[1] + 0.4)
        others -= given
        ours -= taken
    return max(0.0, ours) / start[0] - max(0.0, others) / start[1]


def prospect(eye: Eye, space: Space, enemy: Seat, army: Army | None = None) -> float:
    """The outlook of attacking `enemy` there, with the army that stands there or with another."""
    table, seat = eye.table, eye.seat
    mine = army or army_of(table.units[space], seat)
    theirs = army_of(table.units[space], enemy)
    city = int(table.owner[space] == enemy)
    rolled = DICE + (army is not None or bool(leaders_at(table, seat, space))) + support_of(table, seat, space).dice
    against = DICE + bool(leaders_at(table, enemy, space)) + city + support_of(table, enemy, space).dice
    ships = len(galleys_in(table, seat, SEAS[space])), len(galleys_in(table, enemy, SEAS[space]))
    return outlook((mine, ships[0], rolled), (theirs, ships[1], against))


def present_battle(table: Table) -> Battle:
    """The battle that is being fought."""
    return next(frame for frame in reversed(table.frames) if isinstance(frame, Battle))


def sides(table: Table, battle: Battle, seat: Seat) -> tuple[Side, Side]:
    """The side of a participant and the one against it, as they stand now."""
    both = (
        (
            strength(battle.attacking),
            len(battle.attack_fleet) + battle.attack_extra,
            dice(table, battle, battle.attacker),
        ),
        (
            strength(battle.defending),
            len(battle.defence_fleet) + battle.defence_extra,
            dice(table, battle, battle.defender),
        ),
    )
    return both if seat == battle.attacker else both[::-1]


def lend(eye: Eye, frame: Aid) -> Action:
    """All that is there, where it turns a battle."""
    army, galleys = lendable(eye.table, eye.seat, frame.space)
    battle = present_battle(eye.table)
    own, theirs = sides(eye.table, battle, frame.to)
    joined = replace(battle, lenders=(*battle.lenders, eye.seat))
    helped = plus(own[0], army), own[1] + len(galleys), dice(eye.table, joined, frame.to)
    turned = outlook(own, theirs) < TURNING <= outlook(helped, theirs)
    return Lend(*army, galleys) if turned else Lend()


def fight_on(eye: Eye, frame: Onward) -> Action:
    """Stand, unless the battle looks lost and there is a way out."""
    battle = present_battle(eye.table)
    view = outlook(*sides(eye.table, battle, eye.seat))
    few = (attackers(battle) if battle.attacker == eye.seat else defenders(battle)) <= 1
    if view < -0.5 and not few:
        targets = retreat_targets(eye.table, eye.seat, frame.space)
        return Retreat(max(targets, key=lambda to: (total(army_of(eye.table.units[to], eye.seat)), -to)))
    return Stand()
