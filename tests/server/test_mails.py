"""Mails as mail programs get them: every header readable, and one click that stops them (RFC 8058)."""

import ast
import asyncio
import email
import re
from collections.abc import AsyncIterator
from email.header import decode_header, make_header
from email.message import Message
from email.policy import compat32
from email.utils import parsedate_tz
from importlib import resources
from itertools import product
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from protocol.text import clean
from server.clock import LoopClock
from server.connections.server_app import App
from server.storage.port import NoticeRecord
from server.webhooks.alerts import Alert
from server.webhooks.languages import catalogue_of
from server.webhooks.mail_sender import MailSender
from server.webhooks.notifier import ONE_CLICK, Notifier
from shared.language.sentence import render
from shared.messages import Create, Introduce, Introduced, Join, NoticeSettings, Notify, Notifying, Seated, Start
from shared.sentences.notices import (
    change_text,
    code_title,
    member_text,
    member_title,
    member_unwanted,
    sign_in_text,
    trial,
    turn_alert,
    turn_reminder,
)
from shared.tables import MAX_NAME, MAX_TITLE, SeatKind
from tests.server.fakes import Client, serving
from tests.server.test_notices import TO, MailServer, mail_server
from tests.server.toy import TOY

LANGUAGES = ("en", *sorted(each.name.removesuffix(".json") for each in
                           (resources.files("server.web") / "files" / "languages").iterdir()))  # fmt: skip
HOSTILE = (
    "x\r\nBcc: victim@example.org", 'He said "hi" <a@b.c>', "=?utf-8?q?Hello?=", "\u202eknat\u202c a", "שלום לכולם",
    "Ünïcödé, with; commas", "名" * 80, "a" * 500, "🏛️👩‍👩‍👧 SPQR", "\x00\x1b[31mred", "%s{what}\\n",
)  # fmt: skip
PERSON = "k3v9"
KEY = bytes(range(16))


class Directory:
    """Directory with one player."""

    def __init__(self, language: str) -> None:
        self.record = NoticeRecord(NoticeSettings(mail=TO, language=language, zone="Europe/Rome"), KEY)

    def notices(self, person: str) -> NoticeRecord | None:
        return self.record if person == PERSON else None


@pytest.fixture
async def mails() -> AsyncIterator[MailServer]:
    """Yield a mail server."""
    async with mail_server() as made:
        yield made


async def arrived(mails: MailServer, notifier: Notifier, count: int) -> None:
    """Wait until so many mails have come and none is on its way."""
    assert notifier.mail is not None
    async with asyncio.timeout(30):
        while len(mails.got) < count or notifier.mail._tasks:
            await asyncio.sleep(0)


def parsed(raw: bytes) -> Message:
    """Return a mail as an old program reads it: header lines as they are, no repair."""
    head = raw.partition(b"\r\n\r\n")[0]
    assert head.isascii() and all(len(line) <= 998 for line in raw.split(b"\r\n"))
    assert raw.count(b"\n") == raw.count(b"\r\n"), "lines end as RFC 5322 says"
    assert not re.search(rb"=\?[^?]*\?[bqBQ]\?[^?]{76}", head), "an encoded word has up to 75 characters (RFC 2047)"
    return email.message_from_bytes(raw, policy=compat32)


def subject(mail: Message) -> str:
    """Return the subject as shown."""
    return str(make_header(decode_header(str(mail["Subject"]).replace("\r\n", ""))))


def checked(raw: bytes, title: str, ends: bool) -> str:
    """Check the headers of a mail; return its text. `ends`: its links must stop further mails."""
    mail = parsed(raw)
    assert subject(mail) == title
    fields = ["To", "Subject", "Message-ID", "From", "Date", "Auto-Submitted", "Content-Type", "MIME-Version"]
    fields += ["Content-Transfer-Encoding", *(["List-Unsubscribe", "List-Unsubscribe-Post"] if ends else [])]
    assert sorted(mail.keys()) == sorted(fields), "no name has brought a header of its own"
    assert (mail["To"], mail["From"]) == (TO, "conquest@play.example.org")
    assert re.fullmatch(r"<[\w.]+@play\.example\.org>", mail["Message-ID"])
    date = parsedate_tz(mail["Date"])
    assert date is not None and date[9] == 0 and not mail["Date"].endswith("-0000")
    if ends:
        link = f"https://play.example.org/{'conquest/' * 8}stop?key={PERSON}-{KEY.hex()}"
        assert mail["List-Unsubscribe"] == f"<{link}>" and mail["List-Unsubscribe-Post"] == ONE_CLICK
    body = mail.get_payload(decode=True)
    assert isinstance(body, bytes)
    text = body.decode(str(mail.get_content_charset())).replace("\r\n", "\n")
    assert not ends or mail["List-Unsubscribe"].strip("<>") in text.split()
    return text


