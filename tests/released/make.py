"""Make a data directory of this version by real use: `python -m tests.released.make NAME`.

A real server process, players over sockets, and `conquest-server export` for each finished match. Run it once, from
the commit that is released; what it makes is never made again. See README.md.
"""

import argparse
import asyncio
import os
import signal
import subprocess
import sys
import tarfile
import tempfile
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from protocol.record import SUFFIX
from shared import messages as m
from shared.tables import Matter, Pace, Run, TablePhase
from tests.released.guests import NOTES, Guest, Kept, Notes, agree, leave, play

FOLDER = Path(__file__).parent
SECRETS = {name: name.lower().encode().ljust(32, b"-") for name in ("Anna", "Bert")}
"""Profiles; the third player is a stranger."""
PAUSE = 1 / 30
BY_POST = Pace(Run.POST, each=3 * 86400, bank=14 * 86400)
LIVE = Pace(Run.LIVE, each=60, bank=3600, reserve=600)


async def gathered(
    url: str, game: str, seats: int, options: dict[str, int], title: str, bots: int = 0, **more: Any
) -> list[Guest]:
    """Return players at a new table that has not begun; the last seats are for bots."""
    names = ("Anna", "Bert", "Cilla", "Dora", "Emil", "Fritz")[: seats - bots]
    guests = [Guest(url, name, SECRETS.get(name, b"")) for name in names]
    for guest in guests:
        guest.pause = PAUSE
        await guest.client.open()
        if guest.client.session.name in SECRETS:
            await guest.client.wait_for(m.Introduced)
    host = guests[0].client
    # A key as the window sends it: the match gets a long id.
    key = os.urandom(16)
    await host.ask(lambda ref: m.Create(ref, game, seats, options, title, key=key, **more), m.Seated)
    table = await host.wait_for(m.TableState)
    for guest in guests[1:]:
        await guest.client.ask(lambda ref: m.Join(ref, table.match, table.code), m.Seated)
    for seat in range(seats - bots, seats):
        await host.ask(partial(m.SetBot, seat=seat, kind="normal"), m.Done)
    return guests


async def begun(guests: Sequence[Guest]) -> Sequence[Guest]:
    """Begin the match of these players; return them."""
    await guests[0].client.say(m.Start)
    for guest in guests:
        await guest.client.wait_for(m.Snapshot)
    return guests


async def talk(guests: Sequence[Guest], *lines: str) -> list[str]:
    """Let each player say one line in turn; return the lines as they arrived."""
    return [
        (await guest.client.ask(partial(m.Say, text=line), m.Said)).text
        for guest, line in zip(guests, lines, strict=False)
    ]


async def take_back(guests: Sequence[Guest]) -> bool:
    """Let the first player who can take back a decision do so; return whether one could."""
    for guest in guests:
        if guest.session.undo:
            await guest.client.ask(partial(m.Undo, version=guest.session.version), m.Done)
            return True
    return False


def kept(kind: str, guests: Sequence[Guest], lines: Sequence[str] = ()) -> Kept:
    """Return the notes of these players' match."""
    table, rules, result = guests[0].session.table, guests[0].rules, guests[0].result
    ranks = [(rank.seat, rank.rank, rank.score) for rank in result.ranks] if result else []
    seats = [guest.kept(guest.session.name in SECRETS) for guest in guests]
    return Kept(table.match, kind, rules.id, rules.version, table.phase, table.code, seats, list(lines), ranks)


async def running(url: str, game: str, options: dict[str, int], decisions: int) -> Kept:
    """Return a match with clocks in its middle, where players talked, took back a decision, and agreed to go back."""
    lines = ("Ave!", "Gr\u00fc\u00df euch, ihr drei. \U0001f469\u200d\U0001f469\u200d\U0001f467", "Ready when you are.")
    guests = await begun(await gathered(url, game, 3, options, f"{game}, running", pace=LIVE))
    await play(guests, 60)
    heard = await talk(guests, *lines)
    while not await take_back(guests):
        await play(guests, 1)
    before = guests[0].session.version
    await play(guests, 6)
    await agree(guests, m.Motion(Matter.BACK, to=before))
    await play(guests, decisions)
    found = kept("running", guests, heard)
    await leave(guests)
    return found


