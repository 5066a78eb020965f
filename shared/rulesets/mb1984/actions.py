"""What can be done in a 1984 match: one struct for one sentence of the rulebook."""

from typing import Annotated

import msgspec
from msgspec import Meta

from shared.kernel.frames import Action, Drawn, Rolled

Count = Annotated[int, Meta(ge=0, le=120)]
Id = Annotated[int, Meta(ge=-1, le=127)]
Ids = Annotated[tuple[Id, ...], Meta(max_length=48)]
Talents = Annotated[int, Meta(ge=0, le=100_000)]


class ChooseHome(Action, frozen=True, array_like=True, gc=False, tag=10):
    """I begin in this home province."""

    home: Id


class March(Action, frozen=True, array_like=True, gc=False, tag=11):
    """These march one step, or one road trip, from `source` to `to` (MB-MOVE-02 to -05, MB-ROAD-03).

    `cavalry` counts all horsemen that leave; `tired` of them have already moved once this turn.
    """

    source: Id
    to: Id
    leaders: Ids
    infantry: Count = 0
    cavalry: Count = 0
    catapults: Count = 0
    tired: Count = 0


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


class Aim(Action, frozen=True, array_like=True, gc=False, tag=35):
    """I fire at a unit of this kind (0 infantry, 1 cavalry, 2 catapult, 3 galley). `galley`: the galley meant, or the
    one which carries the target, where the table protects galleys one by one; else NONE."""

    kind: Id
    galley: Id = -1


class Stand(Action, frozen=True, array_like=True, gc=False, tag=18):
    """I fight on."""


class Retreat(Action, frozen=True, array_like=True, gc=False, tag=19):
    """All that I have left in this battle retreats to this province."""

    to: Id


class Judge(Action, frozen=True, array_like=True, gc=False, tag=21):
    """Of the captured generals these die; the others are held. In a later turn: these prisoners of mine die."""

    kill: Ids


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
    """A new road, free, between my cities in these adjacent provinces."""

    a: Id
    b: Id


class Offer(Action, frozen=True, array_like=True, gc=False, tag=30):
    """In my turn: I pay and give this for that (MB-GEN-02). `gives` are generals of `to` that I hold, `takes` mine
    held by `to`."""

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
    """I agree that `to` has won (NONE takes that back). Legal at any time (MB-END-02)."""

    to: Id


class Resign(Action, frozen=True, array_like=True, gc=False, tag=34):
    """I leave the match; my pieces leave the board. Legal between battles where the table allows it (MB-D50)."""


class Propose(Action, frozen=True, array_like=True, gc=False, tag=36):
    """In the turn of `to`: an `Offer` that he may take up until his turn ends; a new one replaces it, and NONE takes
    it back (MB-GEN-02). Nobody has to wait for the reply."""

    to: Id
    pays: Talents = 0
    gives: Ids = ()
    wants: Talents = 0
    takes: Ids = ()


class Reply(Action, frozen=True, array_like=True, gc=False, tag=37):
    """In my turn: I accept what `proposer` proposed, or decline it."""

    proposer: Id
    accept: bool


AnyAction = (
    Rolled | Drawn | ChooseHome | March | Sail | EndMovement | Fight | Aim | Stand | Retreat | Judge | Raze
    | EndDestruction | Buy | PlaceGalley | PlaceCity | PlaceFortification | PlaceRoad | Offer | Answer | EndTurn
    | Concede | Resign | Propose | Reply
)  # fmt: skip

DECODER = msgspec.msgpack.Decoder(AnyAction)
