"""A match to which no person comes rests, costs nothing, and goes if no person ever played in it."""

import asyncio
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from server.addresses import A_SITE, counted
from server.archive.retention import OFTEN, UNPLAYED, Retention
from server.matches.running_match import RESTS_AFTER, RESTS_AT_LAST
from server.matches.task import LINGER
from server.storage.port import AWAKE, Store
from shared import messages as m
from shared.tables import LOOKING_ON, Late, Pace, Run, SeatKind
from tests.server.fakes import FakeClock, settle
from tests.server.lobby_harness import LobbyHarness, name, open_lobby, person
from tests.server.records import KINDS

FAST = Pace(Run.LIVE, 1)


def version(h: LobbyHarness) -> int:
    return int(h.only().table.match.version)


async def abandoned(h: LobbyHarness, pace: Pace = FAST, people: int = 2) -> tuple[str, list[bytes]]:
    """A match whose people are gone; its id and their tokens."""
    peers = await h.match(people, pace=pace)
    tokens = [h.token(peer) for peer in peers]
    await h.only().table.save()
    for peer in peers:
        await h.drop(peer)
    return h.only().match, tokens


async def steps(h: LobbyHarness, count: int, seconds: float = 1.0) -> None:
    for _ in range(count):
        await h.pass_time(seconds)


@pytest.mark.parametrize("late", [Late.DEFAULT, Late.BOT])
async def test_an_abandoned_match_rests_and_sleeps_until_a_person_comes(tmp_path: Path, late: Late) -> None:
    async with open_lobby(tmp_path, timekeeping=True) as h:
        await h.pass_time(1)
        match, tokens = await abandoned(h, Pace(Run.LIVE, 1, 0, 0, late))
        await steps(h, 30)
        resting = version(h)
        assert resting <= 3 * RESTS_AFTER, "a few decisions were taken"
        record = h.only().table.record
        assert record.rested and record.due == 0 and await h.store.due() == {}
        await steps(h, 10)
        assert version(h) == resting
        await h.pass_time(LINGER)
        assert h.lobby.tables == 0
        await h.pass_time(100_000)
        assert h.lobby.tables == 0, "nothing wakes it"
        back = person()
        told = await h.ask(back, m.Resume(1, match, tokens[0]), m.Clock)
        assert not told.paused and told.left == 1 and version(h) == resting
        assert (await h.store.due()) == {match: AWAKE}
        await h.ask(back, name(h, 1, 4), m.Accepted)
        await steps(h, 20)
        assert version(h) > resting + 2, "with a person present the others are decided for"


async def test_a_spectator_sees_a_resting_match_and_does_not_wake_it(tmp_path: Path) -> None:
    async with open_lobby(tmp_path, timekeeping=True) as h:
        await h.pass_time(1)
        match, _ = await abandoned(h)
        await steps(h, 30)
        await h.pass_time(LINGER)
        told = await h.ask(person("Guest"), m.Watch(1, match), m.Clock)
        assert told.paused and told.left == 0
        before = version(h)
        await steps(h, 100)
        assert version(h) == before and h.only().table.record.rested


async def test_a_spectator_who_follows_a_match_to_another_server_does_not_wake_it(tmp_path: Path) -> None:
    async with open_lobby(tmp_path, timekeeping=True) as h:
        await h.pass_time(1)
        await abandoned(h)
        await steps(h, 30)
        h.only().return_to(person("Guest"), LOOKING_ON, "Guest", listens=False)
        await h.quiet()
        assert h.only().table.audience.watchers == 1 and h.only().table.record.rested


async def test_a_resting_match_rests_after_a_kill(tmp_path: Path) -> None:
    async with open_lobby(tmp_path, timekeeping=True) as h:
        await h.pass_time(1)
        match, tokens = await abandoned(h)
        await steps(h, 30)
        before = version(h)
        async with open_lobby(tmp_path, store=h.store, awake=False, timekeeping=True) as again:
            await steps(again, 30)
            assert again.lobby.tables == 0
            await again.ask(person(), m.Resume(1, match, tokens[1]), m.Seated)
            assert version(again) == before
            left = [each.left for each in again.only()._play._match_clock.told().clocks]
            assert left == [1000, 1000], "nobody paid for the rest"


