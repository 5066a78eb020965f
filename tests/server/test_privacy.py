"""Privacy by default: what is stored is documented, chat does not stay for ever, and the log has no names."""

import asyncio
import re
import typing
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct
from websockets.exceptions import ConnectionClosed

from server.archive import retention
from server.archive.retention import DAY, Retention
from server.storage.port import DeedRecord, PersonRecord, Store, TableRecord
from shared.messages import Create, Line, Say, Seated
from shared.tables import TablePhase
from tests.faults.process import Process
from tests.server.fakes import Client, FakeClock
from tests.server.records import KINDS, Kind, record

ROOT = Path(__file__).parents[2]
NOT_OF_A_PERSON = {
    "TableRecord": "match ruleset version options open code think takeover host phase advice words standing pace begun "
    "closed_hands due root started ended signature forward_only unanimous result lag rested unplayed away rated "
    "forfeited idle limited sought overdue lesson people_rated",
    "ChairRecord": "bot stand_in turn",
    "PollRecord": "number unanimous asked",
    "Motion": "matter seat to level seconds pace turn",
    "NoticeMark": "entry hook",
    "OwedSeats": "version owed since left",
    "MatchResult": "rounds places ended",
    "Pace": "run each reserve late bank",
    "DiceRoot": "secret",
}
"""Fields of records that say nothing of a person, or only by the number of a seat."""


def structs(kind: Any) -> dict[str, type[Struct]]:
    """Return a record and all records in it, by name."""
    found: dict[str, type[Struct]] = {}
    waiting = [kind]
    while waiting:
        each = waiting.pop()
        if isinstance(each, type) and issubclass(each, Struct) and each.__name__ not in found:
            found[each.__name__] = each
            waiting += typing.get_type_hints(each).values()
        waiting += typing.get_args(each)
    return found


def documented() -> dict[str, set[str]]:
    """Return the fields that the operator's table names, by record."""
    text = (ROOT / "deploy" / "README.md").read_text().partition("## Personal data")[2].partition("\n## ")[0]
    fields: dict[str, set[str]] = {}
    for name, spans in re.findall(r"`(\w+)`: ((?:`\w+` ?)+)", text):
        fields.setdefault(name, set()).update(re.findall(r"\w+", spans))
    return fields


def test_the_table_names_every_field_of_a_person() -> None:
    stored = {name: each for kind in (PersonRecord, TableRecord, DeedRecord) for name, each in structs(kind).items()}
    named = documented()
    assert set(named) | set(NOT_OF_A_PERSON) == set(stored)
    for name, kind in stored.items():
        here, other = named.get(name, set()), set(NOT_OF_A_PERSON.get(name, "").split())
        assert not here & other
        assert here | other == set(kind.__struct_fields__), f"{name}: say in deploy/README.md what is stored"


# --- chat of finished matches ---

WORDS = [Line(0, "Anna", "Ave!"), Line(1, "Bert", "Salve!")]


async def swept(store: Store, date: float, days: float, used: str = "") -> None:
    """Let a day's work be done at that date."""
    work = Retention(store, FakeClock(), lambda: date * DAY, days, lambda match: match == used, chat=365)
    work.begin()
    await asyncio.gather(*work._work)
    await work.stop()


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
async def test_chat_goes_and_the_match_stays(kind: Kind, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retention, "BETWEEN", 0.0)
    date = [10 * DAY]
    store = await kind.open(tmp_path, lambda: date[0])
    for name, phase in (("over", TablePhase.OVER), ("used", TablePhase.OVER), ("going", TablePhase.PLAYING)):
        ended = 10 * int(DAY) if phase is TablePhase.OVER else 0
        marks = {"kicked": ("@192.0.2.1",), "muted": ("#p1",), "words": 2}
        await store.create(record(name, phase=phase, talk=WORDS, code=name, ended=ended, **marks))

    async def talk() -> dict[str, int]:
        found = {name: await store.look(name) for name in ("over", "used", "going")}
        return {name: len(glance.table.talk) for name, glance in found.items() if glance is not None}

    date[0] = 374 * DAY
    await swept(store, 374, 400, "used")
    assert await talk() == {"over": 2, "used": 2, "going": 2}
    date[0] = 376 * DAY
    for _ in range(2):
        await swept(store, 376, 400, "used")
        assert await talk() == {"over": 0, "used": 2, "going": 2}
    glance = await store.look("over")
    assert glance is not None and (glance.table.kicked, glance.table.muted, glance.table.words) == ((), (), 2)
    await swept(store, 409, 400)
    assert await talk() == {"over": 0, "used": 0, "going": 2}
    await swept(store, 411, 400)
    assert await talk() == {"going": 2}, "they go after their end, and not after that of their chat"
    await store.close()


# --- the log ---


def test_no_line_of_the_log_takes_a_name_or_an_address() -> None:
    for path in sorted((ROOT / "server").rglob("*.py")):
        for call in re.findall(r"\blog\.(?:info|warning|failure|seldom)\([^\n]*", path.read_text()):
            assert not re.search(r"\b(?:name|address|mail|to|title|text)=", call), call


@pytest.mark.long
async def test_the_log_of_a_bad_evening_has_no_names(tmp_path: Path) -> None:
    with (tmp_path / "log").open("wb") as file:
        server = Process(tmp_path / "data", "--behind-proxy", "127.0.0.1", log=file.fileno())
        await server.start()
        client = await Client(server.url, "Cleopatra", address="198.51.100.77").open()
        await client.ask(lambda ref: Create(ref, "classic", 2, {}, "Table of Cleopatra"), Seated)
        await client.say(lambda ref: Say(ref, "Cleopatra says so"))
        bad = await Client(server.url, "Host", address="198.51.100.78").open()
        await bad.socket.wait_closed()
        flood = await Client(server.url, "Cleopatra", address="2001:db8::77").open()
        with pytest.raises(ConnectionClosed):
            while True:
                await flood.socket.ping()
        await server.kill()
    text = (tmp_path / "log").read_text()
    assert {"created", "closing", "cut", "cooling"} <= set(re.findall(r'"event": "([\w-]+)"', text)), text
    assert not re.search(r"cleopatra|198\.51|2001:db8|db8::", text, re.IGNORECASE), text
    sources = re.findall(r'"event": "(?:cut|cooling)".*?"source": "([0-9a-f]+)"', text)
    assert len(sources) >= 2 and len(set(sources)) == 1, "one address has one mark"
