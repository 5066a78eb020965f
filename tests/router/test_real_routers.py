"""Hosting behind real routers: Debian's miniupnpd with nftables, in network namespaces."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from ipaddress import IPv4Address
from pathlib import Path

import pytest

from server.router import reports
from tests.router.networks import Computer, Networks, Router, missing, networks, until

ROOT = Path(__file__).parents[2]
HOST = """
import sys
from client import command_line
from client.network import server_process
server_process.SERVER = (sys.executable, "-c", {serve!r})
sys.exit(command_line.main(sys.argv[1:]))
"""
SERVE = """
import sys
from server.router import port_opener
port_opener.REFRESH = 0.5
from server.command_line import main
sys.exit(main())
"""
"""Server that asks its router twice a second, so that no test waits a minute."""
GUEST = """
import asyncio, sys, urllib.request
from websockets.asyncio.client import connect
from protocol.session import ClientSession
from shared import messages as m

async def main(link):
    address, _, code = link.partition("/watch#")
    page = urllib.request.urlopen(address + "/watch", timeout=10).read().decode()
    assert "<!doctype html>" in page.lower(), page[:200]
    session = ClientSession("Marcus")
    async with connect(address.replace("http", "ws", 1), proxy=None, compression=None) as socket:
        await socket.send(session.connect())
        while True:
            async with asyncio.timeout(20):
                received = session.receive(await socket.recv(decode=False))
            for reply in received.replies:
                await socket.send(reply)
            if isinstance(received.message, m.Welcome):
                await socket.send(session.watch("", code))
            elif isinstance(received.message, m.PublicAddress):
                print("public", received.message.url)
            elif isinstance(received.message, m.TableState):
                print("table", received.message.title)
                return

asyncio.run(main(sys.argv[1]))
"""
LINK = re.compile(r"Friends anywhere open (http://\S+/watch#\w+)")

pytestmark = pytest.mark.long


class Host:
    """`conquest host --public --text` on a computer, and what it printed."""

    def __init__(self, computer: Computer, folder: Path, players: int = 2) -> None:
        self.computer = computer
        self._output = folder / "host.txt"
        self.process = computer.start(
            *_python(HOST.format(serve=SERVE)), "host", "--public", "--text", "--players",
            str(players), "--name", "Livia",
            output=self._output, HOME=str(folder), XDG_DATA_HOME=str(folder), XDG_CONFIG_HOME=str(folder),
            PYTHONPATH=str(ROOT), CONQUEST_LANGUAGE="en",
        )  # fmt: skip

    @property
    def said(self) -> str:
        return self._output.read_text()

    def link(self, after: str = "") -> str:
        """Return the last link for friends elsewhere, once it is another than `after`."""

        def fresh() -> bool:
            return any(each != after for each in LINK.findall(self.said)[-1:])

        until(fresh, lambda: self.said)
        return str(LINK.findall(self.said)[-1])

    def hears(self, report: str, after: int = 0) -> None:
        """Wait until the host is told that behind so many characters."""
        until(lambda: report in self.said[after:], lambda: self.said, 90)

    def type(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()

    def kill_server(self) -> None:
        """Kill the server that this host's program started."""
        listed = subprocess.run(["pgrep", "-P", str(self.process.pid)], capture_output=True, text=True, check=True)
        (server,) = map(int, listed.stdout.split())
        os.kill(server, signal.SIGKILL)

    def kill(self) -> None:
        """Kill the program and its server, as a power failure does."""
        self.process.send_signal(signal.SIGSTOP)  # Else it could start another server before it is killed itself.
        self.kill_server()
        self.process.kill()
        self.process.wait()

    def quit(self) -> None:
        # The answer is for a host who still believes that a guest is there: then the program asks first.
        self.type("quit\nyes")
        assert self.process.wait(30) == 0, self.said


def _python(code: str) -> tuple[str, ...]:
    return sys.executable, "-c", code


def visit(computer: Computer, link: str) -> str:
    """Open the page and watch the table, as a friend's browser does; return what was heard."""
    return computer.run("env", f"PYTHONPATH={ROOT}", *_python(GUEST), link)


