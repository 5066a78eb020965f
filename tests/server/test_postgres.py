"""PostgreSQL store with a connection that fails at the worst moment."""

import argparse
import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from server.cluster.postgres import connection as postgres_connection
from server.cluster.postgres import store as postgres_store
from server.cluster.postgres.connection import CONNECTIONS, LOST, Connection, PostgresConnections
from server.cluster.postgres.connection import begun as begun_at_once
from server.cluster.postgres.node_heartbeat import Node, new_node
from server.cluster.postgres.store import OTHERS, ExclusiveLock, PostgresStore
from server.opening import open_store
from server.storage.port import Fenced, StoredMatch, StoreError
from server.tools.serve import STORE, store_of
from shared.history import GENESIS
from tests.server.records import TODAY, entries, open_postgres, record
from tests.support import engines
from tests.support.proxy import Proxy, Serve, proxied


@asynccontextmanager
async def through_a_proxy(
    tmp_path: Path, node: Node | None = None, delay: float = 0.0
) -> AsyncIterator[tuple[PostgresStore, Proxy]]:
    """A store whose line to its database can be broken. `delay`: seconds that every piece takes on it."""
    url = await engines.database(tmp_path)
    there = engines.socket()
    here = tmp_path / there.name

    async def listen(serve: Serve) -> asyncio.Server:
        return await asyncio.start_unix_server(serve, here)

    async with proxied(listen, lambda: asyncio.open_unix_connection(there)) as proxy:
        proxy.delay = delay
        store = await PostgresStore.open(url.replace(str(there.parent), str(tmp_path)), lambda: TODAY, node)
        try:
            yield store, proxy
        finally:
            await store.close()


async def claimed(tmp_path: Path) -> StoredMatch:
    """Return the stored match, read past the proxy by another server."""
    other = await open_postgres(tmp_path)
    stored = await other.claim("m1")
    await other.close()
    assert stored is not None
    return stored


async def begun(store: PostgresStore) -> bytes:
    """A match with one entry, whose check is returned; the database knows the statements of this line by now."""
    await store.create(record())
    await store.save(record(), 1)
    return await store.append("m1", 1, GENESIS, entries(1), None)


async def lose_the_answer(proxy: Proxy) -> None:
    """The next thing that is asked is done; its answer never comes."""
    proxy.mute = True
    while not proxy.swallowed:
        await asyncio.sleep(0)
    proxy.mute = False
    proxy.cut()


async def test_a_stored_write_with_a_lost_answer_is_acknowledged_once(tmp_path: Path) -> None:
    async with through_a_proxy(tmp_path) as (store, proxy):
        check = await begun(store)
        asked = store.append("m1", 1, check, entries(2, 2), None)
        await lose_the_answer(proxy)
        check = await asked
        assert await store.append("m1", 1, check, entries(4), None)
        assert store.healthy
    assert (await claimed(tmp_path)).entries == entries(1, 4)


async def test_lost_messages_are_sent_again(tmp_path: Path) -> None:
    async with through_a_proxy(tmp_path) as (store, proxy):
        check = await begun(store)
        proxy.frozen = True
        asked = store.append("m1", 1, check, entries(2, 2), None)
        for _ in range(20):
            await asyncio.sleep(0)
        proxy.cut()
        proxy.frozen = False
        check = await asked
        assert await store.append("m1", 1, check, entries(4), None)
    assert (await claimed(tmp_path)).entries == entries(1, 4)


