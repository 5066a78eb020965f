"""Server that tests a client: it leads the client through the paths of SPEC.md and notes faults.

The match is a real one, by the rules; only the messages to the client are wrong on purpose. Each later path begins
after a decision of the client, when it waits for an answer.
"""

import asyncio
import contextlib
import random
import secrets
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from protocol import codec
from protocol.description import description
from protocol.limits import MAX_TO_CLIENT, MAX_TO_SERVER, Close
from protocol.session import reference
from protocol.version import common
from server.bots.policy import play_random
from server.matches.dice import Dice
from server.matches.match import Match, Repeated, Step
from server.tools.client_under_test import FUTURE, ClientUnderTest, Fault, Gone, Silent, Stuck, Wire
from shared import messages as m
from shared.history import Deed
from shared.kernel import engine
from shared.kernel.ruleset import AnyRuleset
from shared.refusal import Refusal
from shared.tables import SeatKind, TablePhase

PATHS: Final = {
    "greeting": "it greets, and reads messages with fields at their end that it does not know",
    "table": "it makes, joins or watches a table",
    "ping": "it answers pings of the WebSocket",
    "future": "it goes on after a message of a kind that it does not know",
    "refusal": "it goes on after an action was refused that the server could not keep",
    "rate": "it sends again what came too fast and was read by nobody",
    "play": "it asks what is legal, or knows it, and acts",
    "gap": "it asks for a snapshot where a version is missing",
    "digest": "it asks for a snapshot where its view is not the server's",
    "misfit": "it asks for a snapshot where a delta does not fit",
    "old": "it ignores a frame of a version that it has already",
    "drop": "it resumes after the connection was lost, and says again what was not answered",
    "restart": "it comes back after the server has closed with 1012, with the newest token",
    "rewind": "it goes back to an earlier position, and answers the new frame",
    "end": "it sees that the match is over",
}
"""Behaviour that is tested on each path, in this order."""
CAN: Final = ("choices", "describe")
SEATS: Final = 3
MATCH: Final = "conformance"
CODE: Final = "CHECK"
MOST_TRIES: Final = 60
"""Refused actions in a row after which the test gives up."""
MOST_MOVES: Final = 3000
"""Most actions of all others between two of the client's."""
STEPS: Final = 4
"""Decisions that are played without any fault."""
REPEATED: Final = 3
"""Times that the same action may still be on its way."""
SPAN: Final = 3
"""Age in frames of an old frame whose delta would no longer fit."""
RETURN: Final = 2.0
"""Patience for a reconnect, as a multiple of the usual one: a client may wait before it."""
A_MOMENT: Final = 1.5
"""Seconds in which a client would act that missed the end of the match."""
NOWHERE: Final = 250
"""Number of a field that no view has."""

Frames = list[bytes]
Telling = Callable[[Frames], Frames]
"""Replaces the frames of a step in what the client is told."""


def truly(frames: Frames) -> Frames:
    """Return the frames unchanged."""
    return frames


class Report(msgspec.Struct, frozen=True):
    """Result: the client's name for itself, the paths that it completed, and its faults."""

    client: str
    holds: bool
    walked: list[str]
    faults: list[Fault]
    missing: list[str]
    """Paths that were not reached."""


