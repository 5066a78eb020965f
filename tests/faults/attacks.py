"""Attackers, each a process with an address of its own: `python -m tests.faults.attacks NAME --target 198.18.0.1:8600`.

They work below WebSocket, as fast as they can, connect again when they are cut, and print as JSON what they did.
"""

import argparse
import contextlib
import errno
import itertools
import multiprocessing
import os
import random
import select
import socket
import struct
import sys
import time
from collections.abc import Callable, Iterator
from typing import Final

import msgspec
from msgspec import Raw, Struct

from protocol import codec
from protocol.version import PROTOCOL
from shared import messages as m
from shared.vocabulary.actions import Concede

UPGRADE: Final = (
    b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
HEALTH: Final = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
CREATE: Final = m.Create(1, "classic", 3, {}, "Flood")
_RESET: Final = struct.pack("ii", 1, 0)
_WAIT: Final = 0.002
"""Seconds between two looks where nothing can be sent."""


def masked(opcode: int, payload: bytes, fin: bool = True) -> bytes:
    """Return a client's frame, with a mask of zeros."""
    head = bytes([opcode | 0x80 * fin])
    size = len(payload)
    length = bytes([0x80 | size]) if size < 126 else bytes([0x80 | 126]) + struct.pack(">H", size)
    return head + length + bytes(4) + payload


def said(message: m.ClientMessage) -> bytes:
    """Return a message as a client's frame."""
    return masked(2, codec.encode(message))


HELLO: Final = said(m.Hello(PROTOCOL, "Mallory"))


class Deeds(Struct):
    """Counters of an attack: connections tried, requests and greetings among them that were answered, bytes sent."""

    tried: int = 0
    answered: int = 0
    bytes: int = 0


class Attack(Struct, frozen=True):
    """Kind of attack.

    `stream` yields what one connection sends after the upgrade (or instead of it if `upgrade` is False), piece by
    piece. When it ends, the connection is closed and the next one begins. connections: of one attacker, at once. pace:
    seconds from one piece to the next, 0 for as fast as they are taken."""

    name: str
    stream: Callable[["Aim"], Iterator[bytes]]
    connections: int = 1
    pace: float = 0.0
    upgrade: bool = True
    attackers: int = 0
    """Fixed number of attackers; 0: as many as requested."""
    alone: bool = True
    """Whether one attacker means something."""


class Aim(Struct):
    """State of an attacker: the match to disturb, a random generator, and the data received on this connection."""

    match: str
    rng: random.Random
    heard: bytes = b""


class Wire:
    """Connection of an attacker."""

    def __init__(self, attack: Attack, target: tuple[str, int], source: str, aim: Aim, deeds: Deeds) -> None:
        self.attack = attack
        self.target = target
        self.source = source
        self.aim = Aim(aim.match, aim.rng)
        self.deeds = deeds
        self.due = 0.0
        self._socket: socket.socket | None = None

    def push(self, now: float) -> bool:
        """Send what the socket takes now; return whether it took anything."""
        try:
            if self._socket is None:
                self._open()
            return self._listen() and now >= self.due and self._send(now)
        except BlockingIOError:
            return False
        except OSError as error:
            self.close()
            return error.errno not in (errno.EADDRNOTAVAIL, errno.EMFILE)

    def close(self) -> None:
        """Close with a reset, so that no port stays in TIME_WAIT and port numbers do not run out."""
        if self._socket is not None:
            with contextlib.suppress(OSError):
                self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
            self._socket.close()
        self._socket = None

    def _open(self) -> None:
        self.deeds.tried += 1
        self._socket = socket.socket()
        self._socket.setblocking(False)
        self._socket.bind((self.source, 0))
        with contextlib.suppress(BlockingIOError):
            self._socket.connect(self.target)
        self._rest = UPGRADE if self.attack.upgrade else b""
        self._upgraded = not self.attack.upgrade
        self._pieces = self.attack.stream(self.aim)
        self.aim.heard = b""
        self.due = 0.0

    def _listen(self) -> bool:
        """Read the received data; return whether more may be sent."""
        assert self._socket is not None
        with contextlib.suppress(BlockingIOError):
            data = self._socket.recv(65536)
            if not data:
                raise ConnectionResetError
            self.deeds.answered += not self.aim.heard
            self.aim.heard = (self.aim.heard + data)[-65536:]
            self._upgraded = self._upgraded or b"\r\n\r\n" in self.aim.heard
        return self._upgraded or bool(self._rest)

    def _send(self, now: float) -> bool:
        assert self._socket is not None
        if not self._rest:
            piece = next(self._pieces, None)
            if piece is None:
                self.close()
                return True
            self._rest = piece
            self.due = now + self.attack.pace
        sent = self._socket.send(self._rest)
        self.deeds.bytes += sent
        self._rest = self._rest[sent:]
        return sent > 0


def again(data: bytes) -> Callable[[Aim], Iterator[bytes]]:
    """Return a stream that sends a greeting, then the same data forever."""
    return lambda _: itertools.chain((HELLO,), itertools.repeat(data))


def asking(make: Callable[[Aim, int], m.ClientMessage], first: bytes = b"") -> Callable[[Aim], Iterator[bytes]]:
    """Return a stream that sends a greeting, then one request after the other."""
    return lambda aim: itertools.chain((HELLO + first,), (said(make(aim, ref)) for ref in itertools.count(10)))


def garbage(aim: Aim) -> Iterator[bytes]:
    """Send bytes that are no frames."""
    while True:
        yield aim.rng.randbytes(300)


def slow_headers(_aim: Aim) -> Iterator[bytes]:
    """Send a request without an end."""
    yield UPGRADE[:-2]
    while True:
        yield b"X-A: a\r\n"


def silence(_aim: Aim) -> Iterator[bytes]:
    """Connect and send nothing until the server closes the connection."""
    while True:
        yield b""


def knock(_aim: Aim) -> Iterator[bytes]:
    """Connect and disconnect."""
    return iter(())


def health(aim: Aim) -> Iterator[bytes]:
    """Request the server's health, and wait for the answer."""
    yield HEALTH
    while not aim.heard:
        yield b""


def greet(aim: Aim) -> Iterator[bytes]:
    """Shake hands, and disconnect after the welcome."""
    yield HELLO
    while len(aim.heard) < 200:
        yield b""


def idle(_aim: Aim) -> Iterator[bytes]:
    """Take a connection's place and keep it."""
    yield HELLO
    while True:
        yield b""


def chat(aim: Aim) -> Iterator[bytes]:
    """Watch a match, send as much chat as one connection may, and reconnect."""
    yield HELLO + said(m.Watch(1, aim.match))
    for ref in range(2, 12):
        yield said(m.Say(ref, "word " * 50))


def look_on(aim: Aim) -> Iterator[bytes]:
    """Watch a match and leave, over and over."""
    yield HELLO
    for ref in itertools.count(1, 2):
        yield said(m.Watch(ref, aim.match)) + said(m.Leave(ref + 1))


def sync(aim: Aim) -> Iterator[bytes]:
    """Watch a match, and request its whole state over and over."""
    yield HELLO + said(m.Watch(1, aim.match))
    while True:
        yield said(m.Sync(0))


def make_tables(_aim: Aim) -> Iterator[bytes]:
    """Create a table and leave; the next connection does the same."""
    yield HELLO + said(CREATE)
    yield said(m.OpenLobby(2))


def read_list(_aim: Aim) -> Iterator[bytes]:
    """Open the list of tables, and receive every change."""
    yield HELLO + said(m.OpenLobby(1))
    while True:
        yield b""


def toggle_bot(_aim: Aim) -> Iterator[bytes]:
    """Toggle a bot at the own table without end: each change goes to all clients at the list."""
    yield HELLO + said(CREATE)
    for ref in itertools.count(2):
        yield said(m.SetBot(ref, 1, "greedy" if ref % 2 else ""))


def list_and_bot(aim: Aim) -> Iterator[bytes]:
    """Toggle a bot in one of a hundred connections; list tables in the others."""
    return toggle_bot(aim) if aim.rng.random() < 0.01 else read_list(aim)


def conceding(aim: Aim) -> Iterator[bytes]:
    """Let a seat at an own table concede to each other one in turn, without a pause."""
    yield HELLO + said(CREATE) + said(m.SetBot(2, 1, "random")) + said(m.SetBot(3, 2, "random")) + said(m.Start(4))
    for command in itertools.count(5):
        yield said(m.Act(command, 0, Raw(codec.encode(Concede(1 + command % 2)))))


def join_and_leave(aim: Aim) -> Iterator[bytes]:
    """Join an own table and leave again: each change is stored on disk."""
    yield HELLO + said(CREATE)
    while not (match := _seated_at(aim.heard)):
        yield b""
    for ref in itertools.count(2, 2):
        yield said(m.Leave(ref)) + said(m.Join(ref + 1, match))


def new_profile(aim: Aim) -> Iterator[bytes]:
    """Create a profile and disconnect, over and over."""
    yield HELLO + said(m.Introduce(1, aim.rng.randbytes(32)))
    yield b""


def forwarded(_aim: Aim) -> Iterator[bytes]:
    """Pretend to come through a proxy on this machine, and greet over and over."""
    yield UPGRADE[:-2] + b"X-Forwarded-For: 127.0.0.1\r\n\r\n" + HELLO
    while True:
        yield said(m.OpenLobby(1))


def _seated_at(heard: bytes) -> str:
    """Return the match of the first `Seated` in the data, "" if there is none."""
    at = heard.find(b"\x96\x07\x01")
    with contextlib.suppress(codec.BadMessage):
        message = codec.decode_server(heard[at : at + 2 + heard[at - 1]]) if at > 0 else None
        return message.match if isinstance(message, m.Seated) else ""
    return ""


def _random_id(aim: Aim) -> str:
    return "".join(aim.rng.choices("abcdefghijklmnopqrstuvwxyz0123456789", k=12))


def _code(aim: Aim, ref: int) -> m.ClientMessage:
    return m.Watch(ref, "", "".join(aim.rng.choices("ABCDEFGHJKLMNPQRSTUVWXYZ23456789", k=8)))


def _film(aim: Aim, ref: int) -> m.ClientMessage:
    return m.Recall(ref, aim.match, have=aim.rng.randint(0, 999))


TURN: Final = 1 / 25
"""Seconds between two messages of a client that stays just below its rate limit."""

ATTACKS: Final = (
    Attack("tiny pings below the byte budget", again(masked(9, b"") * 40), connections=32, pace=0.015),
    Attack("pings", again(masked(9, b"") * 4000)),
    Attack("pings, 16 connections", again(masked(9, b"") * 4000), connections=16),
    Attack("pongs", again(masked(10, b"") * 4000)),
    Attack("tiny messages", again(masked(2, b"\xc0") * 4000)),
    Attack("continuation fragments", again(masked(2, b"\0", False) + masked(0, b"\0", False) * 3000)),
    Attack("largest messages", again(masked(2, bytes(16000)))),
    Attack("bytes that are no frames", garbage),
    Attack("endless headers", lambda _: itertools.repeat(b"X-A: " + b"a" * 1000 + b"\r\n"), upgrade=False),
    Attack("slow headers", slow_headers, connections=32, pace=0.5, upgrade=False),
    Attack("half-open connections", silence, connections=100, pace=1.0, upgrade=False),
    Attack("connecting and going", knock, connections=8, upgrade=False),
    Attack("health checks", health, connections=8, upgrade=False),
    Attack("greetings", greet, connections=8, pace=0.001),
    Attack("idle connections in all places", idle, connections=32, pace=1.0, attackers=63, alone=False),
    Attack("snapshots without end", sync, connections=32, pace=TURN),
    Attack("looking on and leaving", look_on, connections=8, pace=2 * TURN),
    Attack("chat", chat, connections=8, pace=TURN),
    Attack("guessed codes", asking(_code), connections=8, pace=TURN),
    Attack("unknown matches", asking(lambda aim, ref: m.Resume(ref, _random_id(aim), bytes(32))), 8, TURN),
    Attack("wrong tokens", asking(lambda aim, ref: m.Resume(ref, aim.match, aim.rng.randbytes(32))), 8, TURN),
    Attack("films from every version", asking(_film), connections=8, pace=TURN),
    Attack("pages of finished matches", asking(lambda aim, ref: m.Past(ref, "", aim.rng.randint(0, 99))), 8, TURN),
    Attack("new tables", make_tables, connections=4, pace=TURN),
    Attack("sitting down and getting up", join_and_leave, connections=4, pace=2 * TURN),
    Attack(
        "readers of the list, and a toggled bot", list_and_bot, connections=32, pace=TURN, attackers=32, alone=False
    ),
    Attack("standing actions", conceding, connections=4, pace=TURN),
    Attack("new profiles", new_profile, connections=8, pace=TURN),
    Attack("forwarded as from this machine", forwarded, connections=8, upgrade=False),
)


def source_of(number: int) -> str:
    """Return the address of an attacker, by number from 0."""
    return f"198.19.{number // 250}.{number % 250 + 1}"


def attack(chosen: Attack, target: tuple[str, int], number: int, match: str, until: float) -> Deeds:
    """Run one attacker until that moment of the monotonic clock."""
    deeds = Deeds()
    aim = Aim(match, random.Random(number))
    wires = [Wire(chosen, target, source_of(number), aim, deeds) for _ in range(chosen.connections)]
    while (now := time.monotonic()) < until:
        if not sum([wire.push(now) for wire in wires]):
            select.select((), (), (), _WAIT)
    for wire in wires:
        wire.close()
    return deeds


def swarm(chosen: Attack, target: tuple[str, int], numbers: range, match: str, seconds: float) -> Deeds:
    """Run attackers of those numbers, each in a process; return the sum of their counters."""
    context = multiprocessing.get_context("fork")
    done: multiprocessing.SimpleQueue[Deeds] = context.SimpleQueue()
    until = time.monotonic() + seconds

    def run(number: int) -> None:
        done.put(attack(chosen, target, number, match, until))

    processes = [context.Process(target=run, args=(number,)) for number in numbers]
    for process in processes:
        process.start()
    print("begun", flush=True)
    found = [done.get() for _ in processes]
    for process in processes:
        process.join()
    return Deeds(*(sum(column) for column in zip(*map(msgspec.structs.astuple, found), strict=True)))


def main() -> int:
    """Run one swarm of attackers."""
    parser = argparse.ArgumentParser("tests.faults.attacks", description=__doc__)
    parser.add_argument("name", choices=[each.name for each in ATTACKS])
    parser.add_argument("--target", required=True, help="host:port")
    parser.add_argument("--attackers", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="the number, and so the address, of the first")
    parser.add_argument("--match", default="", help="the match that is disturbed")
    parser.add_argument("--seconds", type=float, default=10.0)
    args = parser.parse_args()
    os.nice(19)
    host, _, port = args.target.rpartition(":")
    (chosen,) = [each for each in ATTACKS if each.name == args.name]
    numbers = range(args.first, args.first + args.attackers)
    deeds = swarm(chosen, (host, int(port)), numbers, args.match, args.seconds)
    print(msgspec.json.encode(deeds).decode(), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
