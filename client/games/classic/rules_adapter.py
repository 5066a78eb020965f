"""Moves, goods and building sites of Classic, for the tasks of the conquest games."""

from typing import Final

from client.games.conquest.rules_adapter import Marching, Market, RulesAdapter
from shared.ids import Army, Leader, Seat, Space
from shared.mechanics import building
from shared.odds import classic as odds
from shared.rulesets.classic import diplomacy, galleys
from shared.rulesets.classic.actions import Buy, March
from shared.rulesets.classic.definition import START
from shared.rulesets.classic.economy import galley_coasts, stock
from shared.rulesets.classic.frames import Placement
from shared.rulesets.classic.legions import road_trip
from shared.rulesets.classic.options import steps
from shared.rulesets.classic.table import TableFields


def _boardable_units(table: TableFields, seat: Seat, _galley: int, space: Space) -> Army:
    return galleys.boardable(table, seat, space)


def _can_board(table: TableFields, seat: Seat, _galley: int, leader: Leader) -> bool:
    return galleys.can_board(table, seat, leader)


def _left(table: TableFields) -> tuple[int, int, int, int] | None:
    match table.frames[-1]:
        case Placement(galleys=ships, cities=cities, fortifications=walls, roads=roads):
            return ships, cities, walls, roads
        case _:
            return None


def _may_bargain(table: TableFields) -> bool:
    frame = table.frames[-1]
    return isinstance(frame, Placement) and diplomacy.can_bargain(table, frame)


RULES_ADAPTER: Final = RulesAdapter(
    Marching(
        steps=steps,
        road_trip=road_trip,
        boardable=_boardable_units,
        can_board=_can_board,
        clash=odds.clash,
        threat=odds.threat,
        march=March,
        stops=True,
        cites=("CL-MOVE-03", "CL-LEAD-02", "CL-SEA-01"),
    ),
    Market(
        buy=Buy,
        stock=stock,
        galley_coasts=galley_coasts,
        road_sites=building.road_sites,
        left=_left,
        bargains=_may_bargain,
        homes=START.free_homes,
    ),
)
