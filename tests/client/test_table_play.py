"""A hand on the mouse plays whole turns against bots on a real server: marches, battles, purchases, placement."""

from collections import deque
from collections.abc import Callable
from typing import Any

import arcade
import pytest

from client.app import App
from client.drawing import theme
from client.drawing.widgets import Button
from client.games.classic.combat_tasks import Scuttling, Sharing
from client.games.conquest.tasks.bargain_tasks import Answering
from client.games.conquest.tasks.building_tasks import Buying, Placing, Razing
from client.games.conquest.tasks.combat_tasks import ChoosingBattle, Judging
from client.games.conquest.tasks.movement_tasks import Moving
from client.games.mb1984.combat_tasks import Shooting
from client.player.table_options import TableOptions
from client.screens.room import RoomScreen
from client.screens.table import TableScreen
from client.table.pane import Figure, Stepper
from client.table.retreat_task import Leaving
from client.table.tabletop import Tabletop
from client.table.task import Task
from shared.board import BOARD
from shared.ids import Space
from shared.messages import SetBot, Start
from shared.rulesets.conquest.pieces import ready
from tests.client.conftest import Server, Shoot, at_the_board, until
from tests.client.rules_adapters import REALMS
from tests.client.screen_steps import arrive, screen_of
from tests.support.marks import pairs_in_stages

SEATS = 6
DECISIONS = 400


class Hand:
    """A player who has nothing but the mouse."""

    def __init__(self, app: App, shoot: Shoot) -> None:
        self.app = app
        self.shoot = shoot
        self.done: set[str] = set()
        screen = screen_of(app, TableScreen)
        self.screen = screen

    @property
    def top(self) -> Tabletop[Any]:
        return self.screen.top

    def saw(self, what: str) -> None:
        """Remember a kind of deed, with a picture of the first one."""
        if what not in self.done:
            self.done.add(what)
            self.shoot(self.app, f"table-play-{self.top.match.rules.id}-{what}")

    def click(self, x: float, y: float) -> None:
        """Move there, press, release, all as the window would tell."""
        self.screen.on_mouse_motion(x, y, 0, 0)
        self.screen.on_mouse_press(x, y, arcade.MOUSE_BUTTON_LEFT, 0)
        self.screen.on_mouse_release(x, y, arcade.MOUSE_BUTTON_LEFT, 0)

    def button(self, start: str) -> bool:
        """Click the enabled button whose words begin like that; whether there was one."""
        for widget in self.top.tasks.bar.ui.widgets:
            if isinstance(widget, Button) and widget.enabled and widget.words.startswith(start):
                self.click(widget.rect.x, widget.rect.y)
                return True
        return False

    def space(self, space: Space) -> None:
        """Click a province, beside its pieces where there is room."""
        shape = self.top.board.geography.spaces[space]
        camera = self.top.board.camera
        for point in (*shape.anchors[1:], shape.anchor):
            x, y = camera.to_window(*point)
            if camera.holds(x, y) and not self.top.stage.holds(x, y) and self.top.board.pieces.pick(*point) is None:
                return self.click(x, y)
        return self.click(*camera.to_window(*shape.anchor))

    # Decisions

    def move(self) -> None:
        """March with the strongest legion towards the nearest enemy; then end the movement."""
        plan = self.plan()
        if plan is None:
            assert self.button("End movement")
            self.button("Really end?")
            return
        source, to = plan
        self.space(source)
        self.saw("picked")
        self.space(to)
        self.saw("aimed")
        assert self.button("March"), self.top.task.line()
        self.done.add("marched")

    def plan(self) -> tuple[Space, Space] | None:
        table, seat = self.top.events.latest_position, self.top.match.seat
        task = self.top.task
        assert isinstance(task, Moving)
        for space in range(BOARD.provinces):
            if sum(ready(table, seat, space)) > 2 and not task.draft.pick_province(space):
                targets = task.draft.targets()
                task.clear()
                if targets:
                    return space, self.towards(space)
        task.clear()
        return None

    def towards(self, source: Space) -> Space:
        """The first step of the shortest way to an enemy."""
        table, seat, rules = (
            self.top.events.latest_position,
            self.top.match.seat,
            REALMS[self.top.match.rules.id].marching,
        )
        first: dict[Space, Space] = {}
        border = deque([source])
        while border:
            here = border.popleft()
            if here != source and rules.clash(table, seat, here):
                return first[here]
            for there in rules.steps(table)[here]:
                if there not in first and there != source:
                    first[there] = first.get(here, there)
                    border.append(there)
        return rules.steps(table)[source][0]

    def fight(self) -> None:
        if not self.button("Fight!"):
            assert self.button("No battle at sea")
        self.done.add("fought")

    def shoot_at(self) -> None:
        """Fire at the last kind of target, declared by a click on the battle itself."""
        self.saw("target")
        rect, _ = self.top.stage.spots[-1]
        self.click(rect.x, rect.y)
        self.saw("declared")
        if isinstance(self.top.task, Shooting) and not self.top.match.pending:
            assert self.button("Fire!")
        self.done.add("shot")

    def share(self) -> None:
        figures = [w for w in self.top.tasks.bar.ui.widgets if isinstance(w, Figure)]
        off = [figure for figure in figures if not figure.on]
        if off:
            self.click(off[-1].rect.x, off[-1].rect.y)
        self.saw("shared")
        assert self.button("To battle") or self.button("Confirm losses"), self.top.task.line()

    def leave(self) -> None:
        self.saw("onward")
        if self.button("Fight on"):
            return
        options = [w for w in self.top.tasks.bar.ui.widgets if isinstance(w, Button) and w.words.startswith("To ")]
        if options:
            self.click(options[0].rect.x, options[0].rect.y)
            assert self.button("Retreat")
            return
        assert self.button("Give up")
        self.button("Really give up")

    def buy(self) -> None:
        steppers = [w for w in self.top.tasks.bar.ui.widgets if isinstance(w, Stepper)]
        for good in (4, 0, 0, 0):
            steppers = [w for w in self.top.tasks.bar.ui.widgets if isinstance(w, Stepper)]
            stepper = steppers[good]
            if stepper.more:
                self.click(stepper.rect.right - theme.px(10), stepper.rect.bottom + theme.px(10))
        self.saw("bought")
        assert self.button("Buy")
        self.button("Really buy nothing?")

    def place(self) -> None:
        task = self.top.task
        lit = list(task.lit())
        if lit:
            self.space(lit[0])
            self.saw("placed")
            return
        assert self.button("End turn"), task.line()
        self.done.add("turn")

    def decide(self) -> None:
        """Make one decision with the clicks that its task needs."""
        deeds: dict[type[Task[Any]], Callable[[], object]] = {
            Moving: self.move,
            ChoosingBattle: self.fight,
            Sharing: self.share,
            Shooting: self.shoot_at,
            Leaving: self.leave,
            Judging: lambda: self.button("Hold"),
            Scuttling: lambda: self.button("So be it"),
            Razing: lambda: self.button("Keep my cities"),
            Buying: self.buy,
            Placing: self.place,
            Answering: lambda: self.button("Decline"),
        }
        deeds[type(self.top.task)]()


