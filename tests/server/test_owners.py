"""Several nodes on one PostgreSQL: a match has one owner, and no node takes it while that one lives."""

import asyncio
import math
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import asyncpg
import pytest
from msgspec import Raw

from protocol import codec
from protocol.limits import Close
from server.cluster.postgres import schema as postgres_schema
from server.cluster.postgres import store as postgres_store
from server.cluster.postgres.node_heartbeat import (
    AGAIN,
    ALONE,
    BEAT,
    DEAD,
    JOINED,
    STALLED,
    Node,
    NodeHeartbeat,
    new_node,
)
from server.cluster.postgres.store import SLACK, PostgresStore
from server.delivery.peer import Peer
from server.lobby import lobby
from server.matches.task import LINGER
from server.opening import open_store
from server.storage.port import Fenced, Glance, OwnedElsewhere, StoredMatch, StoreError, TableRecord
from shared.history import GENESIS
from shared.messages import Accepted, Act, Done, Refused, Resume, Seated, Snapshot, Start, Watch
from shared.tables import TablePhase
from tests.server.fakes import settle
from tests.server.lobby_harness import LobbyHarness, link, open_lobby, person
from tests.server.records import TODAY, entries, filled, open_postgres, record
from tests.server.toy import Name
from tests.support import clocks, engines
from tests.support.proxy import Serve, proxied


async def never(_seconds: float) -> None:
    """Between two signs of life: for ever."""
    await asyncio.get_running_loop().create_future()


class Nodes:
    """Servers on one database, and one clock for all, which is moved by hand. Their hearts beat only when it moves."""

    def __init__(self, url: str, line: "asyncpg.Connection[asyncpg.Record]") -> None:
        self.url = url
        self.seconds = 500.0
        self._line = line
        self._open: list[PostgresStore] = []

    async def join(self, name: str = "") -> PostgresStore:
        """Add one node."""
        store = await PostgresStore.open(self.url, lambda: TODAY, new_node(name, f"wss://{name}", 1))
        heartbeat = heart_of(store)
        assert heartbeat._task is not None
        heartbeat._task.cancel()
        heartbeat._monotonic, heartbeat._others, heartbeat._seen = lambda: self.seconds, {}, -math.inf
        await heartbeat.beat()
        self._open.append(store)
        return store

    async def pass_time(self, seconds: float, *silent: PostgresStore) -> None:
        """So much, in which all but the `silent` ones give signs of life."""
        end = self.seconds + seconds
        while self.seconds < end:
            self.seconds = min(end, self.seconds + BEAT)
            for store in self._open:
                if store not in silent:
                    await heart_of(store).beat()

    async def die(self, store: PostgresStore, seconds: float = DEAD) -> None:
        """It was not heard for so long, in which others were, and grew older."""
        await self._line.execute("UPDATE nodes SET age = $2 WHERE node = $1", store.node, await store.age())
        await store.keep_age(await store.age() + round(seconds * 1000))
        await self.pass_time(seconds, store)

    async def ago(self, store: PostgresStore, seconds: float) -> None:
        """The database's clock has stepped: by it, the last sign of life is so many seconds older, or younger."""
        query = "UPDATE nodes SET seen = seen - make_interval(secs => $2) WHERE node = $1"
        await self._line.execute(query, store.node, seconds)

    async def step(self, seconds: float) -> None:
        """The database's clock steps by so much, for all who connect from now on."""
        for statement in clocks.stepped(self.url, seconds):
            await self._line.execute(statement)
        for store in self._open:
            heart_of(store)._hang_up()
            store.lines.distrust()

    async def age_of(self, store: PostgresStore, column: str) -> float:
        """Seconds since then."""
        query = f"SELECT extract(epoch FROM clock_timestamp() - {column})::float8 FROM nodes WHERE node = $1"
        return float(await self._line.fetchval(query, store.node))

    async def say(self, statement: str) -> None:
        """To the database, past all of them."""
        await self._line.execute(statement)

    async def end(self) -> None:
        """All go."""
        for store in self._open:
            await store.close()


