"""Problems of 1984."""

from typing import Final

from shared.board import BOARD
from shared.language.sentence import _
from shared.lessons.conquest.problem_worth import in_round, keeping_caesar, taking, taking_any
from shared.lessons.problem import Problem
from shared.rulesets.conquest.complete import complete
from shared.rulesets.mb1984.actions import Buy
from shared.rulesets.mb1984.options import steps
from shared.vocabulary.actions import EndMovement

_HOME, _WEST, _NORTH, _SOUTH = (BOARD.space(key) for key in ("macedonia", "dalmatia", "moesia", "neapolis"))

PROBLEMS: Final = (
    Problem(
        "problem-5",
        "mb1984",
        complete,
        _("Eighty talents"),
        _("Save your Caesar: five infantry and two catapults in Dalmatia will attack. Spend your 80 talents. Your "
          "purchase is judged."),
        _("Only the side with more catapults shoots better. Your walls count like one catapult."),
        _("Buy two catapults. With your walls you then have three against two, and the advantage is yours."),
        (Buy,),
        in_round(6),
        keeping_caesar("mb1984", steps),
        0.6,
        piece="catapult",
    ),
    Problem(
        "problem-6",
        "mb1984",
        complete,
        _("Across the sea"),
        _("Win the battle for Neapolis, where Italia's Caesar stands. The end of your movement is judged."),
        _("By land the way leads through Italia. Your galley moves twice in a turn, and carries seven units."),
        _("Take all six infantry and a general aboard, sail to Mare Epirus, and land in Neapolis."),
        (EndMovement,),
        in_round(4),
        taking("mb1984", _SOUTH),
        0.9,
        (_HOME, BOARD.space("mare_epirus"), _SOUTH),
    ),
    Problem(
        "problem-7",
        "mb1984",
        complete,
        _("Six or five"),
        _("Win a battle this turn, in Dalmatia or Moesia. The end of your movement is judged."),
        _("Your catapult helps each of your shots, unless the enemy has one, too."),
        _("Attack the six infantry in Dalmatia with all you have. The catapult in Moesia would take your advantage."),
        (EndMovement,),
        in_round(7),
        taking_any("mb1984", (_WEST, _NORTH)),
        0.8,
        (_HOME, _WEST),
    ),
)  # fmt: skip
"""In the order of the list."""
