"""Calculator: the odds of any battle, with numbers that the player can change. It can be opened at any time."""

from collections.abc import Iterator
from functools import partial
from typing import Any, Final, Generic

import arcade
from arcade.types import Rect
from msgspec.structs import replace

from client.drawing import shapes, theme
from client.drawing.icons import painted
from client.drawing.widgets import Button
from client.keyboard.commands import Command
from client.language import _
from client.table.attack_preview import force
from client.table.battle_playback import BattleScene
from client.table.desk import Desk
from client.table.odds_bar import draw_kept, draw_left, draw_odds, said
from client.table.odds_description import GALLEYS, INFANTRY, OWN, Count, count, counted, foe
from client.table.odds_worker import Counting
from client.table.pane import Plates, Stepper, framed_card, seat_disc, within
from client.table.position import T
from client.table.sheet import Sheet, closes
from client.table.task import AnyTask
from client.table.words import called, fights
from shared.ids import NO_ARMY, NONE, Seat
from shared.odds.attack import AttackQuestion, asked
from shared.odds.outcome import ATTACKER, DEFENDER, Host, Odds

_PAD: Final = 20.0
_FRAME: Final = 6.0
_HEAD: Final = 44.0
_BAR: Final = 34.0
_ROW: Final = 97.0
_NAME: Final = 26.0
_CELL: Final = 92.0
_FIRST: Final = (5, 2, 0), (4, 1, 0)
"""Armies that are counted before the player chose any."""


