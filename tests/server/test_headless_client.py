"""Clients without a screen: what they count, when they think, how they come back; without sockets."""

import argparse
import asyncio
import random
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import msgspec
import pytest
from msgspec import Raw
from websockets.asyncio.client import ClientConnection
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosedError, InvalidMessage, InvalidStatus
from websockets.frames import Close as CloseFrame
from websockets.http11 import Response

from protocol import codec, delta
from protocol.limits import MEANING, Close, Rates
from protocol.version import PROTOCOL
from server.connections import event_loop
from server.connections.admission import GENEROUS
from server.connections.server_app import App
from server.tools import demo
from server.tools.headless_client import (
    Backoff,
    BotPlayer,
    HeadlessClient,
    Mind,
    Onlooker,
    Parted,
    Unreachable,
    ViewerStatistics,
    why_lost,
)
from shared import messages as m
from shared.kernel import engine
from shared.kernel.frames import Rolled
from shared.tables import Ending, TablePhase
from tests.server.fakes import settle
from tests.server.toy import TOY, Name

TOKEN = bytes(32)


def closed(code: Close) -> ConnectionClosedError:
    """The server ended a connection with that code."""
    return ConnectionClosedError(CloseFrame(code, ""), None)


class Wire:
    """Takes what a robot sends."""

    def __init__(self) -> None:
        self.sent: list[Any] = []

    async def send(self, data: bytes) -> None:
        self.sent.append(codec.decode_client(data))


def position(named: tuple[int, ...] = ()) -> Any:
    """Return a position of the toy game with two players; the first ones have named a number."""
    state = engine.start(TOY, 2, {"rounds": 3, "opening": 0}, engine.ignore_event)
    for seat, number in enumerate(named):
        engine.play(TOY, state, seat, Name(number), engine.ignore_event)
    return state


def snapshot(version: int, state: Any, seat: int | None) -> bytes:
    encoded = codec.ENCODER.encode(TOY.view(state, seat))
    return codec.encode(m.Snapshot(version, delta.digest(encoded), Raw(encoded)))


def frame(version: int, before: Any, after: Any, seat: int | None) -> bytes:
    views = TOY.view(before, seat), TOY.view(after, seat)
    return codec.encode_frame(version, delta.digest(codec.ENCODER.encode(views[1])), delta.diff(*views), [])


async def hear(robot: HeadlessClient, data: bytes) -> list[Any]:
    """Return the headless client's answers to a message."""
    wire = Wire()
    robot._socket = cast(ClientConnection, wire)
    received = robot.session.receive(data)
    assert received.message is not None
    await robot.heed(received.message, len(data))
    await settle()
    return wire.sent


@pytest.mark.parametrize(
    ("sizes", "mean", "p99"),
    [
        ([], 0, 0),
        ([7], 7, 7),
        ([9, 1], 5, 9),
        (range(1, 100), 50, 99),
        (range(100, 0, -1), 50.5, 100),
        (range(1, 201), 100.5, 199),
    ],
)
def test_the_figures_of_a_match(sizes: Any, mean: float, p99: int) -> None:
    seen = dict(enumerate(sizes))
    assert (ViewerStatistics(seen, {}).delta_mean, ViewerStatistics(seen, {}).delta_p99) == (mean, p99)
    assert ViewerStatistics({}, seen).frame_mean == mean
    assert (
        ViewerStatistics(seen, {}).version,
        ViewerStatistics(seen, {}).resumes,
        ViewerStatistics(seen, {}).frame_mean,
    ) == (0, 0, 0)


async def test_a_viewer_counts_each_version_once_and_says_that_it_moved() -> None:
    tally = ViewerStatistics({}, {}, moved=asyncio.Event())
    assert tally.moved is not None
    robot = HeadlessClient("", TOY, "Anna", tally, None)
    first, second = position(), position((3,))
    assert await hear(robot, snapshot(5, first, None)) == []
    assert (tally.version, tally.moved.is_set(), tally.deltas) == (5, True, {})
    tally.moved.clear()
    data = frame(6, first, second, None)
    assert await hear(robot, data) == []
    assert (tally.version, tally.moved.is_set()) == (6, True)
    assert tally.frames == {6: len(data)}
    changed = codec.ENCODER.encode(delta.diff(TOY.view(first, None), TOY.view(second, None)))
    assert tally.deltas == {6: len(changed)}
    tally.moved.clear()
    await hear(HeadlessClient("", TOY, "Bert", tally, None), snapshot(6, second, None))
    assert (tally.version, tally.moved.is_set()) == (6, False), "that is known"


