"""Table of a test of clients: a real match, what its client is told of it, and its requests outside of any path.

The match is played by the rules. The paths of `client_test_player.py` and `client_test_spectator.py` decide which
messages to the client are wrong on purpose.
"""

import asyncio
import random
import secrets
from collections import deque
from collections.abc import Sequence
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from protocol import codec, delta
from protocol.description import description
from protocol.limits import MAX_TO_CLIENT, MAX_TO_SERVER
from protocol.session import reference
from protocol.version import common
from server.bots.policy import play_random
from server.matches.dice import Dice
from server.matches.match import AcceptedAction, Match
from server.matches.narration import narrated
from server.tools.client_changes import Exercise, View
from server.tools.client_under_test import ClientUnderTest, Silent, Wire
from shared import messages as m
from shared.actions.description import Filter
from shared.history import Deed
from shared.ids import NONE
from shared.kernel import engine
from shared.kernel.ruleset import AnyRuleset
from shared.refusal import Refusal
from shared.tables import LABELS, PACKED, PRESENCE, SENTENCES, Ending, SeatKind, TablePhase

CAN: Final = ("choices", "describe", LABELS)
AGREED: Final = (PRESENCE, PACKED, SENTENCES, LABELS)
"""Features of the client that are used if it names them."""
SEATS: Final = 3
MATCH: Final = "conformance"
CODE: Final = "CHECK"
MOST_MOVES: Final = 3000
"""Most actions of all others between two of the client's."""
SPAN: Final = 3
"""Age in frames of an old frame whose delta would no longer fit."""
RETURN: Final = 2.0
"""Patience for a reconnect, as a multiple of the usual one: a client may wait before it."""
EARLY: Final = ("greeting", "table", "ping", "future", "refusal", "rate", "rule", "behind")
"""Paths before the first frame: a client that asks for snapshots there does so by habit."""
LOOSE: Final = ("rewind", "drop", "restart", "end")
"""Paths on which a message may answer a position that changed while it was on its way."""
LOOPS: Final = 10
"""Requests for snapshots in a row, with nothing else between them, that end the test."""
NOWHERE: Final = 250
"""Number of a field that no view has."""

Frames = list[bytes]
Cause = tuple[str, str]
"""Name of a fault and its sentence."""
NEEDLESS: Final = "needless-sync", "It asked for a snapshot though its view was the server's (3.2)."


