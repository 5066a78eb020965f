"""Profiles: whose a name is, whose a seat is, and how both come to another device."""

import time
from pathlib import Path

import pytest
from msgspec import structs

from protocol.limits import Close
from server.delivery.peer import Peer
from server.lobby.profiles import AWAY, DAY, DEVICES, NEW_PROFILES, PASSAGE, UNUSED, Profiles
from server.lobby.remote_tables import NoRemoteTables
from server.storage.port import PersonRecord
from shared import messages as m
from tests.server.fakes import FakeLink
from tests.server.lobby_harness import LobbyHarness, failing, link, name, open_lobby, person

ANNA, OTHER, THIRD = b"a" * 32, b"b" * 32, b"c" * 32


async def known(h: LobbyHarness, called: str, secret: bytes, address: str = "") -> Peer:
    """Return a client that has introduced itself by a profile's secret."""
    peer = person(called, address)
    await h.ask(peer, m.Introduce(1, secret), m.Introduced)
    return peer


async def seated_name(h: LobbyHarness, peer: Peer) -> str:
    """Return the name of a client at a table of its own."""
    await h.ask(peer, m.Create(2, "toy", 2, {"rounds": 50}, "Title"), m.Seated)
    return link(peer).last(m.TableState).seats[0].name


@pytest.mark.parametrize("called", ["Anna", "ANNA", "\u0410nna"])
async def test_guests_of_one_name_are_told_apart_only_at_one_table(h: LobbyHarness, called: str) -> None:
    anna = person("Anna")
    assert await h.ask(anna, m.Introduce(1, ANNA), m.Introduced) == m.Introduced(1, "Anna", fresh=True)
    assert await h.ask(person("Anna"), m.Introduce(1, ANNA), m.Introduced) == m.Introduced(1, "Anna")
    other = person(called)
    assert (await h.ask(other, m.Introduce(1, OTHER), m.Introduced)).name == called
    assert await seated_name(h, anna) == "Anna"
    match = h.only().match
    assert await seated_name(h, person(called)) == called
    await h.ask(other, m.Join(2, match, h.code(match)), m.Seated)
    assert other.called == f"{called} 2"
    onlooker = person("Anna")
    await h.ask(onlooker, m.Watch(1, match), m.Done)
    assert onlooker.called == "Anna 3"


async def test_profiles_of_earlier_versions_lose_their_stars(tmp_path: Path) -> None:
    async with open_lobby(tmp_path) as h:
        today = h.lobby._services.date()
        for number, called in enumerate(("Tapper", "Tapper**********", "*")):
            await h.store.keep_person(PersonRecord(f"p{number}", called, (bytes([number]) * 32,), today, today))
        await known(h, "Bob", OTHER)
        assert sorted(each.name for each in await h.store.people()) == ["*", "Bob", "Tapper", "Tapper"]


async def test_a_profile_outlives_the_server_and_goes_by_a_new_name(tmp_path: Path) -> None:
    async with open_lobby(tmp_path) as h:
        await known(h, "Anna", ANNA)
        await known(h, "Bob", OTHER)
    async with open_lobby(tmp_path) as h:
        assert await h.ask(person("Livia"), m.Introduce(1, ANNA), m.Introduced) == m.Introduced(1, "Livia")
        assert (await h.ask(person("Livia"), m.Introduce(1, OTHER), m.Introduced)).name == "Livia"
        assert b"a" * 32 not in (tmp_path / "db").read_bytes(), "the secret itself is kept nowhere"


async def test_a_profile_cannot_take_name_after_name(h: LobbyHarness) -> None:
    await known(h, "Anna", ANNA)
    for n in range(5):
        assert (await h.ask(person(f"Anna {n}"), m.Introduce(1, ANNA), m.Introduced)).name == f"Anna {n}"
    assert (await h.ask(person("Livia"), m.Introduce(1, ANNA), m.Introduced)).name == "Anna 4"
    assert await seated_name(h, person("Livia")) == "Livia"
    await h.pass_time(600)
    assert (await h.ask(person("Livia"), m.Introduce(1, ANNA), m.Introduced)).name == "Livia"