class World:
    """Internet of 8.8.1.0/24 for the host's router and 8.8.2.0/24 for a friend."""

    def __init__(self, made: Networks) -> None:
        self.made = made
        self.internet = Computer(made)
        self.internet.run("sysctl", "-qw", "net.ipv4.ip_forward=1")
        self.friend = Computer(made)
        self._ends = made.wire(self.friend, self.internet, "8.8.2.9/24", "8.8.2.1/24")
        self.friend.ip("route", "add", "default", "via", "8.8.2.1")

    def add_ipv6(self, prefix: str) -> None:
        """Connect the friend by IPv6, too."""
        self.friend.ip("addr", "add", f"{prefix}::9/64", "dev", self._ends[0], "nodad")
        self.internet.ip("addr", "add", f"{prefix}::1/64", "dev", self._ends[1], "nodad")
        self.friend.ip("route", "add", "default", "via", f"{prefix}::1", "dev", self._ends[0])

    def router(self) -> Router:
        return Router(self.made, self.internet, "8.8.1.7", "8.8.1.1", "192.168.7")


@pytest.fixture(scope="module")
def _possible() -> None:
    why = missing()
    if why:
        pytest.skip(why)


@pytest.fixture
def world(tmp_path: Path, _possible: None) -> Iterator[World]:
    with networks(tmp_path) as made:
        yield World(made)


@pytest.mark.parametrize("ways", [{"upnp": False}, {"pmp": False}], ids=["pcp", "upnp"])
def test_friends_reach_a_host_behind_a_router_until_the_table_closes(
    world: World, tmp_path: Path, ways: dict[str, bool]
) -> None:
    router = world.router()
    router.serve(**ways)
    home, inside = world.made.inside(router, 20), world.made.inside(router, 30)
    host = Host(home, tmp_path)
    link = host.link()
    assert link.startswith("http://8.8.1.7:8600/watch#")
    assert visit(world.friend, link).splitlines() == ["public ws://8.8.1.7:8600", "table Livia's table"]
    # A friend in the same home gets the public address as well, but uses the local one.
    near = link.replace("8.8.1.7", "192.168.7.20")
    assert visit(inside, near).splitlines() == ["public ws://8.8.1.7:8600", "table Livia's table"]
    assert router.mapped()
    host.quit()
    assert not router.mapped(), "The port is closed with the table."
    with pytest.raises(AssertionError):
        visit(world.friend, link)


@pytest.mark.parametrize("ways", [{"upnp": False}, {"pmp": False}], ids=["pcp", "upnp"])
def test_without_a_public_ipv4_address_friends_come_by_ipv6(
    world: World, tmp_path: Path, ways: dict[str, bool]
) -> None:
    router = Router(world.made, world.internet, "10.0.0.9", "10.0.0.1", "192.168.7")
    router.add_ipv6("2a00:1450:1::7", "2a00:1450:1::1", "2a00:1450:7")
    world.add_ipv6("2a00:1450:2")
    router.serve(**ways)
    host = Host(world.made.inside(router, 20), tmp_path)
    link = host.link()
    assert link.startswith("http://[2a00:1450:7::20]:8600/watch#")
    host.hears(reports.only_ipv6())
    assert visit(world.friend, link).splitlines() == ["public ws://[2a00:1450:7::20]:8600", "table Livia's table"]
    assert router.mapped()
    host.quit()
    # miniupnpd 2.3.1 refuses to end a pinhole by PCP; it gets a lease of a second.
    until(lambda: not router.mapped(), lambda: host.said)


def test_a_killed_host_closes_the_port_too(world: World, tmp_path: Path) -> None:
    router = world.router()
    router.serve()
    host = Host(world.made.inside(router, 20), tmp_path)
    host.link()
    host.process.terminate()
    host.process.wait(30)
    until(lambda: not router.mapped(), lambda: host.said)


def test_a_restarted_router_with_a_new_address_is_told_with_the_new_link(world: World, tmp_path: Path) -> None:
    router = world.router()
    router.serve()
    host = Host(world.made.inside(router, 20), tmp_path)
    first = host.link()
    router.stop()
    router.reset()
    router.serve()
    until(router.mapped, lambda: host.said)  # The mapping is asked for again.
    visit(world.friend, first)
    router.stop()
    router.reset()
    router.computer.ip("addr", "del", "8.8.1.7/24", "dev", router.wan)
    router.computer.ip("addr", "add", "8.8.1.8/24", "dev", router.wan)
    router.computer.ip("route", "replace", "default", "via", "8.8.1.1")
    router.serve()
    second = host.link(after=first)
    assert second == first.replace("8.8.1.7", "8.8.1.8")
    host.hears(reports.changed())
    visit(world.friend, second)


