"""What every card is worth to a bot, in one table: to obtain it, to use it, to win its vote."""

from collections.abc import Callable
from typing import Final

from server.bots.cote2.fighting import LOSS, assault, clash, targets
from server.bots.cote2.sailing import best_battle, passage
from server.bots.cote2.survey import IDLE, INCOME, LIKELY, UNIT, Eye
from server.bots.cote2.thoughts import Worth
from shared.ids import NONE, Seat
from shared.mechanics.armies import total
from shared.odds import cote2 as odds
from shared.odds.outcome import Host
from shared.rulesets.cote2.actions import Campaign, Incite, Obtain, Use
from shared.rulesets.cote2.cards import CAMPAIGN
from shared.rulesets.cote2.data import CARDS, DATA, ITALIA, NAMED, NEW_LEGIONS, REVOLT, ByAct
from shared.rulesets.cote2.economy import INFLUENCE_PRICE, most_tokens
from shared.rulesets.cote2.effects import Taken
from shared.rulesets.cote2.property import army_supply, galley_supply, influence_supply
from shared.rulesets.cote2.state import LEADERS, allied, leaders_at

KILLED: Final = 4.5
"""What a general is worth to a rival."""
DRILL, SEAMANSHIP = 0.27, 0.03
"""What a die in all battles is worth, on land and at sea, for each action that is left."""
GIFT: Final = 0.08
"""What a talent is worth to somebody else."""
NET: Final = 0.7
"""What is left of a vote that is won when its senators are spent."""
AHEAD: Final = 0.75
"""How likely its caller wins a vote with more votes than any other hand."""


Taking = Callable[[Eye, Taken], float]


def _never(_eye: Eye, _action: Use) -> float:
    return 0.0


def _nothing(_eye: Eye, _seat: Seat) -> float:
    return 0.0


# --- multi-use cards ---


def _customers(eye: Eye, action: Obtain) -> float:
    """This season's talents at once, those of later ones in their time."""
    talents = CARDS[action.card].gain[0] * eye.table.influence[NAMED[action.card][0]][eye.seat]
    return eye.gain(talents) + talents * INCOME * eye.fade


def _trade(eye: Eye, action: Use) -> float:
    """At once, unless there will be more customers before the season ends."""
    space = NAMED[action.card][0]
    more = eye.left > 1 and eye.best_purchase(space, most_tokens(eye.table, eye.seat, space))[0] > 0.0
    return 0.0 if more and eye.money >= 2 * INFLUENCE_PRICE else 1.0


def _loot(eye: Eye, action: Use) -> float:
    talents, chaos = CARDS[action.card].gain
    return eye.gain(talents) - eye.chaos(chaos)


def _looting(eye: Eye, action: Obtain) -> float:
    talents, chaos = CARDS[action.card].gain
    return max(0.0, eye.gain(talents) - eye.chaos(chaos)) + max(0.0, talents * INCOME - eye.chaos(chaos)) * eye.fade


def _kill(eye: Eye, action: Use) -> float:
    """A general of a rival, above all of an enemy who could buy where he stands; or a senator."""
    if action.leader == NONE:
        return LIKELY * eye.vote * -eye.weights[action.seat]
    owner = action.leader // LEADERS
    post = eye.table.tokens[eye.table.leader_at[action.leader]] > 0
    return -eye.weights[owner] * (KILLED + post) * (0.5 if allied(eye.table, eye.seat, owner) else 1.0)


def _killing(eye: Eye, _action: Obtain) -> float:
    return KILLED * -min(eye.weights) * (1.0 + eye.fade)


# --- the senate ---


def _call(eye: Eye, action: Use) -> float:
    """Calling it now: to win it, against the chance that the worst of the rivals does; if it can wait, only ahead."""
    mine, rival = eye.votes()
    if not mine or (mine <= rival and eye.left > DATA.actions):
        return 0.0
    chance = AHEAD if mine > rival else max(0.0, mine / rival - 0.5)
    won = WORTH.of(action.card).won
    worst = min(range(eye.table.seats), key=lambda seat: eye.weights[seat])
    return chance * won(eye, eye.seat) + (1.0 - chance) * eye.weights[worst] * won(eye, worst)


def _vote(won: Callable[[Eye, Seat], float]) -> Worth:
    """A card that calls a vote: who owns it chooses the moment."""

    def taken(eye: Eye, _action: Taken) -> float:
        mine, rival = eye.votes()
        chance = (mine + 1.0) / (mine + rival + 2.0)
        return max(0.0, won(eye, eye.seat)) * NET * chance * (1.0 + eye.fade)

    return Worth(taken, _call, won)


def _tax(eye: Eye, seat: Seat) -> float:
    talents = CARDS[_card("emergency_tax")].gain[0]
    return max(eye.gain(talents), talents * INCOME) if seat == eye.seat else talents * GIFT


