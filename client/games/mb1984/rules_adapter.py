"""Moves, goods and building sites of 1984, for the tasks of the conquest games."""

from typing import Final

from client.games.conquest.rules_adapter import Marching, Market, RulesAdapter
from shared.odds import mb1984 as odds
from shared.rulesets.mb1984 import economy, galleys
from shared.rulesets.mb1984.actions import Buy, March
from shared.rulesets.mb1984.definition import START
from shared.rulesets.mb1984.frames import Placement
from shared.rulesets.mb1984.legions import road_trip
from shared.rulesets.mb1984.options import steps
from shared.rulesets.mb1984.table import TableFields


def _left(table: TableFields) -> tuple[int, int, int, int] | None:
    """Return what is left to place, or None outside of a placement. Roads are free: as many as there are sites."""
    match table.frames[-1]:
        case Placement(seat=seat, galleys=ships, cities=cities, fortifications=walls):
            return ships, cities, walls, len(economy.road_sites(table, seat))
        case _:
            return None


def _no_bargains(_table: TableFields) -> bool:
    """Return False: bargains are made at any time, not as part of the placement."""
    return False


RULES_ADAPTER: Final = RulesAdapter(
    Marching(
        steps=steps,
        road_trip=road_trip,
        boardable=galleys.boardable,
        can_board=galleys.can_board,
        clash=odds.clash,
        threat=odds.threat,
        march=March,
        stops=False,
        cites=("MB-LEAD-04", "MB-LEAD-03", "MB-SEA-01"),
    ),
    Market(
        buy=Buy,
        stock=economy.stock,
        galley_coasts=economy.galley_coasts,
        road_sites=economy.road_sites,
        left=_left,
        bargains=_no_bargains,
        homes=START.free_homes,
    ),
)
