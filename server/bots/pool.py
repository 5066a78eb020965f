"""Pool of worker processes in which bots think, so that the event loop never computes and no match waits forever."""

import asyncio
import sys
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from typing import Final

import msgspec
from msgspec import structs

from server import log, metrics
from server.bots.questions import BotAnswer, BotRequest
from server.matches.table import Busy, Counsel
from server.subprocess_workers import Worker, within
from shared import levels
from shared.levels import SECONDS

ATTEMPTS: Final = 2
"""Attempts for one decision: if its worker died, a new worker is asked once more."""
LIMIT: Final = 10.0
"""Seconds for one decision, beyond its thinking time; a worker that takes longer hangs and is replaced."""
OVERDUE: Final = 1.0
"""Seconds beyond its thinking time after which a question gives its place in the queue to the next one."""
LEAST: Final = 0.02
"""Least thinking time of a hard bot in seconds, however many think at once."""
LATELY: Final = 0.05
"""Weight of the latest answer in the mean of what answers took beyond their thinking time."""
MOST_ASKED: Final = 8
"""Requests for advice that may be unanswered at once; each may take as long as a hard bot thinks."""
_WORKER: Final = (sys.executable, "-m", "server.bots.worker")


class WorkerDied(Exception):
    """Error: each worker that was asked for a decision died of it."""


def share(deadlines: Sequence[float], places: int, now: float, beyond: float = 0.0) -> float:
    """Return the seconds for a question so that all others in its queue can still be answered by their deadlines.

    deadlines: of the question itself, and of all that wait behind it, in order. places: questions answered at once.
    beyond: seconds that an answer takes beyond its thinking time.
    """
    rounds = [(deadline - now) / max(1.0, place / places) for place, deadline in enumerate(deadlines, 1)]
    return max(LEAST, min(rounds) - beyond)


class _Line:
    """Queue for questions of one sort, with a limited number of places for those being answered.

    An overdue question gives up its place. The next question is then sent to another worker, before it is certain that
    the first worker hangs. At most `places` questions may give up theirs at a time, which limits the number of workers.
    """

    def __init__(self, places: int) -> None:
        self.places = places
        self.waiting: dict[object, float] = {}
        """Deadlines of questions that wait for a place, the first to come first."""
        self._beyond = 0.0
        """Seconds that answers lately took beyond their thinking time: plans are found, a last try is ended."""
        self._free = asyncio.Semaphore(places)
        self._late: set[object] = set()

    @asynccontextmanager
    async def place(
        self, clock: Callable[[], float], seconds: float
    ) -> AsyncIterator[tuple[float, Callable[[], None]]]:
        """Hold a place for a question that may take `seconds` from now.

        Yield its thinking time, and the function to call when the question is overdue.
        """
        thought = object()
        self.waiting[thought] = clock() + seconds
        try:
            await self._free.acquire()
        except BaseException:
            del self.waiting[thought]
            raise
        try:
            # Its own deadline counts, too.
            behind = list(self.waiting.values())
            del self.waiting[thought]
            begun = clock()
            given = share(behind, self.places, begun, self._beyond)
            yield given, partial(self._give_up, thought)
            over = min(OVERDUE, max(0.0, clock() - begun - given))
            self._beyond += LATELY * (over - self._beyond)
        finally:
            if thought in self._late:
                self._late.remove(thought)
            else:
                self._free.release()

    def _give_up(self, thought: object) -> None:
        if len(self._late) < self.places:
            self._late.add(thought)
            self._free.release()


