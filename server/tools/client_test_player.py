"""Paths of a test of a client that plays, each later one after an action of it, and of a client that watches."""

import contextlib
from collections.abc import Callable, Sequence
from typing import Any, Final

from msgspec import Raw

from protocol import codec
from protocol.limits import Close
from server.matches.match import AcceptedAction, RepeatedCommand
from server.tools.client_changes import Exercise, outstanding
from server.tools.client_test_table import LOOPS, LOOSE, NEEDLESS, SPAN, Cause, Frames, TestTable, falsified, misfitted
from server.tools.client_under_test import FUTURE, Gone, Silent, Stuck
from shared import messages as m
from shared.history import Deed
from shared.ids import NONE
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
            self._kept = await self._other_action_after_refusal(self._kept)
        except Gone:  # Closing is a legitimate way to wait until the server can save again.
            await self.table.returned(self.table.match.version)
            self._kept = await self._decision()

    async def _other_action_after_refusal(self, act: m.Act) -> m.Act:
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
        await self._frames_after(await self._legal())
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
            if await self._fails_to_follow(exercise):
                # A client that asks now and then passes the second time.
                self.it.fault(*((exercise.fault, exercise.text) if await self._fails_to_follow(exercise) else NEEDLESS))
        # What follows from these faults has no other name.
        self.table.asks_anyway |= bool(self.it.faults)

    async def _fails_to_follow(self, exercise: Exercise) -> bool:
        """Carry out the next action, show a kind of change, and return whether the client asks for a snapshot."""
        await self._frames_after(await self._legal())
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
        await self._send_wrong_frames(lambda frames: [falsified(frames[0]), *frames[1:]])
        await self._asked("digest", "The digest was not that of its view, and it went on without a snapshot (3.2).")

    async def _misfit(self) -> None:
        await self._send_wrong_frames(lambda frames: [misfitted(frames[0]), *frames[1:]])
        text = "A delta did not fit its view, and it went on without a snapshot (3.2)."
        await self._asked("misfit", text, refused=True)

    async def _send_wrong_frames(self, telling: Telling) -> None:
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
            if isinstance(outcome, AcceptedAction):
                return act
            await self._answer(act, outcome)
        raise self.it.stuck("no-legal", f"{MOST_TRIES} actions one after the other were refused; see `Consider` (4.1).")

    def _submitted(self, act: m.Act) -> AcceptedAction | RepeatedCommand | Refusal:
        return self.table.match.submit(self.table.seat, act.command, act.frame, bytes(act.action))

    async def _accepted(self) -> None:
        """Carry out the next legal action, and tell the client of it."""
        await self._carry_out(await self._legal())

    async def _carry_out(self, act: m.Act, telling: Telling = truly) -> None:
        outcome = self._submitted(act)
        if not isinstance(outcome, AcceptedAction):
            return await self._answer(act, outcome)
        return await self.table.show(telling(await self._frames_after(act)))

    async def _frames_after(self, act: m.Act) -> Frames:
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
        assert isinstance(step, AcceptedAction)
        self._accepted_commands.add(act.command)
        return [*self.table.commit(step), *self.table.others()]

    async def _answer(self, act: m.Act, outcome: RepeatedCommand | Refusal | AcceptedAction) -> None:
        """Answer an action that changes nothing."""
        if isinstance(outcome, RepeatedCommand):
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


UNSEATED: Final = ("refusal", "rate", "rule")
"""Paths that need a seat."""
WATCHED: Final = {name: meaning for name, meaning in PATHS.items() if name not in UNSEATED} | {
    "play": "it follows the actions of all players",
    "drop": "it watches again after the connection was lost, from the version that it holds",
    "restart": "it watches again after the server has closed with 1012",
    "rewind": "it goes back to an earlier position",
}
"""Behaviour of a client that watches, in the order of the paths."""
EXPLAINING: Final = (NEEDLESS[0], "packed", "behind", "gap", "sync-often")
"""Faults with which a client cannot follow later paths either."""
MOVES: Final = 5
"""Actions of players that are shown at once."""


