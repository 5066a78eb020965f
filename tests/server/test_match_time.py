"""A common age of several servers never decreases, and no seat is charged when a match moves from one to another."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Final

import pytest
from msgspec import structs

from server.delivery.peer import Peer
from server.lobby.wakeups import AGREED, SEARCH_PAUSE
from server.matches.match_clock import MatchClock
from server.matches.match_time import MatchTime
from server.matches.task import LINGER
from server.storage.port import AWAKE, Fit, StoredMatch
from server.storage.sqlite import SqliteStore
from shared.history import Entry
from shared.messages import Accepted, Clock, Resume
from shared.tables import Pace, Run
from tests.server.fakes import FakeClock
from tests.server.lobby_harness import LobbyHarness, name, open_lobby, person

LIVE: Final = Pace(Run.LIVE, 10, 60, 30)
POST: Final = Pace(Run.POST, 3600, 86_400)
SETTLING: Final = 5.0
SILENT: Final = 4.5
STEP: Final = 0.5
"""Seconds for which the dead server had been silent when its match was taken."""


# --- the age itself ---


async def test_it_begins_with_one_and_grows_once_people_may_be_back() -> None:
    clock = FakeClock()
    age, older = MatchTime(clock), MatchTime(clock, 70_000, SETTLING)
    assert (age.now, older.now) == (1, 70_000)
    await clock.advance(3)
    assert (age.now, older.now) == (3001, 70_000)
    await clock.advance(4)
    assert (age.now, older.now) == (7001, 72_000)


async def test_seconds_until_an_age() -> None:
    clock = FakeClock()
    age = MatchTime(clock, 1000, SETTLING)
    assert (age.until(1000), age.until(1), age.until(4000)) == (0.0, 0.0, SETTLING + 3)
    await clock.advance(6)
    assert age.until(4000) == 2.0


@pytest.mark.parametrize("passed", [0, 3, 8])
async def test_it_jumps_forward_and_never_back(passed: float) -> None:
    clock = FakeClock()
    age = MatchTime(clock, 1000, SETTLING)
    await clock.advance(passed)
    before = age.now
    age.reach(before - 500)
    assert age.now == before
    age.reach(before + 500)
    assert age.now == before + 500
    await clock.advance(SETTLING)
    assert age.now == before + 500 + 1000 * min(SETTLING, passed)


async def test_a_match_that_is_awake_feels_no_jump_and_remembers_it() -> None:
    clock = FakeClock()
    age = MatchTime(clock, 1000)
    own = age.of_match(0, 0)
    age.reach(4000)
    await clock.advance(2)
    assert (age.now, own.now, age.lag_of(own)) == (6000, 3000, 3000)
    assert age.of_match(3000, 0).now == 3000
    assert age.of_match(3000, 5500).now == 5500, "it never goes back"


async def test_a_match_that_was_taken_stands_still_at_first() -> None:
    clock = FakeClock()
    age = MatchTime(clock, 100_000, SETTLING)
    await clock.advance(20)
    own = age.of_match(4000, 0, taken=True)
    assert own.now == age.now - 4000 and age.lag_of(own) == 9000
    await clock.advance(3)
    assert own.now == 115_000 - 4000
    await clock.advance(3)
    assert own.now == 115_000 - 4000 + 1000 == age.now - 9000


# --- several servers ---


class Shelf(SqliteStore):
    """Store file for several servers in one process.

    As long as `dead` is not set, no server takes a match with a running clock. From then on its owner counts as silent
    for so long."""

    shared = True
    dead = 0.0

    async def claim(self, match: str, fit: Fit | None = None) -> StoredMatch | None:
        """See Store."""
        stored = await super().claim(match, fit)
        return None if stored is None else structs.replace(stored, silent=self.dead)

    async def due(self) -> dict[str, int]:
        """See Store."""
        return {match: due for match, due in (await super().due()).items() if self.dead or due > AWAKE}


@asynccontextmanager
async def shelf(path: Path) -> AsyncIterator[Shelf]:
    """An empty one."""
    store = await Shelf.open(path / "db")
    assert isinstance(store, Shelf)
    yield store
    await store.close()


async def together(seconds: float, *houses: LobbyHarness) -> None:
    """All live through the same time, and keep their age. Alarms ring at the ends of steps, so that it does not matter
    how soon the store answers."""
    while seconds > 0:
        for each in houses:
            await each.pass_time(min(STEP, seconds))
        seconds = round(seconds - STEP, 6)


async def take(h: LobbyHarness, store: Shelf, match: str, tokens: list[bytes], silent: float) -> list[Peer]:
    """The match is there now, and its people too."""
    store.dead = silent
    people = [person(), person()]
    for peer, token in zip(people, tokens, strict=True):
        await h.ask(peer, Resume(1, match, token), Clock)
    store.dead = 0.0
    return people


def match_clock(h: LobbyHarness) -> MatchClock:
    found: MatchClock = h.only()._play._match_clock
    return found


def used(h: LobbyHarness, seat: int) -> int:
    """Milliseconds that a seat has been deciding."""
    return match_clock(h).clocks.used(seat, match_clock(h).now)


async def act(h: LobbyHarness, peer: Peer, command: int) -> None:
    """Play a number for a player."""
    await h.ask(peer, name(h, command, 3), Accepted)


async def log_of(h: LobbyHarness, match: str) -> list[Entry]:
    """Return the stored log of a match that its owner has lost."""
    stored = await h.store.claim(match)
    assert stored is not None
    return stored.entries


async def keys(h: LobbyHarness) -> list[bytes]:
    """To both seats, kept."""
    tokens = [h.only().table.seating.chairs[seat].offer_token() for seat in range(2)]
    await h.only().table.save()
    return tokens


@pytest.mark.long
@pytest.mark.parametrize("deaths", [1, 2, 3])
@pytest.mark.parametrize("pace", [LIVE, POST], ids=["live", "post"])
async def test_the_death_of_an_owner_costs_players_no_time(tmp_path: Path, pace: Pace, deaths: int) -> None:
    """Nor for a second and a third one within the same decision."""
    async with shelf(tmp_path) as store, AsyncExitStack() as stack:
        houses = [
            await stack.enter_async_context(
                open_lobby(tmp_path, store=store, awake=False, timekeeping=True, settling=SETTLING)
            )
            for _ in range(deaths + 1)
        ]
        await together(17, *houses)
        people = await houses[0].match(pace=pace)
        match = houses[0].only().match
        await together(2, *houses)
        await act(houses[0], people[0], 1)
        await together(12.5, *houses)
        assert used(houses[0], 1) == 14_500
        thought = 14_500
        for dead in range(deaths):
            tokens, living = await keys(houses[dead]), houses[dead + 1 :]
            await together(SILENT, *living)
            people = await take(living[0], store, match, tokens, SILENT)
            assert used(living[0], 1) == thought, "the owner's silence is not charged"
            await together(SETTLING - 1, *living)
            assert used(living[0], 1) == thought, "nor are the seconds in which people come back"
            await together(3, *living)
            thought += 2000
            assert used(living[0], 1) == thought
        await act(living[0], people[1], 1)
        left = (10, 60) if pace is LIVE else (3600, 86_400)
        bank = min(left[1], left[1] + left[0] - thought / 1000) if pace is LIVE else left[1]
        assert match_clock(living[0]).clocks.banks[1].left == bank * 1000
        entries = await log_of(living[0], match)
        assert [entry.used for entry in entries if entry.seat == 1] == [((1, thought),)]
        assert [entry.at for entry in entries] == sorted(entry.at for entry in entries)


async def test_time_is_up_on_the_second_after_a_move(tmp_path: Path) -> None:
    async with (
        shelf(tmp_path) as store,
        open_lobby(tmp_path, store=store, timekeeping=True, settling=SETTLING) as first,
        open_lobby(tmp_path, store=store, awake=False, timekeeping=True, settling=SETTLING) as second,
    ):
        await together(10, first, second)
        people = await first.match(pace=LIVE)
        match = first.only().match
        await act(first, people[0], 1)
        await together(30, first, second)
        tokens = await keys(first)
        await together(SILENT, second)
        await take(second, store, match, tokens, SILENT)
        told = match_clock(second).told()
        assert (told.seats, told.clocks[1].left) == ((1,), 40_000)
        await together(SETTLING + 40 - 0.01, second)
        assert second.only().table.match.version == 1
        await together(0.02, second)
        assert second.only().table.match.version > 1


@pytest.mark.parametrize("pace", [LIVE, POST], ids=["live", "post"])
@pytest.mark.parametrize("stopped", [False, True])
async def test_after_a_release_the_real_pause_is_charged_and_nothing_else(
    tmp_path: Path, pace: Pace, stopped: bool
) -> None:
    async with (
        shelf(tmp_path) as store,
        open_lobby(tmp_path, store=store, timekeeping=True) as first,
        open_lobby(tmp_path, store=store, awake=False, timekeeping=True) as second,
    ):
        await together(10, first, second)
        people = await first.match(pace=pace)
        match = first.only().match
        await act(first, people[0], 1)
        await together(12, first, second)
        tokens = await keys(first)
        if stopped:
            await first.lobby.stop()
        else:
            first.only()._has_lingered = lambda: True
            for peer in people:
                await first.drop(peer)
        assert first.lobby.tables == 0
        await together(0.25, second)
        people = await take(second, store, match, tokens, 0.0)
        assert used(second, 1) == 12_250
        await together(1, second)
        await act(second, people[1], 1)
        (entry,) = [entry for entry in await log_of(second, match) if entry.seat == 1]
        assert entry.used == ((1, 13_250),)


async def test_servers_agree_on_their_age_and_a_match_feels_no_jump(tmp_path: Path) -> None:
    """A server stood still for half a minute: its clock does not count that, the others' do."""
    async with (
        shelf(tmp_path) as store,
        open_lobby(tmp_path, store=store, awake=False, timekeeping=True) as first,
        open_lobby(tmp_path, store=store, awake=False, timekeeping=True) as second,
    ):
        people = await first.match(pace=LIVE)
        match = first.only().match
        await act(first, people[0], 1)
        await together(8, first, second)
        await together(30, second)
        await together(2 * AGREED, first, second)
        ages = [each.lobby._services.age.now for each in (first, second)]
        assert abs(ages[0] - ages[1]) <= 1000 * AGREED and ages[1] == 40_001
        assert used(first, 1) == 10_000, "the jump is not charged"
        tokens = await keys(first)
        await first.lobby.stop()
        people = await take(second, store, match, tokens, 0.0)
        assert abs(used(second, 1) - 10_000) <= 1000 * AGREED, "nor is it after a move"
        await act(second, people[1], 1)
        entries = await log_of(second, match)
        assert [entry.at for entry in entries] == sorted(entry.at for entry in entries)


