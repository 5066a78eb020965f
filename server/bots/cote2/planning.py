"""Planning of a turn: all possible plans with their values, and the best of them."""

from collections.abc import Iterator, Sequence

from server.bots.cote2.cards import WORTH
from server.bots.cote2.fighting import assault, targets
from server.bots.cote2.march_plans import marches
from server.bots.cote2.plans import Plan
from server.bots.cote2.position_analysis import SeatAnalysis
from server.bots.cote2.recruiting import fleets, levies, recruits
from server.bots.cote2.sailing import sails
from shared.kernel.frames import Action
from shared.rulesets.cote2.actions import Attack, Influence, Pass, Use
from shared.rulesets.cote2.data import CARDS
from shared.rulesets.cote2.economy import most_tokens
from shared.rulesets.cote2.effect import Taken
from shared.rulesets.cote2.effects import card_of, card_options, use_options
from shared.rulesets.cote2.frames import Turn
from shared.rulesets.cote2.joining import spent
from shared.rulesets.cote2.state import led
from shared.vocabulary.actions import EndTurn

MARGINAL = 0.64
"""Value of an action that is postponed for another, as a share of the best plan."""


def purchases(analysis: SeatAnalysis) -> Iterator[Plan]:
    """Yield purchases of tokens where leaders are."""
    for space in analysis.posts:
        worth, sellers = analysis.best_purchase(space, most_tokens(analysis.table, analysis.seat, space))
        if sellers:
            yield Plan(worth, Influence(space, sellers))


def attacks(analysis: SeatAnalysis, frame: Turn, alternative: float) -> Iterator[Plan]:
    """Yield battles, valued by the guards that fall and the tokens that lose their guards."""
    table, seat = analysis.table, analysis.seat
    for space, cell in enumerate(table.units):
        if not cell or seat not in cell[::4]:
            continue
        most, army = most_tokens(table, seat, space), analysis.army(space)
        for enemy in targets(analysis, space):
            if not spent(table, frame, enemy, space):
                worth, spoils = assault(analysis, space, enemy, army, led(table, seat, space), most, analysis.over)
                worth += analysis.patience * max(0.0, spoils - alternative)
                yield Plan(worth + analysis.boldness * abs(worth), Attack(space, enemy))


def cards(analysis: SeatAnalysis, frame: Turn) -> Iterator[Plan]:
    """Yield the open cards that can be taken."""
    for action in card_options(analysis.table, frame, analysis.seat):
        if isinstance(action, Taken):
            card = card_of(action)
            yield Plan(WORTH.of(card).taken(analysis, action) - analysis.price(CARDS[card].cost), action)


def free_cards(analysis: SeatAnalysis, frame: Turn) -> Action | None:
    """Return the best use of a multi-use card now, or None."""
    ways = use_options(analysis.table, frame, analysis.seat)
    used = [Plan(WORTH.of(way.card).used(analysis, way), way) for way in ways if isinstance(way, Use)]
    best = max(used, key=lambda plan: plan.worth, default=None)
    return best.action if best is not None and best.worth > 0 else None


def act(analysis: SeatAnalysis, frame: Turn) -> Action:
    """Return the best action of a turn."""
    free = free_cards(analysis, frame)
    if free is not None:
        return free
    if not frame.left:
        return EndTurn()
    best = max(plans(analysis, frame), key=lambda plan: plan.worth)
    return best.action if best.worth > 0 else Pass()


def plans(analysis: SeatAnalysis, frame: Turn) -> list[Plan]:
    """Return all plans of a turn."""
    found = [*purchases(analysis), *services(analysis, frame)]
    alternative = missed(found)
    return [
        *found,
        *attacks(analysis, frame, alternative),
        *marches(analysis, alternative),
        *sails(analysis, alternative),
    ]


def services(analysis: SeatAnalysis, frame: Turn) -> list[Plan]:
    """Return the plans for cards, recruits and taxes."""
    return [*cards(analysis, frame), *recruits(analysis), *fleets(analysis), *levies(analysis)]


def missed(found: Sequence[Plan]) -> float:
    """Return the value lost where none of these plans is carried out."""
    return MARGINAL * max([0.0, *[plan.worth for plan in found]])
