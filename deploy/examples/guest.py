"""A bot for Classic, written from protocol/SPEC.md alone: python guest.py ws://HOST:8600 CODE

It stays at home, buys infantry for all its talents and fights whoever comes. Instead of following the deltas it asks
for its whole view when there is something to decide. Needs websockets and msgspec.
"""

import asyncio
import random
import sys

from msgspec.msgpack import decode, encode
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

HELLO, JOIN, RESUME, ACT, SYNC = 0, 3, 5, 9, 11  # what we say (2.1)
WELCOME, REFUSED, ACCEPTED, TABLE, SEATED, SNAPSHOT, CLOCK, LEFT = 0, 1, 3, 6, 7, 8, 10, 13  # what we hear (2.2)
FRAMES, UNITS, GALLEY_AT, TALENTS, INFLATION, WINNER = 2, 7, 12, 17, 21, 24  # fields of the view (8.1)


class Guest:
    """One seat. `ideas`: answers to what is owed that are left to try; `pending`: the action that is not answered."""

    def __init__(self, code: str) -> None:
        self.code, self.match, self.token, self.seat, self.number, self.winner = code, "", b"", -1, 0, -1
        self.view, self.ideas, self.pending = [], [], []

    def hear(self, tag: int, *fields) -> list:
        """What to answer to a message of the server; [] for nothing."""
        if tag == WELCOME:
            self.number += 1
            resume = [RESUME, self.number, self.match, self.token]
            return resume if self.token else [JOIN, self.number, "", self.code]
        if tag == SEATED:
            _, self.match, self.seat, self.token, command = fields
            self.number = max(self.number, command)
            return self.pending  # acts at most once, however often it comes
        if tag == SNAPSHOT:
            self.view = fields[2]
            self.winner, self.ideas = self.view[WINNER], ideas(self.view, self.seat)
            return [] if self.pending else self.act()
        if tag == ACCEPTED and self.pending and fields[0] == self.pending[1]:
            self.pending = []
            return [SYNC, 0]
        if tag == REFUSED and self.pending:
            # With our number: nothing changed, the next idea. Without: it came too fast, nobody read it.
            return self.act() if fields[0] == self.pending[1] else self.pending
        if tag == LEFT or (tag == REFUSED and fields[0]):
            raise SystemExit(f"This table is not for us: {fields[-1]}")
        return [SYNC, 0] if (tag == CLOCK and self.seat in fields[0]) or (tag == TABLE and fields[6] == 2) else []

    def act(self) -> list:
        self.number += 1
        self.pending = [ACT, self.number, self.view[FRAMES][-1][1], self.ideas.pop(0)] if self.ideas else []
        return self.pending


def ideas(view: list, me: int) -> list:
    """What could answer the frame that is owed, the best first; nothing where it is not ours (8.4, 8.2)."""
    tag, _, *frame = view[FRAMES][-1]
    if frame[0] != me:
        return []
    if tag == 16:  # Formation: any `size` of our units there
        space = view[UNITS][frame[1]]
        return [[16, *some(space[space[::4].index(me) * 4 + 1 :][:3], frame[2])]]
    if tag == 25:  # Purchase: what we can pay, or what the supply still has
        return [[25, min(n, view[TALENTS][me] // (10 * view[INFLATION]))] for n in (120, 20, 10, 5, 2, 1, 0)]
    if tag == 23:  # Sinking: whichever are ours
        there = [galley for galley, at in enumerate(view[GALLEY_AT]) if at == frame[1]]
        return [[22, there[at : at + frame[2]]] for at in range(len(there))]
    homes, spaces = [[10, home] for home in range(42)], [[20, to] for to in (*range(42), -1)]
    fight = [14, *frame[1][:2]] if tag == 14 and frame[1] else [15]
    loss = [17, *some(frame[3], frame[4])] if tag == 17 else []
    return {11: homes, 13: [[13]], 14: [fight], 17: [loss], 18: [[18]], 20: spaces, 21: [[21, []]], 24: [[24]],
            26: [[32]], 27: [[31, False]]}.get(tag, [])  # fmt: skip


def some(units: list, count: int) -> list:
    """So many of infantry, cavalry, catapults, the first first."""
    return [max(0, min(units[kind], count - sum(units[:kind]))) for kind in range(3)]


async def play(url: str, guest: Guest, wait: float = 1.0) -> str:
    while guest.winner < 0:
        try:
            async with connect(url, compression=None, max_size=2**20) as socket:
                await socket.send(encode([HELLO, 1, "Example"]))
                while guest.winner < 0:
                    if answer := guest.hear(*decode(await socket.recv())):
                        await socket.send(encode(answer))
        except (OSError, ConnectionClosed) as error:
            if not guest.token or "4001" in str(error):
                raise SystemExit(f"No way to a seat: {error}") from None
            await asyncio.sleep(wait * random.uniform(0.7, 1.3))  # come back with the token (5)
            wait = min(30.0, wait * 2)
    return f"The match is over: seat {guest.winner + 1} has won, we sat on {guest.seat + 1}."


if __name__ == "__main__":
    print(asyncio.run(play(sys.argv[1], Guest(sys.argv[2]))))
