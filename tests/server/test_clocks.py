"""Clocks at a table: what decisions take, what is done when time is up, what restarts, sleep, pauses make of it."""

import asyncio
import random
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, Final

import pytest

from server.connections.server_app import SETTLING
from server.delivery.peer import Peer
from server.lobby.wakeups import SAVED
from server.matches.match_clock import CREDIT, MatchClock
from server.matches.task import LINGER
from server.storage.port import AWAKE
from shared import messages as m
from shared.history import Deed, Entry
from shared.rulesets.registry import RULESETS
from shared.tables import THE_TABLE, Late, Pace, Run, SeatKind
from tests.server.fakes import FakeLink, serving
from tests.server.lobby_harness import LobbyHarness, failing, link, name, open_lobby, person, shown
from tests.support.marks import in_stages

LIVE: Final = Pace(Run.LIVE, 10, 60, 30)
POST: Final = Pace(Run.POST, 3600, 86_400)
"""Seconds that a first decision may take."""
POLICIES: Final = [Pace(pace.run, pace.each, pace.bank, pace.reserve, late) for pace in (LIVE, POST) for late in Late]


def seconds(pace: Pace) -> int:
    """That a first decision may take."""
    return pace.each + pace.bank


async def log_of(h: LobbyHarness, match: str) -> list[Entry]:
    """Return the stored log of a match that its owner has lost."""
    stored = await h.store.claim(match)
    assert stored is not None
    return stored.entries


def banks(h: LobbyHarness) -> list[float]:
    """Seconds in the banks after the last decision."""
    return [fund.left / 1000 for fund in h.only()._play._match_clock.clocks.banks]


async def act(h: LobbyHarness, peer: Peer, command: int, number: int) -> None:
    """Play a number for a player, and wait until it is acknowledged."""
    await h.say(peer, name(h, command, number))
    answers = [each for each in link(peer).sent if isinstance(each, m.Accepted | m.Refused)]
    assert isinstance(answers[-1], m.Accepted) and answers[-1].command == command, answers


async def step(h: LobbyHarness, seconds: float) -> None:
    """So much time; what wakes up meanwhile reads from the disk, and goes on a moment later."""
    await h.pass_time(seconds)
    await h.pass_time(0.01)


def past(h: LobbyHarness) -> Any:
    return h.only().table.match.state.past


async def test_the_time_of_a_decision_is_logged_and_the_rest_is_told_to_all(tmp_path: Path) -> None:
    async with open_lobby(tmp_path) as h:
        anna, bert = await h.match(pace=LIVE)
        onlooker = person()
        await h.pass_time(4)
        told = await h.ask(onlooker, m.Watch(1, h.only().match), m.Clock)
        assert shown(told) == ((0, 1), 66) and not told.paused
        assert [(each.left, each.bank, each.reserve) for each in told.clocks] == [(66_000, 60_000, 30_000)] * 2
        await h.pass_time(21.5)
        await act(h, anna, 1, 3)
        for peer in (anna, bert, onlooker):
            told = link(peer).last(m.Clock)
            assert shown(told) == ((1,), 45)
            assert [(each.left, each.bank) for each in told.clocks] == [(54_500, 44_500), (44_500, 44_500)]
        await act(h, bert, 1, 3)
        entries = await log_of(h, h.only().match)
    assert [(entry.at, entry.used) for entry in entries] == [
        (25_501, ((0, 25_500),)),
        (25_501, ((1, 25_500),)),
        (25_501, ()),
    ]


async def test_a_match_without_clocks_knows_how_long_decisions_took_all_the_same(h: LobbyHarness) -> None:
    anna, _ = await h.match()
    await h.pass_time(7)
    await act(h, anna, 1, 3)
    assert link(anna).last(m.Clock) == m.Clock((1,), 0)
    (entry,) = await log_of(h, h.only().match)
    assert (entry.at, entry.used) == (7001, ((0, 7000),))


