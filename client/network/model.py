"""Client's models of a match and of the lobby. They know no window and ask the rules for legal actions."""

from collections.abc import Callable, Iterable, Sequence
from math import inf
from time import monotonic
from typing import Any, Final, Protocol

from msgspec import Raw, Struct, structs

from client.language import _
from client.network.advice_request import NO_SERVER, NOT_YOURS, AdviceRequest, AdviceTexts, closed_to
from client.network.blocks import Blocks
from client.network.rate_limited_log import RateLimitedLog
from client.network.rewind_moments import Moments
from client.network.table_events import WentBack
from client.network.voting import Voting
from protocol import codec, delta
from protocol.dice_commitment import DiceCommitment, Doubt
from protocol.session import ClientSession
from shared import messages as m
from shared.ids import NATURE, Seat
from shared.kernel import engine
from shared.kernel.frames import Action, Event
from shared.kernel.ruleset import AnyRuleset
from shared.refusal import Refusal
from shared.tables import BOT_NAMES, HASTEN, THE_TABLE, UNDO, Matter, SeatKind, TablePhase

CHAT_KEPT: Final = 200

DOUBTS: Final = {
    Doubt.CHANGED: _("The dice of this match cannot be trusted: the server has changed its commitment."),
    Doubt.LEFT_OUT: _("Your number is not in the dice of this match: it came too late, or the server left it out."),
    Doubt.BROKEN: _("The dice of this match cannot be trusted: their secret does not match the commitment."),
}
"""Chat lines of the table for faults that this client found in the dice."""

_log = RateLimitedLog(__name__)
_MOST_LISTED: Final = 4000
"""Maximum number of listed tables; a server has at most 2000."""
_MOST_UNREAD: Final = 10
"""Unreadable events of one message after which the rest of it is dropped."""


def sitter(seat: Seat, name: str, bot: str) -> str:
    """Return the name of a seat's player; `bot`: its level, "" for a person."""
    return name or (BOT_NAMES[seat % len(BOT_NAMES)] if bot else _("Seat {what}", what=seat + 1))


class VersionedEvent(Struct, frozen=True):
    """Event of the match and the version that it led to. `late`: it happened while the player was away."""

    version: int
    event: Event
    late: bool = False


class FrameSequence(Struct):
    """Snapshot and all frames that followed it."""

    begin: m.Snapshot
    frames: list[m.Frame]

    def add(self, frame: m.Frame) -> None:
        """Append a frame; one that is known already or does not follow is ignored."""
        if frame.version == self.begin.version + len(self.frames) + 1:
            self.frames.append(frame)


class Company(Protocol):
    """People at a table and their chat."""

    table: m.TableState | None
    seat: Seat
    chat: list[m.Said]

    def name(self, seat: Seat) -> str:
        """Return the name of the player on a seat."""