async def test_a_seat_is_taken_again_by_the_profile_alone(h: LobbyHarness) -> None:
    anna = await known(h, "Anna", ANNA)
    seated = await h.ask(anna, m.Create(2, "toy", 2, {"rounds": 50}, "Title"), m.Seated)
    bob = person("Bob")
    await h.ask(bob, m.Join(1, seated.match, h.code(seated.match)), m.Seated)
    await h.ask(anna, m.Start(3), m.Done)
    await h.say(anna, name(h, 1, 1))
    elsewhere = person("Anna")
    again = await h.ask(elsewhere, m.Resume(1, seated.match, ANNA), m.Seated)
    assert (again.seat, again.command) == (0, 1) and again.token != seated.token
    assert link(anna).closed is not None, "replaced"
    await h.say(elsewhere, name(h, 2, 2))
    assert (await h.ask(person(), m.Resume(1, seated.match, seated.token), m.Refused)).code == "bad-token"
    await h.drop(elsewhere)
    assert (await h.ask(person(), m.Resume(1, seated.match, again.token), m.Seated)).seat == 0


@pytest.mark.parametrize("secret", [OTHER, THIRD, bytes(32)])
async def test_no_other_secret_opens_the_seat(h: LobbyHarness, secret: bytes) -> None:
    anna = await known(h, "Anna", ANNA)
    seated = await h.ask(anna, m.Create(2, "toy", 2, {"rounds": 50}, "Title"), m.Seated)
    stranger = await known(h, "Bob", OTHER)
    assert (await h.ask(stranger, m.Resume(1, seated.match, secret), m.Refused)).code == "bad-token"
    free = person("Cleo")
    await h.ask(free, m.Join(1, seated.match, h.code(seated.match)), m.Seated)
    assert (await h.ask(stranger, m.Resume(1, seated.match, secret), m.Refused)).code == "bad-token"


async def test_a_seat_taken_before_one_had_a_profile_becomes_its_own(h: LobbyHarness) -> None:
    anna = person("Anna")
    seated = await h.ask(anna, m.Create(2, "toy", 2, {"rounds": 50}, "Title"), m.Seated)
    await h.ask(anna, m.Introduce(3, ANNA), m.Introduced)
    assert h.only().table.seating.chairs[0].record.offered, "that its token has arrived is not known by this"
    await h.drop(anna)
    assert (await h.ask(person("Anna"), m.Resume(1, seated.match, ANNA), m.Seated)).seat == 0


async def test_a_seat_taken_again_by_its_token_follows_the_profile(h: LobbyHarness) -> None:
    anna = person("Anna")
    seated = await h.ask(anna, m.Create(2, "toy", 2, {"rounds": 50}, "Title"), m.Seated)
    await h.drop(anna)
    again = await known(h, "Anna", ANNA)
    await h.ask(again, m.Resume(1, seated.match, seated.token), m.Seated)
    await h.drop(again)
    assert (await h.ask(person("Anna"), m.Resume(1, seated.match, ANNA), m.Seated)).seat == 0


async def test_a_seat_that_was_given_up_is_free(h: LobbyHarness) -> None:
    anna = await known(h, "Anna", ANNA)
    match = (await h.ask(anna, m.Create(2, "toy", 2, {"rounds": 50}, "Title"), m.Seated)).match
    await h.ask(person("Bob"), m.Join(1, match, h.code(match)), m.Seated)
    await h.ask(anna, m.Leave(3), m.Left)
    assert (await h.ask(anna, m.Resume(4, match, ANNA), m.Refused)).code == "bad-token"
    assert not await h.lobby.people._has_seat(anna.person)


async def test_kicked_people_do_not_return_under_another_name(h: LobbyHarness) -> None:
    host = person("Host")
    seated = await h.ask(host, m.Create(1, "toy", 2, {"rounds": 50}, "Title"), m.Seated)
    anna = await known(h, "Anna", ANNA)
    await h.ask(anna, m.Join(2, seated.match), m.Seated)
    await h.ask(host, m.Kick(2, 1), m.Done)
    back = await known(h, "Livia", ANNA)
    assert (await h.ask(back, m.Join(2, seated.match), m.Refused)).code == "kicked"


