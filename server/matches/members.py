"""Members of a table: entering, sitting down, hosting, chat, leaving, and what others are told of the absent."""

from collections.abc import Sequence, Set
from functools import partial

from protocol.limits import Close
from protocol.text import clean_chat
from server import log, metrics
from server.addresses import network_of
from server.clock import Timer
from server.delivery.peer import Peer
from server.matches.erasure import erase_person, note_participant
from server.matches.hand_sharing import HandSharing
from server.matches.match import OVER
from server.matches.moderation import banned, muted
from server.matches.names import keys, numbered, speaks_for_others
from server.matches.people_rating import MEMBERS_ONLY, NO_BOTS, share_a_household
from server.matches.rematch import KEPT, Founder, Next, following, hold, order
from server.matches.running_match import Post, RunningMatch
from server.matches.seating import SeatHolder, hashed
from server.matches.table import NOT_HOST, NOT_SEATED, STAND_IN_KIND, STARTED, Table, with_line
from server.rate_limits import Budget, Rate
from server.storage.port import StoreError
from shared import levels
from shared import messages as m
from shared.codes import plain_code
from shared.kernel import engine
from shared.language.sentence import _
from shared.messages import Absent, AbsentSeat
from shared.refusal import Refusal, sentence_of
from shared.tables import (
    ABSENCE,
    BLOCKS,
    BOT_NAMES,
    LOOKING_ON,
    MAX_TEXT,
    NO_SEAT,
    Arrangement,
    Away,
    Rated,
    SeatKind,
    TablePhase,
)

_BUSY = Refusal("busy", "", "You are at a table already; leave it first.")
_NO_MATCH = Refusal("no-match", "", "There is no such table, or it needs its code.")
_BAD_TOKEN = Refusal("bad-token", "", "That seat is no longer yours.")
_SEATS_FREE = Refusal("seats-free", "", "Every seat needs a player or a bot first.")
_NO_LEVEL = Refusal(
    "no-such-level", "", _("There are no such bots here; there are {levels} ones.", levels=levels.NAMES)
)
_TOO_FEW = Refusal("too-few-seats", "", "More seats than that are taken; a player has to get up first.")
_NOT_FREE = Refusal("seat-taken", "", "A person sits there.")
_NOT_OVER = Refusal("not-over", "", "The match is not over yet.")
_NO_PERSON = Refusal("no-person", "", "No other person sits there.")
_KICKED = Refusal("kicked", "", "The host does not want you at this table.")
_NOT_HEARD = Refusal("no-person", "", "There is no person of that name at the table.")
MUTED = Refusal("muted", "", "The host does not want you to speak at this table.")
_NAME_TAKEN = Refusal("name", "", "Another person has that name, or one that looks like it.")
_RENAMED = Refusal("rate", "", "You changed your name at this table just now; try again in ten minutes.")
_TOO_MUCH = Refusal("rate", "", "There is too much talk at this table; wait a moment, please.")
_CROWDED = Refusal("enough", "", "Enough people from your address watch this table already.")
_WRONG_SEAT = Refusal("no-seat", "", "There is no such seat at this table.")


RENAMED = Rate(1 / 600, 1.0)
"""Rate at which a player may change their name during the match: each change is a line for all."""
SHOWN = Rate(2.0, 8.0)
"""Rate at which a changed table is shown to all its peers."""
UNNAMED = "Onlooker"
"""Name of spectators whose own could be read as the table's or a player's."""
LOOKING_ON_EACH = 10
"""Limit of one table's spectators from one address: every action is sent to each of them."""
TALK_SAVED = 0.5
"""Seconds after which chat is stored, if no action was stored before. A server that is killed loses only younger
lines."""
EACH = 0.001
"""Seconds for each spectator until the next news of who came: in a crowd these would cost more than the game."""
LATEST = 5.0
"""Seconds until then at most."""
TALK_RETRY = 5.0
"""Seconds until the next try if storing chat failed."""
MARKS = 300
"""Limit of stored marks of kicked or muted people; the oldest go first. A person leaves up to three."""