class MatchModel:
    """State of one match in this client: the table around it, the view, and the legal actions of this seat.

    It follows the `ClientSession`, which patches the view and checks its digest. `send` takes encoded messages.
    """

    def __init__(
        self, rules: AnyRuleset, table: m.TableState, session: ClientSession, send: Callable[[bytes], object]
    ) -> None:
        self.rules = rules
        self.table: m.TableState | None = table
        self.seat: Seat = table.you
        self.view: Any = None
        """View as the rule set's own type, a new object with every version; None before the first snapshot."""
        self.version = 0
        self.clock: m.Clock | None = None
        self.chat: list[m.Said] = []
        self.refusal: m.Refused | None = None
        """Last refusal of an action; `act` and the code that displays it reset it to None."""
        self._session = session
        self._send = send
        self._new_events: list[VersionedEvent] = []
        self._story: list[VersionedEvent] = []
        self._clock_at = 0.0
        self._mismatches = session.mismatches
        self._sent: set[int] = set()
        self._deciding: set[int] = set()
        """Numbers of sent actions that answer a decision."""
        self._behind = False
        """Whether a new connection still sends missed events; the table's clock message ends that."""
        self.hand: m.HandShown | None = None
        """Last known state of our hand on other devices."""
        self._hand_at = 0.0
        self.hooked = ""
        """Form of the table's webhook; known to the host alone."""
        self.invited: m.Invited | None = None
        """Invitation to the rematch, once there is one."""
        self.fresh = False
        """Whether the position is new: it did not come about during an absence or before the player came."""
        self.judge: Callable[[Action], object] | None = None
        """Called with each action before it is sent, for problems."""
        self.muted: frozenset[str] = frozenset()
        """Names that we, the host, have muted."""
        self.blocks = Blocks(session, send)
        self._muting: dict[int, frozenset[str]] = {}
        """Names muted once the server has agreed, by request."""
        self._advising = AdviceRequest(rules, session, send)
        self.voting = Voting(session, send)
        self.moments = Moments()
        self._undone_at = -1
        """Version at which we requested an undo; until the answer, or another version."""
        self._doubted = Doubt.NONE
        """Faults of the dice that the player was told of already."""
        self.received: FrameSequence | None = None
        """Gapless record of what this audience was sent, for a replay; None if there is none."""
        self.unseen: FrameSequence | None = None
        """The same since the player was last at the screen of a shared computer."""

    @property
    def stake(self) -> DiceCommitment:
        """Our commitment to the dice."""
        return self._session.stake

    @property
    def hand_left(self) -> float:
        """Seconds until the code of our hand expires."""
        return max(0.0, self.hand.seconds - (monotonic() - self._hand_at)) if self.hand is not None else 0.0

    @property
    def pending(self) -> bool:
        """Whether a sent action is not answered yet."""
        return bool(self._session.pending)

    @property
    def awaited(self) -> bool:
        """Whether the match goes on, and its first position is still under way."""
        return self.view is None and self.table is not None and self.table.phase == TablePhase.PLAYING

    @property
    def finished(self) -> bool:
        """Whether the match is over, by its rules or by agreement."""
        return self.view is not None and (self.rules.finished(self.view) or self._closed)

    @property
    def _closed(self) -> bool:
        return self.table is not None and self.table.phase == TablePhase.OVER

    @property
    def over(self) -> bool:
        """Whether the match is over or the table was closed."""
        return self.finished or self._closed

    @property
    def is_mine(self) -> bool:
        """Whether this seat owes a decision and has sent none."""
        return self.seat >= 0 and self.seat in self.owed() and not self.pending

    def is_at(self, table: m.TableState) -> bool:
        """Whether this match is played at that table."""
        return self.table is not None and self.table.match == table.match

    def owed(self) -> tuple[Seat, ...]:
        """Return the seats that must decide now; (NATURE,) while dice roll, () without a view or after the end."""
        return engine.owed(self.rules, self.view) if self.view is not None and not self._closed else ()

    def check(self, action: Action) -> Refusal | None:
        """Return None if this seat may take the action now, else the reason."""
        if self.view is None or self.seat < 0:
            return Refusal("spectator", "", _("You are watching."))
        return engine.check(self.rules, self.view, self.seat, action)

    def options(self) -> Sequence[Action]:
        """Return the legal actions of this seat if it owes a decision, as `Handler.options` does."""
        if self.view is None or self.seat < 0 or self.seat not in self.owed():  # NATURE owes a decision, too.
            return ()
        return engine.options(self.rules, self.view, self.seat)

    def act(self, action: Action) -> Refusal | None:
        """Send an action. A refusal that is known here is returned at once and nothing is sent."""
        refusal = self.check(action)
        if refusal is not None:
            return refusal
        if self.judge is not None:
            self.judge(action)
        standing = isinstance(action, self.rules.standing.kinds)
        frame = 0 if standing else engine.top(self.view).no
        self.refusal = None
        # The session chooses the number of the command; the difference to before tells it.
        before = set(self._session.pending)
        self._send(self._session.act(frame, action))
        sent = set(self._session.pending) - before
        self._sent |= sent
        self._deciding |= set() if standing else sent
        return None

    @property
    def undoable(self) -> int:
        """Number of our own decisions that can be undone now, one after the other."""
        return 0 if self.pending or self._undone_at == self.version else self._session.undo

    def hasten(self) -> None:
        """Let bots play without pauses until our next decision, if the server supports that."""
        if HASTEN in self._session.can and self.seat >= 0 and not self.is_mine:
            self._send(codec.encode(m.Hasten(self._session.ref())))

    @property
    def alone(self) -> bool:
        """Whether this seat plays against bots only, at a table that allows undoing."""
        table = self.table
        if table is None or table.forward_only or UNDO not in self._session.can or self.seat < 0:
            return False
        others = [info.kind for seat, info in enumerate(table.seats) if seat != self.seat]
        return not self.over and all(kind is SeatKind.BOT for kind in others)

    def undo(self, again: bool = False) -> bool:
        """Ask to undo our last decision; the server says why if it cannot. Return whether a request is out.

        again: undo although dice have fallen since, where we are `alone`.
        """
        if self.pending or self._undone_at == self.version:
            return True
        if self.seat < 0 or not (self.undoable or UNDO in self._session.can):
            return False
        ref, self._undone_at = self._session.ref(), self.version
        self._sent.add(ref)
        self._send(codec.encode(m.Undo(ref, self.version, again)))
        return True

    def propose(self, motion: m.Motion) -> None:
        """Ask the others at the table."""
        self._sent.add(self.voting.propose(motion))

    def vote(self, yes: bool) -> None:
        """Answer the open question."""
        self._sent.add(self.voting.vote(self.seat, yes))

    @property
    def thinking(self) -> bool:
        """Whether requested advice is still to come."""
        return self._advising.thinking

    @property
    def advised(self) -> AdviceTexts | None:
        """Requested advice for this position, None if there is none."""
        return self._advising.at(self.version) if self.is_mine else None

    def no_advice(self) -> str:
        """Return why this seat cannot ask for advice now, in a sentence; empty if it can."""
        if self.seat >= 0 and not self._advising.known:
            return NO_SERVER
        return closed_to(self.table, self.seat) or ("" if self.is_mine else NOT_YOURS)

    def ask_advice(self) -> None:
        """Ask for the move of the strongest bot."""
        if not self.no_advice():
            self._advising.ask(engine.top(self.view).no)

    def forget_advice(self) -> None:
        """Discard the advice."""
        self._advising.forget()

    def mute(self, name: str, on: bool) -> None:
        """As host, mute a person at the table for all, or unmute them (`on` false)."""
        ref = self._session.ref()
        self._muting[ref] = self.muted | {name} if on else self.muted - {name}
        self._send(codec.encode(m.Mute(ref, name, on)))

    def take_story(self) -> list[VersionedEvent]:
        """Return the events from before this client came; the second call returns none."""
        story, self._story = self._story, []
        return story

    def take_events(self) -> list[VersionedEvent]:
        """Return the events since the last call, in order."""
        events, self._new_events = self._new_events, []
        return events

    def seconds_left(self) -> float | None:
        """Seconds until the clock decides for the awaited seat; None without a clock."""
        if self.clock is None or self.clock.left <= 0:
            return None
        return max(0.0, self.clock.left - (monotonic() - self._clock_at))

    def times(self) -> tuple[float, ...]:
        """Return the seconds that each seat has left, now or for its next turn.

        They are `inf` for bots; the tuple is empty without clocks.
        """
        clock = self.clock
        if clock is None or self.over:
            return ()
        elapsed = monotonic() - self._clock_at
        running = () if clock.paused else clock.seats
        bots = [bool(info.bot) for info in self.table.seats] if self.table is not None else []
        return tuple(
            inf if any(bots[seat : seat + 1]) else max(0.0, each.left / 1000 - (elapsed if seat in running else 0))
            for seat, each in enumerate(clock.clocks)
        )

    @property
    def paused(self) -> bool:
        """Whether the match is paused for all."""
        return self.clock is not None and self.clock.paused

    @property
    def replaced(self) -> bool:
        """Whether a bot plays on our seat although we are here: our time was up."""
        table = self.table
        return table is not None and self.seat >= 0 and table.seats[self.seat].kind == SeatKind.STAND_IN

    def come_back(self) -> None:
        """Take our seat back from the bot that plays for us."""
        if self.replaced:
            self._send(codec.encode(m.Sync(self.version)))

    def name(self, seat: Seat) -> str:
        """Return the name of the player on a seat."""
        if self.table is None or not 0 <= seat < len(self.table.seats):
            return _("Chance") if seat == NATURE else _("Nobody")
        info = self.table.seats[seat]
        return sitter(seat, info.name, info.bot)

    def home(self, seat: Seat) -> str:
        """Return the rule set's name of the seat, such as its home province."""
        return self.rules.seat_name(self.view, seat) if self.view is not None else _("Seat {what}", what=seat + 1)

    def hear(self, message: m.ServerMessage) -> None:
        """React to a message; the session has processed it already."""
        self.refusal = self._advising.hear(message) or self.refusal
        question = self.voting.hear(message)
        if question is not None:
            back = question.poll.motion.matter is Matter.BACK
            moment = self.moments.at(question.poll.motion.to) if back else None
            self._new_events.append(VersionedEvent(self.version, structs.replace(question, moment=moment)))
        hides = self.blocks.hear(message)
        match message:
            case m.TableState() if self.is_at(message):
                self.table, self.seat = message, message.you
            case m.Welcome():
                # Requests of the last connection get no answer any more.
                self._behind, self._undone_at = True, -1
            case m.Snapshot():
                self._refresh()
                self.fresh = False
                # A replay needs frames without a gap, and there may be one before each snapshot.
                self.received, self.unseen = FrameSequence(message, []), FrameSequence(message, [])
                self.moments.see(self.version, self.rules, self.view, self.owed())
            case m.Frame():
                self._refresh()
                self.fresh = not self._behind
                for record in (self.received, self.unseen):
                    if record is not None:
                        record.add(message)
                events = [event for event in self._events(message.events) if event]
                events += [WentBack(message.back.seat, message.back.to)] if message.back is not None else []
                self._new_events += [VersionedEvent(message.version, event, self._behind) for event in events]
                self.moments.hear(message.version, events)
                self.moments.see(self.version, self.rules, self.view, self.owed())
            case m.Clock():
                self.clock, self._clock_at = message, monotonic()
                self._behind = False
            case m.Story():
                self.chat = [m.Said(line.seat, line.name, line.text) for line in message.chat]
                self._doubted = Doubt.NONE
                # Not strict: after too many unreadable events the rest is missing.
                versions = [version for version, _data in message.events]
                story = list(zip(versions, self._events(data for _version, data in message.events), strict=False))
                story += [(version, WentBack(back.seat, back.to)) for version, back in message.backs]
                self._story = [
                    VersionedEvent(version, event) for version, event in sorted(story, key=_version_of) if event
                ]
                for one in self._story:
                    self.moments.hear(one.version, [one.event])
            case m.Said():
                self._hear_said(message)
            case m.Hooked():
                self.hooked = message.form
            case m.Seated():
                if message.command:
                    self.moments.decided_before()
                self.hand = None  # If the hand is still shown, the server says so again.
            case m.HandShown():
                self.hand, self._hand_at = message, monotonic()
            case m.Invited():
                self.invited = message
            case m.Done() if message.ref in self._muting:
                self.muted = self._muting.pop(message.ref)
            case m.Accepted():
                self._sent.discard(message.command)
                if message.command in self._deciding:
                    self._deciding.remove(message.command)
                    # The decision was made in the position before the version that it led to.
                    self.moments.decide(message.version - 1)
            case m.Refused() if message.ref in self._sent:
                self._sent.discard(message.ref)
                self._undone_at = -1
                self.refusal = message
            case _:
                pass
        self._look_at_dice()
        if hides or isinstance(message, m.TableState | m.Story | m.Said):
            self._hide()

    def _hide(self) -> None:
        """Drop what people say that the player hides, and their names among the spectators."""
        hidden = self.blocks.hidden
        self.chat = [line for line in self.chat if line.name not in hidden]
        if self.table is not None and not hidden.isdisjoint(self.table.onlookers):
            onlookers = tuple(name for name in self.table.onlookers if name not in hidden)
            self.table = structs.replace(self.table, onlookers=onlookers)

    def _hear_said(self, line: m.Said) -> None:
        self.chat = [*self.chat[1 - CHAT_KEPT :], line]

    def _look_at_dice(self) -> None:
        """Report a fault that the session found in the dice, once."""
        doubt = self._session.stake.doubt
        if doubt not in (Doubt.NONE, self._doubted):
            self._hear_said(m.Said(THE_TABLE, "", DOUBTS[doubt]))
        self._doubted = doubt

    def step_aside(self) -> None:
        """Note that the player leaves the screen of a shared computer: `unseen` begins here."""
        # Without sync the view is not the server's, and later frames would not fit it.
        if self.unseen is not None and self._session.in_sync:
            view = codec.ENCODER.encode(self._session.view)
            self.unseen = FrameSequence(m.Snapshot(self.version, delta.digest(view), Raw(view)), [])

    def _refresh(self) -> None:
        """Read the session's view; log it if its digest was wrong."""
        session = self._session
        if session.mismatches != self._mismatches:
            self._mismatches = session.mismatches
            _log.warning("match %s, version %d: the view differs from the server's", session.match, session.version)
        # The session patches one list in place. A new object lets screens compare a position with an earlier one.
        self.view = self.rules.view_decoder.decode(codec.ENCODER.encode(session.view))
        self.version = session.version

    def _events(self, encoded: Iterable[Raw]) -> list[Event | None]:
        """Decode the events of a message, None for each unreadable one; after too many of those the rest is dropped."""
        events: list[Event | None] = []
        unread = 0
        for data in encoded:
            events.append(self._event(data))
            unread += events[-1] is None
            if unread >= _MOST_UNREAD:
                break
        return events

    def _event(self, data: Raw) -> Event | None:
        try:
            event: Event = self.rules.event_decoder.decode(data)
        except codec.UNREADABLE:
            _log.warning("an event could not be read: %r", bytes(data)[:60])
            return None
        return event


