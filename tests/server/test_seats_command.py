"""The command `seats` on both engines: new keys to the seats of persons, while no server runs."""

import asyncio
import json
from pathlib import Path

import pytest

from server.command_line import main
from server.matches.seating import Seating
from server.opening import open_store
from server.storage.port import ChairRecord
from shared.tables import TablePhase
from tests.server.records import entries, filled, record
from tests.support import engines


@pytest.fixture(params=["file", "database"])
async def where(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of a store with a match in play, one that gathers and one that is over; "" for the file."""
    url = "" if request.param == "file" else await engines.database(tmp_path)
    store = await open_store(url, tmp_path)
    for match, phase in (("m1", TablePhase.PLAYING), ("m2", TablePhase.GATHERING), ("m3", TablePhase.OVER)):
        check = await filled(store, 2, match)
        table = record(match, phase=phase, chairs=[ChairRecord("Anna"), ChairRecord(bot="easy"), ChairRecord("Bert")])
        await store.append(match, 1, check, entries(3), table)
    await store.close()
    return url


async def seats(where: str, data: Path, *words: str) -> int:
    """The command's status."""
    store = ["--store", where] if where else []
    return await asyncio.to_thread(main, ["seats", "--data", str(data), *store, *words])


async def test_each_seat_gets_a_key_that_opens_it(
    where: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert await seats(where, tmp_path) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(line["match"], line["seat"], line["people"]) for line in lines] == [
        ("m1", 0, ["Bert"]),
        ("m1", 2, ["Anna"]),
    ]
    store = await open_store(where, tmp_path)
    stored = await store.claim("m1")
    assert stored is not None and len(stored.entries) == 3
    seating = Seating(stored.table.chairs)
    assert [seating.seat_of(bytes.fromhex(line["token"])) for line in lines] == [0, 2]
    await store.close()


async def test_known_ones_are_left_out_and_one_is_deleted(
    where: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert await seats(where, tmp_path, "--known", "m1") == 0
    assert await seats(where, tmp_path, "--delete", "m1") == 0
    assert await seats(where, tmp_path, "--delete", "nowhere") == 0
    assert capsys.readouterr().out == ""
    store = await open_store(where, tmp_path)
    assert await store.claim("m1") is None and await store.claim("m3") is not None
    await store.close()
