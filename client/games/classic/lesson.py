"""A first game of Classic: one whole turn of Egyptus, whose legions stand in the order of `tests/play/lessons.py`."""

from __future__ import annotations

from typing import Final

from client.games.classic.tasks import Sharing
from client.games.conquest import teaching as see
from client.language import _
from client.table.leaving import Leaving
from client.table.lesson import Glance, Lesson, Lit, Reply, Step
from shared.rulesets.classic.frames import Combat, Placement
from shared.rulesets.classic.table import Table
from shared.vocabulary.events import BattleBegan
from shared.vocabulary.frames import Destruction, Movement, Purchase

US: Final = 0
ROUND: Final = 8
"""Round in which the lesson begins."""
HOME, OUTPOST, EMPTY, ENEMY = (see.province(key) for key in ("egyptus", "palestina", "syria", "cyrenaica"))
PHASES: Final = (Movement, Combat, Destruction, Purchase, Placement)
_MOVING, _FIGHTING, _RAZING, _BUYING, _PLACING = range(len(PHASES))
_INFANTRY, _CITY = 0, 4

Seen = Glance[Table]


def _after_the_walk(glance: Seen) -> str:
    marches = see.marches(glance, OUTPOST)
    if not marches:
        return _("You left that general where he was. That is allowed: marching is never a duty.")
    if marches[0].to != EMPTY:
        return _(
            "You sent him elsewhere, and that is your right: a province without an owner falls to units that stay."
        )
    return _("Well marched.")


def _after_the_march(glance: Seen) -> str:
    if any(event.to == ENEMY for event in see.marches(glance, HOME)):
        return _("They stop where they meet the enemy; the battle comes once all have moved.")
    return _("No attack this time: you need not fight. Armies that wait cost nothing, but they win nothing either.")


def _in_battle(glance: Seen) -> str:
    if isinstance(glance.task, Sharing):
        return _("Both sides struck at once. You choose your own losses; infantry is the cheapest. Confirm.")
    if isinstance(glance.task, Leaving):
        return _("After each round both sides may go or stay. You are the stronger: fight on.")
    return _("Every unit throws a die, and hits if its own kind comes up. Watch; a click hurries the dice.")


def _after_the_battle(glance: Seen) -> str:
    won = see.winner(glance, ENEMY)
    if won is None:
        return ""
    return _("Victory: Cyrenaica is yours.") if won == US else _("The day is lost, as happens to the best. You go on.")


def _after_the_purchase(glance: Seen) -> str:
    order = see.bought(glance)
    if order is None or not order.cost:
        return _("You keep your talents. They are not lost, but what lies in the chest guards no province.")
    return _("Bought for {cost} talents. Land units stand in your home already.", cost=order.cost)


_ELSEWHERE: Final[Reply[Table]] = Reply(
    see.went(HOME, ENEMY),
    _("That army went another way. Troops still in Egyptus can attack all the same; or end the movement."),
)

LESSON: Final[Lesson[Table]] = Lesson(
    see.begins(US, ROUND),
    (
        Step(
            _(
                "Welcome, Caesar! You win by capturing the Caesar of every other player: all that was his is yours "
                "then. The provinces of your colour are your empire."
            )
        ),
        Step(
            _(
                "This is Egyptus, your home. Your own Caesar stands here with generals and troops. If he is ever "
                "caught, you are out; so never leave him alone."
            ),
            Lit(spaces=(HOME,)),
        ),
        Step(
            _(
                "A turn begins with marching. Troops march only behind a leader, seven with each. Click your "
                "general in Palestina."
            ),
            Lit(spaces=(OUTPOST,)),
            see.picked(OUTPOST),
            stays=False,
        ),
        Step(
            _(
                "The provinces that light up are within his reach. Syria is unclaimed, and it is worth 10 talents a "
                "turn: click it."
            ),
            Lit(spaces=(EMPTY,)),
            see.aimed(OUTPOST, EMPTY),
            stays=False,
        ),
        Step(
            _("The panel below shows who goes with him. Now click March."),
            Lit(buttons=(_("March"),)),
            see.marched(OUTPOST),
            over=see.after(_MOVING, PHASES),
            remark=_after_the_walk,
        ),
        Step(
            _(
                "Now to war. Two of the enemy's infantry stand in Cyrenaica without a leader. Your army is in Egyptus: "
                "click it."
            ),
            Lit(spaces=(HOME,)),
            see.picked(HOME),
            stays=False,
            replies=(_ELSEWHERE,),
        ),
        Step(
            _("Red means that there will be a battle. Click Cyrenaica."),
            Lit(spaces=(ENEMY,)),
            see.aimed(HOME, ENEMY),
            stays=False,
            replies=(_ELSEWHERE,),
        ),
        Step(
            _("Before you decide, the tablet over the board tells your chances. They are good: click March."),
            Lit(buttons=(_("March"),)),
            lambda glance: any(event.to == ENEMY for event in see.marches(glance, HOME)),
            over=see.after(_MOVING, PHASES),
            remark=_after_the_march,
            replies=(_ELSEWHERE,),
        ),
        Step(
            _(
                "Others could march too, but let us see the battle: end your movement. The button asks once more, "
                "since there are units that could still march."
            ),
            Lit(buttons=(_("End movement"), _("Really end?"), _("Back"))),
            see.after(_MOVING, PHASES),
        ),
        Step(
            _("One battle waits. Click Fight!"),
            Lit(buttons=(_("Fight!"),)),
            lambda glance: bool(glance.events(BattleBegan)),
            over=see.after(_FIGHTING, PHASES),
        ),
        Step(
            _in_battle,
            Lit(buttons=(_("Confirm losses"), _("To battle"), _("Fight on"))),
            see.fought(ENEMY),
            over=see.after(_FIGHTING, PHASES),
            remark=_after_the_battle,
        ),
        Step(see.tribute, Lit(pane="roster")),
        Step(
            _("You may tear down cities of yours before an enemy takes them. None is in danger: keep them."),
            Lit(buttons=(_("Keep my cities"),)),
            see.after(_RAZING, PHASES),
        ),
        Step(
            _("Time to spend. A city costs 30 talents and pays 5 in every turn: click its picture once."),
            Lit(piece="city"),
            see.wants(_CITY, 1),
            stays=False,
        ),
        Step(
            _("Infantry is the cheapest guard against the next attack. Click it three times."),
            Lit(piece="infantry"),
            see.wants(_INFANTRY, 3),
            stays=False,
        ),
        Step(
            _("Click as you like; the button shows what it costs. When you are content, buy."),
            Lit(buttons=(_("Buy for"), _("Buy nothing"), _("Really buy"))),
            lambda glance: see.bought(glance) is not None,
            over=see.after(_BUYING, PHASES),
            remark=_after_the_purchase,
        ),
        Step(
            _(
                "A city goes into any province of yours that has none: click where it shall stand. Then your turn "
                "is over."
            ),
            see.site,
            see.after(_PLACING, PHASES),
        ),
        Step(
            _(
                "Now the other player does the same, move by move. Watch what he is after; the chronicle below "
                "tells it in words."
            ),
            Lit(pane="journal"),
            see.next_turn(ROUND),
            over=see.out,
            remark=see.fate,
        ),
        Step(
            _(
                "That was a whole turn: march, fight, collect, buy, place. Galleys, roads and walls you will find "
                "in the rules. Play on to the end if you like, or go back to the menu: this match is kept."
            )
        ),
    ),
)
"""The lesson for Classic."""