async def test_a_viewer_is_done_when_it_sees_the_end() -> None:
    robot = HeadlessClient("", TOY, "Anna", ViewerStatistics({}, {}), None)
    assert not robot.finished
    state = position()
    await hear(robot, snapshot(1, state, None))
    assert not robot.finished
    state.winner = 1
    await hear(robot, snapshot(2, state, None))
    assert robot.finished
    robot.session.receive(codec.encode(m.Frame(4, 0, Raw(b"\x90"), ())))
    assert not robot.finished, "it is out of sync"


def over(seat: int = -1) -> bytes:
    """The table, once its match is over."""
    table = m.TableState("m", "A table", "toy", {}, True, "", TablePhase.OVER, seat, False, 0, 0, (), 1)
    return codec.encode(table)


@pytest.mark.parametrize("last", [m.Result("m", Ending.AGREED, 1, 6, ()), m.Clock((), 0)])
async def test_a_return_to_a_finished_match_waits_for_the_missed_part(last: m.Result | m.Clock) -> None:
    """The table, which says so, is shown before that."""
    robot, state = HeadlessClient("", TOY, "Anna"), position()
    await hear(robot, snapshot(5, state, None))
    await hear(robot, over())
    assert not robot.finished
    await hear(robot, frame(6, state, state, None))
    assert not robot.finished, "more may come"
    await hear(robot, codec.encode(last))
    assert robot.finished, "nobody has won, and yet it is over"


@pytest.mark.parametrize("at_once", [False, True])
async def test_a_player_decides_nothing_once_the_match_is_over(at_once: bool) -> None:
    slow, wire = Slow(), Wire()
    robot = seated(BotPlayer("", TOY, "Anna", Mind(slow, "hard", 7)))
    robot._socket = cast(ClientConnection, wire)
    for data in (snapshot(5, position(), 1), over(1)):
        received = robot.session.receive(data)
        assert received.message is not None
        await robot.heed(received.message, len(data))
        if not at_once:
            await settle()
    await settle()
    slow.answers[0].set_result(codec.encode(Name(3)))
    await settle()
    assert not robot.session.pending and wire.sent == [], "it was ended by agreement meanwhile"


def test_connections_are_lost_after_30_to_299_frames_or_never() -> None:
    robot = HeadlessClient("", TOY, "Anna", ViewerStatistics({}, {}), random.Random(1))
    drawn = {robot._next_drop() for _ in range(20_000)}
    assert (min(drawn), max(drawn)) == (30, 299)
    assert {HeadlessClient("", TOY, "Anna", ViewerStatistics({}, {}), None)._next_drop() for _ in range(9)} == {-1}


async def test_only_frames_count_down_to_the_next_drop() -> None:
    robot = HeadlessClient("", TOY, "Anna", ViewerStatistics({}, {}), random.Random(2))
    left = robot._drop_in
    await hear(robot, snapshot(5, position(), None))
    assert robot._drop_in == left
    await hear(robot, frame(6, position(), position((3,)), None))
    assert robot._drop_in == left - 1


async def test_an_onlooker_asks_once_and_comes_back_by_itself() -> None:
    onlooker = Onlooker("", TOY, "Otho", ViewerStatistics({}, {}), None, "m")
    welcome = codec.encode(m.Welcome(PROTOCOL, "Otho", "test", ()))
    assert not onlooker.welcomed.is_set()
    assert await hear(onlooker, welcome) == [m.Watch(1, "m", "", 0)]
    assert onlooker.welcomed.is_set()
    assert await hear(onlooker, welcome) == [], "the session comes back by itself"
    assert await hear(onlooker, codec.encode(m.Accepted(1, 1))) == [] and onlooker.heard.empty()
    assert await hear(onlooker, codec.encode(m.Done(3))) == [] and onlooker.heard.get_nowait() == m.Done(3)
    with pytest.raises(RuntimeError, match="Otho was refused: busy Wait"):
        await hear(onlooker, codec.encode(m.Refused(9, "busy", "", "Wait.")))


