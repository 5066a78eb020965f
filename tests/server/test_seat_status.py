"""Status of a player's seats: asking takes no seat and wakes no match."""

from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from server.delivery.peer import Peer
from server.lobby.seat_status import ASKED, MOST
from server.matches.task import LINGER
from server.storage.port import ChairRecord, Damaged
from shared import messages as m
from shared.tables import SeatKind, TablePhase
from tests.server.fakes import settle
from tests.server.lobby_harness import LobbyHarness, name, open_lobby, person
from tests.server.records import record

ANNA = b"a" * 32


async def asked(h: LobbyHarness, *held: tuple[str, bytes], peer: Peer | None = None) -> tuple[m.Holding, ...]:
    """Return the status of a client's seats, by tokens or by profile."""
    return (await h.ask(peer or person("Anna"), m.Mine(7, held), m.Holdings)).seats


async def seated(h: LobbyHarness, peer: Peer, people: int = 2, **options: Any) -> m.Seated:
    return await h.ask(peer, m.Create(2, "toy", people, {"rounds": 50}, "Title", **options), m.Seated)


async def test_a_token_tells_of_its_seat_and_stays_good(h: LobbyHarness) -> None:
    anna, bob = person("Anna"), person("Bob")
    mine = await seated(h, anna, think=60)
    (table,) = await asked(h, (mine.match, mine.token))
    assert (table.match, table.title, table.ruleset, table.seat) == (mine.match, "Title", "toy", 0)
    assert (table.phase, table.owed, table.since, table.left) == (TablePhase.GATHERING, (), -1, 0)
    his = await h.ask(bob, m.Join(1, mine.match), m.Seated)
    await h.say(anna, m.Start(3))
    await h.pass_time(20)
    (table,) = await asked(h, (mine.match, mine.token))
    assert (table.phase, table.owed, table.left) == (TablePhase.PLAYING, (0, 1), 40) and 0 <= table.since < 5
    assert [(seat.kind, seat.name) for seat in table.seats] == [
        (SeatKind.PERSON, "Anna"), (SeatKind.PERSON, "Bob"),
    ]  # fmt: skip
    await h.drop(bob)
    for _ in range(3):
        (table,) = await asked(h, (his.match, his.token))
        assert (table.seat, table.seats[1].kind) == (1, SeatKind.AWAY), "nobody came by asking"
    assert (await h.ask(person("Bob"), m.Resume(1, his.match, his.token), m.Seated)).seat == 1


async def test_wrong_tokens_and_unknown_matches_tell_nothing(h: LobbyHarness) -> None:
    mine = await seated(h, person("Anna"))
    assert await asked(h, (mine.match, bytes(32)), ("nowhere", mine.token)) == ()
    assert len(await asked(h, (mine.match, bytes(32)), (mine.match, mine.token), (mine.match, mine.token))) == 1


async def test_a_profile_is_told_of_all_its_seats_and_no_others(h: LobbyHarness) -> None:
    matches = []
    for _ in range(3):
        anna = person("Anna")
        await h.ask(anna, m.Introduce(1, ANNA), m.Introduced)
        matches.append((await seated(h, anna)).match)
    other = await seated(h, person("Bob"))
    elsewhere = person("Anna")
    assert await asked(h, peer=elsewhere) == ()
    await h.ask(elsewhere, m.Introduce(1, ANNA), m.Introduced)
    told = await asked(h, (other.match, other.token), peer=elsewhere)
    assert sorted(table.match for table in told) == sorted([*matches, other.match])
    assert {table.match for table in told if table.known} == set(matches)


async def test_unread_are_the_lines_of_players_since_one_went_away(h: LobbyHarness) -> None:
    anna, bob = person("Anna"), person("Bob")
    mine = await seated(h, anna)
    await h.ask(bob, m.Join(1, mine.match), m.Seated)
    await h.say(anna, m.Start(3))
    await h.say(bob, m.Say(2, "Ave"))
    token = h.token(anna)
    assert (await asked(h, (mine.match, token)))[0].unread == 0
    await h.drop(anna)
    for _ in range(2):
        await h.say(bob, m.Say(2, "Are you there?"))
    assert (await asked(h, (mine.match, token)))[0].unread == 2
    await h.drop(bob)
    await h.pass_time(LINGER + 1)
    assert h.lobby.tables == 0
    assert (await asked(h, (mine.match, token)))[0].unread == 2, "asleep"


