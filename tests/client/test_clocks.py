"""Clocks before one's eyes: chosen by name or typed, counted down at the table, and heard when they run out."""

import re
from math import inf
from pathlib import Path
from typing import Any

import pytest

from client.app import App
from client.command_line import parser, plan_of
from client.drawing.fields import Selector
from client.drawing.widgets import Label
from client.games.static_match import LocalMatch
from client.network import model as model_module
from client.network.local_players import LocalPlayers
from client.network.model import MatchModel
from client.network.remote_server import RemoteServer
from client.player.clock_presets import (
    HURRY,
    LATE,
    NAMED,
    TYPED,
    about,
    brief,
    exact,
    is_plain,
    numbers,
    read,
    remaining,
)
from client.player.seats import Seats
from client.player.settings import Settings
from client.player.table_options import TableOptions
from client.screens.create import CreateScreen
from client.screens.navigator import Purpose
from client.screens.table import TableScreen
from client.sound.sounds import Sound
from client.text_client.text_program import TextProgram
from client.turn_alert import TurnAlert
from protocol import codec
from protocol.session import ClientSession
from shared.messages import Clock, SeatClock, SeatInfo, Sync, TableState
from shared.rulesets.registry import RULESETS
from shared.tables import Late, Pace, Run, SeatKind, TablePhase
from tests.client.conftest import Shoot

CLASSIC = RULESETS["classic"]
EVENING = NAMED["evening"][1]
PAUSED = (SeatKind.PERSON, SeatKind.PERSON, SeatKind.BOT)


def at_a_table(*kinds: SeatKind) -> TableState:
    """A table whose seats are taken so; we have the first."""
    seats = tuple(SeatInfo(kind, f"P{i}", "normal" if kind >= SeatKind.BOT else "") for i, kind in enumerate(kinds))
    return TableState("m", "t", "classic", {}, True, "C", TablePhase.PLAYING, 0, True, 0, 0, seats, 0, pace=EVENING)


@pytest.mark.parametrize(
    ("typed", "pace"),
    [
        ("none", Pace()),
        ("5m", Pace(Run.POST, 300)),
        ("Evening", EVENING),
        ("30m+20s/10m", Pace(Run.LIVE, 20, 1800, 600)),
        ("1h+1m", Pace(Run.LIVE, 60, 3600)),
        ("post:3d+14d", Pace(Run.POST, 259_200, 1_209_600)),
        ("post:12h", Pace(Run.POST, 43_200)),
    ],
)
def test_clocks_are_typed_by_name_or_by_numbers(typed: str, pace: Pace) -> None:
    assert read(typed) == pace
    assert read(typed, "seat").late is Late.SEAT


@pytest.mark.parametrize("typed", ["", "fast", "30m+0s", "30m", "post:", "post:0d+3d", "101d+5s", "-5m+3s", "5m+3s/"])
def test_invalid_clocks_are_refused_in_a_sentence(typed: str) -> None:
    with pytest.raises(ValueError, match=r"clock|seconds"):
        read(typed)


PLAYING = Path(__file__).parents[2] / "client" / "PLAYING.md"
EXAMPLE = re.compile(r"(?:post:)?\d+[smhd]\+\d+[smhd](?:/\d+[smhd])?|(?<=pace=)[\w:+/]+|(?<=such as )(?!pace=)[\w:+/]+")
"""Clocks as texts show them."""


def test_every_example_of_a_clock_works_where_it_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    shown = [TYPED, PLAYING.read_text("utf-8").split("- `--pace` sets", 1)[1].split("\n-", 1)[0]]
    for wrong in ("fast", "30m+0s"):
        with pytest.raises(ValueError, match="30m") as raised:
            read(wrong)
        shown.append(str(raised.value))
    with pytest.raises(SystemExit):
        parser().parse_args(["host", "--help"])
    shown.append(" ".join(capsys.readouterr().out.split()).split("clocks:")[1].split("--late")[0])
    said: list[str] = []
    places = TextProgram(Settings(name="Livia"), said.append).commands.values()
    shown.append(next(commands["create"].about for commands in places if "create" in commands))
    for text in shown:
        examples = [each.rstrip(";.,") for each in EXAMPLE.findall(text)]
        assert examples, text
        for example in examples:
            assert read(example).each, (example, text)
    assert [name for name in NAMED if read(name) != NAMED[name][1]] == []