def player(seat: int = 1) -> BotPlayer:
    async def decide(ruleset: str, level: str, at: int, view: bytes, seed: int, seconds: float) -> bytes:
        assert (ruleset, level, at) == ("toy", "hard", seat)
        assert TOY.view_decoder.decode(view).named[1 - seat] in (0, -1)
        return codec.encode(Name(seed % 9 + 1))

    return seated(BotPlayer("", TOY, "Anna", Mind(decide, "hard", 7)), seat)


def seated(made: BotPlayer, seat: int = 1) -> BotPlayer:
    made.session.receive(codec.encode(m.Seated(1, "m", seat, TOKEN)))
    return made


def answer(sent: list[Any]) -> m.Act:
    """The one action among what was sent."""
    (act,) = sent
    assert isinstance(act, m.Act)
    return act


@pytest.mark.parametrize("seat", [0, 1])
async def test_a_player_decides_once_for_each_version_and_by_it_alone(seat: int) -> None:
    robot, state = player(seat), position()
    act = answer(await hear(robot, snapshot(5, state, seat)))
    assert act.frame == engine.top(state).no
    numbers = [random.Random(f"7:{seat}:{version}").getrandbits(32) % 9 + 1 for version in (5, 6)]
    assert TOY.action_decoder.decode(act.action) == Name(numbers[0])
    await robot.consider()
    await settle()
    assert robot.session.pending.keys() == {act.command}, "it has decided, and waits for the answer"
    assert answer(await hear(player(seat), snapshot(5, state, seat))).action == act.action
    robot.session.receive(snapshot(6, state, seat))
    other = answer(await hear(robot, codec.encode(m.Accepted(act.command, 6))))
    assert TOY.action_decoder.decode(other.action) == Name(numbers[1])


async def test_a_player_waits_for_its_seat_for_the_view_and_for_its_turn() -> None:
    robot = player(0)
    assert await hear(robot, snapshot(5, position((3,)), 0)) == [], "it has named its number"
    robot = player(1)
    robot.session.receive(frame(9, position(), position(), 1))
    await robot.consider()
    robot.session.seat = -1
    assert await hear(robot, snapshot(5, position(), None)) == []


class Slow:
    """Thinks until the test says so."""

    def __init__(self) -> None:
        self.answers: list[asyncio.Future[bytes]] = []

    async def __call__(self, *_question: Any) -> bytes:
        self.answers.append(asyncio.get_running_loop().create_future())
        return await self.answers[-1]


async def test_a_player_hears_while_it_thinks_and_thinks_once_about_one_decision() -> None:
    slow = Slow()
    robot, state = seated(BotPlayer("", TOY, "Anna", Mind(slow, "hard", 7))), position()
    assert await hear(robot, snapshot(5, state, 1)) == []
    later = position((4,))
    assert await hear(robot, frame(6, state, later, 1)) == []
    assert robot.session.version == 6 and len(slow.answers) == 1, "the decision is the same"
    wire = Wire()
    robot._socket = cast(ClientConnection, wire)
    slow.answers[0].set_result(codec.encode(Name(3)))
    await settle()
    assert TOY.action_decoder.decode(answer(wire.sent).action) == Name(3)


async def test_a_late_answer_to_a_past_decision_is_no_action() -> None:
    slow = Slow()
    robot, state = seated(BotPlayer("", TOY, "Anna", Mind(slow, "hard", 7))), position()
    await hear(robot, snapshot(5, state, 1))
    following = position((4, 5))
    engine.play(TOY, following, -1, Rolled((0,)), engine.ignore_event)
    await hear(robot, snapshot(8, following, 1))
    slow.answers[0].set_result(codec.encode(Name(3)))
    await settle()
    assert not robot.session.pending and len(slow.answers) == 2, "it thinks about the next one"


@pytest.mark.parametrize("broken", [TimeoutError("it hangs"), ValueError("no such level")])
async def test_a_player_whose_head_fails_does_the_default(broken: Exception) -> None:
    async def fail(*_question: Any) -> bytes:
        raise broken

    robot, state = seated(BotPlayer("", TOY, "Anna", Mind(fail, "hard", 7))), position()
    act = answer(await hear(robot, snapshot(5, state, 1)))
    assert TOY.action_decoder.decode(act.action) == engine.default(TOY, state, 1)