@pytest.fixture
async def nodes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Nodes]:
    """On an empty database."""
    # An answer that is late because the machine is busy would give the owner another epoch than these tests expect.
    monkeypatch.setattr(postgres_store, "HEDGE", 60.0)
    url = await engines.database(tmp_path)
    line = await asyncpg.connect(url)
    together = Nodes(url, line)
    yield together
    await together.end()
    await line.close()


def heart_of(store: PostgresStore) -> NodeHeartbeat:
    """Its signs of life."""
    assert store.heartbeat is not None
    return store.heartbeat


async def claimed(store: PostgresStore, match: str = "m1") -> StoredMatch:
    """Return the stored match, claimed by a new owner."""
    kept = await store.claim(match)
    assert kept is not None
    return kept


async def refused(asked: Awaitable[object]) -> OwnedElsewhere:
    """Why a claim was."""
    with pytest.raises(OwnedElsewhere) as why:
        await asked
    return why.value


async def owner(store: PostgresStore, match: str = "m1") -> str:
    """As all see it."""
    glance = await store.look(match)
    assert glance is not None
    return glance.owner


async def test_a_match_is_not_taken_from_a_living_owner(nodes: Nodes) -> None:
    first, second = await nodes.join(), await nodes.join()
    check = await filled(first, 2)
    await nodes.pass_time(2 * DEAD)
    await nodes.pass_time(DEAD - BEAT, first)
    assert (await refused(second.claim("m1"))).owner == first.node
    assert await owner(second) == first.node and await second.look("m1") == Glance(record(), 2, first.node or "")
    assert await first.append("m1", 1, check, entries(3), None), "its epoch is what it was"
    assert (await claimed(first)).epoch == 2, "who owns it may read it again"


async def test_a_match_of_a_dead_owner_is_taken_and_its_silence_told(nodes: Nodes) -> None:
    first, second = await nodes.join(), await nodes.join()
    check = await filled(first, 2)
    await nodes.die(first, 60)
    kept = await claimed(second)
    assert (kept.epoch, kept.entries, kept.check) == (2, entries(1, 2), check) and 59 <= kept.silent < 75
    assert await owner(first) == second.node
    assert (await claimed(second)).silent == 0.0


def late_words(store: PostgresStore, check: bytes) -> list[Callable[[], Awaitable[object]]]:
    """Return all writes that an owner of the first epoch might still try."""
    late = record(title="Late", code="LATE")
    return [
        lambda: store.append("m1", 1, check, entries(3), None),
        lambda: store.append("m1", 1, check, entries(3), late),
        lambda: store.save(late, 1),
        lambda: store.release(late, 1),
        lambda: store.delete("m1", 1),
    ]


async def test_a_frozen_owner_who_wakes_is_fenced_and_takes_nothing_back(nodes: Nodes) -> None:
    first, second = await nodes.join(), await nodes.join()
    check = await filled(first, 2)
    await nodes.die(first)
    await claimed(second)
    await heart_of(first).beat()
    for word in late_words(first, check):
        with pytest.raises(Fenced):
            await word()
    assert (await refused(first.claim("m1"))).owner == second.node
    assert await owner(first) == second.node and await first.by_code("LATE") is None
    assert await second.append("m1", 2, check, entries(3), None)


async def test_released_matches_are_claimed_at_once(nodes: Nodes) -> None:
    first, second = await nodes.join(), await nodes.join()
    check = await filled(first, 2)
    await first.release(record(title="Released"), 1)
    assert await owner(first) == ""
    assert await claimed(second) == StoredMatch(record(title="Released"), 2, entries(1, 2), check)
    for word in late_words(first, check):
        with pytest.raises(Fenced):
            await word()
    assert await owner(first) == second.node


async def test_a_new_node_takes_nothing_from_nodes_that_only_seem_dead(nodes: Nodes) -> None:
    """Not even if the database's clock, which may have stepped, says that they are dead."""
    first = await nodes.join()
    await filled(first, 2)
    await nodes.ago(first, 60)
    second = await nodes.join()
    await nodes.pass_time(JOINED - BEAT, first)
    assert (await refused(second.claim("m1"))).owner == first.node
    await nodes.pass_time(BEAT, first)
    assert (await claimed(second)).epoch == 2


