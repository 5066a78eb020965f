"""Evening of five towns: a host behind a router, two browsers, a window and a text client, each behind NAT."""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.router.networks import Computer, Router, missing, networks, until
from tests.router.test_real_routers import ROOT, Host, World, _python
from tests.support.browsers import CHROMIUM, NO_CHROMIUM

MOST_GESTURES = 3
"""Gestures from nothing to a seat: the command or the link counts as one."""
PAGE = """
import sys
from playwright.sync_api import sync_playwright

chromium, link, name = sys.argv[1:]
with sync_playwright() as playwright:
    page = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"]).new_page()
    page.set_default_timeout(60_000)

    def do(gesture, *more):
        print("gesture", flush=True)
        gesture(*more)

    do(page.goto, link)
    do(page.get_by_label("Your name").fill, name)
    do(page.get_by_role("button", name="Sit down").click)
    for line in sys.stdin:
        page.get_by_role(line.split()[0], name=line.split(None, 1)[1].strip()).first.click()
        print("clicked", line.strip(), flush=True)
"""
"""Browser that sits down, then clicks what it is told: a role and a name in each line."""
WINDOW = """
import os, sys, threading, time
os.environ["ARCADE_HEADLESS"] = "True"
import arcade
from client.app import App
from client.drawing import theme
from client.drawing.widgets import Button
from client.player.settings import Settings
from protocol.links import read

place, clicks = read(sys.argv[1]), ["Connect all the same"]
app = App(arcade.Window(*theme.BASE_SIZE, "evening", antialiasing=False), Settings(name=sys.argv[2]))

print("gesture", flush=True)
app.go.connect(watch=False, address=place.address, code=place.code)
typed = []
threading.Thread(target=lambda: [typed.append(line.strip()) for line in sys.stdin], daemon=True).start()
while True:
    app.on_update(1 / 60)
    time.sleep(0.01)
    if not clicks and typed:
        clicks.append(typed.pop(0))
    if clicks[:1] == ["Yes"] and app.remote.match.voting.awaits(app.remote.match.seat):
        app.remote.match.vote(True)
        print("clicked", clicks.pop(0), flush=True)
    found = [each for each in app.screen.ui.widgets if isinstance(each, Button) and each.words in clicks[:1]]
    if found and found[0].enabled:
        print("gesture" if clicks[0].startswith("Connect") else f"clicked {clicks[0]}", flush=True)
        clicks.pop(0)
        x, y = found[0].rect.x, found[0].rect.y
        app.screen.on_mouse_motion(x, y, 0, 0)
        app.screen.on_mouse_press(x, y, arcade.MOUSE_BUTTON_LEFT, 0)
        app.screen.on_mouse_release(x, y, arcade.MOUSE_BUTTON_LEFT, 0)
"""
"""Window without a screen that joins by the link, then clicks on the buttons that it is told."""
SPECTATOR = """
import asyncio, sys
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed
from protocol.session import ClientSession
from shared import messages as m

async def main(link):
    address, _, code = link.partition("/watch#")
    session, told = ClientSession("Marcus"), None
    async with connect(address.replace("http", "ws", 1), proxy=None, compression=None, max_size=None) as socket:
        await socket.send(session.connect())
        async for data in socket:
            received = session.receive(data)
            for reply in received.replies:
                await socket.send(reply)
            if isinstance(received.message, m.Welcome):
                await socket.send(session.watch("", code))
            if session.in_sync and told != (session.version, session.digest):
                told = session.version, session.digest
                print("position", *told, flush=True)

try:
    asyncio.run(main(sys.argv[1]))
except ConnectionClosed:
    print("closed", flush=True)
"""
"""Spectator that prints the version and the digest of each position until the connection ends."""
TEXT = "import sys; from client.command_line import main; sys.exit(main(sys.argv[1:]))"

pytestmark = [
    pytest.mark.exhaustive,
    pytest.mark.timeout(500),
    pytest.mark.skipif(not CHROMIUM, reason=NO_CHROMIUM),
]


class Guest:
    """Player in another town, whose program runs behind a router that opens no ports."""

    def __init__(self, world: World, number: int, name: str, folder: Path) -> None:
        self.name = name
        self.router = Router(world.made, world.internet, f"8.8.{number}.7", f"8.8.{number}.1", f"192.168.{number}")
        self.computer: Computer = world.made.inside(self.router, 20)
        self._output = folder / f"{name}.txt"
        self._folder = folder / name
        self._folder.mkdir()
        self.gestures = 0
        self._process: subprocess.Popen[str] | None = None

    def start(self, code: str, *words: str) -> None:
        """Start a program."""
        home = str(self._folder)
        self._process = self.computer.start(
            *_python(code), *words, output=self._output, HOME=home, XDG_DATA_HOME=home, XDG_CONFIG_HOME=home,
            PYTHONPATH=str(ROOT), CONQUEST_LANGUAGE="en",
        )  # fmt: skip

    @property
    def said(self) -> str:
        return self._output.read_text() if self._output.exists() else ""

    def type(self, line: str) -> None:
        """Give the program a line."""
        assert self._process is not None and self._process.stdin is not None
        self._process.stdin.write(f"{line}\n")
        self._process.stdin.flush()

    def hears(self, words: str, after: int = 0) -> None:
        """Wait until the program has printed that behind so many characters."""
        until(lambda: words in self.said[after:], lambda: self.said, 90)

    def cut(self) -> None:
        """Let the router drop all that is forwarded."""
        self.router.computer.run("nft", "insert", "rule", "inet", "filter", "forward", "drop")

    def mend(self) -> None:
        """Let the router forward again."""
        self.router.reset()


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    why = missing()
    if why:
        pytest.skip(why)
    with networks(tmp_path) as made:
        yield World(made)


