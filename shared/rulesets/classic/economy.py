"""Phases 3 to 6: tribute, destroying cities, purchases, placement (CL-TRIB, CL-DESTROY, CL-BUY, CL-PLACE)."""

from operator import gt

from msgspec.structs import astuple

from shared.board import BOARD
from shared.ids import Position, Seat, Space
from shared.kernel.frames import DONE, STAY, Action, Emit, Handler
from shared.language.sentence import _
from shared.mechanics import building, roads, treasury
from shared.mechanics.building import city_sites, own_cities, road_sites, wall_sites
from shared.mechanics.homes import holds_home
from shared.mechanics.pieces import OFF, own
from shared.mechanics.table import Built
from shared.mechanics.wares import Ware, count_words, pieces_words, stock_sentence
from shared.refusal import Refusal
from shared.rulesets.classic.actions import Buy
from shared.rulesets.classic.diplomacy import apply_offer, can_bargain, check_offer, offers
from shared.rulesets.classic.events import Refunded
from shared.rulesets.classic.frames import Placement
from shared.rulesets.classic.options import prices, steps
from shared.rulesets.classic.property import supply
from shared.rulesets.classic.table import CITIES, FORTIFICATIONS, GALLEYS, ROADS, State, TableFields
from shared.rulesets.conquest.destruction import destruction_handler
from shared.rulesets.conquest.placement import count_placed, first_place, places
from shared.rulesets.conquest.purchase import purchase_handler, sole_ware
from shared.vocabulary import events
from shared.vocabulary.actions import EndTurn, Offer, PlaceCity, PlaceFortification, PlaceGalley, PlaceRoad
from shared.vocabulary.frames import Purchase

MESOPOTAMIA = BOARD.space("mesopotamia")
MESOPOTAMIAN_YARDS = (BOARD.space("syria"), BOARD.space("armenia"))
NO_SITE = {
    Ware.CITIES: ("CL-PLACE-03", "You have no province without a city."),
    Ware.FORTIFICATIONS: ("CL-CITY-02", "You have no city without a fortification."),
    Ware.ROADS: ("CL-ROAD-01", "You have no two adjacent provinces that a road could join."),
}
"""The rules about places for buildings, and the refusals if there is no place."""

Stock = tuple[int, int, int, int, int, int, int]
"""Counts by `Ware`."""


def collect(state: State, seat: Seat, emit: Emit) -> None:
    """Pay the marker's amount in talents: phase 3 (CL-TRIB-01)."""
    state.talents[seat] += state.marker[seat]
    emit(events.Tribute(seat, state.marker[seat]))


# --- phase 4 ---


def _check_raze(table: TableFields, seat: Seat, space: Space) -> Refusal | None:
    if space in own_cities(table, seat):
        return None
    return Refusal("no-city", "CL-DESTROY-01", "You have no city there.")


def _remove_roads(state: State, space: Space, _emit: Emit) -> None:
    state.roads = roads.roads_without(state.roads, space)


# --- phase 5 ---


def galley_coasts(table: TableFields, seat: Seat) -> list[Position]:
    """Return the coasts on which `seat` may place new galleys (CL-PLACE-01, CL-PLACE-02, CL-D17, CL-D33)."""
    home = table.home[seat]
    spaces = MESOPOTAMIAN_YARDS if home == MESOPOTAMIA else (home,)
    return [coast for space in spaces if table.owner[space] == seat for coast in BOARD.coasts[space]]


def in_the_box(table: TableFields, seat: Seat) -> Stock:
    """Return the pieces that are not on the board: the seat's own, and the common ones (CL-COMP-02, CL-COMP-03)."""
    walls = table.built.count(Built.FORTIFIED)
    cities = table.built.count(Built.CITY) + walls
    return *supply(table, seat), CITIES - cities, FORTIFICATIONS - walls, ROADS - len(table.roads)


def stock(table: TableFields, seat: Seat) -> Stock:
    """Return the pieces of each kind that `seat` could buy without a limit of money: supply and room to place them."""
    infantry, cavalry, catapults, galleys, cities, walls, road_pieces = in_the_box(table, seat)
    if not holds_home(table, seat):
        infantry = cavalry = catapults = 0
    if not galley_coasts(table, seat):
        galleys = 0
    provinces = {s for s, owner in enumerate(table.owner) if owner == seat}
    # Every own province may get a city with the same order, so all its borders count (CL-D28).
    free_links = [i for i in roads.borders_within(provinces) if i not in table.roads] if len(provinces) > 1 else []
    sites = len(city_sites(table, seat))
    return (
        infantry,
        cavalry,
        catapults,
        galleys,
        min(cities, sites),
        # A fortification may go under a city of the same order.
        min(walls, len(wall_sites(table, seat)) + min(cities, sites)),
        min(road_pieces, len(free_links)),
    )


