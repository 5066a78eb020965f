"""Push alerts: an absent player's devices learn, encrypted and signed, that a decision is owed."""

import asyncio
import base64
import json
import logging
import ssl
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from msgspec.structs import replace

from server.command_line import main, parser
from server.connections.server_app import Push
from server.delivery.peer import Peer
from server.lobby.profiles import DEVICES
from server.matches.turn_notices import EVERY
from server.storage.port import PushRecord
from server.tools.serve import PUSH_KEY, push_of
from server.webhooks.address_check import Unfit
from server.webhooks.alerts import Alert
from server.webhooks.push_key import PushKey, new_key, read_key
from server.webhooks.push_sender import PushSender, payload
from shared.language.sentence import Person, Sentence
from shared.messages import Done, Introduce, Introduced, Refused, Resume, Seated, Start, Subscribe, TableState, Welcome
from shared.rulesets.registry import RULESETS
from tests.server.fakes import Client, FakeClock, serving, settle
from tests.server.lobby_harness import LobbyHarness, link, name, open_lobby, person
from tests.server.test_notices import MailServer, mails, opened, sent, with_mail
from tests.server.test_notices import begun as begun_by_post
from tests.server.test_webhooks import PEM, Receiver, at, receiver

http_ece = pytest.importorskip("http_ece", reason="needs pywebpush")
py_vapid = pytest.importorskip("py_vapid", reason="needs pywebpush")

__all__ = ["mails", "receiver"]
ANNA, BOB = b"a" * 32, b"b" * 32
AUTH = bytes(range(16))
CONTACT = "mailto:host@example.org"


@pytest.fixture
def key(tmp_path: Path) -> PushKey:
    """Return a server's key."""
    new_key(tmp_path / "push.pem")
    return read_key(tmp_path / "push.pem", CONTACT)


class Device:
    """A browser's push subscription at a push service on this computer."""

    def __init__(self, receiver: Receiver, language: str = "en", path: str = "s3cret") -> None:
        self.private = ec.generate_private_key(ec.SECP256R1())
        form = serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
        endpoint = f"http://127.0.0.1:{receiver.port}/push/{path}"
        self.record = PushRecord(endpoint, self.private.public_key().public_bytes(*form), AUTH, language)

    def subscription(self, ref: int = 9) -> Subscribe:
        """Return the request that alerts this device."""
        it = self.record
        return Subscribe(ref, it.endpoint, it.p256dh, it.auth, it.language)

    def reads(self, data: bytes) -> dict[str, Any]:
        """Return what an alert says once it is decrypted."""
        plain = http_ece.decrypt(data, private_key=self.private, auth_secret=AUTH, version="aes128gcm")
        said: dict[str, Any] = json.loads(plain)
        return said


async def introduced(h: LobbyHarness, peer: Peer, secret: bytes) -> Peer:
    await h.ask(peer, Introduce(8, secret), Introduced)
    return peer


async def begun_without(h: LobbyHarness, device: Device) -> list[Peer]:
    """Start a match of two; the second player has that device and is away."""
    peers = await h.table(2)
    await introduced(h, peers[1], ANNA)
    assert await h.ask(peers[1], device.subscription(), Done)
    await h.drop(peers[1])
    await h.say(peers[0], Start(6))
    await arrived(h)
    return peers


async def arrived(h: LobbyHarness) -> None:
    """Wait until no alert is on its way."""
    notifier = h.lobby._services.notifier
    assert notifier is not None and notifier.push is not None
    sender = notifier.push
    for _ in range(1000):
        if not sender._tasks and not sender._dropping:
            break
        await settle()
    await h.quiet()


# --- what a device is told ---