@pytest.mark.parametrize("language", LANGUAGES)
async def test_each_kind_is_readable_in_each_language_whatever_the_names(mails: MailServer, language: str) -> None:
    # The link is longer than a line of a header should be.
    notifier = Notifier(LoopClock(), lambda: f"wss://play.example.org/{'conquest/' * 8}")
    words, expected = catalogue_of(language), []
    for title, name in zip(HOSTILE, reversed(HOSTILE), strict=True):
        title, name = clean(title, MAX_TITLE), clean(name, MAX_TITLE)
        # A sender for each, because an address gets few mails at once.
        notifier.mail = MailSender(LoopClock(), mails.settings)
        notifier.directory = Directory(language)
        alert = Alert("m", title, "Classic", "CODE", (name,), until=1e9)
        for sentence, sent in (
            (turn_alert(title), alert),
            (turn_reminder(title), Alert("m", title, "Classic", "CODE", (name,), until=1e9, reminder=True)),
            (None, Alert("", "Conquest", "", "", (), trial())),
        ):
            notifier.send(PERSON, sent, lambda: None)
            expected.append("Conquest" if sentence is None else render(sentence, words, str))
            await arrived(mails, notifier, len(expected))
    for raw, shown in zip(mails.raw, expected, strict=True):
        text = checked(raw, shown, ends=True)
        assert render(trial(), words, str) in text or "2001-09-09 03:46 CEST" in text
    mails.raw.clear()
    notifier.ask_for_code(TO, "AB12CD34", Directory(language).record)
    await arrived(mails, notifier, len(expected) + 1)
    assert "AB12CD34" in checked(mails.raw[0], render(code_title(), words, str), ends=False)


@pytest.mark.parametrize("language", LANGUAGES)
async def test_codes_of_members_are_readable_whatever_the_names(mails: MailServer, language: str) -> None:
    notifier, words = Notifier(LoopClock(), lambda: "wss://play.example.org/"), catalogue_of(language)
    for sent, name in enumerate(clean(each, MAX_NAME) for each in HOSTILE):
        notifier.mail = MailSender(LoopClock(), mails.settings)
        texts = [
            member_text(notifier.place, "AB12CD34"),
            sign_in_text(notifier.place, name, "AB12CD34"),
            change_text(notifier.place, "new@example.org", "AB12CD34"),
        ]
        for text in texts:
            notifier.mail_code(TO, text, language)
        await arrived(mails, notifier, 3 * sent + 3)
        for raw, text in zip(mails.raw[-3:], texts, strict=True):
            said = checked(raw, render(member_title(), words, str), ends=False)
            assert render(text, words, str) in said and render(member_unwanted(), words, str) in said
            assert "AB12CD34" in said and "on play.example.org" in said.replace("auf play", "on play")


def test_every_kind_of_mail_is_received_here() -> None:
    """A place that sends another kind of mail needs a test above."""
    places = [
        f"{path.name} {function.name}"
        for path in sorted((Path(__file__).parents[2] / "server").rglob("*.py"))
        if re.search(r"mail\.send\(|send_message\(", text := path.read_text())
        for function in ast.walk(ast.parse(text))
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        for call in ast.walk(function)
        if isinstance(call, ast.Call) and ast.unparse(call.func).endswith(("mail.send", "send_message"))
    ]
    sender, doctor = "mail_sender.py _deliver", "doctor.py _notices"  # That of doctor is tested in test_notices.py.
    assert sorted(places) == sorted(
        [doctor, sender, *(f"notifier.py {n}" for n in ("_mail", "ask_for_code", "mail_code"))]
    )


async def test_what_was_not_cleaned_becomes_no_header(mails: MailServer) -> None:
    notifier = Notifier(LoopClock(), lambda: "play.example.org", mail=MailSender(LoopClock(), mails.settings))
    notifier.directory = Directory("en")
    notifier.send(PERSON, Alert("m", HOSTILE[0], "Classic", "CODE", (), until=1e9), lambda: None)
    await arrived(mails, notifier, 1)
    assert mails.got[0]["Bcc"] is None and subject(parsed(mails.raw[0])).startswith("Your turn at “x Bcc:")


# --- the link in a mail of a real server ---


