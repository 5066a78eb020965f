"""The game of 1984 as the table needs it."""

from __future__ import annotations

from typing import Final

from client.games.conquest.look import goods, living, look
from client.games.mb1984.drama import DRAMA
from client.games.mb1984.parley import COUNCIL
from client.games.mb1984.rules_text import PAGES
from client.games.mb1984.tasks import task
from client.games.mb1984.words import prompt, tell
from client.table.guide import Guide, Marching, Market, Realm
from shared.board import BOARD
from shared.ids import Seat, Space
from shared.mechanics.cells import hostile
from shared.rulesets.mb1984 import contact, economy, galleys, legions
from shared.rulesets.mb1984.actions import Buy, March
from shared.rulesets.mb1984.frames import Placement
from shared.rulesets.mb1984.options import steps
from shared.rulesets.mb1984.property import worth
from shared.rulesets.mb1984.setup import free_homes
from shared.rulesets.mb1984.stages import Step
from shared.rulesets.mb1984.state import LEADERS, LEGION, POINTS, Table, enemy_leaders

PHASE_OF_STEP: Final = tuple([step.phase for step in Step])


def _can_march(table: Table, leader: int) -> bool:
    return table.leader_used[leader] < POINTS


def _clash(table: Table, seat: Seat, space: Space) -> bool:
    """Enemy units, leaders whom a legion captures, and enemy galleys."""
    if space >= BOARD.provinces:
        return contact.hostile_zone(table, seat, space)
    return hostile(table.units[space], seat) or bool(enemy_leaders(table, seat, space))


def _left(table: Table, frame: Placement) -> tuple[int, int, int, int]:
    """Roads cost nothing: as many as there is room for."""
    return frame.galleys, frame.cities, frame.fortifications, len(economy.road_sites(table, frame.seat))


def _no_bargains(_table: Table, _frame: Placement) -> bool:
    """They are made at any time, not while placing."""
    return False


MB1984: Final = Guide(
    name="1984",
    leaders=LEADERS,
    look=look(LEADERS, PHASE_OF_STEP, worth),
    living=living,
    realm=Realm(
        marching=Marching(
            steps=steps,
            ready=legions.ready,
            road_trip=legions.road_trip,
            can_march=_can_march,
            boardable=galleys.boardable,
            can_board=galleys.can_board,
            clash=_clash,
            march=March,
            stops=False,
            points=POINTS,
            legion=LEGION,
            cites=("MB-LEAD-04", "MB-LEAD-03", "MB-SEA-01"),
        ),
        market=Market(
            goods=goods(economy.PRICES),
            buy=Buy,
            stock=economy.stock,
            own_cities=economy.own_cities,
            yards=economy.yards,
            city_sites=economy.city_sites,
            wall_sites=economy.wall_sites,
            road_sites=economy.road_sites,
            left=_left,
            bargains=_no_bargains,
            homes=free_homes,
        ),
    ),
    prompt=prompt,
    task=task,
    tell=tell,
    drama=DRAMA,
    council=COUNCIL,
    pages=PAGES,
)
