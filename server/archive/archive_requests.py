"""Delivery of films and records in pieces, without delaying anything else, and of lists of finished matches."""

import asyncio
from typing import Final, Protocol

from msgspec import Struct, structs

from server import log
from server.addresses import crowds
from server.clock import Clock
from server.delivery.peer import Peer
from server.matches.match_archive import FilmRequest, Maker
from server.matches.seating import KnownDevices, Seating
from server.rate_limits import Budget, Rate
from server.storage.port import Damaged, Store, StoreError, TableRecord
from server.turns import Turns
from shared.messages import MatchId, Past, PastList, PastMatch, Rank, Recall, Recalled
from shared.refusal import Refusal
from shared.tables import ED25519, LOOKING_ON, Recollection, TablePhase

PIECE: Final = 32 * 1024
"""Bytes of one answer."""
SLICE: Final = 256
"""Entries of a log that are read at once: writes to the store wait for that long."""
FILMS: Final = Rate(0.2, 12.0)
"""Rate of films that are made for one address."""
WAITING_EACH: Final = 4
"""Limit of clients of one address that wait for films."""
CACHED: Final = 16 * 1024 * 1024
"""Bytes of recent films that are cached."""

_NO_MATCH: Final = Refusal("no-match", "", "There is no such table, or it needs its code.")
_BAD_TOKEN: Final = Refusal("bad-token", "", "That seat is not yours.")
_NOT_STARTED: Final = Refusal("not-started", "", "The match has not begun.")
_NOT_PLAYABLE: Final = Refusal("not-playable", "", "This match cannot be shown here.")
_TOO_MUCH: Final = Refusal("rate", "", "You look at too many matches at once; try again in a moment.")
_NONE: Final = Refusal("no-recall", "", "This server shows no old matches.")
_PAST_END: Final = Refusal("bad-message", "", "There is no such piece of it.")


class Known(Struct, frozen=True):
    """State of a match: its table, and the version up to which it may be shown."""

    table: TableRecord
    version: int


class Directory(Protocol):
    """Directory of the tables in memory and their peers."""

    def known(self, match: str) -> Known | None:
        """Return a match that is in memory."""

    def seat_at(self, match: str, peer: Peer) -> int | None:
        """Return the seat of a peer at that table (LOOKING_ON: none), None if it is not there."""

    async def may_watch(self, table: TableRecord, peer: Peer, code: str) -> Refusal | None:
        """Return why a peer may not watch with that code, None if it may. Raises StoreError."""