async def test_an_age_that_was_not_kept_in_time_is_read_off_the_log(tmp_path: Path) -> None:
    """The owner died before it stored its age again: the new owner takes the age of the last log entry."""
    async with (
        shelf(tmp_path) as store,
        open_lobby(tmp_path, store=store, awake=False, timekeeping=True) as first,
    ):
        first.lobby._services.age.reach(50_000)
        people = await first.match(pace=LIVE)
        match = first.only().match
        await act(first, people[0], 1)
        async with open_lobby(tmp_path, store=store, awake=False) as second:
            age = second.lobby._services.age
            assert age.now == 1
            people = await take(second, store, match, await keys(first), SILENT)
            assert age.now == 50_000 and match_clock(second).now == 50_000
            await second.pass_time(2)
            await act(second, people[1], 1)
            assert [entry.at for entry in await log_of(second, match) if entry.seat == 1] == [52_000]


async def test_a_server_alone_reads_no_other_age_off_a_log(tmp_path: Path) -> None:
    async with open_lobby(tmp_path) as h:
        h.lobby._services.age.reach(50_000)
        anna, _ = await h.match(pace=LIVE)
        await act(h, anna, 1)
        await h.only().table.save()
        async with open_lobby(tmp_path, store=h.store) as again:
            assert (again.lobby._services.age.now, match_clock(again).now) == (1, 50_000)


