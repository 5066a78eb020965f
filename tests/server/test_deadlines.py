"""Players cannot move their own deadline: random sequences of whatever a player may do, judged by the log alone."""

import asyncio
import random
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

import pytest
from msgspec import Raw, Struct

from protocol import codec
from server.delivery.peer import Peer
from server.matches.running_match import AGAIN
from shared.history import Course, Deed, Entry
from shared.ids import NATURE
from shared.kernel import engine
from shared.messages import Act, Done, Leave, Left, Listen, Refused, Resume, Seated, Undo
from shared.rulesets.mb1984.definition import MB1984
from shared.tables import Late, Pace, Run, TablePhase
from tests.server.lobby_harness import LobbyHarness, link, open_lobby, person
from tests.server.test_undo import first, may
from tests.support.marks import in_stages

SEATS: Final = 3
BOTS: Final = 3.0
"""Seconds that a bot waits before it decides."""
SLACK: Final = round(1000 * (BOTS + AGAIN))
"""Milliseconds by which a decision may be late: a bot takes it."""
PACES: Final = {
    "live, no bank": Pace(Run.LIVE, 8),
    "live": Pace(Run.LIVE, 5, 25, 10),
    "live, a bot decides": Pace(Run.LIVE, 8, 5, 5, Late.BOT),
    "live, a bot sits down": Pace(Run.LIVE, 8, 0, 0, Late.SEAT),
    "post": Pace(Run.POST, 12, 20),
    "post, no bank": Pace(Run.POST, 12, 0, 0, Late.SEAT),
}


class Clock(Struct, frozen=True):
    """A judge's clocks at one version: when each seat that owes began, from which fund, and what is in the funds."""

    frame: int
    since: dict[int, tuple[int, int]]
    funds: tuple[tuple[int, int], ...]


class Judge:
    """Measures decisions by the dates in a log. A decision that was taken back was never over."""

    def __init__(self, pace: Pace, begun: int) -> None:
        self._pace = pace
        self._full = 1000 * pace.bank, 1000 * pace.reserve
        self._clocks = {0: Clock(0, {}, (self._full,) * SEATS)}
        self._course = Course(MB1984, SEATS, engine.checked_options(MB1984, SEATS, {}))
        self._owe(0, begun, None, NATURE)

    def allowed(self, version: int, seat: int) -> int:
        """Milliseconds for which a seat may decide at that version."""
        clock = self._clocks[version]
        return 1000 * self._pace.each + clock.funds[seat][clock.since[seat][1]]

    def late(self, log: list[Entry], now: int) -> Iterator[str]:
        """Whatever took longer than the clock of its seat allows; `now`: the date of the end."""
        for passed in self._course.follow(log):
            entry, before = passed.entry, self._clocks[passed.entry.n - 1]
            decided = entry.deed is Deed.PLAY and entry.seat != NATURE and bool(entry.frame or not entry.command)
            if decided and entry.seat in before.since:
                took = entry.at - before.since[entry.seat][0]
                if took > self.allowed(entry.n - 1, entry.seat) + SLACK:
                    yield f"seat {entry.seat} took {took} ms for entry {entry.n}"
            self._owe(entry.n, entry.at, entry, entry.seat if decided else NATURE, passed.state)
        last = len(log)
        for seat, (since, _) in self._clocks[last].since.items():
            if now - since > self.allowed(last, seat) + SLACK:
                yield f"seat {seat} has been deciding for {now - since} ms"

    def _owe(self, n: int, at: int, entry: Entry | None, actor: int, state: Any = None) -> None:
        state = self._course.state if state is None else state
        before = self._clocks[max(0, n - 1)]
        owed = engine.owed(MB1984, state)
        frame = engine.top(state).no
        funds, going_on = before.funds, dict(before.since) if frame == before.frame else {}
        going_on.pop(actor, None)
        if entry is not None and entry.deed is Deed.BACK:
            then = self._clocks[entry.to]
            funds, going_on = then.funds, then.since | {s: v for s, v in before.since.items() if s != entry.seat}
        elif entry is not None and entry.used:
            funds = self._charged(before, entry)
        if NATURE in owed:
            since = before.since if entry is None else {s: v for s, v in before.since.items() if s != actor}
            self._clocks[n] = Clock(before.frame, since, funds)
            return
        live = self._pace.run is Run.LIVE
        since = {s: going_on.get(s, (at, int(live and MB1984.answers(state, s)))) for s in owed}
        self._clocks[n] = Clock(frame, since, funds)

    def _charged(self, before: Clock, entry: Entry) -> tuple[tuple[int, int], ...]:
        ((seat, used),) = entry.used
        since, which = before.since[seat]
        each, left, full = 1000 * self._pace.each, list(before.funds[seat]), self._full[which]
        if entry.command or used:
            assert used <= entry.at - since
        if entry.command:
            assert used == entry.at - since, "nothing of it is forgotten"
        if self._pace.run is Run.LIVE:
            left[which] = max(0, min(max(full, left[which]), left[which] + each - used))
        else:
            left[which] = max(0, left[which] - max(0, used - each))
        return (*before.funds[:seat], (left[0], left[1]), *before.funds[seat + 1 :])