async def asleep(h: LobbyHarness) -> tuple[str, bytes]:
    """A match that was begun and left, so that it sleeps; its first seat's token."""
    peers = await h.match(2)
    await h.say(peers[0], name(h, 1, 3))
    match, token = h.only().match, h.token(peers[0])
    await h.only()._members.confirm(peers[0])
    for peer in peers:
        await h.drop(peer)
    await h.pass_time(LINGER + 1)
    assert h.lobby.tables == 0
    return match, token


async def test_sleeping_matches_stay_asleep(h: LobbyHarness) -> None:
    match, token = await asleep(h)
    (table,) = await asked(h, (match, token))
    assert table.owed == (1,) and table.phase == TablePhase.PLAYING and h.lobby.tables == 0
    today = h.lobby._services.date()
    glance = await h.store.look(match)
    assert glance is not None and glance.table.standing is not None
    glance.table.standing = structs.replace(glance.table.standing, since=today - 3600.5)
    await h.store.save(glance.table, (await h.store.claim(match)).epoch)  # type: ignore[union-attr]
    assert 3600 <= (await asked(h, (match, token)))[0].since < 3700
    await h.ask(person("Anna"), m.Resume(1, match, token), m.Seated)
    assert 3600 <= (await asked(h, (match, h.token(next(iter(h.only().table.audience.peers))))))[0].since < 3700


async def test_a_match_whose_server_was_killed_is_woken_once(h: LobbyHarness) -> None:
    match, token = await asleep(h)
    glance = await h.store.look(match)
    assert glance is not None
    glance.table.standing = None
    await h.store.save(glance.table, (await h.store.claim(match)).epoch)  # type: ignore[union-attr]
    assert await asked(h, (match, bytes(32))) == () and h.lobby.tables == 0, "not for strangers"
    assert (await asked(h, (match, token)))[0].owed == (1,) and h.lobby.tables == 1
    await h.pass_time(LINGER + 1)
    assert (await asked(h, (match, token)))[0].owed == (1,) and h.lobby.tables == 0


async def test_match_status_survives_a_server_stop(tmp_path: Path) -> None:
    async with open_lobby(tmp_path) as h:
        peers = await h.match(2)
        match, token = h.only().match, h.token(peers[1])
        await h.only()._members.confirm(peers[1])
    async with open_lobby(tmp_path, awake=False) as h:
        assert (await asked(h, (match, token)))[0].owed == (0, 1) and h.lobby.tables == 0


async def test_a_match_that_cannot_be_read_is_not_said_to_be_gone(
    h: LobbyHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    match, token = await asleep(h)

    async def look(_match: str) -> None:
        raise Damaged("It is damaged.")

    monkeypatch.setattr(h.store, "look", look)
    assert await asked(h, (match, token)) == (m.Holding(match, "", "", -1, TablePhase.PLAYING),)


async def test_finished_matches_are_told_too(h: LobbyHarness) -> None:
    await h.store.create(record("over", phase=TablePhase.OVER, chairs=[ChairRecord("Anna", person="p"), ChairRecord()]))
    anna = person("Anna")
    anna.person = "p"
    ((table),) = await asked(h, peer=anna)
    assert (table.match, table.phase, table.owed) == ("over", TablePhase.OVER, ())


async def test_listed_seats_and_requests_are_limited(h: LobbyHarness) -> None:
    for number in range(MOST + 1):
        await h.store.create(record(f"m{number}", chairs=[ChairRecord("Anna", person="p"), ChairRecord()]))
    anna = person("Anna", "192.0.2.1")
    anna.person = "p"
    assert len(await asked(h, peer=anna)) == MOST
    for _ in range(int(ASKED.at_once) - 1):
        await asked(h, peer=anna)
    assert (await h.ask(anna, m.Mine(1), m.Refused)).code == "rate"
    await settle()
    await h.pass_time(5)
    assert len(await asked(h, peer=anna)) == MOST
