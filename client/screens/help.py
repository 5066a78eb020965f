"""Rules in short, to read and search at any time; closing returns to the previous screen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import arcade
from arcade.types import Rect

from client.drawing import theme
from client.drawing.chapters import Chapter, Spot, find, page_of
from client.drawing.fields import Tabs, TextField
from client.drawing.scrolling import ScrollText
from client.drawing.widgets import Button, Label
from client.games.registry import GUIDES
from client.keyboard.commands import Command
from client.keyboard.keys import KEYS
from client.language import _
from client.screens.application import Application
from client.screens.base import FramedScreen
from client.screens.keys import keys_page
from client.screens.rules_text import SHARED
from shared.kernel.versions import oldest
from shared.rulesets.registry import RULESETS

_FIELD: Final = 320.0


class HelpScreen(FramedScreen):
    """Tabs over a long text: the pages of one game, then those of all.

    A button changes the game. Typed words are searched on all pages; Enter goes to the next match.
    """

    def __init__(
        self, app: Application, game: str, *, close: Callable[[], object], rule: str = "", version: int = 0
    ) -> None:
        """`game`: id of the game whose rules lie on top, empty for any.

        `close` returns to the previous screen. `rule`: id of the rule whose page opens. `version`: rules version of the
        present match, 0 for none.
        """
        super().__init__(app)
        self._match = game, version
        self._close = close
        self.game = game or next(iter(GUIDES))
        self.asked = ""
        """Words that are searched for."""
        self.found: list[Spot] = []
        start = page_of(self.pages, rule)
        self.page = start.page if start is not None else 0
        self.at: Spot | None = start
        """Current position: the page of a rule, or a search result."""

    @property
    def pages(self) -> tuple[tuple[str, tuple[Chapter, ...]], ...]:
        """Tabs, each with its chapters."""
        first, *others = GUIDES[self.game].pages
        first = (first[0], (*first[1], *self._amendments()))
        return (first, *others, *SHARED, keys_page())

    def _amendments(self) -> tuple[Chapter, ...]:
        """Return a chapter on the amendments of the game, marking those that bind the present match."""
        rules = RULESETS[self.game]
        if not rules.amendments:
            return ()
        version = self._match[1] if self._match[0] == self.game else 0
        lines = [_("A match that began before an amendment ends without it.")]
        for each in rules.amendments:
            said = {"number": each.number, "rule": each.rule, "text": _(each.text)}
            if version and each.number > version - oldest(rules):
                lines.append(_("{number} ({rule}), not in this match: {text}", **said))
            else:
                lines.append(_("{number} ({rule}): {text}", **said))
        return (Chapter(_("Amendments"), "\n".join(lines)),)

    def layout(self, width: float, height: float) -> None:
        inside = self.frame(940, 740, _("The rules in short: {game}", game=GUIDES[self.game].name), elastic=True)
        high, gap = theme.px(38), theme.px(8)
        bar = arcade.LBWH(inside.left, inside.top - high, inside.width, high)
        self.ui.add(Tabs(bar, [title for title, _ in self.pages], self.page, self._turn))
        self._search_row(arcade.LBWH(inside.left, bar.bottom - gap - high, inside.width, high))
        body = arcade.LRBT(inside.left, inside.right, inside.bottom, bar.bottom - 2 * gap - high)
        self.words = self.ui.add(ScrollText(body, self.pages[self.page][1]))
        self.back_button(inside)
        games = list(GUIDES)
        other = games[(games.index(self.game) + 1) % len(games)]
        label = _("Rules of {game}", game=GUIDES[other].name)
        self.ui.add(Button(self.foot(inside, 240, right=True), label, lambda: self._change(other), kind="quiet"))
        self.ui.set_focus(self.words)
        self._mark()

    def _search_row(self, row: Rect) -> None:
        field = arcade.LBWH(row.left, row.bottom, theme.px(_FIELD), row.height)
        hint = _("Type to find something …")
        self.field = self.ui.add(
            TextField(field, self.asked, hint=hint, limit=60, changed=self._search, done=self.go_on)
        )
        left = field.right + theme.px(16)
        self.told = self.ui.add(Label("", left, row.y, colour=theme.INK_SOFT))

    # Search

    def _search(self, words: str) -> None:
        """Search for changed words; go to the best result."""
        self.asked = words
        self.found = find(self.pages, words)
        self._go(next(iter(self.found), None))

    def go_on(self) -> None:
        """Go to the next result; after the last one to the first."""
        if self.found:
            place = self.found.index(self.at) + 1 if self.at in self.found else 0
            self._go(self.found[place % len(self.found)])

    def _go(self, spot: Spot | None) -> None:
        self.at = spot
        if spot is not None and spot.page != self.page:
            self.page = spot.page
            self.relayout()
        else:
            self._mark()

    def _mark(self) -> None:
        """Highlight the results on this page and show their number."""
        spots = [*self.found, *([self.at] if self.at is not None else [])]
        here = {(spot.chapter, spot.part) for spot in spots if spot.page == self.page}
        at = self.at if self.at is not None and self.at.page == self.page else None
        self.words.mark(here, (at.chapter, at.part) if at is not None else None)
        self.told.words = self._count()

    def _count(self) -> str:
        if not self.asked.strip():
            return ""
        if not self.found:
            return _("Nothing is found.")
        place = self.found.index(self.at) + 1 if self.at in self.found else 0
        return _("{place} of {all}: Enter goes on.", place=place, all=len(self.found))

    # Pages

    def _turn(self, page: int) -> None:
        self.page = page
        self.relayout()

    def _change(self, game: str) -> None:
        self.game, self.page, self.at = game, 0, None
        self.found = find(self.pages, self.asked)
        self.relayout()

    def back(self) -> None:
        self._close()

    # Keys

    def on_key_press(self, symbol: int, modifiers: int) -> bool:
        """Close on the key that opened the rules; scroll the text with keys that the search field does not use."""
        if self.ui.focus is self.field and KEYS.hits(Command.BACK, symbol, modifiers):
            self.back()
            return True
        typing = self.ui.focus is self.field and not self.field.on_key(symbol, modifiers)
        if self.ui.focus is self.field and not typing:
            return True
        if typing and self.words.on_key(symbol, modifiers):
            return True
        return super().on_key_press(symbol, modifiers) or KEYS.hits(Command.HELP, symbol, modifiers)

    def on_text(self, words: str) -> bool:
        """Move the focus to the search field when the player types."""
        if self.ui.focus is not self.field and not words.isspace():
            self.ui.set_focus(self.field)
        return super().on_text(words)
