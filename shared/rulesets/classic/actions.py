"""What can be done in a Classic match: one struct for one sentence of the rulebook."""

from typing import Annotated

import msgspec
from msgspec import Meta

from shared.kernel.frames import Action, Drawn, Rolled

Count = Annotated[int, Meta(ge=0, le=120)]
Id = Annotated[int, Meta(ge=-1, le=127)]
Ids = Annotated[tuple[Id, ...], Meta(max_length=48)]
Talents = Annotated[int, Meta(ge=0, le=100_000)]
Drop = tuple[Id, Annotated[int, Meta(ge=-7, le=70)], Annotated[int, Meta(ge=-7, le=70)],
             Annotated[int, Meta(ge=-7, le=70)]]  # fmt: skip


class ChooseHome(Action, frozen=True, array_like=True, gc=False, tag=10):
    """I begin in this home province."""

    home: Id


class March(Action, frozen=True, array_like=True, gc=False, tag=11):
    """These march one step, or one road trip, from `source` to `to` (CL-MOVE-01 to -05, CL-ROAD-02).

    `cavalry` counts all horsemen that leave; `tired` of them have already moved one step this turn. `drops`: on a
    road trip, (city on the way, infantry, cavalry, catapults) left there; negative numbers are picked up there.
    """

    source: Id
    to: Id
    leaders: Ids
    infantry: Count = 0
    cavalry: Count = 0
    catapults: Count = 0
    tired: Count = 0
    drops: Annotated[tuple[Drop, ...], Meta(max_length=16)] = ()


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


class EndCombat(Action, frozen=True, array_like=True, gc=False, tag=15):
    """No (more) naval battles."""


class Form(Action, frozen=True, array_like=True, gc=False, tag=16):
    """This is my battle legion."""

    infantry: Count
    cavalry: Count
    catapults: Count


class Lose(Action, frozen=True, array_like=True, gc=False, tag=17):
    """These fall."""

    infantry: Count
    cavalry: Count
    catapults: Count


class Stand(Action, frozen=True, array_like=True, gc=False, tag=18):
    """I fight on."""


class Retreat(Action, frozen=True, array_like=True, gc=False, tag=19):
    """I retreat to this province; NONE only where no province is open: all units are lost, leaders captured."""

    to: Id


class Withdraw(Action, frozen=True, array_like=True, gc=False, tag=20):
    """My leaders leave for this province; NONE where none is open: they are captured."""

    to: Id


class Judge(Action, frozen=True, array_like=True, gc=False, tag=21):
    """Of the captured generals these die; the others are held for ransom."""

    kill: Ids


class Sink(Action, frozen=True, array_like=True, gc=False, tag=22):
    """These of my galleys sink."""

    galleys: Ids


class Raze(Action, frozen=True, array_like=True, gc=False, tag=23):
    """I destroy my city here."""

    space: Id


class EndDestruction(Action, frozen=True, array_like=True, gc=False, tag=24):
    """I destroy no (more) cities."""


class Buy(Action, frozen=True, array_like=True, gc=False, tag=25):
    """My whole purchase of this turn; all zero buys nothing."""

    infantry: Count = 0
    cavalry: Count = 0
    catapults: Count = 0
    galleys: Count = 0
    cities: Count = 0
    fortifications: Count = 0
    roads: Count = 0


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
    """I pay and give this for that (CL-GEN-01): `gives` are generals of `to` that I hold, `takes` mine held by `to`."""

    to: Id
    pays: Talents = 0
    gives: Ids = ()
    wants: Talents = 0
    takes: Ids = ()


class Answer(Action, frozen=True, array_like=True, gc=False, tag=31):
    """I accept the bargain, or not."""

    accept: bool


class EndTurn(Action, frozen=True, array_like=True, gc=False, tag=32):
    """My turn is over; what cannot be placed goes back for its price."""


class Concede(Action, frozen=True, array_like=True, gc=False, tag=33):
    """I agree that `to` has won (NONE takes that back). Legal at any time (CL-END-02)."""

    to: Id


class Resign(Action, frozen=True, array_like=True, gc=False, tag=34):
    """I leave the match; my pieces leave the board. Legal between battles where the table allows it (CL-D34)."""


AnyAction = (
    Rolled | Drawn | ChooseHome | March | Sail | EndMovement | Fight | EndCombat | Form | Lose | Stand | Retreat
    | Withdraw | Judge | Sink | Raze | EndDestruction | Buy | PlaceGalley | PlaceCity | PlaceFortification
    | PlaceRoad | Offer | Answer | EndTurn | Concede | Resign
)  # fmt: skip

DECODER = msgspec.msgpack.Decoder(AnyAction)
