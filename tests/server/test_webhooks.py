"""Webhooks: their addresses, their texts, and that no client waits for them."""

import asyncio
import json
import logging
import ssl
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path
from typing import Any, cast

import dns.message
import dns.rcode
import dns.rdatatype
import dns.rrset
import pytest
from dns import asyncresolver

from server.webhooks import address_check as targets
from server.webhooks import request as posting
from server.webhooks import sender as bringing
from server.webhooks.address_check import Resolve, Target, Unfit, check, is_public, read, resolve
from server.webhooks.payloads import Note, body
from server.webhooks.request import WebhookFailed, post
from server.webhooks.sender import A_TABLE, IN_ALL, WebhookSender
from shared.tables import HookForm
from tests.server.fakes import FakeClock, settle

PEM = Path(__file__).with_name("hook_test.pem")
NOTE = Note("m1", "Friday <night>", "Classic", ("Anna *B*", "@everyone"), "conquest://play.example.org/H7KQ2M")
PLAIN = ssl.create_default_context()


class Receiver:
    """An HTTP server that writes down what it is told."""

    def __init__(self) -> None:
        self.answers: list[bytes] = []
        """What it says to each; with none left, 204."""
        self.heard: list[tuple[dict[str, str], bytes]] = []
        self.first: list[str] = []
        self.port = 0
        self.asked = asyncio.Event()

    async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers = dict(line.split(": ", 1) for line in head[1:] if line)
        data = await reader.readexactly(int(headers["Content-Length"]))
        self.first.append(head[0])
        self.heard.append((headers, data))
        self.asked.set()
        answer = self.answers.pop(0) if self.answers else b"HTTP/1.1 204 No Content\r\n\r\n"
        if answer:
            writer.write(answer)
            writer.close()
        else:
            await reader.read()  # It never says anything.
            writer.close()

    @property
    def url(self) -> str:
        return f"http://hook.test:{self.port}/a/b?key=s3cret"


@pytest.fixture
async def receiver() -> AsyncIterator[Receiver]:
    """Yield a receiver on this computer."""
    made = Receiver()
    server = await asyncio.start_server(made.talk, "127.0.0.1", 0)
    made.port = server.sockets[0].getsockname()[1]
    yield made
    server.close()


def at(*addresses: str) -> Resolve:
    """A resolver that knows every name by these."""

    async def resolve(_host: str, _port: int) -> Sequence[str]:
        return addresses

    return resolve


HERE = at("127.0.0.1")


async def send(receiver: Receiver, form: HookForm = HookForm.JSON, resolve: Resolve = HERE) -> None:
    await post(read(receiver.url, loopback=True), body(form, NOTE), resolve, PLAIN, loopback=True)


# --- what is said ---


async def test_plain_json_says_all_in_parts(receiver: Receiver) -> None:
    await send(receiver)
    ((headers, data),) = receiver.heard
    assert receiver.first == ["POST /a/b?key=s3cret HTTP/1.1"]
    assert headers["Host"] == f"hook.test:{receiver.port}" and headers["Content-Type"].startswith("application/json")
    assert json.loads(data) == {
        "event": "decide", "match": "m1", "table": "Friday <night>", "game": "Classic",
        "who": ["Anna *B*", "@everyone"],
        "text": "Anna *B* and @everyone: your decision is awaited at “Friday <night>”.",
        "link": "conquest://play.example.org/H7KQ2M",
    }  # fmt: skip


async def test_discord_pings_no_member_and_reads_no_marks(receiver: Receiver) -> None:
    await send(receiver, HookForm.DISCORD)
    said = json.loads(receiver.heard[0][1])
    assert said["allowed_mentions"] == {"parse": []}
    assert said["content"].startswith(r"Anna \*B\* and \@everyone: your decision is awaited at “Friday \<night\>”.")
    assert said["content"].endswith("\nconquest://play.example.org/H7KQ2M")


async def test_slack_reads_no_marks_either(receiver: Receiver) -> None:
    await send(receiver, HookForm.SLACK)
    said = json.loads(receiver.heard[0][1])
    assert "“Friday &lt;night&gt;”" in said["text"] and said.keys() == {"text"}


