"""A table: its record, its chairs, its match, and its peers. Used only by the table's own task."""

import asyncio
import hmac
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import reduce
from itertools import islice
from typing import Final, Protocol

from msgspec import Raw, Struct, field, msgpack, structs
from msgspec.structs import replace

from protocol import codec
from server.bus.port import Bus
from server.clock import Clock
from server.delivery.outgoing import Outgoing, outgoing
from server.delivery.peer import Peer
from server.matches.audience import Audience
from server.matches.dice import Chance, Dice
from server.matches.match import Match
from server.matches.match_archive import Maker
from server.matches.match_time import MatchTime
from server.matches.moderation import Moderation
from server.matches.names import ReservedNames
from server.matches.narration import Narrator
from server.matches.people_rating import kind_of
from server.matches.seating import KnownDevices, Seating
from server.rate_limits import Budget, Rate
from server.storage.export import signed
from server.storage.port import FIRST_EPOCH, Store, TableRecord
from server.storage.promise import promise
from server.turns import Turns
from server.webhooks.notifier import Notifier
from server.webhooks.sender import WebhookSender
from shared import levels, proof
from shared.clocks import pace_of
from shared.history import GENESIS, Entry, chain
from shared.ids import NONE
from shared.kernel.ruleset import AnyRuleset
from shared.lessons.registry import SEED
from shared.messages import Line, Pledge, Presence, Proof, Rank, Result, Said, SeatInfo, Story, TableInfo, TableState
from shared.proof import Lots
from shared.refusal import Refusal
from shared.tables import LOOKING_ON, MISSED_CHAT, PACKED, PRESENCE, THE_TABLE, SeatKind, TablePhase

STAND_IN_KIND: Final = levels.NORMAL
"""Level of the bot that plays for absent persons."""


NAMED: Final = 8
"""Limit of spectators whose names are told to all."""
TALK: Final = Rate(4.0, 20.0)
TALK_KEPT: Final = 100
"""Lines of chat that are kept of players, and as many of spectators."""


class Decide(Protocol):
    """Bots. They are asked with a seat's encoded view and answer with an encoded action. May raise."""

    def __call__(
        self, ruleset: str, kind: str, seat: int, view: bytes, seed: int, seconds: float, /
    ) -> Awaitable[bytes]:
        """Return the action of a bot of that kind on that seat. `seconds`: its time, for bots that think."""


class Counsel(Struct, array_like=True, frozen=True):
    """Advice of the strongest bot: its encoded action, the same in a sentence, and one or two sentences why.

    sentences: the texts again, encoded with keys and values for readers of other languages.
    """

    action: bytes
    words: str
    why: tuple[str, ...]
    sentences: tuple[Raw, ...] = ()


class Busy(Exception):
    """Too many requests for advice at once; the request is refused, and the server has not failed."""


class Advisers(Protocol):
    """Advisers. They are asked with a seat's encoded view. May raise, `Busy` too."""

    def __call__(self, ruleset: str, seat: int, view: bytes, seed: int, /) -> Awaitable[Counsel]:
        """Return the strongest bot's advice for that seat."""


class Services(Struct, frozen=True):
    """Services that a table uses.

    `pace`: seconds that a bot waits before it acts. `grace`: seconds after which a gathering table frees the seat of a
    dropped person. `chat`: budget of strangers' lines, by address. `talk`: rate of all lines at one table. `advise`:
    adviser, `make`: maker of films; None if the server has none. `date`: returns the date in seconds since 1970.
    """

    store: Store
    bus: Bus
    clock: Clock
    dice: Dice
    decide: Decide
    age: MatchTime
    pace: float = 0.0
    grace: float = 120.0
    chat: Budget | None = None
    talk: Rate = TALK
    advise: Advisers | None = None
    date: Callable[[], float] = time.time
    make: Maker | None = None
    webhook_sender: WebhookSender | None = None
    """Sender of webhook notices, if they are allowed."""
    notifier: Notifier | None = None
    """Notifier of players by all ways that the operator allows; None for no way."""
    advice_turns: Turns | None = None
    """Fair order in which addresses get advice; None: all at once."""
    devices: KnownDevices = field(default_factory=KnownDevices)
    names: ReservedNames = field(default_factory=ReservedNames)
    moderation: Moderation = field(default_factory=Moderation)


