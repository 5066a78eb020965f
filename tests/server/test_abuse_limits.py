"""Limits to the harm that one person, or one address, can do to others: tables, sleep, codes, names, chat, clocks."""

import asyncio
from pathlib import Path

import pytest
from msgspec import Raw

from protocol import codec
from server.delivery.outgoing import Outgoing, outgoing
from server.delivery.peer import Peer
from server.lobby.lobby import GATHERING_EACH, SICK
from server.matches import table
from server.matches.dice import Dice
from server.matches.match import MOST_STANDING, REMEMBERED, AcceptedAction, Match, RepeatedCommand
from server.matches.members import LOOKING_ON_EACH
from server.matches.table import TALK
from server.matches.task import LINGER
from server.storage.port import Fit, StoredMatch
from shared import messages as m
from shared.refusal import Refusal
from shared.rulesets.classic.definition import CLASSIC
from shared.tables import LOOKING_ON, MAX_NAME
from shared.vocabulary.actions import Concede
from tests.server.fakes import FakeLink
from tests.server.lobby_harness import LobbyHarness, link, name, open_lobby, person
from tests.server.toy import TOY, Name


def stranger(address: str = "192.0.2.1", called: str = "Nero") -> Peer:
    """Return a client from another address."""
    return person(called, address)


async def made(h: LobbyHarness, peer: Peer) -> str:
    """Ask for a table; "" or the code of the refusal."""
    link(peer).sent.clear()
    await h.say(peer, m.Create(1, "toy", 2, {}, "Title"))
    (answer, *_) = [each for each in link(peer).sent if isinstance(each, m.Seated | m.Refused)]
    return answer.code if isinstance(answer, m.Refused) else ""


async def test_an_address_has_few_waiting_tables_and_others_are_not_hindered(h: LobbyHarness) -> None:
    hosts = [stranger() for _ in range(GATHERING_EACH + 1)]
    assert not any([await made(h, host) for host in hosts[:-1]])
    assert await made(h, hosts[-1]) == "enough"
    assert await made(h, stranger("192.0.2.2")) == ""
    assert await made(h, Peer(FakeLink(), "At home")) == ""
    await h.ask(hosts[0], m.SetBot(2, 1, "greedy"), m.Done)
    await h.ask(hosts[0], m.Start(3), m.Done)
    assert await made(h, hosts[-1]) == "", "what has begun gathers no more"
    assert await made(h, stranger()) == "enough"
    await h.ask(hosts[1], m.Leave(9), m.Left)
    assert await made(h, stranger()) == "", "what is gone gathers no more"


async def test_an_address_makes_tables_at_a_limited_rate(h: LobbyHarness) -> None:
    for _ in range(10):
        host = stranger()
        assert await made(h, host) == ""
        await h.ask(host, m.Leave(2), m.Left)
    assert await made(h, stranger()) == "rate"
    await h.pass_time(5)
    assert await made(h, stranger()) == ""


async def test_a_table_hosted_without_a_seat_is_listed(h: LobbyHarness) -> None:
    idler, host = Peer(FakeLink(), "Idler"), Peer(FakeLink(), "Hostilius")
    await h.ask(idler, m.OpenLobby(1), m.LobbyList)
    state = await h.ask(host, m.Create(1, "toy", 2, {}, "Title", seat=-2), m.TableState)
    assert state.host and state.you == -1
    await h.pass_time(1)
    assert link(idler).take(m.LobbyChange).table.title == "Title"


async def test_a_match_without_people_sleeps_and_wakes_when_a_player_returns(h: LobbyHarness) -> None:
    anna, bert = await h.match()
    match, token = h.only().match, h.token(anna)
    await h.drop(anna)
    await h.pass_time(LINGER * 3)
    assert h.lobby.tables == 1, "somebody is here"
    await h.drop(bert)
    await h.pass_time(LINGER - 1)
    back = Peer(FakeLink(), "Anna")
    token = (await h.ask(back, m.Resume(1, match, token), m.Seated)).token
    await h.pass_time(LINGER + 1)
    assert h.lobby.tables == 1, "who came back was in time"
    await h.drop(back)
    await h.pass_time(LINGER + 1)
    assert h.lobby.tables == 0
    again = Peer(FakeLink(), "Anna")
    assert (await h.ask(again, m.Resume(2, match, token), m.Seated)).seat == 0
    assert h.lobby.tables == 1


