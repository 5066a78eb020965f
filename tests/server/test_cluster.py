"""Several servers that act as one: clients need not know which node runs their match."""

import asyncio
import http.client
import json
import time
import urllib.request
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import asyncpg
import msgspec
import pytest
from msgspec import Struct, structs
from nats.aio.client import Client as NatsClient

from protocol.limits import Close
from protocol.session import ClientSession
from server import log
from server.bus.bus_settings import BusSettings
from server.cluster.cluster import Cluster
from server.cluster.edge import EdgeLink
from server.cluster.nats_transport import NatsTransport, Subscriber
from server.cluster.packets import Call
from server.connections.admission import Limits
from server.connections.server_app import App, Hooks
from server.lobby.profiles import code_hash
from server.matches.task import MatchTask
from server.storage.port import CodeRecord, DeedKind, StoreError
from server.tools.admin_actions import Operator
from shared import messages as m
from shared.tables import SEEKS, SeatKind
from tests.server.fakes import Client, serving
from tests.server.test_webhooks import Receiver, receiver
from tests.server.toy import TOY, Name
from tests.support import engines

__all__ = ["receiver"]
SECRET, OTHER, THIRD, FOURTH = (bytes([number]) * 32 for number in range(1, 5))


class Nodes(Struct, frozen=True):
    """Servers that share a database and a bus."""

    apps: list[App]
    bus_settings: BusSettings
    stacks: list[AsyncExitStack]

    def node(self, number: int) -> str:
        """Return the name of that node."""
        cluster = self.apps[number].cluster
        assert cluster is not None
        return cluster.node

    async def stop(self, number: int) -> None:
        """End that one as its operator does."""
        await self.stacks[number].aclose()
        self.apps[number].lobby._tasks.clear()

    async def client(self, node: int, name: str) -> Client:
        """Return a client that is connected to that node."""
        return await Client(self.apps[node].address, name).open()

    def task(self, match: str) -> MatchTask:
        """The match, on whichever node it runs."""
        (found,) = (task for app in self.apps for task in app.lobby.tasks if task.match == match)
        return found

    async def act(self, client: Client, match: str, number: int) -> m.Accepted:
        """Play a number for a player; all nodes agree on the pending decisions."""
        await until(lambda: any(task.match == match for app in self.apps for task in app.lobby.tasks))
        running = self.task(match).table.match
        assert running is not None
        await client.act(running.frame, Name(number))
        return await client.wait_for(m.Accepted)


@asynccontextmanager
async def cluster(path: Path, count: int = 3, **changed: Any) -> AsyncIterator[Nodes]:
    """So many of them."""
    store = await engines.database(path)
    bus_settings = BusSettings(engines.nats().url, prefix=store.rpartition("/")[2].partition("?")[0])
    stacks = [AsyncExitStack() for _ in range(count)]
    async with AsyncExitStack() as stack:
        for each in stacks:
            await stack.enter_async_context(each)
        starts = (serving(path / str(node), store=store, bus_settings=bus_settings, **changed) for node in range(count))
        apps = [await each.enter_async_context(start) for each, start in zip(stacks, starts, strict=True)]
        yield Nodes(apps, bus_settings, stacks)


async def seated(client: Client, match: str = "", **options: Any) -> m.Seated:
    """A seat at a new table, or at that one."""
    if match:
        return await client.ask(lambda ref: m.Join(ref, match), m.Seated)
    return await client.ask(lambda ref: m.Create(ref, "toy", 2, {"rounds": 30}, "Title", **options), m.Seated)


async def party(nodes: Nodes, people: int = 3) -> tuple[str, list[Client]]:
    """Start a match on the first node: its players are there and on the second, a spectator on the third."""
    names = ("Anna", "Bert", "Carl")[:people]
    clients = [await nodes.client(node, name) for node, name in enumerate(names)]
    anna, bert, *crowd = clients
    match = (await seated(anna)).match
    assert (await seated(bert, match)).seat == 1
    await anna.ask(m.Start, m.Done)
    for carl in crowd:
        await carl.ask(lambda ref: m.Watch(ref, match), m.Done)
    views = [await client.wait_for(m.Snapshot) for client in clients]
    assert len({view.version for view in views}) == 1
    return match, clients


