"""The one task for decisions that are composed in a form. The form says what may be chosen, a game's subclass how it
looks; marches, sheets and choices on the board have tasks of their own."""

from collections.abc import Hashable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import Any, Generic, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from client.keyboard.commands import Command
from client.keyboard.keys import told
from client.language import say
from client.table.action_bar import ActionBar, BarButton
from client.table.desk import Desk
from client.table.position import T
from client.table.task import Task
from shared.actions.description import Choice, Field, FieldKind, Form
from shared.ids import NONE, Space
from shared.kernel.frames import Action

D = TypeVar("D")
A = TypeVar("A", bound=Action)


class Steps(Generic[D]):
    """Draft and its former versions. Drafts are frozen: every change is a new one."""

    def __init__(self, first: D) -> None:
        self._steps = [first]

    @property
    def now(self) -> D:
        """The present draft."""
        return self._steps[-1]

    @property
    def fresh(self) -> bool:
        """Whether there is nothing to undo."""
        return len(self._steps) == 1

    def put(self, draft: D) -> None:
        """Add a version, if it differs from the present one."""
        if draft != self.now:
            self._steps.append(draft)

    def undo(self) -> bool:
        """Undo one step. Return False if there was none."""
        if self.fresh:
            return False
        self._steps.pop()
        return True


class Cell(Struct, frozen=True):
    """Number that the player chooses in a form: a field's, a row's in a column, or of chosen options that are alike.

    `high`: the greatest. `options`: values of the options that it counts; empty for a `NUMBER`. `place`: the space to
    show, or NONE. `price`: of one, in talents.
    """

    field: Field
    high: int
    options: tuple[int, ...] = ()
    place: Space = NONE
    column: int = 0
    price: int = 0

    def count(self, action: Action) -> int:
        """Return the number that an action has."""
        value = getattr(action, self.field.name)
        match self.field.kind:
            case FieldKind.NUMBER:
                return int(value)
            case FieldKind.ONE:
                return int(value in self.options)
            case FieldKind.ROWS:
                return sum(row[1 + self.column] for row in value if row[0] in self.options)
            case _:
                return sum(chosen in self.options for chosen in value)

    def counted(self, action: A, number: int) -> A:
        """Return an action with another number. Sets and rows are in order; in a list, what was chosen last is last."""
        value: Any = getattr(action, self.field.name)
        match self.field.kind:
            case FieldKind.NUMBER:
                value = number
            case FieldKind.ONE:
                value = self.options[0]
            case FieldKind.ROWS:
                value = self._with_row(value, number)
            case FieldKind.LIST:
                value = (*[chosen for chosen in value if chosen not in self.options], *self.options * number)
            case _:
                value = tuple(sorted({*value}.difference(self.options).union(self.options[:number])))
        return replace(action, **{self.field.name: value})

    def _with_row(self, rows: Sequence[Sequence[int]], number: int) -> tuple[tuple[int, ...], ...]:
        found = {row: counts for row, *counts in rows}
        counts = found.setdefault(self.options[0], [0] * len(self.field.columns))
        counts[self.column] = number
        return tuple([(row, *counts) for row, counts in sorted(found.items()) if any(counts)])


class Look(Struct, frozen=True):
    """Picture of a cell, its caption and tip. `left`: number in the supply, shown if there is one. `closed`: why one
    more is not possible, in a decision whose steps must be legal."""

    picture: str
    caption: str
    tip: str = ""
    left: int | None = None
    closed: str = ""


