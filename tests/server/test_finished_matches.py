"""Finished matches: their lists, how they came out, and how long they are kept."""

import asyncio
from pathlib import Path

import pytest
from msgspec import structs

from server.archive import archive_requests, retention
from server.archive.retention import Retention
from server.storage.port import MatchResult
from server.storage.sqlite import SqliteStore
from server.tools.serve import days
from shared.history import GENESIS
from shared.messages import Past, PastList, PastMatch, Rank, Refused
from shared.tables import SeatKind, TablePhase
from tests.server.fakes import FakeClock, settle
from tests.server.lobby_harness import LobbyHarness, link, open_lobby, person
from tests.server.records import KINDS, Kind, entries, record
from tests.server.test_archive import over


async def listed(h: LobbyHarness, past: Past | None = None) -> list[PastMatch]:
    return list((await h.ask(person("Nero"), past or Past(1), PastList)).matches)


async def test_a_finished_match_is_listed_with_how_it_came_out(tmp_path: Path) -> None:
    async with open_lobby(tmp_path) as h:
        await h.match(2)
        assert await listed(h) == []
    async with open_lobby(tmp_path / "2") as h:
        _, match = await over(h)
        (told,) = await listed(h)
        table = h.only().table
        assert (told.match, told.title, told.ruleset, told.version) == (match, "Title", "toy", 1)
        assert (told.length, told.rounds) == (table.match.version, table.match.state.round)
        places = table.rules.standings(table.match.state)
        assert told.ranks == tuple(Rank(place.seat, place.rank, place.score) for place in places)
        assert abs(told.ended - h.lobby._services.date()) < 60
        assert [seat.name for seat in told.seats] == ["Anna", "Ben"] and told.you == -1


async def test_it_is_the_same_after_a_restart_and_nothing_is_woken_for_it(tmp_path: Path) -> None:
    async with open_lobby(tmp_path) as h:
        await over(h)
        (before,) = await listed(h)
    async with open_lobby(tmp_path) as h:
        (after,) = await listed(h)
        assert after == structs.replace(before, seats=after.seats) and h.lobby.tables == 0
        assert [seat.kind for seat in after.seats] == [SeatKind.AWAY] * 2


async def test_closed_tables_are_told_only_to_their_players(h: LobbyHarness) -> None:
    (_, ben), match = await over(h, open=False)
    token = h.token(ben)
    await h.only().table.save()
    assert await listed(h) == []
    (told,) = await listed(h, Past(1, held=((match, token), (match, bytes(32)), ("nowhere", token))))
    assert (told.match, told.you) == (match, ben.seat)
    assert h.only().table.seating.chairs[ben.seat].admits(token), "it was only shown"


async def test_matches_that_go_on_are_no_finished_ones(h: LobbyHarness) -> None:
    anna, _ = await h.match(2)
    token = h.token(anna)
    await h.only().table.save()
    assert await listed(h, Past(1, held=((h.only().match, token),))) == []


async def shelf(store: SqliteStore, count: int) -> None:
    """So many finished matches, that with the highest number the last."""
    for n in range(count):
        result = MatchResult(3, ((0, 1, "5"),))
        await store.create(record(f"m{n:03}", phase=TablePhase.OVER, ended=1000 + n, result=result, code=f"C{n}"))


async def test_pages_follow_each_other_the_last_match_first(tmp_path: Path) -> None:
    store = await SqliteStore.open(tmp_path / "db")
    await shelf(store, 120)
    async with open_lobby(tmp_path, store=store, awake=False) as h:
        names: list[str] = []
        below, pages = 0, 0
        while pages == 0 or below:
            page = await h.ask(person("Nero"), Past(1, below=below), PastList)
            names += [told.match for told in page.matches]
            below, pages = page.below, pages + 1
        assert names == [f"m{n:03}" for n in reversed(range(120))] and pages == 3
        assert (
            len(await listed(h, Past(1, "classic"))) == 0
            and len(await listed(h, Past(1, "toy"))) == archive_requests.PAGE
        )
    await store.close()


async def test_an_address_turns_so_many_pages(h: LobbyHarness) -> None:
    nero = person("Nero", "192.0.2.1")
    kinds = []
    for n in range(25):
        await h.say(nero, Past(n + 1))
        kinds.append(type(link(nero).sent[-1]))
    assert kinds == [PastList] * 20 + [Refused] * 5


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
async def test_every_store_lists_them_the_same(kind: Kind, tmp_path: Path) -> None:
    date = [5000.0]
    store = await kind.open(tmp_path, lambda: date[0])
    for n, (game, ended) in enumerate((("toy", 3), ("classic", 1), ("toy", 2))):
        await store.create(record(f"m{n}", ruleset=game, phase=TablePhase.OVER, ended=ended, code=f"C{n}"))
    await store.create(record("closed", phase=TablePhase.OVER, open=False, code="D"))
    await store.create(record("playing", phase=TablePhase.PLAYING, code="E"))
    assert [past.table.match for past in await store.past(0, "", 9)] == ["m0", "m2", "m1"]
    assert [past.table.match for past in await store.past(0, "toy", 9)] == ["m0", "m2"]
    assert [past.place for past in await store.past(3, "", 9)] == [2, 1]
    assert [past.table.match for past in await store.past(0, "", 1)] == ["m0"]
    date[0] = 9000.0
    await store.save(record("m0", phase=TablePhase.OVER, ended=3, code="C0"), 1)
    assert sorted(await store.over_since(6000.0)) == ["closed", "m1", "m2"]
    await store.append("playing", 1, GENESIS, entries(1), record("playing", phase=TablePhase.OVER, code="E"))
    assert (await store.past(0, "", 1))[0].table.match == "playing", "where nobody noted it, the last change counts"
    await store.delete("m0", 1)
    assert [past.table.match for past in await store.past(0, "", 9)] == ["playing", "m2", "m1"]
    await store.close()


async def forget(store: SqliteStore, in_use: str = "") -> list[str]:
    """Return the matches that remain after those of 10 days ago were deleted."""
    clock = FakeClock()
    work = Retention(store, clock, lambda: 100 * retention.DAY, 10, lambda match: match == in_use)
    work.begin()
    await asyncio.gather(*work._work)
    await work.stop()
    return [past.table.match for past in await store.past(0, "", 99)]


async def test_finished_matches_go_after_so_many_days(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retention, "BETWEEN", 0.0)
    date = [80 * retention.DAY]
    store = await SqliteStore.open(tmp_path / "db", lambda: date[0])
    await shelf(store, 3)
    await store.create(record("going", phase=TablePhase.PLAYING, code="G"))
    date[0] = 95 * retention.DAY
    await store.create(record("new", phase=TablePhase.OVER, code="N"))
    assert sorted(await forget(store, in_use="m001")) == ["m001", "new"]
    assert await store.unfinished() == ["going"]
    await store.close()
    store = await SqliteStore.open(tmp_path / "db")
    assert sorted(past.table.match for past in await store.past(0, "", 99)) == ["m001", "new"]
    await store.close()


async def test_finished_matches_are_kept_by_default(tmp_path: Path) -> None:
    store = await SqliteStore.open(tmp_path / "db", lambda: 0.0)
    await shelf(store, 2)
    async with open_lobby(tmp_path, store=store, awake=False) as h:
        await h.lobby.begin()
        await settle()
        assert len(await listed(h)) == 2
    await store.close()


def test_days_are_typed_as_a_number() -> None:
    assert days("30") == 30.0
    for text in ("0", "-1", "x", "1.5", ""):
        with pytest.raises(Exception, match="must be a number of days"):
            days(text)
