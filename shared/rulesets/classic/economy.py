"""Phases 3 to 5: tribute, destroying cities, purchases (CL-TRIB, CL-DESTROY, CL-BUY)."""

from operator import gt

from msgspec.structs import astuple

from shared.board import BOARD
from shared.ids import Position, Seat, Space
from shared.kernel.frames import Action, Emit, Handler
from shared.language.sentence import _
from shared.mechanics import roads, treasury
from shared.mechanics.building import city_sites, own_cities, wall_sites
from shared.mechanics.homes import holds_home
from shared.mechanics.table import Built
from shared.mechanics.wares import Ware, count_words, stock_sentence
from shared.refusal import Refusal
from shared.rulesets.classic.actions import Buy
from shared.rulesets.classic.property import supply
from shared.rulesets.classic.state import CITIES, FORTIFICATIONS, ROADS
from shared.rulesets.classic.table import State, Table
from shared.rulesets.conquest.destruction import destruction_handler
from shared.rulesets.conquest.purchase import purchase_handler, sole_ware
from shared.vocabulary import events
from shared.vocabulary.frames import Purchase

PRICES = (10, 20, 30, 20, 30, 20, 10)
"""Basic prices by `Ware` (CL-UNIT-01 to -08)."""
MESOPOTAMIA = BOARD.space("mesopotamia")
MESOPOTAMIAN_YARDS = (BOARD.space("syria"), BOARD.space("armenia"))
NO_SITE = {
    Ware.CITIES: ("CL-PLACE-03", "You have no province without a city."),
    Ware.FORTIFICATIONS: ("CL-CITY-02", "You have no city without a fortification."),
    Ware.ROADS: ("CL-ROAD-01", "You have no two adjacent provinces that a road could join."),
}
"""The rules about places for buildings, and the refusals if there is no place."""

Stock = tuple[int, int, int, int, int, int, int]
"""Counts in the order of `PRICES`."""


def collect(state: State, seat: Seat, emit: Emit) -> None:
    """Pay the marker's amount in talents: phase 3 (CL-TRIB-01)."""
    state.talents[seat] += state.marker[seat]
    emit(events.Tribute(seat, state.marker[seat]))


# --- phase 4 ---


def _check_raze(table: Table, seat: Seat, space: Space) -> Refusal | None:
    if space in own_cities(table, seat):
        return None
    return Refusal("no-city", "CL-DESTROY-01", "You have no city there.")


def _remove_roads(state: State, space: Space, _emit: Emit) -> None:
    state.roads = roads.roads_without(state.roads, space)


# --- phase 5 ---


def galley_coasts(table: Table, seat: Seat) -> list[Position]:
    """Return the coasts on which `seat` may place new galleys (CL-PLACE-01, CL-PLACE-02, CL-D17, CL-D33)."""
    home = table.home[seat]
    spaces = MESOPOTAMIAN_YARDS if home == MESOPOTAMIA else (home,)
    return [coast for space in spaces if table.owner[space] == seat for coast in BOARD.coasts[space]]


def in_the_box(table: Table, seat: Seat) -> Stock:
    """Return the pieces that are not on the board: the seat's own, and the common ones (CL-COMP-02, CL-COMP-03)."""
    walls = table.built.count(Built.FORTIFIED)
    cities = table.built.count(Built.CITY) + walls
    return *supply(table, seat), CITIES - cities, FORTIFICATIONS - walls, ROADS - len(table.roads)


def stock(table: Table, seat: Seat) -> Stock:
    """Return the pieces of each kind that `seat` could buy without a limit of money: supply and room to place them."""
    infantry, cavalry, catapults, galleys, cities, walls, road_pieces = in_the_box(table, seat)
    if not holds_home(table, seat):
        infantry = cavalry = catapults = 0
    if not galley_coasts(table, seat):
        galleys = 0
    provinces = {s for s, owner in enumerate(table.owner) if owner == seat}
    free_links = [i for i in roads.borders_within(provinces) if i not in table.roads] if len(provinces) > 1 else []
    sites = len(city_sites(table, seat))
    return (
        infantry,
        cavalry,
        catapults,
        galleys,
        min(cities, sites),
        min(walls, len(wall_sites(table, seat)) + min(cities, sites)),
        min(road_pieces, len(free_links)),
    )


def cost(table: Table, counts: Stock) -> int:
    """Return the price of a purchase with inflation (CL-BUY-01)."""
    return treasury.cost(counts, PRICES, table.inflation)