async def test_after_an_outage_the_living_are_heard_before_anything_is_taken(nodes: Nodes) -> None:
    """The database was down for a minute: all nodes seem dead to each other, and none is."""
    first, second = await nodes.join(), await nodes.join()
    await filled(first, 2)
    await nodes.pass_time(2 * DEAD)
    nodes.seconds += 60
    assert (await refused(second.claim("m1"))).owner == first.node, "who was not heard takes nothing"
    await heart_of(second).beat()
    assert (await refused(second.claim("m1"))).owner == first.node
    await nodes.pass_time(JOINED - BEAT, first)
    await heart_of(first).beat()
    await nodes.pass_time(2 * DEAD)
    assert (await refused(second.claim("m1"))).owner == first.node
    nodes.seconds += 60
    await heart_of(second).beat()
    await nodes.pass_time(JOINED, first)
    assert (await claimed(second)).epoch == 2, "it died meanwhile"


@pytest.mark.parametrize("stepped", [-3600.0, 3600.0, -30.0])
async def test_a_clock_of_the_database_that_steps_delays_no_takeover_and_causes_none(
    nodes: Nodes, stepped: float
) -> None:
    """As after a correction of its time, or where a standby with another clock takes over."""
    first, second = await nodes.join(), await nodes.join()
    await filled(first, 2)
    await nodes.pass_time(2 * DEAD)
    await nodes.step(stepped)
    await nodes.pass_time(DEAD)
    assert (await refused(second.claim("m1"))).owner == first.node, "it lives"
    await nodes.step(-2 * stepped)
    await nodes.die(first, DEAD + BEAT)
    kept = await claimed(second)
    assert kept.epoch == 2 and 0 <= kept.silent <= DEAD + BEAT + SLACK
    assert [node.node for node in await second.nodes()] == [second.node]


async def test_a_last_moment_heartbeat_keeps_the_matches(nodes: Nodes) -> None:
    first, second = await nodes.join(), await nodes.join()
    await filled(first, 2)
    await nodes.die(first)
    await heart_of(first).beat()
    assert (await refused(second.claim("m1"))).owner == first.node


def test_the_last_node_with_a_database_has_not_seen_the_others_die() -> None:
    """This node's own connection was down for `STALLED` at most; the others' last heartbeats are at most one interval
    older."""
    assert STALLED + BEAT < DEAD


async def test_a_silence_of_all_nodes_is_none(nodes: Nodes) -> None:
    """The servers' age did not grow meanwhile: nothing is to be given back."""
    first, second = await nodes.join(), await nodes.join()
    await filled(first, 2)
    await first.keep_age(80_000)
    await nodes.die(first, DEAD)
    await nodes.step(100_000)
    assert DEAD <= (await claimed(second)).silent <= DEAD + SLACK


async def test_a_sign_of_life_tells_the_age(nodes: Nodes) -> None:
    first, second = await nodes.join(), await nodes.join()
    await filled(first, 2)
    await second.keep_age(80_000)
    await heart_of(first).beat()
    await second.keep_age(95_000)
    await nodes.pass_time(60, first)
    await nodes.step(60)
    assert (await claimed(second)).silent == 15 + SLACK


async def test_an_owner_who_left_no_trace_is_dead(nodes: Nodes) -> None:
    first, second = await nodes.join(), await nodes.join()
    await filled(first, 2)
    await nodes.say("DELETE FROM nodes WHERE node = '" + str(first.node) + "'")
    assert (await claimed(second)).silent == DEAD


async def test_a_stopped_node_owns_nothing(nodes: Nodes) -> None:
    first, second = await nodes.join(), await nodes.join()
    await filled(first, 2)
    await first.close()
    assert [node.node for node in await second.nodes()] == [second.node]
    assert (await claimed(second)).silent == 0.0


async def test_of_many_who_take_what_a_dead_owner_left_one_has_it(nodes: Nodes) -> None:
    """A node that waited for a faster one does not take the match from it."""
    first, *others = [await nodes.join() for _ in range(4)]
    for number in range(5):
        await filled(first, 2, f"m{number}")
    await nodes.die(first)
    for number in range(5):
        asked = [store.claim(f"m{number}") for store in others]
        results = await asyncio.gather(*asked, return_exceptions=True)
        (kept,) = [result for result in results if isinstance(result, StoredMatch)]
        assert kept.epoch == 2
        assert len([result for result in results if isinstance(result, OwnedElsewhere)]) == 2


