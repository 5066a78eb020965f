"""The operator's deeds: stored, told to the other nodes, and carried out on the clients of this one."""

import asyncio
from collections.abc import Callable, Coroutine, Iterable
from typing import Any, Final

from msgspec import structs

from protocol.limits import Close
from server import log
from server.delivery.peer import Peer
from server.lobby.profiles import NOT_INTRODUCED, Profiles
from server.lobby.remote_tables import RemoteTables
from server.matches.codes import new_id
from server.matches.moderation import NETWORK, banned, muted
from server.matches.table import Services
from server.matches.task import MatchTask
from server.rate_limits import Budget, Rate
from server.storage.port import DeedKind, DeedRecord, StoreError
from shared.language.sentence import _
from shared.messages import Notice, Report
from shared.refusal import Refusal

READ_ONLY: Final = Refusal(
    "read-only",
    "",
    "This server is read-only for now: running matches go on, but nothing new can be begun or said.",
)
REPORTS_A_DAY: Final = 5
"""Limit of one person's reports within 24 hours."""
REPORTED: Final = Rate(1 / 3600, 10.0)
"""Rate of reports from one address."""
GUESTS_REPORTS: Final = 40
"""Open reports of the server at which guests cannot report: as many as `admin reports` lists. Guests cost nothing."""
OPEN_REPORTS: Final = 200
"""Open reports of the server at which members cannot report either."""
DAY: Final = 86_400.0
_REPORTED: Final = Refusal("enough", "", "You have reported that person already; the operator will look at it.")
_ENOUGH_REPORTS: Final = Refusal("rate", "", "You made many reports today; try again tomorrow.")
_MANY_OPEN: Final = Refusal("rate", "", "The operator has many open reports to look at first; try again tomorrow.")
_WRITABLE: Final = _("This server is no longer read-only.")


