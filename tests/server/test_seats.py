"""Seats and hosts by their numbers: below the first, the first, the last, one too many."""

from pathlib import Path

import pytest

from server.delivery.peer import Peer
from server.matches.seating import OFFERS, hashed
from shared import messages as m
from shared.tables import ANY_SEAT, LOOKING_ON, NO_SEAT, SeatKind
from tests.server.fakes import FakeLink
from tests.server.lobby_harness import LobbyHarness, link, open_lobby


@pytest.mark.parametrize(
    ("wanted", "got"), [(NO_SEAT, LOOKING_ON), (ANY_SEAT, 0), (0, 0), (1, 1), (2, 2), (3, None), (5, None)]
)
async def test_the_maker_of_a_table_of_three_chooses_the_seat(h: LobbyHarness, wanted: int, got: int | None) -> None:
    anna = Peer(FakeLink(), "Anna")
    await h.say(anna, m.Create(1, "toy", 3, {}, "t", seat=wanted))
    if got is None:
        assert link(anna).take(m.Refused).code == "no-seat" and h.lobby.tables == 0 and anna.table is None
        return
    state = link(anna).last(m.TableState)
    assert (state.you, state.host) == (got, True)
    kinds = [SeatKind.PERSON if seat == got else SeatKind.FREE for seat in range(3)]
    assert [seat.kind for seat in state.seats] == kinds
    assert (await h.ask(anna, m.SetBot(2, (got + 1) % 3, "greedy"), m.Done)).ref == 2


@pytest.mark.parametrize(("wanted", "got"), [(ANY_SEAT, 1), (0, None), (1, 1), (2, 2), (3, None), (5, None)])
async def test_a_joiner_of_three_chooses_the_seat(h: LobbyHarness, wanted: int, got: int | None) -> None:
    anna, bert = Peer(FakeLink(), "Anna"), Peer(FakeLink(), "Bert")
    match = (await h.ask(anna, m.Create(1, "toy", 3, {}, "t", seat=0), m.Seated)).match
    await h.say(bert, m.Join(2, match, seat=wanted))
    if got is None:
        assert link(bert).take(m.Refused).code == ("seat-taken" if wanted == 0 else "no-seat")
        assert bert.table is None and h.only().table.seating.taken == 1
        return
    assert link(bert).take(m.Seated).seat == got and bert.seat == got
    assert not link(bert).last(m.TableState).host


@pytest.mark.parametrize(
    ("seat", "code"), [(0, "seat-taken"), (1, "seat-taken"), (2, ""), (3, "no-seat"), (5, "no-seat")]
)
async def test_bots_sit_down_on_free_seats_of_the_table(h: LobbyHarness, seat: int, code: str) -> None:
    people = await h.table(3)
    await h.ask(people[2], m.Leave(2), m.Left)
    await h.say(people[0], m.SetBot(3, seat, "greedy"))
    kinds = [chair.kind for chair in h.only().table.seating.chairs]
    assert kinds == [SeatKind.PERSON, SeatKind.PERSON, SeatKind.FREE if code else SeatKind.BOT]
    assert link(people[0]).take(m.Refused).code == code if code else link(people[0]).take(m.Done)


@pytest.mark.parametrize(
    ("seat", "code"), [(0, "no-person"), (1, ""), (2, "no-person"), (3, "no-seat"), (5, "no-seat")]
)
async def test_only_other_people_are_sent_away(h: LobbyHarness, seat: int, code: str) -> None:
    people = await h.table(3)
    await h.ask(people[2], m.Leave(2), m.Left)
    await h.ask(people[0], m.SetBot(3, 2, "greedy"), m.Done)
    await h.say(people[0], m.Kick(3, seat))
    kinds = [chair.kind for chair in h.only().table.seating.chairs]
    assert kinds == [SeatKind.PERSON, SeatKind.PERSON if code else SeatKind.FREE, SeatKind.BOT]
    assert link(people[0]).take(m.Refused).code == code if code else link(people[0]).take(m.Done)


async def test_the_only_person_is_host_wherever_the_host_was(tmp_path: Path) -> None:
    def hosts(*peers: Peer) -> list[bool]:
        return [h.only().table.is_host(peer) for peer in peers]

    async with open_lobby(tmp_path) as h:
        anna, first, second = (Peer(FakeLink(), name) for name in ("Anna", "First", "Second"))
        await h.ask(anna, m.Create(1, "toy", 3, {}, "t", seat=NO_SEAT), m.Done)
        match = h.only().match
        for watcher in (first, second):
            await h.ask(watcher, m.Watch(1, match), m.Done)
        assert hosts(anna, first, second) == [True, False, False]
        await h.ask(anna, m.Leave(2), m.Left)
        assert hosts(first, second) == [True, False], "nobody sits: the first of those who look on"
        assert (await h.ask(second, m.SetBot(3, 0, "greedy"), m.Refused)).code == "not-host"
        last = Peer(FakeLink(), "Last")
        await h.ask(last, m.Join(1, match, seat=2), m.Seated)
        assert hosts(first, second, last) == [True, False, False], "who is host stays it while he is here"
        await h.drop(first)
        assert hosts(second, last) == [False, True], "who sits comes first, be it on the last seat"
        await h.ask(first, m.Watch(1, match), m.Done)
        assert hosts(first, last) == [False, True], "and stays it when he is back who was it before"
        await h.ask(first, m.Leave(2), m.Left)
        await h.ask(second, m.Leave(4), m.Left)
        await h.ask(second, m.Join(5, match, seat=0), m.Seated)
        assert hosts(second, last) == [False, True]
        await h.ask(last, m.Leave(6), m.Left)
        assert hosts(second) == [True]
        assert (await h.ask(second, m.Start(7), m.Refused)).code == "seats-free"


