"""Brings notes to webhooks: beside everything else, a few times at most, and nobody ever waits for it."""

import asyncio
import contextlib
import ssl
from collections import deque
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from functools import partial
from typing import Final, Protocol

from msgspec import Struct

from protocol.links import link_of
from server import log
from server.budgets import Budget, Rate
from server.clock import Clock
from server.outside import target as targets
from server.outside.post import Failed, post
from server.outside.target import Resolve, Target, Unfit
from server.outside.words import Body, Note, body
from shared.tables import HookForm

A_TABLE: Final = 4
"""Notes of one table that may wait, and"""
IN_ALL: Final = 200
"""of all of them: what is more is left out, but for the first of a table."""
AT_ONCE: Final = 16
"""Requests at a time, and"""
DOUBTFUL: Final = 4
"""tries at a time for tables whose last try failed: those that never arrive delay each other and nobody else."""
MOST: Final = 1000
"""Tables of which it is known that their last try failed."""
SET: Final = Rate(1 / 60, 5.0)
"""Webhooks that one address may set."""
PAUSES: Final = (2.0, 10.0)
"""Seconds before the second and the third try."""


class Post(Protocol):
    """Sends a note once; see `post`."""

    async def __call__(self, target: Target, body: Body, /, *, place: AbstractAsyncContextManager[object]) -> None:
        """Raises Failed."""


class _Letter(Struct, frozen=True):
    """A note on its way; `failed` is called if it did not arrive."""

    form: HookForm
    url: str
    note: Note
    failed: Callable[[], None]


class Messenger:
    """See the module's docstring. `public`: under which address people find this server, "" where that is not known;
    `loopback`: whether notes may go to this computer itself."""

    def __init__(
        self, clock: Clock, public: str = "", loopback: bool = False, resolve: Resolve = targets.resolve
    ) -> None:
        self._clock = clock
        self._public = public
        self._loopback = loopback
        self._set = Budget(SET, clock.now)
        self._waiting: dict[str, deque[_Letter]] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._left: set[asyncio.Task[None]] = set()
        """Those that are being broken off."""
        self._places = asyncio.Semaphore(AT_ONCE)
        self._doubtful_places = asyncio.Semaphore(DOUBTFUL)
        self._doubtful: dict[str, None] = {}
        """Tables whose last try failed, the latest last."""
        context = ssl.create_default_context()
        self._post: Post = partial(post, resolve=resolve, context=context, loopback=loopback)

    def admits(self, address: str) -> bool:
        """Whether one more webhook may be set from there."""
        return self._set.take(address)

    def check(self, url: str) -> None:
        """Raises Unfit where no note may go."""
        targets.read(url, self._loopback)

    def link(self, code: str) -> str:
        """Leads to the table with that code."""
        return link_of(self._public, code) if self._public else ""

    def send(self, form: HookForm, url: str, note: Note, failed: Callable[[], None]) -> None:
        """Bring a note there, or leave it out where too many wait."""
        waiting = self._waiting.setdefault(note.match, deque())
        if len(waiting) >= A_TABLE or (waiting and sum(map(len, self._waiting.values())) >= IN_ALL):
            return log.seldom("hook-left-out", match=note.match)
        waiting.append(_Letter(form, url, note, failed))
        if note.match not in self._tasks:
            self._tasks[note.match] = asyncio.create_task(self._work(note.match), name=f"hook {note.match}")
        return None

    def drop(self, match: str) -> None:
        """That table tells something else, or nothing, from now on: what has not arrived is left at once."""
        task = self._tasks.pop(match, None)
        if task is not None:
            del self._waiting[match]
            self._left.add(task)
            task.add_done_callback(self._left.discard)
            task.cancel()

    async def close(self) -> None:
        """What has not arrived is left."""
        tasks = (*self._tasks.values(), *self._left)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _work(self, match: str) -> None:
        """Bring a table's notes, one after the other."""
        waiting = self._waiting[match]
        try:
            while waiting:
                if not await self._bring(waiting[0]):
                    with contextlib.suppress(Exception):
                        waiting[0].failed()
                waiting.popleft()
        finally:
            if self._waiting.get(match) is waiting:  # Otherwise it was dropped, and others may wait there already.
                del self._waiting[match], self._tasks[match]

    async def _bring(self, letter: _Letter) -> bool:
        """Try until it arrives; whether it did."""
        why = ""
        for pause in (0.0, *PAUSES):
            await self._pause(pause)
            try:
                await self._try(letter)
                return True
            except Failed as error:
                self._doubt(letter.note.match)
                why = str(error)
                if error.final:
                    break
            except Unfit:
                why = "unfit"
                break
        log.warning("hook-failed", match=letter.note.match, why=why)
        return False

    async def _try(self, letter: _Letter) -> None:
        """Send it, once. Raises Failed or Unfit."""
        target, said = targets.read(letter.url, self._loopback), body(letter.form, letter.note)
        if letter.note.match in self._doubtful:
            async with self._doubtful_places:
                await self._post(target, said, place=contextlib.nullcontext())
            self._doubtful.pop(letter.note.match, None)
        else:
            await self._post(target, said, place=self._places)

    def _doubt(self, match: str) -> None:
        """Its last try failed."""
        self._doubtful.pop(match, None)
        self._doubtful[match] = None
        if len(self._doubtful) > MOST:
            del self._doubtful[next(iter(self._doubtful))]

    async def _pause(self, seconds: float) -> None:
        if seconds:
            done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            timer = self._clock.call_later(seconds, partial(done.set_result, None))
            try:
                await done
            finally:
                timer.cancel()
