"""Phases 3 to 5: tribute, destroying cities, purchases (CL-TRIB, CL-DESTROY, CL-BUY)."""

from operator import gt
from typing import Any

from shared.board import BOARD
from shared.ids import Position, Seat
from shared.kernel.frames import DONE, STAY, Action, Emit, Handler
from shared.language.sentence import _
from shared.mechanics import building, links, treasury
from shared.mechanics.building import city_sites, own_cities, wall_sites
from shared.mechanics.cells import with_army
from shared.mechanics.homes import holds_home
from shared.mechanics.table import Built
from shared.mechanics.wares import Ware, count_words, stock_sentence
from shared.refusal import Refusal
from shared.rulesets.classic.actions import Buy
from shared.rulesets.classic.property import supply
from shared.rulesets.classic.state import CITIES, FORTIFICATIONS, ROADS
from shared.rulesets.classic.table import State, Table
from shared.vocabulary import events
from shared.vocabulary.actions import EndDestruction, Raze
from shared.vocabulary.frames import Destruction, Purchase

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


def _destruction_owed(table: Table, frame: Destruction) -> tuple[Seat, ...]:
    return (frame.seat,) if own_cities(table, frame.seat) else ()


def _destruction_options(table: Table, _frame: Destruction, seat: Seat) -> list[Action]:
    return [EndDestruction(), *[Raze(space) for space in own_cities(table, seat)]]


def _destruction_check(table: Table, _frame: Destruction, seat: Seat, action: Action) -> Refusal | None:
    if isinstance(action, Raze):
        if action.space in own_cities(table, seat):
            return None
        return Refusal("no-city", "CL-DESTROY-01", "You have no city there.")
    if isinstance(action, EndDestruction):
        return None
    return Refusal("wrong-action", "CL-TURN-01", "Now cities may be destroyed; go on if you want to keep them.")


def _destruction_apply(state: State, _frame: Destruction, seat: Seat, action: Action, emit: Emit) -> object:
    if not isinstance(action, Raze):
        return DONE
    building.raze(state, seat, action.space, emit)
    state.roads = links.roads_without(state.roads, action.space)
    return STAY


def _destruction_default(_table: Table, _frame: Destruction, _seat: Seat) -> Action:
    return EndDestruction()


def _ends(_state: State, _frame: Any, _result: object, _emit: Emit) -> object:
    return Buy()


# --- phase 5 ---


def yards(table: Table, seat: Seat) -> list[Position]:
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
    if not yards(table, seat):
        galleys = 0
    provinces = {s for s, owner in enumerate(table.owner) if owner == seat}
    free_links = [i for i in links.borders_within(provinces) if i not in table.roads] if len(provinces) > 1 else []
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


def counts_of(buy: Buy) -> Stock:
    """Return the counts of a purchase in the order of `PRICES`."""
    return (
        buy.infantry, buy.cavalry, buy.catapults, buy.galleys, buy.cities, buy.fortifications, buy.roads
    )  # fmt: skip


def _purchase_check(table: Table, _frame: Purchase, seat: Seat, action: Action) -> Refusal | None:
    if not isinstance(action, Buy):
        return Refusal("wrong-action", "CL-TURN-01", "It is time to buy; an empty order goes on.")
    return _check_order(table, seat, action, stock(table, seat))


def _check_order(table: Table, seat: Seat, action: Buy, most: Stock) -> Refusal | None:
    """Check that an order keeps to the pieces in `most`, to the room on the board and to the money."""
    counts = counts_of(action)
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
    free = [i for i in links.borders_within(owned if cities else built) if i not in table.roads]
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
        found += [_order(kind, count) for count in ({1, n} if n else ())]
    if most[0] and money >= 30:
        found.append(Buy(min(most[0], money // 30), min(most[1], money // 60)))
    if most[4] and most[5] and money >= 50:
        found.append(Buy(cities=1, fortifications=1))
    if most[4] and most[6] and money >= 40:
        found.append(Buy(cities=1, roads=1))
    return [buy for buy in dict.fromkeys(found) if _check_order(table, seat, buy, most) is None]


def _order(kind: int, count: int) -> Buy:
    return Buy(*[count if each == kind else 0 for each in range(len(PRICES))])


def _purchase_apply(state: State, _frame: Purchase, seat: Seat, action: Buy, emit: Emit) -> object:
    """Pay; new land units stand in the home at once, the only place for them (CL-PLACE-01)."""
    counts = counts_of(action)
    if any(counts):
        price = cost(state, counts)
        state.talents[seat] -= price
        emit(events.Bought(seat, counts, price))
    home = state.home[seat]
    state.units[home] = with_army(state.units[home], seat, counts[:3])
    return action


def _purchase_default(_table: Table, _frame: Purchase, _seat: Seat) -> Action:
    return Buy()


DESTRUCTION: Handler[Table, State] = Handler(
    _destruction_owed,
    _destruction_options,
    _destruction_check,
    _destruction_apply,
    _destruction_default,
    _ends,
)
PURCHASE: Handler[Table, State] = Handler(
    _purchase_owed, _purchase_options, _purchase_check, _purchase_apply, _purchase_default, _ends
)
