"""A first game of the second kind: an auction, and two turns; the position is that of `tests/play/lessons.py`."""

from typing import Final

from shared.board import BOARD
from shared.ids import NONE, Seat
from shared.kernel.frames import Event
from shared.language.sentence import Listing, Value, _
from shared.lessons.cote2 import conditions as see
from shared.lessons.cote2.conditions import TableGlance
from shared.lessons.lesson import Draft, Lesson, LessonStep, Lit, happened, owes
from shared.rulesets.cote2 import actions as a
from shared.rulesets.cote2 import events as e
from shared.rulesets.cote2.data import CARDS
from shared.rulesets.cote2.frames import Auction
from shared.rulesets.cote2.state import TableFields, allied
from shared.vocabulary.actions import EndTurn, Stand
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


_BROWSING: Final = (Draft("browsing"), Draft("another card", n=VOTE))


def _begins(event: Event) -> bool:
    return isinstance(event, e.SeasonBegan) and event.season == SEASON


def _no_war(glance: TableGlance) -> bool:
    """Whether Brutus stands with us, or our first turn is over."""
    return (see.allied(glance) and allied(glance.table, US, BRUTUS)) or _FIRST_TURN(glance)


def _showed(glance: TableGlance) -> bool:
    return happened(e.SenatorsShown, lambda event: event.seat == US)(glance) or _VOTED(glance)


def _market(glance: TableGlance) -> Lit:
    """Return the province for buying influence, preferably the one of our battle."""
    lit = glance.choices
    return Lit(spaces=(ENEMY,) if ENEMY in lit else lit[:1])


# Texts


def _after_the_auction(glance: TableGlance) -> Value:
    place = glance.table.order.index(US) + 1 if US in glance.table.order else 0
    first = _("You act first") if place == 1 else _("You act as number {place}", place=place)
    with_us = allied(glance.table, US, BRUTUS)
    war = (
        _(" Brutus stands with you, so there is no battle with him.")
        if with_us
        else _(" Brutus stands in the other camp, so you may fight him.")
    )
    return _("{first} in each round of this season.{war}", first=first, war=war)


def _proposal_step(glance: TableGlance) -> Value:
    usual, swapped = Draft("boxes", (US, BRUTUS)), Draft("boxes", (BRUTUS, US))
    if glance.drafted(swapped):
        plan = _("You propose Brutus for alliance A, yourself for B: so you may fight him, but he acts before you.")
    elif glance.task is None or glance.drafted(usual) or not owes(glance, Auction):
        plan = _("You propose yourself for alliance A, Brutus for B: so you may fight him, and act before him.")
    else:
        plan = _("Put yourself into A and Brutus into B: so you may fight him, and act before him.")
    camps = _("First an auction settles who stands in which camp: A and B are opponents.")
    offer = _("Raise your offer to 25 talents; no other player has that much.")
    return Listing((camps, plan, offer), " ")


def _bidding(glance: TableGlance) -> Value:
    if owes(glance, Auction) and glance.table.order:
        return _("One player still has no alliance. The highest bidder chooses it; save your talents and pass.")
    return _(
        "Now the others overbid you, or pass. The highest bidder pays; then the two in A and B are opponents for the "
        "season."
    )


def _after_the_march(glance: TableGlance) -> Value:
    if _MARCHED(glance) or allied(glance.table, US, BRUTUS):
        return ""
    return _("You did something else; you need not fight.")


def _in_battle(_glance: TableGlance) -> Value:
    return _(
        "Each side throws three dice and a few more, and hits with the kinds that it has. The side that is hit "
        "chooses its losses. Fight until no enemies are left."
    )


def _after_the_battle(glance: TableGlance) -> Value:
    won = see.winner(glance, ENEMY)
    if won is None:
        return ""
    return _("Victory! The loser gains chaos.") if won == US else _("That was lost, and cost you chaos. You go on.")


