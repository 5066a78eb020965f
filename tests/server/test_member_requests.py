"""Members: confirmed addresses, signing in elsewhere, names that are theirs, own data, and the end of it all."""

import json
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from protocol.limits import Close
from server.delivery.peer import Peer
from server.lobby.profiles import DAY, RESERVED
from server.webhooks.mail_sender import MailSettings
from shared import messages as m
from tests.server.lobby_harness import LobbyHarness, link, open_lobby, person
from tests.server.test_notices import Date

FIRST, SECOND, THIRD = b"a" * 32, b"b" * 32, b"c" * 32
MAIL, NEW = "anna@example.org", "anna@example.net"


class Mailed(LobbyHarness):
    """Lobby whose mails are kept here: recipient, subject, text."""

    mails: list[tuple[str, str, str]]

    def code(self, match: str = "", at: int = -1) -> str:
        """Return the code of a table, or that in the last mail."""
        if match:
            return super().code(match)
        found = re.search(r": ([A-Z0-9]{8})\b", self.mails[at][2])
        assert found is not None, self.mails[at]
        return found[1]


@pytest.fixture
async def h(tmp_path: Path) -> AsyncIterator[Mailed]:
    date = Date()
    async with open_lobby(tmp_path, mail=MailSettings("127.0.0.1", 1, "conquest@example.org"), date=date) as lobby:
        date.clock = lobby.clock
        lobby.__class__ = Mailed
        assert isinstance(lobby, Mailed)
        notifier = lobby.lobby._services.notifier
        assert notifier is not None and notifier.mail is not None
        mails: list[tuple[str, str, str]] = []

        def send(to: str, subject: str, text: str, _headers: object, *_more: Any) -> None:
            mails.append((to, subject, text))

        lobby.mails, notifier.mail.send = mails, send  # type: ignore[method-assign, assignment]
        yield lobby


async def known(h: LobbyHarness, called: str, secret: bytes, address: str = "") -> Peer:
    peer = person(called, address)
    await h.ask(peer, m.Introduce(1, secret, device="Firefox"), m.Introduced)
    return peer


async def member(h: Mailed, called: str = "Anna", secret: bytes = FIRST, mail: str = MAIL) -> Peer:
    peer = await known(h, called, secret)
    told = await h.ask(peer, m.Member(2, mail), m.Membership)
    assert (told.member, told.waiting, told.sends) == (False, (mail,), True)
    told = await h.ask(peer, m.Member(3, code=h.code().lower()), m.Membership)
    assert (told.member, told.mail, told.waiting) == (True, mail, ())
    return peer


async def called_at_a_table(h: LobbyHarness, peer: Peer) -> str:
    await h.ask(peer, m.Create(9, "toy", 2, {"rounds": 50}, "Title"), m.Seated)
    return link(peer).last(m.TableState).seats[0].name


async def test_an_address_makes_a_member_and_says_no_more_than_it_must(h: Mailed) -> None:
    anna = await member(h)
    ((to, subject, text),) = h.mails
    assert (to, subject) == (MAIL, "Your code for Conquest")
    assert "A player of Conquest on play.example.org" in text and "nobody the code" in text
    assert (await h.ask(anna, m.Member(4), m.Membership)).member
    assert await h.ask(anna, m.Member(5, MAIL), m.Membership) and len(h.mails) == 1, "it is theirs already"
    assert (await h.ask(anna, m.Member(6, code="WRONGONE"), m.Refused)).code == "no-code"
    assert (await h.ask(person(), m.Member(7), m.Refused)).code == "no-profile"
    assert (await h.ask(await known(h, "Bob", SECOND), m.Member(8, "no address"), m.Refused)).code == "bad-notices"


async def test_a_second_device_signs_in_by_the_same_two_steps(h: Mailed) -> None:
    anna = await member(h)
    match = (await h.ask(anna, m.Create(4, "toy", 2, {"rounds": 50}, "Title"), m.Seated)).match
    phone = await known(h, "Phone", SECOND, "192.0.2.1")
    guest = phone.person
    told = await h.ask(phone, m.Member(2, "ANNA+conquest@example.org"), m.Membership)
    assert told.waiting == ("ANNA+conquest@example.org",) and not told.signed_in, "as if the address were free"
    assert "signs a device in as Anna" in h.mails[-1][2]
    assert h.mails[-1][0] == MAIL, "not to the typed one, which may be a stranger's"
    code = h.code()
    told = await h.ask(phone, m.Member(3, code=code), m.Membership)
    assert (told.name, told.signed_in, told.member, told.mail) == ("Anna", True, True, MAIL)
    assert phone.person == anna.person and link(phone).closed is link(anna).closed is None
    assert h.lobby.people.record(guest) is None
    assert [each.name for each in (await h.ask(phone, m.Devices(4), m.DeviceList)).devices] == ["Firefox", "Firefox"]
    await h.drop(anna)
    assert (await h.ask(phone, m.Resume(5, match, SECOND), m.Seated)).seat == 0
    other = await known(h, "Eve", THIRD)
    assert (await h.ask(other, m.Member(6, code=code), m.Refused)).code == "no-code", "it works once"