async def asked(app: App, method: str, link: str, body: bytes | None = None, kind: str = "", pause: int = 0) -> str:
    """Ask the server for a link of a mail, as a mail program or scanner does; return the answer."""
    parts, (host, port) = urlsplit(link), app.address.removeprefix("ws://").rsplit(":", 1)
    assert parts.scheme == "https"
    reader, writer = await asyncio.open_connection(host, int(port))
    length = "" if body is None else f"Content-Length: {len(body)}\r\nContent-Type: {kind}\r\n"
    head = f"{method} {parts.path}?{parts.query} HTTP/1.1\r\nHost: {parts.netloc}\r\nConnection: close\r\n{length}\r\n"
    request = head.encode() + (body or b"")
    for at in range(0, len(request), pause or len(request)):
        writer.write(request[at : at + (pause or len(request))])
        await writer.drain()
        await asyncio.sleep(0)
    answer = await asyncio.wait_for(reader.read(), 20)
    writer.close()
    return answer.decode()


async def link_of_a_mail(app: App, mails: MailServer) -> str:
    """Let an absent player get a mail of a match; return the link that stops mails, as a mail program reads it."""
    host, guest = await Client(app.address, "Anna").open(), await Client(app.address, "Bert").open()
    seated = await host.ask(lambda ref: Create(ref, TOY.id, 2, {"rounds": 50}, HOSTILE[0]), Seated)
    await guest.ask(lambda ref: Introduce(ref, b"b" * 32), Introduced)
    code = next(task for task in app.lobby.tasks).table.record.code
    await guest.ask(lambda ref: Join(ref, seated.match, code), Seated)
    await guest.ask(lambda ref: Notify(ref, NoticeSettings(mail=TO)), Notifying)
    async with asyncio.timeout(30):
        while not mails.got:
            await asyncio.sleep(0.01)
    found = re.search(r"there: ([A-Z0-9]{8})", mails.text())
    assert found is not None
    await guest.ask(lambda ref: Notify(ref, code=found[1]), Notifying)
    guest.cut()
    table = next(task for task in app.lobby.tasks).table
    async with asyncio.timeout(30):
        while table.seating.chairs[1].kind is not SeatKind.AWAY:
            await asyncio.sleep(0.01)
        await host.say(Start)
        while len(mails.got) < 2:
            await asyncio.sleep(0.01)
    return str(parsed(mails.raw[-1])["List-Unsubscribe"]).strip("<>")


async def confirmed(app: App) -> list[str]:
    """Return the stored mail addresses."""
    return [each.notices.settings.mail for each in await app.store.people() if each.notices is not None]


PLAIN, FORM = "application/x-www-form-urlencoded", "multipart/form-data; boundary=b"
PARTS = b'--b\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--\r\n'


@pytest.mark.parametrize(("kind", "body", "pause"), [(PLAIN, ONE_CLICK.encode(), 0), (FORM, PARTS, 7)])
async def test_one_click_stops_mails_and_a_scanner_does_not(
    tmp_path: Path, mails: MailServer, kind: str, body: bytes, pause: int
) -> None:
    async with serving(tmp_path, mail=mails.settings, public="play.example.org") as app:
        link = await link_of_a_mail(app, mails)
        for method, more in product(("GET", "HEAD"), ("", "&sure=1", f"&{ONE_CLICK}")):
            assert (await asked(app, method, link + more)).startswith("HTTP/1.1 200")
        page = await asked(app, "GET", link)
        assert '<form method="post"' in page and "form-action 'self'" in page and f'value="{ONE_CLICK[17:]}"' in page
        for nothing in (b"", b"x=1"):
            assert "<form" in await asked(app, "POST", link, nothing, PLAIN)
        assert await confirmed(app) == [TO], "neither reading the link nor an empty form stops mails"
        answer = await asked(app, "POST", link, body, kind, pause)
        assert answer.startswith("HTTP/1.1 200") and "No more mails" in answer and "<form" not in answer
        async with asyncio.timeout(30):
            while await confirmed(app) != [""]:
                await asyncio.sleep(0.01)
        assert (await asked(app, "POST", link, body, kind)).startswith("HTTP/1.1 200"), "a second click does no harm"


async def test_nothing_else_can_be_sent(tmp_path: Path) -> None:
    async with serving(tmp_path, public="play.example.org") as app:
        for path, status in (("/", 405), ("/watch", 405), ("/nowhere", 404)):
            answer = await asked(app, "POST", f"https://play.example.org{path}", b"x=1", PLAIN)
            assert answer.startswith(f"HTTP/1.1 {status}")
        answer = await asked(app, "POST", "https://play.example.org/stop", b"x" * 20_000, PLAIN)
        assert answer == "", "larger requests than a handshake are cut"
