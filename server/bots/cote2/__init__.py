"""Player of Conquest II: buys influence where it scores most, guards it, and calls votes that it can win."""

import random

from server.bots.cote2.fighting import commit, fight_on, lend, slip, withdraw
from server.bots.cote2.planning import act
from server.bots.cote2.politics import assemble, bid, deploy, vote
from server.bots.cote2.position_analysis import SeatAnalysis
from shared.ids import Seat
from shared.kernel import engine
from shared.kernel.frames import Action
from shared.rulesets.cote2.definition import Rules
from shared.rulesets.cote2.frames import Aid, Auction, Commitment, Deployment, Muster, Turn, Vote, Wind, Withdrawal
from shared.rulesets.cote2.view import View
from shared.vocabulary.frames import Onward


def decide(rules: Rules, table: View, seat: Seat, _rng: random.Random, boldness: float = 0.0) -> Action:
    """Return the action to take now. boldness: share by which battles are valued more."""
    analysis = SeatAnalysis(table, seat, boldness)
    frame = table.frames[-1]
    match frame:
        case Auction():
            return bid(analysis, frame)
        case Deployment():
            return deploy(analysis)
        case Turn():
            return act(analysis, frame)
        case Vote():
            return vote(analysis, frame, engine.options(rules, table, seat))
        case Commitment():
            return commit(analysis, frame)
        case Aid():
            return lend(analysis, frame)
        case Onward():
            return fight_on(analysis, frame)
        case Wind():
            return slip(analysis, frame)
        case Withdrawal():
            return withdraw(analysis, frame)
        case Muster():
            return assemble(analysis, frame.infantry)
    return engine.default(rules, table, seat)