async def test_a_new_device_may_also_come_with_the_code_at_once(h: Mailed) -> None:
    anna = await member(h)
    await h.ask(await known(h, "Eve", SECOND), m.Member(2, MAIL), m.Membership)
    device = person("Anna")
    assert (await h.ask(device, m.Introduce(1, THIRD, h.code()), m.Introduced)).name == "Anna"
    assert device.person == anna.person


async def test_a_code_of_another_device_signs_in_a_guest(h: Mailed) -> None:
    anna = await member(h)
    code = (await h.ask(anna, m.HandOver(4), m.Passage)).code
    phone = await known(h, "Phone", SECOND)
    assert (await h.ask(phone, m.Member(2, code=code), m.Membership)).signed_in
    assert (await h.ask(await known(h, "Eve", THIRD), m.Member(2, code=code), m.Refused)).code == "no-code"


async def test_what_a_guest_played_comes_along(h: Mailed) -> None:
    await member(h)
    phone = await known(h, "Phone", SECOND)
    seated = await h.ask(phone, m.Create(2, "toy", 2, {"rounds": 50}, "Title"), m.Seated)
    guest = phone.person
    await h.ask(phone, m.Member(3, MAIL), m.Membership)
    await h.ask(phone, m.Member(4, code=h.code()), m.Membership)
    assert link(phone).closed is None and phone.table is not None
    assert h.only().table.seating.chairs[0].record.person == phone.person != guest
    await h.drop(phone)
    assert (await h.ask(person("Anna"), m.Resume(5, seated.match, SECOND), m.Seated)).seat == 0
    record = h.lobby.people.record(phone.person)
    assert record is not None and record.earlier == (guest,)


async def test_one_address_has_one_member_and_changes_after_both_confirm(h: Mailed) -> None:
    anna = await member(h)
    told = await h.ask(anna, m.Member(4, NEW), m.Membership)
    assert (told.mail, told.waiting) == (MAIL, (NEW, MAIL))
    assert [to for to, _, _ in h.mails[-2:]] == [NEW, MAIL]
    told = await h.ask(anna, m.Member(5, code=h.code(at=-2)), m.Membership)
    assert (told.mail, told.waiting) == (MAIL, (MAIL,))
    bob = await known(h, "Bob", SECOND)
    await h.ask(bob, m.Member(2, NEW), m.Membership)
    late = h.code()
    told = await h.ask(anna, m.Member(6, code=h.code(at=-2)), m.Membership)
    assert (told.mail, told.waiting) == (NEW, ())
    assert (await h.ask(bob, m.Member(3, code=late), m.Refused)).code == "no-code", "the address has a member by now"
    carl = await known(h, "Carl", THIRD)
    await h.ask(carl, m.Member(2, MAIL), m.Membership)
    assert (await h.ask(carl, m.Member(3, code=h.code()), m.Membership)).mail == MAIL


async def test_codes_end_and_cannot_be_asked_for_without_end(h: Mailed) -> None:
    eve = await known(h, "Eve", SECOND, "192.0.2.1")
    for _ in range(2):
        await h.ask(eve, m.Member(2, MAIL), m.Membership)
    assert (await h.ask(eve, m.Member(3, MAIL), m.Refused)).code == "rate"
    assert (await h.ask(eve, m.Member(4, NEW), m.Refused)).code == "rate", "one address of hers asks three times"
    await h.pass_time(DAY)
    assert (await h.ask(eve, m.Member(5, code=h.code()), m.Refused)).code == "no-code"
    anna = await member(h)
    await h.ask(eve, m.Member(6, MAIL), m.Membership)
    await h.pass_time(3601)
    assert (await h.ask(eve, m.Member(7, code=h.code()), m.Refused)).code == "no-code"
    assert h.lobby.people.record(anna.person) is not None


@pytest.mark.parametrize("alike", ["Anna", "ANNA", "\u0410nna"])
async def test_a_members_name_and_all_that_look_like_it_are_theirs(h: Mailed, alike: str) -> None:
    anna = await member(h)
    guest = await known(h, alike, SECOND)
    assert await called_at_a_table(h, guest) == f"{alike} 2"
    assert (await h.ask(guest, m.Rename(5, alike), m.Refused)).code == "name"
    assert await called_at_a_table(h, anna) == "Anna"
    assert await called_at_a_table(h, person(alike)) == f"{alike} 2"


async def test_an_old_name_stays_reserved_for_thirty_days(h: Mailed) -> None:
    await member(h)
    again = person("Livia")
    assert (await h.ask(again, m.Introduce(1, FIRST), m.Introduced)).name == "Livia"
    assert await called_at_a_table(h, person("Anna")) == "Anna 2"
    assert await called_at_a_table(h, person("Livia")) == "Livia 2"
    bob = await member(h, "Bob", SECOND, "bob@example.org")
    assert (await h.ask(person("Anna"), m.Introduce(1, SECOND), m.Introduced)).name == "Bob"
    await h.pass_time(RESERVED)
    assert (await h.ask(person("Anna"), m.Introduce(1, SECOND), m.Introduced)).name == "Anna"
    assert bob.person != again.person