def test_clocks_are_called_by_their_numbers() -> None:
    assert numbers(read("30m+20s/10m")) == (
        "30 minutes each, 20 seconds more for every decision, 10 minutes for answers in another's turn"
    )
    assert about(read("post:3d+14d", "bot")) == (
        "3 days a decision, 14 days for holidays. When time is up: a bot decides this once."
    )
    assert "as long as they like" in about(Pace()) and len(LATE) == len(Late)


@pytest.mark.parametrize(
    ("seconds", "words", "short"),
    [
        (0, "0:00", "0:00"),
        (42.9, "0:42", "0:42"),
        (725, "12:05", "12:05"),
        (18_725, "5 h 12 min", "5:12 h"),
        (86_400, "1 day", "1 d 0 h"),
        (183_900, "2 days 3 hours", "2 d 3 h"),
    ],
)
def test_remaining_time_is_told_as_exactly_as_it_matters(seconds: float, words: str, short: str) -> None:
    assert (remaining(seconds), brief(seconds)) == (words, short)


def test_lengths_are_said_as_they_were_chosen() -> None:
    assert [exact(n) for n in (0, 1, 90, 60, 7200, 86_400)] == [
        "0 seconds", "1 second", "90 seconds", "1 minute", "2 hours", "1 day"
    ]  # fmt: skip


def test_servers_of_before_are_asked_for_what_they_know() -> None:
    plain = TableOptions(pace=Pace(Run.POST, 300)).request(1)
    assert (plain.think, plain.pace) == (300, None) and is_plain(Pace())
    asked = TableOptions(pace=EVENING).request(1)
    assert (asked.think, asked.pace) == (0, EVENING)
    assert not is_plain(Pace(Run.POST, 300, late=Late.BOT)) and not is_plain(Pace(Run.POST, 90_000))


@pytest.mark.parametrize("command", ["play", "host"])
def test_the_command_line_takes_clocks(command: str) -> None:
    plan = plan_of(parser().parse_args([command, "--pace", "30m+20s/10m", "--late", "bot"]))
    assert plan.pace == read("30m+20s/10m", "bot")
    assert plan_of(parser().parse_args([command])).pace == Pace()
    with pytest.raises(ValueError, match="is not a clock"):
        plan_of(parser().parse_args([command, "--pace", "fast"]))


class Watched:
    """A match before us, with a clock of the test's own."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *kinds: SeatKind) -> None:
        self.now, self.sent = 100.0, list[bytes]()
        monkeypatch.setattr(model_module, "monotonic", lambda: self.now)
        self.model = MatchModel(CLASSIC, at_a_table(*kinds), ClientSession("Anna"), self.sent.append)

    def clock(self, paused: bool = False) -> None:
        each = (SeatClock(50_000, 40_000, 9000), SeatClock(70_000, 60_000, 9000), SeatClock(30_000, 20_000, 9000))
        self.model.hear(Clock((0, 2), 50, each, paused))


def test_only_the_clocks_of_players_who_decide_run(monkeypatch: pytest.MonkeyPatch) -> None:
    watched = Watched(monkeypatch, *PAUSED)
    assert watched.model.times() == ()
    watched.clock()
    watched.now += 7
    assert watched.model.times() == (43, 70, inf), "a bot uses none"
    watched.now += 100
    assert watched.model.times() == (0, 70, inf)
    watched.clock(paused=True)
    watched.now += 7
    assert watched.model.times() == (50, 70, inf) and watched.model.paused and brief(inf) == ""


def test_players_take_their_seat_back_from_a_bot(monkeypatch: pytest.MonkeyPatch) -> None:
    watched = Watched(monkeypatch, *PAUSED)
    watched.model.come_back()
    assert not watched.sent and not watched.model.replaced
    watched.model.hear(at_a_table(SeatKind.STAND_IN, SeatKind.PERSON, SeatKind.BOT))
    assert watched.model.replaced
    watched.model.come_back()
    assert [codec.decode_client(data) for data in watched.sent] == [Sync(0)]


class Ticking(LocalMatch):
    """A match with clocks as the test says."""

    left: tuple[float, ...] = ()
    halted = False

    def seconds_left(self) -> float | None:
        return None if self.halted or not self.left else self.left[self.owed()[0]]

    def times(self) -> tuple[float, ...]:
        return self.left

    @property
    def paused(self) -> bool:
        return self.halted


def begun(seats: int = 4) -> Ticking:
    match = Ticking(CLASSIC, seats, seed=3)
    for _ in range(60):
        match.step()
    match.seat = match.owed()[0]
    return match


class Ears:
    """Sound output that records the sounds."""

    works = True

    def __init__(self) -> None:
        self.heard: list[Sound] = []

    def play(self, sound: Sound, *_: Any) -> None:
        self.heard.append(sound)


class Front:
    """Window that has the player's attention."""

    attended = True

    def entitle(self, _words: str) -> None: ...

    def beckon(self, _on: bool) -> None: ...


