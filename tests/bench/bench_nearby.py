"""Cost of listening for tables nearby during a flood of packets: `python -m tests.bench.bench_nearby`.

A process of its own sends real multicast over loopback, at full speed or at a given rate. It sends false tables, names
without tables, questions, goodbyes and noise. Another one announces an honest table and listens meanwhile, as the
window does.

By case: packets sent in a second; the share of a core that listening takes, on all threads of its process; the greatest
number of listed tables, and whether the honest one stayed among them. "window": the same share, and frames in a second,
of the whole program while it shows the form to join. It runs in the window of the present screen or of an Xvfb,
undisturbed and in the flood. Prints one JSON object."""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from typing import Final

from client.network.nearby import Nearby
from client.screens.navigator import Navigator
from protocol import announcement
from protocol.announcement import Announcement
from shared.tables import TablePhase
from tests.bench.bench_rest import screen
from tests.support.multicast import LOOPBACK, flood, sender

SERVICE: Final = "_conquestbench._tcp.local."
RATES: Final = (0, 100, 1000, 0x7FFFFFFF)
"""Packets a second; the last is as fast as it goes."""
SETTLE: Final = 3.0
HONEST: Final = Announcement("honest", "classic", "An honest table", "Livia", 4, 1, TablePhase.GATHERING)


def send(rate: int, seconds: float, service: str) -> int:
    """Flood for so long; returns how many packets were sent."""
    packets, out, began, sent = flood(1, service), sender(), time.monotonic(), 0
    prepared = [next(packets) for _ in range(6000)]
    while (past := time.monotonic() - began) < seconds:
        if sent < rate * past:
            out(prepared[sent % len(prepared)])
            sent += 1
        else:
            time.sleep(0.002)
    return sent


def host() -> None:
    """Announce the honest table until the standard input ends."""
    nearby = Nearby([LOOPBACK], SERVICE)
    nearby.announce(HONEST, 8600)
    sys.stdin.read()
    nearby.close()


def listen(rate: int, seconds: float) -> dict[str, object]:
    """Measure one case."""
    guest = Nearby([LOOPBACK], SERVICE)
    guest.listen(True)
    hosting = subprocess.Popen([sys.executable, "-m", "tests.bench.bench_nearby", "--host"], stdin=subprocess.PIPE)
    time.sleep(SETTLE)
    command = [sys.executable, "-m", "tests.bench.bench_nearby", "--flood", str(rate), "--seconds", str(seconds + 1)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as flooding:
        time.sleep(1.0)
        began, spent, most = time.monotonic(), time.process_time(), 0
        while time.monotonic() < began + seconds:
            time.sleep(0.25)
            most = max(most, len(guest.tables))
        share = (time.process_time() - spent) / (time.monotonic() - began)
        honest = any(near.table == HONEST for near in guest.tables)
        sent = int(flooding.communicate()[0])
    hosting.communicate()
    guest.close()
    return {"sent_per_second": round(sent / (seconds + 1)), "core_percent": round(100 * share, 2),
            "listed_at_most": most, "honest_listed": honest}  # fmt: skip


def show(seconds: float) -> dict[str, float]:
    """Measure what the window takes in that time, from now on."""
    import pyglet

    from client.player.settings import Settings
    from client.window import GameWindow

    drawn = 0

    class Counted(GameWindow):
        def on_draw(self) -> None:
            nonlocal drawn
            drawn += 1
            super().on_draw()

    window = Counted()
    began: list[float] = []

    def measure(_dt: float) -> None:
        began.extend((time.monotonic(), time.process_time(), drawn))

    def begin(go: Navigator) -> None:
        go.connect(watch=False)
        pyglet.clock.schedule_once(measure, SETTLE)
        pyglet.clock.schedule_once(lambda _dt: window.close(), SETTLE + seconds)

    with tempfile.TemporaryDirectory() as home:
        os.environ["CONQUEST_HOME"] = home
        window.live(Settings(name="Livia"), begin)
    past = time.monotonic() - began[0]
    return {"core_percent": round(100 * (time.process_time() - began[1]) / past, 2),
            "frames_per_second": round((drawn - began[2]) / past, 1)}  # fmt: skip


def look(rate: int, seconds: float) -> dict[str, float]:
    """The window in a flood of that rate."""
    this = [sys.executable, "-m", "tests.bench.bench_nearby", "--seconds"]
    with (
        screen() as environment,
        subprocess.Popen([*this, str(seconds + 2 * SETTLE), "--flood", str(rate), "--real"], stdout=subprocess.DEVNULL),
    ):
        said = subprocess.run([*this, str(seconds), "--show"], env=environment, capture_output=True, check=True).stdout
    found: dict[str, float] = json.loads(said.splitlines()[-1])
    return found


def main() -> None:
    """Measure all cases, or the one that is asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--seconds", type=float, default=10.0, help="how long each is measured (default: 10)")
    parser.add_argument("--rate", type=int, action="append", help="packets a second (default: several)")
    parser.add_argument("--flood", type=int, default=-1, help=argparse.SUPPRESS)
    parser.add_argument("--window", action="store_true", help="measure the window instead")
    parser.add_argument("--real", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--show", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--host", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.host:
        host()
        return
    if args.flood >= 0:
        print(send(args.flood, args.seconds, announcement.SERVICE if args.real else SERVICE))
        return
    if args.show:
        print(json.dumps(show(args.seconds)))
        return
    measure = look if args.window else listen
    print(json.dumps({str(rate): measure(rate, args.seconds) for rate in args.rate or RATES}, indent=1))


if __name__ == "__main__":
    main()
