"""Interrupts programs at many moments of their start, run and closing.

`python -m tests.faults.interruptions --rounds 20 [PROGRAM ...]` prints a line for each program, and each fault.

A moment is a number of imports, which the interpreter prints, or what the program does: it takes a seat, prints a line.
So a busy machine changes nothing.
"""

import argparse
import asyncio
import os
import random
import re
import signal
import socket
import sys
import tempfile
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from msgspec import Struct

from server.connections.server_app import App
from shared.messages import Start
from shared.tables import SeatKind
from tests.server.test_bot_client import host, served, table, until
from tests.support import signals

ROOT: Final = Path(__file__).parents[2]
LONGEST: Final = 60.0
"""Seconds for a phase on a busy machine. Programs give up closing long before, with a status of its own."""
IMPORTS: Final = {"arena": 1600, "simulate": 480}
"""Imports after which a silent program is interrupted at the latest; arena's processes import, too."""
PROGRAMS: Final = {
    "serve": ("-m", "server", "serve", "--port", "0", "--data", "{home}/server"),
    "bot": ("-m", "server", "bot", "{url}", "--code", "{code}", "--level", "easy"),
    "example": ("deploy/examples/guest.py", "{url}", "{code}"),
    "library": ("deploy/examples/library_bot.py", "{url}", "{code}"),
    "play": ("-m", "client", "play", "--text"),
    "host": ("-m", "client", "host", "--text", "--port", "{port}"),
    "arena": ("-m", "server", "arena", "easy", "easy", "--games", "2000", "--jobs", "2"),
    "simulate": ("-m", "server", "simulate", "--games", "2000"),
}
AT_A_TABLE: Final = ("bot", "example", "library")
_IMPORT: Final = re.compile(rb"import time: ")
_FRAME: Final = re.compile(rf'File "{re.escape(str(ROOT))}/(.+)", line \d+, in (.+)')
_FIRST: Final = ("server/__main__.py", "client/__main__.py", "deploy/examples/guest.py", "server/__init__.py",
          "client/__init__.py", "deploy/examples/library_bot.py")  # fmt: skip
"""Files whose first lines let signals end the program. Before that, the interpreter prints tracebacks of its own."""


class Plan(Struct, frozen=True):
    """An interruption: the number of imports, or of messages after the program is ready (`runs`); the signals."""

    moment: int
    runs: bool
    signals: tuple[signal.Signals, ...]
    to_all: bool
    """Whether the signals reach all processes of its group, as Ctrl-C in a terminal does."""


class Outcome(Struct, frozen=True):
    """Exit status, what was printed on the standard error besides imports, and whether the program was ready."""

    status: int
    said: str
    was_ready: bool


def planned(program: str, chance: random.Random) -> Plan:
    """Return a plan by chance: once or twice, in the start or later."""
    runs = program not in IMPORTS and chance.random() < 0.5
    moment = chance.randrange(30 if runs else IMPORTS.get(program, 500))
    numbers = tuple(chance.choices(signals.INTERRUPTIONS, k=chance.randint(1, 2)))
    return Plan(moment, runs, numbers, chance.random() < 0.5)


def faults(program: str, plan: Plan, outcome: Outcome) -> str:
    """Return what is wrong with the end of a program; "" if nothing is."""
    # Signals at the same moment have no order. The example takes SIGTERM for Ctrl-C.
    expected = {status for number in plan.signals for status in (-number, 128 + number)}
    if program == "example":
        expected.add(130)
    if program == "serve" and outcome.was_ready:
        expected = {0}
    elif program == "serve":
        expected.add(0)
    if is_of_interpreter(outcome.said):
        return ""
    if outcome.status not in expected:
        return f"exit status {outcome.status}: {outcome.said[-2000:]}"
    return outcome.said if re.search("Traceback|Exception ignored|Fatal|not close", outcome.said) else ""


def is_of_interpreter(said: str) -> bool:
    """Whether a traceback comes from the start of the interpreter, before the first lines of a program."""
    frames = _FRAME.findall(said)
    return "KeyboardInterrupt" in said and all(file in _FIRST and place == "<module>" for file, place in frames)


