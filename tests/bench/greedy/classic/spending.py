"""Money: what to buy, where to put it, what a general is worth."""

import random
from typing import Final

from shared.board import BOARD
from shared.ids import Position, Seat, Space
from shared.kernel.frames import Action
from shared.mechanics.armies import total
from shared.mechanics.building import city_sites, road_sites, wall_sites
from shared.mechanics.places import ABOARD
from shared.mechanics.table import Built
from shared.mechanics.wares import Ware
from shared.rulesets.classic.actions import Buy
from shared.rulesets.classic.diplomacy import OFFERS, held, partners
from shared.rulesets.classic.economy import PRICES, stock, yards
from shared.rulesets.classic.frames import Placement
from shared.rulesets.classic.property import on_board
from shared.rulesets.classic.state import LEADERS
from shared.vocabulary.actions import Answer, EndTurn, Offer, PlaceCity, PlaceFortification, PlaceGalley, PlaceRoad
from shared.vocabulary.frames import Bargain, Purchase
from tests.bench.greedy.classic.marching import impatience
from tests.bench.greedy.classic.sailing import RESTLESS
from tests.bench.greedy.classic.survey import FAR, Survey

MIX: Final = (1.0, 0.35, 0.2)
"""Horsemen and catapults wanted for each infantry."""
MAX_CITIES_A_TURN: Final = 2
FLEET: Final = 4
"""Galleys for a war at sea."""
ASKS: Final = 3
"""A bot proposes a bargain in one turn out of so many."""


class Basket:
    """An order being put together."""

    def __init__(self, s: Survey) -> None:
        self.money = s.table.talents[s.seat] // s.table.inflation
        self.left = list(stock(s.table, s.seat))
        self.counts = [0] * len(PRICES)

    def take(self, kind: int, wanted: int = 1) -> int:
        """Put up to `wanted` of a kind in; how many it was."""
        count = max(0, min(wanted, self.left[kind], self.money // PRICES[kind]))
        self.counts[kind] += count
        self.left[kind] -= count
        self.money -= count * PRICES[kind]
        return count


def buy(s: Survey, _frame: Purchase) -> Action:
    """The home first, then growth, then the army; what is left over makes cities and walls."""
    basket = Basket(s)
    here = s.army(s.home)
    in_danger = s.home_is_mine and s.danger(s.home, here, s.led(s.home)) > -0.3
    if in_danger and s.table.built[s.home] == Built.CITY:
        basket.take(Ware.FORTIFICATIONS)
    if not in_danger:
        basket.take(Ware.CITIES, _cities_wanted(s))
        basket.take(Ware.GALLEYS, _galleys_wanted(s) - len(s.fleet))
    _hire(s, basket)
    if not any(basket.left[:3]) or not s.home_is_mine:
        basket.take(Ware.CITIES, MAX_CITIES_A_TURN * (basket.left[Ware.CITIES] > 0))
        basket.take(Ware.FORTIFICATIONS, len(wall_sites(s.table, s.seat)) * s.home_is_mine)
    return Buy(*basket.counts)


def _cities_wanted(s: Survey) -> int:
    """A city pays for itself in six turns at basic prices: worth it early, in safe places, by the strong."""
    safe = [space for space in city_sites(s.table, s.seat) if not any(s.threat(space)[0])]
    strongest = max((s.strength(rival) for rival in s.rivals), default=0)
    if not safe or s.table.round < 2 or s.table.inflation > 2 or s.strength(s.seat) < 0.7 * strongest:
        return 0
    return MAX_CITIES_A_TURN if s.table.talents[s.seat] >= 150 * s.table.inflation else 1


def _galleys_wanted(s: Survey) -> int:
    """Return the number of galleys to buy: one for unowned islands; a fleet if an enemy can be reached only by sea."""
    if not yards(s.table, s.seat):
        return 0
    afloat = any(ABOARD <= s.table.leader_at[r * LEADERS] < ABOARD + len(s.table.galley_at) for r in s.rivals)
    if afloat or s.distance[s.home][s.objective()] == FAR or impatience(s) >= RESTLESS:
        return FLEET
    return int(s.table.round > 2 and any(_isles(s, yard) for yard in yards(s.table, s.seat)))


def _isles(s: Survey, yard: Position) -> int:
    """Islands without defenders that a galley from there reaches in one turn."""
    shores = {BOARD.ashore[coast] for zone in BOARD.coast_seas[yard] for coast in BOARD.landings[zone]}
    return sum(not s.steps[t] and s.table.owner[t] != s.seat and not s.table.units[t] for t in shores)


def _hire(s: Survey, basket: Basket) -> None:
    """Spend on units, keeping the mix."""
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


def place(s: Survey, frame: Placement, rng: random.Random) -> Action:
    """Galleys where islands are near, cities out of harm's way, walls where harm is near; then bargains."""
    table = s.table
    if frame.galleys and (ports := yards(table, s.seat)):
        return PlaceGalley(max(ports, key=lambda port: _isles(s, port)))
    if frame.cities and (sites := city_sites(table, s.seat)):
        return PlaceCity(min(sites, key=lambda space: (space != s.home, *_exposure(s, space))))
    if frame.fortifications and (cities := wall_sites(table, s.seat)):
        return PlaceFortification(max(cities, key=lambda space: (space == s.home, *_exposure(s, space))))
    if frame.roads and (links := road_sites(table, s.seat)):
        return PlaceRoad(*links[0])
    if frame.offers == OFFERS and not rng.randrange(ASKS):
        return _proposal(s) or EndTurn()
    return EndTurn()


def _exposure(s: Survey, space: Space) -> tuple[int, int]:
    """Return the enemy's nearness: units within reach, then minus the distance of the nearest army."""
    near = min((s.distance[space][at] for rival in s.rivals for at in s.armies[rival]), default=FAR)
    return total(s.threat(space)[0]), -near


# --- bargains ---


def price(s: Survey, lord: Seat) -> int:
    """Return the worth of a general to its lord: the fewer are left, the more."""
    table = s.table
    free = sum(
        table.leader_at[x] < ABOARD + len(table.galley_at)
        for x in range(len(table.leader_at))
        if table.lord[x // LEADERS] == lord and x % LEADERS
    )
    return (60 - 10 * min(free, 4)) * table.inflation


def _proposal(s: Survey) -> Action | None:
    """Exchange general for general, else buy one back, else sell one; nothing is sold to the last enemy."""
    table = s.table
    for other in partners(table, s.seat):
        mine, theirs = held(table, other, s.seat), held(table, s.seat, other)
        open_home = s.home_is_mine
        their_home = table.owner[table.home[other]] == other
        if mine and theirs and open_home and their_home:
            return Offer(other, gives=theirs[:1], takes=mine[:1])
        if mine and open_home and price(s, s.seat) <= table.talents[s.seat]:
            return Offer(other, pays=price(s, s.seat), takes=mine[:1])
        if theirs and their_home and len(s.rivals) > 1 and price(s, other) <= table.talents[other]:
            return Offer(other, gives=theirs[:1], wants=price(s, other))
    return None


def answer(s: Survey, frame: Bargain) -> Action:
    """Fair is: what I get is worth what I give. `pays` and `takes` are the proposer's. The last enemy gets no general
    for money."""
    if len(s.rivals) == 1 and len(frame.takes) > len(frame.gives):
        return Answer(False)
    mine = price(s, s.seat) * len(frame.gives) + frame.pays
    theirs = price(s, frame.proposer) * len(frame.takes) + frame.wants
    return Answer(mine >= theirs)