async def test_a_new_member_of_a_taken_name_gets_a_number(h: Mailed) -> None:
    await member(h)
    other = await known(h, "anna", SECOND)
    await h.ask(other, m.Member(2, "other@example.org"), m.Membership)
    assert (await h.ask(other, m.Member(3, code=h.code()), m.Membership)).name == "anna 2"


async def test_an_invitation_makes_a_member_and_brings_one_back_without_mail(tmp_path: Path) -> None:
    async with open_lobby(tmp_path) as h:
        code, _person = await h.lobby.people.invite("Livia")
        guest = await known(h, "Tapper", FIRST)
        assert (await h.ask(guest, m.Member(2, MAIL), m.Refused)).code == "no-notices"
        told = await h.ask(guest, m.Member(3, code=code), m.Membership)
        assert (told.name, told.member, told.mail, told.signed_in) == ("Livia", True, "", True)
    async with open_lobby(tmp_path) as h:
        code, _person = await h.lobby.people.invite("livia")
        assert len(await h.store.people()) == 1
        device = await known(h, "Phone", SECOND)
        assert (await h.ask(device, m.Member(2, code=code), m.Membership)).name == "Livia"
        assert await called_at_a_table(h, person("Livia")) == "Livia 2"


async def test_an_invitation_by_a_former_name_opens_no_profile_of_another_member(h: Mailed) -> None:
    await member(h)
    renamed = person("Livia")
    await h.ask(renamed, m.Introduce(1, FIRST), m.Introduced)
    code, invited = await h.lobby.people.invite("Anna")
    assert (invited.name, invited.person != renamed.person) == ("Anna 2", True)
    device = await known(h, "Phone", SECOND)
    assert (await h.ask(device, m.Member(2, code=code), m.Membership)).name == "Anna 2"


async def test_an_address_that_is_never_confirmed_is_forgotten_after_a_day(h: Mailed) -> None:
    await h.lobby.begin()
    anna, bert = await known(h, "Anna", FIRST), await known(h, "Bert", SECOND)
    await h.ask(anna, m.Member(2, MAIL), m.Membership)
    await h.ask(bert, m.Notify(3, m.NoticeSettings(mail="bert@example.org")), m.Notifying)
    code, _invited = await h.lobby.people.invite("Carl")

    def waiting() -> list[tuple[list[str], str]]:
        asked = [(each, each.notices) for each in h.lobby.people.all()]
        return sorted(([code.mail for code in each.codes], notices.asked if notices else "") for each, notices in asked)

    await h.pass_time(DAY - 60)
    assert waiting() == [([], "bert@example.org"), ([""], ""), ([MAIL], "")]
    await h.pass_time(2 * 3600)  # It is looked for once an hour.
    assert waiting() == [([], ""), ([], ""), ([""], "")], "the invitation stays"
    stored = repr(await h.store.people())
    assert MAIL not in stored and "bert@example.org" not in stored
    await h.ask(await known(h, "Carl", THIRD), m.Member(4, code=code), m.Membership)


async def test_own_data_comes_in_pieces_and_not_too_often(h: Mailed, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.lobby.member_requests.PIECE", 100)
    anna = await member(h)
    data, total = b"", 1
    while len(data) < total:
        piece = await h.ask(anna, m.OwnData(4, len(data)), m.OwnDataPiece)
        data, total = data + piece.data, piece.total
    found = json.loads(data)
    assert (found["name"], found["mail"], found["devices"][0]["name"]) == ("Anna", MAIL, "Firefox")
    assert (await h.ask(anna, m.OwnData(5, total), m.Refused)).code == "bad-message"
    for _ in range(2):
        await h.ask(anna, m.OwnData(6), m.OwnDataPiece)
    assert (await h.ask(anna, m.OwnData(7), m.Refused)).code == "rate"
    assert (await h.ask(person(), m.OwnData(8), m.Refused)).code == "no-profile"


async def test_a_person_erases_themselves_by_their_name(h: Mailed) -> None:
    anna = await member(h)
    await h.pass_time(60)
    phone = await known(h, "Phone", SECOND)
    await h.ask(phone, m.Member(2, MAIL), m.Membership)
    await h.ask(phone, m.Member(3, code=h.code()), m.Membership)
    assert (await h.ask(phone, m.EraseMe(4, "Anna"), m.Refused)).code == "new-here", "a thief cannot on the first day"
    assert (await h.ask(anna, m.EraseMe(4, "Bob"), m.Refused)).code == "name"
    await h.ask(anna, m.EraseMe(5, "Anna"), m.Done)
    assert link(anna).closed == link(phone).closed == Close.ENDED
    assert await h.store.people() == []
    assert (await h.ask(person("Anna"), m.Introduce(1, FIRST), m.Introduced)).fresh
    await h.pass_time(3600)
    other = await member(h, "Livia", THIRD)
    assert other.person != anna.person, "the address is free again"
