"""Home networks in network namespaces: computers, routers with miniupnpd and nftables, and an internet between them."""

import contextlib
import itertools
import os
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, Literal

PROGRAMS: Final = ("ip", "nft", "miniupnpd", "sysctl")
RULES: Final = """
table inet filter {{
  chain forward {{ type filter hook forward priority 0; policy drop;
    ct state established,related accept; iifname "{lan}" accept; jump miniupnpd; }}
  chain miniupnpd {{ }}
  chain prerouting {{ type nat hook prerouting priority -100; policy accept; jump prerouting_miniupnpd; }}
  chain postrouting {{ type nat hook postrouting priority 100; policy accept;
    jump postrouting_miniupnpd; oifname "{wan}" masquerade; }}
  chain prerouting_miniupnpd {{ }}
  chain postrouting_miniupnpd {{ }}
}}
"""
DAEMON: Final = """
ext_ifname={wan}
listening_ip={lan}
http_port=5000
enable_natpmp={pmp}
enable_upnp={upnp}
secure_mode=yes
min_lifetime=1
ipv6_disable={no_ipv6}
uuid=da87ed0b-f31d-4383-8eeb-912802dd2767
{permission}
"""
ALLOW: Final = "allow 1024-65535 0.0.0.0/0 1024-65535\ndeny 0-65535 0.0.0.0/0 0-65535"
DENY: Final = "deny 0-65535 0.0.0.0/0 0-65535"
_numbers = itertools.count()


def missing() -> str:
    """Return why networks cannot be made here; "" if they can."""
    lacking = [name for name in PROGRAMS if shutil.which(name, path=_path()) is None]
    if lacking:
        return f"needs {', '.join(lacking)} (Debian: iproute2 nftables procps miniupnpd-nftables)"
    name = f"cq{os.getpid()}try"
    tried = subprocess.run(["ip", "netns", "add", name], capture_output=True, env=_surroundings(), check=False)
    if tried.returncode:
        return "needs the right to make network namespaces (root)"
    subprocess.run(["ip", "netns", "del", name], env=_surroundings(), check=True)
    return ""


def _path() -> str:
    return os.environ.get("PATH", "") + ":/usr/sbin:/sbin"


def _surroundings() -> dict[str, str]:
    return {**os.environ, "PATH": _path()}


class Computer:
    """Network namespace. `name`: unique on this machine."""

    def __init__(self, networks: "Networks") -> None:
        self.name = f"cq{os.getpid()}n{next(_numbers)}"
        self._networks = networks
        networks.run("ip", "netns", "add", self.name)
        networks.closing.callback(networks.run, "ip", "netns", "del", self.name)
        self.ip("link", "set", "lo", "up")

    def ip(self, *words: str) -> None:
        """Run `ip` for this computer."""
        self._networks.run("ip", "-n", self.name, *words)

    def run(self, *words: str, given: str = "") -> str:
        """Run a command here to its end; return its output."""
        return self._networks.run("ip", "netns", "exec", self.name, *words, given=given)

    def start(self, *words: str, output: Path, **more: str) -> subprocess.Popen[str]:
        """Start a command here. `more`: variables of its environment."""
        with output.open("w") as file:
            process = subprocess.Popen(
                ["ip", "netns", "exec", self.name, *words], stdin=subprocess.PIPE, stdout=file,
                stderr=subprocess.STDOUT, text=True, env={**_surroundings(), **more},
            )  # fmt: skip
        self._networks.closing.callback(_end, process)
        return process


def _end(process: subprocess.Popen[str]) -> None:
    process.kill()
    process.wait()
    if process.stdin is not None:
        process.stdin.close()


class Networks:
    """Networks of one test, all removed at its end."""

    def __init__(self, folder: Path, closing: contextlib.ExitStack) -> None:
        self.folder = folder
        self.closing = closing

    def run(self, *words: str, given: str = "") -> str:
        """Run a command to its end; return its output."""
        done = subprocess.run(words, input=given, capture_output=True, text=True, env=_surroundings(), check=False)
        assert done.returncode == 0, (words, done.stdout, done.stderr)
        return done.stdout

    def wire(self, one: Computer, other: Computer, address: str, far: str) -> tuple[str, str]:
        """Lay a cable between two computers with these addresses; return the names of its ends."""
        near_end, far_end = (f"v{next(_numbers)}" for _each in range(2))
        self.run("ip", "link", "add", near_end, "netns", one.name, "type", "veth", "peer", "name", far_end, "netns",
                 other.name)  # fmt: skip
        for computer, end, own in ((one, near_end, address), (other, far_end, far)):
            computer.ip("addr", "add", own, "dev", end)
            computer.ip("link", "set", end, "up")
        return near_end, far_end

    def inside(self, router: "Router", last: int) -> Computer:
        """Return a computer at the router's network, with that last number in its address."""
        made = Computer(self)
        end = f"v{next(_numbers)}"
        port = f"v{next(_numbers)}"
        self.run("ip", "link", "add", end, "netns", made.name, "type", "veth", "peer", "name", port, "netns",
                 router.computer.name)  # fmt: skip
        router.computer.ip("link", "set", port, "master", "lan")
        router.computer.ip("link", "set", port, "up")
        made.ip("addr", "add", f"{router.prefix}.{last}/24", "dev", end)
        made.ip("link", "set", end, "up")
        made.ip("route", "add", "default", "via", f"{router.prefix}.1")
        if router.prefix6:
            made.ip("addr", "add", f"{router.prefix6}::{last}/64", "dev", end, "nodad")
            made.ip("route", "add", "default", "via", f"{router.prefix6}::1", "dev", end)
        return made