def _calm(eye: Eye, seat: Seat) -> float:
    return -eye.chaos(-CARDS[_card("bread_and_circuses")].gain[0]) if seat == eye.seat else 3.0


def _hail(_eye: Eye, _seat: Seat) -> float:
    return float(CARDS[_card("hail_caesar")].gain[0])


def _legions(eye: Eye, seat: Seat) -> float:
    """Infantry, and what it guards."""
    number = min(CARDS[NEW_LEGIONS].gain[0], army_supply(eye.table, seat)[0])
    sites = NAMED[NEW_LEGIONS]
    guard = max([eye.change(space, seat, number + total(eye.army(space))) for space in sites]) * (seat == eye.seat)
    return guard + number * UNIT


def _rome(eye: Eye, seat: Seat) -> float:
    """Tokens in Italia."""
    counts, guards = eye.table.influence[ITALIA], eye.guards(ITALIA)
    more = min(CARDS[_card("influence_in_rome")].gain[0], influence_supply(eye.table, seat))
    then = (*counts[:seat], counts[seat] + more, *counts[seat + 1 :])
    return (eye.holding(ITALIA, then, guards) - eye.holding(ITALIA, counts, guards)) / (eye.weights[seat] or -1.0)


def _card(act: str) -> int:
    """The card that does this."""
    return _ACTS[act]


_ACTS: Final = {printed.act: card for card, printed in enumerate(CARDS)}


def _senator(eye: Eye, action: Obtain) -> float:
    return CARDS[action.card].gain[0] * eye.vote


# --- diplomacy, training ---


def _troops(eye: Eye, action: Obtain) -> float:
    """Guards for this season's battles beside one's own, and better odds where one attacks."""
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


def _afloat(eye: Eye) -> int:
    """Own galleys on the board."""
    return DATA.supply.galleys - len(galley_supply(eye.table, eye.seat))


def _at_sea(worth: float) -> Taking:
    """By the action that is left, as long as one has galleys."""
    return lambda eye, _action: worth * eye.season_actions * min(2, _afloat(eye))


def _pirates(eye: Eye, action: Obtain) -> float:
    """Cover for this season, and better odds at sea."""
    cover = 2 * SEAMANSHIP * eye.left * min(2, _afloat(eye))
    alone, helped = best_battle(eye, 0), best_battle(eye, CARDS[action.card].gain[0])
    return cover + eye.patience * max(0.0, helped - max(0.0, alone))


def _drill(eye: Eye, _action: Taken) -> float:
    return DRILL * eye.season_actions


# --- immediate cards ---


def _city(eye: Eye, action: Obtain) -> float:
    return eye.city(action.target)


def _fleet(eye: Eye, action: Obtain) -> float:
    number = min(CARDS[action.card].gain[0], len(galley_supply(eye.table, eye.seat)))
    return number * eye.galley + eye.patience * max(0.0, passage(eye, NAMED[action.card][0], number + 1) - 3.0)


def _campaign(eye: Eye, action: Campaign) -> float:
    """The reward, less what is left bare, and what leaders who go along, or units without one, could do no longer."""
    infantry, cavalry, talents, points = CARDS[action.card].gain
    units = total(eye.army(action.source))
    worth = points + eye.gain(talents) + eye.change(action.source, eye.seat, units - CAMPAIGN)
    if not action.leaders:
        return worth + (infantry + cavalry) * IDLE - CAMPAIGN * (UNIT - IDLE)
    missed = [eye.best_purchase(action.source, 2 - bool(leader % LEADERS))[0] + 1.0 for leader in action.leaders]
    stay = len(leaders_at(eye.table, eye.seat, action.source)) > len(action.leaders)
    worth += (infantry + cavalry) * UNIT + eye.patience * sum(_posts(eye)[: infantry + cavalry])
    return worth - 0.5 * sum(missed) - (units - CAMPAIGN) * (UNIT - IDLE) * (not stay)


def _posts(eye: Eye) -> list[float]:
    """What a guard is worth where own tokens have none, the best first."""
    return sorted([eye.change(space, eye.seat, 1) for space in eye.bare], reverse=True)


def _politician(eye: Eye, _action: Taken) -> float:
    """A token where the Caesar stands."""
    counts, guards = eye.table.influence[eye.caesar], eye.guards(eye.caesar)
    return eye.holding(eye.caesar, eye.bought(eye.caesar, (NONE,)), guards) - eye.holding(eye.caesar, counts, guards)


def _bribe(eye: Eye, action: Obtain) -> float:
    return LIKELY * eye.vote * (1.0 - eye.weights[action.target])


def _revolt(eye: Eye, action: Incite) -> float:
    """The guards that the slaves beat, one after the other, and what it costs everybody."""
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
    bread_and_circuses=_vote(_calm),
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
    navy=Worth(_at_sea(SEAMANSHIP), _never, _nothing),
    wind=Worth(_at_sea(SEAMANSHIP), _never, _nothing),
)
