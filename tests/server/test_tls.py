"""TLS on the port of the server itself, beside clients without it."""

import argparse
import asyncio
import http.client
import os
import socket
import ssl
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from server.connections import gated_server, guard
from server.connections.admission import GENEROUS, Limits
from server.connections.certificate import CHECK, Certificate, CertificateFiles
from server.connections.server_app import App, Settings
from server.rate_limits import Rate
from server.router import reports
from server.router.port_opener import trouble_of, url_of
from server.tools import doctor, serve
from shared import messages as m
from tests.server.fakes import Client, serving
from tests.server.test_sockets import match_of_two, my_frame
from tests.server.toy import Name
from tests.support.certificates import certificate, trusting

HERE = "127.0.0.1"
SIZE = 0xFFFF
LARGE = bytes((0x82, 126, 0xFF, 0xFF)) + os.urandom(SIZE)
"""Frame of a message of that size."""


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> CertificateFiles:
    """Return the files of a certificate that the clients of this test trust."""
    made = certificate(tmp_path / "tls", HERE, "play.example.org")
    monkeypatch.setenv("SSL_CERT_FILE", str(made.chain))
    return made


@pytest.fixture
async def app(tmp_path: Path, files: CertificateFiles) -> AsyncIterator[App]:
    async with serving(tmp_path / "data", certificate=Certificate(files), public="wss://play.example.org:8600") as app:
        yield app


def secure(app: App) -> str:
    """Return its address for clients that speak TLS."""
    return app.address.replace("ws://", "wss://")


def port(app: App) -> int:
    return int(app.address.rpartition(":")[2])


@pytest.mark.both_loops
async def test_clients_with_and_without_tls_play_on_one_port(app: App) -> None:
    anna, bert, match = await match_of_two(secure(app))
    onlooker = await Client(app.address, "Livia").open()
    await onlooker.ask(lambda ref: m.Watch(ref, match), m.Snapshot)
    for client in (anna, bert):
        await client.act(await my_frame(client), Name(3))
        await client.wait_for(m.Accepted)
    while onlooker.session.version < 2:
        await onlooker.next()
    # An abort is a reset below TLS; the seat is taken up again.
    bert.cut()
    await anna.act(await my_frame(anna), Name(4))
    await anna.wait_for(m.Accepted)
    await bert.open()
    while bert.session.version < 3:
        await bert.next()
    assert not anna.session.mismatches and not bert.session.mismatches


def only(app: App) -> guard.GuardedConnection:
    """Return its only connection."""
    (connection,) = app._admission.guests
    assert isinstance(connection, guard.GuardedConnection)
    return connection


@pytest.mark.both_loops
async def test_a_reader_that_stops_is_cut(app: App) -> None:
    client = await Client(secure(app), "Anna").open()
    await client.wait_for(m.Welcome)
    client.socket.transport.pause_reading()
    connection = only(app)
    app._admission.limits = replace(GENEROUS, stall=0.01)
    # The client's TLS layer still reads some of it.
    async with asyncio.timeout(20):
        while connection in app._admission.guests:
            if not connection.outbox._paused:
                connection._write(LARGE)
            await asyncio.sleep(0)
    client.cut()


@pytest.mark.both_loops
async def test_a_slow_reader_pauses_its_outbox_and_loses_nothing(app: App) -> None:
    client = await Client(secure(app), "Anna").open()
    await client.wait_for(m.Welcome)
    client.socket.transport.pause_reading()
    connection, sent = only(app), 0
    while not connection.outbox._paused:
        connection._write(LARGE)
        sent += 1
        await asyncio.sleep(0)
    client.socket.transport.resume_reading()
    async with asyncio.timeout(20):
        while sent:
            sent -= len(await client.socket.recv(decode=False)) == SIZE
        while connection.outbox._paused:
            await asyncio.sleep(0)


