"""Second lesson of Classic: a siege with two armies, then walls; the position is that of `tests/play/lessons.py`."""

from typing import Any, Final

from shared.language.sentence import Value, _
from shared.lessons.conquest import conditions as see
from shared.lessons.conquest import first_lesson as first
from shared.lessons.conquest.conditions import Phases, province
from shared.lessons.conquest.first_lesson import US
from shared.lessons.lesson import CoachReply, Glance, Lesson, LessonStep, Lit, happened, owes
from shared.mechanics.armies import army_of, total
from shared.rulesets.classic.actions import Buy, Form, Lose, March
from shared.rulesets.classic.frames import Casualties, Combat, Formation, Placement
from shared.rulesets.classic.table import TableFields
from shared.vocabulary.actions import (
    EndDestruction,
    EndMovement,
    EndTurn,
    Fight,
    Judge,
    PlaceFortification,
    PlaceRoad,
    Stand,
)
from shared.vocabulary.events import BattleBegan
from shared.vocabulary.frames import Destruction, Movement, Onward, Purchase

ROUND: Final = 8
"""Round in which the lesson begins."""
PHASES: Final[Phases] = (Movement, Combat, Destruction, Purchase, Placement)
HOME, NORTH, ENEMY = map(province, ("macedonia", "moesia", "dalmatia"))
WALLS, ROAD = 5, 6
"""Goods by their places in the price list."""
_OVER_MOVING: Final = see.after(first.MOVING, PHASES)
_OVER_FIGHTING: Final = first.battles_over(PHASES)
_AT: Final = Lit(spaces=(ENEMY,))


def _joined(glance: Glance[Any], source: int) -> bool:
    """Whether an army has marched from there to the city."""
    return any(event.to == ENEMY for event in see.marches(glance, source))


def _from_north(glance: Glance[Any]) -> bool:
    return _joined(glance, NORTH)


def _from_home(glance: Glance[Any]) -> bool:
    return _joined(glance, HOME)


def _after_the_north(glance: Glance[Any]) -> Value:
    if _from_north(glance):
        return _("There they wait: battles come once all have moved.")
    return _("Moesia's army does not join. That is allowed, but a siege needs numbers.")


def _after_the_march(glance: Glance[Any]) -> Value:
    armies = _from_north(glance) + _from_home(glance)
    if armies == 2:
        return _("Both armies stand before the walls, and fight as one.")
    if armies:
        return _("Only one army stands before the walls. It may still win.")
    return _("No siege this time: you need not fight.")


def _in_battle(glance: Glance[TableFields]) -> Value:
    frame: Any = glance.table.frames[-1]
    if owes(glance, Formation):
        return _(
            "Choose who fights: five, and one more for each leader. Infantry goes in front; catapults hit from behind. "
            "Click To battle."
        )
    if owes(glance, Casualties) and frame.owner != US:
        return _("The enemy retreats, and your horsemen catch some of them. Choose who falls, and confirm.")
    if owes(glance, Casualties):
        return _("Both sides struck at once. You choose your own losses; infantry is the cheapest. Confirm.")
    if owes(glance, Onward):
        return _onward(glance.table)
    return _("Each die hits if it shows a unit that its side has there. The walls throw dice too.")


def _in_battle_by_taps(glance: Glance[TableFields]) -> Value:
    frame: Any = glance.table.frames[-1]
    if owes(glance, Formation):
        return _(
            "Choose who fights: five, and one more for each leader. Infantry goes in front; catapults hit from behind."
        )
    if owes(glance, Casualties):
        pursuit = _("The enemy retreats, and your horsemen catch some of them. Choose who falls.")
        return pursuit if frame.owner != US else first.CHOSEN_LOSSES
    return _in_battle(glance)


def _onward(table: TableFields) -> Value:
    cell = table.units[ENEMY]
    enemies = (army_of(cell, seat) for seat in range(table.seats) if seat != US)
    if total(army_of(cell, US)) > sum(map(total, enemies)):
        return _("After each round both sides may go or stay. You are more than they are: fight on.")
    return _("After each round both sides may go or stay. You are no longer more than they are; you decide.")


def _after_the_battle(glance: Glance[Any]) -> Value:
    won = see.winner(glance, ENEMY)
    if won is None:
        return ""
    if won == US:
        return _("Victory! Dalmatia is yours, and its city with the walls.")
    return _("The walls held this time. You go on.")


def _after_the_purchase(glance: Glance[Any]) -> Value:
    order = see.bought(glance)
    if order is None:
        return ""
    if not order.cost:
        return _("You keep your talents, and no walls are built.")
    return _("Bought for {cost} talents.", cost=order.cost)