class Deeds:
    """The list of deeds of a server, or of a whole cluster. One per node."""

    def __init__(
        self,
        services: Services,
        people: Profiles,
        tasks: Callable[[], Iterable[MatchTask]],
        remote_tables: RemoteTables,
        tell_all: Callable[[str, str], None],
    ) -> None:
        self._services = services
        self._people = people
        self._tasks = tasks
        self._remote_tables = remote_tables
        self._tell_all = tell_all
        self._reported = Budget(REPORTED, services.clock.now)
        self._reporting = asyncio.Lock()
        self._work: set[asyncio.Task[None]] = set()
        people.on_turned_away = lambda ban: self._do(self._note_network(ban))

    async def load(self) -> None:
        """Read the whole list; entries that another node added may be new. Raises StoreError."""
        self.learn(await self._services.store.deeds())
        await self._blank_networks()

    async def add(self, kind: DeedKind, **fields: Any) -> DeedRecord:
        """Add an entry and carry it out. Raises StoreError: then nothing has changed."""
        deed = DeedRecord(new_id(), self._services.date(), kind, **fields)
        await self._services.store.keep_deed(deed)
        log.info("deed", deed=deed.kind, person=deed.person)
        self._remote_tables.tell_deed(deed)
        self.learn((deed,))
        return deed

    def learn(self, deeds: Iterable[DeedRecord]) -> None:
        """Take entries of the list, and carry out the new ones."""
        state = self._services.moderation
        for deed in state.learn(deeds):
            # Only if it is the last word: an older entry may arrive after the one that ended it.
            if deed.kind is DeedKind.BAN and state.ban_of(deed.person) is deed:
                self._drop(deed)
                self._do(self._note_network(deed))
            elif deed.kind in (DeedKind.BANNER, DeedKind.READ_ONLY) and deed.text == state.text_of(deed.kind):
                # No empty text: older clients would show it. A banner that ends is gone at the next visit.
                if deed.text:
                    self._tell_all(deed.kind, deed.text)
                elif deed.kind is DeedKind.READ_ONLY:
                    self._tell_all("writable", str(_WRITABLE))
            elif deed.kind is DeedKind.HANDLED:
                for peer in self._people.peers_of(deed.person):
                    self._do(self.tell_answers(peer))
            elif deed.kind is DeedKind.MUTE and state.mute_of(deed.person) is deed:
                for peer in self._people.peers_of(deed.person):
                    peer.tell(Notice("muted", muted(deed).text))

    async def report(self, peer: Peer, person: str, match: str, message: Report) -> Refusal | None:
        """Store a peer's report of a person, or return why it is refused. Raises StoreError."""
        # One after the other: a report counts only when it is stored, and a crowd would pass the limits together.
        async with self._reporting:
            return await self._report(peer, person, match, message)

    async def _report(self, peer: Peer, person: str, match: str, message: Report) -> Refusal | None:
        state, yesterday = self._services.moderation, self._services.date() - DAY
        if not peer.person:
            return NOT_INTRODUCED
        own = state.reports(peer.person)
        if any(state.is_open(each) and (each.person or each.name) == (person or message.name) for each in own):
            return _REPORTED
        if sum(each.at > yesterday for each in own) >= REPORTS_A_DAY:
            return _ENOUGH_REPORTS
        reporter = self._people.record(peer.person)
        limit = OPEN_REPORTS if reporter is not None and reporter.is_member else GUESTS_REPORTS
        if sum(map(state.is_open, state.reports())) >= limit:
            return _MANY_OPEN
        if not peer.trusted and not self._reported.take(peer.address):
            return _ENOUGH_REPORTS
        about = {"person": person, "name": message.name, "by": peer.person, "match": match}
        await self.add(DeedKind.REPORT, text=message.words, version=message.version, why=message.why, **about)
        return None

    async def handle(self, report: DeedRecord, answer: str) -> None:
        """Close a report, and tell its reporter. Raises StoreError."""
        await self.add(DeedKind.HANDLED, person=report.by, text=answer, report=report.deed)

    async def tell_answers(self, peer: Peer) -> None:
        """Tell a recognised peer which of its reports were handled. Raises StoreError."""
        for deed in self._services.moderation.answers(peer.person):
            name = self._services.moderation.reported(deed, "name")
            words = (
                _("The operator looked at your report about {name}: {answer}.", name=name, answer=deed.text)
                if deed.text
                else _("The operator looked at your report about {name}.", name=name)
            )
            peer.tell(Notice("report", str(words)))
            told = structs.replace(deed, until=self._services.date())
            self._services.moderation.learn((told,))
            await self._services.store.keep_deed(told)
            self._remote_tables.tell_deed(told)

    def _drop(self, ban: DeedRecord) -> None:
        """Tell the connected clients of a banned person why, and close their connections."""
        seated = [
            task.table.audience.player(seat)
            for task in self._tasks()
            for seat, chair in enumerate(task.table.seating.chairs)
            if chair.record.person == ban.person
        ]
        # A set, since most are found both ways; a client that came by a token alone is found by its seat.
        for peer in {*self._people.peers_of(ban.person), *filter(None, seated)}:
            peer.refuse(0, banned(ban))
            peer.link.end(Close.BANNED)

    async def _note_network(self, ban: DeedRecord) -> None:
        """Note from which network a banned person came to this node. It is forgotten after a while. Raises
        StoreError."""
        network = self._people.network_of(ban.person)
        if network and not self._services.moderation.is_noted(network):
            until = min(ban.until or float("inf"), self._services.date() + NETWORK)
            about: dict[str, Any] = {"person": ban.person, "name": ban.name, "until": until, "network": network}
            await self.add(DeedKind.NETWORK, **about)
            self._services.clock.call_later(NETWORK, lambda: self._do(self._blank_networks()))

    async def _blank_networks(self) -> None:
        """Delete the networks whose time is over from the list. Raises StoreError."""
        for deed in self._services.moderation.deeds:
            if deed.network and deed.until <= self._services.date():
                blank = structs.replace(deed, network="")
                await self._services.store.keep_deed(blank)
                self._services.moderation.learn((blank,))

    def _do(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(self._quietly(work))
        self._work.add(task)
        task.add_done_callback(self._work.discard)

    async def _quietly(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except StoreError as error:
            log.warning("deed-not-kept", error=str(error))
