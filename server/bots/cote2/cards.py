"""Value of every card to a bot in one table: to obtain it, to use it, to win its vote."""

import math
from collections.abc import Callable
from typing import Final

from server.bots.cote2.fighting import LOSS, assault, clash, targets
from server.bots.cote2.plans import Backing, Worth
from server.bots.cote2.position_analysis import IDLE, INCOME, LIKELY, SENATOR, UNIT, SeatAnalysis
from server.bots.cote2.sailing import best_battle, passage, threat
from shared.ids import NONE, Seat
from shared.mechanics.armies import total
from shared.odds import cote2 as odds
from shared.odds.outcome import Host
from shared.rulesets.cote2.actions import Campaign, Incite, Obtain, Use
from shared.rulesets.cote2.data import CARDS, ITALIA, NAMED, NEW_LEGIONS, REVOLT, ByAct
from shared.rulesets.cote2.economy import most_tokens
from shared.rulesets.cote2.effects import VOTES, Taken
from shared.rulesets.cote2.options import actions_each, campaign_units, influence_price
from shared.rulesets.cote2.property import army_supply, galley_supply, influence_supply, ready
from shared.rulesets.cote2.state import LEADERS, allied, leaders_at

KILLED: Final = 4.0
"""Loss of a rival whose general is killed."""
DRILL: Final = 0.27
"""Value of one more die in all battles on land, for each action that is left."""
GIFT: Final = 0.08
"""Value of a talent to another seat."""
STAKED: Final = 0.3
"""Share of what votes are about by which senators in the hand are valued for the votes that they turn."""
AGAIN: Final = 0.27
"""Chance that a vote is called in each later season."""
SPENT: Final = 0.41
"""Share of the others' highest bid that a vote costs its winner, beside one more vote."""
LEAST: Final = 0.1
"""Least share of a vote's value that remains: players do not show senators for more than the vote is worth."""
UNSURE: Final = 1.7
"""Uncertainty about the hands of others, in votes."""


def _no_value(_analysis: SeatAnalysis, _action: Use) -> float:
    return 0.0


def _nothing(_analysis: SeatAnalysis, _seat: Seat) -> float:
    return 0.0


# --- multi-use cards ---


def _talents_value(analysis: SeatAnalysis, action: Obtain) -> float:
    """Value the talents of this season at once and those of later ones discounted.

    Customers that the next purchase would win count too.
    """
    space = NAMED[action.card][0]
    _worth, sellers = analysis.best_purchase(space, most_tokens(analysis.table, analysis.seat, space))
    talents = CARDS[action.card].gain[0] * (analysis.table.influence[space][analysis.seat] + len(sellers))
    return analysis.gain(talents) + talents * INCOME * analysis.fade


def _trade_value(analysis: SeatAnalysis, action: Use) -> float:
    """Use it now, unless a purchase will bring more customers before the season ends."""
    space = NAMED[action.card][0]
    more = (
        analysis.left > 1 and analysis.best_purchase(space, most_tokens(analysis.table, analysis.seat, space))[0] > 0.0
    )
    return 0.0 if more and analysis.money >= 2 * influence_price(analysis.table) else 1.0


def _loot_value(analysis: SeatAnalysis, action: Use) -> float:
    talents, chaos = CARDS[action.card].gain
    return analysis.gain(talents) - analysis.chaos(chaos)


def _looting_value(analysis: SeatAnalysis, action: Obtain) -> float:
    talents, chaos = CARDS[action.card].gain
    return (
        max(0.0, analysis.gain(talents) - analysis.chaos(chaos))
        + max(0.0, talents * INCOME - analysis.chaos(chaos)) * analysis.fade
    )


def _kill_value(analysis: SeatAnalysis, action: Use) -> float:
    """Value the kill of a rival's general, above all an enemy's who could buy influence there, or of a senator."""
    if action.leader == NONE:
        return LIKELY * analysis.vote * -analysis.weights[action.seat]
    owner = action.leader // LEADERS
    post = analysis.table.tokens[analysis.table.leader_at[action.leader]] > 0
    return -analysis.weights[owner] * (KILLED + post) * (0.5 if allied(analysis.table, analysis.seat, owner) else 1.0)


