"""The command line: what it understands, and one sentence for what it does not."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from client import command_line
from client.command_line import main, parser, plan_of, private_plan_of
from client.commands import shot
from client.player.table_options import TableOptions
from protocol import record
from protocol.release import release
from tests.faults.tampering import original


@pytest.mark.parametrize("command", ["play", "learn", "host", "join", "watch", "games", "stop", "desktop", "shot"])
def test_every_command_explains_itself(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([command, "--help"])
    assert ended.value.code == 0
    words = capsys.readouterr().out
    assert f"usage: conquest {command}" in words
    assert words.count("\n") > 6


def test_help_needs_no_arcade() -> None:
    code = "import client.command_line, sys; client.command_line.parser(); sys.exit('arcade' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["play", "--players", "9"], "takes 2 to 6 players, not 9"),
        (["play", "--ruleset", "chess"], "no rule set 'chess'"),
        (["play", "--seat", "roma"], "no home 'roma'; homes are: Macedonia"),
        (["play", "--players", "2", "--seat", "italia"], "homes are: Egyptus, Hispania"),
        (["play", "--rounds", "5000"], "round_limit"),
        (["play", "--bots", "wise"], "no 'wise' bots; there are easy, medium, strong, hard and expert ones"),
        (["play", "--players", "2", "--bots", "easy,easy"], "Levels named: 2, bots that play: 1."),
        (
            ["play", "--players", "4", "--bots", "hard,easy"],
            "Levels named: 2, bots that play: 3. Name one for each, or one for all.",
        ),
        (["play", "--bots", ""], "no '' bots; there are easy"),
        (["play", "--hotseat", "Ada"], "Name 2 to 6 people who share this computer, such as Ada,Bob."),
        (["host", "--hotseat", "A,B,C", "--players", "2"], "--hotseat names 3 people for 2 seats; raise --players."),
        (["play", "--name", "x" * 25], "A name has at most 24 letters"),
        (["join", "not an address"], "HOST or HOST:PORT"),
        (["watch", "host:port"], "must be 1 to 65535, such as 8600, not 'port'"),
        (["shot", "--size", "big", "--out", "x.png"], "--size must be WIDTHxHEIGHT"),
        (["shot", "--players", "1", "--out", "x.png"], "takes 2 to 6 players, not 1"),
    ],
)
def test_impossible_input_is_refused_in_a_sentence(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    said = capsys.readouterr().err
    assert words in said
    assert said.startswith("conquest: ")
    assert said.count("\n") == 1


@pytest.mark.parametrize(
    "arguments", [[], ["play"], ["learn"], ["host"], ["join"], ["join", "localhost"], ["watch", "localhost", "C"]]
)
def test_without_a_screen_and_a_terminal_the_text_client_is_named(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command_line, "_screen", lambda: False)
    assert main(arguments) == 1
    said = capsys.readouterr().err
    assert "conquest play --text" in said
    assert said.count("\n") == 1


@pytest.mark.parametrize("arguments", [["play"], ["host"], ["join"], ["watch", "localhost", "C"]])
def test_without_a_screen_a_terminal_gets_the_table_in_words(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    begun: list[object] = []
    monkeypatch.setattr(command_line, "_screen", lambda: False)
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(isatty=lambda: True))

    def read_along(_mine: object, begin: object) -> int:
        begun.append(begin)
        return 7

    monkeypatch.setattr(command_line, "_read_along", read_along)
    assert main(arguments) == 7
    assert len(begun) == 1
    assert "in words" in capsys.readouterr().err


def test_the_version_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert ended.value.code == 0
    assert capsys.readouterr().out == f"conquest {release()}\n"


@pytest.mark.long
def test_without_a_screen_a_recorded_match_can_be_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command_line, "_screen", lambda: False)
    path = tmp_path / "my match.conquest"
    path.write_bytes(record.write(original(1)))
    assert main(["replay", str(path)]) == 1
    assert f"conquest tell '{path}'" in capsys.readouterr().err


@pytest.mark.long
def test_a_screen_that_cannot_be_opened_is_no_traceback(tmp_path: Path) -> None:
    env = {"DISPLAY": ":9871", "PATH": "/usr/bin:/bin", "HOME": str(tmp_path)}
    command = [sys.executable, "-m", "client", "play"]
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "conquest play --text" in done.stderr
    assert "Traceback" not in done.stderr


def test_without_arcade_the_way_to_install_it_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command_line.importlib.util, "find_spec", lambda name: None)  # type: ignore[attr-defined]
    assert main(["play"]) == 2
    assert 'pip install -e ".[all]"' in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "seats", "home", "options"),
    [
        (["play"], 4, -1, {}),
        (["play", "--seat", "italia"], 5, 4, {}),
        (["play", "--seat", "Hispania", "--rounds", "8"], 4, 3, {"round_limit": 8}),
        (["host", "--players", "2", "--seat", "egyptus"], 2, 0, {}),
        (["play", "--ruleset", "cote2", "--option", "seasons=5"], 4, -1, {"seasons": 5}),
        (["play", "--ruleset", "cote2", "--option", "strait_zones=one zone"], 4, -1, {"strait_zones": 1}),
    ],
)
def test_a_table_is_planned_from_the_arguments(
    arguments: list[str], seats: int, home: int, options: dict[str, int]
) -> None:
    plan = plan_of(parser().parse_args(arguments))
    assert (plan.seats, plan.home, plan.options) == (seats, home, options)


@pytest.mark.parametrize(
    ("arguments", "bots"),
    [
        ([], ("normal", "normal", "normal")),
        (["--level", "easy"], ("easy", "easy", "easy")),
        (["--bots", "hard"], ("hard", "hard", "hard")),
        (["--bots", "normal,easy,hard"], ("normal", "easy", "hard")),
    ],
)
def test_the_levels_of_the_bots_are_chosen(arguments: list[str], bots: tuple[str, ...]) -> None:
    assert private_plan_of(parser().parse_args(["play", *arguments])).bots == bots


def test_a_fixed_home_fixes_all_homes_by_seat() -> None:
    request = plan_of(parser().parse_args(["play", "--seat", "hispania"])).request(1)
    assert request.seat == 3
    assert request.options["homes"] == 2


def test_a_shot_says_what_it_wrote(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(
        ruleset: str, players: int, seed: int, after: int, size: tuple[int, int], out: Path, options: dict[str, int]
    ) -> str:
        return f"{ruleset} {players} {seed} {after} {size} {out.name} {options['seasons']}"

    monkeypatch.setattr(shot, "run", run)
    arguments = ["--players", "3", "--seed", "5", "--after", "9", "--size", "640x400", "--out", str(tmp_path / "x.png")]
    assert main(["shot", "--ruleset", "cote2", "--option", "seasons=5", *arguments]) == 0
    assert capsys.readouterr().out == "cote2 3 5 9 (640, 400) x.png 5\n"


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("seasons", "KEY=VALUE"),
        ("seasons=6", "takes 4 | 5, not '6'"),
        ("monsoons=4", "it has seasons, victory"),
        ("help", "victory=0 \\(Italia 20/10/5, others 10/5\\)"),
    ],
)
def test_a_wrong_option_is_refused_with_what_there_is(typed: str, said: str) -> None:
    with pytest.raises(ValueError, match=said.replace("|", "\\|")):
        plan_of(parser().parse_args(["play", "--ruleset", "cote2", "--option", typed]))


@pytest.mark.parametrize(("arguments", "allowed"), [(["host"], False), (["host", "--advice"], True)])
def test_a_hosted_table_allows_advice_only_if_told(
    arguments: list[str], allowed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    plans: list[TableOptions] = []
    host = SimpleNamespace(host=lambda plan, _port: plans.append(plan))
    monkeypatch.setattr(command_line, "_open_window", lambda _settings, begin, **_more: begin(host) or 0)
    assert main(arguments) == 0
    assert [plan.request(1).advice for plan in plans] == [allowed]


class Wishes:
    """Notes where the command line leads."""

    def __init__(self) -> None:
        self.said: list[object] = []

    def host(self, plan: TableOptions, port: int = 0) -> None:
        self.said.append((plan.listed, port))

    def connect(
        self, *, watch: bool, address: str = "", code: str = "", people: tuple[str, ...] = (), curtain: bool = False
    ) -> None:
        self.said.append((watch, address, code) + ((people, curtain) if people else ()))


@pytest.fixture
def wishes(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Return the requests that the command line passes to the window."""
    made = Wishes()

    def window(_mine: object, begin: Callable[[Wishes], object], *_: object, **_more: object) -> int:
        begin(made)
        return 0

    monkeypatch.setattr(command_line, "_open_window", window)
    return made.said


