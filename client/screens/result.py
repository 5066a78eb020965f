"""Screen with the result of a match."""

from math import pi, sin
from typing import Final

import arcade
from arcade.types import Rect
from msgspec.structs import replace

from client.drawing import shapes, theme
from client.drawing.fields import Selector
from client.drawing.scrolling import clipped
from client.drawing.widgets import Button, Label, Panel, Picture, Widget
from client.games.registry import guide
from client.keyboard.commands import Command
from client.keyboard.keys import told
from client.language import _, heard
from client.network.model import MatchModel
from client.player.lessons import lesson_of
from client.player.seats import is_private
from client.screens.application import Application
from client.screens.base import FramedScreen
from client.screens.replay_source import afterwards, can_look_back, film_to_see, look_back
from client.table import figures
from client.table.words import called
from shared.board import BOARD
from shared.ids import NONE, Seat
from shared.kernel.ruleset import Place
from shared.messages import Invited, ServerMessage
from shared.tables import REMATCH, Arrangement

SECONDS: Final = 4.0
"""Seconds until the procession stands in the middle."""
_TRAIN: Final = ("general", "infantry", "infantry", "cavalry", "caesar", "cavalry", "infantry", "infantry", "general")
_STEP: Final = 0.92
"""Distance from one figure to the next, for each unit of their height."""
_STRIDES: Final = 1.7
"""Strides in a second."""
_STREET: Final = shapes.Plate(
    theme.alpha(theme.GOLD, 70), theme.alpha(theme.BRONZE, 60), theme.alpha(theme.BRONZE_DEEP, 140), 1.5, radius=8
)


class Procession(Widget):
    """Street of the triumph. `moves`: whether the procession marches in; else it stands in the middle."""

    def __init__(self, rect: Rect, seat: Seat, *, moves: bool, age: float = 0.0) -> None:
        super().__init__(rect)
        self._seat = seat
        self.age = age if moves else SECONDS

    def hit(self, x: float, y: float) -> bool:
        return False

    @property
    def marching(self) -> bool:
        """Whether it still moves."""
        return self.age < SECONDS

    def update(self, seconds: float) -> bool:
        """Advance by some seconds; return whether it moved."""
        marching = self.marching
        self.age = min(SECONDS, self.age + seconds)
        return marching

    def draw(self) -> None:
        """Draw the street and the procession on it."""
        rect = self.rect
        shapes.plate(rect, _STREET)
        size = rect.height * 0.92
        step = size * _STEP
        share = 1 - (1 - self.age / SECONDS) ** 2
        head = rect.left + (rect.width + step * (len(_TRAIN) - 1)) / 2 * share
        with clipped(rect):
            for i, kind in enumerate(_TRAIN):
                bounce = abs(sin((self.age * _STRIDES + i * 0.37) * pi)) * size * 0.06 if self.marching else 0.0
                x = head - step * i
                height = size * (1.12 if kind == "caesar" else 1.0)
                if rect.left - size < x < rect.right + size:
                    at = arcade.XYWH(round(x), round(rect.bottom + height / 2 + bounce), round(height), round(height))
                    picture = figures.figure(f"{kind}_{self._seat}", figures.size_for(height))
                    arcade.draw_texture_rect(picture.flip_left_right() if kind == "cavalry" else picture, at)


_ROW = 58.0
_BAR = 62.0
_CHECKED = 44.0
_RISE: Final = 0.45
"""Seconds after which the next line of the standings rises."""
_PLACES: Final = {
    Arrangement.KEEP: _("the same seats"),
    Arrangement.ROTATE: _("all move one seat on"),
    Arrangement.SHUFFLE: _("seats by lot"),
}