def cost(table: TableFields, counts: Stock) -> int:
    """Return the price of a purchase with inflation (CL-BUY-01)."""
    return treasury.cost(counts, prices(table), table.inflation)


def _purchase_owed(table: TableFields, frame: Purchase) -> tuple[Seat, ...]:
    return (frame.seat,) if table.talents[frame.seat] >= min(prices(table)) * table.inflation else ()


def _purchase_check(table: TableFields, _frame: Purchase, seat: Seat, action: Action) -> Refusal | None:
    if not isinstance(action, Buy):
        return Refusal("wrong-action", "CL-TURN-01", "It is time to buy; an empty order goes on.")
    return _check_order(table, seat, action, stock(table, seat))


def _check_order(table: TableFields, seat: Seat, action: Buy, most: Stock) -> Refusal | None:
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


def _not_for_sale(table: TableFields, seat: Seat, ware: Ware, wanted: int, most: int) -> Refusal:
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


def _road_room(table: TableFields, seat: Seat, cities: int) -> int:
    """Return the number of roads that could be placed with so many new cities, generously counted."""
    owned = {s for s, owner in enumerate(table.owner) if owner == seat}
    built = set(own_cities(table, seat))
    free = [i for i in roads.borders_within(owned if cities else built) if i not in table.roads]
    new = [sum(s not in built for s in BOARD.edges[i]) for i in free]
    return sum(n <= cities for n in new)