@pytest.mark.parametrize(
    ("late", "words"),
    [
        (Late.DEFAULT, ["Time is up for Person 1: the usual was done."]),
        (Late.BOT, ["Time is up for Person 1: a bot decided."]),
        (Late.SEAT, []),
    ],
)
async def test_the_table_says_once_what_was_done_for_a_player(h: LobbyHarness, late: Late, words: list[str]) -> None:
    anna, bert = await h.match(pace=Pace(Run.LIVE, 10, 60, 30, late))
    await act(h, anna, 1, 9)
    await h.pass_time(71)
    assert len(past(h)) == 1
    for peer in (anna, bert):
        said = [each for each in link(peer).sent if isinstance(each, m.Said)]
        assert [(each.seat, each.text) for each in said] == [(THE_TABLE, text) for text in words]


@pytest.mark.parametrize("pace", POLICIES, ids=lambda pace: f"{pace.run.name}-{pace.late.name}")
async def test_when_time_is_up_the_table_has_its_way(h: LobbyHarness, pace: Pace) -> None:
    anna, bert = await h.match(pace=pace)
    await act(h, anna, 1, 9)
    await h.pass_time(seconds(pace) - 0.001)
    assert h.only().table.match.version == 1
    await h.pass_time(0.001)
    assert past(h) == [(9, 1 if pace.late is Late.DEFAULT else 5)]
    kinds = [seat.kind for seat in link(anna).last(m.TableState).seats]
    assert kinds == [SeatKind.PERSON, SeatKind.STAND_IN if pace.late is Late.SEAT else SeatKind.PERSON]
    assert banks(h)[1] == 0
    await act(h, anna, 2, 9)
    await h.pass_time(pace.each - 0.001)
    assert len(past(h)) == (2 if pace.late is Late.SEAT else 1)
    await h.pass_time(0.002)
    assert len(past(h)) == 2, "with an empty bank there are the seconds of the decision"
    match = h.only().match
    log = await log_of(h, match)
    assert next(used for entry in log for seat, used in entry.used if seat == 1) == seconds(pace) * 1000
    assert not any(entry.command for entry in log if entry.seat == 1)
    del bert


async def test_a_person_whose_seat_a_bot_took_is_back_with_the_first_message(tmp_path: Path) -> None:
    async with open_lobby(tmp_path) as h:
        anna, bert = await h.match(pace=Pace(Run.LIVE, 10, 60, 0, Late.SEAT))
        await h.pass_time(70)
        assert [seat.kind for seat in link(anna).last(m.TableState).seats] == [SeatKind.STAND_IN] * 2
        assert past(h)[0] == (5, 5), "bots play for both"
    async with open_lobby(tmp_path / "other") as h:
        anna, bert = await h.match(pace=Pace(Run.LIVE, 10, 60, 0, Late.SEAT))
        await act(h, anna, 1, 9)
        await h.pass_time(70)
        assert past(h) == [(9, 5)]
        await h.say(bert, m.Say(9, "Here I am."))
        assert link(anna).last(m.TableState).seats[1].kind is SeatKind.PERSON
        await act(h, anna, 2, 9)
        await act(h, anna, 3, 9)
        await h.pass_time(9.5)
        assert past(h) == [(9, 5)] * 2, "he has the seconds of a decision"
        await act(h, bert, 1, 2)
        assert past(h) == [(9, 5), (9, 5), (9, 2)] and banks(h)[1] == 0.5


async def test_leaving_and_returning_gains_no_time(tmp_path: Path) -> None:
    asked: list[bytes] = []

    async def never(*_: object) -> bytes:
        asked.append(b"")
        await _forever()
        return b""

    async with open_lobby(tmp_path, never) as h:
        anna, _ = await h.match(pace=LIVE)
        token = h.token(anna)
        await h.pass_time(30)
        await h.ask(anna, m.Leave(9), m.Left)
        await h.pass_time(15)
        assert asked, "a bot thinks about the same decision"
        back = Peer(FakeLink(), "Anna")
        await h.ask(back, m.Resume(1, h.only().match, token), m.Seated)
        assert link(back).last(m.Clock).clocks[0].left == 25_000, "the deadline is where it was"
        await h.pass_time(25)
        assert past(h) == [(1, 1)]


