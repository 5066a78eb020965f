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
from shared.rulesets.cote2.cards import CAMPAIGN
from shared.rulesets.cote2.data import CARDS, DATA, ITALIA, NAMED, NEW_LEGIONS, REVOLT, ByAct
from shared.rulesets.cote2.economy import INFLUENCE_PRICE, most_tokens
from shared.rulesets.cote2.effect import Taken
from shared.rulesets.cote2.effects import VOTES
from shared.rulesets.cote2.property import army_supply, galley_supply, influence_supply, ready
from shared.rulesets.cote2.state import LEADERS, allied, leaders_at

KILLED: Final = 4.5
"""Loss of a rival whose general is killed."""
DRILL: Final = 0.27
"""Value of one more die in all battles on land, for each action that is left."""
GIFT: Final = 0.08
"""Value of a talent to another seat."""
STAKED: Final = 0.3
"""Share of what votes are about by which senators in the hand are valued for the votes that they turn."""
AGAIN: Final = 0.3
"""Chance that a vote is called in each later season."""
SPENT: Final = 0.5
"""Share of the others' highest bid that a vote costs its winner, beside one more vote."""
LEAST: Final = 0.1
"""Least share of a vote's value that remains: players do not show senators for more than the vote is worth."""
UNSURE: Final = 2.5
"""Uncertainty about the hands of others, in votes."""


def _never(_eye: SeatAnalysis, _action: Use) -> float:
    return 0.0


def _nothing(_eye: SeatAnalysis, _seat: Seat) -> float:
    return 0.0


# --- multi-use cards ---


def _customers(eye: SeatAnalysis, action: Obtain) -> float:
    """Value the talents of this season at once and those of later ones discounted.

    Customers that the next purchase would win count too.
    """
    space = NAMED[action.card][0]
    _worth, sellers = eye.best_purchase(space, most_tokens(eye.table, eye.seat, space))
    talents = CARDS[action.card].gain[0] * (eye.table.influence[space][eye.seat] + len(sellers))
    return eye.gain(talents) + talents * INCOME * eye.fade


def _trade(eye: SeatAnalysis, action: Use) -> float:
    """Use it now, unless a purchase will bring more customers before the season ends."""
    space = NAMED[action.card][0]
    more = eye.left > 1 and eye.best_purchase(space, most_tokens(eye.table, eye.seat, space))[0] > 0.0
    return 0.0 if more and eye.money >= 2 * INFLUENCE_PRICE else 1.0


def _loot(eye: SeatAnalysis, action: Use) -> float:
    talents, chaos = CARDS[action.card].gain
    return eye.gain(talents) - eye.chaos(chaos)


def _looting(eye: SeatAnalysis, action: Obtain) -> float:
    talents, chaos = CARDS[action.card].gain
    return max(0.0, eye.gain(talents) - eye.chaos(chaos)) + max(0.0, talents * INCOME - eye.chaos(chaos)) * eye.fade


def _kill(eye: SeatAnalysis, action: Use) -> float:
    """Value the kill of a rival's general, above all an enemy's who could buy influence there, or of a senator."""
    if action.leader == NONE:
        return LIKELY * eye.vote * -eye.weights[action.seat]
    owner = action.leader // LEADERS
    post = eye.table.tokens[eye.table.leader_at[action.leader]] > 0
    return -eye.weights[owner] * (KILLED + post) * (0.5 if allied(eye.table, eye.seat, owner) else 1.0)


def _killing(eye: SeatAnalysis, _action: Obtain) -> float:
    return KILLED * -min(eye.weights) * (1.0 + eye.fade)


# --- the senate ---


def _call(eye: SeatAnalysis, action: Use) -> float:
    """Value calling a vote now: the chance to win it, against the worst rival's winning it.

    While it can wait, it is called only with a lead, and never with half or less of another's votes.
    """
    won = WORTH.of(action.card).won
    mine, rival = eye.votes()
    price = _rising(eye, won)
    if 2 * mine <= rival or (mine <= price and eye.left > DATA.actions):
        return 0.0
    chance = _majority(mine - price)
    worst = min(range(eye.table.seats), key=lambda seat: eye.weights[seat])
    return chance * won(eye, eye.seat) + (1.0 - chance) * eye.weights[worst] * won(eye, worst)


def _rising(eye: SeatAnalysis, won: Callable[[SeatAnalysis, Seat], float]) -> float:
    """Return the most votes that a rival will show: the whole hand, if the card is worth that much to them."""
    hands = [(seat, sum(hand) * LIKELY) for seat, hand in enumerate(eye.table.senators) if seat != eye.seat]
    return max([min(votes, won(eye, seat) / SENATOR) for seat, votes in hands])


def _majority(ahead: float) -> float:
    """Return the chance to win a vote, by the lead in votes over the expected bid of others."""
    return 1.0 / (1.0 + math.exp(-ahead / UNSURE))