class Losing:
    """Loses connections around statements. `outcomes`: for each in turn, whether the database does it (True) or never
    hears of it (False) before the connection is lost; statements after the last are done and answered."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, outcomes: list[bool]) -> None:
        self.left = list(outcomes)
        for name in ("fetch", "fetchrow", "fetchval"):
            monkeypatch.setattr(asyncpg.Connection, name, self._losing(getattr(asyncpg.Connection, name)))

    def _losing(self, real: Callable[..., Awaitable[object]]) -> Callable[..., Awaitable[object]]:
        async def lost(connection: Connection, *args: Any, **options: Any) -> object:
            does = self.left.pop(0) if self.left else None
            answer = await real(connection, *args, **options) if does is not False else None
            if does is not None:
                raise asyncpg.exceptions.ConnectionDoesNotExistError("the line is gone")
            return answer

        return lost


@pytest.mark.parametrize("shared", [False, True])
@pytest.mark.parametrize(
    "outcomes",
    [
        pytest.param([False, True], id="the-renewal-is-lost-after-it-was-done"),
        pytest.param([False, False], id="the-renewal-is-never-heard"),
        pytest.param([True, True, True, True], id="many-renewals-are-lost"),
    ],
)
async def test_an_append_in_doubt_is_looked_up_until_its_outcome_is_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, outcomes: list[bool], shared: bool
) -> None:
    store = await PostgresStore.open(await engines.database(tmp_path), lambda: TODAY, new_node() if shared else None)
    check = await begun(store)
    losing = Losing(monkeypatch, outcomes)
    check = await store.append("m1", 1, check, entries(2, 2), None)
    assert losing.left == []
    assert await store.append("m1", 1, check, entries(4), None)
    await store.close()
    assert (await claimed(tmp_path)).entries == entries(1, 4)


@pytest.mark.parametrize("does", [False, True])
async def test_an_append_whose_second_answer_is_lost_too_is_not_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, does: bool
) -> None:
    """The first attempt never arrived, the renewal did, and the answer to the second attempt was lost."""
    store = await open_postgres(tmp_path)
    check = await begun(store)
    fetch = asyncpg.Connection.fetch
    attempts = [False, does]

    async def lost(connection: Connection, *args: Any, **options: Any) -> object:
        if not attempts:
            return await fetch(connection, *args, **options)
        if attempts.pop(0):
            await fetch(connection, *args, **options)
        raise asyncpg.exceptions.ConnectionDoesNotExistError("the line is gone")

    monkeypatch.setattr(asyncpg.Connection, "fetch", lost)
    check = await store.append("m1", 1, check, entries(2, 2), None)
    assert attempts == []
    assert await store.append("m1", 1, check, entries(4), None)
    await store.close()
    assert (await claimed(tmp_path)).entries == entries(1, 4)


async def test_a_record_whose_second_answer_is_lost_too_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = await open_postgres(tmp_path)
    await begun(store)
    losing = Losing(monkeypatch, [False, True, True])
    await store.save(record(title="Changed"), 1)
    assert losing.left == []
    await store.close()
    assert (await claimed(tmp_path)).table.title == "Changed"


async def test_a_line_without_answers_stalls_a_match_for_a_moment_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A firewall forgot all connections: what is sent on them vanishes, while new ones stand at once."""
    monkeypatch.setattr(postgres_store, "HEDGE", 0.05)
    monkeypatch.setattr(postgres_connection, "ANSWER", 3600.0)  # The statement never counts as lost.
    async with through_a_proxy(tmp_path) as (store, proxy):
        check = await begun(store)
        await asyncio.gather(*(store.create(record(f"n{number}")) for number in range(CONNECTIONS)))
        proxy.forget()
        asked = store.append("m1", 1, check, entries(2), None)
        async with asyncio.timeout(20):
            check = await asked
        assert await store.append("m1", 1, check, entries(3), None)
        assert not proxy.forgotten.issuperset(proxy.lines)
    assert (await claimed(tmp_path)).entries == entries(1, 3)


