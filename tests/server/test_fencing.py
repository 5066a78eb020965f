"""Fencing: a match has one owner. A node that lost it lets go at once, and no acknowledged action is lost."""

import asyncio
from pathlib import Path

import msgspec
import pytest
from msgspec import Raw, structs

from protocol import codec
from protocol.limits import Close
from server.delivery.peer import Peer
from server.matches.dice import Dice
from server.matches.match import Match
from server.matches.running_match import RunningMatch
from server.matches.task import LINGER, MAILBOX
from server.storage.port import Fenced, StoreError
from shared import messages as m
from shared.history import Entry
from tests.server.fakes import FakeLink
from tests.server.lobby_harness import LobbyHarness, link, name, open_lobby
from tests.server.toy import TOY, Quit


def assert_let_go(h: LobbyHarness, *peers: Peer) -> None:
    """The server has dropped the match and asked its clients to reconnect."""
    assert h.lobby.tables == 0
    for peer in peers:
        assert link(peer).closed is Close.MOVED
        assert (peer.table, peer.seat) == (None, -1)


async def test_a_node_that_lost_a_match_releases_its_clients_to_the_new_owner(tmp_path: Path) -> None:
    async with open_lobby(tmp_path) as old:
        anna, bert = await old.match()
        watcher, idler = Peer(FakeLink(), "Watcher"), Peer(FakeLink(), "Idler")
        await old.ask(watcher, m.Watch(1, old.only().match), m.Snapshot)
        await old.ask(idler, m.OpenLobby(1), m.LobbyList)
        await old.ask(anna, name(old, 1, 4), m.Accepted)
        match, token, act = old.only().match, old.token(bert), name(old, 7, 5)
        await old.only().table.save()
        for peer in (anna, bert, watcher, idler):
            link(peer).sent.clear()
        async with open_lobby(tmp_path, store=old.store) as new:
            await old.say(bert, act)
            assert_let_go(old, anna, bert, watcher)
            for peer in (anna, bert, watcher):
                assert not link(peer).sent, "nothing was acknowledged, refused or shown"
            await old.pass_time(1)
            assert link(idler).take(m.LobbyChange).gone and link(idler).closed is None
            back = Peer(FakeLink(), "Bert")
            assert (await new.ask(back, m.Resume(1, match, token, have=1), m.Seated)).command == 0
            assert await new.ask(back, act, m.Accepted) == m.Accepted(7, 2)
            assert new.only().table.match.version == 3


async def test_a_server_that_lost_a_match_can_be_its_owner_again(tmp_path: Path) -> None:
    async with open_lobby(tmp_path) as old:
        anna, bert = await old.match()
        match, tokens = old.only().match, [old.token(anna), old.token(bert)]
        await old.only().table.save()
        async with open_lobby(tmp_path, store=old.store) as new:
            await old.say(anna, name(old, 1, 4))
            assert_let_go(old, anna, bert)
            back = Peer(FakeLink(), "Anna")
            await old.ask(back, m.Resume(1, match, tokens[0]), m.Seated)
            assert await old.ask(back, name(old, 1, 4), m.Accepted) == m.Accepted(1, 1)
            again = Peer(FakeLink(), "Bert")
            await new.say(again, m.Resume(1, match, tokens[1]))
            assert_let_go(new, again)
        await old.ask(back, name(old, 1, 4), m.Accepted)


@pytest.mark.parametrize(
    "request_",
    [m.Join(5, ""), m.SetBot(5, 2, "greedy"), m.Kick(5, 1), m.Start(5), m.Leave(5)],
    ids=lambda request: type(request).__name__,
)
async def test_every_write_tells_a_deposed_owner_that_it_is_fenced(tmp_path: Path, request_: m.ClientMessage) -> None:
    async with open_lobby(tmp_path) as old:
        anna = Peer(FakeLink(), "Anna")
        match = (await old.ask(anna, m.Create(1, "toy", 3, {}, "Title"), m.Seated)).match
        bert, carla = Peer(FakeLink(), "Bert"), Peer(FakeLink(), "Carla")
        await old.ask(bert, m.Join(1, match), m.Seated)
        if isinstance(request_, m.Start):
            await old.ask(anna, m.SetBot(2, 2, "greedy"), m.Done)
        async with open_lobby(tmp_path, store=old.store) as new:
            asker = carla if isinstance(request_, m.Join) else anna
            link(asker).sent.clear()
            await old.say(asker, m.Join(5, match) if isinstance(request_, m.Join) else request_)
            assert_let_go(old, anna, bert, asker)
            assert not link(asker).sent
            kept = new.only().table
            assert [chair.record.name for chair in kept.seating.chairs] == ["Anna", "Bert", ""]
            assert kept.record.phase == 0 and await new.store.unfinished() == [match]


