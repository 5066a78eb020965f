"""Base class of all tasks, and the task of clients that only watch."""

from collections.abc import Mapping, Sequence
from typing import Final, Generic, TypeAlias

from msgspec import Struct

from client.drawing import theme
from client.drawing.widgets import ButtonKind
from client.keyboard.commands import Command
from client.keyboard.keys import told
from client.language import _
from client.table.action_bar import ActionBar, BarButton
from client.table.battle_playback import Target
from client.table.desk import Desk
from client.table.geography import Point, geography
from client.table.ground import Tint
from client.table.pieces import Pick, Token
from client.table.position import SeatPosition, T_co
from shared.board import BOARD
from shared.ids import NONE, Position, Seat, Space
from shared.kernel.frames import Action
from shared.odds.attack import Threat

GO: Final = Tint(theme.alpha((255, 246, 190, 255), 105), theme.alpha((255, 226, 96, 255), 255))
"""Tint of a space that can be chosen."""
FIGHT: Final = Tint(theme.alpha((236, 92, 60, 255), 120), theme.alpha((214, 30, 24, 255), 255))
"""Tint of a space that can be chosen, and where there will be a battle."""
HERE: Final = Tint(theme.alpha((255, 255, 255, 255), 60), theme.alpha((255, 255, 255, 255), 185))
"""Tint of a chosen space."""
ADVISED: Final = Tint(theme.alpha(theme.IVORY, 120), theme.alpha(theme.LAPIS, 255))
"""Tint of a space in which a bot would act."""

_CHANGED: Final = theme.alpha((150, 30, 140, 255), 255)
"""Rim of a province that has changed since the player's last turn."""


def outlined(tint: Tint) -> Tint:
    """Return the tint of a province that has changed since the player's last turn."""
    return Tint(tint.inner, _CHANGED)


_SIGNS: Final = ((GO, "sign_go"), (FIGHT, "sign_fight"))


def signs(table: SeatPosition, lit: Mapping[Space, Tint]) -> list[Token]:
    """Return a sign for every space that can be chosen, as not every player sees the difference of colours."""
    heart = geography().heart
    return [
        Token(
            f"ghost:{space}",
            picture,
            heart(space),
            Pick("marker", space, NONE),
            dy=_sign_height(table, space),
            size=0.66,
        )
        for space, tint in lit.items()
        for kind, picture in _SIGNS
        if tint is kind
    ]


def _sign_height(table: SeatPosition, space: Space) -> float:
    """Return how far above the middle of a space a sign is clear of the pieces there."""
    if space >= BOARD.provinces:
        return 0.9 if space in table.galley_at else 0.0
    rows = bool(table.units[space]) + (space in table.leader_at)
    return (0.0 if table.owner[space] == NONE else 0.72, 0.8, 1.3)[rows]


def berths(positions: Sequence[Position], seat: Seat) -> list[Token]:
    """Return the shadow of a galley of a seat at each position."""
    place = geography().place
    return [
        Token(f"ghost:{to}", f"galley_{seat}", place(to), Pick("galley", to, NONE), size=1.2, faded=True)
        for to in positions
    ]


class Hit(Struct, frozen=True):
    """A click on the board: the space, the piece if there is one, and the exact point."""

    space: Space
    pick: Pick | None
    at: Point