class Players:
    """Three people who do at random what might move a deadline."""

    def __init__(self, h: LobbyHarness, peers: list[Peer], seed: int) -> None:
        self.h = h
        self.rng = random.Random(seed)
        self.match = h.only().match
        self.peers: dict[int, Peer | None] = dict(enumerate(peers))
        self.tokens = {seat: h.token(peer) for seat, peer in enumerate(peers)}
        self.last: dict[int, bytes] = {}
        self.undone: dict[int, bytes] = {}
        self.done = {"act": 0, "undo": 0, "redo": 0, "leave": 0, "drop": 0, "resume": 0}
        self._command = 0

    async def do_something(self) -> None:
        """Make one random action, and let time pass in some cases."""
        able = [seat for seat, steps in enumerate(may(self.table.match)[:SEATS]) if steps]
        # Half of the time a player with as many possible actions as there are.
        seat = self.rng.choice(able or list(self.table.match.owed) or [0])
        if self.rng.random() < 0.5:
            seat = self.rng.randrange(SEATS)
        peer = self.peers[seat]
        if peer is None:
            await self.resume(seat)
        else:
            deeds = [self.act] * 5 + [self.undo] * 6 + [self.listen, self.leave, self.drop]
            await self.rng.choice(deeds)(seat)
        if self.rng.random() < 0.6:
            await self.wait(self.rng.choice((0.05, 0.4, 1.0, 3.0)))

    async def wait(self, seconds: float) -> None:
        """So much time, alarm by alarm: what one of them does is stored before time goes on."""
        clock = self.h.clock
        end = clock.time + seconds
        while clock._alarms and clock._alarms[0][0] <= end:
            await self.h.pass_time(max(0.0, clock._alarms[0][0] - clock.time))
        await self.h.pass_time(max(0.0, end - clock.time))

    @property
    def table(self) -> Any:
        return self.h.only().table

    async def act(self, seat: int) -> None:
        match, peer = self.table.match, self.peers[seat]
        if seat not in match.owed or peer is None:
            return
        options = [codec.encode(each) for each in engine.options(match.rules, match.state, seat)[:12]]
        again = self.undone.pop(seat, b"")
        self.done["redo" if again in options else "act"] += 1
        action = again if again in options else self.rng.choice(options)
        self._command += 1
        self.last[seat] = action
        await self.h.say(peer, Act(self._command, match.frame, Raw(action)))

    async def undo(self, seat: int) -> None:
        match, peer = self.table.match, self.peers[seat]
        if not may(match)[seat] or peer is None:
            return
        link(peer).sent.clear()
        await self.h.say(peer, Undo(7, match.version))
        if any(isinstance(each, Done) for each in link(peer).sent):
            self.done["undo"] += 1
            self.undone[seat] = self.last[seat]

    async def listen(self, seat: int) -> None:
        peer = self.peers[seat]
        assert peer is not None
        await self.h.ask(peer, Listen(8, self.rng.random() < 0.5), Done)

    async def leave(self, seat: int) -> None:
        peer, self.peers[seat] = self.peers[seat], None
        assert peer is not None
        self.tokens[seat] = self.h.token(peer)
        await self.h.ask(peer, Leave(9), Left)
        self.done["leave"] += 1
        if self.rng.random() < 0.7:
            await self.wait(self.rng.choice((0.0, 0.5, BOTS - 0.1)))
            await self.resume(seat)

    async def drop(self, seat: int) -> None:
        peer, self.peers[seat] = self.peers[seat], None
        assert peer is not None
        self.tokens[seat] = self.h.token(peer)
        await self.h.drop(peer)
        self.done["drop"] += 1
        if self.rng.random() < 0.5:
            await self.resume(seat)

    async def resume(self, seat: int) -> None:
        peer = self.peers[seat] = person(f"Person {seat}")
        await self.h.ask(peer, Resume(1, self.match, self.tokens[seat]), Seated)
        self.done["resume"] += 1


@asynccontextmanager
async def playing(path: Path, pace: Pace, seed: int) -> AsyncIterator[Players]:
    async with open_lobby(path, first, rules=MB1984, pace=BOTS) as h:
        yield Players(h, await h.match(SEATS, pace=pace, takeover=15), seed)


async def verdict(players: Players, pace: Pace) -> list[str]:
    h, record = players.h, players.table.record
    now = h.only()._play._match_clock.now
    kept = await h.store.claim(players.match)
    assert kept is not None
    return list(Judge(pace, record.begun).late(kept.entries, now))


