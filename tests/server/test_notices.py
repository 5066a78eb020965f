"""Notices of players: by mail, ntfy and Discord, in time, once, and to no stranger."""

import asyncio
import email
import json
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from email.message import Message
from email.policy import default
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.smtp import SMTP
from msgspec import structs

from server.addresses import counted
from server.command_line import parser
from server.connections.server_app import Settings
from server.delivery.peer import Peer
from server.lobby.notice_requests import FROM
from server.matches.task import LINGER
from server.matches.turn_notices import EVERY, RETURNING
from server.storage.sqlite import SqliteStore
from server.tools.doctor import _notices
from server.tools.serve import mail_of
from server.web.stop_page import StopPage
from server.webhooks.alerts import Alert, text_of
from server.webhooks.mail_sender import MailSettings, is_address
from server.webhooks.notifier import ONE_CLICK, Notifier
from server.webhooks.quiet_hours import quiet_end, quiet_hours_begin
from server.webhooks.sender import page_link
from shared.messages import (
    Introduce,
    Introduced,
    NoticeSettings,
    Notify,
    Notifying,
    Refused,
    Resume,
    Seated,
    Start,
    Welcome,
)
from shared.tables import NoticeWhen, Pace, Run
from tests.server.fakes import Client, FakeClock, serving, settle
from tests.server.lobby_harness import LobbyHarness, name, open_lobby, person
from tests.server.test_webhooks import HERE, Receiver, receiver

__all__ = ["receiver"]
ANNA, BOB = b"a" * 32, b"b" * 32
TO = "anna@example.org"
NOON = 1_795_780_800.0  # 2026-11-27 12:00 UTC
HOUR = 3600
A_DAY = Pace(Run.POST, 24 * HOUR)


class Date:
    """Date that advances with a fake clock."""

    def __init__(self, begin: float = NOON) -> None:
        self.begin = begin
        self.clock: FakeClock | None = None

    def __call__(self) -> float:
        return self.begin + (self.clock.now() - 1000.0 if self.clock is not None else 0.0)


class MailServer:
    """Mail server on this computer."""

    def __init__(self) -> None:
        self.answers: list[str] = []
        """Replies to messages; with none left, all are accepted."""
        self.got: list[Message] = []
        self.raw: list[bytes] = []
        """The same mails as they came."""
        self.port = 0
        self.came = asyncio.Event()

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:
        self.raw.append(envelope.content)
        self.got.append(email.message_from_bytes(envelope.content, policy=default))
        self.came.set()
        assert envelope.rcpt_tos == [self.got[-1]["To"]]
        return self.answers.pop(0) if self.answers else "250 OK"

    @property
    def settings(self) -> MailSettings:
        """The operator's settings of this server."""
        return MailSettings("127.0.0.1", self.port, "conquest@play.example.org", tls="none")

    def text(self, at: int = -1) -> str:
        """Return the text of a mail."""
        return str(self.got[at].get_payload(decode=True).decode()).replace("\r\n", "\n")  # type: ignore[union-attr]


@asynccontextmanager
async def mail_server() -> AsyncIterator[MailServer]:
    """Run a mail server on a free port."""
    made = MailServer()
    server = await asyncio.get_running_loop().create_server(lambda: SMTP(made, hostname="mail.test"), "127.0.0.1", 0)
    made.port = server.sockets[0].getsockname()[1]
    yield made
    server.close()


@pytest.fixture
async def mails() -> AsyncIterator[MailServer]:
    """Yield a mail server."""
    async with mail_server() as made:
        yield made


@asynccontextmanager
async def opened(
    path: Path, mails: MailServer, date: Date | None = None, awake: bool = True, **more: Any
) -> AsyncIterator[LobbyHarness]:
    """A server that sends mails, and messages to other services. It loads profiles before matches, as real ones do."""
    date = date or Date()
    async with open_lobby(path, mail=mails.settings, hooks=HERE, date=date, awake=False, **more) as h:
        date.clock = h.clock
        await h.lobby.know_people()
        for match in await h.store.unfinished() if awake else ():
            await h.lobby.wake(match)
        yield h


