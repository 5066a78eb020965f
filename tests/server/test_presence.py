"""Comings and goings at a table, told by themselves to those who understand that."""

import random
from typing import Any

import pytest
from msgspec.structs import replace

from protocol import codec
from protocol.session import ClientSession, with_presence
from server.delivery.peer import Peer
from server.matches.table import Shown
from shared import messages as m
from shared.tables import (
    LOOKING_ON,
    NO_SEAT,
    PRESENCE,
    SeatKind,
    TablePhase,
)
from tests.server.lobby_harness import LobbyHarness, link, name, person

STATE = m.TableState(
    "m", "t", "toy", {}, True, "C", TablePhase.PLAYING, LOOKING_ON, False, 0, 0,
    (m.SeatInfo(SeatKind.PERSON, "Anna"), m.SeatInfo(SeatKind.AWAY, "Bert"), m.SeatInfo(SeatKind.BOT, "", "hard")), 0,
)  # fmt: skip
KINDS = (SeatKind.PERSON, SeatKind.AWAY, SeatKind.STAND_IN)


def keen(called: str) -> Peer:
    peer = person(called)
    peer.agreed = frozenset((PRESENCE,))
    return peer


def with_kinds(*kinds: SeatKind, **changed: Any) -> m.TableState:
    seats = tuple(replace(info, kind=kind) for info, kind in zip(STATE.seats, kinds, strict=False))
    return replace(STATE, seats=(*seats, *STATE.seats[len(seats) :]), **changed)


def after(state: m.TableState, news: tuple[m.Presence, ...] | None) -> m.TableState:
    assert news is not None
    for each in news:
        state = with_presence(state, each)
    return state


def test_only_what_changed_is_told() -> None:
    assert Shown(STATE, None).news(STATE, None) == ()
    away = with_kinds(SeatKind.AWAY)
    assert Shown(STATE, None).news(away, None) == (m.Presence(0, SeatKind.AWAY),)
    came = replace(STATE, watchers=2, onlookers=("Titus", "Nero"))
    assert Shown(STATE, None).news(came, None) == (m.Presence(-1, watchers=2, came=("Titus", "Nero")),)
    left = replace(STATE, watchers=1, onlookers=("Nero",))
    assert Shown(came, None).news(left, None) == (m.Presence(-1, watchers=1, gone=("Titus",)),)
    crowd = replace(came, watchers=900)
    assert Shown(came, None).news(crowd, None) == (m.Presence(-1, watchers=900),)


@pytest.mark.parametrize(
    "changed",
    [
        {"phase": TablePhase.OVER}, {"code": "D"}, {"advice": True}, {"seats": STATE.seats[:2]},
        {"seats": (m.SeatInfo(SeatKind.PERSON, "Otho"), *STATE.seats[1:])},
    ],
)  # fmt: skip
def test_other_changes_send_the_whole_table(changed: dict[str, Any]) -> None:
    other = replace(STATE, **changed)
    assert Shown(STATE, None).news(other, None) is None
    shown = Shown(STATE, None)
    shown.aside(other)
    assert shown.news(STATE, None) is None, "somebody holds it as it was for a moment"
    assert Shown(STATE, None).news(STATE, object()) is None, "somebody else runs the table"


def test_clients_shown_the_table_in_between_hold_the_same_state() -> None:
    rng = random.Random(4)
    for _ in range(300):
        states = [some_state(rng)]
        shown = Shown(states[0], None)
        for _ in range(rng.randrange(4)):
            states.append(some_state(rng))
            shown.aside(states[-1])
        now = some_state(rng)
        for held in states:
            assert same(after(held, shown.news(now, None)), now)


def some_state(rng: random.Random) -> m.TableState:
    names = tuple(rng.sample(("Titus", "Nero", "Otho", "Galba"), rng.randrange(5)))
    kinds = rng.choices(KINDS, k=2)
    return with_kinds(*kinds, watchers=rng.randrange(4), onlookers=names)


def same(held: m.TableState, state: m.TableState) -> bool:
    names = sorted(held.onlookers), sorted(state.onlookers)
    return names[0] == names[1] and replace(held, onlookers=()) == replace(state, onlookers=())


def heard(peer: Peer) -> list[Any]:
    """Return the new messages about the table itself."""
    found = [message for message in link(peer).sent if isinstance(message, m.Presence | m.TableState)]
    link(peer).sent.clear()
    return found


async def test_a_player_who_drops_and_comes_back_costs_a_few_bytes(h: LobbyHarness) -> None:
    _, bert = await h.match()
    titus, nero = keen("Titus"), person("Nero")
    for peer in (titus, nero):
        await h.say(peer, m.Watch(1, h.only().match))
    await h.pass_time(60)
    heard(titus), heard(nero)
    seat, token = bert.seat, h.token(bert)
    await h.drop(bert)
    assert heard(titus) == [m.Presence(1, SeatKind.AWAY)]
    (state,) = heard(nero)
    assert isinstance(state, m.TableState) and state.seats[1].kind is SeatKind.AWAY
    again = keen("Bert")
    await h.say(again, m.Resume(9, h.only().match, token, 1))
    assert again.seat == seat
    assert [type(each) for each in heard(again)] == [m.TableState], "who comes is shown the whole"
    assert heard(titus) == [m.Presence(1, SeatKind.PERSON)]


