"""Status of a player's seats, answered without taking a seat and, if possible, without waking a match."""

import contextlib
from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from typing import Final, TypeAlias

from msgspec import structs

from server.delivery.peer import Peer
from server.lobby.remote_tables import Elsewhere, RemoteTables
from server.matches.seating import SeatHolder, Seating
from server.matches.table import Services
from server.matches.task import MatchTask
from server.rate_limits import Budget, Rate
from server.storage.port import AWAKE, Damaged, OwedSeats, StoreError, TableRecord
from shared.messages import Holding, Holdings, Mine, SeatInfo
from shared.refusal import Refusal
from shared.tables import LOOKING_ON, SeatKind, TablePhase

MOST: Final = 64
"""Matches of a profile that are told at once, those that changed last first."""
ASKED: Final = Rate(0.2, 8.0)
"""Rate of status requests from one address."""

_TOO_OFTEN: Final = Refusal("rate", "", "You ask too often how your matches stand; try again in a minute.")


Belongs: TypeAlias = Callable[[SeatHolder], bool]
"""Predicate: whether a seat belongs to the asking player."""
Find: TypeAlias = Callable[[str], Awaitable[MatchTask | str | None]]
_Found: TypeAlias = dict[tuple[str, int], Holding]


class SeatStatus:
    """Source of the status of a player's seats.

    `awake`: returns the task of a match in memory. `find`: wakes a match from the store, or names the node that runs
    it.
    """

    def __init__(
        self,
        services: Services,
        awake: Callable[[str], MatchTask | None],
        find: Find,
        remote_tables: RemoteTables,
    ) -> None:
        self._store = services.store
        self._date = services.date
        self._services = services
        self._awake = awake
        self._find = find
        self._remote_tables = remote_tables
        self._asked = Budget(ASKED, services.clock.now)

    async def tell(self, peer: Peer, message: Mine) -> None:
        """Answer a request for the status of a player's seats. Raises StoreError."""
        if not peer.trusted and not self._asked.take(peer.address):
            return peer.refuse(message.ref, _TOO_OFTEN)
        found: dict[tuple[str, int], Holding] = {}
        for match, token in message.held:
            found |= await self._seats(peer, match, partial(self._is_opened, token))
        for match in (await self._store.matches_of(peer.person))[:MOST] if peer.person else ():
            found |= await self._seats(peer, match, lambda chair: chair.record.person == peer.person)
        return peer.tell(Holdings(message.ref, tuple(found.values())))

    def _is_opened(self, token: bytes, chair: SeatHolder) -> bool:
        return chair.admits(token) and self._services.devices.admit(chair.record)

    async def _seats(self, peer: Peer, match: str, belongs: Belongs) -> _Found:
        """Return the status of the seats of a match that belong to the player."""
        try:
            task = self._awake(match) or await self._look(peer, match, belongs)
        except Damaged:
            return {(match, LOOKING_ON): Holding(match, "", "", LOOKING_ON, TablePhase.PLAYING)}
        if isinstance(task, MatchTask):
            table = task.table
            return dict(self._lines(peer, table.record, table.seating, belongs, task.standing))
        if isinstance(task, Elsewhere):
            return dict(self._lines(peer, task.table, Seating(task.table.chairs), belongs, task.standing, task.seats))
        return {} if task is None else dict(self._lines(peer, task, Seating(task.chairs), belongs, task.standing))

    async def _look(self, peer: Peer, match: str, belongs: Belongs) -> MatchTask | TableRecord | Elsewhere | None:
        """Find a match that is not in memory here.

        The record of a sleeping match tells how it stands, unless the server was killed during play: then the match is
        woken. If another node runs the match, that node is asked. Raises Damaged.
        """
        glance = await self._store.look(match)
        if glance is None or not any(map(belongs, Seating(glance.table.chairs).chairs)):
            return None
        table = glance.table
        with contextlib.suppress(StoreError):
            there = await self._remote_tables.look(match, glance.owner, peer, "") if glance.owner else None
            if there is not None:
                return there
        asleep = table.standing is not None and table.standing.version == glance.version
        if table.phase != TablePhase.PLAYING or asleep:
            return table
        task = await self._find(match)
        if isinstance(task, str):
            return await self._remote_tables.look(match, task, peer, "") or table
        if task is None:
            raise Damaged(f"Match {match} cannot be woken.")
        task.look_around()
        return task

    def _lines(
        self,
        peer: Peer,
        record: TableRecord,
        seating: Seating,
        belongs: Belongs,
        standing: OwedSeats | None,
        seats: tuple[SeatInfo, ...] = (),
    ) -> Iterator[tuple[tuple[str, int], Holding]]:
        seats = seats or seating.infos()
        plain = Holding(record.match, record.title, record.ruleset, LOOKING_ON, record.phase, seats)
        if standing is not None and record.phase == TablePhase.PLAYING:
            since = max(0, int(self._date() - standing.since))
            plain = structs.replace(plain, owed=standing.owed, since=since, left=self._left(record, standing))
        for seat, chair in enumerate(seating.chairs):
            if belongs(chair):
                unread = 0 if chair.here or seats[seat].kind is SeatKind.PERSON else record.words - chair.record.heard
                known = bool(peer.person) and chair.record.person == peer.person
                yield (record.match, seat), structs.replace(plain, seat=seat, unread=unread, known=known)

    def _left(self, record: TableRecord, standing: OwedSeats) -> int:
        """Return the seconds until a player's time is up: clocks run on while a match sleeps."""
        if record.due <= AWAKE:
            return standing.left
        return max(1, -(-(record.due - self._services.age.now) // 1000))
