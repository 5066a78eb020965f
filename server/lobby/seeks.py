"""People who wait for tables by their wishes: the list of them, the muster of a full table, and its beginning.

All that must outlast a node stands in the profiles, which every node of a cluster has. One node, the first by name,
puts people together; if it dies, the next one goes on.
"""

import asyncio
import contextlib
import math
from collections.abc import Collection, Coroutine, Iterable, Mapping
from typing import Any, Final, Protocol

from msgspec import structs

from protocol import codec
from server import log
from server.addresses import crowds
from server.clock import Timer
from server.delivery.outgoing import Outgoing, outgoing
from server.delivery.peer import Peer
from server.lobby.profiles import NOT_INTRODUCED, Profiles
from server.lobby.remote_tables import RemoteTables
from server.lobby.seek_matching import Gathering, Line, MayMeet, Seek, counted, gather, lines, percent
from server.matches.codes import new_id
from server.matches.table import STAND_IN_KIND, Services
from server.rate_limits import Budget, Pauses, Rate
from server.storage.port import (
    ChairRecord,
    MusterRecord,
    PersonRecord,
    SeekingRecord,
    SeekRecord,
    StoreError,
    TableRecord,
)
from shared import messages as m
from shared.clocks import playable
from shared.kernel import engine
from shared.kernel.ruleset import AnyRuleset
from shared.language.sentence import _
from shared.levels import by_post
from shared.refusal import Refusal, sentence_of
from shared.tables import MAX_TITLE, SEEKS, Away, Pace, shortened

CHANNEL: Final = "seeks"
"""Channel of the list of people who wait."""
LOOK: Final = 1.0
"""Seconds between two looks at the people who wait."""
SEEN: Final = 60.0
"""Seconds between two notes that a person is still connected."""
STALE: Final = 150.0
"""Seconds without such a note after which a person no longer waits for a live table."""
GRACE: Final = 30.0
"""Seconds for which a person who lost the connection still waits for a live table."""
STALE_BY_POST: Final = 14 * 86400.0
"""The same for a table by post."""
LIVE_MUSTER: Final = 30.0
"""Seconds in which people must confirm a live table."""
POST_MUSTER: Final = 86400.0
LATE: Final = 1.0
"""Seconds for which a confirmation may be on its way."""
CONFIRMED: Final = 300.0
"""Seconds for which a confirmation counts, if the muster fails by others. By post: `STALE_BY_POST`."""
SHOWN: Final = 60.0
"""Seconds for which people are called to a match that has begun, if they come back meanwhile."""
LISTED: Final = 50
"""Tables in the list of people who wait."""
MOST: Final = 2000
"""Limit of people who wait."""
EACH: Final = 8
"""Limit of people who wait at one address."""
CHANGED: Final = Rate(0.2, 10.0)
"""Rate at which a person may change their wishes."""
MISSES: Final = (0, 30.0, 86400.0, 86400.0)
"""Pauses after a missed muster, as in `Pauses`: a minute for the first, each twice as long, and a day at most."""

_FULL: Final = Refusal("full", "", "Too many people wait for tables already; try again later.")
_ENOUGH: Final = Refusal("enough", "", "Enough people at your address wait for tables already.")
_TOO_FAST: Final = Refusal("rate", "", "You changed your wishes too often; try again in a minute.")
_CALLED: Final = Refusal("called", "", "A table is found for you; come to it, or withdraw first.")
_NO_MUSTER: Final = Refusal("no-muster", "", "That table is not complete any more; you wait as before.")
_NO_PACE: Final = Refusal("bad-pace", "", "A clock must give some seconds for each decision.")
_CLOSED: Final = Refusal("full", "", "The server takes no new tables for a while.")


class Opener(Protocol):
    """Lobby as the seeks use it."""

    closed: bool

    async def open_sought(self, record: TableRecord, key: bytes) -> str:
        """Open the table of people who found each other, unless it is open already; return its id.

        Raises StoreError.
        """

    def pause_match_of(self, peer: Peer) -> None:
        """Pause the match in which a peer plays with bots alone."""


