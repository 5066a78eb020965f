"""The form to join or watch: tables near by one click, whatever was pasted, and words for what failed."""

import itertools
import os
import socket
from collections.abc import Iterator
from pathlib import Path

import arcade
import pytest
from arcade import key
from msgspec.structs import replace

from client.app import App
from client.drawing import theme
from client.drawing.widgets import Label
from client.lan_announcer import LanAnnouncer
from client.network import server_access
from client.network.nearby import Nearby
from client.network.server_connection import HOPELESS, NO_GAME, UNKNOWN, Arrival, ConnectionState, ServerConnection
from client.player.seats import HOSTED
from client.player.settings import Settings
from client.player.table_options import TableOptions
from client.screens.connect import ConnectingScreen, ConnectScreen, NearList
from client.screens.lobby import LobbyScreen
from client.screens.menu import MenuScreen
from client.screens.room import RoomScreen
from protocol.announcement import MOST, Announcement, Near
from protocol.limits import Close
from protocol.links import TableAddress, read
from protocol.session import ClientSession
from shared.messages import Refused, Welcome
from shared.tables import SeatKind, TablePhase
from tests.client.conftest import Server, Shoot, at_the_board, until
from tests.client.screen_steps import arrive, enter_lobby, open_table, press, remote, table_of
from tests.client.test_message_router import Wire, told
from tests.client.test_nearby import heard_here
from tests.client.test_screens import no_overlaps
from tests.protocol.test_addresses import ODD
from tests.support.multicast import LOOPBACK

multicast = pytest.mark.skipif(not heard_here(), reason="no multicast comes round here")
PAGES = Path(__file__).parents[2] / "deploy" / "pages"
NUMBERS = itertools.count()
TABLE = Announcement("m1", "classic", "Livia's table", "Livia", 4, 1, TablePhase.GATHERING)


def some(count: int) -> tuple[Near, ...]:
    """Tables of all kinds."""
    kinds = (
        TABLE,
        replace(TABLE, title="The long war of the eagles and the wolf", host="Marcus Tullius Cicero Min.", game="cote2",
                seats=6, taken=5),
        replace(TABLE, title="Ides of March", host="Gaius", game="mb1984", taken=4),
        replace(TABLE, title="Saturnalia", host="Octavia", taken=4, phase=TablePhase.PLAYING),
        replace(TABLE, title="Lupercalia", host="Titus", game="chess"),
    )  # fmt: skip
    return tuple(Near(replace(kinds[i % 5], match=f"m{i}"), f"192.168.1.{i + 2}:8600") for i in range(count))


@pytest.fixture
def wired(monkeypatch: pytest.MonkeyPatch) -> None:
    """Links whose other end is the test."""
    monkeypatch.setattr(server_access, "ServerConnection", Wire)


@pytest.fixture
def neighbours(window: arcade.Window) -> Iterator[tuple[App, App]]:
    """Two programs on one network."""
    service = f"_cqjoin{os.getpid()}-{next(NUMBERS)}._tcp.local."
    made = [App(window, Settings(name=name), nearby=Nearby([LOOPBACK], service)) for name in ("Livia", "Marcus")]
    yield made[0], made[1]
    for each in made:
        each.close()


def form(app: App, *, watch: bool = False) -> ConnectScreen:
    app.go.connect(watch=watch)
    assert isinstance(app.screen, ConnectScreen)
    return app.screen


def near_of(screen: ConnectScreen) -> NearList:
    return screen._near


def click_row(app: App, row: int) -> None:
    """Click a row of the list with the mouse."""
    assert isinstance(app.screen, ConnectScreen)
    rect = near_of(app.screen).list.rect
    x, y = rect.left + 60, rect.top - theme.px(62 * row + 31)
    app.screen.on_mouse_motion(x, y, 0, 0)
    app.screen.on_mouse_press(x, y, arcade.MOUSE_BUTTON_LEFT, 0)
    app.screen.on_mouse_release(x, y, arcade.MOUSE_BUTTON_LEFT, 0)


def words(app: App) -> str:
    return "\n".join(w.words for w in app.screen.ui.widgets if isinstance(w, Label))


