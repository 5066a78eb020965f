"""Labels and forms of every game: the only module that lists them all."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from msgspec import Struct

from shared.ids import Seat
from shared.kernel.frames import Action
from shared.labels import classic, mb1984
from shared.labels.cote2 import forms as cote2_forms
from shared.labels.cote2 import labels as cote2
from shared.labels.description import Filter, Form, Label


class GameLabels(Struct, frozen=True):
    """Descriptions of one game's actions, made from a view.

    `label`: of an action that the seat may take. `forms`: for each kind within the filter that the options of the frame
    do not exhaust.
    """

    label: Callable[[Any, Seat, Any], Label]
    forms: Callable[[Any, Seat, Filter], Sequence[Form]]


LABELS: Final[Mapping[str, GameLabels]] = {
    "classic": GameLabels(classic.label, classic.forms),
    "mb1984": GameLabels(mb1984.label, mb1984.forms),
    "cote2": GameLabels(cote2.label, cote2_forms.forms),
}
"""By the id of the rule set."""


def label_of(ruleset: str, view: Any, seat: Seat, action: Action) -> Label | None:
    """Return the label of an action; None in a game that has no labels."""
    game = LABELS.get(ruleset)
    return None if game is None else game.label(view, seat, action)