class BotPool:
    """Worker processes, started when a question finds none idle and replaced when they die or hang.

    Quick questions, hard bots and experts have separate queues, so that none waits for a
    slower sort. The more hard bots think at once, the less time each gets: waiting and thinking together take no longer
    than thinking alone, as far as `LEAST` allows.

    workers: places of each of the three queues. limit: seconds for one decision, beyond its thinking time. overdue:
    seconds after which a question gives up its place. command: starts a worker. clock: gives seconds.
    """

    def __init__(
        self,
        workers: int = 1,
        limit: float = LIMIT,
        command: Sequence[str] = _WORKER,
        overdue: float = OVERDUE,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._quick, self._thinking, self._patient = (_Line(workers) for _ in range(3))
        self._overdue = overdue
        self._limit = limit
        self._command = command
        self._clock = clock
        self._idle: list[Worker] = []
        self._all: set[Worker] = set()
        self._closed = False
        self._questions = 0
        """Requests for advice that are not answered yet."""

    @property
    def workers(self) -> list[int]:
        """Process ids of the live workers."""
        return [worker.process.pid for worker in self._all]

    async def decide(
        self, ruleset: str, kind: str, seat: int, view: bytes, seed: int, seconds: float = SECONDS
    ) -> bytes:
        """Return the encoded action of a bot on an encoded view.

        kind: a name that `policy.find` knows. seconds: thinking time, for kinds that search. Raises ValueError for an
        unknown rule set or kind, TimeoutError if the decision took too long, WorkerDied, and RuntimeError if the pool
        is closed.
        """
        with metrics.THOUGHTS.labels(levels.parted(kind)[1]).time():
            return (await self._answer(BotRequest(ruleset, kind, seat, view, seed, seconds=seconds))).action

    async def advise(self, ruleset: str, seat: int, view: bytes, seed: int) -> Counsel:
        """Return the strongest bot's action on an encoded view, with its reasons.

        Raises as `decide`, and Busy if `MOST_ASKED` requests are unanswered.
        """
        if self._questions >= MOST_ASKED:
            raise Busy("too many ask for advice at once")
        self._questions += 1
        try:
            answer = await self._answer(BotRequest(ruleset, "", seat, view, seed, why=True))
        finally:
            self._questions -= 1
        return Counsel(answer.action, answer.words, answer.why, answer.sentences)

    def _line(self, question: BotRequest) -> _Line:
        if question.kind not in levels.SEARCHING and not question.why:  # Advice thinks as a hard bot.
            return self._quick
        return self._patient if question.seconds > SECONDS else self._thinking

    async def _answer(self, question: BotRequest) -> BotAnswer:
        line = self._line(question)
        for _ in range(ATTEMPTS):
            async with line.place(self._clock, question.seconds) as (seconds, give_up):
                if line is not self._quick:
                    metrics.SHARES.observe(seconds / max(seconds, question.seconds))
                answer = await self._ask(structs.replace(question, seconds=seconds), give_up)
            if answer is not None:
                if answer.wrong:
                    raise ValueError(answer.wrong)
                return answer
        raise WorkerDied(f"no worker survived a decision in {question.ruleset}")

    async def close(self) -> None:
        """End the workers, even in the middle of a decision."""
        self._closed = True
        await asyncio.gather(*(self._discard(worker) for worker in tuple(self._all)))

    async def _ask(self, question: BotRequest, overdue: Callable[[], None]) -> BotAnswer | None:
        """Ask a worker; return None if it died. Call `overdue` when the answer is late.

        A worker that does not answer is ended, also when this task is cancelled.
        """
        worker, is_new = await self._worker()
        answer: BotAnswer | None = None
        try:
            if is_new:
                await worker.get_ready()
            timer = asyncio.get_running_loop().call_later(question.seconds + self._overdue, overdue)
            try:
                packed = await within(self._limit + question.seconds, worker.ask(msgspec.msgpack.encode(question)))
                answer = msgspec.msgpack.decode(packed, type=BotAnswer)
            finally:
                timer.cancel()
        except TimeoutError:
            # No second attempt: it would most likely hang as long again.
            log.warning("bot-hangs", seconds=self._limit, worker=worker.process.pid)
            raise
        except (OSError, EOFError):
            log.warning("bot-died", worker=worker.process.pid)
        finally:
            if answer is None:
                # Shielded: the worker must end even if the request is cancelled.
                await asyncio.shield(self._discard(worker))
            else:
                self._idle.append(worker)
        return answer

    async def _worker(self) -> tuple[Worker, bool]:
        """Return an idle worker or start one, and whether it is new."""
        if self._closed:
            raise RuntimeError("the pool of bots is closed")
        if self._idle:
            return self._idle.pop(), False
        worker = await Worker.start(self._command)
        self._all.add(worker)
        return worker, True

    async def _discard(self, worker: Worker) -> None:
        self._all.discard(worker)
        await worker.end()
