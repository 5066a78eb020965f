"""Odds of an attack that is being put together, on a plate over the board. A click opens the calculator."""

from collections.abc import Callable
from typing import Final, Generic

import arcade
from arcade.types import Rect

from client.drawing import shapes, theme
from client.keyboard.commands import Command
from client.keyboard.keys import told
from client.language import _
from client.table.odds_bar import draw_odds, pale_words, spent
from client.table.odds_description import BattleOdds
from client.table.odds_worker import Counting
from client.table.pane import Pane, Plates, framed_card, seat_disc, within
from client.table.position import T
from shared.board import BOARD
from shared.ids import Seat
from shared.odds.attack import AttackQuestion, Threat, asked
from shared.odds.outcome import ATTACKER, DEFENDER, Force, Host, Odds

_WIDE: Final = 340.0
_HIGH: Final = 112.0
_EDGE: Final = 4.0


def force(host: Host, naval: bool) -> Force:
    """Return all units of a side."""
    own = [*host.army, host.galleys]
    for army in host.cargo if naval else ():
        own = [own[0] + army[0], own[1] + army[1], own[2] + army[2], own[3]]
    whole = [sum(kind) for kind in zip(own, host.cards, host.lent, strict=True)]
    return whole[0], whole[1], whole[2], whole[3]


class AttackPreview(Pane, Generic[T]):
    """Plate with the odds of an attack. `question`: the battle that would follow, or None."""

    def __init__(self, battle_odds: BattleOdds[T], ask: Callable[[], object]) -> None:
        """`ask`: opens the calculator."""
        super().__init__()
        self._battle_odds = battle_odds
        self._ask = ask
        self._counting = Counting(battle_odds.odds)
        self.question: AttackQuestion | None = None
        self.odds: Odds | None = None

    @property
    def pending(self) -> bool:
        """Whether the odds are still being counted."""
        return self.question is not None and self.odds is None

    def show(self, table: T, seat: Seat, threat: Threat | None) -> None:
        """Show the odds of this seat's attack as soon as they are counted; without one the plate is hidden."""
        question = odds = None
        if threat is not None:
            question = asked(self._battle_odds.present, table, seat, threat)
            odds = self._counting.ask(*question.hosts, question.naval)
        # The odds may come frames after the question, so both are compared.
        if (question, odds) != (self.question, self.odds):
            self.question, self.odds = question, odds
            self.touch()

    def over(self, board: Rect) -> None:
        """Place it in the upper right corner of the board."""
        width, height, gap = theme.px(_WIDE), theme.px(_HIGH), theme.px(8)
        self.place(arcade.LBWH(board.right - width - gap, board.top - height - gap, width, height))

    def holds(self, x: float, y: float) -> bool:
        return self.question is not None and super().holds(x, y)

    def tip(self, x: float, y: float) -> str:
        fight = _("If both fight to the end. Click, or {key}, to count with other numbers", key=told(Command.ODDS))
        return f"{fight}. {pale_words()}"

    def mouse_release(self, x: float, y: float) -> bool:
        if self.holds(x, y):
            self._ask()
        return super().mouse_release(x, y)

    def plates(self) -> Plates:
        return framed_card(self.rect, theme.px(_EDGE))

    def paint(self) -> None:
        if self.question is None:
            return
        rect, seats = self.rect, self.question.seats
        inside = within(rect, theme.px(_EDGE))
        left, right = inside.left + theme.px(12), inside.right - theme.px(12)
        y = inside.top - theme.px(17)
        shapes.say(
            _("Attack on {place}", place=BOARD.names[self.question.space]),
            rect.x,
            y,
            title=True,
            align="center",
            colour=theme.TERRACOTTA_DEEP,
            limit=right - left,
        )
        if self.odds is None:
            shapes.say(_("Counting …"), rect.x, y - theme.px(44), align="center", colour=theme.INK_SOFT)
            return
        bar = arcade.LRBT(left, right, y - theme.px(36), y - theme.px(16))
        draw_odds(bar, self.odds, seats)
        for side, line in ((ATTACKER, y - theme.px(51)), (DEFENDER, y - theme.px(68))):
            seat_disc(seats[side], left + theme.px(8), line, theme.px(15))
            naval = self.question.naval
            words = spent(self.odds, side, force(self.question.hosts[side], naval), naval=naval)
            shapes.say(words, left + theme.px(20), line, size=theme.SMALL, limit=right - left - theme.px(22))

    def draw(self) -> None:
        if self.question is None:
            self._stale = False
        else:
            super().draw()
