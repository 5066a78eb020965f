"""Repeated requests with the same key make one table, or take one seat."""

import asyncio
from pathlib import Path

import pytest

from protocol import codec
from protocol.limits import Close
from protocol.session import ClientSession
from server.connections.server_app import App
from server.matches.dice import Dice
from shared import messages as m
from shared.tables import NO_SEAT, REPEAT
from tests.server.fakes import Client
from tests.server.lobby_harness import LobbyHarness, failing, link, open_lobby, person
from tests.server.test_archive import over

KEY = bytes(range(16))
CREATE = m.Create(3, "toy", 2, {"rounds": 5}, "t", key=KEY)


async def test_a_table_that_is_asked_for_twice_is_made_once(h: LobbyHarness) -> None:
    anna, again = person("Anna"), person("Anna")
    first = await h.ask(anna, CREATE, m.Seated)
    second = await h.ask(again, CREATE, m.Seated)
    assert h.lobby.tables == 1 and (second.match, second.seat, second.ref) == (first.match, first.seat, 3)
    assert second.token != first.token and link(anna).closed is Close.REPLACED
    assert [chair.name for chair in h.only().table.record.chairs] == ["Anna", ""]
    assert link(again).last(m.TableState).host, "her table is hers"
    other = await h.ask(person("Bert"), m.Create(3, "toy", 2, {}, "t", key=bytes(16)), m.Seated)
    assert other.match != first.match and h.lobby.tables == 2


async def test_the_new_token_opens_the_seat(h: LobbyHarness) -> None:
    anna, again, later = person("Anna"), person("Anna"), person("Anna")
    await h.say(anna, CREATE)
    await h.drop(anna)
    seated = await h.ask(again, CREATE, m.Seated)
    await h.drop(again)
    assert (await h.ask(later, m.Resume(1, seated.match, seated.token), m.Seated)).seat == seated.seat


async def test_on_the_same_connection_the_same_is_answered_again(h: LobbyHarness) -> None:
    anna = person("Anna")
    first = await h.ask(anna, CREATE, m.Seated)
    second = await h.ask(anna, CREATE, m.Seated)
    assert (second.match, second.seat) == (first.match, first.seat) and link(anna).closed is None
    assert (await h.ask(anna, m.Create(4, "toy", 2, {}, "t", key=bytes(16)), m.Refused)).code == "busy"
    assert (await h.ask(anna, m.Create(5, "toy", 2, {}, "t"), m.Refused)).code == "busy"
    assert h.lobby.tables == 1


async def test_both_at_once_make_one_table(h: LobbyHarness) -> None:
    peers = [person("Anna") for _ in range(4)]
    await asyncio.gather(*(h.lobby.hear(peer, CREATE) for peer in peers))
    await h.quiet()
    assert h.lobby.tables == 1 and not h.lobby._making
    for _ in peers:
        await h.quiet()
    assert {link(peer).take(m.Seated).seat for peer in peers} == {0}


async def test_a_seat_that_is_asked_for_twice_is_taken_once(h: LobbyHarness) -> None:
    anna = person("Anna")
    match = (await h.ask(anna, m.Create(1, "toy", 3, {}, "t", False), m.Seated)).match
    join = m.Join(7, "", h.code(match), key=KEY)
    bert, again = person("Bert"), person("Bert")
    first = await h.ask(bert, join, m.Seated)
    await h.drop(bert)
    second = await h.ask(again, join, m.Seated)
    assert (first.seat, second.seat) == (1, 1) and second.token != first.token
    third = await h.ask(again, join, m.Seated)
    assert third.seat == 1 and h.only().table.seating.taken == 2
    stranger = await h.ask(person("Nero"), m.Join(7, "", h.code(match), key=bytes(16)), m.Seated)
    assert stranger.seat == 2


async def test_it_holds_after_the_start_and_after_a_restart(tmp_path: Path) -> None:
    async with open_lobby(tmp_path) as h:
        anna, bert = person("Anna"), person("Bert")
        match = (await h.ask(anna, CREATE, m.Seated)).match
        await h.ask(bert, m.Join(1, match, key=bytes(16)), m.Seated)
        await h.ask(anna, m.Start(2), m.Done)
        assert (await h.ask(person("Bert"), m.Join(1, match, key=bytes(16)), m.Seated)).seat == 1
    async with open_lobby(tmp_path, awake=False) as h:
        assert (await h.ask(person("Bert"), m.Join(1, match, key=bytes(16)), m.Seated)).seat == 1


