"""A table: its record, its chairs, its match, and those around it. Used only by the table's own task."""

import asyncio
import hmac
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import reduce
from itertools import islice
from typing import Final, Protocol

from msgspec import Struct, msgpack, structs

from protocol import codec
from server.budgets import Budget, Rate
from server.bus.port import Bus
from server.clock import Clock
from server.delivery.outgoing import Outgoing, outgoing
from server.delivery.peer import Peer
from server.matches.age import Age
from server.matches.audience import Audience
from server.matches.dice import Chance, Dice
from server.matches.match import Match
from server.matches.memory import Maker
from server.matches.presence import Shown
from server.matches.seating import Seating
from server.outside.messenger import Messenger
from server.storage.export import signed
from server.storage.port import FIRST_EPOCH, Store, StoreError, TableRecord
from server.turns import Turns
from shared import levels, proof
from shared.clocks import pace_of
from shared.history import GENESIS, Entry, chain
from shared.ids import NONE
from shared.kernel.engine import AnyRuleset
from shared.messages import Line, Pledge, Presence, Proof, Rank, Result, Said, Story, TableInfo, TableState
from shared.proof import Lots
from shared.refusal import Refusal
from shared.tables import LOOKING_ON, PACKED, PRESENCE, THE_TABLE, TablePhase

STAND_IN_KIND: Final = levels.NORMAL
"""The bot that plays for absent persons."""


NAMED: Final = 8
"""Onlookers whose names all are told."""
TALK: Final = Rate(4.0, 20.0)
TALK_KEPT: Final = 100
"""Lines of chat that are kept: of players, and as many of those who look on."""


class Decide(Protocol):
    """Bots: asked with a seat's encoded view, answers with an encoded action. May raise."""

    def __call__(
        self, ruleset: str, kind: str, seat: int, view: bytes, seed: int, seconds: float, /
    ) -> Awaitable[bytes]:
        """What a bot of that kind does on that seat, with so many seconds where it thinks."""


class Counsel(Struct, array_like=True, frozen=True):
    """What the strongest bot would do: an encoded action, the same in a sentence, and why, in one or two."""

    action: bytes
    words: str
    why: tuple[str, ...]


class Busy(Exception):
    """Too many ask for advice at once: a refusal, and no error of the server."""


class Advisers(Protocol):
    """Asked with a seat's encoded view. May raise, `Busy` too."""

    def __call__(self, ruleset: str, seat: int, view: bytes, seed: int, /) -> Awaitable[Counsel]:
        """What the strongest bot would do on that seat."""


class Services(Struct, frozen=True):
    """What a table is given. `pace`: seconds a bot waits before it acts; `grace`: seconds before a table that
    gathers forgets somebody who dropped. `chat`: lines that strangers may say, by their addresses;
    `talk`: lines that all together may say at one table; `advise`: who gives advice, `make`: who makes films, if
    anybody does; `date`: tells the date, in seconds since 1970."""

    store: Store
    bus: Bus
    clock: Clock
    dice: Dice
    decide: Decide
    age: Age
    pace: float = 0.0
    grace: float = 120.0
    chat: Budget | None = None
    talk: Rate = TALK
    advise: Advisers | None = None
    date: Callable[[], float] = time.time
    make: Maker | None = None
    messenger: Messenger | None = None
    """Who brings notes outside of the game, where that is allowed."""
    advice_turns: Turns | None = None
    """In which order addresses are advised; None: all at once."""