async def test_living_nodes_take_matches_of_dead_ones(tmp_path: Path) -> None:
    async with (
        shelf(tmp_path) as store,
        open_lobby(tmp_path, store=store, timekeeping=True) as first,
        open_lobby(tmp_path, store=store, awake=False, timekeeping=True) as second,
    ):
        await together(1, first, second)
        people = await first.match(pace=LIVE)
        await act(first, people[0], 1)
        await together(3 * SEARCH_PAUSE, first, second)
        assert (first.lobby.tables, second.lobby.tables) == (1, 0)
        store.dead = SILENT
        await together(SEARCH_PAUSE + AGREED, second)
        assert second.lobby.tables == 1 and second.only().table.epoch == 2
        await together(80, second)
        assert second.only().table.match.version > 1, "and its clocks run"


@pytest.mark.long
async def test_a_match_by_post_is_woken_by_any_live_node_when_its_time_is_up(tmp_path: Path) -> None:
    async with (
        shelf(tmp_path) as store,
        open_lobby(tmp_path, store=store, timekeeping=True) as first,
        open_lobby(tmp_path, store=store, awake=False, timekeeping=True) as second,
    ):
        for peer in await first.match(pace=Pace(Run.POST, 600)):
            await first.drop(peer)
        await together(LINGER + 1, first, second)
        assert first.lobby.tables == 0
        await first.lobby.stop()
        await together(600 - LINGER - 1 - 3, second)
        assert second.lobby.tables == 0
        await together(SEARCH_PAUSE + 2, second)
        assert second.only().table.match.state.past == [(1, 1)]


async def test_a_match_that_another_has_is_left_to_it_and_looked_for_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with (
        shelf(tmp_path) as store,
        open_lobby(tmp_path, store=store, timekeeping=True) as first,
        open_lobby(tmp_path, store=store, awake=False, timekeeping=True) as second,
    ):
        await first.match(pace=LIVE)
        asked: list[str] = []

        async def owned(match: str) -> None:
            asked.append(match)

        with monkeypatch.context() as patched:
            patched.setattr(second.lobby._timekeeper, "_wake", owned)
            store.dead = SILENT
            await together(2 * SEARCH_PAUSE + 1, second)
            assert asked == [first.only().match] * 2 and second.lobby.tables == 0
        await together(SEARCH_PAUSE, second)
        assert second.lobby.tables == 1