async def test_ntfy_is_told_in_plain_letters_with_the_link_to_click(receiver: Receiver) -> None:
    await send(receiver, HookForm.NTFY)
    headers, data = receiver.heard[0]
    assert headers["Click"] == NOTE.link and headers["Title"] == "Conquest"
    assert data.decode() == NOTE.text


def test_the_first_note_says_what_will_come() -> None:
    hello = Note("m1", "Ides", "Classic")
    assert hello.text == "Here you are told whose decision is awaited at “Ides”."
    assert json.loads(body(HookForm.JSON, hello).data)["event"] == "hello"
    assert "Click" not in body(HookForm.NTFY, hello).headers
    assert Note("m", "t", "g", ("A", "B", "C")).text.startswith("A, B and C: ")


# --- where it may lead ---


@pytest.mark.parametrize("url", [
    "", "x", "https://", "ftp://a.example/x", "http://a.example/x", "https://a:b@a.example/x", "https://a@a.example/",
    "https://a.example/#x", "https://a.example:0/", "https://a.example:99999/", "https://a.example:x/", "https://[::1",
    "https://a.example/ x", "https://a.example/\r\nX: y", "https://\u00e4.example/", "https://a.example/" + "x" * 500,
    "https://127.0.0.1/x", "https://[::1]/x", "https://10.0.0.1/", "https://[::ffff:192.168.0.1]/", "javascript:x",
    "HTTP://a.example/x", "//a.example/x", "https://localhost/x", "https://LOCALHOST./x", "https://a.localhost/x",
    "https://printer.local/x", "https://metadata.google.internal/x", "https://router/x", "https://2130706433/",
    "https://0x7f000001/", "https://0x7f.1/", "https://127.1/", "https://0177.0.0.1/", "https://127.0.0.1./",
    "https://./", "https://1.0x/", "https://1.0X7F/",
])  # fmt: skip
def test_no_webhook_leads_there(url: str) -> None:
    with pytest.raises(Unfit) as refused:
        read(url)
    assert "a.example" not in str(refused.value)


def test_addresses_of_webhooks_are_recognised() -> None:
    assert read("https://a.example/x?y=1") == Target(True, "a.example", 443, "/x?y=1")
    assert read("HTTPS://A.example:8443") == Target(True, "a.example", 8443, "/")
    assert read("https://1.1.1.1/x").host == "1.1.1.1"
    assert read("https://local.example.org./x").host == "local.example.org."
    assert read("https://hooks.0x7f.example/x").host == "hooks.0x7f.example"
    assert read("http://localhost/x", loopback=True).host == "localhost"


@pytest.mark.parametrize("address", [
    "0.0.0.0", "10.1.2.3", "100.64.0.1", "127.0.0.1", "127.255.255.254", "169.254.169.254", "172.16.0.1",
    "192.0.0.1", "192.0.2.1", "192.168.1.1", "198.18.0.1", "198.51.100.1", "203.0.113.1", "224.0.0.1", "240.0.0.1",
    "255.255.255.255", "::", "::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::7f00:1", "64:ff9b::a00:1",
    "192.0.0.9", "192.0.0.10", "192.0.0.192", "192.0.0.255", "192.88.99.1", "192.31.196.1", "192.52.193.1",
    "192.175.48.1", "239.1.2.3", "::ffff:192.0.0.9", "::ffff:192.88.99.1", "fec0::1", "feff::1",
    "fec0:0:0:ffff::1", "febf::1", "::127.0.0.1", "::ffff:0:7f00:1", "100::1", "100:0:0:1::1", "5f00::1", "4000::1",
    "1fff::1", "2001:1::1", "2001:2::1", "2001:3::1", "2001:4:112::1", "2001:10::1", "2001:20::1", "2001:30::1",
    "2001:1ff:ffff::1", "2620:4f:8000::1", "3fff::1", "2a00:1450::5efe:a00:1", "2a00:1450::200:5efe:7f00:1",
    "2001::1", "2002:7f00:1::", "2001:db8::1", "fc00::1", "fd12::1", "fe80::1", "ff02::1", "no address",
])  # fmt: skip
def test_networks_of_ones_own_are_refused_after_the_look_up(address: str) -> None:
    target = read("https://a.example/x")
    for found in ([address], ["1.1.1.1", address], [address, "1.1.1.1"]):
        with pytest.raises(Unfit):
            check(found, target)
    if address.startswith(("127.", "::ffff:127.")) or address == "::1":
        assert check([address], target, loopback=True) == address
    else:
        with pytest.raises(Unfit):
            check([address], target, loopback=True)


