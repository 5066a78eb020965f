"""Placing what was bought: galleys, cities, fortifications (CL-PLACE, MB-PLACE)."""

from collections.abc import Callable
from typing import Any, Protocol, TypeVar

from msgspec.structs import replace

from shared.ids import Position, Seat
from shared.kernel.frames import Action, replace_top
from shared.mechanics.building import city_sites, wall_sites
from shared.rulesets.conquest.table import State, TableFields
from shared.vocabulary.actions import EndTurn, PlaceCity, PlaceFortification, PlaceGalley

T = TypeVar("T", bound=TableFields)
GalleyCoasts = Callable[[T, Seat], list[Position]]
"""Coasts on which a seat may place new galleys."""


class Placement(Protocol):
    """A frame with the pieces that `seat` still has to place."""

    @property
    def seat(self) -> Seat:
        """Seat that places."""

    @property
    def galleys(self) -> int:
        """Galleys left to place."""

    @property
    def cities(self) -> int:
        """Cities left to place."""

    @property
    def fortifications(self) -> int:
        """Fortifications left to place."""


def places(table: T, frame: Placement, galley_coasts: GalleyCoasts[T]) -> list[Action]:
    """Return the placements of galleys, cities and fortifications that are possible now."""
    found: list[Action] = []
    if frame.galleys:
        found += [PlaceGalley(coast) for coast in galley_coasts(table, frame.seat)]
    if frame.cities:
        found += [PlaceCity(space) for space in city_sites(table, frame.seat)]
    if frame.fortifications:
        found += [PlaceFortification(space) for space in wall_sites(table, frame.seat)]
    return found


def count_placed(state: State, frame: Any, action: Action) -> None:
    """Take one piece off those that are left to place, after `action` placed it."""
    match action:
        case PlaceGalley():
            frame = replace(frame, galleys=frame.galleys - 1)
        case PlaceCity():
            frame = replace(frame, cities=frame.cities - 1)
        case PlaceFortification():
            frame = replace(frame, fortifications=frame.fortifications - 1)
        case _:
            frame = replace(frame, roads=frame.roads - 1)
    replace_top(state, frame)


def first_place(found: list[Action]) -> Action:
    """Return the first placement, or the end of the turn if there is none."""
    return found[0] if found else EndTurn()
