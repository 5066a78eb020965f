"""The command `check`: before an update it says which matches can go on with this version, and changes nothing."""

import asyncio
import contextlib
import json
import sqlite3
import sys
import tarfile
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import structs

from server.command_line import main
from server.opening import DATABASE, open_store
from server.tools import check
from shared.history import GENESIS, Entry
from shared.rulesets.registry import RULESETS
from shared.tables import TablePhase
from tests.faults.process import Process
from tests.server.records import record
from tests.support import engines

FOLDERS = sorted(path.parent for path in (Path(__file__).parents[1] / "released").glob("*/data.tar.xz"))


async def run(*words: str | Path) -> int:
    """The command's status."""
    return await asyncio.to_thread(main, ["check", *map(str, words)])


def files(data: Path) -> dict[str, bytes]:
    """Return the files in the directory."""
    return {path.name: path.read_bytes() for path in data.iterdir()}


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: path.name)
async def test_every_match_of_released_versions_goes_on(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with tarfile.open(folder / "data.tar.xz") as packed:
        packed.extractall(tmp_path, filter="data")
    (database,) = tmp_path.rglob(DATABASE)
    before = files(database.parent)
    assert await run("--data", database.parent, "--all", "--json") == 0
    verdicts = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {verdict["phase"] for verdict in verdicts} == {"gathering", "playing", "over"}
    assert {verdict["game"] for verdict in verdicts} == set(RULESETS) and not any(
        verdict["why"] for verdict in verdicts
    )
    assert files(database.parent) == before


async def fill(where: str, data: Path) -> None:
    """Matches that can go on, and others of all sorts."""
    store = await open_store(where, data)
    classic = RULESETS["classic"]
    table = record("good", ruleset="classic", version=classic.version, options={}, phase=TablePhase.PLAYING)
    refused = Entry(1, 0, 1, 1, msgspec.msgpack.encode(["NoSuchAction"]))
    for match, changed, log in (
        ("good", {}, []),
        ("later", {"version": classic.version + 1}, []),
        ("foreign", {"ruleset": "chess\x1b[2J"}, []),
        ("refused", {}, [refused]),
        ("over", {"phase": TablePhase.OVER, "version": 1}, []),
        ("played", {"phase": TablePhase.OVER}, [refused]),
    ):
        kept = structs.replace(table, match=match, code=match, **changed)
        await store.create(kept)
        if log:
            await store.append(match, 1, GENESIS, log, None)
    await store.close()


async def test_matches_that_cannot_go_on_are_told_with_the_reason(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    await fill("", tmp_path)
    await fill(url := await engines.database(tmp_path), tmp_path)
    for words in (["--data", tmp_path], ["--store", url]):
        assert await run(*words) == 1
        foreign, good, later, over, refused, *counts = capsys.readouterr().out.splitlines()
        assert foreign.startswith("foreign  Title (chess?[2J ") and "cannot go on: The rule set chess" in foreign
        assert good.startswith("good  Title (classic ") and good.endswith("playing, 0 decisions): can go on.")
        assert later.startswith("later ") and "cannot go on: This match was begun with version" in later
        assert over.startswith("over ") and "cannot be shown: This match was begun with version 1" in over
        assert "refused  Title" in refused and "The rules refuse decision 1 of 1 (ValidationError: " in refused
        assert counts == ["1 matches can go on, 3 cannot.", "1 finished matches can be shown, 1 cannot."]
    assert await run("--data", tmp_path, "--all") == 1
    assert "played  Title" in capsys.readouterr().out


async def test_damage_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    await fill("", tmp_path)
    with contextlib.closing(sqlite3.connect(tmp_path / DATABASE)) as db:
        db.execute("DELETE FROM log WHERE match = 'refused'")
        db.execute("UPDATE matches SET record = x'c1' WHERE match = 'good'")
        db.commit()
    assert await run("--data", tmp_path) == 1
    told = capsys.readouterr().out
    assert "good: cannot go on: " in told and "Run conquest-server repair to see what is lost" in told
    assert "damaged after entry 0 of 1. Run conquest-server repair --apply to restore the rest" in told


async def test_an_older_file_keeps_its_format_and_a_newer_program_says_what_it_finds(tmp_path: Path) -> None:
    """To open a file brings it up to date: then the old server, which goes on for now, could not open it any more."""
    await fill("", tmp_path)
    with contextlib.closing(sqlite3.connect(tmp_path / DATABASE)) as db:
        db.executescript("DROP TABLE life; DROP TABLE deeds; PRAGMA user_version = 4;")
    assert await run("--data", tmp_path) == 1
    with contextlib.closing(sqlite3.connect(tmp_path / DATABASE)) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (4,)


@pytest.mark.long
async def test_a_running_server_is_not_disturbed(tmp_path: Path) -> None:
    await fill("", tmp_path / "data")
    server = Process(tmp_path / "data")
    await server.start()
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "server", "check", "--data", str(tmp_path / "data")), stdout=asyncio.subprocess.PIPE
    )
    told, _ = await process.communicate()
    assert process.returncode == 1 and b"1 matches can go on, 3 cannot." in told
    assert server.process.returncode is None
    await server.kill()


async def test_a_server_on_the_database_is_not_disturbed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    url = await engines.database(tmp_path)
    await fill(url, tmp_path)
    server = await open_store(url, tmp_path)
    assert await run("--store", url) == 1 and server.healthy
    assert "1 matches can go on, 3 cannot." in capsys.readouterr().out
    await server.close()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--data", "/nowhere"], "The directory /nowhere does not exist"),
        (["--data", "/"], "/conquest.sqlite3 does not exist"),
        (["--store", "nats://x"], "must be postgresql://USER@HOST/DATABASE"),
        (["--store", "postgresql://u@127.0.0.1:9/x"], "Cannot use the database"),
    ],
)
async def test_obstacles_are_told(words: list[str], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert await run(*words) == 2
    assert told in capsys.readouterr().err


async def test_an_empty_database_is_said_to_be_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert await run("--store", await engines.database(tmp_path)) == 2
    assert "This database has no matches;" in capsys.readouterr().err


def test_a_table_that_gathers_needs_no_log() -> None:
    kept: dict[str, Any] = {"ruleset": "classic", "version": RULESETS["classic"].version, "options": {}}
    assert check.obstacle(record(**kept), []) == ""