async def sent(h: LobbyHarness) -> None:
    """Wait until nothing is on its way."""
    notifier = h.lobby._services.notifier
    assert notifier is not None and notifier.mail is not None and notifier._foreign is not None
    for _ in range(2000):
        if not notifier.mail._tasks and not notifier._foreign._tasks:
            break
        await settle()
    await h.quiet()


async def anna(h: LobbyHarness, peer: Peer | None = None, secret: bytes = ANNA) -> Peer:
    """Return a client with a profile."""
    peer = peer or person("Anna")
    await h.ask(peer, Introduce(8, secret), Introduced)
    return peer


async def with_mail(h: LobbyHarness, mails: MailServer, peer: Peer, **more: Any) -> Notifying:
    """Set and confirm a mail address; return the settings."""
    await h.ask(peer, Notify(3, NoticeSettings(mail=TO, **more)), Notifying)
    await sent(h)
    code = re.search(r"there: ([A-Z0-9]{8})", mails.text())
    assert code is not None
    told = await h.ask(peer, Notify(4, code=code[1]), Notifying)
    mails.got.clear()
    return told


async def begun(h: LobbyHarness, settle_in: Callable[[Peer], Any], pace: Pace | None = A_DAY) -> list[Peer]:
    """Begin a match of two, whose second player has notices and is away."""
    peers = await h.table(2, pace=pace)
    await anna(h, peers[1])
    await settle_in(peers[1])
    await h.drop(peers[1])
    await h.say(peers[0], Start(6))
    await sent(h)
    return peers


# --- mail addresses ---


async def test_an_address_gets_notices_only_after_its_code(tmp_path: Path, mails: MailServer) -> None:
    async with opened(tmp_path, mails) as h:
        peer = await anna(h)
        told = await h.ask(peer, Notify(3, NoticeSettings(mail=TO, language="de")), Notifying)
        assert (told.settings.mail, told.waiting) == ("", TO)
        told = await h.ask(peer, Notify(3, NoticeSettings(remind=60)), Notifying)
        assert (told.settings.remind, told.waiting) == (60, TO), "other settings leave it waiting"
        await sent(h)
        assert [mail["To"] for mail in mails.got] == [TO] and mails.got[0]["Auto-Submitted"] == "auto-generated"
        assert (await h.ask(peer, Notify(4, code="AAAAAAAA"), Refused)).code == "no-code"
    async with opened(tmp_path, mails) as h:  # The code is still valid after a restart.
        peer = await anna(h)
        code = re.search(r"\b[A-Z0-9]{8}\b", mails.text())
        assert code is not None
        told = await h.ask(peer, Notify(4, code=code[0].lower()), Notifying)
        assert (told.settings.mail, told.waiting, told.ways) == (TO, "", ("ntfy", "discord", "mail"))
        assert (await h.ask(peer, Notify(4, code=code[0]), Refused)).code == "no-code"


async def test_one_code_goes_to_an_address_in_an_hour_for_all_together(tmp_path: Path, mails: MailServer) -> None:
    ask = Notify(3, NoticeSettings(mail=TO))
    async with opened(tmp_path, mails) as h:
        assert await h.ask(await anna(h), ask, Notifying)
        for same in (TO.upper(), TO.replace("@", "+1@"), TO.replace("@", "+b+c@")):
            again = Notify(3, NoticeSettings(mail=same))
            assert (await h.ask(await anna(h, secret=BOB), again, Refused)).code == "rate"
    async with opened(tmp_path, mails, Date(NOON + 60)) as h:  # A restart forgets no request.
        other = await anna(h, secret=BOB)
        assert (await h.ask(other, ask, Refused)).code == "rate"
        await h.pass_time(HOUR)
        assert await h.ask(other, ask, Notifying)
        await sent(h)
    assert len(mails.got) <= 2


async def test_a_client_address_causes_few_codes(tmp_path: Path, mails: MailServer) -> None:
    async with opened(tmp_path, mails) as h:
        peer = await anna(h, person("Anna", "203.0.113.9"))
        for n in range(int(FROM.at_once)):
            assert await h.ask(peer, Notify(3, NoticeSettings(mail=f"a{n}@example.org")), Notifying)
        assert (await h.ask(peer, Notify(3, NoticeSettings(mail=TO)), Refused)).code == "rate"