async def _forever() -> None:
    await asyncio.get_running_loop().create_future()


@pytest.mark.parametrize(("latency", "credited"), [(0.0, 0), (0.3, 300), (0.5, 500), (9.0, CREDIT)])
async def test_network_delay_is_credited_within_bounds(tmp_path: Path, latency: float, credited: int) -> None:
    async with open_lobby(tmp_path) as h:
        anna, bert = await h.match(pace=LIVE)
        link(anna).latency = latency
        await h.pass_time(25)
        await act(h, anna, 1, 3)
        assert banks(h)[0] == 45 + credited / 1000
        await act(h, bert, 1, 3)
        await h.pass_time(55 + 2 * credited / 1000 - 0.01)
        log = await log_of(h, h.only().match)
        assert [dict(entry.used).get(0) for entry in log if entry.seat == 0] == [25_000 - credited]
    async with open_lobby(tmp_path / "other") as h:
        anna, bert = await h.match(pace=LIVE)
        link(anna).latency = latency
        await act(h, bert, 1, 3)
        await h.pass_time(70 + credited / 1000 - 0.01)
        assert past(h) == [], "what is on its way still counts"
        await h.pass_time(0.02)
        assert past(h) == [(1, 3)]


async def test_an_answer_that_took_no_time_is_not_credited_more_than_it_took(h: LobbyHarness) -> None:
    anna, _ = await h.match(pace=LIVE)
    link(anna).latency = 0.4
    await h.pass_time(0.1)
    await act(h, anna, 1, 3)
    (entry,) = await log_of(h, h.only().match)
    assert entry.used == ((0, 0),)


async def test_a_bidder_uses_the_reserve(tmp_path: Path) -> None:
    async with open_lobby(tmp_path, rules=RULESETS["cote2"]) as h:
        await h.match(3, pace=LIVE)
        match = h.only().table.match
        (seat,) = match.owed
        frame = match.frame
        await h.pass_time(39.9)
        assert h.only().table.match.frame == frame
        await h.pass_time(0.2)
        assert h.only().table.match.frame != frame or h.only().table.match.owed != (seat,)
        clocks = h.only()._play._match_clock.clocks
        assert (clocks.reserves[seat].left, clocks.banks[seat].left) == (0, 60_000)


async def test_bots_use_no_clock(h: LobbyHarness) -> None:
    anna = Peer(FakeLink(), "Anna")
    await h.ask(anna, m.Create(1, "toy", 2, {"rounds": 3}, "t", pace=LIVE), m.Seated)
    await h.ask(anna, m.SetBot(2, 1, "greedy"), m.Done)
    await h.ask(anna, m.Start(3), m.Done)
    await h.pass_time(5)
    await act(h, anna, 1, 3)
    log = await log_of(h, h.only().match)
    assert {entry.seat: entry.used for entry in log} == {0: ((0, 5000),), 1: (), -1: ()}


@pytest.mark.parametrize("pace", [Pace(Run.LIVE, 0, 600), Pace(Run.POST, 0, 0)])
async def test_clocks_without_any_time_are_refused(h: LobbyHarness, pace: Pace) -> None:
    create = m.Create(1, "toy", 2, {}, "t", pace=pace)
    assert (await h.ask(person(), create, m.Refused)).code == "bad-pace"


async def test_a_failed_automatic_decision_is_retried(h: LobbyHarness) -> None:
    anna, _ = await h.match(pace=LIVE)
    await act(h, anna, 1, 3)
    with failing(h.store):
        await h.pass_time(71)
        assert past(h) == []
    await h.pass_time(2)
    assert past(h) == [(3, 1)]


# --- restarts ---


