"""A player of the second game: buys influence where it scores most, guards it, and calls votes that it can win."""

import random

from shared.ids import Seat
from shared.kernel import engine
from shared.kernel.frames import Action
from shared.rulesets.cote2.actions import Commit, Slip
from shared.rulesets.cote2.data import SEAS
from shared.rulesets.cote2.frames import Aid, Auction, Commitment, Deployment, Muster, Turn, Vote, Wind
from shared.rulesets.cote2.game import Rules
from shared.rulesets.cote2.state import galleys_in
from shared.rulesets.cote2.view import View
from shared.vocabulary.frames import Onward
from tests.bench.greedy.cote2.fighting import fight_on, lend
from tests.bench.greedy.cote2.planning import act
from tests.bench.greedy.cote2.politics import assemble, bid, deploy, vote
from tests.bench.greedy.cote2.survey import Eye


def decide(rules: Rules, table: View, seat: Seat, _rng: random.Random) -> Action:
    """Return the action of the bot."""
    eye = Eye(table, seat)
    frame = table.frames[-1]
    match frame:
        case Auction():
            return bid(eye, frame)
        case Deployment():
            return deploy(eye)
        case Turn():
            eye.offers = engine.options(rules, table, seat)
            return act(eye, frame)
        case Vote():
            eye.offers = engine.options(rules, table, seat)
            return vote(eye, frame)
        case Commitment():
            return Commit(galleys_in(table, seat, SEAS[frame.space]))
        case Aid():
            return lend(eye, frame)
        case Onward():
            return fight_on(eye, frame)
        case Wind():
            return Slip(True)
        case Muster():
            return assemble(eye)
    return engine.default(rules, table, seat)
