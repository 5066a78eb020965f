"""Moves, goods and building sites of 1984, for the tasks of the conquest games."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from client.games.conquest.rules_adapter import Drop, Marching, Market, RulesAdapter, goods
from shared.board import BOARD
from shared.ids import Army, Leader, Seat, Space
from shared.kernel.frames import Action
from shared.mechanics.building import city_sites, own_cities, wall_sites
from shared.mechanics.cells import hostile
from shared.rulesets.conquest.pieces import enemy_leaders
from shared.rulesets.mb1984 import contact, economy, galleys, legions
from shared.rulesets.mb1984.actions import Buy, March
from shared.rulesets.mb1984.frames import Placement
from shared.rulesets.mb1984.options import steps
from shared.rulesets.mb1984.setup import free_homes
from shared.rulesets.mb1984.state import LEGION, POINTS
from shared.rulesets.mb1984.table import Table


def _can_march(table: Table, leader: Leader) -> bool:
    return table.leader_used[leader] < POINTS


def _clash(table: Table, seat: Seat, space: Space) -> bool:
    """Whether a space holds enemy units, leaders that a legion captures, or enemy galleys."""
    if space >= BOARD.provinces:
        return contact.hostile_zone(table, seat, space)
    return hostile(table.units[space], seat) or bool(enemy_leaders(table, seat, space))


def _march(
    source: Space, to: Space, leaders: tuple[Leader, ...], units: Army, tired: int, _drops: tuple[Drop, ...]
) -> Action:
    """Return a march as an action. `_drops` is unused: in 1984 a march leaves nothing on the way."""
    return March(source, to, leaders, *units, tired)


def _read(action: Action) -> March | None:
    return action if isinstance(action, March) else None


def _order(counts: Sequence[int]) -> Action:
    return Buy(*counts)


def _left(table: Table) -> tuple[int, int, int, int] | None:
    """Return what is left to place, or None outside of a placement. Roads are free: as many as there are sites."""
    match table.frames[-1]:
        case Placement(seat=seat, galleys=ships, cities=cities, fortifications=walls):
            return ships, cities, walls, len(economy.road_sites(table, seat))
        case _:
            return None


def _no_bargains(_table: Table) -> bool:
    """Return False: bargains are made at any time, not as part of the placement."""
    return False


REALM: Final = RulesAdapter(
    Marching(
        steps=steps,
        ready=legions.ready,
        road_trip=legions.road_trip,
        can_march=_can_march,
        boardable=galleys.boardable,
        can_board=galleys.can_board,
        clash=_clash,
        order=_march,
        read=_read,
        stops=False,
        points=POINTS,
        legion=LEGION,
        cites=("MB-LEAD-04", "MB-LEAD-03", "MB-SEA-01"),
    ),
    Market(
        goods=goods(economy.PRICES),
        order=_order,
        stock=economy.stock,
        own_cities=own_cities,
        yards=economy.yards,
        city_sites=city_sites,
        wall_sites=wall_sites,
        road_sites=economy.road_sites,
        left=_left,
        bargains=_no_bargains,
        homes=free_homes,
    ),
)
