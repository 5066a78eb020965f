"""Second lesson of 1984: a battle at sea and a landing; the position is that of `tests/play/lessons.py`."""

from typing import Any, Final

from shared.board import BOARD
from shared.ids import CATAPULT, Position
from shared.kernel.frames import Event
from shared.language.sentence import Value, _
from shared.lessons.conquest import conditions as see
from shared.lessons.conquest import first_lesson as first
from shared.lessons.conquest.conditions import province
from shared.lessons.conquest.first_lesson import US
from shared.lessons.lesson import CoachReply, Draft, Glance, Lesson, LessonStep, Lit, happened, owes
from shared.lessons.mb1984.first_lesson import JUDGED, PHASES
from shared.rulesets.mb1984.actions import Aim, Buy
from shared.rulesets.mb1984.frames import Aiming, Placement
from shared.rulesets.mb1984.shots import fleet_army
from shared.rulesets.mb1984.table import TableFields
from shared.vocabulary.actions import EndDestruction, EndMovement, EndTurn, Fight, PlaceGalley, Sail
from shared.vocabulary.events import BattleBegan, Sailed

ROUND: Final = 7
"""Round in which the lesson begins."""
HOME, ASIA, EPIRUS, AEGAEUM = map(province, ("macedonia", "asia", "mare_epirus", "mare_aegaeum"))
EAST, WEST = BOARD.coasts[HOME]
LANDING: Final = BOARD.coasts[ASIA][0]
GALLEY: Final = 3
"""Its place in the price list."""
_OVER_MOVING: Final = see.after(first.MOVING, PHASES)
_OVER_FIGHTING: Final = first.battles_over(PHASES)
_MET: Final = see.sailed(EPIRUS)
_LANDED: Final = see.sailed(LANDING)


def _boarding_drafts(coast: Position) -> tuple[Draft, ...]:
    """Return the drafts of an army at home that is picked, or goes aboard there."""
    return (*see.picked(HOME), *see.boarded(coast))


def _has_gone_elsewhere(event: Event) -> bool:
    """Whether our second galley went from the sea to another place than Asia."""
    return isinstance(event, Sailed) and (event.seat, event.source) == (US, AEGAEUM) and event.to != LANDING


def _after_the_voyage(glance: Glance[Any]) -> Value:
    if _MET(glance):
        return _("Where galleys meet enemies they stop. The battle comes once all have moved.")
    return _("No battle at sea this time: you need not fight.")


def _to_asia(glance: Glance[Any]) -> Lit:
    """Return the coast, or the galley if it is not picked."""
    return Lit(spaces=(ASIA,)) if glance.task is None or glance.drafted(Draft("sailing")) else Lit(coasts=(AEGAEUM,))


def _after_the_landing(glance: Glance[Any]) -> Value:
    if _LANDED(glance):
        return _("Asia is yours at once. Units that land march no further in this turn.")
    return _("No landing this time. Galleys may wait at sea as long as they like.")


def _in_battle(glance: Glance[TableFields]) -> Value:
    if not owes(glance, Aiming):
        return _("There is no retreat at sea: the battle ends when one side has nothing left.")
    if fleet_army(glance.table, US, EPIRUS)[CATAPULT]:
        return _(
            "You fire first, one shot in turn. Their galley is safe while units are aboard it. Your catapult makes "
            "every number one lower. Fire!"
        )
    return _("You fire first, one shot in turn. Their galley is safe while units are aboard it. Fire!")


def _after_the_battle(glance: Glance[Any]) -> Value:
    won = see.winner(glance, EPIRUS)
    if won is None:
        return ""
    if won == US:
        return _("Victory! Their galley is sunk, and its general is your prisoner.")
    return _("Your galley is lost with all aboard, as happens at sea. You go on.")


def _after_the_purchase(glance: Glance[Any]) -> Value:
    order = see.bought(glance)
    if order is None or order.counts[GALLEY]:
        return ""
    return _("No galley this time. New units of the land stand in your home already.")


def _harbour_or_end(glance: Glance[TableFields]) -> Lit:
    """Return the coast for a new galley, then the end of the turn."""
    frame = glance.table.frames[-1]
    if isinstance(frame, Placement) and frame.galleys:
        return Lit(coasts=(WEST,))
    return see.site(glance)


