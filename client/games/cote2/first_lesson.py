"""A first game of the second kind: an auction, and two turns; the position is that of `tests/play/lessons.py`."""

from __future__ import annotations

from typing import Final

from client.games.cote2.drafts.land_move_draft import March
from client.games.cote2.tasks.auction_task import Auctioning
from client.games.cote2.tasks.card_tasks import Browsing
from client.games.cote2.tasks.land_move_task import Marching
from client.games.cote2.tasks.senate_tasks import Voicing
from client.games.cote2.tasks.spending_tasks import Canvassing
from client.games.cote2.tasks.task_base import Deed, Picking
from client.games.cote2.tasks.turn_task import TakingTurn
from client.language import _
from client.table.lesson import Glance, Lesson, Lit, Sees, Step
from shared.board import BOARD
from shared.ids import NONE, Seat
from shared.kernel.frames import Event
from shared.rulesets.cote2 import events as e
from shared.rulesets.cote2.data import CARDS
from shared.rulesets.cote2.frames import Alliances, Turn
from shared.rulesets.cote2.state import allied
from shared.rulesets.cote2.table import Table
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

Seen = Glance[Table]


def _begins(event: Event) -> bool:
    return isinstance(event, e.SeasonBegan) and event.season == SEASON


# Progress of the lesson


def _allied(glance: Seen) -> bool:
    return not any(isinstance(frame, Alliances) for frame in glance.table.frames) and bool(glance.table.order)


def _own_turns(glance: Seen) -> int:
    return sum(event.seat == US for event in glance.events(e.TurnBegan))


def _acting(glance: Seen) -> bool:
    return any(isinstance(frame, Turn) and frame.seat == US for frame in glance.table.frames)


def _after(number: int) -> Sees[Table]:
    """Return a condition: so many own turns are over."""
    return lambda glance: _own_turns(glance) > number or (_own_turns(glance) == number and not _acting(glance))


def _season_over(glance: Seen) -> bool:
    return glance.table.season > SEASON


def _no_war(glance: Seen) -> bool:
    """Whether Brutus stands with us, or our first turn is over."""
    return (_allied(glance) and allied(glance.table, US, BRUTUS)) or _after(1)(glance)


def _marched(glance: Seen) -> bool:
    return any((event.seat, event.to) == (US, ENEMY) for event in glance.events(e.Marched))


def _fought(glance: Seen) -> bool:
    return any(event.space == ENEMY for event in glance.events(e.BattleEnded))


def _showed(glance: Seen) -> bool:
    return any(event.seat == US for event in glance.events(e.SenatorsShown)) or _voted(glance)


def _voted(glance: Seen) -> bool:
    return any(event.card == VOTE for event in glance.events(e.VoteWon))


# Drafts of the current task


def _deed(glance: Seen) -> Deed | None:
    return glance.task.deed if isinstance(glance.task, TakingTurn) else None


def _march(glance: Seen) -> March | None:
    deed = _deed(glance)
    return deed.draft if isinstance(deed, Marching) else None


def _picked(glance: Seen) -> bool:
    march = _march(glance)
    return march is not None and march.source == ARMY


def _aimed(glance: Seen) -> bool:
    march = _march(glance)
    return march is not None and (march.source, march.party.to) == (ARMY, ENEMY)


def _attacking(glance: Seen) -> bool:
    deed = _deed(glance)
    return isinstance(deed, Picking) and deed.threat() is not None


def _calling(glance: Seen) -> bool:
    return isinstance(glance.task, TakingTurn) and glance.task.deed is not None and glance.task.card == VOTE


def _shows(value: int) -> Sees[Table]:
    return lambda glance: isinstance(glance.task, Voicing) and glance.task.chosen[value] > 0


def _browsing(glance: Seen) -> bool:
    return isinstance(_deed(glance), Browsing) or _choosing(glance)