@pytest.mark.long
@multicast
def test_a_table_near_is_joined_by_one_click_and_vanishes_with_its_host(neighbours: tuple[App, App]) -> None:
    host, guest = neighbours
    screen = form(guest)
    host.remote.access.port = 0
    host.go.host(TableOptions(seats=3, title="Livia's table"))
    arrive(host, RoomScreen)

    def both() -> object:
        host.on_update(1 / 60)
        return near_of(screen).list.items

    until(guest, both)
    (near,) = near_of(screen).list.items
    assert (near.table.title, near.table.host, near.table.seats, near.table.taken) == ("Livia's table", "Livia", 3, 1)
    assert near.address == f"{LOOPBACK}:{host.remote.access.port}"
    click_row(guest, 0)
    arrive(guest, RoomScreen)
    assert [info.name for info in table_of(guest).seats if info.kind == SeatKind.PERSON] == ["Livia", "Marcus"]
    guest.go.leave()
    arrive(guest, LobbyScreen)
    guest.go.menu()
    screen = form(guest)
    until(guest, both)
    host.go.menu()
    host.on_update(1 / 60)
    until(guest, lambda: not near_of(screen).list.items)
    assert "There are no tables nearby" in words(guest)


@pytest.mark.long
@multicast
def test_a_table_that_plays_is_watched_by_one_click(neighbours: tuple[App, App]) -> None:
    host, guest = neighbours
    host.remote.access.port = 0
    host.go.server(HOSTED, lambda: host.remote.create(TableOptions(seats=2), bots=("easy",)))
    until(host, lambda: at_the_board(host))
    screen = form(guest, watch=True)

    def playing() -> bool:
        host.on_update(1 / 60)
        return [near.table.phase for near in near_of(screen).list.items] == [TablePhase.PLAYING]

    until(guest, playing)
    click_row(guest, 0)
    until(guest, lambda: at_the_board(guest))
    assert table_of(guest).you < 0


class Ear(Nearby):
    """Notes what would be announced."""

    def __init__(self) -> None:
        super().__init__(())
        self.heard: list[Announcement | None] = []

    def announce(self, table: Announcement | None, port: int = 0) -> None:
        self.heard.append(table)


def test_unlisted_and_remote_tables_are_not_announced(app: App, server: Server) -> None:
    ear = Ear()
    crier = LanAnnouncer(app.remote, app.settings, ear)
    open_table(app, server)
    crier.update()
    assert ear.heard == [None], "it is not ours to announce"
    app.remote.access.address = HOSTED
    crier.update()
    assert ear.heard[-1] is not None and ear.heard[-1].match == table_of(app).match
    assert app.remote.match is not None
    app.remote.match.table = replace(table_of(app), open=False)
    crier.update()
    assert ear.heard[-1] is None
    app.remote.match.table = replace(table_of(app), open=True, phase=TablePhase.OVER)
    crier.update()
    assert ear.heard[-1] is None


def test_a_host_who_reads_the_list_still_announces_the_table(app: App, server: Server) -> None:
    ear = Ear()
    crier = LanAnnouncer(app.remote, app.settings, ear)
    open_table(app, server)
    press(app, "Leave")
    press(app, "Leave the table")
    until(app, lambda: isinstance(app.screen, LobbyScreen) and app.remote.lobby.known)
    app.remote.access.address = HOSTED
    crier.update()
    assert ear.heard == [None], "the table is gone with its last guest"


@pytest.mark.usefixtures("wired")
@pytest.mark.parametrize("size", [theme.BASE_SIZE, theme.MIN_SIZE, (2560, 1600)], ids=str)
def test_the_list_is_drawn_with_some_of_each_kind(app: App, shoot: Shoot, size: tuple[int, int]) -> None:
    app.on_resize(*size)
    app.nearby.tables = some(9)
    screen = form(app)
    screen.tell("No server is listening at that address.")
    if size == theme.BASE_SIZE:
        shoot(app, "join_near")
    no_overlaps(app)
    app.nearby.tables = ()
    app.nearby.trouble = "[Errno 19] No such device"
    app.on_update(0.1)
    assert "cannot be found" in words(app)
    no_overlaps(app)


@pytest.mark.usefixtures("wired")
def test_connections_need_a_click_and_strangers_are_never_connected_to(app: App) -> None:
    app.nearby.tables = some(MOST)
    screen = form(app)
    app.on_update(0.1)
    assert len(near_of(screen).list.items) == MOST
    assert "There are more tables nearby" in words(app)
    assert not app.remote.begun
    click_row(app, 4)
    assert not app.remote.begun
    assert "another version" in words(app)
    click_row(app, 0)
    assert isinstance(app.screen, ConnectingScreen)
    assert app.remote.access.address == "192.168.1.2:8600"


