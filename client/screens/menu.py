"""Main menu, the first screen."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeAlias

import arcade
from arcade.types import Rect

from client.drawing import shapes, theme
from client.drawing.widgets import Button, ButtonKind, Label, Panel, column
from client.language import _, ngettext
from client.player.match_status import place, waits
from client.player.seats import SavedSeat
from client.screens import backdrop
from client.screens.application import Application
from client.screens.base import Screen

Entry: TypeAlias = tuple[str, Callable[[], object], str, ButtonKind]
"""A button's text, action, explanation and look."""

WIDE = 360.0
CREDIT = _(
    "Unofficial fan implementation. Conquest of the Empire: design Larry Harris, additional design Glenn Drover."
)


def _waiting(held: Sequence[SavedSeat]) -> str:
    """Return a sentence on the number of running matches."""
    mine = sum(seat.mine for seat in held)
    if not held:
        return _("All games in which you hold a seat: none yet.")
    words = _("All games in which you hold a seat: {n}.", n=len(held))
    if not mine or len(held) == 1:
        return words
    turns = ngettext("In {n} of them it is your turn.", "In {n} of them it is your turn.", mine)
    return f"{words} {turns}"


class MenuScreen(Screen):
    """Title and main buttons on the painted board."""

    def __init__(self, app: Application) -> None:
        super().__init__(app)
        self._news_shown = app.rounds.news
        """Number of the last shown news from other servers."""

    def layout(self, width: float, height: float) -> None:
        left, wide = theme.px(72), theme.px(WIDE)
        height += self.scrolled
        self._title(left, height)
        entries = self._entries()
        rects = column(left, height - theme.px(228), wide, [39.0] * len(entries), 8)
        for rect, (words, action, tip, kind) in zip(rects, entries, strict=True):
            button = self.ui.add(Button(rect, words, action, tip=tip, kind=kind))
            if kind == "primary":
                self.ui.set_focus(button)
            if action == self.app.go.games and self.app.rounds.waiting:
                self._mark(rect)
        low = min(theme.px(40) + self.scrolled, rects[-1].bottom - theme.px(14))
        self.ui.add(Label(CREDIT, left, low, size=10.5, colour=theme.alpha(theme.IVORY, 190), anchor_y="top",
                          width=width - 2 * left))  # fmt: skip

    def _mark(self, button: Rect) -> None:
        """Show the number of waiting matches beside the button to them."""
        label = Label(waits(self.app.rounds.waiting), button.right + theme.px(34), button.y, title=True,
                      colour=theme.GOLD)  # fmt: skip
        pad = theme.px(16)
        plate = arcade.LRBT(label.rect.left - pad, label.rect.right + pad, button.bottom, button.top)
        self.ui.add(Panel(plate, shapes.DARK))
        self.ui.add(label)

    def on_show(self) -> None:
        self.app.rounds.ask()

    def on_update(self, seconds: float) -> bool:
        changed = super().on_update(seconds)
        self.app.rounds.ask()
        if self._news_shown == self.app.rounds.news:
            return changed
        self._news_shown = self.app.rounds.news
        self.relayout()
        return True

    def _title(self, left: float, height: float) -> None:
        top = height - theme.px(92)
        self.ui.add(Label(_("Conquest"), left - theme.px(3), top, size=theme.DISPLAY, title=True, colour=theme.GOLD))
        self.ui.add(Label(_("of the Empire"), left + theme.px(2), top - theme.px(62), size=24, title=True,
                          colour=theme.PARCHMENT))  # fmt: skip

    def _entries(self) -> list[Entry]:
        go, held = self.app.go, [seat for seat in self.app.seats.all() if seat.live]
        seat = held[0] if held else None
        learns = not self.app.seats.all()
        first: tuple[ButtonKind, ButtonKind] = ("primary", "plain") if learns else ("plain", "primary")
        learn, play = first if seat is None else ("plain", "plain")
        entries: list[Entry] = [
            (_("Learn to play"), go.lessons,
             _("A first game with a coach at your side: ten minutes for each of the games."), learn),
            (_("Play against bots"), lambda: go.create("play"),
             _("A game on this computer: you against one to five bots."), play),
            (_("Host a game"), lambda: go.create("host"),
             _("Open a table for friends on the same network. The address to tell them is shown."), "plain"),
            (_("Join a game"), lambda: go.connect(watch=False),
             _("Go to a server, and to a table there."), "plain"),
            (_("Watch"), lambda: go.connect(watch=True), _("Watch a match that others play."), "plain"),
            (_("Settings"), go.settings, _("Sound, display, keys and more."), "plain"),
            (_("Rules"), go.help, _("The rules in short, in plain words."), "plain"),
            (_("Credits"), go.credits, _("Who made the game, and under which licence."), "plain"),
            (_("Quit"), self.app.quit, _("Close the game."), "plain"),
        ]  # fmt: skip
        mine: Entry = (_("My games"), go.games, _waiting(held), "plain")
        if seat is None:
            return [*entries[:5], mine, *entries[5:]]
        words = _(
            "Back to where you played last: {table}. {place}.", table=seat.title or _("a table"), place=place(seat)
        )
        return [(_("Continue your game"), partial(self._continue, seat), words, "primary"), mine, *entries]

    def _continue(self, seat: SavedSeat) -> None:
        self.app.go.server(seat.address, lambda: None, seat)

    def draw_below(self) -> None:
        backdrop.draw(self.width, self.height, side=0.9)
        width = theme.px(WIDE)
        shapes.rule(theme.px(72) + width / 2, self.height + self.scrolled - theme.px(196), width, theme.BRONZE_LIGHT)

    def back(self) -> None:
        """Do nothing: the menu is the first screen, and Quit is a button."""
