"""Bots think in processes of their own, so that a match never waits for arithmetic, nor for ever for a bot."""

import asyncio
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from typing import Final

import msgspec
from msgspec import structs

from server import log, metrics
from server.bots import policy
from server.bots.worker import Answer, Question
from server.matches.table import Busy, Counsel
from server.workers import Worker, within
from shared import levels
from shared.levels import SECONDS

ATTEMPTS: Final = 2
"""A decision whose worker died is asked once more, of a new worker."""
LIMIT: Final = 10.0
"""Seconds for one decision; a worker that takes longer hangs, and is replaced."""
OVERDUE: Final = 1.0
"""Seconds beyond its time after which a thought keeps nobody waiting any more."""
LEAST: Final = 0.05
"""Seconds that a hard bot thinks at least, however many others want to."""
MOST_ASKED: Final = 8
"""Questions for advice that may wait for an answer; each may take as long as a hard bot thinks."""
_WORKER: Final = (sys.executable, "-m", "server.bots.worker")


class WorkerDied(Exception):
    """A worker ended in the middle of a thought, and so did the next one."""


class _Line:
    """Questions of one sort, of which so many are thought about at a time.

    Who is overdue gives up its place, one for each place at a time: whoever comes next is asked of another worker and
    does not wait until it is certain that the first one hangs.
    """

    def __init__(self, places: int) -> None:
        self.places = places
        self.asking = 0
        """Questions that are thought about or wait."""
        self._free = asyncio.Semaphore(places)
        self._late: set[object] = set()

    @asynccontextmanager
    async def place(self) -> AsyncIterator[Callable[[], None]]:
        """A place for a thought; what it is given is to be called when the thought is overdue."""
        await self._free.acquire()
        thought = object()
        try:
            yield partial(self._give_up, thought)
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
    """Worker processes, each started by the first question that finds none free, and replaced when it dies or hangs.

    Bots that think long have as many workers for themselves, and so have those that think longer still because nobody
    waits for them: nobody else waits for either. The more of them think at the same time, the shorter each of them
    does, so that none waits much longer than if it were alone.

    workers: of each of the three sorts. limit: seconds for one decision, beside those that it was given to think.
    overdue: seconds after which others no longer wait for it. command: what a worker is started by.
    """

    def __init__(
        self, workers: int = 1, limit: float = LIMIT, command: Sequence[str] = _WORKER, overdue: float = OVERDUE
    ) -> None:
        self._quick, self._thinking, self._patient = (_Line(workers) for _ in range(3))
        self._overdue = overdue
        self._limit = limit
        self._command = command
        self._idle: list[Worker] = []
        self._all: set[Worker] = set()
        self._closed = False
        self._asked = 0
        """Questions for advice that are not answered yet."""

    @property
    def workers(self) -> list[int]:
        """The process ids of the workers that live."""
        return [worker.process.pid for worker in self._all]

    async def decide(
        self, ruleset: str, kind: str, seat: int, view: bytes, seed: int, seconds: float = SECONDS
    ) -> bytes:
        """The encoded action of a bot of that `kind` (a name in `policy.POLICIES`) on an encoded view; where it thinks,
        it may take so many seconds.

        ValueError: no such rule set or kind. TimeoutError: it took too long. WorkerDied; RuntimeError: closed.
        """
        with metrics.THOUGHTS.labels(kind).time():
            return (await self._answer(Question(ruleset, kind, seat, view, seed, seconds=seconds))).action

    async def advise(self, ruleset: str, seat: int, view: bytes, seed: int) -> Counsel:
        """What the strongest bot would do on an encoded view, and why. Raises as `decide`; Busy, too: too many ask
        at once."""
        if self._asked >= MOST_ASKED:
            raise Busy("too many ask for advice at once")
        self._asked += 1
        try:
            answer = await self._answer(Question(ruleset, policy.strongest(ruleset), seat, view, seed, why=True))
        finally:
            self._asked -= 1
        return Counsel(answer.action, answer.words, answer.why)

    async def _answer(self, question: Question) -> Answer:
        line = self._line(question)
        line.asking += 1
        try:
            return await self._answered(question, line)
        finally:
            line.asking -= 1

    def _line(self, question: Question) -> _Line:
        if question.kind != levels.HARD:
            return self._quick
        return self._patient if question.seconds > SECONDS else self._thinking

    async def _answered(self, question: Question, line: _Line) -> Answer:
        for _ in range(ATTEMPTS):
            async with line.place() as give_up:
                share = min(1.0, line.places / max(1, line.asking))
                asked = structs.replace(question, seconds=max(LEAST, question.seconds * share))
                answer = await self._ask(asked, give_up)
            if answer is not None:
                if answer.wrong:
                    raise ValueError(answer.wrong)
                return answer
        raise WorkerDied(f"no worker survived a decision in {question.ruleset}")

    async def close(self) -> None:
        """End the workers, whatever they are doing."""
        self._closed = True
        await asyncio.gather(*(self._discard(worker) for worker in tuple(self._all)))

    async def _ask(self, question: Question, overdue: Callable[[], None]) -> Answer | None:
        """None if the worker died of it. A worker that does not come back with the answer is ended; before that, it is
        said to be overdue."""
        worker, is_new = await self._worker()
        answer: Answer | None = None
        try:
            if is_new:
                await worker.get_ready()
            timer = asyncio.get_running_loop().call_later(question.seconds + self._overdue, overdue)
            try:
                said = await within(self._limit + question.seconds, worker.ask(msgspec.msgpack.encode(question)))
                answer = msgspec.msgpack.decode(said, type=Answer)
            finally:
                timer.cancel()
        except TimeoutError:
            log.warning("bot-hangs", seconds=self._limit, worker=worker.process.pid)
            raise
        except (OSError, EOFError):
            log.warning("bot-died", worker=worker.process.pid)
        finally:
            if answer is None:
                await asyncio.shield(self._discard(worker))
            else:
                self._idle.append(worker)
        return answer

    async def _worker(self) -> tuple[Worker, bool]:
        """One that has nothing to do, and whether it is new."""
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