async def test_a_bot_and_a_clock_tell_it_too(tmp_path: Path) -> None:
    async with open_lobby(tmp_path) as old:
        anna, bert = await old.match(think=20)
        async with open_lobby(tmp_path, store=old.store):
            await old.pass_time(21)
            assert_let_go(old, anna, bert)
    async with open_lobby(tmp_path / "other") as old:
        anna, bert = await old.match(takeover=20)
        await old.drop(bert)
        async with open_lobby(tmp_path, store=old.store):
            await old.pass_time(21)
            assert_let_go(old, anna)


async def test_clients_with_waiting_requests_are_sent_away_too(tmp_path: Path) -> None:
    async with open_lobby(tmp_path) as old:
        anna, bert = await old.match()
        table = old.only()
        async with open_lobby(tmp_path, store=old.store) as new:
            late = [Peer(FakeLink(), f"Late {i}") for i in range(3)]
            await old.lobby.hear(anna, name(old, 1, 4))
            for peer in late:
                await old.lobby.hear(peer, m.Watch(1, table.match))
            await old.quiet()
            assert_let_go(old, anna, bert, *late)
            assert new.only().table.match.version == 0
            await old.pass_time(1000)
            assert not any(isinstance(message, m.Frame | m.TableState) for message in link(late[0]).sent)


async def test_senders_to_a_lost_match_are_released(tmp_path: Path) -> None:
    async with open_lobby(tmp_path) as old:
        anna, bert = await old.match()
        match = old.only().match
        async with open_lobby(tmp_path, store=old.store):
            await old.lobby.hear(anna, name(old, 1, 4))
            crowd = [Peer(FakeLink(), f"Peer {i}") for i in range(2 * MAILBOX)]
            await asyncio.wait_for(asyncio.gather(*[old.lobby.hear(peer, m.Watch(1, match)) for peer in crowd]), 20)
            await old.quiet()
            assert_let_go(old, anna, bert, *crowd)


async def test_a_table_that_another_server_woke_is_not_deleted_beneath_it(tmp_path: Path) -> None:
    async with open_lobby(tmp_path) as old:
        anna, bert = await old.table()
        match, token = old.only().match, old.token(bert)
        await old.only().table.save()
        async with open_lobby(tmp_path, store=old.store) as new:
            await old.drop(bert)
            await old.drop(anna)
            await old.pass_time(200)
            assert old.lobby.tables == 0
            assert (await new.ask(Peer(FakeLink(), "Bert"), m.Resume(1, match, token), m.Seated)).seat == 1


async def test_two_who_wake_a_match_at_once_meet_at_one_table(tmp_path: Path) -> None:
    async with open_lobby(tmp_path) as h:
        anna, _ = await h.match()
        match = h.only().match
        await h.ask(anna, m.Act(1, 0, Raw(codec.encode(Quit()))), m.Accepted)
    async with open_lobby(tmp_path) as h:
        assert h.lobby.tables == 0, "it is over: nobody woke it"
        people = [Peer(FakeLink(), "Carla"), Peer(FakeLink(), "Dora")]
        await asyncio.gather(*[h.lobby.hear(peer, m.Watch(1, match)) for peer in people])
        await h.quiet()
        assert people[0].table is people[1].table is h.only()
        assert h.only().table.epoch == 2, "one owner after its creator"
        await h.say(people[0], m.Say(2, "Ave!"))
        assert link(people[1]).take(m.Said).text == "Ave!"


async def test_a_lost_match_keeps_no_bots_or_timers(tmp_path: Path) -> None:
    asked: list[asyncio.Future[bytes]] = []

    async def think(*_: object) -> bytes:
        asked.append(asyncio.get_running_loop().create_future())
        return await asked[-1]

    async with open_lobby(tmp_path, think) as old:
        anna, bert = await old.match(think=20, takeover=30)
        await old.ask(bert, m.Leave(9), m.Left)
        async with open_lobby(tmp_path, store=old.store):
            await old.say(anna, name(old, 1, 4))
            assert_let_go(old, anna)
            assert [each.cancelled() for each in asked] == [True]
            await old.pass_time(1)
            assert not old.clock.waiting, "neither clock nor stand-in comes"


@pytest.mark.parametrize("lost", [False, True])
async def test_a_store_that_answers_at_once_is_understood(
    h: LobbyHarness, monkeypatch: pytest.MonkeyPatch, lost: bool
) -> None:
    anna, bert = await h.match()
    task, act = h.only(), name(h, 1, 4)
    await h.say(anna, m.Say(4, "my token is here"))
    answered: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
    if lost:
        answered.set_exception(Fenced("This match is run by another server now."))
    else:
        answered.set_result(b"check")
    monkeypatch.setattr(h.store, "append", lambda *_: answered)
    task.act_now(anna, act)
    if not lost:
        assert link(anna).take(m.Accepted) == m.Accepted(1, 1) and task.table.check == b"check"
    await h.quiet()
    if lost:
        assert_let_go(h, anna, bert)


