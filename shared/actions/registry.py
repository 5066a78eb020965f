"""Labels and forms of every game: the only module that lists them all."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from shared.actions import classic, mb1984
from shared.actions.cote2 import forms as cote2_forms
from shared.actions.cote2 import labels as cote2
from shared.actions.description import Filter, Form, Label
from shared.ids import Seat
from shared.kernel.frames import Action
from shared.sentences.yours import to_reader


class GameLabels(Struct, frozen=True):
    """Descriptions of one game's actions, made from a view.

    `label`: of an action that the seat may take. `forms`: for each kind within the filter that the options of the frame
    do not exhaust. `composed`: for a kind of action, also where options exhaust it.
    """

    label: Callable[[Any, Seat, Any], Label]
    forms: Callable[[Any, Seat, Filter], Sequence[Form]]
    composed: Callable[[Any, Seat, type[Action]], Sequence[Form]]


def _addressed(label: Callable[[Any, Seat, Any], Label]) -> Callable[[Any, Seat, Any], Label]:
    """Return labels that call the player whose action it is "you"."""

    def addressed(view: Any, seat: Seat, action: Any) -> Label:
        found = label(view, seat, action)
        return replace(found, text=to_reader(found.text, seat))

    return addressed


def _kind(
    forms: Callable[[Any, Seat, Filter], Sequence[Form]],
) -> Callable[[Any, Seat, type[Action]], Sequence[Form]]:
    """Return the forms of one kind of action."""
    return lambda view, seat, kind: forms(view, seat, Filter(int(str(kind.__struct_config__.tag))))


LABELS: Final[Mapping[str, GameLabels]] = {
    "classic": GameLabels(_addressed(classic.label), classic.forms, _kind(classic.forms)),
    "mb1984": GameLabels(_addressed(mb1984.label), mb1984.forms, _kind(mb1984.forms)),
    "cote2": GameLabels(_addressed(cote2.label), cote2_forms.forms, cote2_forms.composed),
}
"""By the id of the rule set."""


def label_of(ruleset: str, view: Any, seat: Seat, action: Action) -> Label | None:
    """Return the label of an action; None in a game that has no labels."""
    game = LABELS.get(ruleset)
    return None if game is None else game.label(view, seat, action)


def forms_of(ruleset: str, view: Any, seat: Seat, kind: type[Action]) -> Sequence[Form]:
    """Return the forms in which a seat composes actions of a kind now, also where options exhaust them."""
    return LABELS[ruleset].composed(view, seat, kind)
