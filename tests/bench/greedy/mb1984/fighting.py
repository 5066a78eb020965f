"""Battles: which one first, and whether to go on."""

import random

from shared.ids import CATAPULT
from shared.kernel import engine
from shared.kernel.frames import Action, Frame
from shared.mechanics.armies import plus
from shared.rulesets.conquest.pieces import enemy_leaders
from shared.rulesets.mb1984.frames import Battle
from shared.rulesets.mb1984.game import Rules
from shared.rulesets.mb1984.shots import side_army, strength
from shared.vocabulary.actions import Fight, Retreat, Stand
from tests.bench.greedy.mb1984.odds import odds, price
from tests.bench.greedy.mb1984.survey import FAIR, GENERAL_WORTH, Survey


def fight(survey: Survey, rules: Rules, _frame: Frame, _rng: random.Random) -> Action | None:
    """The surest battle first, where a Caesar may fall before all others."""
    fights = [x for x in engine.options(rules, survey.table, survey.seat) if isinstance(x, Fight)]
    caesars = survey.enemy_caesars()
    return max(
        fights,
        key=lambda fight: (
            fight.space in caesars,
            odds(side_army(survey.table, survey.seat, fight.space), side_army(survey.table, fight.enemy, fight.space)),
        ),
        default=None,
    )


def onward(survey: Survey, rules: Rules, _frame: Frame, _rng: random.Random) -> Action:
    """Back where a Caesar stands alone; else go on while the chance is fair, or save the army, with a capture if there
    is one to be made."""
    battle = survey.table.frames[-2]
    assert isinstance(battle, Battle)
    mine, theirs = survey.army(battle.space), survey.foes(battle.space)
    wall = strength(survey.table, battle.defender, battle.space) - theirs[CATAPULT]
    ways = [x for x in engine.options(rules, survey.table, survey.seat) if isinstance(x, Retreat)]
    crown = next((way for way in ways if way.to in survey.enemy_caesars()), None)
    if crown is not None:
        return crown
    if odds(mine, theirs, wall) >= FAIR:
        return Stand()

    def loss(way: Retreat) -> float:
        spoils = GENERAL_WORTH * len(enemy_leaders(survey.table, survey.seat, way.to))
        return survey.risk(way.to, plus(mine, survey.army(way.to))) * price(mine) - spoils

    return min(ways, key=loss)