def test_running_out_of_time_is_heard_once() -> None:
    match: Any = begun()
    match.fresh = False
    remote, ears = RemoteServer(Seats(), lambda _words: None), Ears()
    remote.match = match
    herald = TurnAlert(LocalPlayers(remote, Seats(), print), ears, Front())  # type: ignore[arg-type]
    own, others = match.seat, (match.seat + 1) % 4
    for left in (100.0, HURRY, HURRY - 0.1, 9.0, 0.0):
        match.left = tuple(left if seat == own else 5.0 for seat in range(4))
        herald.update(showing=False)
    assert ears.heard == [Sound.ALARM]
    match.left = (100.0,) * 4
    herald.update(showing=False)
    match.left = (8.0,) * 4
    match.halted = True
    herald.update(showing=False)
    assert ears.heard == [Sound.ALARM], "the match is paused"
    match.halted, match.seat = False, others
    herald.update(showing=False)
    assert ears.heard == [Sound.ALARM], "it is another one's time"
    match.seat = own
    herald.update(showing=False)
    assert ears.heard == [Sound.ALARM] * 2


def clocks_of(screen: CreateScreen) -> Selector:
    """The control with the names of clocks."""
    names = [words for words, _pace in NAMED.values()]
    return next(w for w in screen.ui.widgets if isinstance(w, Selector) and w._labels[0] == names[0])


@pytest.mark.parametrize("purpose", ["host", "lobby"])
def test_a_host_chooses_clocks_and_what_is_done_when_time_is_up(app: App, purpose: Purpose, shoot: Shoot) -> None:
    screen = CreateScreen(app, purpose)
    app.go.show(screen)
    names = list(NAMED)
    offered = [words for words, pace in NAMED.values() if purpose == "host" or is_plain(pace)]
    assert list(clocks_of(screen)._labels) == offered, "a server that cannot tell knows the plain ones"
    if purpose == "host":
        screen._pace(names.index("evening"))
        screen._late(Late.SEAT)
        assert screen.plan.pace == read("evening", "seat")
        assert any("30 minutes each" in w.words for w in screen.ui.widgets if isinstance(w, Label))
        shoot(app, "create_clocks")
        screen._pace(names.index("post"))
        assert screen.plan.pace == read("post", "seat")
        assert not any(w.words == "A bot plays for absent players" for w in screen.ui.widgets if isinstance(w, Label))
        shoot(app, "create_by_post")


@pytest.mark.long
def test_clocks_stand_above_the_board_and_with_each_player(app: App, shoot: Shoot) -> None:
    match = begun()
    screen = TableScreen(app, match)  # type: ignore[arg-type]
    app.go.show(screen)
    match.left = (1804.0, 725.0, 3725.0, 9.9)
    screen.on_update(0.1)
    owing = match.owed()[0]
    assert screen.top.layout.header.clock == brief(match.left[owing])
    assert screen.top.side.roster._times == ("30:04", "12:05", "1:02 h", "0:09")
    shoot(app, "table_clocks")
    match.left = tuple(9.4 if seat == owing else 190_000.0 for seat in range(4))
    screen.on_update(0.1)
    assert screen.top.layout.header._hurry and screen.top.side.roster._hurry == {owing}
    shoot(app, "table_clocks_hurry")
    match.halted = True
    screen.on_update(0.1)
    assert screen.top.layout.header.clock == "Paused"
    shoot(app, "table_clocks_paused")
