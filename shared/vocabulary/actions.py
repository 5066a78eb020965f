"""Actions that more than one game has, with their tags and the limits of their fields."""

from typing import Annotated, Protocol

from msgspec import Meta

from shared.ids import Leader, Space
from shared.kernel.frames import Action

Count = Annotated[int, Meta(ge=0, le=120)]
Id = Annotated[int, Meta(ge=-1, le=127)]
Ids = Annotated[tuple[Id, ...], Meta(max_length=48)]
Talents = Annotated[int, Meta(ge=0, le=100_000)]


class ChooseHome(Action, frozen=True, array_like=True, gc=False, tag=10):
    """I begin in this home province."""

    home: Id


class Sail(Action, frozen=True, array_like=True, gc=False, tag=12):
    """This galley moves one step to position `to`. Leaving a coast it takes these aboard; reaching one, all land."""

    galley: Id
    to: Id
    leaders: Ids = ()
    infantry: Count = 0
    cavalry: Count = 0
    catapults: Count = 0


class EndMovement(Action, frozen=True, array_like=True, gc=False, tag=13):
    """My movement is over."""


class Fight(Action, frozen=True, array_like=True, gc=False, tag=14):
    """I fight this enemy in this province or sea zone next."""

    space: Id
    enemy: Id


class Stand(Action, frozen=True, array_like=True, gc=False, tag=18):
    """I fight on."""


class Retreat(Action, frozen=True, array_like=True, gc=False, tag=19):
    """I retreat to this province; NONE only where no province is open and the game says what that costs."""

    to: Id


class Judge(Action, frozen=True, array_like=True, gc=False, tag=21):
    """Of the captured generals these die; the others are held for ransom."""

    kill: Ids


class Raze(Action, frozen=True, array_like=True, gc=False, tag=23):
    """I destroy my city here."""

    space: Id


class EndDestruction(Action, frozen=True, array_like=True, gc=False, tag=24):
    """I destroy no (more) cities."""


class PlaceGalley(Action, frozen=True, array_like=True, gc=False, tag=26):
    """A new galley on this coast."""

    position: Id


class PlaceCity(Action, frozen=True, array_like=True, gc=False, tag=27):
    """A new city here."""

    space: Id


class PlaceFortification(Action, frozen=True, array_like=True, gc=False, tag=28):
    """A new fortification under my city here."""

    space: Id


class PlaceRoad(Action, frozen=True, array_like=True, gc=False, tag=29):
    """A new road between my cities in these adjacent provinces."""

    a: Id
    b: Id


class Offer(Action, frozen=True, array_like=True, gc=False, tag=30):
    """I pay and give this for that (talents one way only).

    `gives` are generals of `to` that I hold, `takes` are mine that `to` holds.
    """

    to: Id
    pays: Talents = 0
    gives: Ids = ()
    wants: Talents = 0
    takes: Ids = ()


class Answer(Action, frozen=True, array_like=True, gc=False, tag=31):
    """I accept the bargain, or not."""

    accept: bool


class EndTurn(Action, frozen=True, array_like=True, gc=False, tag=32):
    """My turn is over."""


class Concede(Action, frozen=True, array_like=True, gc=False, tag=33):
    """I agree that `to` has won (NONE takes that back). Legal at any time."""

    to: Id


class Resign(Action, frozen=True, array_like=True, gc=False, tag=34):
    """I leave the match; my pieces leave the board. Legal between battles, where the table allows it."""


class MarchFields(Protocol):
    """Fields of a march in Classic and 1984."""

    @property
    def source(self) -> Space:
        """Space that the army leaves."""

    @property
    def to(self) -> Space:
        """Space that it enters."""

    @property
    def leaders(self) -> tuple[Leader, ...]:
        """Leaders that march."""

    @property
    def infantry(self) -> int:
        """Infantry that marches."""

    @property
    def cavalry(self) -> int:
        """Cavalry that marches."""

    @property
    def catapults(self) -> int:
        """Catapults that march."""

    @property
    def tired(self) -> int:
        """Horsemen among them that have moved already this turn."""