class ClientTestServer:
    """Test of one client."""

    def __init__(
        self, arrivals: asyncio.Queue[Wire], rulesets: dict[str, AnyRuleset], game: str, patience: float
    ) -> None:
        self.it = ClientUnderTest(arrivals, patience)
        self._rulesets = rulesets
        self._rules = rulesets[game]
        self._rng = random.Random(7)
        self._client = ""
        self._match: Match
        self._kept: m.Act
        """An action that waits for its answer."""
        self._seats = SEATS
        self._options: dict[str, int] = {}
        self._seat = -1
        self._token = b""
        self._former: list[bytes] = []
        self._commands: dict[int, tuple[int, bytes]] = {}
        self._syncs = 0
        self._asks_anyway = False
        """Whether the client requests snapshots by habit instead of following frames."""
        self._stale = 0
        self._told: deque[bytes] = deque(maxlen=SPAN)
        """Frames that were sent last."""
        self._before: tuple[int, Any] = (0, None)
        """Version and position before the client's last action."""

    async def examine(self, wait: float | None) -> Report:
        """Lead the client along all paths. Raises Silent if none connects within `wait` seconds."""
        await self.it.arrive(wait)
        walked: list[str] = []
        for path in PATHS:
            self.it.path = path
            if not await self._walk(getattr(self, f"_{path}")):
                break
            walked.append(path)
        await self.it.wire.socket.close(Close.NORMAL)
        missing = [path for path in PATHS if path not in walked and path != self.it.path]
        return Report(self._client, not self.it.faults, walked, [*self.it.faults], missing)

    async def _walk(self, path: Callable[[], Awaitable[None]]) -> bool:
        """Walk a path, and return whether the test can go on."""
        try:
            await path()
            return True
        except Stuck:
            pass
        except Silent:
            self.it.fault("silent", f"It said nothing for {self.it.patience:g} seconds, and something was its turn.")
        except Gone as gone:
            self.it.fault("gone", f"It closed the connection (code {gone.code}).")
        return False

    # --- the paths ---

    async def _greeting(self) -> None:
        await self._greet()
        await self.it.barrier()

    async def _table(self) -> None:
        while self._seat < 0:
            match await self.it.hear():
                case m.Create() as create:
                    await self._made(create)
                case m.Join(ref=ref, seat=seat):
                    await self._join(ref, seat)
                case other:
                    await self._aside(other)
        await self._begin()

    async def _ping(self) -> None:
        await self.it.barrier()

    async def _future(self) -> None:
        await self.it.raw(codec.ENCODER.encode(FUTURE))
        self._keep(await self._decision())

    async def _refusal(self) -> None:
        try:
            self._keep(await self._another(self._kept))
        except Gone:  # Closing is a legitimate way to wait until the server can save again.
            await self._returned(self._match.version)
            self._keep(await self._decision())

    async def _another(self, act: m.Act) -> m.Act:
        """Refuse an action, and return the next other one; copies of the refused one may still arrive."""
        for _ in range(REPEATED):
            await self._refuse(act, "storage", "The server could not keep it; nothing happened.")
            other = await self._decision()
            if other.command != act.command:
                return other
        return other

    async def _rate(self) -> None:
        act = self._kept
        await self._refuse(act, "rate", "Slow down, please.")
        again = await self._decision()
        if (again.command, bytes(again.action)) != (act.command, bytes(act.action)):
            self.it.fault("not-again", "An action that nobody had read (`rate`) was not sent again as it was (6).")
        if not await self._carry_out(again):
            await self._accepted()

    async def _play(self) -> None:
        for _ in range(STEPS):
            await self._accepted()

    async def _gap(self) -> None:
        act = await self._legal()
        self._mark()  # An unchanged, unsent version: only its missing number reveals it, not the digest.
        await self._carry_out(act)
        await self._asked("gap", "A version was missing, and it went on without a snapshot (`Sync`, 3.2).")

    async def _digest(self) -> None:
        await self._accepted(self._falsified)
        await self._asked("digest", "The digest was not that of its view, and it went on without a snapshot (3.2).")

    async def _misfit(self) -> None:
        await self._accepted(self._misfitted)
        await self._asked("misfit", "A delta did not fit its view, and it went on without a snapshot (3.2).")

    async def _old(self) -> None:
        for _ in range(SPAN):
            await self._accepted()
        self._syncs = 0
        await self._accepted(lambda frames: [self._told[0], *frames])
        await self._accepted()
        if self._syncs and not self._asks_anyway:
            self.it.fault("old-frame", "A frame of a version that it had already was not ignored (3.2).")

    async def _drop(self) -> None:
        act = await self._legal()
        have = self._match.version
        self._commit(act)
        self.it.wire.socket.transport.abort()
        await self._returned(have)
        again = await self._decision()
        if (again.command, bytes(again.action)) != (act.command, bytes(act.action)):
            text = (
                "What was not answered when the connection was lost was not said again as it was, with its command (4)."
            )
            self.it.fault("not-repeated", text)
            await self._carry_out(again)
        else:
            await self.it.say(m.Accepted(act.command, have + 1))
        await self._accepted()

    async def _restart(self) -> None:
        await self._accepted()
        have = self._match.version
        await self.it.say(m.Notice("restart", "The server stops; your seat is kept."))
        await self.it.wire.socket.close(Close.RESTART)
        await self._returned(have)
        await self._accepted()

    async def _rewind(self) -> None:
        await self._accepted()
        step = self._match.rewind(self._seat, *self._before)
        self._match.commit(step)
        await self._show(self._frames(step))
        self._stale = 0
        await self._accepted()
        if self._stale > 1:
            self.it.fault("rewound", "After the match went back it answered a decision that was over (3.3).")

    async def _end(self) -> None:
        await self._accepted()
        await self._show(self._mark(Deed.END))
        await self.it.say(self._state(TablePhase.OVER))
        self.it.patience = min(A_MOMENT, self.it.patience)
        with contextlib.suppress(Silent, Gone):  # The client may look at the result, or leave.
            await self._after_the_end()

    async def _after_the_end(self) -> None:
        for message in await self.it.waiting():
            if not isinstance(message, m.Act):  # This action may have crossed the end of the match on the way.
                await self._at_the_end(message)
        while True:
            await self._at_the_end(await self.it.hear())

    async def _at_the_end(self, message: m.ClientMessage) -> None:
        if isinstance(message, m.Leave):
            await self.it.say(m.Left(message.ref, "left", "You left the table."))
        elif isinstance(message, m.Act):
            self.it.fault("after-end", "It acted after `TableState.phase` was 2: the match was over.")
            await self._refuse(message, "over", "The match is over.")
        else:
            await self._aside(message)

    # --- greeting and sitting down ---

    async def _greet(self) -> None:
        hello = await self.it.hear()
        if not isinstance(hello, m.Hello):
            raise self.it.stuck("no-hello", f"Its first message was {type(hello).__name__}, not Hello (2).")
        version = common(hello.protocol, hello.highest)
        if not version:
            raise self.it.stuck("version", "It speaks no version of the protocol that is known here (2).")
        self._client = hello.client or hello.name
        rulesets = tuple([(key, rules.version) for key, rules in self._rulesets.items()])
        await self.it.say(m.Welcome(version, hello.name, "check-client", rulesets, (*CAN, "augury"), (), _bounds()))

    async def _made(self, create: m.Create) -> None:
        rules = self._rulesets.get(create.ruleset)
        try:
            if rules is None:
                raise ValueError("There is no such rule set here.")
            self._options = {**engine.checked_options(rules, create.seats, create.options)}
        except ValueError as error:
            self.it.fault("create", f"It asked for a table that there cannot be: {error} (2.1)")
            await self.it.say(m.Refused(create.ref, "bad-options", "", str(error)))
            return
        self._rules, self._seats = rules, create.seats
        await self._sit(create.ref, max(0, create.seat))
        await self.it.say(self._state(TablePhase.GATHERING))
        await self._gather()

    async def _join(self, ref: int, seat: int) -> None:
        self._options = engine.checked_options(self._rules, self._seats, {})
        await self._sit(ref, max(0, seat) % self._seats)

    async def _sit(self, ref: int, seat: int) -> None:
        self._seat, self._token = seat, secrets.token_bytes(32)
        await self.it.say(m.Seated(ref, MATCH, seat, self._token))

    async def _gather(self) -> None:
        """Answer until the host starts the match."""
        while True:
            match await self.it.hear():
                case m.SetBot(ref=ref):
                    await self.it.say(m.Done(ref))
                    await self.it.say(self._state(TablePhase.GATHERING))
                case m.Start(ref=ref):
                    await self.it.say(m.Done(ref))
                    return
                case other:
                    await self._aside(other)

    async def _begin(self) -> None:
        # Without a round limit, the match cannot be over before all paths are tested.
        options = {key: 0 if key == "round_limit" else value for key, value in self._options.items()}
        self._match = Match(self._rules, self._seats, options, Dice(7))
        first = self._match.chance()
        if first is not None:
            self._match.commit(first)
        self._others()
        await self._catch_up(0)

    async def _catch_up(self, have: int) -> None:
        """Send everything that a client gets on joining or resuming."""
        await self.it.say(self._state(TablePhase.PLAYING))
        tail = self._match.tail(self._seat, have) if have else None
        for data in [self._match.snapshot(self._seat)] if tail is None else tail:
            await self.it.tell(data)
        await self.it.say(m.Clock(self._match.owed, 0))

    def _state(self, phase: TablePhase) -> m.TableState:
        seats = [m.SeatInfo(SeatKind.BOT, "", "random") for _ in range(self._seats)]
        seats[self._seat] = m.SeatInfo(SeatKind.PERSON, "You")
        return m.TableState(
            MATCH, "Conformance", self._rules.id, self._options, False, CODE, phase, self._seat, True, 0, 0,
            tuple(seats), 0,
        )  # fmt: skip

    # --- coming back ---

    async def _returned(self, have: int) -> None:
        """Wait until the client has resumed; `have`: the version that it holds."""
        try:
            await self.it.arrive(self.it.patience * RETURN)
        except Silent:
            raise self.it.stuck("no-return", "It did not come back after the connection was lost (5, 6.1).") from None
        await self._greet()
        resume = await self.it.hear()
        if not isinstance(resume, m.Resume):
            said = type(resume).__name__
            raise self.it.stuck("no-resume", f"On the new connection it said {said}, not `Resume` with its token (5).")
        self._judge(resume, have)
        if await self.it.waiting():
            self.it.fault("hasty", "It sent something between `Resume` and its answer (5).")
        self._former.append(self._token)
        await self._sit(resume.ref, self._seat)
        await self._catch_up(resume.have if resume.have <= self._match.version else 0)

    def _judge(self, resume: m.Resume, have: int) -> None:
        if resume.match != MATCH or resume.token != self._token:
            older = "an older token" if resume.token in self._former else "a token or match that it was not told"
            self.it.fault("token", f"It resumed with {older} in place of the newest one (5).")
        if resume.have != have and not (resume.have == 0 and self._asks_anyway):
            self.it.fault("have", f"It resumed with `have` {resume.have}, and holds version {have} (5).")

    # --- decisions ---

    def _keep(self, act: m.Act) -> None:
        self._kept = act

    async def _decision(self) -> m.Act:
        """Return the next action; only its number is checked."""
        while True:
            message = await self.it.hear()
            if isinstance(message, m.Act):
                self._number(message)
                return message
            await self._aside(message)

    async def _legal(self) -> m.Act:
        """Return the next legal action without carrying it out; refuse others."""
        for _ in range(MOST_TRIES):
            act = await self._decision()
            outcome = self._match.submit(self._seat, act.command, act.frame, bytes(act.action))
            if isinstance(outcome, Step):
                return act
            await self._answer(act, outcome)
        raise self.it.stuck("no-legal", f"{MOST_TRIES} actions one after the other were refused; see `Consider` (4.1).")

    async def _accepted(self, telling: Telling = truly) -> None:
        """Carry out the next legal action, and tell the client of it by `telling`."""
        await self._carry_out(await self._legal(), telling)

    async def _carry_out(self, act: m.Act, telling: Telling = truly) -> bool:
        outcome = self._match.submit(self._seat, act.command, act.frame, bytes(act.action))
        if not isinstance(outcome, Step):
            await self._answer(act, outcome)
            return False
        version = self._match.version + 1
        frames = self._commit(act)
        await self.it.say(m.Accepted(act.command, version))
        await self._show(telling(frames))
        return True

    def _commit(self, act: m.Act) -> Frames:
        """Carry out a legal action, and return the frames up to the client's next decision."""
        self._before, self._stale = (self._match.version, self._match.state), 0
        step = self._match.submit(self._seat, act.command, act.frame, bytes(act.action))
        assert isinstance(step, Step)
        self._match.commit(step)
        return [*self._frames(step), *self._others()]

    def _others(self) -> Frames:
        """Let the others decide until it is the client's turn again."""
        found: Frames = []
        for _ in range(MOST_MOVES):
            if self._match.finished or self._seat in self._match.owed:
                break
            seat = self._match.owed[0]
            action = play_random(self._rules, self._rules.view(self._match.state, seat), seat, self._rng)
            step = self._match.submit(seat, 0, self._match.frame, codec.encode(action))
            assert isinstance(step, Step)
            self._match.commit(step)
            found += self._frames(step)
        return found

    async def _answer(self, act: m.Act, outcome: Repeated | Refusal | Step) -> None:
        """Answer an action that changes nothing."""
        if isinstance(outcome, Repeated):
            await self.it.say(m.Accepted(act.command, outcome.version))
        elif isinstance(outcome, Refusal):
            self._stale += outcome.code == "stale-frame"
            if outcome.code == "bad-action":
                self.it.fault("bad-action", f"It sent what is no action of the rule set: {outcome.text}")
            elif self._stale > 3:
                self.it.fault("stale", "Again and again it answers a decision that is over (4).")
            await self.it.say(m.Refused(act.command, outcome.code, outcome.rule, outcome.text))

    async def _refuse(self, act: m.Act, code: str, text: str) -> None:
        await self.it.say(m.Refused(act.command, code, "", text))

    def _number(self, act: m.Act) -> None:
        """Check the number of a command."""
        said = (act.frame, bytes(act.action))
        known = self._commands.get(act.command)
        if known is not None and known != said:
            self.it.fault("command-reused", f"Command {act.command} came again with another action or frame (4).")
        elif known is None and act.command < max(self._commands, default=0):
            self.it.fault("command-order", f"Command {act.command} came after a higher one: they must rise (4).")
        self._commands[act.command] = said

    # --- what the client is told ---

    def _frames(self, step: Step) -> Frames:
        return [turned.frames[self._seat] for turned in step.turned]

    def _mark(self, deed: Deed = Deed.TIME) -> Frames:
        """Add a version without changes."""
        step = self._match.mark(deed, b"")
        self._match.commit(step)
        return self._frames(step)

    async def _show(self, frames: Sequence[bytes]) -> None:
        for data in frames:
            await self.it.tell(data)
            self._told.append(data)
        await self.it.say(m.Clock(self._match.owed, 0))

    def _falsified(self, frames: Frames) -> Frames:
        frame = codec.decode_server(frames[0])
        assert isinstance(frame, m.Frame)
        return [codec.encode(replace(frame, digest=frame.digest ^ 1)), *frames[1:]]

    def _misfitted(self, frames: Frames) -> Frames:
        frame = codec.decode_server(frames[0])
        assert isinstance(frame, m.Frame)
        return [codec.encode(replace(frame, delta=msgspec.Raw(codec.ENCODER.encode([NOWHERE, 1])))), *frames[1:]]

    async def _asked(self, fault: str, text: str) -> None:
        """Wait until the client requests a snapshot, send one, and check that it goes on."""
        self._syncs = 0
        while not self._syncs:
            try:
                message = await self.it.hear()
            except Silent:
                self.it.fault(fault, text)
                break
            if isinstance(message, m.Act):
                self.it.fault(fault, text)
                self._number(message)
                await self._refuse(message, "stale-frame", "That decision is over.")
                break
            await self._aside(message, quiet=True)
        for message in await self.it.waiting():
            await self._aside(message, quiet=True)
        if self._syncs > 1 and not self._asks_anyway:
            self.it.fault("sync-often", "It asked for one and the same snapshot more than once (`Sync` once, 3.2).")
        await self.it.tell(self._match.snapshot(self._seat))
        await self._accepted()

    # --- whatever else it says ---

    async def _aside(self, message: m.ClientMessage, quiet: bool = False) -> None:
        """Answer messages outside of the path. `quiet`: a requested snapshot is sent later."""
        match message:
            case m.Sync():
                self._syncs += 1
                if not quiet:
                    self._asks_anyway |= self.it.path in ("table", "ping", "future", "refusal", "rate", "play")
                    await self.it.tell(self._match.snapshot(self._seat))
            case m.Consider(ref=ref, frame=frame):
                await self._considered(ref, frame)
            case m.Describe(ref=ref, ruleset=ruleset) if ruleset in self._rulesets:
                await self.it.say(description(self._rulesets[ruleset], ref))
            case m.OpenLobby(ref=ref):
                table = m.TableInfo(MATCH, "Conformance", self._rules.id, self._seats, 0, 0, TablePhase.GATHERING)
                await self.it.say(m.LobbyList(ref, (table,)))
            case m.Leave(ref=ref):
                raise self.it.stuck("left", "It left the table in the middle of the match.")
            case m.Say(text=text):
                await self.it.say(m.Said(self._seat, "You", text))
            case m.Watch():
                raise self.it.stuck("watches", "It looks on; what is tested here is a client that plays.")
            case _:
                await self._not_offered(message)

    async def _considered(self, ref: int, frame: int) -> None:
        if frame != self._match.frame or self._seat not in self._match.owed:
            await self.it.say(m.Refused(ref, "stale-frame", "", "That decision is over."))
            return
        await self.it.tell(codec.encode_first(replace(self._match.choices(self._seat), ref=ref)))

    async def _not_offered(self, message: m.ClientMessage) -> None:
        name = type(message).__name__
        self.it.fault("not-offered", f"It said {name}, which does not belong there, or is not in `Welcome.can` (2).")
        await self.it.say(m.Refused(reference(message), "order", "", "That does not belong there."))


def _bounds() -> m.Bounds:
    often = m.Quota(60000, 1000)
    return m.Bounds(
        MAX_TO_SERVER, MAX_TO_CLIENT, m.Quota(1800, 90), m.Quota(30, 5), m.Quota(6, 8), often, often, often, 10
    )
