"""Lists of finished matches: the public ones, and those of a client's own seats."""

from typing import Final

from server.clock import Clock
from server.delivery.peer import Peer
from server.matches.seating import KnownDevices, Seating
from server.rate_limits import Budget, Rate
from server.storage.port import Damaged, Store, TableRecord
from shared.messages import MatchId, Past, PastList, PastMatch, Rank
from shared.refusal import Refusal
from shared.tables import LOOKING_ON, TablePhase

PAGE: Final = 50
"""Matches on one page."""
PAGES: Final = Rate(0.5, 20.0)
"""Rate of pages for one address."""

_TOO_OFTEN: Final = Refusal("rate", "", "You turn the pages too fast; try again in a moment.")


class FinishedLists:
    """Source of the lists of finished matches, one per server."""

    def __init__(self, store: Store, clock: Clock, devices: KnownDevices) -> None:
        self._store = store
        self._devices = devices
        self._pages = Budget(PAGES, clock.now)

    async def tell(self, peer: Peer, message: Past) -> None:
        """Answer a request for a list. Raises StoreError."""
        if not peer.trusted and not self._pages.take(peer.address):
            return peer.refuse(message.ref, _TOO_OFTEN)
        if message.held:
            return peer.tell(PastList(message.ref, tuple(await self._own(message))))
        found = await self._store.past(message.below, message.ruleset, PAGE + 1)
        page = tuple(_told(past.table, past.version, LOOKING_ON) for past in found[:PAGE])
        return peer.tell(PastList(message.ref, page, found[PAGE - 1].place if len(found) > PAGE else 0))

    async def _own(self, message: Past) -> list[PastMatch]:
        own = [told for match, token in message.held if (told := await self._seat(match, token)) is not None]
        return sorted(own, key=lambda told: (-told.ended, told.match))

    async def _seat(self, match: MatchId, token: bytes) -> PastMatch | None:
        """Return a finished match if the token opens one of its seats."""
        try:
            glance = await self._store.look(match)
        except Damaged:
            return None
        if glance is None or glance.table.phase != TablePhase.OVER:
            return None
        seat = Seating(glance.table.chairs, self._devices).seat_of(token)
        return None if seat is None else _told(glance.table, glance.version, seat)


def _told(table: TableRecord, version: int, you: int) -> PastMatch:
    result = table.result
    return PastMatch(
        table.match,
        table.title,
        table.ruleset,
        table.version,
        Seating(table.chairs).infos(),
        table.ended,
        result.rounds if result is not None else 0,
        version,
        tuple(Rank(*place) for place in result.places) if result is not None else (),
        you,
        table.closed_hands,
    )
