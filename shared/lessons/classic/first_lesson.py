"""A first game of Classic: one whole turn of Egyptus, whose legions stand in the order of `tests/play/lessons.py`."""

from typing import Final

from shared.language.sentence import Value, _
from shared.lessons.conquest.conditions import province
from shared.lessons.conquest.first_lesson import CHOSEN_LOSSES, Script
from shared.lessons.lesson import Glance, Lesson, owes
from shared.rulesets.classic.actions import Buy, Form, Lose, March
from shared.rulesets.classic.frames import Casualties, Combat, Formation, Placement
from shared.rulesets.classic.table import TableFields
from shared.vocabulary.frames import Destruction, Movement, Onward, Purchase


def _in_battle(glance: Glance[TableFields]) -> Value:
    if owes(glance, Formation, Casualties):
        return _("Both sides struck at once. You choose your own losses; infantry is the cheapest. Confirm.")
    if owes(glance, Onward):
        return _("After each round both sides may go or stay. You are the stronger: fight on.")
    return _("Every unit throws a die, and hits if its own kind comes up. Watch; a click hurries the dice.")


def _in_battle_by_taps(glance: Glance[TableFields]) -> Value:
    if owes(glance, Formation, Casualties):
        return CHOSEN_LOSSES
    if owes(glance, Onward):
        return _in_battle(glance)
    return _("Every unit throws a die, and hits if its own kind comes up.")


_SCRIPT: Final = Script(
    round=8,
    phases=(Movement, Combat, Destruction, Purchase, Placement),
    home=province("egyptus"),
    outpost=province("palestina"),
    empty=province("syria"),
    enemy=province("cyrenaica"),
    welcome=_(
        "Welcome, Caesar! You win by capturing the Caesar of every other player: all that was his is yours then. The "
        "provinces of your colour are your empire."
    ),
    empire=_(
        "This is Egyptus, your home. Your own Caesar stands here with generals and troops. If he is ever caught, you "
        "are out; so never leave him alone."
    ),
    general=_(
        "A turn begins with marching. Troops march only behind a leader, seven with each. Click your general in "
        "Palestina."
    ),
    claim=_(
        "The provinces that light up are within his reach. Syria is unclaimed, and it is worth 10 talents a turn: "
        "click it."
    ),
    strayed=_("You sent him elsewhere, and that is your right: a province without an owner falls to units that stay."),
    walked=_("Well marched."),
    war=_(
        "Now to war. Two of the enemy's infantry stand in Cyrenaica without a leader. Your army is in Egyptus: click "
        "it."
    ),
    attack=_(
        "One unit stays with your Caesar; the panel below shows the others. Red means that there will be a battle. "
        "Click Cyrenaica."
    ),
    missed=_("That army went another way. Troops still in Egyptus can attack all the same; or end the movement."),
    waited=_("No attack this time: you need not fight. Armies that wait cost nothing, but they win nothing either."),
    battle=_in_battle,
    marching=March,
    purchase=Buy,
    fighting=(Form, Lose),
    claim_taps=_(
        "A turn begins with marching. Troops march only behind a leader, seven with each. Your general in Palestina "
        "can take Syria, which is unclaimed, and worth 10 talents a turn: march from Palestina to Syria with all."
    ),
    attack_taps=_(
        "Now to war. Two of the enemy's infantry stand in Cyrenaica without a leader. March there from Egyptus. The "
        "last button says who goes, and your chances: press it."
    ),
    battle_taps=_in_battle_by_taps,
    city_taps=_(
        "Time to spend. A city costs 30 talents and pays 5 in every turn: order one. Infantry is the cheapest guard "
        "against the next attack: order three. The last button buys."
    ),
    place_taps=_("A city goes into any province of yours that has none: choose where. Then your turn is over."),
    others_taps=_("Now the other player does the same, move by move. The chronicle tells it in words."),
    end_taps=_(
        "That was a whole turn: march, fight, collect, buy, place. Galleys, roads and walls you will find in the "
        "rules. Play on to the end if you like, or leave: this match is kept."
    ),
    battle_buttons=(_("Confirm losses"), _("To battle"), _("Fight on")),
    victory=_("Victory: Cyrenaica is yours."),
    city=_("Time to spend. A city costs 30 talents and pays 5 in every turn: click its picture once."),
    saved=_("You keep your talents. They are not lost, but what lies in the chest guards no province."),
    place=_(
        "A city goes into any province of yours that has none: click where it shall stand. Then your turn is over."
    ),
    others=_(
        "Now the other player does the same, move by move. Watch what he is after; the chronicle below tells it in "
        "words."
    ),
    end=_(
        "That was a whole turn: march, fight, collect, buy, place. Galleys, roads and walls you will find in the "
        "rules. Play on to the end if you like, or go back to the menu: this match is kept."
    ),
)
LESSON: Final[Lesson[TableFields]] = _SCRIPT.lesson()
"""The lesson for Classic."""