async def until(said: Callable[[], bool]) -> None:
    """Other tasks and other processes have a while for it."""
    async with asyncio.timeout(20):
        while not said():
            await asyncio.sleep(0.01)


async def test_a_match_is_played_from_two_nodes_and_seen_from_a_third(tmp_path: Path) -> None:
    async with cluster(tmp_path) as nodes:
        match, (anna, bert, carl) = await party(nodes)
        for client in (bert, anna, anna, bert):
            await nodes.act(client, match, 5)
        version = max(frame.version for frame in anna.seen if isinstance(frame, m.Frame))
        for client in (anna, bert, carl):
            while not any(isinstance(seen, m.Frame | m.Snapshot) and seen.version >= version for seen in client.seen):
                await client.next()
        await bert.ask(lambda ref: m.Say(ref, "Salve"), m.Said)
        for client in (anna, carl):
            assert (await client.wait_for(m.Said)).text == "Salve"
        assert [state.watchers for state in carl.seen if isinstance(state, m.TableState)][-1] == 1
        await carl.ask(m.Leave, m.Left)
        await until(lambda: not nodes.task(match).table.audience.watchers)
        bert.cut()
        await until(lambda: not nodes.task(match).table.seating.chairs[1].here)


async def test_a_node_that_ends_hands_its_matches_over_and_no_client_elsewhere_is_cut(tmp_path: Path) -> None:
    async with cluster(tmp_path) as nodes:
        match, (anna, bert, carl) = await party(nodes)
        await nodes.act(anna, match, 5)
        await nodes.stop(0)
        assert await anna.close_code() == Close.RESTART
        accepted = await nodes.act(bert, match, 4)
        again = await nodes.client(2, "Anna")
        token = next(seen.token for seen in anna.seen if isinstance(seen, m.Seated))
        await again.ask(lambda ref: m.Resume(ref, match, token), m.Seated)
        assert (await again.wait_for(m.Snapshot)).version >= accepted.version
        for client in (again, bert):
            await nodes.act(client, match, 3)
        version = max(seen.version for seen in bert.seen if isinstance(seen, m.Frame))
        while not any(isinstance(seen, m.Frame | m.Snapshot) and seen.version >= version for seen in carl.seen):
            await carl.next()
        assert bert.socket.close_code is None and carl.socket.close_code is None


async def test_the_list_is_one_over_all_nodes(tmp_path: Path) -> None:
    async with cluster(tmp_path, 2) as nodes:
        anna, bert = await nodes.client(0, "Anna"), await nodes.client(1, "Bert")
        assert (await bert.ask(lambda ref: m.OpenLobby(ref, True), m.LobbyList)).tables == ()
        match = (await seated(anna)).match
        change = await bert.wait_for(m.LobbyChange)
        assert (change.table.match, change.table.taken, change.gone) == (match, 1, False)
        await seated(bert, match)
        while (await bert.wait_for(m.LobbyChange)).table.taken != 2:
            pass
        await bert.ask(m.Leave, m.Left)
        await anna.ask(m.Leave, m.Left)
        while not (await bert.wait_for(m.LobbyChange)).gone:
            pass
        assert (await bert.ask(lambda ref: m.OpenLobby(ref, True), m.LobbyList)).tables == ()


async def test_late_nodes_know_the_clusters_tables(tmp_path: Path) -> None:
    async with cluster(tmp_path, 1) as nodes:
        match = (await seated(await nodes.client(0, "Anna"))).match
        store = await engines.database(tmp_path)
        async with serving(tmp_path / "late", store=store, bus_settings=nodes.bus_settings) as late:
            await until(lambda: any(late.lobby.board.of(nodes.node(0))))
            bert = await Client(late.address, "Bert").open()
            (info,) = (await bert.ask(lambda ref: m.OpenLobby(ref, True), m.LobbyList)).tables
            assert info.match == match
        await until(lambda: nodes.apps[0].cluster is not None and not nodes.apps[0].cluster.neighbours)