async def test_a_claim_that_waited_does_not_take_the_match(nodes: Nodes) -> None:
    first, second, third = [await nodes.join() for _ in range(3)]
    await filled(first, 2)
    await nodes.die(first)
    line = await asyncpg.connect(nodes.url)
    async with line.transaction():
        await line.execute("UPDATE matches SET owner = $1, epoch = epoch + 1", second.node)
        asked = asyncio.ensure_future(third.claim("m1"))
        while not await blocked(nodes.url):
            await asyncio.sleep(0)
    await line.close()
    assert (await refused(asked)).owner == second.node


async def blocked(url: str) -> bool:
    """Whether a connection waits for a lock in that database."""
    line = await asyncpg.connect(url)
    query = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    count = await line.fetchval(query)
    await line.close()
    return bool(count)


async def test_a_claim_that_is_refused_by_its_owner_leaves_the_dead_one_the_match(nodes: Nodes) -> None:
    first, second = await nodes.join(), await nodes.join()
    await filled(first, 2)
    await nodes.die(first)

    def unfit(_table: TableRecord) -> None:
        raise StoreError("No such rules here.")

    with pytest.raises(StoreError, match="No such rules"):
        await second.claim("m1", unfit)
    assert await owner(second) == first.node
    await first.save(record(), 1)


async def test_living_nodes_are_listed_as_they_said(nodes: Nodes) -> None:
    first, second = await nodes.join("north"), await nodes.join("south")
    await nodes.pass_time(2 * BEAT, second)
    found = {node.node: node for node in await first.nodes()}
    assert found.keys() == {first.node, second.node}
    told = found[second.node or ""]
    assert (told.name, told.url, told.protocol) == ("south", "wss://south", 1) and BEAT <= told.silent < DEAD
    await nodes.pass_time(DEAD, second)
    assert [node.name for node in await first.nodes()] == ["north"]


async def test_due_matches_without_an_owner_are_told(nodes: Nodes) -> None:
    first, second = await nodes.join(), await nodes.join()
    for match, due in (("m1", 50), ("m2", 60), ("m3", 0), ("m4", 70)):
        await first.create(record(match, phase=TablePhase.PLAYING, due=due))
    assert await first.due() == await second.due() == {}
    await first.release(record("m4", phase=TablePhase.PLAYING, due=70), 1)
    assert await first.due() == await second.due() == {"m4": 70}
    await nodes.die(first)
    assert await second.due() == {"m1": 50, "m2": 60, "m4": 70}


async def test_old_nodes_are_struck_off_once_they_own_nothing(nodes: Nodes) -> None:
    first, second = await nodes.join(), await nodes.join()
    await filled(first, 2)
    for store in (first, second):
        await nodes.ago(store, 1_000_000)
    third = await nodes.join()
    await nodes.pass_time(JOINED, first, second)
    assert await nodes.age_of(first, "seen") >= 1_000_000
    assert (await claimed(third)).epoch == 2
    with pytest.raises(TypeError):
        await nodes.age_of(second, "seen")


async def test_every_start_is_another_node() -> None:
    assert len({new_node("same").node for _ in range(50)}) == 50


# --- tables ---


@asynccontextmanager
async def lodge(path: Path, store: PostgresStore, awake: bool = True) -> AsyncIterator[LobbyHarness]:
    """Open a lobby whose store answers when the database does."""

    async def quiet() -> None:
        for _ in range(4):
            await settle()
            while store._last or store.lines.in_use:
                await asyncio.sleep(0)

    async with open_lobby(path, store=store, awake=awake) as h:
        h.quiet = quiet  # type: ignore[method-assign]
        yield h


