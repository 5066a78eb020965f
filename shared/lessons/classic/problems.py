"""Problems of Classic."""

from typing import Final

from shared.board import BOARD
from shared.language.sentence import _
from shared.lessons.conquest.problem_worth import in_round, keeping_caesar, taking
from shared.lessons.problem import Problem
from shared.rulesets.classic.actions import Buy
from shared.rulesets.classic.options import steps
from shared.rulesets.conquest.complete import complete
from shared.vocabulary.actions import EndMovement

_ENEMY, _ITALIA = BOARD.space("dalmatia"), BOARD.space("italia")

PROBLEMS: Final = (
    Problem(
        "problem-1",
        "classic",
        complete,
        _("Two roads to one battle"),
        _("Win the battle for Dalmatia this turn. Only this battle counts. The end of your movement is judged."),
        _("Your army in Macedonia is too weak alone. Count all that stands beside Dalmatia."),
        _("March with everything from Macedonia and with both infantry from Moesia into Dalmatia. Then end movement."),
        (EndMovement,),
        in_round(3),
        taking("classic", _ENEMY),
        0.85,
        (BOARD.space("macedonia"), BOARD.space("moesia"), _ENEMY),
    ),
    Problem(
        "problem-2",
        "classic",
        complete,
        _("Forty talents"),
        _("Save your Caesar: six infantry in Dalmatia will attack. Spend your 40 talents. Your purchase is judged."),
        _("Your walls throw two more dice already. What counts now is how many dice, and how many losses you bear."),
        _("Buy four infantry. They cost least, and infantry is on two faces of each die."),
        (Buy,),
        in_round(3),
        keeping_caesar("classic", steps),
        0.75,
        piece="infantry",
    ),
    Problem(
        "problem-3",
        "classic",
        complete,
        _("When walls do not help"),
        _("Save your Caesar from the army in Dalmatia for one turn. The end of your movement is judged."),
        _("Infantry and catapults march one province in a turn. The home may fall, if only the Caesar is elsewhere."),
        _("March with your Caesar to Achaia or Thracia, two provinces from the enemy. Moesia is beside it, too."),
        (EndMovement,),
        in_round(5),
        keeping_caesar("classic", steps),
        0.95,
        (BOARD.space("macedonia"), BOARD.space("achaia"), BOARD.space("thracia")),
    ),
    Problem(
        "problem-4",
        "classic",
        complete,
        _("The ride"),
        _("Italia's Caesar has no troops. Catch that Caesar before it is Italia's turn. The end of your movement is "
          "judged."),
        _("Italia is two provinces away. Infantry marches one province in a turn; which unit marches two?"),
        _("Send a general with the horseman alone to Dalmatia, and in the same turn on to Italia."),
        (EndMovement,),
        in_round(3),
        taking("classic", _ITALIA),
        0.95,
        (BOARD.space("macedonia"), _ENEMY, _ITALIA),
    ),
)  # fmt: skip
"""In the order of the list."""
