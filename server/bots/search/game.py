"""What a search needs to know of a rule set."""

import random
from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeAlias, TypeVar

from msgspec import Struct

from server.bots.search.race import Judge
from shared.ids import NONE, Seat
from shared.kernel.chance import Source
from shared.kernel.engine import AnyRuleset
from shared.kernel.frames import Action, Dice, Position, State

S = TypeVar("S", bound=State)
V = TypeVar("V")
Policy: TypeAlias = Callable[[AnyRuleset, Any, Seat, random.Random], Action]
"""As `server.bots.policy.Policy`."""


def scene(table: Position) -> tuple[str, int]:
    """Who decides there, dice too, and where, in a battle."""
    frame = table.frames[-1]
    below = table.frames[-2] if type(frame) is Dice and len(table.frames) > 1 else frame
    return type(frame).__name__, getattr(below, "space", NONE)


class Plan(Struct, frozen=True):
    """A way to go on: an action, and who decides for its seat after it as long as its turn lasts: somebody new in each
    rollout (None: whoever plays the others)."""

    action: Action
    player: Callable[[], Policy] | None = None


class Game(Struct, Generic[V, S], frozen=True):
    """How a rule set is searched.

    complete(view, chance): a position that looks like this to the seat whose view it is; what it cannot know is dealt.
    plans(rules, view, seat, chance): ways to go on, the usual one first; one alone is done without a thought.
    players(chance): how everybody plays in one rollout, once the turn is over.
    turn(state): whose turn of which round it is; anything that changes from turn to turn.
    turns(view): how many turns are played out, the present one included.
    value(state, seat): the chance of a seat to win, from 0 to 1.
    judged(state): as a turn begins, the seats whose chance can be told from `features(state, seat)`: what it is learned
    from. secret: whether `complete` has anything to deal.
    judge: which of two plans is thought better by the values of their rollouts (None: `race.expected`).
    matter(state): what is decided by whoever owes a decision, chance included; the same matter goes the same way in
    the same rollout of each plan, as far as it can.
    """

    complete: Callable[[V, Source], S]
    plans: Callable[[AnyRuleset, V, Seat, random.Random], Sequence[Plan]]
    players: Callable[[random.Random], Policy]
    turn: Callable[[S], object]
    turns: Callable[[V], int]
    value: Callable[[S, Seat], float]
    features: Callable[[S, Seat], list[float]]
    judged: Callable[[S], Sequence[Seat]]
    secret: bool = False
    matter: Callable[[S], Sequence[object]] = lambda _state: ()
    judge: Judge | None = None


AnyGame: TypeAlias = Game[Any, Any]
