"""The recipe for backups of PostgreSQL, carried out: a match is played, copied, restored elsewhere and played on."""

import asyncio
import contextlib
import os
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import asyncpg
import pytest

from server.command_line import main
from shared.messages import Resume, Seated, Snapshot
from shared.rulesets.registry import RULESETS
from tests.faults.process import Person, Process, begun
from tests.support import engines
from tests.support.marks import mostly_long

RECIPE = Path(__file__).parents[2] / "deploy" / "postgres_backup.sh"


async def carried_out(*words: str | Path) -> "subprocess.CompletedProcess[str]":
    """Run the recipe with the programs of the tests' PostgreSQL."""
    env = os.environ | {"PATH": f"{engines.programs()}{os.pathsep}{os.environ['PATH']}"}
    command = ["sh", str(RECIPE), *map(str, words)]
    return await asyncio.to_thread(subprocess.run, command, env=env, capture_output=True, text=True)


@asynccontextmanager
async def serving(url: str, data: Path) -> AsyncIterator[Process]:
    """Run a separate server on that database. It takes all that its players send: they know no limits."""
    server = Process(data, "--store", url, "--for-bots")
    await server.start()
    try:
        yield server
    finally:
        with contextlib.suppress(ProcessLookupError):
            await server.kill()


@asynccontextmanager
async def playing(people: list[Person]) -> AsyncIterator[None]:
    """Let the players act as fast as they can meanwhile. What stops one of them fails the test."""

    async def play(person: Person) -> None:
        while True:
            if not await person.play():
                await person.hear()

    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(play(person)) for person in people]
        yield
        for task in tasks:
            task.cancel()


def version(people: list[Person]) -> int:
    """Return the newest version that any of them has seen."""
    return max(person.client.session.version for person in people)


async def come_back(person: Person, url: str) -> Person:
    """Return the same player on another server, resumed with their key."""
    session = person.client.session
    assert session.token
    match, token = session.match, session.token
    back = Person(url, session.name, person.rules, person.rng, person.progress)
    await back.client.open()
    await back.client.ask(lambda ref: Resume(ref, match, token), Seated)
    await back.client.wait_for(Snapshot)
    return back


async def new_database(url: str, name: str) -> str:
    """Create an empty database beside that one; return its address."""
    line = await asyncpg.connect(url)
    await line.execute(f"CREATE DATABASE {name}")
    await line.close()
    return engines.url(name)


@pytest.mark.long
async def test_a_match_is_played_on_from_a_backup(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    url = await engines.database(tmp_path)
    name = f"restored_{os.getpid()}"
    copy = tmp_path / "copy.dump"
    async with serving(url, tmp_path / "first") as server:
        people = await begun(server.url, RULESETS["classic"], 2, 3)
        async with playing(people):
            await people[0].progress.more(20)
            before = version(people)
            done = await carried_out("backup", url, copy)
            assert (done.returncode, done.stderr) == (0, "") and copy.stat().st_mode & 0o777 == 0o600
            await people[0].progress.more(20)
        again = await carried_out("backup", url, copy)
        assert again.returncode == 2 and "exists already" in again.stderr
    restored = await new_database(url, name)
    done = await carried_out("restore", restored, copy)
    assert (done.returncode, done.stderr) == (0, "")
    assert await asyncio.to_thread(main, ["repair", "--store", restored]) == 0
    assert "0 of 1 matches are damaged." in capsys.readouterr().err
    async with serving(restored, tmp_path / "second") as server:
        back = [await come_back(person, server.url) for person in people]
        there = version(back)
        assert before <= there < version(people), "as it was at one moment of the copy"
        async with playing(back):
            await back[0].progress.more(20)
        assert version(back) > there
    twice = await carried_out("restore", restored, copy)
    assert twice.returncode != 0 and "already exists" in twice.stderr
    line = await asyncpg.connect(url)
    await line.execute(f"DROP DATABASE {name} WITH (FORCE)")
    await line.close()


@pytest.mark.parametrize(
    "words", mostly_long([[], ["backup", "x"], ["copy", "x", "y"], ["restore", "x", "/nowhere/y"]], ["copy", "x", "y"])
)
async def test_the_recipe_says_what_it_wants(words: list[str]) -> None:
    done = await carried_out(*words)
    assert done.returncode == 2 and done.stderr.startswith("postgres_backup.sh: ")
