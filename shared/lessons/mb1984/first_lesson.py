"""A first game of 1984: one whole turn of Macedonia, whose legions stand in the order of `tests/play/lessons.py`."""

from typing import Any, Final

from shared.language.sentence import Value, _
from shared.lessons.conquest.conditions import Phases, province
from shared.lessons.conquest.first_lesson import US, Script, battles_over
from shared.lessons.lesson import Glance, Lesson, LessonStep, Lit, owes
from shared.rulesets.mb1984.actions import Aim, Buy, March
from shared.rulesets.mb1984.frames import Aiming, Combat, Placement
from shared.rulesets.mb1984.table import TableFields
from shared.vocabulary.actions import Judge
from shared.vocabulary.events import Captured
from shared.vocabulary.frames import Destruction, Movement, Onward, Purchase

PHASES: Final[Phases] = (Movement, Combat, Destruction, Purchase, Placement)


def _in_battle(glance: Glance[TableFields]) -> Value:
    if owes(glance, Aiming):
        return _(
            "One shot at one unit that you name: infantry falls at 4, horsemen at 5, and your catapult lowers each by "
            "one. Click a target in the picture of the battle, or fire at once."
        )
    if owes(glance, Onward):
        return _("You were fired at, so you may retreat now. You are the stronger: fight on.")
    return _("Shot follows shot, yours first, until one side has no units left. A click hurries the dice.")


def _in_battle_by_taps(glance: Glance[TableFields]) -> Value:
    if owes(glance, Aiming):
        return _(
            "One shot at one unit that you name: infantry falls at 4, horsemen at 5, and your catapult lowers each by "
            "one. Choose a target."
        )
    if owes(glance, Onward):
        return _in_battle(glance)
    return _("Shot follows shot, yours first, until one side has no units left.")


def _after_the_judgement(glance: Glance[TableFields]) -> Value:
    caught = [event for event in glance.events(Captured) if event.seat == US]
    return _("You may bargain about him with his owner at any time.") if caught else ""


JUDGED: Final[LessonStep[Any]] = LessonStep(
    _(
        "A leader whose troops have fallen is your prisoner. Held, he may be worth a ransom; dead, he never "
        "comes back. Hold him."
    ),
    Lit(buttons=(_("Hold them all"), _("So be it"))),
    battles_over(PHASES),
    remark=_after_the_judgement,
    kinds=(Judge,),
)
"""The step about prisoners after a battle."""
_SCRIPT: Final = Script(
    round=6,
    phases=PHASES,
    home=province("macedonia"),
    outpost=province("thracia"),
    empty=province("moesia"),
    enemy=province("dalmatia"),
    welcome=_(
        "Welcome, Caesar! You win by capturing the Caesar of every other player: all that was his is yours then, and "
        "100 talents on top."
    ),
    empire=_(
        "This is Macedonia, your home. Your own Caesar stands here with generals and troops. If he is ever caught, you "
        "are out; so never leave him alone."
    ),
    general=_(
        "A turn begins with marching. Troops never go, nor stand, without a leader. Click your general in Thracia."
    ),
    claim=_("The provinces that light up are within his reach. Moesia is undefended: click it."),
    strayed=_("You sent him elsewhere, and that is your right: undefended provinces fall to units that march in."),
    walked=_("Moesia is yours at once, and Thracia stays yours, though no units are left there."),
    war=_("Now to war. In Dalmatia stands an enemy general with two units. Your army is in Macedonia: click it."),
    attack=_("Red means that there will be a battle. Click Dalmatia."),
    missed=_("That army went another way. Troops still in Macedonia can attack all the same; or end the movement."),
    waited=_("No attack this time: you need not fight. But that general has come to see your home."),
    battle=_in_battle,
    marching=March,
    purchase=Buy,
    fighting=(Aim,),
    claim_taps=_(
        "A turn begins with marching. Troops never go, nor stand, without a leader. Your general in Thracia can take "
        "Moesia, which is undefended: march from Thracia to Moesia with all."
    ),
    attack_taps=_(
        "Now to war. In Dalmatia stands an enemy general with two units. March there from Macedonia. The last button "
        "says who goes, and your chances: press it."
    ),
    battle_taps=_in_battle_by_taps,
    city_taps=_(
        "Time to spend. A city costs 30 talents, pays 5 in every turn and leads the troops that stand in it: order "
        "one. Infantry is the cheapest guard: order three. The last button buys."
    ),
    place_taps=_(
        "A city goes into any province of yours that has none: choose where. Roads between neighbouring cities are "
        "free. Then end your turn."
    ),
    others_taps=_("Now the others do the same, move by move. The chronicle tells it in words."),
    end_taps=_(
        "That was a whole turn: march, fight, collect, buy, place. Galleys, walls and ransoms you will find in the "
        "rules. Play on to the end if you like, or leave: this match is kept."
    ),
    battle_buttons=(_("Fire!"), _("Fight on")),
    victory=_("Victory: Dalmatia is yours."),
    city=_(
        "Time to spend. A city costs 30 talents, pays 5 in every turn and leads the troops that stand in it: click its "
        "picture once."
    ),
    saved=_("You keep your talents. But the conqueror of your home takes all that you have saved."),
    place=_(
        "A city goes into any province of yours that has none: click where it shall stand. Roads between neighbouring "
        "cities are free. Then end your turn."
    ),
    others=_(
        "Now the others do the same, move by move. Watch what they are after; the chronicle below tells it in words."
    ),
    end=_(
        "That was a whole turn: march, fight, collect, buy, place. Galleys, walls and ransoms you will find in the "
        "rules. Play on to the end if you like, or go back to the menu: this match is kept."
    ),
    judged=(JUDGED,),
)
LESSON: Final[Lesson[TableFields]] = _SCRIPT.lesson()
"""The lesson for 1984."""
