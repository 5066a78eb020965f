"""All tables of this server: making, listing, finding, waking them after a restart."""

import asyncio
import math
import secrets
from collections.abc import Mapping
from typing import Final

from protocol.session import reference
from protocol.text import clean
from server import log
from server.delivery.outgoing import outgoing
from server.delivery.peer import Peer
from server.matches.table import Services, Table
from server.matches.task import NOT_HERE, MatchTask
from server.storage.port import ChairRecord, StoreError, TableRecord
from shared.kernel import engine
from shared.kernel.engine import AnyRuleset
from shared.messages import (
    ClientMessage,
    Create,
    Join,
    LobbyChange,
    LobbyList,
    Notice,
    OpenLobby,
    Resume,
    TableInfo,
    Watch,
)
from shared.refusal import Refusal
from shared.tables import MAX_TITLE

_ID_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz0123456789"
_CODE_LETTERS: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""Without those that look alike."""
_CODE_LENGTH: Final = 6
MAX_TABLES: Final = 2000
"""Tables in memory."""
MAX_LISTED: Final = 500
_CHANNEL: Final = "lobby"

_BUSY: Final = Refusal("busy", "", "You are at a table already; leave it first.")
_NO_MATCH: Final = Refusal("no-match", "", "There is no such table, or it needs its code.")
_FULL: Final = Refusal("full", "", "The server has too many tables; try again later.")


def _random(letters: str, length: int) -> str:
    return "".join(secrets.choice(letters) for _ in range(length))


class Lobby:
    """The directory of tables. One per server."""

    def __init__(self, services: Services, rulesets: Mapping[str, AnyRuleset]) -> None:
        self.rulesets = rulesets
        self._services = services
        self._tasks: dict[str, MatchTask] = {}
        self._listed: dict[str, TableInfo] = {}
        self._waking = asyncio.Lock()

    @property
    def tables(self) -> int:
        """Tables in memory."""
        return len(self._tasks)

    @property
    def tasks(self) -> tuple[MatchTask, ...]:
        """The tables in memory."""
        return tuple(self._tasks.values())

    async def recover(self, within: float = math.inf) -> None:
        """Wake all tables that had not finished and changed within so many seconds.

        Each on its own: a damaged one does not keep others from play. Older ones sleep until somebody comes back.
        """
        for match in await self._services.store.unfinished(within):
            await self._wake(match)

    async def hear(self, peer: Peer, message: ClientMessage) -> None:
        """Act on a message of a greeted client; never raises for what it says."""
        try:
            await self._route(peer, message)
        except StoreError as error:
            peer.refuse(reference(message), Refusal("storage", "", str(error)))
        except Exception:
            log.failure("failed", kind=type(message).__name__)
            text = "The server failed at that; nothing changed."
            peer.refuse(reference(message), Refusal("server-error", "", text))

    def gone(self, peer: Peer) -> None:
        """A client's connection ended."""
        self._services.bus.unsubscribe(_CHANNEL, peer.send)
        if peer.table is not None:
            peer.table.gone(peer)

    def notify(self, code: str, text: str) -> None:
        """A word to everybody at a table or looking at the list."""
        self._services.bus.publish(_CHANNEL, outgoing(Notice(code, text)))
        for task in self._tasks.values():
            task.table.audience.tell(Notice(code, text))

    async def stop(self) -> None:
        """End all tables' tasks; what was acknowledged is kept."""
        for task in list(self._tasks.values()):
            await task.stop()

    async def _route(self, peer: Peer, message: ClientMessage) -> None:
        match message:
            case OpenLobby():
                self._list(peer, message)
            case Create():
                await self._create(peer, message)
            case Join() | Watch() | Resume():
                await self._enter(peer, message)
            case _ if peer.table is not None:
                await peer.table.hear(peer, message)
            case _:
                peer.refuse(reference(message), NOT_HERE)

    def _list(self, peer: Peer, message: OpenLobby) -> None:
        self._services.bus.unsubscribe(_CHANNEL, peer.send)
        if message.on:
            self._services.bus.subscribe(_CHANNEL, peer.send)
        listed = tuple(self._listed.values())[:MAX_LISTED] if message.on else ()
        peer.tell(LobbyList(message.ref, listed))

    async def _create(self, peer: Peer, message: Create) -> None:
        if peer.table is not None:
            return peer.refuse(message.ref, _BUSY)
        if len(self._tasks) >= MAX_TABLES:
            return peer.refuse(message.ref, _FULL)
        rules = self.rulesets.get(message.ruleset)
        if rules is None:
            known = ", ".join(self.rulesets)
            return peer.refuse(message.ref, Refusal("no-ruleset", "", f"This server plays {known}."))
        if message.seat >= message.seats:
            return peer.refuse(message.ref, Refusal("no-seat", "", "There is no such seat at this table."))
        try:
            options = engine.checked_options(rules, message.seats, message.options)
        except ValueError as error:
            return peer.refuse(message.ref, Refusal("bad-options", "", str(error)))
        record = self._record(peer, message, rules, options)
        await self._services.store.create(record)
        task = MatchTask(Table(record, rules, self._services, lambda: self._changed(record.match)), self._forget)
        self._tasks[record.match] = task
        task.start()
        await task.found(peer, message.ref, message.seat)
        log.info("created", match=record.match, ruleset=rules.id, seats=message.seats)
        return None

    def _record(self, peer: Peer, message: Create, rules: AnyRuleset, options: dict[str, int]) -> TableRecord:
        try:
            title = clean(message.title, MAX_TITLE)
        except ValueError:
            title = f"{peer.name}'s table"
        return TableRecord(
            match=_random(_ID_LETTERS, 12),
            ruleset=rules.id,
            version=rules.version,
            options=options,
            title=title,
            open=message.open,
            code=_random(_CODE_LETTERS, _CODE_LENGTH),
            think=message.think,
            takeover=message.takeover,
            chairs=[ChairRecord() for _ in range(message.seats)],
        )

    async def _enter(self, peer: Peer, message: Join | Watch | Resume) -> None:
        if peer.table is not None:
            return peer.refuse(message.ref, _BUSY)
        match = message.match
        code = "" if isinstance(message, Resume) else message.code.upper()
        if not match and code:
            match = await self._match_of(code)
        task = self._tasks.get(match) or (await self._wake(match) if match else None)
        if task is None:
            return peer.refuse(message.ref, _NO_MATCH)
        if peer.table is not None:
            return peer.refuse(message.ref, _BUSY)
        peer.table = task
        await task.hear(peer, message)
        return None

    async def _match_of(self, code: str) -> str:
        for match, task in self._tasks.items():
            if task.table.record.code == code:
                return match
        return await self._services.store.by_code(code) or ""

    async def _wake(self, match: str) -> MatchTask | None:
        """A table from the store; None if it is unknown, damaged, or of rules that this server does not have."""
        async with self._waking:
            if match not in self._tasks:
                await self._recover(match)
            return self._tasks.get(match)

    async def _recover(self, match: str) -> None:
        entries = 0
        try:
            stored = await self._services.store.claim(match)
            if stored is None:
                return
            entries = len(stored.entries)
            record = stored.table
            rules = self.rulesets.get(record.ruleset)
            if rules is None or rules.version != record.version:
                raise StoreError(f"Match {match} is of rules this server does not have.")
            table = Table(record, rules, self._services, lambda: self._changed(match))
            table.epoch, table.check = stored.epoch, stored.check
            task = MatchTask(table, self._forget)
            # A long log takes a while to go through; other matches go on meanwhile.
            await asyncio.to_thread(task.recover, stored.entries)
        except StoreError as error:
            log.warning("not-recovered", match=match, error=str(error))
            return
        except Exception:
            log.failure("not-recovered", match=match, entries=entries)
            return
        self._tasks[match] = task
        task.start()
        task.wake()
        self._changed(match)
        log.info("recovered", match=match, version=entries)

    def _forget(self, task: MatchTask) -> None:
        """A table that is deserted, or run by another server."""
        del self._tasks[task.match]
        info = self._listed.pop(task.match, None)
        if info is not None:
            self._services.bus.publish(_CHANNEL, outgoing(LobbyChange(info, gone=True)))

    def _changed(self, match: str) -> None:
        """Keep the list up to date."""
        task = self._tasks.get(match)
        if task is None or not task.table.record.open:
            return
        info = task.table.info
        if self._listed.get(match) != info:
            self._listed[match] = info
            self._services.bus.publish(_CHANNEL, outgoing(LobbyChange(info)))
