"""Hints for a first game of Conquest II."""

from __future__ import annotations

from typing import Final

from client.games.cote2.tasks.auction_task import Auctioning
from client.games.cote2.tasks.deployment_task import Deploying
from client.games.cote2.tasks.land_move_task import Marching
from client.games.cote2.tasks.senate_tasks import Voicing
from client.games.cote2.tasks.spending_tasks import Canvassing, Recruiting, Taxing
from client.games.cote2.tasks.task_base import Deed
from client.games.cote2.tasks.turn_task import TakingTurn
from client.language import _
from client.table.hints import ADVICE, ODDS, Hint
from client.table.lesson import Glance
from shared.ids import NONE
from shared.rulesets.cote2.table import Table

Seen = Glance[Table]


def _deed(glance: Seen) -> Deed | None:
    return glance.task.deed if isinstance(glance.task, TakingTurn) else None


def _unled(glance: Seen) -> bool:
    """Whether leaders are about to go somewhere without units."""
    deed = _deed(glance)
    if not isinstance(deed, Marching):
        return False
    party = deed.draft.party
    return party.to != NONE and bool(party.leaders) and not any(party.units)


HINTS: Final[tuple[Hint[Table], ...]] = (
    ODDS,
    Hint(
        "alone",
        _unled,
        _(
            "Leaders without units guard nothing: their tokens can be bought away, and they are beaten without a "
            "roll. Let some infantry go with them."
        ),
    ),
    Hint(
        "vote",
        lambda glance: isinstance(glance.task, Voicing),
        _(
            "Only the winner of a vote spends the senators shown; the others take theirs back. So show just enough "
            "to lead, and leave a vote to another player whom it helps little."
        ),
    ),
    Hint(
        "chaos",
        lambda glance: isinstance(_deed(glance), Recruiting | Taxing),
        _(
            "This brings chaos. At the end of the season the player with most chaos loses 10 points, the second 5. "
            "The chaos of others is secret; a city of yours takes 3 off each season."
        ),
    ),
    Hint(
        "influence",
        lambda glance: isinstance(_deed(glance), Canvassing),
        _(
            "Influence wins: the most in a province scores every season. One token more than the others is enough; the "
            "rest may serve elsewhere. Where no units guard them, the tokens of others are for sale as well."
        ),
    ),
    Hint(
        "march",
        lambda glance: isinstance(_deed(glance), Marching),
        _(
            "Armies march as far as they like, until they meet the other alliance; each part may go elsewhere. To "
            "attack is another action, so keep one for it."
        ),
    ),
    Hint(
        "deployment",
        lambda glance: isinstance(glance.task, Deploying),
        _(
            "Where your units stand, others cannot buy your influence away, and where a leader stands you recruit "
            "and buy. Keep Caesar and troops where the points are."
        ),
    ),
    Hint(
        "auction",
        lambda glance: isinstance(glance.task, Auctioning),
        _(
            "Only the winner pays, and the proposed pair takes the next places in the order. The last to act in a "
            "round can answer all others: it pays to bid low at first and to keep talents for the end."
        ),
    ),
    Hint(
        "actions",
        lambda glance: isinstance(glance.task, TakingTurn),
        _(
            "Two actions a turn, eight a season: ask of each what it scores. Cards that lie before you cost no "
            "action at all, and may be used before, between or after."
        ),
    ),
    ADVICE,
)
