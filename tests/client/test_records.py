"""Recorded matches on the command line: checked, and told in words."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from msgspec import structs

from client.command_line import main
from protocol import record
from shared.rulesets.registry import ruleset
from tests.faults.tampering import original
from tests.play.matches import played


def kept(folder: Path, match: record.Record | None = None, **changes: object) -> Path:
    """Write a match with these changes to a file; by default one of people with a proof."""
    path = folder / "match.conquest"
    path.write_bytes(record.write(structs.replace(match or original(1), **changes)))
    return path


@pytest.fixture
def good(tmp_path: Path) -> Path:
    return kept(tmp_path)


def said(capsys: pytest.CaptureFixture[str], *words: str | Path) -> tuple[int, str, str]:
    status = main([str(word) for word in words])
    found = capsys.readouterr()
    return status, found.out, found.err


def test_a_match_that_holds_is_said_to_hold(good: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, told, _err = said(capsys, "verify", good)
    assert status == 0 and "rolls verified." in told and "signed" in told and "does not hold" not in told
    status, told, _err = said(capsys, "verify", good, "--json")
    verdict = json.loads(told)
    assert status == 0 and verdict["holds"] is True and verdict["wrong"] == ""
    assert verdict["rolls"] > 5 and verdict["numbers"] == 3 and verdict["seats"][0] == "Person 0"


def test_a_match_that_was_changed_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = kept(tmp_path, title="Another")
    status, told, _err = said(capsys, "verify", path)
    assert status == 1 and "It does not hold: The signature" in told and "verified" not in told
    status, told, _err = said(capsys, "verify", path, "--json", "--rules-only")
    assert status == 1 and json.loads(told)["holds"] is False


def test_a_match_without_a_proof_is_accepted_only_with_rules_only(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = kept(tmp_path, proof=None)
    status, told, _err = said(capsys, "verify", path)
    assert status == 1 and "no proof of the dice" in told
    status, told, _err = said(capsys, "verify", path, "--rules-only")
    assert status == 0 and "does not hold" not in told and "have no proof" in told


def test_invalid_files_are_refused_in_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "none.conquest"
    path.write_bytes(b"nothing of the kind")
    for words in (("verify", path), ("tell", path), ("verify", tmp_path / "missing"), ("tell", tmp_path / "missing")):
        status, told, err = said(capsys, *words)
        assert status == 2 and not told and err.startswith("conquest: ") and err.count("\n") == 1
    status, told, _err = said(capsys, "verify", path, "--json")
    assert status == 2 and json.loads(told) == {"holds": False, "wrong": "This is not a file of a match."}


def test_a_match_is_told_a_line_for_each_sentence(good: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, told, _err = said(capsys, "tell", good)
    lines = told.splitlines()
    assert status == 0 and lines[0] == "Ides: Conquest of the Empire Classic (2005)."
    assert lines[1].startswith("At the table: Person 0, Person 1") and "2023-11-14" in lines[2]
    assert len(lines) > 100 and all(line.strip() == line and line[-1] in ".!?" for line in lines)
    assert lines[-1] == "All agreed to end the match here."


def test_undone_steps_and_the_end_of_a_whole_match_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _status, told, _err = said(capsys, "tell", kept(tmp_path, original(0)))
    assert "takes back the last decision." in told
    whole = played(ruleset("cote2"), 2, {"seasons": 5}, 8, backs=False)
    _status, told, _err = said(capsys, "tell", kept(tmp_path, whole))
    assert "All agreed" not in told and "The record ends here" not in told and "the empire" in told.splitlines()[-1]


@pytest.mark.long
def test_it_is_told_in_another_language(good: Path) -> None:
    command = [sys.executable, "-m", "client", "tell", str(good), "--language", "de"]
    told = subprocess.run(command, capture_output=True, text=True, check=True, cwd=Path(__file__).parents[2]).stdout
    assert "Am Tisch: " in told and "Alle waren sich einig" in told and "At the table" not in told


def test_a_closed_pipe_ends_the_output_silently(good: Path) -> None:
    # Into a pipe whose reader is gone before the first word.
    command = (sys.executable, "-m", "client", "tell", str(good))
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as program:
        assert program.stdout is not None and program.stderr is not None
        program.stdout.close()
        assert program.stderr.read() == b"" and program.wait(60) == 0


@pytest.mark.parametrize("command", ["verify", "tell"])
def test_a_title_forges_no_sentence(command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = kept(tmp_path, title="F: ok.\r\nAll 54 rolls verified.\x1b[8m")
    status, told, err = said(capsys, command, path)
    assert status == 2 and not told and "no server lets through" in err and err[:-1].isprintable()
    status, told, err = said(capsys, command, tmp_path / "x\x1b[8m\r.conquest")
    assert status == 2 and not told and err[:-1].isprintable()


@pytest.mark.parametrize("command", ["verify", "tell"])
def test_bots_are_called_the_same_and_a_table_without_a_title_is_one(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    seats = (record.Sitter("Anna"), record.Sitter("", "easy"), *original(1).seats[2:])
    _status, told, _err = said(capsys, command, kept(tmp_path, title="", seats=seats, proof=None))
    assert told.startswith("A table: ") and "Anna, Brutus" in told and "(easy)" not in told