@pytest.mark.parametrize(
    ("ways", "report"),
    [
        ({"allow": False}, reports.refused(8600)),
        ({"allow": False, "upnp": False}, reports.refused(8600)),
        ({"allow": False, "pmp": False}, reports.refused(8600)),
        (None, reports.no_answer(8600)),
    ],
    ids=["refusing", "refusing-pcp", "refusing-upnp", "silent"],
)
def test_a_router_that_does_not_help_is_told(
    world: World, tmp_path: Path, ways: dict[str, bool] | None, report: str
) -> None:
    router = world.router()
    if ways is not None:
        router.serve(**ways)
    host = Host(world.made.inside(router, 20), tmp_path)
    host.hears(report)
    assert not LINK.search(host.said)
    if ways is not None:
        said = (tmp_path / f"{router.computer.name}.log").read_text()
        assert said.count("port mapping rejected") < 200, "It is not made to try all ports, which it does without end."


@pytest.mark.parametrize(("carrier", "far"), [("100.64.0", "100.64.0.9"), ("10.0.0", "10.0.0.9")])
def test_two_routers_in_a_row_are_told(world: World, tmp_path: Path, carrier: str, far: str) -> None:
    outer = Router(world.made, world.internet, "8.8.1.7", "8.8.1.1", carrier)
    between = world.made.inside(outer, 1 + 1)
    between.run("sysctl", "-qw", "net.ipv4.ip_forward=1")
    router = Router(world.made, outer.computer, far, f"{carrier}.100", "192.168.7")
    router.serve()
    host = Host(world.made.inside(router, 20), tmp_path)
    host.hears(reports.two_routers(IPv4Address(0)))
    assert not LINK.search(host.said)


def test_a_link_of_another_home_is_told_at_once(world: World, tmp_path: Path) -> None:
    output = tmp_path / "guest.txt"
    guest = world.friend.start(
        *_python("import sys; from client.command_line import main; sys.exit(main(sys.argv[1:]))"), "join",
        "192.168.7.20:8600", "--text", "--name", "Marcus", output=output, HOME=str(tmp_path), PYTHONPATH=str(ROOT),
        XDG_DATA_HOME=str(tmp_path), XDG_CONFIG_HOME=str(tmp_path), CONQUEST_LANGUAGE="en",
    )  # fmt: skip
    assert guest.wait(60) == 1
    assert "an address inside one home network" in output.read_text()
    assert "Trying again" not in output.read_text()


def guest_of(computer: Computer, link: str, folder: Path) -> tuple[subprocess.Popen[str], Path]:
    """Start `conquest join LINK` there, and agree to go without encryption; return it and its output."""
    output = folder / "guest.txt"
    guest = computer.start(
        *_python("import sys; from client.command_line import main; sys.exit(main(sys.argv[1:]))"), "join", link,
        "--text", "--name", "Marcus", output=output, HOME=str(folder), PYTHONPATH=str(ROOT),
        XDG_DATA_HOME=str(folder), XDG_CONFIG_HOME=str(folder), CONQUEST_LANGUAGE="en",
    )  # fmt: skip
    assert guest.stdin is not None
    guest.stdin.write("yes\n")
    guest.stdin.flush()
    return guest, output


def test_the_public_link_leads_to_the_table_inside_the_home_too(world: World, tmp_path: Path) -> None:
    router = world.router()
    router.serve(upnp=False)
    host = Host(world.made.inside(router, 20), tmp_path)
    link = host.link()
    assert f"In a browser, on a phone too: {link.replace('8.8.1.7', '192.168.7.20')}" in host.said, "Both are shown."
    inside = world.made.inside(router, 30)
    with pytest.raises(AssertionError, match="refused"):  # The router does not lead its own address back.
        visit(inside, link)
    (folder := tmp_path / "marcus").mkdir()
    _guest, output = guest_of(inside, link, folder)
    until(lambda: "Seat 2: Marcus (new) (you)." in output.read_text(), output.read_text)
    assert "8.8.1.7:8600 cannot be reached from here. Trying 192.168.7.20:8600 in this network" in output.read_text()


def test_a_public_address_is_not_tried_for_ever(world: World, tmp_path: Path) -> None:
    guest, output = guest_of(world.friend, "http://8.8.1.99:8600/watch#VENI42", tmp_path)
    assert guest.wait(60) == 1
    assert output.read_text().splitlines()[-1].endswith("use the home link, which the host sees too.")


def test_the_world_is_removed(tmp_path: Path, _possible: None) -> None:
    with networks(tmp_path) as made:
        name = World(made).friend.name
    listed = subprocess.run(["ip", "netns", "list"], capture_output=True, text=True, check=True).stdout
    assert name not in listed
