"""What the client knows of a match and of the lobby. Knows no window; what is legal it asks of the rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import inf
from time import monotonic
from typing import Any, Final, Protocol

from msgspec import Raw, Struct, structs

from client.language import _
from client.network.advice_request import NO_SERVER, NOT_YOURS, AdviceRequest, Advised, closed_to
from client.network.moments import Moments
from client.network.seldom import SeldomLog
from client.network.table_events import WentBack
from client.network.voting import Voting
from protocol import codec
from protocol.dice_commitment import DiceCommitment, Doubt
from protocol.session import ClientSession
from shared.ids import NATURE, Seat
from shared.kernel import engine
from shared.kernel.engine import AnyRuleset
from shared.kernel.frames import Action, Event
from shared.messages import (
    Accepted,
    Clock,
    Done,
    Frame,
    HandShown,
    Hasten,
    Hooked,
    Invited,
    LobbyChange,
    LobbyList,
    Motion,
    Mute,
    OpenLobby,
    Refused,
    Said,
    Seated,
    ServerMessage,
    Snapshot,
    Story,
    Sync,
    TableInfo,
    TableState,
    Undo,
    Welcome,
)
from shared.refusal import Refusal
from shared.tables import HASTEN, THE_TABLE, UNDO, Matter, SeatKind, TablePhase

CHAT_KEPT: Final = 200
BOT_NAMES: Final = ("Aurelia", "Brutus", "Cassius", "Drusilla", "Ennius", "Flavia")
"""What bots are called, by seat."""

DOUBTS: Final = {
    Doubt.CHANGED: _("The dice of this match cannot be trusted: the server has changed its commitment."),
    Doubt.LEFT_OUT: _("The dice of this match go without your number: it came too late, or the server left it out."),
    Doubt.BROKEN: _("The dice of this match cannot be trusted: their secret does not belong to the commitment."),
}
"""What the table says in the chat where our own program found something wrong with the dice."""

_log = SeldomLog(__name__)
_MOST_LISTED: Final = 4000
"""Tables of a list; a server has 2000 at most."""
_MOST_UNREAD: Final = 10
"""Events of one message that cannot be read, after which the rest is left."""


def sitter(seat: Seat, name: str, bot: str) -> str:
    """What whoever sits there is called; `bot`: its level, "" for a person."""
    return name or (BOT_NAMES[seat % len(BOT_NAMES)] if bot else _("Seat {what}", what=seat + 1))


class Told(Struct, frozen=True):
    """An event of the match and the version that it led to. `late`: it happened while one was away."""

    version: int
    event: Event
    late: bool = False


class Seen(Struct):
    """A snapshot, and all frames that followed it."""

    begin: Snapshot
    frames: list[Frame]

    def add(self, frame: Frame) -> None:
        """What came; what is known already, or does not follow, is left out."""
        if frame.version == self.begin.version + len(self.frames) + 1:
            self.frames.append(frame)


class Company(Protocol):
    """Who is at a table, and what they said."""

    table: TableState | None
    seat: Seat
    chat: list[Said]

    def name(self, seat: Seat) -> str:
        """Who sits there."""


class MatchModel:
    """One match as this client sees it: the table around it, the view, and what this seat may do.

    It follows the `ClientSession`, which patches the view and checks its digest. `send` takes encoded messages.
    """

    def __init__(
        self, rules: AnyRuleset, table: TableState, session: ClientSession, send: Callable[[bytes], object]
    ) -> None:
        self.rules = rules
        self.table: TableState | None = table
        self.seat: Seat = table.you
        self.view: Any = None
        """The view as the rule set's own type, a new object with every version; None before the first snapshot."""
        self.version = 0
        self.clock: Clock | None = None
        self.chat: list[Said] = []
        self.refusal: Refused | None = None
        """The last refusal of an action, until `act` or whoever showed it sets it to None."""
        self._session = session
        self._send = send
        self._told: list[Told] = []
        self._story: list[Told] = []
        self._clock_at = 0.0
        self._mismatches = session.mismatches
        self._sent: set[int] = set()
        self._behind = False
        """Whether a new connection still tells what was missed: the clock of the table ends that."""
        self.hand: HandShown | None = None
        """How our hand is read on other devices, as we were told last."""
        self._hand_at = 0.0
        self.hooked = ""
        """In which form the table tells people outside of the game; to the host alone it is known."""
        self.invited: Invited | None = None
        """To the next table of the same people, once there is one."""
        self.fresh = False
        """Whether the position came about just now: not while one was away, nor before one came."""
        self.muted: frozenset[str] = frozenset()
        """Whom nobody hears any more because we, the host, wished it."""
        self._muting: dict[int, frozenset[str]] = {}
        """Who is muted once the server has agreed, by request."""
        self._advising = AdviceRequest(rules, session, send)
        self.voting = Voting(session, send)
        self.moments = Moments()
        self._undone_at = -1
        """The version at which we asked to take something back; until it is answered, or there is another."""
        self._doubted = Doubt.NONE
        """What we were told already that is wrong with the dice."""
        self.seen: Seen | None = None
        """What this audience was sent without a gap, for whoever wants to see it again."""

    @property
    def stake(self) -> DiceCommitment:
        """Our part in the dice."""
        return self._session.stake

    @property
    def hand_left(self) -> float:
        """Seconds for which the code of our hand is good."""
        return max(0.0, self.hand.seconds - (monotonic() - self._hand_at)) if self.hand is not None else 0.0

    @property
    def pending(self) -> bool:
        """Whether an action was sent and is not answered yet."""
        return bool(self._session.pending)

    @property
    def finished(self) -> bool:
        """Whether the match is over, by its rules or by agreement."""
        return self.view is not None and (self.rules.finished(self.view) or self._closed)

    @property
    def _closed(self) -> bool:
        return self.table is not None and self.table.phase == TablePhase.OVER

    @property
    def over(self) -> bool:
        """Whether nobody plays here any more: the match is over, or the table was closed."""
        return self.finished or self._closed

    @property
    def is_mine(self) -> bool:
        """Whether this seat owes a decision and none is on its way."""
        return self.seat >= 0 and self.seat in self.owed() and not self.pending

    def is_at(self, table: TableState) -> bool:
        """Whether that is the table at which this match is played."""
        return self.table is not None and self.table.match == table.match

    def owed(self) -> tuple[Seat, ...]:
        """The seats that must decide now; (NATURE,) while dice are rolling, () without a view or after the end."""
        return engine.owed(self.rules, self.view) if self.view is not None and not self._closed else ()

    def check(self, action: Action) -> Refusal | None:
        """Whether this seat may do it now: None, or why not."""
        if self.view is None or self.seat < 0:
            return Refusal("spectator", "", _("You are looking on."))
        return engine.check(self.rules, self.view, self.seat, action)

    def options(self) -> Sequence[Action]:
        """Legal actions of this seat, where it owes one; see `Handler.options`."""
        if self.view is None or self.seat < 0 or self.seat not in self.owed():  # NATURE owes, too.
            return ()
        return engine.options(self.rules, self.view, self.seat)

    def act(self, action: Action) -> Refusal | None:
        """Send an action. A refusal that can be known here is returned at once and nothing is sent."""
        refusal = self.check(action)
        if refusal is not None:
            return refusal
        standing = isinstance(action, self.rules.standing.kinds)
        frame = 0 if standing else engine.top(self.view).no
        self.refusal = None
        before = set(self._session.pending)
        self._send(self._session.act(frame, action))
        self._sent |= set(self._session.pending) - before
        return None

    @property
    def undoable(self) -> int:
        """How many of our own decisions can be taken back now, one after the other."""
        return 0 if self.pending or self._undone_at == self.version else self._session.undo

    def hasten(self) -> None:
        """Let bots make no pauses until we are to decide again, where the server understands that."""
        if HASTEN in self._session.can and self.seat >= 0 and not self.is_mine:
            self._send(codec.encode(Hasten(self._session.ref())))

    @property
    def alone(self) -> bool:
        """Whether this seat plays against bots only, at a table where one may go back."""
        table = self.table
        if table is None or table.forward_only or UNDO not in self._session.can or self.seat < 0:
            return False
        others = [info.kind for seat, info in enumerate(table.seats) if seat != self.seat]
        return not self.over and all(kind is SeatKind.BOT for kind in others)

    def undo(self, again: bool = False) -> bool:
        """Take back what we decided last; where that cannot be, the server says why. Returns whether it was asked.

        again: go back although dice have fallen since, where we are `alone`.
        """
        if self.pending or self._undone_at == self.version:
            return True
        if self.seat < 0 or not (self.undoable or UNDO in self._session.can):
            return False
        ref, self._undone_at = self._session.ref(), self.version
        self._sent.add(ref)
        self._send(codec.encode(Undo(ref, self.version, again)))
        return True

    def propose(self, motion: Motion) -> None:
        """Ask the others at the table."""
        self._sent.add(self.voting.propose(motion))

    def vote(self, yes: bool) -> None:
        """Answer the question that is open."""
        self._sent.add(self.voting.vote(self.seat, yes))

    @property
    def thinking(self) -> bool:
        """Whether advice was asked for and is still to come."""
        return self._advising.thinking

    @property
    def advised(self) -> Advised | None:
        """What is advised in this position, if that was asked."""
        return self._advising.at(self.version) if self.is_mine else None

    def no_advice(self) -> str:
        """Why this seat cannot ask for advice now, in a sentence; empty where it can."""
        if self.seat >= 0 and not self._advising.known:
            return NO_SERVER
        return closed_to(self.table, self.seat) or ("" if self.is_mine else NOT_YOURS)

    def ask_advice(self) -> None:
        """Ask what the strongest bot would do."""
        if not self.no_advice():
            self._advising.ask(engine.top(self.view).no)

    def forget_advice(self) -> None:
        """What was advised need not be shown any more."""
        self._advising.forget()

    def mute(self, name: str, on: bool) -> None:
        """The host: let nobody hear somebody at the table, or (`on` false) hear him again."""
        ref = self._session.ref()
        self._muting[ref] = self.muted | {name} if on else self.muted - {name}
        self._send(codec.encode(Mute(ref, name, on)))

    def take_story(self) -> list[Told]:
        """What happened before this client came, once."""
        story, self._story = self._story, []
        return story

    def take_events(self) -> list[Told]:
        """The events since the last call, in order."""
        told, self._told = self._told, []
        return told

    def seconds_left(self) -> float | None:
        """Seconds until the clock decides for whoever owes; None without a clock."""
        if self.clock is None or self.clock.left <= 0:
            return None
        return max(0.0, self.clock.left - (monotonic() - self._clock_at))

    def times(self) -> tuple[float, ...]:
        """Seconds that each seat has left until its time is up, or would have in its turn, `inf` where a bot plays;
        nothing without clocks."""
        clock = self.clock
        if clock is None or self.over:
            return ()
        passed = monotonic() - self._clock_at
        running = () if clock.paused else clock.seats
        return tuple(
            inf if self._is_bot(seat) else max(0.0, each.left / 1000 - (passed if seat in running else 0))
            for seat, each in enumerate(clock.clocks)
        )

    @property
    def paused(self) -> bool:
        """Whether the match stands still for everybody."""
        return self.clock is not None and self.clock.paused

    @property
    def replaced(self) -> bool:
        """Whether a bot plays on our seat although we are here: our time was up."""
        table = self.table
        return table is not None and self.seat >= 0 and table.seats[self.seat].kind == SeatKind.STAND_IN

    def come_back(self) -> None:
        """Take our seat from the bot that plays for us."""
        if self.replaced:
            self._send(codec.encode(Sync(self.version)))

    def _is_bot(self, seat: Seat) -> bool:
        return self.table is not None and seat < len(self.table.seats) and bool(self.table.seats[seat].bot)

    def name(self, seat: Seat) -> str:
        """Who sits there, as the table calls them."""
        if self.table is None or not 0 <= seat < len(self.table.seats):
            return _("Chance") if seat == NATURE else _("Nobody")
        info = self.table.seats[seat]
        return sitter(seat, info.name, info.bot)

    def home(self, seat: Seat) -> str:
        """What the rule set calls the seat, e.g. its home province."""
        return self.rules.seat_name(self.view, seat) if self.view is not None else _("Seat {what}", what=seat + 1)

    def hear(self, message: ServerMessage) -> None:
        """A message arrived; the session has it already."""
        self.refusal = self._advising.hear(message) or self.refusal
        asked = self.voting.hear(message)
        if asked is not None:
            back = asked.poll.motion.matter is Matter.BACK
            moment = self.moments.at(asked.poll.motion.to) if back else None
            self._told.append(Told(self.version, structs.replace(asked, moment=moment)))
        match message:
            case TableState() if self.is_at(message):
                self.table, self.seat = message, message.you
            case Welcome():
                self._behind, self._undone_at = True, -1
            case Snapshot():
                self._refresh()
                self.fresh = False
                self.seen = Seen(message, [])
                self.moments.see(self.version, self.rules, self.view, self.owed())
            case Frame():
                self._refresh()
                self.fresh = not self._behind
                if self.seen is not None:
                    self.seen.add(message)
                events = [event for event in self._events(message.events) if event]
                events += [WentBack(message.back.seat, message.back.to)] if message.back is not None else []
                self._told += [Told(message.version, event, self._behind) for event in events]
                self.moments.hear(message.version, events)
                self.moments.see(self.version, self.rules, self.view, self.owed())
            case Clock():
                self.clock, self._clock_at = message, monotonic()
                self._behind = False
            case Story():
                self.chat = [Said(line.seat, line.name, line.text) for line in message.chat]
                self._doubted = Doubt.NONE
                versions = [version for version, _data in message.events]
                told = list(zip(versions, self._events(data for _version, data in message.events), strict=False))
                told += [(version, WentBack(back.seat, back.to)) for version, back in message.backs]
                self._story = [Told(version, event) for version, event in sorted(told, key=_when) if event]
                for one in self._story:
                    self.moments.hear(one.version, [one.event])
            case Said():
                self._hear_said(message)
            case Hooked():
                self.hooked = message.form
            case Seated():
                self.hand = None  # If it is shown, that is told again.
            case HandShown():
                self.hand, self._hand_at = message, monotonic()
            case Invited():
                self.invited = message
            case Done() if message.ref in self._muting:
                self.muted = self._muting.pop(message.ref)
            case Accepted():
                self._sent.discard(message.command)
            case Refused() if message.ref in self._sent:
                self._sent.discard(message.ref)
                self._undone_at = -1
                self.refusal = message
            case _:
                pass
        self._look_at_dice()

    def _hear_said(self, said: Said) -> None:
        self.chat = [*self.chat[1 - CHAT_KEPT :], said]

    def _look_at_dice(self) -> None:
        """Say once what the session found wrong with them."""
        doubt = self._session.stake.doubt
        if doubt not in (Doubt.NONE, self._doubted):
            self._hear_said(Said(THE_TABLE, "", DOUBTS[doubt]))
        self._doubted = doubt

    def _refresh(self) -> None:
        """Read the session's view, and log it where it did not add up."""
        session = self._session
        if session.mismatches != self._mismatches:
            self._mismatches = session.mismatches
            _log.warning("match %s, version %d: the view differs from the server's", session.match, session.version)
        self.view = self.rules.view_decoder.decode(codec.ENCODER.encode(session.view))
        self.version = session.version

    def _events(self, told: Iterable[Raw]) -> list[Event | None]:
        """The events of a message, None for each that cannot be read; of a message full of those the rest is left."""
        events: list[Event | None] = []
        unread = 0
        for data in told:
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


