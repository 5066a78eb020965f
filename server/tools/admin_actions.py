"""Operator actions on a running server; `admin` requests them by name."""

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final, Protocol, TypeAlias, runtime_checkable

from msgspec import structs

from server import log
from server.connections.event_loop import name_of
from server.connections.server_app import App
from server.lobby.deeds import READ_ONLY
from server.matches.names import is_reserved
from server.matches.task import MatchTask
from server.storage.port import (
    Damaged,
    DeedKind,
    DeedRecord,
    Glance,
    OwnedElsewhere,
    PersonRecord,
    Store,
    StoreError,
)
from server.storage.sqlite import SqliteStore
from server.tools.control import HOLD, REPAIRS, Answer, Deed
from server.tools.match_parts import READ, read_part
from shared.tables import TablePhase, fitting

Tell: TypeAlias = Callable[[Glance], Answer]
"""Describes a match."""
PART: Final = 500
"""Entries of a log that are read at once."""


PEOPLE: Final = 150
"""Profiles in one answer."""
REPORTS: Final = 40
"""Reports in one answer."""
DEEDS: Final = 80
"""Entries of the list of deeds in one answer."""
MAX_WHY: Final = 300
"""Characters of a reason."""
DECREES: Final = (DeedKind.BAN, DeedKind.UNBAN, DeedKind.MUTE, DeedKind.UNMUTE)
"""Deeds about one person."""


class Living(Protocol):
    """A server in a cluster; see `Node`."""

    @property
    def node(self) -> str:
        """Id of the node."""

    @property
    def name(self) -> str:
        """Name given by its operator."""

    @property
    def url(self) -> str:
        """Public address."""

    @property
    def silent(self) -> float:
        """Seconds since its last heartbeat."""


@runtime_checkable
class SharedStore(Protocol):
    """A store that knows the nodes that share it; the protocol avoids importing its library."""

    async def nodes(self) -> Sequence[Living]:
        """Return all live nodes."""

    async def owned(self, node: str) -> list[str]:
        """Return the matches that a node runs."""


