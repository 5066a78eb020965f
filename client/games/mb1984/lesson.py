"""A first game of 1984: one whole turn of Macedonia, whose legions stand in the order of `tests/play/lessons.py`."""

from __future__ import annotations

from typing import Final

from client.games.conquest import teaching as see
from client.games.mb1984.tasks import Shooting
from client.language import _
from client.table.leaving import Leaving
from client.table.lesson import Glance, Lesson, Lit, Reply, Step
from shared.rulesets.mb1984.frames import Combat, Placement
from shared.rulesets.mb1984.table import Table
from shared.vocabulary.events import BattleBegan, Captured
from shared.vocabulary.frames import Destruction, Movement, Purchase

US: Final = 0
ROUND: Final = 6
"""Round in which the lesson begins."""
HOME, OUTPOST, EMPTY, ENEMY = (see.province(key) for key in ("macedonia", "thracia", "moesia", "dalmatia"))
PHASES: Final = (Movement, Combat, Destruction, Purchase, Placement)
_MOVING, _FIGHTING, _RAZING, _BUYING, _PLACING = range(len(PHASES))
_INFANTRY, _CITY = 0, 4

Seen = Glance[Table]


def _after_the_walk(glance: Seen) -> str:
    marches = see.marches(glance, OUTPOST)
    if not marches:
        return _("You left that general where he was. That is allowed: marching is never a duty.")
    if marches[0].to != EMPTY:
        return _("You sent him elsewhere, and that is your right: undefended provinces fall to units that march in.")
    return _("Moesia is yours at once, and Thracia stays yours, though no units are left there.")


def _after_the_march(glance: Seen) -> str:
    if any(event.to == ENEMY for event in see.marches(glance, HOME)):
        return _("They stop where they meet the enemy; the battle comes once all have moved.")
    return _("No attack this time: you need not fight. But that general has come to see your home.")


def _in_battle(glance: Seen) -> str:
    if isinstance(glance.task, Shooting):
        return _(
            "One shot at one unit that you name: infantry falls at 4, horsemen at 5, and your catapult lowers each by "
            "one. Click a target in the picture of the battle, or fire at once."
        )
    if isinstance(glance.task, Leaving):
        return _("You were fired at, so you may retreat now. You are the stronger: fight on.")
    return _("Shot follows shot, yours first, until one side has no units left. A click hurries the dice.")


def _after_the_battle(glance: Seen) -> str:
    won = see.winner(glance, ENEMY)
    if won is None:
        return ""
    return _("Victory: Dalmatia is yours.") if won == US else _("The day is lost, as happens to the best. You go on.")


def _after_the_judgement(glance: Seen) -> str:
    caught = [event for event in glance.events(Captured) if event.seat == US]
    return _("The button Captives deals with him at any time.") if caught else ""


def _after_the_purchase(glance: Seen) -> str:
    order = see.bought(glance)
    if order is None or not order.cost:
        return _("You keep your talents. But the conqueror of your home takes all that you have saved.")
    return _("Bought for {cost} talents. Land units stand in your home already.", cost=order.cost)


_ELSEWHERE: Final[Reply[Table]] = Reply(
    see.went(HOME, ENEMY),
    _("That army went another way. Troops still in Macedonia can attack all the same; or end the movement."),
)

LESSON: Final[Lesson[Table]] = Lesson(
    see.begins(US, ROUND),
    (
        Step(
            _(
                "Welcome, Caesar! You win by capturing the Caesar of every other player: all that was his is yours "
                "then, and 100 talents on top."
            )
        ),
        Step(
            _(
                "This is Macedonia, your home. Your own Caesar stands here with generals and troops. If he is ever "
                "caught, you are out; so never leave him alone."
            ),
            Lit(spaces=(HOME,)),
        ),
        Step(
            _(
                "A turn begins with marching. Troops never go, nor stand, without a leader. Click your general in "
                "Thracia."
            ),
            Lit(spaces=(OUTPOST,)),
            see.picked(OUTPOST),
            stays=False,
        ),
        Step(
            _("The provinces that light up are within his reach. Moesia is undefended: click it."),
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
            _("Now to war. In Dalmatia stands an enemy general with two units. Your army is in Macedonia: click it."),
            Lit(spaces=(HOME,)),
            see.picked(HOME),
            stays=False,
            replies=(_ELSEWHERE,),
        ),
        Step(
            _("Red means that there will be a battle. Click Dalmatia."),
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
            Lit(buttons=(_("Fire!"), _("Fight on"))),
            see.fought(ENEMY),
            over=see.after(_FIGHTING, PHASES),
            remark=_after_the_battle,
        ),
        Step(
            _(
                "A leader whose troops have fallen is your prisoner. Held, he may be worth a ransom; dead, he never "
                "comes back. Hold him."
            ),
            Lit(buttons=(_("Hold them all"), _("So be it"))),
            see.after(_FIGHTING, PHASES),
            remark=_after_the_judgement,
        ),
        Step(see.tribute, Lit(pane="roster")),
        Step(
            _("You may tear down cities of yours before an enemy takes them. None is in danger: keep them."),
            Lit(buttons=(_("Keep my cities"),)),
            see.after(_RAZING, PHASES),
        ),
        Step(
            _(
                "Time to spend. A city costs 30 talents, pays 5 in every turn and leads the troops that stand in "
                "it: click its picture once."
            ),
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
                "A city goes into any province of yours that has none: click where it shall stand. Roads between "
                "neighbouring cities are free. Then end your turn."
            ),
            see.site,
            see.after(_PLACING, PHASES),
        ),
        Step(
            _(
                "Now the others do the same, move by move. Watch what they are after; the chronicle below tells it in "
                "words."
            ),
            Lit(pane="journal"),
            see.next_turn(ROUND),
            over=see.out,
            remark=see.fate,
        ),
        Step(
            _(
                "That was a whole turn: march, fight, collect, buy, place. Galleys, walls and ransoms you will find "
                "in the rules. Play on to the end if you like, or go back to the menu: this match is kept."
            )
        ),
    ),
)
"""The lesson for 1984."""
