"""Sender of webhook notes: in the background, with a few tries, and without delaying the game."""

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
from server.clock import Clock
from server.rate_limits import Budget, Rate
from server.webhooks import address_check as targets
from server.webhooks.address_check import Resolve, Target, Unfit
from server.webhooks.payloads import Body, Note, body
from server.webhooks.request import WebhookFailed, post
from shared.tables import HookForm

A_TABLE: Final = 4
"""Limit of one table's waiting notes."""
IN_ALL: Final = 200
"""Limit of all tables' waiting notes. Further notes are dropped, except the first of a table."""
AT_ONCE: Final = 16
"""Limit of simultaneous requests."""
DOUBTFUL: Final = 4
"""Limit of simultaneous tries for tables whose last try failed. Broken webhooks delay only each other."""
MOST: Final = 1000
"""Limit of tables that are remembered because their last try failed."""
SET: Final = Rate(1 / 60, 5.0)
"""Rate at which one address may set webhooks."""
PAUSES: Final = (2.0, 10.0)
"""Seconds before the second and the third try."""


class Post(Protocol):
    """Function that sends a note once; see `post`."""

    async def __call__(self, target: Target, body: Body, /, *, place: AbstractAsyncContextManager[object]) -> None:
        """Send a note. Raises Failed."""


class _Letter(Struct, frozen=True):
    """Note in the queue; `failed` is called if it did not arrive."""

    form: HookForm
    url: str
    note: Note
    failed: Callable[[], None]


class WebhookSender:
    """Sender of webhook notes.

    `public`: the address at which players find this server, "" if unknown. `loopback`: whether notes may go to this
    computer itself.
    """

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
        """Tasks that are being cancelled."""
        self._places = asyncio.Semaphore(AT_ONCE)
        self._doubtful_places = asyncio.Semaphore(DOUBTFUL)
        self._doubtful: dict[str, None] = {}
        """Tables whose last try failed, the latest last."""
        context = ssl.create_default_context()
        self._post: Post = partial(post, resolve=resolve, context=context, loopback=loopback)

    def admits(self, address: str) -> bool:
        """Whether that address may set one more webhook now."""
        return self._set.take(address)

    def check(self, url: str) -> None:
        """Check an address. Raises Unfit if no note may go there."""
        targets.read(url, self._loopback)

    def link(self, code: str) -> str:
        """Return a link to the table with that code, "" if the public address is unknown."""
        return link_of(self._public, code) if self._public else ""

    def send(self, form: HookForm, url: str, note: Note, failed: Callable[[], None]) -> None:
        """Queue a note for a webhook; drop it if too many wait."""
        waiting = self._waiting.setdefault(note.match, deque())
        if len(waiting) >= A_TABLE or (waiting and sum(map(len, self._waiting.values())) >= IN_ALL):
            return log.seldom("hook-left-out", match=note.match)
        waiting.append(_Letter(form, url, note, failed))
        if note.match not in self._tasks:
            self._tasks[note.match] = asyncio.create_task(self._work(note.match), name=f"hook {note.match}")
        return None

    def drop(self, match: str) -> None:
        """Drop a table's waiting notes at once, because its webhook has changed or ended."""
        task = self._tasks.pop(match, None)
        if task is not None:
            del self._waiting[match]
            self._left.add(task)
            task.add_done_callback(self._left.discard)
            task.cancel()

    async def close(self) -> None:
        """Cancel all waiting notes."""
        tasks = (*self._tasks.values(), *self._left)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _work(self, match: str) -> None:
        """Send a table's notes one after the other."""
        waiting = self._waiting[match]
        try:
            while waiting:
                if not await self._bring(waiting[0]):
                    with contextlib.suppress(Exception):
                        waiting[0].failed()
                waiting.popleft()
        finally:
            if self._waiting.get(match) is waiting:  # Otherwise `drop` replaced the queue, and new notes may wait.
                del self._waiting[match], self._tasks[match]

    async def _bring(self, letter: _Letter) -> bool:
        """Try to send a note up to three times; return whether it arrived."""
        why = ""
        for pause in (0.0, *PAUSES):
            await self._pause(pause)
            try:
                await self._try(letter)
                return True
            except WebhookFailed as error:
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
        """Send a note once. Raises Failed or Unfit."""
        target, said = targets.read(letter.url, self._loopback), body(letter.form, letter.note)
        if letter.note.match in self._doubtful:
            async with self._doubtful_places:
                await self._post(target, said, place=contextlib.nullcontext())
            self._doubtful.pop(letter.note.match, None)
        else:
            await self._post(target, said, place=self._places)

    def _doubt(self, match: str) -> None:
        """Note that a table's last try failed."""
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
