"""Bans and mutes by the operator: their reach, their end, and the words to the person."""

from pathlib import Path

from protocol.limits import Close
from server.delivery.peer import Peer
from server.matches.moderation import NETWORK
from server.storage.port import DeedKind
from shared import messages as m
from shared.tables import SeatKind
from tests.server.lobby_harness import LobbyHarness, link, name, open_lobby, person

ANNA, NEW, THIRD = b"a" * 32, b"b" * 32, b"c" * 32
HOME, NEXT_DOOR, ELSEWHERE = "2001:db8:1:1::/64", "2001:db8:1:2::/64", "2001:db8:2:1::/64"


async def known(h: LobbyHarness, called: str, secret: bytes, address: str = "") -> Peer:
    """Return a client that has introduced itself by a profile's secret."""
    peer = person(called, address)
    await h.ask(peer, m.Introduce(1, secret), m.Introduced)
    return peer


async def refusal(h: LobbyHarness, peer: Peer, message: m.ClientMessage) -> m.Refused:
    """Return the refusal of a message."""
    return await h.ask(peer, message, m.Refused)


async def ban(h: LobbyHarness, called: str, days: float = 0.0, kind: DeedKind = DeedKind.BAN) -> None:
    """Ban a person, or mute them."""
    (record,) = h.lobby.people.named(called)
    until = h.lobby._services.date() + days * 86_400 if days else 0.0
    await h.lobby.operator.add(
        kind, person=record.person, name=record.name, secrets=record.secrets, until=until, text="Spam"
    )
    await h.quiet()


async def test_a_banned_person_is_told_why_and_sent_away_and_the_match_goes_on(h: LobbyHarness) -> None:
    anna = await known(h, "Anna", ANNA)
    await h.ask(anna, m.Create(2, "toy", 2, {"rounds": 50}, "Title"), m.Seated)
    bob = person("Bob")
    await h.ask(bob, m.Join(2, h.only().match), m.Seated)
    await h.ask(anna, m.Start(3), m.Done)
    link(anna).sent.clear()
    await ban(h, "Anna")
    told = link(anna).take(m.Refused)
    assert (told.ref, told.code) == (0, "banned") and told.text == "You are banned from this server for good: Spam."
    assert link(anna).closed is Close.BANNED
    await h.drop(anna)
    assert link(bob).last(m.TableState).seats[0].kind is SeatKind.AWAY and h.only().table.record.chairs[0].person
    again = person("Anna")
    assert "for good" in (await refusal(h, again, m.Introduce(1, ANNA))).text and link(again).closed is Close.BANNED
    back = person("Anna")
    assert (await refusal(h, back, m.Resume(2, h.only().match, h_token(h)))).code == "banned"
    assert link(back).closed is Close.BANNED


def h_token(h: LobbyHarness) -> bytes:
    """Return a valid token of the first seat."""
    return bytes(h.only().table.seating.chairs[0].offer_token())


async def test_a_ban_ends_by_itself_or_by_the_operator(h: LobbyHarness) -> None:
    await known(h, "Anna", ANNA)
    await ban(h, "Anna", days=2)
    assert "until 2" in (await refusal(h, person("Anna"), m.Introduce(1, ANNA))).text
    await ban(h, "Anna", kind=DeedKind.UNBAN)
    await known(h, "Anna", ANNA)
    await ban(h, "Anna", days=-1)
    await known(h, "Anna", ANNA)


async def test_new_guests_of_the_network_stay_out_and_known_people_of_it_come(h: LobbyHarness) -> None:
    await known(h, "Anna", ANNA, HOME)
    await known(h, "Livia", THIRD, NEXT_DOOR)
    await ban(h, "Anna")
    evading = person("Somebody", NEXT_DOOR)
    assert "New guests of your network" in (await refusal(h, evading, m.Introduce(1, NEW))).text
    assert link(evading).closed is None
    create = m.Create(2, "toy", 2, {"rounds": 50}, "Title")
    assert (await refusal(h, evading, create)).code == "banned", "without a profile, too"
    await known(h, "Livia", THIRD, NEXT_DOOR)
    await known(h, "Other", b"d" * 32, ELSEWHERE)
    await ban(h, "Anna", kind=DeedKind.UNBAN)
    await known(h, "Somebody", NEW, NEXT_DOOR)