# --- the senate ---


def _call(analysis: SeatAnalysis, action: Use) -> float:
    """Value calling a vote now: the chance to win it, against the worst rival's winning it.

    While it can wait, it is called only with a lead, and never with half or less of another's votes.
    """
    won = WORTH.of(action.card).won
    mine, rival = analysis.votes()
    price = _most_votes_of_rival(analysis, won)
    if 2 * mine <= rival or (mine <= price and analysis.left > actions_each(analysis.table)):
        return 0.0
    chance = _chance_of_majority(mine - price)
    worst = min(range(analysis.table.seats), key=lambda seat: analysis.weights[seat])
    return chance * won(analysis, analysis.seat) + (1.0 - chance) * analysis.weights[worst] * won(analysis, worst)


def _most_votes_of_rival(analysis: SeatAnalysis, won: Callable[[SeatAnalysis, Seat], float]) -> float:
    """Return the most votes that a rival will show: the whole hand, if the card is worth that much to them."""
    hands = [(seat, sum(hand) * LIKELY) for seat, hand in enumerate(analysis.table.senators) if seat != analysis.seat]
    return max([min(votes, won(analysis, seat) / SENATOR) for seat, votes in hands])


def _chance_of_majority(ahead: float) -> float:
    """Return the chance to win a vote, by the lead in votes over the expected bid of others."""
    return 1.0 / (1.0 + math.exp(-ahead / UNSURE))


def _vote(won: Callable[[SeatAnalysis, Seat], float], hoped: Callable[[SeatAnalysis], float] | None = None) -> Worth:
    """Value a card that calls a vote: its owner chooses the moment, and wins for a little more than others offer.

    hoped: value of winning it at the best moment, where that is not now.
    """

    def taken(analysis: SeatAnalysis, _action: Taken) -> float:
        price = _most_votes_of_rival(analysis, won)
        whole = won(analysis, analysis.seat) if hoped is None else hoped(analysis)
        net = max(LEAST * whole, whole - (SPENT * price + 1.0) * analysis.vote)
        return max(0.0, net) * _chance_of_majority(analysis.votes()[0] - price) * (1.0 + analysis.fade)

    return Worth(taken, _call, won)


def _tax_value(analysis: SeatAnalysis, seat: Seat) -> float:
    talents = CARDS[_card("emergency_tax")].gain[0]
    return max(analysis.gain(talents), talents * INCOME) if seat == analysis.seat else talents * GIFT


def _calm(analysis: SeatAnalysis, seat: Seat) -> float:
    return -analysis.chaos(-CARDS[_card("bread_and_circuses")].gain[0]) if seat == analysis.seat else 3.0


def _legions(analysis: SeatAnalysis, seat: Seat) -> float:
    """Value the new infantry, and its guard."""
    number = min(CARDS[NEW_LEGIONS].gain[0], army_supply(analysis.table, seat)[0])
    sites = NAMED[NEW_LEGIONS]
    guard = max([analysis.change(space, seat, number + total(analysis.army(space))) for space in sites]) * (
        seat == analysis.seat
    )
    return guard + number * UNIT


def _rome(analysis: SeatAnalysis, seat: Seat) -> float:
    """Value more tokens in Italia."""
    counts, guards = analysis.table.influence[ITALIA], analysis.guards(ITALIA)
    more = min(CARDS[_card("influence_in_rome")].gain[0], influence_supply(analysis.table, seat))
    then = (*counts[:seat], counts[seat] + more, *counts[seat + 1 :])
    return (analysis.holding(ITALIA, then, guards) - analysis.holding(ITALIA, counts, guards)) / (
        analysis.weights[seat] or -1.0
    )


def _card(act: str) -> int:
    """Return the card with this effect."""
    return _ACTS[act]


