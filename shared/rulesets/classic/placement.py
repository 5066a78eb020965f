"""Phase 6: placing the purchased pieces, and bargaining meanwhile (CL-PLACE, CL-GEN-01)."""

from shared.board import BOARD
from shared.ids import Position, Seat, Space
from shared.kernel.frames import DONE, STAY, Action, Emit, Handler
from shared.language.sentence import _
from shared.mechanics import building, treasury
from shared.mechanics.building import city_sites, own_cities, road_sites, wall_sites
from shared.mechanics.homes import holds_home
from shared.mechanics.pieces import own
from shared.mechanics.places import OFF
from shared.mechanics.wares import Ware, pieces_words
from shared.refusal import Refusal
from shared.rulesets.classic import events
from shared.rulesets.classic.diplomacy import apply_offer, can_bargain, check_offer, offers
from shared.rulesets.classic.economy import MESOPOTAMIA, PRICES, galley_coasts
from shared.rulesets.classic.frames import Placement
from shared.rulesets.classic.options import steps
from shared.rulesets.classic.state import GALLEYS
from shared.rulesets.classic.table import State, Table
from shared.rulesets.conquest.placement import count_placed, first_place, places
from shared.vocabulary.actions import EndTurn, Offer, PlaceCity, PlaceFortification, PlaceGalley, PlaceRoad

Deed = Offer | EndTurn | PlaceGalley | PlaceCity | PlaceFortification | PlaceRoad
_CROSSINGS = frozenset([(min(pair), max(pair)) for pair in BOARD.straits])


def _places(table: Table, frame: Placement) -> list[Action]:
    """Return all placements that are possible now."""
    found = places(table, frame, galley_coasts)
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


def _check_end(table: Table, frame: Placement) -> Refusal | None:
    if not _places(table, frame):
        return None
    return Refusal("place-first", "CL-H15", "What can be placed is placed before the turn ends.")


def _check_left(left: int, ware: Ware) -> Refusal | None:
    if left:
        return None
    text = _("You bought no {piece} that is not placed.", piece=pieces_words(1, ware))
    return Refusal("none-left", "CL-BUY-01", text)


def _check_yard(table: Table, seat: Seat, position: Position) -> Refusal | None:
    if position in galley_coasts(table, seat):
        return None
    if table.home[seat] == MESOPOTAMIA:
        return Refusal("bad-place", "CL-PLACE-02", "New galleys are placed in Syria or Armenia, if you own them.")
    if not holds_home(table, seat):
        return Refusal("bad-place", "CL-D23", "New galleys are placed in your home, which you have lost.")
    return Refusal("bad-place", "CL-PLACE-01", "New galleys are placed on a coast of your home.")


def _check_city(table: Table, seat: Seat, space: Space) -> Refusal | None:
    if space in city_sites(table, seat):
        return None
    if space in own_cities(table, seat):
        return Refusal("bad-place", "CL-CITY-01", _("There is a city in {place} already.", place=BOARD.names[space]))
    return Refusal("bad-place", "CL-PLACE-03", "A city is placed in a province of yours.")


def _check_walls(table: Table, seat: Seat, space: Space) -> Refusal | None:
    if space in wall_sites(table, seat):
        return None
    return Refusal("bad-place", "CL-CITY-02", "A fortification goes under a city of yours that has none.")


def _check_road(table: Table, seat: Seat, a: Space, b: Space) -> Refusal | None:
    if (a, b) in road_sites(table, seat):
        return None
    edge = BOARD.edge_index.get((a, b))
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
    price = treasury.cost(counts, PRICES, frame.factor)
    if price:
        state.talents[frame.seat] += price
        emit(events.Refunded(frame.seat, price))
    return DONE


def _placement_default(table: Table, frame: Placement, _seat: Seat) -> Action:
    return first_place(_places(table, frame))


PLACEMENT: Handler[Table, State] = Handler(
    _placement_owed,
    _placement_options,
    _placement_check,
    _placement_apply,
    _placement_default,
    _placement_over,
)