@pytest.mark.parametrize("stopped", [False, True])
async def test_a_match_that_sleeps_has_no_owner(nodes: Nodes, tmp_path: Path, stopped: bool) -> None:
    first, second = await nodes.join(), await nodes.join()
    async with lodge(tmp_path, first) as h:
        people = await h.match()
        match, token = h.only().match, h.token(people[0])
        await h.only().table.save()
        assert await owner(second, match) == first.node
        async with lodge(tmp_path, second, awake=False) as there:
            assert (await there.ask(person(), Resume(1, match, token), Refused)).code == "no-match"
            if stopped:
                await h.lobby.stop()
            for peer in people if not stopped else ():
                await h.drop(peer)
            await h.pass_time(LINGER + 1)
            assert await owner(second, match) == ""
            await there.ask(person(), Resume(1, match, token), Seated)
            assert await owner(first, match) == second.node


# --- servers that share with no other ---


async def test_a_sole_server_owns_without_a_name_and_takes_leftovers_of_a_cluster(nodes: Nodes, tmp_path: Path) -> None:
    first = await nodes.join()
    await filled(first, 2)
    await nodes.say("UPDATE matches SET owner = 'somebody'")
    await first.close()
    alone = await PostgresStore.open_exclusively(nodes.url)
    await alone.create(record("m2"))
    kept = await claimed(alone)
    assert (kept.epoch, kept.silent) == (2, 0.0)
    assert await owner(alone) == await owner(alone, "m2") == "" and not alone.shared and alone.node is None
    await alone.close()


async def test_servers_that_share_and_one_that_does_not_keep_each_other_out(nodes: Nodes, tmp_path: Path) -> None:
    first, second = await nodes.join(), await nodes.join()
    await first.close()
    with pytest.raises(StoreError, match="Another server uses this database"):
        await open_store(nodes.url, tmp_path)
    await second.close()
    alone = await open_store(nodes.url, tmp_path)
    with pytest.raises(StoreError, match="A server without --bus uses this database"):
        await nodes.join()
    await alone.close()
    third = await nodes.join()
    assert third.shared and await third.nodes()


async def cut_off(nodes: Nodes) -> None:
    """All lines to the database end, as when that starts again."""
    await nodes.say(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
        "WHERE datname = current_database() AND pid <> pg_backend_pid()"
    )


async def test_a_sole_server_locks_again_after_a_database_outage(nodes: Nodes, tmp_path: Path) -> None:
    alone = await PostgresStore.open_exclusively(nodes.url)
    assert alone._sole is not None
    await cut_off(nodes)
    await alone._sole.look()
    await alone._sole.look()
    with pytest.raises(StoreError, match="Another server uses this database"):
        await open_store(nodes.url, tmp_path)
    await alone.create(record("m2"))
    assert await claimed(alone, "m2") and alone.healthy
    await alone.close()
    await (await open_store(nodes.url, tmp_path)).close()


async def test_a_former_sole_server_takes_nothing_from_a_newcomer(nodes: Nodes) -> None:
    first = await PostgresStore.open_exclusively(nodes.url)
    assert first._sole is not None
    await first.create(record("m2"))
    hand = Hand()
    first._sole._sleep = hand.sleep
    await asyncio.wait_for(hand.waiting.wait(), 20)
    await cut_off(nodes)
    second = await PostgresStore.open_exclusively(nodes.url)
    assert await claimed(second, "m2")
    await hand.pass_time(1.0)
    with pytest.raises(StoreError, match="Another server uses this database"):
        await first.claim("m2")
    with pytest.raises(Fenced):
        await first.save(record("m2"), 1)
    assert await first.look("m2") and not first.healthy
    await second.close()
    await hand.pass_time(1.0)
    assert (await claimed(first, "m2")).epoch == 3 and first.healthy
    await first.close()


async def test_a_line_that_was_lost_on_this_side_alone_does_not_keep_its_own_server_away(nodes: Nodes) -> None:
    alone = await PostgresStore.open_exclusively(nodes.url)
    assert alone._sole is not None and alone._sole._connection is not None
    lost, alone._sole._connection = alone._sole._connection, None
    async with asyncio.timeout(20):
        while alone._sole._connection is None or alone._sole.trouble:
            await alone._sole.look()
    await alone.close()
    lost.terminate()


# --- the heart ---


