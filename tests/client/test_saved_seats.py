"""The seats that a player holds: none is lost by another, by another window, by a crash, or by a damaged file."""

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from client import command_line
from client.app import App
from client.player import settings
from client.player.match_status import ago, description
from client.player.profiles import Profiles
from client.player.seats import HOSTED, PRIVATE, SavedSeat, Seats, one_row_each
from client.player.settings import Settings, seats_of
from client.text_client.text_program import TextProgram
from shared.tables import MAX_NAME

FRIENDS = SavedSeat("play.example.org", "m1", bytes(32), "Ides", 2, seen=5.0)
BOTS = SavedSeat(PRIVATE, "m2", bytes(32), "Livia's table", 0, seen=9.0)


@pytest.fixture
def seats(tmp_path: Path) -> Seats:
    return Seats(tmp_path / "seats")


def test_a_second_seat_never_takes_the_place_of_the_first(seats: Seats) -> None:
    for seat in (FRIENDS, BOTS, replace(FRIENDS, address=HOSTED), replace(FRIENDS, seat=3)):
        seats.keep(seat)
    assert len(seats.all()) == 4
    assert seats.all()[0] == BOTS, "the one played last comes first"


def test_the_next_key_takes_the_place_of_the_last(seats: Seats) -> None:
    seats.keep(FRIENDS)
    seats.keep(replace(FRIENDS, token=bytes([1]) * 32))
    assert [seat.token for seat in seats.all()] == [bytes([1]) * 32]


def test_notes_of_an_older_window_leave_the_newer_key(seats: Seats) -> None:
    newer = replace(FRIENDS, token=bytes([1]) * 32)
    seats.keep(newer)
    seats.note(replace(FRIENDS, title="Nones"))
    seats.forget(FRIENDS)
    assert seats.all() == [newer]


