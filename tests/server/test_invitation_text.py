"""Invitation text: printed to an operator's terminal, but not to a log."""

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest
import segno

from protocol.links import reachable
from server.tools import invitation_text


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def _cards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(invitation_text, "_own", lambda: ["127.0.0.1", "192.168.1.20", "fd00::2", "fe80::1"])


def dark(picture: str) -> list[str]:
    """Rows of 1 for dark and 0 for light, read off a picture of blocks."""
    rows: list[str] = []
    for line in picture.splitlines():
        blocks = line.removeprefix("\x1b[97;40m").removesuffix("\x1b[0m")
        rows.append("".join("0" if block in "▀█" else "1" for block in blocks))
        rows.append("".join("0" if block in "▄█" else "1" for block in blocks))
    return rows


@pytest.mark.parametrize(
    ("host", "told"),
    [
        ("", "192.168.1.20:8600 or [fd00::2]:8600"),
        ("0.0.0.0", "192.168.1.20:8600"),
        ("::", "[fd00::2]:8600"),
        ("192.168.1.20", "192.168.1.20:8600"),
    ],
)
def test_the_addresses_are_told_at_which_others_reach_it_and_the_link_for_a_camera(host: str, told: str) -> None:
    terminal = Terminal()
    invitation_text.invite(host, 8600, terminal)
    words, page, picture = terminal.getvalue().split("\n", 2)
    assert words == f"Friends join at {told}."
    assert page == f"Watch in a browser at http://{told.partition(' or ')[0]}/"
    link = f"conquest://{told.partition(' or ')[0]}"
    expected = ["".join(map(str, row)) for row in segno.make(link, error="m", micro=False).matrix_iter(border=2)]
    assert dark(picture)[: len(expected)] == expected


@pytest.mark.parametrize(
    ("public", "page"),
    [("play.example.org", "https://play.example.org/"), ("192.168.1.77:8600", "http://192.168.1.77:8600/")],
)
def test_the_page_is_where_the_operator_says_that_people_find_the_server(public: str, page: str) -> None:
    terminal = Terminal()
    invitation_text.invite("", 8600, terminal, public)
    assert f"in a browser at {page}\n" in terminal.getvalue()


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1"])
def test_invitations_leave_out_addresses_that_only_this_computer_reaches(host: str) -> None:
    terminal = Terminal()
    invitation_text.invite(host, 8600, terminal)
    assert not terminal.getvalue()


def test_a_log_is_not_told() -> None:
    out = io.StringIO()
    invitation_text.invite("", 8600, out)
    assert not out.getvalue()


def test_a_terminal_without_such_letters_is_told_the_address_all_the_same() -> None:
    class Old(Terminal):
        def write(self, words: str) -> int:
            words.encode("cp1252")
            return super().write(words)

    terminal = Old()
    invitation_text.invite("", 8600, terminal)
    assert terminal.getvalue().startswith("Friends join at 192.168.1.20:8600")


@pytest.mark.long
@pytest.mark.skipif(
    sys.platform == "win32" or not reachable(invitation_text._own()), reason="no such terminal, or no network"
)
def test_a_server_tells_its_operator_at_once(tmp_path: Path) -> None:
    ours, theirs = os.openpty()
    command = [sys.executable, "-m", "server", "serve", "--host", "", "--port", "0", "--data", str(tmp_path)]
    with subprocess.Popen(command, stdout=theirs, stderr=subprocess.DEVNULL) as process:
        os.close(theirs)
        said = b""
        try:
            while b"Friends join at" not in said or "▀".encode() not in said:
                said += os.read(ours, 4096)
        finally:
            process.terminate()
            os.close(ours)
    assert b"conquest-server ready on ws://" in said
