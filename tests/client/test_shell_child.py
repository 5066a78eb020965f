"""Our own server as a child process, and what is kept of a player."""

import os
import stat
import time
from pathlib import Path

from client.access import Access
from client.child import ServerChild, private_server
from client.net import LinkState
from client.settings import PRIVATE, SavedSeat, Settings, load


def wait(child: ServerChild, state: str) -> None:
    end = time.monotonic() + 30
    while child.state != state:
        assert time.monotonic() < end, child.words
        time.sleep(0.005)


def test_a_server_of_our_own_becomes_ready_and_is_stopped(home: Path) -> None:
    child = private_server()
    wait(child, "ready")
    assert child.port > 0
    assert (home / "private").is_dir()
    child.stop()
    assert not child.running


def test_a_second_window_plays_with_a_folder_of_its_own(home: Path) -> None:
    first = private_server()
    wait(first, "ready")
    access = Access()
    access.open(PRIVATE, "Livia")
    end = time.monotonic() + 60
    try:
        while access.link is None or access.link.state.kind != "up":
            assert time.monotonic() < end
            gone = [a for a in access.poll() if isinstance(a, LinkState) and a.kind == "gave-up"]
            assert not gone, gone
            time.sleep(0.005)
    finally:
        access.close()
        first.stop()


def test_a_passing_folder_goes_with_its_server() -> None:
    child = private_server(kept=False)
    wait(child, "ready")
    folder = child._passing
    assert folder is not None
    assert folder.is_dir()
    child.stop()
    assert not folder.exists()


def test_a_server_that_cannot_start_says_why(home: Path) -> None:
    first = ServerChild("127.0.0.1", 0, home / "a")
    wait(first, "ready")
    second = ServerChild("127.0.0.1", first.port, home / "b")
    wait(second, "failed")
    assert second.words == f"Port {first.port} is taken: perhaps a server of yours is still running."
    first.stop()
    second.stop()


def test_settings_are_kept_for_their_owner_alone(home: Path) -> None:
    settings = load()
    assert settings.name
    settings.name = "Livia"
    settings.seat = SavedSeat(PRIVATE, "m1", bytes(32), "Ides")
    settings.save()
    again = load()
    assert (again.name, again.seat) == ("Livia", settings.seat)
    if os.name == "posix":
        assert stat.S_IMODE((home / "settings.json").stat().st_mode) == 0o600


def test_settings_that_cannot_be_read_or_kept_are_no_reason_to_stop(home: Path) -> None:
    home.mkdir(parents=True)
    (home / "settings.json").write_text("{nonsense")
    assert load().seat is None
    Settings(name="Livia", file=str(home / "settings.json" / "no" / "folder.json")).save()
