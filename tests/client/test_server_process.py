"""Our own server as a child process, and what is kept of a player."""

import os
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from client.network.server_access import ServerAccess
from client.network.server_connection import ConnectionState
from client.network.server_process import ServerProcess, hosted_server, private_server, start_early
from client.player.seats import PRIVATE, PRIVATE_HOMES, SavedSeat
from client.player.settings import Settings, load


@pytest.fixture
def real_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Start programs as players do, not forks."""
    monkeypatch.setattr("client.network.server_process.subprocess", subprocess)


def wait(child: ServerProcess, state: str) -> None:
    end = time.monotonic() + 30
    while child.state != state:
        assert time.monotonic() < end, child.words
        time.sleep(0.005)


@pytest.fixture
def first(home: Path) -> Iterator[ServerProcess]:
    """Yield the server of another window, which has the usual folder."""
    child = private_server()
    wait(child, "ready")
    yield child
    child.stop()


@pytest.fixture
def access(home: Path) -> Iterator[ServerAccess]:
    made = ServerAccess()
    yield made
    made.close()


def states_until(access: ServerAccess, kind: str) -> list[ConnectionState]:
    """Return the states of the connection until it has one of that kind; fail if it gives up before."""
    states: list[ConnectionState] = []
    end = time.monotonic() + 60
    while not any(state.kind == kind for state in states):
        assert time.monotonic() < end
        assert not any(state.kind == "gave-up" for state in states), states
        time.sleep(0.005)
        states += [arrival for arrival in access.poll() if isinstance(arrival, ConnectionState)]
    return states


@pytest.mark.usefixtures("real_programs")
def test_a_server_of_our_own_becomes_ready_and_is_stopped(home: Path) -> None:
    child = private_server()
    wait(child, "ready")
    assert child.port > 0
    assert (home / "private").is_dir()
    child.stop()
    assert not child.running


def test_a_server_that_was_started_early_is_the_one_that_is_asked_for_next(home: Path) -> None:
    start_early()
    early = private_server()
    wait(early, "ready")
    other = private_server(PRIVATE_HOMES[1])
    wait(other, "ready")
    early.stop()
    again = private_server()
    try:
        wait(again, "ready")
        assert other.port != again.port
        assert not early.running and other.running and again.running
    finally:
        other.stop()
        again.stop()


def test_a_second_window_plays_with_a_folder_of_its_own_that_is_kept_too(
    first: ServerProcess, access: ServerAccess, home: Path
) -> None:
    access.open(PRIVATE, "Livia")
    states_until(access, "up")
    assert access.address != PRIVATE
    assert (home / access.address).is_dir()


def test_a_kept_match_that_another_window_has_is_looked_for_nowhere_else(
    first: ServerProcess, access: ServerAccess
) -> None:
    access.open(PRIVATE, "Livia", SavedSeat(PRIVATE, "m1", bytes(32)))
    last = states_until(access, "gave-up")[-1]
    assert last.why == "Another window of the game is using these matches: close it first."


def test_a_kept_match_is_had_once_the_other_window_lets_go_of_it(first: ServerProcess, access: ServerAccess) -> None:
    access.open(PRIVATE, "Livia", SavedSeat(PRIVATE, "m1", bytes(32)))
    child = access._child
    assert child is not None
    wait(child, "failed")
    first.stop()
    states_until(access, "up")
    assert access.address == PRIVATE


def test_unreadable_matches_do_not_prevent_new_ones(access: ServerAccess, home: Path) -> None:
    (home / PRIVATE).mkdir(parents=True)
    (home / PRIVATE / "conquest.sqlite3").write_text("nonsense " * 1000)
    access.open(PRIVATE, "Livia")
    states_until(access, "up")
    assert access.address != PRIVATE
    assert (home / PRIVATE / "conquest.sqlite3").read_text().startswith("nonsense")


@pytest.mark.long
@pytest.mark.usefixtures("real_programs")
def test_a_server_that_cannot_start_says_why(home: Path) -> None:
    first = ServerProcess("127.0.0.1", 0, home / "a")
    wait(first, "ready")
    second = ServerProcess("127.0.0.1", first.port, home / "b")
    wait(second, "failed")
    assert second.words == f"Port {first.port} is taken: perhaps a server of yours is still running."
    first.stop()
    second.stop()


@pytest.mark.long
@pytest.mark.usefixtures("real_programs")
def test_a_server_of_ours_that_dies_is_started_again_and_the_link_comes_back(access: ServerAccess) -> None:
    access.open(PRIVATE, "Livia")
    states_until(access, "up")
    child = access._child
    assert child is not None
    child._process.kill()
    assert "lost" in {state.kind for state in states_until(access, "up")}
    assert access._child is not child


def test_a_killed_client_takes_its_server_along(home: Path) -> None:
    code = (
        "import sys, time; from pathlib import Path; from client.network.server_process import ServerProcess\n"
        f"child = ServerProcess('127.0.0.1', 0, Path({str(home / 'a')!r}))\n"
        "while child.state == 'starting': time.sleep(0.005)\n"
        "print(child.port, flush=True); time.sleep(60)"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as client:
        assert client.stdout is not None
        port = int(client.stdout.readline())
        socket.create_connection(("127.0.0.1", port)).close()
        client.kill()
    end = time.monotonic() + 30
    with pytest.raises(ConnectionRefusedError):
        while time.monotonic() < end:
            # One that is queued in the moment in which the server's socket closes is reset.
            with suppress(ConnectionResetError):
                socket.create_connection(("127.0.0.1", port)).close()
            time.sleep(0.01)


def test_settings_are_kept_for_their_owner_alone(home: Path) -> None:
    settings = load()
    assert settings.name
    settings.name = "Livia"
    settings.save()
    assert load().name == "Livia"
    if os.name == "posix":
        assert stat.S_IMODE((home / "settings.json").stat().st_mode) == 0o600


def test_settings_that_cannot_be_read_or_kept_are_no_reason_to_stop(home: Path) -> None:
    home.mkdir(parents=True)
    (home / "settings.json").write_text("{nonsense")
    assert "settings.json.damaged-1" in load().damaged
    assert (home / "settings.json.damaged-1").read_text() == "{nonsense"
    Settings(name="Livia", file=str(home / "settings.json" / "no" / "folder.json")).save()


def test_a_server_for_friends_is_reached_by_both_versions_of_the_protocol() -> None:
    child = hosted_server(0)
    try:
        wait(child, "ready")
        socket.create_connection(("127.0.0.1", child.port), 5).close()
        if _speaks_six():
            socket.create_connection(("::1", child.port), 5).close()
    finally:
        child.stop()


def _speaks_six() -> bool:
    """Whether this computer has an address of IPv6."""
    try:
        with socket.socket(socket.AF_INET6) as probe:
            probe.bind(("::1", 0))
    except OSError:
        return False
    return True