class Seeks:
    """All people who wait for tables. One per server."""

    def __init__(
        self,
        services: Services,
        opener: Opener,
        people: Profiles,
        rulesets: Mapping[str, AnyRuleset],
        remote_tables: RemoteTables,
        may_meet: MayMeet,
    ) -> None:
        self._services = services
        self._opener = opener
        self._people = people
        self._rulesets = rulesets
        self._remote_tables = remote_tables
        self._may_meet = may_meet
        self._date = services.date
        now = services.clock.now
        self._changed = Budget(CHANGED, now)
        self._missed = Pauses(now, *MISSES)
        self._addresses: dict[str, str] = {}
        """By person who waits, the address from which they asked, unless it is trusted."""
        self._timer: Timer | None = None
        self._work: set[asyncio.Task[None]] = set()
        self._busy = False
        self._list: list[Line] = []
        self._stopped = False
        people.on_changed = self._profile_changed
        people.on_recognised = self._recognised

    def begin(self) -> None:
        """Begin to put people together."""
        self._look_later()

    def stop(self) -> None:
        """Put no more people together; their wishes stay stored."""
        self._stopped = True
        if self._timer is not None:
            self._timer.cancel()
        for task in self._work:
            task.cancel()

    def show(self, peer: Peer, on: bool) -> None:
        """Send a peer the list, and its changes from now on; or (`on` false) no longer."""
        if on and SEEKS in peer.agreed:
            self._services.bus.subscribe(CHANNEL, peer.receiver)
            peer.tell(self._waiting())
        else:
            self._services.bus.unsubscribe(CHANNEL, peer.receiver)

    def gone(self, peer: Peer) -> None:
        """Handle the end of a connection: a person who waits for a live table soon waits no longer."""
        self._services.bus.unsubscribe(CHANNEL, peer.receiver)
        person = self._people.record(peer.person)
        if person is None or person.seeking is None or any(other is not peer for other in self._peers({peer.person})):
            return
        # As if the last note were so old that only the grace is left.
        self._do(self._change(person.person, seen=self._date() - STALE + GRACE))

    async def hear(self, peer: Peer, message: m.Seek) -> None:
        """Handle `Seek`. Raises StoreError."""
        person = self._people.record(peer.person)
        if person is None:
            return peer.refuse(message.ref, NOT_INTRODUCED)
        muster = person.seeking.muster if person.seeking is not None else None
        called = muster is not None and not muster.match
        refusal = (_CALLED if called else self._refusal(peer, message)) if message.wishes else None
        if refusal is not None:
            return peer.refuse(message.ref, refusal)
        # To withdraw from a table that was found counts as a miss.
        if called:
            await self._count_missed(person.person)
        now, before = self._date(), person.seeking or SeekingRecord((), 0.0)
        # A wish that stays keeps its waiting time.
        since = {seek.wish: seek.since for seek in before.seeks}
        seeks = tuple([SeekRecord(wish, since.get(wish, now)) for wish in dict.fromkeys(message.wishes)])
        self._addresses[person.person] = "" if peer.trusted else peer.address
        await self._keep(person.person, SeekingRecord(seeks, now, None, before.confirmed) if seeks else None)
        peer.tell(m.Seeking(message.ref, message.wishes))
        return self._look_soon()

    async def confirm(self, peer: Peer, message: m.Confirm) -> None:
        """Handle `Confirm`. Raises StoreError."""
        person = self._people.record(peer.person)
        if person is None:
            return peer.refuse(message.ref, NOT_INTRODUCED)
        seeking = person.seeking
        if seeking is None or seeking.muster is None or seeking.muster.number != message.number:
            return peer.refuse(message.ref, _NO_MUSTER)
        now, post = self._date(), by_post(seeking.muster.pace or Pace())
        confirmed = now + (STALE_BY_POST if post else CONFIRMED)
        await self._change(person.person, seen=now, confirmed=confirmed)
        peer.tell(m.Done(message.ref))
        return self._look_soon()

    def withdraw(self, people: Iterable[str], match: str) -> None:
        """End the wishes of people whose match has begun."""
        for person in filter(None, map(self._people.record, people)):
            muster = person.seeking.muster if person.seeking is not None else None
            if person.seeking is not None and (muster is None or muster.match != match):
                self._do(self._end_wishes(person.person, "begun"))

    # Wishes

    def _refusal(self, peer: Peer, message: m.Seek) -> Refusal | None:
        """Return why a person may not wait for such tables, None if they may."""
        if self._opener.closed:
            return _CLOSED
        pause = max(self._missed.left(peer.person), 0.0 if peer.trusted else self._missed.left(peer.address))
        if pause:
            text = _(
                "You did not come to a table lately; you can look for one again in {time} s.", time=math.ceil(pause)
            )
            return Refusal("rate", "", text)
        if not self._changed.take(peer.person):
            return _TOO_FAST
        others = [person.person for person in self._people.seeking() if person.person != peer.person]
        if len(others) >= MOST:
            return _FULL
        addresses = [self._addresses.get(person, "") for person in others]
        if not peer.trusted and crowds(peer.address, addresses, EACH):
            return _ENOUGH
        return next(filter(None, map(self._unfit, message.wishes)), None)

    def _unfit(self, wish: m.TableWish) -> Refusal | None:
        if wish.pace is not None and not playable(wish.pace):
            return _NO_PACE
        for game in wish.games:
            rules = self._rulesets.get(game)
            if rules is None:
                return Refusal("no-ruleset", "", _("This server plays {games}.", games=", ".join(self._rulesets)))
            try:
                for seats in wish.seats:
                    engine.checked_options(rules, seats, {})
            except ValueError as error:
                return Refusal("bad-options", "", sentence_of(error))
        return None

    async def _keep(self, person: str, seeking: SeekingRecord | None) -> None:
        """Store what a person waits for. Raises StoreError."""
        record = self._people.record(person)
        if record is not None:
            await self._people.keep(structs.replace(record, seeking=seeking))

    async def _change(self, person: str, **fields: Any) -> None:
        """Change what is stored of a person who waits. Raises StoreError."""
        record = self._people.record(person)
        if record is not None and record.seeking is not None:
            await self._keep(person, structs.replace(record.seeking, **fields))

    async def _end_wishes(self, person: str, code: str) -> None:
        """End a person's wishes; they are told why. Raises StoreError."""
        await self._keep(person, SeekingRecord((), self._date(), ended=code))

    # Looking

    def _look_later(self) -> None:
        if not self._stopped:
            self._timer = self._services.clock.call_later(LOOK, self._tick)

    def _tick(self) -> None:
        self._look_soon()
        self._look_later()

    def _look_soon(self) -> None:
        """Look at the people who wait, unless that is under way."""
        if not self._busy and (self._people.seeking() or self._list):
            self._busy = True
            self._do(self._look())

    async def _look(self) -> None:
        try:
            await self._note_seen()
            if self._leads:
                await self._settle()
            tables = gather(self._seeks(), self._may_meet)
            if self._leads and not self._opener.closed:
                await self._call_all(tables)
            # Gathered anew: people who were called wait no longer.
            self._show_list(gather(self._seeks(), self._may_meet))
        finally:
            self._busy = False

    @property
    def _leads(self) -> bool:
        """Whether this node puts people together."""
        return self._remote_tables.leads

    def _seeks(self) -> list[Seek]:
        """Return the wishes of all who are called to no table."""
        now = self._date()
        return [
            Seek(person.person, seek.wish, seek.since, percent(person.reliability))
            for person in self._people.seeking()
            if person.seeking is not None and person.seeking.muster is None
            for seek in person.seeking.seeks
            if now - person.seeking.seen < _patience(seek.wish.pace)
        ]

    async def _note_seen(self) -> None:
        """Note which people of this node are still connected. Raises StoreError."""
        now = self._date()
        here = {peer.person for peer in self._people.peers if peer.link.is_open}
        for person in self._people.seeking():
            seeking = person.seeking
            if seeking is not None and seeking.seeks and person.person in here and now - seeking.seen >= SEEN:
                await self._change(person.person, seen=now)

    async def _settle(self) -> None:
        """Drop wishes of people who are gone, and decide the musters. Raises StoreError."""
        now = self._date()
        musters: dict[str, MusterRecord] = {}
        for person in self._people.seeking():
            seeking = person.seeking
            assert seeking is not None, "they wait"
            if seeking.muster is not None:
                musters[seeking.muster.number] = seeking.muster
            elif now - seeking.seen >= max([_patience(seek.wish.pace) for seek in seeking.seeks], default=STALE):
                await self._keep(person.person, None)
        for muster in musters.values():
            await self._decide(muster, now)

    async def _decide(self, muster: MusterRecord, now: float) -> None:
        """Begin the match if all have confirmed; after the time, those who have not lose their places."""
        people = {person: self._people.record(person) for person in muster.people}
        if muster.match:
            if now > muster.until:
                await self._release(muster)
            return
        called = {person for person, record in people.items() if _muster_of(record) == muster.number}
        ready = {person for person in called if _is_confirmed(people[person], now)}
        if len(ready) == len(muster.people):
            await self._open(muster)
        elif now > muster.until + LATE:
            for person in called - ready:
                await self._count_missed(person)
                await self._end_wishes(person, "late")
            await self._release(muster)
        # One of them has withdrawn.
        elif len(called) < len(muster.people):
            await self._release(muster)

    async def _release(self, muster: MusterRecord) -> None:
        """Let the people of a muster wait as before, those of a match for nothing more. Raises StoreError."""
        for person in muster.people:
            if _muster_of(self._people.record(person)) == muster.number:
                await self._change(person, muster=None)

    async def _count_missed(self, person: str) -> None:
        """Count that a person did not come to a table. Raises StoreError."""
        log.info("missed", person=person)
        self._missed.erred(person)
        if self._addresses.get(person):
            self._missed.erred(self._addresses[person])
        await self.count(person, finished=False)

    async def count(self, person: str, *, finished: bool) -> None:
        """Count a match for a person's reliability. Raises StoreError."""
        record = self._people.record(person)
        if record is not None:
            await self._people.keep(structs.replace(record, reliability=counted(record.reliability, finished)))

    def count_match(self, seats: Mapping[int, str], unfinished: Collection[int]) -> None:
        """Count a match for all its people, if there was more than one."""
        people = {person: seat not in unfinished for seat, person in seats.items() if person}
        for person, finished in people.items() if len(people) > 1 else ():
            self._do(self.count(person, finished=finished))

    async def _call_all(self, tables: Iterable[Gathering]) -> None:
        """Call the people of all tables that can begin. Raises StoreError."""
        now, called = self._date(), set[str]()
        for table in tables:
            people = table.players(now)
            if people and called.isdisjoint(people):
                called.update(people)
                await self._call(table, people, now)

    async def _call(self, table: Gathering, people: tuple[str, ...], now: float) -> None:
        time = POST_MUSTER if by_post(table.kind.pace or Pace()) else LIVE_MUSTER
        muster = MusterRecord(new_id(), *table.kind, people, now + time)
        for person in people:
            await self._change(person, muster=muster)
        log.info("muster", number=muster.number, ruleset=muster.ruleset, people=len(people), seats=muster.seats)
        if all(_is_confirmed(self._people.record(person), now) for person in people):
            await self._open(muster)

    async def _open(self, muster: MusterRecord) -> None:
        """Open the table of a muster, whose match begins as soon as its people are there. Raises StoreError."""
        records = [record for record in map(self._people.record, muster.people) if record is not None]
        self._services.dice.seating().shuffle(records)
        # The number is the key: if this node fails now, the next one finds the same table.
        match = await self._opener.open_sought(self._record(muster, records), muster.number.encode())
        order, until = tuple([record.person for record in records]), self._date() + SHOWN
        begun = structs.replace(muster, people=order, until=until, match=match)
        for person in order:
            await self._keep(person, SeekingRecord((), self._date(), begun, ended="begun"))
        log.info("sought-match", match=match, ruleset=muster.ruleset, people=len(order), seats=muster.seats)

    def _record(self, muster: MusterRecord, people: list[PersonRecord]) -> TableRecord:
        rules = self._rulesets[muster.ruleset]
        chairs = [ChairRecord(person.name, person=person.person, held=True) for person in people]
        bots = [ChairRecord(bot=STAND_IN_KIND) for _seat in range(muster.seats - len(people))]
        return TableRecord(
            match="",
            ruleset=muster.ruleset,
            version=rules.version,
            options=engine.checked_options(rules, muster.seats, {}),
            title=shortened(", ".join(person.name for person in people), MAX_TITLE),
            open=True,
            code="",
            think=0,
            takeover=0,
            chairs=[*chairs, *bots],
            pace=muster.pace,
            away=Away.ASK,
            sought=True,
        )

    # What clients see

    def _show_list(self, tables: list[Gathering]) -> None:
        """Tell all readers of the list what has changed; the seconds alone count on without that."""
        before, self._list = self._list, lines(tables)
        if self._list != before:
            self._services.bus.publish(CHANNEL, Outgoing(codec.encode(self._waiting()), droppable=True))

    def _waiting(self) -> m.Waiting:
        now = self._date()
        shown = tuple([self._shown(line, now) for line in self._list[:LISTED]])
        return m.Waiting(shown, max(0, len(self._list) - LISTED))

    def _shown(self, line: Line, now: float) -> m.WaitingTable:
        bots = max(0, int(line.bots_from - now)) if line.bots_from < math.inf else -1
        people = [record for record in map(self._people.record, line.people) if record is not None]
        names, shares = tuple([each.name for each in people]), tuple([percent(each.reliability) for each in people])
        return m.WaitingTable(line.games, line.seats, line.pace, names, max(0, int(now - line.since)), bots, shares)

    def _peers(self, people: Collection[str]) -> list[Peer]:
        """Return the clients of these people at this node."""
        return [peer for peer in self._people.peers if peer.person in people and peer.link.is_open]

    def _recognised(self, peer: Peer) -> None:
        """Tell a client that came what its person waits for."""
        person = self._people.record(peer.person)
        if person is not None and person.seeking is not None and SEEKS in peer.agreed:
            if self._date() - person.seeking.seen > SEEN:
                self._do(self._change(person.person, seen=self._date()))
            peer.tell(m.Seeking(0, _wishes(person.seeking), person.seeking.ended))
            if person.seeking.muster is not None:
                self._summon([peer], person.seeking.muster)

    def _profile_changed(self, before: PersonRecord | None, after: PersonRecord | None) -> None:
        """Tell clients what a change of a profile means for them, whichever node made it."""
        old = before.seeking if before is not None else None
        new = after.seeking if after is not None else None
        if old is None and new is None:
            return
        had, has = (each.muster if each is not None else None for each in (old, new))
        person = (after or before or PersonRecord("", "", (), 0.0)).person
        if (had, old and old.confirmed) != (has, new and new.confirmed):
            if has is not None:
                self._summon(self._peers(set(has.people)), has)
            elif had is not None:
                self._summon(self._peers({person}), had, failed=True)
                self._summon([peer for peer in self._peers(set(had.people)) if peer.person != person], had)
            if has is not None and had is None and not _is_confirmed(after, self._date()):
                for peer in self._peers({person}):
                    self._opener.pause_match_of(peer)
        if _wishes(old) != _wishes(new):
            for peer in self._peers({person}):
                if SEEKS in peer.agreed:
                    peer.tell(m.Seeking(0, _wishes(new), new.ended if new is not None else ""))

    def _summon(self, peers: Iterable[Peer], muster: MusterRecord, *, failed: bool = False) -> None:
        """Tell peers how the muster of their table stands."""
        plain = m.Summons(muster.number, muster.ruleset, muster.seats, muster.pace)
        if failed:
            for peer in peers:
                if SEEKS in peer.agreed:
                    peer.tell(plain)
            return
        now = self._date()
        records = [self._people.record(person) for person in muster.people]
        here = tuple([_is_confirmed(record, now) or bool(muster.match) for record in records])
        names = tuple([record.name if record is not None else "" for record in records])
        left = max(0, int(muster.until - now))
        full = structs.replace(plain, names=names, here=here, left=left, match=muster.match)
        for peer in peers:
            record = self._people.record(peer.person)
            if SEEKS in peer.agreed and _muster_of(record) == muster.number:
                peer.send(outgoing(structs.replace(full, you=muster.people.index(peer.person))))

    def _do(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(_logged(work))
        self._work.add(task)
        task.add_done_callback(self._work.discard)


def _wishes(seeking: SeekingRecord | None) -> tuple[m.TableWish, ...]:
    return tuple([seek.wish for seek in seeking.seeks]) if seeking is not None else ()


def _muster_of(person: PersonRecord | None) -> str:
    """Return the number of the muster to which a person is called, "" for none."""
    return person.seeking.muster.number if person is not None and person.seeking and person.seeking.muster else ""


def _is_confirmed(person: PersonRecord | None, now: float) -> bool:
    return person is not None and person.seeking is not None and person.seeking.confirmed > now


def _patience(pace: Pace | None) -> float:
    """Return the seconds for which a person who is not connected still waits."""
    return STALE_BY_POST if by_post(pace or Pace()) else STALE


async def _logged(work: Coroutine[Any, Any, None]) -> None:
    try:
        with contextlib.suppress(asyncio.CancelledError):
            await work
    except StoreError as error:
        log.warning("seeks", error=str(error))
    except Exception:
        log.failure("seeks")
