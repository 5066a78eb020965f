"""What a task, or a sheet, may do with the table at which it is done."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, TypeAlias

from client.drawing.overlay import Tone
from client.keyboard.commands import Command
from client.player.play_settings import PlaySettings
from client.table.position import T_co
from shared.ids import Seat
from shared.kernel.frames import Action
from shared.refusal import Refusal

Check: TypeAlias = Callable[[Action], Refusal | None]
"""Whether an action is legal now: None, or why not."""


class Desk(Protocol[T_co]):
    """The table as one seat deals with it. `T_co`: the positions of the game that is played."""

    @property
    def table(self) -> T_co:
        """The position as this seat sees it."""

    @property
    def seat(self) -> Seat:
        """The seat of this client, or NONE."""

    @property
    def manner(self) -> PlaySettings:
        """How the player wishes things to be shown and asked."""

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

    def go_ahead(self) -> object:
        """On to the next decision of this seat: nothing is shown on its way until then."""

    def refuse(self, refusal: Refusal) -> None:
        """Say why something is not legal, and by which rule."""

    def lay(self, key: Command | None) -> None:
        """Open the sheet with that key; with no key put away the one that lies over the board."""

    def look_at(self, places: Sequence[int]) -> None:
        """Bring positions of the board into sight."""