async def test_a_few_networks_cannot_use_up_the_codes_of_others(tmp_path: Path, mails: MailServer) -> None:
    async with opened(tmp_path, mails) as h:
        for site, home in product(range(3), range(4)):
            place = counted(f"2001:db8:{site}:{home}::1")
            peer = await anna(h, person("Anna", place), bytes([site, home]) * 16)
            for n in range(int(FROM.at_once)):
                await h.say(peer, Notify(3, NoticeSettings(mail=f"a{site}{home}{n}@example.org")))
        other = await anna(h, person("Bob", "203.0.113.9"), BOB)
        assert await h.ask(other, Notify(3, NoticeSettings(mail=TO)), Notifying)


async def test_the_link_asks_and_its_button_stops_mails(tmp_path: Path, mails: MailServer) -> None:
    async with opened(tmp_path, mails) as h:
        await begun(h, lambda peer: with_mail(h, mails, peer))
        link = re.search(r"https://play\.example\.org/stop\?(key=\S+)", mails.text())
        assert link is not None and mails.got[0]["List-Unsubscribe"] == f"<{link[0]}>"
        page = StopPage(h.lobby.notices.stops, h.lobby.notices.stop_mails)
        assert TO in page.answer(link[1], None).plain.decode()
        await h.quiet()
        assert h.lobby.people._people and [p.notices.settings.mail for p in await h.store.people() if p.notices] == [TO]
        page.answer(link[1], ONE_CLICK.encode())
        await h.quiet()
        assert [p.notices.settings.mail for p in await h.store.people() if p.notices] == [""]
        wrong = page.answer("key=x-00", ONE_CLICK.encode()).plain.decode()
        assert "stops nothing" in wrong and page.answer(link[1], ONE_CLICK.encode()).plain.decode() == wrong


@pytest.mark.parametrize("wrong", ["anna", "a@b", "a b@c.de", "a@c.de\nBcc: x@y.z", "<a@c.de>", "a@-c.de", "ä@c.de"])
async def test_what_is_no_mail_address_is_refused(tmp_path: Path, mails: MailServer, wrong: str) -> None:
    assert is_address(TO) and not is_address(wrong)
    async with opened(tmp_path, mails) as h:
        answer = await h.ask(await anna(h), Notify(3, NoticeSettings(mail=wrong)), Refused)
        assert answer.code == "bad-notices"


@pytest.mark.parametrize("url", ["https://10.0.0.1/topic", "ftp://ntfy.sh/x", "ntfy.sh/x"])
async def test_notices_lead_to_the_internet_alone(tmp_path: Path, mails: MailServer, url: str) -> None:
    async with opened(tmp_path, mails) as h:
        peer = await anna(h)
        for settings in (NoticeSettings(ntfy=url), NoticeSettings(discord=url)):
            assert (await h.ask(peer, Notify(3, settings), Refused)).code == "bad-notices"
        assert (await h.ask(peer, Notify(3, NoticeSettings(zone="Rome")), Refused)).code == "bad-notices"
        assert (await h.ask(person("Bob"), Notify(3), Refused)).code == "no-profile"


# --- what is sent, and when ---


async def test_a_mail_names_game_decision_and_deadline_and_links_there(tmp_path: Path, mails: MailServer) -> None:
    async with opened(tmp_path, mails) as h:
        await begun(h, lambda peer: with_mail(h, mails, peer, zone="Europe/Rome"))
        code = h.only().table.record.code
        (mail,) = mails.got
        assert mail["Subject"] == "Your turn at “Title”" and mail["From"] == "conquest@play.example.org"
        assert mails.text().startswith(f"{h.rules.title}. Time until 2026-11-28 13:00 CET.")
        assert f"https://play.example.org/watch#{code}\n" in mails.text()


@pytest.mark.parametrize(
    ("zone", "until"),
    [("UTC", "12:00 UTC"), ("", "12:00 UTC"), ("Mars/Olympus", "12:00 UTC"), ("Europe/Rome", "13:00 CET"),
     ("America/New_York", "07:00 EST"), ("America/Sao_Paulo", "09:00 UTC-03"), ("Asia/Kathmandu", "17:45 UTC+0545")],
)  # fmt: skip
def test_every_deadline_says_its_time_zone_in_every_language(zone: str, until: str) -> None:
    date = datetime(2026, 11, 28, 12, tzinfo=UTC).timestamp()
    for language in ("en", "de"):
        said = text_of(Alert("m", "Title", "Classic", "CODE", (), until=date), language, zone)
        assert f"2026-11-28 {until}" in said.body


