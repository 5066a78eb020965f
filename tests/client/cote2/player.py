"""A player of the second game without the table: a desk over a local match, and a tray to click into."""

from collections.abc import Sequence
from typing import Any

import arcade

from client.drawing import theme
from client.drawing.overlay import Tone
from client.drawing.widgets import Button, Widget
from client.games.cote2.game_guide import task
from client.games.static_match import LocalMatch
from client.keyboard.commands import Command
from client.table.action_bar import HEIGHT, ActionBar
from client.table.geography import geography
from client.table.pane import Figure, Stepper
from client.table.pieces import Pick
from client.table.task import Hit, Task
from shared.ids import NONE, Seat
from shared.kernel.frames import Action, Frame
from shared.rulesets.cote2.definition import COTE2
from shared.rulesets.cote2.state import State
from tests.client.desk import StillDesk
from tests.support.layout import sp

WIDTH = 902
"""Of the tray in a window of the smallest size for which the table is made."""


class Player(StillDesk):
    """The task of one seat, in a tray of its own."""

    def __init__(self, state: State, seat: Seat = 0, *, seed: int = 1) -> None:
        super().__init__(LocalMatch(COTE2, state.seats, seat=seat, seed=seed))
        self.match.state = state
        self.done: list[Action] = []
        theme.set_window(*theme.BASE_SIZE)
        self.action_bar = ActionBar()
        self.action_bar.place(arcade.LBWH(0, 0, WIDTH, theme.px(HEIGHT)))
        self.sheet: Command | None = None
        self.task = Task(self)
        self.sit_down()

    # The desk

    def act(self, action: Action) -> bool:
        before = self.frame
        refusal = self.match.act(action)
        if refusal is not None:
            self.toast(refusal.text, "bad")
            return False
        self.done.append(action)
        if self.match.is_mine:
            if (self.frame.no, type(self.frame)) == (before.no, type(before)):
                self.task.renew()
                self.changed()
            else:
                self.sit_down()
        return True

    def toast(self, words: str, tone: Tone = "plain") -> None:
        assert words
        self.toasts.append(words)

    def lay(self, key: Command | None) -> None:
        self.sheet = key

    def look_at(self, places: Sequence[int]) -> None:
        assert all(0 <= place < 60 for place in places)

    def changed(self) -> None:
        """Everything is asked, as the table would."""
        self.action_bar.task = self.task
        self.action_bar.rebuild()
        self.task.line()
        self.task.lit()
        self.task.glow()
        self.task.ghosts()
        self.task.arrow()

    # The player

    @property
    def frame(self) -> Frame:
        frame: Frame = self.match.state.frames[-1]
        return frame

    def sit_down(self) -> None:
        """Take up the decision that is owed, if it is one of this seat."""
        if self.match.is_mine:
            found = task(self, self.frame)
            assert found is not None, self.frame
            self.task = found
            self.changed()

    def space(self, key: str, kind: Any = "", seat: Seat = NONE, piece: int = NONE) -> bool:
        """Click a space, or a piece there."""
        space = sp(key)
        pick = Pick(kind, space, seat, piece) if kind else None
        return self.task.click(Hit(space, pick, geography().heart(space)))

    def widgets(self) -> list[Widget]:
        return list(self.action_bar.ui.widgets)

    def words(self) -> list[str]:
        return [w.words for w in self.widgets() if isinstance(w, Button)]

    def button(self, start: str) -> None:
        found = [w for w in self.widgets() if isinstance(w, Button) and w.words.startswith(start)]
        assert found, f"no {start!r} among {self.words()}"
        assert found[0].enabled, f"{start} is disabled: {found[0].tip}"
        found[0].on_click()

    def figure(self, caption: str) -> None:
        found = [w for w in self.widgets() if isinstance(w, Figure) and w.caption.startswith(caption)]
        assert found, caption
        assert found[0].enabled, f"{caption} is disabled: {found[0].tip}"
        found[0].on_click()

    def stepper(self, index: int, by: int = 1) -> None:
        found = [w for w in self.widgets() if isinstance(w, Stepper)]
        for _ in range(abs(by)):
            found[index].step(1 if by > 0 else -1)

    def last(self) -> Action:
        assert self.done, self.toasts
        return self.done[-1]