async def test_left_or_kicked_clients_have_no_seat_to_resume(h: LobbyHarness) -> None:
    anna, bert, nero = person("Anna"), person("Bert"), person("Nero")
    match = (await h.ask(anna, CREATE, m.Seated)).match
    join = m.Join(7, match, key=bytes(16))
    await h.ask(bert, join, m.Seated)
    await h.say(bert, m.Leave(8))
    assert (await h.ask(bert, join, m.Seated)).seat == 1, "it is taken anew"
    await h.say(anna, m.Kick(9, 1))
    assert (await h.ask(person("Bert"), join, m.Refused)).code == "kicked"
    assert (await h.ask(nero, m.Join(7, match), m.Seated)).seat == 1


async def test_a_host_without_a_seat_goes_with_the_table(h: LobbyHarness) -> None:
    livia = person("Livia")
    await h.say(livia, m.Create(1, "toy", 2, {}, "t", seat=NO_SEAT, key=KEY))
    await h.drop(livia)
    assert h.lobby.tables == 0
    await h.ask(person("Livia"), m.Create(1, "toy", 2, {}, "t", seat=NO_SEAT, key=KEY), m.Done)
    assert h.lobby.tables == 1


async def test_a_failed_write_succeeds_at_the_next_try(h: LobbyHarness) -> None:
    with failing(h.store):
        assert (await h.ask(person("Anna"), CREATE, m.Refused)).code == "storage"
    assert (await h.ask(person("Anna"), CREATE, m.Seated)).seat == 0
    assert not h.lobby._making


async def test_the_budget_of_an_address_is_for_tables_that_are_made(h: LobbyHarness) -> None:
    for _ in range(30):
        await h.ask(person("Anna", "192.0.2.7"), CREATE, m.Seated)
    assert h.lobby.tables == 1


async def test_a_rematch_that_is_asked_for_twice_is_one(h: LobbyHarness) -> None:
    (anna, _), _match = await over(h)
    await h.say(anna, m.Rematch(50))
    await h.say(anna, m.Rematch(51))
    assert h.lobby.tables == 2


def test_without_a_seed_the_id_of_a_table_comes_of_its_key_alone() -> None:
    ids = {Dice().match_of(KEY) for _ in range(3)}
    assert len(ids) == 1 and ids != {Dice().match_of(bytes(16))}
    (made,) = ids
    assert len(made) == 24 and made.isalnum() and made == made.lower()
    seeded = Dice(3)
    assert seeded.match_of(KEY) == seeded.match_of(KEY) != seeded.match_of(bytes(16))


def sent(replies: tuple[bytes, ...]) -> list[object]:
    return [codec.decode_client(reply) for reply in replies]


def welcome(*can: str) -> bytes:
    return codec.encode(m.Welcome(2, "Anna", "test", (), can))


@pytest.mark.parametrize("ask", [CREATE, m.Join(3, "", "ABC")])
def test_a_client_says_it_again_until_it_is_answered(ask: m.Create | m.Join) -> None:
    session = ClientSession("Anna")
    assert session.seat_by(ask, KEY) is ask, "nobody has said that this server knows keys"
    session.receive(welcome(REPEAT))
    keyed = session.seat_by(ask, KEY)
    assert keyed.key == KEY
    session.connect()
    assert sent(session.receive(welcome(REPEAT)).replies) == [keyed]
    session.receive(codec.encode(m.Seated(3, "m", 0, bytes(32))))
    assert [type(each) for each in sent(session.receive(welcome(REPEAT)).replies)] == [m.Resume]
    for answer in (m.Refused(3, "full", "", ""), m.Done(3)):
        session = ClientSession("Anna")
        session.receive(welcome(REPEAT))
        session.seat_by(ask, KEY)
        session.receive(codec.encode(m.Refused(9, "full", "", "")))
        assert sent(session.receive(welcome(REPEAT)).replies), "that was another one"
        session.receive(codec.encode(answer))
        assert session.receive(welcome(REPEAT)).replies == ()


async def test_a_connection_that_breaks_before_the_answer_costs_nothing(app: App) -> None:
    anna = await Client(app.address).open()
    await anna.wait_for(m.Welcome)
    await anna.socket.send(codec.encode(anna.session.seat_by(m.Create(1, "toy", 2, {}, "t"), KEY)))
    anna.cut()
    await anna.open()
    assert (await anna.wait_for(m.Seated)).seat == 0
    assert app.lobby.tables == 1
