"""Purchases and their placement."""

import random
from collections.abc import Iterator

from server.bots.mb1984.expedition import docked
from server.bots.mb1984.position_analysis import SAFE, PositionAnalysis
from server.bots.mb1984.prisoners import reply_value
from server.bots.order_builder import ALL, OrderBuilder, Wants, orders
from server.bots.routes import FAR
from shared.ids import Army, Seat, Space
from shared.kernel import engine
from shared.kernel.frames import Action, Frame
from shared.mechanics.armies import plus, total
from shared.mechanics.pieces import OFF
from shared.mechanics.wares import Ware
from shared.rulesets.conquest.pieces import leaders_at
from shared.rulesets.mb1984.actions import Buy, Reply
from shared.rulesets.mb1984.definition import Rules
from shared.rulesets.mb1984.economy import home_room, stock
from shared.rulesets.mb1984.options import prices
from shared.rulesets.mb1984.table import GALLEYS, TableFields
from shared.vocabulary.actions import PlaceCity, PlaceGalley, PlaceRoad

FOOT = 70
"""Tribute from which no more infantry is bought to claim land: catapults come from one supply for all seats."""
SURPLUS = 400
"""Basic talents left after a purchase from which a seat buys all units that it has room for."""
SWARM = 10
"""Units at home beyond the needs of the land nearby."""

BETTER = 0.02
"""Least risk that another catapult must save."""

OTHERWISE: tuple[Wants, ...] = (
    ((Ware.INFANTRY, ALL),),
    ((Ware.CATAPULTS, ALL), (Ware.INFANTRY, ALL)),
    ((Ware.CAVALRY, ALL), (Ware.INFANTRY, ALL)),
    ((Ware.GALLEYS, 1), (Ware.CATAPULTS, ALL), (Ware.INFANTRY, ALL)),
)
"""Alternative purchases: wares in their order, each with the most that is bought of it."""


def buy(analysis: PositionAnalysis, rules: Rules, frame: Frame, _rng: random.Random) -> Action:
    """Return the purchase: units for generals first, then galleys for an expedition, catapults, cities from the
    rest."""
    table, seat = analysis.table, analysis.seat
    basket = _basket(table, seat)
    add, order = basket.take, basket.counts
    no_catapults = not basket.left[Ware.CATAPULTS]
    home = table.home[seat]
    here = analysis.army(home)
    for ware, count in _guards(analysis, basket):
        add(ware, count)
    open_land = bool(analysis.land()) and min((analysis.land().get(s, FAR) for s in _mine(analysis)), default=FAR) < 3
    galleys = sum(at != OFF and table.lord[g // GALLEYS] == seat for g, at in enumerate(table.galley_at))
    if open_land and total(here) < 4 and table.marker[seat] < FOOT:
        add(Ware.INFANTRY, 4 - total(here))
    if basket.money >= 150 and table.marker[seat] < 80:
        add(Ware.CITIES, 1)
    if galleys < 1 + (table.marker[seat] > 60) and table.marker[seat] >= 40:
        add(Ware.GALLEYS, 1)
    add(Ware.GALLEYS, _ships_wanted(analysis, here) - order[Ware.GALLEYS])
    infantry, _cavalry, catapults = here
    add(Ware.CATAPULTS, 5 - catapults % 6 if catapults < 12 else 0)
    add(Ware.INFANTRY, max(0, 2 + catapults + order[Ware.CATAPULTS] - infantry - order[Ware.INFANTRY]))
    if no_catapults:
        add(Ware.CAVALRY, 2)
    if basket.money >= SURPLUS:
        add(Ware.CATAPULTS, ALL)
        add(Ware.CAVALRY, ALL)
        add(Ware.INFANTRY, ALL)
    return Buy(*order)


def _guards(analysis: PositionAnalysis, basket: OrderBuilder) -> Wants:
    """Return the purchase that guards the home best if it is threatened: the fewest catapults of equal use."""
    home = analysis.table.home[analysis.seat]
    here = analysis.army(home)
    if analysis.risk(home, here) <= SAFE:
        return ()
    best, least = 0, 2.0
    for engines in range(min(basket.left[Ware.CATAPULTS], basket.money // prices(analysis.table)[Ware.CATAPULTS]) + 1):
        foot = (basket.money - engines * prices(analysis.table)[Ware.CATAPULTS]) // prices(analysis.table)[
            Ware.INFANTRY
        ]
        risk = analysis.risk(home, plus(here, (min(foot, basket.left[Ware.INFANTRY]), 0, engines)))
        if risk < least - BETTER:
            best, least = engines, risk
    return (Ware.CATAPULTS, best), (Ware.INFANTRY, ALL)


def otherwise(table: TableFields, seat: Seat) -> Iterator[Buy]:
    """Yield alternative purchases that can be paid."""
    for counts in orders(OTHERWISE, lambda: _basket(table, seat)):
        yield Buy(*counts)


def _basket(table: TableFields, seat: Seat) -> OrderBuilder:
    money = table.talents[seat] // table.inflation
    return OrderBuilder(prices(table), stock(table, seat), money, home_room(table, seat))


def _ships_wanted(analysis: PositionAnalysis, here: Army) -> int:
    """Return the galleys that the army at home still needs, once little is left to take by land nearby."""
    table, seat, home = analysis.table, analysis.seat, analysis.table.home[analysis.seat]
    if analysis.land().get(home, FAR) < 4 and total(here) < SWARM:
        return 0
    crew = len(leaders_at(table, seat, home)) - (analysis.caesar == home)
    return min(crew, round(total(here) / analysis.legion_limit)) - len(docked(analysis).get(home, ()))


def _mine(analysis: PositionAnalysis) -> list[Space]:
    return [space for space, owner in enumerate(analysis.table.owner) if owner == analysis.seat]


def place(analysis: PositionAnalysis, rules: Rules, _frame: Frame, _rng: random.Random) -> Action | None:
    """Place cities on the safest sites, galleys on the coast facing the enemy, and all roads."""
    return next(iter(places(analysis, rules)), None)


def places(analysis: PositionAnalysis, rules: Rules) -> list[Action]:
    """Return the actions of the placement that are of use, the best first."""
    found = [(_use(analysis, action), action) for action in engine.options(rules, analysis.table, analysis.seat)]
    return [action for use, action in sorted(found, key=lambda one: -one[0]) if use > 0]


def _use(analysis: PositionAnalysis, action: Action) -> float:
    """Return the use of an action of the placement; at most 0 for useless ones."""
    match action:
        case PlaceCity(space):
            return 10 - 5 * analysis.risk(space, analysis.army(space))
        case PlaceGalley(position):
            return 10 - analysis.sea().get(position, FAR) / 10
        case PlaceRoad():
            return 5.0
        case Reply():
            return reply_value(analysis, action)
    return 0.0