async def test_alert_can_be_read_by_the_device_alone_and_is_signed(
    tmp_path: Path, receiver: Receiver, key: PushKey
) -> None:
    device = Device(receiver)
    async with open_lobby(tmp_path, push=key) as h:
        await begun_without(h, device)
        record = h.only().table.record
    ((headers, data),) = receiver.heard
    assert receiver.first == ["POST /push/s3cret HTTP/1.1"]
    assert device.reads(data) == {
        "title": "Your turn at “Title”", "body": h.rules.title, "lang": "en", "match": record.match,
        "link": f"/watch#{record.code}",
    }  # fmt: skip
    assert b"Title" not in data
    assert headers["Content-Encoding"] == "aes128gcm" and headers["Topic"] == record.match
    assert int(headers["TTL"]) > 0 and headers["Urgency"] == "high"
    check_signature(headers["Authorization"], key, f"http://127.0.0.1:{receiver.port}")


class OneDevice:
    """Directory of a profile with one device."""

    def __init__(self, record: PushRecord) -> None:
        self._record = record

    def pushes(self, _person: str) -> tuple[PushRecord, ...]:
        return (self._record,)

    async def drop_push(self, _person: str, endpoint: str) -> None:
        raise AssertionError(endpoint)


async def test_alert_reaches_a_push_service_over_tls(key: PushKey, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(PEM))
    service, context = Receiver(), ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(PEM)
    server = await asyncio.start_server(service.talk, "127.0.0.1", 0, ssl=context)
    service.port = server.sockets[0].getsockname()[1]
    device, origin = Device(service), f"https://hook.test:{service.port}"
    sender = PushSender(FakeClock(), key, loopback=True, resolve=at("127.0.0.1"))
    sender.devices = OneDevice(replace(device.record, endpoint=f"{origin}/push/s3cret"))
    sender.alert("anna", Alert("m1", "Friday night", "Classic", "abc", ("Anna",)))
    await service.asked.wait()
    ((headers, data),) = service.heard
    assert device.reads(data)["link"] == "/watch#abc" and headers["Host"].startswith("hook.test")
    check_signature(headers["Authorization"], key, origin)
    await sender.close()
    server.close()


def check_signature(header: str, key: PushKey, origin: str) -> None:
    """Assert that the server's key signed for that push service."""
    assert py_vapid.Vapid02.verify(header)
    parts = dict(part.split("=", 1) for part in header.removeprefix("vapid ").split(","))
    assert _decoded(parts["k"]) == key.public
    claims = json.loads(_decoded(parts["t"].split(".")[1]))
    assert (claims["aud"], claims["sub"]) == (origin, CONTACT)