@pytest.mark.usefixtures("wired")
def test_under_the_mouse_nothing_moves_away(app: App) -> None:
    first, second, third, fourth = some(4)
    app.nearby.tables = (second, third)
    screen = form(app)
    rect = near_of(screen).list.rect
    screen.on_mouse_motion(rect.x, rect.top - 10, 0, 0)
    app.nearby.tables = (first, second, third)
    app.on_update(0.1)
    assert near_of(screen).list.items == [second, third, first]
    screen.on_mouse_press(rect.x, rect.top - 10, arcade.MOUSE_BUTTON_LEFT, 0)
    app.nearby.tables = (fourth,)
    app.on_update(0.1)
    assert near_of(screen).list.items == [second, third, first], "not between press and release"
    screen.on_mouse_release(rect.x, rect.top - 10, arcade.MOUSE_BUTTON_LEFT, 0)
    assert app.remote.access.address == second.address


@pytest.mark.usefixtures("wired")
def test_the_keys_choose_a_table_too(app: App) -> None:
    app.nearby.tables = some(3)
    screen = form(app)
    screen.ui.set_focus(near_of(screen).list)
    for symbol in (key.DOWN, key.DOWN, key.ENTER):
        screen.on_key_press(symbol, 0)
    assert app.remote.access.address == "192.168.1.3:8600"


@pytest.mark.parametrize(
    ("pasted", "code"),
    [
        ("conquest://{}/{}", True), ('"conquest join {} --code {}"', True), (" {} {} ", True),
        ("Come to {}, code {}.", True), ("{}", False),
    ],
)  # fmt: skip
def test_invitations_are_pasted_whole(app: App, server: Server, pasted: str, code: bool) -> None:
    open_table(app, server)
    other = App(app.window, Settings(name="Marcus"))
    try:
        screen = form(other)
        screen.on_text(pasted.format(server.address, table_of(app).code))
        screen.on_key_press(key.ENTER, 0)
        until(other, lambda: isinstance(other.screen, RoomScreen if code else LobbyScreen))
    finally:
        other.close()


def test_a_wrong_code_leads_back_to_the_form_with_all_that_was_typed(app: App, server: Server, shoot: Shoot) -> None:
    screen = form(app)
    screen.on_text(f"conquest join {server.address} --code WRNG23")
    press(app, "Join")
    assert isinstance(app.screen, ConnectingScreen)
    until(app, lambda: app.screen is screen)
    assert "That code opens no table here; please ask the host for the right one." in words(app)
    assert (screen._name, screen._address, screen._code) == ("Livia", server.address, "WRNG23")
    assert not app.remote.begun
    shoot(app, "join_failed")
    screen._set_code("")
    press(app, "Join")
    arrive(app, LobbyScreen)


@pytest.mark.usefixtures("wired")
@pytest.mark.parametrize(
    ("arrivals", "said"),
    [
        ((ConnectionState("gave-up", UNKNOWN),), "No computer is known by that name."),
        ((ConnectionState("gave-up", "No server is listening at that address."),), "No server is listening"),
        ((ConnectionState("gave-up", "The server does not answer."),), "does not answer"),
        ((Refused(0, "version", "", "This server speaks another version."),), "another version"),
        ((Welcome(1, "Livia", "s", ()), Refused(2, "no-match", "", "There is no such table.")), "no such table"),
        ((Welcome(1, "Livia", "s", ()), Refused(2, "full", "", "All seats are taken.")), "All seats are taken."),
    ],
)
def test_failures_are_told_in_the_form(app: App, arrivals: tuple[Arrival, ...], said: str) -> None:
    screen = form(app)
    screen.on_text("conquest://192.168.1.20:8600/VEN42A")
    press(app, "Join")
    told(app, *arrivals)
    assert app.screen is screen
    assert said in words(app)
    assert (screen._address, screen._code) == ("192.168.1.20:8600", "VEN42A")
    screen.back()
    assert isinstance(app.screen, MenuScreen)


@pytest.mark.usefixtures("wired")
def test_cancelling_a_connection_returns_to_the_form(app: App) -> None:
    screen = form(app)
    screen.on_text("192.168.1.20")
    press(app, "Join")
    press(app, "Cancel")
    assert app.screen is screen and not app.remote.begun


@pytest.mark.usefixtures("wired")
def test_declining_an_unencrypted_connection_returns_to_the_form(app: App) -> None:
    screen = form(app)
    screen.on_text("8.8.8.8")
    press(app, "Join")
    app.on_update(0.1)
    press(app, "Do not connect")
    assert app.screen is screen and screen._address == "8.8.8.8"