def _choosing(glance: Seen) -> bool:
    return isinstance(glance.task, TakingTurn) and glance.task.card not in (NONE, VOTE)


def _canvassing(glance: Seen) -> bool:
    return isinstance(_deed(glance), Canvassing)


def _bargain(glance: Seen) -> bool:
    deed = _deed(glance)
    return isinstance(deed, Canvassing) and bool(deed.draft.sellers)


def _market(glance: Seen) -> Lit:
    """Return the province for buying influence, preferably the one of our battle."""
    lit = list(glance.task.lit())
    return Lit(spaces=(ENEMY,) if ENEMY in lit else tuple(lit[:1]))


# Texts


def _after_the_auction(glance: Seen) -> str:
    place = glance.table.order.index(US) + 1 if US in glance.table.order else 0
    first = _("You act first") if place == 1 else _("You act as number {place}", place=place)
    war = _(" Brutus stands with you, so there is no battle with him.") if allied(glance.table, US, BRUTUS) else ""
    return _("{first} in each round of this season.{war}", first=first, war=war)


def _bidding(glance: Seen) -> str:
    if isinstance(glance.task, Auctioning) and glance.table.order:
        return _("One player still has no alliance. The highest bidder chooses it; save your talents and pass.")
    return _("Now the others overbid you, or pass. The highest bidder pays, and the two are allied for the season.")


def _after_the_march(glance: Seen) -> str:
    if _marched(glance) or allied(glance.table, US, BRUTUS):
        return ""
    return _("You did something else; you need not fight.")


def _in_battle(_glance: Seen) -> str:
    return _(
        "Each side throws three dice and a few more, and hits with the kinds that it has. The side that is hit "
        "chooses its losses. Fight until no enemies are left."
    )


def _after_the_battle(glance: Seen) -> str:
    won = next((event.winner for event in glance.events(e.BattleEnded) if event.space == ENEMY), NONE)
    if not _fought(glance):
        return ""
    return _("Victory! The loser gains chaos.") if won == US else _("That was lost, and cost you chaos. You go on.")


def _after_the_vote(glance: Seen) -> str:
    winner: Seat = next((event.seat for event in glance.events(e.VoteWon) if event.card == VOTE), NONE)
    if winner == NONE:
        return ""
    return (
        _("The vote is yours: 40 talents.")
        if winner == US
        else _("Another player has won the vote. Try again next season.")
    )


