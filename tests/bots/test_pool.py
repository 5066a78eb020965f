"""Bots in processes of their own."""

import asyncio
import os
import random
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from server import metrics
from server.bots import policy
from server.bots.pool import LEAST, OVERDUE, BotPool, WorkerDied, _Line, share
from server.subprocess_workers import BEHIND
from shared import levels
from shared.kernel import engine
from shared.levels import AT_LEISURE, SECONDS
from shared.rulesets.registry import ruleset

RULES = ruleset("classic")


def first_view(seats: int = 2) -> tuple[int, bytes]:
    """Return the first decision of a match: the seat that owes it, and its encoded view."""
    state = engine.start(RULES, seats, {"homes": 2}, engine.ignore_event)
    (seat,) = engine.owed(RULES, state)
    return seat, msgspec.msgpack.encode(RULES.view(state, seat))


SEAT, VIEW = first_view()


def ask(pool: BotPool, kind: str, seed: int = 1, *more: float) -> Coroutine[Any, Any, bytes]:
    """Ask a bot of that kind for the first decision of a duel."""
    return pool.decide("classic", kind, SEAT, VIEW, seed, *more)


@asynccontextmanager
async def open_pool(pool: BotPool) -> AsyncIterator[BotPool]:
    """Close the pool at the end."""
    try:
        yield pool
    finally:
        await pool.close()


async def test_a_worker_decides_as_the_policy_does() -> None:
    async with open_pool(BotPool()) as pool:
        for kind in policy.POLICIES.keys() - levels.SEARCHING:  # Hard bots are cut short by a clock.
            action = await ask(pool, kind, 7)
            expected = policy.choose(kind, RULES, RULES.view_decoder.decode(VIEW), SEAT, random.Random(7))
            assert RULES.action_decoder.decode(action) == expected


@pytest.mark.long
async def test_many_questions_at_once() -> None:
    async with open_pool(BotPool(workers=2)) as pool:
        seat, view = first_view(3)
        answers = await asyncio.gather(*(pool.decide("classic", "random", seat, view, seed) for seed in range(20)))
        assert len(answers) == 20
        assert answers[3] == await pool.decide("classic", "random", seat, view, 3)


async def test_survives_killed_workers() -> None:
    async with open_pool(BotPool()) as pool:
        before = await ask(pool, "greedy")
        (pid,) = pool.workers
        os.kill(pid, signal.SIGKILL)
        assert await ask(pool, "greedy") == before
        assert pid not in pool.workers


TAUGHT = """
import os, time
from server.bots import policy, worker

def hang(rules, view, seat, rng):
    while True:
        time.sleep(0.01)

def die(rules, view, seat, rng):
    os._exit(3)

def talk(rules, view, seat, rng):
    print("Well, well.")
    return policy.play_random(rules, view, seat, rng)

policy.POLICIES.update(hang=hang, die=die, talk=talk)
worker.main()
"""
"""Source of a worker that hangs, dies or prints on request."""


def taught(limit: float, workers: int = 1, overdue: float = OVERDUE) -> BotPool:
    """Return a pool of workers that can hang, die and print."""
    return BotPool(workers, limit, (sys.executable, "-c", TAUGHT), overdue)


THINKING = """
import asyncio, os, time
from server.bots import policy, worker

def hard(rules, view, seat, rng, thinking):
    raise ValueError(f"{thinking.seconds:.4f} s behind {os.nice(0)}")

def choose(name, rules, view, seat, rng, thinking):
    play = hard if name in ("hard", "expert") else lambda *known: policy.play_random(*known[:-1])
    return play(rules, view, seat, rng, thinking)

policy.choose = choose
worker.main()
"""
"""Source of a worker whose hard bots report the thinking time and priority that they were given."""


async def test_hard_bots_share_the_time() -> None:
    """A single request has a second, as the first and the last one here; of many each has less, but never nothing."""
    before = metrics.REGISTRY.get_sample_value("conquest_bot_share_count") or 0.0
    async with open_pool(BotPool(1, 30, (sys.executable, "-c", THINKING), clock=lambda: 0.0)) as pool:
        asked = [ask(pool, "hard") for _ in range(4)]
        answers = [str(found) for found in await asyncio.gather(*asked, return_exceptions=True)]
        assert [float(answer.split()[0]) for answer in answers] == [1.0, 0.3333, 0.5, 1.0]
        many = [ask(pool, "hard") for _ in range(60)]
        answers = [str(found) for found in await asyncio.gather(*many, return_exceptions=True)]
        assert float(answers[1].split()[0]) == LEAST
        assert all(int(answer.split()[-1]) >= BEHIND for answer in answers)
        assert metrics.REGISTRY.get_sample_value("conquest_bot_share_count") == before + 64


@pytest.mark.parametrize("asking", [1, 2, 5, 20])
def test_many_who_ask_at_once_all_have_their_answer_within_the_second(asking: int) -> None:
    """Each may take what leaves enough for those behind it, so the last does not wait for three seconds."""
    places, shares = [0.0, 0.0], []
    for answered in range(asking):
        now = min(places)
        shares.append(share([SECONDS] * (asking - answered), len(places), now))
        places[places.index(now)] = now + shares[-1]
    assert max(places) == pytest.approx(SECONDS, abs=LEAST)
    assert max(shares) < 3 * min(shares)


def test_time_beyond_thinking_is_taken_off_the_share() -> None:
    assert share([10.0, 10.5], 1, 9.0, 0.2) == pytest.approx(0.55) == share([10.0, 10.5], 1, 9.0) - 0.2
    assert share([10.0, 10.5], 1, 9.0, 5.0) == LEAST


