"""Actions 3 to 6: tribute, destroying cities, purchases, placement (MB-TRIB, MB-DESTROY, MB-BUY, MB-PLACE)."""

from operator import gt

from msgspec.structs import astuple

from shared.board import BOARD
from shared.ids import CATAPULT, Position, Seat, Space
from shared.kernel.frames import DONE, STAY, Action, Emit, Handler, ends_alone
from shared.language.sentence import _
from shared.mechanics import building, treasury
from shared.mechanics.armies import army_of, total, units_words
from shared.mechanics.building import city_sites, own_cities, wall_sites
from shared.mechanics.homes import holds_home
from shared.mechanics.pieces import OFF
from shared.mechanics.table import Built
from shared.mechanics.wares import Ware, count_words, pieces_words, stock_sentence
from shared.refusal import Refusal
from shared.rulesets.conquest.destruction import destruction_handler
from shared.rulesets.conquest.pieces import LEGION, leaders_at
from shared.rulesets.conquest.placement import count_placed, first_place, places
from shared.rulesets.conquest.purchase import purchase_handler, sole_ware
from shared.rulesets.mb1984 import refusals
from shared.rulesets.mb1984.actions import Buy
from shared.rulesets.mb1984.diplomacy import has_side, with_bargains
from shared.rulesets.mb1984.frames import Placement
from shared.rulesets.mb1984.options import most_tribute, prices, unit_pool
from shared.rulesets.mb1984.property import capacity, remove_roads, supply
from shared.rulesets.mb1984.table import CITIES, FORTIFICATIONS, GALLEYS, ROADS, State, TableFields
from shared.vocabulary import events
from shared.vocabulary.actions import EndTurn, PlaceCity, PlaceFortification, PlaceGalley, PlaceRoad
from shared.vocabulary.frames import Purchase

Deed = EndTurn | PlaceGalley | PlaceCity | PlaceFortification | PlaceRoad
Stock = tuple[int, int, int, int, int, int]
"""Counts by `Ware`, without roads."""


def collect(state: State, seat: Seat, emit: Emit) -> None:
    """Pay the marker's amount in talents, nothing without the home: action 3 (MB-TRIB-02, MB-HOME-02, MB-D32,
    MB-D46).
    """
    if not holds_home(state, seat):
        return
    income = most_tribute(state, state.marker[seat])
    state.talents[seat] += income
    emit(events.Tribute(seat, income))


# --- action 4 ---


def _needs_own_city(table: TableFields, seat: Seat, space: Space) -> bool:
    """Whether units need their own city there, because they are too many for the leaders there (MB-D49, MB-D04)."""
    army = total(army_of(table.units[space], seat))
    return army > 0 and army > LEGION * len(leaders_at(table, seat, space))


def _check_raze(table: TableFields, seat: Seat, space: Space) -> Refusal | None:
    """Check a destruction: units there must do with the leaders there (MB-D49, MB-D04)."""
    if space not in own_cities(table, seat):
        return Refusal("no-city", "MB-DESTROY-01", "You have no city there.")
    if _needs_own_city(table, seat, space):
        return Refusal("left-alone", "MB-D49", "The units there need this city as a leader.")
    return None


# --- action 5 ---


def galley_coasts(table: TableFields, seat: Seat) -> list[Position]:
    """Return the coasts on which `seat` may place new galleys (MB-PLACE-02)."""
    return list(BOARD.coasts[table.home[seat]]) if holds_home(table, seat) else []


def road_sites(table: TableFields, seat: Seat) -> list[tuple[Space, Space]]:
    """Return pairs of own cities that a road could join, while there are road pieces; the home is not needed.

    Rules MB-ROAD-01, MB-D12, MB-D32.
    """
    return building.road_sites(table, seat) if len(table.roads) < ROADS else []


def home_room(table: TableFields, seat: Seat) -> int:
    """Return the number of units that find a leader in the home province (MB-D04)."""
    home = table.home[seat]
    here = total(army_of(table.units[home], seat))
    return capacity(table, seat, home, len(leaders_at(table, seat, home))) - here


def stock(table: TableFields, seat: Seat) -> Stock:
    """Return the pieces of each kind that `seat` could buy without a limit of money: supply and room (MB-COMP-07)."""
    if not holds_home(table, seat):
        return 0, 0, 0, 0, 0, 0
    infantry, cavalry, catapults, galleys, cities, fortifications = pieces_left(table, seat)
    room = home_room(table, seat)
    cities = min(cities, len(city_sites(table, seat)))
    return (
        min(infantry, room),
        min(cavalry, room),
        min(catapults, room),
        galleys,
        cities,
        min(fortifications, len(wall_sites(table, seat)) + cities),
    )


