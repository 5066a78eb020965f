"""Second lesson of the second game: cards and a vote; the position is that of `tests/play/lessons.py`."""

from typing import Final

from shared.board import BOARD
from shared.kernel.frames import Event
from shared.language.sentence import Value, _
from shared.lessons.cote2 import conditions as see
from shared.lessons.cote2.conditions import TableGlance
from shared.lessons.cote2.first_lesson import US
from shared.lessons.lesson import Draft, Lesson, LessonStep, Lit, happened, owes
from shared.mechanics.vote import weight
from shared.rulesets.cote2 import actions as a
from shared.rulesets.cote2 import events as e
from shared.rulesets.cote2.data import CARDS
from shared.rulesets.cote2.frames import Turn, Vote
from shared.rulesets.cote2.state import TableFields
from shared.vocabulary.actions import EndTurn

SEASON, ROUND = 1, 3
"""Season and round in which the lesson begins."""
ITALIA, EGYPT = (BOARD.keys.index(key) for key in ("italia", "egyptus"))
VOTE, MERCHANT, BRIBE = ([card.key for card in CARDS].index(key)
                         for key in ("senate_influence_in_rome", "merchant_italia", "bribe_senator"))  # fmt: skip
ENOUGH: Final = 7
"""Votes that no other player can beat."""
_CALLED: Final = happened(e.VoteBegan)
_VOTED: Final = happened(e.VoteWon, lambda event: event.card == VOTE)
_USE: Final = Lit(buttons=(_("Use it"),))


def _begins(event: Event) -> bool:
    return isinstance(event, e.TurnBegan) and (event.seat, event.season, event.round) == (US, SEASON, ROUND)


def _over(glance: TableGlance) -> bool:
    """Whether our turn is over."""
    table = glance.table
    acting = any(isinstance(frame, Turn) and frame.seat == US for frame in table.frames)
    return not acting or (table.season, table.round) != (SEASON, ROUND)


def _taken(glance: TableGlance) -> bool:
    return happened(e.CardTaken, lambda event: event.seat == US)(glance)


def _showed(glance: TableGlance) -> bool:
    return happened(e.SenatorsShown, lambda event: event.seat == US)(glance) or _VOTED(glance)


def _senator(glance: TableGlance) -> Lit:
    """Return the senator of most votes that is not shown yet."""
    if glance.task is None or not owes(glance, Vote):
        return Lit()
    left = [hidden - chosen for hidden, chosen in zip(glance.task.hidden(), glance.task.chosen, strict=True)]
    return next((Lit(piece=f"senator_{value + 1}") for value in (3, 2, 1, 0) if left[value]), Lit())


def _market(glance: TableGlance) -> Lit:
    """Return the province for buying influence, preferably that of our Caesar."""
    lit = glance.choices
    return Lit(spaces=(EGYPT,) if EGYPT in lit else lit[:1])


# Texts


def _votes_shown(glance: TableGlance) -> Value:
    task = glance.task
    if task is not None and owes(glance, Vote) and task.votes + weight(task.hidden()) - weight(task.chosen) < ENOUGH:
        return _(
            "Each of the others has six votes at most, and you have no more. Show all of yours; perhaps they pass."
        )
    return _(
        "Each of the others has six votes at most. Show seven: click your senators until the button says at least "
        "seven."
    )


def _showing_by_taps(glance: TableGlance) -> Value:
    if weight(glance.table.senators[US]) < ENOUGH:
        return _(
            "Each of the others has six votes at most, and you have no more. Show all of yours; perhaps they pass. The "
            "winner spends the senators that were shown."
        )
    return _(
        "Each of the others has six votes at most. Show senators of at least seven. The winner spends the senators "
        "that were shown; the others take theirs back."
    )


def _after_the_bribe(glance: TableGlance) -> Value:
    if not _taken(glance):
        return ""
    if glance.events(e.SenatorTaken):
        return _("One senator more for you, one less for that player.")
    return _("A card of another kind is as good. You may take one in each turn.")


def _won(glance: TableGlance) -> bool:
    """Whether the vote was ours, so that the merchant is worth something."""
    return any((event.seat, event.card) == (US, VOTE) for event in glance.events(e.VoteWon))


def _after_the_vote(glance: TableGlance) -> Value:
    if not _won(glance):
        return _("This vote is not yours. Those who lost it keep their senators.")
    if any(event.seat == US for event in glance.events(e.SenatorDrawn)):
        return _("The vote is yours. You lead alone in Italia, so one of the spent senators comes back to you.")
    return _("The vote is yours: two tokens in Italia.")


