"""Command `bot`: a bot that joins a table of any server like a person, and plays to the end."""

import argparse
import asyncio
import contextlib
import logging
import os
import re
import secrets
import sys
from pathlib import Path
from typing import Final

from msgspec import Struct
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed, WebSocketException

from conquest.player_process import DEADLINE, PlayerProcess
from protocol import codec
from protocol.links import read
from protocol.process import stopping
from protocol.routes import is_bare, routes_of
from server import log
from server.bots.pool import BotPool
from server.storage.platform import make_directory, read_words
from server.tools.headless_client import CLOSING, TOO_FAST, BotPlayer, Mind, Parted, Unreachable, standings
from server.tools.serve import data_directory
from shared import levels
from shared.actions.bot_levels import all_levels
from shared.codes import plain_code
from shared.ids import MAX_SEATS, Seat
from shared.kernel.ruleset import as_of
from shared.messages import (
    Compete,
    Done,
    Invited,
    Join,
    Leave,
    Left,
    Refused,
    ServerMessage,
    TableState,
    Welcome,
)
from shared.rulesets.registry import RULESETS
from shared.tables import ANY_SEAT, LADDER, fitting, printable

LEAVING: Final = 1.5
"""Seconds for leaving a seat, once more if the request came too fast."""
OVER: Final = 0
WITHOUT_US: Final = 1
NEVER_SEATED: Final = 2
STATUS: Final = (
    "Exit status: 0 after the end of the match; 1 if the match goes on without this bot (kicked, replaced on "
    "its seat, or the server stayed away); 2 if it never got a seat (no such server, code or level, or no seat free); "
    "130 or 143 if Ctrl-C or SIGTERM stopped it."
)
GONE: Final = frozenset(("bad-token", "no-match", "not-playable", "kicked", "name", "version"))
"""Codes of refusals that are final; other refusals are temporary."""


class Wish(Struct, frozen=True):
    """Wanted table, name and seat. `seat`: a number from 0, or ANY_SEAT."""

    code: str
    name: str
    seat: int


class LadderKey(Struct, frozen=True):
    """Name on a ladder, the secret of 32 bytes that owns it, and the game to play."""

    name: str
    secret: bytes
    ruleset: str


