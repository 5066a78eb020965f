"""kill -9 in the middle of matches: `python -m tests.faults.kills --kills 500`.

Acknowledged actions are stored and executed once, and all players return to their seats."""

import argparse
import asyncio
import contextlib
import itertools
import random
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from websockets.exceptions import ConnectionClosed

from server.opening import open_store
from shared.history import Entry
from shared.rulesets.registry import RULESETS, ruleset
from tests.faults.process import Person, begun
from tests.support.forks import ForkedServer

EACH = 40
"""Kills in one match."""


class Outcome(NamedTuple):
    """Number of kills, and of acknowledged actions, all of which are stored.

    `lines`: acknowledged lines of chat. `gone`: how many of them were younger than a second at a kill, and are lost."""

    kills: int
    acknowledged: int
    lines: int
    gone: int


async def play_on(person: Person) -> None:
    """Play and listen until the server dies."""
    with contextlib.suppress(ConnectionClosed):
        while True:
            await person.play()
            await person.speak()
            await person.hear()


async def rounds_of_kills(data: Path, game: str, kills: int, seed: int, store: str = "") -> Outcome:
    """Three people play, the server is killed so often, or until the match is over. AssertionError: something is lost.

    data: an empty directory. store: the URL of an empty database that is used instead of a file there.
    """
    rng = random.Random(seed)
    server = ForkedServer(data, *(("--store", store) if store else ()))
    began, lived = time.monotonic(), 0.0
    await server.start()
    people = await begun(server.url, ruleset(game), 3, seed)
    seats = [(person.client.session.match, person.client.session.seat) for person in people]
    killed = 0
    while killed < kills and not people[0].progress.over:
        tasks = [asyncio.create_task(play_on(person)) for person in people]
        await people[0].progress.more(rng.randrange(2, 25))
        # The last action is on its way, on the disk or answered: all three happen.
        for _ in range(rng.randrange(12)):
            await asyncio.sleep(0)
        await server.kill()
        killed, lived = killed + 1, lived + time.monotonic() - began
        ended = time.monotonic()
        await asyncio.gather(*tasks)
        await _judge_talk(people, ended, store, data, seats[0][0])
        began = time.monotonic()
        await server.start()
        for person in people:
            person.client.url = server.url
            await person.client.open()
            while not person.synced:
                await person.hear()
        assert [(p.client.session.match, p.client.session.seat) for p in people] == seats, killed
    await server.kill()
    lived += time.monotonic() - began
    opened = await open_store(store, data)
    kept = await opened.claim(seats[0][0])
    await opened.close()
    assert kept is not None
    logged = {(entry.seat, entry.command): entry for entry in kept.entries if entry.command}
    assert len(logged) == sum(entry.command > 0 for entry in kept.entries), "a command acted twice"
    _judge_time(kept.entries, lived)
    for seat, person in enumerate(people):
        assert not person.client.session.mismatches
        assert person.acknowledged
        for command, version in person.acknowledged.items():
            entry = logged[seat, command]
            assert (entry.n, entry.action) == (version, person.sent[command])
        sent = {command for s, command in logged if s == seat}
        assert sent <= set(person.sent)
    lines, gone = (
        sum(counts) for counts in zip(*[(len(p.talk.acknowledged), p.talk.gone) for p in people], strict=True)
    )
    return Outcome(killed, sum(len(person.acknowledged) for person in people), lines, gone)


async def _judge_talk(people: Sequence[Person], ended: float, store: str, data: Path, match: str) -> None:
    """Check that lines of chat are stored with the next action, at the latest after a second."""
    opened = await open_store(store, data)
    glance = await opened.look(match)
    await opened.close()
    assert glance is not None
    for person in people:
        person.talk.server_ended(ended)
        person.talk.look(line.text for line in glance.table.talk)
        assert not person.talk.lost, f"lines that were acknowledged are gone: {person.talk.lost}"


def _judge_time(log: list[Entry], lived: float) -> None:
    """Check that all decisions have a charge, and that no charge covers time without a server."""
    ages = [0, *[entry.at for entry in log]]
    assert ages == sorted(ages) and ages[-1] <= 1000 * lived
    charged = [used for entry in log for _, used in entry.used]
    assert len(charged) >= sum(entry.command > 0 for entry in log) and min(charged) >= 0
    for seat in range(3):
        assert sum(used for entry in log for whose, used in entry.used if whose == seat) <= ages[-1]


def main() -> int:
    """Play matches of all games in turn, until there were enough kills."""
    parser = argparse.ArgumentParser("tests.faults.kills", description=__doc__)
    parser.add_argument("--kills", type=int, default=500, help="how often (default: 500)")
    parser.add_argument("--seed", type=int, default=1, help="of the first match (default: 1)")
    args = parser.parse_args()
    kills = acknowledged = lines = gone = 0
    for seed, game in zip(itertools.count(args.seed), itertools.cycle(RULESETS)):
        if kills >= args.kills:
            break
        with tempfile.TemporaryDirectory(prefix="kills-") as data:
            outcome = asyncio.run(rounds_of_kills(Path(data), game, min(EACH, args.kills - kills), seed))
        kills += outcome.kills
        acknowledged += outcome.acknowledged
        lines += outcome.lines
        gone += outcome.gone
        print(
            f"{kills} kills, {acknowledged} acknowledged actions, none lost, none done twice; {lines} lines of chat, "
            f"{gone} lost, all of them younger than a second",
            flush=True,
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
