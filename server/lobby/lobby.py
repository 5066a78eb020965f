"""Directory of this server's tables: creating, listing, finding, and waking them after a restart."""

import asyncio
import contextlib
import math
import secrets
from collections.abc import AsyncIterator, Mapping, Sequence
from functools import partial
from typing import Final

from protocol.description import description
from protocol.limits import Close
from protocol.session import reference
from protocol.text import clean
from server import log, metrics
from server.addresses import crowds
from server.archive.archive_requests import Archive, FinishedLists, Known
from server.archive.retention import CHAT, Retention
from server.delivery.outgoing import outgoing
from server.delivery.peer import Peer, TablePort
from server.lobby.blocks import BlockLists
from server.lobby.deeds import READ_ONLY, Deeds
from server.lobby.lesson_tables import SEAT, beginning, entries, lesson_record
from server.lobby.member_requests import MemberRequests
from server.lobby.notice_requests import NoticeRequests
from server.lobby.personal_data import PersonalData
from server.lobby.profiles import Profiles, too_often
from server.lobby.rated_matches import PeopleRatings, RatedMatches
from server.lobby.remote_tables import NoRemoteTables, RemoteTables
from server.lobby.seat_status import SeatStatus
from server.lobby.seeks import Seeks
from server.lobby.table_list import TableList
from server.lobby.wakeups import Wakeups
from server.matches.codes import LONG, SEAT_CODE_HOURS, SHORT, SeatCodes, new_code
from server.matches.dice import ID_BYTES
from server.matches.erasure import note_participant
from server.matches.hand_sharing import NO_CODE
from server.matches.names import keys, numbered
from server.matches.people_rating import MEMBERS_ONLY
from server.matches.seating import SeatHolder
from server.matches.table import Services, Table, opens
from server.matches.task import NOT_HERE, MatchTask
from server.rate_limits import Budget, Pauses, Rate
from server.storage.erased import ErasedPeople
from server.storage.port import (
    FIRST_EPOCH,
    ChairRecord,
    Damaged,
    DeedKind,
    OwnedElsewhere,
    StoreError,
    TableRecord,
    Taken,
)
from shared import messages as m
from shared.clocks import playable
from shared.codes import plain_code
from shared.history import GENESIS
from shared.kernel import engine
from shared.kernel.ruleset import AnyRuleset, UnknownRules, rules_of
from shared.language.sentence import _
from shared.refusal import Refusal, sentence_of
from shared.tables import MAX_TITLE, NO_SEAT, TablePhase

MAX_TABLES: Final = 2000
"""Limit of tables in memory."""
GATHERING_EACH: Final = 5
"""Limit of one address's tables whose match has not begun."""
UNFINISHED_EACH: Final = 100
"""Limit of one address's unfinished matches, unless the operator sets another."""
CREATED: Final = Rate(0.2, 10.0)
"""Rate at which one address may create tables."""
OPERATOR: Final = "operator"
"""Code of notices by the operator."""
TOGETHER: Final = 100
"""Tables with people that are released by one commit at shutdown. With more, the first would be free too late."""
HALTED: Final = 0.5
"""Seconds within which a table must finish the running action at shutdown."""
SICK: Final = 600.0
"""Seconds for which a match that could not be woken is not tried again."""

_NO_LESSON: Final = Refusal("no-lesson", "", "There is no such lesson here.")
_BUSY: Final = Refusal("busy", "", "You are at a table already; leave it first.")
_NO_MATCH: Final = Refusal("no-match", "", "There is no such table, or it needs its code.")
_WRONG_CODE: Final = Refusal("no-match", "", "That code opens no table here; please ask the host for the right one.")
_NO_LADDER: Final = Refusal("no-ladder", "", "There are no rated matches on this server.")
_NO_RATINGS: Final = Refusal("no-ratings", "", "There are no rated tables on this server.")
_HOST_SITS: Final = Refusal("no-ratings", "", "The host of a rated table must sit at it.")
_FULL: Final = Refusal("full", "", "The server has too many tables; try again later.")
_CLOSED: Final = Refusal("full", "", "The server takes no new tables for a while.")
_NEW: Final = (
    m.Create, m.Join, m.Start, m.Rematch, m.Say, m.Rename, m.HandOver, m.Hook, m.Subscribe, m.Notify, m.Compete, m.Seek,
    m.Block, m.Member,
)  # fmt: skip
"""Requests that are refused while the server is read-only."""
_ENOUGH: Final = Refusal(
    "enough",
    "",
    _(
        "{number} tables of yours are waiting for players already; start or leave one of them first.",
        number=GATHERING_EACH,
    ),
)
_UNFINISHED: Final = Refusal(
    "enough", "", "Too many matches from your address are unfinished; please end one of them first."
)
_NO_PACE: Final = Refusal("bad-pace", "", "A clock must give some seconds for each decision.")
_TOO_FAST: Final = Refusal("rate", "", "You make tables too fast; try again in a minute.")
_SICK: Final = Refusal("not-playable", "", "This match cannot go on here at the moment; the operator has been told.")