class Spectator:
    """Spectator in another town, who notes all positions."""

    def __init__(self, world: World, link: str, output: Path) -> None:
        self._output = output
        world.friend.start(*_python(SPECTATOR), link, output=output, PYTHONPATH=str(ROOT))

    @property
    def positions(self) -> list[str]:
        """Versions and digests so far."""
        return re.findall(r"^position (.+)$", self._output.read_text(), re.MULTILINE)

    def wait(self, known: int) -> str:
        """Wait for more positions than that many; return the last."""
        until(lambda: len(self.positions) > known, self._output.read_text, 90)
        return self.positions[-1]


def seats(said: str) -> dict[int, str]:
    """Return the seats as the host's program told them last."""
    return {int(seat): who for seat, who in re.findall(r"^Seat (\d): (.*)\.$", said, re.MULTILINE)}


def test_an_evening_of_five_towns(world: World, tmp_path: Path) -> None:
    router = world.router()
    router.serve()
    host = Host(world.made.inside(router, 20), tmp_path, players=5)
    link = host.link()
    ada, bert, cleo, dora = guests = [
        Guest(world, number, name, tmp_path)
        for number, name in enumerate(("Ada", "Bert", "Cleo", "Dora"), 3)
    ]  # fmt: skip

    def sits(seat: int, who: str, begin: int = 0) -> None:
        def told() -> str:
            return "\n".join((host.said, *(guest.said for guest in guests)))

        until(lambda: seats(host.said[begin:]).get(seat) == who, told, 120)

    def agree(wish: str) -> None:
        begins = [len(each.said) for each in (host, cleo, dora)]
        host.type(f"ask {wish}")
        dora.hears("Livia asks", begins[2])
        dora.type("vote yes")
        cleo.type("Yes")
        cleo.hears("clicked Yes", begins[1])
        host.hears("That is agreed.", begins[0])

    for seat, guest in enumerate(guests, 2):
        if guest is cleo:
            guest.start(WINDOW, link, guest.name)
        elif guest is dora:
            guest.start(TEXT, "join", link, "--text", "--name", guest.name)
            guest.hears("Type yes or no.")
            guest.type("yes")
        else:
            guest.start(PAGE, CHROMIUM, link, guest.name)
        sits(seat, guest.name)
        assert (2 if guest is dora else guest.said.count("gesture")) <= MOST_GESTURES

    host.type("start")
    host.hears("The match is going on.")
    for guest in guests:
        guest.cut()
    for seat, guest in enumerate(guests, 2):
        sits(seat, f"{guest.name}, away")
    for guest in guests:
        guest.mend()
    for seat, guest in enumerate(guests, 2):
        sits(seat, guest.name)

    # The host loses the internet.
    router.cable("down")
    for seat, guest in enumerate(guests, 2):
        sits(seat, f"{guest.name}, away")
    router.cable("up")
    for seat, guest in enumerate(guests, 2):
        sits(seat, guest.name)

    # The server is killed at once after a decision; the host's program starts it again.
    first = Spectator(world, link, tmp_path / "first.txt")
    first.wait(0)
    known = len(first.positions)
    agree("pause")
    decided = first.wait(known)
    begins = [len(host.said), len(dora.said)]
    host.kill_server()
    host.hears("Connected again.", begins[0])
    dora.hears("Connected again.", begins[1])
    host.type("room")
    for seat, guest in enumerate(guests, 2):
        sits(seat, guest.name, begins[0])
    assert Spectator(world, link, tmp_path / "second.txt").wait(0) == decided, "The decision is kept."

    # The host's computer fails; the same command opens another table, from which the host goes back.
    host.kill()
    host = Host(host.computer, tmp_path, players=5)
    host.hears("Seat 5: free.")
    host.type("leave")
    host.hears("You have left the table.")
    begin = len(host.said)
    host.type("continue")
    for seat, guest in enumerate(guests, 2):
        sits(seat, guest.name, begin)
    assert Spectator(world, link, tmp_path / "third.txt").wait(0) == decided, "The decision is kept again."

    agree("end of the match")

    begin = len(host.said)
    host.type("rematch")
    dora.hears("“rematch” joins.")
    dora.type("rematch")
    cleo.type("Come along")
    for page in (ada, bert):
        page.type("link Take your seat")
    for seat, guest in enumerate(guests, 2):
        sits(seat, guest.name, begin)
    assert seats(host.said[begin:])[1].startswith("Livia")
    host.quit()
    assert not router.mapped(), "The port is closed with the table."
