"""What the table needs of the match and of the program around it: two small ports, so that it runs without both."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, Protocol

from client.games.conquest.position import Table
from client.network.model import Told
from client.table.guide import Guide
from shared.ids import Seat
from shared.kernel.engine import AnyRuleset
from shared.kernel.frames import Action
from shared.messages import Refused, Said, TableState
from shared.refusal import Refusal

Tone = Literal["plain", "good", "bad"]


class TableMatch(Protocol):
    """A match as one client sees it; `client.network.model.MatchModel` is one."""

    rules: AnyRuleset
    table: TableState | None
    seat: Seat
    view: Any
    version: int
    chat: list[Said]
    refusal: Refused | None

    @property
    def pending(self) -> bool:
        """Whether an action was sent and is not answered yet."""

    @property
    def finished(self) -> bool:
        """Whether the match is over."""

    @property
    def is_mine(self) -> bool:
        """Whether this seat owes a decision and none is on its way."""

    def owed(self) -> tuple[Seat, ...]:
        """The seats that must decide now."""

    def check(self, action: Action) -> Refusal | None:
        """Whether this seat may do it now."""

    def act(self, action: Action) -> Refusal | None:
        """Send an action, or say why it is not legal."""

    def take_events(self) -> list[Told]:
        """The events since the last call."""

    def seconds_left(self) -> float | None:
        """Seconds until the clock decides."""

    def name(self, seat: Seat) -> str:
        """Who sits there."""


class House(Protocol):
    """The program around the table."""

    def toast(self, words: str, tone: Tone = "plain") -> None:
        """Say something in passing."""

    def show_help(self) -> None:
        """Open the rules."""

    def leave_table(self) -> None:
        """Get up from the table."""

    def say(self, words: str) -> None:
        """Say something to all at the table."""


class Desk(Protocol):
    """What a task may do with the table at which it is done."""

    @property
    def guide(self) -> Guide:
        """The game that is played."""

    @property
    def table(self) -> Table:
        """The position as this seat sees it."""

    @property
    def seat(self) -> Seat:
        """The seat of this client."""

    def who(self, seat: Seat) -> str:
        """The name of a player."""

    def check(self, action: Action) -> Refusal | None:
        """Whether an action is legal now."""

    def act(self, action: Action) -> bool:
        """Do it; False, with a word to the player, where that is not legal."""

    def changed(self) -> None:
        """Something half made is different: show it."""

    def toast(self, words: str, tone: Tone = "plain") -> None:
        """Say something in passing."""

    def lay(self, key: str) -> None:
        """Open the sheet with that key; with no key put away the one that lies over the board."""

    def look_at(self, places: Sequence[int]) -> None:
        """Bring positions of the board into sight."""
