"""Classic (2005) as the table needs it."""

from __future__ import annotations

from typing import Any, Final

from client.games.classic.drama import DRAMA
from client.games.classic.rules_text import PAGES
from client.games.classic.tasks import task
from client.games.classic.words import prompt, tell
from client.games.conquest.look import goods, living, look
from client.table.guide import Guide, Marching, Market, Realm
from shared.board import BOARD
from shared.ids import Army, Seat, Space
from shared.rulesets.classic import diplomacy, economy, galleys, legions
from shared.rulesets.classic.actions import Buy, March
from shared.rulesets.classic.frames import Placement
from shared.rulesets.classic.options import steps
from shared.rulesets.classic.property import worth
from shared.rulesets.classic.setup import free_homes
from shared.rulesets.classic.stages import Step
from shared.rulesets.classic.state import LEADERS, Table

PHASE_OF_STEP: Final = tuple([step.phase for step in Step])


def _boardable(table: Table, seat: Seat, _galley: int, space: Space) -> Army:
    return galleys.boardable(table, seat, space)


def _can_board(table: Table, seat: Seat, _galley: int, leader: int) -> bool:
    return galleys.can_board(table, seat, leader)


def _clash(table: Table, seat: Seat, space: Space) -> bool:
    """Enemy galleys may be passed."""
    return space < BOARD.provinces and legions.hostile(table, seat, space)


def _left(_table: Any, frame: Placement) -> tuple[int, int, int, int]:
    return frame.galleys, frame.cities, frame.fortifications, frame.roads


CLASSIC: Final = Guide(
    name="Classic",
    leaders=LEADERS,
    look=look(LEADERS, PHASE_OF_STEP, worth),
    living=living,
    realm=Realm(
        marching=Marching(
            steps=steps,
            ready=legions.ready,
            road_trip=legions.road_trip,
            can_march=legions.can_march,
            boardable=_boardable,
            can_board=_can_board,
            clash=_clash,
            march=March,
            stops=True,
            points=legions.POINTS,
            legion=legions.LEGION,
            cites=("CL-MOVE-03", "CL-LEAD-02", "CL-SEA-01"),
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
            bargains=diplomacy.can_bargain,
            homes=free_homes,
        ),
    ),
    prompt=prompt,
    task=task,
    tell=tell,
    drama=DRAMA,
    council=None,
    pages=PAGES,
)