class Members:
    """Members of a table. All methods are called by the table's task, one after the other."""

    def __init__(self, table: Table, play: RunningMatch, hands: HandSharing, post: Post, founder: Founder) -> None:
        self._table = table
        self._hands = hands
        self._founder = founder
        self._next: Next | None = None
        """The table of the rematch."""
        self._gone: set[int] = set()
        """Seats whose players left for good; a person who resumes is removed."""
        self._here_since: dict[int, float] = {}
        """By seat, when its person last came, on the server's clock."""
        self._here_until: dict[int, float] = {}
        """By seat, when its person was last here. Persons without an entry count as here when the table woke."""
        self._woken = table.services.clock.now()
        self._arrivals = 0
        """Number of peers that have entered."""
        self._play = play
        self._post = post
        self._shown = SHOWN.bucket(table.services.clock.now)
        self._renamed = Budget(RENAMED, table.services.clock.now)
        self._announcing = False
        self._keeping: Timer | None = None
        self._talk = table.services.talk.bucket(table.services.clock.now)
        self._gallery = table.services.talk.bucket(table.services.clock.now)
        """Chat budget of spectators, apart from the players': spectators cannot use up the players' share."""

    async def found(self, peer: Peer, message: m.Create) -> None:
        """Seat the host at a new table; with NO_SEAT they host it without a seat."""
        table = self._table
        if message.seat == NO_SEAT:
            table.host_peer = peer
            self._enter(peer, LOOKING_ON)
            note_participant(table.record, peer.person, peer.name)
            peer.tell(m.Done(message.ref))
            return table.announce()
        taken = table.seating.free_seat(message.seat)
        if isinstance(taken, Refusal):
            return peer.refuse(message.ref, taken)
        table.record.host = taken
        await self._sit(peer, message, taken)
        return None

    async def join(self, peer: Peer, message: m.Join) -> None:
        """Seat a player before the start.

        A repeated request with the same key gets the seat that it took, whatever has become of it.
        """
        again = self._table.seating.seat_taken_by(message.key)
        if again is not None:
            return await self._again(peer, message.ref, again)
        refusal = self._here_already(peer) or self.closed_to(peer, message.code)
        if refusal is None and self._table.record.phase != TablePhase.GATHERING:
            refusal = STARTED
        if refusal is None and self._table.record.people_rated and not self._table.services.names.has(peer.person):
            refusal = MEMBERS_ONLY
        seat = refusal or self._table.seating.free_seat(message.seat)
        if isinstance(seat, Refusal):
            return peer.refuse(message.ref, seat)
        await self._sit(peer, message, seat)
        return None

    async def _again(self, peer: Peer, ref: int, seat: int) -> None:
        """Answer a repeated request for a seat with a new token. Raises StoreError."""
        table, chair = self._table, self._table.seating.chairs[seat]
        if peer in table.audience and peer.seat != seat:
            return peer.refuse(ref, _BUSY)
        async with table.changing():
            token = chair.offer_token()
        if peer in table.audience:
            return self._tell_seat(peer, ref, token)
        return await self.resume(peer, m.Resume(ref, table.record.match, token))

    async def watch(self, peer: Peer, message: m.Watch) -> None:
        """Admit a spectator."""
        refusal = self.closed_to(peer, message.code) or self._here_already(peer) or self._crowded_for(peer)
        if refusal is not None:
            return peer.refuse(message.ref, refusal)
        self._enter(peer, LOOKING_ON)
        peer.tell(m.Done(message.ref))
        self._table.show_announced(peer)
        self._table.show(peer, message.have)
        self._tell_hidden(peer)
        self._table.tell_story(peer, message.have)
        self._table.tell_end(peer)
        self._play.tell_clock(peer)
        self._invite(peer)
        self._announce_soon()
        return None

    async def resume(self, peer: Peer, message: m.Resume) -> None:
        """Return a player to their seat by its token or their profile; an older connection on it is replaced.

        A peer that has hung up meanwhile is ignored: the client may have reconnected already.
        """
        if not peer.link.is_open:
            return None
        table = self._table
        seat = table.seating.seat_of(message.token)
        by_secret = seat is None
        if seat is None:
            seat = table.seating.seat_of_person(peer.person, peer.proof, message.token)
        if seat is None:
            return peer.refuse(message.ref, _BAD_TOKEN)
        if peer in table.audience:
            return peer.refuse(message.ref, _BUSY)
        chair = table.seating.chairs[seat]
        ban = table.services.moderation.ban_of(chair.record.person, chair.record.device)
        if ban is not None:
            peer.refuse(message.ref, banned(ban))
            return peer.link.end(Close.BANNED)
        was_bot = bool(chair.bot)
        async with table.changing():
            if by_secret and chair.record.device not in (b"", peer.proof):
                chair.void()  # The other device comes back by its own secret, unless it was ended.
            token = chair.return_by(message.token)
            chair.record.person = peer.person or chair.record.person
            note_participant(table.record, peer.person, chair.record.name)
            chair.record.device = peer.proof or chair.record.device
        previous = table.audience.player(seat)
        if previous is not None:
            self._send_away(previous, Close.REPLACED)
        self._enter(peer, seat)
        self._play.person_came(seat)
        if was_bot:
            self._play.clocks_changed()
        table.pass_host_on()
        self._tell_seat(peer, message.ref, token)
        self._show_change(peer)
        table.show(peer, message.have)
        self._tell_hidden(peer)
        table.tell_story(peer, message.have)
        table.tell_end(peer)
        self._play.tell_clock(peer)
        self._hands.remind(seat)
        self._gone.discard(seat)
        self._invite(peer)
        metrics.RESUMES.inc()
        log.info("resumed", match=table.record.match, seat=seat)
        return None

    def return_to(self, peer: Peer, seat: int, called: str, listens: bool) -> bool:
        """Return a peer to its place after another server ran the match, unless the seat is another person's now.

        Two connections can claim the same seat: one of them may be dead without its server knowing. The second is asked
        to come back with its token. A dead one will not.
        """
        table = self._table
        if not peer.link.is_open:
            return False
        if seat != LOOKING_ON:
            chairs = table.seating.chairs
            if seat >= len(chairs) or chairs[seat].record.name != called:
                peer.link.end(Close.REPLACED)
                return False
            previous = table.audience.player(seat)
            if previous is not None and previous.link.is_open:
                peer.link.end(Close.RESTART)
                return False
            if previous is not None:
                self._let_go(previous)
        self._enter(peer, seat)
        if seat != LOOKING_ON:
            self._play.person_came(seat)
        peer.listens = listens
        table.pass_host_on()
        self._announce_soon()
        return True

    async def adopt(self, peer: Peer) -> None:
        """Attach a seat to the profile as which its player has introduced themselves. Raises StoreError."""
        record = self._table.seating.chairs[peer.seat].record if peer.seat != LOOKING_ON else None
        if record is not None and (record.person, record.device) != (peer.person, peer.proof):
            other = record.person != peer.person
            async with self._table.changing():
                record.person, record.device = peer.person, peer.proof
            if other and self._table.record.people_rated:
                await self._unrate_changed_seat()
                note_participant(self._table.record, peer.person, record.name)
        self._tell_hidden(peer)

    def onlooker(self, name: str) -> Peer | None:
        """Return the spectator of that name."""
        return next((peer for peer in self._onlookers if peer.called == name), None)

    async def give_seat(self, seat: int, name: str) -> bool:
        """Give the seat of an absent person or of a bot to a spectator for good; return False if the spectator is gone.

        Raises StoreError: then no seat has changed.
        """
        table, peer = self._table, self.onlooker(name)
        chair = table.seating.chairs[seat]
        if peer is None:
            return False
        before = chair.record.name or "a bot"
        async with table.changing():
            chair.clear()
            note_participant(table.record, peer.person, peer.called)
            token = chair.sit(peer.called, peer.person)
            chair.record.device = peer.proof
        self._hands.close(seat)
        self._enter(peer, seat)
        self._play.person_came(seat)
        self._play.clocks_changed()
        self._tell_seat(peer, 0, token)
        # The new view comes before the news that a decision is due: the client asks for choices on the basis of its
        # view.
        table.show(peer)
        table.announce(peer)
        self._play.tell_clock(peer)
        await table.proclaim(f"{peer.called} plays for {before} from now on.")
        if table.record.people_rated:
            await self._unrate_changed_seat()
        return True

    def away_for(self, seat: int) -> float:
        """Return for how many seconds the person of a seat has been away, as far as this server has seen."""
        return self._table.services.clock.now() - self._here_until.get(seat, self._woken)

    def here_since(self, seat: int) -> float:
        """Return when the person of a seat last came, on this server's clock."""
        return self._here_since.get(seat, self._woken)

    def has_left(self, seat: int) -> bool:
        """Whether the person of a seat handed it to a bot themselves, as far as this server has seen."""
        return seat in self._gone

    @property
    def _onlookers(self) -> list[Peer]:
        return list(self._table.audience.onlookers)

    async def set_bot(self, peer: Peer, message: m.SetBot) -> None:
        """Seat a bot or remove one, for the host."""
        refusal = self._host_only(peer, message.seat)
        if refusal is None and self._table.seating.chairs[message.seat].kind not in (SeatKind.FREE, SeatKind.BOT):
            refusal = _NOT_FREE
        if refusal is None and message.kind and message.kind not in levels.KNOWN:
            refusal = _NO_LEVEL
        if refusal is None and message.kind and self._table.record.people_rated:
            refusal = NO_BOTS
        if refusal is not None:
            return peer.refuse(message.ref, refusal)
        async with self._table.changing():
            self._table.seating.chairs[message.seat].record.bot = message.kind
        peer.tell(m.Done(message.ref))
        self._show_change(peer)
        return None

    async def resize(self, peer: Peer, message: m.Resize) -> None:
        """Change the number of seats, for the host."""
        table = self._table
        refusal = self._host_only(peer, 0) or self._no_such_size(message.seats)
        if refusal is not None:
            return peer.refuse(message.ref, refusal)
        tokens = await table.resize(message.seats)
        for moved, token in tokens.items():
            self._tell_seat(moved, 0, token)
        peer.tell(m.Done(message.ref))
        self._show_change(peer)
        return None

    def _no_such_size(self, seats: int) -> Refusal | None:
        """Return why this table cannot have that many seats, None if it can."""
        table = self._table
        try:
            engine.checked_options(table.rules, seats, table.record.options)
        except ValueError as error:
            return Refusal("bad-options", "", sentence_of(error))
        return _TOO_FEW if seats < table.seating.taken else None

    async def kick(self, peer: Peer, message: m.Kick) -> None:
        """Free a person's seat, for the host; marks keep the person from returning."""
        refusal = self._host_only(peer, message.seat)
        if refusal is None and (
            message.seat == peer.seat
            or self._table.seating.chairs[message.seat].kind not in (SeatKind.PERSON, SeatKind.AWAY)
        ):
            refusal = _NO_PERSON
        if refusal is not None:
            return peer.refuse(message.ref, refusal)
        kicked = self._table.audience.player(message.seat)
        chair = self._table.seating.chairs[message.seat]
        # A seat that is held for a person who never came leaves no marks.
        marks = keys(chair.record.name) if chair.here or chair.absences > 0 else set()
        if kicked is not None:
            marks |= keys(kicked.name) | _place(kicked)
        async with self._table.changing():
            self._table.record.kicked = _with_marks(self._table.record.kicked, marks)
            chair.clear()
        if kicked is not None:
            self._let_go(kicked)
            kicked.tell(m.Left(0, "kicked", "The host gave your seat to another player."))
        peer.tell(m.Done(message.ref))
        self._show_change(peer)
        return None

    async def rename(self, peer: Peer, message: m.Rename) -> None:
        """Change the name of a player before the end, or of a spectator.

        A muted person keeps their name: by another one they could be heard again. Raises StoreError.
        """
        table, before = self._table, peer.called
        refusal = OVER if peer.seat != LOOKING_ON and table.record.phase is TablePhase.OVER else None
        if refusal is None and self._free_name(message.name, peer) != message.name:
            refusal = _NAME_TAKEN
        refusal = refusal or self._may_not_speak(peer)
        if refusal is None and peer.seat != LOOKING_ON and table.record.phase is TablePhase.PLAYING:
            refusal = None if self._renamed.take(str(peer.seat)) else _RENAMED
        if refusal is not None:
            return peer.refuse(message.ref, refusal)
        if peer.seat != LOOKING_ON:
            async with table.changing():
                table.seating.chairs[peer.seat].record.name = message.name
        note_participant(table.record, peer.person, before)
        note_participant(table.record, peer.person, message.name)
        peer.said = peer.name = peer.called = message.name
        if peer.seat == LOOKING_ON:
            table.audience.counts.add(peer)
        peer.tell(m.Done(message.ref))
        self._show_change(peer)
        if before != message.name:
            self._tell_hidden(peer)
            await table.proclaim(f"{before} is now {message.name}.")
        return None

    async def number(self, peer: Peer, message: m.Number) -> None:
        """Store a player's number for the dice."""
        refusal = NOT_SEATED if peer.seat == LOOKING_ON else None
        if refusal is None and self._table.record.phase != TablePhase.GATHERING:
            refusal = STARTED
        if refusal is not None:
            return peer.refuse(message.ref, refusal)
        async with self._table.changing():
            self._table.seating.chairs[peer.seat].record.number = message.number
        peer.tell(m.Done(message.ref))
        self._show_change(peer)
        return None

    async def start(self, peer: Peer, message: m.Start) -> None:
        """Begin the match, for the host."""
        table = self._table
        refusal = self._host_only(peer, 0)
        if refusal is None and table.seating.taken < len(table.record.chairs):
            refusal = _SEATS_FREE
        if refusal is not None:
            return peer.refuse(message.ref, refusal)
        if table.record.people_rated is Rated.YES:
            await self._check_households()
        await self._play.begin(partial(peer.tell, m.Done(message.ref)))
        log.info("begun", match=table.record.match, ruleset=table.record.ruleset)
        return None

    async def _check_households(self) -> None:
        """Make the match unrated if two of its people share a network. Raises StoreError."""
        peers = [self._table.audience.player(seat) for seat in range(len(self._table.record.chairs))]
        if share_a_household([network_of(peer.address) if peer is not None else "" for peer in peers]):
            await self._unrate()
            await self._table.proclaim("This match is no longer rated: two people share an address.")

    async def _unrate_changed_seat(self) -> None:
        """Make the match unrated because a seat has another person. Raises StoreError."""
        await self._unrate()
        await self._table.proclaim("This match is no longer rated: a seat has another person.")

    async def _unrate(self) -> None:
        async with self._table.changing():
            self._table.record.people_rated = Rated.NO
        self._table.announce()

    async def rematch(self, peer: Peer, message: m.Rematch) -> None:
        """Open a table for a rematch if there is none yet, and invite all peers to it."""
        refusal = self._no_rematch_for(peer)
        fresh = self._next is None or not self._founder.gathers(self._next.match)
        if refusal is None and fresh:
            refusal = await self._renew(peer, message.seats)
        if refusal is not None:
            return peer.refuse(message.ref, refusal)
        self._invite(peer, message.ref)
        for other in self._table.audience.peers:
            if fresh and other is not peer:
                self._invite(other)
        return None

    def _no_rematch_for(self, peer: Peer) -> Refusal | None:
        if peer.seat == LOOKING_ON:
            return NOT_SEATED
        return None if self._table.record.phase == TablePhase.OVER else _NOT_OVER

    async def _renew(self, peer: Peer, arrangement: Arrangement) -> Refusal | None:
        """Open the table of the rematch; return why that is refused, None if it is open."""
        before, dice = self._table.record, self._table.services.dice
        places = order(len(before.chairs), arrangement, dice.seating())
        record = following(before, places, self._gone - {peer.seat}, peer.seat)
        held = hold(record, places)
        refusal = await self._founder.renew(peer, record)
        if refusal is None:
            self._next = Next(record.match, record.code, peer.called, held)
            log.info("again", match=before.match, next=record.match)
        return refusal

    def _invite(self, peer: Peer, ref: int = 0) -> None:
        """Invite a peer to the table of the rematch, if there is one."""
        if self._next is not None:
            peer.tell(self._next.invitation(peer.seat, ref))

    async def erase(self, person: str) -> None:
        """Take an erased person out of the table; their seat goes on by the table's rule of absence.

        Raises StoreError.
        """
        table = self._table
        async with table.changing():
            seats = erase_person(table.record, person, table.check)
        for seat in seats:
            self._hands.close(seat)
        for peer in [peer for peer in table.audience.peers if peer.person == person or peer.seat in seats]:
            peer.link.end(Close.ENDED)
            await self.dropped(peer)
        table.pass_host_on()
        table.announce()

    async def leave(self, peer: Peer, message: m.Leave) -> None:
        """Remove a peer from the table. During the match a bot plays for its seat until the person resumes."""
        seat = peer.seat
        if seat != LOOKING_ON:
            await self._give_up(self._table.seating.chairs[seat])
            self._hands.close(seat)
            self._play.clocks_changed()
            self._gone.add(seat)
            self._here_until[seat] = self._table.services.clock.now()
        self._let_go(peer)
        peer.tell(m.Left(message.ref, "left", "You left the table."))
        self._table.pass_host_on()
        if seat == LOOKING_ON:
            return self._announce_soon()
        self._show_change()
        self._play.call_bots()
        return None

    async def dropped(self, peer: Peer) -> None:
        """Remove a peer whose connection broke; its seat is held."""
        seat = peer.seat
        self._let_go(peer)
        if seat == LOOKING_ON:
            self._table.pass_host_on()
            self._announce_soon()
        else:
            self._here_until[seat] = self._table.services.clock.now()
            if self._table.record.phase == TablePhase.PLAYING:
                self._play.person_dropped(seat)
            self._show_change()
            self.sweep_later([self._table.seating.chairs[seat]])

    def say(self, peer: Peer, message: m.Say) -> None:
        """Send a chat line to all who may hear it. Lines of muted peers or beyond the rate are refused."""
        refusal = self._may_not_speak(peer)
        if refusal is not None:
            return peer.refuse(message.ref, refusal)
        try:
            text = clean_chat(message.text, MAX_TEXT)
        except ValueError as error:
            return peer.refuse(message.ref, Refusal("bad-text", "", str(error)))
        line = m.Line(peer.seat, peer.called, text)
        self._table.record.talk = with_line(self._table.record.talk, line)
        note_participant(self._table.record, peer.person, peer.called)
        self._table.record.words += line.seat != LOOKING_ON
        self._keep_talk_later(TALK_SAVED)
        audience = self._table.audience
        tell = audience.tell_gallery if self._in_gallery(peer) else audience.tell
        return tell(m.Said(line.seat, line.name, line.text))

    def listen(self, peer: Peer, message: m.Listen) -> None:
        """Set whether a player hears spectators."""
        peer.listens = message.on
        peer.tell(m.Done(message.ref))

    def _in_gallery(self, peer: Peer) -> bool:
        """Whether players hear that peer only if they listen: a spectator during the match."""
        return peer.seat == LOOKING_ON and self._table.record.phase == TablePhase.PLAYING

    def _keep_talk_later(self, seconds: float) -> None:
        # One timer for all lines until then: a busy chat is stored once in that time.
        if self._keeping is None:
            clock = self._table.services.clock
            self._keeping = clock.call_later(seconds, lambda: self._post(self._keep_talk))

    async def _keep_talk(self) -> None:
        """Store chat, unless an action's record contained it. Raises StoreError; it is tried again."""
        self._keeping = None
        if self._table.has_unsaved_talk:
            try:
                await self._table.save()
            except StoreError:
                self._keep_talk_later(TALK_RETRY)
                raise

    async def go_to_sleep(self) -> None:
        """Save the standing and chat, and release the match.

        Until it wakes, only its record is read and it has no owner. Raises StoreError.
        """
        self.settle_record()
        await self._table.release()

    def settle_record(self) -> None:
        """Note in the record how the match stands, for readers of the record while the match sleeps."""
        self._table.record.standing, self._table.record.lag = self._play.standing, self._play.lag
        if self._keeping is not None:
            self._keeping.cancel()
            self._keeping = None

    async def mute(self, peer: Peer, message: m.Mute) -> None:
        """Mute a person or end that, for the host.

        It also applies to other people from the same address or with the same profile. Raises StoreError.
        """
        if not self._table.is_host(peer):
            return peer.refuse(message.ref, NOT_HOST)
        meant = [each for each in self._table.audience.peers if each.called == message.name and each is not peer]
        marks = keys(message.name).union(*map(_place, meant))
        record, before = self._table.record, self._table.record.muted
        # A mute of a person who has left can still be ended by the name.
        if not meant and not (not message.on and marks.intersection(before)):
            return peer.refuse(message.ref, _NOT_HEARD)
        others = tuple([mark for mark in before if mark not in marks])
        async with self._table.changing():
            record.muted = _with_marks(before, marks) if message.on else others
        return peer.tell(m.Done(message.ref))

    def _may_not_speak(self, peer: Peer) -> Refusal | None:
        if self.is_muted(peer):
            return MUTED
        chair = self._table.seating.chairs[peer.seat].record if peer.seat != LOOKING_ON else None
        mute = self._table.services.moderation.mute_of(peer.person or (chair.person if chair is not None else ""))
        if mute is not None:
            return muted(mute)
        chat = self._table.services.chat
        # The address pays first: lines that its own budget refuses use up none of the table's.
        fair = peer.trusted or chat is None or chat.take(peer.address)
        talk = self._gallery if self._in_gallery(peer) else self._talk
        return None if fair and talk.take() else _TOO_MUCH

    def is_muted(self, peer: Peer) -> bool:
        """Whether the host has muted that person."""
        return not _place(peer).union(keys(peer.called)).isdisjoint(self._table.record.muted)

    async def report(self, peer: Peer, message: m.Report) -> None:
        """Pass a report of a person at this table on to the operator. Raises StoreError."""
        people = self._people
        refusal = _NOT_HEARD if message.name not in people or message.name == peer.called else None
        match = self._table.record.match
        refusal = refusal or await self._founder.report(peer, people[message.name], match, message)
        return peer.refuse(message.ref, refusal) if refusal is not None else peer.tell(m.Done(message.ref))

    async def block(self, peer: Peer, message: m.Block) -> None:
        """Set what a peer wishes of a person at this table or on their list. Raises StoreError."""
        refusal = await self._founder.block(peer, self._people.get(message.name, ""), message) if message.name else None
        if refusal is not None:
            return peer.refuse(message.ref, refusal)
        return self._founder.tell_blocks(peer, message.ref, self._hidden_from(peer))

    @property
    def _people(self) -> dict[str, str]:
        """By name at this table, the profiles of its people, "" for none."""
        seated = {chair.name: chair.person for chair in self._table.record.chairs if chair.name}
        spoke = {name: person for person, name in self._table.record.participants}
        return spoke | seated | {peer.called: peer.person for peer in self._table.audience.peers}

    def _hidden_from(self, peer: Peer) -> tuple[str, ...]:
        hidden = self._table.services.moderation.hidden_by(peer.person)
        return tuple([name for name, person in self._people.items() if person in hidden]) if hidden else ()

    def _tell_hidden(self, peer: Peer) -> None:
        """Tell a peer that came, and all who hide its words, which names at this table they hide."""
        state = self._table.services.moderation
        for each in (peer, *(self._table.audience.peers if state.is_hidden(peer.person) else ())):
            if BLOCKS in each.agreed and state.hidden_by(each.person):
                self._founder.tell_blocks(each, 0, self._hidden_from(each))

    def sweep_later(self, chairs: Sequence[SeatHolder]) -> None:
        """Schedule freeing the chairs whose persons are away now, if they stay away for the grace period.

        Only before the start, and not those that are held for a rematch.
        """
        if self._table.record.phase == TablePhase.GATHERING:
            services = self._table.services
            # Chairs with their count of absences: a person who came back and left again gets the full time anew.
            away = [
                (chair, chair.absences) for chair in chairs if chair.kind == SeatKind.AWAY and not chair.record.held
            ]
            services.clock.call_later(services.grace, lambda: self._post(partial(self._sweep, away)))

    def close_later(self) -> None:
        """Schedule freeing the seats held for a rematch, for a table at which no client is now. Only before the
        start."""
        if self._table.record.phase == TablePhase.GATHERING:
            clock, arrivals = self._table.services.clock, self._arrivals
            clock.call_later(KEPT, lambda: self._post(partial(self._free_held, arrivals)))

    async def _free_held(self, arrivals: int) -> None:
        """Free the held seats if no client has come since. Raises StoreError."""
        table = self._table
        held = [chair for chair in table.seating.chairs if chair.record.held]
        if table.record.phase == TablePhase.GATHERING and held and arrivals == self._arrivals:
            async with table.changing():
                for chair in held:
                    chair.clear()

    def is_confirmed(self, peer: Peer) -> bool:
        """Whether the peer's token is known to have arrived and no bot has its seat."""
        if peer.seat == LOOKING_ON:
            return True
        chair = self._table.seating.chairs[peer.seat]
        return not (chair.is_offered(peer.offered) or chair.record.stand_in)

    async def confirm(self, peer: Peer) -> None:
        """Confirm the peer's token, because the peer sent a request after it was seated; a stand-in bot leaves.

        Another token may have been offered since, to a connection that is dead: it must not become the valid one.
        """
        if self.is_confirmed(peer):
            return
        chair = self._table.seating.chairs[peer.seat]
        was_bot = bool(chair.bot)
        async with self._table.changing():
            chair.confirm(peer.offered)
        if was_bot:
            self._play.clocks_changed()
            self._show_change(peer)

    def send_all_away(self) -> None:
        """Disconnect all peers because another server runs the table: they are to reconnect."""
        for peer in self._table.audience.peers:
            self._send_away(peer, Close.MOVED)

    async def _give_up(self, chair: SeatHolder) -> None:
        """Take a seat from its person: before the start it becomes free, during the match a bot plays."""
        async with self._table.changing():
            if self._table.record.phase == TablePhase.GATHERING and not self._table.record.sought:
                chair.clear()
            elif self._table.record.phase != TablePhase.OVER:
                chair.record.readers = b""
                chair.give_to_bot(STAND_IN_KIND, self._play.now)

    async def _sweep(self, away: list[tuple[SeatHolder, int]]) -> None:
        """Before the start, free the seats whose persons have been away ever since."""
        table = self._table
        gone = [chair for chair, absences in away if chair.kind == SeatKind.AWAY and chair.absences == absences]
        if table.record.phase == TablePhase.GATHERING and gone:
            async with table.changing():
                for chair in gone:
                    chair.clear()
            table.pass_host_on()
            table.announce()

    async def _sit(self, peer: Peer, message: m.Create | m.Join, seat: int) -> None:
        table = self._table
        name = self._free_name(peer.name, peer)
        async with table.changing():
            token = table.seating.chairs[seat].sit(name, peer.person, message.key)
            note_participant(table.record, peer.person, name)
            note_participant(table.record, peer.person, peer.name)  # The title may have it.
            table.seating.chairs[seat].record.device = peer.proof
        self._enter(peer, seat)
        table.pass_host_on()
        self._tell_seat(peer, message.ref, token)
        self._show_change(peer)
        self._tell_hidden(peer)
        table.tell_story(peer)

    def _enter(self, peer: Peer, seat: int) -> None:
        """Let the peer follow the match as the player of a seat or as a spectator."""
        self._arrivals += 1
        peer.seat, peer.listens = seat, False
        if seat == LOOKING_ON:
            name = UNNAMED if speaks_for_others(peer.name) else peer.name
            peer.called = self._free_name(name, peer, BOT_NAMES)
        else:
            chair = self._table.seating.chairs[seat]
            chair.here, peer.called = True, chair.record.name
            self._here_since[seat] = self._table.services.clock.now()
        self._table.audience.enter(peer)

    def _free_name(self, name: str, peer: Peer, reserved: Sequence[str] = ()) -> str:
        """Return the name for a newcomer, with a number if another one at the table, a member's or a reserved one looks
        like it."""
        seated = self._seated_looks(peer).union(*map(keys, reserved))
        has_name = self._table.audience.counts.has_name
        names, date = self._table.services.names, self._table.services.date()

        def is_taken(looks: frozenset[str]) -> bool:
            here = not seated.isdisjoint(looks) or has_name(looks, peer)
            return here or names.has_other(looks, peer.person, date)

        return numbered(name, is_taken, self._arrivals)

    def _seated_looks(self, peer: Peer) -> frozenset[str]:
        """Return the keys of the names on all seats but the peer's; bots have the names that programs show."""
        chairs = enumerate(self._table.seating.chairs)
        seated = [chair.record.name or (BOT_NAMES[seat] if chair.record.bot else "") for seat, chair in chairs]
        return frozenset().union(*[keys(name) for seat, name in enumerate(seated) if name and seat != peer.seat])

    def _let_go(self, peer: Peer) -> None:
        """Detach a peer from the table."""
        self._table.audience.leave(peer)
        if peer.seat != LOOKING_ON:
            chair = self._table.seating.chairs[peer.seat]
            chair.leave()
            chair.record.heard = self._table.record.words if chair.record.name else 0
        peer.table, peer.seat, peer.reading = None, LOOKING_ON, LOOKING_ON
        if not self._table.audience.peers:
            self.close_later()

    def _tell_seat(self, peer: Peer, ref: int, token: bytes) -> None:
        """Tell a peer the token of its seat."""
        peer.offered = hashed(token)
        peer.tell(m.Seated(ref, self._table.record.match, peer.seat, token, self._highest_command(peer.seat)))

    def _send_away(self, peer: Peer, code: Close) -> None:
        peer.link.end(code)
        self._let_go(peer)

    def _highest_command(self, seat: int) -> int:
        return self._table.match.highest_command(seat) if self._table.match else 0

    def closed_to(self, peer: Peer, code: str) -> Refusal | None:
        """Return why a peer may see nothing of this table with that code, None if it may."""
        if not self._table.opens_to(plain_code(code)):
            return _NO_MATCH
        known = _place(peer).union(keys(peer.name))
        return None if known.isdisjoint(self._table.record.kicked) else _KICKED

    def _here_already(self, peer: Peer) -> Refusal | None:
        return _BUSY if peer in self._table.audience else None

    def _crowded_for(self, peer: Peer) -> Refusal | None:
        crowded = self._table.audience.counts.addresses.are_crowded(peer.address, LOOKING_ON_EACH)
        return _CROWDED if crowded and not peer.trusted else None

    def _host_only(self, peer: Peer, seat: int) -> Refusal | None:
        if not self._table.is_host(peer):
            return NOT_HOST
        if self._table.record.phase != TablePhase.GATHERING:
            return STARTED
        return None if seat < len(self._table.seating.chairs) else _WRONG_SEAT

    def _show_change(self, peer: Peer | None = None) -> None:
        """Show the changed table to `peer`, whose request changed it, at once.

        All others see it at once if the rate allows, else soon.
        """
        if self._shown.take():
            return self._table.announce(peer)
        if peer is not None:
            self._table.show_state(peer)
        self._announce_soon()
        return None

    def _announce_soon(self) -> None:
        """Announce the table after a delay.

        Arrivals, and hosts that toggle a bot for ever, are collected into one message.
        """
        if not self._announcing:
            self._announcing = True
            delay = max(1 / SHOWN.a_second, min(self._table.audience.watchers * EACH, LATEST))
            self._table.services.clock.call_later(delay, lambda: self._post(self._announce_now))

    async def _announce_now(self) -> None:
        self._announcing = False
        self._table.announce()


