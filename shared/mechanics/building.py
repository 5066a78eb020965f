"""Cities, fortifications and roads: their possible sites, building and destroying them."""

from shared.board import BOARD
from shared.ids import Seat, Space
from shared.kernel.frames import Emit
from shared.mechanics import roads
from shared.mechanics.table import Built, Pieces
from shared.mechanics.tribute import CITY_TRIBUTE, raise_marker
from shared.vocabulary.actions import PlaceCity, PlaceFortification, PlaceRoad
from shared.vocabulary.events import Piece, Placed, Razed


def own_cities(table: Pieces, seat: Seat) -> list[Space]:
    """Return the provinces in which `seat` owns a city."""
    return [space for space, built in enumerate(table.built) if built and table.owner[space] == seat]


def city_sites(table: Pieces, seat: Seat) -> list[Space]:
    """Return own provinces without a city (CL-PLACE-03, MB-PLACE-03)."""
    return [s for s, owner in enumerate(table.owner) if owner == seat and not table.built[s]]


def wall_sites(table: Pieces, seat: Seat) -> list[Space]:
    """Return own cities without walls (CL-CITY-02, MB-CITY-01)."""
    return [s for s, owner in enumerate(table.owner) if owner == seat and table.built[s] == Built.CITY]


def road_sites(table: Pieces, seat: Seat) -> list[tuple[Space, Space]]:
    """Return pairs of own cities in adjacent provinces without a road (CL-ROAD-01, MB-ROAD-01)."""
    cities = set(own_cities(table, seat))
    if len(cities) < 2:
        return []
    return [BOARD.edges[i] for i in roads.borders_within(cities) if i not in table.roads]


def build(state: Pieces, seat: Seat, what: PlaceCity | PlaceFortification | PlaceRoad, emit: Emit) -> None:
    """Put a city, fortification or road on the board; the caller has checked that it may stand there."""
    if isinstance(what, PlaceCity):
        state.built[what.space] = Built.CITY
        raise_marker(state, seat, CITY_TRIBUTE, emit)
        emit(Placed(seat, Piece.CITY, what.space))
    elif isinstance(what, PlaceFortification):
        state.built[what.space] = Built.FORTIFIED
        emit(Placed(seat, Piece.FORTIFICATION, what.space))
    else:
        # A player may name the ends in either order; edges are sorted pairs.
        road = BOARD.edge_index[min(what.a, what.b), max(what.a, what.b)]
        state.roads.append(road)
        emit(Placed(seat, Piece.ROAD, road))


def launch(state: Pieces, seat: Seat, galley: int, position: int, emit: Emit) -> None:
    """Put a galley from the supply on a coast."""
    state.galley_at[galley] = position
    emit(Placed(seat, Piece.GALLEY, position))


def raze(state: Pieces, seat: Seat, space: Space, emit: Emit) -> None:
    """Destroy a city of `seat`. The caller decides about its roads."""
    state.built[space] = Built.NOTHING
    state.marker[seat] -= CITY_TRIBUTE
    emit(Razed(seat, space))