async def test_a_profile_and_its_seats_are_known_on_all_nodes(tmp_path: Path) -> None:
    async with cluster(tmp_path, 2) as nodes:
        anna = await nodes.client(0, "Anna")
        await anna.ask(lambda ref: m.Introduce(ref, SECRET), m.Introduced)
        match = (await seated(anna)).match
        again = await nodes.client(1, "Anna")
        assert not (await again.ask(lambda ref: m.Introduce(ref, SECRET), m.Introduced)).fresh
        (held,) = (await again.ask(m.Mine, m.Holdings)).seats
        assert (held.match, held.seat, held.seats[0].kind) == (match, 0, SeatKind.PERSON)
        other = await nodes.client(1, "Anna")
        assert (await other.ask(lambda ref: m.Introduce(ref, OTHER), m.Introduced)).name == "Anna"
        code = (await anna.ask(m.HandOver, m.Passage)).code
        await until(lambda: code in nodes.apps[1].lobby.people._passages)
        await other.ask(lambda ref: m.Introduce(ref, THIRD, code), m.Introduced)
        await until(lambda: code not in nodes.apps[0].lobby.people._passages)
        used = await nodes.client(0, "Anna")
        await used.say(lambda ref: m.Introduce(ref, FOURTH, code))
        assert (await used.wait_for_refusal()).code == "no-code"


async def test_people_of_two_nodes_find_each_other_and_a_node_that_ends_loses_no_wish(tmp_path: Path) -> None:
    wish = m.TableWish(("toy",), (2,))

    async def comes(nodes: Nodes, node: int, name: str, secret: bytes) -> Client:
        client = Client(nodes.apps[node].address, name)
        client.session = ClientSession(name, abilities=(SEEKS,))
        await client.open()
        await client.ask(lambda ref: m.Introduce(ref, secret), m.Introduced)
        return client

    async with cluster(tmp_path, 3) as nodes:
        for app in nodes.apps:
            assert isinstance(app.cluster, Cluster)
            app.cluster._since -= 60
        first = min(range(3), key=nodes.node)
        ending, staying = (node for node in range(3) if node != first)
        await until(lambda: [app.lobby.seeks._leads for app in nodes.apps].count(True) == 1)
        anna = await comes(nodes, ending, "Anna", SECRET)
        await anna.ask(lambda ref: m.Seek(ref, (wish,)), m.Seeking)
        viewer = await comes(nodes, staying, "Viewer", OTHER)
        await viewer.say(m.OpenLobby)
        while not [each for each in viewer.seen if isinstance(each, m.Waiting) and each.tables]:
            await viewer.next()
        await nodes.stop(first)
        await until(lambda: any(nodes.apps[node].lobby.seeks._leads for node in (ending, staying)))
        bert = await comes(nodes, staying, "Bert", THIRD)
        await bert.ask(lambda ref: m.Seek(ref, (wish,)), m.Seeking)
        for client in (anna, bert):
            asked = await client.wait_for(m.Summons)
            await client.say(lambda ref, asked=asked: m.Confirm(ref, asked.number))  # type: ignore[misc]
        for client, secret in ((anna, SECRET), (bert, THIRD)):
            while not (found := await client.wait_for(m.Summons)).match:
                pass
            await client.ask(lambda ref, found=found, secret=secret: m.Resume(ref, found.match, secret), m.Seated)  # type: ignore[misc]


async def test_notices_are_set_at_one_node_and_sent_by_another(tmp_path: Path, receiver: Receiver) -> None:
    async with cluster(tmp_path, 2, hooks=Hooks(loopback=True)) as nodes:
        anna, bert = await nodes.client(0, "Anna"), await nodes.client(1, "Bert")
        match = (await seated(anna)).match
        await seated(bert, match)
        await bert.ask(lambda ref: m.Introduce(ref, SECRET), m.Introduced)
        settings = m.NoticeSettings(ntfy=f"http://127.0.0.1:{receiver.port}/topic")
        await bert.ask(lambda ref: m.Notify(ref, settings), m.Notifying)
        person = nodes.task(match).table.seating.chairs[1].record.person
        await until(lambda: nodes.apps[0].lobby.people.notices(person) is not None)
        bert.cut()
        await until(lambda: not nodes.task(match).table.seating.chairs[1].here)
        await anna.ask(m.Start, m.Done)
        await until(lambda: bool(receiver.first))
        assert receiver.first[0].split()[1] == "/topic"