class Router:
    """Home router: a bridge for its network, NAT, and miniupnpd."""

    def __init__(self, networks: Networks, uplink: Computer, outer: str, gateway: str, prefix: str) -> None:
        """`outer` and `gateway`: addresses towards `uplink`; `prefix`: of its own network, as in 192.168.7."""
        self.prefix = prefix
        self.prefix6 = ""
        """Of its network by IPv6, as in 2a00:1450:7, "" without IPv6."""
        self.uplink = uplink
        self.computer = Computer(networks)
        self._networks = networks
        self._daemon: subprocess.Popen[str] | None = None
        self.computer.ip("link", "add", "lan", "type", "bridge")
        self.computer.ip("addr", "add", f"{prefix}.1/24", "dev", "lan")
        self.computer.ip("link", "set", "lan", "up")
        self.wan, self._far = networks.wire(self.computer, uplink, f"{outer}/24", f"{gateway}/24")
        self.computer.ip("route", "add", "default", "via", gateway)
        self.computer.run("sysctl", "-qw", "net.ipv4.ip_forward=1")
        self.reset()

    def add_ipv6(self, outer: str, gateway: str, prefix: str) -> None:
        """Connect it by IPv6, too; addresses as in the constructor."""
        self.prefix6 = prefix
        self.computer.run("sysctl", "-qw", "net.ipv6.conf.all.forwarding=1")
        self.uplink.run("sysctl", "-qw", "net.ipv6.conf.all.forwarding=1")
        self.computer.ip("addr", "add", f"{prefix}::1/64", "dev", "lan", "nodad")
        self.computer.ip("addr", "add", f"{outer}/64", "dev", self.wan, "nodad")
        self.uplink.ip("addr", "add", f"{gateway}/64", "dev", self._far, "nodad")
        self.uplink.ip("route", "add", f"{prefix}::/64", "via", outer)
        self.computer.ip("route", "add", "default", "via", gateway)

    def reset(self) -> None:
        """Forget all mappings, as a restart does."""
        self.computer.run("nft", "flush", "ruleset")
        self.computer.run("nft", "-f", "-", given=RULES.format(lan="lan", wan=self.wan))

    def cable(self, state: Literal["up", "down"]) -> None:
        """Put the cable towards the uplink back, or pull it; the router keeps its mappings."""
        self.uplink.ip("link", "set", self._far, state)

    def serve(self, *, pmp: bool = True, upnp: bool = True, allow: bool = True) -> None:
        """Start miniupnpd; end the one that runs."""
        self.stop()
        folder = self._networks.folder
        settings = folder / f"{self.computer.name}.conf"
        chosen = {
            "pmp": "yes" if pmp else "no",
            "upnp": "yes" if upnp else "no",
            "no_ipv6": "no" if self.prefix6 else "yes",
        }
        settings.write_text(DAEMON.format(wan=self.wan, lan="lan", permission=ALLOW if allow else DENY, **chosen))
        output = folder / f"{self.computer.name}.log"
        self._daemon = self.computer.start("miniupnpd", "-d", "-f", str(settings), "-P",
                                           str(folder / f"{self.computer.name}.pid"), output=output)  # fmt: skip
        until(lambda: "istening" in output.read_text(), output.read_text)

    def stop(self) -> None:
        """End miniupnpd."""
        if self._daemon is not None:
            _end(self._daemon)
            self._daemon = None

    def mapped(self) -> bool:
        """Whether any port leads inside, by IPv4 or IPv6."""
        rules = self.computer.run("nft", "list", "ruleset")
        return "dnat" in rules or "dport 8600" in rules


@contextlib.contextmanager
def networks(folder: Path) -> Iterator[Networks]:
    """Yield an empty world, and remove all of it at the end."""
    with contextlib.ExitStack() as closing:
        yield Networks(folder, closing)


def until(reached: Callable[[], object], tell: Callable[[], str], seconds: float = 60.0) -> None:
    """Wait until `reached` is true; fail with what `tell` returns."""
    end = time.monotonic() + seconds
    while not reached():
        assert time.monotonic() < end, tell()
        time.sleep(0.05)