class ResultScreen(FramedScreen):
    """Final standings, with the winner above them."""

    def __init__(self, app: Application, match: MatchModel) -> None:
        super().__init__(app)
        self.match = match
        self._places = 0
        self._after = afterwards(app, match)
        self._procession: Procession | None = None
        self._rows: list[list[Widget]] = []
        """Widgets of the standings, row by row."""
        self._triumphed = False
        self._risen: float | None = None
        """Seconds for which the standings have been rising; None if all of them stand."""

    def layout(self, width: float, height: float) -> None:
        match = self.match
        places = list(match.rules.standings(match.view)) if match.view is not None else []
        bar = _BAR if self._may_play_again else 0.0
        checked = _CHECKED if self._after is not None else 0.0
        winner = match.rules.winner(match.view) if match.view is not None else NONE
        inside = self.frame(860, 290 + bar + checked + (_ROW + 8) * max(2, len(places)), self._headline(winner))
        self._march(arcade.LRBT(inside.left, inside.right, inside.top - theme.px(54), inside.top + theme.px(10)),
                    winner if winner != NONE else self._sole_leader())  # fmt: skip
        top = inside.top - theme.px(72)
        self._rows = []
        for place in places:
            row = arcade.LBWH(inside.left, top - theme.px(_ROW), inside.width, theme.px(_ROW))
            self._rows.append(self._row(row, place))
            top -= theme.px(_ROW + 8)
        self._raise_rows()
        if self._after is not None:
            self._check(arcade.LBWH(inside.left, inside.bottom + theme.px(bar + 4), inside.width, theme.px(34)))
        if self._may_play_again:
            self._again(arcade.LBWH(inside.left, inside.bottom + theme.px(6), inside.width, theme.px(theme.ROW)))
        words = _("To the menu") if is_private(self.app.remote.access.address) else _("To the lobby")
        leave = Button(self.foot(inside, 190, right=True, parts=4), words, self.app.go.leave)
        board = self.foot(inside, 190, parts=4)
        self.ui.add(Button(board, _("See the final board"), self.back, tip=told(Command.BACK)))
        if can_look_back(match):
            tip = _("Watch the match again, and see charts: who had what, and whose dice were lucky.")
            again = self.foot(inside, 190, 1, parts=4)
            self.ui.add(Button(again, _("Replay and charts"), self._look_back, tip=tip))
            tip = _("The three moments that decided the match, and a picture of it to share.")
            turned = self.foot(inside, 190, 2, parts=4)
            self.ui.add(Button(turned, _("Turning points"), self._turning_points, tip=tip))
        self.ui.set_focus(self.ui.add(leave))

    @property
    def _may_play_again(self) -> bool:
        """Whether a rematch with the same people is possible or already waits for us."""
        remote = self.app.remote
        asks = self.match.seat >= 0 and remote.can(REMATCH) and not lesson_of(remote.access.address)
        return asks or self.match.invited is not None

    def _again(self, row: Rect) -> None:
        """Add the buttons that ask for a rematch or join it."""
        invited = self.match.invited
        go = arcade.LBWH(row.right - theme.px(240), row.bottom, theme.px(240), row.height)
        if invited is not None:
            if invited.seat >= 0:
                text = _("{name} would like to play again. A seat is held for you.", name=invited.name)
            else:
                text = _("{name} would like to play again. You may watch.", name=invited.name)
            self.ui.add(Label(text, row.left, row.y, width=go.left - row.left - theme.px(16)))
            self.ui.add(Button(go, _("Come along"), lambda: self.app.remote.come_along(invited), kind="primary"))
            return
        words = self.ui.add(Label(_("Once more, with"), row.left, row.y))
        places = arcade.LRBT(words.rect.right + theme.px(14), go.left - theme.px(16), row.bottom, row.top)
        self.ui.add(Selector(places, list(_PLACES.values()), self._places, self._choose, tip=_("Who sits where")))
        self.ui.add(Button(go, _("Play again"), self._ask, kind="primary",
                           tip=_("A new table like this one: the others join with one click.")))  # fmt: skip

    def _check(self, row: Rect) -> None:
        """Show the verdict on the record, and a button to save it."""
        known = self._after
        assert known is not None
        save = arcade.LBWH(row.right - theme.px(200), row.bottom, theme.px(200), row.height)
        verdict = known.verdict
        colour = theme.INK_SOFT if verdict is None or verdict.wrong else theme.OLIVE
        self.ui.add(Label(known.words(), row.left, row.y, colour=colour, width=save.left - row.left - theme.px(12)))
        if known.record is not None:
            tip = _("The whole match as a file that anyone can watch and check.")
            self.ui.add(Button(save, _("Save the record …"), self._save, kind="quiet", size=theme.SMALL + 1, tip=tip))

    def _save(self) -> None:
        if self._after is not None and self._after.record is not None:
            self.app.go.save(self._after.record, self._after.data)

    def on_update(self, seconds: float) -> bool:
        new = self._after is not None and self._after.update()
        if new:
            self.relayout()
        rising = self._risen is not None
        if self._risen is not None:
            self._risen += seconds * self.app.settings.play_settings.speed
            self._raise_rows()
        return super().on_update(seconds) or new or rising

    def _look_back(self) -> None:
        look_back(self.app, self.match)

    def _turning_points(self) -> None:
        found = film_to_see(self.app, self.match)
        if found is not None:
            self.app.go.turning_points(*found)

    def _choose(self, places: int) -> None:
        self._places = places

    def _ask(self) -> None:
        self.app.remote.rematch(list(_PLACES)[self._places])

    def hear(self, message: ServerMessage) -> None:
        if isinstance(message, Invited):
            self.relayout()

    def _headline(self, winner: int) -> str:
        """Return the title: who won."""
        match = self.match
        if match.view is not None and not match.rules.finished(match.view):
            return self._by_agreement()
        if winner == NONE:
            return _("No winner")
        if limit := self._limit:
            if winner == match.seat:
                return _("Round limit {n}: the empire is yours", n=limit)
            return _("Round limit {n}: {name} rules the empire", n=limit, name=match.name(winner))
        if winner == match.seat:
            return _("Victory! The empire is yours")
        return _("{name} rules the empire", name=match.name(winner))

    @property
    def _limit(self) -> int:
        """Number of the round after which the match ended by a house rule; 0 if it ended otherwise."""
        table, view = self.match.table, self.match.view
        limit = table.options.get("round_limit", 0) if table is not None else 0
        reached = limit and view is not None and self.match.rules.rounds(view) >= limit
        return limit if reached and len(guide(self.match.rules.id).living(view)) > 1 else 0

    # The triumph

    def _sole_leader(self) -> int:
        """Return the only seat in the lead, or NONE."""
        view = self.match.view
        best = [place.seat for place in self.match.rules.standings(view) if place.rank == 1] if view is not None else []
        return best[0] if len(best) == 1 else NONE

    def _march(self, street: Rect, winner: int) -> None:
        """Add the procession of the winner."""
        if winner == NONE:
            self._procession = None
            return
        # A rebuild continues the march; only `on_show` begins it.
        age = self._procession.age if self._procession is not None else SECONDS
        self._procession = self.ui.add(Procession(street, winner, moves=True, age=age))

    def on_show(self) -> None:
        """Begin the triumph: the procession marches in, and the standings rise, the last ones first."""
        if self.app.settings.play_settings.moves and self._risen is None and not self._triumphed:
            self._triumphed = True
            self._risen = 0.0
            if self._procession is not None:
                self._procession.age = 0.0
            self._raise_rows()

    def _raise_rows(self) -> None:
        """Show the rows of the standings that have risen."""
        due = len(self._rows) if self._risen is None else int(self._risen / _RISE)
        for i, row in enumerate(self._rows):
            for widget in row:
                widget.visible = len(self._rows) - 1 - i < due
        if due >= len(self._rows):
            self._risen = None

    def on_mouse_press(self, x: float, y: float, button: int, modifiers: int) -> bool:
        """Show all standings at once: a click is not made to wait."""
        self._risen = None
        self._raise_rows()
        return super().on_mouse_press(x, y, button, modifiers)

    def _by_agreement(self) -> str:
        """Return the text for a match ended by agreement, naming the best seat."""
        best = [place.seat for place in self.match.rules.standings(self.match.view) if place.rank == 1]
        if len(best) != 1:
            return _("Ended by agreement: a tie")
        if best[0] == self.match.seat:
            return _("Ended by agreement: you are ahead")
        return _("Ended by agreement: {home} is ahead", home=self.match.name(best[0]))

    def _row(self, rect: Rect, place: Place) -> list[Widget]:
        """Add a line of the standings; return its widgets."""
        match, seat = self.match, place.seat
        first = place.rank == 1
        look = replace(shapes.CARD, line=theme.GOLD, border=2.5) if first else shapes.CARD
        before = len(self.ui.widgets)
        self.ui.add(Panel(rect, look))
        self.ui.add(Label(f"{place.rank}", rect.left + theme.px(28), rect.y, size=22, title=True, align="center",
                          colour=theme.TERRACOTTA if first else theme.INK_SOFT))  # fmt: skip
        side = theme.px(42)
        piece = f"caesar_{seat}" if first else f"marker_{seat}"
        self.ui.add(Picture(arcade.LBWH(rect.left + theme.px(52), rect.y - side / 2, side, side), piece))
        left = rect.left + theme.px(108)
        home = match.home(seat) if match.home(seat) in BOARD.names else ""  # Else it only numbers the seat.
        name = called(seat, match.seat, match.name)
        self.ui.add(Label(name, left, rect.y + theme.px(11 if home else 0), size=theme.LARGE, title=True,
                          limit=rect.width * 0.4))  # fmt: skip
        if home:
            self.ui.add(Label(home, left, rect.y - theme.px(12), colour=theme.INK_SOFT, limit=rect.width * 0.4))
        self.ui.add(Label(heard(place.score), rect.right - theme.px(18), rect.y, align="right", limit=rect.width * 0.5))
        return self.ui.widgets[before:]

    def back(self) -> None:
        self.app.go.table()