class OtherRules(StoreError):
    """Match whose rule set, or its version, this server does not have; the text is for players."""


def _need(task: MatchTask) -> tuple[bool, bool, bool, float]:
    """Return the sort key of tables to release.

    First come those with people, with players, in play, and with the latest decision.
    """
    table, standing = task.table, task.standing
    playing = table.record.phase == TablePhase.PLAYING
    latest = standing.since if standing is not None else math.inf
    people, onlookers = len(table.audience.peers), table.audience.watchers
    # `sorted` puts False first, so each part is true for the tables that can wait.
    return not people, people == onlookers, not playing, -latest


async def _halted(tasks: Sequence[MatchTask]) -> list[MatchTask]:
    """Halt tables and return those that finished their running action in time."""
    halting = {asyncio.create_task(task.halt()): task for task in tasks}
    if not halting:
        return []
    halted, late = await asyncio.wait(halting, timeout=HALTED)
    for each in late:
        log.warning("not-halted", match=halting[each].match)
    return [halting[each] for each in halted if each.exception() is None]


def _code(listed: bool) -> str:
    """Return a new code; codes of unlisted tables are longer and so harder to guess."""
    return new_code(SHORT if listed else LONG)


class Lobby:
    """Directory of tables. One per server.

    `keep_finished`: days for which finished matches are kept; `keep_chat`: those for which their chat is kept.
    """

    def __init__(
        self,
        services: Services,
        rulesets: Mapping[str, AnyRuleset],
        keep_finished: float = math.inf,
        remote_tables: RemoteTables | None = None,
        unfinished: int = UNFINISHED_EACH,
        erased: ErasedPeople | None = None,
        keep_chat: float = CHAT,
    ) -> None:
        remote_tables = remote_tables or NoRemoteTables()
        self.rulesets = rulesets
        self.moderation = services.moderation
        self._remote_tables = remote_tables
        self._services = services
        self._tasks: dict[str, MatchTask] = {}
        self._waking: dict[str, asyncio.Task[MatchTask | str | None]] = {}
        self._sick: dict[str, tuple[float, Refusal]] = {}
        """By match that could not be woken, the time until which it is not tried again, and why."""
        self._hosts: dict[str, str] = {}
        self._begun: dict[str, str] = {}
        """By unfinished match that was begun here, awake or not, the address that created the table."""
        self._unfinished = unfinished
        self._making: dict[bytes, asyncio.Event] = {}
        """By key, tables that are being created: at most one for each connection."""
        self._created = Budget(CREATED, services.clock.now)
        self._guessed = Pauses(services.clock.now)
        self.people = Profiles(services, self._guessed, remote_tables)
        self.people.on_ended = self._end_devices
        self.operator = Deeds(services, self.people, self._tasks.values, remote_tables, self.notify)
        self.blocks = BlockLists(self.people, services.clock, services.moderation)
        self.notices = NoticeRequests(services, self.people, self._guessed)
        self.seeks = Seeks(services, self, self.people, rulesets, remote_tables, self.blocks.may_meet)
        self._ledger = SeatStatus(services, self._tasks.get, self.find, remote_tables)
        self.board = TableList(services.bus, services.clock, rulesets, remote_tables)
        self._forgetting = Retention(
            services.store,
            services.clock,
            services.date,
            keep_finished,
            self.knows,
            self._forgot,
            keep_chat,
            self.people.forget_unconfirmed,
        )
        self._listing = FinishedLists(services.store, services.clock, services.devices)
        self._archive = Archive(services.store, services.clock, self, services.make, services.devices)
        self._timekeeper = Wakeups(services, self.wake)
        self.personal_data = PersonalData(services, self.people, self, remote_tables, erased or ErasedPeople())
        self.members = MemberRequests(services, self.people, self.notices, self.personal_data, self._guessed)
        self.people.on_erased = self.personal_data.learn
        self.seat_codes = SeatCodes(services.clock.now)
        self.ladder: RatedMatches | None = None
        """The ladder, if the operator wishes one; set before `begin`."""
        self.people_ratings: PeopleRatings | None = None
        """Ratings of people; None without the library of ratings."""
        self.closed = False
        """Whether no client may create a table now."""
        self._ends = False

    @property
    def tables(self) -> int:
        """Number of tables in memory."""
        return len(self._tasks)

    @property
    def tasks(self) -> tuple[MatchTask, ...]:
        """Tasks of the tables in memory."""
        return tuple(self._tasks.values())

    def code_for_seat(self, match: str, seat: int) -> tuple[str, int]:
        """Return a code that gives a seat to the next client that joins with it, and the hours of its validity."""
        code = self.seat_codes.make(match, seat)
        self._remote_tables.tell_seat_code(code, match, seat)
        return code, SEAT_CODE_HOURS

    async def know_people(self) -> None:
        """Load the profiles and the operator's deeds. Raises StoreError."""
        await self.operator.load()
        await self.people.load()

    async def hear(self, peer: Peer, message: m.ClientMessage) -> None:
        """Handle a message of a greeted client; never raises because of its content."""
        try:
            await self._route(peer, message)
        except StoreError as error:
            peer.refuse(reference(message), Refusal("storage", "", str(error)))
        except Exception:
            log.failure("failed", kind=type(message).__name__)
            text = "The server failed to do that; nothing changed."
            peer.refuse(reference(message), Refusal("server-error", "", text))

    def knows(self, match: str) -> bool:
        """Whether that table is in memory or being loaded."""
        return match in self._tasks or match in self._waking

    def gone(self, peer: Peer) -> None:
        """Handle the end of a client's connection."""
        self.board.close(peer)
        self.seeks.gone(peer)
        self._archive.gone(peer)
        if self.ladder is not None:
            self.ladder.gone(peer)
        if peer.table is not None:
            peer.table.gone(peer)

    def notify(self, code: str, text: str) -> None:
        """Send a notice to all clients of this node that are at a table or look at the list, once to each."""
        self.board.tell(outgoing(m.Notice(code, text)))
        seated = (peer for task in self._tasks.values() for peer in task.table.audience.peers if not peer.is_remote)
        # A set: a client that joins at another node may be counted there and here for a moment.
        for peer in {*seated, *self._remote_tables.guests}:
            if not self.board.is_open(peer):
                peer.tell(m.Notice(code, text))

    def speak(self, text: str, match: str) -> int | None:
        """Send an operator's notice to the peers at a match that runs here, or ("") to all.

        Return the number of the match's peers, or of tables; None if the match does not run here.
        """
        if not match:
            self.notify(OPERATOR, text)
            return self.tables
        task = self._tasks.get(match)
        if task is None:
            return None
        task.table.audience.tell(m.Notice(OPERATOR, text))
        return len(task.table.audience.peers)

    async def begin(self) -> None:
        """Start timekeeping and the deletion of old matches. Raises StoreError."""
        if self.ladder is not None:
            await self.ladder.begin()
        await self.personal_data.begin()
        await self._timekeeper.begin()
        self._forgetting.begin()
        self.seeks.begin()

    async def stop(self) -> None:
        """End all tables' tasks; everything that was acknowledged is stored."""
        if self.ladder is not None:
            self.ladder.stop()
        self.personal_data.stop()
        self.seeks.stop()
        await self.let_go()
        await self._timekeeper.stop()
        await self._forgetting.stop()
        await self._archive.stop()
        if self._services.webhook_sender is not None:
            await self._services.webhook_sender.close()
        if self._services.notifier is not None:
            await self._services.notifier.close()

    async def let_go(self) -> None:
        """Release all tables so that other servers can run them: those with people first, the others in one commit."""
        self._ends = True
        tasks = sorted(self.tasks, key=_need)
        busy = [task for task in tasks if task.table.audience.peers]
        for first in range(0, len(busy), TOGETHER):
            await self._release(busy[first : first + TOGETHER])
        await self._release(tasks[len(busy) :])

    async def _release(self, tasks: Sequence[MatchTask]) -> None:
        """Release tables in one commit; a table that does not halt in time delays no other."""
        if not tasks:
            return
        at_work = [task for task in tasks if not task.halt_at_once()]
        late = set(at_work).difference(await _halted(at_work))
        done = [task for task in tasks if task not in late]
        try:
            await self._services.store.release_all([(task.table.record, task.table.epoch) for task in done])
        except StoreError as error:
            log.warning("not-released", tables=len(done), error=str(error))
        for task in tasks:
            self._tasks.pop(task.match, None)
            task.leave()

    async def _route(self, peer: Peer, message: m.ClientMessage) -> None:
        match message:
            # In front of all others, so a new kind of request need only be added to that list.
            case _ if isinstance(message, _NEW) and self.moderation.text_of(DeedKind.READ_ONLY):
                peer.refuse(reference(message), READ_ONLY)
            case m.OpenLobby():
                self.board.show(peer, message)
                self.seeks.show(peer, message.on)
            case m.Seek():
                await self.seeks.hear(peer, message)
            case m.Confirm():
                await self.seeks.confirm(peer, message)
            case m.Introduce():
                # A seat that the peer has already is attached to the profile.
                if await self.people.introduce(peer, message):
                    await self.operator.tell_answers(peer)
                    if peer.table is not None:
                        await peer.table.hear(peer, message)
            case m.Block() if peer.table is None:
                await self.blocks.hear(peer, message)
            case m.HandOver():
                await self.people.hand_over(peer, message)
            case m.Devices():
                await self.people.show_devices(peer, message)
            case m.Subscribe():
                await self.people.subscribe(peer, message)
            case m.Member():
                if await self.members.hear(peer, message) and peer.table is not None:
                    await peer.table.hear(peer, m.Introduce(message.ref, bytes(32)))
            case m.OwnData():
                await self.members.export(peer, message)
            case m.EraseMe():
                await self.members.erase(peer, message)
            case m.Notify():
                await self.notices.hear(peer, message)
            case m.Compete():
                await self._compete(peer, message)
            case m.Mine():
                await self._ledger.tell(peer, message)
            case m.Describe():
                self._describe(peer, message)
            case m.Create():
                await self._create(peer, message)
            case m.Join() | m.Watch() | m.Resume():
                await self._enter(peer, message)
            case m.ReadHand():
                await self._read_hand(peer, message)
            case m.Recall():
                self._archive.hear(peer, message)
            case m.Past():
                await self._listing.tell(peer, message)
            case m.Ping():
                peer.tell(m.Pong(message.ref, round(self._services.date() * 1000)))
            case _ if peer.table is not None:
                await peer.table.hear(peer, message)
            case _:
                peer.refuse(reference(message), NOT_HERE)

    async def _compete(self, peer: Peer, message: m.Compete) -> None:
        """Handle `Compete`."""
        if self.ladder is None:
            return peer.refuse(message.ref, _NO_LADDER)
        if peer.table is not None:
            return peer.refuse(message.ref, _BUSY)
        return await self.ladder.hear(peer, message)

    def _end_devices(self, secrets: set[bytes]) -> None:
        """Close connections that came to a seat by a token of an ended device alone."""
        for task in self._tasks.values():
            for seat, chair in enumerate(task.table.seating.chairs):
                peer = task.table.audience.player(seat) if chair.record.device in secrets else None
                if peer is not None:
                    peer.link.end(Close.ENDED)

    def _describe(self, peer: Peer, message: m.Describe) -> None:
        rules = self.rulesets.get(message.ruleset)
        if rules is None:
            return peer.refuse(message.ref, self._other_games())
        return peer.tell(description(rules, message.ref))

    def _other_games(self) -> Refusal:
        return Refusal("no-ruleset", "", _("This server plays {games}.", games=", ".join(self.rulesets)))

    async def _create(self, peer: Peer, message: m.Create) -> None:
        """Handle `Create`.

        A table whose host has no seat ends when they leave. There is nothing to return to, so its key is ignored.
        """
        if not message.key or message.seat == NO_SEAT:
            return await self._make(peer, message)
        async with self._alone(message.key):
            if not await self._made_before(peer, message):
                await self._make(peer, message)
        return None

    async def _make(self, peer: Peer, message: m.Create) -> None:
        if peer.table is not None:
            return peer.refuse(message.ref, _BUSY)
        refusal = self._no_guest(peer) or self._no_more_for(peer)
        if refusal is not None:
            return peer.refuse(message.ref, refusal)
        if message.lesson:
            return await self._make_lesson(peer, message)
        if message.rated and (self.people_ratings is None or message.seat == NO_SEAT):
            return peer.refuse(message.ref, _NO_RATINGS if self.people_ratings is None else _HOST_SITS)
        if message.rated and not self._services.names.has(peer.person):
            return peer.refuse(message.ref, MEMBERS_ONLY)
        rules = self.rulesets.get(message.ruleset)
        if rules is None:
            return peer.refuse(message.ref, self._other_games())
        if message.seat >= message.seats:
            return peer.refuse(message.ref, Refusal("no-seat", "", "There is no such seat at this table."))
        if message.pace is not None and not playable(message.pace):
            return peer.refuse(message.ref, _NO_PACE)
        try:
            options = engine.checked_options(rules, message.seats, message.options)
        except ValueError as error:
            return peer.refuse(message.ref, Refusal("bad-options", "", sentence_of(error)))
        record = self._record(peer, message, rules, options)
        task = await self._open(peer.address, record, message.key if message.seat != NO_SEAT else b"")
        await task.found(peer, message)
        return None

    async def _make_lesson(self, peer: Peer, message: m.Create) -> None:
        """Store a match up to the beginning of a lesson; its player comes by `Resume`. Raises StoreError."""
        found, store = beginning(message.lesson), self._services.store
        if found is None or found.ruleset not in self.rulesets:
            return peer.refuse(message.ref, _NO_LESSON)
        match = secrets.token_hex(ID_BYTES)  # Of a seed's ids a second server would have the same.
        record = lesson_record(
            match, found.ruleset, found.version, found.seats, found.options, peer.name, message.lesson
        )
        record.unplayed, record.started = True, int(self._services.date())
        with contextlib.suppress(ValueError):
            record.title = clean(message.title, MAX_TITLE)
        record.chairs[SEAT].person = peer.person
        note_participant(record, peer.person, peer.name)
        token = SeatHolder(record.chairs[SEAT]).offer_token()
        await store.create(record)
        await store.append(match, FIRST_EPOCH, GENESIS, entries(found.log), None)
        await store.release(record, FIRST_EPOCH)
        self._begun[match] = peer.address
        return peer.tell(m.Seated(message.ref, match, SEAT, token))

    async def _made_before(self, peer: Peer, message: m.Create) -> bool:
        """Whether the request is a repetition, by its key; then the peer gets the seat that it has already."""
        match = self._services.dice.match_of(message.key)
        table = peer.table or await self._reach(match)
        if table is None:
            return False
        if peer.table is None:
            peer.table = table
        await table.hear(peer, m.Join(message.ref, match, key=message.key))
        return True

    @contextlib.asynccontextmanager
    async def _alone(self, key: bytes) -> AsyncIterator[None]:
        """Context that lets requests with the same key run one after the other."""
        # A loop: of several that wait, one goes on and takes the key again before the others wake.
        while key in self._making:
            await self._making[key].wait()
        self._making[key] = asyncio.Event()
        try:
            yield
        finally:
            self._making.pop(key).set()

    async def renew(self, peer: Peer, record: TableRecord) -> Refusal | None:
        """Open the table of a rematch; see `Founder`."""
        refusal = self._no_more_for(peer)
        if refusal is not None:
            return refusal
        rules = self.rulesets[record.ruleset]
        # A new table has the newest rules, whatever the rules of the previous one were.
        record.version = rules.version
        record.options = engine.checked_options(rules, len(record.chairs), record.options)
        record.code = _code(record.open)
        task = await self._open(peer.address, record)
        task.expect()
        self._changed(record.match)
        return None

    async def report(self, peer: Peer, person: str, match: str, message: m.Report) -> Refusal | None:
        """Store a report; see `Founder`."""
        return await self.operator.report(peer, person, match, message)

    async def block(self, peer: Peer, person: str, message: m.Block) -> Refusal | None:
        """Store a wish about a person; see `Founder`."""
        return await self.blocks.block(peer, person, message)

    def tell_blocks(self, peer: Peer, ref: int, here: tuple[str, ...]) -> None:
        """Tell a peer its list; see `Founder`."""
        self.blocks.tell(peer, ref, here)

    def gathers(self, match: str) -> bool:
        """Whether that table is here and has not begun; see `Founder`."""
        task = self._tasks.get(match)
        return task is not None and task.table.record.phase == TablePhase.GATHERING

    def known(self, match: str) -> Known | None:
        """Return a match in memory; see `Directory`."""
        task = self._tasks.get(match)
        if task is None:
            return None
        return Known(task.table.record, task.table.match.version if task.table.match is not None else 0)

    def seat_at(self, match: str, peer: Peer) -> int | None:
        """Return a peer's seat at a match; see `Directory`."""
        task = self._tasks.get(match)
        if task is None:
            return self._remote_tables.seat_at(match, peer)
        return peer.seat if peer in task.table.audience else None

    async def may_watch(self, table: TableRecord, peer: Peer, code: str) -> Refusal | None:
        """Return why a code does not open a table; see `Directory`. A wrong code delays the next one."""
        guess = plain_code(code)
        refusal = self._no_guess_by(peer, guess)
        if refusal is None and not opens(table, guess):
            self._note_guess(peer, guess)
            refusal = _WRONG_CODE if guess else _NO_MATCH
        return refusal or await self._closed_to(table.match, peer, guess)

    async def _closed_to(self, match: str, peer: Peer, code: str) -> Refusal | None:
        task = self._tasks.get(match)
        if task is not None or not self._remote_tables.has_others:
            return task.closed_to(peer, code) if task is not None else None
        glance = await self._services.store.look(match)
        there = (
            await self._remote_tables.look(match, glance.owner, peer, code)
            if glance is not None and glance.owner
            else None
        )
        return None if there is None else there.refusal

    async def open_rated(self, record: TableRecord) -> str:
        """Open the table of a rated match, which begins at once; return its id. Raises StoreError."""
        record.code = _code(record.open)
        task = await self._open("", record)
        task.begin_rated()
        return task.match

    async def open_sought(self, record: TableRecord, key: bytes) -> str:
        """Open the table of people who found each other, unless it is open already; return its id.

        Raises StoreError.
        """
        match = self._services.dice.match_of(key)
        if self.knows(match) or await self._services.store.look(match) is not None:
            return match
        record.code = _code(record.open)
        task = await self._open("", record, key)
        task.expect_sought()
        self._changed(task.match)
        return task.match

    def pause_match_of(self, peer: Peer) -> None:
        """Pause the match in which a peer plays with bots alone."""
        if peer.table is not None:
            peer.table.pause_alone(peer)

    def rate(self, record: TableRecord) -> None:
        """Count a rated match that is over; see `Founder`. Without a ladder it is counted when there is one again."""
        if self.ladder is not None:
            self.ladder.rate(record)

    def rate_people(self, record: TableRecord) -> None:
        """Change the ratings of the people of a rated table; see `Founder`."""
        if self.people_ratings is not None:
            self.people_ratings.rate(record)

    def forget_films(self) -> None:
        """Drop all films and records in memory."""
        self._archive.forget_all()

    def count(self, record: TableRecord, unfinished: set[int]) -> None:
        """Count a match that is over for the reliability of its people; see `Founder`."""
        self.seeks.count_match({seat: chair.person for seat, chair in enumerate(record.chairs)}, unfinished)

    async def forget(self, match: str) -> bool:
        """Delete a finished match; return False if it is in use or damaged."""
        return await self._forgetting.forget(match)

    async def _open(self, address: str, record: TableRecord, key: bytes = b"") -> MatchTask:
        """Open a new table, with a new id, on behalf of an address ("": the server). Raises StoreError."""
        dice = self._services.dice
        record.match = dice.match_of(key) if key else dice.match()
        record.root = dice.root(record.match)
        self._tell_apart(record)
        # Before the write: simultaneous requests of one address must not pass its limit while they wait.
        self._hosts[record.match] = address
        try:
            await self._services.store.create(record)
        except Taken:
            # A server with a seed repeats its ids; its data has the match of an earlier run.
            del self._hosts[record.match]
            return await self._open(address, record)
        except StoreError:
            del self._hosts[record.match]
            raise
        task = self._task(record)
        self._tasks[record.match] = task
        task.start()
        log.info("created", match=record.match, ruleset=record.ruleset, seats=len(record.chairs))
        return task

    def _tell_apart(self, record: TableRecord) -> None:
        """Number equal names of people whose seats a new table holds, and remember who they are."""
        names, date, seated = self._services.names, self._services.date(), set[str]()
        for chair in record.chairs:
            if chair.person:
                note_participant(record, chair.person, chair.name)  # The title may have it.
                reserved = partial(names.has_other, person=chair.person, date=date)
                chair.name = numbered(chair.name, lambda looks: bool(looks & seated) or reserved(looks), 0)  # noqa: B023
                note_participant(record, chair.person, chair.name)
            seated |= keys(chair.name)

    def _task(self, record: TableRecord) -> MatchTask:
        rules = rules_of(self.rulesets, record.ruleset, record.version)
        table = Table(record, rules, self._services, lambda: self._changed(record.match))
        return MatchTask(table, self._forget, self)

    def _no_more_for(self, peer: Peer) -> Refusal | None:
        """Return why an address may not create a table now, None if it may.

        Limits are per address, so that no address can use up the tables of others.
        """
        if self.closed:
            return _CLOSED
        if len(self._tasks) >= MAX_TABLES:
            return _FULL
        if peer.trusted:
            return None
        if crowds(peer.address, self._hosts.values(), GATHERING_EACH):
            return _ENOUGH
        if crowds(peer.address, self._begun.values(), self._unfinished):
            return _UNFINISHED
        return None if self._created.take(peer.address) else _TOO_FAST

    def _record(self, peer: Peer, message: m.Create, rules: AnyRuleset, options: dict[str, int]) -> TableRecord:
        try:
            title = clean(message.title, MAX_TITLE)
        except ValueError:
            title = f"{peer.name}'s table"
        return TableRecord(
            match="",
            ruleset=rules.id,
            version=rules.version,
            options=options,
            title=title,
            open=message.open,
            code=_code(message.open),
            think=message.think,
            takeover=message.takeover,
            chairs=[ChairRecord() for _ in range(message.seats)],
            advice=message.advice and not message.rated,
            closed_hands=message.closed_hands,
            pace=message.pace,
            forward_only=message.forward_only or bool(message.rated),
            unanimous=message.unanimous,
            away=message.away,
            people_rated=message.rated,
        )

    async def _enter(self, peer: Peer, message: m.Join | m.Watch | m.Resume) -> None:
        if peer.table is not None and isinstance(message, m.Join) and message.key:
            return await peer.table.hear(peer, message)
        if peer.table is not None:
            return peer.refuse(message.ref, _BUSY)
        guess = "" if isinstance(message, m.Resume) else plain_code(message.code)
        refusal = self._no_guess_by(peer, guess) or (None if isinstance(message, m.Resume) else self._no_guest(peer))
        if refusal is not None:
            return peer.refuse(message.ref, refusal)
        if isinstance(message, m.Join) and not message.match:
            message = await self._with_seat_code(message, guess)
        if isinstance(message, m.Resume):
            await self.people.recognise(peer, message.token)
        match = message.match or await self._match_of(guess)
        table = await self._reach(match)
        if table is None or not (isinstance(message, m.Resume) or table.opens_to(guess)):
            self._note_guess(peer, guess)
            missing = _WRONG_CODE if guess else _NO_MATCH
            return peer.refuse(message.ref, self._sick[match][1] if match in self._sick else missing)
        if peer.table is not None:
            return peer.refuse(message.ref, _BUSY)
        peer.table = table
        await table.hear(peer, message)
        return None

    async def _with_seat_code(self, message: m.Join, code: str) -> m.Join | m.Resume:
        """Turn a join with a code for a seat into a return to that seat."""
        # Used up first: of two requests at the same time only one may get the seat.
        match, seat = self.seat_codes.take(code) or ("", 0)
        if not match:
            return message
        self._remote_tables.tell_seat_code(code, "", 0)
        found = await self.find(match)
        if found is None:
            return message
        key = await (self._remote_tables.key(match, found, seat) if isinstance(found, str) else found.new_key(seat))
        return m.Resume(message.ref, match, key)

    async def _read_hand(self, peer: Peer, message: m.ReadHand) -> None:
        """Let a peer read a hand, by the hand's code or by its token."""
        guess = plain_code(message.code)
        refusal = _BUSY if peer.table is not None else self._no_guess_by(peer, guess)
        if refusal is not None:
            return peer.refuse(message.ref, refusal)
        table = await (self._with_hand(guess) if guess else self._reach(message.match))
        if table is None:
            self._note_guess(peer, guess)
            return peer.refuse(message.ref, NO_CODE if guess else _NO_MATCH)
        if peer.table is not None:
            return peer.refuse(message.ref, _BUSY)
        peer.table = table
        return await table.hear(peer, message)

    async def _with_hand(self, code: str) -> TablePort | None:
        """Return the table whose hand that code opens. Raises StoreError."""
        here = self.hand_at(code)
        return here if here is not None else await self._remote_tables.with_hand(code)

    def hand_at(self, code: str) -> MatchTask | None:
        """Return the table of this node whose hand that code opens."""
        return next((task for task in self._tasks.values() if task.hand_opens_to(code)), None)

    async def _reach(self, match: str) -> TablePort | None:
        """Return a table on whichever node it runs, None if there is none. Raises StoreError."""
        if not match or match in self._tasks:
            return self._tasks.get(match)
        there = self._remote_tables.at(match)
        if there is not None:
            return there
        found = await self.find(match)
        if not isinstance(found, str):
            return found
        glance = await self._services.store.look(match)
        return None if glance is None else self._remote_tables.table(glance.table, found)

    def _no_guest(self, peer: Peer) -> Refusal | None:
        """Return why a peer without a profile may not enter, None if it may."""
        return None if peer.person else self._services.moderation.no_guest_from(peer.address, peer.trusted)

    def _no_guess_by(self, peer: Peer, guess: str) -> Refusal | None:
        pause = self._guessed.left(peer.address) if guess else 0.0
        return too_often(pause) if pause else None

    def _note_guess(self, peer: Peer, guess: str) -> None:
        """Note a wrong code, which delays the address's next one."""
        if guess and not peer.trusted:
            self._guessed.erred(peer.address)

    async def _match_of(self, code: str) -> str:
        for match, task in self._tasks.items():
            if code and task.table.record.code == code:
                return match
        return await self._services.store.by_code(code) or "" if code else ""

    async def wake(self, match: str) -> MatchTask | None:
        """Load a table from the store.

        None if it is unknown, damaged, of other rules, or run by another node, and if the store fails.
        """
        try:
            found = await self.find(match)
        except StoreError:
            return None
        return None if isinstance(found, str) else found

    def task(self, match: str) -> MatchTask | None:
        """Return the task of a table that runs here."""
        return self._tasks.get(match)

    async def find(self, match: str) -> MatchTask | str | None:
        """Return the task of a table, which runs here from now on, or the name of the node that runs it.

        None if the table is unknown, damaged, or of rules that this server does not have. Raises StoreError if the
        store fails. Requests for a table that is being woken wait for the same task, and delay no others.
        """
        if match in self._tasks:
            return self._tasks[match]
        if match in self._sick and self._sick[match][0] > self._services.clock.now():
            return None
        if self._ends:
            raise StoreError("The server stops.")
        waking = self._waking.get(match)
        if waking is None:
            waking = self._waking[match] = asyncio.create_task(self._recover(match))
            waking.add_done_callback(lambda _: self._waking.pop(match))
        # Others wait for the same task: a client that hangs up must not cancel it for them.
        return await asyncio.shield(waking)

    async def _recover(self, match: str) -> MatchTask | str | None:
        entries, stored = 0, None
        try:
            stored = await self._services.store.claim(match, self._fit)
            if stored is None:
                return None
            # For the log line of a failure: the log itself is not kept until then.
            entries = len(stored.entries)
            task = self._task(stored.table)
            task.table.epoch, task.table.check, task.table.silent = stored.epoch, stored.check, stored.silent
            await task.recover(stored.entries)
        except OwnedElsewhere as error:
            if not error.owner:
                raise
            return error.owner
        except StoreError as error:
            metrics.RECOVERIES.labels("refused").inc()
            log.warning("not-recovered", match=match, error=str(error))
            # A store that failed may work again soon; only these two are lasting.
            if not isinstance(error, Damaged | OtherRules):
                raise
            other = isinstance(error, OtherRules)
            self._note_sick(match, Refusal("not-playable", "", sentence_of(error)) if other else _SICK)
            return None
        except Exception:
            metrics.RECOVERIES.labels("failed").inc()
            log.failure("not-recovered", match=match, entries=entries)
            self._note_sick(match, _SICK)
            # Another server may be able to run it.
            if stored is not None and self._services.store.shared:
                with contextlib.suppress(StoreError):
                    await self._services.store.release(stored.table, stored.epoch)
            return None
        self._sick.pop(match, None)
        # Only after `recover`: until then requests wait for the waking task and see no half-built table.
        self._tasks[match] = task
        self._timekeeper.wakes(match)
        task.start()
        task.wake()
        self._changed(match)
        metrics.RECOVERIES.labels("woken").inc()
        log.info("recovered", match=match, version=entries)
        return task

    def _fit(self, record: TableRecord) -> None:
        """Check that this server has the rules of a match. Raises OtherRules."""
        try:
            rules_of(self.rulesets, record.ruleset, record.version)
        except UnknownRules as error:
            raise OtherRules(sentence_of(error)) from None

    def _note_sick(self, match: str, why: Refusal) -> None:
        """Note a match that could not be woken. Another try costs as much as the first, so it comes later."""
        self._sick[match] = self._services.clock.now() + SICK, why

    def _forget(self, task: MatchTask) -> None:
        """Forget a table that is deserted, asleep, or run by another server."""
        del self._tasks[task.match]
        self._timekeeper.sleeps(task.match, task.due)
        self._hosts.pop(task.match, None)
        self.board.take(task.match)

    def _forgot(self, match: str) -> None:
        """Note that a match was deleted."""
        self._begun.pop(match, None)

    def _changed(self, match: str) -> None:
        """Update the list and the counts of an address's tables after a table has changed."""
        task = self._tasks.get(match)
        if task is None:
            return
        if task.table.record.phase != TablePhase.GATHERING:
            host = self._hosts.pop(match, "")
            if host:
                self._begun[match] = host
        if task.table.record.phase == TablePhase.PLAYING:
            people = [chair.person for chair in task.table.record.chairs if chair.person]
            if len(people) > 1:
                self.seeks.withdraw(people, match)
        if task.table.record.phase == TablePhase.OVER:
            self._begun.pop(match, None)
        if task.table.record.open:
            self.board.put(task.table.info)
