"""Rules in short, to read and search at any time; closing returns to the previous screen."""

from collections.abc import Callable, Mapping
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
from client.network.model import MatchModel
from client.player.table_options import summary
from client.screens.application import Application
from client.screens.base import FramedScreen
from client.screens.keys import keys_page
from shared.kernel.ruleset import oldest
from shared.rulesets.registry import RULESETS

Chapters = tuple[Chapter, ...]

PLAYING: Final[Chapters] = (
    Chapter(
        _("At the table"),
        _("The line that asks for a decision always says what can be done now. Provinces that can take part are lit; "
        "click one, then follow what lights up. Nothing is sent before you confirm it, and until then it can be "
        "taken back.\n"
        "The wheel zooms the board, dragging moves it. Hold the mouse over anything to be told what it is. Everything "
        "can be done without a mouse too: see the page of keys."),
    ),
    Chapter(
        _("Advice"),
        _(
            "The button above the board asks the strongest bot what it would do in your place. It is told "
            "what you can see yourself and nothing else, and says why in a sentence or two; what it means is marked "
            "on the board. “Do it” does it, or you do something else. Against bots you may ask whenever you have to "
            "decide. Where other people play, the host must have allowed it, and the chronicle tells all that you "
            "asked."),
    ),
    Chapter(
        _("Taking back"),
        _("“Take back” in the corner of the board, or its key, takes back what you did last, and the step before it "
          "if you press again: as long as nothing else has happened since: no dice have fallen, no other player has "
          "decided anything, and no secret was shown. The chronicle says that it was taken back.\n"
          "Everything else needs the others’ consent. “Ask the others” in the menu, or its key, asks for a pause, "
          "to go back to a moment of this round or the last, for a substitute for an absent player, for more time "
          "or other clocks, or to end the match and count it as it stands. The question is shown to all with who is "
          "for it; the people answer, bots do not. To go back all must agree; for everything else more than half, "
          "unless the table wants all."),
    ),
    Chapter(
        _("In words"),
        _("L, or the menu, opens the table in plain lines: what happens is written there, and everything that you "
          "could ask or do can be typed; help lists it. For screen readers and terminals, conquest play --text and "
          "conquest table --text do the same without a window."),
    ),
    Chapter(
        _("Your turn"),
        _("A trumpet sounds when your turn begins, and for every decision while another window is before this one. The "
        "title of the window says so as long as it lasts. How loud everything is stands in the settings."),
    ),
    Chapter(
        _("Clocks"),
        _("A table may have clocks; what each player has left stands beside the name, and above the board how long "
          "there is for this decision. For one evening there is a bank of time: every decision brings some seconds, "
          "and what is left of them goes into the bank, up to what was in it at first; players who answer in the "
          "turn of another, as defender, bidder or voter, use a reserve instead. By post each decision has its "
          "days, and the bank is for holidays. Bots use no clock. A server that is down takes no time from players, "
          "nor does a slow network, up to half a second.\n"
          "When time is up, the table’s choice is carried out: the simplest choice is made, a bot decides this "
          "once, or a bot plays until the player is back; a click or a key is enough for that. The alarm sounds a "
          "quarter of a minute before."),
    ),
    Chapter(
        _("See it again"),
        _("At the end of a match, and from the menu while it goes on, the table shows again what happened, with a bar "
        "in place of the tray: press or drag the line to be anywhere, and its marks are rounds, battles, auctions, "
        "votes and captures. The buttons go from decision to decision and from mark to mark, let it run, and say how "
        "fast; each has its key, see the page of keys. Up to twice the usual speed all is seen on its way, and "
        "heard.\n"
        "Charts show how everybody stood over time, where it came from, and whose dice were lucky: how many hits were "
        "to be expected of the dice as they were rolled, how many fell, and how often dice are as lucky, or as "
        "unlucky. A click on a curve, or on a battle, leads to that moment.\n"
        "What happened while you were away is offered when you come back; as long as you sit at that table, its menu "
        "shows it again, however short you were away."),
    ),
    Chapter(
        _("If the connection fails"),
        _("The game connects again by itself and your seat stays yours. If you close the window in the middle of a "
        "match, choose “Continue your game” in the menu the next time."),
    ),
)  # fmt: skip

