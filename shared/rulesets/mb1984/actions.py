"""Actions of a 1984 match: one struct for one sentence of the rulebook."""

import msgspec

from shared.kernel.frames import Action
from shared.rulesets.conquest.vocabulary import CommonAction
from shared.vocabulary.actions import Count, Id, Ids, Talents


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


class Aim(Action, frozen=True, array_like=True, gc=False, tag=35):
    """I fire at a unit of this kind (0 infantry, 1 cavalry, 2 catapult, 3 galley). `galley`: the galley meant; of a
    unit at sea the one which carries it, where the table protects galleys one by one; else NONE."""

    kind: Id
    galley: Id = -1


class Buy(Action, frozen=True, array_like=True, gc=False, tag=25):
    """My whole purchase of this turn; all zero buys nothing."""

    infantry: Count = 0
    cavalry: Count = 0
    catapults: Count = 0
    galleys: Count = 0
    cities: Count = 0
    fortifications: Count = 0


class Propose(Action, frozen=True, array_like=True, gc=False, tag=36):
    """In the turn of `to`: an `Offer` that they may take up until their turn ends. A new one replaces it, and NONE
    takes it back (MB-GEN-02). The match does not wait for the reply.
    """

    to: Id
    pays: Talents = 0
    gives: Ids = ()
    wants: Talents = 0
    takes: Ids = ()


class Reply(Action, frozen=True, array_like=True, gc=False, tag=37):
    """In my turn: I accept what `proposer` proposed, or decline it."""

    proposer: Id
    accept: bool


class Execute(Action, frozen=True, array_like=True, gc=False, tag=38):
    """These generals, my prisoners since an earlier turn, die. Legal in any player's turn, or by an option
    only in my own (MB-GEN-01, MB-D37).
    """

    kill: Ids


class Lose(Action, frozen=True, array_like=True, gc=False, tag=39):
    """My unit that was hit falls from this galley."""

    galley: Id


AnyAction = CommonAction | March | Aim | Buy | Propose | Reply | Execute | Lose

DECODER = msgspec.msgpack.Decoder(AnyAction)