def _when(told: tuple[int, Event | None]) -> int:
    return told[0]


def voices(match: Company) -> list[str]:
    """Whom the host could mute: who speaks or plays beside him, whoever spoke last first."""
    table, own = match.table, match.name(match.seat)
    said = [line.name for line in reversed(match.chat) if line.name and line.seat != match.seat]
    people = [info.name for info in table.seats if info.kind == SeatKind.PERSON] if table is not None else []
    return [name for name in dict.fromkeys((*said, *people)) if name != own or match.seat < 0]


class LobbyModel:
    """The open tables of a server, as it lists them: page by page, and what changes meanwhile."""

    def __init__(self, ruleset: str = "", gathering: bool = False) -> None:
        self.ruleset = ruleset
        self.gathering = gathering
        """What was asked for; see OpenLobby."""
        self.tables: dict[str, TableInfo] = {}
        self.known = False
        """Whether the list has come."""
        self._asked = 0
        self._below = 0

    def hear(self, message: ServerMessage) -> None:
        """A message arrived."""
        match message:
            case LobbyList() if message.ref == self._asked:
                # Not what was asked for before: another list, or none.
                for table in message.tables:
                    self._put(table)
                self._below = message.below
                self.known = True
            case LobbyChange():
                self.tables.pop(message.table.match, None)
                if not message.gone:
                    self._put(message.table)
            case _:
                pass

    def _put(self, table: TableInfo) -> None:
        """List it; of more than any server has the oldest go."""
        self.tables[table.match] = table
        if len(self.tables) > _MOST_LISTED:
            del self.tables[next(iter(self.tables))]

    def first_page(self, ref: int) -> OpenLobby:
        """What asks for the list from its beginning."""
        self._asked = ref
        return OpenLobby(ref, True, self.ruleset, self.gathering)

    @property
    def more(self) -> bool:
        """Whether there is a page that was not asked for yet."""
        return self._below > 0

    def next_page(self, ref: int) -> OpenLobby:
        """What asks for more of it, once."""
        self._asked = ref
        below, self._below = self._below, 0
        return OpenLobby(ref, True, self.ruleset, self.gathering, below)

    def listed(self) -> list[TableInfo]:
        """The tables, those that gather first, fuller ones before emptier ones."""
        tables = [
            table
            for table in self.tables.values()
            if self.ruleset in ("", table.ruleset) and (not self.gathering or table.phase == TablePhase.GATHERING)
        ]
        return sorted(tables, key=lambda t: (t.phase, -t.taken, t.title, t.match))