async def test_a_name_is_changed_at_a_table_of_another_node(tmp_path: Path) -> None:
    async with cluster(tmp_path, 2) as nodes:
        anna, bert = await nodes.client(0, "Anna"), await nodes.client(1, "Bert")
        match = (await seated(anna)).match
        await seated(bert, match)
        await bert.ask(lambda ref: m.Rename(ref, "Carl"), m.Done)
        await until(lambda: nodes.task(match).table.seating.chairs[1].record.name == "Carl")
        await bert.ask(m.Leave, m.Left)
        assert (await seated(bert)).seat == 0
        while (await bert.wait_for(m.TableState)).seats[0].name != "Carl":
            pass


async def test_clients_refused_elsewhere_are_at_no_table(tmp_path: Path) -> None:
    async with cluster(tmp_path, 2) as nodes:
        anna, bert = await nodes.client(0, "Anna"), await nodes.client(1, "Bert")
        match = (await seated(anna, open=False)).match
        await bert.say(lambda ref: m.Join(ref, match, "WRONG"))
        assert (await bert.wait_for_refusal()).code == "no-match"
        await bert.say(lambda ref: m.Resume(ref, match, SECRET))
        assert (await bert.wait_for_refusal()).code == "bad-token"
        await bert.say(lambda ref: m.Say(ref, "Salve"))
        assert (await bert.wait_for_refusal()).code == "no-table"
        code = nodes.task(match).table.record.code
        await bert.ask(lambda ref: m.Join(ref, "", code), m.Seated)
        await anna.ask(lambda ref: m.Kick(ref, 1), m.Done)
        assert (await bert.wait_for(m.Left)).code == "kicked"
        await bert.say(lambda ref: m.Join(ref, "", code))
        assert (await bert.wait_for_refusal()).code == "kicked"


async def test_a_seat_is_opened_by_a_code_of_another_node(tmp_path: Path) -> None:
    async with cluster(tmp_path, 2) as nodes:
        anna = await nodes.client(0, "Anna")
        match = (await seated(anna)).match
        code, _ = nodes.apps[0].lobby.code_for_seat(match, 0)
        await until(lambda: code in nodes.apps[1].lobby.seat_codes)
        bert = await nodes.client(1, "Bert")
        assert (await bert.ask(lambda ref: m.Join(ref, "", code), m.Seated)).seat == 0
        assert await anna.close_code() == Close.REPLACED
        await until(lambda: code not in nodes.apps[0].lobby.seat_codes)


async def test_a_match_that_one_node_cannot_play_goes_on_at_another(tmp_path: Path) -> None:
    """As in the middle of an update that brought a mistake."""

    def broken(*_: Any) -> Any:
        raise RuntimeError("a mistake")

    async with cluster(tmp_path, 2) as nodes:
        match, (anna, bert) = await party(nodes, 2)
        token = next(seen.token for seen in anna.seen if isinstance(seen, m.Seated))
        for client in (anna, bert):
            client.cut()
        nodes.apps[0].lobby.rulesets = {"toy": structs.replace(TOY, view=broken)}
        await until(lambda: not nodes.task(match).table.audience.peers)
        await nodes.apps[0].lobby._release([nodes.task(match)])
        first, second = await nodes.client(0, "Anna"), await nodes.client(1, "Anna")
        await first.say(lambda ref: m.Resume(ref, match, token))
        assert (await first.wait_for_refusal()).code == "not-playable"
        await second.ask(lambda ref: m.Resume(ref, match, token), m.Seated)
        assert nodes.task(match) in nodes.apps[1].lobby.tasks


def operator(app: App) -> Operator:
    """Return an operator of that node."""
    return Operator(app, lambda: None)