class Hand:
    """Clock that is moved by hand; tasks that sleep on it are woken by the test."""

    def __init__(self) -> None:
        self.seconds = 500.0
        self.pauses: list[float] = []
        self.waiting: asyncio.Event = asyncio.Event()
        self._go: asyncio.Future[None] | None = None

    def __call__(self) -> float:
        return self.seconds

    async def sleep(self, seconds: float) -> None:
        self.pauses.append(seconds)
        self._go = asyncio.get_running_loop().create_future()
        self.waiting.set()
        await self._go

    async def pass_time(self, seconds: float) -> None:
        """So much, and until the heart sleeps again."""
        self.seconds += seconds
        self.waiting.clear()
        assert self._go is not None
        self._go.set_result(None)
        await self.waiting.wait()


@asynccontextmanager
async def heart(tmp_path: Path) -> AsyncIterator[tuple[NodeHeartbeat, Hand, Callable[[bool], None]]]:
    """Of a node, on a line that can be cut and mended, and by a clock that is moved by hand."""
    url, hand = await engines.database(tmp_path), Hand()
    there = engines.socket()
    here = tmp_path / there.name
    await (await open_postgres(tmp_path)).close()

    async def listen(serve: Serve) -> asyncio.Server:
        return await asyncio.start_unix_server(serve, here)

    async with proxied(listen, lambda: asyncio.open_unix_connection(there)) as proxy:
        through = url.replace(str(there.parent), str(tmp_path))
        heartbeat = NodeHeartbeat(through, new_node(), hand, hand.sleep)

        def cut(off: bool) -> None:
            proxy.refusing = off
            if off:
                proxy.cut()

        await heartbeat.join()
        while not hand.pauses:
            await settle()
        yield heartbeat, hand, cut
        cut(False)
        await heartbeat.leave()


async def seen(url: str) -> list[float]:
    """Return the seconds since the last heartbeats of all listed nodes."""
    line = await asyncpg.connect(url)
    rows = await line.fetch("SELECT extract(epoch FROM clock_timestamp() - seen)::float8 AS ago FROM nodes")
    await line.close()
    return [row["ago"] for row in rows]


async def test_a_heart_beats_every_second_and_knows_for_how_long_it_was_not_heard(tmp_path: Path) -> None:
    async with heart(tmp_path) as (heartbeat, hand, cut):
        assert heartbeat.beating and heartbeat.silence == 0.0 and hand.pauses == [BEAT]
        await hand.pass_time(BEAT)
        assert heartbeat.beating and heartbeat.silence == 0.0 and hand.pauses == [BEAT] * 2
        cut(True)
        await hand.pass_time(BEAT)
        assert not heartbeat.beating and heartbeat.silence == BEAT and hand.pauses[2:] == [AGAIN]
        await hand.pass_time(3 * BEAT)
        assert not heartbeat.beating and heartbeat.silence == 4 * BEAT and hand.pauses[2:] == [AGAIN] * 2
        cut(False)
        await hand.pass_time(AGAIN)
        assert heartbeat.beating and heartbeat.silence == 0.0 and hand.pauses[4:] == [BEAT]
        hand.seconds += 0.25
        assert heartbeat.silence == 0.25
    assert await seen(await engines.database(tmp_path)) == []


async def test_a_server_that_came_while_the_line_was_away_is_not_joined(tmp_path: Path) -> None:
    async with heart(tmp_path) as (heartbeat, hand, cut):
        cut(True)
        await hand.pass_time(BEAT)
        line = await asyncpg.connect(await engines.database(tmp_path))
        await line.execute("SELECT pg_advisory_lock($1)", ALONE)
        cut(False)
        await hand.pass_time(AGAIN)
        assert not heartbeat.beating
        await line.close()
        await hand.pass_time(AGAIN)
        assert heartbeat.beating


async def test_a_node_without_a_database_does_not_join(tmp_path: Path) -> None:
    heartbeat = NodeHeartbeat(f"postgresql://postgres@/x?host={tmp_path}", Node("n"), sleep=never)
    with pytest.raises(StoreError, match="Cannot use the database"):
        await heartbeat.join()
    assert not heartbeat.beating and heartbeat.silence > DEAD
    await heartbeat.leave()