@pytest.mark.usefixtures("wired")
def test_an_unknown_name_is_reported_at_once(app: App) -> None:
    screen = form(app)
    screen.on_text("nobody.example.org")
    press(app, "Join")
    told(app, ConnectionState("gave-up", UNKNOWN))
    assert app.screen is screen
    assert UNKNOWN in words(app)


@pytest.mark.usefixtures("wired")
def test_a_public_address_that_does_not_lead_back_is_replaced_by_servers_nearby_a_few_times(app: App) -> None:
    screen = form(app)
    screen.on_text("conquest://8.8.1.7:8600/VEN42A")
    press(app, "Join")
    app.on_update(0.1)
    press(app, "Connect all the same")
    app.nearby.tables = some(9)
    for home in some(3):
        told(app, ConnectionState("gave-up", "The server does not answer."))
        assert app.remote.access.address == home.address, "The profile of the public server is not sent there."
    told(app, ConnectionState("gave-up", "The server does not answer."))
    assert app.screen is screen and screen._address == "8.8.1.7:8600"
    assert "The server does not answer. If its host is in your own network, use the home link" in words(app)


@pytest.mark.usefixtures("wired")
@pytest.mark.parametrize("answer", [NO_GAME, UNKNOWN, HOPELESS[Close.VERSION]])
def test_a_refusal_that_another_address_cannot_mend_leads_to_no_server_nearby(app: App, answer: str) -> None:
    screen = form(app)
    screen.on_text("conquest://8.8.1.7:8600/VEN42A")
    press(app, "Join")
    app.on_update(0.1)
    press(app, "Connect all the same")
    app.nearby.tables = some(1)
    told(app, ConnectionState("gave-up", answer))
    assert app.screen is screen
    assert answer in words(app)


def test_an_unknown_name_is_not_asked_for_again_and_again(monkeypatch: pytest.MonkeyPatch) -> None:
    def connect(*_: object, **__: object) -> object:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr("websockets.sync.client.connect", connect)
    link = ServerConnection("ws://nobody.example.org:8600", ClientSession("Livia"))
    link.join(10)
    assert [(state.kind, state.why) for state in link.poll() if isinstance(state, ConnectionState)] == [
        ("connecting", ""), ("gave-up", UNKNOWN),
    ]  # fmt: skip


@pytest.mark.parametrize("typed", [*ODD])
def test_odd_addresses_are_told_in_the_form_at_once(app: App, typed: str) -> None:
    screen = form(app)
    screen._set_address(typed)
    screen.confirm()
    assert app.screen is screen, "Nothing is waited for."
    assert ODD[typed] in words(app)


def test_without_a_name_one_goes_nowhere(app: App) -> None:
    app.nearby.tables = some(1)
    screen = form(app)
    screen._set_name("  ")
    screen._set_address("192.168.1.20")
    press(app, "Join")
    assert "Please enter your name" in words(app)
    click_row(app, 0)
    assert app.screen is screen and not app.remote.begun


def test_lines_that_are_pasted_stay_apart(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app.window, "get_clipboard_text", lambda: "conquest join\n192.168.1.20\r\n--code VEN42A\n")
    screen = form(app)
    screen.on_key_press(key.V, key.MOD_ACCEL)
    assert read(screen._address) == TableAddress("192.168.1.20", "VEN42A")


def test_the_operator_s_pages_open_in_a_browser(app: App, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    server, opened = Server(tmp_path / "server", 0, "--pages", str(PAGES)), list[str]()

    def browse(page: str) -> bool:
        opened.append(page)
        return len(opened) > 1

    monkeypatch.setattr("webbrowser.open", browse)
    enter_lobby(app, server)
    press(app, "About this server")
    assert opened == [f"http://{server.address}/terms"] and opened[0] in " ".join(app.toasts.words)
    press(app, "About this server")
    assert len(opened) == 2
    assert not [words for words in app.toasts.words if words.startswith("What holds here")], "the button says it"
    server.kill()


def test_the_operator_s_pages_are_named_where_a_code_leads_straight_to_a_table(
    app: App, other: App, tmp_path: Path
) -> None:
    server = Server(tmp_path / "server", 0, "--pages", str(PAGES))
    open_table(app, server)
    remote(other, server, table_of(app).code)
    arrive(other, RoomScreen)
    pages = " ".join(f"http://{server.address}/{name}" for name in ("terms", "privacy", "contact"))
    assert other.toasts.words == [f"What holds here, and who runs this server: {pages}"]
    assert not [words for words in app.toasts.words if pages in words]
    server.kill()