def _with_marks(before: Sequence[str], marks: Set[str]) -> tuple[str, ...]:
    """Return marks of people with new ones added, the newest last."""
    return (*[mark for mark in before if mark not in marks], *sorted(marks))[-MARKS:]


def _place(peer: Peer) -> set[str]:
    """Return the marks of a peer's address and profile, which are used beside the keys of names.

    A trusted peer, which connects from the server's own machine, has no mark of its address.
    """
    return ({f"@{peer.address}"} if not peer.trusted else set()) | ({f"#{peer.person}"} if peer.person else set())


class Absences:
    """Source of `Absent`. All methods are called by the table's task, one after the other."""

    def __init__(self, table: Table, play: RunningMatch, members: Members) -> None:
        self._table = table
        self._play = play
        self._members = members
        self._told: list[tuple[int, SeatKind, bool]] = []
        """Absent seats as all peers were told last: the seat, its kind, and whether a bot plays a single turn."""

    def tell(self, peer: Peer) -> None:
        """Tell a new peer which players are away, if any are."""
        if ABSENCE in peer.agreed and self._gone():
            peer.tell(self._absent())

    def settle(self) -> None:
        """Tell all peers which players are away, if that has changed since the last call."""
        gone = self._gone()
        if gone == self._told:
            return
        self._told, absent = gone, self._absent()
        for peer in self._table.audience.peers:
            if ABSENCE in peer.agreed:
                peer.tell(absent)

    def _gone(self) -> list[tuple[int, SeatKind, bool]]:
        table = self._table
        if table.record.phase != TablePhase.PLAYING or levels.by_post(table.pace):
            return []
        return [
            (seat, chair.kind, chair.record.turn is not None)
            for seat, chair in enumerate(table.seating.chairs)
            if chair.kind in (SeatKind.AWAY, SeatKind.STAND_IN) and not chair.here
        ]

    def _absent(self) -> Absent:
        return Absent(tuple([self._seat(*gone) for gone in self._gone()]))

    def _seat(self, seat: int, kind: SeatKind, turn: bool) -> AbsentSeat:
        since = self._members.away_for(seat)
        left = self._countdown - since if kind is SeatKind.AWAY else 0.0
        return AbsentSeat(seat, int(since), max(0, round(left)), turn)

    @property
    def _countdown(self) -> float:
        """Seconds of absence after which a bot plays, or votes no longer wait; 0 if nothing happens then."""
        if self._table.record.away is Away.ASK:
            return self._table.services.grace
        return self._play.takeover
