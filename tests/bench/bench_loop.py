"""Processor time of a match on either event loop: `python -m tests.bench.bench_loop`.

Bots play a match on a real server (`serve`, matches on the disk) while people look on over live sockets; server and
people have a core each. In turn with asyncio's loop and with uvloop; the bots, which think in a process of their own,
do not count. Prints one JSON object: the processor's milliseconds of the server for each action (medians of all
rounds), and the ratio.
"""

import argparse
import json
import os
import select
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from server.connections import event_loop
from server.tools.serve import raise_file_limit
from shared.messages import Create, SetBot, Start
from shared.tables import NO_SEAT, TablePhase
from tests.bench.bench_wire import Probe, pin

SEATS: Final = 4
ROUNDS: Final = 8
"""Of the match."""


@contextmanager
def serving(loop: str, data: str) -> Iterator[tuple[int, int]]:
    """A server on a core of its own: its process and its port."""
    command = [sys.executable, "-m", "server", "serve", "--port", "0", "--data", data, "--seed", "5", "--bot-pace", "0"]
    with subprocess.Popen(
        [*command, "--loop", loop], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as server:
        assert server.stdout is not None
        port = int(server.stdout.readline().rpartition(":")[2])
        for thread in Path(f"/proc/{server.pid}/task").iterdir():
            os.sched_setaffinity(int(thread.name), {1})
        yield server.pid, port
        server.terminate()


def milliseconds(pid: int) -> float:
    """Return the processor time that a process has used, all threads together, without its children."""
    threads = Path(f"/proc/{pid}/task").glob("*/schedstat")
    return sum(int(thread.read_text().split()[0]) for thread in threads) / 1e6


def seated(port: int, game: str, spectators: int) -> tuple[Probe, list[Probe]]:
    """A table of bots with its host, and those who look on."""
    host = Probe(port, "Gaia")
    host.send(host.session.connect())
    host.drain(1.0)
    host.say(Create(host.session.ref(), game, SEATS, {"round_limit": ROUNDS}, "Bots", True, NO_SEAT))
    host.drain(1.0)
    for seat in range(SEATS):
        host.say(SetBot(host.session.ref(), seat, "easy"))
        host.drain(1.0)
    crowd = [Probe(port, f"Onlooker {number}") for number in range(spectators)]
    for probe in crowd:
        probe.send(probe.session.connect())
        probe.drain(1.0)
        probe.send(probe.session.watch(host.session.match))
        probe.drain(1.0)
    return host, crowd


def look_on(host: Probe, crowd: list[Probe]) -> int:
    """Read until the match is over; how many actions it had."""
    poll, readers = select.epoll(), {probe.socket.fileno(): probe.socket for probe in crowd}
    own = host.socket.fileno()
    for number in (own, *readers):
        poll.register(number, select.EPOLLIN)
    while host.session.table is None or host.session.table.phase != TablePhase.OVER:
        for number, _ in poll.poll():
            if number == own:
                host.drain()
            else:
                readers[number].recv(65536)
    return host.session.version


def played(loop: str, game: str, spectators: int) -> float:
    """Milliseconds for each action of a match."""
    with tempfile.TemporaryDirectory() as data, serving(loop, data) as (pid, port):
        host, crowd = seated(port, game, spectators)
        before = milliseconds(pid)
        host.say(Start)
        actions = look_on(host, crowd)
        return (milliseconds(pid) - before) / actions


def main() -> None:
    """Measure in turn and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ruleset", default="classic")
    parser.add_argument("--spectators", type=int, default=50, help="how many (default: 50)")
    parser.add_argument("--rounds", type=int, default=4, help="of a match on each loop (default: 4)")
    args = parser.parse_args()
    pin(0)
    raise_file_limit()
    found: dict[str, list[float]] = {event_loop.ASYNCIO: [], event_loop.UVLOOP: []}
    for _ in range(args.rounds):
        for loop, times in found.items():
            times.append(played(loop, args.ruleset, args.spectators))
    pairs = zip(found[event_loop.UVLOOP], found[event_loop.ASYNCIO], strict=True)
    result = {f"{loop}_ms_per_action": round(statistics.median(times), 3) for loop, times in found.items()}
    ratio = round(statistics.median([one / other for one, other in pairs]), 3)
    print(json.dumps({"spectators": args.spectators, **result, "uvloop_per_asyncio": ratio}, indent=2))


if __name__ == "__main__":
    main()