def _purchase_options(table: TableFields, frame: Purchase, seat: Seat) -> list[Action]:
    """Return a choice of orders: nothing, all the money on one kind, one of a kind, and a few mixed ones."""
    most = stock(table, seat)
    # Orders of one kind bring no new cities, so walls and roads have only today's sites.
    alone = *most[:5], min(most[5], len(wall_sites(table, seat))), min(most[6], _road_room(table, seat, 0))
    money = table.talents[seat] // table.inflation
    found = [Buy()]
    for kind, price in enumerate(prices(table)):
        n = min(alone[kind], money // price)
        found += [Buy(*sole_ware(kind, count, len(Ware))) for count in ({1, n} if n else ())]
    foot, horse, _machine, _ship, city, wall, road = prices(table)
    both = foot + horse
    if most[0] and money >= both:
        found.append(Buy(min(most[0], money // both), min(most[1], money // (2 * both))))
    if most[4] and most[5] and money >= city + wall:
        found.append(Buy(cities=1, fortifications=1))
    if most[4] and most[6] and money >= city + road:
        found.append(Buy(cities=1, roads=1))
    # `dict.fromkeys` drops orders that came up twice and keeps their order, which a set would not.
    return [buy for buy in dict.fromkeys(found) if _check_order(table, seat, buy, most) is None]


DESTRUCTION: Handler[TableFields, State] = destruction_handler(_check_raze, _remove_roads, "CL-TURN-01")
PURCHASE: Handler[TableFields, State] = purchase_handler(
    Buy(), prices, _purchase_owed, _purchase_options, _purchase_check
)


Deed = Offer | EndTurn | PlaceGalley | PlaceCity | PlaceFortification | PlaceRoad
_CROSSINGS = frozenset([(min(pair), max(pair)) for pair in BOARD.straits])


def _places(table: TableFields, frame: Placement) -> list[Action]:
    """Return all placements that are possible now."""
    found = places(table, frame, galley_coasts)
    if frame.roads:
        found += [PlaceRoad(a, b) for a, b in road_sites(table, frame.seat)]
    return found


def _placement_owed(table: TableFields, frame: Placement) -> tuple[Seat, ...]:
    if _places(table, frame) or can_bargain(table, frame):
        return (frame.seat,)
    return ()


def _placement_options(table: TableFields, frame: Placement, _seat: Seat) -> list[Action]:
    # The turn does not end while a piece can be placed (CL-H15).
    return [*(_places(table, frame) or [EndTurn()]), *offers(table, frame)]


def _placement_check(table: TableFields, frame: Placement, seat: Seat, action: Action) -> Refusal | None:
    match action:
        case Offer():
            return check_offer(table, frame, seat, action)
        case EndTurn():
            return _check_end(table, frame)
        case PlaceGalley(position):
            return _check_left(frame.galleys, Ware.GALLEYS) or _check_yard(table, seat, position)
        case PlaceCity(space):
            return _check_left(frame.cities, Ware.CITIES) or _check_city(table, seat, space)
        case PlaceFortification(space):
            return _check_left(frame.fortifications, Ware.FORTIFICATIONS) or _check_walls(table, seat, space)
        case PlaceRoad(a, b):
            return _check_left(frame.roads, Ware.ROADS) or _check_road(table, seat, min(a, b), max(a, b))
    return Refusal("wrong-action", "CL-TURN-01", "Place what you bought, bargain, or end your turn.")


def _check_end(table: TableFields, frame: Placement) -> Refusal | None:
    if not _places(table, frame):
        return None
    return Refusal("place-first", "CL-H15", "What can be placed is placed before the turn ends.")


def _check_left(left: int, ware: Ware) -> Refusal | None:
    if left:
        return None
    text = _("You bought no {piece} that is not placed.", piece=pieces_words(1, ware))
    return Refusal("none-left", "CL-BUY-01", text)


def _check_yard(table: TableFields, seat: Seat, position: Position) -> Refusal | None:
    if position in galley_coasts(table, seat):
        return None
    if table.home[seat] == MESOPOTAMIA:
        return Refusal("bad-place", "CL-PLACE-02", "New galleys are placed in Syria or Armenia, if you own them.")
    if not holds_home(table, seat):
        return Refusal("bad-place", "CL-D23", "New galleys are placed in your home, which you have lost.")
    return Refusal("bad-place", "CL-PLACE-01", "New galleys are placed on a coast of your home.")


def _check_city(table: TableFields, seat: Seat, space: Space) -> Refusal | None:
    if space in city_sites(table, seat):
        return None
    if space in own_cities(table, seat):
        return Refusal("bad-place", "CL-CITY-01", _("There is a city in {place} already.", place=BOARD.names[space]))
    return Refusal("bad-place", "CL-PLACE-03", "A city is placed in a province of yours.")


def _check_walls(table: TableFields, seat: Seat, space: Space) -> Refusal | None:
    if space in wall_sites(table, seat):
        return None
    return Refusal("bad-place", "CL-CITY-02", "A fortification goes under a city of yours that has none.")


def _check_road(table: TableFields, seat: Seat, a: Space, b: Space) -> Refusal | None:
    if (a, b) in road_sites(table, seat):
        return None
    edge = BOARD.edge_index.get((a, b))
    # Adjacent on the march but no edge: a strait, or the disputed border of an option.
    if edge is None and b in (steps(table)[a] if 0 <= a < BOARD.provinces else ()):
        rule = "CL-ROAD-01" if (a, b) in _CROSSINGS else "CL-H06"
        return Refusal("bad-place", rule, "No road is built over a crossing or a disputed border.")
    if edge in table.roads:
        return Refusal("bad-place", "CL-ROAD-01", "There is a road already.")
    return Refusal("bad-place", "CL-ROAD-01", "A road joins two cities of yours in provinces adjacent by land.")


def _placement_apply(state: State, frame: Placement, seat: Seat, action: Deed, emit: Emit) -> object:
    match action:
        case Offer():
            return apply_offer(state, frame, seat, action, emit)
        case EndTurn():
            return _placement_over(state, frame, None, emit)
        case PlaceGalley(position):
            # Of any colour that the seat owns: a captured colour's supply may be for sale (CL-D24).
            idle = next(galley for galley in own(state, seat, GALLEYS) if state.galley_at[galley] == OFF)
            building.launch(state, seat, idle, position, emit)
        case _:
            building.build(state, seat, action, emit)
    count_placed(state, frame, action)
    return STAY


def _placement_over(state: State, frame: Placement, result: object, emit: Emit) -> object:
    """Refund pieces that found no place; never reached while a piece can be placed."""
    if result is not None:
        return STAY
    counts = (0, 0, 0, frame.galleys, frame.cities, frame.fortifications, frame.roads)
    # The factor at the time of the purchase: prices may rise between purchase and refund.
    price = treasury.cost(counts, prices(state), frame.factor)
    if price:
        state.talents[frame.seat] += price
        emit(Refunded(frame.seat, price))
    return DONE


def _placement_default(table: TableFields, frame: Placement, _seat: Seat) -> Action:
    return first_place(_places(table, frame))


PLACEMENT: Handler[TableFields, State] = Handler(
    _placement_owed,
    _placement_options,
    _placement_check,
    _placement_apply,
    _placement_default,
    _placement_over,
)
