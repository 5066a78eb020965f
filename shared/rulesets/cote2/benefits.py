"""Benefits for the winner of a senate vote (II-SENATE-04, II-C-09 to II-C-13)."""

from shared.ids import Seat
from shared.kernel.frames import Emit, push
from shared.rulesets.cote2 import events
from shared.rulesets.cote2.data import CARDS, NAMED
from shared.rulesets.cote2.frames import Muster
from shared.rulesets.cote2.property import add_chaos, add_influence, army_supply, influence_supply, reward
from shared.rulesets.cote2.table import State


def talents(state: State, seat: Seat, card: int, emit: Emit) -> None:
    """Pay the talents of the card (II-C-09)."""
    reward(state, seat, card, CARDS[card].gain[0], 0, emit)


def calm(state: State, seat: Seat, card: int, emit: Emit) -> None:
    """Take the card's number off the chaos of the seat (II-C-10)."""
    add_chaos(state, seat, -CARDS[card].gain[0])
    reward(state, seat, card, 0, 0, emit)


def points(state: State, seat: Seat, card: int, emit: Emit) -> None:
    """Give the victory points of the card (II-C-11)."""
    reward(state, seat, card, 0, CARDS[card].gain[0], emit)


def legions(state: State, seat: Seat, card: int, _emit: Emit) -> None:
    """Place new legions, as many as there are (II-C-12)."""
    infantry = min(CARDS[card].gain[0], army_supply(state, seat)[0])
    if infantry:
        push(state, Muster, seat, infantry)


def influence(state: State, seat: Seat, card: int, emit: Emit) -> None:
    """Place influence, as many tokens as there are (II-C-13)."""
    space = NAMED[card][0]
    tokens = min(CARDS[card].gain[0], influence_supply(state, seat))
    add_influence(state, seat, space, tokens)
    emit(events.InfluenceGained(seat, space, tokens))
