"""The game in the list of programs, and links that open with it."""

import argparse
import configparser
import os
import sys
from pathlib import Path

import pytest

from client import command_line, desktop
from client.command_line import main

LINUX = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="lists of programs as on Linux")
TOOL = '#!/bin/sh\necho "$@" > "$(dirname "$0")/told"\n'


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the directory of entries; beside it are the only commands that exist."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    return tmp_path / "data"


def entry(data: Path) -> dict[str, str]:
    parser = configparser.ConfigParser(interpolation=None)
    parser.optionxform = str  # type: ignore[assignment, method-assign]
    parser.read(data / "applications" / "conquest-empire.desktop", "utf-8")
    return dict(parser["Desktop Entry"])


@LINUX
def test_it_comes_into_the_list_and_goes_again(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["desktop"]) == 0
    assert "is in your list of programs" in capsys.readouterr().out
    written = entry(data)
    assert (
        written["Exec"].endswith(" %u")
        and written["MimeType"] == "x-scheme-handler/conquest;application/x-conquest-match;"
    )
    assert Path(written["Icon"]).read_bytes().startswith(b"\x89PNG")
    assert main(["desktop", "--remove"]) == main(["desktop", "--remove"]) == 0
    assert [path for path in data.rglob("*") if path.is_file()] == []


@LINUX
def test_the_system_is_told_who_opens_links(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tool = data.parent / "bin" / "xdg-mime"
    tool.write_text(TOOL.replace("dirname", "/usr/bin/dirname"))
    tool.chmod(0o755)
    assert main(["desktop"]) == 0
    assert (data.parent / "bin" / "told").read_text().split() == [
        "default", "conquest-empire.desktop", "x-scheme-handler/conquest",
    ]  # fmt: skip
    assert "Links to tables open with it." in capsys.readouterr().out


@LINUX
def test_without_a_tool_it_says_what_to_do(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["desktop"]) == 0
    assert "Make conquest-empire.desktop the program for x-scheme-handler/conquest." in capsys.readouterr().out


@LINUX
@pytest.mark.skipif(os.geteuid() == 0, reason="everything may be written by root")
def test_a_list_that_cannot_be_written(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data.mkdir()
    data.chmod(0o500)
    assert main(["desktop"]) == 2
    assert "could not be changed" in capsys.readouterr().err


@LINUX
def test_a_list_that_is_a_file(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data.write_text("")
    assert main(["desktop"]) == 2
    assert capsys.readouterr().err.startswith("conquest: your list of programs cannot be changed (")


@LINUX
def test_strange_folders_are_quoted(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", '/opt/my "games" $x/100%/conquest')
    desktop.install()
    assert entry(data)["Exec"] == r'"/opt/my \"games\" \$x/100%%/conquest" %u'


def test_it_starts_what_was_started(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    assert desktop.program() == (sys.executable, "-m", "client")
    (tmp_path / "conquest").touch(0o755)
    assert desktop.program() == (str(tmp_path / "conquest"),)


def test_a_link_alone_is_a_table_to_join(monkeypatch: pytest.MonkeyPatch) -> None:
    joined: list[str] = []

    def join(args: argparse.Namespace) -> int:
        joined.append(args.server)
        return 0

    monkeypatch.setattr(command_line, "_run_join", join)
    assert main(["conquest://192.0.2.7:8600/VENI42"]) == 0
    assert joined == ["conquest://192.0.2.7:8600/VENI42"]
