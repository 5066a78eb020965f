"""Phases 3 to 6: tribute, destroying cities, purchases, placement (CL-TRIB, CL-DESTROY, CL-BUY, CL-PLACE)."""

from typing import Any

from msgspec.structs import replace

from shared.board import BOARD
from shared.ids import Position, Seat
from shared.kernel.frames import STAY, Action, Emit, Handler, replace_top
from shared.mechanics import building, links, treasury
from shared.mechanics.building import city_sites, own_cities, road_sites, wall_sites
from shared.mechanics.cells import joined
from shared.mechanics.homes import holds_home
from shared.mechanics.pieces import Built
from shared.refusal import Refusal
from shared.rulesets.classic import events
from shared.rulesets.classic.actions import (
    Buy,
    EndDestruction,
    EndTurn,
    Offer,
    PlaceCity,
    PlaceFortification,
    PlaceGalley,
    PlaceRoad,
    Raze,
)
from shared.rulesets.classic.diplomacy import apply_offer, can_bargain, check_offer, offers
from shared.rulesets.classic.frames import Destruction, Placement, Purchase
from shared.rulesets.classic.property import supply
from shared.rulesets.classic.state import CITIES, FORTIFICATIONS, GALLEYS, OFF, ROADS, State, Table, own

PRICES = (10, 20, 30, 20, 30, 20, 10)
"""Basic prices of infantry, cavalry, catapult, galley, city, fortification, road (CL-UNIT-01 to -08)."""
GOODS = ("infantry", "cavalry", "catapults", "galleys", "cities", "fortifications", "roads")
MESOPOTAMIA = BOARD.space("mesopotamia")
MESOPOTAMIAN_YARDS = (BOARD.space("syria"), BOARD.space("armenia"))
OFFERS = 3
"""Bargains that may be proposed in one turn: our own limit, so that a turn ends."""

Stock = tuple[int, int, int, int, int, int, int]
"""Counts in the order of `PRICES`."""


def collect(state: State, seat: Seat, emit: Emit) -> None:
    """Phase 3: the marker's amount in talents (CL-TRIB-01)."""
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
        return True
    building.raze(state, seat, action.space, emit)
    state.roads = links.without(state.roads, action.space)
    return STAY


def _destruction_default(_table: Table, _frame: Destruction, _seat: Seat) -> Action:
    return EndDestruction()


def _ends(_state: State, _frame: Any, _result: object, _emit: Emit) -> object:
    return Buy()


# --- phase 5 ---


def yards(table: Table, seat: Seat) -> list[Position]:
    """Coasts on which `seat` may place new galleys (CL-PLACE-01, CL-PLACE-02, CL-D17, CL-D33)."""
    home = table.home[seat]
    spaces = MESOPOTAMIAN_YARDS if home == MESOPOTAMIA else (home,)
    return [coast for space in spaces if table.owner[space] == seat for coast in BOARD.coasts[space]]


def stock(table: Table, seat: Seat) -> Stock:
    """What `seat` could buy of each kind if money were no object: supply and room to place it."""
    infantry, cavalry, catapults, galleys = supply(table, seat)
    if not holds_home(table, seat):
        infantry = cavalry = catapults = 0
    if not yards(table, seat):
        galleys = 0
    walls = table.built.count(Built.FORTIFIED)
    cities = CITIES - table.built.count(Built.CITY) - walls
    provinces = {s for s, owner in enumerate(table.owner) if owner == seat}
    free_links = [i for i in links.between(provinces) if i not in table.roads] if len(provinces) > 1 else []
    sites = len(city_sites(table, seat))
    return (
        infantry,
        cavalry,
        catapults,
        galleys,
        min(cities, sites),
        min(FORTIFICATIONS - walls, len(wall_sites(table, seat)) + min(cities, sites)),
        min(ROADS - len(table.roads), len(free_links)),
    )


def cost(table: Table, counts: Stock) -> int:
    """Price of a purchase with inflation (CL-BUY-01)."""
    return treasury.cost(counts, PRICES, table.inflation)


def _purchase_owed(table: Table, frame: Purchase) -> tuple[Seat, ...]:
    return (frame.seat,) if table.talents[frame.seat] >= min(PRICES) * table.inflation else ()


def counts_of(buy: Buy) -> Stock:
    """The counts of a purchase in the order of `PRICES`."""
    return (
        buy.infantry, buy.cavalry, buy.catapults, buy.galleys, buy.cities, buy.fortifications, buy.roads
    )  # fmt: skip