async def test_a_queue_learns_what_answers_take_beyond_their_time() -> None:
    line, now, given = _Line(1), [0.0], []
    for _ in range(100):
        async with line.place(lambda: now[0], 1.0) as (seconds, _):
            given.append(seconds)
            now[0] += seconds + 0.3
    assert given[0] == 1.0 > given[1] and given[-1] == pytest.approx(0.7, abs=0.01)
    with pytest.raises(WorkerDied):
        async with line.place(lambda: now[0], 1.0):
            now[0] += 100.0
            raise WorkerDied
    async with line.place(lambda: now[0], 1.0) as (seconds, _):
        assert seconds == pytest.approx(0.7, abs=0.01), "a failure says nothing about answers"


@pytest.mark.long
async def test_slow_decisions_do_not_delay_bots_of_live_tables() -> None:
    """Slow decisions have a worker of their own: a bot of a live table has its whole second and does not wait."""
    async with open_pool(BotPool(1, 30, (sys.executable, "-c", THINKING), clock=lambda: 0.0)) as pool:
        kinds = (("expert", AT_LEISURE), ("hard", SECONDS))
        asked = [ask(pool, kind, 1, seconds) for kind, seconds in kinds]
        answers = [str(found) for found in await asyncio.gather(*asked, return_exceptions=True)]
        assert [float(answer.split()[0]) for answer in answers] == [AT_LEISURE, SECONDS]
        assert len(pool.workers) == 2


@pytest.mark.long
async def test_a_hanging_worker_delays_no_others() -> None:
    async with open_pool(taught(limit=600, overdue=0.05)) as pool:
        hanging = asyncio.create_task(ask(pool, "hang", 1, 0.0))
        while not pool.workers:
            await asyncio.sleep(0)
        assert await ask(pool, "normal")
        assert len(pool.workers) == 2 and not hanging.done()
        hanging.cancel()


@pytest.mark.long
async def test_players_do_not_wait_for_a_hard_bot() -> None:
    hanging = THINKING.replace('raise ValueError(f"{thinking.seconds:.4f} s behind {os.nice(0)}")', "time.sleep(600)")
    async with open_pool(BotPool(1, 600, (sys.executable, "-c", hanging))) as pool:
        thinking = asyncio.create_task(ask(pool, "hard"))
        while not pool.workers:
            await asyncio.sleep(0)
        assert await ask(pool, "normal")
        assert not thinking.done()
        thinking.cancel()


@pytest.mark.long
async def test_a_worker_that_hangs_is_replaced() -> None:
    async with open_pool(taught(limit=1.5)) as pool:
        before = await ask(pool, "greedy")
        (hung,) = pool.workers
        waiting = [asyncio.create_task(ask(pool, kind)) for kind in ("hang", "greedy")]
        with pytest.raises(TimeoutError):
            await waiting[0]
        assert await waiting[1] == before
        assert hung not in pool.workers
        assert not is_alive(hung)


@pytest.mark.long
async def test_a_question_that_kills_is_asked_twice_and_harms_no_other() -> None:
    async with open_pool(taught(limit=30, workers=2)) as pool:
        answers = await asyncio.gather(
            *(ask(pool, kind) for kind in ("die", "random", "random")),
            return_exceptions=True,
        )
        assert isinstance(answers[0], WorkerDied)
        assert isinstance(answers[1], bytes) and answers[1] == answers[2]


async def test_output_of_a_bot_is_not_its_answer() -> None:
    async with open_pool(taught(limit=30)) as pool:
        assert RULES.action_decoder.decode(await ask(pool, "talk"))


async def test_a_cancelled_request_leaves_no_answer_to_others() -> None:
    async with open_pool(taught(limit=30)) as pool:
        gone = asyncio.create_task(ask(pool, "hang"))
        while not pool.workers:
            await asyncio.sleep(0)
        gone.cancel()
        with pytest.raises(asyncio.CancelledError):
            await gone
        assert RULES.action_decoder.decode(await ask(pool, "greedy"))


async def test_a_pool_closes_although_a_worker_hangs() -> None:
    pool = taught(limit=600)
    await ask(pool, "random")
    (pid,) = pool.workers
    hanging = asyncio.create_task(ask(pool, "hang"))
    await asyncio.sleep(0)
    await pool.close()
    assert not is_alive(pid)
    with pytest.raises((WorkerDied, RuntimeError)):
        await hanging


def is_alive(pid: int) -> bool:
    """Whether there is such a process."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


async def test_unknown_names_are_told() -> None:
    async with open_pool(BotPool()) as pool:
        with pytest.raises(ValueError, match="easy, moderate, normal, hard, expert, random"):
            await ask(pool, "clairvoyant")
        with pytest.raises(ValueError, match="classic"):
            await pool.decide("chess", "greedy", SEAT, VIEW, 1)


async def test_a_closed_pool_says_so() -> None:
    pool = BotPool()
    await pool.close()
    await pool.close()
    with pytest.raises(RuntimeError, match="closed"):
        await pool.decide("classic", "random", 0, b"", 1)


LONELY = """
import asyncio, os, sys
from server.bots.pool import BotPool

async def main():
    pool = BotPool()
    await pool.decide("classic", "random", int(sys.argv[1]), bytes.fromhex(sys.argv[2]), 1)
    print(*pool.workers, flush=True)
    os.kill(os.getpid(), 9)

if __name__ == "__main__":
    asyncio.run(main())
"""


def test_workers_end_with_a_killed_server(tmp_path: Path) -> None:
    script = tmp_path / "lonely.py"
    script.write_text(LONELY)
    # The worker inherits the standard error of its parent: its end of file is the end of the last of them.
    command = [sys.executable, str(script), str(SEAT), VIEW.hex()]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == -signal.SIGKILL
    assert done.stdout.strip().isdigit(), done.stderr