@pytest.mark.parametrize("pace", [LIVE, POST, Pace(Run.POST, 50)], ids=["live", "post", "think"])
async def test_a_restart_in_good_order_changes_no_clock(tmp_path: Path, pace: Pace) -> None:
    think = {"think": 50} if not pace.bank else {"pace": pace}
    async with open_lobby(tmp_path, timekeeping=True) as h:
        anna, _ = await h.match(**think)
        match, token = h.only().match, h.token(anna)
        await h.pass_time(13)
        await act(h, anna, 1, 3)
        await h.pass_time(12)
        before = link(anna).last(m.Clock), banks(h)
        await h.only().table.save()
    async with open_lobby(tmp_path, timekeeping=True) as h:
        back = Peer(FakeLink(), "Anna")
        told = await h.ask(back, m.Resume(1, match, token), m.Clock)
        assert banks(h) == before[1]
        assert [each.left for each in told.clocks] == [
            before[0].clocks[0].left,
            before[0].clocks[1].left - 12_000,
        ]


async def test_the_first_decision_of_a_match_is_not_begun_anew_by_a_restart(tmp_path: Path) -> None:
    async with open_lobby(tmp_path, timekeeping=True) as h:
        await h.pass_time(100)
        await h.match(pace=LIVE)
        await h.pass_time(30)
    async with open_lobby(tmp_path) as h:
        assert h.only()._play._match_clock.told().left == 40


@pytest.mark.parametrize("thought", [0.0, 0.7, 4.9, 5.1, 33.3])
async def test_killing_the_server_costs_players_no_time(tmp_path: Path, thought: float) -> None:
    async with open_lobby(tmp_path, timekeeping=True) as h:
        await h.pass_time(17)
        anna, _ = await h.match(pace=LIVE)
        await h.pass_time(2)
        await act(h, anna, 1, 3)
        for _ in range(int(thought)):
            await h.pass_time(1)
        await h.pass_time(thought % 1)
        async with open_lobby(tmp_path, store=h.store) as again:
            used = again.only()._play._match_clock.clocks.used(1, again.only()._play._match_clock.now) / 1000
            assert max(0, 2 + thought - SAVED - 1) <= used <= 2 + thought
            assert banks(again) == banks(h)


@pytest.mark.parametrize("thought", [0.0, 0.5, 4.0, 13.0])
@pytest.mark.parametrize("orderly", [False, True], ids=["killed", "stopped"])
async def test_clocks_stand_still_while_people_come_back(tmp_path: Path, orderly: bool, thought: float) -> None:
    async with open_lobby(tmp_path, timekeeping=True) as h:
        await h.pass_time(17)
        anna, bert = await h.match(pace=LIVE)
        await act(h, bert, 1, 3)
        await h.pass_time(2)
        await act(h, anna, 1, 3)
        await act(h, anna, 2, 3)
        match, token = h.only().match, h.token(bert)
        await h.only().table.save()
        for _ in range(int(thought)):
            await h.pass_time(1)
        await h.pass_time(thought % 1)
        before = used(h, 1)
        if not orderly:
            async with open_lobby(tmp_path, store=h.store, timekeeping=True, settling=5) as again:
                await stands_still(again, match, token, before, thought)
    if orderly:
        async with open_lobby(tmp_path, timekeeping=True, settling=5) as again:
            await stands_still(again, match, token, before, 0.0)


async def stands_still(h: LobbyHarness, match: str, token: bytes, before: int, given: float) -> None:
    """Check that the five seconds after a start are charged to no seat; a kill may have added some time."""
    kept = used(h, 1)
    assert before - 1000 * min(given, SAVED + 1) <= kept <= before
    await h.pass_time(3)
    back = Peer(FakeLink(), "Bert")
    told = await h.ask(back, m.Resume(1, match, token), m.Clock)
    assert told.clocks[1].left == 1000 * (LIVE.each + LIVE.bank) - kept
    await h.pass_time(1.9)
    assert used(h, 1) == kept
    await h.pass_time(2.1)
    assert used(h, 1) == kept + 2000
    await h.pass_time((told.clocks[1].left - 2000) / 1000 - 0.01)
    version = h.only().table.match.version
    await h.pass_time(0.02)
    assert h.only().table.match.version > version, "his time was up on the second"