def _purchase_check(table: Table, _frame: Purchase, seat: Seat, action: Action) -> Refusal | None:
    if not isinstance(action, Buy):
        return Refusal("wrong-action", "CL-TURN-01", "It is time to buy; an empty order goes on.")
    return _check_order(table, seat, action, stock(table, seat))


def _check_order(table: Table, seat: Seat, action: Buy, most: Stock) -> Refusal | None:
    """Whether an order keeps to what `most` says can be had, to the room on the board and to the purse."""
    counts = counts_of(action)
    for k, n in enumerate(counts):
        if n > most[k]:
            return _not_for_sale(table, seat, k, most[k])
    if action.fortifications and action.fortifications > len(wall_sites(table, seat)) + action.cities:
        return Refusal("no-room", "CL-CITY-02", "There are more fortifications than cities to put them under.")
    if action.roads and action.roads > _road_room(table, seat, action.cities):
        return Refusal("no-room", "CL-ROAD-01", "There are not so many pairs of cities to join by roads.")
    price = cost(table, counts)
    if price > table.talents[seat]:
        text = f"That costs {price} talents; you have {table.talents[seat]}."
        return Refusal("too-dear", "CL-BUY-01", text)
    return None


def _not_for_sale(table: Table, seat: Seat, kind: int, most: int) -> Refusal:
    if kind < 4 and not most and supply(table, seat)[kind]:
        if kind == 3:
            rule = "CL-PLACE-02" if table.home[seat] == MESOPOTAMIA else "CL-PLACE-01"
            return Refusal("no-room", rule, "You control no coast on which new galleys may be placed.")
        text = f"New units are placed only in {BOARD.names[table.home[seat]]}, which you do not control."
        return Refusal("no-room", "CL-PLACE-01", text)
    left = f"At most {most} {GOODS[kind]} can be had now." if most else f"No {GOODS[kind]} can be had now."
    return Refusal("no-supply", "CL-COMP-02" if kind < 4 else "CL-COMP-03", left)


def _road_room(table: Table, seat: Seat, cities: int) -> int:
    """Roads that could be placed with so many new cities, generously counted."""
    owned = {s for s, owner in enumerate(table.owner) if owner == seat}
    built = set(own_cities(table, seat))
    free = [i for i in links.between(owned if cities else built) if i not in table.roads]
    new = [sum(s not in built for s in BOARD.edges[i]) for i in free]
    return sum(n <= cities for n in new)


