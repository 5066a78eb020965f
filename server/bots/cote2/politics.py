"""Alliances, deployment, the senate."""

from collections.abc import Sequence

from server.bots.cote2.cards import WORTH
from server.bots.cote2.position_analysis import SeatAnalysis
from shared.ids import NONE, Seat, Space
from shared.kernel.frames import Action
from shared.mechanics.armies import total
from shared.mechanics.vote import weight
from shared.rulesets.cote2.actions import Assemble, Bid, Deploy, Pass, Show
from shared.rulesets.cote2.alliances import camps, harbours, unallied
from shared.rulesets.cote2.data import KEY_SET, KEYS, NAMED, NEW_LEGIONS, SHORES
from shared.rulesets.cote2.frames import Auction, Vote
from shared.rulesets.cote2.options import bid_step, victory_numbers
from shared.rulesets.cote2.state import start_army

CONTENT, UNCONTENT = 0, 15
"""Highest bids: where the proposal is good already, and where it is not."""


# --- alliances ---


def bid(analysis: SeatAnalysis, frame: Auction) -> Action:
    """Propose the others first and this seat as late as possible, while that is cheap.

    The last seat to act can answer everything.
    """
    table, seat = analysis.table, analysis.seat
    left = unallied(table)
    step = frame.talents + bid_step(analysis.table)
    others = sorted([s for s in left if s != seat], key=lambda s: (-table.points[s], s))
    if seat in left and len(left) < 3:
        wish = (others[0], seat) if others else (NONE, seat)
    elif len(left) > 1:
        wish = _pair(analysis, others)
    else:
        wish = (left[0], NONE) if table.side[seat] == 0 else (NONE, left[0])
    if frame.bidder == NONE:
        return Bid(0, *wish)
    # A late place: a later auction, or the second place of the last one.
    late = seat not in (frame.a, frame.b) if len(left) > 2 else seat not in left or frame.b == seat
    limit = CONTENT if late else UNCONTENT
    return Bid(step, *wish) if step <= min(limit, analysis.money // 4) and (frame.a, frame.b) != wish else Pass()


def _pair(analysis: SeatAnalysis, others: Sequence[Seat]) -> tuple[Seat, Seat]:
    """Pair the leader of the others with the last of them.

    The one with more unguarded tokens is to be an enemy. That means side A, because this seat hopes for the last place
    on side B. If this seat is on side A already, it means side B.
    """

    def unguarded(seat: Seat) -> int:
        return sum([analysis.table.influence[space][seat] for space in KEYS if not analysis.guards(space)[seat]])

    ally, enemy = sorted((others[-1], others[0]), key=unguarded)
    return (ally, enemy) if analysis.table.side[analysis.seat] == 0 else (enemy, ally)


# --- the first units ---


def deploy(analysis: SeatAnalysis) -> Action:
    """Deploy the Caesar where most can be bought, a general at the second-best place, guards on all other tokens."""
    spaces = camps(analysis.table, analysis.seat)
    ranked = sorted(spaces, key=lambda space: (-analysis.best_purchase(space, 2)[0], space))
    main = ranked[0]
    second = ranked[1] if len(ranked) > 1 else main
    guards = [(space, 1, 0, 0) for space in spaces if space != main]
    infantry, cavalry, catapults = start_army()
    zone = max(harbours(analysis.table, analysis.seat), key=lambda zone: (_coast(analysis, zone), zone), default=NONE)
    return Deploy(((main, infantry - len(guards), cavalry, catapults), *guards), main, second, zone)


def _coast(analysis: SeatAnalysis, zone: Space) -> int:
    """Return the sum of the highest victory numbers of the key provinces along a sea zone."""
    return sum([victory_numbers(analysis.table, space)[0] for space in SHORES[zone] if space in KEY_SET])


# --- the senate ---


def vote(analysis: SeatAnalysis, frame: Vote, offers: Sequence[Action]) -> Action:
    """Return the cheapest leading bid, if the vote is worth its senators; else pass.

    The value includes the loss if the present bidder won. A vote without benefit for this seat is never bid on.
    """
    worth = WORTH.of(frame.card)
    benefit = worth.won(analysis, analysis.seat)
    if benefit <= 0.0:
        return Pass()
    if frame.bidder != NONE:
        benefit -= analysis.weights[frame.bidder] * worth.won(analysis, frame.bidder)
    shown = weight(frame.shown[analysis.seat])
    ways = [(weight((way.one, way.two, way.three, way.four)), way) for way in offers if isinstance(way, Show)]
    cheapest = next((way for more, way in ways if (shown + more) * analysis.vote <= benefit), None)
    return Pass() if cheapest is None else cheapest


def assemble(analysis: SeatAnalysis, infantry: int) -> Action:
    """Place new legions where they guard most, else where there are leaders or an army to join."""

    def worth(space: Space) -> tuple[float, int]:
        units = total(analysis.army(space))
        return analysis.change(space, analysis.seat, units + infantry) + (space in analysis.posts), units

    return Assemble(max(NAMED[NEW_LEGIONS], key=worth))