@pytest.mark.parametrize(
    ("arguments", "wished"),
    [
        (["host"], (True, 8600)),
        (["host", "--unlisted", "--port", "9000"], (False, 9000)),
        (["join"], (False, "", "")),
        (["join", "192.168.1.20", "--code", "VEN42A"], (False, "192.168.1.20", "VEN42A")),
        (["join", "conquest://192.168.1.20:8600/VEN42A"], (False, "192.168.1.20:8600", "VEN42A")),
        (["conquest://192.168.1.20:8600/VEN42A"], (False, "192.168.1.20:8600", "VEN42A")),
        (["join", "conquest join 192.168.1.20 --code VEN42A"], (False, "192.168.1.20", "VEN42A")),
        (["watch", "conquest://192.168.1.20/VEN42A"], (True, "192.168.1.20", "VEN42A")),
        (["watch", "192.168.1.20", "VEN42A"], (True, "192.168.1.20", "VEN42A")),
        (["join", "10.0.0.7", "--hotseat", "Ada,Bob"], (False, "10.0.0.7", "", ("Ada", "Bob"), False)),
    ],
)
def test_a_command_leads_where_the_form_would(arguments: list[str], wished: object, wishes: list[object]) -> None:
    assert main(arguments) == 0
    assert wishes == [wished]