def _purchase_options(table: Table, frame: Purchase, seat: Seat) -> list[Action]:
    """Nothing, all the money on one kind, one of a kind, and a few mixed orders."""
    most = stock(table, seat)
    money = table.talents[seat] // table.inflation
    found = [Buy()]
    for kind, price in enumerate(PRICES):
        n = min(most[kind], money // price)
        found += [_order(kind, count) for count in ({1, n} if n else ())]
    if most[0] and money >= 30:
        found.append(Buy(min(most[0], money // 30), min(most[1], money // 60)))
    if most[4] and most[5] and money >= 50:
        found.append(Buy(cities=1, fortifications=1))
    if most[4] and most[6] and money >= 40:
        found.append(Buy(cities=1, roads=1))
    return [buy for buy in found if _check_order(table, seat, buy, most) is None]


def _order(kind: int, count: int) -> Buy:
    return Buy(*[count if k == kind else 0 for k in range(len(PRICES))])


def _purchase_apply(state: State, _frame: Purchase, seat: Seat, action: Buy, emit: Emit) -> object:
    """Pay; new land units stand in the home at once, the only place for them (CL-PLACE-01)."""
    counts = counts_of(action)
    if any(counts):
        price = cost(state, counts)
        state.talents[seat] -= price
        emit(events.Bought(seat, counts, price))
    home = state.home[seat]
    state.units[home] = joined(state.units[home], seat, counts[:3])
    return action


def _purchase_default(_table: Table, _frame: Purchase, _seat: Seat) -> Action:
    return Buy()


# --- phase 6 ---


def _places(table: Table, frame: Placement) -> list[Action]:
    """Everything that can be placed now."""
    found: list[Action] = []
    if frame.galleys:
        found += [PlaceGalley(coast) for coast in yards(table, frame.seat)]
    if frame.cities:
        found += [PlaceCity(space) for space in city_sites(table, frame.seat)]
    if frame.fortifications:
        found += [PlaceFortification(space) for space in wall_sites(table, frame.seat)]
    if frame.roads:
        found += [PlaceRoad(a, b) for a, b in road_sites(table, frame.seat)]
    return found


def _placement_owed(table: Table, frame: Placement) -> tuple[Seat, ...]:
    if _places(table, frame) or can_bargain(table, frame):
        return (frame.seat,)
    return ()


def _placement_options(table: Table, frame: Placement, _seat: Seat) -> list[Action]:
    return [*(_places(table, frame) or [EndTurn()]), *offers(table, frame)]


def _placement_check(table: Table, frame: Placement, seat: Seat, action: Action) -> Refusal | None:
    match action:
        case Offer():
            return check_offer(table, frame, seat, action)
        case EndTurn():
            if not _places(table, frame):
                return None
            return Refusal("place-first", "CL-PLACE-01", "What can be placed is placed before the turn ends.")
        case PlaceGalley(position):
            return _check_place(frame.galleys, position in yards(table, seat), "CL-PLACE-01",
                                "New galleys are placed on a coast of your home.")  # fmt: skip
        case PlaceCity(space):
            return _check_place(frame.cities, space in city_sites(table, seat), "CL-PLACE-03",
                                "A city is placed in a province of yours that has none.")  # fmt: skip
        case PlaceFortification(space):
            return _check_place(frame.fortifications, space in wall_sites(table, seat), "CL-CITY-02",
                                "A fortification goes under a city of yours that has none.")  # fmt: skip
        case PlaceRoad(a, b):
            sites = road_sites(table, seat)
            return _check_place(frame.roads, (a, b) in sites or (b, a) in sites, "CL-ROAD-01",
                                "A road joins two cities of yours in provinces adjacent by land.")  # fmt: skip
    return Refusal("wrong-action", "CL-TURN-01", "Place what you bought, bargain, or end your turn.")


def _check_place(left: int, legal: bool, rule: str, text: str) -> Refusal | None:
    if not left:
        return Refusal("none-left", rule, "You have none of these left to place.")
    return None if legal else Refusal("bad-place", rule, text)


def _placement_apply(state: State, frame: Placement, seat: Seat, action: Action, emit: Emit) -> object:
    match action:
        case Offer():
            return apply_offer(state, frame, seat, action, emit)
        case PlaceGalley(position):
            idle = next(galley for galley in own(state, seat, GALLEYS) if state.galley_at[galley] == OFF)
            building.launch(state, seat, idle, position, emit)
            return _used(state, frame, galleys=1)
        case PlaceCity():
            building.build(state, seat, action, emit)
            return _used(state, frame, cities=1)
        case PlaceFortification():
            building.build(state, seat, action, emit)
            return _used(state, frame, fortifications=1)
        case PlaceRoad():
            building.build(state, seat, action, emit)
            return _used(state, frame, roads=1)
    return _placement_over(state, frame, None, emit)


def _used(
    state: State, frame: Placement, galleys: int = 0, cities: int = 0, fortifications: int = 0, roads: int = 0
) -> object:
    left = replace(
        frame,
        galleys=frame.galleys - galleys,
        cities=frame.cities - cities,
        fortifications=frame.fortifications - fortifications,
        roads=frame.roads - roads,
    )
    replace_top(state, left)
    return STAY


def _placement_over(state: State, frame: Placement, result: object, emit: Emit) -> object:
    """What found no place goes back for its price; never reached while something can be placed."""
    if result is not None:
        return STAY
    counts = (0, 0, 0, frame.galleys, frame.cities, frame.fortifications, frame.roads)
    price = treasury.cost(counts, PRICES, frame.factor)
    if price:
        state.talents[frame.seat] += price
        emit(events.Refunded(frame.seat, price))
    return True


def _placement_default(table: Table, frame: Placement, _seat: Seat) -> Action:
    return (_places(table, frame) or [EndTurn()])[0]


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
PLACEMENT: Handler[Table, State] = Handler(
    _placement_owed,
    _placement_options,
    _placement_check,
    _placement_apply,
    _placement_default,
    _placement_over,
)

__all__ = [
    "DESTRUCTION",
    "GOODS",
    "OFFERS",
    "PLACEMENT",
    "PRICES",
    "PURCHASE",
    "Stock",
    "city_sites",
    "collect",
    "cost",
    "counts_of",
    "own_cities",
    "road_sites",
    "stock",
    "wall_sites",
    "yards",
]
