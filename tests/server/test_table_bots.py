"""Bots at a table: each decision is requested once, and a late answer is ignored."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from msgspec import Raw

from protocol import codec
from server.delivery.peer import Peer
from server.matches.bot_time import BotTime
from server.matches.dice import Dice
from server.matches.running_match import AGAIN
from server.storage.port import StoreError
from shared import levels
from shared.levels import A_ROUND, AT_LEISURE, SECONDS
from shared.messages import Accepted, Act, Clock, Create, Done, Leave, Left, Resume, Seated, SetBot, Start, TableState
from shared.tables import NO_SEAT, Pace, SeatKind
from tests.server.fakes import FakeLink
from tests.server.lobby_harness import LobbyHarness, link, name, open_lobby, shown
from tests.server.records import hold_sqlite
from tests.server.toy import TOY, Name, Quit


class Question(NamedTuple):
    """Request to a bot, and its later answer."""

    kind: str
    seat: int
    view: bytes
    seed: int
    answer: "asyncio.Future[bytes]"


class Thinkers:
    """Bots that answer when the test says so."""

    def __init__(self) -> None:
        self.asked: list[Question] = []

    async def __call__(self, _ruleset: str, kind: str, seat: int, view: bytes, seed: int, _seconds: float) -> bytes:
        self.asked.append(Question(kind, seat, view, seed, asyncio.get_running_loop().create_future()))
        return await self.asked[-1].answer

    @property
    def seats(self) -> list[int]:
        """Return the seats whose bots were asked, in order."""
        return [question.seat for question in self.asked]

    async def answer(self, h: LobbyHarness, question: int, number: int) -> None:
        """A bot has decided."""
        self.asked[question].answer.set_result(codec.encode(Name(number)))
        await h.quiet()


@pytest.fixture
def thinkers() -> Thinkers:
    return Thinkers()


@pytest.fixture
async def h(tmp_path: Path, thinkers: Thinkers) -> AsyncIterator[LobbyHarness]:
    """Open a lobby whose bots are `thinkers`."""
    async with open_lobby(tmp_path, thinkers) as harness:
        yield harness


async def bots_only(h: LobbyHarness, seats: int = 2, **options: Any) -> Peer:
    """Start a match between bots; return a spectator."""
    anna = Peer(FakeLink(), "Anna")
    await h.ask(anna, Create(1, "toy", seats, {"rounds": 50}, "t", seat=NO_SEAT, **options), Done)
    for seat in range(seats):
        await h.ask(anna, SetBot(2, seat, ("greedy", "random")[seat % 2]), Done)
    await h.ask(anna, Start(3), Done)
    return anna


def named(h: LobbyHarness) -> list[int]:
    """Return the numbers of this round, 0 for seats that have named none."""
    return list(h.only().table.match.state.named)


async def test_each_bot_is_asked_once_on_what_its_seat_sees(h: LobbyHarness, thinkers: Thinkers) -> None:
    await bots_only(h, 3)
    match, dice = h.only().table.match, Dice(3)
    assert thinkers.seats == [0, 1, 2]
    kinds = [levels.tempered(kind, h.only().match, seat) for seat, kind in enumerate(("greedy", "random", "greedy"))]
    assert [question.kind for question in thinkers.asked] == kinds
    assert [question.seed for question in thinkers.asked] == [dice.bot_seed(0, seat) for seat in range(3)]
    for question in thinkers.asked:
        assert TOY.view_decoder.decode(question.view) == TOY.view(match.state, question.seat)
    await h.pass_time(100)
    assert len(thinkers.asked) == 3


async def test_an_answer_to_an_older_version_is_asked_for_again(h: LobbyHarness, thinkers: Thinkers) -> None:
    await bots_only(h, 3)
    await thinkers.answer(h, 1, 5)
    assert named(h) == [0, 5, 0] and thinkers.seats == [0, 1, 2, 0, 2]
    await thinkers.answer(h, 0, 9)
    assert named(h) == [0, 5, 0] and thinkers.seats == [0, 1, 2, 0, 2], "it is being asked already"
    await thinkers.answer(h, 3, 4)
    assert named(h) == [4, 5, 0]
    assert TOY.view_decoder.decode(thinkers.asked[3].view).named == [0, -1, 0]


async def test_a_bots_decision_that_could_not_be_stored_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A restart of the database at that moment left the match waiting forever."""
    thinkers = Thinkers()

    def down(*_: object) -> "asyncio.Future[bytes]":
        failed: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        failed.set_exception(StoreError("The database is down."))
        return failed

    async with open_lobby(tmp_path, thinkers) as h:
        await bots_only(h)
        with monkeypatch.context() as broken:
            broken.setattr(h.store, "append", down)
            await thinkers.answer(h, 0, 5)
            assert named(h) == [0, 0] and thinkers.seats == [0, 1]
            await h.pass_time(AGAIN)
            assert thinkers.seats == [0, 1, 0], "and no more than that: the other one thinks still"
            await thinkers.answer(h, 2, 5)
        await h.pass_time(AGAIN)
        await thinkers.answer(h, 3, 7)
        assert named(h) == [7, 0]