CROWD: Final = 20
"""Spectators from which on a new one is sent the state that was announced last."""


class Shown:
    """All that a peer may know of a table, from the states shown since all peers were shown the same one.

    States are those of a spectator. `host`: the peer that hosts the table without a seat.
    """

    def __init__(self, state: TableState, host: object) -> None:
        self._host = host
        self._rest: TableState | None = _beside(state)
        self._seats: list[set[SeatInfo]] = [set() for _ in state.seats]
        self._watchers: set[int] = set()
        self._some: set[str] = set()
        self._all = set(state.onlookers)
        self.aside(state)

    def aside(self, state: TableState) -> None:
        """Note that one peer alone is shown this state."""
        if self._rest != _beside(state):
            self._rest = None
        for infos, info in zip(self._seats, state.seats, strict=False):
            infos.add(info)
        self._watchers.add(state.watchers)
        self._some.update(state.onlookers)
        self._all.intersection_update(state.onlookers)

    def news(self, state: TableState, host: object) -> tuple[Presence, ...] | None:
        """Return messages that bring every peer to this state, whatever they know; None if only the whole state
        does."""
        if (self._host, self._rest) != (host, _beside(state)):
            return None
        seats = [
            Presence(seat, info.kind, info.bot)
            for seat, (infos, info) in enumerate(zip(self._seats, state.seats, strict=True))
            if infos != {info}
        ]
        return (*seats, *self._onlookers(state))

    def _onlookers(self, state: TableState) -> Sequence[Presence]:
        came = tuple([name for name in state.onlookers if name not in self._all])
        gone = tuple(sorted(self._some.difference(state.onlookers)))
        if not (came or gone) and self._watchers == {state.watchers}:
            return ()
        return (Presence(LOOKING_ON, watchers=state.watchers, came=came, gone=gone),)


def _beside(state: TableState) -> TableState:
    """Return the state without anything that changes when people come and go."""
    # `Presence` has no ratings, so a change of them needs the whole state.
    seats = tuple([replace(info, kind=SeatKind.FREE, bot="") for info in state.seats])
    return replace(state, seats=seats, watchers=0, onlookers=())


