"""Interface through which tasks and sheets use the table."""

from collections.abc import Callable, Sequence
from typing import Protocol, TypeAlias

from client.drawing.overlay import Tone
from client.keyboard.commands import Command
from client.player.settings import PlaySettings
from client.table.position import T_co
from shared.actions.description import Form
from shared.ids import Seat
from shared.kernel.frames import Action
from shared.refusal import Refusal

Check: TypeAlias = Callable[[Action], Refusal | None]
"""Check of an action: None if it is legal now, else the reason."""


class Desk(Protocol[T_co]):
    """The table as one seat uses it. `T_co`: the positions of the game that is played."""

    @property
    def table(self) -> T_co:
        """The position as this seat sees it."""

    @property
    def seat(self) -> Seat:
        """The seat of this client, or NONE."""

    @property
    def play_settings(self) -> PlaySettings:
        """The player's settings for display and questions."""

    @property
    def first_game(self) -> bool:
        """Whether the player plays this game for the first time; then marches are suggested with few units."""

    def who(self, seat: Seat) -> str:
        """Return the name of a player."""

    def check(self, action: Action) -> Refusal | None:
        """Return why an action is not legal now, or None."""

    def forms(self, kind: type[Action]) -> Sequence[Form]:
        """Return the forms in which actions of a kind are composed now."""

    def act(self, action: Action) -> bool:
        """Do an action. If it is not legal, tell the player and return False."""

    def changed(self) -> None:
        """Update the display, as the task has changed."""

    def toast(self, words: str, tone: Tone = "plain") -> None:
        """Show a short notice."""

    def go_ahead(self) -> object:
        """Skip to the next decision of this seat, without showing what happens until then."""

    def refuse(self, refusal: Refusal) -> None:
        """Tell why something is not legal, and by which rule."""

    def lay(self, key: Command | None) -> None:
        """Open the sheet with that key; without a key close the sheet over the board."""

    def look_at(self, places: Sequence[int]) -> None:
        """Bring positions of the board into sight."""