# --- a database of the version before ---


async def test_matches_of_the_version_before_have_no_owner_and_are_all_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = await engines.database(tmp_path)
    line = await asyncpg.connect(url)
    with monkeypatch.context() as patched:
        patched.setattr(postgres_schema, "MIGRATIONS", postgres_schema.MIGRATIONS[:2])
        await postgres_schema.migrate(line)
    assert await line.fetchval("SELECT max(version) FROM conquest_schema") == 2
    later = await open_postgres(tmp_path / "later")
    check = await filled(later, 4)
    await copy(later.url, line)
    await later.close()
    await line.close()
    node = await PostgresStore.open(url, lambda: TODAY, new_node())
    assert await owner(node) == ""
    assert await claimed(node) == StoredMatch(record(), 2, entries(1, 4), check)
    assert await owner(node) == node.node
    assert await node.append("m1", 2, check, entries(5), None) != GENESIS
    await node.close()


async def copy(url: str, line: "asyncpg.Connection[asyncpg.Record]") -> None:
    """Copy a database of this version in the form of the second version."""
    source = await asyncpg.connect(url)
    for table in ("matches", "log"):
        rows = await source.fetch(f"SELECT * FROM {table}")
        columns = [name for name in dict(rows[0]) if name != "owner"]
        await line.copy_records_to_table(
            table, records=[[row[name] for name in columns] for row in rows], columns=columns
        )
    await source.close()


# --- the end of a node ---

_WATCH = """
CREATE TABLE released (id bigserial, matches text[]);
CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO released (matches) SELECT array_agg(match) FROM changed WHERE owner IS NULL HAVING count(*) > 0;
    RETURN NULL;
END $$;
CREATE TRIGGER note AFTER UPDATE ON matches REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION note();
"""


async def test_a_node_that_ends_releases_tables_with_people_first_and_the_others_in_one_statement(
    nodes: Nodes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lobby, "TOGETHER", 1)
    first, second = await nodes.join(), await nodes.join()
    async with lodge(tmp_path, first) as h:
        empty = [await begun(h) for _ in range(5)]
        watched, asleep, played = [await begun(h) for _ in range(3)]
        await h.ask(person("Carl"), Watch(1, watched[0]), Snapshot)
        for _, people in (watched, *empty):
            for peer in people:
                await h.drop(peer)
        h.clock.time += 60
        await h.ask(played[1][0], Act(1, frame_of(h, played[0]), Raw(codec.encode(Name(4)))), Accepted)
        await nodes.say(_WATCH)
        await h.lobby.stop()
        line = await asyncpg.connect(nodes.url)
        statements = [set(row["matches"]) for row in await line.fetch("SELECT matches FROM released ORDER BY id")]
        await line.close()
        assert statements == [{played[0]}, {asleep[0]}, {watched[0]}, {match for match, _ in empty}]
        assert h.lobby.tables == 0
        assert all(link(peer).closed is Close.RESTART for peer in (*played[1], *asleep[1]))
        # All acknowledged entries are there for the next owner.
        assert len((await claimed(second, played[0])).entries) > len((await claimed(second, asleep[0])).entries)


async def begun(h: LobbyHarness) -> tuple[str, list[Peer]]:
    """A match of two people, and these."""
    people = await h.table()
    match = people[0].table.match  # type: ignore[union-attr]
    await h.ask(people[0], Start(2), Done)
    return match, people


def frame_of(h: LobbyHarness, match: str) -> int:
    """Return the frame that actions in that match must name."""
    return int(h.running(match).table.match.frame)


async def test_a_table_that_does_not_halt_keeps_no_other_from_being_released(
    nodes: Nodes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lobby, "HALTED", 0.0)
    first, second = await nodes.join(), await nodes.join()
    async with lodge(tmp_path, first) as h:
        (stuck, _), (free, _) = [await begun(h) for _ in range(2)]
        ends = asyncio.Event()
        h.running(stuck).post(ends.wait)
        await settle()
        await h.lobby.stop()
        assert (await owner(second, free), await owner(second, stuck)) == ("", first.node)
        ends.set()
    await first.close()
    assert await owner(second, stuck) == ""