async def test_a_stand_in_is_told_with_its_level(h: LobbyHarness) -> None:
    _, bert = await h.match()
    titus = keen("Titus")
    await h.say(titus, m.Watch(1, h.only().match))
    await h.pass_time(60)
    heard(titus)
    await h.say(bert, m.Leave(5))
    assert heard(titus) == [m.Presence(1, SeatKind.STAND_IN, "normal")]


async def test_spectators_are_told_by_name_and_once(h: LobbyHarness) -> None:
    anna, _ = await h.match()
    titus, nero = keen("Titus"), keen("Nero")
    await h.say(titus, m.Watch(1, h.only().match))
    await h.pass_time(60)
    heard(titus)
    await h.say(nero, m.Watch(1, h.only().match))
    await h.pass_time(60)
    assert heard(titus) == [m.Presence(-1, watchers=2, came=("Nero",))]
    await h.drop(nero)
    await h.pass_time(60)
    assert heard(titus) == [m.Presence(-1, watchers=1, gone=("Nero",))]
    assert all(isinstance(each, m.TableState) for each in heard(anna)), "her program knows no other way"


async def test_the_same_for_all_is_no_news(h: LobbyHarness) -> None:
    await h.match()
    titus = keen("Titus")
    await h.say(titus, m.Watch(1, h.only().match))
    await h.pass_time(60)
    heard(titus)
    h.only().table.announce()
    assert heard(titus) == []


async def test_a_new_host_is_shown_the_whole_table(h: LobbyHarness) -> None:
    anna, bert = await h.match()
    titus = keen("Titus")
    bert.agreed = titus.agreed
    await h.say(titus, m.Watch(1, h.only().match))
    await h.pass_time(60)
    heard(titus), heard(bert)
    await h.say(anna, m.Leave(5))
    assert heard(titus) == [m.Presence(0, SeatKind.STAND_IN, "normal")]
    (state,) = heard(bert)
    assert isinstance(state, m.TableState) and state.host


async def test_a_host_without_a_seat_is_shown_as_a_player_is(h: LobbyHarness) -> None:
    host = keen("Livia")
    await h.say(host, m.Create(1, "toy", 2, {"rounds": 5}, "t", seat=NO_SEAT))
    match = h.only().match
    titus, nero, anna = keen("Titus"), person("Nero"), keen("Anna")
    for peer in (titus, nero):
        await h.say(peer, m.Watch(1, match))
    await h.say(anna, m.Join(1, match))
    await h.pass_time(60)
    for peer in (host, titus, nero):
        heard(peer)
    await h.say(host, m.SetBot(2, 1, "greedy"))
    assert heard(titus) == [m.Presence(1, SeatKind.BOT, "greedy")]
    assert [type(each) for each in heard(host)] == [m.TableState], "he asked for it"
    assert [type(each) for each in heard(nero)] == [m.TableState]


async def test_spectators_hear_the_match_whatever_they_understand(h: LobbyHarness) -> None:
    anna, bert = await h.table()
    titus, nero = keen("Titus"), person("Nero")
    for peer in (titus, nero):
        await h.say(peer, m.Watch(1, h.only().match))
    assert h.only().table.audience.watchers == 2
    await h.ask(anna, m.Start(2), m.Done)
    for peer in (anna, bert):
        await h.say(peer, name(h, 1, 4))
    streams = [[each for each in link(peer).sent if isinstance(each, m.Frame | m.Clock)] for peer in (titus, nero)]
    assert streams[0] == streams[1] and len(streams[0]) > 3


def test_a_client_sees_the_table_as_if_it_had_been_shown_whole() -> None:
    session = ClientSession("Titus")
    hello = codec.decode_client(session.connect())
    assert PRESENCE in getattr(hello, "can", ())
    early = session.receive(codec.encode(m.Presence(0, SeatKind.AWAY)))
    assert early.message is None and session.table is None
    session.receive(codec.encode(STATE))
    received = session.receive(codec.encode_lean(m.Presence(1, SeatKind.STAND_IN, "easy")))
    assert received.message == session.table == with_seat(1, m.SeatInfo(SeatKind.STAND_IN, "Bert", "easy"))
    session.receive(codec.encode_lean(m.Presence(-1, watchers=3, came=("Nero", "Otho"))))
    received = session.receive(codec.encode_lean(m.Presence(-1, watchers=2, came=("Otho", "Galba"), gone=("Nero",))))
    assert isinstance(received.message, m.TableState)
    assert (received.message.watchers, received.message.onlookers) == (2, ("Otho", "Galba"))
    before = session.table
    assert session.receive(codec.encode(m.Presence(5, SeatKind.AWAY))).message == before, "there is no such seat"


def with_seat(seat: int, info: m.SeatInfo) -> m.TableState:
    seats = list(STATE.seats)
    seats[seat] = info
    return replace(STATE, seats=tuple(seats))