async def handed_over(h: LobbyHarness, peer: Peer) -> str:
    return (await h.ask(peer, m.HandOver(9), m.Passage)).code


async def test_another_device_gets_the_profile_by_a_code_that_works_once(h: LobbyHarness) -> None:
    anna = await known(h, "Anna", ANNA)
    match = (await h.ask(anna, m.Create(2, "toy", 2, {"rounds": 50}, "Title"), m.Seated)).match
    code = await handed_over(h, anna)
    assert len(code) == 8
    device = person("Anna", "192.0.2.1")
    assert await h.ask(device, m.Introduce(1, OTHER, code.lower()), m.Introduced) == m.Introduced(1, "Anna")
    assert (await h.ask(person("Eve"), m.Introduce(1, THIRD, code), m.Refused)).code == "no-code"
    await h.drop(anna)
    assert (await h.ask(device, m.Resume(2, match, OTHER), m.Seated)).seat == 0
    for secret in (ANNA, OTHER):
        assert (await h.ask(person("Anna"), m.Introduce(1, secret), m.Introduced)).name == "Anna"


async def test_a_code_holds_ten_minutes_and_only_the_last_one(h: LobbyHarness) -> None:
    anna = await known(h, "Anna", ANNA)
    first, second = await handed_over(h, anna), await handed_over(h, anna)
    assert (await h.ask(person(), m.Introduce(1, OTHER, first), m.Refused)).code == "no-code"
    await h.pass_time(PASSAGE)
    assert (await h.ask(person(), m.Introduce(1, OTHER, second), m.Refused)).code == "no-code"
    third = await handed_over(h, anna)
    await h.pass_time(PASSAGE - 1)
    assert (await h.ask(person(), m.Introduce(1, OTHER, third), m.Introduced)).name == "Anna"


async def test_guessing_hand_codes_is_throttled_like_table_codes(h: LobbyHarness) -> None:
    code = await handed_over(h, await known(h, "Anna", ANNA))
    eve = person("Eve", "192.0.2.1")
    for n in range(3):
        await h.ask(eve, m.Introduce(n + 1, OTHER, "WRONG"), m.Refused)
    await h.ask(eve, m.Join(4, "", "WRONG"), m.Refused)
    refused = await h.ask(eve, m.Introduce(5, OTHER, code), m.Refused)
    assert refused.code == "rate" and "try again in 2 seconds" in refused.text
    await h.pass_time(2)
    await h.ask(eve, m.Introduce(6, OTHER, code), m.Introduced)


async def test_a_secret_of_one_profile_opens_no_other(h: LobbyHarness) -> None:
    code = await handed_over(h, await known(h, "Anna", ANNA))
    bob = await known(h, "Bob", OTHER)
    assert (await h.ask(bob, m.Introduce(2, OTHER, code), m.Refused)).code == "known"
    assert (await h.ask(person("Bob"), m.Introduce(1, OTHER), m.Introduced)).name == "Bob"


async def test_only_who_is_known_asks_for_codes_and_not_too_often(h: LobbyHarness) -> None:
    assert (await h.ask(person(), m.HandOver(1), m.Refused)).code == "no-profile"
    anna = await known(h, "Anna", ANNA)
    for _ in range(5):
        await handed_over(h, anna)
    assert (await h.ask(anna, m.HandOver(9), m.Refused)).code == "rate"


async def test_the_oldest_device_goes_when_there_is_one_too_many(h: LobbyHarness) -> None:
    anna = await known(h, "Anna", ANNA)
    for n in range(DEVICES):
        await h.pass_time(60)
        code = await handed_over(h, anna)
        await h.ask(person("Anna"), m.Introduce(1, bytes([n]) * 32, code), m.Introduced)
    assert not (await h.ask(person("Anna"), m.Introduce(1, b"\0" * 32), m.Introduced)).fresh
    assert (await h.ask(person("Anna"), m.Introduce(1, ANNA), m.Introduced)) == m.Introduced(1, "Anna", fresh=True)


