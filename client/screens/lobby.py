"""Open tables of a server, always up to date."""

import webbrowser
from functools import partial

import arcade
from arcade.types import Rect

from client.drawing import shapes, theme
from client.drawing.fields import Selector, TextField, Toggle
from client.drawing.scrolling import ScrollList
from client.drawing.widgets import Button, Label
from client.language import _, pgettext
from client.player.presence import listed
from client.screens.application import Application
from client.screens.base import FramedScreen
from shared.codes import MAX_TYPED_CODE
from shared.messages import LobbyChange, LobbyList, ServerMessage, TableInfo, Welcome
from shared.rulesets.registry import RULESETS
from shared.tables import NOTICES, TablePhase

_PHASES = {
    TablePhase.GATHERING: (_("waiting"), theme.OLIVE),
    TablePhase.PLAYING: (_("playing"), theme.LAPIS),
    TablePhase.OVER: (_("over"), theme.INK_FAINT),
}


class LobbyScreen(FramedScreen):
    """List of tables to join or to watch; also makes a table or takes a code."""

    def __init__(self, app: Application) -> None:
        super().__init__(app)
        self._chosen = ""
        self._code = ""
        self._game = 0
        self._gathering = False

    def layout(self, width: float, height: float) -> None:
        inside = self.frame(1000, 700, _("Tables"), elastic=True)
        self._title_buttons(inside)
        self._add_filters(inside)
        body = arcade.LRBT(inside.left, inside.right, inside.bottom + theme.px(64), inside.top - theme.px(52))
        self._list = self.ui.add(
            ScrollList[TableInfo](body, 62, self._paint, self._choose, ended=self.app.remote.list_more)
        )
        self._empty = self.ui.add(Label("", body.x, body.y, align="center", colour=theme.INK_SOFT))
        self._code_row(inside)
        self.back_button(inside, _("Menu"))
        self._watch = self.ui.add(Button(self.foot(inside, 150, 2, right=True), _("Watch"), self._look_on))
        self._join = self.ui.add(Button(self.foot(inside, 150, 1, right=True), _("Join"), self._sit_down))
        new = Button(self.foot(inside, 150, right=True), _("New table"), self._create, kind="primary")
        self.ui.add(new)
        self._refresh()
        self.ui.set_focus(self._list if self._list.items else new)

    def _title_buttons(self, inside: Rect) -> None:
        """Add the ways to messages and to the pages of the operator, on both sides of the title."""
        width, y, height = min(theme.px(220), inside.width * 0.36), inside.top + theme.px(32), theme.px(36)
        if self.app.remote.can(NOTICES):
            beside = arcade.LBWH(inside.left, y, width, height)
            tip = _("Where you are told that it is your turn: by mail, ntfy or Discord.")
            tell = self.app.go.notices
            self.ui.add(Button(beside, _("Messages to you …"), tell, kind="quiet", size=theme.BODY, tip=tip))
        if pages := self.app.remote.operator_pages():
            beside = arcade.LBWH(inside.right - width, y, width, height)
            tip = _("Terms, privacy and contact, in the browser.")
            read = partial(self._read, pages[0])
            self.ui.add(Button(beside, _("About this server"), read, kind="quiet", size=theme.BODY, tip=tip))

    def _add_filters(self, inside: Rect) -> None:
        """Add the filters above the list: by game, and only tables with a free seat."""
        y, height = inside.top - theme.px(40), theme.px(40)
        games = arcade.LBWH(inside.left, y, theme.px(380), height)
        titles = [_("All games"), *(rules.title for rules in RULESETS.values())]
        self.ui.add(Selector(games, titles, self._game, self._choose_game, tip=_("Of which game")))
        waiting = arcade.LBWH(inside.right - theme.px(300), y, theme.px(300), height)
        self.ui.add(Toggle(waiting, _("Only those waiting for players"), self._gathering, self._choose_gathering))

    def _choose_game(self, game: int) -> None:
        self._game = game
        self._ask()

    def _choose_gathering(self, gathering: bool) -> None:
        self._gathering = gathering
        self._ask()

    def _code_row(self, inside: Rect) -> None:
        y, height = inside.bottom + theme.px(6), theme.px(40)
        words = self.ui.add(Label(_("Code of a table that is not listed"), inside.left, y + height / 2,
                                  colour=theme.INK_SOFT))  # fmt: skip
        left = words.rect.right + theme.px(16)
        button = arcade.LBWH(inside.right - theme.px(150), y, theme.px(150), height)
        field = arcade.LRBT(left, button.left - theme.px(12), y, y + height)
        self.ui.add(TextField(field, self._code, limit=MAX_TYPED_CODE, changed=self._type, done=self._enter))
        self.ui.add(Button(button, pgettext("a table", "Enter"), self._enter, size=theme.BODY))

    def back(self) -> None:
        self.app.go.depart()

    def hear(self, message: ServerMessage) -> None:
        if isinstance(message, LobbyList | LobbyChange):
            self._refresh()
        elif isinstance(message, Welcome):
            self.relayout()  # Another server can have other abilities.
            self._ask()

    def on_show(self) -> None:
        self.app.remote.take_page_words()  # The button says it here.
        self._ask()

    def on_hide(self) -> None:
        self.app.remote.close_list()

    def _ask(self) -> None:
        """Request the list from its beginning with the present filters."""
        ruleset = ["", *RULESETS][self._game]
        self.app.remote.list_tables(ruleset, self._gathering)
        self._refresh()

    def _refresh(self) -> None:
        """Refresh the list and keep the selection."""
        lobby = self.app.remote.lobby
        tables = lobby.listed()
        self._list.items = tables
        places = [i for i, table in enumerate(tables) if table.match == self._chosen]
        self._list.index = places[0] if places else -1
        self._empty.words = "" if tables else self._none() if lobby.known else _("Asking for the list …")
        chosen = tables[places[0]] if places else None
        self._join.enabled = chosen is not None and chosen.phase == TablePhase.GATHERING and chosen.taken < chosen.seats
        self._watch.enabled = chosen is not None

    def _none(self) -> str:
        if self._game or self._gathering:
            return _("No such table at the moment. Make one!")
        return _("No open tables yet. Make one!")

    def _paint(self, table: TableInfo, rect: Rect, chosen: bool) -> None:
        left, right = rect.left + theme.px(18), rect.right - theme.px(18)
        shapes.say(table.title, left, rect.y + theme.px(11), size=theme.LARGE, title=True, limit=rect.width * 0.62)
        rules = RULESETS[table.ruleset].title if table.ruleset in RULESETS else table.ruleset
        watchers = _(" · {watchers} watching", watchers=table.watchers) if table.watchers else ""
        shapes.say(rules + watchers, left, rect.y - theme.px(13), size=theme.SMALL, colour=theme.INK_SOFT)
        shapes.say(listed(table).words, right, rect.y + theme.px(11), align="right")
        phase, colour = _PHASES[table.phase]
        shapes.say(phase, right, rect.y - theme.px(13), size=theme.SMALL, colour=colour, align="right",
                  bold=True)  # fmt: skip

    def _choose(self, table: TableInfo) -> None:
        """Select with a click; a second click or Enter opens the table."""
        again = table.match == self._chosen
        self._chosen = table.match
        self._refresh()
        if again and self._join.enabled:
            self._sit_down()
        elif again:
            self._look_on()

    def _sit_down(self) -> None:
        self.app.remote.join(self._chosen)

    def _look_on(self) -> None:
        self.app.remote.watch(self._chosen)

    def _read(self, page: str) -> None:
        """Open a page of the operator, which links to the others."""
        if not webbrowser.open(page):
            self.app.toast(_("Please open {page} in a browser.", page=page))

    def _create(self) -> None:
        self.app.go.create("lobby")

    def _type(self, words: str) -> None:
        self._code = words

    def _enter(self) -> None:
        code = self._code.strip()
        if not code:
            self.app.toast(_("Please type the code of the table."), "bad")
            return
        self.app.remote.join("", code)