def _decoded(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


async def test_alert_names_the_decision_in_the_players_language(
    tmp_path: Path, receiver: Receiver, key: PushKey
) -> None:
    device = Device(receiver, "de-AT")
    async with open_lobby(tmp_path, push=key, rules=RULESETS["classic"]) as h:
        peers = await h.table(2)
        for peer, secret in zip(peers, (ANNA, BOB), strict=True):
            await introduced(h, peer, secret)
            await h.ask(peer, device.subscription(), Done)
        for peer in peers[1:]:
            await h.drop(peer)
        await h.say(peers[0], Start(6))
        await h.drop(peers[0])
        await arrived(h)
        told = [device.reads(data) for _, data in receiver.heard]
    assert told[0]["title"] == "Du bist am Zug bei „Title“" and told[0]["lang"] == "de-AT"
    assert told[0]["body"].startswith("Conquest of the Empire") and ": " in told[0]["body"]


def test_the_words_name_players_and_bots() -> None:
    what = Sentence("Fight {who} in {place}.", {"who": Person(1), "place": "Gallia"})
    alert = Alert("m1", "Friday", "Classic", "H7KQ2M", ("Anna", ""), what)
    assert json.loads(payload(alert, "en"))["body"] == "Classic: Fight Seat 2 in Gallia."
    assert "Platz 2" in json.loads(payload(alert, "de"))["body"]
    assert json.loads(payload(alert, "../xx"))["lang"] == "en"


# --- subscriptions ---


async def test_subscription_survives_the_server(tmp_path: Path, receiver: Receiver, key: PushKey) -> None:
    device = Device(receiver)
    async with open_lobby(tmp_path, push=key) as h:
        peer = await introduced(h, person("Anna"), ANNA)
        await h.ask(peer, device.subscription(), Done)
    async with open_lobby(tmp_path, push=key) as h:
        peers = await h.table(2)
        await introduced(h, peers[1], ANNA)
        await h.drop(peers[1])
        await h.say(peers[0], Start(6))
        await arrived(h)
    assert [device.reads(data)["title"] for _, data in receiver.heard] == ["Your turn at “Title”"]


@pytest.mark.parametrize("status", [b"404 Not Found", b"410 Gone"])
async def test_ended_subscription_is_forgotten(
    tmp_path: Path, receiver: Receiver, key: PushKey, status: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    receiver.answers = [b"HTTP/1.1 " + status + b"\r\n\r\n"]
    with caplog.at_level(logging.DEBUG):
        async with open_lobby(tmp_path, push=key) as h:
            await begun_without(h, Device(receiver))
            assert [person.pushes for person in await h.store.people()] == [()]
    assert len(receiver.heard) == 1
    assert "push-failed" in caplog.text and "s3cret" not in caplog.text


async def test_another_failure_keeps_the_subscription(tmp_path: Path, receiver: Receiver, key: PushKey) -> None:
    receiver.answers = [b"HTTP/1.1 403 Forbidden\r\n\r\n"]
    async with open_lobby(tmp_path, push=key) as h:
        await begun_without(h, Device(receiver))
        assert [len(person.pushes) for person in await h.store.people()] == [1]


async def test_a_device_can_end_its_alerts_and_the_oldest_of_many_goes(
    tmp_path: Path, receiver: Receiver, key: PushKey
) -> None:
    devices = [Device(receiver, path=str(n)) for n in range(DEVICES + 1)]
    async with open_lobby(tmp_path, push=key) as h:
        anna = await introduced(h, person("Anna"), ANNA)
        for device in devices:
            await h.ask(anna, device.subscription(), Done)
        assert [each.endpoint for each in h.lobby.people.pushes(anna.person)] == [
            device.record.endpoint for device in devices[1:]
        ]
        jobs = h.store.jobs  # type: ignore[attr-defined]
        await h.lobby.people.subscribe(anna, devices[3].subscription())
        assert h.store.jobs == jobs, "it is known"  # type: ignore[attr-defined]
        await h.ask(anna, Subscribe(9, devices[3].record.endpoint), Done)
        assert devices[3].record not in h.lobby.people.pushes(anna.person)
        assert (await h.ask(anna, devices[0].subscription(), Refused)).code == "rate"


async def test_what_is_no_subscription_is_refused(tmp_path: Path, receiver: Receiver, key: PushKey) -> None:
    good = Device(receiver).record
    async with open_lobby(tmp_path, push=key) as h:
        anna = await introduced(h, person("Anna"), ANNA)
        for wrong in (
            Subscribe(9, "https://10.0.0.1/a", good.p256dh, AUTH),
            Subscribe(9, "https://push.example/a", b"\x04" + bytes(64), AUTH),
            Subscribe(9, "https://push.example/a", good.p256dh, AUTH[1:]),
        ):
            assert (await h.ask(anna, wrong, Refused)).code == "bad-push"
        stranger = person("Bob")
        assert (await h.ask(stranger, Device(receiver).subscription(), Refused)).code == "no-profile"


@pytest.mark.parametrize(
    "url",
    ["http://push.example/a", "https://router.local/a", "https://127.0.0.1/a", "https://push.example/" + "a" * 999],
)
def test_alerts_go_to_the_internet_alone(key: PushKey, url: str) -> None:
    sender = PushSender(FakeClock(), key)
    sender.check("https://push.example/" + "a" * 900)
    with pytest.raises(Unfit):
        sender.check(url)


async def test_no_other_client_is_told_the_subscription(tmp_path: Path, receiver: Receiver, key: PushKey) -> None:
    device = Device(receiver)
    async with open_lobby(tmp_path, push=key) as h:
        peers = await begun_without(h, device)
        assert link(peers[0]).last(TableState)
        for peer in peers:
            assert "s3cret" not in str(link(peer).sent) and str(device.record.p256dh) not in str(link(peer).sent)


# --- settings ---


async def test_without_a_key_there_are_no_alerts(tmp_path: Path, receiver: Receiver) -> None:
    async with open_lobby(tmp_path) as h:
        anna = await introduced(h, person("Anna"), ANNA)
        assert (await h.ask(anna, Device(receiver).subscription(), Refused)).code == "no-push"


async def test_a_server_tells_its_public_key(tmp_path: Path, key: PushKey) -> None:
    for push, told in ((None, b""), (Push(tmp_path / "push.pem", CONTACT), key.public)):
        async with serving(tmp_path / "data", push=push) as app:
            client = await Client(app.address, "Anna").open()
            welcome = await client.wait_for(Welcome)
            assert (welcome.push_key, "push" in welcome.can) == (told, push is not None)
            client.cut()


def test_the_operator_gives_a_key_and_an_address(tmp_path: Path) -> None:
    def asked(*arguments: str, **surroundings: str) -> Push | None:
        return push_of(parser().parse_args(["serve", *arguments]), surroundings)

    file = tmp_path / "k"
    assert asked() is None and asked("--public", "play.example.org") is None
    assert asked("--push-key", str(file), "--public", "play.example.org") == Push(file, "https://play.example.org")
    assert asked("--push-contact", CONTACT, **{PUSH_KEY: str(file)}) == Push(file, CONTACT)
    with pytest.raises(ValueError, match="--push-contact"):
        asked("--push-key", str(file))


def test_a_new_key_is_private_and_replaces_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "push.pem"
    assert main(["push-key", str(file)]) == 0
    assert file.stat().st_mode & 0o077 == 0
    before = file.read_bytes()
    said = capsys.readouterr().out
    assert base64.urlsafe_b64encode(read_key(file, CONTACT).public).rstrip(b"=").decode() in said
    assert main(["push-key", str(file)]) == 2 and file.read_bytes() == before
    assert "exists already" in capsys.readouterr().err


def test_a_file_that_is_no_key_is_named(tmp_path: Path) -> None:
    file = tmp_path / "wrong.pem"
    file.write_text("no key")
    with pytest.raises(ValueError, match="is no key for Web Push"):
        read_key(file, CONTACT)


# --- all forms together ---


async def test_ten_visits_of_a_match_by_post_are_asked_for_in_all_four_forms(
    tmp_path: Path, receiver: Receiver, mails: MailServer, key: PushKey
) -> None:
    url, device, visits = f"http://127.0.0.1:{receiver.port}", Device(receiver), 10
    async with opened(tmp_path, mails, push=key) as h:
        everywhere = {"ntfy": f"{url}/topic", "discord": f"{url}/discord", "mention": "42"}

        async def settle_in(peer: Peer) -> None:
            await with_mail(h, mails, peer, **everywhere)
            await h.ask(peer, device.subscription(), Done)

        anna, _ = await begun_by_post(h, settle_in)
        for visit in range(visits):
            await everything_sent(h)
            paths = Counter(line.split()[1] for line in receiver.first)
            assert len(mails.got) == visit + 1
            assert paths == dict.fromkeys(("/topic", "/discord", "/push/s3cret"), visit + 1)
            bob = person("Person 1")
            await h.ask(bob, Introduce(1, ANNA), Introduced)
            await h.ask(bob, Resume(2, h.only().match, ANNA), Seated)
            await h.say(bob, name(h, 2 * visit + 1, 5))
            await h.drop(bob)
            await h.say(anna, name(h, visit + 1, 4))
            await h.pass_time(EVERY)
        alert = next(data for line, (_, data) in zip(receiver.first, receiver.heard, strict=True) if "/push" in line)
        assert device.reads(alert)["link"] in mails.text(), "all lead to the same table"


async def everything_sent(h: LobbyHarness) -> None:
    """Wait until no notice is on its way in any form."""
    await arrived(h)
    await sent(h)