@pytest.mark.parametrize("again", [False, True])
async def test_a_seat_that_its_person_took_back_is_not_played_by_its_stand_in(
    h: LobbyHarness, thinkers: Thinkers, again: bool
) -> None:
    _, bert = await h.match()
    token = h.token(bert)
    await h.ask(bert, Leave(9), Left)
    assert thinkers.seats == [1]
    back = Peer(FakeLink(), "Bert")
    seated = await h.ask(back, Resume(1, h.only().match, token), Seated)
    if again:
        await h.ask(back, Leave(10), Left)
        assert thinkers.seats == [1], "it thinks already"
        await h.ask(back, Resume(1, h.only().match, seated.token), Seated)
    await thinkers.answer(h, 0, 9)
    assert named(h) == [0, 0] and h.only().table.match.owed == (0, 1)
    await h.ask(back, name(h, 2, 3), Accepted)
    assert named(h) == [0, 3] and thinkers.seats == [1]


async def test_a_stand_in_whose_answer_was_of_no_use_is_asked_again_when_it_is_needed(
    h: LobbyHarness, thinkers: Thinkers
) -> None:
    _, bert = await h.match()
    token = h.token(bert)
    await h.ask(bert, Leave(9), Left)
    back = Peer(FakeLink(), "Bert")
    await h.ask(back, Resume(1, h.only().match, token), Seated)
    await thinkers.answer(h, 0, 9)
    await h.ask(back, Leave(10), Left)
    assert thinkers.seats == [1, 1]
    await thinkers.answer(h, 1, 8)
    assert named(h) == [0, 8]


async def test_a_stand_in_whose_person_came_and_went_decides(h: LobbyHarness, thinkers: Thinkers) -> None:
    _, bert = await h.match()
    token = h.token(bert)
    await h.ask(bert, Leave(9), Left)
    back = Peer(FakeLink(), "Bert")
    await h.ask(back, Resume(1, h.only().match, token), Seated)
    await h.ask(back, Leave(10), Left)
    await thinkers.answer(h, 0, 9)
    assert named(h) == [0, 9] and thinkers.seats == [1]


async def test_a_person_who_came_back_gets_the_whole_time_at_the_next_absence(
    h: LobbyHarness, thinkers: Thinkers
) -> None:
    anna, bert = await h.match(takeover=30)
    token = h.token(bert)
    await h.ask(bert, Leave(9), Left)
    back = Peer(FakeLink(), "Bert")
    await h.ask(back, Resume(1, h.only().match, token), Seated)
    await h.drop(back)
    await h.pass_time(29)
    assert link(anna).last(TableState).seats[1].kind == SeatKind.AWAY and thinkers.seats == [1]
    await h.pass_time(2)
    assert link(anna).last(TableState).seats[1].kind == SeatKind.STAND_IN


async def test_a_bot_does_not_repeat_decisions_made_without_it(h: LobbyHarness, thinkers: Thinkers) -> None:
    anna = Peer(FakeLink(), "Anna")
    await h.ask(anna, Create(1, "toy", 2, {"rounds": 50}, "t", think=20), Seated)
    await h.ask(anna, SetBot(2, 1, "greedy"), Done)
    await h.ask(anna, Start(3), Done)
    await h.pass_time(21)
    assert h.only().table.match.version == 1 and named(h) == [1, 0], "bots use no clock"
    asked = len(thinkers.asked)
    await thinkers.answer(h, 0, 9)
    assert h.only().table.match.version == 1 and named(h) == [1, 0] and len(thinkers.asked) == asked
    await thinkers.answer(h, asked - 1, 9)
    assert h.only().table.match.state.past == [(1, 9)]


async def test_a_match_that_ended_meanwhile_asks_and_hears_no_bot(h: LobbyHarness, thinkers: Thinkers) -> None:
    anna = Peer(FakeLink(), "Anna")
    await h.ask(anna, Create(1, "toy", 2, {}, "t"), Seated)
    await h.ask(anna, SetBot(2, 1, "greedy"), Done)
    await h.ask(anna, Start(3), Done)
    await h.ask(anna, Act(1, 0, Raw(codec.encode(Quit()))), Accepted)
    await thinkers.answer(h, 0, 9)
    assert h.only().table.match.version == 1 and thinkers.seats == [1]