def test_the_internet_is_not_refused() -> None:
    target = read("https://a.example/x")
    for address in ("1.1.1.1", "192.0.1.1", "192.88.98.1", "2606:4700:4700::1111", "2001:200::1", "2a00:1450::1"):
        assert check([address], target) == address
    with pytest.raises(Unfit):
        check([], target)
    with pytest.raises(Unfit):
        check(["1.1.1.1"], Target(False, "a.example", 80, "/"), loopback=True)
    from ipaddress import ip_address

    assert is_public(ip_address("8.8.8.8")) and not is_public(ip_address("::ffff:127.0.0.1"))


async def test_it_goes_to_the_address_that_was_looked_at(receiver: Receiver) -> None:
    """A name that is looked up twice may lead elsewhere the second time."""
    answers = [["127.0.0.1"], ["10.0.0.1"]]

    async def rebinding(_host: str, _port: int) -> Sequence[str]:
        return answers.pop(0)

    await send(receiver, resolve=rebinding)
    assert len(receiver.heard) == 1 and answers == [["10.0.0.1"]], "asked once"
    with pytest.raises(WebhookFailed, match="unfit"):
        await send(receiver, resolve=rebinding)
    assert len(receiver.heard) == 1


async def test_without_leave_nothing_goes_to_this_computer(receiver: Receiver) -> None:
    target = Target(True, "hook.test", receiver.port, "/")
    with pytest.raises(WebhookFailed, match="unfit") as failed:
        await post(target, body(HookForm.JSON, NOTE), HERE, PLAIN)
    assert failed.value.final and receiver.heard == []


@pytest.mark.parametrize("host", ["localhost", "localhost.", "127.0.0.1", "::1", "::ffff:127.0.0.1"])
async def test_other_ways_to_write_this_computer_lead_nowhere_either(receiver: Receiver, host: str) -> None:
    """They are not even looked up, should they ever get so far."""
    with pytest.raises(WebhookFailed, match="unfit"):
        await post(Target(True, host, receiver.port, "/"), body(HookForm.JSON, NOTE), resolve, PLAIN)
    assert receiver.heard == []


# --- names ---


class Names(asyncio.DatagramProtocol):
    """A DNS server of `known` names, which never answers for those of `dead.test`."""

    def __init__(self, known: dict[str, tuple[str, ...]]) -> None:
        self.known = known
        self.asked: list[str] = []

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.DatagramTransport, transport)

    def datagram_received(self, data: bytes, addr: Any) -> None:
        query = dns.message.from_wire(data)
        (question,) = query.question
        name = question.name.to_text(omit_final_dot=True)
        self.asked.append(name)
        if name.endswith("dead.test"):
            return
        answer = dns.message.make_response(query)
        kind = dns.rdatatype.to_text(question.rdtype)
        found = [each for each in self.known.get(name, ()) if (":" in each) == (kind == "AAAA")]
        if found:
            answer.answer.append(dns.rrset.from_text(question.name, 60, "IN", kind, *found))
        elif name not in self.known:
            answer.set_rcode(dns.rcode.NXDOMAIN)
        self.transport.sendto(answer.to_wire(), addr)


@pytest.fixture
async def names(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Names]:
    """The system asks this one."""
    served = Names({
        "hook.test": ("127.0.0.1",), "both.test": ("2606:4700::1", "127.0.0.1"), "127.1": ("1.1.1.1",),
        "many.test": tuple(f"10.0.0.{n}" for n in range(1, 60)), "empty.test": (),
    })  # fmt: skip
    loop = asyncio.get_running_loop()
    transport, _ = await loop.create_datagram_endpoint(lambda: served, ("127.0.0.1", 0))

    def configured() -> asyncresolver.Resolver:
        resolver = Resolver(configure=False)
        resolver.nameservers, resolver.port = ["127.0.0.1"], transport.get_extra_info("sockname")[1]
        return resolver

    Resolver = asyncresolver.Resolver
    monkeypatch.setattr(asyncresolver, "Resolver", configured)
    yield served
    transport.close()