def _after_the_vote(glance: TableGlance) -> Value:
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
            _proposal_step,
            Lit(piece="coin5"),
            (Draft("offer", n=OFFER),),
        ),
        LessonStep(
            _("Now bid. Only the winner of an auction pays; the others keep their talents."),
            Lit(buttons=(_("Bid"),)),
            happened(e.BidMade, lambda event: event.seat == US),
            over=see.allied,
            kinds=(a.Bid,),
        ),
        LessonStep(_bidding, Lit(buttons=(_("Pass"),)), see.allied, remark=_after_the_auction, kinds=(a.Pass,)),
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
        ),
        LessonStep(
            _(
                "Armies march as far as they like, until they meet an enemy. Two of Brutus's units hold Achaia: "
                "click it."
            ),
            Lit(spaces=(ENEMY,)),
            see.aimed(ARMY, ENEMY),
        ),
        LessonStep(
            _("Now March."),
            Lit(buttons=(_("March"),)),
            _MARCHED,
            over=_no_war,
            remark=_after_the_march,
            taps=_(
                "A season has four rounds with two actions each. Your first is a march, from Macedonia to Achaia, "
                "where two of Brutus's units stand. The last button says who goes: press it."
            ),
            kinds=(a.Move,),
        ),
        LessonStep(
            _("To stand beside the enemy is no battle yet. That is your second action: click Attack."),
            Lit(piece="sign_fight"),
            (Draft("attack"),),
        ),
        LessonStep(
            _("The tablet over the board tells your chances. Attack!"),
            Lit(buttons=(_("Attack!"),)),
            happened(BattleBegan, lambda event: event.attacker == US),
            over=_no_war,
            taps=_("To stand beside the enemy is no battle yet. That is your second action: attack Brutus in Achaia."),
            kinds=(a.Attack,),
        ),
        LessonStep(
            _in_battle,
            Lit(buttons=(_("So be it"), _("Fight on"), _("Commit none"))),
            _FOUGHT,
            over=_no_war,
            remark=_after_the_battle,
            kinds=(a.Lose, Stand, a.Commit),
        ),
        LessonStep(
            _(
                "Cards that lie before you cost no action at all. Yours calls a vote of the senate; its winner "
                "takes 40 talents. Click it."
            ),
            Lit(buttons=(_("Senate Vote"), _("Use a card"))),
            see.calling(VOTE),
        ),
        LessonStep(
            _("Use it: the vote is called at once."),
            Lit(buttons=(_("Use it"),)),
            happened(e.VoteBegan),
            over=_FIRST_TURN,
            taps=_(
                "Cards that lie before you cost no action at all. Yours calls a vote of the senate; its winner takes "
                "40 talents. Call it."
            ),
            kinds=(a.Use,),
        ),
        LessonStep(
            _(
                "Senators vote, each with as many votes as his number says. Either of the others holds I, II and III: "
                "six votes; you have the IV besides. Click your IV."
            ),
            Lit(piece="senator_4"),
            see.shows(_FOUR),
        ),
        LessonStep(
            _("And the III: seven votes, that neither of them can beat."),
            Lit(piece="senator_3"),
            see.shows(_THREE),
        ),
        LessonStep(
            _("Show them. Only the winner spends senators; the others take theirs back."),
            Lit(buttons=(_("Show"),)),
            _showed,
            over=_FIRST_TURN,
            taps=_(
                "Senators vote, each with as many votes as his number says. Either of the others holds I, II and III: "
                "six votes. Show III and IV: seven votes, that neither of them can beat. Only the winner spends "
                "senators."
            ),
            kinds=(a.Show,),
        ),
        LessonStep(
            _("The others have their say."),
            Lit(buttons=(_("Pass"),)),
            _VOTED,
            over=_FIRST_TURN,
            remark=_after_the_vote,
            kinds=(a.Pass,),
        ),
        LessonStep(
            _("End your turn."),
            Lit(buttons=(_("End turn"), _("Really"), _("Pass"))),
            _FIRST_TURN,
            kinds=(EndTurn, a.Pass),
        ),
        LessonStep(
            _(
                "The others take their two actions. The chronicle below tells in words what they do; what they "
                "spend and gain shows in the list of players."
            ),
            Lit(pane="chronicle"),
            lambda glance: see.turns(glance) > 1,
            over=lambda glance: glance.table.season > SEASON,
            taps=_(
                "The others take their two actions. The chronicle tells in words what they do; what they spend and "
                "gain shows in the list of players."
            ),
        ),
        LessonStep(_("Once a turn an action may be a card. Click Card."), Lit(piece="card"), _BROWSING),
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
            (Draft("another card", n=VOTE),),
        ),
        LessonStep(
            _("Take it. It says itself what it is good for."),
            Lit(buttons=(_("Take"),)),
            happened(e.CardTaken, lambda event: event.seat == US),
            over=_SECOND_TURN,
            taps=_(
                "Once a turn an action may be a card. Each lies open for its price: merchants bring talents, senators "
                "vote, a politician places influence. Look at the cards, and take one."
            ),
            kinds=(a.Obtain,),
        ),
        LessonStep(
            _(
                "And now what it is all about: influence. A token costs 10 talents where one of your leaders is. Click "
                "Influence."
            ),
            Lit(piece="marker_"),
            (Draft("influence"),),
        ),
        LessonStep(
            _(
                "Where another player's tokens are unguarded you may buy one: theirs goes, yours comes. Click the "
                "marked province."
            ),
            _market,
            (Draft("bargain"),),
        ),
        LessonStep(
            _("A general buys one token in an action, your Caesar two. Buy it."),
            Lit(buttons=(_("Buy for"),)),
            happened(e.InfluenceBought, lambda event: event.seat == US),
            over=_SECOND_TURN,
            taps=_(
                "And now what it is all about: influence. A token costs 10 talents where one of your leaders is. Where "
                "another player's tokens are unguarded you may buy one: theirs goes, yours comes. Buy one."
            ),
            kinds=(a.Influence,),
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
