"""The host says in the room where people who are away are told that it is their turn."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from client.app import App
from client.drawing.widgets import Button
from client.screens.hook import HookScreen
from client.screens.room import RoomScreen
from client.screens.table import TableScreen
from shared.tables import SeatKind
from tests.client.conftest import Server, Shoot, at_the_board, has_begun, until
from tests.client.screen_steps import join_room, open_table, press, screen_of, start_match, table_of


class Hooks(HTTPServer):
    """Writes down what it is told."""

    heard: list[dict[str, object]]


class Handler(BaseHTTPRequestHandler):
    server: Hooks

    def do_POST(self) -> None:
        data = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.heard.append(json.loads(data))
        self.send_response(404 if self.path == "/no" else 204)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Nothing."""


@pytest.fixture
def hooks() -> Iterator[Hooks]:
    """A webhook on this computer."""
    made = Hooks(("127.0.0.1", 0), Handler)
    made.heard = []
    threading.Thread(target=made.serve_forever, daemon=True).start()
    yield made
    made.shutdown()
    made.server_close()


@pytest.fixture
def telling(tmp_path: Path) -> Iterator[Server]:
    """A server whose operator allows webhooks."""
    made = Server(tmp_path / "server", 0, "--webhooks", "--webhooks-loopback", "--public", "play.example.org")
    yield made
    made.kill()


def hang(app: App, url: str) -> None:
    """Name the address of a webhook."""
    press(app, "Messages …")
    fill_in(app, url)
    assert isinstance(app.screen, RoomScreen)


def fill_in(app: App, url: str) -> None:
    """Have a program there told."""
    assert isinstance(app.screen, HookScreen)
    app.screen._choose(3)
    app.screen._type(url)
    press(app, "Tell them")


@pytest.mark.long
def test_absent_players_are_notified_by_webhook(
    app: App, other: App, telling: Server, hooks: Hooks, shoot: Shoot
) -> None:
    open_table(app, telling)
    shoot(app, "room_with_messages")
    press(app, "Messages …")
    shoot(app, "messages")
    press(app, "Back")
    code = table_of(app).code
    join_room(other, telling.address, code)
    hang(app, f"http://127.0.0.1:{hooks.server_port}/yes")
    until(app, lambda: app.remote.match is not None and app.remote.match.hooked == "json" and len(hooks.heard) == 1)
    assert hooks.heard[0]["event"] == "hello"
    until(other, lambda: any("the turn of an absent player" in line.text for line in other.remote.match.chat))  # type: ignore[union-attr]
    assert other.remote.match is not None and other.remote.match.hooked == ""
    press(app, "Start the match")
    until(other, lambda: has_begun(other))
    until(app, lambda: has_begun(app))
    assert app.remote.match is not None
    first, second = (app, other) if app.remote.match.is_mine else (other, app)
    name = second.settings.name
    second.go.menu()
    while len(hooks.heard) == 1:
        match = first.remote.match
        assert match is not None
        if match.is_mine:
            assert match.act(match.options()[-1]) is None
        first.on_update(1 / 60)
    assert (hooks.heard[1]["event"], hooks.heard[1]["who"]) == ("decide", [name])
    assert hooks.heard[1]["link"] == f"https://play.example.org/watch#{code}"


@pytest.mark.long
def test_the_host_is_told_what_does_not_arrive_and_ends_it(app: App, telling: Server, hooks: Hooks) -> None:
    open_table(app, telling)
    hang(app, f"http://127.0.0.1:{hooks.server_port}/no")
    until(app, lambda: any("could not be delivered" in words for words in app.toasts.words))
    press(app, "Messages …")
    press(app, "No messages")
    until(app, lambda: app.remote.match is not None and app.remote.match.hooked == "")
    hang(app, "http://192.168.0.1/x")
    until(app, lambda: any("on the internet" in words for words in app.toasts.words))


def entries(app: App) -> list[str]:
    """Return the entries of the table's menu."""
    assert isinstance(app.screen, TableScreen)
    app.screen.back()
    return [entry.words for entry in app.screen.top.menu.page.entries]


@pytest.mark.long
def test_during_the_match_the_host_finds_it_in_the_menu_of_the_table(
    app: App, other: App, telling: Server, hooks: Hooks, shoot: Shoot
) -> None:
    open_table(app, telling)
    code = table_of(app).code
    join_room(other, telling.address, code)
    until(app, lambda: table_of(app).seats[1].name == "Marcus")
    press(app, "Start the match")
    until(other, lambda: at_the_board(other))
    until(app, lambda: at_the_board(app))
    assert "Messages …" not in entries(other), "he is no host"
    assert "Messages …" in entries(app)
    shoot(app, "menu_with_messages")
    table = screen_of(app, TableScreen)
    (tell,) = [each for each in table.top.menu.page.entries if each.words == "Messages …"]
    tell.action()
    fill_in(app, f"http://127.0.0.1:{hooks.server_port}/yes")
    assert app.screen is table and not table.top.menu.open
    until(app, lambda: app.remote.match is not None and app.remote.match.hooked == "json" and len(hooks.heard) == 1)


def test_no_webhook_settings_unless_the_operator_allows_them(app: App, server: Server) -> None:
    open_table(app, server)
    assert "Messages …" not in [each.words for each in app.screen.ui.widgets if isinstance(each, Button)]
    press(app, "Fill with bots")
    until(app, lambda: table_of(app).seats[1].kind == SeatKind.BOT)
    start_match(app)
    assert "Messages …" not in entries(app)