async def test_notices_call_bots_by_their_names(
    tmp_path: Path, mails: MailServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    alerts: list[Alert] = []
    monkeypatch.setattr(Notifier, "send", lambda _notifier, _person, alert, _done: alerts.append(alert))
    async with opened(tmp_path, mails) as h:
        peers = await h.table(2, pace=A_DAY)
        await anna(h, peers[1])
        await with_mail(h, mails, peers[1])
        await h.drop(peers[1])
        bot = h.only().table.record.chairs[0]
        bot.name, bot.bot = "", "normal"
        await h.say(peers[0], Start(6))
        await h.quiet()
    assert [alert.names for alert in alerts] == [("Aurelia", peers[1].called)]


async def test_ntfy_and_discord_are_told_with_a_mention(tmp_path: Path, mails: MailServer, receiver: Receiver) -> None:
    url = f"http://127.0.0.1:{receiver.port}"
    settings = NoticeSettings(ntfy=f"{url}/topic", discord=f"{url}/d", mention="42")
    async with opened(tmp_path, mails) as h:
        await begun(h, lambda peer: h.ask(peer, Notify(3, settings), Notifying), None)
        code = h.only().table.record.code
    heard = {
        line.split()[1]: (headers, data) for line, (headers, data) in zip(receiver.first, receiver.heard, strict=True)
    }
    headers, data = heard["/topic"]
    assert headers["Title"].startswith("=?utf-8?") and headers["Click"].endswith(f"/watch#{code}")
    assert data.decode() == h.rules.title
    said = json.loads(heard["/d"][1])
    assert said["content"].startswith("<@42> **Your turn at “Title”**") and said["content"].endswith(code)
    assert said["allowed_mentions"] == {"parse": [], "users": ["42"]}


async def test_a_notice_and_a_reminder_come_once_through_sleep_and_restarts(tmp_path: Path, mails: MailServer) -> None:
    date = Date()
    async with opened(tmp_path, mails, date, timekeeping=True) as h:
        peers = await begun(h, lambda peer: with_mail(h, mails, peer, remind=180))
        assert len(mails.got) == 1
        await h.say(peers[0], name(h, 1, 5))
        await h.drop(peers[0])
        await h.pass_time(LINGER + 1)
        assert not h.lobby.tasks, "it sleeps"
        begin = date()
    date = Date(begin)
    async with opened(tmp_path, mails, date, timekeeping=True, awake=False) as h:
        await h.pass_time(20 * HOUR)
        await sent(h)
        assert len(mails.got) == 1
        await h.pass_time(HOUR)
        await sent(h)
        assert [mail["Subject"] for mail in mails.got][1:] == ["Reminder: your turn at “Title”"]
        await h.pass_time(LINGER + 1)
        begin = date()
    async with opened(tmp_path, mails, Date(begin), timekeeping=True) as h:
        await h.pass_time(2 * HOUR)
        await sent(h)
    assert len(mails.got) == 2


async def test_a_takeover_sends_what_was_on_its_way_and_nothing_twice(tmp_path: Path, mails: MailServer) -> None:
    async with opened(tmp_path, mails) as h:
        mails.answers = ["250 OK"]
        await begun(h, lambda peer: with_mail(h, mails, peer), None)
        assert len(mails.got) == 1
        async with opened(tmp_path, mails, store=h.store) as other:  # As after a kill -9 of the first.
            await other.pass_time(RETURNING + 1)
            await sent(other)
            assert len(mails.got) == 1
            record = other.only().table.record
            record.notices = tuple([structs.replace(mark, told=False) for mark in record.notices])
            await other.only().table.save()
            async with opened(tmp_path, mails, store=h.store) as third:
                await third.pass_time(RETURNING - 1)
                await sent(third)
                assert len(mails.got) == 1, "people may be about to return"
                await third.pass_time(2)
                await sent(third)
                assert len(mails.got) == 2


async def test_quiet_hours_hold_notices_back(tmp_path: Path, mails: MailServer) -> None:
    # 12:00 UTC is 21:00 in Tokyo.
    more = {"quiet": (20 * 60, 7 * 60), "zone": "Asia/Tokyo"}
    date = Date()
    async with opened(tmp_path, mails, date, timekeeping=True) as h:
        peers = await begun(h, lambda peer: with_mail(h, mails, peer, **more), None)
        await h.drop(peers[0])
        await h.pass_time(9 * HOUR)
        await sent(h)
        assert not mails.got and not h.lobby.tasks
        await h.pass_time(HOUR)
        await sent(h)
        assert len(mails.got) == 1


@pytest.mark.parametrize("zone", ["UTC", "Nowhere/City", "../x"])
def test_a_zone_that_this_computer_does_not_know_means_utc(zone: str) -> None:
    alert = Alert("m", "Friday night", "Classic", "VENI42", (), until=86400.0)
    assert text_of(alert, "en", zone).body.endswith("1970-01-02 00:00 UTC.")
    night = NoticeSettings(quiet=(22 * 60, 7 * 60), zone=zone)
    assert quiet_end(night, 86400.0) == 86400.0 + 7 * 3600


async def test_quiet_hours_follow_the_zone_and_its_summer_time() -> None:
    night = NoticeSettings(quiet=(22 * 60, 7 * 60), zone="Europe/Rome")
    before_midnight = 1_792_879_200.0  # 2026-10-24 22:00 UTC, a night with 25 hours a day
    assert quiet_end(night, before_midnight) == before_midnight + 8 * HOUR
    assert quiet_hours_begin(night, before_midnight) == before_midnight - 2 * HOUR
    assert quiet_end(night, NOON) == NOON and quiet_end(structs.replace(night, quiet=(0, 0)), NOON) == NOON


@pytest.mark.parametrize(("when", "there", "count"), [
    (NoticeWhen.ALWAYS, True, 1), (NoticeWhen.AWAY, True, 0), (NoticeWhen.NEVER, False, 0), (NoticeWhen.AWAY, False, 1),
])  # fmt: skip
@pytest.mark.parametrize("by_match", [False, True])
async def test_players_choose_when_and_for_each_match(
    tmp_path: Path, mails: MailServer, when: NoticeWhen, there: bool, count: int, by_match: bool
) -> None:
    async with opened(tmp_path, mails) as h:
        peers = await h.table(2)
        await anna(h, peers[1])
        await with_mail(h, mails, peers[1])
        match = h.only().match
        settings = NoticeSettings(mail=TO, **{"matches": ((match, when),)} if by_match else {"when": when})
        assert (await h.ask(peers[1], Notify(3, settings), Notifying)).settings == settings
        if not there:
            await h.drop(peers[1])
        await h.say(peers[0], Start(6))
        await sent(h)
        await h.pass_time(EVERY + 1)
        await sent(h)
        assert len(mails.got) == count


async def test_a_player_who_decides_gets_no_late_notice(tmp_path: Path, mails: MailServer) -> None:
    async with opened(tmp_path, mails) as h:
        peers = await begun(h, lambda peer: with_mail(h, mails, peer, quiet=(11 * 60, 13 * 60)))
        token = h.only().table.seating.chairs[1].offer_token()
        back = person("Anna")
        await h.ask(back, Resume(1, h.only().match, token, 0), Seated)
        await h.pass_time(2 * HOUR)
        await sent(h)
        assert not mails.got and peers


async def test_a_refused_mail_is_tried_again_and_then_left(tmp_path: Path, mails: MailServer) -> None:
    async with opened(tmp_path, mails) as h:
        peer = await anna(h)
        await with_mail(h, mails, peer)
        mails.answers = ["451 later", "550 no"]
        await h.ask(peer, Notify(5, test=True), Notifying)
        for _ in range(3):
            await sent(h) if not h.clock.waiting else await h.pass_time(15)
            for _ in range(200):
                await settle()
        assert len(mails.got) == 2
        assert len({mail["Message-ID"] for mail in mails.got}) == 1


async def test_a_store_keeps_the_notices(tmp_path: Path, mails: MailServer) -> None:
    async with opened(tmp_path, mails) as h:
        await begun(h, lambda peer: with_mail(h, mails, peer))
        assert isinstance(h.store, SqliteStore)
        (kept,) = [each for each in await h.store.people() if each.notices is not None]
        assert kept.notices is not None and kept.notices.settings.mail == TO and len(kept.notices.key) == 16
        assert (await h.store.look(h.only().match)).table.notices[-1].told  # type: ignore[union-attr]


# --- the operator's settings ---


def asked(*arguments: str, **surroundings: str) -> MailSettings | None:
    return mail_of(parser().parse_args(["serve", *arguments]), surroundings)


def test_the_operator_names_a_mail_server(tmp_path: Path) -> None:
    password = tmp_path / "password"
    password.write_text("s3cret\n")
    assert asked() is None
    more = ("--public", "play.example.org", "--smtp-from", TO)
    assert asked("--smtp", "mail.example.org", *more) == MailSettings("mail.example.org", 587, TO)
    assert asked(*more, CONQUEST_SMTP="[::1]:2525", CONQUEST_SMTP_TLS="none") == MailSettings(
        "::1", 2525, TO, tls="none"
    )
    full = {"CONQUEST_SMTP_USER": TO, "CONQUEST_SMTP_PASSWORD_FILE": str(password), "CONQUEST_SMTP_TLS": "tls"}
    page = parser().parse_args(["serve", "--public", "https://example.org/conquest/"]).public
    assert (
        page == "wss://example.org/conquest/"
        and page_link(page, "VENI42") == "https://example.org/conquest/watch#VENI42"
    )
    assert asked("--public", "play.example.org", "--smtp", "m", **full) == MailSettings(
        "m", 465, TO, TO, "s3cret", "tls"
    )
    password.write_bytes(b"\xff\xfe")
    with pytest.raises(ValueError, match=r"password holds no text; give the right file, in UTF-8\.$"):
        asked("--public", "play.example.org", "--smtp", "m", **full)


@pytest.mark.parametrize(("arguments", "words"), [
    ("--smtp m --public p.example.org", "--smtp-from"),
    ("--smtp m --smtp-from a@b.de", "--public"),
    ("--smtp m:x --smtp-from a@b.de --public p.example.org", "--smtp: The port must be 1 to 65535"),
    ("--smtp m --smtp-from a@b.de --public p.example.org --smtp-user a", "belong together"),
    ("--smtp m --smtp-from a@b.de --public p --smtp-user a --smtp-password-file f --smtp-tls none", "unencrypted"),
])  # fmt: skip
def test_settings_that_cannot_work_are_explained(arguments: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        asked(*arguments.split())


async def test_doctor_tries_the_mail_server(tmp_path: Path, mails: MailServer) -> None:
    settings = Settings(tmp_path, mail=mails.settings)
    assert [remark.well for remark in await _notices(settings)] == [True, True]
    assert not mails.got
    (_, sent) = await _notices(settings, TO)
    assert sent.well and f"a mail is on its way to {TO}" in sent.text
    assert re.fullmatch(r"<\S+@play.example.org>", mails.got[-1]["Message-ID"])
    assert "can send mails to you" in mails.text() and mails.got.pop()["Subject"] == "Conquest: a test mail"
    refused = await _notices(Settings(tmp_path), TO)
    assert not refused[-1].well and refused[-1].text == "--test-mail needs --smtp."
    mails.answers.append("550 no such mailbox")
    assert "sends no mails" in (await _notices(settings, TO))[-1].text
    mails.got.clear()
    closed = structs.replace(mails.settings, port=1)
    found = await _notices(structs.replace(settings, mail=closed))
    assert not found[-1].well and "--smtp" in found[-1].text and not mails.got


async def test_a_server_offers_its_ways(tmp_path: Path, mails: MailServer) -> None:
    async with serving(tmp_path, mail=mails.settings, public="play.example.org") as app:
        client = await Client(app.address, "Anna").open()
        assert "notices" in (await client.wait_for(Welcome)).can
        client.cut()
    async with serving(tmp_path) as app:
        client = await Client(app.address, "Anna").open()
        assert "notices" not in (await client.wait_for(Welcome)).can
        client.cut()
