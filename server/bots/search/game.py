"""Interface between a rule set and the search."""

import random
from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeAlias, TypeVar

from msgspec import Struct

from shared.ids import NONE, Seat
from shared.kernel.chance import Source
from shared.kernel.frames import Action, Dice, Position, State
from shared.kernel.ruleset import AnyRuleset

S = TypeVar("S", bound=State)
V = TypeVar("V")
Policy: TypeAlias = Callable[[AnyRuleset, Any, Seat, random.Random], Action]
"""As `server.bots.policy.Policy`."""


def scene(table: Position) -> tuple[str, int]:
    """Return the type of the deciding frame, dice included, and its place in a battle."""
    frame = table.frames[-1]
    below = table.frames[-2] if type(frame) is Dice and len(table.frames) > 1 else frame
    return type(frame).__name__, getattr(below, "space", NONE)


class SearchPlan(Struct, frozen=True):
    """A first action, and the policy that decides for its seat for the rest of the turn.

    player: makes a new policy for each rollout (None: the policy of the other players).
    settled: whether the first plan is taken without comparison, as rollouts end long before its use shows. Beside a
    concession to go on always looks better, however little hope is left.
    """

    action: Action
    player: Callable[[], Policy] | None = None
    settled: bool = False


class SearchedGame(Struct, Generic[V, S], frozen=True):
    """Functions by which a rule set is searched.

    complete(view, chance): a position that looks like this to the seat whose view it is; hidden things are dealt.
    plans(rules, view, seat, chance): the plans to try, the normal one first. Options are sampled beside a single one.
    players(chance): the policy of all players in one rollout, once the turn is over.
    turn(state): the present turn; any value that changes from turn to turn.
    turns(view): the number of turns that are played out, including the present one.
    value(state, seat): the chance of a seat to win, from 0 to 1.
    features(state, seat): the seat's features less those of each rival, or of all rivals together.
    judged(state): at the beginning of a turn, the seats from whose features the chance is learned.
    secret: whether `complete` has anything to deal.
    share(view): the share of the thinking time that the decision gets; with 0 only the first plan is considered.
    matter(state): identifies the decision that is due, chance included. The same matter goes the same way in the same
    rollout of each plan, as far as possible.
    """

    complete: Callable[[V, Source], S]
    plans: Callable[[AnyRuleset, V, Seat, random.Random], Sequence[SearchPlan]]
    players: Callable[[random.Random], Policy]
    turn: Callable[[S], object]
    turns: Callable[[V], int]
    value: Callable[[S, Seat], float]
    features: Callable[[S, Seat], list[list[float]]]
    judged: Callable[[S], Sequence[Seat]]
    secret: bool = False
    matter: Callable[[S], Sequence[object]] = lambda _state: ()
    share: Callable[[V], float] = lambda _view: 1.0


AnyGame: TypeAlias = SearchedGame[Any, Any]
