"""Actions of every game: the only module that lists them all."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from shared.actions.action import GameActions
from shared.actions.classic import CLASSIC_ACTIONS
from shared.actions.cote2.actions import COTE2_ACTIONS
from shared.actions.description import Form, Label
from shared.actions.mb1984 import MB1984_ACTIONS
from shared.ids import Seat
from shared.kernel.frames import Action

ACTIONS: Final[Mapping[str, GameActions]] = {
    "classic": CLASSIC_ACTIONS,
    "mb1984": MB1984_ACTIONS,
    "cote2": COTE2_ACTIONS,
}
"""By the id of the rule set."""


def label_of(ruleset: str, view: Any, seat: Seat, action: Action) -> Label | None:
    """Return the label of an action; None in a game that has no labels."""
    game = ACTIONS.get(ruleset)
    return None if game is None else game.label(view, seat, action)


def forms_of(ruleset: str, view: Any, seat: Seat, kind: type[Action]) -> Sequence[Form]:
    """Return the forms in which a seat composes actions of a kind now, also where options exhaust them."""
    return ACTIONS[ruleset].composed(view, seat, kind)