class Task(Generic[T_co]):
    """A decision that this seat owes. Subclasses override the methods that they need. `T_co`: the positions that it
    knows."""

    end_words = ""
    """Words of the button that ends the phase; empty if there is nothing to end."""

    def __init__(self, desk: Desk[T_co]) -> None:
        self.desk = desk
        self._is_asking = False

    @property
    def asked(self) -> bool:
        """Whether it asks if the phase should really end."""
        return self._is_asking

    def line(self) -> str:
        """Return the present draft in one line."""
        return ""

    def build(self, action_bar: ActionBar) -> None:
        """Add pieces and options to the action bar."""

    def buttons(self) -> Sequence[BarButton]:
        """Return the column of buttons."""
        return ()

    def lit(self) -> Mapping[Space, Tint]:
        """Return the spaces that are lit."""
        return {}

    def glow(self) -> frozenset[Pick]:
        """Return the pieces that can act."""
        return frozenset()

    def ghosts(self) -> Sequence[Token]:
        """Return signs and possible places of pieces, to be clicked. Their keys begin with ``"ghost"``."""
        return signs(self.desk.table, self.lit())

    def arrow(self) -> Sequence[Point]:
        """Return a way to be shown on the board, from its first point to its last."""
        return ()

    def threat(self) -> Threat | None:
        """Return the attack that is being put together."""
        return None

    def click(self, hit: Hit) -> bool:
        """Handle a click on the board; return False if it means nothing here."""
        return False

    def strike(self, target: Target) -> None:
        """Handle a click on a unit of a battle that is shown."""

    def mark(self) -> Target | None:
        """Return the chosen unit of a battle, to be marked there."""
        return None

    def confirm(self) -> bool:
        """Do the present draft (Enter); return False if there is none."""
        return False

    def answer(self, yes: bool) -> bool:
        """Answer a yes-or-no question (Y or N); return False if there is none."""
        return False

    def undo(self) -> bool:
        """Go one step back (Escape); return False if there was none."""
        return False

    def clear(self) -> bool:
        """Put everything down; return False if nothing was picked up."""
        return self.undo()

    def next(self) -> bool:
        """Go to the next piece that can act (Tab); return False if there is none."""
        return False

    def end(self) -> bool:
        """End the phase (Space); if that may be hasty, the first time only ask. Return False if nothing can be
        ended."""
        action = self.ending()
        if action is None:
            return False
        if not self._is_asking and self.desk.play_settings.ending and self.hasty():
            self._is_asking = True
            self.desk.changed()
            return True
        self._is_asking = False
        return self.desk.act(action)

    def unasked(self) -> Action | None:
        """Return an action to do at once, if there is no real choice."""
        return None

    def ending(self) -> Action | None:
        """Return the action that ends the phase."""
        return None

    def hasty(self) -> bool:
        """Whether something would be missed by ending the phase now."""
        return False

    def renew(self) -> None:
        """Adapt to a changed position while the same decision is owed."""

    def end_choice(self) -> BarButton:
        """Return the button that ends the phase."""
        words = _("Really end?") if self._is_asking else self.end_words
        kind: ButtonKind = "danger" if self._is_asking else "plain" if self.hasty() else "primary"
        key, other, back = told(Command.END), told(Command.CONFIRM), told(Command.BACK)
        question = _("{key} or {other} ends it; {back} to go on", key=key, other=other, back=back)
        return BarButton(words, self.end, kind, question if self._is_asking else told(Command.END))

    def forget_question(self) -> bool:
        """Take back the question whether the phase should really end."""
        was_asking, self._is_asking = self._is_asking, False
        return was_asking


AnyTask: TypeAlias = Task[SeatPosition]
"""A task of any game."""


class Watching(Task[SeatPosition]):
    """Task without a decision: other seats decide, or the dice roll."""

    def __init__(self, desk: Desk[SeatPosition], words: str, *, waits: bool = False) -> None:
        """`waits`: whether a decision of this seat may come."""
        super().__init__(desk)
        self._words = words
        self._waits = waits

    def line(self) -> str:
        return self._words

    def buttons(self) -> Sequence[BarButton]:
        if not self._waits:
            return ()
        tip = _("Skip all animations until you decide ({key}).", key=told(Command.AHEAD))
        return [BarButton(_("Skip to my turn"), self.desk.go_ahead, "plain", tip)]

    def build(self, action_bar: ActionBar) -> None:
        action_bar.note(
            _(
                "The wheel zooms, dragging moves the board, {whole} or a double click shows all of it; the arrow keys "
                "mark what lies there. Rest the mouse on anything to learn more. {odds} counts the odds of a battle, "
                "{talk} talks to the others, {help} opens the rules, {back} the menu.",
                whole=told(Command.WHOLE),
                odds=told(Command.ODDS),
                talk=told(Command.TALK),
                help=told(Command.HELP),
                back=told(Command.BACK),
            )
        )


def chosen_kind(chosen: bool) -> ButtonKind:
    """Return the look of an option, chosen or not."""
    return "primary" if chosen else "plain"