async def test_a_player_who_is_refused_decides_again_but_not_for_ever() -> None:
    robot, state = player(), position()
    act = answer(await hear(robot, snapshot(0, state, 1)))
    for _ in range(20):
        act = answer(await hear(robot, refused(act.command)))
    assert await hear(robot, codec.encode(m.Accepted(act.command, 1))) == [], "its frame is still to come"
    answered = await hear(robot, snapshot(1, state, 1))
    for _ in range(20):
        answered = await hear(robot, refused(answer(answered).command))
    with pytest.raises(RuntimeError, match="Anna was refused: stale-frame"):
        await hear(robot, refused(answer(answered).command))
    with pytest.raises(RuntimeError, match="was refused"):
        await hear(player(), refused(9))  # It has seen nothing yet: it asked for a seat.


async def test_a_player_who_comes_back_to_what_it_knows_decides() -> None:
    """Nothing new is told then but whose turn it is."""
    robot, state = player(), position()
    act = answer(await hear(robot, snapshot(5, state, 1)))
    with pytest.raises(ConnectionError):
        robot._seen = True
        await hear(robot, codec.encode(m.Refused(act.command, "storage", "", "It could not be kept.")))
    assert answer(await hear(robot, codec.encode(m.Clock((1,), 0)))).frame == act.frame
    assert await hear(robot, codec.encode(m.Clock((1,), 0))) == [], "it waits for the answer"


def refused(command: int) -> bytes:
    return codec.encode(m.Refused(command, "stale-frame", "", "That decision is over."))


def test_reconnect_delays_grow_until_a_connection_holds() -> None:
    backoff = Backoff(200.0, random.Random(1))
    waits = [backoff.next() for _ in range(9)]
    lengths = [wait for wait in waits if wait is not None]
    for i, wait in enumerate(lengths):
        usual = min(30.0, 1.8**i)
        assert 0.7 * usual <= wait <= 1.3 * usual
    assert len(set(lengths)) == len(lengths) and 0.7 <= lengths[0] <= 1.3
    backoff.held()
    again = backoff.next()
    assert again is not None and again <= 1.3
    impatient = Backoff(3.0)
    assert [wait is None for wait in (impatient.next() for _ in range(5))][-1]


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (ConnectionRefusedError(), "No server is listening there."),
        (TimeoutError(), "The server does not answer."),
        (OSError(101, "Network is unreachable"), "The server cannot be reached (Network is unreachable)."),
        (
            InvalidStatus(Response(403, "Forbidden", Headers())),
            "The server does not answer to that name; its operator can allow it with --allow-host.",
        ),
        (InvalidMessage("x"), "There is no game server at that address."),
        (ConnectionClosedError(None, None), "The connection was lost."),
        (closed(Close.FULL), MEANING[Close.FULL]),
    ],
)
async def test_why_there_is_no_connection_is_said_in_a_sentence(error: Exception, words: str) -> None:
    assert why_lost(error) == words
    with pytest.raises(Unreachable, match=re.escape(words)):
        await HeadlessClient("ws://nowhere", TOY, "Anna")._wait_after(error)


async def test_replaced_connections_do_not_return() -> None:
    robot = HeadlessClient("", TOY, "Anna")
    robot._seen = True
    with pytest.raises(Parted, match="Somebody else plays on this seat"):
        await robot._wait_after(closed(Close.REPLACED))
    robot._backoff = Backoff(0.0)
    with pytest.raises(Parted, match="did not come back"):
        await robot._wait_after(closed(Close.RESTART))


def demonstration(drops: bool = True, robots: tuple[Any, ...] = ()) -> Any:
    """Return a demonstration that has not begun, with these clients."""
    stage = demo._OneServer(cast(App, SimpleNamespace(address="ws://nowhere")))
    made = demo._Demonstration(stage, TOY, demo.DemoPlan("toy", 2, 1, 5, {}, drops=drops), False)
    made._robots = list(robots)
    return made


def test_demo_players_have_names_and_lose_connections_only_if_told() -> None:
    made = demonstration()
    viewers = [made._player(0), made._player(1), made._onlooker(0, "m"), made._onlooker(1, "m")]
    assert [viewer.session.name for viewer in viewers] == ["Bot 1", "Bot 2", "Spectator 1", "Spectator 2"]
    assert len({viewer._drop_in for viewer in viewers}) > 1 and min(viewer._drop_in for viewer in viewers) >= 30
    assert [made._player(0)._drop_in for made in (demonstration(), demonstration(False))] == [viewers[0]._drop_in, -1]


