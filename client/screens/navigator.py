"""Interface through which screens open each other without importing each other; `client.navigation` implements it."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal, Protocol, TypeAlias

from client.player.seats import SavedSeat
from client.player.table_options import TableOptions
from client.replay.film import AnyFilm
from client.replay.film_analysis import Reading
from client.replay.film_match import FilmMatch
from client.screens.question import Question
from protocol.record import Record
from shared.messages import SeatInfo

Purpose: TypeAlias = Literal["play", "host", "lobby"]
"""Purpose of a table: against bots, for friends nearby, on the present server."""


class Navigator(Protocol):
    """Navigation between screens and servers."""

    def menu(self) -> None:
        """Disconnect and go to the first screen."""

    def turn_back(self, why: str = "") -> bool:
        """Disconnect and return to the form that led here, which shows `why`; return whether there is one."""

    def lobby(self) -> None:
        """Go to the table list of the connected server; without a server, to the menu."""

    def room(self) -> None:
        """Go to the table's waiting room."""

    def table(self) -> None:
        """Go to the board."""

    def exhibit(self, address: str = "", code: str = "") -> None:
        """Show a table on a large screen without controls: the one at that address, or the present one."""

    def take_down(self) -> None:
        """Leave the large view: for the same table with its controls, or for the menu if the program began there."""

    def open(self) -> None:
        """Go to the choice of a recorded match; closing returns to the present screen."""

    def open_file(self, path: Path) -> None:
        """Show the match in a file; an invalid file is refused with a message."""

    def replay(self, film: AnyFilm, seats: Sequence[SeatInfo], at: int | None = None) -> None:
        """Replay a match, running from version `at` if that is given; closing returns to the present screen."""

    def turning_points(self, film: AnyFilm, seats: Sequence[SeatInfo]) -> None:
        """Show the turning points of a match; closing returns to the present screen."""

    def past(self) -> None:
        """Go to the list of finished matches; closing returns to the present screen."""

    def save(self, record: Record, data: bytes) -> None:
        """Go to the choice of a file for a record; closing returns to the present screen."""

    def charts(self, reading: Reading, screening: FilmMatch, *, see: Callable[[int], object]) -> None:
        """Show the statistics of a match; closing, or choosing a moment to `see`, returns to the present screen."""

    def help(self, rule: str = "") -> None:
        """Open the rules, at the page of `rule` if given; closing returns to the present screen."""

    def settings(self) -> None:
        """Open the settings; closing returns to the present screen."""

    def depart(self, then: Callable[[], object] | None = None) -> None:
        """Disconnect and go to the first screen or call `then`; if others play on our server, ask first."""

    def games(self) -> None:
        """Disconnect and go to the list of all held seats."""

    def ask(self, question: Question) -> None:
        """Ask a question above the present screen, which returns before the answer's action runs."""

    def hook(self) -> None:
        """Go to the webhook settings of the host; closing returns to the present screen."""

    def invite(self) -> None:
        """Go to the link for friends; closing returns to the present screen."""

    def notices(self) -> None:
        """Go to the settings of notices outside of the game; closing returns to the present screen."""

    def hand(self) -> None:
        """Go to the page that connects another device to the player's hand."""

    def profile(self) -> None:
        """Go to the profile, with devices, member and own data; closing returns to the present screen."""

    def rename(self) -> None:
        """Ask for another name at the present table; closing returns to the present screen."""

    def ask_name(self, close: Callable[[], object]) -> None:
        """Ask for the player's name, then call `close`."""

    def credits(self) -> None:
        """Go to the credits."""

    def keys(self) -> None:
        """Go to the list of keys, to change them; closing returns to the present screen."""

    def create(self, purpose: Purpose) -> None:
        """Go to the form for a table."""

    def lessons(self) -> None:
        """Go to the choice of a lesson."""

    def problems(self) -> None:
        """Go to the list of problems."""

    def solve(self, key: str) -> None:
        """Begin a problem from its first position."""

    def connect(
        self, *, watch: bool, address: str = "", code: str = "", people: Sequence[str] = (), curtain: bool = False
    ) -> None:
        """Go to the form for an address; if an address is given, connect at once. `people`: as in `TableOptions`."""

    def server(self, address: str, wish: Callable[[], object], seat: SavedSeat | None = None, *,
               people: Sequence[str] = (), curtain: bool = False) -> None:  # fmt: skip
        """Connect to a server as `RemoteServer.begin` does, and show the progress; `people`: as in `TableOptions`."""

    def hand_back(self, seat: SavedSeat) -> None:
        """Leave a seat for good, on whichever server; then go back to the list."""

    def play(self, plan: TableOptions) -> None:
        """Start a private server, create that table with bots on all other seats, and begin."""

    def learn(self, key: str) -> None:
        """Open a lesson where it was left, or from its beginning."""

    def host(self, plan: TableOptions, port: int = 0) -> None:
        """Open that table on the server that it names, else on our own. `port`: where ours listens; 0: the last."""

    def leave(self) -> None:
        """Leave the table for the lobby; from a private or unreachable server, for the menu.

        A seat in a running match stays ours: a bot plays until we come back.
        """