LESSON: Final[Lesson[TableFields]] = Lesson(
    see.begins(US, ROUND),
    (
        LessonStep(
            _(
                "Welcome back, Caesar! Today it is about ships. A galley carries one legion: up to seven units, and a "
                "leader with them."
            ),
        ),
        LessonStep(
            _(
                "In a turn it moves twice: from a coast to the sea, from sea to sea, or from the sea to a coast. You "
                "have two, one on either coast of Macedonia."
            ),
            Lit(coasts=(EAST, WEST)),
        ),
        LessonStep(
            _(
                "In Mare Epirus lies a galley of Hispania, with a general, one infantry and one cavalry aboard. Sink "
                "it. Click your army in Macedonia."
            ),
            Lit(spaces=(HOME,)),
            _boarding_drafts(WEST),
        ),
        LessonStep(
            _("Now click your galley on the western coast: the legion that you picked goes aboard."),
            Lit(coasts=(WEST,)),
            see.boarded(WEST),
        ),
        LessonStep(
            _("The panel shows who is aboard. Click Mare Epirus."),
            Lit(spaces=(EPIRUS,)),
            see.steered(EPIRUS),
        ),
        LessonStep(
            _(
                "A battle at sea cannot be avoided where galleys meet. The tablet tells your chances; they are good. "
                "Click Sail."
            ),
            first.SAIL,
            _MET,
            over=_OVER_MOVING,
            remark=_after_the_voyage,
            taps=_(
                "In Mare Epirus lies a galley of Hispania, with a general, one infantry and one cavalry aboard. Sink "
                "it: sail there with your galley on the western coast of Macedonia. All in the last button go aboard."
            ),
            kinds=(Sail,),
        ),
        LessonStep(
            _(
                "Now a landing. Asia is close to Thracia, but here no legion crosses without a ship. Click your army "
                "in Macedonia again."
            ),
            Lit(spaces=(HOME,)),
            _boarding_drafts(EAST),
        ),
        LessonStep(
            _("One unit stays with your Caesar. Click the galley on the eastern coast."),
            Lit(coasts=(EAST,)),
            see.boarded(EAST),
        ),
        LessonStep(_("Its first move: click Mare Aegaeum."), Lit(spaces=(AEGAEUM,)), see.steered(AEGAEUM)),
        LessonStep(
            _("Click Sail."),
            first.SAIL,
            see.sailed(AEGAEUM),
            over=lambda glance: _OVER_MOVING(glance) or _LANDED(glance),
            taps=_(
                "Now a landing. Asia is close to Thracia, but here no legion crosses without a ship. Sail with a "
                "legion and the galley on the eastern coast of Macedonia: its first move leads to Mare Aegaeum."
            ),
            kinds=(Sail,),
        ),
        LessonStep(
            _("Its second move leads ashore. Asia belongs to no player: click it."),
            _to_asia,
            see.steered(LANDING),
            replies=(CoachReply(_has_gone_elsewhere, _("That galley went another way, and that is your right.")),),
        ),
        LessonStep(
            _("Click Sail: at a coast all go ashore."),
            first.SAIL,
            _LANDED,
            over=_OVER_MOVING,
            remark=_after_the_landing,
            taps=_("Its second move leads ashore. Asia belongs to no player: sail there. At a coast all go ashore."),
            kinds=(Sail,),
            replies=(CoachReply(_has_gone_elsewhere, _("That galley went another way, and that is your right.")),),
        ),
        LessonStep(first.OTHERS, first.END, _OVER_MOVING, taps=first.OTHERS_TAPS, kinds=(EndMovement,)),
        LessonStep(
            first.WAITS, first.FIGHT, happened(BattleBegan), over=_OVER_FIGHTING, taps=first.WAITS_TAPS, kinds=(Fight,)
        ),
        LessonStep(
            _in_battle,
            Lit(buttons=(_("Fire!"),)),
            see.fought(EPIRUS),
            over=_OVER_FIGHTING,
            remark=_after_the_battle,
            kinds=(Aim,),
        ),
        JUDGED,
        LessonStep(see.tribute, Lit(pane="roster")),
        LessonStep(first.KEEP_TODAY, first.KEPT, see.after(first.RAZING, PHASES), kinds=(EndDestruction,)),
        LessonStep(
            _("A galley costs 25 talents at first prices. Click its picture once."),
            Lit(piece="galley"),
            see.wants(GALLEY, 1),
        ),
        first.buying(
            PHASES,
            _after_the_purchase,
            (Buy,),
            _("A galley costs 25 talents at first prices: order one. The last button says what all costs, and buys."),
        ),
        LessonStep(
            _(
                "New galleys lie on a coast of your home. Macedonia has two, and no galley passes from one to the "
                "other by land. Choose, then end your turn."
            ),
            _harbour_or_end,
            see.after(first.PLACING, PHASES),
            kinds=(PlaceGalley, EndTurn),
        ),
        LessonStep(
            _(
                "That was the sea: aboard, across, ashore, and a battle without retreat. Play on, or go back to the "
                "menu: this match is kept."
            ),
            taps=_(
                "That was the sea: aboard, across, ashore, and a battle without retreat. Play on, or leave: this "
                "match is kept."
            ),
        ),
    ),
)
"""The second lesson for 1984."""
