"""A first game of the second kind: an auction, and two turns; the position is that of `tests/play/lessons.py`."""

from typing import Final

from client.games.cote2 import lesson_conditions as see
from client.games.cote2.lesson_conditions import TableGlance
from client.games.cote2.tasks.auction_task import Auctioning
from client.games.cote2.tasks.card_tasks import Browsing
from client.games.cote2.tasks.spending_tasks import Canvassing
from client.games.cote2.tasks.task_base import Picking
from client.language import _
from client.table.lesson import Lesson, LessonStep, Lit, happened
from shared.board import BOARD
from shared.ids import NONE, Seat
from shared.kernel.frames import Event
from shared.rulesets.cote2 import events as e
from shared.rulesets.cote2.data import CARDS
from shared.rulesets.cote2.state import TableFields, allied
from shared.vocabulary.events import BattleBegan

US: Final = 0
BRUTUS: Final = 1
SEASON: Final = 2
"""Season in which the lesson begins."""
HOME, ARMY, ENEMY = (BOARD.keys.index(key) for key in ("narbonensis", "macedonia", "achaia"))
VOTE: Final = [card.key for card in CARDS].index("senate_emergency_tax")
OFFER: Final = 25
"""Sum in talents that no other player has."""
_THREE, _FOUR = 2, 3
"""Senators by value."""

_MARCHED: Final = happened(e.Marched, lambda event: (event.seat, event.to) == (US, ENEMY))
_FOUGHT: Final = happened(e.BattleEnded, lambda event: event.space == ENEMY)
_VOTED: Final = happened(e.VoteWon, lambda event: event.card == VOTE)
_FIRST_TURN: Final = see.after_turn(1)
_SECOND_TURN: Final = see.after_turn(2)


def _begins(event: Event) -> bool:
    return isinstance(event, e.SeasonBegan) and event.season == SEASON


def _no_war(glance: TableGlance) -> bool:
    """Whether Brutus stands with us, or our first turn is over."""
    return (see.allied(glance) and allied(glance.table, US, BRUTUS)) or _FIRST_TURN(glance)


def _showed(glance: TableGlance) -> bool:
    return happened(e.SenatorsShown, lambda event: event.seat == US)(glance) or _VOTED(glance)


def _browsing(glance: TableGlance) -> bool:
    return see.doing(Browsing)(glance) or see.choosing(VOTE)(glance)


def _attacking(glance: TableGlance) -> bool:
    deed = see.deed(glance)
    return isinstance(deed, Picking) and deed.threat() is not None


def _bargain(glance: TableGlance) -> bool:
    deed = see.deed(glance)
    return isinstance(deed, Canvassing) and bool(deed.draft.sellers)


def _market(glance: TableGlance) -> Lit:
    """Return the province for buying influence, preferably the one of our battle."""
    lit = list(glance.task.lit())
    return Lit(spaces=(ENEMY,) if ENEMY in lit else tuple(lit[:1]))


# Texts


def _after_the_auction(glance: TableGlance) -> str:
    place = glance.table.order.index(US) + 1 if US in glance.table.order else 0
    first = _("You act first") if place == 1 else _("You act as number {place}", place=place)
    with_us = allied(glance.table, US, BRUTUS)
    war = (
        _(" Brutus stands with you, so there is no battle with him.")
        if with_us
        else _(" Brutus stands in the other camp, so you may fight him.")
    )
    return _("{first} in each round of this season.{war}", first=first, war=war)


def _proposing(glance: TableGlance) -> str:
    boxes = glance.task.boxes if isinstance(glance.task, Auctioning) else (US, BRUTUS)
    if boxes == (US, BRUTUS):
        plan = _("You propose yourself for alliance A, Brutus for B: so you may fight him, and act before him.")
    elif boxes == (BRUTUS, US):
        plan = _("You propose Brutus for alliance A, yourself for B: so you may fight him, but he acts before you.")
    else:
        plan = _("Put yourself into A and Brutus into B: so you may fight him, and act before him.")
    camps = _("First an auction settles who stands in which camp: A and B are opponents.")
    offer = _("Raise your offer to 25 talents; no other player has that much.")
    return f"{camps} {plan} {offer}"


def _bidding(glance: TableGlance) -> str:
    if isinstance(glance.task, Auctioning) and glance.table.order:
        return _("One player still has no alliance. The highest bidder chooses it; save your talents and pass.")
    return _(
        "Now the others overbid you, or pass. The highest bidder pays; then the two in A and B are opponents for the "
        "season."
    )


def _after_the_march(glance: TableGlance) -> str:
    if _MARCHED(glance) or allied(glance.table, US, BRUTUS):
        return ""
    return _("You did something else; you need not fight.")


def _in_battle(_glance: TableGlance) -> str:
    return _(
        "Each side throws three dice and a few more, and hits with the kinds that it has. The side that is hit "
        "chooses its losses. Fight until no enemies are left."
    )


def _after_the_battle(glance: TableGlance) -> str:
    won = see.winner(glance, ENEMY)
    if won is None:
        return ""
    return _("Victory! The loser gains chaos.") if won == US else _("That was lost, and cost you chaos. You go on.")


def _after_the_vote(glance: TableGlance) -> str:
    winner: Seat = next((event.seat for event in glance.events(e.VoteWon) if event.card == VOTE), NONE)
    if winner == NONE:
        return ""
    return (
        _("The vote is yours: 40 talents.")
        if winner == US
        else _("Another player has won the vote. Try again next season.")
    )