LESSON: Final[Lesson[Table]] = Lesson(
    _begins,
    (
        Step(
            _(
                "Welcome, Caesar! Here all play to the end. After four seasons the most victory points win, and "
                "most of them come from influence. The second season begins."
            )
        ),
        Step(
            _(
                "First an auction settles who is allied with whom. You propose yourself for alliance A, Brutus for "
                "B: so you may fight him, and act before him. Raise your offer to 25 talents; no other player has "
                "that much."
            ),
            Lit(piece="coin5"),
            lambda glance: isinstance(glance.task, Auctioning) and glance.task.talents >= OFFER,
            stays=False,
        ),
        Step(
            _("Now bid. Only the winner of an auction pays; the others keep their talents."),
            Lit(buttons=(_("Bid"),)),
            lambda glance: any(event.seat == US for event in glance.events(e.BidMade)),
            over=_allied,
        ),
        Step(_bidding, Lit(buttons=(_("Pass"),)), _allied, remark=_after_the_auction),
        Step(
            _(
                "This is Narbonensis. The numbers beside it are points, for the most influence there and for the "
                "second most. One token is yours, and your Caesar guards it."
            ),
            Lit(spaces=(HOME,)),
        ),
        Step(
            _("A season has four rounds with two actions each. Your first is a march: click your army in Macedonia."),
            Lit(spaces=(ARMY,)),
            _picked,
            stays=False,
        ),
        Step(
            _(
                "Armies march as far as they like, until they meet an enemy. Two of Brutus's units hold Achaia: "
                "click it."
            ),
            Lit(spaces=(ENEMY,)),
            _aimed,
            stays=False,
        ),
        Step(_("Now March."), Lit(buttons=(_("March"),)), _marched, over=_no_war, remark=_after_the_march),
        Step(
            _("To stand beside the enemy is no battle yet. That is your second action: click Attack."),
            Lit(piece="sign_fight"),
            _attacking,
            stays=False,
        ),
        Step(
            _("The tablet over the board tells your chances. Attack!"),
            Lit(buttons=(_("Attack!"),)),
            lambda glance: any(event.attacker == US for event in glance.events(BattleBegan)),
            over=_no_war,
        ),
        Step(
            _in_battle,
            Lit(buttons=(_("So be it"), _("Fight on"), _("Commit none"))),
            _fought,
            over=_no_war,
            remark=_after_the_battle,
        ),
        Step(
            _(
                "Cards that lie before you cost no action at all. Yours calls a vote of the senate; its winner "
                "takes 40 talents. Click it."
            ),
            Lit(buttons=(_("Senate Vote"), _("Use a card"))),
            _calling,
            stays=False,
        ),
        Step(
            _("Use it: the vote is called at once."),
            Lit(buttons=(_("Use it"),)),
            lambda glance: bool(glance.events(e.VoteBegan)),
            over=_after(1),
        ),
        Step(
            _(
                "Senators vote, each with as many votes as his number says. Either of the others holds I, II and III: "
                "six votes; you have the IV besides. Click your IV."
            ),
            Lit(piece="senator_4"),
            _shows(_FOUR),
            stays=False,
        ),
        Step(
            _("And the III: seven votes, that neither of them can beat."),
            Lit(piece="senator_3"),
            _shows(_THREE),
            stays=False,
        ),
        Step(
            _("Show them. Only the winner spends senators; the others take theirs back."),
            Lit(buttons=(_("Show"),)),
            _showed,
            over=_after(1),
        ),
        Step(
            _("The others have their say."),
            Lit(buttons=(_("Pass"),)),
            _voted,
            over=_after(1),
            remark=_after_the_vote,
        ),
        Step(_("End your turn."), Lit(buttons=(_("End turn"), _("Really"), _("Pass"))), _after(1)),
        Step(
            _(
                "The others take their two actions. The chronicle below tells in words what they do; what they "
                "spend and gain shows in the list of players."
            ),
            Lit(pane="chronicle"),
            lambda glance: _own_turns(glance) > 1,
            over=_season_over,
        ),
        Step(_("Once a turn an action may be a card. Click Card."), Lit(piece="card"), _browsing, stays=False),
        Step(
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
            _choosing,
            stays=False,
        ),
        Step(
            _("Take it. It says itself what it is good for."),
            Lit(buttons=(_("Take"),)),
            lambda glance: any(event.seat == US for event in glance.events(e.CardTaken)),
            over=_after(2),
        ),
        Step(
            _(
                "And now what it is all about: influence. A token costs 10 talents where one of your leaders is. Click "
                "Influence."
            ),
            Lit(piece="marker_"),
            _canvassing,
            stays=False,
        ),
        Step(
            _(
                "Where another player's tokens are unguarded you may buy one: theirs goes, yours comes. Click the "
                "marked province."
            ),
            _market,
            _bargain,
            stays=False,
        ),
        Step(
            _("A general buys one token in an action, your Caesar two. Buy it."),
            Lit(buttons=(_("Buy for"),)),
            lambda glance: any(event.seat == US for event in glance.events(e.InfluenceBought)),
            over=_after(2),
        ),
        Step(
            _(
                "So it goes for four rounds. Then taxes come in, influence scores, and the most chaos costs points. "
                "Galleys, cities and revolts are in the rules. Play on, or go back: the match is kept."
            )
        ),
    ),
)
"""The lesson for Conquest II."""