@asynccontextmanager
async def _started(command: list[str], home: Path) -> AsyncIterator[asyncio.subprocess.Process]:
    pipe = asyncio.subprocess.PIPE
    program = await asyncio.create_subprocess_exec(
        *(sys.executable, "-X", "importtime", *command),
        cwd=ROOT,
        env=os.environ | {"HOME": str(home), "XDG_DATA_HOME": str(home), "XDG_CONFIG_HOME": str(home)},
        stdin=pipe,
        stdout=pipe,
        stderr=pipe,
        start_new_session=True,
    )
    try:
        yield program
    finally:
        if program.returncode is None:
            program.kill()


async def interrupt(program: str, plan: Plan, home: Path, app: App) -> str:
    """Start a program, interrupt it, and return what went wrong; "" if nothing did."""
    hanna = await host(app.address)
    words = {"url": app.address, "code": table(hanna).code, "home": home, "port": _free_port()}
    command = [word.format(**words) for word in PROGRAMS[program]]
    reached, ready, said = asyncio.Event(), asyncio.Event(), bytearray()

    async def listen(source: asyncio.StreamReader) -> None:
        imports = 0
        async for line in source:
            if _IMPORT.match(line):
                imports += 1
                if imports > plan.moment and not plan.runs:
                    reached.set()
            else:
                said.extend(line)

    async def look(source: asyncio.StreamReader) -> None:
        lines = 0
        async for _ in source:
            lines += 1
            ready.set()
            if plan.runs and program not in AT_A_TABLE:
                reached.set()

    async def play() -> None:
        if program not in AT_A_TABLE:
            return None
        await until(hanna, [SeatKind.PERSON, SeatKind.BOT])
        ready.set()
        if not plan.runs or not plan.moment:
            return reached.set()
        await hanna.say(Start)
        for _ in range(plan.moment):
            await hanna.next()
        return reached.set()

    async with asyncio.timeout(LONGEST), _started(command, home) as process:
        assert process.stdout is not None and process.stderr is not None
        told = [asyncio.create_task(listen(process.stderr)), asyncio.create_task(look(process.stdout))]
        playing, ended = asyncio.create_task(play()), asyncio.create_task(process.wait())
        waits = {asyncio.create_task(reached.wait()), ended}
        if not plan.runs:
            waits.add(asyncio.create_task(ready.wait()))
        await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        was_ready = ready.is_set()
        if ended.done():
            return f"ended by itself with {process.returncode}: {said.decode()}"
        for number in plan.signals:
            if process.returncode is None:
                (os.killpg if plan.to_all else os.kill)(process.pid, number)
            await asyncio.sleep(0)
        await ended
        await asyncio.gather(*told)
        for task in (playing, *waits):
            task.cancel()
        await asyncio.gather(playing, *waits, return_exceptions=True)
        wrong = faults(program, plan, Outcome(process.returncode or 0, said.decode(errors="replace"), was_ready))
        # What it may have taken is given back: a seat, and a server of its own.
        while table(hanna).seats[0].kind in (SeatKind.PERSON, SeatKind.AWAY):
            await hanna.next()
        while any(str(home) in line for line in _processes()):
            await asyncio.sleep(0.01)
    hanna.cut()
    return wrong


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def _processes() -> list[str]:
    """Return the command lines of all processes."""
    found = []
    for place in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            found.append(place.read_text())
        except OSError:
            continue
    return found


async def interruptions(program: str, rounds: int, seed: int) -> tuple[Counter[str], list[str]]:
    """Interrupt a program so many times; return the count of each outcome, and the faults."""
    counts: Counter[str] = Counter()
    wrong = []
    for number in range(rounds):
        plan = planned(program, random.Random(f"{program} {seed} {number}"))
        with tempfile.TemporaryDirectory() as name:
            home = Path(name)
            async with served(home / "other") as app:
                try:
                    found = await interrupt(program, plan, home, app)
                except TimeoutError:
                    found = "it did not end, or kept its seat or server"
        counts["wrong" if found else "well"] += 1
        if found:
            wrong.append(f"{program}, {number}: {plan}\n{found}")
    return counts, wrong


async def main() -> int:
    """Interrupt all programs, or those that are named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("programs", nargs="*", choices=[*PROGRAMS, []], metavar="PROGRAM")
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    faulty = False
    for program in args.programs or PROGRAMS:
        counts, wrong = await interruptions(program, args.rounds, args.seed)
        print(f"{program}: {dict(counts)}", *wrong, sep="\n", flush=True)
        faulty = faulty or bool(wrong)
    return int(faulty)


if __name__ == "__main__":
    signals.restore_defaults()
    sys.exit(asyncio.run(main()))