class Latecomer:
    """Client that only connects, and finds the server down so often."""

    def __init__(self, refused: int = 0) -> None:
        self.refused = refused
        self.here = self.finished = False

    async def follow(self) -> None:
        self.refused -= 1
        if self.refused >= 0:
            raise Unreachable("Nobody is there.")
        self.here = self.finished = True


@pytest.mark.parametrize(("number", "version"), [(0, 0), (1, 20), (3, 60)])
async def test_onlookers_come_twenty_actions_after_each_other(number: int, version: int) -> None:
    made, late = demonstration(), Latecomer()
    coming = asyncio.create_task(made._come_later(number, late))
    for made._tally.version in range(max(0, version - 2), version):
        made._moved.set()
        await settle()
        assert not late.here
    made._tally.version = version
    made._moved.set()
    await settle()
    assert late.here and coming.done()


async def test_onlookers_come_at_the_latest_when_all_is_over() -> None:
    begun, over = (SimpleNamespace(finished=end) for end in (False, True))
    for robots, comes in (((), False), ((begun, begun), False), ((begun, over), True)):
        late = Latecomer()
        coming = asyncio.create_task(demonstration(robots=robots)._come_later(5, late))
        await settle()
        assert late.here == comes
        coming.cancel()


async def test_onlookers_whose_server_is_just_being_started_come_a_little_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(demo, "_LOOK", 0.0)
    late = Latecomer(refused=3)
    await demonstration()._come_later(0, late)
    assert late.here


async def test_a_failed_save_is_retried_on_another_connection() -> None:
    robot = HeadlessClient("", TOY, "Anna")
    refusal = m.Refused(1, "storage", "", "Not now.")
    with pytest.raises(RuntimeError, match="storage Not now"):
        await robot.refused(refusal)
    robot._seen = True
    with pytest.raises(ConnectionError, match="Not now"):
        await robot.refused(refusal)


REPORT = demo.DemoReport("toy", 2, 1, True, 0, 10, 3, 1.25, 3, 2, 4, 500, 12.34, 40, 60.0)


def test_a_demonstration_in_a_sentence() -> None:
    assert demo._summary(REPORT) == (
        "Match over: 10 actions and 3 of chance in 1.2 s; 2 of 3 viewers in sync after 4 resumes; "
        "12.3 bytes per delta, 500 per snapshot."
    )
    assert demo._summary(msgspec.structs.replace(REPORT, finished=False)).startswith("Match not finished: ")


@pytest.mark.parametrize(
    ("version", "seconds", "shown"),
    [(0, 0.0, 0), (49, 1.0, 0), (50, 1.0, 1), (1999, 1.0, 39), (2000, 2.0, 0), (120, 0.5, 2)],
)
def test_progress_is_drawn_in_one_line(
    version: int, seconds: float, shown: int, capsys: pytest.CaptureFixture[str]
) -> None:
    demo._draw(version, seconds)
    speed = round(version / seconds) if seconds else 0
    bar = "#" * shown + " " * (40 - shown)
    assert capsys.readouterr().err == f"\r{version:6d} actions  {speed:6d}/s  [{bar}]"


def test_defaults_of_the_demo() -> None:
    parser = argparse.ArgumentParser()
    demo.add_arguments(parser)
    assert vars(parser.parse_args([])) == {
        "ruleset": "classic", "players": 6, "spectators": 4, "seed": 1, "rounds": None, "option": [],
        "level": "normal", "no_drops": False, "data": None, "json": False, "cluster": 1,
        "loop": event_loop.chosen(event_loop.AUTO),
    }  # fmt: skip
    chosen = parser.parse_args(["--rounds", "3", "--option", "homes=chosen", "--option", "resign=yes"])
    assert demo._options(chosen) == {"round_limit": 3, "homes": 1, "resign": 1}
    assert demo._options(parser.parse_args([])) == {}


async def test_the_server_of_a_demonstration_trusts_its_bots_and_has_none(tmp_path: Path) -> None:
    settings = demo._settings(tmp_path, 5)
    assert (settings.data, settings.port, settings.seed, settings.pace) == (tmp_path, 0, 5, 0.0)
    assert settings.limits == GENEROUS and settings.rates == Rates(1e9, 1e9)
    with pytest.raises(RuntimeError):
        await demo.no_bots("toy", "greedy", 0, b"", 1, 1.0)