_ACTS: Final = {printed.act: card for card, printed in enumerate(CARDS)}


def _senator(analysis: SeatAnalysis, action: Obtain) -> float:
    more = CARDS[action.card].gain[0]
    return more * analysis.vote + STAKED * _turned_votes_value(analysis, more)


def _turned_votes_value(analysis: SeatAnalysis, more: float, fewer: float = 0.0) -> float:
    """Return the value of the votes turned by `more` own votes and `fewer` in the strongest other hand."""
    if analysis.contests is None:
        analysis.contests = [
            _vote_value(analysis, card) for card in VOTES if any(card in held for held in analysis.table.cards)
        ]
    return sum(
        [
            stake * (_chance_of_majority(ahead + more + fewer) - _chance_of_majority(ahead))
            for stake, ahead in analysis.contests
        ]
    )


def _vote_value(analysis: SeatAnalysis, card: int) -> tuple[float, float]:
    """Return the value of a vote, weighted by the chance that it is called, and the lead in votes."""
    table, won = analysis.table, WORTH.of(card).won
    calls = any(ready(table, seat, card) for seat in range(table.seats)) + AGAIN * analysis.fade
    lost = min([analysis.weights[seat] * won(analysis, seat) for seat in range(table.seats) if seat != analysis.seat])
    return calls * (won(analysis, analysis.seat) - lost), analysis.votes()[0] - _most_votes_of_rival(analysis, won)


# --- diplomacy, training ---


def _troops(analysis: SeatAnalysis, action: Obtain) -> float:
    """Value guards for this season's battles in a province, and better odds of attacks there."""
    space, army = NAMED[action.card][0], analysis.army(NAMED[action.card][0])
    if not any(army):
        return 0.0
    gain = CARDS[action.card].gain
    best = analysis.change(space, analysis.seat, total(army) + sum(gain))
    most = most_tokens(analysis.table, analysis.seat, space)
    for enemy in targets(analysis, space):
        alone = assault(analysis, space, enemy, army, most > 0, most, analysis.over)
        helped = assault(
            analysis, space, enemy, army, most > 0, most, analysis.over, (gain[0], gain[1], gain[2], gain[3])
        )
        best = max(best, analysis.patience * (sum(helped) - max(0.0, sum(alone))))
    return best


def _pirates_value(analysis: SeatAnalysis, action: Obtain) -> float:
    """Value cover at sea for this season, and better odds of attacks."""
    return _at_sea(analysis, Backing(galleys=CARDS[action.card].gain[0]), 1.0)


def _seamen_value(analysis: SeatAnalysis, _action: Taken) -> float:
    """Value cover at sea and better odds for the rest of the match."""
    return _at_sea(analysis, Backing(dice=1), 1.0 + analysis.fade)


def _at_sea(analysis: SeatAnalysis, backing: Backing, seasons: float) -> float:
    cover = seasons * (threat(analysis) - threat(analysis, backing))
    return cover + analysis.patience * max(0.0, best_battle(analysis, backing) - max(0.0, best_battle(analysis)))


def _wind(analysis: SeatAnalysis, _action: Taken) -> float:
    """Value the safety of galleys that can slip away from a battle."""
    return threat(analysis) * (1.0 + analysis.fade)


# --- immediate cards ---


def _city(analysis: SeatAnalysis, action: Obtain) -> float:
    return analysis.city(action.target)


def _fleet(analysis: SeatAnalysis, action: Obtain) -> float:
    number = min(CARDS[action.card].gain[0], len(galley_supply(analysis.table, analysis.seat)))
    return number * analysis.galley + analysis.patience * max(
        0.0, passage(analysis, NAMED[action.card][0], number + 1) - 3.0
    )


