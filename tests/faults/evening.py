"""A hostile evening: `python -m tests.faults.evening --seconds 120`.

200 scripted guests come from 40 addresses. They make profiles, impersonate members by look-alikes, flood reports and
codes, evade bans by new secrets, and rename. 20 members play duels meanwhile, and an operator bans guests who are
reported. All run in one process with the server, so the times of acts are upper bounds. The exit status is 1 if an
abuse went beyond its limit or a member could not play on."""

import argparse
import asyncio
import contextlib
import logging
import random
import secrets
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from ipaddress import ip_network
from pathlib import Path
from typing import Any, Final

from websockets.exceptions import WebSocketException

from protocol import codec
from server import log
from server.addresses import counted, network_of
from server.connections.admission import Limits
from server.connections.server_app import App, Settings
from server.lobby.deeds import GUESTS_REPORTS, REPORTS_A_DAY
from server.matches.names import keys
from server.storage.port import DeedKind
from server.tools.admin_actions import Operator
from shared import messages as m
from tests.server.fakes import Client, decide_one
from tests.server.toy import TOY, Name

NAMES: Final = ("Anna", "Bert", "Clara", "Dora", "Emil", "Flora", "Gustav", "Hanna", "Ivo", "Julia")
LOOKS: Final = {"a": "\u0430", "e": "\u0435", "o": "\u043e", "i": "\u0456", "l": "1"}
"""Letters, and others that look like them."""
NETWORKS: Final = 40
"""Networks of the guests: half of them IPv4 addresses, half /48 of IPv6."""
BETWEEN: Final = 1.0
"""Seconds between two looks of the operator."""
THINKS: Final = 0.2
"""Seconds for which members think."""
SLOW: Final = 2.0
"""Seconds of an act that a member would notice."""