@pytest.mark.both_loops
async def test_a_renewed_certificate_serves_without_a_restart(tmp_path: Path, files: CertificateFiles) -> None:
    times = [1.0e9]
    async with serving(tmp_path / "data", certificate=Certificate(files, lambda: times[0])) as app:
        before = await Client(secure(app), "Anna").open()
        await before.wait_for(m.Welcome)
        key = files.key.read_bytes()
        renewed = certificate(tmp_path / "tls", HERE, days=60)
        late, fresh = renewed.key.read_bytes(), trusting(renewed)
        renewed.key.write_bytes(key)  # Not all files are there yet.
        times[0] += CHECK
        with pytest.raises(ssl.SSLCertVerificationError):
            await connect(secure(app), ssl=fresh, proxy=None)
        renewed.key.write_bytes(late)
        times[0] += CHECK
        async with connect(secure(app), ssl=fresh, proxy=None):
            pass
        await before.ask(lambda ref: m.Create(ref, "toy", 2, {"rounds": 3}, "t"), m.Seated)


async def test_a_client_refuses_a_certificate_for_another_name(tmp_path: Path, files: CertificateFiles) -> None:
    other = certificate(tmp_path / "other", "elsewhere.example.org")
    async with serving(tmp_path / "data", certificate=Certificate(other)) as app:
        with pytest.raises(ssl.SSLCertVerificationError):
            await connect(secure(app), ssl=trusting(other), proxy=None)
        await Client(app.address, "Anna").open()


@pytest.mark.both_loops
async def test_silent_newcomers_count_and_must_go(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gated_server, "PATIENCE", 0.02)
    reader, writer = await asyncio.open_connection(HERE, port(app))
    async with asyncio.timeout(20):
        assert await reader.read() == b""
    writer.close()
    assert not app._admission.guests and not app._admission._half_open
    # The same holds in the middle of the handshake.
    reader, writer = await asyncio.open_connection(HERE, port(app))
    writer.write(b"\x16\x03\x01")
    async with asyncio.timeout(20):
        assert await reader.read() == b""
    writer.close()
    while app._admission.guests:
        await asyncio.sleep(0)


async def test_half_open_newcomers_are_limited(tmp_path: Path, files: CertificateFiles) -> None:
    limits = Limits(local_connections=2, knocks=Rate(1e9, 1e9))
    async with serving(tmp_path / "data", certificate=Certificate(files), limits=limits) as app:
        waiting = [socket.create_connection((HERE, port(app))) for _ in range(2)]
        while app._admission.total < 2:
            await asyncio.sleep(0)
        reader, writer = await asyncio.open_connection(HERE, port(app))
        async with asyncio.timeout(20):
            assert await reader.read() == b""
        writer.close()
        for each in waiting:
            each.close()


async def test_a_server_that_stops_leaves_no_newcomer(tmp_path: Path, files: CertificateFiles) -> None:
    async with serving(tmp_path / "data", certificate=Certificate(files)) as app:
        reader, writer = await asyncio.open_connection(HERE, port(app))
        while not app._admission.guests:
            await asyncio.sleep(0)
    assert await reader.read() == b""
    writer.close()
    assert not app._admission.guests


