"""Bargains for generals: exchanges one for one, or ransoms at prices that suit both sides."""

import random
from typing import Final

from server.bots.mb1984.position_analysis import PositionAnalysis
from shared.ids import Seat
from shared.kernel.frames import Action, Frame
from shared.mechanics.pieces import living
from shared.rulesets.conquest.diplomacy import offers_each
from shared.rulesets.mb1984.actions import Reply
from shared.rulesets.mb1984.definition import Rules
from shared.rulesets.mb1984.diplomacy import check_terms, held, proposal_of
from shared.vocabulary.actions import Answer, Judge, Offer
from shared.vocabulary.frames import Bargain

ASKED: Final = 80
"""Least price for giving a captured general back."""
LADDER: Final = (ASKED, 100, 150)
"""Price offered for a general, by the number of bargains offered this turn."""
RESERVE: Final = (10, 50, 100)
"""Talents that a buyer keeps, likewise."""


def _worth_it(got: int, lost: int, gained: int, given: int) -> float:
    """Return the value of a bargain: talents and generals received, less those given away."""
    return got - lost + ASKED * (gained - given) + (gained > 0)


def answer(_analysis: PositionAnalysis, _rules: Rules, frame: Frame, _rng: random.Random) -> Action:
    """Return the answer to a bargain: accept if it brings at least what it costs."""
    assert isinstance(frame, Bargain)
    return Answer(_worth_it(frame.pays, frame.wants, len(frame.gives), len(frame.takes)) >= 0)


def reply_value(analysis: PositionAnalysis, reply: Reply) -> float:
    """Return the value of a reply to a proposal: talents and generals gained, less those given away."""
    terms = proposal_of(analysis.table.proposals[reply.proposer])
    value = _worth_it(terms.pays, terms.wants, len(terms.gives), len(terms.takes))
    return value if reply.accept else 0.5 - value


def bargain(analysis: PositionAnalysis) -> Offer | None:
    """Return a bargain for an own general: an exchange, else a ransom if the talents suffice; None if neither fits."""
    table, seat = analysis.table, analysis.seat
    if not table.offers:
        return None
    captors = [other for other in living(table) if other != seat and held(table, other, seat)]
    found = next((offer for other in captors if (offer := _exchange_offer(analysis, other)) is not None), None)
    if found is None:
        found = next((offer for other in captors if (offer := _ransom(analysis, other)) is not None), None)
    return found if found is not None and check_terms(table, seat, found) is None else None


def _exchange_offer(analysis: PositionAnalysis, other: Seat) -> Offer | None:
    """Return an exchange one for one, proposed only as the first bargain of a turn."""
    gives, takes = held(analysis.table, analysis.seat, other), held(analysis.table, other, analysis.seat)
    each = min(len(gives), len(takes))
    if not each or analysis.table.offers < offers_each(analysis.table):
        return None
    return Offer(other, gives=gives[:each], takes=takes[:each])


def _ransom(analysis: PositionAnalysis, other: Seat) -> Offer | None:
    table = analysis.table
    rung = offers_each(table) - table.offers
    price = LADDER[rung]
    if table.talents[analysis.seat] < price + RESERVE[rung]:
        return None
    return Offer(other, pays=price, takes=held(table, other, analysis.seat)[:1])


def judge(_analysis: PositionAnalysis, _rules: Rules, _frame: Frame, _rng: random.Random) -> Action:
    """Spare all prisoners: they bring a ransom."""
    return Judge(())
