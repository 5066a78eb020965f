"""Turns go to clients that had the fewest, so that a busy client does not delay the others."""

import asyncio
from contextlib import suppress

import pytest

from server.turns import FORGIVEN, Turns
from tests.server.fakes import settle


class Course:
    """Tasks that take turns of a second each, as the test lets them."""

    def __init__(self) -> None:
        self.now = 0.0
        self.turns = Turns(lambda: self.now)
        self.had: list[str] = []
        self.tasks: list[asyncio.Task[None]] = []
        self._step = asyncio.Event()

    def ask(self, *names: str) -> list[str]:
        wanted = list(names)
        self.tasks.append(asyncio.create_task(self._take(wanted)))
        return wanted

    async def _take(self, names: list[str]) -> None:
        async with self.turns.turn(names):
            self.had.append(names[-1])
            await self._step.wait()
            self._step.clear()

    async def step(self, count: int = 1) -> None:
        for _ in range(count):
            await settle()
            self.now += 1
            self._step.set()
            await settle()


@pytest.mark.parametrize("attackers", [2, 30])
async def test_a_newcomer_waits_for_one_turn_however_many_ask_without_end(attackers: int) -> None:
    course = Course()
    for _ in range(4):
        for number in range(attackers):
            course.ask(f"192.0.2.{number}")
    await course.step(attackers)
    course.ask("198.51.100.1")
    await course.step(2)
    assert "198.51.100.1" in course.had[: attackers + 2]
    await course.step(len(course.tasks))
    assert len(course.had) == len(course.tasks) and all(task.done() for task in course.tasks)


async def test_the_networks_of_a_site_are_one_and_who_waits_longest_is_next() -> None:
    course = Course()
    for number in range(3):
        course.ask(f"2001:db8:1:{number}::/64")
    course.ask("192.0.2.1")
    course.ask("192.0.2.2")
    await course.step(5)
    assert course.had[1:3] == ["192.0.2.1", "192.0.2.2"]


async def test_shared_requests_wait_no_longer_than_their_own_share() -> None:
    course = Course()
    course.ask("192.0.2.1")
    await course.step()
    course.ask("192.0.2.9")
    await settle()
    wanted = course.ask("192.0.2.1")
    course.ask("192.0.2.9")
    await settle()
    wanted.append("192.0.2.5")
    await course.step(3)
    assert course.had == ["192.0.2.1", "192.0.2.9", "192.0.2.5", "192.0.2.9"]


async def test_leaving_clients_delay_no_others() -> None:
    course = Course()
    for name in ("a", "b", "c"):
        course.ask(name)
    await settle()
    course.tasks[1].cancel()
    course.tasks[0].cancel()
    await settle()
    for task in course.tasks[:2]:
        with suppress(asyncio.CancelledError):
            await task
    await course.step()
    assert course.had == ["a", "c"] and course.tasks[2].done()


async def test_old_turns_do_not_count() -> None:
    course = Course()
    course.ask("a")
    await course.step()
    course.now += FORGIVEN
    course.ask("b")
    await course.step()
    course.ask("x")
    course.ask("a")
    course.ask("b")
    await course.step(3)
    assert course.had == ["a", "b", "x", "a", "b"]
