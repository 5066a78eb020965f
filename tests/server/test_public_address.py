"""Public address of a server: who is told of it, and when."""

from pathlib import Path

import pytest

from server.connections.public_address import PublicAddress
from server.delivery.peer import Peer
from shared import messages as m
from shared.tables import PUBLIC_ADDRESS
from tests.server.fakes import Client, FakeLink, serving

REPORT = "Your router does not answer."


def told(peer: Peer) -> list[m.PublicAddress]:
    assert isinstance(peer.link, FakeLink)
    return [each for each in peer.link.sent if isinstance(each, m.PublicAddress)]


def greeted(address: str, *agreed: str) -> Peer:
    """Return a client at that address after the greeting."""
    peer = Peer(FakeLink())
    peer.address, peer.agreed = address, frozenset(agreed)
    return peer


def test_only_the_host_hears_of_trouble_with_the_router() -> None:
    public = PublicAddress()
    host, stranger, older = greeted("127.0.0.1", PUBLIC_ADDRESS), greeted("8.8.4.4", PUBLIC_ADDRESS), greeted("::1")
    for peer in (host, stranger, older):
        public.add(peer)
    assert not told(host) + told(stranger), "Nothing is known yet."
    public.change("", REPORT)
    public.change("", REPORT)
    public.change("ws://8.8.8.8:8600")
    public.remove(stranger)
    public.change("ws://8.8.8.9:8600")
    assert [(each.url, each.report) for each in told(host)] == [
        ("", REPORT), ("ws://8.8.8.8:8600", ""), ("ws://8.8.8.9:8600", "")
    ]  # fmt: skip
    assert told(stranger) == [m.PublicAddress(""), m.PublicAddress("ws://8.8.8.8:8600")]
    assert not told(older)


@pytest.mark.parametrize(
    ("public", "url"),
    [
        ("play.example.org", "wss://play.example.org"),
        ("8.8.8.8:8601", "ws://8.8.8.8:8601"),
        ("192.168.1.20:8600", ""),
        ("", ""),
    ],
)
async def test_clients_hear_a_public_name_after_the_greeting(tmp_path: Path, public: str, url: str) -> None:
    async with serving(tmp_path, public=public) as app:
        anna = await Client(app.address).open()
        await anna.wait_for(m.Welcome)
        if url:
            assert (await anna.wait_for(m.PublicAddress)).url == url
        app.public.change("ws://8.8.4.4:1")
        assert (await anna.wait_for(m.PublicAddress)).url == "ws://8.8.4.4:1"
        anna.cut()
