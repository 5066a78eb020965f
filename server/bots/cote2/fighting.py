"""How a battle will probably go, and whether to stay in it."""

from server.bots.cote2.survey import Eye
from shared.ids import Army, Seat, Space
from shared.kernel.frames import Action
from shared.mechanics.armies import total
from shared.mechanics.cells import army_of
from shared.rulesets.cote2.actions import (
    Retreat,
    Stand,
)
from shared.rulesets.cote2.data import (
    ARMY_TRAINING,
    SEAS,
)
from shared.rulesets.cote2.frames import (
    Battle,
    Onward,
)
from shared.rulesets.cote2.property import (
    copies,
)
from shared.rulesets.cote2.state import galleys_in, leaders_at
from shared.rulesets.cote2.war import DICE, attackers, defenders, strength
from shared.rulesets.cote2.withdrawal import retreat_targets


def hits(army: Army, galleys: int, dice: int) -> float:
    """Expected hits of a round."""
    return (
        min(army[0], dice / 3) + min(army[1], dice / 6) + min(army[2], dice / 6) + min(galleys, dice / 6)
    )  # fmt: skip


def outlook(mine: tuple[Army, int, int], theirs: tuple[Army, int, int]) -> float:
    """How a battle will probably end: 1 a walk-over, -1 a disaster. Army, galleys, dice of either side."""
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
    dice = DICE + (army is not None or bool(leaders_at(table, seat, space))) + copies(table, seat, ARMY_TRAINING)
    against = DICE + bool(leaders_at(table, enemy, space)) + city + copies(table, enemy, ARMY_TRAINING)
    ships = len(galleys_in(table, seat, SEAS[space])), len(galleys_in(table, enemy, SEAS[space]))
    return outlook((mine, ships[0], dice), (theirs, ships[1], against))


def fight_on(eye: Eye, frame: Onward) -> Action:
    """Stand, unless the battle looks lost and there is a way out."""
    battle = next(f for f in reversed(eye.table.frames) if isinstance(f, Battle))
    sides = (
        (strength(battle.attacking), len(battle.attack_fleet) + battle.attack_extra, DICE),
        (strength(battle.defending), len(battle.defence_fleet) + battle.defence_extra, DICE),
    )
    attacking = battle.attacker == eye.seat
    view = outlook(sides[not attacking], sides[attacking])
    few = (attackers(battle) if attacking else defenders(battle)) <= 1
    if view < -0.5 and not few:
        targets = retreat_targets(eye.table, eye.seat, frame.space)
        return Retreat(max(targets, key=lambda to: (total(army_of(eye.table.units[to], eye.seat)), -to)))
    return Stand()