_ROWS: Final = (
    ("", "1984", _("Classic (2005)")),
    (_("Homes"), _("six, without Mesopotamia"), _("seven, with Mesopotamia")),
    (_("At the start"), _(
        "Caesar, 6 generals, 4 infantry, fortified city"), _("Caesar, 4 generals, 5 infantry, same city")),
    (_("Pieces"), _("one supply for all; 6 galleys each"), _("a supply for each colour; 8 galleys each")),
    (_("Prices"), _("10, cavalry 25, catapult 40, galley 25, city 30, walls 25, road free"),
     _("10, cavalry 20, catapult 30, galley 20, city 30, walls 20, road 10")),
    (_("Higher prices"), _("from the next player's turn"), _("from the next turn of the player who caused them")),
    (_("Leaders"), _("Caesar, generals and cities"), _("Caesar and generals")),
    (_("Units alone"), _("never, not even standing"), _("may stand alone; a leader to march")),
    (_("Empty province"), _("yours as soon as a legion enters"), _("yours if units stand there after combat")),
    (_("Straits"), _("closed: take a galley"), _("four can be crossed on foot")),
    (_("Enemy galleys"), _("stop you; you must fight to the end"), _("you may pass, or fight three rounds at most")),
    (_("A docked galley"), _("goes back only to where it came from"), _("goes where it likes")),
    (_("Land battles"), _("one aimed shot a side; catapults and walls lower the number"),
     _("all dice of a battle legion at once; matching faces hit")),
    (_("Retreat"), _("the attacker only, after being shot at, to own land"), _("either side, with pursuit")),
    (_("Roads of a lost city"), _("torn up"), _("stay")),
    (_("A lost home"), _("savings looted; no tribute, no purchases"), _("no such rule")),
    (_("Captured Caesar"), _("everything, and 100 talents"), _("everything")),
    (_("Captured generals"), _("bargains in either partner's turn; killed at any later time"),
     _("bargains while placing; judged at once")),
)  # fmt: skip

DIFFERENCES: Final[Chapters] = (
    Chapter(
        _("How 1984 and Classic differ"),
        _(
            "Conquest of the Empire II is another game on the same board, about influence, alliances and votes; all "
            "play to the end. It has pages of its own."
        ),
        rows=_ROWS,
    ),
)

SHARED: Final[tuple[tuple[str, Chapters], ...]] = ((_("At the table"), PLAYING), (_("Differences"), DIFFERENCES))
"""Tabs after those of the game."""


_FIELD: Final = 320.0


class HelpScreen(FramedScreen):
    """Tabs over a long text: the pages of one game, then those of all.

    A button changes the game. Typed words are searched on all pages; Enter goes to the next match.
    """

    def __init__(
        self,
        app: Application,
        game: str,
        *,
        close: Callable[[], object],
        rule: str = "",
        version: int = 0,
        options: Mapping[str, int] | None = None,
    ) -> None:
        """`game`: id of the game whose rules lie on top, empty for any.

        `close` returns to the previous screen. `rule`: id of the rule whose page opens. `version`: rules version of the
        present match, 0 for none. `options`: its options.
        """
        super().__init__(app)
        self._match = game, version
        self._options = dict(options or {})
        self._close = close
        self.game = game or next(iter(GUIDES))
        self.query = ""
        """Words that are searched for."""
        self.found: list[Spot] = []
        start = page_of(self.pages, rule)
        self.page = start.page if start is not None else 0
        self.at: Spot | None = start
        """Current position: the page of a rule, or a search result."""

    @classmethod
    def of(
        cls, app: Application, match: MatchModel | None, *, close: Callable[[], object], rule: str = ""
    ) -> "HelpScreen":
        """Return the rules of the present match, or of any game."""
        if match is None:
            return cls(app, "", close=close, rule=rule)
        options = match.table.options if match.table is not None else {}
        return cls(app, match.rules.id, close=close, rule=rule, version=match.rules.version, options=options)

    @property
    def pages(self) -> tuple[tuple[str, tuple[Chapter, ...]], ...]:
        """Tabs, each with its chapters."""
        first, *others = GUIDES[self.game].pages
        first = (first[0], (*self._differences(), *first[1], *self._amendments()))
        return (first, *others, *SHARED, keys_page())

    def _differences(self) -> tuple[Chapter, ...]:
        """Return a chapter on the options by which the present match differs from the rulebook, if any do."""
        lines = summary(self.game, self._options) if self._match[0] == self.game else []
        return (Chapter(_("Rules of this table"), "\n".join(lines)),) if lines else ()

    def _amendments(self) -> tuple[Chapter, ...]:
        """Return a chapter on the amendments of the game, marking those that bind the present match."""
        rules = RULESETS[self.game]
        if not rules.amendments:
            return ()
        version = self._match[1] if self._match[0] == self.game else 0
        lines = [_("A match that began before an amendment ends without it.")]
        for each in rules.amendments:
            numbered_text = {"number": each.number, "rule": each.rule, "text": _(each.text)}
            if version and each.number > version - oldest(rules):
                lines.append(_("{number} ({rule}), not in this match: {text}", **numbered_text))
            else:
                lines.append(_("{number} ({rule}): {text}", **numbered_text))
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
            TextField(field, self.query, hint=hint, limit=60, changed=self._search, done=self.go_on)
        )
        left = field.right + theme.px(16)
        self.told = self.ui.add(Label("", left, row.y, colour=theme.INK_SOFT))

    # Search

    def _search(self, words: str) -> None:
        """Search for changed words; go to the best result."""
        self.query = words
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
        if not self.query.strip():
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
        self.found = find(self.pages, self.query)
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