def used(h: LobbyHarness, seat: int) -> int:
    """Milliseconds that a seat has been deciding."""
    match_clock: MatchClock = h.only()._play._match_clock
    return match_clock.clocks.used(seat, match_clock.now)


async def test_a_decision_right_after_a_restart_has_a_time(tmp_path: Path) -> None:
    async with open_lobby(tmp_path, timekeeping=True, settling=5) as h:
        anna, _ = await h.match(pace=LIVE)
        await act(h, anna, 1, 3)
        await h.pass_time(15)
    async with open_lobby(tmp_path, settling=5) as h:
        assert used(h, 1) == 10_000, "it was not taken for a log without times"


async def test_a_started_server_is_as_old_as_it_was_and_grows_older_later(tmp_path: Path) -> None:
    async with serving(tmp_path) as app:
        await app.store.keep_age(50_000)
    before = asyncio.get_running_loop().time()
    async with serving(tmp_path) as app:
        age = app.lobby._services.age
        assert age.now == 50_000 and age._settled >= before + SETTLING


async def test_a_sleeping_match_is_woken_no_sooner_because_people_may_come_back(tmp_path: Path) -> None:
    async with open_lobby(tmp_path, timekeeping=True) as h:
        await h.pass_time(1)
        for peer in await h.match(pace=Pace(Run.POST, 3600)):
            await h.drop(peer)
        await h.pass_time(LINGER + 1)
    async with open_lobby(tmp_path, awake=False, timekeeping=True, settling=5) as h:
        await step(h, 3600 - LINGER - 1 + 4)
        assert h.lobby.tables == 0
        await step(h, 1)
        assert past(h) == [(1, 1)]


@pytest.mark.parametrize("seed", in_stages(range(12), range(4), range(8)))
async def test_after_any_number_of_kills_no_clock_has_lost_time(tmp_path: Path, seed: int) -> None:
    """Decisions and kills at any time, compared with a count of the seconds in which a server ran and a player
    decided."""
    rng, pace = random.Random(seed), rng_pace(seed)
    real = [float(pace.bank)] * 2
    async with open_lobby(tmp_path, timekeeping=True) as first, AsyncExitStack() as stack:
        await first.pass_time(rng.random() * 20)
        peers = await first.match(pace=pace)
        match = first.only().match
        h, command = first, 0
        running = [0.0, 0.0]
        for _ in range(14):
            waited = rng.choice((0.05, 0.2, 1.0, 4.0, 9.0)) * rng.random()
            await h.pass_time(waited)
            running = [passed + waited for passed in running]
            if rng.random() < 0.45:
                command += 1
                seat = rng.choice(h.only().table.match.owed)
                await act(h, peers[seat], command, 3)
                took, running[seat] = running[seat], 0.0
                if pace.run is Run.LIVE:
                    real[seat] = max(0.0, min(pace.bank, real[seat] + pace.each - took))
                else:
                    real[seat] -= max(0.0, took - pace.each)
                if len(h.only().table.match.owed) == 2:
                    running = [0.0, 0.0]
            else:
                h, peers = await killed(stack, tmp_path, h, match)
            clocks, now = h.only()._play._match_clock.clocks, h.only()._play._match_clock.now
            for seat in range(2):
                assert clocks.banks[seat].left / 1000 >= real[seat] - 0.25
                if seat in clocks.owing:
                    assert clocks.used(seat, now) / 1000 <= running[seat] + 0.25


def rng_pace(seed: int) -> Pace:
    """Return a pace; the kinds take turns."""
    return (LIVE, Pace(Run.POST, 3, 300), Pace(Run.LIVE, 2, 100))[seed % 3]


async def killed(stack: AsyncExitStack, path: Path, h: LobbyHarness, match: str) -> tuple[LobbyHarness, list[Peer]]:
    """Another server in the place of one that is never heard of again; all resume."""
    tokens = [h.running(match).table.seating.chairs[seat].offer_token() for seat in range(2)]
    await h.only().table.save()
    again = await stack.enter_async_context(open_lobby(path, store=h.store, timekeeping=True))
    peers = [Peer(FakeLink(), f"Person {seat}") for seat in range(2)]
    for seat, peer in enumerate(peers):
        await again.ask(peer, m.Resume(1, match, tokens[seat]), m.Seated)
    return again, peers


