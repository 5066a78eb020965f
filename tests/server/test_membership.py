"""Audiences: a client that left a seat, in any way, gets no more of its stream; a client that came gets all of it."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeAlias

import pytest
from msgspec import Raw

from protocol import codec
from protocol.limits import Close
from server.delivery.outgoing import outgoing
from server.delivery.peer import Peer
from server.matches.seating import OFFERS
from shared import messages as m
from shared.tables import LOOKING_ON, SeatKind
from tests.server.fakes import FakeLink
from tests.server.lobby_harness import LobbyHarness, link, name, open_lobby
from tests.server.toy import HIDDEN, TOY

PUBLIC = 3
"""The public's audience class at a table of three."""
Going: TypeAlias = Callable[[LobbyHarness, list[Peer], Peer], Awaitable[dict[Peer, int]]]
"""Change among three players and a spectator: a client leaves, or comes back in another role. Returns the audience
class of each, -1 for those without one."""
NOWHERE = -1


async def stay(_h: LobbyHarness, people: list[Peer], watcher: Peer) -> dict[Peer, int]:
    return {people[0]: 0, people[1]: 1, people[2]: 2, watcher: PUBLIC}


def without(people: list[Peer], watcher: Peer, *gone: Peer) -> dict[Peer, int]:
    here = {people[0]: 0, people[1]: 1, people[2]: 2, watcher: PUBLIC}
    return here | dict.fromkeys(gone, NOWHERE)


async def leave(h: LobbyHarness, people: list[Peer], watcher: Peer) -> dict[Peer, int]:
    await h.ask(people[1], m.Leave(9), m.Left)
    return without(people, watcher, people[1])


async def host_leaves(h: LobbyHarness, people: list[Peer], watcher: Peer) -> dict[Peer, int]:
    await h.ask(people[0], m.Leave(9), m.Left)
    return without(people, watcher, people[0])


async def last_seat_leaves(h: LobbyHarness, people: list[Peer], watcher: Peer) -> dict[Peer, int]:
    await h.ask(people[2], m.Leave(9), m.Left)
    return without(people, watcher, people[2])


async def watcher_leaves(h: LobbyHarness, people: list[Peer], watcher: Peer) -> dict[Peer, int]:
    await h.ask(watcher, m.Leave(9), m.Left)
    return without(people, watcher, watcher)


async def kick(h: LobbyHarness, people: list[Peer], watcher: Peer) -> dict[Peer, int]:
    await h.ask(people[0], m.Kick(9, 1), m.Done)
    return without(people, watcher, people[1])


async def drop(h: LobbyHarness, people: list[Peer], watcher: Peer) -> dict[Peer, int]:
    await h.drop(people[1])
    return without(people, watcher, people[1])


async def watcher_drops(h: LobbyHarness, people: list[Peer], watcher: Peer) -> dict[Peer, int]:
    await h.drop(watcher)
    return without(people, watcher, watcher)


async def replaced(h: LobbyHarness, people: list[Peer], watcher: Peer) -> dict[Peer, int]:
    back = Peer(FakeLink(), "Back")
    await h.ask(back, m.Resume(9, h.only().match, h.token(people[1])), m.Seated)
    assert link(people[1]).closed is Close.REPLACED
    return {**without(people, watcher, people[1]), back: 1}


async def dropped_and_resumed(h: LobbyHarness, people: list[Peer], watcher: Peer) -> dict[Peer, int]:
    token = h.token(people[1])
    await h.drop(people[1])
    back = Peer(FakeLink(), "Back")
    await h.ask(back, m.Resume(9, h.only().match, token), m.Seated)
    return {**without(people, watcher, people[1]), back: 1}


async def taken_over(h: LobbyHarness, people: list[Peer], watcher: Peer) -> dict[Peer, int]:
    await h.drop(people[1])
    await h.pass_time(200)
    return without(people, watcher, people[1])


async def left_and_looks_on(h: LobbyHarness, people: list[Peer], watcher: Peer) -> dict[Peer, int]:
    await h.ask(people[1], m.Leave(9), m.Left)
    await h.ask(people[1], m.Watch(10, h.only().match), m.Done)
    return {**without(people, watcher), people[1]: PUBLIC}


async def seats_swapped(h: LobbyHarness, people: list[Peer], watcher: Peer) -> dict[Peer, int]:
    match = h.only().match
    for peer in people[1:]:
        await h.ask(peer, m.Leave(9), m.Left)
    await h.ask(people[1], m.Join(10, match, seat=2), m.Seated)
    await h.ask(people[2], m.Join(10, match, seat=1), m.Seated)
    return {**without(people, watcher), people[1]: 2, people[2]: 1}


