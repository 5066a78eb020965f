"""A recorded conversation of a client with a server: `python -m tests.conformance.conversations --anew` writes
`protocol/conformance/conversation_*.json` again. See SPEC.md, section 14.

Livia plays Classic against Marcus; what is kept is what she and the server say to each other, path by path. The server
is a real one, and so are both clients.
"""

import argparse
import asyncio
import random
import tempfile
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

import msgspec
from websockets.asyncio.client import ClientConnection

from protocol import codec
from shared import messages as m
from shared.kernel import engine
from shared.rulesets.registry import RULESETS
from shared.tables import TablePhase
from shared.vocabulary.actions import Concede, EndMovement, EndTurn
from tests.conformance.files import FOLDER, Conversation, Line
from tests.faults.process import Process
from tests.protocol.make_samples import readable
from tests.server.fakes import Client

CLASSIC: Final = RULESETS["classic"]
PATHS: Final = {
    "join": "She greets, sits down by the code that Marcus told her, and is shown the beginning.",
    "play": "She is refused what she may not do, asks what she may, and acts.",
    "drop": "She acts, and the connection is lost before she hears the answer.",
    "resume": "On a new connection she greets, resumes with the newest token and the version that she holds, and says "
    "the unanswered action again, under its number: it acts once.",
    "rewind": "She takes an action back: a `Frame` with `back` brings the position before it, under a new number.",
    "end": "Marcus concedes: the match is over. She asks for the film of it, and leaves.",
}
"""What each path shows, in order."""


class Tape:
    """A socket that records the messages that pass through it."""

    def __init__(self, socket: ClientConnection, lines: list[Line]) -> None:
        self._socket = socket
        self.lines = lines

    async def send(self, data: bytes) -> None:
        self._note("client", data)
        await self._socket.send(data)

    async def recv(self, decode: bool) -> bytes:
        assert not decode
        data = await self._socket.recv(decode=False)
        self._note("server", data)
        return data

    @property
    def transport(self) -> asyncio.Transport:
        return self._socket.transport

    def _note(self, who: str, data: bytes) -> None:
        self.lines.append(Line(who, data.hex(), readable(codec.decode_plain(data))))


class Livia(Client):
    """Client whose conversation is kept."""

    lines: list[Line]

    async def open(self) -> "Livia":
        await super().open()
        self.lines.append(_line(self.session.hello))
        self.socket = Tape(self.socket, self.lines)  # type: ignore[assignment]
        return self

    def turn(self, lines: list[Line]) -> None:
        """Record into these lines from now on."""
        self.lines = lines
        if hasattr(self, "socket"):
            self.socket.lines = lines  # type: ignore[attr-defined]


def _line(data: bytes) -> Line:
    return Line("client", data.hex(), readable(codec.decode_plain(data)))


def seen(client: Client) -> Any:
    """Return the view that this client has."""
    return CLASSIC.view_decoder.decode(codec.ENCODER.encode(client.session.view))


def owes(client: Client) -> bool:
    """Whether this client knows that it owes a decision."""
    session = client.session
    ready = session.in_sync and session.at_table and not session.pending
    return ready and session.seat in engine.owed(CLASSIC, seen(client))


def top(client: Client) -> int:
    """Return the number of the frame that is owed."""
    return engine.top(seen(client)).no


