"""Contract of every store: acknowledged data is kept, whole, in order, by one owner."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from server.storage.port import (
    ChairRecord,
    DeedKind,
    DeedRecord,
    Fenced,
    Glance,
    HookRecord,
    NoticeRecord,
    OwedSeats,
    PersonRecord,
    Store,
    StoredMatch,
    StoreError,
    TableRecord,
)
from shared.history import GENESIS, Entry, chain
from shared.messages import NoticeSettings
from shared.tables import HookForm, TablePhase
from tests.server.fakes import settle
from tests.server.records import KINDS, TODAY, Kind, entries, filled, record


class Date:
    """A clock that tells the date, by hand."""

    def __init__(self) -> None:
        self.seconds = TODAY

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> Kind:
    """Each store in turn."""
    return KINDS[request.param]


@pytest.fixture
def today() -> Date:
    """The date that the store is told."""
    return Date()


@pytest.fixture
async def store(kind: Kind, tmp_path: Path, today: Date) -> AsyncIterator[Store]:
    """An empty one."""
    opened = await kind.open(tmp_path, today)
    yield opened
    await opened.close()


async def claimed(store: Store, match: str = "m1") -> StoredMatch:
    """Return the stored match, claimed by a new owner."""
    kept = await store.claim(match)
    assert kept is not None
    return kept


async def test_acknowledged_data_survives_reopening(kind: Kind, tmp_path: Path) -> None:
    store = await kind.open(tmp_path, Date())
    check = await filled(store)
    await store.save(record(title="Changed", chairs=[ChairRecord("Anna", token=b"t"), ChairRecord(bot="greedy")]), 1)
    check = await store.append("m1", 1, check, entries(21), record(title="Begun", phase=TablePhase.PLAYING))
    await store.close()
    store = await kind.open(tmp_path, Date())
    assert await claimed(store) == StoredMatch(
        record(title="Begun", phase=TablePhase.PLAYING), 2, entries(1, 21), check
    )
    await store.close()


async def test_every_field_of_a_table_and_of_an_entry_is_kept(store: Store) -> None:
    chairs = [ChairRecord("Anna", "", b"token", b"offered", "greedy", "p1", 7), ChairRecord(bot="random")]
    table = TableRecord("m1", "r", 3, {"a": 1}, "t", False, "C0DE", 30, 40, chairs, 1, TablePhase.PLAYING)
    table.words, table.standing = 9, OwedSeats(1, (0, 1), TODAY, 20)
    table.hook = HookRecord(HookForm.SLACK, "https://hook.example/secret")
    entry = Entry(1, -1, 2**32 - 1, 2**31, bytes(range(256)))
    await store.create(table)
    check = await store.append("m1", 1, GENESIS, [entry], None)
    assert await claimed(store) == StoredMatch(table, 2, [entry], check)


async def test_the_check_is_the_chain_over_all_entries(store: Store) -> None:
    await store.create(record())
    whole = await store.append("m1", 1, GENESIS, entries(1, 4), None)
    await store.create(record("m2"))
    half = await store.append("m2", 1, GENESIS, entries(1, 2), None)
    assert await store.append("m2", 1, half, entries(3, 2), None) == whole != half
    assert len(whole) == len(chain(GENESIS, b"")) == 16


async def test_a_match_is_made_once(store: Store) -> None:
    await store.create(record())
    with pytest.raises(StoreError):
        await store.create(record(title="Another"))
    assert (await claimed(store)).table.title == "Title"
    assert store.healthy


async def test_a_claim_holds_until_the_next(store: Store) -> None:
    check = await filled(store, 2)
    assert await store.claim("nowhere") is None
    assert [(await claimed(store)).epoch for _ in range(3)] == [2, 3, 4]
    await store.append("m1", 4, check, entries(3), None)
    assert len((await claimed(store)).entries) == 3


@pytest.mark.parametrize("epoch", [0, 1, 3])
async def test_nodes_that_are_not_the_owner_change_nothing(store: Store, epoch: int) -> None:
    check = await filled(store, 2)
    await claimed(store)
    late = record(title="Late", phase=TablePhase.OVER, code="LATE")
    for asked in (
        store.append("m1", epoch, check, entries(3), None),
        store.append("m1", epoch, check, entries(3), late),
        store.save(late, epoch),
        store.release(late, epoch),
        store.delete("m1", epoch),
    ):
        with pytest.raises(Fenced):
            await asked
    assert await store.by_code("LATE") is None and await store.unfinished() == ["m1"]
    assert await claimed(store) == StoredMatch(record(), 3, entries(1, 2), check)
    assert store.healthy


async def test_writes_to_deleted_matches_are_refused(store: Store) -> None:
    check = await filled(store, 2)
    await store.delete("m1", 1)
    for asked in (
        store.append("m1", 1, check, entries(3), record()),
        store.save(record(), 1),
        store.release(record(), 1),
        store.delete("m1", 1),
    ):
        with pytest.raises(Fenced):
            await asked
    assert await store.claim("m1") is None and await store.by_code("CODE") is None
    await store.create(record())
    assert await claimed(store) == StoredMatch(record(), 2, [], GENESIS)
    await store.append("m1", 2, GENESIS, entries(1), None)


@pytest.mark.parametrize(("known", "first"), [(False, 21), (True, 22), (True, 20), (True, 1)])
async def test_entries_that_do_not_follow_the_log_are_refused_and_leave_nothing(
    store: Store, known: bool, first: int
) -> None:
    check = await filled(store)
    with pytest.raises(Fenced):
        await store.append("m1", 1, check if known else GENESIS, entries(first, 2), record(phase=TablePhase.OVER))
    assert await claimed(store) == StoredMatch(record(), 2, entries(1, 20), check)


async def test_the_same_entries_are_added_once(store: Store) -> None:
    check = await filled(store, 2)
    await store.append("m1", 1, check, entries(3), None)
    with pytest.raises(Fenced):
        await store.append("m1", 1, check, entries(3), None)
    assert (await claimed(store)).entries == entries(1, 3)


async def test_matches_do_not_touch_each_other(store: Store) -> None:
    check = await filled(store, 4)
    await filled(store, 2, "m2")
    await store.save(record("m2", title="Second", phase=TablePhase.OVER, code="SECOND"), 1)
    assert await store.unfinished() == ["m1"]
    await claimed(store, "m2")
    await store.delete("m2", 2)
    assert await store.append("m1", 1, check, entries(5), None)
    assert (await claimed(store)).entries == entries(1, 5)


async def test_deleting_a_match_deletes_its_log(store: Store) -> None:
    await filled(store, 4)
    await store.delete("m1", 1)
    await store.create(record(title="Anew"))
    check = await store.append("m1", 1, GENESIS, entries(1), None)
    assert await claimed(store) == StoredMatch(record(title="Anew"), 2, entries(1), check)


async def test_matches_are_found_by_their_present_code(store: Store) -> None:
    await store.create(record())
    await store.create(record("m2", code="OTHER"))
    assert await store.by_code("CODE") == "m1" and await store.by_code("OTHER") == "m2"
    await store.save(record(code="NEW"), 1)
    assert await store.by_code("CODE") is None and await store.by_code("NEW") == "m1"


async def test_unfinished_are_those_that_gather_or_play(store: Store) -> None:
    for match, phase in zip(("m1", "m2", "m3"), TablePhase, strict=True):
        await store.create(record(match, phase=phase))
    assert sorted(await store.unfinished()) == ["m1", "m2"]
    await store.save(record("m1", phase=TablePhase.OVER), 1)
    await store.append("m2", 1, GENESIS, entries(1), record("m2", phase=TablePhase.OVER))
    assert await store.unfinished() == []


async def test_matches_without_activity_are_no_longer_loaded(store: Store, today: Date) -> None:
    for match in ("m1", "m2", "m3"):
        await store.create(record(match))
    today.seconds += 20
    await store.append("m1", 1, GENESIS, entries(1), None)
    await store.save(record("m2"), 1)
    assert sorted(await store.unfinished(20)) == ["m1", "m2", "m3"]
    assert sorted(await store.unfinished(19)) == ["m1", "m2"]
    assert await store.claim("m3") is not None
    assert sorted(await store.unfinished(19)) == ["m1", "m2"], "to look at it is not to touch it"
    today.seconds += 20
    assert await store.unfinished(19) == []


async def test_things_are_kept_as_they_were_when_they_were_handed_in(kind: Kind, store: Store) -> None:
    tables = [record(match) for match in ("m1", "m2", "m3")]
    for table in tables[1:]:
        await store.create(table)
    new = entries(1, 2)
    with kind.hold(store):
        asked: list[asyncio.Future[Any]] = [
            asyncio.ensure_future(store.create(tables[0])),
            asyncio.ensure_future(store.save(tables[1], 1)),
            store.append("m3", 1, GENESIS, new, tables[2]),
        ]
        await settle()
        for table in tables:
            table.title, table.code, table.phase = "Later", "LATER", TablePhase.OVER
            table.chairs[0].name = "Later"
        new.clear()
    await asyncio.gather(*asked)
    assert sorted(await store.unfinished()) == ["m1", "m2", "m3"] and await store.by_code("LATER") is None
    for match in ("m1", "m2", "m3"):
        kept = await claimed(store, match)
        assert kept.table == record(match) and len(kept.entries) == (2 if match == "m3" else 0)


async def test_nothing_is_acknowledged_before_it_is_done(kind: Kind, store: Store) -> None:
    check = await filled(store, 2)
    with kind.hold(store):
        asked: list[asyncio.Future[Any]] = [
            asyncio.ensure_future(store.create(record("m2"))),
            asyncio.ensure_future(store.save(record(), 1)),
            asyncio.ensure_future(store.append("m1", 1, check, entries(3), None)),
            asyncio.ensure_future(store.claim("m1")),
        ]
        await settle()
        assert not any(each.done() for each in asked)
    await asyncio.gather(*asked)


async def test_a_failure_in_a_group_of_writes_fails_alone(kind: Kind, store: Store) -> None:
    check = await filled(store, 2)
    with kind.hold(store):
        asked: list[asyncio.Future[Any]] = [
            asyncio.ensure_future(store.create(record("m2"))),
            asyncio.ensure_future(store.append("m1", 1, check, entries(3, 2), None)),
            asyncio.ensure_future(store.append("m1", 1, check, entries(3, 2), record(title="Twice"))),
            asyncio.ensure_future(store.create(record())),
            asyncio.ensure_future(store.delete("m1", 7)),
            asyncio.ensure_future(store.create(record("m3"))),
        ]
        await settle()
    results = await asyncio.gather(*asked, return_exceptions=True)
    failed = [isinstance(result, StoreError) for result in results]
    assert failed == [False, False, True, True, True, False]
    assert store.healthy
    kept = await claimed(store)
    assert kept.entries == entries(1, 4) and kept.table.title == "Title"
    assert sorted(await store.unfinished()) == ["m1", "m2", "m3"]


async def test_an_append_begins_with_the_call_and_closing_waits_for_it(kind: Kind, tmp_path: Path) -> None:
    store = await kind.open(tmp_path, Date())
    check = await filled(store, 2)
    with kind.hold(store):
        first = store.append("m1", 1, check, entries(3), None)
        saving = asyncio.ensure_future(store.save(record(title="Last"), 1))
        await settle()
        closing = asyncio.ensure_future(store.close())
        await settle()
        assert not closing.done()
    await closing
    await saving
    assert first.done()
    store = await kind.open(tmp_path, Date())
    kept = await claimed(store)
    assert kept.entries == entries(1, 3) and kept.table.title == "Last" and kept.check == first.result()
    await store.close()


async def test_cancelled_requests_harm_no_others(kind: Kind, store: Store) -> None:
    await store.create(record())
    with kind.hold(store):
        first = store.append("m1", 1, GENESIS, entries(1), None)
        saving = asyncio.ensure_future(store.save(record(title="Last"), 1))
        await settle()
        first.cancel()
    await saving
    kept = await claimed(store)
    assert kept.entries == entries(1) and kept.table.title == "Last"


WHERE = NoticeSettings(mail="anna@example.org", quiet=(1320, 420))
NOTICES = NoticeRecord(WHERE, b"k" * 16, "a@b.c", b"c" * 32, TODAY)
ANNA = PersonRecord("p1", "Anna", (b"1" * 32, b"2" * 32), TODAY, notices=NOTICES)


async def test_a_profile_is_kept_whole_changed_and_forgotten(kind: Kind, tmp_path: Path) -> None:
    store = await kind.open(tmp_path, Date())
    other = PersonRecord("p0", "Ännä", (b"3" * 32,), TODAY + 0.5, notices=NOTICES)
    await store.keep_person(ANNA)
    await store.keep_person(other)
    await store.keep_person(PersonRecord("p1", "Livia", ANNA.secrets, TODAY + 1))
    await store.close()
    store = await kind.open(tmp_path, Date())
    assert await store.people() == [other, PersonRecord("p1", "Livia", ANNA.secrets, TODAY + 1)]
    await store.forget_person("p0")
    await store.forget_person("nobody")
    assert [person.name for person in await store.people()] == ["Livia"]
    await store.close()


async def test_the_operators_deeds_are_kept_in_their_order(kind: Kind, tmp_path: Path) -> None:
    store = await kind.open(tmp_path, Date())
    ban = DeedRecord("d2", TODAY, DeedKind.BAN, "p1", "Ännä", TODAY + 9.5, "spam", (b"1" * 32,))
    deeds = [DeedRecord("d3", TODAY - 1, DeedKind.MUTE, "p2", "Bob"), ban, DeedRecord("d1", TODAY + 1, DeedKind.UNBAN)]
    for deed in reversed(deeds):
        await store.keep_deed(deed)
    await store.keep_deed(structs.replace(ban, network="2001:db8::/48"))
    await store.keep_deed(ban)
    await store.close()
    store = await kind.open(tmp_path, Date())
    assert await store.deeds() == deeds
    await store.close()


async def test_the_matches_of_a_profile_are_found_by_their_present_seats(
    kind: Kind, tmp_path: Path, today: Date
) -> None:
    store = await kind.open(tmp_path, today)
    for match in ("m1", "m2", "m3"):
        await store.create(record(match, chairs=[ChairRecord("Anna", person="p1"), ChairRecord("Bob")]))
        today.seconds += 1
    await store.save(record("m1", chairs=[ChairRecord("Anna", person="p1"), ChairRecord("Bob", person="p2")]), 1)
    await store.save(record("m2"), 1)
    assert (await store.matches_of("p1"), await store.matches_of("p2")) == (["m1", "m3"], ["m1"])
    await store.save(record("m2", participants=(("p4", "Cleo"),)), 1)
    assert await store.matches_of("p4") == ["m2"]
    assert await store.matches_of("") == await store.matches_of("p3") == []
    await store.delete("m3", 1)
    await store.close()
    store = await kind.open(tmp_path, today)
    assert await store.matches_of("p1") == ["m1"]
    await store.close()


async def test_reading_a_match_does_not_claim_it(store: Store) -> None:
    check = await filled(store, 4)
    assert await store.look("nowhere") is None
    assert await store.look("m1") == Glance(record(), 4)
    await store.append("m1", 1, check, entries(5), None)
    assert await store.look("m1") == Glance(record(), 5)


async def test_released_matches_are_stored_and_found_unchanged(store: Store, today: Date) -> None:
    check = await filled(store, 2)
    today.seconds += 20
    await store.release(record(title="Asleep", code="ASLEEP"), 1)
    assert await store.by_code("ASLEEP") == "m1" and await store.unfinished(19) == ["m1"]
    assert await claimed(store) == StoredMatch(record(title="Asleep", code="ASLEEP"), 2, entries(1, 2), check)


async def test_releasing_an_unchanged_match_is_no_activity(store: Store, today: Date) -> None:
    await filled(store, 2)
    today.seconds += 20
    await store.release(record(), 1)
    assert await store.unfinished(19) == [] and await store.unfinished(20) == ["m1"]


class Unfit(StoreError):
    """Error for a server that lacks the rules."""


async def test_a_rejected_match_is_not_claimed(store: Store) -> None:
    check = await filled(store, 2)
    seen: list[TableRecord] = []

    def unfit(table: TableRecord) -> None:
        seen.append(table)
        raise Unfit(table.ruleset)

    with pytest.raises(Unfit, match="toy"):
        await store.claim("m1", unfit)
    assert seen == [record()] and store.healthy
    assert await store.claim("nowhere", unfit) is None
    check = await store.append("m1", 1, check, entries(3), None)
    assert await store.claim("m1", seen.append) == StoredMatch(record(), 2, entries(1, 3), check)
    assert seen == [record()] * 2


async def test_the_age_that_is_kept_is_the_greatest(store: Store) -> None:
    assert [await store.keep_age(age) for age in (70, 30, 71)] == [70, 70, 71]
    assert await store.age() == 71


async def test_many_matches_are_released_at_once_but_for_those_of_other_owners(store: Store, today: Date) -> None:
    for match in ("m1", "m2", "m3"):
        await filled(store, 2, match)
    taken = await claimed(store, "m2")
    today.seconds += 20
    chairs = [ChairRecord("Anna", person="anna"), ChairRecord("Bert", person="bert")]
    changed = record("m1", title="Asleep", code="ASLEEP", chairs=chairs, due=7)
    await store.release_all([(changed, 1), (record("m2", title="Late"), 1), (record("m3"), 1)])
    assert await store.by_code("ASLEEP") == "m1" and await store.matches_of("bert") == ["m1"]
    assert await store.unfinished(19) == ["m1"], "the others were not touched"
    assert await claimed(store) == structs.replace(taken, table=changed)
    assert await claimed(store, "m2") == structs.replace(taken, table=record("m2"), epoch=3)
    await store.release_all([])