async def kicked_and_kept_out_while_the_watcher_sits_down(
    h: LobbyHarness, people: list[Peer], watcher: Peer
) -> dict[Peer, int]:
    match = h.only().match
    await h.ask(people[0], m.Kick(9, 1), m.Done)
    await h.ask(watcher, m.Leave(9), m.Left)
    await h.ask(watcher, m.Join(10, match), m.Seated)
    await h.ask(people[1], m.Watch(10, match), m.Refused)
    left = without(people, watcher)
    left.pop(people[1], None)
    return {**left, watcher: 1}


BEFORE: list[Going] = [
    stay,
    leave,
    host_leaves,
    last_seat_leaves,
    watcher_leaves,
    kick,
    drop,
    watcher_drops,
    replaced,
    dropped_and_resumed,
    taken_over,
    left_and_looks_on,
    seats_swapped,
    kicked_and_kept_out_while_the_watcher_sits_down,
]
DURING: list[Going] = [
    stay,
    leave,
    host_leaves,
    last_seat_leaves,
    watcher_leaves,
    drop,
    watcher_drops,
    replaced,
    dropped_and_resumed,
    taken_over,
    left_and_looks_on,
]


async def gathered(h: LobbyHarness) -> tuple[list[Peer], Peer]:
    """Return three players at a table, and a spectator."""
    people = await h.table(3, takeover=30)
    watcher = Peer(FakeLink(), "Watcher")
    await h.ask(watcher, m.Watch(1, h.only().match), m.Done)
    return people, watcher


async def heard(h: LobbyHarness, belongs: dict[Peer, int]) -> dict[Peer, list[int]]:
    """A word in each class and one in all: what everybody hears."""
    for peer in belongs:
        link(peer).sent.clear()
    table = h.only().table
    for audience in range(PUBLIC + 1):
        table.services.bus.publish(f"{table.record.match}.{audience}", outgoing(m.Notice("probe", str(audience))))
    table.announce()
    table.audience.tell(m.Said(LOOKING_ON, "", "to all"))
    await h.quiet()
    told = {peer: [int(each.text) for each in link(peer).sent if isinstance(each, m.Notice)] for peer in belongs}
    for peer in belongs:
        states = [message.you for message in link(peer).sent if isinstance(message, m.TableState)]
        seat = LOOKING_ON if belongs[peer] == PUBLIC else belongs[peer]
        here = belongs[peer] != NOWHERE
        assert states == ([seat] if here else []) and peer.seat == seat and (peer.table is not None) == here
        assert sum(isinstance(message, m.Said) for message in link(peer).sent) == here
    return told


@pytest.mark.parametrize("going", BEFORE, ids=lambda going: going.__name__)
async def test_before_the_start_each_client_hears_only_its_own_class(h: LobbyHarness, going: Going) -> None:
    people, watcher = await gathered(h)
    belongs = await going(h, people, watcher)
    expected = {peer: [audience] if audience != NOWHERE else [] for peer, audience in belongs.items()}
    assert await heard(h, belongs) == expected
    seated = {audience: peer for peer, audience in belongs.items()}
    kinds = [chair.kind for chair in h.only().table.seating.chairs]
    assert [kind is SeatKind.PERSON for kind in kinds] == [seat in seated for seat in range(3)]


@pytest.mark.parametrize("going", DURING, ids=lambda going: going.__name__)
async def test_during_the_match_each_client_sees_what_its_seat_may_see(h: LobbyHarness, going: Going) -> None:
    people, watcher = await gathered(h)
    await h.ask(people[0], m.Start(2), m.Done)
    belongs = await going(h, people, watcher)
    expected = {peer: [audience] if audience != NOWHERE else [] for peer, audience in belongs.items()}
    assert await heard(h, belongs) == expected
    match = h.only().table.match
    for peer in belongs:
        link(peer).sent.clear()
    before = match.version
    for peer, audience in belongs.items():
        if audience in match.owed:
            await h.ask(peer, name(h, 50, 2 + audience), m.Accepted)
    assert match.version > before
    for peer, audience in belongs.items():
        if audience == NOWHERE:
            assert not link(peer).sent
            continue
        await h.say(peer, m.Sync(0))
        view = TOY.view_decoder.decode(bytes(link(peer).last(m.Snapshot).view))
        assert view == TOY.view(match.state, None if audience == PUBLIC else audience)
    secret = [view for audience in range(PUBLIC) for view in TOY.view(match.state, audience).named]
    assert HIDDEN in secret or match.state.named == [0, 0, 0]


