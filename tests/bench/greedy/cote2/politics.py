"""Alliances, the first units, the senate."""

from shared.ids import NONE
from shared.kernel.frames import Action
from shared.mechanics.vote import weight
from shared.rulesets.cote2.actions import (
    Assemble,
    Bid,
    Deploy,
    Pass,
    Show,
)
from shared.rulesets.cote2.alliances import COIN, camps, harbours, unallied
from shared.rulesets.cote2.data import (
    DATA,
    ITALIA,
    NAMED,
    NEW_LEGIONS,
)
from shared.rulesets.cote2.frames import (
    Auction,
    Vote,
)
from tests.bench.greedy.cote2.cards import WORTH
from tests.bench.greedy.cote2.survey import SENATOR, Eye


def bid(eye: Eye, frame: Auction) -> Action:
    """Oneself first and the leader of the others on the other side, as long as it is cheap."""
    table, seat = eye.table, eye.seat
    left = unallied(table)
    step = frame.talents + COIN
    others = sorted([s for s in left if s != seat], key=lambda s: (-table.points[s], s))
    if seat in left:
        wish = (seat, others[0]) if others else (seat, NONE)
    elif len(left) > 1:
        foe = 1 - table.side[seat]
        pair = (others[0], others[-1])
        wish = pair if foe == 0 else pair[::-1]
    else:
        wish = (left[0], NONE) if table.side[seat] == 0 else (NONE, left[0])
    if frame.bidder == NONE:
        return Bid(0, *wish)
    content = seat not in left or seat in (frame.a, frame.b)
    limit = 5 if content else 15
    return Bid(step, *wish) if step <= min(limit, eye.money // 4) and (frame.a, frame.b) != wish else Pass()


def deploy(eye: Eye) -> Action:
    """The Caesar where most can be bought, a general where that comes second, a guard on all other tokens."""
    table, seat = eye.table, eye.seat
    spaces = camps(table, seat)
    ranked = sorted(spaces, key=lambda space: (-eye.best_purchase(space, 2, escort=True)[0], space))
    main = ranked[0]
    second = ranked[1] if len(ranked) > 1 else main
    guards = [(space, 1, 0, 0) for space in spaces if space != main]
    infantry, cavalry, catapults = DATA.start.army
    zones = harbours(table, seat)
    return Deploy(
        ((main, infantry - len(guards), cavalry, catapults), *guards), main, second, zones[0] if zones else NONE
    )


def vote(eye: Eye, frame: Vote) -> Action:
    """The cheapest bid that leads, as long as the vote is worth its senators."""
    benefit = WORTH.of(frame.card).won(eye)
    shown = frame.shown[eye.seat]
    for action in eye.offers:
        if isinstance(action, Show):
            more = (action.one, action.two, action.three, action.four)
            cost = (weight(shown) + weight(more)) * SENATOR
            return action if cost <= benefit else Pass()
    return Pass()


def assemble(eye: Eye) -> Action:
    """New legions where more influence is to be guarded."""
    return Assemble(max(NAMED[NEW_LEGIONS], key=lambda space: (eye.table.influence[space][eye.seat], space == ITALIA)))