class Operator:
    """Operator actions: each takes its arguments by name and returns the answer. They raise StoreError, ValueError.

    `drain` begins to end the server as a signal does.
    """

    def __init__(self, app: App, drain: Callable[[], None]) -> None:
        self._app = app
        self._lobby = app.lobby
        self._store = app.store
        self._drain = drain
        self._cluster = app.cluster
        self.deeds: dict[str, Deed] = {
            "node": self.node,
            "nodes": self.nodes,
            "matches": self.matches,
            "show": self.show,
            "check": self.check,
            "say": self.say,
            "close": self.close,
            "open": self.open,
            "link": self.link,
            "forget": self.forget,
            "drain": self.drain,
            "people": self.people,
            "deeds": self.list_deeds,
            **{kind: partial(self.decree, DeedKind(kind)) for kind in DECREES},
            "reports": self.reports,
            "erase": self.erase,
            "export": self.export,
            "invite": self.invite,
            "banner": self.set_banner,
            "read-only": self.set_read_only,
            READ: partial(read_part, app.store),
            HOLD: self.hold,
        }
        """Actions by name."""

    async def node(self, _arguments: Mapping[str, Any]) -> Answer:
        """Return the state of the server itself."""
        return {
            "node": self._cluster.node if self._cluster is not None else "",
            "address": self._app.address,
            "healthy": self._app.healthy,
            "tables": self._lobby.tables,
            "connections": self._app.connections,
            "loop": name_of(asyncio.get_running_loop()),
            "takes_new_tables": not self._lobby.closed,
            "read_only": bool(self._lobby.moderation.text_of(DeedKind.READ_ONLY)),
        } | ({} if self._cluster is None else {"bus": self._cluster.connected})

    async def nodes(self, _arguments: Mapping[str, Any]) -> Answer:
        """Return all servers that share the matches."""
        return await joined(self._store)

    async def matches(self, _arguments: Mapping[str, Any]) -> Answer:
        """Return all matches that are gathering or being played."""
        return await listed(self._store, self._told)

    async def show(self, arguments: Mapping[str, Any]) -> Answer:
        """Return one match with its seats."""
        glance = await glanced(self._store, _match(arguments))
        answer = shown(glance, self._told)
        if glance.owner and not answer["awake"]:
            answer["runs_on"] = await where(self._store, glance.owner)
        return answer

    async def check(self, arguments: Mapping[str, Any]) -> Answer:
        """Check that the whole log is as it was written. Raises Damaged."""
        return await checked(self._store, await glanced(self._store, _match(arguments)))

    async def say(self, arguments: Mapping[str, Any]) -> Answer:
        """Send a message to a table, or to all tables."""
        text = str(arguments.get("text", "")).strip()
        if not text:
            raise ValueError("The text is empty; give one, such as admin say 'Restart at 20:00'.")
        match = _match(arguments)
        heard = self._lobby.speak(text, match)
        if self._cluster is not None and (heard is None or not match):
            answer: Answer = {"node": await self._owner(match)} if match else {"everywhere": True}
            self._cluster.say(text, match)
            return answer
        if heard is None:
            raise StoreError("That table is empty.")
        return {"people" if match else "tables": heard}

    async def _owner(self, match: str) -> str:
        owner = (await glanced(self._store, match)).owner
        if not owner:
            raise StoreError("That table is empty.")
        return owner

    async def close(self, _arguments: Mapping[str, Any]) -> Answer:
        """Refuse new tables from now on."""
        self._lobby.closed = True
        return {}

    async def open(self, _arguments: Mapping[str, Any]) -> Answer:
        """Allow new tables again."""
        self._lobby.closed = False
        return {}

    async def link(self, arguments: Mapping[str, Any]) -> Answer:
        """Return a code that opens one seat once, for a player who lost their key."""
        match, seat = _match(arguments), int(arguments.get("seat", 0)) - 1
        chairs = (await glanced(self._store, match)).table.chairs
        if not 0 <= seat < len(chairs) or not chairs[seat].name:
            raise StoreError(f"Seat {seat + 1} of match {match} is free.")
        code, hours = self._lobby.code_for_seat(match, seat)
        log.info("seat-code", match=match, seat=seat)
        return {"code": code, "name": chairs[seat].name, "hours": hours, "address": self._app.address}

    async def forget(self, arguments: Mapping[str, Any]) -> Answer:
        """Delete a match and its log for good; its clients are sent away."""
        match = _match(arguments)
        try:
            # Claimed first: no server may write to it while it is deleted.
            stored = await self._store.claim(match)
        except OwnedElsewhere as error:
            raise StoreError(
                f"Match {match} runs on {await where(self._store, error.owner)}; run the command there."
            ) from None
        if stored is None:
            raise StoreError(f"Match {match} does not exist; check its id and --data.")
        await self._store.delete(match, stored.epoch)
        task = self._awake(match)
        if task is not None:
            task.let_go()
        log.info("forgotten", match=match)
        return {}

    async def people(self, arguments: Mapping[str, Any]) -> Answer:
        """Return profiles, the latest visitors first: all, or those with a name."""
        name = str(arguments.get("name", ""))
        found = self._lobby.people.named(name) if name else self._lobby.people.all()
        found = sorted(found, key=lambda person: person.seen, reverse=True)
        return {"people": [self._person(person) for person in found[:PEOPLE]], "more": max(0, len(found) - PEOPLE)}

    def _person(self, person: PersonRecord) -> Answer:
        state, here = self._lobby.moderation, self._lobby.people.peers_of(person.person)
        held = {"banned": state.ban_of(person.person), "muted": state.mute_of(person.person)}
        return {
            "person": person.person,
            "name": person.name,
            "made": round(person.made),
            "seen": round(person.seen),
            "devices": len(person.secrets),
            "here": len(here),
        } | {word: None if deed is None else {"until": deed.until, "why": deed.text} for word, deed in held.items()}

    async def list_deeds(self, _arguments: Mapping[str, Any]) -> Answer:
        """Return the last entries of the list of deeds."""
        return listed_deeds(self._lobby.moderation.deeds)

    async def decree(self, kind: DeedKind, arguments: Mapping[str, Any]) -> Answer:
        """Ban or mute a person, or end that."""
        name, why, days = (arguments.get(key) for key in ("name", "why", "days"))
        person, text = self._named(str(name or "")), str(why or "").strip().rstrip(".")[:MAX_WHY]
        if not text and kind in (DeedKind.BAN, DeedKind.MUTE):
            raise ValueError("Say why with --why; the person reads it.")
        until = time.time() + float(days) * 86_400 if days else 0.0
        about = {"person": person.person, "name": person.name, "secrets": person.secrets}
        deed = await self._lobby.operator.add(kind, **about, until=until, text=text)
        return {"person": person.person, "name": person.name, "until": deed.until}

    async def reports(self, arguments: Mapping[str, Any]) -> Answer:
        """Return the open reports, the oldest first, or close one and tell its reporter."""
        state, chosen = self._lobby.moderation, str(arguments.get("report") or "")
        found = sorted(filter(state.is_open, state.reports()), key=lambda deed: deed.at)
        if chosen:
            report = next((each for each in found if each.deed == chosen), None)
            if report is None:
                raise StoreError(f"No open report has the id {chosen}; look at admin reports.")
            await self._lobby.operator.handle(report, str(arguments.get("why") or "").strip().rstrip(".")[:MAX_WHY])
            return {"handled": chosen}
        return {"reports": [self._report(each) for each in found[:REPORTS]], "more": max(0, len(found) - REPORTS)}

    def _report(self, report: DeedRecord) -> Answer:
        by = self._lobby.people.record(report.by)
        return {
            "report": report.deed,
            "at": round(report.at),
            "person": report.person,
            "name": report.name,
            "by": by.name if by is not None else "",
            "match": report.match,
            "version": report.version,
            "words": report.text,
            "why": report.why,
            "others": sum(each.person == report.person for each in self._lobby.moderation.reports()) - 1,
        }

    async def erase(self, arguments: Mapping[str, Any]) -> Answer:
        """Erase all that is stored of a person. The list of deeds names their former profile only."""
        person = self._named(str(arguments.get("name", "")))
        await self._lobby.personal_data.erase(person.person)
        await self._lobby.operator.add(DeedKind.ERASE, text=str(arguments.get("why") or "")[:MAX_WHY])
        return {"person": person.person}

    async def export(self, arguments: Mapping[str, Any]) -> Answer:
        """Return all that is stored of a person."""
        person = self._named(str(arguments.get("name", "")))
        await self._lobby.operator.add(DeedKind.EXPORT, person=person.person, name=person.name)
        return {"data": await self._lobby.personal_data.export(person.person)}

    async def invite(self, arguments: Mapping[str, Any]) -> Answer:
        """Make a member of that name, or let one in who lost all devices; the code opens the profile on a device."""
        name = fitting(str(arguments.get("name", "")))
        if not name or is_reserved(name):
            raise ValueError("No member can have that name; give another one.")
        code, person = await self._lobby.people.invite(name)
        await self._lobby.operator.add(DeedKind.INVITE, person=person.person, name=person.name)
        return {"name": person.name, "code": code}

    async def set_banner(self, arguments: Mapping[str, Any]) -> Answer:
        """Show a text to everybody who comes, or ("") none any more."""
        text = str(arguments.get("text", "")).strip()[:MAX_WHY]
        await self._lobby.operator.add(DeedKind.BANNER, text=text)
        return {"text": text}

    async def set_read_only(self, arguments: Mapping[str, Any]) -> Answer:
        """Refuse everything new, or allow it again; running matches go on."""
        on = arguments.get("state") == "on"
        await self._lobby.operator.add(DeedKind.READ_ONLY, text=READ_ONLY.text if on else "")
        return {"read_only": on}

    def _named(self, name: str) -> PersonRecord:
        found = self._lobby.people.named(name)
        if len(found) == 1:
            return found[0]
        if not found:
            raise StoreError(f"No profile is called {name}; look at admin people.")
        ids = ", ".join(person.person for person in found[:8])
        raise StoreError(f"{len(found)} profiles are called {name}; give the id of one instead: {ids}.")

    async def drain(self, _arguments: Mapping[str, Any]) -> Answer:
        """End the server as after a signal."""
        self._drain()
        return {}

    async def hold(self, _arguments: Mapping[str, Any]) -> Answer:
        """Stop writing to the file for a while.

        The answer changes if a repair wrote to it all the same; see `backup`.
        """
        if not isinstance(self._store, SqliteStore):
            raise StoreError("These matches are in PostgreSQL; back them up with deploy/postgres_backup.sh.")
        return {REPAIRS: await self._store.hold()}

    async def let_go(self) -> None:
        """Write to the file again, after the holder's connection has ended."""
        if isinstance(self._store, SqliteStore):
            await self._store.go_on()

    def _awake(self, match: str) -> MatchTask | None:
        return next((task for task in self._lobby.tasks if task.match == match), None)

    def _told(self, glance: Glance) -> Answer:
        task = self._awake(glance.table.match)
        return told(glance) | {
            "awake": task is not None,
            "people": len(task.table.audience.peers) if task else 0,
            "onlookers": task.table.audience.watchers if task else 0,
        }