def _campaign(analysis: SeatAnalysis, action: Campaign) -> float:
    """Value the reward, less the guards that leave and the actions that leaders or leaderless units lose."""
    infantry, cavalry, talents, points = CARDS[action.card].gain
    units = total(analysis.army(action.source))
    party = campaign_units(analysis.table)
    worth = points + analysis.gain(talents) + analysis.change(action.source, analysis.seat, units - party)
    if not action.leaders:
        return worth + (infantry + cavalry) * IDLE - party * (UNIT - IDLE)
    missed = [analysis.best_purchase(action.source, 2 - bool(leader % LEADERS))[0] + 1.0 for leader in action.leaders]
    stay = len(leaders_at(analysis.table, analysis.seat, action.source)) > len(action.leaders)
    # A guard at each unguarded own province, the best first:
    posts = sorted([analysis.change(space, analysis.seat, 1) for space in analysis.bare], reverse=True)
    worth += (infantry + cavalry) * UNIT + analysis.patience * sum(posts[: infantry + cavalry])
    return worth - 0.5 * sum(missed) - (units - party) * (UNIT - IDLE) * (not stay)


def _politician_value(analysis: SeatAnalysis, _action: Taken) -> float:
    """Value a token where the Caesar stands."""
    space, guards = analysis.caesar, analysis.guards(analysis.caesar)
    then = analysis.holding(space, analysis.bought(space, (NONE,)), guards)
    return then - analysis.holding(space, analysis.table.influence[space], guards)


def _bribe(analysis: SeatAnalysis, action: Obtain) -> float:
    flat = LIKELY * analysis.vote * (1.0 - analysis.weights[action.target])
    hands = [sum(hand) for seat, hand in enumerate(analysis.table.senators) if seat != analysis.seat]
    strongest = sum(analysis.table.senators[action.target]) == max(hands)
    return flat + STAKED * _turned_votes_value(analysis, LIKELY, LIKELY * strongest)


def _revolt_value(analysis: SeatAnalysis, action: Incite) -> float:
    """Value the guards that the slaves beat one after the other, and the losses of all seats."""
    worth, slaves, sure = 0.0, CARDS[REVOLT].gain[0], 1.0
    for seat in (*action.victims, analysis.seat):
        if not slaves or not analysis.guards(action.space)[seat]:
            continue
        rebels = Host((slaves, 0, 0), slaves=True)
        fight = clash(rebels, odds.present(analysis.table, seat, action.space), False)
        worth += sure * (
            fight.won * analysis.change(action.space, seat, 0) - fight.theirs * LOSS * analysis.weights[seat]
        )
        sure *= fight.won
        slaves = max(0, slaves - 1 - round(fight.ours / 10))
    return worth


WORTH: Final = ByAct(
    merchant=Worth(_talents_value, _trade_value, _nothing),
    assassin=Worth(
        lambda analysis, _action: KILLED * -min(analysis.weights) * (1.0 + analysis.fade), _kill_value, _nothing
    ),
    loot=Worth(_looting_value, _loot_value, _nothing),
    emergency_tax=_vote(_tax_value),
    bread_and_circuses=_vote(_calm, lambda analysis: analysis.relief(CARDS[_card("bread_and_circuses")].gain[0])),
    hail_caesar=_vote(lambda _analysis, _seat: float(CARDS[_card("hail_caesar")].gain[0])),
    new_legions=_vote(_legions),
    influence_in_rome=_vote(_rome),
    senator=Worth(_senator, _no_value, _nothing),
    troops=Worth(_troops, _no_value, _nothing),
    pirates=Worth(_pirates_value, _no_value, _nothing),
    fleet=Worth(_fleet, _no_value, _nothing),
    city=Worth(_city, _no_value, _nothing),
    barbarians=Worth(_campaign, _no_value, _nothing),
    politician=Worth(_politician_value, _no_value, _nothing),
    bribe=Worth(_bribe, _no_value, _nothing),
    revolt=Worth(_revolt_value, _no_value, _nothing),
    army=Worth(lambda analysis, _action: DRILL * analysis.season_actions, _no_value, _nothing),
    navy=Worth(_seamen_value, _no_value, _nothing),
    wind=Worth(_wind, _no_value, _nothing),
)
