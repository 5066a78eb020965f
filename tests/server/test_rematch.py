"""Once more with the same people, after the end."""

import random
from pathlib import Path

import pytest
from msgspec import Raw

from protocol import codec
from server.delivery.peer import Peer
from server.matches.rematch import KEPT, order
from shared import messages as m
from shared.tables import LOOKING_ON, Arrangement, SeatKind
from tests.server.lobby_harness import LobbyHarness, failing, link, open_lobby, person
from tests.server.toy import TOY, Quit

OPTIONS = {"rounds": 50, "opening": 1}


async def ended(h: LobbyHarness) -> list[Peer]:
    """Anna, Bert and Carla on the first seats and a bot on the last, of a match that is over."""
    people = [person(called) for called in ("Anna", "Bert", "Carla")]
    create = m.Create(1, TOY.id, 4, OPTIONS, "Ides", think=300, takeover=30, advice=True)
    match = (await h.ask(people[0], create, m.Seated)).match
    for peer in people[1:]:
        await h.ask(peer, m.Join(1, match), m.Seated)
    await h.ask(people[0], m.SetBot(2, 3, "easy"), m.Done)
    await h.ask(people[0], m.Start(3), m.Done)
    await h.ask(people[0], m.Act(4, 0, Raw(codec.encode(Quit()))), m.Accepted)
    for peer in people:
        link(peer).sent.clear()
    return people


async def come(h: LobbyHarness, peer: Peer, invited: m.Invited) -> m.Seated:
    """Follow an invitation, as a client does."""
    await h.ask(peer, m.Leave(20), m.Left)
    return await h.ask(peer, m.Resume(21, invited.match, invited.token), m.Seated)


def chairs(h: LobbyHarness, match: str) -> list[str]:
    return [info.bot or info.name for info in h.running(match).table.seating.infos()]


async def test_a_table_like_the_last_one_holds_a_seat_for_each_person_and_has_the_same_bots(h: LobbyHarness) -> None:
    anna, bert, carla = await ended(h)
    before = h.only().table.record
    own = await h.ask(bert, m.Rematch(5), m.Invited)
    assert (own.ref, own.seat, own.name) == (5, 1, "Bert")
    told = [link(peer).take(m.Invited) for peer in (anna, carla)]
    assert [(invited.ref, invited.seat, invited.match) for invited in told] == [
        (0, 0, own.match),
        (0, 2, own.match),
    ]
    assert len({own.token, *(invited.token for invited in told)}) == 3
    after = h.running(own.match).table.record
    assert chairs(h, own.match) == ["Anna", "Bert", "Carla", "easy"]
    for field in ("ruleset", "options", "title", "open", "think", "takeover", "advice"):
        assert getattr(after, field) == getattr(before, field), field
    assert (after.match, after.code) != (before.match, before.code)


async def test_the_asker_hosts_the_rematch_and_it_begins_once_all_joined(h: LobbyHarness) -> None:
    anna, bert, carla = await ended(h)
    own = await h.ask(bert, m.Rematch(5), m.Invited)
    others = {peer: link(peer).take(m.Invited) for peer in (anna, carla)}
    assert (await come(h, bert, own)).seat == 1
    assert link(bert).last(m.TableState).host
    kinds = [info.kind for info in link(bert).last(m.TableState).seats]
    assert kinds == [SeatKind.AWAY, SeatKind.PERSON, SeatKind.AWAY, SeatKind.BOT]
    for peer, invited in others.items():
        assert (await come(h, peer, invited)).seat == invited.seat
        assert not link(peer).last(m.TableState).host
    await h.ask(bert, m.Start(6), m.Done)
    assert link(anna).last(m.Snapshot).version == 0


@pytest.mark.parametrize(
    ("arrangement", "expected"),
    [
        (Arrangement.KEEP, ["Anna", "Bert", "Carla", "easy"]),
        (Arrangement.ROTATE, ["easy", "Anna", "Bert", "Carla"]),
    ],
)
async def test_seats_are_kept_or_go_round(h: LobbyHarness, arrangement: Arrangement, expected: list[str]) -> None:
    anna, bert, _ = await ended(h)
    own = await h.ask(anna, m.Rematch(5, arrangement), m.Invited)
    assert chairs(h, own.match) == expected
    invited = link(bert).take(m.Invited)
    assert invited.seat == expected.index("Bert") and (await come(h, bert, invited)).seat == invited.seat
    assert h.running(own.match).table.record.host == invited.seat, "Anna has not come yet"


async def test_seats_are_shuffled_among_all(h: LobbyHarness) -> None:
    anna, bert, carla = await ended(h)
    own = await h.ask(anna, m.Rematch(5, Arrangement.SHUFFLE), m.Invited)
    there = chairs(h, own.match)
    assert sorted(there) == ["Anna", "Bert", "Carla", "easy"]
    assert own.seat == there.index("Anna")
    assert [link(peer).take(m.Invited).seat for peer in (bert, carla)] == [
        there.index("Bert"),
        there.index("Carla"),
    ]


def test_every_order_of_seats_can_come_of_a_shuffle() -> None:
    source = random.Random(1)
    assert len({tuple(order(3, Arrangement.SHUFFLE, source)) for _ in range(200)}) == 6


async def test_later_rematch_requests_lead_to_the_same_table_until_it_begins(h: LobbyHarness) -> None:
    anna, bert, carla = await ended(h)
    first = await h.ask(anna, m.Rematch(5), m.Invited)
    second = await h.ask(bert, m.Rematch(6, Arrangement.ROTATE), m.Invited)
    assert (second.match, second.ref, second.seat) == (first.match, 6, 1)
    assert [message.ref for message in link(carla).sent if isinstance(message, m.Invited)] == [0], "told once"
    await come(h, anna, first)
    await h.ask(anna, m.Start(7), m.Done)
    third = await h.ask(carla, m.Rematch(8), m.Invited)
    assert third.match != first.match
    assert chairs(h, third.match) == ["", "Bert", "Carla", "easy"], "who has got up since the end is not waited for"


