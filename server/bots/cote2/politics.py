"""Alliances, the first units, the senate."""

from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import Final

from server.bots.cote2.cards import WORTH
from server.bots.cote2.survey import Eye
from shared.ids import NONE, Seat, Space
from shared.kernel.frames import Action
from shared.mechanics.armies import total
from shared.mechanics.vote import weight
from shared.rulesets.cote2.actions import Assemble, Bid, Deploy, Pass, Show
from shared.rulesets.cote2.alliances import COIN, camps, harbours, unallied
from shared.rulesets.cote2.data import DATA, KEY_SET, NAMED, NEW_LEGIONS, SHORES
from shared.rulesets.cote2.frames import Auction, Vote
from shared.rulesets.cote2.options import victory_numbers

PLACE: Final = 1.5
"""What it is worth to act one place later: whoever acts last answers everything."""
GRIP: Final = 0.5
"""How much later than the average of the places that are left one hopes to act."""
PREY: Final = 0.4
"""What it is worth to have somebody with a token that nobody guards for an enemy."""


# --- alliances ---


def bid(eye: Eye, frame: Auction) -> Action:
    """The best proposal, as long as it is worth its price, against the one that lies there."""
    wish = max(_proposals(unallied(eye.table)), key=lambda pair: (_judged(eye, *pair), pair))
    if frame.bidder == NONE:
        return Bid(0, *wish)
    step = frame.talents + COIN
    gain = _judged(eye, *wish) - _judged(eye, frame.a, frame.b)
    if frame.bidder == eye.seat or step > eye.money or gain <= eye.price(step):
        return Pass()
    return Bid(step, *wish)


def _proposals(left: list[Seat]) -> Iterator[tuple[Seat, Seat]]:
    if len(left) == 1:
        return iter([(left[0], NONE), (NONE, left[0])])
    return permutations(left, 2)


def _judged(eye: Eye, a: Seat, b: Seat) -> float:
    """What it is worth that these are allied next: when everybody will act, and against whom one is."""
    return PLACE * _order(eye, a, b) + _enemies(eye, a, b)


def _order(eye: Eye, a: Seat, b: Seat) -> float:
    """The places that all will have, each by what a point of its seat is worth."""
    taken, seats = len(eye.table.order), eye.table.seats
    named = [seat for seat in (a, b) if seat != NONE]
    places = dict(zip(named, range(taken + 1, seats + 1), strict=False))
    middle = (taken + len(named) + 1 + seats) / 2
    hoped = min(seats, middle + GRIP * (seats - middle))
    rest = [seat for seat in unallied(eye.table) if seat not in named]
    return sum([eye.weights[seat] * places[seat] for seat in named]) + sum(
        [eye.weights[seat] * (hoped if seat == eye.seat else middle) for seat in rest]
    )


def _enemies(eye: Eye, a: Seat, b: Seat) -> float:
    """What there is to be taken from those who would be against one, as far as it is known."""
    sides = {seat: side for seat, side in enumerate(eye.table.side) if side != NONE}
    sides |= {seat: side for side, seat in enumerate((a, b)) if seat != NONE}
    if eye.seat not in sides:
        return 0.0
    return sum([_prey(eye, seat) for seat, side in sides.items() if side != sides[eye.seat]])


def _prey(eye: Eye, seat: Seat) -> float:
    tokens = [
        eye.table.influence[space][seat] for space in KEY_SET if not eye.guards(space)[seat]
    ]  # fmt: skip
    return -eye.weights[seat] * (1.0 + PREY * sum(tokens))


# --- the first units ---


def deploy(eye: Eye) -> Action:
    """The Caesar where most can be bought, a general where that comes second, a guard on all other tokens."""
    spaces = camps(eye.table, eye.seat)
    ranked = sorted(spaces, key=lambda space: (-eye.best_purchase(space, 2)[0], space))
    main = ranked[0]
    second = ranked[1] if len(ranked) > 1 else main
    guards = [(space, 1, 0, 0) for space in spaces if space != main]
    infantry, cavalry, catapults = DATA.start.army
    zone = max(harbours(eye.table, eye.seat), key=lambda zone: (_coast(eye, zone), zone), default=NONE)
    return Deploy(((main, infantry - len(guards), cavalry, catapults), *guards), main, second, zone)


def _coast(eye: Eye, zone: Space) -> int:
    """The victory numbers of the provinces that can be reached from a sea zone."""
    return sum([victory_numbers(eye.table, space)[0] for space in SHORES[zone] if space in KEY_SET])


# --- the senate ---


def vote(eye: Eye, frame: Vote, offers: Sequence[Action]) -> Action:
    """The cheapest bid that leads, as long as the vote, which somebody else would win, is worth its senators."""
    worth = WORTH.of(frame.card)
    benefit = worth.won(eye, eye.seat)
    if frame.bidder != NONE:
        benefit -= eye.weights[frame.bidder] * worth.won(eye, frame.bidder)
    shown = weight(frame.shown[eye.seat])
    cheapest = next((way for way in offers if isinstance(way, Show)), None)
    if cheapest is None:
        return Pass()
    more = weight((cheapest.one, cheapest.two, cheapest.three, cheapest.four))
    return cheapest if (shown + more) * eye.vote <= benefit else Pass()


def assemble(eye: Eye, infantry: int) -> Action:
    """New legions where they guard most; else where there are tokens, or an army to join."""

    def worth(space: Space) -> tuple[float, int]:
        units = total(eye.army(space))
        return eye.change(space, eye.seat, units + infantry) + (space in eye.posts), units

    return Assemble(max(NAMED[NEW_LEGIONS], key=worth))