def pieces_left(table: TableFields, seat: Seat) -> Stock:
    """Return the supply of each kind for `seat` (MB-COMP-03, MB-COMP-04, MB-D47)."""
    walls = table.built.count(Built.FORTIFIED)
    cities = table.built.count(Built.CITY) + walls
    return *supply(table, seat), CITIES - cities, FORTIFICATIONS - walls


def cost(table: TableFields, counts: Stock) -> int:
    """Return the price of a purchase with inflation (MB-BUY-01)."""
    return treasury.cost(counts, prices(table), table.inflation)


def _purchase_owed(table: TableFields, frame: Purchase) -> tuple[Seat, ...]:
    """Return the seats that owe a purchase: none without the home (MB-HOME-02)."""
    affordable = table.talents[frame.seat] >= min(prices(table)) * table.inflation
    return (frame.seat,) if affordable and holds_home(table, frame.seat) else ()


def _purchase_check(table: TableFields, _frame: Purchase, seat: Seat, action: Action) -> Refusal | None:
    if not isinstance(action, Buy):
        return Refusal("wrong-action", "MB-TURN-01", "It is time to buy; an empty order goes on.")
    counts = astuple(action)
    price = cost(table, counts)
    if price > table.talents[seat]:
        text = _("That costs {price} talents; you have {talents}.", price=price, talents=table.talents[seat])
        return Refusal("too-dear", "MB-BUY-01", text)
    most = stock(table, seat)
    if any(map(gt, counts, most)):
        ware = next(ware for ware in Ware if counts[ware] > most[ware])
        return _not_for_sale(table, seat, ware, counts[ware], most[ware])
    if action.infantry or action.cavalry or action.catapults:
        room = home_room(table, seat)
        # Each kind was checked against the room alone; together they may still be too many.
        if sum(counts[:3]) > room:
            return _no_room(table, seat, room)
    if action.fortifications and action.fortifications > len(wall_sites(table, seat)) + action.cities:
        return Refusal("no-site", "MB-CITY-01", "There are more fortifications than cities to put them under.")
    return None


def _no_room(table: TableFields, seat: Seat, room: int) -> Refusal:
    text = _("{place} has leaders for {units} more.", place=BOARD.names[table.home[seat]], units=units_words(room))
    return Refusal("no-room", "MB-D04", text)


def _not_for_sale(table: TableFields, seat: Seat, ware: Ware, wanted: int, most: int) -> Refusal:
    """Return the refusal of a ware: there are not so many pieces, or no places for them."""
    if ware is Ware.CATAPULTS and not unit_pool(table)[CATAPULT]:
        return Refusal("no-supply", "MB-UNIT-03", "Catapults are not for sale at this table.")
    pieces = pieces_left(table, seat)[ware]
    if wanted > pieces:
        return Refusal("no-supply", "MB-COMP-07", stock_sentence(pieces, ware))
    if ware.is_unit:
        return _no_room(table, seat, home_room(table, seat))
    if ware is Ware.CITIES:
        return Refusal(
            "no-site", "MB-PLACE-03", _("There is room for {pieces} of yours.", pieces=count_words(most, ware))
        )
    return Refusal("no-site", "MB-CITY-01", _("There is room for {pieces} of yours.", pieces=count_words(most, ware)))


