"""Bargains for generals."""

import random

from shared.kernel.frames import Action, Frame
from shared.rulesets.mb1984.actions import Reply
from shared.rulesets.mb1984.diplomacy import proposal_of
from shared.rulesets.mb1984.game import Rules
from shared.vocabulary.actions import Answer, Judge
from shared.vocabulary.frames import Bargain
from tests.bench.greedy.mb1984.survey import GENERAL_WORTH, Survey


def _worth_it(got: int, lost: int, gained: int, given: int) -> float:
    """The value of a bargain: talents and generals received, talents and generals parted with."""
    return got - lost + GENERAL_WORTH * (gained - given)


def answer(_survey: Survey, _rules: Rules, frame: Frame, _rng: random.Random) -> Action:
    assert isinstance(frame, Bargain)
    return Answer(_worth_it(frame.pays, frame.wants, len(frame.gives), len(frame.takes)) > 0)


def reply_value(survey: Survey, reply: Reply) -> float:
    terms = proposal_of(survey.table.proposals[reply.proposer])
    value = _worth_it(terms.pays, terms.wants, len(terms.gives), len(terms.takes))
    return value if reply.accept else 0.5 - value


def judge(_survey: Survey, _rules: Rules, _frame: Frame, _rng: random.Random) -> Action:
    """Prisoners are worth a ransom."""
    return Judge(())
