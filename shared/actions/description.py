"""Label of one action, and the form by which a client without rules composes an action (SPEC, "Labels and forms")."""

from collections.abc import Sequence
from enum import IntEnum
from typing import Annotated

from msgspec import Meta, Raw, Struct

from shared.ids import NONE
from shared.language.sentence import Sentence, Value

_Tag = Annotated[int, Meta(ge=NONE, le=127)]


class Label(Struct, frozen=True, array_like=True):
    """Description of one action.

    `text`: what it does, for a button, such as "March from Italia to Rhaetia with 3 infantry". `group`: heading of
    actions of its sort. `source`, `to`: spaces from which and to which it leads; an action at one space has only `to`.
    `piece`: number of the only leader or galley that it moves, as in the view. `places`: further spaces touched.
    `grave`: it destroys, gives away or ends what cannot be bought back, so clients ask again before they send it.
    """

    text: Sentence
    group: Sentence
    source: int = NONE
    to: int = NONE
    piece: int = NONE
    places: tuple[int, ...] = ()
    grave: bool = False


def only(pieces: Sequence[int]) -> int:
    """Return the only number of several, as a label names it, or NONE."""
    return pieces[0] if len(pieces) == 1 else NONE


class Filter(Struct, frozen=True, array_like=True):
    """Part of the legal actions. NONE means any.

    `kind`: tag of the action. `source`, `to`, `piece`: as in the label of the action.
    """

    kind: _Tag = NONE
    source: _Tag = NONE
    to: _Tag = NONE
    piece: _Tag = NONE

    def asks(self, tag: int) -> bool:
        """Whether actions of the kind with this tag may be within the filter."""
        return self.kind in (NONE, tag)

    def meets(self, source: int = NONE, to: int = NONE, piece: int = NONE) -> bool:
        """Whether an action is within the filter whose label has these numbers. Its kind is not looked at."""
        pairs = ((self.source, source), (self.to, to), (self.piece, piece))
        return all(asked in (NONE, mine) for asked, mine in pairs)

    def takes(self, label: Label | None) -> bool:
        """Whether an action with this label is within the filter. Its kind is not looked at."""
        return self.meets() if label is None else self.meets(label.source, label.to, label.piece)


class FieldKind(IntEnum):
    """Sort of a field: how its value is composed."""

    NUMBER = 0
    """A number from `low` to `high`, in steps of `step`."""
    ONE = 1
    """The value of one option."""
    SET = 2
    """Values of `low` to `high` options, each once, in the order of the options."""
    LIST = 3
    """Values of `low` to `high` options in an order that the player chooses; an option may come again."""
    ROWS = 4
    """Rows of an option's value and a number for each column; rows without any number are left out."""
    PAIRS = 5
    """Pairs of an option's value and the value of one of `others`."""


class Choice(Struct, frozen=True, array_like=True):
    """Value that a field may take. `place`: the space to show, or NONE. `most`: for `ROWS`, the greatest number in each
    column. `least`: the least ones, if not all are 0; numbers below 0 are units collected there. `sort`: words for it
    together with others, if it may be replaced by any option of the same words and place, such as one more general."""

    value: int
    label: Value
    place: int = NONE
    most: tuple[int, ...] = ()
    least: tuple[int, ...] = ()
    sort: Value = ""


class Field(Struct, frozen=True, array_like=True):
    """Field of a form, in the order of the action's fields.

    `name`: that of the action's field. `label`: the same for players; empty for a field that they need not see, which
    keeps the value of the draft. `options`: each occurs in a legal action. `columns`: headings of the numbers of
    `ROWS`. `others`: second options of `PAIRS`. `follows`: name of the `NUMBER` of which this one counts a part; of the
    `beyond` first ones it need not count any. Without a label it is that least number, not the draft's. `uses`: what
    one of each number is good for, if anything is said of it: of a `NUMBER`, or of each of the `columns`.
    """

    name: str
    kind: FieldKind
    label: Value = ""
    low: int = 0
    high: int = 0
    step: int = 1
    options: tuple[Choice, ...] = ()
    columns: tuple[Value, ...] = ()
    others: tuple[Choice, ...] = ()
    follows: str = ""
    beyond: int = 0
    uses: tuple[Value, ...] = ()


class Form(Struct, frozen=True, array_like=True):
    """Form for the actions of one kind within a filter, where they are too many for a list.

    `tag`: that of the action. `name`: what the actions do. `group`: as in labels. `fields`: all fields of the action.
    `draft`: a legal action to begin with, encoded. `prices`: what one of each `NUMBER`, and of each column of `ROWS`,
    costs in talents, in their order, if they cost any; `purse`: the talents at hand.
    """

    tag: int
    name: Sentence
    group: Sentence
    fields: tuple[Field, ...]
    draft: Raw
    prices: tuple[int, ...] = ()
    purse: int = NONE
