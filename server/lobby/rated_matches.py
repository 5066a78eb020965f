"""Ports of the ladder and of the ratings of people, as the lobby uses them."""

from typing import Final, Protocol

from msgspec import Struct

from server.delivery.peer import Peer
from server.storage.port import RatingRecord, TableRecord
from shared import messages as m

MU: Final = 25.0
SIGMA: Final = MU / 3
"""Skill of a new player in the units of the model, and its standard deviation."""
BEGINNING: Final = 1500.0
"""Shown rating of a new player."""
SCALE: Final = 200.0
"""Points of the shown rating for one standard deviation of a new player's skill."""


def shown_to_people(rating: RatingRecord) -> tuple[int, int]:
    """Return a person's rating and its uncertainty, one standard deviation, as rooms and pages show them."""
    points = SCALE / SIGMA
    return round(BEGINNING + points * (rating.mu - MU)), round(points * rating.sigma)


class LadderSettings(Struct, frozen=True):
    """Settings of a ladder. `seats` of each match, as far as the game allows; `most`: matches at the same time."""

    seats: int = 2
    most: int = 16


class RatedMatches(Protocol):
    """The ladder: it pairs bots and counts their matches."""

    async def begin(self) -> None:
        """Read what is stored, and begin to pair. Raises StoreError."""

    def stop(self) -> None:
        """Begin no more matches."""

    async def hear(self, peer: Peer, message: m.Compete) -> None:
        """Handle `Compete` of a peer at no table. Raises StoreError."""

    def gone(self, peer: Peer) -> None:
        """Forget a peer that waits."""

    def rate(self, record: TableRecord) -> None:
        """Count a rated match that is over."""


class PeopleRatings(Protocol):
    """Ratings of people at tables that chose them."""

    def rate(self, record: TableRecord) -> None:
        """Change the ratings of the people of a match that counts."""