@pytest.mark.parametrize("going", [leave, kick, drop, replaced, watcher_leaves], ids=lambda going: going.__name__)
async def test_departed_clients_are_at_no_table_and_can_join_another(h: LobbyHarness, going: Going) -> None:
    people, watcher = await gathered(h)
    belongs = await going(h, people, watcher)
    (gone,) = [peer for peer, audience in belongs.items() if audience == NOWHERE]
    for message in (
        m.Say(20, "hello?"),
        m.Act(21, 1, Raw(b"\xc0")),
        m.Sync(0),
        m.Leave(22),
        m.SetBot(23, 1, "greedy"),
    ):
        assert (await h.ask(gone, message, m.Refused)).code == "no-table"
    assert (await h.ask(gone, m.Create(24, "toy", 2, {}, "Another"), m.Seated)).seat == 0


async def test_waiting_messages_of_a_kicked_player_are_not_heard(h: LobbyHarness) -> None:
    people, watcher = await gathered(h)
    token = h.token(people[2])
    await h.only().table.save()
    link(watcher).sent.clear()
    for peer, message in (
        (people[0], m.Kick(9, 1)),
        (people[1], m.Say(20, "I am still here")),
        (people[1], m.SetBot(21, 1, "greedy")),
        (Peer(FakeLink(), "Back"), m.Resume(9, h.only().match, token)),
        (people[2], m.Say(20, "I am still here too")),
    ):
        await h.lobby.hear(peer, message)
    await h.quiet()
    assert [each.code for each in link(people[1]).sent if isinstance(each, m.Refused)] == [
        "no-table",
        "no-table",
    ]
    assert [each.code for each in link(people[2]).sent if isinstance(each, m.Refused)] == ["no-table"]
    assert not [each for each in link(watcher).sent if isinstance(each, m.Said)]


async def test_a_connection_that_ends_after_its_seat_was_resumed_removes_no_player(h: LobbyHarness) -> None:
    people, _ = await gathered(h)
    back = Peer(FakeLink(), "Back")
    await h.lobby.hear(back, m.Resume(9, h.only().match, h.token(people[1])))
    h.lobby.gone(people[1])
    await h.quiet()
    assert h.only().table.seating.chairs[1].kind is SeatKind.PERSON
    assert h.only().table.audience.player(1) is back


async def test_a_connection_that_ends_while_it_joins_leaves_no_peer_behind(h: LobbyHarness) -> None:
    people = await h.table(2)
    await h.ask(people[1], m.Leave(9), m.Left)
    ghost = Peer(FakeLink(), "Ghost")
    await h.lobby.hear(ghost, m.Join(1, h.only().match))
    h.lobby.gone(ghost)
    await h.quiet()
    assert ghost not in h.only().table.audience
    assert h.only().table.seating.chairs[1].kind is SeatKind.AWAY


async def test_the_list_of_tables_goes_to_those_alone_who_look_at_it(h: LobbyHarness) -> None:
    reader, gone = Peer(FakeLink(), "Reader"), Peer(FakeLink(), "Gone")
    for peer in (reader, gone):
        await h.ask(peer, m.OpenLobby(1), m.LobbyList)
    await h.drop(gone)
    link(gone).sent.clear()
    await h.table()
    await h.pass_time(1)
    assert link(reader).sent and not link(gone).sent


async def test_only_the_last_token_of_a_seat_opens_it(h: LobbyHarness) -> None:
    people, _ = await gathered(h)
    match, tokens = h.only().match, [h.token(peer) for peer in people]
    await h.ask(people[0], m.Kick(9, 1), m.Done)
    await h.ask(people[2], m.Leave(9), m.Left)
    for token in tokens[1:]:
        assert (await h.ask(Peer(FakeLink(), "X"), m.Resume(1, match, token), m.Refused)).code == "bad-token"
    fresh = await h.ask(Peer(FakeLink(), "Dora"), m.Join(1, match, seat=1), m.Seated)
    assert (await h.ask(Peer(FakeLink(), "X"), m.Resume(1, match, tokens[1]), m.Refused)).code == "bad-token"
    assert (await h.ask(Peer(FakeLink(), "Dora"), m.Resume(1, match, fresh.token), m.Seated)).seat == 1