async def test_an_operator_sees_all_nodes_and_does_what_they_can_from_each(tmp_path: Path) -> None:
    async with cluster(tmp_path) as nodes:
        match, (anna, bert, carl) = await party(nodes)
        here, there = operator(nodes.apps[0]), operator(nodes.apps[1])
        listed = (await there.nodes({}))["nodes"]
        assert {(node["node"], node["matches"]) for node in listed} == {
            (nodes.node(0), 1), (nodes.node(1), 0), (nodes.node(2), 0)
        }  # fmt: skip
        assert all(0 <= node["seen"] < 60 for node in listed)
        asked = {"match": match}
        assert "runs_on" not in await here.show(asked) and (await here.show(asked))["people"] == 3
        shown = await there.show(asked)
        assert nodes.node(0) in shown["runs_on"] and not shown["awake"]
        assert await there.say({"text": "Hail.", **asked}) == {"node": nodes.node(0)}
        assert await there.say({"text": "All."}) == {"everywhere": True}
        for client in (anna, bert, carl):
            assert {(await client.wait_for(m.Notice)).text for _ in range(2)} == {"Hail.", "All."}
        with pytest.raises(StoreError, match=f"runs on {nodes.node(0)}"):
            await there.forget(asked)
        code = (await there.link({"seat": 1, **asked}))["code"]
        await until(lambda: code in nodes.apps[0].lobby.seat_codes)
        await here.forget(asked)
        with pytest.raises(StoreError, match="does not exist"):
            await there.say({"text": "Anybody?", **asked})


async def test_a_ban_holds_on_all_nodes_and_over_a_takeover(tmp_path: Path) -> None:
    async with cluster(tmp_path, limits=Limits(trusted=(ip_network("127.0.0.1"),))) as nodes:
        match, (_, bert, _) = await party(nodes)
        await bert.ask(lambda ref: m.Introduce(ref, SECRET), m.Introduced)
        evading = await Client(nodes.apps[2].address, "Evading", "203.0.113.5").open()
        await evading.ask(lambda ref: m.Introduce(ref, OTHER), m.Introduced)
        begun = time.monotonic()
        for name in ("Bert", "Evading"):
            await operator(nodes.apps[0]).decree(DeedKind.BAN, {"name": name, "why": "Spam", "days": 1})
        for client in (bert, evading):
            assert (await client.wait_for_refusal()).code == "banned" and await client.close_code() == Close.BANNED
        await until(lambda: all(app.lobby.moderation.is_noted("203.0.113.5") for app in nodes.apps))
        assert time.monotonic() - begun < 2
        await until(lambda: any(seat.kind is SeatKind.AWAY for seat in nodes.task(match).table.seating.infos()))
        await nodes.stop(0)
        back = await nodes.client(1, "Bert")
        await back.say(lambda ref: m.Introduce(ref, SECRET))
        assert (await back.wait_for_refusal()).code == "banned"
        new = await Client(nodes.apps[1].address, "New", "203.0.113.5").open()
        await new.say(lambda ref: m.Introduce(ref, THIRD))
        assert "New guests of your network" in (await new.wait_for_refusal()).text


async def test_reports_and_blocks_reach_all_nodes_from_a_table_of_another_one(tmp_path: Path) -> None:
    async with cluster(tmp_path) as nodes:
        match, (anna, bert, _) = await party(nodes)
        for client, secret in ((anna, SECRET), (bert, OTHER)):
            await client.ask(lambda ref, secret=secret: m.Introduce(ref, secret), m.Introduced)  # type: ignore[misc]
        await anna.ask(lambda ref: m.Say(ref, "You fool"), m.Said)
        await bert.ask(lambda ref: m.Report(ref, "Anna", "You fool"), m.Done)
        assert (await bert.ask(lambda ref: m.Block(ref, "Anna", hide=True), m.Blocks)).here == ("Anna",)
        await until(lambda: all(len(app.lobby.moderation.reports()) == 1 for app in nodes.apps))
        there = operator(nodes.apps[2])
        (report,) = (await there.reports({}))["reports"]
        assert (report["name"], report["by"], report["match"]) == ("Anna", "Bert", match)
        await there.reports({"report": report["report"], "why": "Anna is muted"})
        await there.decree(DeedKind.MUTE, {"name": "Anna", "why": "Insults"})
        assert (await bert.wait_for(m.Notice)).text.endswith("Anna is muted.")
        listed = [(deed["deed"], deed["name"], deed["until"]) for deed in (await there.list_deeds({}))["deeds"]]
        assert listed == [("handled", "Anna", 0.0), ("mute", "Anna", 0.0)]
        await anna.wait_for(m.Notice)
        await anna.say(lambda ref: m.Say(ref, "Again"))
        assert (await anna.wait_for_refusal()).code == "muted"
        again = await nodes.client(2, "Bert")
        await again.ask(lambda ref: m.Introduce(ref, OTHER), m.Introduced)
        assert [each.name for each in (await again.ask(m.Block, m.Blocks)).people] == ["Anna"]