class Evening:
    """Guests, members and an operator at one server, with counts of all that was tried and what came of it."""

    def __init__(self, app: App, guests: int, members: int, seconds: float) -> None:
        self.app = app
        self.guests, self.members = guests, members
        self.end = time.monotonic() + seconds
        self.tried: Counter[str] = Counter()
        self.done: Counter[str] = Counter()
        self.acts: list[float] = []
        self.open_reports = 0
        """Most reports that were open at once."""
        self.lost = 0
        """Members who could not play on."""
        self.matches: list[str] = []
        self.operator = Operator(app, lambda: None)

    @property
    def goes_on(self) -> bool:
        """Whether the evening is not over."""
        return time.monotonic() < self.end

    async def run(self) -> None:
        """Seat all members, let the guests in, and wait for the end."""
        pairs = [await self.duel(number) for number in range(self.members // 2)]
        playing = [asyncio.create_task(self.play(match, *pair)) for match, *pair in pairs]
        visits = [asyncio.create_task(self.visit(number)) for number in range(self.guests)]
        await asyncio.gather(self.moderate(), *playing, *visits)

    # --- members ---

    async def duel(self, number: int) -> tuple[str, Client, Client]:
        """Return a match of two members, who were invited."""
        clients = []
        for seat in range(2):
            name = f"{NAMES[number % len(NAMES)]} {'Major' if seat else 'Minor'}"
            client = await Client(self.app.address, name, f"198.51.100.{2 * number + seat}").open()
            await answer(client, m.Introduce, secrets.token_bytes(32))
            code = (await self.operator.invite({"name": name}))["code"]
            await answer(client, m.Member, "", code)
            clients.append(client)
        first, second = clients
        create = await answer(first, m.Create, "toy", 2, {"rounds": 1000}, "Duel")
        assert isinstance(create, m.Seated), create
        await answer(second, m.Join, create.match)
        await answer(first, m.Start)
        self.matches.append(create.match)
        return create.match, first, second

    async def play(self, match: str, *pair: Client) -> None:
        """Let two members name numbers, round by round."""
        number = 0
        try:
            while self.goes_on:
                number += 1
                for client in pair:
                    task = self.app.lobby.task(match)
                    assert task is not None and task.table.match is not None
                    begun = time.monotonic()
                    await client.act(task.table.match.frame, Name(1 + number % 9))
                    while not isinstance(await client.next(), m.Accepted | m.Refused):
                        pass
                    self.acts.append(time.monotonic() - begun)
                await asyncio.sleep(THINKS)
        except (OSError, WebSocketException, TimeoutError):
            self.lost += 2

    # --- guests ---

    async def visit(self, number: int) -> None:
        """Let one guest try everything, again and again."""
        chance = random.Random(number)
        secret, tricks = chance.randbytes(32), (self.impersonate, self.report, self.guess, self.rename, self.make)
        while self.goes_on:
            address = address_of(number % NETWORKS, number)
            with contextlib.suppress(OSError, WebSocketException, TimeoutError):
                client = await Client(self.app.address, disguised(chance), address).open()
                try:
                    came = await answer(client, m.Introduce, secret)
                    if isinstance(came, m.Refused) and came.code == "banned":
                        secret = await self.evade(number, chance)
                    elif isinstance(came, m.Introduced):
                        self.done["profiles"] += came.fresh
                        await chance.choice(tricks)(client, chance)
                finally:
                    client.cut()
            await asyncio.sleep(chance.random())

    async def make(self, client: Client, _chance: random.Random) -> None:
        """Make one profile after another."""
        for _ in range(5):
            self.tried["profiles"] += 1
            made = await answer(client, m.Introduce, secrets.token_bytes(32))
            self.done["profiles"] += isinstance(made, m.Introduced)

    async def impersonate(self, client: Client, chance: random.Random) -> None:
        """Look on at a member's table under a name that looks like theirs."""
        match = chance.choice(self.matches)
        self.tried["look-alikes"] += 1
        await answer(client, m.Watch, match)
        task = self.app.lobby.task(match)
        assert task is not None
        seated = frozenset().union(*[keys(chair.name) for chair in task.table.record.chairs])
        alike = sum(not keys(peer.called).isdisjoint(seated) for peer in task.table.audience.onlookers)
        self.done["look-alikes"] += alike

    async def report(self, client: Client, chance: random.Random) -> None:
        """Report the members of a table again and again."""
        match = chance.choice(self.matches)
        await answer(client, m.Watch, match)
        task = self.app.lobby.task(match)
        for name in [chair.name for chair in task.table.record.chairs] * 3 if task is not None else ():
            self.tried["reports"] += 1
            made = await answer(client, m.Report, name)
            self.done["reports"] += isinstance(made, m.Done)

    async def guess(self, client: Client, chance: random.Random) -> None:
        """Guess codes of tables."""
        for _ in range(5):
            self.tried["codes"] += 1
            code = "".join(chance.choices("ABCDEFGHJKLMNPQRSTUVWXYZ23456789", k=6))
            found = await answer(client, m.Join, "", code)
            self.done["codes"] += not isinstance(found, m.Refused)
            self.done["delayed guesses"] += isinstance(found, m.Refused) and found.code == "rate"

    async def rename(self, client: Client, chance: random.Random) -> None:
        """Look on, and take the name of a member by a look-alike, one after the other."""
        match = chance.choice(self.matches)
        await answer(client, m.Watch, match)
        for _ in range(5):
            self.tried["renames"] += 1
            name = disguised(chance)
            renamed = await answer(client, m.Rename, name)
            self.done["renames"] += isinstance(renamed, m.Done)

    async def evade(self, number: int, chance: random.Random) -> bytes:
        """Come back after a ban with a new secret: from the same network, then from another one."""
        secret = chance.randbytes(32)
        for what, network in (("evasions", number % NETWORKS), ("evasions from elsewhere", NETWORKS + number)):
            self.tried[what] += 1
            client = await Client(self.app.address, disguised(chance), address_of(network, number)).open()
            with contextlib.suppress(OSError, WebSocketException, TimeoutError):
                came = await answer(client, m.Introduce, secret)
                self.done[what] += isinstance(came, m.Introduced)
            client.cut()
        return secret

    # --- the operator ---

    async def moderate(self) -> None:
        """Ban the loudest reporter of each look, and close their reports."""
        while self.goes_on:
            await asyncio.sleep(BETWEEN)
            state = self.app.lobby.moderation
            reports = list(filter(state.is_open, state.reports()))
            self.open_reports = max(self.open_reports, len(reports))
            loud = Counter(report.by for report in reports if state.ban_of(report.by) is None)
            for person, _ in loud.most_common(1):
                if self.app.lobby.people.record(person) is not None:
                    await self.operator.decree(DeedKind.BAN, {"name": person, "why": "False reports", "days": 7})
                    self.done["bans"] += 1
                for report in [report for report in reports if report.by == person]:
                    await self.app.lobby.operator.handle(report, "")


async def answer(client: Client, kind: Callable[..., m.ClientMessage], *fields: object) -> Any:
    """Send a request of a kind with these fields, and return its answer or refusal."""
    ref = client.session.ref()
    await client.socket.send(codec.encode(kind(ref, *fields)))
    while getattr(message := await client.next(), "ref", None) != ref:
        pass
    return message


def disguised(chance: random.Random) -> str:
    """Return a member's name with some letters that look alike."""
    name = f"{chance.choice(NAMES)} {chance.choice(('Minor', 'Major'))}"
    return "".join(LOOKS.get(letter, letter) if chance.random() < 0.5 else letter for letter in name)


def address_of(network: int, number: int) -> str:
    """Return a guest's address in one of the networks."""
    return f"203.0.113.{network % 250}" if network % 2 else f"2001:db8:{network:x}:{number:x}::1"


async def evening(guests: int, members: int, seconds: float) -> Evening:
    """Return an evening that is over."""
    with tempfile.TemporaryDirectory() as directory:
        limits = Limits(trusted=(ip_network("127.0.0.1"),))
        settings = Settings(Path(directory), port=0, seed=7, pace=0.0, limits=limits)
        app = await App.start(settings, {TOY.id: TOY}, decide_one)
        try:
            found = Evening(app, guests, members, seconds)
            await found.run()
            return found
        finally:
            await app.stop()


def verdict(found: Evening, seconds: float) -> bool:
    """Print what each could do, and return whether it stayed within its limits."""
    acts = sorted(found.acts)
    networks = {network_of(counted(address_of(n % NETWORKS, n))) for n in range(found.guests)}
    state = found.app.lobby.moderation
    by = Counter(report.by for report in state.reports())
    print(f"{found.guests} guests of {len(networks)} networks, {found.members} members, {seconds:.0f} s")
    for what in sorted(found.tried):
        print(f"{what:24} {found.tried[what]:6} tried {found.done[what]:6} done")
    print(f"guesses that had to wait: {found.done['delayed guesses']}")
    print(f"reports of the loudest guest: {max(by.values(), default=0)}; most open at once: {found.open_reports}")
    print(f"the operator made {found.done['bans']} bans")
    middle, last = (acts[int(len(acts) * share)] * 1000 for share in (0.5, 0.99)) if acts else (0.0, 0.0)
    print(f"members: {len(acts)} acts, half within {middle:.0f} ms, 99 of 100 within {last:.0f} ms, {found.lost} lost")
    faults = {
        "a member could not play": found.lost or not acts or last > SLOW * 1000,
        "a guest had a member's name": found.done["look-alikes"],
        "a code was guessed": found.done["codes"],
        "a ban was evaded in the same network": found.done["evasions"],
        "too many reports": max(by.values(), default=0) > REPORTS_A_DAY or found.open_reports > GUESTS_REPORTS,
    }
    wrong = [fault for fault, happened in faults.items() if happened]
    print("\n".join(wrong) or "every abuse stayed within its limits, and the members played on")
    return not wrong


def main() -> int:
    """Run the evening."""
    parser = argparse.ArgumentParser(description="A hostile evening: guests abuse everything, members play on.")
    parser.add_argument("--guests", type=int, default=200)
    parser.add_argument("--members", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=120.0)
    args = parser.parse_args()
    log.start(logging.ERROR)
    found = asyncio.run(evening(args.guests, args.members, args.seconds))
    return 0 if verdict(found, args.seconds) else 1


if __name__ == "__main__":
    sys.exit(main())
