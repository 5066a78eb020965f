"""The first screen: what would you like to do?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeAlias

from client.drawing import brush, theme
from client.drawing.widgets import Button, ButtonKind, Label, column
from client.player.seats import SavedSeat
from client.screens import backdrop
from client.screens.base import Screen
from client.screens.games import place

Entry: TypeAlias = tuple[str, Callable[[], object], str, ButtonKind]
"""What a button says, does and explains, and how it looks."""

WIDE = 360.0
CREDIT = "Unofficial fan implementation. Conquest of the Empire: design Larry Harris, additional design Glenn Drover."


def _waiting(held: Sequence[SavedSeat]) -> str:
    """How many games go on."""
    mine = sum(seat.mine for seat in held)
    turns = f" In {mine} of them it is your turn." if mine and len(held) > 1 else ""
    return f"All games in which you hold a seat: {len(held) or 'none yet'}.{turns}"


class MenuScreen(Screen):
    """Title and the ways in, on the painted board."""

    def layout(self, width: float, height: float) -> None:
        left, wide = theme.px(72), theme.px(WIDE)
        self._title(left, height)
        entries = self._entries()
        rects = column(left, height - theme.px(228), wide, [39.0] * len(entries), 8)
        for rect, (words, action, tip, kind) in zip(rects, entries, strict=True):
            self.ui.add(Button(rect, words, action, tip=tip, kind=kind))
        self.ui.add(Label(CREDIT, left, theme.px(26), size=10.5, colour=theme.alpha(theme.IVORY, 190)))

    def _title(self, left: float, height: float) -> None:
        top = height - theme.px(92)
        self.ui.add(Label("Conquest", left - theme.px(3), top, size=theme.DISPLAY, title=True, colour=theme.GOLD))
        self.ui.add(Label("of the Empire", left + theme.px(2), top - theme.px(62), size=24, title=True,
                          colour=theme.PARCHMENT))  # fmt: skip

    def _entries(self) -> list[Entry]:
        go, held = self.shell.go, [seat for seat in self.shell.seats.all() if seat.live]
        seat = held[0] if held else None
        first: ButtonKind = "plain" if seat is not None else "primary"
        entries: list[Entry] = [
            ("Learn to play", go.lessons,
             "A first game with a coach at your side: ten minutes for each of the games.", "plain"),
            ("Play against bots", lambda: go.create("play"),
             "A game on this computer: you against one to five bots.", first),
            ("Host a game", lambda: go.create("host"),
             "Open a table for friends on the same network. The address to tell them is shown.", "plain"),
            ("Join a game", lambda: go.connect(watch=False),
             "Go to a server, and to a table there.", "plain"),
            ("Watch", lambda: go.connect(watch=True), "Look on at somebody's game.", "plain"),
            ("Settings", go.settings, "Volumes, and what else is yours to choose.", "plain"),
            ("Rules", go.help, "The rules in short, in plain words.", "plain"),
            ("Credits", go.credits, "Who made the game, and under which licence.", "plain"),
            ("Quit", self.shell.quit, "Close the game.", "plain"),
        ]  # fmt: skip
        mine: Entry = ("My games", go.games, _waiting(held), "plain")
        if seat is None:
            return [*entries[:5], mine, *entries[5:]]
        words = f"Back to where you played last: {seat.title or 'a table'}. {place(seat)}."
        return [("Continue your game", partial(self._continue, seat), words, "primary"), mine, *entries]

    def _continue(self, seat: SavedSeat) -> None:
        self.shell.go.server(seat.address, lambda: None, seat)

    def draw_below(self) -> None:
        backdrop.draw(self.width, self.height, side=0.9)
        wide = theme.px(WIDE)
        brush.rule(theme.px(72) + wide / 2, self.height - theme.px(196), wide, theme.BRONZE_LIGHT)

    def back(self) -> None:
        """There is nothing behind the menu: Escape does nothing here, Quit is a button."""
