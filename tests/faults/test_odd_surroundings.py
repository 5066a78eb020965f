"""Files that are none or never end, and users without a home: one sentence, and an exit status other than 0."""

from pathlib import Path

import pytest

from client import user_directories
from client.command_line import main as client
from protocol.record import read
from server.command_line import main as server

FIRST_LINES = ("conquest-match 999", "conquest-match -1", "conquest-match x", "conquest-match 0", "conquest-match", "")
READERS = {
    "verify": (client, ("verify",)),
    "tell": (client, ("tell",)),
    "replay": (client, ("replay",)),
    "simulate": (server, ("simulate", "--replay")),
    "lay out": (server, ("serve", "--lay-out")),
    "certificate": (server, ("serve", "--certificate")),
    "bot's key": (server, ("bot", "ws://127.0.0.1:1", "--ladder", "Otho", "--key")),
}


@pytest.mark.parametrize("reader", READERS)
def test_a_file_that_is_none_gets_one_sentence(
    reader: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.log.start", lambda *_level: None)
    program, words = READERS[reader]
    (tmp_path / "binary").write_bytes(b"\0\xff\x93")
    for number, line in enumerate(FIRST_LINES):
        (tmp_path / f"line {number}").write_text(f"{line}\nrest")
    # Devices never end: their size is bounded while they are read.
    for file in ("/dev/zero", *map(str, (tmp_path, *sorted(tmp_path.iterdir())))):
        assert program([*words, file]) == 2
        said = capsys.readouterr()
        assert len((said.err + said.out).splitlines()) == 1, (file, said)


@pytest.mark.parametrize("line", FIRST_LINES)
def test_a_record_of_a_version_that_never_was_is_refused(line: str) -> None:
    with pytest.raises(ValueError, match=r"newer version|not a file of a match"):
        read(f"{line}\nrest".encode())


def test_without_a_home_a_named_directory_is_enough(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", homeless)
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    assert server(["admin", "--data", str(tmp_path), "matches"]) == 0
    with pytest.raises(SystemExit) as ended:
        server(["check"])
    assert ended.value.code == 2 and "this user has no home directory" in capsys.readouterr().err


def test_a_client_without_a_place_for_its_files_goes_on_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CONQUEST_HOME", "/dev/null/conquest")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    said = user_directories.make_folder()
    assert said.startswith("/dev/null/conquest: ") and str(user_directories.folder()) in said
    assert user_directories.folder().parent == tmp_path
    assert user_directories.make_folder() == ""