class TestTable:
    """Match and seat of the client, and all that is told to it. `seat` NONE: it watches."""

    __test__ = False

    def __init__(
        self, arrivals: asyncio.Queue[Wire], rulesets: dict[str, AnyRuleset], game: str, patience: float
    ) -> None:
        self.it = ClientUnderTest(arrivals, patience)
        self.rulesets = rulesets
        self.rules = rulesets[game]
        self.client = ""
        self.match: Match
        self.seat = NONE
        self.watches = False
        self.highest = 0
        """Highest number of a command that is told on `Seated`."""
        self.agreed: tuple[str, ...] = ()
        self.syncs = 0
        self.asks_anyway = False
        """Whether the client requests snapshots by habit instead of following frames."""
        self.cause: Cause = NEEDLESS
        """Fault of a client that requests a snapshot now."""
        self.provoked = True
        """Whether such a request belongs to the path."""
        self.told: deque[bytes] = deque(maxlen=SPAN)
        """Frames that were sent last."""
        self.offered: m.Choices | None = None
        """Choices that were told for the present version."""
        self.tried: set[tuple[int, bytes]] = set()
        """Frames and actions of which the client was told that they are not legal now."""
        self.left: list[m.Leave] = []
        # Always the same, so that a client meets the same match in each test.
        self._rng = random.Random(7)
        self._seats = SEATS
        self._options: dict[str, int] = {}
        self._token = b""
        self._former: list[bytes] = []
        self._credit = 0
        """Requests for snapshots that a client may make by habit."""
        self._loops = 0
        self._needless = False
        """Whether a client with that habit requested a snapshot without any reason."""
        self._starts: set[tuple[int, Filter, int]] = set()
        """Frame, filter and `start` that were told as `next`."""

    @property
    def audience(self) -> int:
        """Audience class of the client."""
        return self.match.public if self.watches else self.seat

    # --- greeting and sitting down ---

    async def greet(self) -> None:
        """Answer the greeting of a connection."""
        hello = await self.it.hear()
        if not isinstance(hello, m.Hello):
            raise self.it.stuck("no-hello", f"Its first message was {type(hello).__name__}, not Hello (2).")
        version = common(hello.protocol, hello.highest)
        if not version:
            raise self.it.stuck("version", "It speaks no version of the protocol that is known here (2).")
        self.client = hello.client or hello.name
        self.agreed = tuple([feature for feature in AGREED if feature in hello.can])
        rulesets = tuple([(key, rules.version) for key, rules in self.rulesets.items()])
        can, agreed = (*CAN, "augury"), self.agreed
        await self.it.say(m.Welcome(version, hello.name, "check-client", rulesets, can, agreed, _bounds()))

    async def enter(self) -> None:
        """Let the client make, join or watch a table, and begin the match."""
        while not self.watches and self.seat < 0:
            match await self.hear():
                case m.Create() as create:
                    await self._made(create)
                case m.Join(ref=ref, seat=seat):
                    self._options = engine.checked_options(self.rules, self._seats, {})
                    await self._sit(ref, max(0, seat) % self._seats)
                case m.Watch() as watch:
                    self._options = engine.checked_options(self.rules, self._seats, {})
                    self.watches = True
                    await self.it.say(m.Done(watch.ref))
                case other:
                    await self.aside(other)
        await self._begin()

    async def _made(self, create: m.Create) -> None:
        rules = self.rulesets.get(create.ruleset)
        try:
            if rules is None:
                raise ValueError("There is no such rule set here.")
            self._options = {**engine.checked_options(rules, create.seats, create.options)}
        except ValueError as error:
            self.it.fault("create", f"It asked for a table that there cannot be: {error} (2.1)")
            await self.it.say(m.Refused(create.ref, "bad-options", "", str(error)))
            return
        self.rules, self._seats = rules, create.seats
        await self._sit(create.ref, max(0, create.seat))
        await self.it.say(self.state(TablePhase.GATHERING))
        await self._gather()

    async def _sit(self, ref: int, seat: int) -> None:
        self.seat, self._token = seat, secrets.token_bytes(32)
        await self.it.say(m.Seated(ref, MATCH, seat, self._token, self.highest))

    async def _gather(self) -> None:
        """Answer until the host starts the match."""
        while True:
            match await self.hear():
                case m.SetBot(ref=ref):
                    await self.it.say(m.Done(ref))
                    await self.it.say(self.state(TablePhase.GATHERING))
                case m.Start(ref=ref):
                    await self.it.say(m.Done(ref))
                    return
                case other:
                    await self.aside(other)

    async def _begin(self) -> None:
        # Without a round limit, the match cannot be over before all paths are tested.
        options = {key: 0 if key == "round_limit" else value for key, value in self._options.items()}
        self.match = Match(self.rules, self._seats, options, Dice(7))
        first = self.match.chance()
        if first is not None:
            self.match.commit(first)
        if not self.watches:
            self.others()
        await self._catch_up(0, packed=False)

    async def _catch_up(self, have: int, packed: bool = True) -> None:
        """Send everything that a client gets on entering or coming back."""
        await self.it.say(self.state(TablePhase.PLAYING))
        tail = self.match.tail(self.audience, have) if have else None
        if tail is None:
            await self.snapshot(packed)
        for data in tail or ():
            await self.it.tell(data)
        await self._send_sentences(have)
        if tail is None:
            await self.it.say(m.Story(self.match.story(self.audience), (), self.match.backs()))
        await self.clock()

    @property
    def packs(self) -> bool:
        """Whether the client understands packed messages."""
        return PACKED in self.agreed

    def state(self, phase: TablePhase) -> m.TableState:
        """Return the state of the table in that phase."""
        seats = [m.SeatInfo(SeatKind.BOT, "", "random") for _ in range(self._seats)]
        if not self.watches:
            seats[self.seat] = m.SeatInfo(SeatKind.PERSON, "You")
        return m.TableState(
            MATCH, "Conformance", self.rules.id, self._options, False, CODE, phase, self.seat, not self.watches, 0, 0,
            tuple(seats), int(self.watches), version=self.rules.version,
        )  # fmt: skip

    # --- coming back ---

    async def returned(self, have: int) -> None:
        """Wait until the client has come back; `have`: the version that it holds."""
        try:
            await self.it.arrive(self.it.patience * RETURN)
        except Silent:
            raise self.it.stuck("no-return", "It did not come back after the connection was lost (5, 6.1).") from None
        await self.greet()
        request = await self.it.hear()
        wanted = m.Watch if self.watches else m.Resume
        if not isinstance(request, wanted) or not isinstance(request, m.Watch | m.Resume):
            said, right = type(request).__name__, "`Watch`" if self.watches else "`Resume` with its token"
            raise self.it.stuck("no-resume", f"On the new connection it said {said}, not {right} (5).")
        self._judge(request, have)
        if await self.it.waiting():
            self.it.fault("hasty", f"It sent something between `{wanted.__name__}` and its answer (5).")
        await self._back(request)
        await self._catch_up(request.have if request.have <= self.match.version else 0)

    async def _back(self, request: m.Watch | m.Resume) -> None:
        """Answer the request of a client that is back."""
        if self.watches:
            return await self.it.say(m.Done(request.ref))
        self._former.append(self._token)
        return await self._sit(request.ref, self.seat)

    def _judge(self, request: m.Watch | m.Resume, have: int) -> None:
        """Check what the client says on its return."""
        if isinstance(request, m.Resume) and (request.match != MATCH or request.token != self._token):
            older = "an older token" if request.token in self._former else "a token or match that it was not told"
            self.it.fault("token", f"It resumed with {older} in place of the newest one (5).")
        if request.have != have and not (request.have == 0 and self.asks_anyway):
            self.it.fault("have", f"It came back with `have` {request.have}, and holds version {have} (5).")

    # --- the match ---

    def others(self, most: int = MOST_MOVES) -> Frames:
        """Let the others decide, until it is the client's turn again or so many have decided."""
        found: Frames = []
        for _ in range(most):
            if self.match.finished or self.seat in self.match.owed:
                break
            seat = self.match.owed[0]
            action = play_random(self.rules, self.rules.view(self.match.state, seat), seat, self._rng)
            step = self.match.submit(seat, 0, self.match.frame, codec.encode(action))
            assert isinstance(step, AcceptedAction)
            found += self.commit(step)
        return found

    def commit(self, step: AcceptedAction) -> Frames:
        """Commit a step, and return its frames for the client."""
        self.match.commit(step)
        self.offered, self.tried, self._starts = None, set(), set()
        return [turned.frames[self.audience] for turned in step.turned]

    def mark(self, deed: Deed = Deed.TIME) -> Frames:
        """Add a version without changes."""
        return self.commit(self.match.mark(deed, b""))

    # --- what the client is told ---

    async def show(self, frames: Sequence[bytes]) -> None:
        """Send frames, and the clock after them."""
        before = self.match.version - len(frames)
        for data in frames:
            await self.it.tell(data)
            self.told.append(data)
        await self._send_sentences(before)
        await self.clock()

    async def _send_sentences(self, have: int) -> None:
        told = narrated(self.match, self.audience, max(0, have)) if SENTENCES in self.agreed else None
        if told is not None:
            await self.it.say(told)

    async def clock(self) -> None:
        """Send the seats that owe a decision."""
        self._credit += self.seat in self.match.owed
        await self.it.say(m.Clock(self.match.owed, 0))

    async def answer(self, message: m.Accepted | m.Refused) -> None:
        """Answer an action, as soon as a client that answers at once does not have to send too fast for that."""
        self._credit += 1
        await self.it.wire.rest()
        await self.it.say(message)

    async def snapshot(self, packed: bool = True) -> None:
        """Send the view."""
        await self.it.tell(self.match.snapshot(self.audience), packed=packed and self.packs)

    async def fall_behind(self, packed: bool = True) -> None:
        """Tell the client the position as one that fell far behind: state, snapshot, clock."""
        await self.it.say(self.state(TablePhase.PLAYING))
        await self.snapshot(packed)
        await self.clock()

    async def exercise(self, exercise: Exercise) -> bool:
        """Show a version in which nothing changes, by one kind of change; False if the view has nothing that suits.

        The snapshot before it lets the client begin from a right view.
        """
        view: View = codec.decode_plain(self.match.view(self.audience))
        changes = exercise.delta(view)
        if changes is None:
            return False
        spoilt = codec.ENCODER.encode(exercise.spoil(view))
        raw = msgspec.Raw(spoilt)
        await self.it.say(self.state(TablePhase.PLAYING))
        await self.it.say(m.Snapshot(self.match.version, delta.digest(spoilt), raw))
        (frame,) = self.mark()
        await self.show([changed(frame, changes)])
        return True

    async def over(self) -> None:
        """Tell that the match is over."""
        await self.clock()
        await self.it.say(self.state(TablePhase.OVER))
        ranks = tuple([m.Rank(seat, 1, "") for seat in range(self._seats)])
        rounds = self.rules.rounds(self.match.state)
        await self.it.say(m.Result(MATCH, Ending.AGREED, rounds, self.match.version, ranks))

    async def chatter(self) -> None:
        """Send messages that a client may ignore."""
        await self.it.say(m.Said(-2, "", "A client is tested."))
        if PRESENCE in self.agreed:
            await self.it.say(m.Presence(-1, watchers=2, came=("Piso",)))

    # --- requests for snapshots ---

    async def _note_sync(self, quiet: bool) -> None:
        """Note a request for a snapshot. `quiet`: it is answered later."""
        self.syncs += 1
        self._loops += 1
        if self.it.path in EARLY and not self.watches:
            self.asks_anyway = True
        self._note_unprovoked_sync()
        if not quiet:
            await self.snapshot()

    def _note_unprovoked_sync(self) -> None:
        """Note the fault of a request for a snapshot that nothing has provoked."""
        if self._loops >= LOOPS:
            raise self.it.stuck("sync-loop", "It asked for snapshots without end: is its digest that of 3.2?")
        if not self.provoked:
            if not self.asks_anyway:
                self.it.fault(*self.cause)
            self._needless |= self.asks_anyway and self._credit <= 0
        self._credit = max(0, self._credit - 1)

    # --- whatever else it says ---

    async def hear(self) -> m.ClientMessage:
        """Return the next message. Raises Silent, Gone and Stuck."""
        message = await self.it.hear()
        if not isinstance(message, m.Sync):
            if self._needless:
                self.it.fault("needless-sync", "It asked for a snapshot when nothing had happened since the last (11).")
            self._loops, self._needless = 0, False
        return message

    async def aside(self, message: m.ClientMessage, quiet: bool = False) -> None:
        """Answer messages outside of the path. `quiet`: a requested snapshot is sent later."""
        match message:
            case m.Sync():
                await self._note_sync(quiet)
            case m.Consider() | m.TryAction() | m.Act() if self.watches:
                await self._not_seated(message)
            case m.Consider():
                await self._answer_consider(message)
            case m.TryAction():
                await self._tries(message)
            case m.Describe(ref=ref, ruleset=ruleset) if ruleset in self.rulesets:
                await self.it.say(description(self.rulesets[ruleset], ref))
            case m.OpenLobby(ref=ref):
                table = m.TableInfo(MATCH, "Conformance", self.rules.id, self._seats, 0, 0, TablePhase.GATHERING)
                await self.it.say(m.LobbyList(ref, (table,)))
            case m.Leave():
                raise self.it.stuck("left", "It left the table in the middle of the match.")
            case m.Say(text=text):
                await self.it.say(m.Said(self.seat, "You", text))
            case _:
                await self._not_offered(message)

    async def _answer_consider(self, message: m.Consider) -> None:
        """Answer which actions are legal."""
        wanted, labelled = message.filter or Filter(), LABELS in self.agreed
        plain = not labelled and not message.filter and not message.start
        if self.match.finished:
            return await self.it.say(m.Refused(message.ref, "over", "", "The match is over."))
        if (message.frame or plain) and (message.frame != self.match.frame or self.seat not in self.match.owed):
            self._asks_wrongly(message.frame)
            return await self.it.say(m.Refused(message.ref, "stale-frame", "", "That decision is over."))
        if message.start and (message.frame, wanted, message.start) not in self._starts:
            self.it.fault("start", "It asked for choices from a `start` that was no `next` of that filter (4.2).")
        if plain:
            told = self.match.choices(self.seat)
            return await self._offer(message, told, codec.encode_first(replace(told, ref=message.ref)))
        told = self.match.listed(self.seat, message.frame, wanted, message.start, labelled)
        self._starts.add((message.frame, wanted, told.next))
        return await self._offer(message, told, codec.encode(replace(told, ref=message.ref)))

    async def _offer(self, message: m.Consider, told: m.Choices, data: bytes) -> None:
        if message.frame and message.filter in (None, Filter()) and not message.start:
            self.offered = told
        await self.it.tell(data, packed=LABELS in self.agreed and self.packs)

    def _asks_wrongly(self, frame: int) -> None:
        if self.it.path not in LOOSE:
            text = f"It asked what is legal for the frame {frame}, and owes an answer to {self.match.frame} (4.1)."
            self.it.fault("asks-frame", text)

    async def _tries(self, message: m.TryAction) -> None:
        """Answer whether an action is legal."""
        raw = bytes(message.action)
        outcome = self.match.trial(self.seat, message.frame, raw)
        if isinstance(outcome, Refusal):
            if outcome.code == "stale-frame":
                self._asks_wrongly(message.frame)
            elif outcome.code == "bad-action":
                self.it.fault("bad-action", f"It tried what is no action of the rule set: {outcome.text}")
            self.tried.add((message.frame, raw))
            return await self.it.say(m.Refused(message.ref, outcome.code, outcome.rule, str(outcome.text)))
        label = self.match.label(self.seat, outcome) if LABELS in self.agreed else None
        return await self.it.say(m.Tried(message.ref, message.frame, label))

    async def _not_seated(self, message: m.ClientMessage) -> None:
        name = type(message).__name__
        self.it.fault("not-seated", f"It only watches, and said {name} (2.2, 4.1).")
        number = message.command if isinstance(message, m.Act) else reference(message)
        await self.it.say(m.Refused(number, "not-seated", "", "You only watch."))

    async def _not_offered(self, message: m.ClientMessage) -> None:
        name = type(message).__name__
        self.it.fault("not-offered", f"It said {name}, which does not belong there, or is not in `Welcome.can` (2).")
        await self.it.say(m.Refused(reference(message), "order", "", "That does not belong there."))


def changed(data: bytes, changes: list[Any]) -> bytes:
    """Return a frame with another delta."""
    frame = codec.decode_server(data)
    assert isinstance(frame, m.Frame)
    return codec.encode(replace(frame, delta=msgspec.Raw(codec.ENCODER.encode(changes))))


def falsified(data: bytes) -> bytes:
    """Return a frame with a wrong digest."""
    frame = codec.decode_server(data)
    assert isinstance(frame, m.Frame)
    return codec.encode(replace(frame, digest=frame.digest ^ 1))


def misfitted(data: bytes) -> bytes:
    """Return a frame whose delta fits no view."""
    return changed(data, [NOWHERE, 1])


def _bounds() -> m.Bounds:
    often = m.Quota(60000, 1000)
    return m.Bounds(
        MAX_TO_SERVER, MAX_TO_CLIENT, m.Quota(1800, 90), m.Quota(30, 5), m.Quota(6, 8), often, often, often, 10
    )
