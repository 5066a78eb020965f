"""Common parts of the search in both conquest games: features, and the length of rollouts."""

import math
import random
from collections.abc import Callable, Sequence
from typing import Final, Protocol, TypeVar

from server.bots.search import learned
from server.bots.search.game import Game, Plan, Policy, scene
from server.bots.search.race import Judge
from server.bots.strength import strength
from shared.ids import NONE, Army, Seat
from shared.kernel.chance import Source
from shared.kernel.frames import Frame, Position, State
from shared.kernel.ruleset import AnyRuleset
from shared.mechanics.pieces import living
from shared.mechanics.places import PRISON
from shared.mechanics.table import Pieces
from shared.vocabulary.frames import Bargain, HomeChoice, Movement, Onward, Purchase


class View(Pieces, Position, Protocol):
    """Pieces and frames; the frame of the turn is below all others."""


class Table(Pieces, State, Protocol):
    """Pieces and frames of a position that can be played on."""


SHARES: Final[dict[type[Frame], float]] = {
    HomeChoice: 0.0,
    Movement: 1.0,
    Onward: 1.0,
    Purchase: 0.5,
    Bargain: 0.5,
}
"""Share of the thinking time by decision. At the choice of homes rollouts would end before anything has happened."""
SMALL: Final = 0.1
"""Share of all other decisions: their differences are small, and there are many of them."""

V = TypeVar("V", bound=View)
S = TypeVar("S", bound=Table)


def game(
    ruleset: str,
    worth: Army,
    complete: Callable[[V, Source], S],
    plans: Callable[[AnyRuleset, V, Seat, random.Random], Sequence[Plan]],
    players: Callable[[random.Random], Policy],
    rounds: int = 1,
    judge: Judge | None = None,
) -> Game[V, S]:
    """Return the search of a conquest game; rollouts last until the seat's next `rounds` turns are over.

    Only then they show the use of coming nearer to the enemy. worth: of a unit of each kind. The other arguments are as
    in `Game`.
    """

    def turns(table: Pieces) -> int:
        return rounds * len(living(table)) + 1

    def counted(table: S, seat: Seat) -> list[float]:
        return features(table, seat, worth)

    def value(table: S, seat: Seat) -> float:
        if is_over(table, seat):
            return float(table.winner == seat)
        return learned.chance(counted(table, seat), learned.weights(ruleset))

    return Game(complete, plans, players, turn, turns, value, counted, judged, False, matter, judge, share)


def share(table: View) -> float:
    """Return the share of the thinking time for the present decision."""
    return SHARES.get(type(table.frames[-1]), SMALL)


def turn(table: View) -> tuple[int, Seat]:
    """Return the round and the seat whose turn it is."""
    return table.round, getattr(table.frames[0], "seat", NONE)


def matter(table: View) -> tuple[object, ...]:
    """Return the turn, the deciding frame, and its place in a battle."""
    return *turn(table), *scene(table)


def judged(table: View) -> list[Seat]:
    """Return the seat whose turn has just ended."""
    seats = [seat for seat in table.order if table.lord[seat] == seat]
    mover = turn(table)[1]
    return [seats[seats.index(mover) - 1]] if mover in seats else []


def is_over(table: Pieces, seat: Seat) -> bool:
    """Whether the result is final for a seat."""
    return table.winner != NONE or table.lord[seat] != seat


def features(table: Pieces, seat: Seat, worth: Army) -> list[float]:
    """Return the features of a seat that is still in the match.

    They are the number of rivals and the seat's shares of armies, tribute, talents and free leaders beyond an even
    share. Then follow its armies and tribute relative to those of the strongest rival.
    """
    seats = living(table)
    armies = strength(table, worth)
    leaders = _at_large(table)
    rows = (armies, table.marker, table.talents, leaders)
    shares = [row[seat] / max(1, sum([row[s] for s in seats])) - 1 / len(seats) for row in rows]
    leads = [row[seat] / max(1, max([row[s] for s in seats if s != seat])) for row in (armies, table.marker)]
    return [math.log(1 / (len(seats) - 1)), *shares, *[min(2.0, lead) - 1.0 for lead in leads]]


def _at_large(table: Pieces) -> list[int]:
    """Return by seat the number of leaders that are not in prison."""
    found = [0] * len(table.talents)
    each = len(table.leader_at) // len(table.lord)
    for leader, at in enumerate(table.leader_at):
        if at < PRISON and table.lord[leader // each] != NONE:
            found[table.lord[leader // each]] += 1
    return found