async def test_requests_from_elsewhere_without_tls_are_sent_to_the_encrypted_address(
    app: App, files: CertificateFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    def asked(context: ssl.SSLContext | None) -> tuple[int, str]:
        plain = http.client.HTTPConnection(HERE, port(app), timeout=20)
        each = plain if context is None else http.client.HTTPSConnection(HERE, port(app), timeout=20, context=context)
        each.request("GET", "/watch")
        answer = each.getresponse()
        each.close()
        return answer.status, answer.getheader("Location", "")

    assert await asyncio.to_thread(asked, None) == (200, "")
    monkeypatch.setattr(guard, "is_private", lambda _address: False)
    assert await asyncio.to_thread(asked, None) == (308, "https://play.example.org:8600/watch")
    assert await asyncio.to_thread(asked, trusting(files)) == (200, "")
    # A program follows that by itself; here the name leads nowhere.
    app.public.change("")
    with pytest.raises(InvalidStatus, match="403"):
        await connect(app.address, proxy=None)
    app.public.change(secure(app))
    async with connect(app.address, proxy=None) as socket:
        assert socket.transport.get_extra_info("sslcontext") is not None
    await (await Client(secure(app), "Anna").open()).wait_for(m.Welcome)


def test_what_is_wrong_with_the_files_is_said_in_a_sentence(tmp_path: Path) -> None:
    good, other = certificate(tmp_path / "good", "*.example.org", "::1"), certificate(tmp_path / "other", "a.org")
    old = certificate(tmp_path / "old", "play.example.org", days=-1)
    locked = certificate(tmp_path / "locked", "play.example.org", password=b"secret")
    none = tmp_path / "none.pem"
    empty = tmp_path / "empty.pem"
    empty.touch()
    for files, words in (
        (CertificateFiles(none, good.key), f"{none} cannot be read (No such file or directory); give the right file"),
        (CertificateFiles(good.chain, none), f"{none} cannot be read"),
        (CertificateFiles(good.chain, other.key), "does not belong to the certificate"),
        (CertificateFiles(good.chain, empty), f"{empty} has no private key in PEM format; give --key"),
        (CertificateFiles(empty, good.key), f"{empty} has no certificate in PEM format; give --certificate"),
        (old, "expired on"),
        (locked, "has a password"),
    ):
        with pytest.raises(ValueError) as error:
            Certificate(files)
        assert words in str(error.value)
    found = Certificate(good)
    found.check_name("play.example.org")
    found.check_name("::1")
    for host in ("example.org", "a.b.example.org", "127.0.0.1"):
        with pytest.raises(ValueError, match="not for"):
            found.check_name(host)
    with pytest.raises(ValueError, match="names no single host"):
        _ = Certificate(certificate(tmp_path / "wild", "*.example.org")).name
    assert Certificate(other).name == "a.org"


def settings(*words: str) -> Settings:
    """Return the settings of the command `serve` with these options."""
    parser = argparse.ArgumentParser()
    serve.add_arguments(parser)
    return serve.settings_of(parser.parse_args(words))


def test_the_public_address_is_the_name_in_the_certificate(tmp_path: Path) -> None:
    made = certificate(tmp_path / "tls", "play.example.org", "*.example.com", "2001:db8::1")
    tls = ("--certificate", str(made.chain), "--key", str(made.key))
    assert settings(*tls).public == "wss://play.example.org:8600"
    assert settings(*tls, "--port", "443").public == "wss://play.example.org:443"
    assert settings(*tls, "--public", "rome.example.com:444").public == "wss://rome.example.com:444"
    assert settings(*tls, "--public", "2001:db8::1").public == "wss://[2001:db8::1]:8600"
    both = tmp_path / "both.pem"
    both.write_bytes(made.chain.read_bytes() + made.key.read_bytes())
    assert settings("--certificate", str(both)).certificate is not None
    for words, error in (
        ((*tls, "--public", "rome.example.net"), "not for rome.example.net; use that name, or get a certificate"),
        ((*tls, "--port", "0"), "needs a fixed --port"),
        (("--key", str(made.key)), "--key needs --certificate FILE"),
    ):
        with pytest.raises(ValueError, match=error):
            settings(*words)


async def test_doctor_tells_how_long_a_certificate_is_valid(tmp_path: Path) -> None:
    for days, well in ((30, True), (13, False)):
        made = certificate(tmp_path / "tls", "localhost", days=days)
        words = ("--certificate", str(made.chain), "--key", str(made.key), "--data", str(tmp_path / "none"))
        remarks = [each for each in await doctor.examined(settings(*words)) if each.about == "certificate"]
        assert [each.well for each in remarks] == [well]
        assert f"TLS for localhost, valid for {days - 1} more days" in remarks[0].text
        assert ("renew it" in remarks[0].text) is not well


async def test_a_name_must_lead_to_the_router() -> None:
    name, mapped = "wss://play.example.org:8600", "ws://8.8.1.7:8600"

    async def here(_host: str) -> set[str]:
        return {"8.8.1.7", "2001:db8::1"}

    async def elsewhere(_host: str) -> set[str]:
        return {"8.8.2.7"}

    async def unknown(_host: str) -> set[str]:
        raise OSError

    assert await trouble_of(name, mapped, here) == ""
    assert await trouble_of(name, mapped, elsewhere) == reports.name_elsewhere("play.example.org", "8.8.2.7", "8.8.1.7")
    assert await trouble_of(name, mapped, unknown) == reports.name_unknown("play.example.org", "8.8.1.7")
    assert url_of(name, 8600, mapped) == name == url_of(name, 8600, "")
    assert url_of(name, 8600, "ws://8.8.1.7:8601") == "wss://play.example.org:8601"
