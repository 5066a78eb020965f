"""kill -9 in the middle of a match: what was acknowledged is kept, acted once, and everybody is back on his seat."""

import asyncio
import contextlib
import random
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from server.connections.app import DATABASE
from server.storage.sqlite import SqliteStore
from shared.rulesets.registry import RULESETS, ruleset
from tests.faults.process import Person, Process, begun


async def play_on(person: Person) -> None:
    """Play and listen until the server dies."""
    with contextlib.suppress(ConnectionClosed):
        while True:
            await person.play()
            await person.hear()


async def rounds_of_kills(data: Path, game: str, kills: int, seed: int) -> None:
    rng = random.Random(seed)
    server = Process(data)
    await server.start()
    people = await begun(server.url, ruleset(game), 3, seed)
    seats = [(person.client.session.match, person.client.session.seat) for person in people]
    for kill in range(kills):
        tasks = [asyncio.create_task(play_on(person)) for person in people]
        await people[0].progress.more(rng.randrange(2, 25))
        # The last action is on its way, on the disk or answered: all three happen.
        for _ in range(rng.randrange(12)):
            await asyncio.sleep(0)
        await server.kill()
        await asyncio.gather(*tasks)
        await server.start()
        for person in people:
            person.client.url = server.url
            await person.client.open()
            while not person.synced:
                await person.hear()
        assert [(p.client.session.match, p.client.session.seat) for p in people] == seats, kill
        if people[0].progress.over:
            break
    await server.kill()
    store = await SqliteStore.open(data / DATABASE)
    kept = await store.claim(seats[0][0])
    await store.close()
    assert kept is not None
    logged = {(entry.seat, entry.command): entry for entry in kept.entries if entry.command}
    assert len(logged) == sum(entry.command > 0 for entry in kept.entries), "a command acted twice"
    for seat, person in enumerate(people):
        assert not person.client.session.mismatches
        assert person.acknowledged
        for command, version in person.acknowledged.items():
            entry = logged[seat, command]
            assert (entry.n, entry.action) == (version, person.sent[command])
        sent = {command for s, command in logged if s == seat}
        assert sent <= set(person.sent)


@pytest.mark.parametrize("game", RULESETS)
async def test_acknowledged_actions_survive_kill_9(tmp_path: Path, game: str) -> None:
    await rounds_of_kills(tmp_path, game, 8, seed=1)


@pytest.mark.long
@pytest.mark.parametrize(
    ("game", "seed"), [*[("classic", seed) for seed in range(2, 6)], ("mb1984", 2), ("cote2", 2), ("cote2", 3)]
)
async def test_acknowledged_actions_survive_many_kills(tmp_path: Path, game: str, seed: int) -> None:
    await rounds_of_kills(tmp_path, game, 40, seed)
