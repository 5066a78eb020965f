"""Paths of a test of a client that plays. Each later path begins after an action of the client."""

import contextlib
from collections.abc import Awaitable, Callable
from typing import Any, Final

from msgspec import Raw

from protocol import codec
from protocol.limits import Close
from server.matches.match import Repeated, Step
from server.tools.client_changes import Exercise, outstanding
from server.tools.client_test_table import LOOSE, NEEDLESS, SPAN, Cause, Frames, TestTable, falsified, misfitted
from server.tools.client_under_test import FUTURE, Gone, Silent
from shared import messages as m
from shared.history import Deed
from shared.refusal import Refusal

PATHS: Final = {
    "greeting": "it greets, and reads messages with fields at their end that it does not know",
    "table": "it makes, joins or watches a table",
    "ping": "it answers pings of the WebSocket",
    "future": "it goes on after messages that it does not know, or need not heed",
    "refusal": "it goes on after an action was refused that the server could not keep",
    "rate": "it sends again what came too fast and was read by nobody",
    "rule": "it takes another action after one was refused",
    "behind": "it goes on from a snapshot that came unasked, packed if it understands that",
    "changes": "it applies every kind of change in a delta",
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
MOST_TRIES: Final = 60
"""Refused actions in a row after which the test gives up."""
STEPS: Final = 4
"""Decisions that are played without any fault."""
REPEATED: Final = 3
"""Times that the same action may still be on its way."""
A_MOMENT: Final = 1.5
"""Seconds in which a client would act that missed the end of the match."""
ELSEWHERE: Final = 100
"""Commands that another device of the player is said to have used."""
REPEATING: Final = ("refusal", "rate", "drop", "restart", "rewind", "end")
"""Paths on which an action may come again."""

Telling = Callable[[Frames], Frames]
"""Replaces the frames of a step in what the client is told."""


def truly(frames: Frames) -> Frames:
    """Return the frames unchanged."""
    return frames


class PlayerPaths:
    """Paths of a client with a seat."""

    def __init__(self, table: TestTable) -> None:
        self.table = table
        self.it = table.it
        self._kept: m.Act | None = None
        """A legal action that is not carried out yet."""
        self._commands: dict[int, tuple[int, bytes]] = {}
        self._accepted_commands: set[int] = set()
        self._lowest = 0
        """Number above which new commands must be."""
        self._frames: set[int] = set()
        """Numbers of the frames that the client owed an answer so far."""
        self._stale = 0
        self._before: tuple[int, Any] = (0, None)
        """Version and position before the client's last action."""

    def path(self, name: str) -> Callable[[], Awaitable[None]]:
        """Return the function that walks a path."""
        found: Callable[[], Awaitable[None]] = getattr(self, f"_{name}")
        return found

    # --- the paths ---

    async def _ping(self) -> None:
        self.table.provoked = False
        await self.it.barrier()

    async def _future(self) -> None:
        await self.it.raw(codec.ENCODER.encode(FUTURE))
        await self.table.chatter()
        self._kept = await self._decision()
        for message in await self.it.waiting():
            if isinstance(message, m.Act) and _same(message, self._kept):
                self._repeats(message)
            else:
                await self.table.aside(message)

    async def _refusal(self) -> None:
        assert self._kept is not None
        try:
            self._kept = await self._another(self._kept)
        except Gone:  # Closing is a legitimate way to wait until the server can save again.
            await self.table.returned(self.table.match.version)
            self._kept = await self._decision()

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
        assert act is not None
        await self._refuse(act, "rate", "Slow down, please.")
        again = await self._decision()
        if not _same(again, act):
            self.it.fault("not-again", "An action that nobody had read (`rate`) was not sent again as it was (6).")
        self._kept = again

    async def _rule(self) -> None:
        act = await self._legal()
        await self._refuse(act, "wrong-action", "Another action, please.")
        self._kept = await self._legal()
        if self._kept.command == act.command:
            self.it.fault("same-command", "After a refusal it sent the same command again (4).")

    async def _behind(self) -> None:
        await self._carried(await self._legal())
        await self.table.fall_behind()
        try:
            self._kept = await self._legal()
        except Silent:
            await self._behind_again()

    async def _behind_again(self) -> None:
        """Find out why the client does not go on from a snapshot."""
        text = "It did not go on from a snapshot that it had not asked for (2, 3)."
        if self.table.packs:
            await self.table.fall_behind(packed=False)
            with contextlib.suppress(Silent):
                self._kept = await self._legal()
                self.it.fault("packed", "It named `packed`, and did not read a `Packed` snapshot (3).")
                return
        raise self.it.stuck("behind", text)

    async def _changes(self) -> None:
        self._kept = await self._legal()
        for exercise in outstanding(lambda: self.it.named):
            if await self._fails(exercise):
                # A client that asks now and then passes the second time.
                self.it.fault(*((exercise.fault, exercise.text) if await self._fails(exercise) else NEEDLESS))
        # What follows from these faults has no other name.
        self.table.asks_anyway |= bool(self.it.faults)

    async def _fails(self, exercise: Exercise) -> bool:
        """Carry out the next action, show a kind of change, and return whether the client asks for a snapshot."""
        await self._carried(await self._legal())
        self.table.syncs, self.table.provoked = 0, not self.table.asks_anyway
        if not await self.table.exercise(exercise):
            await self.table.fall_behind()
        self._kept = await self._legal()
        self.table.provoked = False
        return self.table.syncs > 0 and not self.table.asks_anyway

    async def _play(self) -> None:
        for _ in range(STEPS):
            await self._accepted()
        self._kept = await self._legal()

    async def _gap(self) -> None:
        act = await self._legal()
        self.table.mark()  # An unchanged, unsent version: only its missing number reveals it, not the digest.
        self.table.provoked = True
        await self._carry_out(act)
        await self._asked("gap", "A version was missing, and it went on without a snapshot (`Sync`, 3.2).")

    async def _digest(self) -> None:
        await self._wrong(lambda frames: [falsified(frames[0]), *frames[1:]])
        await self._asked("digest", "The digest was not that of its view, and it went on without a snapshot (3.2).")

    async def _misfit(self) -> None:
        await self._wrong(lambda frames: [misfitted(frames[0]), *frames[1:]])
        text = "A delta did not fit its view, and it went on without a snapshot (3.2)."
        await self._asked("misfit", text, refused=True)

    async def _wrong(self, telling: Telling) -> None:
        act = await self._legal()
        self.table.provoked = True
        await self._carry_out(act, telling)

    async def _old(self) -> None:
        for _ in range(SPAN):
            await self._accepted()
        act = await self._legal()
        self.table.cause = "old-frame", "A frame of a version that it had already was not ignored (3.2)."
        await self._carry_out(act, lambda frames: [self.table.told[0], *frames])
        self._kept = await self._legal()
        self.table.cause = NEEDLESS

    async def _drop(self) -> None:
        act = await self._legal()
        have = self.table.match.version
        self._commit(act)
        self._accepted_commands.add(act.command)
        self.it.wire.socket.transport.abort()
        await self._returned(have)
        again = await self._decision()
        if _same(again, act):
            await self.table.answer(m.Accepted(act.command, have + 1))
        else:
            text = "An action without an answer when the connection was lost was not sent again as it was (4)."
            self.it.fault("not-repeated", text)
            await self._carry_out(again)
        await self._accepted()

    async def _restart(self) -> None:
        await self._accepted()
        have = self.table.match.version
        await self.it.say(m.Notice("restart", "The server stops; your seat is kept."))
        await self.it.wire.socket.close(Close.RESTART)
        self.table.highest = max(self._commands) + ELSEWHERE
        await self._returned(have)
        await self._accepted()  # Its number may be older: it may have been sent before the connection ended.
        self._lowest = self.table.highest

    async def _returned(self, have: int) -> None:
        self.table.highest = max(self.table.highest, *self._accepted_commands)
        await self.table.returned(have)

    async def _rewind(self) -> None:
        await self._accepted()
        text = "After the match went back it did not follow, or answered a decision that was over (3.3)."
        self.table.cause = "rewound", text
        match = self.table.match
        frames = self.table.commit(match.rewind(self.table.seat, *self._before))
        await self.table.show(frames)
        self._stale = 0
        try:
            act = await self._legal()
        except Silent:
            raise self.it.stuck(*self.table.cause) from None
        self.table.cause = NEEDLESS
        await self._carry_out(act)

    async def _end(self) -> None:
        act = await self._legal()
        frames = [*self._commit(act), *self.table.mark(Deed.END)]
        await self.table.show(frames)
        await self.table.over()
        with contextlib.suppress(Silent, Gone):  # The client may look at the result, or leave.
            # The answer comes last: until then the client has no reason to act.
            await self.it.barrier()
            await self.table.answer(m.Accepted(act.command, self._before[0] + 1))
            self.it.patience = min(A_MOMENT, self.it.patience)
            await self._after_the_end(act)

    async def _after_the_end(self, last: m.Act) -> None:
        for message in await self.it.arrived():
            if not isinstance(message, m.Act | m.Consider | m.TryAction):  # These may have crossed the end.
                await self._at_the_end(message, last)
        while True:
            await self._at_the_end(await self.table.hear(), last)

    async def _at_the_end(self, message: m.ClientMessage, last: m.Act) -> None:
        if isinstance(message, m.Leave):
            await self.it.say(m.Left(message.ref, "left", "You left the table."))
        elif isinstance(message, m.Act) and _same(message, last):
            await self.table.answer(m.Accepted(last.command, self._before[0] + 1))
        elif isinstance(message, m.Act):
            self.it.fault("after-end", "It acted after `TableState.phase` was 2: the match was over (5).")
            await self._refuse(message, "over", "The match is over.")
        else:
            if isinstance(message, m.Consider | m.TryAction):
                self.it.fault("after-end", "It asked what is legal after `TableState.phase` was 2 (5).")
            await self.table.aside(message)

    # --- decisions ---

    async def _decision(self) -> m.Act:
        """Return the next action; only its numbers are checked."""
        if self.table.seat in self.table.match.owed:
            self._frames.add(self.table.match.frame)
        while True:
            message = await self.table.hear()
            if isinstance(message, m.Act):
                self._check(message)
                return message
            await self.table.aside(message)

    async def _legal(self) -> m.Act:
        """Return the next legal action without carrying it out; refuse others."""
        kept, self._kept = self._kept, None
        for _ in range(MOST_TRIES):
            act = kept or await self._decision()
            kept = None
            outcome = self._submitted(act)
            if isinstance(outcome, Step):
                return act
            await self._answer(act, outcome)
        raise self.it.stuck("no-legal", f"{MOST_TRIES} actions one after the other were refused; see `Consider` (4.1).")

    def _submitted(self, act: m.Act) -> Step | Repeated | Refusal:
        return self.table.match.submit(self.table.seat, act.command, act.frame, bytes(act.action))

    async def _accepted(self) -> None:
        """Carry out the next legal action, and tell the client of it."""
        await self._carry_out(await self._legal())

    async def _carry_out(self, act: m.Act, telling: Telling = truly) -> None:
        outcome = self._submitted(act)
        if not isinstance(outcome, Step):
            return await self._answer(act, outcome)
        return await self.table.show(telling(await self._carried(act)))

    async def _carried(self, act: m.Act) -> Frames:
        """Carry out a legal action and say that it counts; return the frames up to the client's next decision."""
        version = self.table.match.version + 1
        frames = self._commit(act)
        await self.table.answer(m.Accepted(act.command, version))
        return frames

    def _commit(self, act: m.Act) -> Frames:
        """Carry out a legal action, and return the frames up to the client's next decision."""
        match = self.table.match
        self._before, self._stale = (match.version, match.state), 0
        step = self._submitted(act)
        assert isinstance(step, Step)
        self._accepted_commands.add(act.command)
        return [*self.table.commit(step), *self.table.others()]

    async def _answer(self, act: m.Act, outcome: Repeated | Refusal | Step) -> None:
        """Answer an action that changes nothing."""
        if isinstance(outcome, Repeated):
            self._repeats(act)
            await self.table.answer(m.Accepted(act.command, outcome.version))
        elif isinstance(outcome, Refusal):
            self._judge(act, outcome)
            await self.table.answer(m.Refused(act.command, outcome.code, outcome.rule, str(outcome.text)))

    def _judge(self, act: m.Act, refusal: Refusal) -> None:
        """Note the fault of an action that is refused."""
        self._stale += refusal.code == "stale-frame"
        offered = self.table.offered
        if refusal.code == "bad-action":
            self.it.fault("bad-action", f"It sent what is no action of the rule set: {refusal.text}")
        elif self._stale > 1 and self.it.path in LOOSE:
            self.it.fault(*(self.table.cause if self.it.path == "rewind" else _STALE))
        elif refusal.code == "stale-frame":
            return
        elif (act.frame, bytes(act.action)) in self.table.tried:
            self.it.fault("tried", "It sent an action that `TryAction` had just found illegal (4.2).")
        elif offered and offered.complete and bytes(act.action) not in map(bytes, offered.actions):
            self.it.fault("outside", "It sent an illegal action that a complete `Choices` did not have (4.1).")

    async def _refuse(self, act: m.Act, code: str, text: str) -> None:
        await self.table.answer(m.Refused(act.command, code, "", text))

    def _repeats(self, act: m.Act) -> None:
        """Note the fault of an action that comes again; a snapshot and a lost connection are reasons for that."""
        if self.it.path not in REPEATING and not self.table.asks_anyway:
            self.it.fault("repeated", f"It sent command {act.command} again, though no connection was lost (4).")

    def _check(self, act: m.Act) -> None:
        """Check the numbers of an action."""
        owed = self.table.match.frame
        if act.command == owed != act.frame and act.frame not in self._frames:
            return self.it.fault("swapped", "It exchanged `command` and `frame` of an action (4).")
        self._number(act)
        return self._frame(act)

    def _number(self, act: m.Act) -> None:
        """Check the number of a command."""
        said = (act.frame, bytes(act.action))
        known = self._commands.get(act.command)
        if known is not None and known != said:
            self.it.fault("command-reused", f"Command {act.command} came again with another action or frame (4).")
        elif known is None and act.command < max(self._commands, default=0):
            self.it.fault("command-order", f"Command {act.command} came after a higher one: they must rise (4).")
        elif known is None and act.command <= self._lowest:
            self.it.fault("command-low", f"Command {act.command} is not above `Seated.command` {self._lowest} (4).")
        self._commands[act.command] = said

    def _frame(self, act: m.Act) -> None:
        """Check the number of the frame that an action answers."""
        owed, standing = self.table.match.frame, self.table.rules.standing.kinds
        if act.frame == owed or self.it.path in LOOSE or act.command in self._accepted_commands:
            return
        if act.frame == 0 and isinstance(_decoded(self.table, act.action), standing):
            return
        if act.frame in self._frames:
            self.it.fault(*_STALE)
        else:
            self.it.fault("frame", f"It answered a frame {act.frame}, and owes an answer to {owed} (4).")

    async def _asked(self, fault: str, text: str, refused: bool = False) -> None:
        """Wait until the client requests a snapshot, send one, and check that it goes on.

        `refused`: the first request is refused as too fast.
        """
        self.table.syncs = 0
        await self._until_synced(fault, text)
        if refused and self.table.syncs and not self.table.asks_anyway:
            await self._refused_sync()
        for message in await self.it.waiting():
            await self.table.aside(message, quiet=True)
        if self.table.syncs > 1 and not self.table.asks_anyway:
            self.it.fault("sync-often", "It asked for one and the same snapshot more than once (`Sync` once, 3.2).")
        await self._while_it_waits()
        await self.table.snapshot()
        self.table.provoked = False
        self._kept = await self._legal()

    async def _until_synced(self, fault: str, text: str) -> None:
        while not self.table.syncs:
            try:
                message = await self.table.hear()
            except Silent:
                return self.it.fault(fault, text)
            if isinstance(message, m.Act):
                self.it.fault(fault, text)
                self._number(message)
                return await self._refuse(message, "stale-frame", "That decision is over.")
            await self.table.aside(message, quiet=True)
        return None

    async def _refused_sync(self) -> None:
        """Refuse a request for a snapshot, which must come again."""
        for message in await self.it.waiting():
            await self.table.aside(message, quiet=True)
        once = self.table.syncs
        await self.it.say(m.Refused(0, "rate", "", "Slow down, please."))
        self.table.syncs = 0
        await self._until_synced("sync-lost", "A `Sync` that was refused as too fast was not sent again (3.2).")
        self.table.syncs = max(once, self.table.syncs)

    async def _while_it_waits(self) -> None:
        """Show a version to a client that waits for a snapshot: it must ignore it."""
        self.table.syncs = 0
        (frame,) = self.table.mark()
        await self.it.tell(frame)
        for message in await self.it.waiting():
            await self.table.aside(message, quiet=True)
        if self.table.syncs and not self.table.asks_anyway:
            text = "Between `Sync` and the snapshot it did not ignore a frame, and asked again (3.2)."
            self.it.fault("not-ignored", text)


_STALE: Final[Cause] = "stale", "It answered a decision that was over (4)."


def _same(one: m.Act, other: m.Act) -> bool:
    """Whether two messages are the same action under the same command."""
    return (one.command, bytes(one.action)) == (other.command, bytes(other.action))


def _decoded(table: TestTable, action: Raw) -> object:
    """Return an action, or None if it is unreadable."""
    try:
        return table.rules.action_decoder.decode(action)
    except codec.UNREADABLE:
        return None