async def test_names_are_looked_up_and_nothing_is_added_to_them(names: Names) -> None:
    assert await resolve("hook.test", 443) == ["127.0.0.1"]
    assert set(await resolve("both.test", 443)) == {"2606:4700::1", "127.0.0.1"}
    assert await resolve("127.1", 443) == ["1.1.1.1"], "a name as any other, whatever systems read in it"
    assert len(await resolve("many.test", 443)) == 16
    for host in ("unknown.test", "empty.test", "a..test", "x" * 64 + ".test"):
        with pytest.raises(OSError, match=r"NXDOMAIN|NoAnswer|EmptyLabel|LabelTooLong"):
            await resolve(host, 443)
    assert all(name.endswith("test") or name == "127.1" for name in names.asked)


async def test_an_address_without_a_way_comes_last(names: Names, monkeypatch: pytest.MonkeyPatch) -> None:
    for way, first in ((":", "127.0.0.1"), (".", "2606:4700::1")):
        monkeypatch.setattr(targets, "_has_way", lambda address, _port, way=way: way not in address)
        assert (await resolve("both.test", 443))[0] == first
    monkeypatch.undo()
    assert targets._has_way("127.0.0.1", 443) and not targets._has_way("0.0.0.0.0", 443)


async def test_names_that_are_never_resolved_block_no_request(
    names: Names, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Five of them stopped all webhooks of a server."""
    monkeypatch.setattr(targets, "LOOK_UP", 0.2)
    webhook_sender = WebhookSender(FakeClock(), loopback=True)
    failed: list[str] = []
    for number in range(40):
        note = Note(f"dead{number}", "t", "g", ("A",))
        url = f"http://{number}.dead.test:{receiver.port}/"
        webhook_sender.send(HookForm.JSON, url, note, lambda: failed.append("dead"))
    while len(names.asked) < 40:
        await asyncio.sleep(0)
    webhook_sender.send(HookForm.JSON, receiver.url, Note("alive", "t", "g", ("A",)), lambda: failed.append("alive"))
    await asyncio.wait_for(receiver.asked.wait(), 20)
    assert json.loads(receiver.heard[0][1])["match"] == "alive" and failed == []
    await webhook_sender.close()


async def test_the_look_up_has_a_time_limit_of_its_own(names: Names, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(targets, "LOOK_UP", 0.05)
    with pytest.raises(WebhookFailed, match="LifetimeTimeout"):
        await post(Target(True, "x.dead.test", 443, "/"), body(HookForm.JSON, NOTE), resolve, PLAIN)


async def test_certificates_are_looked_at_although_the_address_is_pinned() -> None:
    receiver, trusting = Receiver(), ssl.create_default_context(cafile=PEM)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(PEM)
    server = await asyncio.start_server(receiver.talk, "127.0.0.1", 0, ssl=context)
    port = server.sockets[0].getsockname()[1]
    said = body(HookForm.JSON, NOTE)
    await post(Target(True, "hook.test", port, "/x"), said, HERE, trusting, loopback=True)
    for host, trusted in (("other.test", trusting), ("hook.test", PLAIN)):
        with pytest.raises(WebhookFailed, match="tls"):
            await post(Target(True, host, port, "/x"), said, HERE, trusted, loopback=True)
    assert len(receiver.heard) == 1
    server.close()


# --- what is answered ---


@pytest.mark.parametrize(("answer", "why", "final"), [
    (b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1/\r\n\r\n", "status 302", True),
    (b"HTTP/1.1 404 Not Found\r\n\r\n", "status 404", True),
    (b"HTTP/1.0 429 Slow down\r\n\r\n", "status 429", False),
    (b"HTTP/1.1 500 \r\n\r\n", "status 500", False),
    (b"HTTP/2 200\r\n\r\n", "ConnectionError", False),
    (b"hello\r\n\r\n", "ConnectionError", False),
    (b"x" * 5000, "ConnectionError", False),
    (b"\r\n", "ConnectionError", False),
])  # fmt: skip
async def test_only_yes_confirms(receiver: Receiver, answer: bytes, why: str, final: bool) -> None:
    receiver.answers = [answer]
    with pytest.raises(WebhookFailed) as failed:
        await send(receiver)
    assert (str(failed.value), failed.value.final) == (why, final)
    assert len(receiver.heard) == 1, "nobody is followed anywhere"


async def test_silent_receivers_are_given_up(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(posting, "PATIENCE", 0.1)
    receiver.answers = [b""]
    with pytest.raises(WebhookFailed, match="timeout"):
        await send(receiver)

    async def endless(_host: str, _port: int) -> Sequence[str]:
        await asyncio.Event().wait()
        return ()

    monkeypatch.setattr(posting, "NAMING", 0.1)
    with pytest.raises(WebhookFailed, match="name-timeout"):
        await send(receiver, resolve=endless)


async def test_an_unreachable_server_is_reported(receiver: Receiver) -> None:
    async def nowhere(_host: str, _port: int) -> Sequence[str]:
        raise OSError("no such name")

    with pytest.raises(WebhookFailed, match="OSError"):
        await send(receiver, resolve=nowhere)


# --- the messenger ---


class Road:
    """A messenger whose requests end as the test says."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.clock = FakeClock()
        self.ends: list[Exception | None] = []
        self.sent: list[Any] = []
        self.failed = 0
        self.gate: Callable[[], Any] | None = None
        self.webhook_sender = WebhookSender(self.clock, "play.example.org")
        monkeypatch.setattr(self.webhook_sender, "_post", self._post)

    async def _post(self, target: Target, said: Any, *, place: Any) -> None:
        async with place:
            self.sent.append(json.loads(said.data)["match"])
            if self.gate is not None:
                await self.gate()
            end = self.ends.pop(0) if self.ends else None
            if end is not None:
                raise end

    def send(self, match: str = "m1") -> None:
        def fail() -> None:
            self.failed += 1

        self.webhook_sender.send(HookForm.JSON, "https://a.example/s3cret", Note(match, "t", "g", ("A",)), fail)


@pytest.fixture
def road(monkeypatch: pytest.MonkeyPatch) -> Road:
    return Road(monkeypatch)


async def test_three_tries_with_growing_pauses(road: Road, caplog: pytest.LogCaptureFixture) -> None:
    road.ends = [WebhookFailed("timeout")] * 3
    with caplog.at_level(logging.DEBUG):
        road.send()
        await settle()
        assert len(road.sent) == 1
        await road.clock.advance(1.9)
        assert len(road.sent) == 1
        await road.clock.advance(0.2)
        assert len(road.sent) == 2
        await road.clock.advance(9.7)
        assert len(road.sent) == 2 and road.failed == 0
        await road.clock.advance(0.4)
        assert len(road.sent) == 3 and road.failed == 1
        await road.clock.advance(1000)
    assert len(road.sent) == 3
    (line,) = [record for record in caplog.records if record.getMessage() == "hook-failed"]
    assert line.fields == {"match": "m1", "why": "timeout"}  # type: ignore[attr-defined]
    assert "s3cret" not in caplog.text and "a.example" not in caplog.text
    assert road.webhook_sender._tasks == road.webhook_sender._waiting == {}


async def test_hopeless_addresses_are_tried_once_and_a_second_try_may_succeed(road: Road) -> None:
    road.ends = [WebhookFailed("status 404", final=True), WebhookFailed("timeout"), None]
    road.send()
    await settle()
    assert len(road.sent) == 1 and road.failed == 1
    road.send()
    await settle()
    await road.clock.advance(5)
    assert len(road.sent) == 3 and road.failed == 1
    await road.clock.advance(100)
    assert len(road.sent) == 3


async def test_notes_wait_in_bounded_numbers_and_the_rest_is_left_out(
    road: Road, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bringing, "IN_ALL", 10)
    assert IN_ALL == 200
    hold = asyncio.Event()
    road.gate = hold.wait
    for _ in range(50):
        road.send()
    for table in range(50):
        road.send(f"t{table}")
    await settle()
    hold.set()
    await settle(200)
    assert road.sent.count("m1") == A_TABLE and len(road.sent) == A_TABLE + 50, "one of each table waits always"
    assert road.webhook_sender._tasks == road.webhook_sender._waiting == {}
    road.send()
    await settle()
    assert len(road.sent) == A_TABLE + 51


async def test_full_webhook_queue_keeps_one_note_per_table(road: Road, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bringing, "IN_ALL", 3)
    road.gate = asyncio.Event().wait
    for table in ("a", "b", "a", "a", "b", "c", "c"):
        road.send(table)
    assert {match: len(waiting) for match, waiting in road.webhook_sender._waiting.items()} == {"a": 2, "b": 1, "c": 1}
    await road.webhook_sender.close()


async def test_tables_whose_notes_never_arrive_delay_each_other_alone(road: Road) -> None:
    """Twenty hosts with servers that never answer took all places."""
    road.ends = [WebhookFailed("timeout")] * 20
    for table in range(20):
        road.send(f"dead{table}")
    await settle(50)
    assert len(road.sent) == 20
    hold = asyncio.Event()
    road.gate = hold.wait
    await road.clock.advance(3)
    assert len(road.sent) == 20 + bringing.DOUBTFUL
    for table in range(bringing.AT_ONCE):
        road.send(f"alive{table}")
    await settle(50)
    assert [match for match in road.sent[-bringing.AT_ONCE :] if match.startswith("dead")] == []
    hold.set()
    await settle(200)
    assert len(road.sent) == 40 + bringing.AT_ONCE and road.failed == 0
    assert road.webhook_sender._doubtful == {}, "they arrived"


async def test_only_so_many_tables_are_remembered_as_doubtful(road: Road, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bringing, "MOST", 3)
    road.ends = [WebhookFailed("status 404", final=True)] * 9
    for table in range(9):
        road.send(f"t{table}")
    await settle(50)
    assert list(road.webhook_sender._doubtful) == ["t6", "t7", "t8"]


async def test_queued_messages_for_an_abandoned_address_are_dropped(road: Road) -> None:
    road.ends = [WebhookFailed("timeout")]
    for _ in range(A_TABLE):
        road.send()
    road.send("other")
    await settle()
    road.webhook_sender.drop("m1")
    assert road.sent == ["m1", "other"]
    road.send()
    await settle()
    assert road.sent == ["m1", "other", "m1"], "nobody waits for the tries of the old one"
    await road.clock.advance(1000)
    assert len(road.sent) == 3 and road.failed == 0
    assert road.webhook_sender._tasks == road.webhook_sender._waiting == {}


async def test_a_request_on_its_way_to_an_address_that_is_left_is_broken_off(road: Road) -> None:
    road.gate = asyncio.Event().wait
    road.send()
    await settle()
    road.webhook_sender.drop("m1")
    road.webhook_sender.drop("m1")
    road.gate = None
    road.send()
    road.send()
    await settle()
    assert len(road.sent) == 3 and road.failed == 0
    assert road.webhook_sender._tasks == road.webhook_sender._waiting == {} and not road.webhook_sender._left


async def test_a_table_that_waits_holds_up_no_other(road: Road) -> None:
    road.ends = [WebhookFailed("timeout")]
    road.send("slow")
    await settle()
    road.send("quick")
    await settle()
    assert road.sent == ["slow", "quick"]


async def test_so_many_requests_at_a_time(road: Road) -> None:
    hold = asyncio.Event()
    road.gate = hold.wait
    for table in range(40):
        road.send(f"t{table}")
    await settle()
    assert len(road.sent) == bringing.AT_ONCE
    hold.set()
    await settle(200)
    assert len(road.sent) == 40


async def test_a_server_that_stops_leaves_what_has_not_arrived(road: Road) -> None:
    road.gate = asyncio.Event().wait
    road.send()
    await settle()
    await road.webhook_sender.close()
    assert road.webhook_sender._tasks == {} and road.failed == 0


def test_links_lead_to_the_table_without_a_token() -> None:
    clock = FakeClock()
    assert WebhookSender(clock, "play.example.org").link("H7KQ2M") == "https://play.example.org/watch#H7KQ2M"
    assert WebhookSender(clock).link("H7KQ2M") == ""
