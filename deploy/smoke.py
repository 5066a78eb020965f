"""Plays a few actions against a live server: `python deploy/smoke.py wss://conquest.example.org`.

Makes a closed table, lets a bot sit down, plays the first decisions by default, loses the connection, comes back to the
seat, and leaves. Exit status 0 if all went well, 1 with a sentence if not.
"""

import argparse
import asyncio
import sys
from collections.abc import Callable
from typing import TypeVar

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from protocol import codec
from protocol.limits import MAX_TO_CLIENT
from protocol.session import ClientSession
from shared.kernel import engine
from shared.messages import Accepted, ClientMessage, Create, Done, Leave, Left, Refused, Seated, SetBot, Start, Welcome
from shared.rulesets.registry import RULESETS

M = TypeVar("M")


class Smoke:
    """A player."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.session = ClientSession("Smoke", "smoke")
        self.socket: ClientConnection

    async def open(self) -> Welcome:
        """Connect and shake hands."""
        self.socket = await connect(self.url, compression=None, max_size=MAX_TO_CLIENT)
        await self.socket.send(self.session.connect())
        return await self.wait_for(Welcome)

    async def ask(self, make: Callable[[int], ClientMessage], kind: type[M]) -> M:
        """Send a request and return its answer."""
        await self.socket.send(codec.encode(make(self.session.ref())))
        return await self.wait_for(kind)

    async def wait_for(self, kind: type[M]) -> M:
        """Return the next message of a kind."""
        while True:
            message = await self.step()
            if isinstance(message, kind):
                return message

    async def step(self) -> object:
        """Receive one message; a refusal ends the test."""
        received = self.session.receive(await self.socket.recv(decode=False))
        for reply in received.replies:
            await self.socket.send(reply)
        if isinstance(received.message, Refused):
            raise RuntimeError(f"refused: {received.message.code}: {received.message.text}")
        return received.message

    async def act(self, key: str) -> None:
        """Wait until this seat owes a decision, and take the action that the clock would take."""
        rules = RULESETS[key]
        while True:
            if self.session.in_sync:
                view = rules.view_decoder.decode(codec.ENCODER.encode(self.session.view))
                if self.session.seat in engine.owed(rules, view):
                    break
            await self.step()
        action = engine.default(rules, view, self.session.seat)
        await self.socket.send(self.session.act(engine.top(view).no, action))
        await self.wait_for(Accepted)


async def smoke(url: str, actions: int) -> str:
    """Run the whole test; return a sentence that says what was done."""
    player = Smoke(url)
    welcome = await player.open()
    key = welcome.rulesets[0][0]
    await player.ask(lambda ref: Create(ref, key, 2, {}, "Smoke test", open=False, seat=0), Seated)
    await player.ask(lambda ref: SetBot(ref, 1, "random"), Done)
    await player.ask(Start, Done)
    for _ in range(actions):
        await player.act(key)
    version = player.session.version
    player.socket.transport.abort()
    await player.open()
    await player.wait_for(Seated)
    await player.act(key)
    if player.session.mismatches:
        raise RuntimeError("the view differs from the server's")
    await player.ask(Leave, Left)
    await player.socket.close()
    return f"{welcome.server} plays {key}: {actions} actions, lost at version {version}, resumed, left"


def main() -> int:
    """Run it against the URL of the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("url", help="ws:// or wss:// address of the server")
    parser.add_argument("--actions", type=int, default=3)
    args = parser.parse_args()
    try:
        print(asyncio.run(asyncio.wait_for(smoke(args.url, args.actions), 60)))
    except (OSError, TimeoutError, WebSocketException, RuntimeError, codec.BadMessage) as error:
        print(f"smoke test failed: {error or type(error).__name__}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