@pytest.mark.parametrize("answered", [False, True], ids=["renewal-unanswered", "renewal-answered"])
@pytest.mark.parametrize("outcome", ["stored-before", "stored-after", "lost", "refused"])
async def test_an_answer_that_comes_while_its_outcome_is_investigated_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, outcome: str, answered: bool
) -> None:
    """The statement reaches the database before the renewal of the epoch, after it, or never."""
    monkeypatch.setattr(postgres_store, "HEDGE", 0.0)
    store = await open_postgres(tmp_path)
    check = await begun(store)
    fetch, fetchrow, renewed = asyncpg.Connection.fetch, asyncpg.Connection.fetchrow, asyncio.Event()

    async def late(connection: Connection, *args: Any, **options: Any) -> object:
        monkeypatch.setattr(asyncpg.Connection, "fetch", fetch)
        answer = await fetch(connection, *args, **options) if outcome == "stored-before" else []
        await renewed.wait()
        if outcome == "lost":
            raise asyncpg.exceptions.ConnectionDoesNotExistError("the line is gone")
        if outcome == "refused":
            raise asyncpg.exceptions.DiskFullError("no space")
        return await fetch(connection, *args, **options) if outcome == "stored-after" else answer

    async def renew(connection: Connection, *args: Any, **options: Any) -> object:
        monkeypatch.setattr(asyncpg.Connection, "fetchrow", fetchrow)
        answer = await fetchrow(connection, *args, **options)
        renewed.set()
        if not answered:
            await asyncio.sleep(0.05)
            raise asyncpg.exceptions.ConnectionDoesNotExistError("the line is gone")
        return answer

    monkeypatch.setattr(asyncpg.Connection, "fetch", late)
    monkeypatch.setattr(asyncpg.Connection, "fetchrow", renew)
    check = await store.append("m1", 1, check, entries(2, 2), None)
    assert renewed.is_set()
    assert await store.append("m1", 1, check, entries(4), None)
    await store.close()
    assert (await claimed(tmp_path)).entries == entries(1, 4)


