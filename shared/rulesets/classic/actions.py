"""Actions of a Classic match: one struct for one sentence of the rulebook."""

from typing import Annotated

import msgspec
from msgspec import Meta

from shared.kernel.frames import Action
from shared.rulesets.conquest.vocabulary import CommonAction
from shared.vocabulary.actions import Count, Id, Ids

Drop = tuple[Id, Annotated[int, Meta(ge=-7, le=70)], Annotated[int, Meta(ge=-7, le=70)],
             Annotated[int, Meta(ge=-7, le=70)]]  # fmt: skip


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


class Withdraw(Action, frozen=True, array_like=True, gc=False, tag=20):
    """My leaders leave for this province; NONE where none is open: they are captured."""

    to: Id


class Sink(Action, frozen=True, array_like=True, gc=False, tag=22):
    """These of my galleys sink."""

    galleys: Ids


class Buy(Action, frozen=True, array_like=True, gc=False, tag=25):
    """My whole purchase of this turn; all zero buys nothing."""

    infantry: Count = 0
    cavalry: Count = 0
    catapults: Count = 0
    galleys: Count = 0
    cities: Count = 0
    fortifications: Count = 0
    roads: Count = 0


AnyAction = CommonAction | March | EndCombat | Form | Lose | Withdraw | Sink | Buy

DECODER = msgspec.msgpack.Decoder(AnyAction)