async def test_logs_from_before_anybody_looked_at_clocks_begin_now(tmp_path: Path) -> None:
    async with open_lobby(tmp_path) as h:
        await h.match(think=20)
        h.only().table.record.begun = 0
        await h.only().table.save()
        await h.store.keep_age(5_000_000)
    async with open_lobby(tmp_path) as h:
        assert shown(h.only()._play._match_clock.told()) == ((0, 1), 20)


async def test_an_age_that_was_lost_stops_no_clock(tmp_path: Path) -> None:
    async with open_lobby(tmp_path, timekeeping=True) as h:
        await h.pass_time(500)
        anna, _ = await h.match(pace=LIVE)
        await h.pass_time(10)
        await act(h, anna, 1, 3)
        await h.pass_time(1)
        await h.lobby._timekeeper.stop()
        await h.store._ask(lambda db: db.connection.execute("DELETE FROM life").rowcount)
        async with open_lobby(tmp_path, store=h.store) as again:
            assert again.only()._play._match_clock.told().left == 60
            await again.pass_time(5)
            assert again.only()._play._match_clock.told().left == 55


# --- sleep ---


@pytest.mark.parametrize("restart", [False, True])
async def test_a_match_that_sleeps_wakes_when_a_players_time_is_up(tmp_path: Path, restart: bool) -> None:
    async with open_lobby(tmp_path, timekeeping=True) as h:
        await h.pass_time(1)
        people = await h.match(pace=Pace(Run.POST, 3600, 1800))
        match = h.only().match
        for peer in people:
            await h.drop(peer)
        await h.pass_time(LINGER + 1)
        assert h.lobby.tables == 0
        if not restart:
            await h.pass_time(5400 - LINGER - 3)
            assert h.lobby.tables == 0
            await step(h, 3)
            assert past(h) == [(1, 1)]
            await h.pass_time(LINGER + 1)
            assert h.lobby.tables == 0 and len(await log_of(h, match)) == 3
    if restart:
        async with open_lobby(tmp_path, awake=False, timekeeping=True) as h:
            await h.pass_time(5400 - LINGER - 3)
            assert h.lobby.tables == 0
            await step(h, 3)
            assert past(h) == [(1, 1)] and h.only().match == match


async def test_a_match_without_a_clock_sleeps_until_a_player_comes(tmp_path: Path) -> None:
    async with open_lobby(tmp_path, timekeeping=True) as h:
        for peer in await h.match():
            await h.drop(peer)
        await h.pass_time(5000)
        assert h.lobby.tables == 0 and await h.store.due() == {}


async def test_a_match_that_was_awake_when_the_server_was_killed_is_looked_at_again(tmp_path: Path) -> None:
    async with open_lobby(tmp_path, timekeeping=True) as h:
        await h.match(pace=LIVE)
        match = h.only().match
        assert await h.store.due() == {match: AWAKE}
        async with open_lobby(tmp_path, store=h.store, awake=False, timekeeping=True) as again:
            await again.pass_time(0.01)
            assert again.only().match == match
            await again.pass_time(80)
            assert len(past(again)) >= 1, "nobody has come back, and the clocks run"


async def test_a_match_that_woke_up_is_looked_at_again_after_a_kill(tmp_path: Path) -> None:
    async with open_lobby(tmp_path, timekeeping=True) as h:
        people = await h.match(pace=POST)
        match, token = h.only().match, h.token(people[0])
        await h.only().table.save()
        for peer in people:
            await h.drop(peer)
        await h.pass_time(LINGER + 1)
        assert (await h.store.due())[match] > AWAKE
        await h.ask(person(), m.Resume(1, match, token), m.Seated)
        assert (await h.store.due())[match] == AWAKE