def _after_the_merchant(glance: TableGlance) -> Value:
    talents = next((event.talents for event in glance.events(e.CardUsed) if event.card == MERCHANT), 0)
    return (
        _("That brought {talents} talents. Used cards are ready again next season.", talents=talents) if talents else ""
    )


LESSON: Final[Lesson[TableFields]] = Lesson(
    _begins,
    (
        LessonStep(
            _(
                "Welcome back, Caesar! Today it is about cards and the senate. The third round is on, and you have two "
                "actions."
            )
        ),
        LessonStep(
            _(
                "Influence in Italia scores most: 20 points for the first, 10 for the second, 5 for the third. No "
                "player has any there yet."
            ),
            Lit(spaces=(ITALIA,)),
        ),
        LessonStep(
            _("A vote of the senate can bring some. First you need senators. Click Card."),
            Lit(piece="card"),
            (Draft("browsing"), *see.calling(BRIBE)),
        ),
        LessonStep(
            _("All these lie open. Some cost talents, some only the action. A bribe costs 5: click it."),
            Lit(buttons=(_("Bribe"),)),
            see.calling(BRIBE),
        ),
        LessonStep(
            _("Choose whose senator changes over to you, then take the card. Which senator comes is left to chance."),
            Lit(buttons=(_("Take"), "")),
            _taken,
            over=lambda glance: _over(glance) or _CALLED(glance),
            remark=_after_the_bribe,
            taps=_(
                "A vote of the senate can bring some. First you need senators: look at the cards. A bribe costs 5 "
                "talents: take one, and choose whose senator changes over to you. Which one comes is left to chance."
            ),
            kinds=(a.Obtain,),
        ),
        LessonStep(
            _(
                "Cards that lie before you cost no action, and serve once a season. Yours calls the vote about "
                "influence in Rome. Click it."
            ),
            Lit(buttons=(_("Senate Vote"), _("Use a card"))),
            see.calling(VOTE),
        ),
        LessonStep(
            _("The winner places two tokens in Italia. Use it."),
            _USE,
            _CALLED,
            over=_over,
            taps=_(
                "Cards that lie before you cost no action, and serve once a season. Yours calls the vote about "
                "influence in Rome; its winner places two tokens in Italia. Call it."
            ),
            kinds=(a.Use,),
        ),
        LessonStep(
            _votes_shown,
            _senator,
            (Draft("votes", n=ENOUGH),),
        ),
        LessonStep(
            _("Show them. The winner spends the senators that were shown; the others take theirs back."),
            Lit(buttons=(_("Show"),)),
            _showed,
            over=_over,
            taps=_showing_by_taps,
            kinds=(a.Show,),
        ),
        LessonStep(
            _("The others have their say."),
            Lit(buttons=(_("Pass"),)),
            _VOTED,
            over=_over,
            remark=_after_the_vote,
            kinds=(a.Pass,),
        ),
        LessonStep(
            _("Your merchant brings 5 talents for each of your tokens in Italia. Click the card."),
            Lit(buttons=(_("Merchant"), _("Use a card"))),
            see.calling(MERCHANT),
        ),
        LessonStep(
            _("Use it: that costs no action either."),
            _USE,
            happened(e.CardUsed, lambda event: event.card == MERCHANT),
            over=lambda glance: _over(glance) or (_VOTED(glance) and not _won(glance)),
            remark=_after_the_merchant,
            taps=_(
                "Your merchant brings 5 talents for each of your tokens in Italia. Use the card: that costs no action "
                "either."
            ),
            kinds=(a.Use,),
        ),
        LessonStep(
            _("One action is left. Where a leader of yours stands, a token costs 10 talents. Click Influence."),
            Lit(piece="marker_"),
            (Draft("influence"),),
        ),
        LessonStep(
            _("Your Caesar holds Egyptus, and a token lies there on offer. Click the province that is marked."),
            _market,
            (Draft("bargain"),),
        ),
        LessonStep(
            _("Buy it. Most influence in Egyptus scores 15 points."),
            Lit(buttons=(_("Buy for"),)),
            happened(e.InfluenceBought, lambda event: event.seat == US),
            over=_over,
            taps=_(
                "One action is left. Where a leader of yours stands, a token costs 10 talents. Your Caesar holds "
                "Egyptus: buy the token there. Most influence in Egyptus scores 15 points."
            ),
            kinds=(a.Influence,),
        ),
        LessonStep(
            _("End your turn."), Lit(buttons=(_("End turn"), _("Really"), _("Pass"))), _over, kinds=(EndTurn, a.Pass)
        ),
        LessonStep(
            _(
                "So a bribe, a vote and a merchant work together. Each vote can be called once a season. Play on, or "
                "go back: the match is kept."
            )
        ),
    ),
)
"""The second lesson for Conquest II."""