def _purchase_owed(table: Table, frame: Purchase) -> tuple[Seat, ...]:
    return (frame.seat,) if table.talents[frame.seat] >= min(PRICES) * table.inflation else ()


def _purchase_check(table: Table, _frame: Purchase, seat: Seat, action: Action) -> Refusal | None:
    if not isinstance(action, Buy):
        return Refusal("wrong-action", "CL-TURN-01", "It is time to buy; an empty order goes on.")
    return _check_order(table, seat, action, stock(table, seat))


def _check_order(table: Table, seat: Seat, action: Buy, most: Stock) -> Refusal | None:
    """Check that an order keeps to the pieces in `most`, to the room on the board and to the money."""
    counts = astuple(action)
    if any(map(gt, counts, most)):
        ware = next(ware for ware in Ware if counts[ware] > most[ware])
        return _not_for_sale(table, seat, ware, counts[ware], most[ware])
    if action.fortifications and action.fortifications > len(wall_sites(table, seat)) + action.cities:
        return Refusal("no-site", "CL-CITY-02", "There are more fortifications than cities to put them under.")
    if action.roads and action.roads > _road_room(table, seat, action.cities):
        return Refusal("no-site", "CL-ROAD-01", "Not enough pairs of cities to join by roads.")
    price = cost(table, counts)
    if price > table.talents[seat]:
        text = _("That costs {price} talents; you have {talents}.", price=price, talents=table.talents[seat])
        return Refusal("too-dear", "CL-BUY-01", text)
    return None


def _not_for_sale(table: Table, seat: Seat, ware: Ware, wanted: int, most: int) -> Refusal:
    """Return the refusal of a ware: there are not so many pieces, or no places for them."""
    pieces = in_the_box(table, seat)[ware]
    if wanted > pieces:
        return Refusal(
            "no-supply", "CL-COMP-02" if ware <= Ware.GALLEYS else "CL-COMP-03", stock_sentence(pieces, ware)
        )
    if ware.is_unit:
        text = _("New units are placed only in {place}, which you do not control.", place=BOARD.names[table.home[seat]])
        return Refusal("no-room", "CL-PLACE-01", text)
    if ware is Ware.GALLEYS:
        rule = "CL-PLACE-02" if table.home[seat] == MESOPOTAMIA else "CL-PLACE-01"
        return Refusal("no-room", rule, "You control no coast on which new galleys may be placed.")
    rule, none = NO_SITE[ware]
    return Refusal(
        "no-site", rule, _("There is room for {pieces} only.", pieces=count_words(most, ware)) if most else none
    )


def _road_room(table: Table, seat: Seat, cities: int) -> int:
    """Return the number of roads that could be placed with so many new cities, generously counted."""
    owned = {s for s, owner in enumerate(table.owner) if owner == seat}
    built = set(own_cities(table, seat))
    free = [i for i in roads.borders_within(owned if cities else built) if i not in table.roads]
    new = [sum(s not in built for s in BOARD.edges[i]) for i in free]
    return sum(n <= cities for n in new)


def _purchase_options(table: Table, frame: Purchase, seat: Seat) -> list[Action]:
    """Return a choice of orders: nothing, all the money on one kind, one of a kind, and a few mixed ones."""
    most = stock(table, seat)
    alone = *most[:5], min(most[5], len(wall_sites(table, seat))), min(most[6], _road_room(table, seat, 0))
    money = table.talents[seat] // table.inflation
    found = [Buy()]
    for kind, price in enumerate(PRICES):
        n = min(alone[kind], money // price)
        found += [Buy(*sole_ware(kind, count, len(PRICES))) for count in ({1, n} if n else ())]
    if most[0] and money >= 30:
        found.append(Buy(min(most[0], money // 30), min(most[1], money // 60)))
    if most[4] and most[5] and money >= 50:
        found.append(Buy(cities=1, fortifications=1))
    if most[4] and most[6] and money >= 40:
        found.append(Buy(cities=1, roads=1))
    return [buy for buy in dict.fromkeys(found) if _check_order(table, seat, buy, most) is None]


DESTRUCTION: Handler[Table, State] = destruction_handler(_check_raze, _remove_roads, "CL-TURN-01")
PURCHASE: Handler[Table, State] = purchase_handler(Buy(), PRICES, _purchase_owed, _purchase_options, _purchase_check)
