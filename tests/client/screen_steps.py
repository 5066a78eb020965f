"""Steps that players take on the screens of the window, at a real server or without one."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import arcade

from client.app import App
from client.drawing.widgets import Button, Label
from client.network.model import MatchModel
from client.screens.base import Screen
from client.screens.connect import ConnectScreen
from client.screens.create import CreateScreen
from client.screens.lobby import LobbyScreen
from client.screens.room import RoomScreen
from shared.messages import TableState
from shared.tables import SeatKind
from tests.client.conftest import Server, at_the_board, until

S = TypeVar("S", bound=Screen)


def screen_of(app: App, kind: type[S]) -> S:
    """Return the screen that is shown; fail if it is of another kind."""
    assert isinstance(app.screen, kind), app.screen
    return app.screen


def arrive(app: App, kind: type[S], *, when: Callable[[], object] = lambda: True, seconds: float = 30.0) -> S:
    """Let the program live until a screen of that kind is shown and the condition holds; return the screen."""
    until(app, lambda: isinstance(app.screen, kind) and when(), seconds)
    return screen_of(app, kind)


def click(app: App, x: float, y: float) -> None:
    """Move the mouse there, press and release it, as the window tells the screen."""
    app.screen.on_mouse_motion(x, y, 0, 0)
    app.screen.on_mouse_press(x, y, arcade.MOUSE_BUTTON_LEFT, 0)
    app.screen.on_mouse_release(x, y, arcade.MOUSE_BUTTON_LEFT, 0)


def press(app: App, words: str) -> None:
    """Click the button with these words."""
    buttons = [w for w in app.screen.ui.widgets if isinstance(w, Button)]
    found = [button for button in buttons if button.words == words]
    assert found, [button.words for button in buttons]
    assert found[0].enabled, words
    click(app, found[0].rect.x, found[0].rect.y)


def labels(app: App) -> list[str]:
    """Return the texts of all labels on the screen."""
    return [widget.words for widget in app.screen.ui.widgets if isinstance(widget, Label)]


def match_of(app: App) -> MatchModel:
    """Return the match that the program follows."""
    assert app.remote.match is not None
    return app.remote.match


def table_of(app: App) -> TableState:
    """Return the table of the match that the program follows."""
    table = match_of(app).table
    assert table is not None
    return table


def remote(app: App, server: Server, code: str = "") -> None:
    """Go to the server by the form, as a player does."""
    app.go.show(ConnectScreen(app, watch=False, address=server.address, code=code))
    press(app, "Join")


def enter_lobby(app: App, server: Server) -> LobbyScreen:
    """Go to the server's list of tables, and wait until it is known."""
    remote(app, server)
    return arrive(app, LobbyScreen, when=lambda: app.remote.lobby.known)


def open_table(app: App, server: Server) -> None:
    """Make a table of two and arrive in its room."""
    enter_lobby(app, server)
    press(app, "New table")
    screen_of(app, CreateScreen).plan.seats = 2
    press(app, "Open the table")
    arrive(app, RoomScreen)


def join_room(guest: App, address: str, code: str) -> RoomScreen:
    """Join the table with that code, and arrive in its room."""
    guest.go.server(address, lambda: guest.remote.join("", code))
    return arrive(guest, RoomScreen)


def enter_room(guest: App, server: Server, code: str) -> RoomScreen:
    """Join the table with that code by the form, and arrive in its room."""
    remote(guest, server, code)
    return arrive(guest, RoomScreen)


def seat_kind(app: App, seat: int, kind: SeatKind) -> None:
    """Wait until a seat of the table is of that kind."""
    until(app, lambda: table_of(app).seats[seat].kind == kind)


def add_bot(app: App) -> None:
    """Put a bot on the second seat."""
    press(app, "+ bot")
    seat_kind(app, 1, SeatKind.BOT)


def start_match(app: App) -> MatchModel:
    """Start the match of the room and arrive at the board; return the match."""
    press(app, "Start the match")
    until(app, lambda: at_the_board(app))
    return match_of(app)


def begin_with_bot(app: App) -> MatchModel:
    """Put a bot on the second seat and start the match; return it at the board."""
    add_bot(app)
    return start_match(app)