class Table:
    """What the parts of a table's task share."""

    def __init__(self, record: TableRecord, rules: AnyRuleset, services: Services, changed: Callable[[], None]) -> None:
        self.record = record
        self.rules = rules
        self.services = services
        self.seating = Seating(record.chairs)
        self.audience = Audience(record.match, len(record.chairs), services.bus)
        self.match: Match | None = None
        self._promise = proof.promise(record.root) if record.root else None
        self.epoch = FIRST_EPOCH
        self.check = GENESIS
        self.silent = 0.0
        """Seconds for which nobody ran the match before it was taken from a dead owner."""
        self._stories: dict[tuple[int, bool], Outgoing | None] = {}
        self._storied: tuple[object, ...] = ()
        self._shown: Shown | None = None
        """What those here hold of the table; None: nobody was shown it yet."""
        self._host_shown = NONE
        """The seat that all were told runs the table."""
        self.host_peer: Peer | None = None
        """A host without a seat."""
        self._changed = changed
        self.pace = pace_of(record.pace, record.think)
        """The present one: a match can change it."""
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
        """Whether that code lets somebody in; open tables need none."""
        return opens(self.record, code)

    def is_host(self, peer: Peer) -> bool:
        """Whether the table is this peer's to run."""
        return peer is self.host_peer or (peer.seat != LOOKING_ON and peer.seat == self.record.host)

    def state_for(self, peer: Peer) -> TableState:
        """The table as a peer sees it."""
        return self._state(peer.sees, self.is_host(peer))

    def _state(self, seat: int, host: bool) -> TableState:
        """The table as seen from a seat. The code is shown to all at the table: they may bring friends."""
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
            self.seating.infos(),
            self.audience.watchers,
            record.advice,
            record.closed_hands,
            self.pace,
            self._pledge(),
            record.forward_only,
            record.unanimous,
            tuple([peer.called for peer in islice(self.audience.onlookers, NAMED)]),
            record.version,
        )

    def chance(self) -> Chance:
        """What the dice of the match come from: all that was promised of them, numbers included, stands from now on."""
        made = self._promise
        return Lots(made.secret, made.key, self.record.match, self._numbers()) if made else self.services.dice

    def _numbers(self) -> tuple[bytes, ...]:
        return tuple([chair.number for chair in self.record.chairs])

    def _pledge(self) -> Pledge | None:
        made = self._promise
        return Pledge(proof.commitment(made.secret, made.key), self._numbers()) if made else None

    def proof(self) -> Proof | None:
        """What the dice were made from, once the match is over; not where it would open the hands."""
        made, record = self._promise, self.record
        if made is None or record.phase != TablePhase.OVER or record.closed_hands:
            return None
        return Proof(record.match, made.secret, made.key, self.check, record.signature)

    def result(self) -> Result | None:
        """How the match came out, once it is over; matches of old servers do not know it."""
        record, match = self.record, self.match
        if match is None or record.result is None or record.phase != TablePhase.OVER:
            return None
        kept = record.result
        ranks = tuple([Rank(*place) for place in kept.places])
        return Result(record.match, kept.ended, kept.rounds, match.version, ranks)

    def tell_end(self, peer: Peer) -> None:
        """How it came out, and the proof, to somebody who comes after the end."""
        result = self.result()
        if result is not None:
            peer.tell(result)
        self.tell_proof(peer)

    def tell_proof(self, peer: Peer) -> None:
        """What the dice were made from, once the match is over."""
        shown = self.proof()
        if shown is not None:
            peer.tell(shown)

    def closed(self, entries: Sequence[Entry]) -> TableRecord:
        """The record of the match once those last entries are kept: signed, and never to be signed again."""
        check = reduce(chain, map(msgpack.encode, entries), self.check)
        record = structs.replace(self.record, phase=TablePhase.OVER, ended=int(self.services.date()))
        return structs.replace(record, signature=signed(record, check)) if record.root else record

    def announce(self, to: Peer | None = None) -> None:
        """Show the changed table to all at it and to the lobby: to those who understand it only who came or went, if
        that is all; to `to` the whole of it."""
        state, beside = self._state(LOOKING_ON, False), self.host_peer in self.audience
        hosts = {self._host_shown, self.record.host} - {NONE} if self._host_shown != self.record.host else set()
        news, self._host_shown = self._news(state), self.record.host
        lean = Outgoing(*map(codec.encode_lean, news), droppable=True) if news else None
        for peer in self.audience.peers if beside else self.audience.players:
            if peer is to or news is None or PRESENCE not in peer.agreed or peer.seat in hosts:
                peer.send(outgoing(self.state_for(peer), droppable=True))
            elif lean is not None:
                peer.send(lean)
        if not beside:
            # Thousands who look on are shown the same.
            whole = outgoing(state, droppable=True)
            self.audience.tell_onlookers(whole, whole if news is None else lean)
        self._changed()

    def _news(self, state: TableState) -> tuple[Presence, ...] | None:
        """Who came or went since all were shown the same; None where that is not all that is new."""
        news = self._shown.news(state, self.host_peer) if self._shown is not None else None
        self._shown = Shown(state, self.host_peer)
        return news

    def show_state(self, peer: Peer) -> None:
        """The table to that peer alone."""
        if self._shown is not None:
            self._shown.aside(self._state(LOOKING_ON, False))
        peer.tell(self.state_for(peer))

    def pass_host_on(self) -> None:
        """If the host is gone: to the next seated person, else to somebody looking on, else to nobody."""
        seat = self.record.host
        if self.host_peer in self.audience or (seat != NONE and self.seating.chairs[seat].here):
            return
        self.record.host = self.seating.next_host()
        self.host_peer = None
        if self.record.host == NONE:
            self.host_peer = next(self.audience.onlookers, None)

    @property
    def has_unsaved_talk(self) -> bool:
        """Whether chat waits to be stored. Lines are never added in place, so identity tells."""
        return self.record.talk is not self._stored_talk

    def append(self, entries: Sequence[Entry], record: TableRecord | None) -> "asyncio.Future[bytes]":
        """Add entries to the log, with a changed record; chat that waits is stored in the same transaction."""
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
        """Keep the record. Raises StoreError."""
        talk = self.record.talk
        await self.services.store.save(self.record, self.epoch)
        self._stored_talk = talk

    async def release(self) -> None:
        """Keep the record, and run the match no longer. Raises StoreError."""
        await self.services.store.release(self.record, self.epoch)

    async def resize(self, count: int) -> dict[Peer, bytes]:
        """Have so many seats, no fewer than are taken, before the start; tokens for those whose seat has another number
        now. Raises StoreError: nothing changed."""
        before, after = self.seating.chairs, self.seating.resized(count)
        seated = {peer: before[peer.seat] for peer in self.audience.peers if peer.seat != LOOKING_ON}
        moved = [peer for peer, chair in seated.items() if after.index(chair) != peer.seat]
        tokens = {peer: seated[peer].offer_token() for peer in moved}
        host = after.index(before[self.record.host]) if self.record.host != NONE else NONE
        record = structs.replace(self.record, chairs=[chair.record for chair in after], host=host)
        await self.services.store.save(record, self.epoch)
        self.record, self.seating.chairs = record, after
        self._regroup({peer: after.index(chair) for peer, chair in seated.items()})
        return tokens

    def _regroup(self, seats: Mapping[Peer, int]) -> None:
        """The audience of a table with another number of seats."""
        peers = self.audience.peers
        for peer in peers:
            self.audience.leave(peer)
        self.audience = Audience(self.record.match, len(self.record.chairs), self.services.bus)
        for peer in peers:
            peer.seat = seats.get(peer, LOOKING_ON)
            self.audience.enter(peer)

    async def delete(self) -> None:
        """Forget the table for good. Raises StoreError."""
        await self.services.store.delete(self.record.match, self.epoch)

    @asynccontextmanager
    async def changing(self) -> AsyncIterator[None]:
        """What is changed inside, of the chairs' records, is durable afterwards. Raises StoreError: nothing changed."""
        before = [structs.astuple(chair) for chair in self.record.chairs]
        try:
            yield
            await self.save()
        except StoreError:
            for chair, values in zip(self.record.chairs, before, strict=True):
                for field, value in zip(chair.__struct_fields__, values, strict=True):
                    setattr(chair, field, value)
            raise

    def tell_story(self, peer: Peer) -> None:
        """What happened and was said before, to a peer that has nothing of it. Crowds that come and go share it."""
        since = (self.match and self.match.version, self.record.phase, self.record.talk)
        if since != self._storied:
            self._stories, self._storied = {}, since
        key = self.audience.audience_of(peer), PACKED in peer.agreed
        if key not in self._stories:
            self._stories[key] = self._story_for(peer)
        story = self._stories[key]
        if story is not None:
            peer.send(story)

    def _story_for(self, peer: Peer) -> Outgoing | None:
        events = self.match.story(self.audience.audience_of(peer)) if self.match is not None else ()
        backs = self.match.backs() if self.match is not None else ()
        talk = self._talk_for(peer)
        if not (events or talk or backs):
            return None
        payload = codec.encode(Story(events, talk, backs))
        return Outgoing(codec.pack(payload) if PACKED in peer.agreed else payload, droppable=True)

    def _talk_for(self, peer: Peer) -> tuple[Line, ...]:
        """The last lines that this peer may hear: players hear nobody who looks on while they play."""
        private = peer.sees != LOOKING_ON and self.record.phase == TablePhase.PLAYING
        lines = [line for line in self.record.talk if not (private and line.seat == LOOKING_ON)]
        return tuple(lines[-TALK_KEPT:])

    async def proclaim(self, text: str) -> None:
        """The table itself says something to all; kept with what was said. Raises StoreError: nobody was told."""
        before, line = self.record.talk, Line(THE_TABLE, "", text)
        self.record.talk = with_line(before, line)
        try:
            await self.save()
        except StoreError:
            self.record.talk = before
            raise
        self.audience.tell(Said(line.seat, line.name, line.text))

    def show(self, peer: Peer, have: int = 0) -> None:
        """The match to a peer that holds version `have`: what it missed, or all of it."""
        if self.match is None:
            return
        audience = self.audience.audience_of(peer)
        missed = self.match.tail(audience, have)
        if missed is None:
            missed = [self.match.snapshot(audience, PACKED in peer.agreed)]
        for payload in missed:
            peer.send(Outgoing(payload, droppable=True))


def opens(record: TableRecord, code: str) -> bool:
    """Whether that code lets somebody in; open tables need none."""
    return record.open or hmac.compare_digest(code.encode(), record.code.encode())


NOT_HOST: Final = Refusal("not-host", "", "Only the host of the table can do that.")
STARTED: Final = Refusal("started", "", "The match has begun.")
NOT_SEATED: Final = Refusal("not-seated", "", "You are looking on.")
NOT_STARTED: Final = Refusal("not-started", "", "The match has not begun.")
NOT_YOURS: Final = Refusal("not-yours", "", "There is nothing that you have to decide now.")


def with_line(talk: Sequence[Line], line: Line) -> list[Line]:
    """What is kept of a table's talk once that was said. Lines of those who look on push out no others."""
    alike = [kept for kept in talk if (kept.seat == LOOKING_ON) == (line.seat == LOOKING_ON)]
    old = alike[0] if len(alike) >= TALK_KEPT else None
    return [*(kept for kept in talk if kept is not old), line]
