"""Senders of notes outside of the game: in the background, with a few tries, and without delaying the game."""

import asyncio
import contextlib
import ssl
from collections import deque
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from functools import partial
from typing import Final, Protocol, TypeAlias

from msgspec import Struct

from protocol.links import sight_of
from protocol.routes import routes_of
from server import log, metrics
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
"""Limit of tables or devices that are remembered because their last try failed."""
SET: Final = Rate(1 / 60, 5.0)
"""Rate at which one address may set webhooks."""
PAUSES: Final = (2.0, 10.0)
"""Seconds before the second and the third try."""


class Post(Protocol):
    """Function that sends a note once; see `post`."""

    async def __call__(self, target: Target, body: Body, /, *, place: AbstractAsyncContextManager[object]) -> None:
        """Send a note. Raises Failed."""


Settled: TypeAlias = Callable[[bool], None]
"""Function that is told once whether a note arrived."""


def ignore(_arrived: bool) -> None:
    """Ignore whether a note arrived."""


class Letter(Struct, frozen=True):
    """Note in a queue.

    `key`: of the queue. `body`: makes the request, once for each try. `failed`: called with the status code of the last
    answer, 0 for none, if the note did not arrive. `settled`: called once no further try follows, unless the note was
    cancelled.
    """

    key: str
    url: str
    body: Callable[[], Body]
    failed: Callable[[int], None]
    settled: Settled = ignore


class Deliveries:
    """Queues of notes, one for each key. Notes of one key are sent one after the other.

    `loopback`: whether notes may go to this computer itself. `kind`: of the notes, and `what`: the meaning of the keys,
    both for the log. `longest`: limit of an address's characters.
    """

    pauses: tuple[float, ...] = PAUSES
    """Seconds before each further try."""

    def __init__(
        self,
        clock: Clock,
        loopback: bool = False,
        resolve: Resolve = targets.resolve,
        kind: str = "hook",
        what: str = "match",
        longest: int = targets.LONGEST,
    ) -> None:
        self._clock = clock
        self._loopback = loopback
        self._kind = kind
        self._what = what
        self._longest = longest
        self._waiting: dict[str, deque[Letter]] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._left: set[asyncio.Task[None]] = set()
        """Tasks that are being cancelled."""
        self._places = asyncio.Semaphore(AT_ONCE)
        self._doubtful_places = asyncio.Semaphore(DOUBTFUL)
        self._doubtful: dict[str, None] = {}
        """Keys whose last try failed, the latest last."""
        context = ssl.create_default_context()
        self._post: Post = partial(post, resolve=resolve, context=context, loopback=loopback)

    def check(self, url: str) -> None:
        """Check an address. Raises Unfit if no note may go there."""
        targets.read(url, self._loopback, self._longest)

    def queue(self, letter: Letter) -> None:
        """Queue a note; drop it if too many wait."""
        waiting = self._waiting.setdefault(letter.key, deque())
        if len(waiting) >= A_TABLE or (waiting and sum(map(len, self._waiting.values())) >= IN_ALL):
            return self.leave_out(letter)
        waiting.append(letter)
        if letter.key not in self._tasks:
            work = self._work(letter.key)
            self._tasks[letter.key] = asyncio.create_task(work, name=f"{self._kind} {letter.key}")
        return None

    def leave_out(self, letter: Letter) -> None:
        """Note that a note is not sent, because there are too many."""
        log.seldom(f"{self._kind}-left-out", **{self._what: letter.key})
        self._settle(letter, "dropped")

    def drop(self, key: str) -> None:
        """Drop the waiting notes of a key at once, because its address has changed or ended."""
        task = self._tasks.pop(key, None)
        if task is not None:
            del self._waiting[key]
            self._left.add(task)
            task.add_done_callback(self._left.discard)
            task.cancel()

    async def close(self) -> None:
        """Cancel all waiting notes."""
        tasks = (*self._tasks.values(), *self._left)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _work(self, key: str) -> None:
        """Send the notes of a key one after the other."""
        waiting = self._waiting[key]
        try:
            while waiting:
                status = await self._bring(waiting[0])
                if status is not None:
                    with contextlib.suppress(Exception):
                        waiting[0].failed(status)
                self._settle(waiting.popleft(), "sent" if status is None else "failed")
        finally:
            if self._waiting.get(key) is waiting:  # Otherwise `drop` replaced the queue, and new notes may wait.
                del self._waiting[key], self._tasks[key]

    def _settle(self, letter: Letter, outcome: str) -> None:
        """Count a note that is not tried again."""
        metrics.NOTICES.labels(self._kind, outcome).inc()
        with contextlib.suppress(Exception):
            letter.settled(outcome == "sent")

    async def _bring(self, letter: Letter) -> int | None:
        """Try to send a note up to three times.

        Return None if it arrived, else the status code of the last answer, 0 for none.
        """
        why, status = "", 0
        for pause in (0.0, *self.pauses):
            await self._pause(pause)
            try:
                await self._try(letter)
                return None
            except WebhookFailed as error:
                self._note_failure(letter.key)
                why, status = str(error), error.status
                if error.final:
                    break
            except Unfit:
                why = "unfit"
                break
        log.warning(f"{self._kind}-failed", **{self._what: letter.key, "why": why})
        return status

    async def _try(self, letter: Letter) -> None:
        """Send a note once. Raises Failed or Unfit."""
        if letter.key in self._doubtful:
            async with self._doubtful_places:
                await self._deliver(letter, contextlib.nullcontext())
            self._doubtful.pop(letter.key, None)
        else:
            await self._deliver(letter, self._places)

    async def _deliver(self, letter: Letter, place: AbstractAsyncContextManager[object]) -> None:
        """Send a note within that context. Raises Failed or Unfit."""
        target = targets.read(letter.url, self._loopback, self._longest)
        await self._post(target, letter.body(), place=place)

    def _note_failure(self, key: str) -> None:
        """Note that a key's last try failed."""
        self._doubtful.pop(key, None)
        self._doubtful[key] = None
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


class WebhookSender(Deliveries):
    """Sender of webhook notes, with a queue for each table.

    `public`: the address at which players find this server, "" if unknown. `loopback`: whether notes may go to this
    computer itself.
    """

    def __init__(
        self, clock: Clock, public: str = "", loopback: bool = False, resolve: Resolve = targets.resolve
    ) -> None:
        super().__init__(clock, loopback, resolve)
        self._public = public
        self._set = Budget(SET, clock.now)

    def admits(self, address: str) -> bool:
        """Whether that address may set one more webhook now."""
        return self._set.take(address)

    def link(self, code: str) -> str:
        """Return a link to the table with that code, "" if the public address is unknown."""
        return page_link(self._public, code)

    def send(self, form: HookForm, url: str, note: Note, failed: Callable[[], None], settled: Settled = ignore) -> None:
        """Queue a note for a webhook; drop it if too many wait."""
        self.queue(Letter(note.match, url, partial(body, form, note), lambda _status: failed(), settled))


def page_link(public: str, code: str) -> str:
    """Return the page's address of the table with that code at a public address, "" if either is unknown."""
    return sight_of(routes_of(public)[0], code) if public and code else ""
