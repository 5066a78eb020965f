"""Bots in processes of their own."""

import asyncio
import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from server.bots import policy
from server.bots.pool import BotPool
from shared.kernel import engine
from shared.rulesets.registry import ruleset

RULES = ruleset("classic")


def first_view(seats: int = 2) -> tuple[int, bytes]:
    """Somebody's first decision: the seat, and what it sees."""
    state = engine.start(RULES, seats, {"homes": 2}, engine.silent)
    (seat,) = engine.owed(RULES, state)
    return seat, msgspec.msgpack.encode(RULES.view(state, seat))


async def test_a_worker_decides_as_the_policy_does() -> None:
    pool = BotPool()
    try:
        seat, view = first_view()
        for kind in policy.POLICIES:
            action = await pool.decide("classic", kind, seat, view, 7)
            expected = policy.choose(kind, RULES, RULES.view_decoder.decode(view), seat, random.Random(7))
            assert RULES.action_decoder.decode(action) == expected
    finally:
        pool.close()


async def test_many_questions_at_once() -> None:
    pool = BotPool(workers=2)
    try:
        seat, view = first_view(3)
        answers = await asyncio.gather(*(pool.decide("classic", "random", seat, view, seed) for seed in range(20)))
        assert len(answers) == 20
        assert answers[3] == await pool.decide("classic", "random", seat, view, 3)
    finally:
        pool.close()


async def test_survives_killed_workers() -> None:
    pool = BotPool()
    try:
        seat, view = first_view()
        before = await pool.decide("classic", "greedy", seat, view, 1)
        assert pool._executor is not None
        for pid in list(pool._executor._processes):
            os.kill(pid, signal.SIGKILL)
        assert await pool.decide("classic", "greedy", seat, view, 1) == before
    finally:
        pool.close()


async def test_unknown_names_are_told() -> None:
    pool = BotPool()
    try:
        seat, view = first_view()
        with pytest.raises(ValueError, match="random, greedy"):
            await pool.decide("classic", "clairvoyant", seat, view, 1)
        with pytest.raises(ValueError, match="classic"):
            await pool.decide("chess", "greedy", seat, view, 1)
    finally:
        pool.close()


async def test_a_closed_pool_says_so() -> None:
    pool = BotPool()
    pool.close()
    pool.close()
    with pytest.raises(RuntimeError, match="closed"):
        await pool.decide("classic", "random", 0, b"", 1)


LONELY = """
import asyncio, os, sys
from server.bots.pool import BotPool

async def main():
    pool = BotPool()
    await pool.decide("classic", "random", int(sys.argv[1]), bytes.fromhex(sys.argv[2]), 1)
    print(*pool._executor._processes, flush=True)
    os.kill(os.getpid(), 9)

if __name__ == "__main__":
    asyncio.run(main())
"""


def test_workers_end_with_a_killed_server(tmp_path: Path) -> None:
    seat, view = first_view()
    script = tmp_path / "lonely.py"
    script.write_text(LONELY)
    # The worker inherits the standard error of its parent: its end of file is the end of the last of them.
    command = [sys.executable, str(script), str(seat), view.hex()]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == -signal.SIGKILL
    assert done.stdout.strip().isdigit(), done.stderr
