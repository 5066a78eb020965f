"""Common parts of the search in both conquest games: the value of positions, and the length of rollouts."""

import random
from collections.abc import Callable, Sequence
from typing import Any, Final, Protocol, TypeVar

from server.bots.routes import distances
from server.bots.search import learned, standing
from server.bots.search.game import Policy, SearchedGame, SearchPlan, scene
from shared.ids import NONE, Seat, Space
from shared.kernel.chance import Source
from shared.kernel.frames import Frame, Position, State
from shared.kernel.ruleset import AnyRuleset
from shared.mechanics.pieces import living
from shared.mechanics.table import Pieces
from shared.rulesets.conquest import table as conquest_table
from shared.vocabulary.frames import Bargain, HomeChoice, Movement, Onward, Purchase


class SearchView(Pieces, Position, Protocol):
    """Pieces and frames; the frame of the turn is below all others."""


class SearchState(conquest_table.TableFields, State, Protocol):
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

V = TypeVar("V", bound=SearchView)
S = TypeVar("S", bound=SearchState)


def game(
    ruleset: str,
    kinds: standing.UnitKinds,
    steps: Callable[[Any], tuple[tuple[Space, ...], ...]],
    complete: Callable[[V, Source], S],
    plans: Callable[[AnyRuleset, V, Seat, random.Random], Sequence[SearchPlan]],
    players: Callable[[random.Random], Policy],
    rounds: int = 1,
) -> SearchedGame[V, S]:
    """Return the search of a conquest game; rollouts last until the seat's next `rounds` turns are over.

    Only then they show the use of coming nearer to the enemy. steps: of a table, adjacent provinces by province. The
    other arguments are as in `SearchedGame`.
    """

    def turns(table: Pieces) -> int:
        return rounds * len(living(table)) + 1

    def counted(table: S, seat: Seat) -> list[list[float]]:
        near = steps(table)
        found, apart = standing.forces(table, kinds.worth, near), distances(near)
        own, *others = [
            standing.features(table, each, kinds, found, apart)
            for each in (seat, *[other for other in living(table) if other != seat])
        ]
        return [list(map(float.__sub__, own, other)) for other in others]

    def value(table: S, seat: Seat) -> float:
        if is_over(table, seat):
            return float(table.winner == seat)
        return learned.chance(counted(table, seat), learned.weights(ruleset))

    return SearchedGame(complete, plans, players, turn, turns, value, counted, living, False, matter, share)


def share(table: SearchView) -> float:
    """Return the share of the thinking time for the present decision."""
    return SHARES.get(type(table.frames[-1]), SMALL)


def turn(table: SearchView) -> tuple[int, Seat]:
    """Return the round and the seat whose turn it is."""
    return table.round, getattr(table.frames[0], "seat", NONE)


def matter(table: SearchView) -> tuple[object, ...]:
    """Return the turn, the deciding frame, and its place in a battle."""
    return *turn(table), *scene(table)


def is_over(table: Pieces, seat: Seat) -> bool:
    """Whether the result is final for a seat."""
    return table.winner != NONE or table.lord[seat] != seat
