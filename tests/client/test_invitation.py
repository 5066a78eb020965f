"""Invitation in the room: addresses, code, and a QR code for cameras."""

import io
from ipaddress import ip_interface

import arcade
import pytest

from client.app import App
from client.drawing import qr, theme
from client.drawing.qr import QrCode
from client.drawing.widgets import Label
from client.lan_announcer import LanAnnouncer
from client.network import addresses
from client.network.addresses import lan_addresses, nearest, own_addresses
from client.network.invitation_link import public_report, public_url
from client.player.seats import HOSTED
from client.screens import invitation
from client.screens.invitation import InviteScreen
from client.screens.room import RoomScreen
from protocol.links import TableAddress, joined, read
from protocol.session import ClientSession
from shared.messages import PublicAddress
from shared.tables import TablePhase
from tests.client.conftest import Shoot
from tests.client.screen_steps import press
from tests.client.test_screens import a_match, no_overlaps

HOSTS = ["192.168.1.20", "10.8.0.1", "fd00:1234:5678:9abc:def0:1234:5678:9abc"]


@pytest.fixture
def copied(app: App, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the list of texts that are copied to the clipboard."""
    found: list[str] = []
    monkeypatch.setattr(app.window, "set_clipboard_text", found.append)
    return found


def room(app: App, monkeypatch: pytest.MonkeyPatch, address: str = HOSTED) -> RoomScreen:
    monkeypatch.setattr(invitation, "lan_addresses", lambda: HOSTS)
    monkeypatch.setattr("client.network.invitation_link.lan_addresses", lambda: HOSTS)
    app.remote.access.address, app.remote.access.port = address, 8600
    screen = RoomScreen(app, a_match(code="VEN42A", host=address == HOSTED))
    app.go.show(screen)
    return screen


def words(screen: RoomScreen) -> str:
    return "\n".join(w.words for w in screen.ui.widgets if isinstance(w, Label))


@pytest.mark.parametrize("size", [theme.BASE_SIZE, theme.MIN_SIZE, (2560, 1600)], ids=str)
def test_the_host_sees_all_addresses_the_code_and_the_link_for_a_camera(
    app: App, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]
) -> None:
    app.on_resize(*size)
    screen = room(app, monkeypatch)
    shown = words(screen)
    assert "VEN42A" in shown and "192.168.1.20:8600" in shown and "10.8.0.1:8600" in shown
    assert f"[{HOSTS[2]}]:8600" in shown.replace("\n", "")
    (code,) = [w for w in screen.ui.widgets if isinstance(w, QrCode)]
    assert code.words == "http://192.168.1.20:8600/watch#VEN42A", "a phone opens it"
    no_overlaps(app)


def test_link_and_code_are_copied_with_the_mouse(app: App, monkeypatch: pytest.MonkeyPatch, copied: list[str]) -> None:
    room(app, monkeypatch)
    press(app, "Copy link")
    press(app, "Copy code")
    press(app, "Copy the link for the program")
    assert copied == ["http://192.168.1.20:8600/watch#VEN42A", "VEN42A", "conquest://192.168.1.20:8600/VEN42A"]
    assert read(copied[0]) == read(copied[2]) == TableAddress("192.168.1.20:8600", "VEN42A")
    assert app.toasts.words[-1].startswith("Copied.")


@pytest.mark.parametrize(
    ("address", "page"),
    [
        ("192.168.1.20:8600", "http://192.168.1.20:8600"),
        ("wss://play.example.org/game", "https://play.example.org/game"),
    ],
)
def test_a_guest_copies_what_leads_to_the_same_table(
    app: App, monkeypatch: pytest.MonkeyPatch, copied: list[str], address: str, page: str
) -> None:
    screen = room(app, monkeypatch, address)
    press(app, "Copy link")
    assert copied[0] == f"{page}/watch#VEN42A"
    press(app, "Copy the link for the program")
    assert read(copied[1]) == TableAddress(address, "VEN42A")
    (code,) = [w for w in screen.ui.widgets if isinstance(w, QrCode)]
    assert code.words == copied[0]
    no_overlaps(app)


def test_the_code_for_cameras_is_drawn_in_whole_pixels(
    app: App, monkeypatch: pytest.MonkeyPatch, painted: arcade.Window, shoot: Shoot
) -> None:
    screen = room(app, monkeypatch)
    (code,) = [w for w in screen.ui.widgets if isinstance(w, QrCode)]
    shoot(app, "room_invitation")
    app.on_draw()
    expected = qr.picture(code.words)
    scale = int(code.rect.width) // expected.width
    assert scale >= 3, "a camera must find it"
    left, top = round(code.rect.left), painted.height - round(code.rect.top)
    side = expected.width * scale
    image = arcade.get_image(0, 0, painted.width, painted.height).convert("RGBA")
    seen = image.crop((left, top, left + side, top + side))
    assert len(seen.getcolors(1000) or []) == 2, "two colours and nothing between them"
    for x in range(expected.width):
        for y in range(expected.width):
            assert seen.getpixel((x * scale, y * scale)) == expected.getpixel((x, y))
            assert seen.getpixel(((x + 1) * scale - 1, (y + 1) * scale - 1)) == expected.getpixel((x, y))


def test_addresses_are_those_of_the_network_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "127.0.0.1" in own_addresses()
    assert lan_addresses() and (lan_addresses() == ["127.0.0.1"] or "127.0.0.1" not in lan_addresses())
    monkeypatch.setattr(addresses, "own_addresses", lambda: ["127.0.0.1", "10.0.0.9", "fe80::1", "fd00::7"])
    monkeypatch.setattr(addresses, "_leaving", lambda: ["fd00::7", "10.0.0.9"])
    assert lan_addresses() == ["10.0.0.9", "fd00::7"]


CARDS = [ip_interface(card) for card in ("127.0.0.1/8", "192.168.1.7/24", "172.17.0.1/16", "fd00::7/64")]


@pytest.mark.parametrize(
    ("announced", "first"),
    [
        (["172.17.0.1", "10.8.0.1", "192.168.1.20"], "192.168.1.20"),
        (["172.17.0.1", "10.8.0.1", "fd00::2"], "fd00::2"),
        (["10.8.0.1", "172.17.0.1"], "172.17.0.1"),
        (["10.8.0.1"], "10.8.0.1"),
        (["192.168.1.7", "172.17.0.1"], "192.168.1.7"),
    ],
)
def test_of_the_addresses_of_another_one_in_our_own_network_is_taken(announced: list[str], first: str) -> None:
    assert nearest(announced, CARDS)[0] == first
    assert sorted(nearest(announced, CARDS)) == sorted(announced)


def test_without_any_network_there_is_still_an_address(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> list[object]:
        raise OSError("no such thing here")

    monkeypatch.setattr("ifaddr.get_adapters", fail)
    monkeypatch.setattr(addresses, "_leaving", list)
    assert own_addresses() == []
    assert lan_addresses() == ["127.0.0.1"]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_host_at_a_terminal_reads_the_invitation_once_for_each_table(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    terminal, log = Terminal(), io.StringIO()
    monkeypatch.setattr("client.lan_announcer.lan_addresses", lambda: HOSTS)
    app.remote.access.address, app.remote.access.port = HOSTED, 8600
    app.remote.access.session = ClientSession("Livia")
    app.remote.match = a_match(code="VEN42A")
    for out in (terminal, log):
        crier = LanAnnouncer(app.remote, app.settings, app.nearby, out)
        crier.update()
        crier.update()
    said = terminal.getvalue()
    assert said.count("friends join at") == 1
    assert all(joined(host, 8600) in said for host in HOSTS)
    assert "conquest://192.168.1.20:8600/VEN42A" in said and "▄" in said
    assert said.count("http://192.168.1.20:8600/watch#VEN42A") == 1
    assert log.getvalue() == ""


def test_the_public_link_is_printed_again_when_the_address_changes(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr("client.lan_announcer.lan_addresses", lambda: HOSTS)
    app.remote.access.address, app.remote.access.port = HOSTED, 8600
    app.remote.access.session = ClientSession("Livia")
    app.remote.match = a_match(code="VEN42A")
    announcer = LanAnnouncer(app.remote, app.settings, app.nearby, terminal)
    for url in ("ws://8.8.8.8:8600", "ws://8.8.8.8:8600", "ws://8.8.4.4:8601"):
        app.remote.hear(PublicAddress(url))
        announcer.update()
    assert terminal.getvalue().count("Friends anywhere open http://8.8.8.8:8600/watch#VEN42A") == 1
    assert terminal.getvalue().count("Friends anywhere open http://8.8.4.4:8601/watch#VEN42A") == 1


def test_the_room_shows_the_link_that_works_from_elsewhere(
    app: App, monkeypatch: pytest.MonkeyPatch, copied: list[str]
) -> None:
    room(app, monkeypatch)
    app.remote.hear(PublicAddress("", "The router does not answer."))
    assert public_report(app.remote) == "The router does not answer."
    app.remote.hear(PublicAddress("wss://play.example.org"))
    app.screen.hear(PublicAddress("wss://play.example.org"))
    for words in ("Copy link", "Copy home link", "Copy the link for the program"):
        press(app, words)
    assert copied == ["https://play.example.org/watch#VEN42A", "http://192.168.1.20:8600/watch#VEN42A",
                      "conquest://192.168.1.20:8600/VEN42A"]  # fmt: skip
    no_overlaps(app)
    app.remote.end()
    assert not public_report(app.remote) and not public_url(app.remote)


@pytest.mark.parametrize("phase", [TablePhase.PLAYING, TablePhase.OVER])
def test_a_running_match_shows_its_link_too(
    app: App, monkeypatch: pytest.MonkeyPatch, copied: list[str], phase: TablePhase
) -> None:
    room(app, monkeypatch)
    app.go.show(InviteScreen(app, a_match(code="VEN42A", phase=phase), close=app.go.menu))
    press(app, "Copy link")
    assert copied == ["http://192.168.1.20:8600/watch#VEN42A"]
    no_overlaps(app)