class Calculator(Sheet[T], Generic[T]):
    """Sheet that shows the odds of a battle. `question`: the battle that is counted now."""

    caption = _("Odds")
    key = Command.ODDS
    about = _("The odds of a battle")
    foremost = True

    def __init__(self, desk: Desk[T], battle_scene: BattleScene[T, Any]) -> None:
        super().__init__(desk)
        self._battle_scene = battle_scene
        self._counting = Counting(battle_scene.battle_odds.odds)
        self.question: AttackQuestion | None = None
        self.odds: Odds | None = None
        self.group = OWN
        self._fresh = True

    # The battle in question

    def show(self, task: AnyTask) -> None:
        # Only when it is opened: later the player's own numbers stay, whatever happens on the board.
        if self._fresh:
            self._fresh = False
            self.ask(self._suggested(task) or self._last() or self._any())
        super().show(task)

    def put_away(self) -> None:
        self._fresh = True
        self._counting.stop()

    def _suggested(self, task: AnyTask) -> AttackQuestion | None:
        """Return the attack that is being put together, or the battle in progress."""
        table, battle_odds, threat = self.desk.table, self._battle_scene.battle_odds, task.threat()
        if threat is not None:
            return asked(battle_odds.present, table, self.desk.seat, threat)
        return battle_odds.question(table)

    def _last(self) -> AttackQuestion | None:
        """Return the last battle, if both sides could still fight each other. Slaves fight every player."""
        question, table = self.question, self.desk.table
        if question is None or max(question.seats) >= table.seats:
            return question
        return (
            question
            if self._battle_scene.battle_odds.foes(table, *question.seats)
            else replace(question, seats=self._seats_at_war())
        )

    def _any(self) -> AttackQuestion:
        """Return a battle of this seat against a player that it could fight."""
        table: Any = self.desk.table
        ours, theirs = (Host(army, leaders=1, options=table.options) for army in _FIRST)
        return AttackQuestion(self._seats_at_war(), (ours, theirs))

    def _seats_at_war(self) -> tuple[Seat, Seat]:
        mine = max(0, self.desk.seat)
        return mine, foe(self._battle_scene.battle_odds, self.desk.table, mine)

    def ask(self, question: AttackQuestion) -> None:
        """Count that battle; the odds of a large one come later."""
        self.question = question
        self.odds = self._counting.ask(*question.hosts, question.naval)

    def update(self, seconds: float) -> None:
        super().update(seconds)
        if self.question is not None and self.odds is None:
            self.ask(self.question)
            if self.odds is not None:
                self.touch()

    def _again(self, question: AttackQuestion) -> None:
        self.ask(question)
        self.rebuild()

    def _step(self, side: int, what: Count, by: int) -> None:
        question = self._question
        host = question.hosts[side]
        number = min(what.most, max(0, count(host, self.group, what.what) + by))
        hosts, battle_odds = list(question.hosts), self._battle_scene.battle_odds
        hosts[side] = counted(host, self.group, what.what, number, battle_odds.walls(self.desk.table))
        self._again(replace(question, hosts=(hosts[0], hosts[1])))

    def _swap_sides(self) -> None:
        question = self._question
        hosts = tuple([replace(host, walls=0, leaves=0) for host in question.hosts])
        self._again(replace(question, seats=question.seats[::-1], hosts=hosts[::-1]))

    def _turn(self, naval: bool) -> None:
        question = self._question
        hosts = [replace(host, galleys=max(host.galleys, int(naval)), cargo=()) for host in question.hosts]
        self._again(replace(question, naval=naval, hosts=(hosts[0], hosts[1])))

    def _choose(self, group: int) -> None:
        self.group = group
        self.rebuild()

    @property
    def _question(self) -> AttackQuestion:
        assert self.question is not None, _("nothing can be clicked before it was shown")
        return self.question

    # Layout

    def size(self) -> tuple[float, float]:
        return 860.0, 552.0

    @property
    def _body(self) -> Rect:
        pad = theme.px(_PAD)
        rect = self.rect
        return arcade.LRBT(rect.left + pad, rect.right - pad, rect.bottom + pad, rect.top - theme.px(_HEAD + 6))

    def _row(self, side: int) -> Rect:
        """Return the area of a side's numbers, with its name on top."""
        body = self._body
        top = body.top - theme.px(_BAR + 6 + side * (_ROW + _NAME + 4))
        return arcade.LBWH(body.left, top - theme.px(_ROW + _NAME), body.width, theme.px(_ROW + _NAME))

    @property
    def _result(self) -> Rect:
        body = self._body
        return arcade.LRBT(body.left, body.right, body.bottom, self._row(DEFENDER).bottom - theme.px(10))

    def build(self) -> None:
        if self.question is None:
            return
        self._add_switches()
        for side in (ATTACKER, DEFENDER):
            row = self._row(side)
            found = list(self._counts(side))
            gap = theme.px(6)
            width = min(theme.px(_CELL), (row.width + gap) / len(found) - gap)
            for place, what in enumerate(found):
                cell = arcade.LBWH(row.left + place * (width + gap), row.bottom, width, theme.px(_ROW))
                self.ui.add(self._count_stepper(cell, side, what))

    def _counts(self, side: int) -> Iterator[Count]:
        """Yield the things that are counted for a side."""
        battle_odds, seat = self._battle_scene.battle_odds, self._question.seats[side]
        for what in battle_odds.sea if self._question.naval else battle_odds.land:
            if side in what.sides and (seat not in self._battle_scene.strangers or painted(what.picture.format(seat))):
                yield what

    def _count_stepper(self, cell: Rect, side: int, what: Count) -> Stepper:
        seat, number = self._question.seats[side], count(self._question.hosts[side], self.group, what.what)
        step = partial(self._step, side, what)
        picture = what.picture.format(seat)
        words = what.words if number or not what.none else what.none
        return Stepper(cell, picture, number, words, step, more=number < what.most, tip=what.tip)

    def _add_switches(self) -> None:
        """Add the buttons: land or sea, whose units, and exchange of both sides."""
        body, naval, groups = self._body, self._question.naval, self._battle_scene.battle_odds.groups
        left, height = body.left, theme.px(_BAR - 4)
        found = [(_("On land"), not naval, partial(self._turn, False)), (_("At sea"), naval, partial(self._turn, True))]
        own = [(words, self.group == group, partial(self._choose, group)) for group, words in enumerate(groups)]
        for words, on, action in (*found, *(own if len(own) > 1 else ())):
            if words == groups[OWN]:
                left += theme.px(26)
            width = theme.px(96)
            button = Button(arcade.LBWH(left, body.top - height, width, height), words, action,
                            kind="primary" if on else "plain", size=theme.SMALL)  # fmt: skip
            self.ui.add(button)
            left += width + theme.px(6)
        swap = arcade.LBWH(body.right - theme.px(150), body.top - height, theme.px(150), height)
        button = Button(
            swap,
            _("Change sides"),
            self._swap_sides,
            kind="quiet",
            size=theme.SMALL,
            tip=_("The attacker defends, the defender attacks"),
        )
        self.ui.add(button)

    # Drawing

    def plates(self) -> Plates:
        return framed_card(self.rect, theme.px(_FRAME))

    def paint(self) -> None:
        rect = self.rect
        inside = within(rect, theme.px(_FRAME))
        y = inside.top - theme.px(_HEAD / 2 - 1)
        shapes.say(_("The odds of a battle"), rect.x, y, size=theme.HEADING - 2, title=True, align="center",
                  colour=theme.TERRACOTTA_DEEP)  # fmt: skip
        shapes.say(closes(self), inside.right - theme.px(16), y, size=theme.SMALL - 1, align="right",
                  colour=theme.INK_FAINT)  # fmt: skip
        if self.question is None:
            return
        for side in (ATTACKER, DEFENDER):
            self._head(side)
        if self.odds is not None:
            self._answer(self.question, self.odds)
        else:
            area = self._result
            shapes.say(_("Counting …"), area.x, area.y, size=theme.LARGE, align="center", colour=theme.INK_SOFT)

    def _name(self, seat: Seat) -> str:
        strangers = self._battle_scene.strangers
        return strangers.get(seat) or called(seat, self.desk.seat, self.desk.who)

    def _head(self, side: int) -> None:
        row, seat = self._row(side), self._question.seats[side]
        y = row.top - theme.px(_NAME / 2 - 2)
        seat_disc(seat, row.left + theme.px(11), y, theme.px(22))
        mine = seat == self.desk.seat != NONE
        words = fights(side, self._name(seat), mine=mine, many=seat in self._battle_scene.strangers)
        shapes.say(words, row.left + theme.px(28), y, size=theme.LARGE - 1, bold=True)

    def _answer(self, question: AttackQuestion, odds: Odds) -> None:
        """Draw bar and numbers at the left, the victor's remaining units at the right, the policy below."""
        area, seats = self._result, question.seats
        foot = shapes.kept(
            self._battle_scene.battle_odds.policy, size=theme.SMALL - 1, colour=theme.INK_SOFT, width=area.width
        )
        foot.position = round(area.left), round(area.bottom + foot.content_height)
        foot.draw()
        low = area.bottom + foot.content_height + theme.px(10)
        picture = arcade.LRBT(area.left + area.width * 0.58, area.right, low, area.top - theme.px(20))
        draw_left(picture, odds, seats)
        shapes.say(_("units that the victor has left"), picture.x, area.top - theme.px(6), size=theme.SMALL - 1,
                  align="center", colour=theme.INK_SOFT)  # fmt: skip
        right = picture.left - theme.px(26)
        bar = arcade.LRBT(area.left, right, area.top - theme.px(34), area.top - theme.px(6))
        draw_odds(bar, odds, seats, theme.HEADING - 2)
        y = bar.bottom - theme.px(13)
        shapes.say(_("what is left and lost on average"), area.left, y, size=theme.SMALL - 1,
                  colour=theme.INK_SOFT)  # fmt: skip
        y -= theme.px(20)
        for side in (ATTACKER, DEFENDER):
            draw_kept(area.left, y, odds, side, seats[side], force(self._fighting(side), question.naval))
            y -= theme.px(24)
        self._draw_remarks(odds, area.left, y, right - area.left)

    def _fighting(self, side: int) -> Host:
        """Return a side without units that do not fight there; these are kept for the other kind of battle."""
        battle_odds, host = self._battle_scene.battle_odds, self._question.hosts[side]
        kinds = {what.what for what in (battle_odds.sea if self._question.naval else battle_odds.land)}
        host = host if INFANTRY in kinds else replace(host, army=NO_ARMY)
        return host if GALLEYS in kinds else replace(host, galleys=0)

    def _draw_remarks(self, odds: Odds, left: float, y: float, limit: float) -> None:
        """Draw what the bar leaves out: the chance that neither side wins, and omitted outcomes."""
        lines = []
        nobody = odds.wins(NONE)
        if nobody > 0.0005:
            lines.append(_("No winner: {what}.", what=said(odds, NONE)))
        if odds.missing:
            lines.append(_("In so large a battle the least likely courses are left out."))
        if lines:
            shapes.say(" ".join(lines), left, y, size=theme.SMALL, italic=True, colour=theme.INK_SOFT, limit=limit)