async def test_an_address_makes_few_profiles_and_others_are_not_hindered(h: LobbyHarness) -> None:
    for n in range(int(NEW_PROFILES.at_once)):
        await known(h, "Eve", bytes([n]) * 32, "192.0.2.1")
    eve = person("Eve", "192.0.2.1")
    assert (await h.ask(eve, m.Introduce(1, ANNA), m.Refused)).code == "rate"
    assert (await h.ask(eve, m.Introduce(2, b"\0" * 32), m.Introduced)).name == "Eve", "who is known already may come"
    assert (await known(h, "Anna", ANNA, "192.0.2.2")).name == "Anna"
    await h.pass_time(600)
    assert (await known(h, "Livia", OTHER, "192.0.2.1")).name == "Livia"


async def test_a_server_knows_so_many_people(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.lobby.profiles.MOST", 1)
    async with open_lobby(tmp_path) as h:
        await known(h, "Anna", ANNA)
        bob = person("Bob")
        assert (await h.ask(bob, m.Introduce(1, OTHER), m.Refused)).code == "enough"
        assert await seated_name(h, bob) == "Bob"


async def test_a_site_makes_four_times_as_many_profiles_as_an_address_and_no_more(h: LobbyHarness) -> None:
    """A single /48 took all places in 51 seconds."""
    made = 0
    for n in range(60):
        peer = person("Eve", f"2001:db8:1:{n:x}::/64")
        await h.say(peer, m.Introduce(1, n.to_bytes(32, "big")))
        made += any(isinstance(message, m.Introduced) for message in link(peer).sent)
    assert made == 4 * NEW_PROFILES.at_once
    assert (await known(h, "Anna", ANNA, "2001:db8:2::/64")).name == "Anna"


async def test_profiles_that_were_never_used_again_make_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.lobby.profiles.MOST", 4)
    async with open_lobby(tmp_path) as h:
        people = h.lobby.people
        for secret, called in ((ANNA, "Anna"), (OTHER, "Once"), (THIRD, "Seated")):
            await known(h, called, secret)
        await h.table(2)
        h.only()
        host = person("Seated")
        await h.ask(host, m.Introduce(1, THIRD), m.Introduced)
        await h.ask(host, m.Create(2, "toy", 2, {"rounds": 50}, "Title"), m.Seated)
        await known(h, "Eve", bytes(32))
        for kept in await h.store.people():
            people._put(structs.replace(kept, made=kept.made - 2 * DAY, seen=kept.seen - 2 * DAY))
        await known(h, "Anna", ANNA)
        assert (await known(h, "Bob", b"b1" * 16)).name == "Bob"
        assert (await known(h, "Cleo", b"b2" * 16)).name == "Cleo"
        assert (await h.ask(person("Dora"), m.Introduce(1, b"b3" * 16), m.Refused)).code == "enough"
        assert sorted(kept.name for kept in await h.store.people()) == ["Anna", "Bob", "Cleo", "Seated"]


async def test_a_profile_of_today_or_of_an_older_version_makes_no_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.lobby.profiles.MOST", 2)
    async with open_lobby(tmp_path) as h:
        await known(h, "Anna", ANNA)
        today = h.lobby._services.date()
        h.lobby.people._put(PersonRecord("old", "Old", (OTHER,), today - 20 * DAY))
        assert (await h.ask(person("Bob"), m.Introduce(1, THIRD), m.Refused)).code == "enough"
        await h.pass_time(61)
        assert (await h.ask(person("Bob"), m.Introduce(2, THIRD), m.Refused)).code == "enough"


async def test_a_change_that_cannot_be_stored_did_not_happen(h: LobbyHarness) -> None:
    await known(h, "Anna", ANNA)
    with failing(h.store):
        assert (await h.ask(person("Bob"), m.Introduce(1, OTHER), m.Refused)).code == "storage"
        assert (await h.ask(person("Livia"), m.Introduce(1, ANNA), m.Refused)).code == "storage"
    assert await seated_name(h, person("Bob")) == "Bob"
    assert await h.ask(person("Bob"), m.Introduce(1, OTHER), m.Introduced) == m.Introduced(1, "Bob", fresh=True)


async def test_long_absent_profiles_are_forgotten(h: LobbyHarness) -> None:
    today = h.lobby._services.date()
    host, _ = await h.table(2)
    await h.ask(host, m.Introduce(3, THIRD), m.Introduced)
    kept = (await h.store.people())[0]
    seated, seen = kept.person, today - UNUSED - DAY
    await h.store.keep_person(PersonRecord(seated, "Seated", (THIRD,), seen))
    await h.store.keep_person(PersonRecord("fresh", "Fresh", (ANNA,), today - UNUSED + DAY))
    await h.store.keep_person(PersonRecord("stale", "Stale", (OTHER,), seen))
    people = Profiles(h.lobby._services, h.lobby._guessed, NoRemoteTables())
    await people.load()
    assert sorted(person.name for person in await h.store.people()) == ["Fresh", "Seated"]
    await h.store.keep_person(PersonRecord(seated, "Seated", (THIRD,), today - AWAY - DAY))
    await Profiles(h.lobby._services, h.lobby._guessed, NoRemoteTables()).load()
    assert [person.name for person in await h.store.people()] == ["Fresh"]


async def test_a_visit_is_noted_once_a_day(h: LobbyHarness) -> None:
    await known(h, "Anna", ANNA)
    (before,) = await h.store.people()
    await known(h, "Anna", ANNA)
    assert await h.store.people() == [before]
    h.lobby.people._put(PersonRecord(before.person, "Anna", before.secrets, before.seen - 2 * DAY))
    await known(h, "Anna", ANNA)
    assert (await h.store.people())[0].seen >= before.seen


async def test_a_peer_is_as_it_was_before_it_said_anything() -> None:
    peer = Peer(FakeLink(), "Anna")
    assert (peer.person, peer.proof, peer.said, peer.name) == ("", b"", "Anna", "Anna")


async def test_of_several_seats_of_a_profile_the_empty_one_is_taken_again(h: LobbyHarness) -> None:
    """Two devices of one player at one table: a returning one does not disconnect the other."""
    host = person("Host")
    match = (await h.ask(host, m.Create(1, "toy", 3, {"rounds": 50}, "Title"), m.Seated)).match
    first, second = await known(h, "Anna", ANNA), await known(h, "Anna", ANNA)
    for seat, peer in enumerate((first, second), 1):
        assert (await h.ask(peer, m.Join(2, match, h.code(match)), m.Seated)).seat == seat
    await h.drop(second)
    assert (await h.ask(person("Anna"), m.Resume(3, match, ANNA), m.Seated)).seat == 2
    assert link(first).closed is None
    await h.drop(first)
    assert (await h.ask(person("Anna"), m.Resume(3, match, ANNA), m.Seated)).seat == 1


async def test_the_token_of_a_seat_goes_before_the_profile(h: LobbyHarness) -> None:
    anna = await known(h, "Anna", ANNA)
    match = (await h.ask(anna, m.Create(1, "toy", 2, {"rounds": 50}, "Title"), m.Seated)).match
    ben = person("Ben")
    seated = await h.ask(ben, m.Join(2, match, h.code(match)), m.Seated)
    await h.drop(ben)
    assert (await h.ask(await known(h, "Anna", ANNA), m.Resume(3, match, seated.token), m.Seated)).seat == 1


async def devices_of(h: LobbyHarness, peer: Peer, end: bytes = b"") -> tuple[m.Device, ...]:
    return (await h.ask(peer, m.Devices(8, end), m.DeviceList)).devices


async def two_devices(h: LobbyHarness) -> tuple[Peer, Peer]:
    """Return two devices of a profile, both connected."""
    anna = person("Anna")
    await h.ask(anna, m.Introduce(1, ANNA, "", "Firefox, Linux"), m.Introduced)
    phone = person("Anna")
    await h.ask(phone, m.Introduce(1, OTHER, await handed_over(h, anna), "Chrome,\nAndroid"), m.Introduced)
    return anna, phone


async def test_a_player_sees_their_devices(h: LobbyHarness) -> None:
    anna, phone = await two_devices(h)
    first, second = await devices_of(h, phone)
    assert (first.name, first.here, second.name, second.here) == ("Firefox, Linux", False, "Chrome, Android", True)
    assert (first.since, first.seen, second.since) == (0, 0, 0)
    assert (await h.ask(person("Bob"), m.Devices(1), m.Refused)).code == "no-profile"
    assert (await h.ask(anna, m.Devices(1, b"none"), m.Refused)).code == "no-device"


async def test_a_new_device_cannot_shut_out_an_older_one(h: LobbyHarness) -> None:
    anna, phone = await two_devices(h)
    first, second = await devices_of(h, phone)
    assert (await h.ask(phone, m.Devices(1, first.id), m.Refused)).code == "new-here"
    assert await devices_of(h, phone, second.id), "but itself"
    anna, phone = await two_devices(h)
    first, _ = await devices_of(h, anna)
    h.lobby.people._date = lambda: time.time() + DAY
    assert len(await devices_of(h, phone, first.id)) == 1


async def test_an_ended_device_loses_its_secret_its_seat_and_its_connection(h: LobbyHarness) -> None:
    anna, phone = await two_devices(h)
    seat = await h.ask(phone, m.Create(2, "toy", 2, {"rounds": 50}, "Title"), m.Seated)
    await h.ask(anna, m.HandOver(3), m.Passage)
    code = await handed_over(h, phone)
    (left,) = await devices_of(h, anna, (await devices_of(h, anna))[1].id)
    assert left.here and link(phone).closed == Close.ENDED
    await h.drop(phone)
    thief = person("Anna")
    for key in (seat.token, OTHER):
        assert (await h.ask(thief, m.Resume(4, seat.match, key), m.Refused)).code == "bad-token"
        assert (await h.ask(thief, m.Mine(5, ((seat.match, key),)), m.Holdings)).seats == ()
    assert (await h.ask(thief, m.Introduce(6, THIRD, code), m.Refused)).code == "no-code"
    assert (await h.ask(thief, m.Introduce(7, OTHER), m.Introduced)) == m.Introduced(7, "Anna", fresh=True)
    assert (await h.ask(anna, m.Resume(9, seat.match, ANNA), m.Seated)).seat == 0


async def test_a_token_alone_does_not_keep_the_seat_of_an_ended_device(h: LobbyHarness) -> None:
    anna, phone = await two_devices(h)
    seat = await h.ask(phone, m.Create(2, "toy", 2, {"rounds": 50}, "Title"), m.Seated)
    copied = person("Eve")
    await h.ask(copied, m.Resume(1, seat.match, seat.token), m.Seated)
    await devices_of(h, anna, (await devices_of(h, anna))[1].id)
    assert link(copied).closed == Close.ENDED


async def test_a_device_that_comes_by_its_secret_makes_the_tokens_of_another_one_void(h: LobbyHarness) -> None:
    anna, phone = await two_devices(h)
    seat = await h.ask(phone, m.Create(2, "toy", 2, {"rounds": 50}, "Title"), m.Seated)
    await h.ask(anna, m.Resume(3, seat.match, ANNA), m.Seated)
    assert (await h.ask(person("Anna"), m.Resume(1, seat.match, seat.token), m.Refused)).code == "bad-token"
    assert (await h.ask(person("Anna"), m.Resume(1, seat.match, OTHER), m.Seated)).seat == 0


async def test_devices_outlive_a_restart_and_an_ended_one_stays_ended(tmp_path: Path) -> None:
    async with open_lobby(tmp_path) as h:
        anna, phone = await two_devices(h)
        seat = await h.ask(phone, m.Create(2, "toy", 2, {"rounds": 50}, "Title"), m.Seated)
        await devices_of(h, anna, (await devices_of(h, anna))[1].id)
    async with open_lobby(tmp_path) as h:
        thief = person("Eve")
        assert (await h.ask(thief, m.Resume(4, seat.match, seat.token), m.Refused)).code == "bad-token"
        assert [each.name for each in await devices_of(h, await known(h, "Anna", ANNA))] == ["Firefox, Linux"]