async def test_of_several_connections_that_are_tried_the_first_that_stands_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first attempt is never answered; those that were not needed are closed."""
    monkeypatch.setattr(postgres_connection, "STAGGER", 0.02)
    url = await engines.database(tmp_path)
    connect, tried = asyncpg.connect, list[asyncio.Future[Connection]]()

    async def unsteady(*args: Any, **options: Any) -> Connection:
        tried.append(asyncio.get_running_loop().create_future())
        return await (tried[0] if len(tried) == 1 else connect(*args, **options))

    monkeypatch.setattr(asyncpg, "connect", unsteady)
    connection = await postgres_connection.connected(url, 5.0, 5.0)
    assert await connection.fetchval("SELECT 1") == 1
    assert len(tried) >= 2 and tried[0].cancelled()
    await connection.close()


@pytest.mark.exhaustive
async def test_a_node_starts_and_works_far_away_from_its_database(tmp_path: Path) -> None:
    """With 400 ms each way: a handshake takes longer than the time within which a sign of life counts."""
    await (await open_postgres(tmp_path)).close()
    async with through_a_proxy(tmp_path, new_node(), delay=0.4) as (store, proxy):
        assert store.heartbeat is not None and store.heartbeat.beating
        check = await begun(store)
        await store.heartbeat.beat()
        store.heartbeat._hang_up()
        store.lines.distrust()
        await store.heartbeat.beat()
        await store.append("m1", 1, check, entries(2), None)
        alone = ExclusiveLock(store.url)
        await alone.look()
        assert not alone.trouble or alone.trouble == OTHERS
        proxy.delay = 0.0
        await alone.end()


async def test_a_changed_record_survives_a_lost_answer(tmp_path: Path) -> None:
    async with through_a_proxy(tmp_path) as (store, proxy):
        await begun(store)
        saving = asyncio.ensure_future(store.save(record(title="Changed"), 1))
        await lose_the_answer(proxy)
        await saving
        await store.save(record(title="Again"), 1)
    assert (await claimed(tmp_path)).table.title == "Again"


async def test_a_query_on_a_closing_connection_is_repeated(tmp_path: Path) -> None:
    async with through_a_proxy(tmp_path) as (store, proxy):
        check = await begun(store)
        proxy.keeps = True
        other = await asyncpg.connect(await engines.database(tmp_path))
        await other.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        await other.close()
        while not proxy.ended:
            await asyncio.sleep(0)
        # The database's last word is here, the end of the line is not.
        await asyncio.sleep(0.05)
        check = await store.append("m1", 1, check, entries(2, 2), None)
        assert await store.append("m1", 1, check, entries(4), None)
        proxy.keeps = False
    assert (await claimed(tmp_path)).entries == entries(1, 4)


async def test_a_line_that_fails_with_the_call_is_replaced_wherever_that_came_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = await open_postgres(tmp_path)
    check = await begun(store)
    loop = asyncio.get_running_loop()
    asked: asyncio.Future[asyncio.Future[bytes]] = loop.create_future()

    async def fails(*_: object) -> None:
        monkeypatch.undo()
        raise asyncpg.InternalClientError("the line is gone")

    monkeypatch.setattr(asyncpg.Connection, "fetch", fails)
    # Called by no task, as where bytes arrive.
    loop.call_soon(lambda: asked.set_result(store.append("m1", 1, check, entries(2), None)))
    check = await (await asked)
    assert await store.append("m1", 1, check, entries(3), None)
    await store.close()
    assert (await claimed(tmp_path)).entries == entries(1, 3)


async def test_a_superseded_owner_with_a_lost_answer_lets_go(tmp_path: Path) -> None:
    async with through_a_proxy(tmp_path) as (store, proxy):
        check = await begun(store)
        proxy.refusing = True
        proxy.mute = True
        asked = store.append("m1", 1, check, entries(2), None)
        while not proxy.swallowed:
            await asyncio.sleep(0)
        taken = await claimed(tmp_path)
        proxy.mute = proxy.refusing = False
        proxy.cut()
        with pytest.raises(Fenced):
            await asked
    assert taken.entries == entries(1, 2)


async def test_a_cancelled_wait_ends_despite_hanging_or_doubtful_work(tmp_path: Path) -> None:
    async with through_a_proxy(tmp_path) as (store, proxy):
        check = await begun(store)
        proxy.frozen = True
        asked, saving = store.append("m1", 1, check, entries(2), None), asyncio.ensure_future(store.save(record(), 1))
        await asyncio.sleep(0.05)
        store.give_up()
        with pytest.raises(Fenced):
            await asked
        with pytest.raises(Fenced):
            await saving
        proxy.heal()
        taken = await store.claim("m1")
        assert taken is not None
        # It may have been stored all the same: the log shows it.
        n = len(taken.entries) + 1
        assert n in (2, 3) and await store.append("m1", taken.epoch, taken.check, entries(n), None)
    assert (await claimed(tmp_path)).entries == entries(1, n)


async def test_a_cancelled_wait_with_unknown_outcome_is_told(tmp_path: Path) -> None:
    async with through_a_proxy(tmp_path) as (store, proxy):
        check = await begun(store)
        proxy.mute = proxy.refusing = True
        asked = store.append("m1", 1, check, entries(2), None)
        while not proxy.swallowed:
            await asyncio.sleep(0)
        proxy.cut()
        while store.healthy:
            await asyncio.sleep(0)
        store.give_up()
        with pytest.raises(Fenced):
            await asked
        proxy.heal()


async def test_a_cancelled_wait_is_told_and_its_connection_goes_to_no_other(tmp_path: Path) -> None:
    store = await open_postgres(tmp_path)
    check = await begun(store)
    asked = [store.append("m1", 1, check, entries(2), None), store.append("m1", 1, check, entries(2), None)]
    store.give_up()
    for each in asked:
        with pytest.raises(Fenced):
            await each
    await store.create(record("m2"))
    assert await store.append("m2", 1, GENESIS, entries(1), None) and store.healthy
    await store.close()


async def test_without_a_database_nothing_is_promised_and_afterwards_all_is_well(tmp_path: Path) -> None:
    async with through_a_proxy(tmp_path) as (store, proxy):
        await store.create(record())
        proxy.refusing = True
        proxy.cut()
        with pytest.raises(StoreError):
            await store.create(record("m2"))
        assert not store.healthy
        proxy.refusing = False
        await store.create(record("m3"))
        assert store.healthy


async def test_a_database_of_a_later_version_is_refused_in_words(tmp_path: Path) -> None:
    store = await open_postgres(tmp_path)
    connection = await store.lines.take()
    await connection.execute("INSERT INTO conquest_schema VALUES (999)")
    store.lines.give_back(connection)
    await store.close()
    with pytest.raises(StoreError, match="version 999"):
        await open_postgres(tmp_path)


async def test_an_unreachable_database_is_named_in_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="Cannot use the database"):
        await PostgresStore.open(f"postgresql://postgres@/x?host={tmp_path}")


async def test_lines_go_from_one_to_the_next_and_no_more_are_in_use_than_there_may_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = PostgresConnections(await engines.database(tmp_path))
    taken = [await lines.take() for _ in range(CONNECTIONS)]
    assert len(set(taken)) == CONNECTIONS == lines.in_use and not lines.at_hand
    waiting = asyncio.ensure_future(lines.take())
    await asyncio.sleep(0)
    lines.give_back(taken[3])
    assert await waiting is taken[3] and not lines.at_hand
    lines.give_back(taken[0])
    lines.give_back(taken[1])
    assert await lines.take() is taken[1], "the one that was used last"
    taken[0].terminate()
    fresh = await lines.take()
    assert fresh not in taken
    lines.give_back(fresh)
    assert lines.at_hand
    monkeypatch.setattr(postgres_connection, "SPARE", 0.0)
    assert not lines.at_hand and fresh.is_closed(), "nobody needed it for so long"
    for connection in (*taken[1:],):
        lines.give_back(connection)
    await lines.close()
    assert all(connection.is_closed() for connection in taken)
    with pytest.raises(LOST):
        await lines.take()


async def test_work_begins_with_the_call_and_ends_as_a_task_does() -> None:
    said: list[str] = []

    async def work(answer: "asyncio.Future[str]") -> str:
        said.append("begun")
        try:
            said.append(await answer)
        except asyncio.CancelledError:
            said.append("cancelled")
            raise
        await asyncio.sleep(0)
        return "done"

    answers = [asyncio.get_running_loop().create_future() for _ in range(4)]
    tasks = [begun_at_once(work(answer)) for answer in answers]
    assert said == ["begun"] * 4
    answers[0].set_result("heard")
    answers[1].set_exception(ValueError)
    tasks[2].cancel()
    results = await asyncio.gather(*tasks[:3], return_exceptions=True)
    assert results[0] == "done" and list(map(type, results[1:])) == [ValueError, asyncio.CancelledError]
    tasks[3].cancel()
    with pytest.raises(asyncio.CancelledError):
        await tasks[3]
    assert sorted(said[4:]) == ["cancelled", "cancelled", "heard"]


async def test_work_that_waits_for_nothing_is_done() -> None:
    async def work() -> int:
        return 7

    assert await begun_at_once(work()) == 7


async def test_two_servers_make_the_tables_at_the_same_time(tmp_path: Path) -> None:
    await engines.database(tmp_path)
    stores = await asyncio.gather(*[open_postgres(tmp_path) for _ in range(4)])
    for store in stores:
        await store.close()


async def test_of_two_owners_at_once_one_writes(tmp_path: Path) -> None:
    """However their appends fall together: the log is one line."""
    first, second = await open_postgres(tmp_path), await open_postgres(tmp_path)
    await first.create(record())
    asked = [store.append("m1", 1, GENESIS, entries(1), None) for store in (first, second, first, second)]
    results = await asyncio.gather(*asked, return_exceptions=True)
    assert sorted(isinstance(result, bytes) for result in results) == [False, False, False, True]
    assert all(isinstance(result, bytes | Fenced) for result in results)
    await asyncio.gather(first.close(), second.close())


async def test_a_server_alone_keeps_others_from_its_database_until_it_ends(tmp_path: Path) -> None:
    url = await engines.database(tmp_path)
    first = await open_store(url, tmp_path)
    with pytest.raises(StoreError, match="Another server"):
        await open_store(url, tmp_path)
    await first.close()
    await (await open_store(url, tmp_path)).close()


@pytest.mark.parametrize("where", ["mysql://root:secret@here/x", "somewhere", "postgresql://u:secret@/x?host=/nowhere"])
async def test_a_store_that_is_none_is_refused_without_its_secrets(where: str, tmp_path: Path) -> None:
    with pytest.raises(StoreError) as refused:
        await open_store(where, tmp_path)
    assert "secret" not in str(refused.value)


def test_store_address_has_three_forms(tmp_path: Path) -> None:
    (tmp_path / "store").write_text("postgresql://filed\n")
    said = argparse.Namespace(store="postgresql://said")
    unsaid = argparse.Namespace(store=None)
    surroundings = {STORE: "postgresql://around", f"{STORE}_FILE": str(tmp_path / "store")}
    assert store_of(said, surroundings) == "postgresql://said"
    assert store_of(unsaid, surroundings) == "postgresql://filed"
    assert store_of(unsaid, {STORE: "postgresql://around"}) == "postgresql://around"
    assert store_of(unsaid, {}) == ""