def _purchase_options(table: TableFields, _frame: Purchase, seat: Seat) -> list[Action]:
    """Return a choice of orders: nothing, all the money on one kind, one of a kind, and a few mixed ones."""
    most = stock(table, seat)
    money = table.talents[seat] // table.inflation
    found: list[Action] = [Buy()]
    for kind, price in enumerate(prices(table)):
        n = min(most[kind], money // price)
        # An order of walls alone brings no new cities to put them under.
        if kind == Ware.FORTIFICATIONS:
            n = min(n, len(wall_sites(table, seat)))
        found += [Buy(*sole_ware(kind, count, len(most))) for count in ({1, n} if n > 0 else ())]
    found += _mixed_orders(table, most, money, home_room(table, seat))
    return found


def _mixed_orders(table: TableFields, most: Stock, money: int, room: int) -> list[Action]:
    """Return mixed orders; `money` at basic prices.

    A catapult with infantry, infantry and cavalry in equal parts, a fortified city.
    """
    infantry, cavalry, catapults, _galleys, cities, fortifications = most
    foot, horse, machine, _ship, city, wall = prices(table)
    found: list[Action] = []
    if infantry and catapults and money >= machine + foot and room > 1:
        found.append(Buy(infantry=min(infantry, room - 1, (money - machine) // foot), catapults=1))
    if infantry and cavalry and money >= foot + horse and room > 1:
        pairs = min(room // 2, money // (foot + horse))
        found.append(Buy(min(infantry, pairs), min(cavalry, pairs)))
    if cities and fortifications and money >= city + wall:
        found.append(Buy(cities=1, fortifications=1))
    return found


# --- action 6 ---


def _places(table: TableFields, frame: Placement) -> list[Action]:
    return places(table, frame, galley_coasts)


def _placement_owed(table: TableFields, frame: Placement) -> tuple[Seat, ...]:
    seat = frame.seat
    if _places(table, frame) or road_sites(table, seat) or has_side(table, seat):
        return (seat,)
    return ()


def _placement_options(table: TableFields, frame: Placement, seat: Seat) -> list[Action]:
    found = _places(table, frame) or [EndTurn()]
    return [*found, *[PlaceRoad(a, b) for a, b in road_sites(table, seat)]]


def _placement_check(table: TableFields, frame: Placement, seat: Seat, action: Action) -> Refusal | None:
    match action:
        case EndTurn():
            if not _places(table, frame):
                return None
            return Refusal("place-first", "MB-PLACE-01", "What was bought is placed before the turn ends.")
        case PlaceGalley(position):
            return _check_bought(frame.galleys, Ware.GALLEYS) or _check_yard(table, seat, position)
        case PlaceCity(space):
            return _check_bought(frame.cities, Ware.CITIES) or _check_city(table, seat, space)
        case PlaceFortification(space):
            return _check_bought(frame.fortifications, Ware.FORTIFICATIONS) or _check_wall(table, seat, space)
        case PlaceRoad(a, b):
            return _check_road(table, seat, a, b)
    return Refusal("wrong-action", "MB-TURN-01", "Place what you bought, build roads, or end your turn.")


def _check_bought(left: int, ware: Ware) -> Refusal | None:
    if left:
        return None
    text = _("None of the {pieces} that you bought are left to place.", pieces=pieces_words(0, ware))
    return Refusal("none-left", "MB-BUY-01", text)


def _check_yard(table: TableFields, seat: Seat, position: Position) -> Refusal | None:
    if position in galley_coasts(table, seat):
        return None
    return Refusal("bad-place", "MB-PLACE-02", "New galleys are placed on a coast of your home.")


def _check_city(table: TableFields, seat: Seat, space: Space) -> Refusal | None:
    if space in city_sites(table, seat):
        return None
    if space in own_cities(table, seat):
        return Refusal("bad-place", "MB-CITY-01", _("There is a city in {place} already.", place=BOARD.names[space]))
    return Refusal("bad-place", "MB-PLACE-03", "A city is placed in a province of yours.")


def _check_wall(table: TableFields, seat: Seat, space: Space) -> Refusal | None:
    if space in wall_sites(table, seat):
        return None
    if space in own_cities(table, seat):
        return Refusal(
            "bad-place", "MB-CITY-01", _("The city in {place} is fortified already.", place=BOARD.names[space])
        )
    return Refusal("bad-place", "MB-PLACE-03", "A fortification goes under a city of yours.")


def _check_road(table: TableFields, seat: Seat, a: Space, b: Space) -> Refusal | None:
    """Check a road (MB-ROAD-01, MB-ROAD-02, MB-D12)."""
    road = BOARD.edge_index.get((min(a, b), max(a, b)))
    if refusals.narrows(a, b):
        return Refusal("bad-place", "MB-ROAD-02", "Roads never cross water.")
    if road is None or not {a, b} <= {*own_cities(table, seat)}:
        return Refusal("bad-place", "MB-ROAD-01", "A road joins two cities of yours in neighbouring provinces.")
    if road in table.roads:
        return Refusal("bad-place", "MB-PLACE-04", "That road is built already.")
    if len(table.roads) >= ROADS:
        return Refusal("no-supply", "MB-D12", _("All {roads} roads of the supply are built.", roads=ROADS))
    return None


def _placement_apply(state: State, frame: Placement, seat: Seat, action: Deed, emit: Emit) -> object:
    match action:
        case EndTurn():
            return DONE
        case PlaceGalley(position):
            # Of the own colour only: a captured colour's galleys are never built again (MB-CAESAR-06).
            idle = state.galley_at.index(OFF, seat * GALLEYS, (seat + 1) * GALLEYS)
            building.launch(state, seat, idle, position, emit)
        case _:
            building.build(state, seat, action, emit)
    # Roads are free and not counted in the purchase (MB-ROAD-01).
    if not isinstance(action, PlaceRoad):
        count_placed(state, frame, action)
    return STAY


def _placement_default(table: TableFields, frame: Placement, _seat: Seat) -> Action:
    return first_place(_places(table, frame))


DESTRUCTION: Handler[TableFields, State] = with_bargains(destruction_handler(_check_raze, remove_roads, "MB-TURN-01"))
PURCHASE: Handler[TableFields, State] = with_bargains(
    purchase_handler(Buy(), prices, _purchase_owed, _purchase_options, _purchase_check)
)
PLACEMENT: Handler[TableFields, State] = with_bargains(
    Handler(_placement_owed, _placement_options, _placement_check, _placement_apply, _placement_default, ends_alone)
)