async def test_a_returning_player_in_a_match_of_bots_has_a_clock_too(tmp_path: Path) -> None:
    async def never(*_: object) -> bytes:
        await _forever()
        return b""

    async with open_lobby(tmp_path, never, timekeeping=True) as h:
        await h.pass_time(1)
        people = await h.match(pace=POST)
        match, token = h.only().match, h.token(people[0])
        await h.only().table.save()
        await h.drop(people[0])
        await h.only()._play.seat_bot(0)
        await h.ask(people[1], m.Leave(9), m.Left)
        await h.pass_time(LINGER + 1)
        assert h.lobby.tables == 0 and await h.store.due() == {}, "bots use no clock"
        await h.ask(person(), m.Resume(1, match, token), m.Seated)
        assert await h.store.due() == {match: AWAKE}


async def test_a_match_that_cannot_be_woken_is_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with open_lobby(tmp_path, timekeeping=True) as h:
        await h.pass_time(1)
        for peer in await h.match(pace=Pace(Run.POST, 600)):
            await h.drop(peer)
        await h.pass_time(LINGER + 1)
        with monkeypatch.context() as patched:
            patched.setattr(h.lobby, "rulesets", {})
            await h.pass_time(1000)
            assert h.lobby.tables == 0
        for _ in range(8):
            await step(h, 100)
            if h.lobby.tables:
                break
        assert len(past(h)) >= 1


# --- what a table agrees on ---


async def paused(h: LobbyHarness) -> None:
    assert await h.only()._play.pause()
    await h.quiet()


@pytest.mark.parametrize("restart", [False, True])
async def test_while_a_match_is_paused_nothing_happens(tmp_path: Path, restart: bool) -> None:
    async with open_lobby(tmp_path, timekeeping=True) as h:
        await h.pass_time(1)
        people = await h.match(pace=LIVE)
        match, tokens = h.only().match, [h.token(peer) for peer in people]
        await h.pass_time(20)
        await paused(h)
        told = link(people[1]).last(m.Clock)
        assert told.paused and told.left == 0 and [each.left for each in told.clocks] == [50_000] * 2
        await h.pass_time(500)
        assert (await h.ask(people[0], name(h, 1, 3), m.Refused)).code == "paused"
        assert not await h.only()._play.pause()
        await h.only().table.save()
        if not restart:
            await goes_on(h, people)
    if restart:
        async with open_lobby(tmp_path, timekeeping=True) as h:
            people = [person(), person()]
            for peer, token in zip(people, tokens, strict=True):
                assert (await h.ask(peer, m.Resume(1, match, token), m.Clock)).paused
            await h.pass_time(500)
            await goes_on(h, people)


async def goes_on(h: LobbyHarness, people: Sequence[Peer]) -> None:
    assert await h.only()._play.go_on() and not await h.only()._play.go_on()
    await h.quiet()
    told = link(people[0]).last(m.Clock)
    assert not told.paused and told.left == 50
    await h.pass_time(1)
    await act(h, people[0], 1, 3)
    assert banks(h) == [49, 60]
    await h.pass_time(50)
    assert past(h) == [(3, 1)]


async def test_bots_stand_still_while_a_match_is_paused(tmp_path: Path) -> None:
    async with open_lobby(tmp_path, pace=2.0) as h:
        anna = Peer(FakeLink(), "Anna")
        await h.ask(anna, m.Create(1, "toy", 2, {"rounds": 50}, "t"), m.Seated)
        await h.ask(anna, m.SetBot(2, 1, "greedy"), m.Done)
        await h.ask(anna, m.Start(3), m.Done)
        await paused(h)
        await h.pass_time(100)
        assert h.only().table.match.state.named == [0, 0]
        await h.only()._play.go_on()
        await h.pass_time(3)
        assert h.only().table.match.state.named == [0, 5]