LESSON: Final[Lesson[TableFields]] = Lesson(
    _begins,
    (
        LessonStep(
            _(
                "Welcome, Caesar! Here all play to the end. After four seasons the most victory points win, and "
                "most of them come from influence. The second season begins."
            )
        ),
        LessonStep(
            _proposing,
            Lit(piece="coin5"),
            lambda glance: isinstance(glance.task, Auctioning) and glance.task.talents >= OFFER,
            stays=False,
        ),
        LessonStep(
            _("Now bid. Only the winner of an auction pays; the others keep their talents."),
            Lit(buttons=(_("Bid"),)),
            happened(e.BidMade, lambda event: event.seat == US),
            over=see.allied,
        ),
        LessonStep(_bidding, Lit(buttons=(_("Pass"),)), see.allied, remark=_after_the_auction),
        LessonStep(
            _(
                "This is Narbonensis. The numbers beside it are points, for the most influence there and for the "
                "second most. One token is yours, and your Caesar guards it."
            ),
            Lit(spaces=(HOME,)),
        ),
        LessonStep(
            _("A season has four rounds with two actions each. Your first is a march: click your army in Macedonia."),
            Lit(spaces=(ARMY,)),
            see.picked(ARMY),
            stays=False,
        ),
        LessonStep(
            _(
                "Armies march as far as they like, until they meet an enemy. Two of Brutus's units hold Achaia: "
                "click it."
            ),
            Lit(spaces=(ENEMY,)),
            see.aimed(ARMY, ENEMY),
            stays=False,
        ),
        LessonStep(_("Now March."), Lit(buttons=(_("March"),)), _MARCHED, over=_no_war, remark=_after_the_march),
        LessonStep(
            _("To stand beside the enemy is no battle yet. That is your second action: click Attack."),
            Lit(piece="sign_fight"),
            _attacking,
            stays=False,
        ),
        LessonStep(
            _("The tablet over the board tells your chances. Attack!"),
            Lit(buttons=(_("Attack!"),)),
            happened(BattleBegan, lambda event: event.attacker == US),
            over=_no_war,
        ),
        LessonStep(
            _in_battle,
            Lit(buttons=(_("So be it"), _("Fight on"), _("Commit none"))),
            _FOUGHT,
            over=_no_war,
            remark=_after_the_battle,
        ),
        LessonStep(
            _(
                "Cards that lie before you cost no action at all. Yours calls a vote of the senate; its winner "
                "takes 40 talents. Click it."
            ),
            Lit(buttons=(_("Senate Vote"), _("Use a card"))),
            see.calling(VOTE),
            stays=False,
        ),
        LessonStep(
            _("Use it: the vote is called at once."),
            Lit(buttons=(_("Use it"),)),
            happened(e.VoteBegan),
            over=_FIRST_TURN,
        ),
        LessonStep(
            _(
                "Senators vote, each with as many votes as his number says. Either of the others holds I, II and III: "
                "six votes; you have the IV besides. Click your IV."
            ),
            Lit(piece="senator_4"),
            see.shows(_FOUR),
            stays=False,
        ),
        LessonStep(
            _("And the III: seven votes, that neither of them can beat."),
            Lit(piece="senator_3"),
            see.shows(_THREE),
            stays=False,
        ),
        LessonStep(
            _("Show them. Only the winner spends senators; the others take theirs back."),
            Lit(buttons=(_("Show"),)),
            _showed,
            over=_FIRST_TURN,
        ),
        LessonStep(
            _("The others have their say."),
            Lit(buttons=(_("Pass"),)),
            _VOTED,
            over=_FIRST_TURN,
            remark=_after_the_vote,
        ),
        LessonStep(_("End your turn."), Lit(buttons=(_("End turn"), _("Really"), _("Pass"))), _FIRST_TURN),
        LessonStep(
            _(
                "The others take their two actions. The chronicle below tells in words what they do; what they "
                "spend and gain shows in the list of players."
            ),
            Lit(pane="chronicle"),
            lambda glance: see.turns(glance) > 1,
            over=lambda glance: glance.table.season > SEASON,
        ),
        LessonStep(_("Once a turn an action may be a card. Click Card."), Lit(piece="card"), _browsing, stays=False),
        LessonStep(
            _(
                "Each lies open for its price: merchants bring talents, senators vote, a politician places influence. "
                "Click the one that is marked, or another."
            ),
            Lit(
                buttons=(
                    _("Politician"),
                    _("Senator III"),
                    _("Senator II"),
                    _("Senator"),
                    _("Bribe"),
                    _("Merchant"),
                    _("Barbarians"),
                )
            ),
            see.choosing(VOTE),
            stays=False,
        ),
        LessonStep(
            _("Take it. It says itself what it is good for."),
            Lit(buttons=(_("Take"),)),
            happened(e.CardTaken, lambda event: event.seat == US),
            over=_SECOND_TURN,
        ),
        LessonStep(
            _(
                "And now what it is all about: influence. A token costs 10 talents where one of your leaders is. Click "
                "Influence."
            ),
            Lit(piece="marker_"),
            see.doing(Canvassing),
            stays=False,
        ),
        LessonStep(
            _(
                "Where another player's tokens are unguarded you may buy one: theirs goes, yours comes. Click the "
                "marked province."
            ),
            _market,
            _bargain,
            stays=False,
        ),
        LessonStep(
            _("A general buys one token in an action, your Caesar two. Buy it."),
            Lit(buttons=(_("Buy for"),)),
            happened(e.InfluenceBought, lambda event: event.seat == US),
            over=_SECOND_TURN,
        ),
        LessonStep(
            _(
                "So it goes for four rounds. Then taxes come in, influence scores, and the most chaos costs points. "
                "Galleys, cities and revolts are in the rules. Play on, or go back: the match is kept."
            )
        ),
    ),
)
"""The lesson for Conquest II."""