async def test_decisions_are_counted_over_sleep_and_restarts(tmp_path: Path) -> None:
    """With a clock longer than a match stays in memory it is woken for each decision."""
    pace = Pace(Run.POST, round(LINGER) + 100)
    async with open_lobby(tmp_path, timekeeping=True) as h:
        await h.pass_time(1)
        await abandoned(h, pace)
        for _ in range(60):
            await h.pass_time(LINGER / 2)
            await h.pass_time(0.01)
        assert h.lobby.tables == 0 and await h.store.due() == {}


async def test_a_person_who_only_looks_keeps_the_match_going(tmp_path: Path) -> None:
    async with open_lobby(tmp_path, timekeeping=True) as h:
        people = await h.match(pace=FAST)
        await h.drop(people[1])
        await steps(h, 50)
        assert version(h) > 40 and not h.only().table.record.rested


async def test_by_post_a_match_goes_on_as_long_as_one_of_them_plays(tmp_path: Path) -> None:
    async with open_lobby(tmp_path, timekeeping=True) as h:
        await h.pass_time(1)
        match, tokens = await abandoned(h, Pace(Run.POST, 3600))
        for command in range(1, 3 * RESTS_AFTER):
            back = person()
            await h.ask(back, m.Resume(1, match, tokens[0]), m.Seated)
            tokens[0] = h.token(back)
            await h.ask(back, name(h, command, 4), m.Accepted)
            await h.drop(back)
            await h.pass_time(3700)
            await h.pass_time(0.01)
            assert len((await h.store.look(match)).table.chairs) == 2  # type: ignore[union-attr]
        async with open_lobby(tmp_path, store=h.store) as again:
            assert not again.only().table.record.rested


async def test_a_match_in_which_some_never_decide_rests_at_last(tmp_path: Path) -> None:
    async with open_lobby(tmp_path, timekeeping=True) as h:
        await h.pass_time(1)
        await abandoned(h, people=3)
        chair = h.only().table.seating.chairs[2].record
        play = h.only()._play
        chair.stand_in = ""
        original = play._count_missed
        play._count_missed = lambda entry: None if entry.seat == 2 else original(entry)
        await steps(h, RESTS_AT_LAST)
        assert h.only().table.record.rested


async def test_bots_of_people_who_left_do_not_play_for_ever(tmp_path: Path) -> None:
    async with open_lobby(tmp_path, timekeeping=True, pace=1.0) as h:
        await h.pass_time(1)
        people = await h.match(pace=FAST)
        for peer in people:
            await h.ask(peer, m.Leave(9), m.Left)
        assert [chair.kind for chair in h.only().table.seating.chairs] == [SeatKind.STAND_IN] * 2
        await h.pass_time(LINGER + 1)
        assert h.lobby.tables == 0
        await h.pass_time(100_000)
        assert h.lobby.tables == 0


# --- what goes ---


@pytest.fixture(params=KINDS)
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    """Each store in turn."""
    opened = await KINDS[request.param].open(tmp_path, time.time)
    yield opened
    await opened.close()


async def looked(store: Store, h: LobbyHarness, seconds: float) -> None:
    """Run the deletions of a server that starts so many seconds later and runs for an hour."""
    clock, date = FakeClock(), time.time() + seconds
    work = Retention(store, clock, lambda: date, float("inf"), h.lobby.knows)
    work.begin()
    for _ in range(20):
        await h.quiet()
    await clock.advance(OFTEN)
    while work._work:
        await settle()
        await store.due()
        await clock.advance(0.1)
        await asyncio.sleep(0.01)
    await work.stop()


