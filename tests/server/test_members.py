"""Coming, going, talking and waiting at a table, in the words and at the moments that its people are told."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from protocol.version import PROTOCOL
from server.delivery.outgoing import Outgoing
from server.matches.running_match import PATIENCE, SHORTEST
from server.matches.table import CROWD
from server.matches.task import LINGER
from server.rate_limits import Budget, Rate
from shared import messages as m
from shared.tables import LOOKING_ON, SeatKind
from tests.server.lobby_harness import LobbyHarness, link, name, open_lobby, person, shown
from tests.server.records import hold_sqlite
from tests.server.toy import TOY


def token(h: LobbyHarness, seat: int) -> bytes:
    """A valid token of a seat of the only table: as if its holder had kept it."""
    return bytes(h.only().table.seating.chairs[seat].offer_token())


async def test_the_table_learns_soon_how_many_people_watch(h: LobbyHarness) -> None:
    anna, _ = await h.match()
    watchers = [person(f"Watcher {i}") for i in range(3)]
    for expected, going in (
        (3, [h.ask(watcher, m.Watch(1, h.only().match), m.Done) for watcher in watchers]),
        (2, [h.drop(watchers[0])]),
        (1, [h.ask(watchers[1], m.Leave(2), m.Left)]),
    ):
        link(anna).sent.clear()
        for step in going:
            await step
        assert not any(isinstance(message, m.TableState) for message in link(anna).sent)
        await h.pass_time(0.5)
        assert [each.watchers for each in link(anna).sent if isinstance(each, m.TableState)] == [expected]


async def test_a_crowd_is_sent_one_state_and_each_newcomer_one_piece(
    h: LobbyHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, _ = await h.match()
    table = h.only().table
    for number in range(CROWD):
        await h.ask(person(f"Early {number}"), m.Watch(1, table.record.match), m.Done)
    await h.pass_time(0.5)
    announced = link(anna).last(m.TableState)
    monkeypatch.setattr(table, "_state", lambda *_: pytest.fail("the state was made anew"))
    pieces = list[bytes]()
    for number in range(2):
        late = person(f"Late {number}")
        send = late.receiver.send

        def noted(message: Outgoing, send: Callable[[Outgoing], None] = send) -> None:
            pieces.append(message.frame)
            send(message)

        monkeypatch.setattr(late.receiver, "send", noted)
        await h.ask(late, m.Watch(1, table.record.match), m.Done)
        state = link(late).last(m.TableState)
        assert (state.watchers, state.onlookers) == (announced.watchers, announced.onlookers)
        assert isinstance(link(late).last(m.Snapshot), m.Snapshot)
    assert len(pieces) == 2 and pieces[0] == pieces[1]
    monkeypatch.undo()
    await h.pass_time(0.5)
    assert link(late).last(m.TableState).watchers == CROWD + 2


async def test_answers_bear_the_numbers_of_requests_and_of_commands(h: LobbyHarness) -> None:
    anna, bert, carla = person("Anna"), person("Bert"), person("Carla")
    seated = await h.ask(anna, m.Create(31, "toy", 3, {}, "t"), m.Seated)
    assert (seated.ref, seated.match, seated.seat, seated.command) == (31, h.only().match, 0, 0)
    seated = await h.ask(bert, m.Join(32, h.only().match), m.Seated)
    assert (seated.ref, seated.seat, seated.command) == (32, 1, 0)
    await h.drop(bert)
    bert = person("Bert")
    seated = await h.ask(bert, m.Resume(33, h.only().match, seated.token), m.Seated)
    assert (seated.ref, seated.seat, seated.command) == (33, 1, 0)
    await h.ask(carla, m.Join(34, h.only().match), m.Seated)
    await h.ask(anna, m.Kick(35, 2), m.Done)
    assert (link(carla).last(m.Left).ref, link(carla).last(m.Left).code) == (0, "kicked")
    left = await h.ask(bert, m.Leave(36), m.Left)
    assert (left.ref, left.code) == (36, "left")
    assert (await h.ask(anna, m.Sync(0), m.Refused)).code == "not-started"
    await h.only().hear(anna, m.Hello(PROTOCOL, "Anna"))
    await h.quiet()
    assert (link(anna).last(m.Refused).ref, link(anna).last(m.Refused).code) == (0, "order")


async def test_joining_clients_are_told_the_turn_and_its_time(h: LobbyHarness) -> None:
    anna, _ = await h.match(think=20)
    for passed, left in ((0, 20), (5.25, 15), (13.75, 1), (0.9, 1)):
        await h.pass_time(passed)
        assert shown(await h.ask(person(), m.Watch(1, h.only().match), m.Clock)) == ((0, 1), left)
        anna = person("Anna")
        assert shown(await h.ask(anna, m.Resume(1, h.only().match, token(h, 0)), m.Clock)) == ((0, 1), left)
    await h.pass_time(0.1)
    assert h.only().table.match.version == 3, "the time is up after twenty seconds to the tick"


async def test_absent_people_are_not_replaced_where_the_table_forbids_it(h: LobbyHarness) -> None:
    anna, bert = await h.match(takeover=0)
    await h.drop(bert)
    await h.pass_time(100_000)
    assert h.only().table.seating.chairs[1].kind is SeatKind.AWAY and h.only().table.match.version == 0
    assert link(anna).last(m.TableState).takeover == 0


async def test_the_host_mutes_others_and_takes_it_back(h: LobbyHarness) -> None:
    anna, bert = await h.match()
    nero = person("Nero", "192.0.2.1")
    await h.ask(nero, m.Watch(1, h.only().match), m.Done)
    for muted, on in (("Person 0", True), ("Nobody", True), ("Nobody", False), ("Person 1", False)):
        link(anna).sent.clear()
        await h.say(anna, m.Mute(5, muted, on))
        (told,) = link(anna).sent
        assert isinstance(told, m.Done if muted == "Person 1" else m.Refused) and told.ref == 5
    await h.ask(anna, m.Say(6, "I am heard."), m.Said)
    await h.ask(anna, m.Mute(7, "Nero"), m.Done)
    await h.ask(anna, m.Mute(7, "Person 1"), m.Done)
    for peer in (nero, bert):
        assert (await h.ask(peer, m.Say(8, "Hear me!"), m.Refused)).code == "muted"
    await h.drop(nero)
    await h.ask(anna, m.Mute(9, "Nero", False), m.Done)
    await h.ask(again := person("Nero"), m.Watch(1, h.only().match), m.Done)
    await h.ask(again, m.Say(2, "It was only me."), m.Said)
    assert (await h.ask(bert, m.Say(8, "And me?"), m.Refused)).code == "muted"
    await h.ask(anna, m.Mute(10, "Person 1", False), m.Done)
    await h.ask(bert, m.Say(11, "Thank you."), m.Said)


async def test_what_a_spectator_says_never_looks_like_the_tables_words(h: LobbyHarness) -> None:
    await h.match()
    names = {"Anna is now the host.": "Onlooker", "Brutus": "Brutus 2", "Person 0": "Person 0 2"}
    for called, heard in names.items():
        spectator = person(called)
        await h.ask(spectator, m.Watch(1, h.only().match), m.Done)
        said = await h.ask(spectator, m.Say(2, "Roma"), m.Said)
        assert (said.seat, said.name) == (LOOKING_ON, heard)
        await h.drop(spectator)


async def test_strangers_of_one_address_have_a_few_lines_together(h: LobbyHarness) -> None:
    chat = Budget(Rate(0.5, 2.0), h.clock.now)
    h.lobby._services = structs.replace(h.lobby._services, chat=chat)
    anna, _ = await h.match()
    crowd = [person(f"Nero {i}", f"192.0.2.{1 + i // 3}") for i in range(4)]
    heard = []
    for stranger in crowd:
        await h.ask(stranger, m.Watch(1, h.only().match), m.Done)
        link(stranger).sent.clear()
        await h.say(stranger, m.Say(2, "Ave!"))
        heard.append(any(isinstance(message, m.Said) for message in link(stranger).sent))
    assert heard == [True, True, False, True]
    assert link(crowd[2]).last(m.Refused).code == "rate"
    for _ in range(10):
        await h.ask(anna, m.Say(3, "I am at home here."), m.Said)
    await h.pass_time(2)
    await h.ask(crowd[2], m.Say(3, "Ave!"), m.Said)


async def test_a_table_whose_people_all_dropped_waits_for_them_a_while(h: LobbyHarness) -> None:
    anna = person("Anna")
    await h.ask(anna, m.Create(1, "toy", 2, {}, "t"), m.Seated)
    await h.drop(anna)
    await h.pass_time(119)
    assert h.lobby.tables == 1
    await h.pass_time(2)
    assert h.lobby.tables == 0


@pytest.mark.parametrize("rounds", [50, 1], ids=["going on", "over"])
async def test_a_match_without_company_stays_at_hand_for_a_while(h: LobbyHarness, rounds: int) -> None:
    anna, bert = person("Anna"), person("Bert")
    match = (await h.ask(anna, m.Create(1, "toy", 2, {"rounds": rounds}, "t", takeover=0), m.Seated)).match
    await h.ask(bert, m.Join(1, match), m.Seated)
    await h.ask(anna, m.Start(2), m.Done)
    for peer in (anna, bert):
        await h.ask(peer, name(h, 1, 3), m.Accepted)
    assert h.only().table.match.finished == (rounds == 1)
    for peer in (anna, bert):
        await h.drop(peer)
    await h.pass_time(LINGER - 1)
    assert h.lobby.tables == 1
    await h.pass_time(2)
    assert h.lobby.tables == 0


async def test_nothing_rings_for_a_table_that_ended(tmp_path: Path) -> None:
    async with open_lobby(tmp_path, pace=2.0) as h:
        anna = person("Anna")
        match = (await h.ask(anna, m.Create(1, "toy", 3, {}, "t", think=20, takeover=30), m.Seated)).match
        await h.ask(bert := person("Bert"), m.Join(1, match), m.Seated)
        await h.ask(anna, m.SetBot(2, 2, "greedy"), m.Done)
        await h.ask(anna, m.Start(3), m.Done)
        await h.drop(bert)
        await h.pass_time(1)
        await h.ask(anna, m.Say(4, "Ave!"), m.Said)
        assert h.clock.waiting >= 4, "the bot, the clock, the stand-in, the talk"
        await h.lobby.stop()
        assert h.clock.waiting == 0
        stored = await h.store.claim(match)
        assert stored is not None and [line.text for line in stored.table.talk] == ["Ave!"]


async def test_people_wait_for_all_bots_together_a_certain_time(tmp_path: Path) -> None:
    """A single bot takes its time; many actions of many bots do not add up, until a person decides again."""
    async with open_lobby(tmp_path, pace=0.6) as h:
        anna = person("Anna")
        await h.ask(anna, m.Create(1, "toy", 2, {}, "t"), m.Seated)
        await h.ask(anna, m.SetBot(2, 1, "greedy"), m.Done)
        await h.ask(anna, m.Start(3), m.Done)
        play = h.only()._play
        play._waited = 0.0
        pauses = [play._pause_of_bot() for _ in range(100)]
        assert pauses[0] == 0.6 and pauses[1] > 0.5, "one bot alone is not hurried"
        assert sorted(pauses, reverse=True) == pauses and pauses[-1] > 0
        assert sum(pauses) < 0.6 * PATIENCE + 100 * 0.6 * SHORTEST < 11
        before = play._waited
        await h.ask(anna, name(h, 4, 3), m.Accepted)
        assert play._waited < before, "it begins anew"


async def test_bots_make_no_pause_without_spectators(tmp_path: Path) -> None:
    async with open_lobby(tmp_path, pace=5.0) as h:
        anna, bert = person("Anna"), person("Bert")
        match = (await h.ask(anna, m.Create(1, "toy", 4, {}, "t"), m.Seated)).match
        await h.ask(bert, m.Join(1, match, h.code(match)), m.Seated)
        for seat in (2, 3):
            await h.ask(anna, m.SetBot(seat, seat, "greedy"), m.Done)
        assert (await h.ask(anna, m.Hasten(4), m.Refused)).code == "not-started"
        await h.ask(anna, m.Start(5), m.Done)
        match = h.only().table.match
        await h.ask(anna, m.Hasten(6), m.Done)  # The client owes a decision itself.
        for command, peer in enumerate((anna, bert), 7):
            await h.ask(peer, name(h, command, 3), m.Accepted)
        version = match.version
        await h.ask(anna, m.Hasten(9), m.Done)
        assert match.version == version, "Bert looks on"
        await h.ask(bert, m.Hasten(10), m.Done)
        assert match.version > version and set(match.owed) == {0, 1, 2, 3}, "a pause that had begun ends, too"
        version = match.version
        for command, peer in enumerate((anna, bert), 11):
            await h.ask(peer, name(h, command, 3), m.Accepted)
        assert match.version == version + 2, "all have decided again: who wishes it must say so again"
        await h.drop(bert)
        await h.ask(anna, m.Hasten(13), m.Done)
        assert match.version > version + 2, "who is away does not count"
        onlooker = person("Watcher")
        await h.ask(onlooker, m.Watch(1, h.only().match, h.code(h.only().match)), m.Done)
        assert (await h.ask(onlooker, m.Hasten(2), m.Refused)).code == "not-seated"


async def test_bots_among_themselves_take_their_time(tmp_path: Path) -> None:
    async with open_lobby(tmp_path, pace=0.6) as h:
        anna = person("Anna")
        await h.ask(anna, m.Create(1, "toy", 2, {}, "t"), m.Seated)
        await h.ask(anna, m.SetBot(2, 1, "greedy"), m.Done)
        await h.ask(anna, m.Start(3), m.Done)
        task = h.only()
        await h.drop(anna)
        task.table.seating.chairs[0].record.stand_in = "greedy"
        assert {task._play._pause_of_bot() for _ in range(100)} == {0.6}


async def test_timers_and_bots_wait_while_the_mailbox_is_full(h: LobbyHarness) -> None:
    anna, _ = await h.match()
    task, done = h.only(), []

    def job(number: int) -> Any:
        async def work() -> None:
            done.append(number)

        return work

    with hold_sqlite(h.store):
        await h.lobby.hear(anna, name(h, 1, 3))
        for number in range(400):
            task.post(job(number))
        assert not task.is_idle_for(anna) and 0 < len(task._posting) < 400
    await h.quiet()
    for _ in range(10):
        await asyncio.sleep(0)
    await h.quiet()
    assert sorted(done) == list(range(400)) and done[:200] == list(range(200)) and not task._posting


async def test_an_action_at_which_the_rules_fail_is_answered_and_the_match_goes_on(h: LobbyHarness) -> None:
    anna, bert = await h.match()
    h.only().table.match.rules = structs.replace(TOY, handlers={})
    told = await h.ask(anna, name(h, 7, 3), m.Refused)
    assert (told.ref, told.code) == (7, "server-error")
    h.only().table.match.rules = TOY
    await h.ask(anna, name(h, 7, 3), m.Accepted)
    await h.ask(bert, name(h, 1, 3), m.Accepted)


async def test_a_match_of_bots_alone_ends_by_itself(h: LobbyHarness) -> None:
    anna = person("Anna")
    match = (await h.ask(anna, m.Create(1, "toy", 2, {"rounds": 3}, "t"), m.Seated)).match
    await h.ask(anna, m.SetBot(2, 1, "greedy"), m.Done)
    await h.ask(anna, m.Start(3), m.Done)
    await h.ask(anna, m.Leave(4), m.Left)
    await h.quiet()
    await h.quiet()
    game = h.running(match).table.match
    assert game.finished and game.state.past == [(5, 5)] * 3
    assert h.running(match).table.record.phase == 2
    stored = await h.store.claim(match)
    assert stored is not None and stored.table.phase == 2
