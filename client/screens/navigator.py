"""The port through which a screen goes to another one, so that none knows another. `client.navigation` is behind it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal, Protocol, TypeAlias

from client.player.seats import SavedSeat
from client.player.table_options import TableOptions
from client.replay.film import AnyFilm
from client.replay.reading import Reading
from client.replay.screening import Screening
from client.screens.question import Question
from protocol.record import Record
from shared.messages import SeatInfo

Purpose: TypeAlias = Literal["play", "host", "lobby"]
"""What a table is made for: to play against bots, for friends nearby, on the server where one is."""


class Navigator(Protocol):
    """The ways from screen to screen, and to and from servers."""

    def menu(self) -> None:
        """Hang up and go to the first screen."""

    def turn_back(self, why: str = "") -> bool:
        """Hang up and go back to the form from which we set out, which says why; whether there is one."""

    def lobby(self) -> None:
        """Go to the list of tables of the server we are connected to; without a server, to the menu."""

    def room(self) -> None:
        """Go to the table's antechamber."""

    def table(self) -> None:
        """Go to the board."""

    def exhibit(self, address: str = "", code: str = "") -> None:
        """Show a table to all in the room, without any controls: the one at that address, or that of now."""

    def take_down(self) -> None:
        """Leave that: to the same table with its controls, or to the menu where one came for nothing else."""

    def open(self) -> None:
        """Go to the choice of a recorded match; closing it comes back to the present screen."""

    def open_file(self, path: Path) -> None:
        """Look at the match in a file again; what is none is refused in words."""

    def replay(self, film: AnyFilm, seats: Sequence[SeatInfo]) -> None:
        """Look at a match again; closing it comes back to the present screen."""

    def past(self) -> None:
        """Go to the list of finished matches; closing it comes back to the present screen."""

    def save(self, record: Record, data: bytes) -> None:
        """Go to the choice of a file for a record; closing it comes back to the present screen."""

    def charts(self, reading: Reading, screening: Screening, *, see: Callable[[int], object]) -> None:
        """Show what a match came to; closing it, or choosing a moment to `see`, comes back to the present screen."""

    def help(self, rule: str = "") -> None:
        """Open the rules, on the page of one of them; closing them comes back to the present screen."""

    def settings(self) -> None:
        """Open what the player may wish; closing it comes back to the present screen."""

    def depart(self, then: Callable[[], object] | None = None) -> None:
        """Hang up and go to the first screen, or do something else then; guests of ours are thought of first."""

    def games(self) -> None:
        """Hang up and go to the list of all seats that are held."""

    def ask(self, question: Question) -> None:
        """Put a question above the present screen; it comes back before what was chosen is done."""

    def hook(self) -> None:
        """Go to the page on which the host says whom the table tells outside of the game; closing it comes back."""

    def hand(self) -> None:
        """Go to the page that shows how one's hand is read on another device."""

    def devices(self) -> None:
        """Go to the page that takes one's profile to another device; closing it comes back to the present screen."""

    def credits(self) -> None:
        """Go to the page that says who made the game."""

    def keys(self) -> None:
        """Go to the list of keys, to change them; closing it comes back to the present screen."""

    def create(self, purpose: Purpose) -> None:
        """Go to the form for a table."""

    def lessons(self) -> None:
        """Go to the choice of a lesson."""

    def connect(self, *, watch: bool, address: str = "", code: str = "") -> None:
        """Go to the form for an address; with an address, try it at once."""

    def server(self, address: str, wish: Callable[[], object], seat: SavedSeat | None = None) -> None:
        """Go to a server, see `Visit.begin`; show what happens meanwhile."""

    def hand_back(self, seat: SavedSeat) -> None:
        """Leave a seat for good, wherever it is; back to the list."""

    def play(self, plan: TableOptions) -> None:
        """Start a private server, make that table with bots on all other seats, and begin."""

    def learn(self, ruleset: str) -> None:
        """To the lesson of a rule set: on where it was left, or from its beginning."""

    def host(self, plan: TableOptions, port: int = 0) -> None:
        """Start a server for the network and open that table on it. `port`: where it listens; 0: as before."""

    def leave(self) -> None:
        """Get up from the table, and go to the lobby; from our private server, and from one out of reach, to the menu.

        A seat in a match that goes on stays ours: a bot plays until we come back.
        """