def _version_of(entry: tuple[int, Event | None]) -> int:
    return entry[0]


def voices(match: Company) -> list[str]:
    """Return the names that the host could mute: recent speakers first, then the other players."""
    table, own = match.table, match.name(match.seat)
    speakers = [line.name for line in reversed(match.chat) if line.name and line.seat != match.seat]
    people = [info.name for info in table.seats if info.kind == SeatKind.PERSON] if table is not None else []
    # A host that only watches has no name at the table that could be its own.
    return [name for name in dict.fromkeys((*speakers, *people)) if name != own or match.seat < 0]


class LobbyModel:
    """Open tables of a server: the pages of its list, and changes to them."""

    def __init__(self, ruleset: str = "", gathering: bool = False) -> None:
        self.ruleset = ruleset
        self.gathering = gathering
        """Filter of the last request, as in OpenLobby."""
        self.tables: dict[str, m.TableInfo] = {}
        self.known = False
        """Whether the list has arrived."""
        self._list_ref = 0
        self._below = 0

    def hear(self, message: m.ServerMessage) -> None:
        """React to a message."""
        match message:
            case m.LobbyList() if message.ref == self._list_ref:
                # Not the answer to an earlier request for another list.
                for table in message.tables:
                    self._put(table)
                self._below = message.below
                self.known = True
            case m.LobbyChange():
                self.tables.pop(message.table.match, None)
                if not message.gone:
                    self._put(message.table)
            case _:
                pass

    def _put(self, table: m.TableInfo) -> None:
        """List a table; beyond the maximum, drop the oldest."""
        self.tables[table.match] = table
        if len(self.tables) > _MOST_LISTED:
            del self.tables[next(iter(self.tables))]

    def first_page(self, ref: int) -> m.OpenLobby:
        """Return the request for the list from its beginning."""
        self._list_ref = ref
        return m.OpenLobby(ref, True, self.ruleset, self.gathering)

    @property
    def more(self) -> bool:
        """Whether there is a page that was not requested yet."""
        return self._below > 0

    def next_page(self, ref: int) -> m.OpenLobby:
        """Return the request for the next page; each page is requested once."""
        self._list_ref = ref
        below, self._below = self._below, 0
        return m.OpenLobby(ref, True, self.ruleset, self.gathering, below)

    def listed(self) -> list[m.TableInfo]:
        """Return the tables: gathering ones first, fuller ones before emptier ones."""
        tables = [
            table
            for table in self.tables.values()
            if self.ruleset in ("", table.ruleset) and (not self.gathering or table.phase == TablePhase.GATHERING)
        ]
        return sorted(tables, key=lambda t: (t.phase, -t.taken, t.title, t.match))
