"""Actions of a match of the second game: one struct for one sentence of the rulebook."""

from typing import Annotated

import msgspec
from msgspec import Meta

from shared.ids import NONE
from shared.kernel.frames import Action, Dealt, Rolled
from shared.vocabulary.actions import Concede, Count, EndTurn, Id, Ids, Retreat, Stand, Talents

Group = tuple[Id, Count, Count, Count]
"""A province (or a seat) and infantry, cavalry, catapults."""
Groups = Annotated[tuple[Group, ...], Meta(max_length=48)]
Levied = tuple[Id, Count, Count, Count, Count]
"""A province and infantry, cavalry, catapults, generals."""
Fleets = Annotated[tuple[tuple[Id, Count], ...], Meta(max_length=48)]
"""Sea zones and numbers of galleys."""
Pairs = Annotated[tuple[tuple[Id, Id], ...], Meta(max_length=48)]


class Bid(Action, frozen=True, array_like=True, gc=False, tag=40):
    """I offer so many talents: the last bid and 5 or a multiple of it more. These players are in proposal boxes A and
    B: two without an alliance (II-AUCTION-05) or, if only one is left, that one and NONE.
    """

    talents: Talents
    a: Id
    b: Id


class Pass(Action, frozen=True, array_like=True, gc=False, tag=41):
    """I pass: an action, a bid, a vote."""


class Deploy(Action, frozen=True, array_like=True, gc=False, tag=42):
    """My starting units stand here; galley NONE where no sea zone is open to it."""

    armies: Groups
    caesar: Id
    general: Id
    galley: Id


class Obtain(Action, frozen=True, array_like=True, gc=False, tag=43):
    """I take this open card. `target`: the province of a city, the galley of a fleet, the player who is bribed."""

    card: Id
    target: Id = NONE


class Campaign(Action, frozen=True, array_like=True, gc=False, tag=44):
    """I take this Barbarians card and march these four units, and these leaders, from `source`."""

    card: Id
    source: Id
    infantry: Count
    cavalry: Count
    catapults: Count
    leaders: Ids = ()


class Incite(Action, frozen=True, array_like=True, gc=False, tag=45):
    """I take the Slave Revolt: here, against these players in this order (I myself come last unbidden)."""

    space: Id
    victims: Ids


class Recruit(Action, frozen=True, array_like=True, gc=False, tag=46):
    """I recruit these units in these provinces, and so many galleys in these sea zones."""

    armies: Annotated[tuple[Levied, ...], Meta(max_length=48)]
    fleets: Fleets = ()


class Influence(Action, frozen=True, array_like=True, gc=False, tag=47):
    """I buy one or two tokens here, from these sellers: a player, or NONE for a province token."""

    space: Id
    sellers: Ids


class Levy(Action, frozen=True, array_like=True, gc=False, tag=48):
    """A special tax of so many talents."""

    talents: Talents


class Move(Action, frozen=True, array_like=True, gc=False, tag=49):
    """From `source` these units go to these provinces, and these leaders: (leader, province) pairs."""

    source: Id
    armies: Groups
    leaders: Pairs = ()


class Attack(Action, frozen=True, array_like=True, gc=False, tag=50):
    """I attack this player's units in this province."""

    space: Id
    enemy: Id


class Sail(Action, frozen=True, array_like=True, gc=False, tag=51):
    """These galleys sail to `to`; then I attack `enemy` in `zone` (NONE: I do not)."""

    to: Id
    galleys: Ids
    zone: Id = NONE
    enemy: Id = NONE


class Use(Action, frozen=True, array_like=True, gc=False, tag=52):
    """I use this multi-use card of mine. Assassin: against this leader, or a senator of this player."""

    card: Id
    leader: Id = NONE
    seat: Id = NONE


class Slip(Action, frozen=True, array_like=True, gc=False, tag=53):
    """My Favorable Wind takes my galleys out of the battle, or I accept it."""

    away: bool


class Commit(Action, frozen=True, array_like=True, gc=False, tag=54):
    """These galleys join my land battle."""

    galleys: Ids


class Lend(Action, frozen=True, array_like=True, gc=False, tag=55):
    """I lend these units to my ally for the battle; all zero lends nothing."""

    infantry: Count = 0
    cavalry: Count = 0
    catapults: Count = 0
    galleys: Ids = ()


class Lose(Action, frozen=True, array_like=True, gc=False, tag=56):
    """These fall: (seat, infantry, cavalry, catapults) groups, galleys, and so many galleys of a diplomacy card."""

    armies: Groups = ()
    galleys: Ids = ()
    extra: Count = 0


class Withdraw(Action, frozen=True, array_like=True, gc=False, tag=57):
    """My leaders leave for this province."""

    to: Id


class Show(Action, frozen=True, array_like=True, gc=False, tag=58):
    """I show these further senators, by value."""

    one: Count = 0
    two: Count = 0
    three: Count = 0
    four: Count = 0


class Assemble(Action, frozen=True, array_like=True, gc=False, tag=59):
    """My new legions assemble in this province."""

    space: Id


AnyAction = (
    Rolled | Dealt | Bid | Pass | Deploy | Obtain | Campaign | Incite | Recruit | Influence | Levy | Move
    | Attack | Sail | Use | EndTurn | Slip | Commit | Lend | Lose | Stand | Retreat | Withdraw | Show | Assemble
    | Concede
)  # fmt: skip

DECODER = msgspec.msgpack.Decoder(AnyAction)
