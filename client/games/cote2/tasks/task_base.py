"""Common base of the decisions of the second game."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final, Generic, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from client.drawing import shapes, theme
from client.games.cote2.game_desk import Desk
from client.keyboard.commands import Command
from client.keyboard.keys import told
from client.language import _, say
from client.table.action_bar import ActionBar, BarButton
from client.table.form_task import FormTask, Steps
from client.table.geography import geography
from client.table.ground import Tint
from client.table.pieces import UNITS, Force, Pick, Token, line_up, plate
from client.table.task import GO, HERE, AnyTask, Hit, Task, chosen_kind
from client.table.words import called
from shared.board import BOARD
from shared.ids import NONE, Seat, Space
from shared.kernel.frames import Action
from shared.odds.attack import Threat
from shared.odds.cote2 import threat
from shared.rulesets.cote2.state import ALIENS, LEADERS, TableFields

T = TypeVar("T")
A = TypeVar("A", bound=Action)


_WIDE: Final = 10_000.0
_APART: Final = 8.0
"""Design pixels between two options in the action bar."""
_LEAST: Final = 128.0
_MARGIN: Final = 18.0
_TURN: Final = 190.0
"""Design width of the option that turns the page."""
_NARROW: Final = 150.0
_LOOSE: Final = 4
"""Largest number of kinds of pieces of a shadow without a plate."""
_ROOM_EACH: Final = 2.5
"""Design pixels of the action bar that each character of a note takes; a note has three lines."""


def unit_picture(kind: int, seat: Seat) -> str:
    """Return the picture of a unit, 0 infantry to 3 galley."""
    return f"{UNITS[kind]}_{seat}"


def spot(hit: Hit) -> Space:
    """Return the space meant by a click. A clicked piece counts for its own space, though it may overlap the border."""
    return hit.pick.place if hit.pick is not None else hit.space


def kind_name(kind: int) -> str:
    """Return the name of a kind of unit, 0 infantry to 3 galley."""
    return (_("Infantry"), _("Cavalry"), _("Catapult"), _("Galley"))[kind]


def sea_name(zone: Space) -> str:
    """Return the short name of a sea zone."""
    return BOARD.names[zone].removeprefix("Mare ").removeprefix("Oceanus ").removeprefix("Pontus ")


def shades(table: TableFields, space: Space, force: Force) -> list[Token]:
    """Return faded pieces as they would stand in a space, above those that stand there now. Many kinds of pieces, which
    would need much room, lie on a plate."""
    lift = 1.4 if table.units[space] or space in table.leader_at else 0.0
    pick, heart = Pick("marker", space, force.seat), geography().heart(space)
    many = len(force.leaders) + sum(n > 0 for n in force.army) > _LOOSE
    tokens = plate(force, space, LEADERS) if many else line_up(space, [force], heart, LEADERS)
    return [
        replace(token, key=f"ghost:{space}:{token.key}", at=heart, pick=pick, dy=token.dy + lift, faded=True)
        for token in tokens
    ]


class Decision(Task[TableFields]):
    """Task with access to this game's position."""

    @property
    def table(self) -> TableFields:
        """The position."""
        return self.desk.table

    def why_not(self, action: Action) -> str:
        """Return why an action is not legal now; empty if it is."""
        refusal = self.desk.check(action)
        return say(refusal.sentence) if refusal is not None else ""

    def explain(self, action: Action) -> bool:
        """Show why an action is not legal. Always return True, because the click was handled."""
        refusal = self.desk.check(action)
        if refusal is not None:
            self.desk.refuse(refusal)
        return True

    def whose(self, owner: Seat) -> str:
        """Return the owner of units in a word or two."""
        return _("yours") if owner == self.desk.seat else _("auxiliaries") if owner == ALIENS else self.desk.who(owner)

    def name(self, seat: Seat) -> str:
        """Return the name of a player, or "You"."""
        return called(seat, self.desk.seat, self.desk.who)


class Deed(Decision):
    """Option of a turn that ends in a single action. `verb`: the words of its button."""

    verb = ""

    def action(self) -> Action | None:
        """Return the action that was put together, or None while something is missing."""
        return None

    def threat(self) -> Threat | None:
        """Return the battle, if the action is an attack."""
        action = self.action()
        return None if action is None else threat(self.table, self.desk.seat, action)

    def buttons(self) -> Sequence[BarButton]:
        return (BarButton(self.verb, self.confirm, "primary", told(Command.CONFIRM), self.action() is not None),)

    def confirm(self) -> bool:
        action = self.action()
        return action is not None and self.desk.act(action)


class DraftedDeed(Deed, Generic[T]):
    """Deed with a draft whose steps can be undone."""

    def __init__(self, desk: Desk, first: T) -> None:
        super().__init__(desk)
        self.steps = Steps(first)

    @property
    def draft(self) -> T:
        """The present draft."""
        return self.steps.now

    def begin(self, first: T) -> None:
        """Start again from a first draft."""
        self.steps = Steps(first)

    def put(self, draft: T) -> bool:
        """Add a step to the draft. Always return True, because the click was handled."""
        self.steps.put(draft)
        self.desk.changed()
        return True

    def undo(self) -> bool:
        if not self.steps.undo():
            return False
        self.desk.changed()
        return True


class FormDeed(FormTask[TableFields, A], Deed, Generic[A]):
    """Deed that is composed in a form."""


class OfferedAction(Struct, frozen=True):
    """Option among several actions: its place on the board, and its meaning."""

    words: str
    action: Action
    space: Space = NONE
    seat: Seat = NONE
    tint: Tint = GO
    tip: str = ""