async def test_a_table_without_a_seated_host_is_listed_from_the_first(h: LobbyHarness) -> None:
    await h.ask(Peer(FakeLink(), "Anna"), m.Create(1, "toy", 3, {}, "Title", seat=NO_SEAT), m.Done)
    listed = (await h.ask(Peer(FakeLink(), "Reader"), m.OpenLobby(1), m.LobbyList)).tables
    assert [table.title for table in listed] == ["Title"]


async def test_the_host_passes_to_a_person_who_is_here(h: LobbyHarness) -> None:
    anna, bert, carla = await h.table(3)
    await h.drop(bert)
    await h.ask(anna, m.Leave(2), m.Left)
    assert h.only().table.is_host(carla) and link(carla).last(m.TableState).host


async def test_a_dropped_players_seat_stays_theirs_until_the_host_kicks_them(h: LobbyHarness) -> None:
    anna, bert, carla = await h.table(3)
    await h.drop(bert)
    assert (await h.ask(anna, m.SetBot(2, 1, "greedy"), m.Refused)).code == "seat-taken"
    assert (await h.ask(Peer(FakeLink(), "Dora"), m.Join(1, h.only().match), m.Refused)).code == "full"
    await h.ask(anna, m.Kick(3, 1), m.Done)
    assert link(carla).last(m.TableState).seats[1].kind == SeatKind.FREE
    await h.ask(anna, m.SetBot(4, 1, "greedy"), m.Done)
    await h.ask(anna, m.SetBot(5, 1, "random"), m.Done)
    assert link(carla).last(m.TableState).seats[1].bot == "random"


async def test_a_seat_that_was_lost_before_the_start_is_held_after_it(h: LobbyHarness) -> None:
    anna, bert = await h.table()
    token = h.token(bert)
    await h.drop(bert)
    await h.ask(anna, m.Start(2), m.Done)
    await h.pass_time(200)
    assert link(anna).last(m.TableState).seats[1].kind == SeatKind.AWAY
    assert (await h.ask(Peer(FakeLink(), "Bert"), m.Resume(1, h.only().match, token), m.Seated)).seat == 1


async def test_late_messages_of_a_lost_connection_take_no_seat(h: LobbyHarness) -> None:
    """Found by simulation: it made void the token that the next connection had just been given."""
    anna, _ = await h.match()
    match, first = h.only().match, h.token(anna)
    second, late, third = (Peer(FakeLink(), "Anna") for _ in range(3))
    told = (await h.ask(second, m.Resume(1, match, first), m.Seated)).token
    await h.ask(late, m.Resume(1, match, first), m.Seated)
    assert link(second).closed is not None
    assert (await h.ask(third, m.Resume(1, match, told), m.Seated)).seat == 0
    assert (await h.ask(Peer(FakeLink(), "Anna"), m.Resume(1, match, first), m.Refused)).code == "bad-token"


async def test_messages_confirm_only_their_connections_token(h: LobbyHarness) -> None:
    """Another token was offered after it, and its delivery is unknown. That one became valid: the seat was lost."""
    anna, _ = await h.match()
    match, first = h.only().match, h.token(anna)
    back = Peer(FakeLink(), "Anna")
    told = (await h.ask(back, m.Resume(1, match, first), m.Seated)).token
    later = await h.only().new_key(0)
    await h.say(back, m.Say(2, "here I am"))
    chair = h.only().table.seating.chairs[0]
    assert [chair.admits(token) for token in (first, told, later)] == [False, True, True]
    await h.drop(back)
    assert (await h.ask(Peer(FakeLink(), "Anna"), m.Resume(1, match, told), m.Seated)).seat == 0


async def test_a_seat_has_few_tokens_at_a_time(h: LobbyHarness) -> None:
    anna, _ = await h.match()
    chair = h.only().table.seating.chairs[anna.seat]
    offered = [chair.offer_token() for _ in range(OFFERS + 2)]
    assert [chair.admits(token) for token in offered] == [False] * 2 + [True] * OFFERS
    chair.confirm(hashed(offered[-1]))
    assert [chair.admits(token) for token in offered] == [False] * (OFFERS + 1) + [True]
