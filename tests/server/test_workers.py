"""Time limits for answers of other processes."""

import asyncio

import pytest

from server.subprocess_workers import within


class Stillness:
    """The loop's clock, which jumps as when the process was stopped for a while."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._loop = asyncio.get_running_loop()
        self._time = self._loop.time
        self._monkeypatch = monkeypatch

    def lasts(self, seconds: float) -> None:
        """So long nothing was heard, and all at once is due what was to be done meanwhile."""
        self._monkeypatch.setattr(self._loop, "time", lambda: self._time() + seconds)


async def test_an_answer_that_came_while_the_server_stood_still_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    answer: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    async def asked() -> str:
        return await answer

    waiting = asyncio.create_task(within(10.0, asked()))
    await asyncio.sleep(0)
    Stillness(monkeypatch).lasts(60.0)
    asyncio.get_running_loop().call_soon(asyncio.get_running_loop().call_soon, answer.set_result, "done")
    assert await waiting == "done"


async def test_slow_answers_are_cancelled() -> None:
    ended = asyncio.Event()

    async def asked() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    with pytest.raises(TimeoutError):
        await within(0.01, asked())
    assert ended.is_set()


async def test_errors_of_an_answer_are_raised() -> None:
    async def asked() -> None:
        raise EOFError

    with pytest.raises(EOFError):
        await within(10.0, asked())
