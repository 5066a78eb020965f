"""Galleys: battles at sea, and where they open a way for an army or join its battles."""

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from server.bots.cote2.fighting import LOSS, clash, helped
from server.bots.cote2.marching import follow_up, squeezed
from server.bots.cote2.survey import Eye
from server.bots.cote2.thoughts import March, Plan
from shared.board import BOARD
from shared.ids import GALLEY, NONE, Seat, Space
from shared.odds import cote2 as odds
from shared.rulesets.cote2.actions import Sail
from shared.rulesets.cote2.data import SEAS
from shared.rulesets.cote2.economy import PRICES
from shared.rulesets.cote2.movement import PER_GALLEY
from shared.rulesets.cote2.options import strait_seas
from shared.rulesets.cote2.property import BATTLE_CHAOS
from shared.rulesets.cote2.state import GALLEYS, OFF, allied, leaders_at

STRAIT: Final = 1.0
"""What it is worth to open a strait."""


def sails(eye: Eye, alternative: float) -> Iterator[Plan]:
    """All galleys to any zone."""
    own = [g for g in range(eye.seat * GALLEYS, (eye.seat + 1) * GALLEYS) if eye.table.galley_at[g] != OFF]
    if not own:
        return
    yield from battles(eye, own)
    yield from passages(eye, own, alternative)


def battles(eye: Eye, own: list[int], more: int = 0) -> Iterator[Plan]:
    """Against every fleet of an enemy, with all that there is, and with more galleys of cards."""
    table = eye.table
    for zone, enemy in sorted({(at, g // GALLEYS) for g, at in enumerate(table.galley_at) if at != OFF}):
        if not allied(table, eye.seat, enemy):
            able = tuple([g for g in own if table.galley_at[g] != zone])
            sail = Sail(zone if able else NONE, able, zone, enemy)
            yield Plan(_battle(eye, zone, enemy, len(own), more), sail)


def _battle(eye: Eye, zone: Space, enemy: Seat, galleys: int, more: int) -> float:
    """What falls, and the straits that are open afterwards."""
    ours = odds.present(eye.table, eye.seat, zone, True)
    ours = replace(ours, galleys=galleys, cards=(0, 0, 0, ours.cards[3] + more))
    theirs = helped(eye.table, odds.present(eye.table, enemy, zone, True), enemy, zone)
    fight = clash(ours, theirs, True)
    envy = -eye.weights[enemy]
    opened = STRAIT * any(zone in zones for zones in strait_seas(eye.table))
    worth = fight.won * (eye.discord(enemy, BATTLE_CHAOS) + opened) - fight.lost * eye.chaos(BATTLE_CHAOS)
    return worth + (fight.theirs * envy - fight.ours) * (LOSS + eye.galley / PRICES[GALLEY])


def best_battle(eye: Eye, more: int) -> float:
    """The best that could come of a battle at sea, with more galleys of cards."""
    own = [g for g in range(eye.seat * GALLEYS, (eye.seat + 1) * GALLEYS) if eye.table.galley_at[g] != OFF]
    return max([plan.worth for plan in battles(eye, own, more)], default=0.0) if own else 0.0


def passages(eye: Eye, own: list[int], alternative: float) -> Iterator[Plan]:
    """To where an army can land next that has no other way."""
    for zone in range(BOARD.provinces, BOARD.spaces):
        able = tuple([g for g in own if eye.table.galley_at[g] != zone])
        worth = eye.patience * max(0.0, passage(eye, zone, len(own)) - alternative) if able else 0.0
        if worth > 0.0:
            yield Plan(worth, Sail(zone, able))


def passage(eye: Eye, zone: Space, galleys: int) -> float:
    """What can be done on the coasts of a sea zone, when so many galleys are there, that cannot be done without."""
    return eye.after * max([_landing(eye, *way, galleys) for way in eye.overseas if zone in SEAS[way[1]]], default=0.0)


def _landing(eye: Eye, source: Space, to: Space, galleys: int) -> float:
    army = squeezed(eye.army(source), PER_GALLEY * galleys)
    leaders = leaders_at(eye.table, eye.seat, source)
    return follow_up(eye, March(source, to, leaders[:1], army, True))