async def test_senders_to_an_unloaded_match_look_it_up_again(h: LobbyHarness) -> None:
    """The message stayed in the mailbox of a dead task, and its sender waited forever."""
    people = await h.match()
    task = h.only()
    for peer in people:
        await h.drop(peer)
    await h.pass_time(LINGER + 1)
    assert h.lobby.tables == 0
    late = [Peer(FakeLink(), f"Late {i}") for i in range(3)]
    for peer in late:
        peer.table = task
    await task.hear(late[0], m.Watch(1, task.match))
    task.take(late[1], m.Watch(1, task.match))
    task.return_to(late[2], -1, "Late 2", False)
    assert [(link(peer).closed, peer.table) for peer in late] == [(Close.MOVED, None)] * 3
    with pytest.raises(StoreError, match="please try again"):
        await task.new_key(0)


async def test_an_action_that_is_repeated_while_nothing_can_be_kept_is_accepted(
    h: LobbyHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its player has come back, and the new token cannot be confirmed: the action was refused, though it was kept."""
    anna, _ = await h.match()
    act, match = name(h, 7, 4), h.only().match
    await h.ask(anna, act, m.Accepted)
    token = h.token(anna)
    await h.drop(anna)
    back = Peer(FakeLink(), "Anna")
    await h.ask(back, m.Resume(1, match, token), m.Seated)

    async def fails(*_: object) -> None:
        raise StoreError("The server cannot save.")

    monkeypatch.setattr(h.store, "save", fails)
    assert await h.ask(back, act, m.Accepted) == m.Accepted(7, 1)
    assert (await h.ask(back, name(h, 8, 5), m.Refused)).code == "storage"


@pytest.mark.parametrize("idle", [True, False])
async def test_stored_matches_that_cannot_be_shown_are_not_refused(
    h: LobbyHarness, monkeypatch: pytest.MonkeyPatch, idle: bool
) -> None:
    """The match is read again from its log instead, and the repeated action is accepted."""
    anna, _ = await h.match()
    act, match, token = name(h, 7, 4), h.only().match, h.token(anna)
    await h.only().table.save()
    if idle:
        kept: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        kept.set_result(b"check")
        monkeypatch.setattr(h.store, "append", lambda *_: kept)
    with monkeypatch.context() as patched:
        patched.setattr(RunningMatch, "accept", lambda *_: 1 // 0)
        link(anna).sent.clear()
        if idle:
            h.only().act_now(anna, act)
            await h.quiet()
        else:
            await h.say(anna, act)
    assert not link(anna).sent and link(anna).closed is Close.MOVED
    if not idle:
        back = Peer(FakeLink(), "Anna")
        await h.ask(back, m.Resume(1, match, token), m.Seated)
        assert await h.ask(back, act, m.Accepted) == m.Accepted(7, 1)


async def test_positions_that_cannot_be_encoded_are_not_stored(h: LobbyHarness) -> None:
    """The log would keep a position that cannot be encoded, and the match could never be resumed."""
    anna, _ = await h.match()
    act, match = name(h, 7, 4), h.only().table.match
    assert match is not None
    rules, match.rules = match.rules, structs.replace(TOY, view=lambda *_: 1 // 0)
    assert (await h.ask(anna, act, m.Refused)).ref == 7
    match.rules = rules
    assert match.version == 0
    assert await h.ask(anna, act, m.Accepted) == m.Accepted(7, 1)


async def test_an_action_whose_frame_cannot_be_made_stands_and_its_players_come_back(h: LobbyHarness) -> None:
    """The log has the action before its frames are made. So the action must not be refused afterwards."""
    anna, _ = await h.match()
    act, task = name(h, 7, 4), h.only()
    match, token = task.table.match, h.token(anna)
    assert match is not None
    await h.say(anna, m.Say(4, "my token is here"))
    match.rules = structs.replace(TOY, event_for=lambda *_: 1 // 0)
    await h.say(anna, act)
    assert m.Refused not in map(type, link(anna).sent) and link(anna).closed is Close.MOVED
    back = Peer(FakeLink(), "Anna")
    await h.ask(back, m.Resume(1, task.match, token, have=1), m.Seated)
    assert await h.ask(back, act, m.Accepted) == m.Accepted(7, 1)


async def test_a_match_is_read_again_though_a_frame_of_it_cannot_be_made(tmp_path: Path) -> None:
    async with open_lobby(tmp_path) as h:
        anna, bert = await h.match()
        await h.ask(anna, name(h, 7, 4), m.Accepted)
        await h.ask(bert, name(h, 7, 5), m.Accepted)
        entries = [msgspec.msgpack.decode(data, type=Entry) for data in await h.store.read(h.only().match, 1, 9)]
    match = Match(structs.replace(TOY, event_for=lambda *_: 1 // 0), 2, {}, Dice(1))
    for _ in match.replay(entries):
        pass
    assert (match.version, match.tail(0, 1)) == (len(entries), None), "who comes back gets a snapshot"
    assert match.snapshot(0)