async def finished(url: str, game: str, seats: int, options: dict[str, int]) -> Kept:
    """Return a match that was played to its end."""
    guests = await begun(await gathered(url, game, seats, options, f"{game}, played to its end"))
    heard = await talk(guests, "Good game!")
    await play(guests)
    found = kept("finished", guests, heard)
    await leave(guests)
    return found


async def by_post(url: str, game: str) -> Kept:
    """Return a match that is not listed, with days for each decision."""
    guests = await begun(await gathered(url, game, 2, {}, f"{game}, by post", pace=BY_POST, open=False))
    await play(guests, 40)
    found = kept("post", guests)
    await leave(guests)
    return found


async def agreed(url: str) -> Kept:
    """Return a match that its players ended, which others may see only as players saw it."""
    guests = await begun(await gathered(url, "cote2", 3, {}, "ended by agreement", bots=1, closed_hands=True))
    await play(guests, 30)
    await agree(guests, m.Motion(Matter.END))
    await play(guests)
    found = kept("agreed", guests)
    await leave(guests)
    return found


async def with_bots(url: str) -> Kept:
    """Return a match of two players and four bots; a fifth bot plays for the one who left."""
    guests = await begun(await gathered(url, "classic", 6, {"homes": 1, "round_limit": 7}, "with bots", bots=4))
    await play(guests, 40)
    found = kept("bots", guests)
    await guests[1].client.ask(m.Leave, m.Left)
    await leave(guests)
    return found


async def gathering(url: str) -> Kept:
    """Return a table that has not begun."""
    guests = await gathered(url, "mb1984", 4, {"income_cap": 1}, "gathering", bots=2)
    found = kept("gathering", guests)
    await leave(guests)
    return found


async def all_kinds(url: str) -> list[Kept]:
    """Return a match of every kind."""
    found = []
    for game, limit, decisions in (
        ("classic", {"round_limit": 12}, 150),
        ("mb1984", {"round_limit": 9}, 150),
        ("cote2", {}, 50),
    ):
        found.append(await running(url, game, limit, decisions))
        found.append(await finished(url, game, 4, limit))
        found.append(await by_post(url, game))
    return [*found, await agreed(url), await with_bots(url), await gathering(url)]


@asynccontextmanager
async def serving(data: Path) -> AsyncIterator[str]:
    """Run a server as an operator runs it, and stop it as an operator stops it; yield its address."""
    command = (sys.executable, "-m", "server", "serve", "--port", "0", "--data", str(data), "--bot-pace", "0")
    server = await asyncio.create_subprocess_exec(*command, stdout=PIPE, stderr=DEVNULL)
    assert server.stdout is not None
    line = (await server.stdout.readline()).decode()
    yield line.removeprefix("conquest-server ready on ").strip()
    server.send_signal(signal.SIGTERM)
    await server.communicate()


def export(match: str, data: Path, out: Path) -> None:
    """Write a finished match as its file."""
    command = [sys.executable, "-m", "server", "export", match, "--data", str(data), "--out", str(out)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


async def make(folder: Path) -> None:
    """Fill a new folder; it must not exist yet."""
    folder.mkdir()
    with tempfile.TemporaryDirectory(prefix="released-") as made:
        data = Path(made)
        async with serving(data) as url:
            found = await all_kinds(url)
        (folder / NOTES).write_bytes(msgspec.json.format(msgspec.json.encode(Notes(SECRETS, found))) + b"\n")
        with tarfile.open(folder / "data.tar.xz", "w:xz") as packed:
            for path in sorted(path for path in data.iterdir() if path.is_file()):
                packed.add(path, path.name)
        for each in found:
            if each.phase == TablePhase.OVER:
                export(each.match, data, folder / f"{each.ruleset}-{each.version}-{each.kind}{SUFFIX}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser("tests.released.make", description=__doc__)
    parser.add_argument("name", help="of the new folder beside this file, as the date of the release")
    asyncio.run(make(FOLDER / parser.parse_args().name))