class FormTask(Task[T], Generic[T, A]):
    """Decision that is composed in the form of a kind of action. The draft is an action, legal or not yet.

    `verb`: words of the button that does it. `width`: design width of a piece in the action bar. `whole`: the exact
    number of all pieces that weigh, or None; one too many then takes the place of another. `strict`: whether each step
    must be legal; what can no longer be had with fewer of another piece then goes with it. `together`: whether options
    that are alike are counted together, even a single one, so that each looks like a number.
    """

    verb = ""
    width = 96.0
    whole: int | None = None
    strict = False
    together = False

    def __init__(self, desk: Desk[T], kind: type[A], form: Form | None = None, first: A | None = None) -> None:
        """`form`: if it is not the first one of that kind; `first`: the draft to begin with, if it is not the form's.

        Raises IndexError if there is no such form now.
        """
        super().__init__(desk)
        form = form or desk.forms(kind)[0]
        self.begin(form, first or msgspec.msgpack.decode(form.draft, type=kind))

    def begin(self, form: Form, first: A) -> None:
        """Compose in that form, beginning with a draft."""
        self.form = form
        self.cells: Sequence[Cell] = list(self._cells())
        self.steps = Steps(first)

    def _cells(self) -> Iterator[Cell]:
        prices = iter(self.form.prices)
        for field in self.form.fields:
            match field.kind:
                case FieldKind.NUMBER:
                    yield Cell(field, field.high, price=next(prices, 0))
                case FieldKind.ROWS:
                    costs = list(islice(prices, len(field.columns))) or [0] * len(field.columns)
                    for row in field.options:
                        for column, (most, price) in enumerate(zip(row.most, costs, strict=True)):
                            yield Cell(field, most, (row.value,), row.place, column, price)
                case _:
                    yield from self._options(field)

    def _options(self, field: Field) -> Iterator[Cell]:
        """Yield a cell for each group of options that are alike."""
        groups: dict[Hashable, list[Choice]] = {}
        for option in field.options:
            groups.setdefault(self.alike(field, option), []).append(option)
        for group in groups.values():
            most = field.high if field.kind is FieldKind.LIST else len(group)
            yield Cell(field, most, tuple([option.value for option in group]), group[0].place)

    # Overridden by the decisions

    def alike(self, field: Field, option: Choice) -> Hashable:
        """Return a key that options of a field share if they are counted together."""
        return option.value

    def look(self, cell: Cell) -> Look | None:
        """Return how a cell looks, or None if it is not shown."""
        raise NotImplementedError

    def weighs(self, cell: Cell) -> bool:
        """Whether a cell counts towards `whole`."""
        return True

    def most(self, cell: Cell) -> int:
        """Return the greatest number of a cell now."""
        return cell.high

    # The draft

    @property
    def draft(self) -> A:
        """The present draft."""
        return self.steps.now

    def count(self, cell: Cell) -> int:
        """Return the number of a cell in the draft."""
        return cell.count(self.draft)

    @property
    def cost(self) -> int:
        """Price of the draft, in talents."""
        return sum(cell.price * self.count(cell) for cell in self.cells)

    @property
    def missing(self) -> int:
        """Number of pieces still to be chosen, if their number is exact."""
        return 0 if self.whole is None else self.whole - self._weight(self.draft)

    def _weight(self, draft: A) -> int:
        return sum(cell.count(draft) for cell in self.cells if self.weighs(cell))

    def why_no_more(self, cell: Cell) -> str:
        """Return why one more of a cell is not possible; empty if it is, or if that shows only in the end."""
        refusal = self.desk.check(self._more(cell)) if self.strict else None
        return "" if refusal is None else say(refusal.sentence)

    def _more(self, cell: Cell) -> A:
        return cell.counted(self.draft, self.count(cell) + cell.field.step)

    def change(self, cell: Cell, by: int) -> None:
        """Choose more (or fewer) of a cell by so many steps. Say why if a step must be legal and is not."""
        self.forget_question()
        number = self.count(cell) + by * cell.field.step
        if number >= 0 and (self.strict or number <= self.most(cell)):
            draft = cell.counted(self.draft, number)
            refusal = self.desk.check(draft) if self.strict and by > 0 else None
            if refusal is not None:
                self.desk.refuse(refusal)
            else:
                self.steps.put(self._without_loose(cell, draft) if by < 0 else self._with_fewer_of_others(cell, draft))
        self.desk.changed()

    def _with_fewer_of_others(self, cell: Cell, draft: A) -> A:
        """Return the draft with fewer of the most numerous other pieces, if there are too many."""
        for _each in range(0 if self.whole is None else self._weight(draft) - self.whole):
            others = [other for other in self.cells if self.weighs(other) and other != cell and other.count(draft)]
            if not others:
                return self.draft
            # Of equal ones the last: `max` keeps the first that it meets.
            most = max(reversed(others), key=lambda other: other.count(draft))
            draft = most.counted(draft, most.count(draft) - 1)
        return draft

    def _without_loose(self, cell: Cell, draft: A) -> A:
        """Return the draft without pieces that cannot be had with fewer of that cell; in a form they come after it."""
        for other in self.cells[self.cells.index(cell) + 1 :] if self.strict else ():
            while other.count(draft) and self.desk.check(draft) is not None:
                draft = other.counted(draft, other.count(draft) - other.field.step)
        return draft

    def put(self, draft: A) -> bool:
        """Add a step to the draft. Always return True, because the click was handled."""
        self.forget_question()
        self.steps.put(draft)
        self.desk.changed()
        return True

    # Display

    def build(self, action_bar: ActionBar) -> None:
        shown = [(cell, look) for cell in self.cells if (look := self.look(cell)) is not None]
        width = action_bar.room_for(len(shown), self.width)
        for cell, look in shown:
            self.show(action_bar, cell, look, width)

    def show(self, action_bar: ActionBar, cell: Cell, look: Look, width: float) -> None:
        """Add a cell to the action bar: a piece that is chosen or not, or a number of pieces."""
        count = self.count(cell)
        if cell.field.kind in (FieldKind.ONE, FieldKind.SET) and not self.together:
            toggle = partial(self.change, cell, -1 if count and cell.field.kind is FieldKind.SET else 1)
            action_bar.figure(look.picture, look.caption, bool(count), toggle, tip=look.tip, width=width)
            return
        more = not look.closed if self.strict else count < self.most(cell)
        step = partial(self.change, cell)
        action_bar.stepper(
            look.picture, count, look.caption, step, more=more, left=look.left, tip=look.tip, width=width
        )

    def buttons(self) -> Sequence[BarButton]:
        return (BarButton(self.verb, self.confirm, "primary", told(Command.CONFIRM), self.action() is not None),)

    # Actions

    def action(self) -> A | None:
        """Return the action that was put together, or None while something is missing."""
        return None if self.missing else self.draft

    def confirm(self) -> bool:
        action = self.action()
        return action is not None and self.desk.act(action)

    def undo(self) -> bool:
        undone = self.forget_question() or self.steps.undo()
        self.desk.changed()
        return undone
