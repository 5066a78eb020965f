"""The server's clock stands still while the process does."""

import heapq
from collections.abc import Callable

import pytest

from server.clock import LoopClock, Timer


class FakeTimer:
    """May be cancelled."""

    def __init__(self) -> None:
        self.cancelled = False

    def cancel(self) -> None:
        self.cancelled = True


class FakeLoop:
    """A loop whose time passes when it is told to."""

    def __init__(self) -> None:
        self._time = 100.0
        self._waiting: list[tuple[float, int, FakeTimer, Callable[[], object]]] = []
        self._count = 0

    def time(self) -> float:
        return self._time

    def call_later(self, delay: float, callback: Callable[[], object], /) -> Timer:
        timer = FakeTimer()
        self._count += 1
        heapq.heappush(self._waiting, (self._time + delay, self._count, timer, callback))
        return timer

    def run(self, seconds: float) -> None:
        """Live on for so long."""
        end = self._time + seconds
        while self._waiting[0][0] <= end:
            at, _, timer, callback = heapq.heappop(self._waiting)
            self._time = max(self._time, at)
            if not timer.cancelled:
                callback()
        self._time = max(self._time, end)

    def stand_still(self, seconds: float) -> None:
        """The process is stopped: what was due is called late."""
        self._time += seconds
        self.run(0)


@pytest.fixture
def loop() -> FakeLoop:
    return FakeLoop()


@pytest.fixture
def clock(loop: FakeLoop) -> LoopClock:
    return LoopClock(loop)


def test_it_goes_as_the_loop_does(loop: FakeLoop, clock: LoopClock) -> None:
    rung: list[float] = []
    start = clock.now()
    clock.call_later(10, lambda: rung.append(clock.now() - start))
    clock.call_later(20, lambda: rung.append(clock.now() - start)).cancel()
    loop.run(9.9)
    assert rung == []
    loop.run(30)
    assert rung == [pytest.approx(10)]


@pytest.mark.parametrize("frozen", [1.5, 30.0, 86_400.0])
@pytest.mark.parametrize("before", [0.0, 0.1, 5.0, 9.99])
def test_time_in_which_the_process_stood_still_counts_for_no_clock(
    loop: FakeLoop, clock: LoopClock, before: float, frozen: float
) -> None:
    rung: list[float] = []
    clock.call_later(10, lambda: rung.append(loop.time()))
    loop.run(before)
    loop.stand_still(frozen)
    assert rung == []
    loop.run(max(0.0, 10 - before - 0.3))
    assert rung == []
    loop.run(0.8)
    assert rung == [pytest.approx(110 + frozen, abs=0.51)]


@pytest.mark.parametrize(("pause", "counted"), [(0.5, 0.5), (1.0, 1.0), (1.0625, 0.0)])
def test_only_a_short_pause_is_part_of_the_time(pause: float, counted: float) -> None:
    loop = FakeLoop()
    clock = LoopClock(loop)
    start = clock.now()
    loop.stand_still(pause)
    assert clock.now() - start == counted
    loop.run(0.5)
    assert clock.now() - start == counted + 0.5


def test_a_cancelled_alarm_stays_silent_after_a_standstill(loop: FakeLoop, clock: LoopClock) -> None:
    rung: list[float] = []
    alarm = clock.call_later(1, lambda: rung.append(1))
    loop.stand_still(30)
    alarm.cancel()
    loop.run(30)
    assert rung == []