class BotClient(BotPlayer):
    """A bot that joins a table by its code."""

    def __init__(self, url: str, wish: Wish, mind: Mind) -> None:
        super().__init__(url, None, wish.name, mind)
        self.seated = False
        """Whether it has ever had a seat."""
        self.risen = False
        """Whether it left its seat and could tell the server."""
        self._away = False
        """Whether its connection is lost at the moment."""
        self._wish = wish
        self._plays: dict[str, int] = {}

    def opening(self) -> bytes:
        """Return the request for the seat."""
        wish = Join(self.session.ref(), "", self._wish.code, self._wish.seat)
        return codec.encode_lean(self.session.seat_by(wish, secrets.token_bytes(16)))

    async def welcome(self, message: Welcome) -> None:
        """Remember the server's versions of the rule sets."""
        self._plays = dict(message.rulesets)
        await super().welcome(message)

    async def refused(self, message: Refused) -> None:
        """Handle `Refused`: a final one raises Parted, a temporary one is tried again on the next connection."""
        if self.session.at_table:
            # The session itself repeats what was refused as too fast (a refusal without a number).
            if message.ref:
                await super().refused(message)
        elif not self.seated or message.code in GONE:
            raise Parted(message.text)
        else:
            raise ConnectionError(message.text)

    def told(self, message: ServerMessage) -> None:
        """Handle changes of the table; `Left` raises Parted."""
        super().told(message)
        self.heard.get_nowait()  # A guest has no consumer of this queue.
        if isinstance(message, Left):
            raise Parted(message.text)
        if isinstance(message, TableState):
            if not self.seated:
                self._sit(message)
            elif self._away:
                print("Back at the table.", file=sys.stderr, flush=True)
            self._away = False

    def wait(self, why: str, seconds: float) -> None:
        """Print the lost connection for the user at the terminal."""
        self._away = True
        print(f"{printable(why)} Trying again in {seconds:.0f} s.", file=sys.stderr, flush=True)

    def who(self, seat: Seat) -> str:
        """Return the name of a seat's player for the ranking."""
        assert self.session.table is not None, "it was at a table"
        info = self.session.table.seats[seat]
        name = info.name or f"{info.bot} bot"
        return f"{name}, this bot" if seat == self.session.seat else name

    async def follow(self) -> None:
        """Follow the match to its end; when stopped, leave the seat so that the others need not wait."""
        try:
            await super().follow()
        except asyncio.CancelledError:
            if self.session.returns and not self.risen:
                # Without a connection at the moment, or before the answer to its request: once more, to leave.
                with contextlib.suppress(OSError, WebSocketException):
                    async with asyncio.timeout(CLOSING), self.connection() as socket:
                        await socket.send(self.session.connect())
                        await self._leave_seat(socket)
            raise

    async def converse(self, socket: ClientConnection) -> None:
        """Use one connection; before it ends for good, leave the seat."""
        try:
            await super().converse(socket)
        except (asyncio.CancelledError, Parted):
            if self.session.at_table or self.session.returns:
                with contextlib.suppress(ConnectionClosed, TimeoutError):
                    async with asyncio.timeout(LEAVING):
                        await self._leave_seat(socket)
            raise

    async def _leave_seat(self, socket: ClientConnection) -> None:
        """Leave the seat as soon as it is there, and wait for the answer: what comes too fast would not be read."""
        ref = 0
        while True:
            if self.session.at_table and not ref:
                ref = self.session.ref()
                await socket.send(codec.encode(Leave(ref)))
            received = self.session.receive(await socket.recv(decode=False))
            message = received.message
            if isinstance(message, Left):
                self.risen = True
                return
            if isinstance(message, Refused) and message.code == "rate":
                await asyncio.sleep(TOO_FAST)
                ref = 0
            elif isinstance(message, Refused) and not self.session.at_table:
                return
            for reply in received.replies:
                await socket.send(reply)

    def _sit(self, table: TableState) -> None:
        if table.ruleset not in RULESETS:
            raise Parted(f"This bot cannot play the game {table.ruleset!r}; update it.")
        # Older servers do not tell a table's version; they play one version of each game.
        theirs, ours = table.version or self._plays.get(table.ruleset, 0), self.rules.version
        if as_of(self.rules, theirs) is None:
            older = "server" if theirs < ours else "bot"
            raise Parted(
                f"The server plays {self.rules.title} by other rules than this bot: please update the {older}."
            )
        self.seated = True
        name = table.seats[table.you].name
        where = f"{table.title!r} ({self.rules.title}), seat {table.you + 1}"
        print(printable(f"{name} sits at {where}."), flush=True)


class LadderBot(BotClient):
    """A bot that asks for a rated match and plays it. `again`: a match was played already, so the server exists."""

    def __init__(self, url: str, key: LadderKey, mind: Mind, again: bool = False) -> None:
        super().__init__(url, Wish("", key.name, ANY_SEAT), mind)
        self.session.secret = lambda: key.secret
        self._ruleset = key.ruleset
        self._seen = again

    def opening(self) -> bytes:
        """Return the request for a match."""
        if LADDER not in self.session.can:
            raise Parted("There are no rated matches on that server; its operator can allow them with --for-bots.")
        return codec.encode(Compete(self.session.ref(), self._ruleset))

    async def welcome(self, message: Welcome) -> None:
        """Ask for a match on each connection, until there is one."""
        if not self.session.token:
            self.welcomed.clear()
        await super().welcome(message)

    async def heed(self, message: ServerMessage, size: int) -> None:
        """Handle a message; an invitation is followed."""
        if isinstance(message, Done) and not self.session.token:
            self._seen = True  # The server is there: if the connection is lost now, come back.
        elif isinstance(message, Invited) and not self.session.token:
            await self.send(self.session.take(message.match, message.token))
        else:
            await super().heed(message, size)