async def test_traffic_between_nodes_is_counted_and_health_tells_of_the_bus(tmp_path: Path) -> None:
    async with cluster(tmp_path) as nodes:
        await party(nodes)
        told = [{name: values for name, _, _, values in app.gauges()} for app in nodes.apps]
        assert [each["conquest_bus"] for each in told] == [{(): 1.0}] * 3
        assert [each["conquest_neighbours"] for each in told] == [{(): 2}] * 3
        assert [each["conquest_lines"][("owner",)] for each in told] == [2, 0, 0]
        assert [each["conquest_abroad"][("edge",)] for each in told] == [0, 1, 1]
        assert told[0]["conquest_abroad"][("owner",)] == 2
        port = nodes.apps[1].address.rpartition(":")[2]

        def health() -> Any:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz") as answer:
                return json.loads(answer.read())

        assert (await asyncio.to_thread(health))["bus"] is True


async def test_health_fails_while_heartbeats_do(tmp_path: Path) -> None:
    """The store itself answers as always: only the list of nodes is out of reach."""
    async with cluster(tmp_path, 1) as nodes:
        (app,) = nodes.apps
        anna = await nodes.client(0, "Anna")
        line = await asyncpg.connect(await engines.database(tmp_path))
        async with line.transaction():
            await line.execute("LOCK TABLE nodes IN EXCLUSIVE MODE")
            await until(lambda: not app.healthy)
            await seated(anna)
            assert app.store.healthy
            asked = http.client.HTTPConnection(app.address.removeprefix("ws://"))
            await asyncio.to_thread(asked.request, "GET", "/healthz")
            answer = await asyncio.to_thread(asked.getresponse)
            assert (answer.status, json.loads(answer.read())["status"]) == (503, "degraded")
            assert not (await Operator(app, lambda: None).node({}))["healthy"]
            assert {name: values for name, _, _, values in app.gauges()}["conquest_healthy"] == {(): 0.0}
        await until(lambda: app.healthy)
        await line.close()


async def test_a_released_but_owned_match_is_resumed_for_remote_clients(tmp_path: Path) -> None:
    async with cluster(tmp_path) as nodes:
        match, (anna, bert, carl) = await party(nodes)
        nodes.task(match).let_go()
        assert await anna.close_code() == Close.MOVED
        accepted = await nodes.act(bert, match, 5)
        assert (await carl.wait_for(m.Snapshot)).version <= accepted.version
        assert bert.socket.close_code is None and nodes.task(match) in nodes.apps[0].lobby.tasks


async def test_leaving_a_node_without_an_owner_keeps_the_seat_resumed_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The player's former request disconnected them once the first node had found the owner."""
    found = asyncio.Event()
    tried = EdgeLink.tried

    async def late(line: EdgeLink) -> bool:
        await found.wait()
        return await tried(line)

    async with cluster(tmp_path, 2) as nodes:
        anna, bert = await nodes.client(0, "Anna"), await nodes.client(0, "Bert")
        match = (await seated(anna)).match
        await seated(bert, match)
        await anna.ask(m.Start, m.Done)
        token = next(seen.token for seen in anna.seen if isinstance(seen, m.Seated))
        monkeypatch.setattr(EdgeLink, "tried", late)
        ghost, edge = await nodes.client(1, "Anna"), cluster_of(nodes, 1)._edge
        await ghost.say(lambda ref: m.Resume(ref, match, token))
        await until(lambda: edge.guests == 1)
        ghost.cut()
        await until(lambda: nodes.apps[1].connections == 0)
        found.set()
        await until(lambda: edge.guests == 0)
        await nodes.act(anna, match, 5)
        assert anna.socket.close_code is None