class Story:
    """The two of them at a table."""

    def __init__(self, url: str) -> None:
        self.marcus = Client(url, "Marcus")
        self.livia = Livia(url, "Livia")
        self._rng = random.Random(3)

    async def join(self) -> None:
        await self.marcus.open()
        options = {"homes": 0, "round_limit": 9}
        await self.marcus.ask(lambda ref: m.Create(ref, "classic", 2, options, "Ides", False), m.Seated)
        table = await self.marcus.wait_for(m.TableState)
        await self.livia.open()
        await self.livia.wait_for(m.Welcome)
        await self.livia.ask(lambda ref: m.Join(ref, "", table.code), m.Seated)
        await self.livia.wait_for(m.TableState)
        await self.marcus.ask(m.Start, m.Done)
        await self.livia.wait_for(m.Clock)

    async def play(self) -> None:
        await self.until_livia_decides()
        await self.livia.act(top(self.livia), EndTurn())
        await self.livia.wait_for_refusal()
        for _ in range(3):
            await self.until_livia_decides()
            await self.decide()
        await self.until_livia_moves()

    async def until_livia_moves(self) -> None:
        """Play until Livia can march."""
        while True:
            await self.until_livia_decides()
            told = await self.choices()
            if EndMovement() in map(CLASSIC.action_decoder.decode, told.actions):
                return
            await self.take(told, told.actions[-1])

    async def choices(self) -> m.Choices:
        """Return the choices that Livia is offered."""
        return await self.livia.ask(partial(m.Consider, frame=top(self.livia)), m.Choices)

    async def take(self, told: m.Choices, raw: bytes) -> None:
        """Let Livia do that."""
        await self.livia.act(told.frame, CLASSIC.action_decoder.decode(raw))
        await self.livia.wait_for(m.Accepted)

    async def until_livia_decides(self) -> None:
        """Let both read their messages until Livia owes a decision; Marcus takes the default each time."""
        while not owes(self.livia):
            if owes(self.marcus):
                action = engine.default(CLASSIC, seen(self.marcus), self.marcus.session.seat)
                await self.marcus.act(top(self.marcus), action)
                await self.marcus.wait_for(m.Accepted)
            await self.caught_up()

    async def caught_up(self) -> None:
        """Wait until both have the same version."""
        while self.livia.session.version < self.marcus.session.version or not self.livia.session.in_sync:
            await self.livia.next()
        while self.marcus.session.version < self.livia.session.version or not self.marcus.session.in_sync:
            await self.marcus.next()

    async def decide(self) -> None:
        """Let Livia ask for her choices and take one of them."""
        told = await self.choices()
        await self.take(told, self._rng.choice(told.actions))

    async def drop(self) -> None:
        told = await self.choices()
        march = next(raw for raw in told.actions if raw != codec.encode(EndMovement()))
        before = self.marcus.session.version
        await self.livia.act(told.frame, CLASSIC.action_decoder.decode(march))
        while self.marcus.session.version == before:
            await self.marcus.next()
        self.livia.cut()

    async def resume(self) -> None:
        await self.livia.open()
        await self.livia.wait_for(m.Accepted)
        await self.caught_up()

    async def rewind(self) -> None:
        stale = top(self.livia)
        version = self.livia.session.version
        await self.livia.ask(partial(m.Undo, version=version), m.Done)
        while self.livia.session.version == version:
            await self.livia.next()
        await self.livia.act(stale, EndMovement())
        await self.livia.wait_for_refusal()
        await self.caught_up()

    async def end(self) -> None:
        await self.marcus.act(0, Concede(1))
        await self.marcus.wait_for(m.Accepted)
        while self.livia.session.table is None or self.livia.session.table.phase != TablePhase.OVER:
            await self.livia.next()
        await self.livia.ask(lambda ref: m.Recall(ref, self.livia.session.match, film=True), m.Recalled)
        await self.livia.ask(m.Leave, m.Left)
        self.livia.cut()
        self.marcus.cut()

    async def told(self) -> list[Conversation]:
        """Play the whole story; return its conversations."""
        found = []
        paths: dict[str, Callable[[], Awaitable[None]]] = {path: getattr(self, path) for path in PATHS}
        for path, walk in paths.items():
            lines: list[Line] = []
            self.livia.turn(lines)
            await walk()
            found.append(Conversation(path, PATHS[path], lines))
        return found


async def recorded() -> list[Conversation]:
    """Return the conversations of these clients with a server that this function starts."""
    with tempfile.TemporaryDirectory() as data:
        server = Process(Path(data))
        await server.start()
        try:
            return await Story(server.url).told()
        finally:
            await server.kill()


def path_of(name: str) -> Path:
    """Return the path of the conversation of that name."""
    return FOLDER / f"conversation_{list(PATHS).index(name) + 1}_{name}.json"


def main(words: Sequence[str] | None = None) -> None:
    """Record all conversations if one is missing, or with --anew: they are one match, and each has other secrets."""
    parser = argparse.ArgumentParser(prog="python -m tests.conformance.conversations", description=main.__doc__)
    parser.add_argument("--anew", action="store_true", help="record them although none is missing")
    if not parser.parse_args(words).anew and all(path_of(name).exists() for name in PATHS):
        return
    for conversation in asyncio.run(recorded()):
        lines = b",\n".join(map(msgspec.json.encode, conversation.lines))
        head = msgspec.json.encode(msgspec.structs.replace(conversation, lines=[])).removesuffix(b"]}")
        path_of(conversation.path).write_bytes(head + b"\n" + lines + b"\n]}\n")
        print(conversation.path, len(conversation.lines))


if __name__ == "__main__":
    main()