def key_file(address: str, name: str) -> Path:
    """Return the file with the secret of a name on the ladder of that server."""
    place = re.sub(r"[^A-Za-z0-9.]+", "_", f"{name}@{address}").strip("_")
    return data_directory().parent / "bots" / f"{place}.key"


def read_key(file: Path) -> bytes:
    """Return the secret in a file, which is made if it does not exist. Raises OSError, ValueError for another file."""
    if not file.exists():
        make_directory(file.parent)
        # Private from its first moment.
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as made:
            made.write(f"{secrets.token_hex(32)}\n")
    try:
        secret = bytes.fromhex(read_words(file))
    except ValueError:
        secret = b""
    if len(secret) != 32:
        raise ValueError(f"{file} is no key: it must have 64 hexadecimal digits.")
    return secret


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `bot`."""
    parser.epilog = STATUS
    parser.add_argument(
        "address", metavar="ADDRESS", help="HOST, HOST:PORT, a ws:// or wss:// address, or the link to the table"
    )
    parser.add_argument("--code", default="", help="code of the table, unless ADDRESS is a link")
    known = f"{levels.NAMES} (default: {levels.shown(levels.NORMAL)})"
    parser.add_argument("--level", default=levels.NORMAL, help=f"level: {known}. {all_levels()}")
    parser.add_argument(
        "--player", default="", metavar="FILE.py:CLASS", help="a player of your own, instead of a level"
    )
    parser.add_argument("--name", default="", help="name of the bot (default: its level)")
    parser.add_argument("--seat", type=int, default=0, metavar="N", help="seat 1 to 6 (default: the first free one)")
    parser.add_argument(
        "--ladder",
        default="",
        metavar="NAME",
        help="play rated matches under this name, one after the other, instead of one match at a table",
    )
    parser.add_argument("--game", choices=tuple(RULESETS), default="classic", help="with --ladder (default: classic)")
    parser.add_argument(
        "--matches", type=int, default=0, metavar="N", help="with --ladder: matches to play (default: without end)"
    )
    parser.add_argument(
        "--key", type=Path, metavar="FILE", help="with --ladder: key that owns the name (default: kept by this command)"
    )
    parser.add_argument("--seed", type=int, default=None, help="seed of the decisions, for tests only")


def run(args: argparse.Namespace) -> int:
    """Play and return the exit status, see STATUS. Raises ValueError for wrong arguments."""
    level = args.level if args.level == levels.RANDOM else levels.levels(args.level, 1)[0]
    if not 0 <= args.seat <= MAX_SEATS:
        raise ValueError(f"--seat must be 1 to {MAX_SEATS}, not {args.seat}.")
    name = fitting(args.name) or fitting(args.player.rpartition(":")[2]) or f"{level.capitalize()} bot"
    seat = args.seat - 1 if args.seat else ANY_SEAT
    place = read(args.address)
    code = plain_code(args.code.strip()) or place.code
    if not code and not args.ladder:
        raise ValueError("No table is given; add --code CODE, or give the link that the host sees.")
    routes = _ways(place.address)
    seed = secrets.randbits(256) if args.seed is None else args.seed
    log.start(logging.ERROR)  # The user reads sentences on the terminal instead.
    key = _ladder_key(args) if args.ladder else None
    own = OwnPlayer(args.player) if args.player else None
    return stopping.run(_visit(routes, Wish(code, name, seat), level, seed, own, key, args.matches))


def _ladder_key(args: argparse.Namespace) -> LadderKey:
    name = fitting(args.ladder)
    if args.matches < 0:
        raise ValueError(f"--matches must be 0 or more, not {args.matches}.")
    try:
        return LadderKey(name, read_key(args.key or key_file(args.address, name)), args.game)
    except (OSError, RuntimeError) as error:
        raise ValueError(f"The key cannot be kept: {error}.") from None


def _ways(address: str) -> tuple[str, ...]:
    """Return the routes to a server, without unencrypted ones unless the full address was typed."""
    routes = routes_of(address)
    safe = tuple(url for url in routes if not is_bare(url) or url == address.strip())
    if not safe:
        raise ValueError(f"The connection would not be encrypted; give {routes[-1]} as the address to allow that.")
    return safe


class OwnPlayer:
    """Player of another author at a table. Raises ValueError if it cannot be loaded."""

    def __init__(self, name: str) -> None:
        self._process = PlayerProcess(name)
        self.match = "table"
        """Changes with each match: then the player is made anew."""

    async def decide(
        self, ruleset: str, kind: str, seat: Seat, view: bytes, seed: int, seconds: float = DEADLINE, /
    ) -> bytes:
        """Return its action, encoded. Raises PlayerFault; then the table's default is played."""
        rules = RULESETS[ruleset]
        position = rules.view_decoder.decode(view)
        ask = self._process.decide
        return codec.encode(await asyncio.to_thread(ask, rules, position, seat, self.match, str(seed), DEADLINE))

    def close(self) -> None:
        """End its process."""
        self._process.close()


