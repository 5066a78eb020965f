"""Paths of a test of a client that watches.

A spectator says nothing by itself. So each path ends with a version that is missing: the request for a snapshot names
the version up to which the client could follow.
"""

import contextlib
from collections.abc import Awaitable, Callable, Sequence
from typing import Final

from protocol import codec
from protocol.limits import Close
from server.tools.client_changes import Exercise, outstanding
from server.tools.client_test_player import A_MOMENT, PATHS, STEPS
from server.tools.client_test_table import LOOPS, NEEDLESS, Cause, Frames, TestTable, falsified, misfitted
from server.tools.client_under_test import FUTURE, Gone, Silent, Stuck
from shared import messages as m
from shared.history import Deed
from shared.ids import NONE

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

    def path(self, name: str) -> Callable[[], Awaitable[None]]:
        """Return the function that walks a path."""
        found: Callable[[], Awaitable[None]] = getattr(self, f"_{name}")
        return found

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
        if not await self._follows([], packed=False):
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
        return await self._follows([], packed=False)

    async def _changes(self) -> None:
        for exercise in outstanding(lambda: self.it.named):
            if not await self._applies(exercise):
                # A client that asks now and then passes the second time.
                again = await self._applies(exercise)
                self.it.fault(*(NEEDLESS if again else (exercise.fault, exercise.text)))

    async def _applies(self, exercise: Exercise) -> bool:
        """Show a kind of change, and return whether the client could follow."""
        if not await self.table.exercise(exercise):
            return True
        return await self._follows([])

    async def _play(self) -> None:
        for _ in range(STEPS):
            if not await self._follows(self._moves()):
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
        if not await self._follows([self.table.told[0]]):
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
        if not await self._follows(self._moves()):
            self._note(("lost", "After its return it did not go on from the version that it held (5)."))

    async def _rewind(self) -> None:
        match = self.table.match
        version, state = match.version, match.state
        await self.table.show(self._moves())
        if not await self._follows(self.table.commit(match.rewind(NONE, version, state))):
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

    async def _follows(self, frames: Sequence[bytes], packed: bool = True) -> bool:
        """Show frames and then a gap; return whether the client held the version before the gap.

        `packed`: whether the snapshot that it asks for then may be.
        """
        await self.table.show(frames)
        self.table.syncs = 0
        for _ in range(2):
            await self.table.show(self.table.mark())
        held = self.table.match.version
        early = await self._syncs()
        self.table.mark()
        await self.table.show(self.table.mark())
        sync = early[0] if early else await self._sync()
        await self._once(
            "sync-often", "It asked for one and the same snapshot more than once (`Sync` once, 3.2).", packed
        )
        return not early and sync.have in (0, held, held + 2)

    async def _syncs(self) -> list[m.Sync]:
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
        if await self._syncs():
            self._note((fault, text))
        await self.table.snapshot(packed)