LESSON: Final[Lesson[TableFields]] = Lesson(
    see.begins(US, ROUND),
    (
        LessonStep(
            _(
                "Welcome back, Caesar! Hispania has built a city in Dalmatia, beside your home, and walls around it. "
                "Today you take it."
            ),
            _AT,
        ),
        LessonStep(
            _(
                "Behind walls of their own, defenders throw two dice more in every round. While you have a catapult "
                "there, it is only one more."
            ),
            _AT,
        ),
        LessonStep(
            _(
                "A siege needs numbers: let two armies join. The first stands in Moesia, behind the city. Click its "
                "general."
            ),
            Lit(spaces=(NORTH,)),
            see.picked(NORTH),
        ),
        LessonStep(
            _("Four infantry go with him. Red means that there will be a battle. Click Dalmatia."),
            _AT,
            see.aimed(NORTH, ENEMY),
            replies=(CoachReply(see.went(NORTH, ENEMY), _("That army went another way. The other can attack alone.")),),
        ),
        LessonStep(
            _("The tablet over the board tells the chances of this army alone. They are poor: help is to come. March."),
            first.MARCH,
            _from_north,
            over=lambda glance: _from_home(glance) or bool(see.marches(glance, NORTH)) or _OVER_MOVING(glance),
            remark=_after_the_north,
            taps=_(
                "A siege needs numbers: let two armies join. The first stands in Moesia, behind the city: march from "
                "there to Dalmatia with all. Its chances alone are poor: help is to come."
            ),
            kinds=(March,),
        ),
        LessonStep(
            _("Now the army with the catapults. It stands in Macedonia with your Caesar: click it."),
            Lit(spaces=(HOME,)),
            see.picked(HOME),
        ),
        LessonStep(
            _(
                "Seven may follow a general, the best first; the panel shows them. The others guard your Caesar. Click "
                "Dalmatia."
            ),
            _AT,
            see.aimed(HOME, ENEMY),
            replies=(
                CoachReply(
                    see.went(HOME, ENEMY),
                    _("That army went another way. Units still in Macedonia can attack; or end the movement."),
                ),
            ),
        ),
        LessonStep(
            _("Look at the tablet again: it counts both armies, the catapults and the walls. March."),
            first.MARCH,
            _from_home,
            over=_OVER_MOVING,
            remark=_after_the_march,
            taps=_(
                "Now the army with the catapults, which stands in Macedonia with your Caesar. Seven may follow a "
                "general; the others guard your Caesar. March to Dalmatia. The last button tells your chances."
            ),
            kinds=(March,),
        ),
        LessonStep(first.OTHERS, first.END, _OVER_MOVING, taps=first.OTHERS_TAPS, kinds=(EndMovement,)),
        LessonStep(
            first.WAITS, first.FIGHT, happened(BattleBegan), over=_OVER_FIGHTING, taps=first.WAITS_TAPS, kinds=(Fight,)
        ),
        LessonStep(
            _in_battle,
            Lit(buttons=(_("To battle"), _("Confirm losses"), _("Fight on"))),
            see.fought(ENEMY),
            over=_OVER_FIGHTING,
            remark=_after_the_battle,
            taps=_in_battle_by_taps,
            kinds=(Form, Lose, Stand),
        ),
        LessonStep(
            _("A leader whose last troops have fallen is your prisoner. Held, he may be worth a ransom. Hold him."),
            Lit(buttons=(_("Hold them all"), _("So be it"))),
            _OVER_FIGHTING,
            kinds=(Judge,),
        ),
        LessonStep(see.tribute, Lit(pane="roster")),
        LessonStep(
            first.KEEP_TODAY,
            first.KEPT,
            see.after(first.RAZING, PHASES),
            kinds=(EndDestruction,),
        ),
        LessonStep(
            _(
                "Now your own walls. They cost 20 talents, and stand around a city. Your home has had them since the "
                "beginning; Moesia has none. Click the walls once."
            ),
            Lit(piece="fortified"),
            see.wants(WALLS, 1),
        ),
        LessonStep(
            _(
                "A road costs 10 talents. It joins two cities of yours in neighbouring provinces, so that help comes "
                "quickly. Click the road once."
            ),
            Lit(piece="road"),
            see.wants(ROAD, 1),
        ),
        first.buying(
            PHASES,
            _after_the_purchase,
            (Buy,),
            _(
                "Now your own walls. They cost 20 talents, and stand around a city. Moesia has none yet: order one "
                "fortification. A road costs 10 talents, and joins two cities in neighbouring provinces: order one. "
                "The last button buys."
            ),
        ),
        LessonStep(
            _(
                "Click a city for the walls, then the two ends of the road. What lights up is possible. Then end your "
                "turn."
            ),
            see.site,
            see.after(first.PLACING, PHASES),
            taps=_("Choose a city for the walls, then the two ends of the road. Then end your turn."),
            kinds=(PlaceFortification, PlaceRoad, EndTurn),
        ),
        LessonStep(
            _(
                "So cities fall, and so they are held: numbers, catapults, walls. By road any distance is one step. "
                "Play on, or go back to the menu: this match is kept."
            ),
            taps=_(
                "So cities fall, and so they are held: numbers, catapults, walls. By road any distance is one step. "
                "Play on, or leave: this match is kept."
            ),
        ),
    ),
)
"""The second lesson for Classic."""
