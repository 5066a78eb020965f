"""Real server process, and clients of the tests that play on it."""

import asyncio
import random
import resource
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from protocol import codec
from shared.kernel import engine
from shared.kernel.ruleset import AnyRuleset
from shared.messages import Accepted, Create, Join, Refused, Said, Say, Seated, Snapshot, Start
from tests.faults.talk import Talk
from tests.server.fakes import Client


class Process:
    """Process of `conquest-server serve`, as an operator runs it."""

    def __init__(
        self,
        data: Path,
        *options: str,
        log: int = asyncio.subprocess.DEVNULL,
        program: Sequence[str] = ("server",),
        within: Sequence[str] = (),
        surroundings: Mapping[str, str] | None = None,
    ) -> None:
        self._data = data
        self._program = program
        """Module to run, and its first arguments."""
        self._within = within
        """Command that runs its arguments as a command, in its own process."""
        self._surroundings = surroundings
        """Environment of the process, None for that of this process."""
        self._options = options
        self._log = log
        """File descriptor of its log."""
        self.process: asyncio.subprocess.Process
        self.url = ""

    async def start(self) -> None:
        """Start the process and wait for the line that it prints."""
        self.process = await asyncio.create_subprocess_exec(
            *(*self._within, sys.executable, "-m", *self._program, "serve", "--port", "0", "--data", str(self._data)),
            *("--seed", "5", "--bot-pace", "0", *self._options),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=self._log,
            env=self._surroundings,
        )
        assert self.process.stdout is not None
        line = (await asyncio.wait_for(self.process.stdout.readline(), 30)).decode()
        prefix = "conquest-server ready on "
        assert line.startswith(prefix), line
        self.url = line.removeprefix(prefix).strip()

    async def kill(self) -> None:
        """Kill the process with kill -9."""
        self.process.kill()
        await self.process.wait()


class Progress:
    """Counter of sent actions; wakes tasks that wait for a number of them, or for the end of the match."""

    def __init__(self) -> None:
        self.sent = 0
        self.over = False
        self._goal = 0
        self._reached = asyncio.Event()

    def note(self, sent: int, over: bool) -> None:
        """Count sent messages; `over`: the match has ended."""
        self.sent += sent
        self.over = over
        if over or self.sent >= self._goal:
            self._reached.set()

    async def more(self, actions: int) -> None:
        """Wait for so many more actions, or the end."""
        self._goal = self.sent + actions
        self._reached.clear()
        if not self.over:
            await self._reached.wait()


class Person:
    """Player that acts at random and remembers every answer."""

    def __init__(self, url: str, name: str, rules: AnyRuleset, rng: random.Random, progress: Progress) -> None:
        self.client = Client(url, name)
        self.rules = rules
        self.rng = rng
        self.progress = progress
        self.sent: dict[int, bytes] = {}
        self.acknowledged: dict[int, int] = {}
        self.refused: list[Refused] = []
        self.talk = Talk(name)
        self._acted = -1

    @property
    def synced(self) -> bool:
        """Whether this connection is at its table with a view."""
        return self.client.session.at_table and self.client.session.in_sync

    async def hear(self) -> None:
        """Receive one message and record answers."""
        message = await self.client.next()
        if isinstance(message, Accepted):
            assert self.acknowledged.setdefault(message.command, message.version) == message.version
            self.talk.accepted()
        elif isinstance(message, Said):
            self.talk.hear(message)
        elif isinstance(message, Refused):
            self.refused.append(message)
            # The state has not changed, so nothing else would make this player act again.
            self._acted = -1

    async def speak(self) -> None:
        """Send a line of chat, if it is time for one."""
        text = self.talk.next_line() if self.synced else ""
        if text:
            await self.client.say(lambda ref: Say(ref, text))

    async def play(self) -> bool:
        """Act if this player owes a decision and no request is unanswered; return whether they did."""
        data = self.decide()
        if data:
            await self.client.socket.send(data)
        return bool(data)

    def decide(self) -> bytes:
        """Return the next message of this player if they owe a decision and no request is unanswered; else b""."""
        session = self.client.session
        if not self.synced or session.pending or self._acted == session.version:
            return b""
        rules = self.rules
        view = rules.view_decoder.decode(codec.ENCODER.encode(session.view))
        if rules.finished(view):
            self.progress.note(0, over=True)
        if session.seat not in engine.owed(rules, view):
            return b""
        self._acted = session.version
        action = self.rng.choice(engine.options(rules, view, session.seat))
        data = session.act(engine.top(view).no, action)
        (command,) = session.pending
        self.sent[command] = codec.encode(action)
        self.progress.note(1, over=False)
        return data


async def begun(url: str, rules: AnyRuleset, seats: int, seed: int, sources: Sequence[str] = ()) -> list[Person]:
    """People in a match that has begun; `sources`: the addresses that they come from, where they have their own."""
    progress = Progress()
    people = [Person(url, f"Person {seat}", rules, random.Random(f"{seed}:{seat}"), progress) for seat in range(seats)]
    for person, source in zip(people, sources, strict=False):
        person.client.source = source
    host = people[0].client
    await host.open()
    match = (await host.ask(lambda ref: Create(ref, rules.id, seats, {}, "t"), Seated)).match
    for person in people[1:]:
        await person.client.open()
        await person.client.ask(lambda ref: Join(ref, match), Seated)
    await host.say(Start)
    for person in people:
        await person.client.wait_for(Snapshot)
    return people


def resident(pid: int) -> float:
    """Return the memory of a process in MiB (Linux)."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 2**20