async def _visit(
    routes: tuple[str, ...],
    wish: Wish,
    level: str,
    seed: int,
    own: "OwnPlayer | None",
    key: LadderKey | None = None,
    matches: int = 0,
) -> int:
    """Play one match, or with a key rated ones, and return the exit status."""
    pool = BotPool()
    try:
        mind = Mind(pool.decide if own is None else own.decide, level, seed)
        if key is not None:
            return await _play_ladder(routes, key, mind, own, matches)
        return await _play_at(routes, wish, mind)
    except Unreachable as parted:
        return _say(parted, NEVER_SEATED)
    finally:
        await pool.close()
        if own is not None:
            own.close()


async def _play_at(routes: tuple[str, ...], wish: Wish, mind: Mind) -> int:
    """Play one match at the first server that answers. Raises Unreachable."""
    for url in routes[:-1]:
        with contextlib.suppress(Unreachable):
            return await play(BotClient(url, wish, mind))
    return await play(BotClient(routes[-1], wish, mind))


async def _play_ladder(routes: tuple[str, ...], key: LadderKey, mind: Mind, own: OwnPlayer | None, matches: int) -> int:
    """Play rated matches, one after the other; 0 matches: without end. Raises Unreachable."""
    urls, played = list(routes), 0
    while True:
        if own is not None:
            own.match = str(played)
        try:
            status = await play(LadderBot(urls[0], key, mind, again=bool(played)))
        except Unreachable:
            if len(urls) == 1:
                raise
            urls.pop(0)
            continue
        urls, played = urls[:1], played + 1
        if status != OVER or played == matches:
            return status


async def play(guest: BotClient) -> int:
    """Play a match to its end and return the exit status. Raises Unreachable."""
    try:
        await guest.follow()
    except Unreachable:
        raise
    except Parted as parted:
        return _say(parted, WITHOUT_US if guest.seated else NEVER_SEATED)
    except asyncio.CancelledError:
        _say(_stopped(guest), WITHOUT_US)
        raise
    print(printable(standings(guest.rules, guest.position, guest.who)), flush=True)
    return OVER


def _stopped(guest: BotClient) -> Parted:
    """Return the message for a guest that was stopped, by the state of its seat."""
    if guest.risen:
        return Parted("Stopped; the bot has left its seat.")
    if guest.seated:
        return Parted("Stopped while the server could not be reached; it still keeps the seat for this bot.")
    return Parted("Stopped before the bot had a seat.")


def _say(parted: Parted, status: int) -> int:
    print(printable(f"conquest-server: {parted}"), file=sys.stderr, flush=True)
    return status