class Picking(Deed):
    """Choice among several ways. `about`: the question."""

    def __init__(self, desk: Desk, verb: str, about: str, ways: Sequence[OfferedAction]) -> None:
        super().__init__(desk)
        self.verb = verb
        self.about = about
        self.ways = ways
        self.shelf = Shelf(self)
        self._at = 0 if len(ways) == 1 else NONE
        self._meant = False
        """Whether the player chose the way. A first click does not take a way that was only suggested."""

    @property
    def way(self) -> OfferedAction | None:
        """The chosen way, or None."""
        return self.ways[self._at] if self._at != NONE else None

    def line(self) -> str:
        return self.about if self.way is None else f"{self.way.words}."

    def build(self, action_bar: ActionBar) -> None:
        if len(self.ways) == 1:
            action_bar.note(self.ways[0].tip)
            return
        self.shelf.build(action_bar, [self._choice(at, way) for at, way in enumerate(self.ways)])
        if self.way is not None:
            remark(action_bar, self.way.tip)

    def _choice(self, at: int, way: OfferedAction) -> BarButton:
        return BarButton(way.words, partial(self.choose, at), chosen_kind(at == self._at), way.tip)

    def choose(self, at: int) -> bool:
        """Choose a way. A second click on it takes it."""
        if at == self._at and self._meant:
            return self.confirm()
        self._at, self._meant = at, True
        if self.ways[at].space != NONE:
            self.desk.look_at([self.ways[at].space])
        self.desk.changed()
        return True

    def lit(self) -> Mapping[Space, Tint]:
        found = {way.space: way.tint for way in self.ways if way.space != NONE}
        if self.way is not None and self.way.space != NONE:
            found[self.way.space] = HERE
        return found

    def click(self, hit: Hit) -> bool:
        here = [at for at, way in enumerate(self.ways) if way.space == spot(hit) != NONE]
        # Several enemies may stand in one province; a click on a piece means its owner.
        exact = [at for at in here if hit.pick is not None and self.ways[at].seat == hit.pick.seat]
        found = exact or here
        if not found:
            return False
        # More clicks on the place step through all that it may mean.
        after = found[(found.index(self._at) + 1) % len(found)] if self._at in found else found[0]
        return self.choose(after)

    def next(self) -> bool:
        return len(self.ways) > 1 and self.choose((self._at + 1) % len(self.ways))

    def action(self) -> Action | None:
        return self.way.action if self.way is not None else None

    def undo(self) -> bool:
        if self._at == NONE or len(self.ways) == 1:
            return False
        self._at, self._meant = NONE, False
        self.desk.changed()
        return True


class Shelf:
    """Options in the action bar, as wide as their words need; on several pages if there are many."""

    WIDEST: Final = 310.0
    """Largest design width of an option, out of room that no other option needs."""

    def __init__(self, task: AnyTask) -> None:
        self._task = task
        self._page = 0

    def build(self, action_bar: ActionBar, choices: Sequence[BarButton]) -> None:
        """Add a page of the options to the action bar."""
        if not choices:
            return
        # Each option is counted with a gap after it; the last one needs none.
        across = action_bar.room_for(1, _WIDE) + _APART
        pages = _pages([_need(choice) for choice in choices], across)
        # There may be fewer pages by now than when it was turned.
        self._page %= len(pages)
        page = pages[self._page]
        shown = list(choices[page.start : page.stop])
        if len(pages) > 1:
            words = _("More … ({what}–{stop} of {len})", what=page.start + 1, stop=page.stop, len=len(choices))
            shown.append(BarButton(words, self._turn, "quiet", _("Shows the next ones")))
        widths = self._button_widths(_columns([_need(choice) for choice in shown]), across)
        for place, choice in enumerate(shown):
            action_bar.option(choice, widths[place // 2])
        if len(shown) % 2:
            action_bar.gap(widths[-1] + _APART)

    def _button_widths(self, needs: Sequence[float], across: float) -> list[float]:
        """Return the widths: all alike if that is wide enough, else each with its share of the room left."""
        alike = max(max(needs), min(self.WIDEST, across / len(needs) - _APART))
        if (alike + _APART) * len(needs) <= across:
            return [alike] * len(needs)
        share = across / len(needs) - _APART - sum(needs) / len(needs)
        return [need + share for need in needs]

    def _turn(self) -> None:
        self._page += 1
        self._task.desk.changed()


def _need(choice: BarButton) -> float:
    """Return the width that an option needs so that its words are not cut."""
    words = shapes.kept(choice.words, title=choice.kind != "quiet")
    return max(_LEAST, words.content_width / theme.px(1) + _MARGIN)


def _columns(needs: Sequence[float]) -> list[float]:
    """Return the widths of columns with two options each."""
    return [max(needs[i : i + 2]) for i in range(0, len(needs), 2)]


def _pages(needs: Sequence[float], across: float) -> list[range]:
    """Split options into pages. If there are several, each keeps room for the option that turns the page."""

    def fit(widths: Sequence[float]) -> bool:
        return sum(width + _APART for width in _columns(widths)) <= across

    if fit(needs):
        return [range(len(needs))]
    pages = []
    first = 0
    while first < len(needs):
        # At least one on a page, however wide it is: otherwise this would never end.
        last = first + 1
        while last < len(needs) and fit([*needs[first : last + 1], _TURN]):
            last += 1
        pages.append(range(first, last))
        first = last
    return pages


def remark(action_bar: ActionBar, words: str) -> None:
    """Add a note to the action bar, if enough room is left."""
    room = action_bar.room_for(1, _WIDE)
    if room > max(_NARROW, len(words) * _ROOM_EACH):
        action_bar.gap()
        action_bar.note(words)