async def test_simultaneous_requests_load_a_match_once(tmp_path: Path) -> None:
    async with open_lobby(tmp_path) as h:
        anna, _ = await h.match()
        match, token = h.only().match, h.token(anna)
        await h.ask(anna, name(h, 1, 4), m.Accepted)
    async with open_lobby(tmp_path, awake=False) as h:
        assert h.lobby.tables == 0, "nothing is woken before somebody asks"
        first, second = Peer(FakeLink(), "Anna"), Peer(FakeLink(), "Watcher")
        async with asyncio.TaskGroup() as both:
            both.create_task(h.lobby.hear(first, m.Resume(1, match, token)))
            both.create_task(h.lobby.hear(second, m.Watch(1, match)))
        await h.quiet()
        assert link(first).take(m.Seated).seat == 0 and link(second).take(m.Snapshot).version == 1
        assert h.lobby.tables == 1 and h.only().table.epoch == 2


async def test_a_match_that_could_not_be_loaded_is_not_read_again_at_once(tmp_path: Path) -> None:
    async with open_lobby(tmp_path) as h:
        anna, _ = await h.match()
        match, rulesets = h.only().match, h.lobby.rulesets
        token = (await h.ask(Peer(FakeLink(), "Anna"), m.Resume(1, match, h.token(anna)), m.Seated)).token
    async with open_lobby(tmp_path, awake=False) as h:
        reads = 0
        claim = h.store.claim

        async def counted(asked: str, fit: Fit) -> StoredMatch | None:
            nonlocal reads
            reads += 1
            return await claim(asked, fit)

        h.store.claim = counted  # type: ignore[method-assign,assignment]
        h.lobby.rulesets = {}
        for _ in range(3):
            assert (await h.ask(stranger(), m.Resume(1, match, token), m.Refused)).code == "not-playable"
        assert reads == 1
        await h.pass_time(SICK)
        h.lobby.rulesets = rulesets
        await h.ask(stranger(), m.Resume(1, match, token), m.Seated)


async def test_codes_cannot_be_guessed(h: LobbyHarness) -> None:
    host = stranger("192.0.2.9")
    match = (await h.ask(host, m.Create(1, "toy", 4, {}, "Title", open=False), m.Seated)).match
    code = h.code(match)
    assert len(code) == 8
    for pause in (0, 0, 0, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300):
        await h.pass_time(pause)
        wrong = m.Join(1, match, f"WRONG{pause}") if pause % 3 else m.Watch(1, "", f"WRONG{pause}")
        assert (await h.ask(stranger(), wrong, m.Refused)).code == "no-match"
    refused = await h.ask(stranger(), m.Join(1, match, code), m.Refused)
    assert (refused.code, refused.text[-12:]) == ("rate", "300 seconds.")
    assert (await h.ask(stranger("192.0.2.2"), m.Join(1, "", code.lower()), m.Seated)).match == match
    await h.pass_time(299)
    assert (await h.ask(stranger(), m.Watch(1, "", code), m.Refused)).code == "rate", (
        "nobody is told whether it was right"
    )
    await h.pass_time(1)
    await h.ask(stranger(), m.Join(1, match, code), m.Seated)


