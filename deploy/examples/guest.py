"""A bot for all games, written from protocol/SPEC.md alone: python guest.py ws://HOST:8600 CODE [SEED]

It asks for the legal actions and chooses any of them: replace `pick` with your own choice. It does not follow the
deltas, but asks for its whole view when it owes a decision. Needs websockets and msgspec.
"""

import signal

if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # as SIGTERM: an exception within an import would print a traceback

import asyncio
import contextlib
import random
import re
import sys

from msgspec.msgpack import decode, encode
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

HELLO, JOIN, RESUME, LEAVE, ACT, SYNC, CONSIDER = 0, 3, 5, 8, 9, 11, 32  # what we say (2.1)
WELCOME, REFUSED, ACCEPTED, TABLE, SEATED, SNAPSHOT, CLOCK, LEFT, CHOICES = 0, 1, 3, 6, 7, 8, 10, 13, 27  # hear (2.2)
FRAMES, OVER = 2, 2  # a field of each view (8.1, 9.1, 10.1), and a phase of a table


def pick(view: list, actions: list, chance: random.Random) -> list:
    """Choose one of the legal actions. Sections 8 to 10 describe actions and views."""
    return chance.choice(actions)


class Guest:
    """A seat. `asked`, `acts`: the numbers of our question and actions; `pending`: the action without an answer."""

    def __init__(self, code: str, *seed: str) -> None:
        self.code, self.match, self.token, self.seat, self.number, self.asked = code, "", b"", -1, 0, 0
        self.view, self.pending, self.acts, self.over, self.chance = [], [], set(), False, random.Random(*seed)

    def hear(self, tag: int, *fields) -> list:
        """Return the answer to a message of the server; [] for none."""
        if tag == WELCOME:
            resume = [RESUME, self.next(), self.match, self.token]
            return resume if self.token else [JOIN, self.next(), "", self.code]
        if tag == SEATED:
            _, self.match, self.seat, self.token, command = fields[:5]
            self.number = max(self.number, command)
            return self.pending  # acts at most once, however often it comes
        if tag == TABLE:
            self.over = fields[6] == OVER
        if tag == CLOCK and self.seat in fields[0] and not self.pending:
            return [SYNC, 0]
        if tag == SNAPSHOT and self.pending:
            return self.pending
        if tag == SNAPSHOT:
            self.view, self.asked = fields[2], self.next()
            return [CONSIDER, self.asked, self.view[FRAMES][-1][1]]
        if tag == CHOICES and fields[0] == self.asked and not self.pending:
            self.pending = [ACT, self.next(), fields[1], pick(self.view, fields[3], self.chance)]
            self.acts.add(self.number)
            return self.pending
        if tag in (ACCEPTED, REFUSED) and self.pending and fields[0] == self.pending[1] and fields[1] != "rate":
            self.pending = []
            return [SYNC, 0]  # there may be more to decide; what was refused changed nothing
        if tag == REFUSED and fields[1] == "rate":
            return self.pending or [SYNC, 0]  # it came too fast and was not read
        if tag == LEFT or (tag == REFUSED and fields[0] not in (self.asked, *self.acts)):
            raise SystemExit(f"This table is not for us: {fields[3 if tag == REFUSED else 2]}")
        return []

    def next(self) -> int:
        self.number += 1
        return self.number


async def play(url: str, guest: Guest, wait: float = 1.0) -> str:
    while not guest.over:
        try:
            async with connect(url, compression=None, max_size=2**20, close_timeout=1) as socket:
                await socket.send(encode([HELLO, 2, "Example"]))
                try:
                    while not guest.over:
                        heard = decode(await socket.recv())
                        if answer := guest.hear(*heard):
                            await asyncio.sleep(heard[0] == REFUSED and heard[2] == "rate")  # a second, then again
                            await socket.send(encode(answer))
                except asyncio.CancelledError:
                    with contextlib.suppress(WebSocketException):
                        await asyncio.sleep(0.2)  # what comes too fast is not read
                        await socket.send(encode([LEAVE, guest.next()]))  # so that no player waits for us (11)
                    raise
        except (OSError, WebSocketException) as error:
            if not guest.token or "4001" in str(error):
                raise SystemExit(f"No seat at {url}: ask the host for its address. ({error})") from None
            await asyncio.sleep(wait * random.uniform(0.7, 1.3))  # come back with the token (5)
            wait = min(30.0, wait * 2)
    return f"The match is over; we sat on seat {guest.seat + 1}."


async def main() -> str:
    task, loop = asyncio.current_task(), asyncio.get_running_loop()

    def stop(*_) -> None:  # once: a second Ctrl-C must not keep us from leaving
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: None)
        with contextlib.suppress(RuntimeError):  # all is over already
            loop.call_soon_threadsafe(task.cancel)

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)
    return await play(sys.argv[1], Guest(*sys.argv[2:]))


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4) or not re.fullmatch(r"wss?://([^/#:]+|\[.+\])(:[1-6]?\d{1,4})?(/.*)?", sys.argv[1]):
        raise SystemExit("Say which server and which table: python guest.py ws://HOST:8600 CODE [SEED]")
    try:
        print(asyncio.run(main()))
    except asyncio.CancelledError:
        print("Told to stop: the host can give the seat to somebody else.", file=sys.stderr)
        raise SystemExit(130) from None