async def test_returning_players_are_invited_and_spectators_may_watch(h: LobbyHarness) -> None:
    anna, bert, _ = await ended(h)
    old = h.only().match
    token = h.token(bert)
    await h.drop(bert)
    own = await h.ask(anna, m.Rematch(5), m.Invited)
    back, watcher = person("Bert"), person("Nero")
    await h.ask(back, m.Resume(6, old, token), m.Seated)
    invited = link(back).take(m.Invited)
    assert (invited.match, invited.seat) == (own.match, 1)
    assert (await come(h, back, invited)).seat == 1
    await h.ask(watcher, m.Watch(7, old), m.Done)
    invited = link(watcher).take(m.Invited)
    assert (invited.seat, invited.token) == (LOOKING_ON, b"")
    await h.ask(watcher, m.Leave(8), m.Left)
    await h.ask(watcher, m.Watch(9, invited.match, invited.code), m.Done)
    assert (await h.ask(watcher, m.Leave(10), m.Left)).code == "left"


async def test_a_seat_is_held_for_as_long_as_the_table_stands(h: LobbyHarness) -> None:
    anna, bert, carla = await ended(h)
    own = await h.ask(anna, m.Rematch(5), m.Invited)
    invited = link(carla).take(m.Invited)
    await come(h, anna, own)
    await come(h, bert, link(bert).take(m.Invited))
    stranger = person("Nero")
    assert (await h.ask(stranger, m.Join(6, own.match), m.Refused)).code == "full"
    await h.drop(bert)
    await h.pass_time(5 * KEPT)
    assert chairs(h, own.match) == ["Anna", "Bert", "Carla", "easy"]
    assert (await come(h, carla, invited)).seat == 2
    await h.drop(anna)
    await h.drop(carla)
    await h.pass_time(KEPT - 1)
    assert chairs(h, own.match) == ["Anna", "Bert", "Carla", "easy"]
    await h.pass_time(2)
    assert all(task.match != own.match for task in h.lobby.tasks), "the table goes with its last person"


async def test_a_restart_holds_the_seats_of_a_rematch(tmp_path: Path) -> None:
    async with open_lobby(tmp_path) as h:
        anna, bert, _carla = await ended(h)
        own = await h.ask(anna, m.Rematch(5), m.Invited)
        invited = link(bert).take(m.Invited)
        await come(h, anna, own)
        async with open_lobby(tmp_path, store=h.store) as other:
            back = person("Bert")
            await other.pass_time(KEPT - 1)
            assert (await other.ask(back, m.Resume(6, own.match, invited.token), m.Seated)).seat == 1
            await other.pass_time(2)
            assert chairs(other, own.match) == ["Anna", "Bert", "Carla", "easy"]


async def test_a_table_to_which_no_player_comes_is_gone_after_that_while(h: LobbyHarness) -> None:
    people = await ended(h)
    own = await h.ask(people[0], m.Rematch(5), m.Invited)
    for peer in people:
        await h.drop(peer)
    await h.pass_time(KEPT + 1)
    assert not h.lobby.tasks
    assert await h.store.claim(own.match) is None


async def test_the_host_frees_the_seat_of_a_late_player_without_kicking(h: LobbyHarness) -> None:
    anna, bert, _ = await ended(h)
    own = await h.ask(anna, m.Rematch(5), m.Invited)
    await come(h, anna, own)
    await h.ask(anna, m.Kick(6, 1), m.Done)
    await h.ask(bert, m.Leave(7), m.Left)
    assert (await h.ask(bert, m.Join(8, own.match), m.Seated)).seat == 1


async def test_not_before_the_end_and_not_by_spectators(h: LobbyHarness) -> None:
    anna, _bert = await h.match()
    assert (await h.ask(anna, m.Rematch(5), m.Refused)).code == "not-over"
    watcher = person("Nero")
    await h.ask(watcher, m.Watch(6, h.only().match), m.Done)
    assert (await h.ask(watcher, m.Rematch(7), m.Refused)).code == "not-seated"


async def test_a_failed_write_is_told_and_can_be_retried(h: LobbyHarness) -> None:
    anna, bert, _ = await ended(h)
    with failing(h.store):
        assert (await h.ask(anna, m.Rematch(5), m.Refused)).code == "storage"
    assert not any(isinstance(message, m.Invited) for message in link(bert).sent)
    own = await h.ask(anna, m.Rematch(6), m.Invited)
    assert link(bert).take(m.Invited).match == own.match


async def test_rematches_are_limited(h: LobbyHarness) -> None:
    anna, bert, _ = await ended(h)
    anna.address = bert.address = "192.0.2.7"
    anna.trusted = bert.trusted = False
    created = 0
    for ref in range(10, 20):
        link(anna).sent.clear()
        await h.say(anna, m.Rematch(ref))
        answer = link(anna).take(m.Invited)
        created += answer.ref == ref
    assert created == 10 and len(h.lobby.tasks) == 2, "the same table each time"


async def test_a_held_seat_survives_a_restart(tmp_path: Path) -> None:
    async with open_lobby(tmp_path) as h:
        anna, bert, _ = await ended(h)
        await h.ask(anna, m.Rematch(5), m.Invited)
        invited = link(bert).take(m.Invited)
        async with open_lobby(tmp_path, store=h.store) as again:
            back = person("Bert")
            assert (await again.ask(back, m.Resume(6, invited.match, invited.token), m.Seated)).seat == 1