async def test_a_match_that_no_person_ever_played_in_goes_after_a_day(tmp_path: Path, store: Store) -> None:
    async with open_lobby(tmp_path, store=store) as h:
        match, _ = await abandoned(h)
        await steps(h, 30)
        await h.pass_time(LINGER)
        await h.quiet()
        assert h.lobby.tables == 0
        await looked(store, h, UNPLAYED - 60)
        assert await store.look(match) is not None
        await looked(store, h, UNPLAYED + 60)
        assert await store.look(match) is None


async def test_a_match_in_which_a_person_acted_once_stays(tmp_path: Path, store: Store) -> None:
    async with open_lobby(tmp_path, store=store) as h:
        people = await h.match(pace=FAST)
        match = h.only().match
        await h.ask(people[0], name(h, 1, 4), m.Accepted)
        for peer in people:
            await h.drop(peer)
        await steps(h, 30)
        await h.pass_time(LINGER)
        await h.quiet()
        glance = await store.look(match)
        assert glance is not None and not glance.table.unplayed
        # Even if a server of an earlier version has lost the mark.
        kept = await store.claim(match)
        assert kept is not None
        kept.table.unplayed = True
        await store.save(kept.table, kept.epoch)
        await looked(store, h, UNPLAYED + 60)
        glance = await store.look(match)
        assert glance is not None and not glance.table.unplayed


async def test_a_match_of_an_earlier_version_stays(tmp_path: Path, store: Store) -> None:
    async with open_lobby(tmp_path, store=store) as h:
        match, _ = await abandoned(h)
        h.only().table.record.unplayed = False
        await steps(h, 30)
        await h.pass_time(LINGER)
        await h.quiet()
        await looked(store, h, 10 * UNPLAYED)
        assert await store.look(match) is not None


# --- limits ---


async def test_unfinished_matches_count_for_the_site_of_an_ipv6_address_too(h: LobbyHarness) -> None:
    """Such a client owns a /48: it would have a fresh address for each match."""
    h.lobby._unfinished = 1
    for number in range(A_SITE):
        host = person("Nero", counted(f"2001:db8:1:{number}::1"))
        await h.ask(host, m.Create(1, "toy", 2, {"rounds": 1}, "t"), m.Seated)
        await h.ask(host, m.SetBot(2, 1, "greedy"), m.Done)
        await h.ask(host, m.Start(3), m.Done)
        await h.pass_time(60)
    refused = await h.ask(person("Nero", counted("2001:db8:1:ff::1")), m.Create(1, "toy", 2, {}, "t"), m.Refused)
    assert refused.code == "enough"
    await h.ask(person("Otho", counted("2001:db8:2::1")), m.Create(1, "toy", 2, {}, "t"), m.Seated)


async def test_unfinished_matches_count_for_the_address_that_made_them(h: LobbyHarness) -> None:
    h.lobby._unfinished = 3
    for _ in range(3):
        host = person("Nero", "192.0.2.1")
        await h.ask(host, m.Create(1, "toy", 2, {"rounds": 1}, "t"), m.Seated)
        await h.ask(host, m.SetBot(2, 1, "greedy"), m.Done)
        await h.ask(host, m.Start(3), m.Done)
        await h.pass_time(60)
    refused = await h.ask(person("Nero", "192.0.2.1"), m.Create(1, "toy", 2, {}, "t"), m.Refused)
    assert refused.code == "enough"
    await h.ask(person("Otho", "192.0.2.2"), m.Create(1, "toy", 2, {}, "t"), m.Seated)
    await h.ask(person("Anna"), m.Create(1, "toy", 2, {}, "t"), m.Seated)
    await h.pass_time(LINGER)
    assert len(h.lobby._begun) == 3, "asleep or awake"
    task = next(task for task in h.lobby.tasks if task.table.record.title == "t" and task.table.match is not None)
    assert await task._play.end()
    await h.quiet()
    await h.ask(person("Nero", "192.0.2.1"), m.Create(1, "toy", 2, {}, "t"), m.Seated)