async def test_names_at_a_table_differ_onlookers_included(h: LobbyHarness) -> None:
    anna = Peer(FakeLink(), "Alice")
    match = (await h.ask(anna, m.Create(1, "toy", 3, {}, "Title"), m.Seated)).match
    bert, watcher, other = (Peer(FakeLink(), called) for called in ("\u0410lice", "alice", "Alice"))
    await h.ask(bert, m.Join(1, match), m.Seated)
    state = link(anna).last(m.TableState)
    assert [seat.name for seat in state.seats[:2]] == ["Alice", "\u0410lice 2"]
    await h.ask(watcher, m.Watch(1, match), m.Done)
    await h.ask(other, m.Watch(1, match), m.Done)
    told = await h.ask(watcher, m.Say(2, "It is me."), m.Said)
    assert (told.seat, told.name) == (-1, "alice 3")
    assert (await h.ask(other, m.Say(2, "No, me."), m.Said)).name == "Alice 4"
    token = h.token(bert)
    back = Peer(FakeLink(), "Somebody else")
    await h.ask(back, m.Resume(3, match, token), m.Seated)
    assert (await h.ask(back, m.Say(4, "Me again."), m.Said)).name == "\u0410lice 2"
    last = Peer(FakeLink(), "x" * MAX_NAME)
    await h.ask(last, m.Watch(1, match), m.Done)
    assert (await h.ask(last, m.Say(2, "Hello."), m.Said)).name == "x" * MAX_NAME


async def test_an_address_cannot_fill_a_table_with_spectators(h: LobbyHarness) -> None:
    """1,600 of them, from fifty addresses, made every act take 50 ms."""
    await h.match()
    match = h.only().match
    crowd = [stranger("192.0.2.1") for _ in range(LOOKING_ON_EACH + 1)]
    for peer in crowd[:-1]:
        await h.ask(peer, m.Watch(1, match), m.Done)
    assert (await h.ask(crowd[-1], m.Watch(1, match), m.Refused)).code == "enough"
    await h.ask(stranger("192.0.2.2"), m.Watch(1, match), m.Done)
    await h.ask(crowd[0], m.Leave(2), m.Left)
    await h.ask(crowd[-1], m.Watch(2, match), m.Done)


async def test_hundreds_who_look_on_are_shown_one_and_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Counting them for each of them took most of a server's time."""
    built: list[object] = []

    def counted(message: m.TableState, droppable: bool = False) -> Outgoing:
        built.append(message)
        return outgoing(message, droppable)

    async with open_lobby(tmp_path) as h:
        anna, bert = await h.match()
        crowd = [stranger(f"192.0.2.{number}") for number in range(30)]
        for peer in crowd:
            await h.ask(peer, m.Watch(1, h.only().match), m.Done)
        monkeypatch.setattr(table, "outgoing", counted)
        h.only().table.announce()
        assert len(built) == 3, "one for each player, one for all who look on"
        assert [link(peer).last(m.TableState).you for peer in (anna, bert, crowd[0])] == [0, 1, LOOKING_ON]
        assert link(crowd[-1]).last(m.TableState).watchers == len(crowd)
        await h.ask(crowd[0], m.Leave(2), m.Left)
        assert h.only().table.info.watchers == len(crowd) - 1


async def test_kicked_clients_stay_out(h: LobbyHarness) -> None:
    anna, nero = Peer(FakeLink(), "Anna"), stranger()
    match = (await h.ask(anna, m.Create(1, "toy", 3, {}, "Title"), m.Seated)).match
    await h.ask(nero, m.Join(1, match), m.Seated)
    await h.ask(anna, m.Kick(2, nero.seat), m.Done)
    assert link(nero).take(m.Left).code == "kicked"
    for back in (nero, stranger(called="Otho"), stranger("192.0.2.2", "nero")):
        assert (await h.ask(back, m.Join(3, match), m.Refused)).code == "kicked"
        assert (await h.ask(back, m.Watch(3, match), m.Refused)).code == "kicked"
    await h.ask(stranger("192.0.2.2", "Otho"), m.Join(3, match), m.Seated)


async def test_chat_of_spectators_does_not_silence_players(h: LobbyHarness) -> None:
    anna, _ = await h.match()
    watcher = Peer(FakeLink(), "Nero")
    await h.ask(watcher, m.Watch(1, h.only().match), m.Done)
    for i in range(int(TALK.at_once)):
        await h.ask(watcher, m.Say(2 + i, "Boo!"), m.Said)
    assert (await h.ask(watcher, m.Say(90, "Boo!"), m.Refused)).code == "rate"
    await h.ask(anna, m.Say(2, "Is it my turn?"), m.Said)