def listed_deeds(deeds: Sequence[DeedRecord]) -> Answer:
    """Return the last entries of the list of deeds, the newest last, without what is secret; reports are no deeds."""
    reports = {deed.deed: deed for deed in deeds if deed.kind is DeedKind.REPORT}
    deeds = [
        structs.replace(deed, person=reports[deed.report].person, name=reports[deed.report].name, until=0.0)
        if deed.report in reports
        else deed
        for deed in deeds
        if deed.deed not in reports
    ]
    return {
        "deeds": [
            {"at": round(deed.at), "deed": deed.kind, "person": deed.person, "name": deed.name, "until": deed.until}
            | {"text": deed.text}
            for deed in deeds[-DEEDS:]
        ],
        "more": max(0, len(deeds) - DEEDS),
    }


async def glanced(store: Store, match: str) -> Glance:
    """Return a match as it is kept. Raises StoreError if there is none."""
    glance = await store.look(match)
    if glance is None:
        raise StoreError(f"Match {match} does not exist; check its id and --data.")
    return glance


async def checked(store: Store, glance: Glance) -> Answer:
    """Return the number of entries of a log, after checking them all. Raises Damaged."""
    match, count = glance.table.match, 0
    while part := await store.read(match, count + 1, PART):
        count += len(part)
    if count < glance.version:
        raise Damaged(f"The log of match {match} ends after entry {count} of {glance.version}.")
    return {"entries": count}