class Table:
    """State that the parts of a table's task share."""

    def __init__(self, record: TableRecord, rules: AnyRuleset, services: Services, changed: Callable[[], None]) -> None:
        self.record = record
        self.rules = rules
        self.services = services
        self.seating = Seating(record.chairs, services.devices)
        self.audience = Audience(record.match, len(record.chairs), services.bus)
        self.narrator = Narrator()
        self.match: Match | None = None
        self._promise = promise(record.root) if record.root else None
        self.epoch = FIRST_EPOCH
        self.check = GENESIS
        self.silent = 0.0
        """Seconds for which no server ran the match before it was taken from a dead owner."""
        self._stories: dict[tuple[int, bool, bool], Outgoing | None] = {}
        self._storied: tuple[object, ...] = ()
        self._shown: Shown | None = None
        """What the peers know of the table; None: it was shown to no peer yet."""
        self._announced: Outgoing | None = None
        """The state as spectators were last told it."""
        self._first: tuple[bytes, Outgoing] | None = None
        """The last snapshot that was sent to a newcomer, and as it is sent."""
        self._host_shown = NONE
        """The host's seat as all were last told."""
        self.host_peer: Peer | None = None
        """The peer that hosts without a seat."""
        self._changed = changed
        self.pace = pace_of(record.pace, record.think)
        """The present pace: players can vote for another during the match."""
        self._stored_talk = record.talk

    @property
    def info(self) -> TableInfo:
        """The table as the lobby lists it."""
        record = self.record
        return TableInfo(
            record.match,
            record.title,
            record.ruleset,
            len(record.chairs),
            self.seating.taken,
            self.audience.watchers,
            record.phase,
            self.seating.away,
        )

    def opens_to(self, code: str) -> bool:
        """Whether that code admits a client; open tables need none."""
        return opens(self.record, code)

    def is_host(self, peer: Peer) -> bool:
        """Whether this peer hosts the table."""
        return peer is self.host_peer or (peer.seat != LOOKING_ON and peer.seat == self.record.host)

    def state_for(self, peer: Peer) -> TableState:
        """Return the table as a peer sees it."""
        return self._state(peer.sees, self.is_host(peer))

    def _state(self, seat: int, host: bool) -> TableState:
        """Return the table as seen from a seat. The code is shown to all at the table: they may bring friends."""
        record = self.record
        return TableState(
            record.match,
            record.title,
            record.ruleset,
            record.options,
            record.open,
            record.code,
            record.phase,
            seat,
            host,
            record.think,
            record.takeover,
            self.seating.infos(kind_of(record) if record.people_rated else ""),
            self.audience.watchers,
            record.advice,
            record.closed_hands,
            self.pace,
            self._pledge(),
            record.forward_only,
            record.unanimous,
            tuple([peer.called for peer in islice(self.audience.onlookers, NAMED)]),
            record.version,
            record.away,
            record.host + 1 if record.phase is TablePhase.GATHERING else 0,
            record.lesson,
            record.people_rated,
        )

    def chance(self) -> Chance:
        """Return the source of the match's dice.

        The promise, with the players' numbers, must not change from now on.
        """
        promise = self._promise
        return Lots(promise.secret, promise.key, self.record.match, self._numbers()) if promise else self.dice

    @property
    def dice(self) -> Dice:
        """Chance of bots, and of a match without a promise. A lesson repeats its own."""
        return Dice(SEED) if self.record.lesson else self.services.dice

    def _numbers(self) -> tuple[bytes, ...]:
        return tuple([chair.number for chair in self.record.chairs])

    def _pledge(self) -> Pledge | None:
        promise = self._promise
        return Pledge(proof.commitment(promise.secret, promise.key), self._numbers()) if promise else None

    def proof(self) -> Proof | None:
        """Return the proof of the dice once the match is over; None where it would disclose closed hands."""
        promise, record = self._promise, self.record
        if promise is None or record.phase != TablePhase.OVER or record.closed_hands:
            return None
        return Proof(record.match, promise.secret, promise.key, self.check, record.signature)

    def result(self) -> Result | None:
        """Return the result once the match is over; None for matches of old servers, which stored none."""
        record, match = self.record, self.match
        if match is None or record.result is None or record.phase != TablePhase.OVER:
            return None
        result = record.result
        ranks = tuple([Rank(*place) for place in result.places])
        return Result(record.match, result.ended, result.rounds, match.version, ranks)

    def tell_end(self, peer: Peer) -> None:
        """Tell a peer the result and the proof of a match that is over."""
        result = self.result()
        if result is not None:
            peer.tell(result)
        self.tell_proof(peer)

    def tell_proof(self, peer: Peer) -> None:
        """Tell a peer the proof of the dice, once the match is over."""
        shown = self.proof()
        if shown is not None:
            peer.tell(shown)

    def closed(self, entries: Sequence[Entry]) -> TableRecord:
        """Return the record of the match after its last entries: signed, and never to be signed again."""
        check = reduce(chain, map(msgpack.encode, entries), self.check)
        record = structs.replace(self.record, phase=TablePhase.OVER, ended=int(self.services.date()))
        return structs.replace(record, signature=signed(record, check)) if record.root else record

    def announce(self, to: Peer | None = None) -> None:
        """Show the changed table to all its peers and to the lobby.

        If only people came or went, peers that know `Presence` are told just that. `to` is always sent the whole state.
        """
        state, beside = self._state(LOOKING_ON, False), self.host_peer in self.audience
        # Old and new host get the whole table: `Presence` does not say who hosts.
        hosts = {self._host_shown, self.record.host} - {NONE} if self._host_shown != self.record.host else set()
        news, self._host_shown = self._news(state), self.record.host
        lean = Outgoing(*map(codec.encode_lean, news), droppable=True) if news else None
        # A host without a seat is among the spectators and sees another state than they do.
        for peer in self.audience.peers if beside else self.audience.players:
            if peer is to or news is None or PRESENCE not in peer.agreed or peer.seat in hosts:
                peer.send(outgoing(self.state_for(peer), droppable=True))
            elif lean is not None:
                peer.send(lean)
        self._announced = None
        if not beside:
            # All spectators see the same, so it is encoded once even for thousands.
            self._announced = whole = outgoing(state, droppable=True)
            self.audience.tell_onlookers(whole, whole if news is None else lean)
        self._changed()

    def _news(self, state: TableState) -> tuple[Presence, ...] | None:
        """Return arrivals and departures since all peers were shown the same; None if anything else is new too."""
        news = self._shown.news(state, self.host_peer) if self._shown is not None else None
        self._shown = Shown(state, self.host_peer)
        return news

    def show_state(self, peer: Peer) -> None:
        """Send the table's state to one peer."""
        if self._shown is not None:
            self._shown.aside(self._state(LOOKING_ON, False))
        peer.tell(self.state_for(peer))

    def show_announced(self, peer: Peer) -> None:
        """Send a new spectator the table's state.

        In a crowd it is the one that all others know, encoded once. The next announcement says who has come since.
        """
        if self._announced is None or self.audience.watchers < CROWD:
            return self.show_state(peer)
        return peer.send(self._announced)

    def pass_host_on(self) -> None:
        """If the host is gone, make the next seated person the host, else a spectator, if there is one."""
        seat = self.record.host
        if self.record.sought:
            return
        if self.host_peer in self.audience or (seat != NONE and self.seating.chairs[seat].here):
            return
        self.record.host = self.seating.next_host()
        self.host_peer = None
        if self.record.host == NONE:
            self.host_peer = next(self.audience.onlookers, None)

    @property
    def has_unsaved_talk(self) -> bool:
        """Whether chat waits to be stored. Lists of lines are replaced, never changed, so identity tells."""
        return self.record.talk is not self._stored_talk

    def append(self, entries: Sequence[Entry], record: TableRecord | None) -> "asyncio.Future[bytes]":
        """Add entries to the log, with a changed record; unsaved chat is stored in the same transaction."""
        # Noted now: lines that come while the store writes are not in this write.
        talk = self.record.talk
        if record is None and self.has_unsaved_talk:
            record = self.record
        stored = self.services.store.append(self.record.match, self.epoch, self.check, entries, record)
        if record is not None:
            stored.add_done_callback(lambda done: self._note_stored(talk, done))
        return stored

    def _note_stored(self, talk: list[Line], done: "asyncio.Future[bytes]") -> None:
        if not done.cancelled() and done.exception() is None:
            self._stored_talk = talk

    async def save(self) -> None:
        """Store the record. Raises StoreError."""
        talk = self.record.talk
        await self.services.store.save(self.record, self.epoch)
        self._stored_talk = talk

    async def release(self) -> None:
        """Store the record and give up ownership of the match. Raises StoreError."""
        await self.services.store.release(self.record, self.epoch)

    async def resize(self, count: int) -> dict[Peer, bytes]:
        """Change the number of seats before the start, to no fewer than are taken.

        Return new tokens for peers whose seat has another number now. Raises StoreError: then nothing has changed.
        """
        before, after = self.seating.chairs, self.seating.resized(count)
        seated = {peer: before[peer.seat] for peer in self.audience.peers if peer.seat != LOOKING_ON}
        moved = [peer for peer, chair in seated.items() if after.index(chair) != peer.seat]
        tokens = {peer: seated[peer].offer_token() for peer in moved}
        host = after.index(before[self.record.host]) if self.record.host != NONE else NONE
        record = structs.replace(self.record, chairs=[chair.record for chair in after], host=host)
        await self.services.store.save(record, self.epoch)
        self.record, self.seating.chairs = record, after
        self._rebuild_audience({peer: after.index(chair) for peer, chair in seated.items()})
        return tokens

    def _rebuild_audience(self, seats: Mapping[Peer, int]) -> None:
        """Rebuild the audience after the number of seats has changed."""
        peers = self.audience.peers
        for peer in peers:
            self.audience.leave(peer)
        self.audience = Audience(self.record.match, len(self.record.chairs), self.services.bus)
        for peer in peers:
            peer.seat = seats.get(peer, LOOKING_ON)
            self.audience.enter(peer)

    async def delete(self) -> None:
        """Delete the table. Raises StoreError."""
        await self.services.store.delete(self.record.match, self.epoch)

    @asynccontextmanager
    async def changing(self) -> AsyncIterator[None]:
        """Context in which changes of the record and its chairs are stored on exit.

        Raises StoreError: then all fields are as before. Values must be replaced, since only the fields are restored.
        """
        before = [(kept, structs.astuple(kept)) for kept in (self.record, *self.record.chairs)]
        try:
            yield
            await self.save()
        except BaseException:
            # Also after a bug or a cancellation: the peer is told that nothing has changed.
            for kept, values in before:
                for field, value in zip(kept.__struct_fields__, values, strict=True):
                    setattr(kept, field, value)
            raise

    def tell_story(self, peer: Peer, have: int = 0) -> None:
        """Send a peer that holds no version the events and chat so far; another one the chat, if it asked for that.

        Messages are cached, because crowds that come and go share them.
        """
        if have and MISSED_CHAT not in peer.agreed:
            return
        since = (self.match and self.match.version, self.record.phase, self.record.talk)
        if since != self._storied:
            self._stories, self._storied = {}, since
        key = self.audience.audience_of(peer), PACKED in peer.agreed, bool(have)
        if key not in self._stories:
            self._stories[key] = self._story_for(peer, None if have else self.match)
        story = self._stories[key]
        if story is not None:
            peer.send(story)

    def _story_for(self, peer: Peer, match: Match | None) -> Outgoing | None:
        events = match.story(self.audience.audience_of(peer)) if match is not None else ()
        backs = match.backs() if match is not None else ()
        # Players hear no spectators during the match.
        private = peer.sees != LOOKING_ON and self.record.phase == TablePhase.PLAYING
        lines = [line for line in self.record.talk if not (private and line.seat == LOOKING_ON)]
        if not (events or lines or backs):
            return None
        payload = codec.encode(Story(events, tuple(lines[-TALK_KEPT:]), backs))
        return Outgoing(codec.pack(payload) if PACKED in peer.agreed else payload, droppable=True)

    async def proclaim(self, text: str) -> None:
        """Announce a line of the table itself to all; it is stored with the chat.

        Raises StoreError: then no peer was told.
        """
        line = Line(THE_TABLE, "", text)
        async with self.changing():
            self.record.talk = with_line(self.record.talk, line)
        self.audience.tell(Said(line.seat, line.name, line.text))

    def show(self, peer: Peer, have: int = 0) -> None:
        """Send the match to a peer that holds version `have`: the frames that it missed, or a snapshot."""
        if self.match is None:
            return
        audience = self.audience.audience_of(peer)
        missed = self.match.tail(audience, have)
        if missed is None:
            snapshot = self.match.snapshot(audience, PACKED in peer.agreed)
            if self._first is None or self._first[0] is not snapshot:
                self._first = snapshot, Outgoing(snapshot, droppable=True)
            peer.send(self._first[1])
        for payload in missed or ():
            peer.send(Outgoing(payload, droppable=True))
        self.narrator.tell(self.match, peer, audience, have)


def opens(record: TableRecord, code: str) -> bool:
    """Whether that code admits a client; open tables need none."""
    return record.open or hmac.compare_digest(code.encode(), record.code.encode())


NOT_HOST: Final = Refusal("not-host", "", "Only the host of the table can do that.")
STARTED: Final = Refusal("started", "", "The match has begun.")
NOT_SEATED: Final = Refusal("not-seated", "", "You are watching.")
NOT_STARTED: Final = Refusal("not-started", "", "The match has not begun.")
NOT_YOURS: Final = Refusal("not-yours", "", "There is nothing that you have to decide now.")


def with_line(talk: Sequence[Line], line: Line) -> list[Line]:
    """Return the chat that is kept after a new line. Spectators' lines push out no players' lines."""
    alike = [kept for kept in talk if (kept.seat == LOOKING_ON) == (line.seat == LOOKING_ON)]
    old = alike[0] if len(alike) >= TALK_KEPT else None
    return [*(kept for kept in talk if kept is not old), line]
