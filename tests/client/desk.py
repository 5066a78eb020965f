"""A desk without a table."""

from collections.abc import Sequence
from typing import Any

from client.drawing.overlay import Tone
from client.games.static_match import LocalMatch
from client.keyboard.commands import Command
from client.player.settings import PlaySettings
from shared.actions.description import Form
from shared.actions.registry import forms_of
from shared.ids import Seat
from shared.kernel.frames import Action
from shared.refusal import Refusal


class StillDesk:
    """A `Desk` over a match without a server."""

    def __init__(self, match: LocalMatch) -> None:
        self.match = match
        self.surname = ""
        self.play_settings = PlaySettings()
        self.first_game = False
        self.toasts: list[str] = []

    @property
    def table(self) -> Any:
        return self.match.view

    @property
    def seat(self) -> Seat:
        return self.match.seat

    def who(self, seat: Seat) -> str:
        return self.match.name(seat) + self.surname

    def check(self, action: Action) -> Refusal | None:
        return self.match.check(action)

    def forms(self, kind: type[Action]) -> Sequence[Form]:
        return forms_of(self.match.rules.id, self.match.view, self.seat, kind)

    def act(self, action: Action) -> bool:
        return self.match.act(action) is None

    def changed(self) -> None:
        """Do nothing: no object of these tests shows changes."""

    def toast(self, words: str, tone: Tone = "plain") -> None:
        self.toasts.append(words)

    def go_ahead(self) -> object:
        """Nothing is on its way."""

    def refuse(self, refusal: Refusal) -> None:
        self.toast(refusal.text, "bad")

    def lay(self, key: Command | None) -> None:
        """Do nothing: there is no room for another sheet."""

    def look_at(self, places: Sequence[int]) -> None:
        """Do nothing: there is no board."""
