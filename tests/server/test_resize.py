"""The host changes how many seats a table has before it begins."""

from pathlib import Path

import pytest

from server.connections.server_app import App
from server.delivery.peer import Peer
from shared import messages as m
from shared.tables import RESIZE, SeatKind
from tests.server.fakes import Client
from tests.server.lobby_harness import LobbyHarness, failing, link, name, open_lobby, person
from tests.server.toy import TOY


async def gathering(h: LobbyHarness, seats: int, *sitting: int) -> list[Peer]:
    """Return the people at a table, on each of those seats; the first is the host."""
    people = [person(called) for called, _ in zip(("Anna", "Bert"), sitting, strict=True)]
    match = (await h.ask(people[0], m.Create(1, TOY.id, seats, {"rounds": 50}, "t", seat=sitting[0]), m.Seated)).match
    for peer, seat in zip(people[1:], sitting[1:], strict=True):
        await h.ask(peer, m.Join(1, match, seat=seat), m.Seated)
    return people


def chairs(h: LobbyHarness) -> list[str]:
    return [info.name or ("bot" if info.bot else "") for info in h.only().table.seating.infos()]


async def test_new_seats_are_free_and_every_client_sees_them(h: LobbyHarness) -> None:
    anna, bert = await gathering(h, 2, 0, 1)
    looking = person("Carla")
    assert (await h.ask(looking, m.OpenLobby(1), m.LobbyList)).tables[0].seats == 2
    await h.ask(anna, m.Resize(2, 4), m.Done)
    assert [info.kind for info in link(bert).last(m.TableState).seats[2:]] == [SeatKind.FREE] * 2
    await h.pass_time(1)
    assert link(looking).last(m.LobbyChange).table.seats == 4
    await h.ask(looking, m.Join(3, h.only().match, seat=3), m.Seated)


async def test_free_seats_go_from_the_end_and_who_sits_behind_them_moves_up(h: LobbyHarness) -> None:
    anna, bert = await gathering(h, 5, 1, 4)
    await h.ask(anna, m.SetBot(2, 2, "normal"), m.Done)
    watcher = person("Carla")
    await h.ask(watcher, m.Watch(1, h.only().match), m.Done)
    link(bert).sent.clear()
    await h.ask(anna, m.Resize(3, 4), m.Done)
    assert chairs(h) == ["", "Anna", "bot", "Bert"]
    told = link(bert).take(m.Seated)
    assert (told.ref, told.match, told.seat) == (0, h.only().match, 3)
    assert link(bert).last(m.TableState).you == 3
    assert not any(isinstance(message, m.Seated) for message in link(anna).sent), "that seat has its number still"
    await h.ask(anna, m.Resize(4, 3), m.Done)
    assert chairs(h) == ["Anna", "bot", "Bert"]
    assert (link(anna).last(m.TableState).you, link(anna).last(m.TableState).host) == (0, True)
    assert (link(watcher).last(m.TableState).you, link(watcher).last(m.TableState).watchers) == (-1, 1)


async def test_the_mark_of_the_host_follows_their_seat_until_the_match_begins(h: LobbyHarness) -> None:
    anna, bert = await gathering(h, 5, 1, 4)
    assert link(bert).last(m.TableState).host_number == 2
    await h.ask(anna, m.Resize(2, 2), m.Done)
    assert link(bert).last(m.TableState).host_number == 1
    await h.ask(anna, m.Leave(3), m.Left)
    assert link(bert).last(m.TableState).host_number == 2, "the next host"
    await h.ask(bert, m.SetBot(2, 0, "normal"), m.Done)
    await h.ask(bert, m.Start(3), m.Done)
    assert link(bert).last(m.TableState).host_number == 0


async def test_a_promoted_spectator_plays_and_resumes_the_new_seat(h: LobbyHarness) -> None:
    anna, bert = await gathering(h, 4, 0, 3)
    await h.ask(anna, m.Resize(2, 2), m.Done)
    moved = link(bert).last(m.Seated)
    await h.ask(anna, m.Start(3), m.Done)
    await h.say(anna, name(h, 4, 1))
    await h.drop(bert)
    bert = person("Bert")
    assert (await h.ask(bert, m.Resume(5, moved.match, moved.token), m.Seated)).seat == 1
    assert h.only().table.match.seats == 2


async def test_the_old_key_still_opens_the_seat_of_an_absent_player(h: LobbyHarness) -> None:
    anna, bert = await gathering(h, 4, 0, 3)
    before = h.token(bert)
    await h.drop(bert)
    await h.ask(anna, m.Resize(2, 2), m.Done)
    back = person("Bert")
    assert (await h.ask(back, m.Resume(3, h.only().match, before), m.Seated)).seat == 1


@pytest.mark.parametrize(("seats", "code"), [(7, "bad-options"), (2, "too-few-seats")])
async def test_only_numbers_that_the_game_takes_and_not_below_those_seated(
    tmp_path: Path, seats: int, code: str
) -> None:
    rules = TOY
    async with open_lobby(tmp_path, rules=rules) as h:
        anna, _bert = await gathering(h, 3, 0, 2)
        await h.ask(anna, m.SetBot(2, 1, "normal"), m.Done)
        assert (await h.ask(anna, m.Resize(3, seats), m.Refused)).code == code
        assert chairs(h) == ["Anna", "bot", "Bert"]


async def test_only_the_host_and_only_before_the_start(h: LobbyHarness) -> None:
    anna, bert = await gathering(h, 2, 0, 1)
    assert (await h.ask(bert, m.Resize(2, 3), m.Refused)).code == "not-host"
    await h.ask(anna, m.Start(3), m.Done)
    assert (await h.ask(anna, m.Resize(4, 3), m.Refused)).code == "started"


async def test_a_failed_write_changes_nothing(h: LobbyHarness) -> None:
    anna, bert = await gathering(h, 4, 0, 3)
    with failing(h.store):
        assert (await h.ask(anna, m.Resize(2, 2), m.Refused)).code == "storage"
    assert chairs(h) == ["Anna", "", "", "Bert"] and bert.seat == 3
    await h.ask(anna, m.Start(3), m.Refused)
    await h.ask(anna, m.Resize(4, 2), m.Done)


async def test_a_table_of_another_size_is_the_same_after_a_restart(tmp_path: Path) -> None:
    async with open_lobby(tmp_path) as h:
        anna, bert = await gathering(h, 4, 3, 1)
        link(anna).sent.clear()
        await h.say(anna, m.Resize(2, 2))
        token, match = link(anna).take(m.Seated).token, h.only().match
        async with open_lobby(tmp_path, store=h.store) as again:
            anna = person("Anna")
            assert (await again.ask(anna, m.Resume(3, match, token), m.Seated)).seat == 1
            assert chairs(again) == ["Bert", "Anna"] and link(anna).last(m.TableState).host
        assert bert.seat == 0


async def test_absent_players_are_counted_in_the_list(h: LobbyHarness) -> None:
    _anna, bert = await gathering(h, 4, 0, 1)
    looking = person("Carla")
    info = (await h.ask(looking, m.OpenLobby(1), m.LobbyList)).tables[0]
    assert (info.taken, info.away) == (2, 0)
    await h.drop(bert)
    await h.pass_time(1)
    info = link(looking).last(m.LobbyChange).table
    assert (info.taken, info.away) == (2, 1)


async def test_a_server_says_that_it_can(app: App) -> None:
    client = await Client(app.address).open()
    assert RESIZE in (await client.wait_for(m.Welcome)).can