async def joined(store: Store) -> Answer:
    """Return the live servers that share a store; none for a store that is not shared."""
    if not isinstance(store, SharedStore):
        return {"nodes": []}
    return {
        "nodes": [
            {
                "node": node.node,
                "name": node.name,
                "url": node.url,
                "seen": round(node.silent, 1),
                "matches": len(await store.owned(node.node)),
            }
            for node in await store.nodes()
        ]
    }


async def where(store: Store, node: str) -> str:
    """Return a server's id, with its name and address if it lives."""
    nodes = await store.nodes() if isinstance(store, SharedStore) else []
    found = next((each for each in nodes if each.node == node), None)
    return node if found is None else f"{node} ({found.name}, {found.url})"


def told(glance: Glance) -> Answer:
    """Return a match as a row of a list."""
    table = glance.table
    return {
        "match": table.match,
        "title": table.title,
        "game": table.ruleset,
        "phase": TablePhase(table.phase).name.lower(),
        "version": glance.version,
        "owner": glance.owner,
        "seats": [chair.name or chair.bot for chair in table.chairs],
    }


async def listed(store: Store, tell: Tell = told) -> Answer:
    """Return all matches that are gathering or being played, and the errors of damaged ones."""
    found, damaged = [], []
    for match in await store.unfinished():
        try:
            found.append(tell(await glanced(store, match)))
        except Damaged as error:
            damaged.append(str(error))
    return {"matches": found, "damaged": damaged}


def shown(glance: Glance, tell: Tell = told) -> Answer:
    """Return one match with its seats, without keys and secrets."""
    table = glance.table
    return tell(glance) | {
        "listed": table.open,
        "host": table.host + 1,
        "options": table.options,
        "at": [
            {"seat": seat, "name": chair.name, "bot": chair.bot or chair.stand_in}
            for seat, chair in enumerate(table.chairs, 1)
        ],
    }


def _match(arguments: Mapping[str, Any]) -> str:
    return str(arguments.get("match", ""))