class SpectatorPaths:
    """Paths of a client that watches."""

    def __init__(self, table: TestTable) -> None:
        self.table = table
        self.it = table.it

    # --- the paths ---

    async def _ping(self) -> None:
        for _ in range(LOOPS):
            found = await self.it.waiting()
            for message in found:
                await self.table.aside(message)
            if not found:
                break
        if self.table.syncs:
            self.it.fault(*NEEDLESS)

    async def _future(self) -> None:
        await self.it.raw(codec.ENCODER.encode(FUTURE))
        await self.table.chatter()
        await self._listen()
        if not await self._keeps_up_over_gap([], packed=False):
            self._note(NEEDLESS)

    async def _behind(self) -> None:
        if not await self._goes_on(packed=True):
            if self.table.packs and await self._goes_on(packed=False):
                self._note(("packed", "It named `packed`, and did not read a `Packed` snapshot (3)."))
            else:
                self._note(("behind", "It did not go on from a snapshot that it had not asked for (2, 3)."))

    async def _goes_on(self, packed: bool) -> bool:
        """Show a later position by a snapshot, and return whether the client could follow."""
        self._moves()
        await self.table.fall_behind(packed)
        return await self._keeps_up_over_gap([], packed=False)

    async def _changes(self) -> None:
        for exercise in outstanding(lambda: self.it.named):
            if not await self._follows_change(exercise):
                # A client that asks now and then passes the second time.
                again = await self._follows_change(exercise)
                self.it.fault(*(NEEDLESS if again else (exercise.fault, exercise.text)))

    async def _follows_change(self, exercise: Exercise) -> bool:
        """Show a kind of change, and return whether the client could follow."""
        if not await self.table.exercise(exercise):
            return True
        return await self._keeps_up_over_gap([])

    async def _play(self) -> None:
        for _ in range(STEPS):
            if not await self._keeps_up_over_gap(self._moves()):
                self._note(NEEDLESS)

    async def _gap(self) -> None:
        have = self.table.match.version
        self.table.mark()
        await self._asked(have, self.table.mark(), "gap", "A version was missing, and it asked for no snapshot (3.2).")

    async def _digest(self) -> None:
        have, (first, *more) = self.table.match.version, self._moves()
        text = "The digest was not that of its view, and it asked for no snapshot (3.2)."
        await self._asked(have, [falsified(first), *more], "digest", text)

    async def _misfit(self) -> None:
        have, (first, *more) = self.table.match.version, self._moves()
        text = "A delta did not fit its view, and it asked for no snapshot (3.2)."
        await self._asked(have, [misfitted(first), *more], "misfit", text)

    async def _old(self) -> None:
        await self.table.show(self._moves())
        if not await self._keeps_up_over_gap([self.table.told[0]]):
            self._note(("old-frame", "A frame of a version that it had already was not ignored (3.2)."))

    async def _drop(self) -> None:
        await self.it.barrier()
        have = self.table.match.version
        self._moves()
        self.it.wire.socket.transport.abort()
        await self.table.returned(have)
        await self._settle()

    async def _restart(self) -> None:
        have = self.table.match.version
        await self.it.say(m.Notice("restart", "The server stops."))
        await self.it.wire.socket.close(Close.RESTART)
        await self.table.returned(have)
        await self._settle()

    async def _settle(self) -> None:
        if not await self._keeps_up_over_gap(self._moves()):
            self._note(("lost", "After its return it did not go on from the version that it held (5)."))

    async def _rewind(self) -> None:
        match = self.table.match
        version, state = match.version, match.state
        await self.table.show(self._moves())
        if not await self._keeps_up_over_gap(self.table.commit(match.rewind(NONE, version, state))):
            self._note(("rewound", "After the match went back it did not follow (3.3)."))

    async def _end(self) -> None:
        await self.table.show(self.table.mark(Deed.END))
        await self.table.over()
        self.it.patience = min(A_MOMENT, self.it.patience)
        with contextlib.suppress(Silent, Gone):  # The client may look at the result, or leave.
            while True:
                message = await self.table.hear()
                if isinstance(message, m.Leave):
                    await self.it.say(m.Left(message.ref, "left", "You left the table."))
                else:
                    self.table.provoked = False
                    await self.table.aside(message)

    # --- whether it follows ---

    def _note(self, cause: Cause) -> None:
        """Note the fault of a client that cannot follow, unless an earlier fault explains that."""
        if not any(name.startswith("delta-") or name in EXPLAINING for name in self.it.named):
            self.it.fault(*cause)

    def _moves(self) -> Frames:
        return self.table.others(MOVES)

    async def _listen(self) -> None:
        """Record messages that the client sends without a reason."""
        self.table.provoked = False
        for message in await self.it.waiting():
            await self.table.aside(message)
        self.table.provoked = True

    async def _keeps_up_over_gap(self, frames: Sequence[bytes], packed: bool = True) -> bool:
        """Show frames and then a gap; return whether the client held the version before the gap.

        `packed`: whether the snapshot that it asks for then may be.
        """
        await self.table.show(frames)
        self.table.syncs = 0
        for _ in range(2):
            await self.table.show(self.table.mark())
        held = self.table.match.version
        early = await self._sync_requests()
        self.table.mark()
        await self.table.show(self.table.mark())
        sync = early[0] if early else await self._sync()
        await self._once(
            "sync-often", "It asked for one and the same snapshot more than once (`Sync` once, 3.2).", packed
        )
        return not early and sync.have in (0, held, held + 2)

    async def _sync_requests(self) -> list[m.Sync]:
        """Return the requests for snapshots that have come, and answer everything else."""
        found = []
        for message in await self.it.waiting():
            if isinstance(message, m.Sync):
                found.append(message)
            else:
                await self.table.aside(message)
        return found

    async def _sync(self) -> m.Sync:
        """Return the next request for a snapshot. Raises Stuck if none comes: the test learns nothing more then."""
        while True:
            try:
                message = await self.table.hear()
            except Silent:
                self._note(("gap", "A version was missing, and it asked for no snapshot (3.2)."))
                raise Stuck from None
            if isinstance(message, m.Sync):
                return message
            await self.table.aside(message)

    async def _asked(self, have: int, frames: Sequence[bytes], fault: str, text: str) -> None:
        """Show frames of which the first is wrong to a client that holds the version `have`.

        It must request a snapshot, once, and ignore the other frames. Otherwise a later gap makes it ask.
        """
        first = self.table.match.version - len(frames) + 1
        await self.table.show(frames)
        for _ in range(2):
            await self.table.show(self.table.mark())
        self.table.mark()
        await self.table.show(self.table.mark())
        sync = await self._sync()
        if sync.have and not have <= sync.have <= first:
            self._note((fault, text))
        await self._once(
            "not-ignored", "Between `Sync` and the snapshot it did not ignore frames, and asked again (3.2)."
        )

    async def _once(self, fault: str, text: str, packed: bool = True) -> None:
        """Send the snapshot that was requested, and see that it was requested once."""
        if await self._sync_requests():
            self._note((fault, text))
        await self.table.snapshot(packed)
