"""Storing of tables: no client learns of a change before it is durable; a failed write changes nothing."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import msgspec
import pytest

from server.delivery.peer import Peer
from server.storage.port import TableRecord
from shared import messages as m
from shared.proof import Lots
from shared.tables import NO_SEAT, TablePhase
from tests.server.fakes import FakeLink, settle
from tests.server.lobby_harness import LobbyHarness, failing, link, name, open_lobby
from tests.server.records import hold_sqlite


class Case(NamedTuple):
    """Request of a client. `answer`: the kind of its answer; `others`: all other clients that would be told."""

    asker: Peer
    message: m.ClientMessage
    answer: type[Any]
    others: list[Peer]


Setting: TypeAlias = Callable[[LobbyHarness], Awaitable[Case]]


async def newcomer(h: LobbyHarness, people: list[Peer], name: str = "Newcomer") -> Peer:
    """Return a client that watches the list of tables."""
    peer = Peer(FakeLink(), name)
    await h.ask(peer, m.OpenLobby(1), m.LobbyList)
    people.append(peer)
    return peer


async def create(h: LobbyHarness) -> Case:
    people: list[Peer] = []
    asker, other = await newcomer(h, people), await newcomer(h, people)
    return Case(asker, m.Create(5, "toy", 2, {}, "New"), m.Seated, [other])


async def create_beside(h: LobbyHarness) -> Case:
    case = await create(h)
    return case._replace(message=m.Create(5, "toy", 2, {}, "New", seat=NO_SEAT), answer=m.Done)


async def three(h: LobbyHarness) -> tuple[list[Peer], Peer]:
    """Return two players at a table of three, and a third client."""
    anna = Peer(FakeLink(), "Anna")
    match = (await h.ask(anna, m.Create(1, "toy", 3, {}, "Title"), m.Seated)).match
    bert = Peer(FakeLink(), "Bert")
    await h.ask(bert, m.Join(1, match), m.Seated)
    people = [anna, bert]
    for peer in people:
        await h.say(peer, m.Say(2, "my token is here"))
    return people, await newcomer(h, people)


async def join(h: LobbyHarness) -> Case:
    people, other = await three(h)
    return Case(other, m.Join(5, h.only().match), m.Seated, people[:2])


async def resume_lost(h: LobbyHarness) -> Case:
    people, other = await three(h)
    token = h.token(people[1])
    await h.drop(people[1])
    return Case(other, m.Resume(5, h.only().match, token), m.Seated, [people[0]])


async def resume_elsewhere(h: LobbyHarness) -> Case:
    people, other = await three(h)
    return Case(other, m.Resume(5, h.only().match, h.token(people[1])), m.Seated, people[:2])


async def resume_from_a_stand_in(h: LobbyHarness) -> Case:
    anna, bert = await h.match()
    token = h.token(bert)
    await h.ask(bert, m.Leave(9), m.Left)
    return Case(Peer(FakeLink(), "Bert"), m.Resume(5, h.only().match, token), m.Seated, [anna])


async def set_bot(h: LobbyHarness) -> Case:
    people, _ = await three(h)
    return Case(people[0], m.SetBot(5, 2, "greedy"), m.Done, people[1:])


async def take_bot(h: LobbyHarness) -> Case:
    case = await set_bot(h)
    await h.ask(case.asker, case.message, m.Done)
    return case._replace(message=m.SetBot(5, 2, ""))


async def kick(h: LobbyHarness) -> Case:
    people, _ = await three(h)
    return Case(people[0], m.Kick(5, 1), m.Done, people[1:])


async def start(h: LobbyHarness) -> Case:
    people, _ = await three(h)
    await h.ask(people[0], m.SetBot(5, 2, "greedy"), m.Done)
    return Case(people[0], m.Start(5), m.Done, people[1:])


async def start_with_a_roll(h: LobbyHarness) -> Case:
    anna, bert = await h.table()
    await h.drop(anna)
    await h.drop(bert)
    await h.pass_time(200)
    anna = Peer(FakeLink(), "Anna")
    match = (await h.ask(anna, m.Create(1, "toy", 2, {"opening": 1}, "Title"), m.Seated)).match
    await h.ask(anna, m.SetBot(2, 1, "greedy"), m.Done)
    watcher = Peer(FakeLink(), "Watcher")
    await h.ask(watcher, m.Watch(1, match), m.Done)
    await h.pass_time(1)
    return Case(anna, m.Start(5), m.Done, [watcher])


async def leave_before(h: LobbyHarness) -> Case:
    people, _ = await three(h)
    return Case(people[0], m.Leave(5), m.Left, people[1:])


async def leave_during(h: LobbyHarness) -> Case:
    anna, bert = await h.match()
    return Case(anna, m.Leave(5), m.Left, [bert])


async def act(h: LobbyHarness) -> Case:
    anna, bert = await h.match()
    return Case(anna, name(h, 5, 4), m.Accepted, [bert])


async def last_act_of_a_round(h: LobbyHarness) -> Case:
    anna, bert = await h.match()
    await h.ask(anna, name(h, 1, 4), m.Accepted)
    return Case(bert, name(h, 5, 4), m.Accepted, [anna])


async def first_word_after_sitting_down(h: LobbyHarness) -> Case:
    people, other = await three(h)
    await h.ask(other, m.Join(1, h.only().match), m.Seated)
    return Case(other, m.Leave(5), m.Left, people[:2])


CASES: list[Setting] = [
    create,
    create_beside,
    join,
    resume_lost,
    resume_elsewhere,
    resume_from_a_stand_in,
    set_bot,
    take_bot,
    kick,
    start,
    start_with_a_roll,
    leave_before,
    leave_during,
    act,
    last_act_of_a_round,
    first_word_after_sitting_down,
]
each_case = pytest.mark.parametrize("setting", CASES, ids=lambda setting: setting.__name__)


def hushed(case: Case) -> list[FakeLink]:
    """Return all links, emptied of sent messages."""
    links = [link(peer) for peer in (case.asker, *case.others)]
    for each in links:
        each.sent.clear()
    return links


def picture(h: LobbyHarness, case: Case) -> object:
    """All that a table knows, and where everybody is."""
    tables = [
        (
            msgspec.msgpack.encode(task.table.record),
            [(chair.here, chair.kind) for chair in task.table.seating.chairs],
            task.table.match and (task.table.match.version, task.table.match.view(0)),
            task.table.check,
            [(peer.name, peer.seat) for peer in task.table.audience.peers],
        )
        for task in h.lobby.tasks
    ]
    return tables, [(peer.table is None, peer.seat) for peer in (case.asker, *case.others)]


@each_case
async def test_changes_are_told_only_once_durable(h: LobbyHarness, setting: Setting) -> None:
    case = await setting(h)
    links = hushed(case)
    with hold_sqlite(h.store):
        asking = asyncio.ensure_future(h.lobby.hear(case.asker, case.message))
        await settle()
        assert not [each.sent for each in links if each.sent]
        assert all(each.closed is None for each in links)
    await asking
    await h.quiet()
    link(case.asker).take(case.answer)


@each_case
async def test_a_failed_write_changed_nothing_and_can_be_retried(h: LobbyHarness, setting: Setting) -> None:
    case = await setting(h)
    links, before = hushed(case), picture(h, case)
    with failing(h.store):
        await h.say(case.asker, case.message)
    assert [type(message) for each in links for message in each.sent] == [m.Refused]
    assert link(case.asker).take(m.Refused).code == "storage"
    assert picture(h, case) == before
    assert all(each.closed is None for each in links)
    await h.ask(case.asker, case.message, case.answer)


def lasting(table: TableRecord) -> TableRecord:
    """Return the record without the parts that change while all are away: the host, the lines that each has seen, and
    notices that are no longer due."""
    chairs = [msgspec.structs.replace(chair, heard=0) for chair in table.chairs]
    return msgspec.structs.replace(table, host=0, chairs=chairs, notices=())


@each_case
async def test_answered_requests_survive_a_restart(tmp_path: Path, setting: Setting) -> None:
    async with open_lobby(tmp_path) as h:
        case = await setting(h)
        await h.ask(case.asker, case.message, case.answer)
        told = {task.match: task.table for task in h.lobby.tasks}
        async with open_lobby(tmp_path, store=h.store) as again:
            assert told.keys() == {task.match for task in again.lobby.tasks}
            for kept in (task.table for task in again.lobby.tasks):
                before = told[kept.record.match]
                assert lasting(before.record) == lasting(kept.record)
                assert kept.check == before.check and (kept.match is None) == (before.match is None)
                assert kept.match is None or before.match is None or kept.match.version == before.match.version


async def test_an_action_that_is_judged_at_once_waits_for_the_disk_too(h: LobbyHarness) -> None:
    case = await act(h)
    await h.say(case.asker, m.Say(4, "my token is here"))
    links, task = hushed(case), h.only()
    assert isinstance(case.message, m.Act) and task.is_idle_for(case.asker)
    with hold_sqlite(h.store):
        task.act_now(case.asker, case.message)
        assert not task.is_idle_for(case.asker)
        await settle()
        assert not [each.sent for each in links if each.sent] and task.table.match.version == 0
    await h.quiet()
    assert link(case.asker).take(m.Accepted).version == 1
    with failing(h.store):
        task.act_now(case.others[0], name(h, 9, 4))
        await h.quiet()
    assert link(case.others[0]).last(m.Refused).code == "storage" and task.table.match.version == 1


async def test_a_stand_in_and_a_free_seat_are_durable_before_they_are_shown(tmp_path: Path) -> None:
    async with open_lobby(tmp_path) as h:
        anna, bert = await h.match(takeover=30)
        await h.drop(bert)
        link(anna).sent.clear()
        with failing(h.store):
            await h.pass_time(31)
        assert not link(anna).sent and not h.only().table.seating.chairs[1].record.stand_in
    async with open_lobby(tmp_path / "other") as h:
        anna, bert = await h.table()
        await h.drop(bert)
        link(anna).sent.clear()
        with failing(h.store):
            await h.pass_time(121)
        assert not link(anna).sent and h.only().table.seating.chairs[1].record.name == "Person 1"


async def test_decisions_of_the_server_are_durable_before_they_are_shown(h: LobbyHarness) -> None:
    anna, _ = await h.match(think=20)
    link(anna).sent.clear()
    with failing(h.store):
        await h.pass_time(21)
    assert not link(anna).sent and h.only().table.match.version == 0


async def test_a_match_whose_rules_fail_at_the_start_has_not_begun(
    h: LobbyHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = await start_with_a_roll(h)
    hushed(case)
    with monkeypatch.context() as patch:
        patch.setattr(Lots, "source", lambda *_: 1 // 0)
        assert (await h.ask(case.asker, case.message, m.Refused)).code == "server-error"
    assert h.only().table.record.phase is TablePhase.GATHERING and not link(case.others[0]).sent
    await h.ask(case.asker, case.message, m.Done)
    assert link(case.others[0]).take(m.Snapshot).version == 0


async def test_a_resumed_seat_survives_a_failure_on_the_way(h: LobbyHarness) -> None:
    """The token that could not be kept never reached anybody: it must not replace the one that did."""
    anna, bert = await h.match()
    token = h.token(bert)
    await h.say(bert, m.Say(2, "my token is here"))
    with failing(h.store):
        assert (await h.ask(Peer(FakeLink(), "B"), m.Resume(1, h.only().match, token), m.Refused)).code == "storage"
    await h.say(bert, m.Say(3, "I am still here"))
    await h.drop(bert)
    assert (await h.ask(Peer(FakeLink(), "B"), m.Resume(1, h.only().match, token), m.Seated)).seat == 1
    assert link(anna).closed is None