async def test_a_free_seat_is_opened_by_no_token(h: LobbyHarness) -> None:
    people, _ = await gathered(h)
    await h.ask(people[0], m.Kick(9, 1), m.Done)
    await h.ask(people[0], m.SetBot(9, 1, "greedy"), m.Done)
    match = h.only().match
    for token in (bytes(32), b"\xff" * 32):
        assert (await h.ask(Peer(FakeLink(), "X"), m.Resume(1, match, token), m.Refused)).code == "bad-token"


async def test_frames_of_the_match_come_once_each_in_order_to_all_who_stay(h: LobbyHarness) -> None:
    people, watcher = await gathered(h)
    await h.ask(people[0], m.Start(2), m.Done)
    for peer in (*people, watcher):
        link(peer).sent.clear()
    for round_ in range(3):
        for seat, peer in enumerate(people):
            await h.say(peer, name(h, 10 + round_, 1 + seat))
    versions = list(range(1, 13))
    for peer in (*people, watcher):
        assert [each.version for each in link(peer).sent if isinstance(each, m.Frame)] == versions
    frames = [[codec.encode(each) for each in link(peer).sent if isinstance(each, m.Frame)] for peer in people]
    assert frames[0] != frames[1] != frames[2]


async def test_a_token_that_is_known_to_have_arrived_voids_the_one_before_for_good(tmp_path: Path) -> None:
    async with open_lobby(tmp_path) as h:
        people, _ = await gathered(h)
        match, first = h.only().match, h.token(people[1])
        back = Peer(FakeLink(), "Back")
        second = (await h.ask(back, m.Resume(9, match, first), m.Seated)).token
        await h.ask(back, m.Say(10, "it has arrived"), m.Said)
        await h.drop(back)
        async with open_lobby(tmp_path, store=h.store) as again:
            assert (await again.ask(Peer(FakeLink(), "X"), m.Resume(1, match, first), m.Refused)).code == "bad-token"
            assert (await again.ask(Peer(FakeLink(), "X"), m.Resume(1, match, second), m.Seated)).seat == 1


@pytest.mark.parametrize("message", [m.Join(9, ""), m.Watch(9, "")], ids=lambda message: type(message).__name__)
async def test_to_ask_for_another_table_does_not_prove_that_a_token_arrived(
    h: LobbyHarness, message: m.Join | m.Watch
) -> None:
    people, _ = await gathered(h)
    match, first = h.only().match, h.token(people[1])
    back = Peer(FakeLink(), "Back")
    await h.ask(back, m.Resume(9, match, first), m.Seated)
    assert (await h.ask(back, type(message)(9, match), m.Refused)).code == "busy"
    assert (await h.ask(Peer(FakeLink(), "X"), m.Resume(1, match, first), m.Seated)).seat == 1


async def test_a_token_opens_its_seat_however_often_the_answer_is_lost(h: LobbyHarness) -> None:
    people, _ = await gathered(h)
    match, first = h.only().match, h.token(people[1])
    lost = []
    for _ in range(OFFERS + 1):
        back = Peer(FakeLink(), "Back")
        lost.append((await h.ask(back, m.Resume(9, match, first), m.Seated)).token)
        await h.drop(back)
    assert (await h.ask(Peer(FakeLink(), "X"), m.Resume(1, match, lost[0]), m.Refused)).code == "bad-token"
    assert (await h.ask(Peer(FakeLink(), "Back"), m.Resume(9, match, lost[2]), m.Seated)).seat == 1
    for token in (first, lost[1], lost[-1]):
        assert (await h.ask(Peer(FakeLink(), "X"), m.Resume(1, match, token), m.Refused)).code == "bad-token"


@pytest.mark.parametrize("kind", ["join", "watch", "resume"])
async def test_a_client_at_a_table_does_not_join_it_again(h: LobbyHarness, kind: str) -> None:
    """By whatever way it is asked: the lobby looks first, the table itself once more."""
    people, watcher = await gathered(h)
    task = h.only()
    asking: dict[str, m.ClientMessage] = {
        "join": m.Join(9, task.match),
        "watch": m.Watch(9, task.match),
        "resume": m.Resume(9, task.match, h.token(people[1])),
    }
    for peer in (people[0], watcher):
        before = (peer.seat, [chair.kind for chair in task.table.seating.chairs])
        for ask in (h.lobby.hear, task.hear):
            link(peer).sent.clear()
            await ask(peer, asking[kind])
            await h.quiet()
            assert link(peer).take(m.Refused).code == "busy"
        assert (peer.seat, [chair.kind for chair in task.table.seating.chairs]) == before
        assert peer.table is task and people[1].table is task