async def test_more_time_is_there_at_once_and_after_a_restart(tmp_path: Path) -> None:
    async with open_lobby(tmp_path, timekeeping=True) as h:
        anna, _ = await h.match(pace=LIVE)
        await h.pass_time(20)
        assert await h.only()._play.more_time(0, 300_000)
        assert [each.left for each in link(anna).last(m.Clock).clocks] == [350_000, 50_000]
    async with open_lobby(tmp_path) as h:
        assert banks(h) == [360, 60] and h.only()._play._match_clock.told().left == 50
        await h.pass_time(51)
        assert h.only().table.match.version == 2, "the other one's time is up"


async def test_a_match_changes_its_pace_and_back(tmp_path: Path) -> None:
    async with open_lobby(tmp_path, timekeeping=True) as h:
        anna, _ = await h.match(pace=LIVE)
        await h.pass_time(20)
        assert await h.only()._play.change_pace(POST) and not await h.only()._play.change_pace(POST)
        await h.quiet()
        assert link(anna).last(m.TableState).pace == POST and link(anna).last(m.Clock).left == 90_000
        await h.pass_time(3000)
        match = h.only().match
    async with open_lobby(tmp_path) as h:
        assert h.only().table.pace == POST and h.only().table.record.pace == LIVE
        assert h.only()._play._match_clock.told().left == 87_000
        assert await h.only()._play.change_pace(Pace())
        await h.pass_time(1_000_000)
        assert h.only().table.match.version == 2
        log = await log_of(h, match)
        assert [entry.deed for entry in log] == [Deed.TIME] * 2


async def test_a_clock_that_a_match_is_given_wakes_it(tmp_path: Path) -> None:
    async with open_lobby(tmp_path, timekeeping=True) as h:
        await h.pass_time(1)
        people = await h.match()
        assert await h.only()._play.change_pace(Pace(Run.POST, 3600))
        assert await h.store.due() == {h.only().match: AWAKE}
        for peer in people:
            await h.drop(peer)
        await h.pass_time(LINGER + 1)
        assert h.lobby.tables == 0
        await step(h, 3700 - LINGER)
        assert past(h) == [(1, 1)]


async def test_no_votes_without_a_running_match(tmp_path: Path) -> None:
    async with open_lobby(tmp_path) as h:
        await h.table()
        play = h.only()._play
        assert not (
            await play.pause() or await play.go_on() or await play.more_time(0, 1) or await play.change_pace(POST)
        )
    async with open_lobby(tmp_path / "other") as h:
        await h.match()
        assert not await h.only()._play.more_time(0, 1), "there is no clock"


async def test_a_pause_that_could_not_be_stored_does_not_hold(h: LobbyHarness) -> None:
    anna, _ = await h.match(pace=LIVE)
    with failing(h.store), pytest.raises(Exception, match="cannot save"):
        await h.only()._play.pause()
    assert not h.only()._play.paused
    await act(h, anna, 1, 3)


@pytest.mark.parametrize("later", [False, True])
async def test_by_post_no_player_is_expected_to_be_there(h: LobbyHarness, later: bool) -> None:
    anna, bert = await h.match(pace=LIVE if later else POST, takeover=30)
    await h.drop(bert)
    if later:
        await h.only()._play.change_pace(POST)
    await h.pass_time(40)
    assert h.only().table.seating.chairs[1].kind is SeatKind.AWAY
    await h.ask(anna, m.Leave(9), m.Left)
    assert h.only().table.seating.chairs[0].kind is SeatKind.STAND_IN


async def test_remaining_time_of_a_sleeping_match(tmp_path: Path) -> None:
    async with open_lobby(tmp_path, timekeeping=True) as h:
        await h.pass_time(1)
        people = await h.match(pace=Pace(Run.POST, 3600, 1800))
        match, token = h.only().match, h.token(people[0])
        await h.only().table.save()
        for peer in people:
            await h.drop(peer)
        await h.pass_time(LINGER + 1)
        await h.pass_time(1000)
        assert h.lobby.tables == 0
        (held,) = (await h.ask(person(), m.Mine(1, ((match, token),)), m.Holdings)).seats
        assert 5400 - LINGER - 1003 <= held.left <= 5400 - LINGER - 999 and h.lobby.tables == 0
