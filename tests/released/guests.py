"""Players of a stored data directory: they make its matches, and resume them with their notes."""

import asyncio
import contextlib
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct
from websockets.exceptions import ConnectionClosed

from protocol import codec
from protocol.session import ClientSession
from server.bots.policy import play_normal, play_random
from shared.kernel import engine
from shared.kernel.ruleset import AnyRuleset
from shared.messages import Motion, Poll, Propose, Refused, Result, Vote
from shared.rulesets.registry import RULESETS
from shared.tables import TablePhase
from tests.server.fakes import Client

NOTES: Final = "notes.json"
"""File with the players' notes; see `Notes`."""


class Seat(Struct):
    """A seat as its player's program keeps it: the key to it, and the last view.

    `version`, `digest`: of the last view; 0 where the match had not begun. `profile`: whether the seat belongs to the
    profile whose secret stands in `Notes.profiles` under that name.
    """

    name: str
    seat: int
    token: bytes
    version: int = 0
    digest: int = 0
    profile: bool = False


class Kept(Struct):
    """A match of the directory. `kind`: what it is an example of. `ranks`: (seat, rank, score) once it is over."""

    match: str
    kind: str
    ruleset: str
    version: int
    phase: TablePhase
    code: str
    seats: list[Seat]
    talk: list[str] = []
    ranks: list[tuple[int, int, str]] = []


class Notes(Struct):
    """Notes of the players who have seats in a data directory. `profiles`: secrets by name."""

    profiles: dict[str, bytes]
    matches: list[Kept]


def read_notes(path: Path) -> Notes:
    """Return the notes in a file."""
    return msgspec.json.decode(path.read_bytes(), type=Notes)


class Guest:
    """A player over a real socket who decides by a seeded mix of the normal bot and chance."""

    def __init__(self, url: str, name: str, secret: bytes = b"") -> None:
        self.rng = random.Random(name)
        self.client = Client(url, name)
        self.client.session = ClientSession(name, "conquest-tests", lambda: self.rng.randbytes(32))
        self.client.session.secret = lambda: secret
        self.refused: list[Refused] = []
        self.pause = 0.0
        """Seconds before each decision: a server closes connections that send too much."""
        self._acted = -1

    @property
    def session(self) -> Any:
        """The client's side of the protocol."""
        return self.client.session

    @property
    def rules(self) -> AnyRuleset:
        """The rule set of the table."""
        return RULESETS[self.session.table.ruleset]

    @property
    def view(self) -> Any:
        """The view, as the rule set reads it."""
        return self.rules.view_decoder.decode(codec.ENCODER.encode(self.session.view))

    @property
    def is_over(self) -> bool:
        """Whether the table says that the match is over."""
        return self.session.table is not None and self.session.table.phase == TablePhase.OVER

    @property
    def result(self) -> Result | None:
        """Result of the match, once this player received it."""
        return next((message for message in self.client.seen if isinstance(message, Result)), None)

    async def hear(self) -> None:
        """Take in one message."""
        message = await self.client.next()
        if isinstance(message, Refused):
            self.refused.append(message)

    async def decide(self) -> bool:
        """Act if this seat owes a decision that was not sent yet; return whether it did."""
        session = self.session
        if not (session.at_table and session.in_sync) or session.pending or self._acted == session.version:
            return False
        view = self.view
        if self.rules.finished(view) or session.seat not in engine.owed(self.rules, view):
            return False
        self._acted = session.version
        policy = play_random if self.rng.random() < 1 / 5 else play_normal
        action = policy(self.rules, view, session.seat, self.rng)
        await asyncio.sleep(self.pause)
        await self.client.act(engine.top(view).no, action)
        return True

    def kept(self, profile: bool) -> Seat:
        """Return the notes that this player's program keeps of the seat."""
        session = self.session
        return Seat(session.name, session.seat, session.token, session.version, session.digest, profile)


async def play(guests: Sequence[Guest], decisions: int = 10**6) -> int:
    """Let these players make up to `decisions` decisions, or play to the end of the match; return their number.

    Afterwards all of them have seen the same version, no answer is missing, and one of them owes the next decision.
    """
    made, stopped = 0, asyncio.Event()

    async def live(guest: Guest) -> None:
        nonlocal made
        while not (guest.is_over and guest.result):
            if made < decisions and await guest.decide():
                made += 1
            if made >= decisions and _rests(guests):
                stopped.set()
            await guest.hear()

    everybody = asyncio.gather(*map(live, guests))
    stop = asyncio.create_task(stopped.wait())
    waiting: list[asyncio.Future[Any]] = [everybody, stop]
    await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
    if everybody.done():
        everybody.result()
    everybody.cancel()
    stop.cancel()
    await asyncio.gather(everybody, stop, return_exceptions=True)
    return made


def _rests(guests: Sequence[Guest]) -> bool:
    """Whether every command was answered, all messages arrived, and the match waits for one of these players."""
    sessions = [guest.session for guest in guests]
    if any(session.pending or not session.in_sync for session in sessions):
        return False
    owed = engine.owed(guests[0].rules, guests[0].view)
    return len({session.version for session in sessions}) == 1 and set(owed) <= {session.seat for session in sessions}


async def agree(guests: Sequence[Guest], motion: Motion) -> None:
    """Let all players vote for it."""
    asked = await guests[0].client.ask(lambda ref: Propose(ref, motion), Poll)
    for guest in guests[1:]:
        await guest.client.wait_for(Poll)
        await guest.client.say(lambda ref: Vote(ref, asked.number, True))
    await guests[0].client.wait_for(Poll)


async def leave(guests: Sequence[Guest]) -> None:
    """Close the connections as a window that is closed does."""
    for guest in guests:
        with contextlib.suppress(ConnectionClosed):
            await guest.client.socket.close()