async def test_the_network_of_a_banned_person_is_known_once_they_come_and_then_forgotten(tmp_path: Path) -> None:
    async with open_lobby(tmp_path) as h:
        await known(h, "Anna", ANNA)
    async with open_lobby(tmp_path) as h:
        await h.lobby.know_people()
        await ban(h, "Anna", days=400)
        assert not any(deed.network for deed in await h.store.deeds())
        await refusal(h, person("Anna", HOME), m.Introduce(1, ANNA))
        await h.quiet()
        (deed,) = [deed for deed in await h.store.deeds() if deed.kind is DeedKind.NETWORK]
        assert deed.network == "2001:db8:1::/48" and deed.until < h.lobby._services.date() + NETWORK + 1
        assert "network" in (await refusal(h, person("New", NEXT_DOOR), m.Introduce(1, NEW))).text
    async with open_lobby(tmp_path) as h:
        await h.lobby.know_people()
        assert "network" in (await refusal(h, person("New", NEXT_DOOR), m.Introduce(1, NEW))).text
        later = h.lobby._services.date() + NETWORK + 2
        h.lobby.moderation._date = lambda: later
        await known(h, "New", NEW, NEXT_DOOR)


async def test_a_ban_holds_for_the_device_after_the_profile_is_gone(h: LobbyHarness) -> None:
    await known(h, "Anna", ANNA)
    await ban(h, "Anna")
    (record,) = h.lobby.people.named("Anna")
    await h.lobby.people._forget(record)
    assert (await refusal(h, person("Livia"), m.Introduce(1, ANNA))).code == "banned"


async def test_a_muted_person_plays_on_and_is_heard_at_no_table(h: LobbyHarness) -> None:
    anna = await known(h, "Anna", ANNA)
    await h.ask(anna, m.Create(2, "toy", 2, {"rounds": 50}, "Title"), m.Seated)
    await ban(h, "Anna", days=1, kind=DeedKind.MUTE)
    assert link(anna).take(m.Notice).code == "muted" and link(anna).closed is None
    refused = await refusal(h, anna, m.Say(3, "Hello"))
    assert refused.code == "muted" and refused.text.startswith("You may not speak on this server until 2")
    await ban(h, "Anna", kind=DeedKind.UNMUTE)
    await h.ask(anna, m.Say(4, "Hello"), m.Said)


async def test_a_read_only_server_lets_running_matches_go_on_alone(tmp_path: Path) -> None:
    async with open_lobby(tmp_path) as h:
        anna, _ = await h.match()
        await known(h, "Livia", THIRD)
        link(anna).sent.clear()
        await h.lobby.operator.add(DeedKind.READ_ONLY, text="Read-only.")
        await h.lobby.operator.add(DeedKind.BANNER, text="Until eight.")
        assert [link(anna).take(m.Notice).text for _ in range(2)] == ["Read-only.", "Until eight."]
        await h.ask(anna, name(h, 1, 7), m.Accepted)
        for message in (m.Say(3, "Hello"), m.Introduce(3, NEW)):
            assert (await refusal(h, anna, message)).code == "read-only"
        await known(h, "Livia", THIRD)
        create = m.Create(2, "toy", 2, {"rounds": 50}, "Title")
        assert (await refusal(h, person("Carl"), create)).code == "read-only"
        await h.ask(person("Carl"), m.Watch(3, h.only().match), m.Done)
    async with open_lobby(tmp_path) as h:
        await h.lobby.know_people()
        assert [notice.code for notice in h.lobby.moderation.words()] == ["read-only", "banner"]
        await h.lobby.operator.add(DeedKind.READ_ONLY)
        await h.lobby.operator.add(DeedKind.BANNER)
        assert not h.lobby.moderation.words()
        await h.ask(person("Carl"), create, m.Seated)
