"""Battles: their order, and whether to fight on."""

import random

from server.bots.mb1984.odds import odds, price
from server.bots.mb1984.position_analysis import FAIR, GENERAL_WORTH, PositionAnalysis
from shared.board import BOARD
from shared.ids import Seat, Space
from shared.kernel import engine
from shared.kernel.frames import Action, Frame
from shared.mechanics.armies import plus
from shared.rulesets.conquest.pieces import enemy_leaders, galleys_at
from shared.rulesets.mb1984.definition import Rules
from shared.rulesets.mb1984.frames import Battle
from shared.rulesets.mb1984.shots import side_army, walls_of
from shared.vocabulary.actions import Fight, Retreat, Stand


def fight(analysis: PositionAnalysis, rules: Rules, _frame: Frame, _rng: random.Random) -> Action | None:
    """Return the battle with the best chance; battles against a Caesar come before all others."""
    fights = [x for x in engine.options(rules, analysis.table, analysis.seat) if isinstance(x, Fight)]
    caesars = analysis.enemy_caesars
    return max(
        fights,
        key=lambda fight: (fight.space in caesars, chance(analysis, fight.space, fight.enemy)),
        default=None,
    )


def chance(analysis: PositionAnalysis, space: Space, enemy: Seat) -> float:
    """Return the chance of an attack on land or at sea."""
    table, seat = analysis.table, analysis.seat
    naval = space >= BOARD.provinces
    ships = (len(galleys_at(table, seat, space)), len(galleys_at(table, enemy, space))) if naval else (0, 0)
    armies = side_army(table, seat, space), side_army(table, enemy, space)
    return odds(*armies, walls_of(table, enemy, space), ships)


def onward(analysis: PositionAnalysis, rules: Rules, _frame: Frame, _rng: random.Random) -> Action:
    """Retreat onto a Caesar without troops; else fight on with a fair chance, or retreat.

    The retreat saves as much of the army as possible, and captures leaders if it can.
    """
    battle = analysis.table.frames[-2]
    assert isinstance(battle, Battle)
    mine, theirs = analysis.army(battle.space), analysis.foes(battle.space)
    wall = walls_of(analysis.table, battle.defender, battle.space)
    ways = [x for x in engine.options(rules, analysis.table, analysis.seat) if isinstance(x, Retreat)]
    crown = next((way for way in ways if way.to in analysis.enemy_caesars), None)
    if crown is not None:
        return crown
    if odds(mine, theirs, wall) >= FAIR:
        return Stand()

    def loss(way: Retreat) -> float:
        spoils = GENERAL_WORTH * len(enemy_leaders(analysis.table, analysis.seat, way.to))
        return analysis.risk(way.to, plus(mine, analysis.army(way.to))) * price(mine) - spoils

    return min(ways, key=loss)