@pytest.mark.skipif(sys.platform == "win32", reason="locks are asked for differently there")
def test_reading_and_writing_are_a_single_step(seats: Seats, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A window that loses its seat to another one notes how things stand at the moment in which that keeps its key."""
    import fcntl

    seats.keep(FRIENDS)
    tried = []

    def elsewhere(path: Path, data: bytes) -> None:
        with (tmp_path / "seats" / ".lock").open("ab") as file, pytest.raises(BlockingIOError):
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        tried.append(path)

    monkeypatch.setattr("client.player.seats.write_whole", elsewhere)
    seats.note(replace(FRIENDS, title="Nones"))
    seats.keep(BOTS)
    assert len(tried) == 2


def test_a_note_does_not_bring_back_what_was_forgotten(seats: Seats) -> None:
    seats.keep(FRIENDS)
    seats.forget(FRIENDS)
    seats.note(FRIENDS)
    assert seats.all() == []


def test_tidying_takes_away_what_is_over_or_gone_and_nothing_else(seats: Seats) -> None:
    seats.keep(FRIENDS)
    seats.keep(replace(BOTS, state="over"))
    seats.keep(replace(FRIENDS, match="m3", state="gone"))
    seats.keep(replace(FRIENDS, match="m4", state="gathering"))
    assert seats.tidy() == 2
    assert sorted(seat.match for seat in seats.all()) == ["m1", "m4"]


@pytest.mark.skipif(os.name != "posix", reason="other systems have no modes")
def test_a_key_is_for_its_owner_alone_whatever_the_mask(seats: Seats, tmp_path: Path) -> None:
    folder, profiles = tmp_path / "seats", tmp_path / "profiles"
    profiles.mkdir(mode=0o755)  # As an earlier version made it.
    profiles.chmod(0o755)
    (profiles / ".lock").touch(0o666)
    for mask in (0, 0o022, 0o177):
        before = os.umask(mask)
        try:
            seats.keep(replace(FRIENDS, match=f"m{mask}"))
            Profiles(profiles).made(f"{mask}.example.org", secure=False)
            seats.note(FRIENDS)
        finally:
            os.umask(before)
        for place in (folder, profiles):
            assert stat.S_IMODE(place.stat().st_mode) == 0o700
            assert {stat.S_IMODE(each.stat().st_mode) for each in place.iterdir() if each.name != ".lock"} == {0o600}
    assert stat.S_IMODE((profiles / ".lock").stat().st_mode) == 0o600


def test_a_damaged_file_is_put_aside_with_words_and_the_others_stay(seats: Seats, tmp_path: Path) -> None:
    seats.keep(FRIENDS)
    (path,) = (tmp_path / "seats").glob("*.json")
    seats.keep(BOTS)
    path.write_bytes(path.read_bytes()[:40])
    assert seats.all() == [BOTS]
    (words,) = seats.words
    aside = next((tmp_path / "seats").glob("*.damaged-1"))
    assert aside.name in words
    assert len(aside.read_bytes()) == 40
    assert seats.all() == [BOTS]
    assert len(seats.words) == 1, "it is said once"


@pytest.mark.parametrize("damage", ["long", "pipe", "folder", "year"])
def test_a_file_that_cannot_be_one_of_ours_is_put_aside_too(seats: Seats, tmp_path: Path, damage: str) -> None:
    """Devices and pipes never end, and no calendar has the year 31 billion."""
    seats.keep(FRIENDS)
    (path,) = (tmp_path / "seats").glob("*.json")
    path.unlink()
    if damage == "long":
        path.symlink_to("/dev/zero")
    elif damage == "pipe":
        os.mkfifo(path)
    elif damage == "folder":
        path.mkdir()
    else:
        path.write_bytes(msgspec.json.encode(replace(FRIENDS, seen=1e18)))
    assert seats.all() == [] and len(seats.words) == 1
    assert os.path.lexists(path.with_name(f"{path.name}.damaged-1"))


def test_settings_that_never_end_or_have_too_long_a_name_are_no_hindrance(home: Path) -> None:
    home.mkdir(parents=True, exist_ok=True)
    (home / "settings.json").symlink_to("/dev/zero")
    assert "damaged-1" in settings.load().damaged
    (home / "settings.json").write_text(json.dumps({"name": "x" * 5000}))
    assert len(settings.load().name) == MAX_NAME


def test_commands_and_the_table_in_words_tell_of_damage(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said: list[str] = []
    for program in ("games", "text"):
        (home / "seats").mkdir(parents=True, exist_ok=True)
        (home / "seats" / "x.json").write_text("{")
        (home / "settings.json").write_text("{")
        if program == "games":
            assert command_line.main(["games"]) == 0
            said.extend(capsys.readouterr().err.splitlines())
        else:
            reader = TextProgram(settings.load(), lambda line: said.append(str(line)))
            reader._seats.all()
            reader.update()
    assert [words.split()[1] for words in said] == ["settings", "kept"] * 2


def test_the_player_is_told_of_damage(window: object, home: Path) -> None:
    (home / "seats").mkdir(parents=True)
    (home / "seats" / "x.json").write_text("{")
    (home / "settings.json").write_text("{")
    app = App(window, settings.load())  # type: ignore[arg-type]
    app.on_update(0.0)
    assert [words.split()[1] for words in app.toasts.words] == ["settings", "kept"]
    app.close()


def test_a_write_that_fails_leaves_what_was(seats: Seats, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seats.keep(FRIENDS)

    def full(number: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space"):
        seats.keep(replace(FRIENDS, title="Nones"))
    assert seats.all() == [FRIENDS]
    assert len([path for path in (tmp_path / "seats").iterdir() if path.name != ".lock"]) == 1, (
        "nothing half written stays behind"
    )


def test_the_one_seat_of_earlier_versions_is_taken_over(home: Path) -> None:
    home.mkdir(parents=True)
    old = {"name": "Livia", "seat": {"address": PRIVATE, "match": "m1", "token": "A" * 43 + "=", "title": "Ides"}}
    (home / "settings.json").write_bytes(msgspec.json.encode(old))
    (seat,) = seats_of(settings.load()).all()
    assert (seat.address, seat.match, seat.token, seat.title) == (PRIVATE, "m1", bytes(32), "Ides")
    again = settings.load()
    assert (again.name, again.seat) == ("Livia", None)
    assert seats_of(again).all() == [seat]


@pytest.mark.long
def test_two_programs_at_once_lose_nothing(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from client.player.seats import SavedSeat, Seats\n"
        "seats = Seats(Path(sys.argv[1]))\n"
        "for i in range(40):\n"
        "    seat = SavedSeat('host', f'{sys.argv[2]}{i}', bytes(32)); seats.keep(seat); seats.note(seat)\n"
        "print(*seats.words)"
    )
    command = [sys.executable, "-c", code, str(tmp_path)]
    both = [subprocess.Popen([*command, name], stdout=subprocess.PIPE, text=True) for name in "ab"]
    said = [process.communicate()[0].strip() for process in both]
    assert said == ["", ""]
    assert len(Seats(tmp_path).all()) == 80


def test_settings_that_are_kept_nowhere_keep_no_seats_either(home: Path) -> None:
    seats_of(Settings()).keep(FRIENDS)
    assert not (home / "seats").exists()


def test_dates_are_said_as_people_say_them() -> None:
    noon = 1_800_000_000.0
    day = 86400.0
    assert ago(0.0, noon) == ""
    assert ago(noon - 60, noon).startswith("today, ")
    assert ago(noon - day, noon).startswith("yesterday, ")
    assert ago(noon - 5 * day, noon) == "5 days ago"
    assert ago(noon - 100 * day, noon).startswith("2026-10-0")


def test_matches_are_told_apart_by_game_round_and_rivals() -> None:
    seat = SavedSeat("private", "m1", b"", game="mb1984", people=("Livia", "Marcus"), round=7)
    assert description(seat) == "1984, round 7, against Livia and Marcus"
    assert (
        description(replace(seat, game="cote2", people=("A", "B", "C"))) == "Conquest II, season 7, against A, B and C"
    )
    assert description(SavedSeat("private", "m1", b"")) == ""


def test_a_match_of_people_who_share_a_computer_is_one_row() -> None:
    ada = SavedSeat("private", "m1", b"a", seat=0, person="Ada", people=("Bob", "Livia"))
    bob = SavedSeat("private", "m1", b"b", seat=1, person="Bob", mine=True, people=("Ada", "Livia"))
    other = SavedSeat("private", "m1", b"c", seat=2, people=("Ada", "Bob"))
    assert one_row_each([ada, bob, other]) == [replace(bob, people=("Livia",)), other], "those elsewhere"