async def test_a_dead_connection_does_not_take_the_seat_of_its_own_player(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The database is slow, a player acts, loses the connection twice, and the bus is lost for a moment. The first
    connection was announced again, and confirmed a token that was told to the second: the player's own was void."""
    async with cluster(tmp_path, 2) as nodes:
        match, (anna, bert) = await party(nodes, 2)
        await nodes.act(anna, match, 5)
        token = next(seen.token for seen in bert.seen if isinstance(seen, m.Seated))
        running, store = nodes.task(match).table.match, nodes.apps[0].store
        assert running is not None
        kept, append, asked, before = asyncio.Event(), store.append, asyncio.Event(), running.version

        async def slowly(*what: Any) -> bytes:
            asked.set()
            await kept.wait()
            return await append(*what)

        monkeypatch.setattr(store, "append", lambda *what: asyncio.ensure_future(slowly(*what)))
        await bert.act(running.frame, Name(5))
        await asyncio.wait_for(asked.wait(), 20)
        bert.cut()
        ghost, edge = await nodes.client(1, "Bert"), cluster_of(nodes, 1)._edge
        await ghost.say(lambda ref: m.Resume(ref, match, token))
        await until(lambda: nodes.task(match)._mailbox.qsize() > 0)
        ghost.cut()
        await until(lambda: nodes.apps[1].connections == 0)
        edge.break_all()
        await until(lambda: edge.lines == 1 and next(iter(edge._lines.values())).answered)
        kept.set()
        await until(lambda: nodes.task(match)._mailbox.empty() and running.version > before)
        back = await nodes.client(1, "Bert")
        assert (await back.ask(lambda ref: m.Resume(ref, match, token), m.Seated)).seat == 1


async def test_players_at_the_node_of_their_match_never_wait_for_the_bus(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever is said there is as good as not said: it neither arrives nor fails."""
    readable = asyncio.Event()

    async def stuck(*_said: object, **_options: object) -> None:
        await readable.wait()

    async with cluster(tmp_path, 2) as nodes:
        anna, bert, carl = [await nodes.client(node, name) for node, name in ((0, "Anna"), (0, "Bert"), (1, "Carl"))]
        match = (await seated(anna)).match
        token = (await seated(bert, match)).token
        await anna.ask(m.Start, m.Done)
        await carl.ask(lambda ref: m.Watch(ref, match), m.Done)
        monkeypatch.setattr(NatsClient, "publish", stuck)
        monkeypatch.setattr(NatsClient, "request", stuck)
        try:
            for client in (anna, bert):
                await nodes.act(client, match, 5)
            await bert.ask(lambda ref: m.Say(ref, "Salve"), m.Said)
            again = await nodes.client(0, "Bert")
            await again.ask(lambda ref: m.Resume(ref, match, token), m.Seated)
            await nodes.act(again, match, 4)
            assert (await seated(await nodes.client(0, "Dora"))).seat == 0
        finally:
            readable.set()


async def test_messages_during_a_join_are_heard_once_the_node_can_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was heard before there was anything to answer with."""
    failures: list[str] = []
    monkeypatch.setattr(log, "failure", lambda event, **_fields: failures.append(event))
    reach = NatsTransport.connect

    async def slowly(node: str, bus_settings: BusSettings, hearer: Subscriber) -> NatsTransport:
        found = await reach(node, bus_settings, hearer)
        cluster_of(nodes, 0)._transport.shout(Call(""))
        await asyncio.sleep(0.1)
        return found

    async with cluster(tmp_path, 1) as nodes:
        monkeypatch.setattr(NatsTransport, "connect", slowly)
        store = await engines.database(tmp_path)
        async with serving(tmp_path / "late", store=store, bus_settings=nodes.bus_settings) as late:
            await until(lambda: late.cluster is not None and bool(late.cluster.neighbours))
    assert failures == []


def cluster_of(nodes: Nodes, number: int) -> Cluster:
    """Return the cluster object of that node."""
    found = nodes.apps[number].cluster
    assert isinstance(found, Cluster)
    return found


async def test_a_bus_that_cannot_be_reached_is_named_at_the_start(tmp_path: Path) -> None:
    store = await engines.database(tmp_path)
    with pytest.raises(StoreError, match=r"^Cannot use the bus: .+\.$"):
        async with serving(tmp_path, store=store, bus_settings=BusSettings("nats://127.0.0.1:9")):
            raise AssertionError
    async with cluster(tmp_path, 1) as nodes:
        assert nodes.apps[0].store.healthy


async def test_one_address_that_two_nodes_confirm_at_once_makes_one_member(tmp_path: Path) -> None:
    async with cluster(tmp_path, 2) as nodes:
        people = [app.lobby.people for app in nodes.apps]
        clients = [await nodes.client(node, "Guest") for node in range(2)]
        for client, secret in zip(clients, (SECRET, OTHER), strict=True):
            await client.ask(lambda ref, secret=secret: m.Introduce(ref, secret), m.Introduced)  # type: ignore[misc]
        peers = [next(iter(each.peers)) for each in people]
        for each, peer in zip(people, peers, strict=True):
            guest = each.record(peer.person)
            assert guest is not None
            code = CodeRecord(code_hash("ABCDEFGH"), 4e9, "anna@example.org")
            await each.keep(structs.replace(guest, codes=(code,)))
        await until(lambda: all(len(each.all()) == 2 for each in people))
        # Neither node has heard of the other's member when it stores its own.
        lobbies = [app.lobby for app in nodes.apps]
        requests = (each.hear(peer, m.Member(9, code="ABCDEFGH")) for each, peer in zip(lobbies, peers, strict=True))
        await asyncio.gather(*requests)
        stored = await lobbies[0]._services.store.people()
        assert len(stored) == 2 and [each.mail for each in stored if each.is_member] == ["anna@example.org"]
        for each in people:
            await until(lambda each=each: each.holder("Anna+tag@example.org") is not None)  # type: ignore[misc]
            assert sorted(map(bool, (one.mail for one in each.all()))) == [False, True]


async def test_an_erased_person_is_gone_on_all_nodes(tmp_path: Path) -> None:
    """The second node erases a player of a match on the first node, and of one whose node has ended."""
    async with cluster(tmp_path, 3) as nodes:
        anna, bert = await nodes.client(0, "Zenobia"), await nodes.client(1, "Bert")
        await anna.ask(lambda ref: m.Introduce(ref, b"a" * 32), m.Introduced)
        match = (await seated(anna)).match
        await seated(bert, match)
        await anna.ask(m.Start, m.Done)
        elsewhere, carl = await nodes.client(2, "Zenobia"), await nodes.client(2, "Carl")
        await elsewhere.ask(lambda ref: m.Introduce(ref, b"a" * 32), m.Introduced)
        left = (await seated(elsewhere)).match
        await seated(carl, left)
        await elsewhere.ask(m.Start, m.Done)
        await nodes.stop(2)
        first, second = (app.lobby for app in nodes.apps[:2])
        await until(lambda: len(second.people.all()) == 1)
        (person,) = second.people.all()
        assert await second.personal_data.erase(person.person)
        await until(lambda: nodes.task(match).table.seating.chairs[0].record.name == "former player 1")
        await until(lambda: not first.people.all())
        listed = [each.read_text().split() for each in sorted(tmp_path.glob("[01]/erased"))]
        assert listed == [[person.person]] * 2
        await until(lambda: not second.personal_data._left)
        assert await second._services.store.matches_of(person.person) == []
        for each in (match, left):
            glance = await second._services.store.look(each)
            assert glance is not None and b"Zenobia" not in msgspec.msgpack.encode(glance.table)