async def test_the_host_decides_who_is_heard(h: LobbyHarness) -> None:
    anna, bert = await h.match()
    watcher = stranger()
    await h.ask(watcher, m.Watch(1, h.only().match), m.Done)
    assert (await h.ask(bert, m.Mute(2, "Nero"), m.Refused)).code == "not-host"
    assert (await h.ask(anna, m.Mute(2, "Nobody here"), m.Refused)).code == "no-person"
    await h.ask(anna, m.Mute(3, "Nero"), m.Done)
    assert (await h.ask(watcher, m.Say(4, "Burn it!"), m.Refused)).code == "muted"
    await h.drop(watcher)
    back = stranger(called="Galba")
    await h.ask(back, m.Watch(1, h.only().match), m.Done)
    assert (await h.ask(back, m.Say(4, "Burn it!"), m.Refused)).code == "muted"
    await h.ask(bert, m.Say(5, "Quiet now."), m.Said)
    await h.ask(anna, m.Mute(6, "Galba", False), m.Done)
    await h.ask(back, m.Say(7, "Thank you."), m.Said)


async def test_talk_is_limited_by_table(h: LobbyHarness) -> None:
    await h.match()
    heard = 0
    for i in range(40):
        speaker = Peer(FakeLink(), f"Speaker number {i}")
        await h.ask(speaker, m.Watch(1, h.only().match), m.Done)
        link(speaker).sent.clear()
        await h.say(speaker, m.Say(2, "Hear me!"))
        heard += any(isinstance(each, m.Said) and each.name == speaker.called for each in link(speaker).sent)
    assert heard == 20
    await h.pass_time(5)
    await h.ask(speaker, m.Say(3, "And now?"), m.Said)


async def test_a_standing_action_adds_time_to_no_clock(tmp_path: Path) -> None:
    async with open_lobby(tmp_path, rules=CLASSIC) as h:
        people = await h.match(4, think=20)
        owing = people[h.only().table.match.owed[0]]
        frame = h.only().table.match.frame
        for command, to in enumerate(((owing.seat + 1) % 4, -1, (owing.seat + 1) % 4), 1):
            await h.pass_time(6)
            await h.ask(owing, m.Act(command, 0, Raw(codec.encode(Concede(to)))), m.Accepted)
            assert h.only().table.match.frame == frame
        await h.pass_time(2)
        assert h.only().table.match.frame != frame, "the time was up after twenty seconds"
        assert link(owing).last(m.Clock).left == 20


def test_standing_actions_come_to_an_end() -> None:
    match = Match(CLASSIC, 4, {}, Dice(1))
    first = match.chance()
    assert first is not None
    match.commit(first)
    seat = match.owed[0]
    for command in range(1, MOST_STANDING + 1):
        step = match.submit(seat, command, 0, codec.encode(Concede((seat + 1) % 4 if command % 2 else -1)))
        assert isinstance(step, AcceptedAction)
        match.commit(step)
    last = match.submit(seat, MOST_STANDING + 1, 0, codec.encode(Concede((seat + 1) % 4)))
    assert isinstance(last, Refusal) and last.code == "enough"


def test_answers_are_remembered_within_bounds() -> None:
    match = Match(TOY, 2, {"rounds": 1000}, Dice(1))
    sent = []
    for command in range(1, REMEMBERED + 11):
        for seat in (0, 1):
            sent.append((seat, command, match.frame, codec.encode(Name(1 + command % 9))))
            step = match.submit(*sent[-1])
            assert isinstance(step, AcceptedAction)
            match.commit(step)
    answers = [match.submit(*each) for each in sent if each[0] == 0]
    assert all(isinstance(answer, Refusal) and answer.code == "command-old" for answer in answers[:10])
    assert all(isinstance(answer, RepeatedCommand) for answer in answers[10:])
