"""Money: purchases, placement, and prices of generals."""

import random
from collections.abc import Iterator
from typing import Final

from server.bots.classic.campaign import war_road
from server.bots.classic.position_analysis import SAFE, PositionAnalysis
from server.bots.order_builder import ALL, OrderBuilder, Wants, orders
from server.bots.routes import FAR
from shared.board import BOARD
from shared.ids import Position, Seat, Space
from shared.kernel.frames import Action
from shared.mechanics.armies import total
from shared.mechanics.building import city_sites, own_cities, road_sites, wall_sites
from shared.mechanics.pieces import ABOARD
from shared.mechanics.table import Built
from shared.mechanics.wares import Ware
from shared.rulesets.classic.actions import Buy
from shared.rulesets.classic.diplomacy import held, partners
from shared.rulesets.classic.economy import galley_coasts, in_the_box, stock
from shared.rulesets.classic.frames import Placement
from shared.rulesets.classic.options import prices
from shared.rulesets.classic.property import on_board
from shared.rulesets.classic.table import LEADERS
from shared.rulesets.conquest.diplomacy import offers_each
from shared.vocabulary.actions import (
    Answer,
    EndDestruction,
    EndTurn,
    Offer,
    PlaceCity,
    PlaceFortification,
    PlaceGalley,
    PlaceRoad,
    Raze,
)
from shared.vocabulary.frames import Bargain, Purchase

MIX: Final = (1.0, 0.5, 0.15)
"""Wanted infantry, cavalry and catapults for each infantry unit."""
MAX_CITIES_A_TURN: Final = 2
ARMADA: Final = 7
"""Least number of units at the port for which galleys are built."""
ROADS_COST: Final = 500
"""Talents at basic prices from which cities are moved to the way to the enemy."""
ASKS: Final = 3
"""One turn in this many, on average, a bot proposes a bargain."""
OTHERWISE: Final[tuple[Wants, ...]] = (
    ((Ware.INFANTRY, ALL),),
    ((Ware.CATAPULTS, ALL), (Ware.INFANTRY, ALL)),
    ((Ware.CAVALRY, ALL), (Ware.INFANTRY, ALL)),
    ((Ware.GALLEYS, 1), (Ware.INFANTRY, ALL)),
    ((Ware.CITIES, MAX_CITIES_A_TURN), (Ware.INFANTRY, ALL)),
)
"""Alternative purchases."""


def buy(s: PositionAnalysis, _frame: Purchase) -> Action:
    """Return the purchase: defence of the home, galleys, army; cities and walls from the rest."""
    money = (s.table.talents[s.seat] - _ransom(s)) // s.table.inflation
    basket = _basket(s, money)
    here = s.army(s.home)
    in_danger = s.home_is_mine and s.risk(s.home, here, s.led(s.home)) > SAFE
    if in_danger and s.table.built[s.home] == Built.CITY:
        basket.take(Ware.FORTIFICATIONS)
    if not in_danger:
        basket.take(Ware.GALLEYS, _galleys_wanted(s) - len(s.fleet))
    _buy_units(s, basket)
    if not any(basket.left[:3]) or not s.home_is_mine:
        road = _way_to_enemy(s)
        sites = city_sites(s.table, s.seat)
        basket.take(Ware.CITIES, min(len(sites), max(MAX_CITIES_A_TURN, len(road.intersection(sites)))))
        basket.take(Ware.ROADS, len(_road_sites(s, road)))
        bare = len(wall_sites(s.table, s.seat)) - basket.counts[Ware.FORTIFICATIONS]
        basket.take(Ware.FORTIFICATIONS, bare * s.home_is_mine)
    return Buy(*basket.counts)


