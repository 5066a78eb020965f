"""Hints for a first game of Conquest II."""

from __future__ import annotations

from typing import Final

from client.games.cote2 import lesson_conditions as see
from client.games.cote2.lesson_conditions import Seen
from client.games.cote2.tasks.auction_task import Auctioning
from client.games.cote2.tasks.deployment_task import Deploying
from client.games.cote2.tasks.land_move_task import Marching
from client.games.cote2.tasks.senate_tasks import SenateVoting
from client.games.cote2.tasks.spending_tasks import Canvassing, Recruiting, Taxing
from client.games.cote2.tasks.turn_task import TakingTurn
from client.language import _
from client.table.hints import ADVICE, ODDS, Hint
from client.table.lesson import at_task
from shared.ids import NONE
from shared.rulesets.cote2.table import Table


def _unled(glance: Seen) -> bool:
    """Whether leaders are about to go somewhere without units."""
    march = see.march(glance)
    if march is None:
        return False
    party = march.party
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
        at_task(SenateVoting),
        _(
            "Only the winner of a vote spends the senators shown; the others take theirs back. So show just enough "
            "to lead, and leave a vote to another player whom it helps little."
        ),
    ),
    Hint(
        "chaos",
        see.doing(Recruiting, Taxing),
        _(
            "This brings chaos. At the end of the season the player with most chaos loses 10 points, the second 5. "
            "The chaos of others is secret; a city of yours takes 3 off each season."
        ),
    ),
    Hint(
        "influence",
        see.doing(Canvassing),
        _(
            "Influence wins: the most in a province scores every season. One token more than the others is enough; the "
            "rest may serve elsewhere. Where no units guard them, the tokens of others are for sale as well."
        ),
    ),
    Hint(
        "march",
        see.doing(Marching),
        _(
            "Armies march as far as they like, until they meet the other alliance; each part may go elsewhere. To "
            "attack is another action, so keep one for it."
        ),
    ),
    Hint(
        "deployment",
        at_task(Deploying),
        _(
            "Where your units stand, others cannot buy your influence away, and where a leader stands you recruit "
            "and buy. Keep Caesar and troops where the points are."
        ),
    ),
    Hint(
        "auction",
        at_task(Auctioning),
        _(
            "Only the winner pays, and the proposed pair takes the next places in the order. The last to act in a "
            "round can answer all others: it pays to bid low at first and to keep talents for the end."
        ),
    ),
    Hint(
        "actions",
        at_task(TakingTurn),
        _(
            "Two actions a turn, eight a season: ask of each what it scores. Cards that lie before you cost no "
            "action at all, and may be used before, between or after."
        ),
    ),
    ADVICE,
)
