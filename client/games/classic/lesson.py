"""A first game of Classic: one whole turn of Egyptus, whose legions stand in the order of `tests/play/lessons.py`."""

from __future__ import annotations

from typing import Final

from client.games.classic.tasks import Sharing
from client.games.conquest import teaching as see
from client.table.leaving import Leaving
from client.table.lesson import Glance, Lesson, Lit, Reply, Step
from shared.rulesets.classic.frames import Combat, Destruction, Movement, Placement, Purchase
from shared.rulesets.classic.state import Table
from shared.vocabulary.events import BattleBegan

US: Final = 0
ROUND: Final = 8
"""In which the lesson begins."""
HOME, OUTPOST, EMPTY, ENEMY = (see.province(key) for key in ("egyptus", "palestina", "syria", "cyrenaica"))
PHASES: Final = (Movement, Combat, Destruction, Purchase, Placement)
_MOVING, _FIGHTING, _RAZING, _BUYING, _PLACING = range(len(PHASES))
_INFANTRY, _CITY = 0, 4

Seen = Glance[Table]


def _after_the_walk(glance: Seen) -> str:
    marches = see.marches(glance, OUTPOST)
    if not marches:
        return "You left that general where he was. That is allowed: nobody must march."
    if marches[0].to != EMPTY:
        return "You sent him elsewhere, and that is your right: a province without an owner falls to units that stay."
    return "Well marched."


def _after_the_march(glance: Seen) -> str:
    if any(event.to == ENEMY for event in see.marches(glance, HOME)):
        return "They stop where they meet the enemy; the battle comes once all have moved."
    return "No attack this time: nobody can make you fight. Armies that wait cost nothing, but they win nothing either."


def _in_battle(glance: Seen) -> str:
    if isinstance(glance.task, Sharing):
        return "Both sides struck at once. Whoever is hit chooses his own losses; infantry is the cheapest. Confirm."
    if isinstance(glance.task, Leaving):
        return "After each round both sides may go or stay. You are the stronger: fight on."
    return "Every unit throws a die, and hits if its own kind comes up. Watch; a click hurries the dice."


def _after_the_battle(glance: Seen) -> str:
    won = see.winner(glance, ENEMY)
    if won is None:
        return ""
    return "Victory: Cyrenaica is yours." if won == US else "The day is lost, as happens to the best. You go on."


def _after_the_purchase(glance: Seen) -> str:
    order = see.bought(glance)
    if order is None or not order.cost:
        return "You keep your talents. They are not lost, but what lies in the chest guards no province."
    return f"Bought for {order.cost} talents. Land units stand in your home already."


_ELSEWHERE: Final[Reply[Table]] = Reply(
    see.went(HOME, ENEMY),
    "That army went another way. Whoever is still in Egyptus can attack all the same; or end the movement.",
)

LESSON: Final[Lesson[Table]] = Lesson(
    see.begins(US, ROUND),
    (
        Step(
            "Welcome, Caesar! You win by capturing the Caesar of every other player: all that was his is yours then. "
            "The provinces of your colour are your empire."
        ),
        Step(
            "This is Egyptus, your home. Your own Caesar stands here with generals and troops. If he is ever caught, "
            "you are out; so never leave him alone.",
            Lit(spaces=(HOME,)),
        ),
        Step(
            "A turn begins with marching. Troops march only behind a leader, seven with each. Click your general in "
            "Palestina.",
            Lit(spaces=(OUTPOST,)),
            see.picked(OUTPOST),
            stays=False,
        ),
        Step(
            "The provinces that light up are within his reach. Nobody holds Syria, and it is worth 10 talents a turn: "
            "click it.",
            Lit(spaces=(EMPTY,)),
            see.aimed(OUTPOST, EMPTY),
            stays=False,
        ),
        Step(
            "The panel below shows who goes with him. Now click March.",
            Lit(buttons=("March",)),
            see.marched(OUTPOST),
            over=see.after(_MOVING, PHASES),
            remark=_after_the_walk,
        ),
        Step(
            "Now to war. Two of the enemy's infantry stand in Cyrenaica without a leader. Your army is in Egyptus: "
            "click it.",
            Lit(spaces=(HOME,)),
            see.picked(HOME),
            stays=False,
            replies=(_ELSEWHERE,),
        ),
        Step(
            "Red means that there will be a battle. Click Cyrenaica.",
            Lit(spaces=(ENEMY,)),
            see.aimed(HOME, ENEMY),
            stays=False,
            replies=(_ELSEWHERE,),
        ),
        Step(
            "Before you decide, the tablet over the board tells your chances. They are good: click March.",
            Lit(buttons=("March",)),
            lambda glance: any(event.to == ENEMY for event in see.marches(glance, HOME)),
            over=see.after(_MOVING, PHASES),
            remark=_after_the_march,
            replies=(_ELSEWHERE,),
        ),
        Step(
            "Others could march too, but let us see the battle: end your movement. The button asks once more, since "
            "somebody could still go.",
            Lit(buttons=("End movement", "Really end?", "Back")),
            see.after(_MOVING, PHASES),
        ),
        Step(
            "One battle waits. Click Fight!",
            Lit(buttons=("Fight!",)),
            lambda glance: bool(glance.events(BattleBegan)),
            over=see.after(_FIGHTING, PHASES),
        ),
        Step(
            _in_battle,
            Lit(buttons=("Confirm losses", "To battle", "Fight on")),
            see.fought(ENEMY),
            over=see.after(_FIGHTING, PHASES),
            remark=_after_the_battle,
        ),
        Step(see.tribute, Lit(pane="roster")),
        Step(
            "You may tear down cities of yours before an enemy takes them. None is in danger: keep them.",
            Lit(buttons=("Keep my cities",)),
            see.after(_RAZING, PHASES),
        ),
        Step(
            "Time to spend. A city costs 30 talents and pays 5 in every turn: click its picture once.",
            Lit(piece="city"),
            see.wants(_CITY, 1),
            stays=False,
        ),
        Step(
            "Infantry is the cheapest guard against the next attack. Click it three times.",
            Lit(piece="infantry"),
            see.wants(_INFANTRY, 3),
            stays=False,
        ),
        Step(
            "Click as you like; the button shows what it costs. When you are content, buy.",
            Lit(buttons=("Buy for", "Buy nothing", "Really buy")),
            lambda glance: see.bought(glance) is not None,
            over=see.after(_BUYING, PHASES),
            remark=_after_the_purchase,
        ),
        Step(
            "A city goes into any province of yours that has none: click where it shall stand. Then your turn is over.",
            see.site,
            see.after(_PLACING, PHASES),
        ),
        Step(
            "Now the other player does the same, move by move. Watch what he is after; the chronicle below tells it in "
            "words.",
            Lit(pane="journal"),
            see.next_turn(ROUND),
            over=see.out,
            remark=see.fate,
        ),
        Step(
            "That was a whole turn: march, fight, collect, buy, place. Galleys, roads and walls you will find in the "
            "rules (F1). Play on to the end if you like, or go back to the menu: this match is kept."
        ),
    ),
)
"""See the module's docstring."""