def _vote(won: Callable[[SeatAnalysis, Seat], float], hoped: Callable[[SeatAnalysis], float] | None = None) -> Worth:
    """Value a card that calls a vote: its owner chooses the moment, and wins for a little more than others offer.

    hoped: value of winning it at the best moment, where that is not now.
    """

    def taken(eye: SeatAnalysis, _action: Taken) -> float:
        price = _rising(eye, won)
        whole = won(eye, eye.seat) if hoped is None else hoped(eye)
        net = max(LEAST * whole, whole - (SPENT * price + 1.0) * eye.vote)
        return max(0.0, net) * _majority(eye.votes()[0] - price) * (1.0 + eye.fade)

    return Worth(taken, _call, won)


def _tax(eye: SeatAnalysis, seat: Seat) -> float:
    talents = CARDS[_card("emergency_tax")].gain[0]
    return max(eye.gain(talents), talents * INCOME) if seat == eye.seat else talents * GIFT


def _calm(eye: SeatAnalysis, seat: Seat) -> float:
    return -eye.chaos(-CARDS[_card("bread_and_circuses")].gain[0]) if seat == eye.seat else 3.0


def _relief(eye: SeatAnalysis) -> float:
    return eye.relief(CARDS[_card("bread_and_circuses")].gain[0])


def _hail(_eye: SeatAnalysis, _seat: Seat) -> float:
    return float(CARDS[_card("hail_caesar")].gain[0])


def _legions(eye: SeatAnalysis, seat: Seat) -> float:
    """Value the new infantry, and its guard."""
    number = min(CARDS[NEW_LEGIONS].gain[0], army_supply(eye.table, seat)[0])
    sites = NAMED[NEW_LEGIONS]
    guard = max([eye.change(space, seat, number + total(eye.army(space))) for space in sites]) * (seat == eye.seat)
    return guard + number * UNIT


def _rome(eye: SeatAnalysis, seat: Seat) -> float:
    """Value more tokens in Italia."""
    counts, guards = eye.table.influence[ITALIA], eye.guards(ITALIA)
    more = min(CARDS[_card("influence_in_rome")].gain[0], influence_supply(eye.table, seat))
    then = (*counts[:seat], counts[seat] + more, *counts[seat + 1 :])
    return (eye.holding(ITALIA, then, guards) - eye.holding(ITALIA, counts, guards)) / (eye.weights[seat] or -1.0)


def _card(act: str) -> int:
    """Return the card with this effect."""
    return _ACTS[act]


_ACTS: Final = {printed.act: card for card, printed in enumerate(CARDS)}


def _senator(eye: SeatAnalysis, action: Obtain) -> float:
    more = CARDS[action.card].gain[0]
    return more * eye.vote + STAKED * _ballots(eye, more)


def _ballots(eye: SeatAnalysis, more: float, fewer: float = 0.0) -> float:
    """Return the value of the votes turned by `more` own votes and `fewer` in the strongest other hand."""
    if eye.contests is None:
        eye.contests = [_contest(eye, card) for card in VOTES if any(card in held for held in eye.table.cards)]
    return sum([stake * (_majority(ahead + more + fewer) - _majority(ahead)) for stake, ahead in eye.contests])


def _contest(eye: SeatAnalysis, card: int) -> tuple[float, float]:
    """Return the value of a vote, weighted by the chance that it is called, and the lead in votes."""
    table, won = eye.table, WORTH.of(card).won
    calls = any(ready(table, seat, card) for seat in range(table.seats)) + AGAIN * eye.fade
    lost = min([eye.weights[seat] * won(eye, seat) for seat in range(table.seats) if seat != eye.seat])
    return calls * (won(eye, eye.seat) - lost), eye.votes()[0] - _rising(eye, won)


# --- diplomacy, training ---


def _troops(eye: SeatAnalysis, action: Obtain) -> float:
    """Value guards for this season's battles in a province, and better odds of attacks there."""
    space, army = NAMED[action.card][0], eye.army(NAMED[action.card][0])
    if not any(army):
        return 0.0
    gain = CARDS[action.card].gain
    best = eye.change(space, eye.seat, total(army) + sum(gain))
    most = most_tokens(eye.table, eye.seat, space)
    for enemy in targets(eye, space):
        alone = assault(eye, space, enemy, army, most > 0, most, eye.over)
        helped = assault(eye, space, enemy, army, most > 0, most, eye.over, (gain[0], gain[1], gain[2], gain[3]))
        best = max(best, eye.patience * (sum(helped) - max(0.0, sum(alone))))
    return best


def _pirates(eye: SeatAnalysis, action: Obtain) -> float:
    """Value cover at sea for this season, and better odds of attacks."""
    return _at_sea(eye, Backing(galleys=CARDS[action.card].gain[0]), 1.0)


def _seamen(eye: SeatAnalysis, _action: Taken) -> float:
    """Value cover at sea and better odds for the rest of the match."""
    return _at_sea(eye, Backing(dice=1), 1.0 + eye.fade)