def otherwise(s: PositionAnalysis) -> Iterator[Action]:
    """Yield alternative purchases that can be paid."""
    for counts in orders(OTHERWISE, lambda: _basket(s, s.table.talents[s.seat] // s.table.inflation)):
        yield Buy(*counts)


def _basket(s: PositionAnalysis, money: int) -> OrderBuilder:
    return OrderBuilder(prices(s.table), stock(s.table, s.seat), money)


def raze(s: PositionAnalysis) -> Action:
    """Destroy a city off the way to the enemy, if that needs a city and no more are in stock."""
    road = _way_to_enemy(s)
    bare = [space for space in road if not s.table.built[space]]
    idle = [city for city in own_cities(s.table, s.seat) if city not in road and city != s.home]
    rich = s.table.talents[s.seat] >= ROADS_COST * s.table.inflation
    return Raze(idle[0]) if rich and idle and len(bare) > in_the_box(s.table, s.seat)[Ware.CITIES] else EndDestruction()


def _way_to_enemy(s: PositionAnalysis) -> set[Space]:
    """Return the own provinces on the way to the enemy, if this seat can outlast all others."""
    if not s.home_is_mine or not s.outlasts_all():
        return set()
    return {space for space in war_road(s) if s.table.owner[space] == s.seat}


def _road_sites(s: PositionAnalysis, road: set[Space]) -> list[tuple[Space, Space]]:
    """Return the sites for roads on the way to the enemy."""
    return [(a, b) for a, b in road_sites(s.table, s.seat) if a in road and b in road]


def _galleys_wanted(s: PositionAnalysis) -> int:
    """Return the wanted number of galleys: one for free islands, a fleet if the enemy is nearer by sea."""
    if not galley_coasts(s.table, s.seat):
        return 0
    isles = int(s.table.round > 2 and any(_open_islands_near(s, yard) for yard in galley_coasts(s.table, s.seat)))
    here = total(s.army(s.port)) + total(s.muster()) // 2
    if here < ARMADA or not s.overseas(s.port, s.objective()):
        return isles
    away = sum(any(s.cargo(galley)) for galley in s.fleet)
    return away + max(isles, min(s.at_large(s.seat) - 1, round(here / s.legion_limit)))


def _open_islands_near(s: PositionAnalysis, yard: Position) -> int:
    """Return the number of undefended islands within one turn of a galley from a yard."""
    shores = {BOARD.ashore[coast] for zone in BOARD.coast_seas[yard] for coast in BOARD.landings[zone]}
    return sum(not s.steps[t] and s.table.owner[t] != s.seat and not s.table.units[t] for t in shores)


def _buy_units(s: PositionAnalysis, basket: OrderBuilder) -> None:
    """Spend the money on units, keeping the mix."""
    have = list(on_board(s.table, s.seat)[:3])
    while True:
        short = [MIX[kind] * (have[Ware.INFANTRY] + 2) - have[kind] for kind in (Ware.CAVALRY, Ware.CATAPULTS)]
        if short[1] >= 1 and have[Ware.INFANTRY] > 6 and basket.take(Ware.CATAPULTS):
            have[Ware.CATAPULTS] += 1
        elif short[0] >= 1 and basket.take(Ware.CAVALRY):
            have[Ware.CAVALRY] += 1
        elif basket.take(Ware.INFANTRY):
            have[Ware.INFANTRY] += 1
        elif not (basket.take(Ware.CAVALRY) or basket.take(Ware.CATAPULTS)):
            return


# --- placing ---


def place(s: PositionAnalysis, frame: Placement, rng: random.Random) -> Action:
    """Place what was bought; then propose bargains."""
    if found := places(s, frame):
        return found[0]
    if frame.offers == offers_each(s.table) and not rng.randrange(ASKS):
        return _proposal(s) or EndTurn()
    return EndTurn()


def places(s: PositionAnalysis, frame: Placement) -> list[Action]:
    """Return the places for the next piece, the best first: galleys near islands, cities away from enemies, walls near
    them."""
    table = s.table
    if frame.galleys and (ports := galley_coasts(table, s.seat)):
        return [PlaceGalley(port) for port in sorted(ports, key=lambda port: -_open_islands_near(s, port))]
    if frame.cities and (sites := city_sites(table, s.seat)):
        road = _way_to_enemy(s)
        order = sorted(sites, key=lambda space: (space != s.home, space not in road, *_exposure(s, space)))
        return [PlaceCity(space) for space in order]
    if frame.fortifications and (cities := wall_sites(table, s.seat)):
        walled = sorted(cities, key=lambda space: (space == s.home, *_exposure(s, space)), reverse=True)
        return [PlaceFortification(space) for space in walled]
    if frame.roads and (links := road_sites(table, s.seat)):
        return [PlaceRoad(*link) for link in (*_road_sites(s, _way_to_enemy(s)), *links)]
    return []


def _exposure(s: PositionAnalysis, space: Space) -> tuple[int, int]:
    """Return the exposure of a province: units within reach, then minus the distance of the nearest army."""
    near = min((s.distance[space][at] for rival in s.rivals for at in s.armies[rival]), default=FAR)
    return sum(total(army) for army, _ in s.threats(space)), -near


# --- bargains ---


def price(s: PositionAnalysis, lord: Seat) -> int:
    """Return the price of a general to its lord: it rises as fewer are left."""
    table = s.table
    free = sum(
        table.leader_at[x] < ABOARD + len(table.galley_at)
        for x in range(len(table.leader_at))
        if table.lord[x // LEADERS] == lord and x % LEADERS
    )
    return (60 - 10 * min(free, 4)) * table.inflation


def _ransom(s: PositionAnalysis) -> int:
    """Return the talents to reserve for buying a general back, if troops wait for one."""
    captive = any(held(s.table, rival, s.seat) for rival in s.rivals)
    is_worth_it = captive and len(s.rivals) > 1 and s.home_is_mine and sum(s.leaderless.values()) > s.legion_limit
    return price(s, s.seat) if is_worth_it else 0


def _proposal(s: PositionAnalysis) -> Action | None:
    """Propose to exchange generals, else to buy one back, else to sell one.

    The last enemy never sells generals, so they are only exchanged.
    """
    table = s.table
    for other in partners(table, s.seat):
        mine, theirs = held(table, other, s.seat), held(table, s.seat, other)
        open_home = s.home_is_mine
        their_home = table.owner[table.home[other]] == other
        if mine and theirs and open_home and their_home:
            return Offer(other, gives=theirs[:1], takes=mine[:1])
        if mine and open_home and len(s.rivals) > 1 and price(s, s.seat) <= table.talents[s.seat]:
            return Offer(other, pays=price(s, s.seat), takes=mine[:1])
        if theirs and their_home and len(s.rivals) > 1 and price(s, other) <= table.talents[other]:
            return Offer(other, gives=theirs[:1], wants=price(s, other))
    return None


def answer(s: PositionAnalysis, frame: Bargain) -> Action:
    """Accept a bargain that is worth at least its price; never sell a general to the last enemy.

    `pays` and `takes` are the proposer's.
    """
    if len(s.rivals) == 1 and len(frame.takes) > len(frame.gives):
        return Answer(False)
    if len(frame.gives) >= len(frame.takes) and frame.pays >= frame.wants:
        return Answer(True)
    mine = price(s, s.seat) * len(frame.gives) + frame.pays
    theirs = price(s, frame.proposer) * len(frame.takes) + frame.wants
    return Answer(mine >= theirs)