async def test_an_answer_that_waits_behind_the_action_that_settles_it_is_dropped(
    h: LobbyHarness, thinkers: Thinkers
) -> None:
    """The answer is in the mailbox already while its seat's person comes back and acts."""
    anna, bert = await h.match()
    token = h.token(bert)
    await h.only().table.save()
    await h.ask(bert, Leave(9), Left)
    back = Peer(FakeLink(), "Bert")
    await h.lobby.hear(back, Resume(1, h.only().match, token))
    await h.lobby.hear(back, name(h, 1, 3))
    await thinkers.answer(h, 0, 9)
    assert named(h) == [0, 3]
    assert (await h.ask(anna, name(h, 1, 3), Accepted)).version == 2


async def test_a_bot_waits_a_little_and_thinks_of_what_is_then(tmp_path: Path) -> None:
    thinkers = Thinkers()
    async with open_lobby(tmp_path, thinkers, pace=2.0) as h:
        anna = Peer(FakeLink(), "Anna")
        await h.ask(anna, Create(1, "toy", 3, {"rounds": 50}, "t"), Seated)
        for seat in (1, 2):
            await h.ask(anna, SetBot(2, seat, "greedy"), Done)
        await h.ask(anna, Start(3), Done)
        await h.pass_time(1.8)  # The second one waits a little less: their pauses are not to add up.
        assert thinkers.asked == []
        await h.ask(anna, name(h, 1, 3), Accepted)
        await h.pass_time(0.2)
        assert thinkers.asked == [], "the position changed: they wait anew"
        await h.pass_time(1.8)
        assert sorted(thinkers.seats) == [1, 2]
        assert TOY.view_decoder.decode(thinkers.asked[0].view).named == [-1, 0, 0]


async def test_a_bot_that_searches_thinks_while_people_look(tmp_path: Path) -> None:
    thinkers = Thinkers()
    async with open_lobby(tmp_path, thinkers, pace=2.0) as h:
        anna = Peer(FakeLink(), "Anna")
        await h.ask(anna, Create(1, "toy", 2, {"rounds": 50}, "t"), Seated)
        await h.ask(anna, SetBot(2, 1, "hard"), Done)
        await h.ask(anna, Start(3), Done)
        assert thinkers.seats == [1]
        await thinkers.answer(h, 0, 9)
        await h.pass_time(1.9)
        assert named(h) == [0, 0], "people still look at what happened before"
        await h.pass_time(0.2)
        assert named(h) == [0, 9]


def test_the_decisions_of_a_round_share_its_thinking_time() -> None:
    time, untimed = BotTime(), Pace()
    limits = []
    for _ in range(20):
        limits.append(time.limit(1, "hard", untimed, (3,)))
        time.spend(1, (3,), limits[-1])
    assert limits == sorted(limits, reverse=True) and A_ROUND * 0.9 < sum(limits) <= A_ROUND
    assert time.limit(1, "hard", untimed, (4,)) == time.limit(2, "hard", untimed, (3,)) == limits[0] <= SECONDS
    assert time.limit(1, "expert", untimed, (3,)) == AT_LEISURE


async def test_thoughts_end_with_their_table(h: LobbyHarness, thinkers: Thinkers) -> None:
    await bots_only(h)
    await h.lobby.stop()
    assert all(question.answer.cancelled() for question in thinkers.asked)


async def test_bots_owe_without_a_clock_and_people_with_one(h: LobbyHarness, thinkers: Thinkers) -> None:
    watcher = await bots_only(h, think=20)
    assert shown(link(watcher).last(Clock)) == ((0, 1), 0)
    await h.pass_time(100)
    assert h.only().table.match.version == 0
    await thinkers.answer(h, 0, 9)
    assert shown(link(watcher).last(Clock)) == ((1,), 0)


async def test_a_clock_ends_with_the_decision_of_the_last_person(h: LobbyHarness, thinkers: Thinkers) -> None:
    anna = Peer(FakeLink(), "Anna")
    await h.ask(anna, Create(1, "toy", 2, {"rounds": 50}, "t", think=20), Seated)
    await h.ask(anna, SetBot(2, 1, "greedy"), Done)
    await h.ask(anna, Start(3), Done)
    assert shown(link(anna).last(Clock)) == ((0, 1), 20)
    await h.pass_time(5)
    await h.say(anna, name(h, 1, 3))
    assert shown(link(anna).last(Clock)) == ((1,), 0)
    await h.pass_time(100)
    assert named(h) == [3, 0], "the bot thinks as long as it likes"


async def test_time_that_ran_out_while_an_action_was_being_kept_has_not_run_out(h: LobbyHarness) -> None:
    anna, _ = await h.match(think=20)
    with hold_sqlite(h.store):
        await h.lobby.hear(anna, name(h, 1, 3))
        await h.clock.advance(21)
    await h.quiet()
    assert h.only().table.match.state.past == [(3, 1)], "the time of the other one has"