def sit_down(app: App, server: Server, ruleset: str) -> None:
    """A table of six with bots, and the hand at Macedonia."""
    app.go.server(
        server.address, lambda: app.remote.send(TableOptions(ruleset, SEATS, home=0).request(app.remote.ref()))
    )
    arrive(app, RoomScreen)
    for seat in range(1, SEATS):
        app.remote.send(SetBot(app.remote.ref(), seat, "greedy"))
    app.remote.send(Start(app.remote.ref()))
    until(app, lambda: at_the_board(app))


@pytest.mark.long
@pytest.mark.parametrize(("ruleset", "chance"), pairs_in_stages([("classic", 3), ("mb1984", 1)], [], [("mb1984", 1)]))
def test_a_mouse_plays_until_everything_was_done(
    app: App, server: Server, shoot: Shoot, monkeypatch: pytest.MonkeyPatch, ruleset: str, chance: int
) -> None:
    monkeypatch.setattr("client.network.server_access.number", lambda: bytes([chance]) * 32)
    sit_down(app, server, ruleset)
    hand = Hand(app, shoot)
    model = app.remote.match
    assert model is not None
    top = hand.top

    def asked() -> bool:
        top.events.hurry()
        top.update(0.0)
        return model.finished or (model.is_mine and not top.events.busy)

    wanted = {"marched", "fought", "bought", "placed", "turn"}
    for _ in range(DECISIONS):
        until(app, asked, 60)
        if model.finished or wanted <= hand.done:
            break
        version = model.version
        hand.decide()
        until(app, lambda version=version: not model.pending and (model.version > version or model.is_mine), 60)  # type: ignore[misc]
        assert model.refusal is None
    assert wanted <= hand.done, (hand.done, app.toasts.words)
    assert not [words for words in app.toasts.words if "not" in words]