class Archive:
    """Archive of a server, one per server. `make`: maker of films, None if the server makes none."""

    def __init__(
        self, store: Store, clock: Clock, directory: Directory, make: Maker | None, devices: KnownDevices
    ) -> None:
        self._store = store
        self._devices = devices
        self._directory = directory
        self._make = make
        self._films = Budget(FILMS, clock.now)
        self._asking: dict[Peer, asyncio.Task[None]] = {}
        self._making: dict[tuple[object, ...], asyncio.Task[bytes | Refusal]] = {}
        self._wanting: dict[tuple[object, ...], list[str]] = {}
        """By film that is being made, the addresses that wait for it."""
        self._turns = Turns(clock.now)
        self._cache: dict[tuple[object, ...], bytes] = {}

    def hear(self, peer: Peer, message: Recall) -> None:
        """Start to answer a request; later messages of the same peer do not wait for it."""
        if self._make is None:
            return peer.refuse(message.ref, _NONE)
        if peer in self._asking or (
            not peer.trusted and crowds(peer.address, (each.address for each in self._asking), WAITING_EACH)
        ):
            return peer.refuse(message.ref, _TOO_MUCH)
        self._asking[peer] = asyncio.create_task(self._answer(peer, message))
        self._asking[peer].add_done_callback(lambda _: self._asking.pop(peer, None))
        return None

    @property
    def busy(self) -> bool:
        """Whether any client waits for an answer."""
        return bool(self._asking or self._making)

    def gone(self, peer: Peer) -> None:
        """Cancel the request of a peer that is gone. A film that is being made is finished."""
        task = self._asking.get(peer)
        if task is not None:
            task.cancel()

    def forget_all(self) -> None:
        """Drop all films and records in memory: a name in them was erased."""
        self._cache.clear()

    async def stop(self) -> None:
        """Cancel all requests and films."""
        tasks = (*self._asking.values(), *self._making.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _answer(self, peer: Peer, message: Recall) -> None:
        try:
            answer = await self._piece(peer, message)
        except StoreError as error:
            log.warning("not-recalled", match=message.match, error=str(error))
            answer = Refusal("storage", "", str(error))
        except Exception:
            log.failure("not-recalled", match=message.match)
            answer = _NOT_PLAYABLE
        if isinstance(answer, Refusal):
            peer.refuse(message.ref, answer)
        else:
            peer.tell(answer)

    async def _piece(self, peer: Peer, message: Recall) -> Recalled | Refusal:
        finished = self._directory.known(message.match) or await self._stored(message.match)
        if finished is None:
            return _NO_MATCH
        audience = await self._audience_for(peer, message, finished.table)
        if isinstance(audience, Refusal):
            return audience
        if finished.table.phase == TablePhase.GATHERING:
            return _NOT_STARTED
        request, upto = _film_request(finished, message, audience, ED25519 in peer.agreed)
        data = await self._from_shelf(peer, request, upto)
        if isinstance(data, Refusal):
            return data
        if message.at >= len(data):
            return _PAST_END
        piece = data[message.at : message.at + PIECE]
        return Recalled(message.ref, request.kind, upto, message.at, len(data), piece)

    async def _stored(self, match: str) -> Known | None:
        glance = await self._store.look(match)
        return None if glance is None else Known(glance.table, glance.version)

    async def _audience_for(self, peer: Peer, message: Recall, table: TableRecord) -> int | Refusal:
        """Return the audience as which a peer may see the match, or a refusal."""
        if message.token:
            seat = Seating(table.chairs, self._devices).seat_of(message.token)
            return _BAD_TOKEN if seat is None else seat
        here = self._directory.seat_at(message.match, peer)
        if here is not None:
            return here
        own = [seat for seat, chair in enumerate(table.chairs) if peer.person and chair.person == peer.person]
        if own:
            return own[0]
        return await self._directory.may_watch(table, peer, message.code) or LOOKING_ON

    async def _from_shelf(self, peer: Peer, request: FilmRequest, upto: int) -> bytes | Refusal:
        """Return a film or record from the cache, or make it, once for all simultaneous requests.

        The log goes up to version `upto`.
        """
        key = (request.table.match, request.kind, request.audience, request.have, request.words, upto)
        data = self._cache.pop(key, None)
        if data is not None:
            self._cache[key] = data  # The most recently used entry stands last, so the first one is dropped.
            return data
        making = self._making.get(key)
        if making is None:
            if not (peer.trusted or self._films.take(peer.address)):
                return _TOO_MUCH
            self._wanting[key] = []
            making = self._making[key] = asyncio.create_task(self._film(request, upto, self._wanting[key]))
            making.add_done_callback(lambda _: (self._making.pop(key, None), self._wanting.pop(key, None)))
        self._wanting[key].append(peer.address)
        # Shielded: others may wait for the same film.
        result = await asyncio.shield(making)
        if not isinstance(result, Refusal):
            self._keep(key, result)
        return result

    async def _film(self, request: FilmRequest, upto: int, addresses: list[str]) -> bytes | Refusal:
        """Make a film or record when it is the turn of the addresses that want it."""
        assert self._make is not None
        match = request.table.match
        async with self._turns.turn(addresses):
            entries = [
                entry
                for first in range(1, upto + 1, SLICE)
                for entry in await self._store.read(match, first, min(SLICE, upto + 1 - first))
            ]
            result = await self._make(structs.replace(request, entries=entries))
        if result.wrong:
            log.warning("not-filmed", match=match, wrong=result.wrong)
            return _NOT_PLAYABLE
        return result.data

    def _keep(self, key: tuple[object, ...], data: bytes) -> None:
        self._cache[key] = data
        total = sum(map(len, self._cache.values()))
        for old in tuple(self._cache):
            if total <= CACHED:
                break
            total -= len(self._cache.pop(old))


def _film_request(known: Known, message: Recall, audience: int, reads_ed25519: bool) -> tuple[FilmRequest, int]:
    """Return what to make for an audience, and up to which version.

    `reads_ed25519`: whether the client reads records that are signed with Ed25519; all read those of older matches.
    """
    table = known.table
    is_readable = reads_ed25519 or isinstance(table.root, bytes)
    if table.phase == TablePhase.OVER and not table.closed_hands and not message.film and is_readable:
        return FilmRequest(table, [], Recollection.RECORD), known.version
    upto = min(message.upto or known.version, known.version)
    return FilmRequest(table, [], Recollection.FILM, audience, min(message.have, upto), message.words), upto


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
        # One more than a page tells whether there is a next one.
        found = await self._store.past(message.below, message.ruleset, PAGE + 1)
        page = tuple(_summary(past.table, past.version, LOOKING_ON) for past in found[:PAGE])
        return peer.tell(PastList(message.ref, page, found[PAGE - 1].place if len(found) > PAGE else 0))

    async def _own(self, message: Past) -> list[PastMatch]:
        own = [summary for match, token in message.held if (summary := await self._seat(match, token)) is not None]
        return sorted(own, key=lambda summary: (-summary.ended, summary.match))

    async def _seat(self, match: MatchId, token: bytes) -> PastMatch | None:
        """Return a finished match if the token opens one of its seats."""
        try:
            glance = await self._store.look(match)
        except Damaged:
            return None
        if glance is None or glance.table.phase != TablePhase.OVER:
            return None
        seat = Seating(glance.table.chairs, self._devices).seat_of(token)
        return None if seat is None else _summary(glance.table, glance.version, seat)


def _summary(table: TableRecord, version: int, you: int) -> PastMatch:
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
