"""A hand on the mouse plays the second game against bots on a real server: bids, places, takes all kinds of action."""

import arcade
import pytest

from client.app import App
from client.drawing import theme
from client.drawing.widgets import Button
from client.games.cote2.sheets.auction_sheet import AuctionSheet
from client.games.cote2.sheets.card_sheet import CardsSheet
from client.games.cote2.sheets.score_sheet import ScoreSheet
from client.games.cote2.sheets.sheet_widgets import CardSpot, Marker
from client.games.cote2.tasks.auction_task import Auctioning
from client.games.cote2.tasks.senate_tasks import SenateVoting
from client.games.cote2.tasks.turn_task import TakingTurn
from client.table.pane import Figure, Stepper
from client.table.task import HERE
from tests.client.conftest import Server, Shoot, until
from tests.client.test_table_play import Hand, sit_down

DECISIONS = 900


class SecondHand(Hand):
    """A player of the second game. What it does next rotates, so that everything is tried."""

    turn = 0

    def figure(self, caption: str) -> bool:
        """Click the figure with that caption in the tray; whether it could be clicked."""
        found = [w for w in self.top.tasks.bar.ui.widgets if isinstance(w, Figure) and w.caption.startswith(caption)]
        if found and found[0].enabled:
            self.click(found[0].rect.x, found[0].rect.y)
            return True
        return False

    def main_button(self) -> bool:
        """Click the first button that asks to be clicked."""
        for widget in self.top.tasks.bar.ui.widgets:
            if isinstance(widget, Button) and widget.enabled and widget.kind == "primary":
                self.click(widget.rect.x, widget.rect.y)
                return True
        return False

    def key(self, symbol: int) -> None:
        self.screen.on_key_press(symbol, 0)
        self.screen.on_key_release(symbol, 0)

    def bid(self) -> None:
        """Drag a free marker into box B, then bid, or pass where it would be dear."""
        sheet = self.top.sheet
        assert isinstance(sheet, AuctionSheet)
        markers = [w for w in sheet.ui.widgets if isinstance(w, Marker)]
        self.saw("auction")
        task = self.top.task
        assert isinstance(task, Auctioning)
        free = [marker for marker in markers if marker.seat in task.free()]
        boxed = [marker for marker in markers if marker.seat == task.boxes[1]]
        if free and boxed:
            start, goal = free[0].rect, boxed[0].rect
            self.screen.on_mouse_press(start.x, start.y, arcade.MOUSE_BUTTON_LEFT, 0)
            self.screen.on_mouse_drag(goal.x, goal.y, goal.x - start.x, goal.y - start.y, 1, 0)
            self.screen.on_mouse_release(goal.x, goal.y, arcade.MOUSE_BUTTON_LEFT, 0)
            assert task.boxes[1] == free[0].seat
            self.done.add("dragged")
        if task.talents > 15:
            assert self.button("Pass")
        else:
            assert self.main_button(), task.line()
            self.done.add("bid")

    def put_down(self) -> None:
        """Esc, until nothing is begun and no sheet lies open."""
        task = self.top.task
        while self.top.sheet is not None or (isinstance(task, TakingTurn) and task.deed is not None):
            self.key(arcade.key.ESCAPE)

    def take_card(self) -> bool:
        """Click an open card that can be taken without more ado."""
        if not isinstance(self.top.sheet, CardsSheet):
            self.key(ord("k"))
        sheet = self.top.sheet
        assert isinstance(sheet, CardsSheet)
        self.saw("cards")
        row = [w for w in sheet.ui.widgets if isinstance(w, CardSpot) and not w.reason]
        for spot in row[:3]:
            self.click(spot.rect.x, spot.rect.y)
            if self.main_button():
                self.done.add("card")
                return True
            if not isinstance(self.top.sheet, CardsSheet):
                self.key(ord("k"))
        return False

    def act(self) -> None:
        """The next kind of action that is possible."""
        for _ in range(7):
            self.turn += 1
            name = ("Card", "Recruit", "Influence", "Tax", "Move", "Attack", "Sail")[self.turn % 7]
            if name == "Card":
                if self.take_card():
                    return
            elif self.figure(name) and self.carry_out(name):
                return
            self.put_down()
        assert self.button("Pass") or self.button("End"), self.top.task.line()
        self.button("Really")

    def carry_out(self, name: str) -> bool:
        """Do the steps of an action until it can be confirmed; return whether it was."""
        for _ in range(4):
            if self.main_button():
                self.saw(name)
                return True
            steppers = [w for w in self.top.tasks.bar.ui.widgets if isinstance(w, Stepper) and w.more]
            lit = [space for space, tint in self.top.task.lit().items() if tint is not HERE]
            if name in ("Recruit", "Influence") and steppers:
                at = steppers[0].rect
                self.click(at.right - theme.px(12), at.bottom + theme.px(12))
            elif lit:
                self.space(lit[-1])
            if not self.top.match.is_mine or self.top.match.pending:
                return True
        return False

    def see_the_count(self) -> None:
        """Put away the points of a season that is over."""
        sheet = self.top.sheet
        if isinstance(sheet, ScoreSheet):
            self.saw("count")
            onward = next(w for w in sheet.ui.widgets if isinstance(w, Button) and w.words.startswith("On to"))
            self.click(onward.rect.x, onward.rect.y)

    def decide(self) -> None:
        self.see_the_count()
        task = self.top.task
        self.done.add(type(task).__name__)
        if isinstance(task, Auctioning):
            self.bid()
        elif isinstance(task, TakingTurn):
            self.act()
        elif isinstance(task, SenateVoting):
            self.saw("vote")
            assert self.button("Pass")
        else:
            self.saw(type(task).__name__)
            if not self.main_button():
                self.screen.on_key_press(arcade.key.TAB, 0)
                assert self.main_button(), task.line()


@pytest.mark.exhaustive
def test_a_mouse_plays_the_second_game(app: App, server: Server, shoot: Shoot) -> None:
    sit_down(app, server, "cote2")
    hand = SecondHand(app, shoot)
    model, top = app.remote.match, hand.top
    assert model is not None

    def asked() -> bool:
        top.events.hurry()
        top.update(0.0)
        return model.finished or (model.is_mine and not top.events.busy)

    wanted = {"bid", "count", "dragged", "Deploying", "card", "cards", "Recruit", "Influence", "Tax", "Move"}
    for _ in range(DECISIONS):
        until(app, asked, 60)
        if model.finished:
            break
        version = model.version
        hand.decide()
        until(app, lambda version=version: not model.pending and (model.version > version or model.is_mine), 60)  # type: ignore[misc]
        assert model.refusal is None
    assert model.finished, (model.view.season, model.view.round, hand.done)
    assert wanted <= hand.done, (hand.done, app.toasts.words)
    assert sum(entry[2] for entry in model.view.ledger) == model.view.points[0]