def _at_sea(eye: SeatAnalysis, backing: Backing, seasons: float) -> float:
    cover = seasons * (threat(eye) - threat(eye, backing))
    return cover + eye.patience * max(0.0, best_battle(eye, backing) - max(0.0, best_battle(eye)))


def _wind(eye: SeatAnalysis, _action: Taken) -> float:
    """Value the safety of galleys that can slip away from a battle."""
    return threat(eye) * (1.0 + eye.fade)


def _drill(eye: SeatAnalysis, _action: Taken) -> float:
    return DRILL * eye.season_actions


# --- immediate cards ---


def _city(eye: SeatAnalysis, action: Obtain) -> float:
    return eye.city(action.target)


def _fleet(eye: SeatAnalysis, action: Obtain) -> float:
    number = min(CARDS[action.card].gain[0], len(galley_supply(eye.table, eye.seat)))
    return number * eye.galley + eye.patience * max(0.0, passage(eye, NAMED[action.card][0], number + 1) - 3.0)


def _campaign(eye: SeatAnalysis, action: Campaign) -> float:
    """Value the reward, less the guards that leave and the actions that leaders or leaderless units lose."""
    infantry, cavalry, talents, points = CARDS[action.card].gain
    units = total(eye.army(action.source))
    worth = points + eye.gain(talents) + eye.change(action.source, eye.seat, units - CAMPAIGN)
    if not action.leaders:
        return worth + (infantry + cavalry) * IDLE - CAMPAIGN * (UNIT - IDLE)
    missed = [eye.best_purchase(action.source, 2 - bool(leader % LEADERS))[0] + 1.0 for leader in action.leaders]
    stay = len(leaders_at(eye.table, eye.seat, action.source)) > len(action.leaders)
    worth += (infantry + cavalry) * UNIT + eye.patience * sum(_posts(eye)[: infantry + cavalry])
    return worth - 0.5 * sum(missed) - (units - CAMPAIGN) * (UNIT - IDLE) * (not stay)


def _posts(eye: SeatAnalysis) -> list[float]:
    """Return the value of a guard at each unguarded own province, the best first."""
    return sorted([eye.change(space, eye.seat, 1) for space in eye.bare], reverse=True)


def _politician(eye: SeatAnalysis, _action: Taken) -> float:
    """Value a token where the Caesar stands."""
    counts, guards = eye.table.influence[eye.caesar], eye.guards(eye.caesar)
    return eye.holding(eye.caesar, eye.bought(eye.caesar, (NONE,)), guards) - eye.holding(eye.caesar, counts, guards)


def _bribe(eye: SeatAnalysis, action: Obtain) -> float:
    flat = LIKELY * eye.vote * (1.0 - eye.weights[action.target])
    hands = [sum(hand) for seat, hand in enumerate(eye.table.senators) if seat != eye.seat]
    strongest = sum(eye.table.senators[action.target]) == max(hands)
    return flat + STAKED * _ballots(eye, LIKELY, LIKELY * strongest)


def _revolt(eye: SeatAnalysis, action: Incite) -> float:
    """Value the guards that the slaves beat one after the other, and the losses of all seats."""
    worth, slaves, sure = 0.0, CARDS[REVOLT].gain[0], 1.0
    for seat in (*action.victims, eye.seat):
        if not slaves or not eye.guards(action.space)[seat]:
            continue
        rebels = Host((slaves, 0, 0), slaves=True)
        fight = clash(rebels, odds.present(eye.table, seat, action.space), False)
        worth += sure * (fight.won * eye.change(action.space, seat, 0) - fight.theirs * LOSS * eye.weights[seat])
        sure *= fight.won
        slaves = max(0, slaves - 1 - round(fight.ours / 10))
    return worth


WORTH: Final = ByAct(
    merchant=Worth(_customers, _trade, _nothing),
    assassin=Worth(_killing, _kill, _nothing),
    loot=Worth(_looting, _loot, _nothing),
    emergency_tax=_vote(_tax),
    bread_and_circuses=_vote(_calm, _relief),
    hail_caesar=_vote(_hail),
    new_legions=_vote(_legions),
    influence_in_rome=_vote(_rome),
    senator=Worth(_senator, _never, _nothing),
    troops=Worth(_troops, _never, _nothing),
    pirates=Worth(_pirates, _never, _nothing),
    fleet=Worth(_fleet, _never, _nothing),
    city=Worth(_city, _never, _nothing),
    barbarians=Worth(_campaign, _never, _nothing),
    politician=Worth(_politician, _never, _nothing),
    bribe=Worth(_bribe, _never, _nothing),
    revolt=Worth(_revolt, _never, _nothing),
    army=Worth(_drill, _never, _nothing),
    navy=Worth(_seamen, _never, _nothing),
    wind=Worth(_wind, _never, _nothing),
)