@pytest.mark.long
@pytest.mark.parametrize("seed", in_stages(range(3), [0], []))
@pytest.mark.parametrize("pace", PACES.values(), ids=PACES)
async def test_the_time_of_a_decision_is_bounded_by_the_clock(tmp_path: Path, pace: Pace, seed: int) -> None:
    async with playing(tmp_path, pace, seed) as players:
        for _ in range(200):
            if players.table.record.phase is TablePhase.OVER:
                break
            await players.do_something()
        assert min(players.done[deed] for deed in ("act", "undo", "leave", "drop")) > 2, players.done
        assert await verdict(players, pace) == []


@pytest.mark.parametrize("pace", [Pace(Run.LIVE, 20), Pace(Run.POST, 20)], ids=["live", "post"])
async def test_undo_does_not_stretch_a_decision(tmp_path: Path, pace: Pace) -> None:
    """Act, wait, take it back, again and again: with 20 seconds it is over after 20 seconds."""
    async with playing(tmp_path, pace, 1) as players:
        match = players.table.match
        while not any(may(match)):
            await players.act(match.owed[0])
        seat = next(seat for seat in range(SEATS) if may(match)[seat])
        await players.undo(seat)
        version, peer = match.version, players.peers[seat]
        assert peer is not None
        undone = 0
        for _ in range(20):
            await players.act(seat)
            if not may(match)[seat]:
                break
            await players.wait(3)
            link(peer).sent.clear()
            await players.h.say(peer, Undo(7, match.version))
            if any(isinstance(each, Refused) for each in link(peer).sent):
                break
            undone += 1
        assert 1 <= undone <= 6, (undone, version)
        assert await verdict(players, pace) == []


async def test_an_undo_that_would_leave_no_time_is_refused(tmp_path: Path) -> None:
    async with playing(tmp_path, Pace(Run.POST, 20), 1) as players:
        match = players.table.match
        while not any(may(match)):
            await players.act(match.owed[0])
        seat = next(seat for seat in range(SEATS) if may(match)[seat])
        peer, version = players.peers[seat], match.version
        assert peer is not None
        await players.wait(19)
        assert match.version == version
        assert (await players.h.ask(peer, Undo(7, version), Refused)).code == "too-late"
        await players.h.ask(peer, Listen(8), Done)
        assert match.version == version and may(match)[seat], "nothing happened"


async def test_undo_restores_the_bank_of_that_time(tmp_path: Path) -> None:
    pace = Pace(Run.LIVE, 10, 60)
    async with playing(tmp_path, pace, 1) as players:
        match, clocks = players.table.match, players.h.only()._play._match_clock.clocks
        while not any(may(match)):
            await players.act(match.owed[0])
        seat = next(seat for seat in range(SEATS) if may(match)[seat])
        peer = players.peers[seat]
        assert peer is not None
        await players.h.ask(peer, Undo(7, match.version), Done)
        before = clocks.left(seat, players.h.only()._play._match_clock.now)
        await players.wait(25)
        await players.act(seat)
        await players.wait(5)
        await players.h.ask(peer, Undo(7, match.version), Done)
        assert clocks.left(seat, players.h.only()._play._match_clock.now) == before - 30_000
        match_clock = players.h.only()._play._match_clock
        left = match_clock.told().clocks[seat].left
    async with open_lobby(tmp_path, first, rules=MB1984, pace=BOTS) as h:
        assert h.only()._play._match_clock.told().clocks[seat].left == left, "a restart knows it, too"


async def test_a_restart_forgets_nothing_that_a_player_used_before_a_bot_took_the_seat(
    tmp_path: Path,
) -> None:
    async def never(*_: object) -> bytes:
        await asyncio.get_running_loop().create_future()
        return b""

    pace = Pace(Run.POST, 10, 60)
    async with open_lobby(tmp_path, never, rules=MB1984) as h:
        people = await h.match(2, pace=pace)
        (seat,) = h.only().table.match.owed
        version = h.only().table.match.version
        await h.pass_time(25)
        await h.ask(people[seat], Leave(9), Left)
        await h.pass_time(100)
        assert h.only().table.match.version == version, "the bot thinks, and uses no clock"
    async with open_lobby(tmp_path, first, rules=MB1984, timekeeping=True) as h:
        await h.pass_time(1)
        kept = await h.store.claim(h.only().match)
        assert kept is not None and kept.entries[version].used == ((seat, 25_000),)


async def test_a_player_whose_time_is_up_wins_none_by_coming_back_before_the_bot_decides(tmp_path: Path) -> None:
    pace = Pace(Run.LIVE, 10, 0, 0, Late.SEAT)
    async with playing(tmp_path, pace, 1) as players:
        match = players.table.match
        (seat,) = match.owed
        peer, version = players.peers[seat], match.version
        assert peer is not None
        await players.wait(10.1)
        for _ in range(20):
            await players.h.ask(peer, Listen(8), Done)
            await players.wait(0.3)
        assert match.version > version, "the bot decided all the same"
